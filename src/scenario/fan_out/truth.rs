//! The exact curves of a fan-out: every part of it has a closed form or a short integral.

use std::{rc::Rc, sync::Arc};

use super::{FanOutParams, HEDGE_MS_MAX, Hedge, Outlier};
use crate::{
    scenario::{Exact, named},
    special::round_to_digits,
    theory::{
        Delay, Hedged, Law, Leaf, Least, LogLogistic, LogNormal, Ordinary, Sum, Table, Traced,
        least_beyond,
    },
};

/// Steps of a table whose means and sums are right to four digits and better.
const MASS_MAX: f64 = 1.0 / 64.0;
const DROP_MAX: f64 = 1.2;

/// The name of the law of a request, and of its share over the deadline against the number of leaves.
pub(super) const REQUEST: &str = "request";
/// The name of the law of the same request with the other policy: hedged if this one is not, plain if it is.
pub(super) const COUNTERPART: &str = "counterpart";
/// The share of its requests that take longer than the deadline.
pub(super) const OTHER_OVER: &str = "counterpart.over";

pub(super) fn exact(params: &FanOutParams) -> Exact {
    let (hedged, counterpart) = (hedged(params), counterpart(params));
    // Reading the leaf is what takes time: what is only drawn is computed from a table of it.
    let leaf = Rc::new(Table::of(&hedged.leaf, MASS_MAX, 0.2));
    let drawn = |policy: &Hedged| policy.with_leaf(Rc::clone(&leaf));
    let (law, mean) = request(params, hedged.clone());
    // Of answers that nobody knows there is no mean.
    let mean = if params.measured().is_some() { f64::INFINITY } else { mean };
    let (other, _) = request(params, drawn(&counterpart));
    let leaves = leaf_counts(params.fan_out);
    let by_leaves = |policy: &Hedged| over_by_leaves(params, &drawn(policy), &leaves);
    Exact {
        curves: named([(REQUEST, by_leaves(&hedged)), (COUNTERPART, by_leaves(&counterpart))]),
        values: named([
            ("over", law.beyond(params.deadline_ms)),
            (OTHER_OVER, other.beyond(params.deadline_ms)),
            ("extra", hedged.extra()),
            ("leaf.mean", hedged.leaf.mean()),
            ("request.mean", mean),
        ]),
        laws: named([
            (REQUEST, law),
            ("leaf", Traced::with_table(Rc::new(hedged.leaf), (*leaf).clone())),
            (COUNTERPART, other),
        ]),
    }
}

/// The other policy: without copies, or with one that is sent for two calls in a hundred.
pub(super) fn counterpart(params: &FanOutParams) -> Hedged {
    let leaf = leaf(params);
    if params.hedge != Hedge::Off {
        return Hedged::off(leaf);
    }
    // Data may end before that.
    let late = leaf.quantile(0.98).or_else(|| params.measured().map(|it| it.longest_ms()));
    let after = round_to_digits(late.unwrap_or(0.0), 2).min(HEDGE_MS_MAX);
    Hedged { leaf, after, copies: 1, shared: params.shared_cause }
}

pub(super) fn ordinary(params: &FanOutParams) -> Ordinary {
    match params.measured() {
        Some(data) => Ordinary::Measured(Arc::clone(data)),
        None => Ordinary::LogNormal(LogNormal { median: params.typical_ms, sigma: params.spread }),
    }
}

pub(super) fn leaf(params: &FanOutParams) -> Leaf {
    let (value, shape) = (params.outlier_ms, params.outlier_shape);
    Leaf {
        ordinary: ordinary(params),
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

/// A request and its mean: canaries, then enough of the other leaves, then what it waits for as a whole.
fn request(
    params: &FanOutParams,
    hedged: Hedged<impl Law + Clone + 'static>,
) -> (Traced<Rc<dyn Law>>, f64) {
    let canaries = params.canaries();
    let (needed, of) = (params.needed().saturating_sub(canaries), params.fan_out - canaries);
    let rest = Least { law: hedged.clone(), needed, of };
    let first = Least { law: hedged, needed: canaries, of: canaries };
    if canaries == 0 {
        return delayed(params, Rc::new(rest));
    }
    if needed == 0 {
        return delayed(params, Rc::new(first));
    }
    delayed(params, Rc::new(Sum::new(&table(&first), table(&rest))))
}

/// The share of requests over the deadline for other numbers of leaves, everything else being the same.
///
/// Reads the leaf once, at times that serve all: what follows the leaves does not depend on their number.
fn over_by_leaves(
    params: &FanOutParams,
    hedged: &Hedged<Rc<Table>>,
    fan_outs: &[u32],
) -> Vec<(f64, f64)> {
    let plain = params.canary == 0 && params.request_delay_ms == 0.0;
    let out = hedged.beyond(params.deadline_ms);
    let leaves = Table::of(hedged, MASS_MAX, 0.25);
    let over = |fan_out: u32| {
        let params = FanOutParams { fan_out, ..params.clone() };
        let canaries = params.canaries();
        (params.needed().saturating_sub(canaries), fan_out - canaries, canaries)
    };
    if plain {
        let share = |(needed, of, _)| least_beyond(out, needed, of);
        return fan_outs.iter().map(|it| (f64::from(*it), share(over(*it)))).collect();
    }
    // The chance that canaries and the shared delay together fill what the other leaves have left.
    let rows = leaves.rows();
    let delay = LogLogistic { median: params.request_delay_ms, shape: params.request_delay_shape };
    let after = |canaries: u32| -> Vec<f64> {
        let first = Least { law: &leaves, needed: canaries, of: canaries };
        let sum = (canaries > 0).then(|| Sum::new(&Table::of(&first, 1.0 / 24.0, 1.0), delay));
        let rest = |ms: f64| sum.as_ref().map_or_else(|| delay.beyond(ms), |it| it.beyond(ms));
        rows.windows(2).map(|it| rest(params.deadline_ms - 0.5 * (it[0].0 + it[1].0))).collect()
    };
    let by_canaries = [after(0), after(params.canary.min(1)), after(params.canary)];
    let share = |(needed, of, canaries): (u32, u32, u32)| {
        let weights = &by_canaries[canaries as usize];
        let tail = |row: &(f64, f64)| least_beyond(row.1, needed, of);
        if needed == 0 {
            return weights[0];
        }
        let steps = rows.windows(2).map(|it| tail(&it[0]) - tail(&it[1]));
        let inside: f64 = std::iter::zip(steps, weights).map(|(mass, late)| mass * late).sum();
        inside + tail(&rows[rows.len() - 1])
    };
    fan_outs.iter().map(|it| (f64::from(*it), share(over(*it)))).collect()
}

/// About fifty numbers of leaves, evenly spread on a log axis, up to the paper's 2,000 or the study's own.
fn leaf_counts(fan_out: u32) -> Vec<u32> {
    let (steps, max) = (48, f64::from(fan_out.max(2_000)));
    let at =
        |step: u32| libm::exp(f64::from(step) / f64::from(steps) * libm::log(max)).round() as u32;
    let mut counts: Vec<u32> = (0..=steps).map(at).collect();
    counts.dedup();
    counts
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
