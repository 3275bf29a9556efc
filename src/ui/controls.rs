//! One parameter: its name, its number, its slider or its choice, its help.

mod choice;
mod number;
mod slider;

use yew::prelude::*;

use super::{
    app::Dispatch,
    icons::{self, icon},
    state::Action,
    strings::{fill, text},
};
use crate::{
    schema::Field,
    study::{SEED_MAX, Study},
};
use choice::choice;
pub(super) use number::NumberBox;
use slider::Slider;

/// A field of a scenario; two are equal if they are the same.
#[derive(Clone, Copy)]
pub(super) struct FieldRef(pub(super) &'static Field);

#[derive(Properties, PartialEq)]
pub(super) struct ControlProps {
    pub field: FieldRef,
    /// Its place among the scenario's fields.
    pub at: usize,
    pub value: f64,
    /// What A has.
    pub notch: Option<f64>,
    /// Whether the value is not the default.
    pub changed: bool,
    /// Whether its condition is met.
    pub applies: bool,
    /// Before ids, since a control may be there twice.
    pub prefix: &'static str,
    /// The heading above has said its name.
    pub headed: bool,
    /// The place of a choice that is not offered.
    pub spared: Option<usize>,
}

#[derive(Properties, PartialEq)]
pub(super) struct SeedProps {
    pub seed: u64,
}

impl PartialEq for FieldRef {
    fn eq(&self, other: &FieldRef) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

#[component]
pub(super) fn Control(props: &ControlProps) -> Html {
    let ControlProps { field: FieldRef(field), at, value, applies, .. } = *props;
    let helped = use_state_eq(|| false);
    let dispatch = use_context::<Dispatch>();
    // A link to the scenario of this name would have the browser go to the control.
    let other = if Study::scenario_of(field.key).is_some() { "of-" } else { "" };
    let id = format!("{}{other}{}", props.prefix, field.key);
    let is_choice = field.kind.choices().is_some();
    let set = {
        let dispatch = dispatch.clone();
        Callback::from(move |value: f64| {
            if let Some(dispatch) = &dispatch {
                dispatch.dispatch(Action::Set { field: at, value });
            }
        })
    };
    let help = {
        let toggled = helped.clone();
        let toggle = Callback::from(move |_: MouseEvent| toggled.set(!*toggled));
        question_mark(field.label, *helped, toggle)
    };
    let undo = {
        let reset = Callback::from(move |_: MouseEvent| {
            if let Some(dispatch) = &dispatch {
                dispatch.dispatch(Action::Reset(at));
            }
        });
        let label = fill("control.reset", &[("name", field.label)]);
        html! {
            <button class={classes!("undo", (!props.changed).then_some("idle"))} aria-label={label.clone()}
                title={label} onclick={reset}>{icon(icons::UNDO)}</button>
        }
    };
    let reason = field.when.filter(|_| !applies).map(|it| it.reason);
    let why = reason.map(|it| html! { <p class="why" id={format!("{id}-why")}>{it}</p> });
    let help_text = helped.then(|| html! { <p class="help">{field.help_text()}</p> });
    let name = if is_choice {
        html! { <span id={format!("{id}-name")}>{field.label}</span> }
    } else {
        html! { <label for={id.clone()}>{field.label}</label> }
    };
    let head = html! { <span class="name">{name}{help}{undo}</span> };
    let class = classes!("ctl", (!applies).then_some("off"), props.headed.then_some("headed"));
    if is_choice {
        return html! {
            <div {class}>
                {head}
                { choice(field, id, (value, props.spared), !applies, set) }
                {why.unwrap_or_default()}
                {help_text.unwrap_or_default()}
            </div>
        };
    }
    let described = why.is_some().then(|| format!("{id}-why"));
    html! {
        <div {class}>
            {head}
            <NumberBox field={props.field} id={id.clone()} {value} disabled={!applies} onset={set} />
            <Slider field={props.field} {at} {id} {value} notch={props.notch} disabled={!applies} {described} />
            {why.unwrap_or_default()}{help_text.unwrap_or_default()}
        </div>
    }
}

/// What makes one run differ from another with the same settings.
#[component]
pub(super) fn SeedControl(props: &SeedProps) -> Html {
    let dispatch = use_context::<Dispatch>();
    let problem = use_state_eq(|| false);
    let onchange = {
        let (dispatch, problem) = (dispatch.clone(), problem.clone());
        Callback::from(move |event: Event| {
            let input: web_sys::HtmlInputElement = event.target_unchecked_into();
            let text = input.value().replace([',', '\u{202f}', '\u{2009}', ' '], "");
            let seed = text.parse::<u64>().ok().filter(|it| *it <= SEED_MAX);
            problem.set(seed.is_none());
            if let Some((dispatch, seed)) = dispatch.as_ref().zip(seed) {
                dispatch.dispatch(Action::Seed(seed));
            }
        })
    };
    let seed = props.seed;
    let another = Callback::from(move |_: MouseEvent| {
        if let Some(dispatch) = &dispatch {
            dispatch.dispatch(Action::Seed(if seed < SEED_MAX { seed + 1 } else { 0 }));
        }
    });
    let wrong =
        problem.then(|| html! { <p class="wrong" id="seed-wrong">{text("seed.wrong")}</p> });
    html! {
        <div class="ctl">
            <span class="name"><label for="seed">{text("seed.label")}</label></span>
            <span class={classes!("box", problem.then_some("bad"))}>
                <input id="seed" inputmode="numeric" autocomplete="off" value={seed.to_string()} {onchange}
                    aria-invalid={problem.to_string()} aria-describedby={problem.then_some("seed-wrong")} />
            </span>
            {wrong.unwrap_or_default()}
            <button class="another" onclick={another}>{text("seed.another")}</button>
        </div>
    }
}

/// Opens the help of what is named, in place.
fn question_mark(name: &str, open: bool, toggle: Callback<MouseEvent>) -> Html {
    let label = fill("control.help", &[("name", name)]);
    html! { <button class="q" aria-label={label} aria-expanded={open.to_string()} onclick={toggle}>{"?"}</button> }
}
