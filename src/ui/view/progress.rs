//! How far the simulation is.

use crate::{
    format::{count, reading, relative_margin},
    scenario::Gauge,
    ui::{state::State, strings::fill},
};

#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// 0 to 1.
    pub share: f64,
    pub text: String,
    /// Whether more is to come.
    pub going: bool,
}

pub fn progress(state: &State) -> Progress {
    let total = state.study.requests();
    let of = count(total);
    let going = !state.run.over() || state.is_stale();
    if !state.has_data() {
        let key = if state.paused { "progress.paused" } else { "progress.start" };
        return Progress { share: 0.0, text: fill(key, &[("of", &of)]), going };
    }
    let (recorded, finished) = (state.run.recorded(), state.run.finished());
    let done = count(recorded);
    let holes = [("done", done.as_str()), ("of", of.as_str())];
    let key = if finished { "progress.finished" } else { "progress.going" };
    let mut text = fill(key, &holes);
    if let Some(margin) = margin(state) {
        text.push_str(&fill("progress.margin", &[("margin", &margin)]));
    }
    let share = if finished { 1.0 } else { recorded as f64 / total.max(1) as f64 };
    Progress { share: share.min(1.0), text, going }
}

/// How well the p99 of the first latency is known: `p99 ± 0.8 %`.
fn margin(state: &State) -> Option<String> {
    let mut gauges = state.study.scenario.gauges.iter();
    let name = gauges.find_map(|it| match it {
        Gauge::Latency { name, .. } => Some(format!("{name}.p99")),
        _ => None,
    })?;
    let measure = state.measures.iter().find(|it| it.name == name)?;
    let (value, low, high) = (measure.simulated?, measure.low?, measure.high?);
    let written = reading(measure.quantity, Some(value), Some(low), Some(high));
    Some(if written.between {
        format!("{} {}", measure.label, written.value)
    } else {
        format!("{} {}", measure.label, relative_margin(value, low, high))
    })
}
