//! The page as it stands within another: the sentence, the main figure, the controls that were chosen, one line below.

use std::rc::Rc;

use yew::prelude::*;

use super::{
    app::Dispatch,
    browser,
    framing::Framing,
    lead::{heading, lead_alone},
    plot::{Picture, Plot},
    rail::{framed_control, has_choice},
    state::State,
    strings::text,
    view,
};
use crate::{
    report::{Figure, Sentence},
    study::Study,
};

/// What would stand in a frame.
#[derive(Clone, PartialEq)]
pub(super) struct Embedding {
    pub study: Study,
    pub sentence: Rc<Sentence>,
    /// The class of the main figure's chart, which says how high it is; none if there is no figure.
    pub plot: Option<&'static str>,
    /// How far the simulation is.
    pub said: String,
}

pub(super) fn embedded(
    state: &State,
    framing: &Framing,
    (sentence, figures): (&Rc<Sentence>, &[Rc<Figure>]),
    bars: Html,
) -> Html {
    let study = &state.study;
    let plot = figures.first().map(|it| {
        let label = [it.title.as_str(), it.caption.as_str()].join(". ");
        let picture = Picture::Figure(Rc::clone(it));
        html! { <Plot {picture} {label} scenario={study.scenario.key} /> }
    });
    let said = view::progress(state).text;
    html! {
        <main id="main" class="embedded">
            { bars }
            { inside((study, framing, ""), lead_alone(sentence), plot, said) }
        </main>
    }
}

/// The same to look at, but that it can neither be seen nor used: to see how much room it takes.
pub(super) fn stand_in(embedding: &Embedding, framing: &Framing) -> Html {
    let Embedding { study, sentence, plot, said } = embedding;
    let plot = plot.map(|it| html! { <div class={classes!("plot", it)}><canvas></canvas></div> });
    let lead = heading(sentence);
    html! { <main class="embedded">{ inside((study, framing, "gauge-"), lead, plot, said.clone()) }</main> }
}

/// Lead, chart, controls with something before their ids, and the line below.
fn inside(
    (study, framing, prefix): (&Study, &Framing, &'static str),
    lead: Html,
    plot: Option<Html>,
    said: String,
) -> Html {
    let fields = study.scenario.fields.iter().enumerate();
    let shown = fields.filter(|(at, it)| framing.shows(it.key) && has_choice(study, *at));
    let controls = shown.map(|(at, _)| framed_control(study, at, prefix));
    let whole = browser::address_of(&Framing::default().link(study));
    let figure = plot.map(|it| html! { <figure>{it}</figure> });
    html! {
        <>
            { lead }
            { figure.unwrap_or_default() }
            <div class="chosen">{ for controls }</div>
            <footer>
                <span>{said}</span>
                <a href={whole} target="_blank" rel="noopener">{text("embed.whole")}</a>
            </footer>
        </>
    }
}
