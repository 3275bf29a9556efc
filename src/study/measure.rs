//! The list of measures that readout, tables, CSV and JSON are made from.

use super::Study;
use crate::{
    report::{Measure, Quantity},
    scenario::{Exact, Gauge},
    sim::{Asked, Estimate, Meter},
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

/// A measure before it is known: what to ask of the meter.
pub(super) struct Wanted {
    /// As in tables, CSV and JSON.
    pub name: String,
    pub label: &'static str,
    pub quantity: Quantity,
    pub asked: Asked,
    /// Whether there is none while queues grow.
    pub steady: bool,
}

/// Every measure of a study, in the order of tables and files.
pub(super) fn wanted(study: &Study) -> Vec<Wanted> {
    let mut list = Vec::new();
    let mut push = |name: String, label, quantity, asked, steady| {
        list.push(Wanted { name, label, quantity, asked, steady });
    };
    for gauge in study.scenario.gauges {
        match *gauge {
            Gauge::Latency { name, latency, .. } => {
                for (label, share) in SHARES {
                    let asked = Asked::Quantile { latency, share };
                    push(format!("{name}.{label}"), label, Quantity::Latency, asked, true);
                }
                let asked = Asked::Mean { latency };
                push(format!("{name}.mean"), "mean", Quantity::Latency, asked, true);
            }
            Gauge::Over { name, label, latency } => {
                let ms = study.deadline_ms().unwrap_or(f64::INFINITY);
                push(name.to_owned(), label, Quantity::Share, Asked::Beyond { latency, ms }, true);
            }
            Gauge::Length { name, label, over, under } => {
                let asked = Asked::Ratio { over, under, scale: 1.0 };
                push(name.to_owned(), label, Quantity::Plain, asked, true);
            }
            Gauge::Share { name, label, over, under } => {
                push(name.to_owned(), label, Quantity::Share, Asked::Share { over, under }, false);
            }
            Gauge::Ratio { name, label, quantity, over, under, scale } => {
                push(name.to_owned(), label, quantity, Asked::Ratio { over, under, scale }, false);
            }
        }
    }
    list
}

pub(super) fn measures(study: &Study, meter: Option<&Meter>, exact: &Exact) -> Vec<Measure> {
    let published: Vec<_> = study.published().collect();
    // Of queues that grow there is no steady state to tell of.
    let steady = meter.filter(|_| study.unstable(meter).is_none());
    let evidence = study.scenario.evidence;
    let known_up_to = study.known_up_to();
    let measure = |it: Wanted| {
        // How many are late among those of which nothing is known, nobody knows.
        if matches!(it.asked, Asked::Beyond { ms, .. } if known_up_to < ms) {
            return Measure { endless: true, ..measured(it, None) };
        }
        let known = known(study, &it, exact);
        // A law without a mean has no estimate of one either, whatever the draws say.
        let meter = if it.steady { steady } else { meter }.filter(|_| known != Some(f64::INFINITY));
        let estimate = meter.map(|meter| meter.estimate(it.asked, evidence));
        let published = published.iter().find(|row| row.0 == it.name).map(|row| row.1);
        let endless = match it.asked {
            Asked::Quantile { latency, share } => {
                meter.is_some_and(|meter| meter.is_endless(latency, share, evidence))
            }
            _ => false,
        };
        let measure = measured(it, estimate).with_exact(known.filter(|it| it.is_finite()));
        Measure { published, endless, ..measure }
    };
    wanted(study).into_iter().map(measure).collect()
}

/// What is exactly known: infinite for a mean that is none.
fn known(study: &Study, wanted: &Wanted, exact: &Exact) -> Option<f64> {
    let Asked::Quantile { latency, share } = wanted.asked else { return exact.value(&wanted.name) };
    let name = study.scenario.gauges.iter().find_map(|it| match it {
        Gauge::Latency { name, latency: other, .. } if *other == latency => Some(*name),
        _ => None,
    });
    exact.quantile_ms(name?, share)
}

fn measured(wanted: Wanted, estimate: Option<Estimate>) -> Measure {
    let Estimate { value, low, high } = estimate.unwrap_or_default();
    Measure {
        name: wanted.name,
        label: wanted.label.to_owned(),
        quantity: wanted.quantity,
        simulated: value,
        low,
        high,
        exact: None,
        published: None,
        endless: false,
    }
}
