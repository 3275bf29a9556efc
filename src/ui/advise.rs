//! Whether calls should be hedged, asked and answered on the page.

use std::rc::Rc;

use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::{
    app::{ByAddress, Dispatch, sends},
    figures::FigureFrame,
    plot::Picture,
    state::{Action, State},
    strings::{fill, text},
    view,
};
use crate::{
    format::given,
    report::Quantity,
    study::{self, Aim, Study},
};

#[derive(Properties, PartialEq)]
pub(super) struct AdviseProps {
    pub state: ByAddress<State>,
}

/// The extra load that one mostly has to spare.
const BUDGET: f64 = 0.05;

#[component]
pub(super) fn Advise(props: &AdviseProps) -> Html {
    let state = &props.state.0;
    let dispatch = use_context::<Dispatch>();
    let budget = use_state_eq(|| Some(BUDGET));
    let written = use_state_eq(|| in_words(BUDGET));
    let aim = use_state_eq(Aim::default);
    let limits = view::limits(state);
    let Some(dispatch) = dispatch.filter(|_| state.study.scenario.hedging.is_some()) else {
        return Html::default();
    };
    // What is being written is kept at once: whatever else changes on the page draws the box anew.
    let oninput = {
        let written = written.clone();
        Callback::from(move |event: InputEvent| {
            written.set(event.target_unchecked_into::<HtmlInputElement>().value());
        })
    };
    let onchange = {
        let (budget, written) = (budget.clone(), written.clone());
        Callback::from(move |event: Event| {
            let text = event.target_unchecked_into::<HtmlInputElement>().value();
            let read = study::budget(&text);
            // As it was understood.
            written.set(read.map_or(text, in_words));
            budget.set(read);
        })
    };
    // What was chosen elsewhere may be no choice here.
    let chosen = aims(&state.study).map(|it| it.0).find(|it| it == &*aim).unwrap_or_default();
    let ask = (*budget)
        .map(|budget| sends::<MouseEvent>(&dispatch, Action::Advise { budget, aim: chosen }));
    // What stands there answered another question.
    let asks_else = state.advising.as_ref().is_some_and(|it| {
        it.is_stale(&state.study) || (Some(it.inquiry.budget), it.inquiry.aim) != (*budget, chosen)
    });
    let wrong = budget
        .is_none()
        .then(|| html! { <p class="wrong" id="budget-wrong">{text("advise.wrong")}</p> });
    html! {
        <section class="advise" aria-labelledby="advise-title">
            <h2 id="advise-title">{text("advise.title")}</h2>
            { for limits.into_iter().map(|(asked, most)| html! { <p>{asked}{" "}{most}</p> }) }
            <div class="axis">
                <label for="budget">{text("advise.budget")}</label>
                <span class={classes!("box", budget.is_none().then_some("bad"))}>
                    <input id="budget" inputmode="text" autocomplete="off" value={(*written).clone()}
                        {oninput} {onchange} aria-invalid={budget.is_none().to_string()}
                        aria-describedby={budget.is_none().then_some("budget-wrong")} />
                </span>
                { lowest(&state.study, chosen, &aim) }
                <button class="pin" disabled={ask.is_none()} onclick={ask}>{text("advise.ask")}</button>
            </div>
            {wrong.unwrap_or_default()}
            <div role="status">{ answer(state, &dispatch, asks_else) }</div>
            { figure(state, asks_else) }
        </section>
    }
}

/// What can be brought down, and what it is called.
fn aims(study: &Study) -> impl Iterator<Item = (Aim, String)> {
    Aim::ALL.into_iter().filter_map(|it| Some((it, it.of(study)?.1)))
}

/// The choice of what is to be lowest.
fn lowest(study: &Study, chosen: Aim, aim: &UseStateHandle<Aim>) -> Html {
    let radios = aims(study).map(|(it, name)| {
        let aim = aim.clone();
        let onchange = Callback::from(move |_: Event| aim.set(it));
        html! {
            <label>
                <input class="sr" type="radio" name="lowest" checked={it == chosen} {onchange} />
                <span>{name}</span>
            </label>
        }
    });
    html! {
        <span class="choose">
            <span id="lowest-name">{text("advise.lowest")}</span>
            <div class="seg" role="radiogroup" aria-labelledby="lowest-name">{ for radios }</div>
        </span>
    }
}

fn in_words(share: f64) -> String {
    given(Quantity::Share, share).to_string()
}

fn answer(state: &State, dispatch: &Dispatch, asks_else: bool) -> Html {
    let Some(advising) = &state.advising else { return Html::default() };
    let tried = advising.tried.to_string();
    let key = if advising.over { "advise.over" } else { "advise.going" };
    let progress = fill(key, &[("tried", &tried)]);
    if !advising.over {
        return html! { <p class="small">{progress}</p> };
    }
    let said = advising.inquiry.told();
    let try_it = view::advised(advising).map(|it| {
        let onclick = sends::<MouseEvent>(dispatch, Action::Try(it));
        html! { <button class="pin" {onclick}>{text("advise.try")}</button> }
    });
    let of_others = asks_else.then(|| text("advise.stale"));
    html! {
        <>
            <p class="said"><b>{said}</b>{" "}{try_it.unwrap_or_default()}</p>
            <p class="small">{progress}{". "}{of_others.unwrap_or_default()}</p>
        </>
    }
}

fn figure(state: &State, asks_else: bool) -> Html {
    let figure = state.advising.as_ref().filter(|it| it.over).and_then(view::advice_figure);
    let Some(figure) = figure else { return Html::default() };
    let scenario = state.study.scenario.key;
    let picture = Picture::Figure(Rc::new(figure.clone()));
    html! {
        <FigureFrame title={figure.title} caption={figure.caption} table={figure.table} {picture}
            file={format!("{scenario}-advice")} {scenario} stale={asks_else} />
    }
}
