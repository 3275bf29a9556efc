//! A law of times, known by its tail.

use crate::special::normal_tail;

/// A law of non-negative times.
pub trait Law {
    /// P(T > `ms`), falling from 1 to 0. Keeps its relative precision where it is small.
    fn beyond(&self, ms: f64) -> f64;

    /// The least time that at most `1 - share` of answers exceed; `None` past a century, which no figure shows.
    fn quantile(&self, share: f64) -> Option<f64> {
        self.quantile_of_tail(1.0 - share)
    }

    /// The time that `tail` of answers exceed; says more than `quantile` where the tail is tiny.
    fn quantile_of_tail(&self, tail: f64) -> Option<f64> {
        solve(|ms| self.beyond(ms), tail, (MS_MIN, MS_MAX))
    }
}

/// A nanosecond, the least time that is told from none.
pub(super) const MS_MIN: f64 = 1e-6;
/// A century.
pub(super) const MS_MAX: f64 = 3.155_76e12;

impl<L: Law + ?Sized> Law for &L {
    fn beyond(&self, ms: f64) -> f64 {
        (**self).beyond(ms)
    }
}

impl<L: Law + ?Sized> Law for std::rc::Rc<L> {
    fn beyond(&self, ms: f64) -> f64 {
        (**self).beyond(ms)
    }

    fn quantile_of_tail(&self, tail: f64) -> Option<f64> {
        (**self).quantile_of_tail(tail)
    }
}

/// `ln` of it is normal around `ln(median)`; a constant where `sigma` is 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogNormal {
    pub median: f64,
    pub sigma: f64,
}

impl Law for LogNormal {
    fn beyond(&self, ms: f64) -> f64 {
        if ms <= 0.0 {
            1.0
        } else if self.sigma == 0.0 {
            f64::from(u8::from(ms < self.median))
        } else {
            normal_tail(libm::log(ms / self.median) / self.sigma)
        }
    }
}

impl LogNormal {
    pub fn mean(&self) -> f64 {
        self.median * libm::exp(0.5 * self.sigma * self.sigma)
    }

    /// By how much it is past a time, on average over all, those that are not included: the integral of the tail
    /// from there on.
    pub fn mean_past(&self, ms: f64) -> f64 {
        if ms <= 0.0 {
            return self.mean() - ms;
        }
        if self.sigma == 0.0 {
            return (self.median - ms).max(0.0);
        }
        let z = libm::log(ms / self.median) / self.sigma;
        (self.mean() * normal_tail(z - self.sigma) - ms * normal_tail(z)).max(0.0)
    }
}

/// P(T > t) = 1 / (1 + (t / median)^shape); none at all where the median is 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogLogistic {
    pub median: f64,
    pub shape: f64,
}

impl Law for LogLogistic {
    fn beyond(&self, ms: f64) -> f64 {
        if ms < 0.0 {
            1.0
        } else if self.median == 0.0 {
            0.0
        } else {
            // A third of the time of `libm::pow`, and this is what sums spend theirs on.
            1.0 / (1.0 + libm::exp(self.shape * libm::log(ms / self.median)))
        }
    }
}

impl LogLogistic {
    /// Infinite for a shape of 1.
    pub fn mean(&self) -> f64 {
        let angle = std::f64::consts::PI / self.shape;
        if self.shape <= 1.0 && self.median > 0.0 {
            f64::INFINITY
        } else {
            self.median * angle / libm::sin(angle)
        }
    }
}

/// Where a falling function passes `tail`, between two times: by false position on the logarithms, halved
/// whenever that stalls, so that steps and flats of the function do no harm. `None` past the second time.
pub(super) fn solve(
    beyond: impl Fn(f64) -> f64,
    tail: f64,
    (first, last): (f64, f64),
) -> Option<f64> {
    let aim = libm::log(tail.max(1e-300));
    let height = |x: f64| libm::log(beyond(libm::exp(x)).max(1e-300)) - aim;
    let (mut low, mut high) = (libm::log(first), libm::log(last));
    let (mut above, mut below) = (height(low), height(high));
    if above <= 0.0 {
        return Some(first);
    }
    if 0.0 < below {
        return None;
    }
    // Halves down to a factor of two, where the logarithms are smooth enough to aim at the root.
    while high - low > 0.7 {
        let middle = 0.5 * (low + high);
        let at = height(middle);
        if 0.0 < at { (low, above) = (middle, at) } else { (high, below) = (middle, at) }
    }
    let (mut stalled, mut side) = (0, 0);
    while high - low > 1e-11 {
        let width = high - low;
        let aimed = low + width * above / (above - below);
        let halve = stalled == 2 || !(low < aimed && aimed < high);
        let middle = if halve { 0.5 * (low + high) } else { aimed };
        let at = height(middle);
        if at.abs() < 1e-10 {
            return Some(libm::exp(middle));
        }
        // Illinois: an end that stays put twice loses half of its height, or only the other would move.
        if 0.0 < at {
            below *= if side == 1 { 0.5 } else { 1.0 };
            (low, above, side) = (middle, at, 1);
        } else {
            above *= if side == -1 { 0.5 } else { 1.0 };
            (high, below, side) = (middle, at, -1);
        }
        stalled = if halve || high - low < 0.5 * width { 0 } else { stalled + 1 };
    }
    Some(libm::exp(0.5 * (low + high)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_invert_the_tail() {
        let law = LogNormal { median: 10.0, sigma: 0.3 };
        for share in [0.001, 0.5, 0.9, 0.99, 0.999_999] {
            let seen = law.beyond(law.quantile(share).unwrap());
            assert!((seen / (1.0 - share) - 1.0).abs() < 1e-9, "{share}: {seen}");
        }
        let heavy = LogLogistic { median: 5.0, shape: 1.0 };
        assert!((heavy.quantile_of_tail(1e-6).unwrap() / (5.0 * 999_999.0) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn a_constant_has_one_quantile() {
        let law = LogNormal { median: 10.0, sigma: 0.0 };
        for share in [0.01, 0.5, 0.9999] {
            assert!((law.quantile(share).unwrap() - 10.0).abs() < 1e-8);
        }
    }
}
