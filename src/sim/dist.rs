//! The laws that latencies and service times are drawn from.

use std::sync::Arc;

use super::Rng;
use crate::measured::Measured;

/// A law of non-negative times in milliseconds. All but the gamma law are drawn by inversion: one number of
/// the stream a draw.
#[derive(Clone, Debug, PartialEq)]
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
    Gamma(Gamma),
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
    /// What was measured; infinite where the data do not reach.
    Measured(Arc<Measured>),
}

/// A gamma law, ready to be drawn: Marsaglia and Tsang, ACM TOMS 26(3), 2000.
///
/// Inverting its distribution function would cost some twenty times as much.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gamma {
    scale: f64,
    d: f64,
    c: f64,
    /// 1 / shape where the shape is below 1: their method starts at 1, and a power of a uniform draw leads below.
    boost: Option<f64>,
}

impl Dist {
    #[inline]
    pub fn sample(&self, rng: &mut Rng) -> f64 {
        match *self {
            Dist::Constant { value } => value,
            Dist::Exponential { mean } => mean * rng.exponential(),
            Dist::LogNormal { median, sigma } => median * libm::exp(sigma * rng.normal()),
            Dist::Gamma(gamma) => gamma.sample(rng),
            Dist::Lomax { scale, shape } => scale * libm::expm1(rng.exponential() / shape),
            Dist::LogLogistic { median, shape } => {
                let u = rng.unit();
                median * libm::pow(u / (1.0 - u), 1.0 / shape)
            }
            Dist::Measured(ref law) => law.at(rng.normal()),
        }
    }

    /// The log-normal law of a mean and a coefficient of variation.
    pub fn log_normal_of_mean(mean: f64, cv: f64) -> Dist {
        let squares = 1.0 + cv * cv;
        Dist::LogNormal { median: mean / squares.sqrt(), sigma: libm::log(squares).sqrt() }
    }

    /// The gamma law of a mean and a coefficient of variation; a constant where it does not vary.
    pub fn gamma_of_mean(mean: f64, cv: f64) -> Dist {
        let shape = 1.0 / (cv * cv);
        if shape < Gamma::SHAPE_MAX {
            Dist::Gamma(Gamma::new(shape, mean / shape))
        } else {
            Dist::Constant { value: mean }
        }
    }
}

impl Gamma {
    /// Beyond this the law varies by less than a tenth of a per cent.
    const SHAPE_MAX: f64 = 1e6;

    pub fn new(shape: f64, scale: f64) -> Gamma {
        let boost = (shape < 1.0).then(|| 1.0 / shape);
        let d = if shape < 1.0 { shape + 1.0 } else { shape } - 1.0 / 3.0;
        Gamma { scale, d, c: 1.0 / (9.0 * d).sqrt(), boost }
    }

    #[inline]
    pub fn sample(&self, rng: &mut Rng) -> f64 {
        let &Gamma { scale, d, c, boost } = self;
        loop {
            let x = rng.normal();
            let root = 1.0 + c * x;
            if root <= 0.0 {
                continue;
            }
            let v = root * root * root;
            let u = rng.unit();
            let square = x * x;
            // The first test spares the logarithms in some 19 of 20 draws.
            if u < 1.0 - 0.0331 * square * square
                || libm::log(u) < 0.5 * square + d - d * v + d * libm::log(v)
            {
                let draw = scale * d * v;
                return boost.map_or(draw, |it| draw * libm::pow(rng.unit(), it));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mean, and mean square of the deviations, of a law whose true ones are given.
    #[track_caller]
    fn check(dist: Dist, mean: f64, cv: f64) {
        const DRAWS: u32 = 400_000;
        let mut rng = Rng::stream(7, 0, 0);
        let (mut sum, mut squares, mut fourths) = (0.0, 0.0, 0.0);
        for _ in 0..DRAWS {
            let x = dist.sample(&mut rng);
            let square = (x - mean) * (x - mean);
            sum += x;
            squares += square;
            fourths += square * square;
        }
        let n = f64::from(DRAWS);
        let (seen_mean, variance) = (sum / n, squares / n);
        let mean_error = (variance / n).sqrt();
        let variance_error = ((fourths / n - variance * variance) / n).sqrt();
        assert!((seen_mean - mean).abs() < 4.0 * mean_error + 1e-9, "{dist:?}: mean {seen_mean}");
        let expected = mean * mean * cv * cv;
        assert!(
            (variance - expected).abs() < 4.0 * variance_error + 1e-9,
            "{dist:?}: variance {variance}"
        );
    }

    #[test]
    fn laws_have_the_mean_and_the_spread_they_were_made_for() {
        for cv in [0.0, 0.44, 1.0, 2.0] {
            check(Dist::gamma_of_mean(14.5, cv), 14.5, cv);
        }
        for cv in [0.0, 0.44, 1.0] {
            check(Dist::log_normal_of_mean(14.5, cv), 14.5, cv);
        }
        check(Dist::Exponential { mean: 3.0 }, 3.0, 1.0);
    }
}
