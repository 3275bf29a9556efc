//! Below the figures: how the study is simulated, and what can be taken along.

use std::rc::Rc;

use yew::prelude::*;

use super::{browser, open_saved::OpenSaved, state::State, strings::text};
use crate::{
    format::kept_together,
    study::{compared_json, csv_header, csv_row, json},
};

pub(super) fn notes(notes: &[String]) -> Html {
    if notes.is_empty() {
        return Html::default();
    }
    let notes = notes.iter().map(|it| html! { <li>{kept_together(it)}</li> });
    html! { <section class="notes"><h2>{text("notes.title")}</h2><ul>{ for notes }</ul></section> }
}

pub(super) fn footer(state: &Rc<State>) -> Html {
    let link = state.study.link();
    let save = |as_json: bool| {
        let state = Rc::clone(state);
        Callback::from(move |_: MouseEvent| {
            let State { study, measures, .. } = &*state;
            let key = study.scenario.key;
            if as_json {
                let problems = state.all_problems();
                // With A it is what the command prints of a comparison, and opens as one.
                let text = match &state.pinned {
                    Some(a) => compared_json(a.side(), state.side(), &a.differences, &problems),
                    None => json(study, measures, &problems),
                } + "\n";
                browser::download_text(&format!("{key}.json"), "application/json", &text);
            } else {
                let text =
                    [csv_header(study, measures), csv_row(study, measures)].join("\n") + "\n";
                browser::download_text(&format!("{key}.csv"), "text/csv", &text);
            }
        })
    };
    html! {
        <footer>
            <span>{text("footer.private")}</span>
            <a href={format!("#{link}")}>{text("footer.link")}</a>
            <button onclick={save(false)}>{text("footer.csv")}</button>
            <button onclick={save(true)}>{text("footer.json")}</button>
            <OpenSaved />
            <span class="on-paper">{browser::address_of(&state.setup().link())}</span>
        </footer>
    }
}
