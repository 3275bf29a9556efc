//! A real range input above a drawn track. It moves along the scale of its parameter, not along its values.

use gloo_timers::callback::Timeout;
use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::FieldRef;
use crate::{
    format::in_box,
    schema::Kind,
    ui::{
        app::Dispatch,
        browser::NextFrame,
        state::Action,
        view::{Tick, ticks},
    },
};

#[derive(Properties, PartialEq)]
pub(super) struct SliderProps {
    pub field: FieldRef,
    pub at: usize,
    pub id: AttrValue,
    pub value: f64,
    /// What A has.
    pub notch: Option<f64>,
    pub disabled: bool,
    /// The id of what explains it.
    pub described: Option<String>,
}

/// The range of the input: its default, so that it does not matter in which order its attributes are set.
const TRAVEL: f64 = 100.0;
/// Steps that page keys make.
const PAGE: f64 = 10.0;
/// After so many milliseconds without a key, a movement by keys is over.
const REST_MS: u32 = 800;

#[component]
pub(super) fn Slider(props: &SliderProps) -> Html {
    let SliderProps { field: FieldRef(field), at, value, disabled, .. } = *props;
    let kind = field.kind;
    let dispatch = use_context::<Dispatch>();
    let frame = use_mut_ref(NextFrame::default);
    let rest = use_mut_ref(|| None::<Timeout>);
    let send = {
        let dispatch = dispatch.clone();
        move |action: Action| {
            if let Some(dispatch) = &dispatch {
                dispatch.dispatch(action);
            }
        }
    };
    let oninput = {
        let (frame, send) = (frame.clone(), send.clone());
        Callback::from(move |event: InputEvent| {
            let input: HtmlInputElement = event.target_unchecked_into();
            let value = kind.value_at(input.value_as_number() / TRAVEL);
            // The thumb stands only where there are values.
            input.set_value_as_number(kind.position(value) * TRAVEL);
            let send = send.clone();
            frame.borrow().soon(move || send(Action::Slide { field: at, value }));
        })
    };
    let settle = {
        let (frame, send, rest) = (frame.clone(), send.clone(), rest.clone());
        move || {
            frame.borrow().flush();
            // Dropped, and so stopped.
            rest.borrow_mut().take();
            send(Action::Settle);
        }
    };
    let onchange = {
        let settle = settle.clone();
        Callback::from(move |_: Event| settle())
    };
    let onblur = {
        let (rest, settle) = (rest.clone(), settle.clone());
        Callback::from(move |_: FocusEvent| {
            if rest.borrow().is_some() {
                settle();
            }
        })
    };
    let onkeydown = Callback::from(move |event: KeyboardEvent| {
        let Some(value) = moved(kind, value, &event) else { return };
        event.prevent_default();
        send(Action::Slide { field: at, value });
        let settle = settle.clone();
        *rest.borrow_mut() = Some(Timeout::new(REST_MS, move || {
            // A timer that has gone off is not to be stopped.
            settle();
        }));
    });
    let along = kind.position(value);
    let written = in_box(kind, value);
    let said = [&written.to_string(), field.suffix].join(" ");
    html! {
        <span class="slide">
            {track(kind, along, props.notch.map(|it| kind.position(it)))}
            <input type="range" id={props.id.clone()} min="0" max="100" step="any" value={(along * TRAVEL).to_string()}
                {disabled} aria-valuetext={said.trim().to_owned()} aria-describedby={props.described.clone()}
                {oninput} {onchange} {onkeydown} {onblur} />
        </span>
    }
}

/// Where a key leads, if it moves a slider.
fn moved(kind: Kind, value: f64, event: &KeyboardEvent) -> Option<f64> {
    if event.ctrl_key() || event.alt_key() || event.meta_key() {
        return None;
    }
    let (min, max) = kind.range();
    Some(match event.key().as_str() {
        "ArrowLeft" | "ArrowDown" => kind.step(value, -1.0),
        "ArrowRight" | "ArrowUp" => kind.step(value, 1.0),
        "PageDown" => kind.step(value, -PAGE),
        "PageUp" => kind.step(value, PAGE),
        "Home" => min,
        "End" => max,
        _ => return None,
    })
}

/// Drawn with attributes only: the page's policy admits no styles in elements.
fn track(kind: Kind, along: f64, notch: Option<f64>) -> Html {
    let ticks = ticks(kind);
    let last = ticks.len().saturating_sub(1);
    let marks =
        ticks.iter().map(|it| html! { <rect class="k" x={percent(it.at)} width="1" height="4" /> });
    let labels = ticks.iter().enumerate().filter(|(_, it)| !it.label.is_empty()).map(
        |(at, Tick { at: along, label })| {
            let anchor = match at {
                0 => "start",
                _ if at == last => "end",
                _ => "middle",
            };
            html! { <text x={percent(*along)} y="11" text-anchor={anchor}>{label.clone()}</text> }
        },
    );
    let scale = (!ticks.is_empty())
        .then(|| html! { <svg class="scale" aria-hidden="true">{ for labels }</svg> });
    let notch = notch.map(|it| html! { <rect class="n" x={percent(it)} width="2" height="12" /> });
    html! {
        <>
            <svg class="track" aria-hidden="true">
                <rect class="t" width="100%" height="2" rx="1" />
                <rect class="f" width={percent(along)} height="2" rx="1" />
                { for marks }
                {notch.unwrap_or_default()}
            </svg>
            {scale.unwrap_or_default()}
        </>
    }
}

fn percent(share: f64) -> String {
    format!("{:.2}%", share * 100.0)
}
