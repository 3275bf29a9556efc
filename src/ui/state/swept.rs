//! The page's study swept over one of its parameters or two.

use super::Batch;
use crate::{
    scenario::{Cost, Entry, Gauge},
    study::{Study, Sweep},
};

#[derive(Clone)]
pub struct Swept {
    pub sweep: Sweep,
    /// Percentiles of the scenario's first latency, at most three.
    pub shares: Vec<&'static str>,
    /// The measure below them.
    pub cost: Option<&'static str>,
    pub batch: Batch,
    /// The study of the points but for the parameters that are swept.
    pub(super) base: Study,
}

/// Percentiles that are shown at once.
const SHARES_MAX: usize = 3;
const SHARES: [&str; SHARES_MAX] = ["p50", "p99", "p99.9"];
/// Replications of each point: a part of the study's own, since there are many points.
const ROUNDS: u32 = 4;
/// A shade needs less.
const ROUNDS_OF_CELLS: u32 = 1;

impl Swept {
    /// With what a link says is to be shown; nothing said is the usual.
    pub(super) fn new(study: &Study, sweep: Sweep, shown: &[&'static str]) -> Swept {
        let batch = batch(study, &sweep);
        let base = base(study, &sweep);
        let mut swept =
            Swept { sweep, shares: SHARES.to_vec(), cost: cost(study.scenario), batch, base };
        if !shown.is_empty() {
            let is_share = |it: &&str| crate::study::SHARES.iter().any(|share| share.0 == *it);
            swept.shares = shown.iter().copied().filter(is_share).take(SHARES_MAX).collect();
            swept.cost = shown.iter().copied().find(|it| !is_share(it));
        }
        swept
    }

    /// As in links.
    pub fn shown(&self) -> Vec<&'static str> {
        if self.shares == SHARES && self.cost == cost(self.base.scenario) {
            return Vec::new();
        }
        self.shares.iter().copied().chain(self.cost).collect()
    }

    /// Begins anew for another study, unless it differs only in what is swept.
    pub(super) fn follow(&mut self, study: &Study) {
        let base = base(study, &self.sweep);
        if self.base != base {
            self.batch = batch(study, &self.sweep);
            self.base = base;
        }
    }

    /// Whether the points are of another study than this.
    pub fn is_stale(&self, study: &Study) -> bool {
        self.base != base(study, &self.sweep)
    }

    /// The percentiles that are drawn: of shades there is one, the last that was chosen.
    pub fn drawn(&self) -> &[&'static str] {
        let all = self.shares.len();
        if self.sweep.up.is_some() { &self.shares[all.saturating_sub(1)..] } else { &self.shares }
    }

    /// Shows a percentile that was hidden, in place of the first if there are enough, or hides it; one stays. Shades
    /// show it alone.
    pub(super) fn choose(&mut self, share: &'static str) {
        if self.sweep.up.is_some() {
            self.shares.retain(|it| *it != share);
        } else if self.shares.contains(&share) {
            if self.shares.len() == 1 {
                return;
            }
            self.shares.retain(|it| *it != share);
            return;
        }
        self.shares.push(share);
        if SHARES_MAX < self.shares.len() {
            self.shares.remove(0);
        }
    }
}

fn batch(study: &Study, sweep: &Sweep) -> Batch {
    let studies = sweep.points(study).into_iter().map(|it| it.study).collect();
    let rounds = if sweep.up.is_some() { ROUNDS_OF_CELLS } else { ROUNDS };
    Batch::new(studies, rounds, false)
}

fn base(study: &Study, sweep: &Sweep) -> Study {
    let axes = [Some(&sweep.across), sweep.up.as_ref()].into_iter().flatten();
    axes.fold(study.clone(), |study, axis| study.with(axis.key, axis.from))
}

/// The measures that are no latency.
pub fn costs(scenario: &Entry) -> impl Iterator<Item = (&'static str, &'static str)> {
    scenario.gauges.iter().filter_map(Gauge::of_no_latency)
}

/// What hedges cost where there are any, else the last measure.
fn cost(scenario: &Entry) -> Option<&'static str> {
    let of_hedges = scenario.hedging.map(|it| match it.cost {
        Cost::Measure(name) | Cost::Growth(name) => name,
    });
    of_hedges.or_else(|| costs(scenario).last().map(|it| it.0))
}
