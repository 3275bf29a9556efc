//! The head of the page: name, tools, and the scenarios by the system that they belong to.

use gloo_timers::callback::Timeout;
use yew::prelude::*;

use super::{
    app::{Dispatch, sends},
    browser,
    icons::{self, icon},
    state::{Action, Theme},
    strings::{fill, text},
};
use crate::scenario::SCENARIOS;

#[derive(Properties, PartialEq)]
pub(super) struct HeaderProps {
    pub scenario: &'static str,
    pub link: String,
    pub theme: Theme,
}

#[derive(Properties, PartialEq)]
struct ShareProps {
    link: String,
}

/// What became of the last copy.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Copied {
    Not,
    Well,
    Refused,
}

/// How long the button says that the link is copied, in milliseconds.
const COPIED_MS: u32 = 2_500;

#[component]
pub(super) fn Header(props: &HeaderProps) -> Html {
    let open = use_state_eq(|| false);
    let dispatch = use_context::<Dispatch>();
    let title = SCENARIOS.iter().find(|it| it.key == props.scenario).map_or("", |it| it.title);
    let toggle = {
        let open = open.clone();
        Callback::from(move |_: MouseEvent| open.set(!*open))
    };
    // A choice was made: what it leads to is below the menu.
    let close = {
        let open = open.clone();
        Callback::from(move |_: MouseEvent| open.set(false))
    };
    let escape = {
        let open = open.clone();
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Escape" {
                open.set(false);
            }
        })
    };
    html! {
        <>
            <a class="skip" href="#main" onclick={Callback::from(skip)}>{text("header.skip")}</a>
            <header class="top" onkeydown={escape.clone()}>
                <a class="brand" href={format!("#{}", props.scenario)}>{icons::logo()}{text("header.name")}</a>
                <span class="on-paper">{title}</span>
                <div class="tools">
                    <button class="tool only-phone" aria-expanded={open.to_string()} aria-controls="scenarios"
                        onclick={toggle}>
                        <b>{title}</b>{icon(icons::CHEVRON)}<span class="sr">{text("header.choose")}</span>
                    </button>
                    { theme_tool(props.theme, dispatch.as_ref()) }
                    <Share link={props.link.clone()} />
                </div>
            </header>
            <div class={classes!("menu", open.then_some("is-open"))} onclick={close} onkeydown={escape}>
                { scenarios(props.scenario) }
            </div>
        </>
    }
}

/// Leads past head and controls. The address behind `#` is the study's, so the jump is made by hand.
fn skip(event: MouseEvent) {
    event.prevent_default();
    browser::focus("main");
}

fn scenarios(shown: &str) -> Html {
    let mut systems: Vec<&str> = SCENARIOS.iter().map(|it| it.system).collect();
    systems.dedup();
    let groups = systems.into_iter().map(|system| {
        let entries = SCENARIOS.iter().filter(|it| it.system == system).map(|it| {
            let current = (it.key == shown).then_some("page");
            html! { <li><a href={format!("#{}", it.key)} aria-current={current}>{it.title}</a></li> }
        });
        html! { <div><h2>{system}</h2><ul>{ for entries }</ul></div> }
    });
    html! { <nav class="scenarios" id="scenarios" aria-label={text("header.scenarios")}>{ for groups }</nav> }
}

fn theme_tool(theme: Theme, dispatch: Option<&Dispatch>) -> Html {
    let (name, next) = match theme {
        Theme::Auto => (text("theme.auto"), Theme::Light),
        Theme::Light => (text("theme.light"), Theme::Dark),
        Theme::Dark => (text("theme.dark"), Theme::Auto),
    };
    let onclick = dispatch.map(|it| sends::<MouseEvent>(it, Action::Theme(next)));
    let label = fill("theme.label", &[("theme", name)]);
    html! {
        <button class="tool" title={label.clone()} aria-label={label} {onclick}>
            {icons::theme(theme)}
        </button>
    }
}

/// Copies the link. Where the browser does not let it, the link is shown to be copied by hand.
#[component]
fn Share(props: &ShareProps) -> Html {
    let copied = use_state_eq(|| Copied::Not);
    let shown = use_node_ref();
    let address = browser::address_of(&props.link);
    let onclick = {
        let (copied, address) = (copied.clone(), address.clone());
        Callback::from(move |_: MouseEvent| {
            let copied = copied.clone();
            browser::copy(&address, move |well| {
                copied.set(if well { Copied::Well } else { Copied::Refused });
                if well {
                    Timeout::new(COPIED_MS, move || copied.set(Copied::Not)).forget();
                }
            });
        })
    };
    let close = {
        let copied = copied.clone();
        Callback::from(move |_: MouseEvent| copied.set(Copied::Not))
    };
    {
        let shown = shown.clone();
        use_effect_with(*copied, move |copied| {
            if *copied == Copied::Refused {
                browser::select(&shown);
            }
        });
    }
    let said = if *copied == Copied::Well { text("share.copied") } else { "" };
    let word = classes!("word", (*copied == Copied::Well).then_some("said"));
    let words = if *copied == Copied::Well { text("share.copied") } else { text("share.share") };
    let by_hand = (*copied == Copied::Refused).then(|| {
        html! {
            <div class="by-hand">
                <label for="share-link">{text("share.by-hand")}</label>
                <input id="share-link" ref={shown} readonly=true value={address} />
                <button onclick={close}>{text("share.close")}</button>
            </div>
        }
    });
    html! {
        <>
            <button class="tool primary" {onclick}>
                {icon(icons::SHARE)}<span class={word}>{words}</span>
            </button>
            <span class="sr" role="status">{said}</span>
            {by_hand.unwrap_or_default()}
        </>
    }
}
