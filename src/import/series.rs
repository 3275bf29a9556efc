//! One distribution of a file: what the file says of it, and the law that it makes.

use serde::{Deserialize, Serialize};

use crate::{
    format::short,
    measured::Measured,
    report::Quantity,
    special::{normal_quantile, sort_by_number},
};

use super::Trouble;

/// Times in here are milliseconds, or, where the file does not say its unit, whatever its numbers are.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Series {
    /// To choose by; empty where there is only one.
    pub name: String,
    /// None where the file does not say: then somebody has to be asked.
    pub unit: Option<TimeUnit>,
    /// How many samples.
    pub count: Option<f64>,
    pub mean: Option<f64>,
    pub min: Option<f64>,
    pub max: Option<f64>,
    /// The file's own percentiles: share and time, as they stand.
    pub own: Vec<(f64, f64)>,
    /// Where there is more than percentiles: shares, and the time that each does not exceed.
    pub points: Vec<(f64, f64)>,
    /// The samples that the points are made of.
    pub counted: Option<f64>,
    /// Clients that wait for each answer, and answers a second: what Little's law is held against.
    pub concurrency: Option<f64>,
    pub per_second: Option<f64>,
    /// What is doubtful, in sentences.
    pub warnings: Vec<String>,
}

/// A percentile in the file and in the law that is made of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Compared {
    pub share: f64,
    /// None where the file has no percentiles of its own.
    pub own: Option<f64>,
    /// None beyond what the file can carry.
    pub ours: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TimeUnit {
    Nanoseconds,
    Microseconds,
    Milliseconds,
    Seconds,
    Minutes,
    Hours,
}

/// Of a long list of percentiles as many as can be looked at.
const ROWS_MAX: usize = 12;
/// What is looked at where a file has no percentiles of its own.
const USUAL: [f64; 4] = [0.5, 0.9, 0.99, 0.999];
/// Between its last percentile and its longest a file may leave out so many times; a line over more would be invented.
const GAP_MAX: f64 = 100.0;
/// A file that starts above this share does not say how quick its quick answers are.
const LOW_SHARE: f64 = 0.1;
/// To where the line through its first two percentiles is then drawn down.
const LOWEST_SHARE: f64 = 0.001;

impl TimeUnit {
    /// Those that somebody is asked to choose from.
    pub const CHOICES: [TimeUnit; 4] =
        [TimeUnit::Nanoseconds, TimeUnit::Microseconds, TimeUnit::Milliseconds, TimeUnit::Seconds];

    pub fn ms(self) -> f64 {
        match self {
            TimeUnit::Nanoseconds => 1e-6,
            TimeUnit::Microseconds => 1e-3,
            TimeUnit::Milliseconds => 1.0,
            TimeUnit::Seconds => 1e3,
            TimeUnit::Minutes => 6e4,
            TimeUnit::Hours => 3.6e6,
        }
    }

    pub fn symbol(self) -> &'static str {
        match self {
            TimeUnit::Nanoseconds => "ns",
            TimeUnit::Microseconds => "µs",
            TimeUnit::Milliseconds => "ms",
            TimeUnit::Seconds => "s",
            TimeUnit::Minutes => "min",
            TimeUnit::Hours => "h",
        }
    }

    /// As tools write them: a lone `m` is a minute.
    pub fn of(text: &str) -> Option<TimeUnit> {
        Some(match text {
            "ns" => TimeUnit::Nanoseconds,
            "us" | "µs" | "μs" | "usec" => TimeUnit::Microseconds,
            "ms" | "msec" | "milliseconds" => TimeUnit::Milliseconds,
            "s" | "sec" | "secs" | "seconds" => TimeUnit::Seconds,
            "m" | "min" => TimeUnit::Minutes,
            "h" => TimeUnit::Hours,
            _ => return None,
        })
    }
}

impl Series {
    pub(super) fn named(name: impl Into<String>, unit: TimeUnit) -> Series {
        Series { name: name.into(), unit: Some(unit), ..Series::default() }
    }

    /// Puts the file's own percentiles in ascending order.
    pub(super) fn sort(&mut self) {
        sort_by_number(&mut self.own, |it| it.0);
    }

