//! What is asked of a meter, and how sure one can be of the difference between two that met the same chance.
//!
//! Two studies of one seed draw the same arrivals, routes and service times, so that their values err together, and
//! their difference errs less than either. How much less is seen from the sections: each section's part in the error of
//! A is taken from its part in the error of B, and the spread of what is left gives the interval (common random
//! numbers: Law, Simulation Modeling and Analysis, section 11.2; the linear form of a quantile's error: Bahadur, Annals
//! of Mathematical Statistics 37, 1966).

use super::{Estimate, Evidence, Meter, Section, meter::by_run};

/// A value that can be read from a meter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Asked {
    /// The value below which a share of the answers lies, in milliseconds.
    Quantile { latency: usize, share: f64 },
    /// The share of answers beyond a value.
    Beyond { latency: usize, ms: f64 },
    /// In milliseconds.
    Mean { latency: usize },
    /// How many of one count are also of another.
    Share { over: usize, under: usize },
    /// One count over another.
    Ratio { over: usize, under: usize, scale: f64 },
}

/// By replication and section, in order.
type Parts = Vec<((u32, u32), f64)>;

/// Below this share of answers on either side, the slope of a quantile is read from the nearest that there are.
const NEAR: f64 = 0.1;

impl Meter {
    pub fn estimate(&self, asked: Asked, evidence: Evidence) -> Estimate {
        match asked {
            Asked::Quantile { latency, share } => self.quantile_ms(latency, share, evidence),
            Asked::Beyond { latency, ms } => self.beyond(latency, ms, evidence),
            Asked::Mean { latency } => self.mean_ms(latency, evidence),
            Asked::Share { over, under } => self.share(over, under, evidence),
            Asked::Ratio { over, under, scale } => self.ratio(over, under, scale, evidence),
        }
    }

    /// What each section adds to the error of a value: times the number of sections, and in the unit of the value.
    fn errors(&self, asked: Asked) -> Option<Parts> {
        match asked {
            Asked::Quantile { latency, share } => {
                let histogram = &self.latency(latency).histogram;
                let at = histogram.quantile_ms(share)?;
                let near = NEAR * (1.0 - share).min(share);
                let [low, high] = [share - near, share + near].map(|it| histogram.quantile_ms(it));
                // Milliseconds for each unit of share: more answers beyond a quantile move it up.
                let slope = (high? - low?) / (2.0 * near);
                self.ratio_errors(slope, |it| it.beyond(latency, at))
            }
            Asked::Beyond { latency, ms } => self.ratio_errors(1.0, |it| it.beyond(latency, ms)),
            Asked::Mean { latency } => self.ratio_errors(1e-6, |it| it.total(latency)),
            Asked::Share { over, under } => self.ratio_errors(1.0, |it| it.counts(over, under)),
            Asked::Ratio { over, under, scale } => {
                self.ratio_errors(scale, |it| it.counts(over, under))
            }
        }
    }

    fn ratio_errors(&self, scale: f64, part: impl Fn(&Section) -> (f64, f64)) -> Option<Parts> {
        let pairs: Vec<((u32, u32), (f64, f64))> =
            self.keyed_sections().map(|(key, section)| (key, part(section))).collect();
        let (over, under) =
            pairs.iter().fold((0.0, 0.0), |sum, (_, it)| (sum.0 + it.0, sum.1 + it.1));
        if under <= 0.0 {
            return None;
        }
        let (ratio, mean) = (over / under, under / pairs.len() as f64);
        let error = |it: &(f64, f64)| scale * (it.0 - ratio * it.1) / mean;
        Some(pairs.iter().map(|(key, it)| (*key, error(it))).collect())
    }
}

/// Where a value's own interval and its linear error differ by more than this factor, the linear form does not hold:
/// the value lies near a gap, on whose other side the next answers are.
const LINEAR: f64 = 2.0;

/// How much more B's value is than A's, with the 95 % interval of that.
pub fn difference(a: (&Meter, Asked), b: (&Meter, Asked), evidence: Evidence) -> Estimate {
    let [of_a, of_b] = [a, b].map(|(meter, asked)| meter.estimate(asked, evidence));
    let (Some(from), Some(to)) = (of_a.value, of_b.value) else { return Estimate::default() };
    let value = to - from;
    // A quantile that is not carried has no slope either.
    let (Some(ends_a), Some(ends_b)) = (of_a.low.zip(of_a.high), of_b.low.zip(of_b.high)) else {
        return Estimate::around(value, None);
    };
    let errors = [a, b].map(|(meter, asked)| meter.errors(asked));
    if let [Some(errors_a), Some(errors_b)] = errors
        && holds(&errors_a, ends_a, evidence)
        && holds(&errors_b, ends_b, evidence)
    {
        let beside = |key| Some(errors_a[errors_a.binary_search_by_key(key, |it| it.0).ok()?].1);
        let pairs = errors_b.iter().filter_map(|(key, b)| Some((*key, b - beside(key)?)));
        return Estimate::around(value, margin(pairs, evidence));
    }
    Estimate { value: Some(value), low: Some(ends_b.0 - ends_a.1), high: Some(ends_b.1 - ends_a.0) }
}

/// Whether the linear errors of a value say as much as its own interval.
fn holds(errors: &Parts, (low, high): (f64, f64), evidence: Evidence) -> bool {
    let Some(margin) = margin(errors.iter().copied(), evidence) else {
        return false;
    };
    let (linear, own) = (2.0 * margin, high - low);
    linear <= LINEAR * own && own <= LINEAR * linear || own == 0.0
}

/// Of the mean of errors over sections.
fn margin(errors: impl Iterator<Item = ((u32, u32), f64)>, evidence: Evidence) -> Option<f64> {
    let pairs = errors.map(|((replication, _), error)| (replication, (error, 1.0)));
    Meter::spread(by_run(pairs), evidence)
}
