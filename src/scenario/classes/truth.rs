//! What queueing theory knows of one server with short and long requests.

use std::rc::Rc;

use super::{ClassesParams, Discipline};
use crate::{
    scenario::{Exact, named},
    theory::{Arrivals, Hops, Law, Service, Table, Traced, Waiting, Work},
};

/// A formula for the mean latency of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Formula {
    /// M/G/1, Pollaczek and Khinchine: the wait is the same for all.
    InOrder,
    /// Non-preemptive priority, Cobham.
    Priority,
    /// Processor sharing: a service takes 1 / (1 - load) times as long.
    Sharing,
}

/// Mean latencies of short and long requests, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Means {
    pub cheap: f64,
    pub heavy: f64,
}

/// A constant time after a wait.
struct After {
    wait: Rc<Table>,
    service_ms: f64,
}

/// Points of the inversion.
const POINTS: usize = 4_096;

impl Law for After {
    fn beyond(&self, ms: f64) -> f64 {
        let left = ms - self.service_ms;
        // What does not wait takes the bare service: at that very time there is a jump, and rounding must not miss it.
        if left < -1e-9 * self.service_ms { 1.0 } else { self.wait.beyond(left.max(0.0)) }
    }
}

/// The formula that holds for these settings.
pub(super) fn formula(params: &ClassesParams) -> Option<Formula> {
    match params.discipline {
        _ if params.in_order() => Some(Formula::InOrder),
        Discipline::Sharing => Some(Formula::Sharing),
        Discipline::Priority if params.device_queue == 0 => Some(Formula::Priority),
        _ => None,
    }
}

pub(super) fn exact(params: &ClassesParams) -> Exact {
    if 1.0 <= params.load {
        return Exact::default();
    }
    let mut exact = Exact { values: named([("utilisation", params.load)]), ..Exact::default() };
    let Some(formula) = formula(params) else { return exact };
    let means = means(params, formula);
    exact.values.extend(named([("cheap.mean", means.cheap), ("heavy.mean", means.heavy)]));
    if formula == Formula::InOrder {
        let wait = Rc::new(wait(params));
        let law = |service_ms| -> Rc<dyn Law> { Rc::new(After { wait: wait.clone(), service_ms }) };
        let (cheap, heavy) = (law(params.cheap_ms), law(params.heavy_ms));
        exact.values.push(("over".into(), cheap.beyond(params.deadline_ms)));
        exact.laws = named([("cheap", Traced::new(cheap)), ("heavy", Traced::new(heavy))]);
    }
    exact
}

/// What the formula says of these settings; only for a load below 1.
pub(super) fn means(params: &ClassesParams, formula: Formula) -> Means {
    let (cheap, heavy) = (params.cheap_ms, params.heavy_ms);
    let left = 1.0 - params.load;
    if formula == Formula::Sharing {
        return Means { cheap: cheap / left, heavy: heavy / left };
    }
    let wait = Arrivals::single(per_ms(params)).mean_wait(&service(params));
    if formula == Formula::InOrder {
        return Means { cheap: wait + cheap, heavy: wait + heavy };
    }
    // What is left of the service that is found.
    let found = wait * left;
    let cheap_load = per_ms(params) * (1.0 - params.heavy_share) * cheap;
    let cheap_wait = found / (1.0 - cheap_load);
    Means { cheap: cheap_wait + cheap, heavy: cheap_wait / left + heavy }
}

fn wait(params: &ClassesParams) -> Table {
    Waiting::new(service(params), Hops::default(), POINTS).wait(&Arrivals::single(per_ms(params)))
}

/// Requests a millisecond.
fn per_ms(params: &ClassesParams) -> f64 {
    params.load / params.mean_service_ms()
}

fn service(params: &ClassesParams) -> Service {
    Service {
        ordinary: Work::Constant { mean: params.cheap_ms },
        outlier_rate: params.heavy_share,
        outlier_factor: params.heavy_ms / params.cheap_ms,
    }
}
