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
        solve(|ms| self.beyond(ms), tail)
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
            1.0 / (1.0 + libm::pow(ms / self.median, self.shape))
        }
    }
}

/// Where a falling function passes `tail`, by false position on the logarithms, halved whenever that stalls:
/// steps and flats of the function do no harm.
pub(super) fn solve(beyond: impl Fn(f64) -> f64, tail: f64) -> Option<f64> {
    let height = |x: f64| libm::log(beyond(libm::exp(x)).max(1e-300)) - libm::log(tail.max(1e-300));
    let (mut low, mut high) = (libm::log(MS_MIN), libm::log(MS_MAX));
    let (mut above, mut below) = (height(low), height(high));
    if above <= 0.0 {
        return Some(MS_MIN);
    }
    if 0.0 < below {
        return None;
    }
    for round in 0..120 {
        let width = high - low;
        if width < 1e-12 || (above - below).abs() < 1e-13 {
            break;
        }
        let aimed = low + width * above / (above - below);
        // A little past the aim, so that the bracket closes from both sides.
        let nudge = 0.02 * width.min(0.1);
        let aimed = if round % 2 == 0 { aimed - nudge } else { aimed + nudge };
        let middle = if round % 3 == 2 || !(low < aimed && aimed < high) {
            0.5 * (low + high)
        } else {
            aimed
        };
        let at = height(middle);
        if 0.0 < at { (low, above) = (middle, at) } else { (high, below) = (middle, at) }
    }
    let share = if above - below > 0.0 { (above / (above - below)).clamp(0.0, 1.0) } else { 0.5 };
    Some(libm::exp(low + share * (high - low)))
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
