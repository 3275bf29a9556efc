//! The numbers below the sentence.

use crate::{
    format::{self, given},
    report::{Measure, Quantity},
    scenario::Gauge,
    ui::{
        state::State,
        strings::{fill, text},
    },
};

/// One number with its name above and its margin below.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figure {
    pub name: String,
    pub value: String,
    pub unit: &'static str,
    pub below: String,
    /// The share beyond the deadline, which stands apart.
    pub key: bool,
    /// Not of this study any more, but of the one a moment ago.
    pub faint: bool,
}

/// The percentiles of the first latency, then everything that is not a latency.
pub fn readout(state: &State) -> Vec<Figure> {
    let mut figures = Vec::new();
    let mut first = true;
    for gauge in state.study.scenario.gauges {
        match gauge {
            Gauge::Latency { name, .. } if first => {
                first = false;
                let prefix = format!("{name}.p");
                let percentiles = state.measures.iter().filter(|it| it.name.starts_with(&prefix));
                figures.extend(percentiles.map(|it| figure(state, it, it.label.clone())));
            }
            Gauge::Latency { .. } => {}
            Gauge::Over { name, label, .. } => {
                let deadline = state.study.deadline_ms();
                let label = deadline.map_or((*label).to_owned(), |it| {
                    let deadline = given(Quantity::Latency, it).to_string();
                    fill("readout.over", &[("deadline", &deadline)])
                });
                let found = named(&state.measures, name);
                figures.extend(found.map(|it| Figure { key: true, ..figure(state, it, label) }));
            }
            Gauge::Share { name, label, .. }
            | Gauge::Ratio { name, label, .. }
            | Gauge::Length { name, label, .. } => {
                let found = named(&state.measures, name);
                figures.extend(found.map(|it| figure(state, it, (*label).to_owned())));
            }
        }
    }
    figures
}

fn named<'a>(measures: &'a [Measure], name: &str) -> Option<&'a Measure> {
    measures.iter().find(|it| it.name == name)
}

fn figure(state: &State, measure: &Measure, name: String) -> Figure {
    let Measure { quantity, simulated, low, high, exact, .. } = *measure;
    if simulated.is_some() {
        let reading = format::reading(quantity, simulated, low, high);
        let below = if reading.between {
            text("readout.between").to_owned()
        } else if simulated == exact && reading.margin.is_empty() {
            text("readout.exact").to_owned()
        } else {
            reading.margin
        };
        return written(name, reading.value, below);
    }
    let waiting = !state.has_data() || !state.run.over();
    let phase = match (waiting, state.paused) {
        (true, true) => "paused",
        (true, false) => "simulating",
        (false, _) => "over",
    };
    if exact.is_some() {
        let value = format::reading(quantity, exact, None, None).value;
        let below = match phase {
            "paused" => text("readout.exact-paused"),
            "simulating" => text("readout.exact-simulating"),
            _ => text("readout.exact"),
        };
        return written(name, value, below.to_owned());
    }
    let below = match phase {
        "paused" => text("readout.paused"),
        "simulating" => text("readout.simulating"),
        _ => text("readout.too-few"),
    };
    let held = named(&state.held, &measure.name).filter(|it| waiting && it.simulated.is_some());
    let reading = held.map(|it| format::reading(quantity, it.simulated, it.low, it.high));
    let faint = reading.is_some();
    let value =
        reading.map_or_else(|| format::reading(quantity, None, None, None).value, |it| it.value);
    Figure { faint, ..written(name, value, below.to_owned()) }
}

fn written(name: String, value: format::Written, below: String) -> Figure {
    Figure { name, value: value.number, unit: value.unit, below, key: false, faint: false }
}
