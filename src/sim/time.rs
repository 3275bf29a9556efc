//! Integer time in two types, so that sums do not depend on their order.

use std::ops::{Add, AddAssign};

/// A moment since the start of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instant {
    ns: u64,
}

/// A span between two moments; never negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Duration {
    ns: u64,
}

impl Instant {
    pub const fn from_ns(ns: u64) -> Instant {
        Instant { ns }
    }

    /// From an earlier moment to this one; nothing if it is not earlier.
    pub fn since(self, earlier: Instant) -> Duration {
        debug_assert!(earlier <= self, "time ran backwards");
        Duration { ns: self.ns.saturating_sub(earlier.ns) }
    }

    pub fn as_ms(self) -> f64 {
        self.ns as f64 / 1e6
    }

    pub fn as_ns(self) -> u64 {
        self.ns
    }
}

impl Duration {
    /// A century: what takes longer is recorded as this, so that sums of a few cannot overflow.
    pub const MAX: Duration = Duration { ns: 3_155_760_000_000_000_000 };

    /// Rounds to whole nanoseconds. What is negative or no number is nothing; what is huge is `MAX`.
    pub fn from_ms(ms: f64) -> Duration {
        // Rust's float-to-integer casts saturate, and take NaN to 0.
        Duration::from_ns((ms * 1e6 + 0.5) as u64)
    }

    pub const fn from_ns(ns: u64) -> Duration {
        Duration { ns: if ns < Duration::MAX.ns { ns } else { Duration::MAX.ns } }
    }

    pub fn as_ms(self) -> f64 {
        self.ns as f64 / 1e6
    }

    pub fn as_ns(self) -> u64 {
        self.ns
    }

    /// All of them, one after the other, in nanoseconds.
    #[inline]
    pub fn total_ns(spans: &[Duration]) -> u128 {
        // 64 bits are quicker to add, and hold five centuries.
        let fours =
            spans.chunks(4).map(|it| it.iter().fold(0, |sum: u64, it| sum.saturating_add(it.ns)));
        fours.map(u128::from).sum()
    }
}

impl Add<Duration> for Instant {
    type Output = Instant;

    fn add(self, span: Duration) -> Instant {
        Instant { ns: self.ns.saturating_add(span.ns) }
    }
}

impl Add for Duration {
    type Output = Duration;

    fn add(self, other: Duration) -> Duration {
        Duration::from_ns(self.ns + other.ns)
    }
}

impl AddAssign for Duration {
    fn add_assign(&mut self, other: Duration) {
        *self = *self + other;
    }
}
