//! What a run adds up beside latencies.

use super::ReplicasParams;
use crate::sim::{Instant, Meter, Plan, Usage};

/// The counts of the meter. Times are in microseconds, so that no sum over servers overflows.
pub(super) const CALLS: usize = 0;
pub(super) const COPIES: usize = 1;
pub(super) const CANCELLED: usize = 2;
pub(super) const CAPACITY_US: usize = 3;
pub(super) const RUNNING_US: usize = 4;
pub(super) const WASTED_US: usize = 5;
pub(super) const WAITING_US: usize = 6;
/// Runs that were stopped before their end.
pub(super) const STOPPED: usize = 7;
pub(super) const COUNTS: usize = 8;

/// Sums since the start of a run, warm-up and all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub requests_sent: u64,
    pub requests_answered: u64,
    pub calls_sent: u64,
    pub calls_answered: u64,
    /// Second copies that were sent.
    pub copies_sent: u64,
    /// Copies, first or second, that were served to their end.
    pub served: u64,
    /// Copies that a cancellation reached before they were served.
    pub cancelled: u64,
    /// Copies that were interrupted.
    pub interrupted: u64,
    /// Other people's jobs that were served.
    pub others_served: u64,
    /// Service whose answer was the first.
    pub useful_ns: u128,
    /// Service of copies whose answer was not the first, or that were interrupted.
    pub wasted_ns: u128,
    pub others_ns: u128,
    /// Time that servers ran, over all of them.
    pub running_ns: u128,
    /// Time that copies and jobs waited.
    pub waiting_ns: u128,
}

/// How far the measuring is: it begins after the warm-up and is cut into sections by requests that are answered.
pub(super) struct Measured {
    plan: Plan,
    /// Requests, once it has begun.
    requests: Option<u64>,
    /// Answers until the warm-up or the section ends.
    until_mark: u64,
    /// Up to where everything has gone to the meter.
    at: Instant,
    tally: Tally,
}

impl Tally {
    pub(super) fn use_up(&mut self, usage: Usage) {
        self.running_ns += usage.running_ns;
        self.waiting_ns += usage.waiting_ns;
    }
}

impl Measured {
    pub(super) fn new(params: &ReplicasParams, plan: Plan) -> Measured {
        let warm_up = u64::from(params.warm_up);
        Measured {
            plan,
            requests: (warm_up == 0).then_some(0),
            until_mark: if warm_up == 0 { plan.section_end(0) } else { warm_up },
            at: Instant::default(),
            tally: Tally::default(),
        }
    }

    #[inline]
    pub(super) fn has_begun(&self) -> bool {
        self.requests.is_some()
    }

    #[inline]
    pub(super) fn done(&self) -> bool {
        self.requests == Some(self.plan.requests)
    }

    pub(super) fn until_mark(&self) -> u64 {
        self.until_mark
    }

    /// So many requests have been answered, at most up to the next mark; whether that ends the warm-up or a section.
    #[inline]
    pub(super) fn count(&mut self, answers: u64) -> bool {
        if let Some(requests) = &mut self.requests {
            *requests += answers;
        }
        self.until_mark -= answers;
        self.until_mark == 0
    }

    /// The warm-up or a section ends here: what happened in the section goes to the meter.
    pub(super) fn mark(&mut self, now: Instant, tally: Tally, servers: u32, meter: &mut Meter) {
        if self.requests.is_some() {
            self.flush(now, &tally, servers, meter);
            meter.close_section();
        } else {
            self.requests = Some(0);
        }
        let answered = self.requests.unwrap_or_default();
        self.until_mark = self.plan.section_end(meter.section_index()) - answered;
        (self.at, self.tally) = (now, tally);
    }

    fn flush(&self, now: Instant, to: &Tally, servers: u32, meter: &mut Meter) {
        let from = &self.tally;
        // Whole microseconds of the sums, not of their differences: nothing is lost to rounding.
        let us = |from: u128, to: u128| (to / 1_000 - from / 1_000) as u64;
        let span_us = now.as_ns() / 1_000 - self.at.as_ns() / 1_000;
        meter.count(CALLS, to.calls_sent - from.calls_sent);
        meter.count(COPIES, to.copies_sent - from.copies_sent);
        meter.count(CANCELLED, to.cancelled - from.cancelled);
        meter.count(CAPACITY_US, span_us * u64::from(servers));
        meter.count(RUNNING_US, us(from.running_ns, to.running_ns));
        meter.count(WASTED_US, us(from.wasted_ns, to.wasted_ns));
        meter.count(WAITING_US, us(from.waiting_ns, to.waiting_ns));
    }
}
