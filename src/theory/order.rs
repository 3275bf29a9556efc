//! The k-th quickest of n independent answers.

use super::{
    Law,
    law::{MS_MAX, MS_MIN, solve},
};
use crate::special::beta;

/// When `needed` of `of` independent answers of the same law are in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Least<L> {
    pub law: L,
    pub needed: u32,
    pub of: u32,
}

impl<L: Law> Law for Least<L> {
    fn beyond(&self, ms: f64) -> f64 {
        least_beyond(self.law.beyond(ms), self.needed, self.of)
    }

    fn quantile_of_tail(&self, tail: f64) -> Option<f64> {
        if self.needed == 0 {
            return Some(0.0);
        }
        if self.needed == self.of {
            // The slowest of all is late exactly when a leaf's own percentile says so.
            return self.law.quantile_of_tail(leaf_tail(tail, self.needed, self.of));
        }
        solve(|ms| self.beyond(ms), tail, (MS_MIN, MS_MAX))
    }
}

/// P(fewer than `needed` of `of` are in), when each is still out with probability `out`.
pub fn least_beyond(out: f64, needed: u32, of: u32) -> f64 {
    if needed == 0 {
        0.0
    } else if needed == of {
        any_slow(out, of)
    } else {
        // More than of - needed are out.
        let (late, mean) = (f64::from(of - needed + 1), f64::from(of) * out);
        // Chernoff's bound: what is certain or out of the question needs no continued fraction.
        if mean <= 0.0 || late * libm::log(late / mean) - late + mean > 45.0 {
            return f64::from(u8::from(late < mean));
        }
        beta(out, late, f64::from(needed))
    }
}

/// The tail that each of `of` answers may have for a request that needs `needed` of them to have `tail`.
pub fn leaf_tail(tail: f64, needed: u32, of: u32) -> f64 {
    if needed == of {
        return -libm::expm1(libm::log1p(-tail) / f64::from(of));
    }
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if least_beyond(middle, needed, of) < tail { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// P(at least one of `n` is slow), each being slow with probability `slow`: 1 - (1 - slow)^n.
///
/// Dean and Barroso, The Tail at Scale, CACM 56(2), 2013.
pub fn any_slow(slow: f64, n: u32) -> f64 {
    -libm::expm1(f64::from(n) * libm::log1p(-slow.min(1.0)))
}
