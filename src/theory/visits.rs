//! What somebody alone spends on many visits: the law of a sum of exponential times.

use super::Law;
use crate::special::gamma_tail;

/// So many ordinary stages, then or between them some visits of which each takes place with a chance, and is now and
/// then slow. All times are exponential and independent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Visits {
    pub stages: u32,
    /// Of each stage.
    pub stage_ms: f64,
    pub visits: u32,
    pub chance: f64,
    /// Of each visit that takes place, unless it is slow.
    pub visit_ms: f64,
    pub slow_rate: f64,
    /// How many times longer a slow one takes.
    pub slow_factor: f64,
}

/// The sum of so many exponential times of the same mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Erlang {
    pub stages: u32,
    pub stage_ms: f64,
}

/// Tails less than this are not told from none: the inversion is good to a tenth of it.
const TAIL_MIN: f64 = 1e-7;
/// The error of the series is e to the minus this.
const ERROR: f64 = 18.4;
/// Terms before the averaging begins, at least and at most.
const TERMS: (f64, f64) = (24.0, 400.0);
/// Binomial weights, times 2^11.
const AVERAGE: [f64; 12] =
    [1.0, 11.0, 55.0, 165.0, 330.0, 462.0, 462.0, 330.0, 165.0, 55.0, 11.0, 1.0];

impl Law for Erlang {
    fn beyond(&self, ms: f64) -> f64 {
        gamma_tail(f64::from(self.stages), ms / self.stage_ms)
    }
}

impl Visits {
    pub fn mean_ms(&self) -> f64 {
        let slow = 1.0 + self.slow_rate * (self.slow_factor - 1.0);
        f64::from(self.stages) * self.stage_ms
            + f64::from(self.visits) * self.chance * self.visit_ms * slow
    }

    /// The real part of (1 - the transform) / z, whose inverse is the tail.
    fn transformed(&self, re: f64, im: f64) -> f64 {
        // 1 / (1 + mean z)
        let inverse = |mean: f64| {
            let (a, b) = (1.0 + mean * re, mean * im);
            let square = a * a + b * b;
            (a / square, -b / square)
        };
        let (usual, slow) = (inverse(self.visit_ms), inverse(self.visit_ms * self.slow_factor));
        let mixed = |usual: f64, slow: f64| self.chance * (usual + self.slow_rate * (slow - usual));
        let visit = (1.0 - self.chance + mixed(usual.0, slow.0), mixed(usual.1, slow.1));
        let stage = inverse(self.stage_ms);
        // Powers, by size and angle.
        let (mut size, mut angle) = (0.0, 0.0);
        for ((a, b), times) in [(stage, self.stages), (visit, self.visits)] {
            size += f64::from(times) * 0.5 * libm::log(a * a + b * b);
            angle += f64::from(times) * libm::atan2(b, a);
        }
        let size = libm::exp(size);
        let (a, b) = (1.0 - size * libm::cos(angle), -size * libm::sin(angle));
        (a * re + b * im) / (re * re + im * im)
    }
}

impl Law for Visits {
    /// Abate and Whitt, ORSA Journal on Computing 7(1), 1995, doi 10.1287/ijoc.7.1.36: the method that they call
    /// EULER.
    fn beyond(&self, ms: f64) -> f64 {
        if ms <= 0.0 {
            return 1.0;
        }
        let re = ERROR / (2.0 * ms);
        let term = |k: u32| {
            let sign = if k.is_multiple_of(2) { 1.0 } else { -1.0 };
            sign * self.transformed(re, f64::from(k) * std::f64::consts::PI / ms)
        };
        // The less the sum spreads, the further its transform reaches; ten means out it is smooth again.
        let spread = f64::from(self.stages + self.visits).sqrt();
        let terms = 16.0 + 2.0 * spread * ms / self.mean_ms();
        let terms = terms.clamp(TERMS.0, TERMS.1) as u32;
        let mut sum = 0.5 * self.transformed(re, 0.0) + (1..terms).map(term).sum::<f64>();
        let mut averaged = 0.0;
        for (k, weight) in (terms..).zip(AVERAGE) {
            sum += term(k);
            averaged += weight * sum;
        }
        let tail = libm::exp(0.5 * ERROR) / ms * averaged / 2048.0;
        if tail < TAIL_MIN {
            0.0
        } else if 1.0 - TAIL_MIN < tail {
            1.0
        } else {
            tail
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALONE: Visits = Visits {
        stages: 12,
        stage_ms: 0.2,
        visits: 11,
        chance: 0.0,
        visit_ms: 5.8,
        slow_rate: 0.0,
        slow_factor: 100.0,
    };

    #[test]
    fn stages_alone_are_an_erlang_time() {
        for stages in [1, 12, 300] {
            let law = Visits { stages, ..ALONE };
            for times in [0.3, 0.9, 1.0, 1.1, 1.5, 3.0, 8.0, 30.0, 1e6] {
                let ms = times * law.mean_ms();
                let expected = Erlang { stages, stage_ms: 0.2 }.beyond(ms);
                assert!((law.beyond(ms) - expected).abs() < 2e-7, "{stages}, {ms}: {expected}");
            }
        }
    }

    /// The visits that take place are binomial, and where stages take as long as visits, all are an Erlang time.
    #[test]
    fn visits_that_may_be_left_out() {
        let law = Visits { stages: 3, stage_ms: 5.8, visits: 4, chance: 0.3, ..ALONE };
        let chances = [0.2401, 0.4116, 0.2646, 0.0756, 0.0081];
        for ms in [1.0, 10.0, 30.0, 80.0] {
            let tail = |visits: usize| gamma_tail(3.0 + visits as f64, ms / 5.8);
            let expected: f64 =
                chances.iter().enumerate().map(|(it, chance)| chance * tail(it)).sum();
            assert!((law.beyond(ms) - expected).abs() < 2e-7, "{ms}: {expected}");
        }
    }

    #[test]
    fn slow_ones_are_a_tail_of_their_own() {
        let law = Visits { visits: 1, chance: 1.0, slow_rate: 0.01, ..ALONE };
        // Far out only the slow ones are left: an exponential time after the stages, that shift it by a power of e.
        let shift = libm::pow(1.0 - 0.2 / 580.0, -12.0);
        let expected = 0.01 * shift * libm::exp(-500.0 / 580.0);
        assert!((law.beyond(500.0) - expected).abs() < 2e-7);
        assert!((law.mean_ms() - (2.4 + 5.8 * 1.99)).abs() < 1e-12);
    }
}
