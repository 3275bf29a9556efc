//! A and B in words, and the figures that show both.

use std::rc::Rc;

use crate::{
    format::{in_box, short},
    measured::Measured,
    report::{Figure, Quantity, compared},
    schema::Field,
    study::Study,
    ui::{
        state::State,
        strings::{fill, text},
    },
};

/// So many settings tell two studies apart; more would not be read.
const SETTINGS_MAX: usize = 3;

/// What sets A and B apart, said of each: `Hedge off`, `Hedge after, Delay 30 ms`.
pub fn sides(a: &Study, b: &Study) -> [String; 2] {
    let fields = a.scenario.fields.iter().enumerate();
    let unlike: Vec<(usize, &Field)> =
        fields.filter(|it| a.values[it.0] != b.values[it.0]).collect();
    [a, b].map(|study| {
        let applies = |it: &&(usize, &Field)| it.1.applies(study.scenario.fields, &study.values);
        let settings = unlike.iter().filter(applies).take(SETTINGS_MAX).map(|(at, field)| {
            let what = inside(field.label);
            let value = match field.kind.choices() {
                Some(choices) => inside(choices[study.values[*at] as usize].short),
                None => in_box(field.kind, study.values[*at]).to_string(),
            };
            fill("compare.setting", &[("what", &what), ("value", &value)])
        });
        let mut said: Vec<String> = settings.collect();
        let data = study.data.as_ref().filter(|_| a.data != b.data && study.wants_data());
        said.extend(data.map(|it| of_data(it)));
        if a.seed != b.seed {
            said.push(fill("compare.seed", &[("seed", &study.seed.to_string())]));
        }
        if said.is_empty() { text("compare.same").to_owned() } else { said.join(", ") }
    })
}

/// Measured data by what is known of them.
fn of_data(data: &Measured) -> String {
    let quantile = |share| Some(short(Quantity::Latency, data.quantile_ms(share)?).to_string());
    let median = quantile(0.5).unwrap_or_else(|| text("import.unknown").to_owned());
    match quantile(0.99) {
        Some(late) => fill("compare.data-late", &[("median", &median), ("late", &late)]),
        None => fill("compare.data", &[("median", &median)]),
    }
}

/// A name inside a sentence; abbreviations stay as they are.
fn inside(name: &str) -> String {
    let mut letters = name.chars();
    match (letters.next(), letters.clone().next()) {
        (Some(first), second) if second.is_none_or(|it| it.is_ascii_lowercase()) => {
            first.to_ascii_lowercase().to_string() + letters.as_str()
        }
        _ => name.to_owned(),
    }
}

/// The figures of the page's study, with A's where one is pinned.
pub fn figures(state: &State, own: Vec<Figure>) -> Vec<Rc<Figure>> {
    let Some(pinned) = &state.pinned else { return own.into_iter().map(Rc::new).collect() };
    let others = pinned.study.figures(&pinned.seen());
    let [a, b] = sides(&pinned.study, &state.study);
    let both = own.into_iter().map(|figure| {
        let other = others.iter().find(|it| it.key == figure.key);
        // Bars have their names beside them.
        let colours = if figure.bars.is_empty() { text("compare.caption") } else { "" };
        let both = other.map(|it| Figure {
            caption: [&figure.caption, colours].join(" ").trim().to_owned(),
            ..compared(&figure, it, [&a, &b])
        });
        Rc::new(both.unwrap_or(figure))
    });
    both.collect()
}
