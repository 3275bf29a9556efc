//! The exact curves of a fan-out: every part of it has a closed form or a short integral.

use std::rc::Rc;

use super::{FanOutParams, Hedge, Outlier};
use crate::{
    scenario::Exact,
    theory::{Delay, Hedged, Law, Leaf, Least, LogLogistic, LogNormal, Sum, Table, Traced},
};

/// Steps of a table whose means and sums are right to four digits and better.
const MASS_MAX: f64 = 1.0 / 96.0;
const DROP_MAX: f64 = 0.7;

pub(super) fn exact(params: &FanOutParams) -> Exact {
    let hedged = hedged(params);
    let (request, mean) = request(params, hedged, params.fan_out);
    Exact {
        values: vec![
            ("over", request.beyond(params.deadline_ms)),
            ("extra", hedged.extra()),
            ("leaf.mean", hedged.leaf.mean()),
            ("request.mean", mean),
        ],
        laws: vec![("request", request), ("leaf", Traced::new(Rc::new(hedged.leaf)))],
    }
}

pub(super) fn leaf(params: &FanOutParams) -> Leaf {
    let (value, shape) = (params.outlier_ms, params.outlier_shape);
    Leaf {
        ordinary: LogNormal { median: params.typical_ms, sigma: params.spread },
        rate: params.outlier_rate,
        delay: match params.outlier {
            Outlier::Constant => Delay::Constant { value },
            Outlier::Exponential => Delay::Exponential { mean: value },
            Outlier::LogNormal => Delay::LogNormal(LogNormal { median: value, sigma: shape }),
            Outlier::Lomax => Delay::Lomax { scale: value, shape },
        },
    }
}

pub(super) fn hedged(params: &FanOutParams) -> Hedged {
    let leaf = leaf(params);
    let after = match params.hedge {
        Hedge::Off => return Hedged::off(leaf),
        Hedge::After => params.hedge_ms,
        Hedge::Percentile => leaf.quantile(params.hedge_percentile).unwrap_or(f64::MAX),
    };
    // The simulation counts whole nanoseconds; the delay it waits is this one.
    Hedged { leaf, after, copies: params.hedge_copies, shared: params.shared_cause }
}

/// A request to `fan_out` leaves, and its mean: canaries, then enough of the others, then what it waits for as a
/// whole.
pub(super) fn request(
    params: &FanOutParams,
    hedged: Hedged,
    fan_out: u32,
) -> (Traced<Rc<dyn Law>>, f64) {
    let params = FanOutParams { fan_out, ..params.clone() };
    let canaries = params.canaries();
    let (needed, of) = (params.needed().saturating_sub(canaries), fan_out - canaries);
    let rest = Least { law: hedged, needed, of };
    let first = Least { law: hedged, needed: canaries, of: canaries };
    if canaries == 0 {
        return delayed(&params, Rc::new(rest));
    }
    if needed == 0 {
        return delayed(&params, Rc::new(first));
    }
    delayed(&params, Rc::new(Sum::new(&table(&first), table(&rest))))
}

/// A law, and the delay that requests have as a whole after it.
fn delayed(params: &FanOutParams, law: Rc<dyn Law>) -> (Traced<Rc<dyn Law>>, f64) {
    let delay = LogLogistic { median: params.request_delay_ms, shape: params.request_delay_shape };
    let before = table(&law);
    let mean = before.mean().unwrap_or(f64::INFINITY) + delay.mean();
    let law = if delay.median == 0.0 { law } else { Rc::new(Sum::new(&before, delay)) };
    (Traced::new(law), mean)
}

fn table(law: &impl Law) -> Table {
    Table::of(law, MASS_MAX, DROP_MAX)
}
