//! The limit that finds its own place: a step after every few answers, in the direction that brought more.

use super::{AtBound, PagesParams, Scheduler};
use crate::sim::Instant;

/// The scheduler of the heavy page.
pub(super) struct Controller {
    scheduler: Scheduler,
    at_bound: AtBound,
    samples: u32,
    step: u32,
    most: u32,
    limit: u32,
    /// What is counted since the measurement began; nothing while more run than the limit lets.
    open: Option<Counted>,
    before: Option<Measurement>,
    /// How often to stay at a bound before looking beside it, and how often it has.
    patience: u32,
    stayed: u32,
}

/// Throughputs at a limit, in answers a second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Measurement {
    pub limit: u32,
    pub heavy: f64,
    light: f64,
}

#[derive(Clone, Copy)]
struct Counted {
    since: Instant,
    heavy: u32,
    light: u64,
}

/// The coordinated limit looks beside a bound at which it is well at least so often, in measurements.
const PATIENCE_MAX: u32 = 16;

impl Controller {
    pub(super) fn new(params: &PagesParams) -> Controller {
        Controller {
            scheduler: params.scheduler,
            at_bound: params.at_bound,
            samples: params.samples,
            step: params.step,
            most: params.most(),
            limit: params.first_limit(),
            open: None,
            before: None,
            patience: 1,
            stayed: 0,
        }
    }

    #[inline]
    pub(super) fn limit(&self) -> u32 {
        self.limit
    }

    /// The heavy page's clients are there.
    pub(super) fn begin(&mut self, now: Instant) {
        self.open = Some(Counted { since: now, heavy: 0, light: 0 });
    }

    #[inline]
    pub(super) fn light_answer(&mut self) {
        if let Some(open) = &mut self.open {
            open.light += 1;
        }
    }

    /// An answer of the heavy page, so many of whose requests run on. Ends a measurement when it is the last for it.
    pub(super) fn heavy_answer(&mut self, now: Instant, running: usize) -> Option<Measurement> {
        if !matches!(self.scheduler, Scheduler::Adaptive | Scheduler::Coordinated) {
            return None;
        }
        let Some(open) = &mut self.open else {
            if running <= self.limit as usize {
                self.begin(now);
            }
            return None;
        };
        open.heavy += 1;
        if open.heavy < self.samples {
            return None;
        }
        // Answers may come in the same nanosecond.
        let seconds = 1e-9 * now.since(open.since).as_ns().max(1) as f64;
        let measured = Measurement {
            limit: self.limit,
            heavy: f64::from(open.heavy) / seconds,
            light: open.light as f64 / seconds,
        };
        self.take_step(measured);
        self.open = None;
        if running <= self.limit as usize {
            self.begin(now);
        }
        Some(measured)
    }

    fn take_step(&mut self, measured: Measurement) {
        let rises = self.rises(measured);
        let (to, back) = (self.moved(rises), self.moved(!rises));
        if to != self.limit {
            self.stayed = 0;
            self.limit = to;
        } else if self.scheduler == Scheduler::Coordinated && self.stays() {
            // The measurement beside the bound stays the one to compare with.
            return;
        } else if self.at_bound == AtBound::Reflect {
            self.limit = back;
        }
        self.before = Some(measured);
    }

    /// Where a step leads, within the bounds.
    fn moved(&self, rises: bool) -> u32 {
        let to = if rises { self.limit + self.step } else { self.limit.saturating_sub(self.step) };
        to.clamp(1, self.most)
    }

    /// Whether the coordinated limit stays at a bound. It looks beside it ever more seldom.
    fn stays(&mut self) -> bool {
        if self.stayed < self.patience {
            self.stayed += 1;
            return true;
        }
        self.stayed = 0;
        self.patience = PATIENCE_MAX.min(2 * self.patience);
        false
    }

    /// The rule: more where more brought more, less where less did.
    fn rises(&self, now: Measurement) -> bool {
        let coordinated = self.scheduler == Scheduler::Coordinated;
        // One's own page first goes up, to see; beside others, first down.
        let Some(before) = self.before else { return !coordinated };
        if now.limit == before.limit {
            return true;
        }
        let gain = |now: f64, before: f64| (now - before) / before;
        let mut gained = gain(now.heavy, before.heavy);
        if coordinated && 0.0 < before.light {
            gained += gain(now.light, before.light);
        }
        (0.0 <= gained) == (before.limit < now.limit) || gained == 0.0
    }
}
