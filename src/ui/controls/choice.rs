//! One of a few named values: all in one frame where there is room, else a menu.

use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

use crate::schema::Field;

/// What fits into the frame: so many choices, and so many pixels of words.
const CHOICES_MAX: usize = 4;
const WIDTH_MAX: usize = 272;
/// A character, and what stands around the words of a choice, in pixels.
const CHARACTER: usize = 7;
const AROUND: usize = 14;

pub(super) fn choice(
    field: &Field,
    id: String,
    (value, spared): (f64, Option<usize>),
    disabled: bool,
    onset: Callback<f64>,
) -> Html {
    let choices = field.kind.choices().unwrap_or_default();
    let offered = || choices.iter().enumerate().filter(|it| Some(it.0) != spared);
    let chosen = field.kind.clamp(value) as usize;
    let name = format!("{id}-name");
    let width = |it: &str| it.chars().count() * CHARACTER + AROUND;
    let fits = offered().count() <= CHOICES_MAX
        && offered().map(|it| width(it.1.short)).sum::<usize>() <= WIDTH_MAX;
    if !fits {
        let onchange = Callback::from(move |event: Event| {
            let select: HtmlSelectElement = event.target_unchecked_into();
            if let Some(at) = choices.iter().position(|it| it.key == select.value()) {
                onset.emit(at as f64);
            }
        });
        let options = offered().map(|(at, it)| {
            html! { <option value={it.key} selected={at == chosen}>{it.label}</option> }
        });
        return html! {
            <span class="box select">
                <select aria-labelledby={name} {disabled} {onchange}>{ for options }</select>
            </span>
        };
    }
    let onchange = Callback::from(move |event: Event| {
        let input: HtmlInputElement = event.target_unchecked_into();
        if let Ok(at) = input.value().parse::<u32>() {
            onset.emit(f64::from(at));
        }
    });
    let radios = offered().map(|(at, it)| {
        html! {
            <label title={(it.label != it.short).then_some(it.label)}>
                <input class="sr" type="radio" name={id.clone()} value={at.to_string()} checked={at == chosen}
                    {disabled} onchange={onchange.clone()} aria-label={it.label} />
                <span>{it.short}</span>
            </label>
        }
    });
    html! { <div class="seg" role="radiogroup" aria-labelledby={name}>{ for radios }</div> }
}
