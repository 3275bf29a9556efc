//! Quiet bars above the sentence: what of a link could not be used, what went wrong, and that there is a newer version.

use yew::prelude::*;

use super::{
    app::{Dispatch, sends},
    browser,
    state::Action,
    strings::{fill, text},
};
use crate::{format::count, study::Problem};

/// A newer version of the page is ready, but it is shown only if the person wants it now.
#[component]
fn Newer() -> Html {
    let offered = use_state_eq(browser::has_newer);
    {
        let offered = offered.clone();
        use_effect_with((), move |()| {
            let listener = browser::on_page(browser::NEWER, move || offered.set(true));
            move || drop(listener)
        });
    }
    if !*offered {
        return Html::default();
    }
    let take = Callback::from(|_: MouseEvent| browser::say(browser::TAKE_NEWER));
    let dismiss = Callback::from(move |_: MouseEvent| offered.set(false));
    html! {
        <div class="quiet">
            <span>{text("bars.newer")}</span>
            <button onclick={take}>{text("bars.take-newer")}</button>
            <button onclick={dismiss}>{text("bars.dismiss")}</button>
        </div>
    }
}

/// Of the link, why there are no percentiles, and after how many requests the simulation stopped, with whether exact
/// values remain.
pub(super) fn bars(
    problems: &[Problem],
    unstable: Option<String>,
    failed: Option<(u64, bool)>,
    dispatch: &Dispatch,
) -> Html {
    let items = problems.iter().map(|it| {
        html! { <li><b>{it.key.clone()}</b>{" "}{it.text.clone()}</li> }
    });
    let problems = (!problems.is_empty()).then(|| {
        html! {
            <div class="quiet">
                <ul>{ for items }</ul>
                <button onclick={sends(dispatch, Action::Dismiss)}>{text("bars.dismiss")}</button>
            </div>
        }
    });
    let failed = failed.map(|(requests, exact)| {
        let rest = fill("bars.stopped-after", &[("requests", &count(requests))]);
        let exact = if exact { text("bars.exact-holds") } else { "" };
        html! {
            <div class="quiet bad">
                <span><b>{text("bars.stopped")}</b>{" "}{rest}{" "}{exact}</span>
                <button onclick={sends(dispatch, Action::RunAgain)}>{text("bars.again")}</button>
            </div>
        }
    });
    let unstable = unstable.map(|it| html! { <div class="quiet bad"><span>{it}</span></div> });
    // The region stands before there is anything in it, since only then is what comes into it announced.
    html! {
        <div class="bars" role="status">
            <Newer />{problems.unwrap_or_default()}{unstable.unwrap_or_default()}{failed.unwrap_or_default()}
        </div>
    }
}