    /// From values and how often each was seen. Each stands at the middle of the shares that it takes.
    pub(super) fn of_counts(name: impl Into<String>, counts: &[(f64, u64)]) -> Series {
        let mut counts: Vec<(f64, u64)> = counts.iter().copied().filter(|it| 0 < it.1).collect();
        sort_by_number(&mut counts, |it| it.0);
        let total: f64 = counts.iter().map(|it| it.1 as f64).sum();
        let mut before = 0.0;
        let place = |&(value, count): &(f64, u64)| {
            let middle = before + 0.5 * count as f64;
            before += count as f64;
            (middle / total, value)
        };
        let mut points: Vec<(f64, f64)> = counts.iter().map(place).collect();
        let (min, max) = (counts.first().map(|it| it.0), counts.last().map(|it| it.0));
        points.extend(min.map(|it| (0.0, it)));
        // However many share the last place, all but one are within it.
        points.extend(max.map(|it| (1.0 - 1.0 / total, it)));
        Series {
            name: name.into(),
            count: Some(total),
            counted: Some(total),
            min,
            max,
            points,
            ..Series::default()
        }
    }

    /// From the upper ends of buckets and how many answers lie up to each.
    pub(super) fn of_buckets(name: impl Into<String>, up_to: &[(f64, f64)], total: f64) -> Series {
        let points = up_to.iter().map(|(end, below)| (below / total, *end)).collect();
        Series {
            name: name.into(),
            count: Some(total),
            counted: Some(total),
            points,
            ..Series::default()
        }
    }

    /// A time of the file's own unit, as a percentile.
    pub(super) fn add(&mut self, share: f64, time: f64) {
        self.own.push((share, time));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.own.is_empty() && self.points.is_empty()
    }

    /// The unit that the size of the numbers suggests: answers take a millisecond to some seconds.
    pub fn guess(&self) -> TimeUnit {
        let middle = self.own.iter().chain(&self.points);
        let nearest = middle.min_by(|a, b| (a.0 - 0.5).abs().total_cmp(&(b.0 - 0.5).abs()));
        match nearest.map_or(1.0, |it| it.1) {
            it if it < 2.0 => TimeUnit::Seconds,
            it if it < 2e4 => TimeUnit::Milliseconds,
            it if it < 2e6 => TimeUnit::Microseconds,
            _ => TimeUnit::Nanoseconds,
        }
    }

    /// With the unit that was asked for. Changes nothing where the file says it.
    #[must_use]
    pub fn in_unit(&self, unit: TimeUnit) -> Series {
        if self.unit.is_some() {
            return self.clone();
        }
        let by = unit.ms();
        let scaled = |it: &Option<f64>| it.map(|it| it * by);
        let pairs = |it: &[(f64, f64)]| it.iter().map(|it| (it.0, it.1 * by)).collect();
        Series {
            unit: Some(unit),
            mean: scaled(&self.mean),
            min: scaled(&self.min),
            max: scaled(&self.max),
            own: pairs(&self.own),
            points: pairs(&self.points),
            ..self.clone()
        }
    }

    /// The law of these answers, as far as the file carries one.
    ///
    /// # Errors
    /// Says in a sentence what is missing.
    pub fn law(&self) -> Result<Measured, Trouble> {
        let series = self.in_unit(self.guess());
        let mut pairs = series.known();
        pairs.extend(series.downward());
        Measured::of_quantiles(&pairs).ok_or_else(|| {
            Trouble::new("There are no percentiles in the file, nor samples to make them from.")
        })
    }

    /// The file's own percentiles beside ours.
    pub fn compared(&self) -> Vec<Compared> {
        let Ok(law) = self.law() else { return Vec::new() };
        let series = self.in_unit(self.guess());
        let ours = |share| law.quantile_ms(share);
        let inside = series.own.iter().filter(|it| 0.0 < it.0 && it.0 < 1.0);
        inside.map(|&(share, own)| Compared { share, own: Some(own), ours: ours(share) }).collect()
    }

    /// As many percentiles as can be looked at: those of the file, or, where it has none, the usual ones.
    pub fn shown(&self) -> Vec<Compared> {
        let compared = self.compared();
        if !compared.is_empty() {
            let every = compared.len().div_ceil(ROWS_MAX);
            return compared.into_iter().step_by(every).collect();
        }
        let Ok(law) = self.law() else { return Vec::new() };
        let usual = |share| Compared { share, own: None, ours: law.quantile_ms(share) };
        USUAL.into_iter().map(usual).filter(|it| it.ours.is_some()).collect()
    }

