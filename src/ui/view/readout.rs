//! The numbers below the sentence.

use crate::{
    format::{self, given},
    report::{Measure, Quantity},
    scenario::Gauge,
    study::Difference,
    ui::{state::State, strings::text},
};

/// One number with its name above and its margin below.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figure {
    pub name: String,
    pub value: String,
    pub unit: &'static str,
    pub below: String,
    /// What A has, and how much more B has, with the margin of that.
    pub beside: Option<[String; 3]>,
    /// The share beyond the deadline, which stands apart.
    pub key: bool,
    /// Not of this study any more, but of the one a moment ago.
    pub faint: bool,
}

/// Whether what follows a latency's name tells one of its percentiles or its mean.
fn is_of_latency(rest: &str) -> bool {
    rest == ".mean" || rest.starts_with(".p")
}

/// The percentiles of the first latency, then everything that is not a latency.
pub fn readout(state: &State) -> Vec<Figure> {
    let gauges = state.study.scenario.gauges;
    let latencies = gauges.iter().filter_map(|it| match it {
        Gauge::Latency { name, .. } => Some(*name),
        _ => None,
    });
    let latencies: Vec<&str> = latencies.collect();
    let figure = |measure: &Measure, label: String| Figure {
        beside: beside(state, measure),
        ..figure(state, measure, label)
    };
    let is_over = |name: &str| {
        gauges.iter().any(|it| matches!(it, Gauge::Over { name: over, .. } if *over == name))
    };
    let shown = state.measures.iter().filter_map(|measure| {
        let latency = latencies
            .iter()
            .position(|it| measure.name.strip_prefix(it).is_some_and(is_of_latency));
        match latency {
            Some(0) if measure.label.starts_with('p') => {
                Some(figure(measure, measure.label.clone()))
            }
            Some(_) => None,
            None if is_over(&measure.name) => {
                let label = over(state, &measure.label);
                Some(Figure { key: true, ..figure(measure, label) })
            }
            None if is_pointless(state, measure) => None,
            None => Some(figure(measure, measure.label.clone())),
        }
    });
    shown.collect()
}

/// Whether these settings have no such thing, as a pause without a hand-off: there are answers, and still nothing is
/// known of it.
fn is_pointless(state: &State, measure: &Measure) -> bool {
    let unknown = measure.simulated.or(measure.exact).is_none();
    unknown && state.has_data() && state.unstable.is_none()
}

/// `1,009 ms`, `−970.0`, `± 0.03`.
fn beside(state: &State, measure: &Measure) -> Option<[String; 3]> {
    let pinned = state.pinned.as_ref()?;
    let quantity = measure.quantity;
    let Measure { simulated, low, high, exact, .. } = *named(&pinned.measures, &measure.name)?;
    let of_a = match simulated {
        Some(_) => format::reading(quantity, simulated, low, high),
        None => format::reading(quantity, exact, None, None),
    };
    let found = pinned.differences.iter().find(|it| it.name == measure.name)?;
    let Difference { value, low, high, exact, .. } = *found;
    let shown = measure.simulated.or(measure.exact).unwrap_or_default();
    let exact = exact.filter(|_| value.is_none());
    let margin = low.zip(high).map(|(low, high)| (high - low) / 2.0);
    // Of what lies anywhere in a gap, no difference can be told in one number.
    let own = format::reading(quantity, measure.simulated, measure.low, measure.high);
    let in_gap = quantity == Quantity::Latency && (of_a.between || own.between);
    let known = value.filter(|_| margin.is_some() && !in_gap).or(exact);
    let by =
        known.map(|by| format::difference(quantity, by, margin.filter(|_| exact.is_none()), shown));
    let by = by.map_or_else(
        || [text("readout.not-yet").to_owned(), String::new()],
        |it| [it.value.number, it.margin],
    );
    let [by, margin] = by;
    Some([of_a.value.to_string(), by, margin])
}

/// `remote, over 1 s`: what is declared ends in words for whatever the deadline is.
fn over(state: &State, label: &str) -> String {
    let words = text("readout.deadline");
    match state.study.deadline_ms().zip(label.strip_suffix(words)) {
        Some((ms, what)) => format!("{what}{}", given(Quantity::Latency, ms)),
        None => label.to_owned(),
    }
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
        _ if state.unstable.is_some() => text("readout.unstable"),
        "paused" => text("readout.paused"),
        "simulating" => text("readout.simulating"),
        _ if measure.endless && state.study.known_up_to().is_finite() => text("readout.too-little"),
        _ if measure.endless => text("readout.unstable"),
        _ => text("readout.too-few"),
    };
    let held = named(&state.held, &measure.name).filter(|it| waiting && it.simulated.is_some());
    let held = held.filter(|_| state.unstable.is_none());
    let reading = held.map(|it| format::reading(quantity, it.simulated, it.low, it.high));
    let faint = reading.is_some();
    let value =
        reading.map_or_else(|| format::reading(quantity, None, None, None).value, |it| it.value);
    Figure { faint, ..written(name, value, below.to_owned()) }
}

fn written(name: String, value: format::Written, below: String) -> Figure {
    Figure { name, value: value.number, unit: value.unit, below, ..Figure::default() }
}
