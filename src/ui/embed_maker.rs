//! A study on a page of somebody's own: which controls go along, and the code for it.

use gloo_timers::callback::Timeout;
use yew::prelude::*;

use super::{
    browser,
    framing::Framing,
    icons::{self, icon},
    strings::text,
    view::snippet,
};
use crate::{scenario::Entry, study::Study};

#[derive(Properties, PartialEq)]
pub(super) struct EmbedMakerProps {
    pub study: Study,
}

/// How long the button says that the code is copied, in milliseconds.
const COPIED_MS: u32 = 2_500;

#[component]
pub(super) fn EmbedMaker(props: &EmbedMakerProps) -> Html {
    let open = use_state_eq(|| false);
    let toggle = {
        let open = open.clone();
        Callback::from(move |_: MouseEvent| open.set(!*open))
    };
    let scenario = props.study.scenario.key;
    let inside = open.then(|| html! { <Choice key={scenario} study={props.study.clone()} /> });
    html! {
        <section class={classes!("embed-maker", open.then_some("is-open"))}>
            <h2><button class="fold" aria-expanded={open.to_string()} onclick={toggle}>
                <span>{text("embed.title")}</span>{icon(icons::CHEVRON)}
            </button></h2>
            {inside.unwrap_or_default()}
        </section>
    }
}

#[component]
fn Choice(props: &EmbedMakerProps) -> Html {
    let study = &props.study;
    let scenario = study.scenario;
    let shown = use_state_eq(|| usual(scenario));
    let boxes = scenario.fields.iter().map(|field| {
        let checked = shown.contains(&field.key);
        let shown = shown.clone();
        let onchange = Callback::from(move |_: Event| {
            let others = shown.iter().copied().filter(|it| *it != field.key);
            shown.set(others.chain((!checked).then_some(field.key)).collect());
        });
        html! {
            <li><label>
                <input type="checkbox" {checked} {onchange} />
                <span>{field.label}{" "}<small>{field.group}</small></span>
            </label></li>
        }
    });
    let keys = scenario.fields.iter().map(|it| it.key);
    let hidden = keys.filter(|it| !shown.contains(it)).collect();
    let address = browser::address_of(&Framing { embedded: true, hidden }.link(study));
    let title = format!("{} · {}", scenario.title, text("header.name"));
    let code = snippet(&address, &title, shown.len());
    html! {
        <>
            <p class="caption">{text("embed.what")}</p>
            <fieldset><legend>{text("embed.controls")}</legend><ul>{ for boxes }</ul></fieldset>
            <Code {code}><a href={address} target="_blank" rel="noopener">{text("embed.look")}</a></Code>
        </>
    }
}

/// The first control of the first two groups.
fn usual(scenario: &Entry) -> Vec<&'static str> {
    let mut groups = scenario.fields.chunk_by(|a, b| a.group == b.group);
    groups.by_ref().take(2).filter_map(|it| it.first()).map(|it| it.key).collect()
}

#[derive(Properties, PartialEq)]
struct CodeProps {
    code: String,
    children: Html,
}

/// Code that can be copied; where the browser does not let it, it is selected to be copied by hand.
#[component]
fn Code(props: &CodeProps) -> Html {
    let area = use_node_ref();
    let copied = use_state_eq(|| false);
    let onclick = {
        let (area, copied, code) = (area.clone(), copied.clone(), props.code.clone());
        Callback::from(move |_: MouseEvent| {
            let (area, copied) = (area.clone(), copied.clone());
            browser::copy(&code, move |well| {
                if !well {
                    return browser::select(&area);
                }
                copied.set(true);
                Timeout::new(COPIED_MS, move || copied.set(false)).forget();
            });
        })
    };
    let words = if *copied { text("embed.copied") } else { text("embed.copy") };
    html! {
        <>
            <label for="embed-code">{text("embed.code")}</label>
            <textarea id="embed-code" ref={area} readonly=true rows="6" spellcheck="false"
                value={props.code.clone()} />
            <p class="acts">
                <button {onclick}>{words}</button>{props.children.clone()}
                <span class="sr" role="status">{if *copied { text("embed.copied") } else { "" }}</span>
            </p>
        </>
    }
}
