//! Quiet bars above the sentence: what of a link could not be used, and what went wrong.

use yew::prelude::*;

use super::{
    app::Dispatch,
    state::Action,
    strings::{fill, text},
};
use crate::{format::count, study::Problem};

#[derive(Properties, PartialEq)]
pub(super) struct BarsProps {
    pub problems: Vec<Problem>,
    /// Why there are no percentiles.
    pub unstable: Option<String>,
    /// After how many requests the simulation stopped, and whether exact values remain.
    pub failed: Option<(u64, bool)>,
}

#[component]
pub(super) fn Bars(props: &BarsProps) -> Html {
    let dispatch = use_context::<Dispatch>();
    let act = |action: Action| {
        let dispatch = dispatch.clone();
        Callback::from(move |_: MouseEvent| {
            if let Some(dispatch) = &dispatch {
                dispatch.dispatch(action.clone());
            }
        })
    };
    let problems = props.problems.iter().map(|it| {
        html! { <li><b>{it.key.clone()}</b>{" "}{it.text.clone()}</li> }
    });
    let problems = (!props.problems.is_empty()).then(|| {
        html! {
            <div class="quiet">
                <ul>{ for problems }</ul>
                <button onclick={act(Action::Dismiss)}>{text("bars.dismiss")}</button>
            </div>
        }
    });
    let failed = props.failed.map(|(requests, exact)| {
        let rest = fill("bars.stopped-after", &[("requests", &count(requests))]);
        let exact = if exact { text("bars.exact-holds") } else { "" };
        html! {
            <div class="quiet bad">
                <span><b>{text("bars.stopped")}</b>{" "}{rest}{" "}{exact}</span>
                <button onclick={act(Action::RunAgain)}>{text("bars.again")}</button>
            </div>
        }
    });
    let unstable =
        props.unstable.clone().map(|it| html! { <div class="quiet bad"><span>{it}</span></div> });
    // The region stands before there is anything in it, since only then is what comes into it announced.
    html! {
        <div class="bars" role="status">
            {problems.unwrap_or_default()}{unstable.unwrap_or_default()}{failed.unwrap_or_default()}
        </div>
    }
}
