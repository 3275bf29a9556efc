//! Service times: what a queue needs to know of their law.

use std::sync::Arc;

use super::{Law, LogNormal, fourier::Complex};
use crate::{
    measured::Measured,
    special::{gamma_tail, normal_tail},
};

/// A law of service times, some of which are longer by a factor.
#[derive(Clone, Debug, PartialEq)]
pub struct Service {
    pub ordinary: Work,
    pub outlier_rate: f64,
    pub outlier_factor: f64,
}

/// The law of ordinary service times, by mean and coefficient of variation.
#[derive(Clone, Debug, PartialEq)]
pub enum Work {
    Constant {
        mean: f64,
    },
    Exponential {
        mean: f64,
    },
    Gamma {
        mean: f64,
        cv: f64,
    },
    LogNormal {
        mean: f64,
        cv: f64,
    },
    /// What the data do not reach takes as long as the longest that they do.
    Measured(Arc<Measured>),
}

impl Service {
    /// Without outliers.
    pub fn plain(ordinary: Work) -> Service {
        Service { ordinary, outlier_rate: 0.0, outlier_factor: 1.0 }
    }

    pub fn mean(&self) -> f64 {
        let Service { ordinary, outlier_rate: rate, outlier_factor: factor } = self;
        ordinary.mean() * (1.0 - rate + rate * factor)
    }

    /// The mean of the square.
    pub fn mean_square(&self) -> f64 {
        let Service { ordinary, outlier_rate: rate, outlier_factor: factor } = self;
        ordinary.mean_square() * (1.0 - rate + rate * factor * factor)
    }

    /// Whether services take one or two values.
    pub(super) fn is_constant(&self) -> bool {
        matches!(self.ordinary.known(), Known::Constant { .. })
    }

    /// The mean of e^(-s T); a log-normal law has no closed form.
    pub(super) fn transform(&self, s: Complex) -> Option<Complex> {
        let Service { ordinary, outlier_rate: rate, outlier_factor: factor } = self;
        let usual = ordinary.transform(s)?;
        if *rate == 0.0 {
            return Some(usual);
        }
        Some(usual.times(1.0 - rate) + ordinary.transform(s.times(*factor))?.times(*rate))
    }

    /// The mean of the time so far as it does not exceed `ms`: the integral of the tail from 0 to there.
    pub fn mean_up_to(&self, ms: f64) -> f64 {
        let Service { ordinary, outlier_rate: rate, outlier_factor: factor } = self;
        if *rate == 0.0 {
            return ordinary.mean_up_to(ms);
        }
        (1.0 - rate) * ordinary.mean_up_to(ms) + rate * factor * ordinary.mean_up_to(ms / factor)
    }
}

impl Law for Service {
    fn beyond(&self, ms: f64) -> f64 {
        let Service { ordinary, outlier_rate: rate, outlier_factor: factor } = self;
        (1.0 - rate) * ordinary.beyond(ms) + rate * ordinary.beyond(ms / factor)
    }
}

impl Work {
    pub fn mean(&self) -> f64 {
        match *self {
            Work::Constant { mean }
            | Work::Exponential { mean }
            | Work::Gamma { mean, .. }
            | Work::LogNormal { mean, .. } => mean,
            Work::Measured(ref law) => law.moment_at_least(1.0),
        }
    }

    /// The standard deviation over the mean.
    pub fn cv(&self) -> f64 {
        match *self {
            Work::Constant { .. } => 0.0,
            Work::Exponential { .. } => 1.0,
            Work::Gamma { cv, .. } | Work::LogNormal { cv, .. } => cv,
            Work::Measured(_) => {
                (self.mean_square() / (self.mean() * self.mean()) - 1.0).max(0.0).sqrt()
            }
        }
    }

    fn mean_square(&self) -> f64 {
        if let Work::Measured(law) = self {
            return law.moment_at_least(2.0);
        }
        let (mean, cv) = (self.mean(), self.cv());
        mean * mean * (1.0 + cv * cv)
    }

