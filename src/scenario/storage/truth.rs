//! What mean value analysis, and for a query alone its law, know of storage.

use std::rc::Rc;

use super::{Service, StorageParams};
use crate::{
    scenario::{Exact, Name, named},
    theory::{
        Erlang, Law, Traced, Visits,
        closed::{Flow, Place, flows},
    },
};

/// The names of curves: queries a second against clients, and against the share of reads that miss the cache what one
/// query alone takes, on average and at two percentiles.
pub(super) const RATES: &str = "rates";
pub(super) const ALONE: [(&str, Option<f64>); 3] =
    [("alone.mean", None), ("alone.p99", Some(0.99)), ("alone.p99.9", Some(0.999))];

/// Why the mean values are exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// All times are exponential.
    Exponential,
    /// Nobody ever waits for the device, so that only its mean counts.
    NoQueue,
}

pub(super) fn reason(params: &StorageParams) -> Option<Reason> {
    if params.clients <= params.at_once() || params.hit_ratio == 1.0 {
        Some(Reason::NoQueue)
    } else if params.service == Service::Exponential
        && (params.gc_rate == 0.0 || params.gc_factor == 1.0)
    {
        Some(Reason::Exponential)
    } else {
        None
    }
}

/// The processor and the device, as places of a closed network.
pub(super) fn places(params: &StorageParams) -> [Place; 2] {
    let reads = f64::from(params.ios) * (1.0 - params.hit_ratio);
    let device = reads * params.mean_read_ms();
    [
        Place::Servers { count: 1, ms: params.cpu_ms },
        if params.clients <= params.at_once() {
            Place::Delay { ms: device }
        } else {
            Place::Servers { count: params.at_once(), ms: device }
        },
    ]
}

/// By mean value analysis, whether it is exact here or not.
pub(super) fn flow(params: &StorageParams) -> Flow {
    let mut all = flows(&places(params), params.clients);
    all.swap_remove(all.len() - 1)
}

/// How long so many queries take, in seconds.
pub(super) fn total_s(params: &StorageParams) -> f64 {
    f64::from(params.queries) / flow(params).per_ms() / 1e3
}

pub(super) fn exact(params: &StorageParams) -> Exact {
    let mut exact = Exact { curves: curves(params), ..Exact::default() };
    if reason(params).is_none() {
        return exact;
    }
    let flow = flow(params);
    let (per_ms, reads) = (flow.per_ms(), f64::from(params.ios) * (1.0 - params.hit_ratio));
    exact.values = named([
        ("query.mean", flow.round_ms),
        ("total", total_s(params)),
        ("rate", 1e3 * per_ms),
        ("throughput", per_ms * reads * params.io_kb),
        ("cpu", per_ms * params.cpu_ms),
        ("device", per_ms * reads * params.mean_read_ms() / f64::from(params.at_once())),
    ]);
    if let Some(law) = law(params) {
        exact.values.push(("over".into(), law.beyond(params.deadline_ms)));
        exact.laws.push(("query".into(), Traced::new(law)));
    }
    exact
}

/// The law of one query, where it never waits for another, or always for all others.
pub(super) fn law(params: &StorageParams) -> Option<Rc<dyn Law>> {
    if params.hit_ratio == 1.0 {
        // All are at the processor: at each of its turns a query waits for everybody else's.
        let stages = params.clients * (params.ios + 1);
        return Some(Rc::new(Erlang { stages, stage_ms: params.stretch_ms() }));
    }
    let is_alone = params.clients == 1 && params.service == Service::Exponential;
    is_alone.then(|| Rc::new(alone(params)) as Rc<dyn Law>)
}

/// A query that nobody is in the way of, with exponential reads.
fn alone(params: &StorageParams) -> Visits {
    Visits {
        stages: params.ios + 1,
        stage_ms: params.stretch_ms(),
        visits: params.ios,
        chance: 1.0 - params.hit_ratio,
        visit_ms: params.read_ms(),
        slow_rate: params.gc_rate,
        slow_factor: params.gc_factor,
    }
}

fn curves(params: &StorageParams) -> Vec<(Name, Vec<(f64, f64)>)> {
    let most = params.clients.max(16);
    // With the device of the study, however many clients: where there are few, channels are enough for all.
    let reads = f64::from(params.ios) * (1.0 - params.hit_ratio) * params.mean_read_ms();
    let device = Place::Servers { count: params.at_once(), ms: reads };
    let rates = flows(&[places(params)[0], device], most);
    let rates = rates.iter().map(|it| (f64::from(it.customers), 1e3 * it.per_ms()));
    let mut curves = named([(RATES, rates.collect())]);
    for (name, share) in ALONE {
        let points = misses().into_iter().filter_map(|miss| {
            let law = alone(&StorageParams { hit_ratio: 1.0 - miss, ..params.clone() });
            let ms = share.map_or(Some(law.mean_ms()), |share| law.quantile(share))?;
            Some((miss, ms))
        });
        curves.push((name.into(), points.collect()));
    }
    curves
}

/// Shares of reads, evenly spread on a log axis.
pub(super) const MISS_MIN: f64 = 1e-4;

fn misses() -> Vec<f64> {
    let steps = 24;
    let at = |step: u32| libm::pow(MISS_MIN, f64::from(step) / f64::from(steps));
    (0..=steps).rev().map(at).collect()
}
