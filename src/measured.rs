//! A law of times that is known by some of its quantiles: what was measured elsewhere.
//!
//! Between its knots it is a straight line on log-normal paper: the normal variate of the share across, the logarithm
//! of the time up. So a log-normal law needs two knots, and every piece has closed integrals. What the data do not
//! reach is unknown, not absent: it takes for ever, and a percentile that depends on it is none.

mod fit;
mod text;

pub use text::{LENGTH_MAX, Unreadable};

use crate::special::{GAUSS_8, normal_quantile, normal_tail};

/// Known quantiles, in whole numbers, so that a law and its text are the same thing.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// Ascending in both: the normal variate of the share, strictly, and the logarithm of nanoseconds.
    knots: Vec<Knot>,
    /// The same as numbers to reckon with: variate, and logarithm of milliseconds.
    line: Vec<(f64, f64)>,
}

/// One quantile, in units of 1 / `UNITS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Knot {
    pub variate: i32,
    pub log_ns: u32,
}

/// So many steps a unit of either axis: times are told to a hundredth of a per cent.
const UNITS: f64 = 10_000.0;
/// One share in 2 · 10^15 lies beyond.
const VARIATE_MAX: i32 = 80_000;
/// A century.
const LOG_NS_MAX: u32 = 425_956;
/// The logarithm of the nanoseconds in a millisecond.
const LOG_MS: f64 = 13.815_510_557_964_274;
/// Longer than a century is told nowhere.
const MS_MAX: f64 = 3.155_76e12;
/// Steeper pieces have no use for the closed form, which would overflow.
const STEEP: f64 = 8.0;

impl Measured {
    /// How many knots a law has at most.
    pub const KNOTS_MAX: usize = 64;

    /// From knots that ascend as they must; none from others.
    pub fn of_knots(knots: Vec<Knot>) -> Option<Measured> {
        let inside = |it: &Knot| it.variate.abs() <= VARIATE_MAX && it.log_ns <= LOG_NS_MAX;
        let ascend = |it: &[Knot]| it[0].variate < it[1].variate && it[0].log_ns <= it[1].log_ns;
        let sound = !knots.is_empty()
            && knots.len() <= Measured::KNOTS_MAX
            && knots.iter().all(inside)
            && knots.windows(2).all(ascend);
        let place =
            |it: &Knot| (f64::from(it.variate) / UNITS, f64::from(it.log_ns) / UNITS - LOG_MS);
        sound.then(|| Measured { line: knots.iter().map(place).collect(), knots })
    }

    pub fn knots(&self) -> &[Knot] {
        &self.knots
    }

    /// The share of answers of which nothing is known but that they take longer than `longest_ms`.
    pub fn unknown(&self) -> f64 {
        normal_tail(self.last().0)
    }

    /// The time up to which the data reach.
    pub fn longest_ms(&self) -> f64 {
        libm::exp(self.last().1)
    }

    /// The time at a normal variate; infinite beyond the data.
    #[inline]
    pub fn at(&self, variate: f64) -> f64 {
        let after = self.line.partition_point(|it| it.0 < variate);
        if after == self.line.len() {
            return if variate <= self.last().0 { self.longest_ms() } else { f64::INFINITY };
        }
        if after == 0 {
            return libm::exp(self.line[0].1);
        }
        let (start, end) = (self.line[after - 1], self.line[after]);
        let along = (variate - start.0) / (end.0 - start.0);
        libm::exp(start.1 + along * (end.1 - start.1))
    }

    /// The time that a share of answers does not exceed; none beyond the data.
    pub fn quantile_ms(&self, share: f64) -> Option<f64> {
        // The knot itself is known, whatever its last digit.
        let variate = normal_quantile(share.clamp(1e-15, 1.0 - 1e-15));
        let reached = variate <= self.last().0 + 1.0 / UNITS;
        reached.then(|| self.at(variate.min(self.last().0)))
    }

    /// The highest variate whose time is not above this; none if all are.
    pub fn variate(&self, ms: f64) -> Option<f64> {
        if ms <= 0.0 {
            return None;
        }
        let log = libm::log(ms);
        let after = self.line.partition_point(|it| it.1 <= log);
        if after == 0 || after == self.line.len() {
            return (0 < after).then(|| self.last().0);
        }
        let (start, end) = (self.line[after - 1], self.line[after]);
        Some(start.0 + (log - start.1) / (end.1 - start.1) * (end.0 - start.0))
    }

    /// P(T > `ms`). What is not known takes longer than a century.
    pub fn beyond(&self, ms: f64) -> f64 {
        if MS_MAX < ms { 0.0 } else { self.variate(ms).map_or(1.0, normal_tail) }
    }

