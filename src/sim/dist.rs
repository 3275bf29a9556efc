//! The laws that latencies and service times are drawn from.

use super::Rng;

/// A law of non-negative times in milliseconds, drawn by inversion: one number of the stream a draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Dist {
    Constant {
        value: f64,
    },
    Exponential {
        mean: f64,
    },
    /// `ln` of it is normal around `ln(median)` with standard deviation `sigma`.
    LogNormal {
        median: f64,
        sigma: f64,
    },
    /// P(X > x) = (1 + x / scale)^-shape.
    Lomax {
        scale: f64,
        shape: f64,
    },
    /// P(X > x) = 1 / (1 + (x / median)^shape).
    LogLogistic {
        median: f64,
        shape: f64,
    },
}

impl Dist {
    #[inline]
    pub fn sample(&self, rng: &mut Rng) -> f64 {
        match *self {
            Dist::Constant { value } => value,
            Dist::Exponential { mean } => mean * rng.exponential(),
            Dist::LogNormal { median, sigma } => median * libm::exp(sigma * rng.normal()),
            Dist::Lomax { scale, shape } => scale * libm::expm1(rng.exponential() / shape),
            Dist::LogLogistic { median, shape } => {
                let u = rng.unit();
                median * libm::pow(u / (1.0 - u), 1.0 / shape)
            }
        }
    }
}
