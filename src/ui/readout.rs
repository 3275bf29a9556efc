//! The numbers below the sentence, the rule that fills while they become surer, and whether the runs were warmed up.

use yew::prelude::*;

use super::{
    app::{Dispatch, sends},
    state::{Action, State},
    strings::text,
    view::{Progress, Reading},
};

/// Values of so many characters are set smaller, so that they keep to their column.
const LONG: usize = 9;
const LONGER: usize = 13;

pub(super) fn readout(
    figures: &[Reading],
    progress: Progress,
    paused: bool,
    dispatch: &Dispatch,
) -> Html {
    let figures = figures.iter().map(|it| {
        let size = match it.value.chars().count() {
            LONGER.. => Some("longer"),
            LONG.. => Some("long"),
            _ => None,
        };
        let class = classes!(it.faint.then_some("faint"), size);
        let beside = it.beside.as_ref().map(|[of_a, by, margin]| {
            html! {
                <>
                    <dd class="a"><small>{text("readout.a")}</small>{" "}{of_a.clone()}</dd>
                    <dd class="d">
                        <span class="sr">{text("readout.difference")}</span>
                        <b>{by.clone()}</b>{" "}<small>{margin.clone()}</small>
                    </dd>
                </>
            }
        });
        let unit =
            (!it.unit.is_empty()).then(|| html! { <>{"\u{202f}"}<small>{it.unit}</small></> });
        html! {
            <div class={it.key.then_some("key")}>
                <dt>{it.name.clone()}</dt>
                <dd {class}>{it.value.clone()}{unit.unwrap_or_default()}</dd>
                <dd class="e">{it.below.clone()}</dd>
                {beside.unwrap_or_default()}
            </div>
        }
    });
    let Progress { share, text: said, going } = progress;
    let percent = format!("{:.1}", share * 100.0);
    let button = going.then(|| {
        let words = if paused { text("progress.resume") } else { text("progress.pause") };
        html! { <button onclick={sends(dispatch, Action::TogglePause)}>{words}</button> }
    });
    html! {
        <section class="readout" aria-label={text("readout.label")}>
            <dl tabindex="0">{ for figures }</dl>
            <div class="progress">
                <svg class="done" aria-hidden="true"><rect height="3" width={format!("{percent}%")} /></svg>
                <span class="sr" role="progressbar" aria-label={text("progress.label")} aria-valuemin="0"
                    aria-valuemax="100" aria-valuenow={format!("{:.0}", share * 100.0)}></span>
                <span>{said}</span>
                {button.unwrap_or_default()}
            </div>
        </section>
    }
}

/// Whether the warm-up was long enough; an empty line, kept for it, until that is known.
pub(super) fn settled(state: &State, dispatch: &Dispatch) -> Html {
    if !state.study.warms_up() {
        return Html::default();
    }
    let told = state.settled.as_ref().map(|it| {
        let longer = it.changes.clone().map(|changes| {
            let onclick = sends::<MouseEvent>(dispatch, Action::Apply(changes));
            html! { <>{" "}<button {onclick}>{text("settled.longer")}</button></> }
        });
        html! { <><b>{it.verdict}</b>{" "}{it.text.clone()}{longer.unwrap_or_default()}</> }
    });
    html! { <p class="settled">{told.unwrap_or_default()}</p> }
}
