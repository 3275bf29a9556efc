//! What A and B are, and what can be done with them.

use yew::prelude::*;

use super::{
    app::{Dispatch, sends},
    state::{Action, State},
    strings::text,
    view,
};

/// The line above the sentence, while a study is pinned.
pub(super) fn legend(state: &State, dispatch: &Dispatch) -> Html {
    let Some(pinned) = &state.pinned else { return Html::default() };
    let [a, b] = view::sides(&pinned.study, &state.study);
    let running = state.run.over() && !pinned.run.over();
    html! {
        <section class="sides" aria-label={text("compare.label")}>
            <span><b>{"A"}</b>{" "}<i>{a}</i></span>
            <span class="b"><b>{"B"}</b>{" "}<i>{b}</i></span>
            <small role="status">{if running { text("compare.simulating") } else { "" }}</small>
            <button onclick={sends(dispatch, Action::Swap)}>{text("compare.swap")}</button>
            <button onclick={sends(dispatch, Action::Unpin)}>{text("compare.unpin")}</button>
        </section>
    }
}
