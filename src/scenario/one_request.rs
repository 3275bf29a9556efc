//! What every replay of one request needs.

use crate::{
    report::Tally,
    special::{order, sort_by_number},
};

/// Calls that are kept one by one; the others were quicker.
pub(super) const LANES_MAX: usize = 100;

/// Which of the latencies is the one at the percentile.
pub(super) fn at_share(latencies: &[f64], share: f64) -> Option<usize> {
    let order = order(latencies);
    let rank = (share * latencies.len() as f64) as usize;
    order.get(rank.min(latencies.len().saturating_sub(1))).copied()
}

/// The calls that ended last, in the order in which they were sent, the straggler among them.
pub(super) fn slowest(ends: &[f64], straggler: Option<usize>) -> Vec<usize> {
    let mut slowest = order(&ends.iter().map(|it| -it).collect::<Vec<f64>>());
    slowest.truncate(LANES_MAX);
    if let Some(straggler) = straggler.filter(|it| !slowest.contains(it)) {
        slowest.pop();
        slowest.push(straggler);
    }
    sort_by_number(&mut slowest, |it| *it as f64);
    slowest
}

/// How many were in just before the straggler.
pub(super) fn tally(ends: &[f64], straggler_ms: f64, of: u32) -> Option<Tally> {
    let before = ends.iter().copied().filter(|it| *it < straggler_ms);
    let at_ms = before.clone().fold(f64::NEG_INFINITY, f64::max);
    at_ms.is_finite().then(|| Tally { answered: before.count() as u32, of, at_ms })
}