    /// The mean of T^`power`, 1 or 2, where what is not known is taken to be as long as the longest that is.
    pub fn moment_at_least(&self, power: f64) -> f64 {
        let first = self.line[0];
        let ends = libm::exp(power * first.1) * normal_tail(-first.0)
            + libm::exp(power * self.last().1) * self.unknown();
        ends + self.line.windows(2).map(|it| piece(it[0], it[1], power)).sum::<f64>()
    }

    /// The mean of min(T, `ms`).
    pub fn mean_up_to(&self, ms: f64) -> f64 {
        let Some(end) = self.variate(ms) else { return ms.max(0.0) };
        let (first, log) = (self.line[0], libm::log(ms));
        let whole = self.line.windows(2).map(|it| match (it[0], it[1]) {
            (start, stop) if stop.1 <= log => piece(start, stop, 1.0),
            (start, _) if start.0 < end && start.1 <= log => piece(start, (end, log), 1.0),
            _ => 0.0,
        });
        libm::exp(first.1) * normal_tail(-first.0) + whole.sum::<f64>() + ms * normal_tail(end)
    }

    /// The law of times a factor longer.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Measured {
        let shift = (libm::log(factor) * UNITS).round();
        let moved = |it: &Knot| Knot {
            log_ns: (f64::from(it.log_ns) + shift).clamp(0.0, f64::from(LOG_NS_MAX)) as u32,
            ..*it
        };
        Measured::of_knots(self.knots.iter().map(moved).collect()).unwrap_or_else(|| self.clone())
    }

    /// The variates of its knots, where it bends.
    pub fn bends(&self) -> impl Iterator<Item = f64> + '_ {
        self.line.iter().map(|it| it.0)
    }

    fn last(&self) -> (f64, f64) {
        self.line[self.line.len() - 1]
    }
}

/// The integral of e^(power (a + b z)) times the normal density along one piece.
fn piece(start: (f64, f64), end: (f64, f64), power: f64) -> f64 {
    let width = end.0 - start.0;
    if width <= 0.0 {
        return 0.0;
    }
    let slope = power * (end.1 - start.1) / width;
    let height = power * start.1;
    if slope < STEEP {
        let scale = libm::exp(height - slope * start.0 + 0.5 * slope * slope);
        return scale * (normal_tail(start.0 - slope) - normal_tail(end.0 - slope));
    }
    let at = |z: f64| {
        const LOG_ROOT_TWO_PI: f64 = 0.918_938_533_204_672_7;
        libm::exp(height + slope * (z - start.0) - 0.5 * z * z - LOG_ROOT_TWO_PI)
    };
    let nodes = GAUSS_8.iter().map(|(node, weight)| weight * at(start.0 + width * node));
    width * nodes.sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two knots: a log-normal law of median 10 ms, known from 1 in a million on to all but 1 in a million.
    fn log_normal(sigma: f64) -> Measured {
        let knot = |variate: f64| Knot {
            variate: (variate * UNITS) as i32,
            log_ns: ((libm::log(10.0) + LOG_MS + sigma * variate) * UNITS).round() as u32,
        };
        Measured::of_knots(vec![knot(-4.75), knot(4.75)]).unwrap()
    }

    fn near(seen: f64, expected: f64, relative: f64) {
        assert!((seen / expected - 1.0).abs() < relative, "{seen} is not {expected}");
    }

    #[test]
    fn two_knots_are_a_log_normal_law() {
        let law = log_normal(0.5);
        near(law.quantile_ms(0.5).unwrap(), 10.0, 1e-4);
        near(law.beyond(10.0 * libm::exp(0.5 * 2.0)), normal_tail(2.0), 1e-3);
        near(law.moment_at_least(1.0), 10.0 * libm::exp(0.125), 1e-3);
        near(law.moment_at_least(2.0), 100.0 * libm::exp(0.5), 1e-3);
    }

    #[test]
    fn beyond_the_data_nothing_is_known() {
        let law = log_normal(0.5);
        assert_eq!(law.quantile_ms(1.0 - 1e-7), None);
        assert!(law.at(5.0).is_infinite());
        near(law.beyond(1e9), law.unknown(), 1e-12);
        assert_eq!(law.beyond(1e13), 0.0);
    }

    #[test]
    fn the_mean_up_to_is_the_integral_of_the_tail() {
        let knots =
            [(-30_000, 100_000), (0, 120_000), (1, 160_000), (10_000, 160_000), (20_000, 165_000)];
        let knots = knots.map(|(variate, log_ns)| Knot { variate, log_ns });
        let law = Measured::of_knots(knots.to_vec()).unwrap();
        for end in [0.01, 0.05, 0.2, 1.0, 8.0, 10.0, 14.0] {
            let steps = 200_000;
            let width = end / f64::from(steps);
            let tail = |it| law.beyond((f64::from(it) + 0.5) * width);
            let sum: f64 = (0..steps).map(tail).sum();
            near(law.mean_up_to(end), sum * width, 1e-4);
        }
        near(law.mean_up_to(law.longest_ms()), law.moment_at_least(1.0), 1e-9);
    }
}
