//! The sentence that a scenario opens with, and its presets.

use std::rc::Rc;

use gloo_timers::callback::Timeout;
use web_sys::HtmlElement;
use yew::prelude::*;

use super::{
    app::{Dispatch, sends},
    browser,
    state::Action,
    strings::text,
};
use crate::{
    format::kept_together,
    report::{Meaning, Piece, Sentence},
    scenario::Entry,
};

#[derive(Properties, PartialEq)]
pub(super) struct LeadProps {
    pub scenario: &'static str,
    pub sentence: Rc<Sentence>,
}

#[derive(Properties, PartialEq)]
struct AnnouncerProps {
    text: String,
}

/// The least time between two announcements, in milliseconds.
const ANNOUNCE_MS: f64 = 1_000.0;

#[component]
pub(super) fn Lead(props: &LeadProps) -> Html {
    let dispatch = use_context::<Dispatch>();
    let asides = props.sentence.asides.iter().map(|aside| {
        let action = aside.action.clone().zip(dispatch.as_ref());
        let action = action.map(|((words, changes), dispatch)| {
            let onclick = sends::<MouseEvent>(dispatch, Action::Apply(changes));
            html! { <>{" "}<button {onclick}>{words}</button></> }
        });
        html! { <p>{ for aside.pieces.iter().map(piece) }{action.unwrap_or_default()}</p> }
    });
    let sentence = use_node_ref();
    {
        let sentence = sentence.clone();
        use_effect_with(props.scenario, move |_| {
            let kept = sentence.cast::<HtmlElement>().map(|it| browser::keep_height(&it));
            move || drop(kept)
        });
    }
    html! {
        <div class="lead">
            <h1 class="sentence" ref={sentence}>{ for props.sentence.lead.iter().map(piece) }</h1>
            <Announcer text={props.sentence.text()} />
            <div class="more">{ for asides }</div>
        </div>
    }
}

/// The sentence without what is said beside it.
pub(super) fn lead_alone(sentence: &Sentence) -> Html {
    html! {
        <>
            { heading(sentence) }
            <Announcer text={sentence.text()} />
        </>
    }
}

/// The sentence, for the eye alone.
pub(super) fn heading(sentence: &Sentence) -> Html {
    html! { <h1 class="sentence">{ for sentence.lead.iter().map(piece) }</h1> }
}

/// A run of words in the colour of what it means.
fn piece(piece: &Piece) -> Html {
    let text = piece.text.clone();
    let class = match piece.meaning {
        Meaning::This => "c-blue",
        Meaning::Other => "c-grey",
        Meaning::Hedge => "c-orange",
        Meaning::Reference => "c-ink",
        Meaning::Deadline => return html! { <span class="c-red">{text}</span> },
        Meaning::Ink => return html! { text },
    };
    html! { <b {class}>{text}</b> }
}

/// Says a text to those who listen: the last one, when it has stood for a while.
#[component]
fn Announcer(props: &AnnouncerProps) -> Html {
    let said = use_state_eq(|| props.text.clone());
    let said_at = use_mut_ref(browser::now);
    {
        let said = said.clone();
        use_effect_with(props.text.clone(), move |text| {
            let text = text.clone();
            let wait = (*said_at.borrow() + ANNOUNCE_MS - browser::now()).max(ANNOUNCE_MS / 4.0);
            let timer = Timeout::new(wait as u32, move || {
                *said_at.borrow_mut() = browser::now();
                said.set(text);
            });
            move || drop(timer)
        });
    }
    html! { <p class="sr" aria-live="polite" aria-atomic="true">{(*said).clone()}</p> }
}

/// The presets, the one whose settings are shown, and whether anything is not as it is at first.
pub(super) fn presets(
    scenario: &Entry,
    shown: Option<&str>,
    changed: bool,
    dispatch: &Dispatch,
) -> Html {
    let chips = scenario.presets.iter().enumerate().map(|(at, preset)| {
        let onclick = sends::<MouseEvent>(dispatch, Action::Preset(at));
        let pressed = shown == Some(preset.name);
        let published = preset.rows.iter().any(|it| it.published.is_some()).then(|| {
            html! { <><span class="d" aria-hidden="true"></span><span class="sr">{text("presets.published")}</span></> }
        });
        html! {
            <li><button class="chip" aria-pressed={pressed.to_string()} {onclick}>
                {published.unwrap_or_default()}{preset.name}
            </button></li>
        }
    });
    let said = scenario.presets.iter().find(|it| Some(it.name) == shown);
    let own = if changed { text("presets.none") } else { text("presets.defaults") };
    let said = said.map_or(own, |it| it.sentence);
    html! {
        <>
            <ul class="presets" aria-label={text("presets.label")}>{ for chips }</ul>
            <p class="preset-said">{kept_together(said)}</p>
        </>
    }
}
