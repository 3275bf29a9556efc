//! The list of measures that readout, tables, CSV and JSON are made from.

use super::Study;
use crate::{
    report::{Measure, Quantity},
    scenario::{Exact, Gauge},
    sim::{Estimate, Meter},
};

/// The percentiles that are reported of every latency.
pub const SHARES: [(&str, f64); 6] = [
    ("p50", 0.5),
    ("p90", 0.9),
    ("p95", 0.95),
    ("p99", 0.99),
    ("p99.9", 0.999),
    ("p99.99", 0.9999),
];

pub(super) fn measures(study: &Study, meter: Option<&Meter>, exact: &Exact) -> Vec<Measure> {
    let mut list = Vec::new();
    let published: Vec<_> = study.published().collect();
    // Of queues that grow there is no steady state to tell of.
    let steady = meter.filter(|_| study.unstable(meter).is_none());
    let evidence = study.scenario.evidence;
    for gauge in study.scenario.gauges {
        match *gauge {
            Gauge::Latency { name, latency, .. } => {
                add_latency(&mut list, study, name, latency, steady, exact);
            }
            Gauge::Over { name, label, latency } => {
                let deadline_ms = study.deadline_ms().unwrap_or(f64::INFINITY);
                let estimate = steady.map(|it| it.beyond(latency, deadline_ms, evidence));
                list.push(measure(
                    name.to_owned(),
                    label,
                    Quantity::Share,
                    estimate,
                    exact.value(name),
                ));
            }
            Gauge::Length { name, label, over, under } => {
                let estimate = steady.map(|it| it.ratio(over, under, 1.0, evidence));
                list.push(measure(
                    name.to_owned(),
                    label,
                    Quantity::Plain,
                    estimate,
                    exact.value(name),
                ));
            }
            Gauge::Share { name, label, over, under } => {
                let estimate = meter.map(|it| it.share(over, under, evidence));
                list.push(measure(
                    name.to_owned(),
                    label,
                    Quantity::Share,
                    estimate,
                    exact.value(name),
                ));
            }
            Gauge::Ratio { name, label, quantity, over, under, scale } => {
                let estimate = meter.map(|it| it.ratio(over, under, scale, evidence));
                list.push(measure(name.to_owned(), label, quantity, estimate, exact.value(name)));
            }
        }
    }
    for measure in &mut list {
        measure.published = published.iter().find(|it| it.0 == measure.name).map(|it| it.1);
    }
    list
}

fn add_latency(
    list: &mut Vec<Measure>,
    study: &Study,
    name: &str,
    latency: usize,
    meter: Option<&Meter>,
    exact: &Exact,
) {
    let evidence = study.scenario.evidence;
    for (label, share) in SHARES {
        let estimate = meter.map(|it| it.quantile_ms(latency, share, evidence));
        let known = exact.quantile_ms(name, share);
        list.push(measure(format!("{name}.{label}"), label, Quantity::Latency, estimate, known));
    }
    let known = exact.value(&format!("{name}.mean"));
    // A law without a mean has no estimate of one either, whatever the draws say.
    let estimate =
        meter.filter(|_| known != Some(f64::INFINITY)).map(|it| it.mean_ms(latency, evidence));
    let known = known.filter(|it| it.is_finite());
    list.push(measure(format!("{name}.mean"), "mean", Quantity::Latency, estimate, known));
}

fn measure(
    name: String,
    label: &str,
    quantity: Quantity,
    estimate: Option<Estimate>,
    exact: Option<f64>,
) -> Measure {
    let Estimate { value, mut low, mut high } = estimate.unwrap_or_default();
    if exact == Some(0.0) && value == Some(0.0) {
        // What cannot happen needs no room for what was not seen.
        (low, high) = (Some(0.0), Some(0.0));
    }
    Measure {
        name,
        label: label.to_owned(),
        quantity,
        simulated: value,
        low,
        high,
        exact,
        published: None,
    }
}
