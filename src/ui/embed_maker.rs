//! A study on a page of somebody's own: which controls go along, and the code for it.

use gloo_timers::callback::Timeout;
use yew::prelude::*;

use super::{
    browser,
    embed_gauge::Gauge,
    embedded::{Embedding, stand_in},
    framing::Framing,
    icons::{self, icon},
    rail::has_choice,
    strings::text,
    view::{Heights, snippet},
};
use crate::{schema::Field, study::Study};

#[derive(Properties, PartialEq)]
pub(super) struct EmbedMakerProps {
    pub embedding: Embedding,
}

/// The widths at which it is measured how high a frame is to be, in CSS pixels: of a window, of a column of text, and
/// of the smallest phone. Between them the style sheet has its steps.
const WIDTHS: [u32; 3] = [800, 640, 320];

/// How long the button says that the code is copied, in milliseconds.
const COPIED_MS: u32 = 2_500;

#[component]
pub(super) fn EmbedMaker(props: &EmbedMakerProps) -> Html {
    let open = use_state_eq(|| false);
    let toggle = {
        let open = open.clone();
        Callback::from(move |_: MouseEvent| open.set(!*open))
    };
    let scenario = props.embedding.study.scenario.key;
    let inside =
        open.then(|| html! { <Choice key={scenario} embedding={props.embedding.clone()} /> });
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
    let study = &props.embedding.study;
    let scenario = study.scenario;
    let shown = use_state_eq(|| usual(study));
    let measured =
        [use_state_eq(|| None::<u32>), use_state_eq(|| None::<u32>), use_state_eq(|| None::<u32>)];
    let offered = scenario.fields.iter().enumerate().filter(|it| has_choice(study, it.0));
    let boxes = offered.map(|(_, field)| {
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
    let framing = Framing { embedded: true, hidden };
    let address = browser::address_of(&framing.link(study));
    let title = format!("{} · {}", scenario.title, text("header.name"));
    let heights = match measured.each_ref().map(|it| **it) {
        [Some(wide), Some(column), Some(narrow)] => {
            Some(Heights { wide: wide.max(column), narrow })
        }
        _ => None,
    };
    let code = snippet(&address, &title, heights.unwrap_or_else(|| Heights::guess(shown.len())));
    let gauge = |width: u32, height: &UseStateHandle<Option<u32>>| {
        let height = height.clone();
        let onheight = Callback::from(move |it: u32| height.set(Some(it)));
        let inside = stand_in(&props.embedding, &framing);
        html! { <Gauge key={width} {width} {onheight}>{inside}</Gauge> }
    };
    let gauges = std::iter::zip(WIDTHS, &measured).map(|(width, it)| gauge(width, it));
    html! {
        <>
            <p class="caption">{text("embed.what")}</p>
            <fieldset><legend>{text("embed.controls")}</legend><ul>{ for boxes }</ul></fieldset>
            { for gauges }
            <Code {code} ready={heights.is_some()}>
                <a href={address} target="_blank" rel="noopener">{text("embed.look")}</a>
            </Code>
        </>
    }
}

/// The first control of the first two groups.
fn usual(study: &Study) -> Vec<&'static str> {
    let fields = study.scenario.fields.iter().enumerate().filter(|it| has_choice(study, it.0));
    let mut groups: Vec<&Field> = fields.map(|it| it.1).collect();
    groups.dedup_by_key(|it| it.group);
    groups.iter().take(2).map(|it| it.key).collect()
}

#[derive(Properties, PartialEq)]
struct CodeProps {
    code: String,
    /// Whether nothing of it is a guess.
    ready: bool,
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
                value={props.code.clone()} aria-busy={(!props.ready).to_string()} />
            <p class="acts">
                <button {onclick}>{words}</button>{props.children.clone()}
                <span class="sr" role="status">{if *copied { text("embed.copied") } else { "" }}</span>
            </p>
        </>
    }
}