    /// What the law leaves out or makes up, in sentences.
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks = self.warnings.clone();
        if self.longest().is_none()
            && let (Some(count), Some(share)) =
                (self.count.filter(|it| 1.0 < *it), self.highest_share())
            && let Some(max) = self.max
            && share < 1.0 - 1.0 / count
            && self.pairs().iter().all(|it| it.1 <= max)
        {
            remarks.push(format!(
                "Between {} and the longest of {} answers the file says nothing: percentiles beyond are left out.",
                percentile(share),
                short(Quantity::Count, count)
            ));
        }
        if !self.downward().is_empty() {
            remarks.push(
                "Of the quickest answers the file says nothing: they are drawn as a log-normal law would have them."
                    .to_owned(),
            );
        }
        remarks
    }

    /// Tails and times that the file carries: none finer than one of its samples.
    fn known(&self) -> Vec<(f64, f64)> {
        let finest = self.count.filter(|it| 1.0 < *it).map_or(0.0, |it| 1.0 / it);
        let mut pairs: Vec<(f64, f64)> = self.pairs().iter().map(|it| (1.0 - it.0, it.1)).collect();
        // What claims to be rarer than one of all samples is the longest of them.
        let (fine, known): (Vec<_>, Vec<_>) =
            pairs.drain(..).partition(|it| it.0 < finest * 0.999_999);
        let mut known = known;
        if 0.0 < finest {
            let longest = fine
                .iter()
                .map(|it| it.1)
                .fold(None, |a: Option<f64>, it| Some(a.map_or(it, |a| a.max(it))));
            let highest = known.iter().map(|it| it.0).fold(1.0, f64::min);
            // One that stands as high as the longest would is better known than it.
            let told = highest < finest * 1.5 && fine.is_empty();
            if (highest <= finest * GAP_MAX && !told) || known.is_empty() {
                known.extend(longest.or(self.longest()).map(|it| (finest, it)));
            }
            known.extend(self.min.map(|it| (1.0 - finest, it)));
        } else {
            known.extend(fine.iter().filter(|it| 0.0 < it.0));
            // A least one without a number of samples is rarer than the first percentile by nobody knows how much.
            known.extend(self.min.map(|it| (1.0 - LOWEST_SHARE, it)));
        }
        known
    }

    /// The longest, if it is not too far from the last percentile to be joined to it.
    fn longest(&self) -> Option<f64> {
        let (count, share) = (self.count?, self.highest_share()?);
        self.max.filter(|_| 1.0 < count && (1.0 - share) * count <= GAP_MAX)
    }

    fn highest_share(&self) -> Option<f64> {
        let finest = self.count.map_or(0.0, |it| 1.0 / it);
        let below = self.pairs().iter().map(|it| it.0).filter(|it| *it < 1.0 && finest <= 1.0 - it);
        below.fold(None, |a: Option<f64>, it| Some(a.map_or(it, |a| a.max(it))))
    }

    /// The line through the first two percentiles, drawn down where the file does not start low enough.
    fn downward(&self) -> Vec<(f64, f64)> {
        let mut pairs: Vec<(f64, f64)> = self
            .pairs()
            .iter()
            .copied()
            .filter(|it| 0.0 < it.0 && it.0 < 1.0 && 0.0 < it.1)
            .collect();
        sort_by_number(&mut pairs, |it| it.0);
        let [first, second, ..] = pairs[..] else { return Vec::new() };
        if self.min.is_some() || first.0 < LOW_SHARE || first.0 == second.0 {
            return Vec::new();
        }
        let slope = libm::log(second.1 / first.1).max(0.0)
            / (normal_quantile(second.0) - normal_quantile(first.0));
        let down = normal_quantile(LOWEST_SHARE) - normal_quantile(first.0);
        let lowest = first.1 * libm::exp(slope * down);
        vec![(1.0 - LOWEST_SHARE, lowest)]
    }

    pub(super) fn pairs(&self) -> &[(f64, f64)] {
        if self.points.is_empty() { &self.own } else { &self.points }
    }
}

/// `p99.9`.
pub fn percentile(share: f64) -> String {
    format!("p{}", (share * 1e8).round() / 1e6)
}