    fn mean_up_to(&self, ms: f64) -> f64 {
        if ms <= 0.0 {
            return 0.0;
        }
        match self.known() {
            Known::Measured(law) => law.mean_up_to(ms.min(law.longest_ms())),
            Known::Constant { mean } => ms.min(mean),
            Known::Exponential { mean } => -mean * libm::expm1(-ms / mean),
            Known::Gamma { shape, scale } => {
                let x = ms / scale;
                let tail = gamma_tail(shape, x);
                // What the tail of the next shape has more.
                let step = libm::exp(shape * libm::log(x) - x - libm::lgamma(shape + 1.0));
                shape * scale * (1.0 - tail - step) + ms * tail
            }
            Known::LogNormal(LogNormal { median, sigma }) => {
                let z = libm::log(ms / median) / sigma;
                self.mean() * normal_tail(sigma - z) + ms * normal_tail(z)
            }
        }
    }

    fn transform(&self, s: Complex) -> Option<Complex> {
        Some(match self.known() {
            Known::Constant { mean } => s.times(-mean).exponential(),
            Known::Exponential { mean } => Complex::ONE / (Complex::ONE + s.times(mean)),
            Known::Gamma { shape, scale } => {
                (Complex::ONE + s.times(scale)).logarithm().times(-shape).exponential()
            }
            Known::LogNormal(_) | Known::Measured(_) => return None,
        })
    }

    /// By the parameters that formulas take. What hardly varies is a constant.
    fn known(&self) -> Known<'_> {
        let mean = self.mean();
        if self.cv() < 1e-3 {
            return Known::Constant { mean };
        }
        match *self {
            Work::Constant { .. } => Known::Constant { mean },
            Work::Exponential { .. } => Known::Exponential { mean },
            Work::Measured(ref law) => Known::Measured(law),
            Work::Gamma { cv, .. } => {
                Known::Gamma { shape: 1.0 / (cv * cv), scale: mean * cv * cv }
            }
            Work::LogNormal { cv, .. } => {
                let squares = 1.0 + cv * cv;
                Known::LogNormal(LogNormal {
                    median: mean / squares.sqrt(),
                    sigma: libm::log(squares).sqrt(),
                })
            }
        }
    }
}

enum Known<'a> {
    Measured(&'a Measured),
    Constant { mean: f64 },
    Exponential { mean: f64 },
    Gamma { shape: f64, scale: f64 },
    LogNormal(LogNormal),
}

impl Law for Work {
    fn beyond(&self, ms: f64) -> f64 {
        if ms < 0.0 {
            return 1.0;
        }
        match self.known() {
            Known::Constant { mean } => f64::from(u8::from(ms < mean)),
            Known::Exponential { mean } => libm::exp(-ms / mean),
            Known::Gamma { shape, scale } => gamma_tail(shape, ms / scale),
            Known::LogNormal(law) => law.beyond(ms),
            Known::Measured(law) if law.longest_ms() <= ms => 0.0,
            Known::Measured(law) => law.beyond(ms),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAWS: [Work; 6] = [
        Work::Constant { mean: 14.5 },
        Work::Exponential { mean: 14.5 },
        Work::Gamma { mean: 14.5, cv: 0.44 },
        Work::Gamma { mean: 14.5, cv: 2.0 },
        Work::LogNormal { mean: 14.5, cv: 0.44 },
        Work::LogNormal { mean: 14.5, cv: 2.0 },
    ];

    #[test]
    fn the_mean_up_to_is_the_integral_of_the_tail() {
        for ordinary in LAWS {
            let law = Service { ordinary, outlier_rate: 0.05, outlier_factor: 10.0 };
            for (low, high) in [(0.0, 3.0), (10.0, 14.0), (14.6, 20.0), (100.0, 130.0)] {
                let steps = 20_000;
                let width = (high - low) / f64::from(steps);
                let sum: f64 =
                    (0..steps).map(|it| law.beyond(low + (f64::from(it) + 0.5) * width)).sum();
                let seen = law.mean_up_to(high) - law.mean_up_to(low);
                assert!((seen - sum * width).abs() < 1e-4 * seen.max(1e-3), "{law:?}: {seen}");
            }
            assert!((law.mean_up_to(1e9) / law.mean() - 1.0).abs() < 1e-9, "{law:?}");
        }
    }
}
