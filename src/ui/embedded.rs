//! The page as it stands within another: the sentence, the main figure, the controls that were chosen, one line below.

use std::rc::Rc;

use yew::prelude::*;

use super::{
    app::Dispatch,
    bars::bars,
    browser,
    framing::Framing,
    lead::lead_alone,
    plot::{Picture, Plot},
    rail::control,
    state::State,
    strings::text,
    view,
};
use crate::report::{Figure, Sentence};

pub(super) fn embedded(
    state: &State,
    framing: &Framing,
    (sentence, figures): (&Rc<Sentence>, &[Rc<Figure>]),
    bars: Html,
) -> Html {
    let study = &state.study;
    let figure = figures.first().map(|it| {
        let label = [it.title.as_str(), it.caption.as_str()].join(". ");
        let picture = Picture::Figure(Rc::clone(it));
        html! { <figure><Plot {picture} {label} scenario={study.scenario.key} /></figure> }
    });
    let fields = study.scenario.fields.iter().enumerate();
    let shown = fields.filter(|(_, it)| framing.shows(it.key));
    let controls = shown.map(|(at, _)| control(study, None, at, "", false));
    let whole = browser::address_of(&Framing::default().link(study));
    html! {
        <main id="main" class="embedded">
            { bars }
            { lead_alone(sentence) }
            { figure.unwrap_or_default() }
            <div class="chosen">{ for controls }</div>
            <footer>
                <span>{view::progress(state).text}</span>
                <a href={whole} target="_blank" rel="noopener">{text("embed.whole")}</a>
            </footer>
        </main>
    }
}
