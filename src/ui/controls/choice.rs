//! One of a few named values: all in one frame where there is room, else a menu.

use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

use super::FieldRef;

#[derive(Properties, PartialEq)]
pub(super) struct ChoiceProps {
    pub field: FieldRef,
    pub id: AttrValue,
    pub value: f64,
    pub disabled: bool,
    pub onset: Callback<f64>,
}

/// What fits into the frame: so many choices, and so many pixels of words.
const CHOICES_MAX: usize = 4;
const WIDTH_MAX: usize = 272;
/// A character, and what stands around the words of a choice, in pixels.
const CHARACTER: usize = 7;
const AROUND: usize = 14;

#[component]
pub(super) fn Choice(props: &ChoiceProps) -> Html {
    let FieldRef(field) = props.field;
    let choices = field.kind.choices().unwrap_or_default();
    let chosen = field.kind.clamp(props.value) as usize;
    let name = format!("{}-name", props.id);
    let width = |it: &str| it.chars().count() * CHARACTER + AROUND;
    let fits = choices.len() <= CHOICES_MAX
        && choices.iter().map(|it| width(it.short)).sum::<usize>() <= WIDTH_MAX;
    let onset = props.onset.clone();
    if !fits {
        let onchange = Callback::from(move |event: Event| {
            let select: HtmlSelectElement = event.target_unchecked_into();
            onset.emit(f64::from(select.selected_index().max(0)));
        });
        let options = choices.iter().enumerate().map(|(at, it)| {
            html! { <option value={it.key} selected={at == chosen}>{it.label}</option> }
        });
        return html! {
            <span class="box select">
                <select aria-labelledby={name} disabled={props.disabled} {onchange}>{ for options }</select>
            </span>
        };
    }
    let onchange = Callback::from(move |event: Event| {
        let input: HtmlInputElement = event.target_unchecked_into();
        if let Ok(at) = input.value().parse::<u32>() {
            onset.emit(f64::from(at));
        }
    });
    let radios = choices.iter().enumerate().map(|(at, it)| {
        html! {
            <label title={(it.label != it.short).then_some(it.label)}>
                <input class="sr" type="radio" name={props.id.clone()} value={at.to_string()} checked={at == chosen}
                    disabled={props.disabled} onchange={onchange.clone()} aria-label={it.label} />
                <span>{it.short}</span>
            </label>
        }
    });
    html! { <div class="seg" role="radiogroup" aria-labelledby={name}>{ for radios }</div> }
}
