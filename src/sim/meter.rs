//! What a run measured, and how sure one can be of it.

use serde::{Deserialize, Serialize};

use super::{Duration, Histogram};
use crate::special::{Listed, NORMAL_95, student_t_95};

/// Everything a run measured: a histogram for each latency, a number for each count, and the same by sections.
/// Meters of several runs add up, in any order, to the same meter.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Meter {
    latencies: Vec<Latency>,
    counts: Vec<u64>,
    replication: u32,
    section: u32,
    open: Section,
    sections: Listed<(u32, u32), Section>,
    /// A latency that is recorded, and one that is the same.
    #[serde(skip)]
    mirrored: Option<(usize, usize)>,
}

/// The answers of one kind.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Latency {
    /// Buckets one two-thousandth wide.
    pub histogram: Histogram<11>,
    total_ns: u128,
}

/// A stretch of a run. Sections are long enough to be nearly independent of each other, so their spread tells
/// how far the whole may be off, however correlated neighbouring requests are.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Section {
    latencies: Vec<SectionLatency>,
    counts: Vec<u64>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct SectionLatency {
    /// Coarser: only the spread of a share over sections is read from it.
    histogram: Histogram<9>,
    total_ns: u128,
}

/// What error bars may build on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// Every request was drawn on its own: the binomial law of order statistics holds.
    Independent,
    /// Requests shared queues: only sections tell.
    Correlated,
}

/// A value with its 95 % interval. An end is `None` while the data cannot carry it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    pub value: Option<f64>,
    pub low: Option<f64>,
    pub high: Option<f64>,
}

/// Growth is seen when the trend is so many standard deviations from none (three in 100,000) ..
const GROWTH_DEVIATIONS: f64 = 4.0;
/// .. and the last quarter of a run has so many times what the first has.
const GROWTH_MIN: f64 = 1.25;

/// With fewer sections their spread says too little.
const SECTIONS_MIN: usize = 8;
/// Sections are not joined to fewer than this.
const JOINED_MIN: usize = 4;

impl Meter {
    /// A meter for so many latencies and counts, in one replication.
    pub fn new(latencies: usize, counts: usize, replication: u32) -> Meter {
        Meter {
            latencies: vec![Latency::default(); latencies],
            counts: vec![0; counts],
            replication,
            section: 0,
            open: Section::new(latencies, counts),
            sections: Listed::default(),
            mirrored: None,
        }
    }

    /// Gives one latency all that is recorded of another: where both are the same, recording one is enough.
    #[must_use]
    pub fn mirroring(self, recorded: usize, mirror: usize) -> Meter {
        Meter { mirrored: Some((recorded, mirror)), ..self }
    }

    #[inline]
    pub fn record(&mut self, latency: usize, value: Duration) {
        let whole = &mut self.latencies[latency];
        whole.histogram.record(value);
        whole.total_ns += u128::from(value.as_ns());
        let part = &mut self.open.latencies[latency];
        part.histogram.record(value);
        part.total_ns += u128::from(value.as_ns());
    }

    /// The same for many, in less time.
    pub fn record_all(&mut self, latency: usize, values: &[Duration]) {
        let total_ns = Duration::total_ns(values);
        let whole = &mut self.latencies[latency];
        whole.histogram.record_all(values);
        whole.total_ns += total_ns;
        let part = &mut self.open.latencies[latency];
        part.histogram.record_all(values);
        part.total_ns += total_ns;
    }

    #[inline]
    pub fn count(&mut self, count: usize, by: u64) {
        self.counts[count] += by;
        self.open.counts[count] += by;
    }

    pub fn section_index(&self) -> u32 {
        self.section
    }

    pub fn close_section(&mut self) {
        let fresh = Section::new(self.latencies.len(), self.counts.len());
        let mut closed = std::mem::replace(&mut self.open, fresh);
        if let Some((recorded, mirror)) = self.mirrored {
            closed.latencies[mirror] = closed.latencies[recorded].clone();
        }
        self.sections.insert((self.replication, self.section), closed);
        self.section += 1;
    }

    /// Moves out what was measured since the last call. The open section stays until it is closed.
    #[must_use]
    pub fn take(&mut self) -> Meter {
        let fresh = Meter::new(self.latencies.len(), self.counts.len(), self.replication);
        if let Some((recorded, mirror)) = self.mirrored {
            self.latencies[mirror] = self.latencies[recorded].clone();
        }
        Meter {
            latencies: std::mem::replace(&mut self.latencies, fresh.latencies),
            counts: std::mem::replace(&mut self.counts, fresh.counts),
            replication: self.replication,
            section: self.section,
            open: fresh.open,
            sections: std::mem::take(&mut self.sections),
            mirrored: None,
        }
    }

    pub fn merge(&mut self, other: Meter) {
        for (mine, theirs) in std::iter::zip(&mut self.latencies, &other.latencies) {
            mine.histogram.add(&theirs.histogram);
            mine.total_ns += theirs.total_ns;
        }
        for (mine, theirs) in std::iter::zip(&mut self.counts, &other.counts) {
            *mine += theirs;
        }
        for (key, section) in other.sections {
            self.sections.insert(key, section);
        }
    }

    pub fn latency(&self, latency: usize) -> &Latency {
        &self.latencies[latency]
    }

    pub fn counted(&self, count: usize) -> u64 {
        self.counts[count]
    }

    pub fn recorded(&self, latency: usize) -> u64 {
        self.latencies[latency].histogram.total()
    }

    /// Answers of the latency that has most of them: none while a run warms up.
    pub fn answers(&self) -> u64 {
        (0..self.latencies.len()).map(|it| self.recorded(it)).max().unwrap_or(0)
    }

    /// The value below which `share` of the answers lie, in milliseconds; nothing while its interval reaches
    /// past the last answer, since then the data does not carry it, nor where it reaches answers that take for ever.
    pub fn quantile_ms(&self, latency: usize, share: f64, evidence: Evidence) -> Estimate {
        let histogram = &self.latencies[latency].histogram;
        let Some(value) = histogram.quantile_ms(share) else { return Estimate::default() };
        let total = histogram.total() as f64;
        if !carries(share, total) {
            return Estimate::default();
        }
        let margin = self.quantile_margin(latency, share, value, evidence);
        if self.reaches_endless(latency, share, margin) {
            return Estimate::default();
        }
        let end = |share: f64| {
            histogram.quantile_ms(share).filter(|_| 0.0 < share && share < 1.0 - 0.5 / total)
        };
        Estimate {
            value: Some(value),
            low: margin.and_then(|it| end((share - it).max(0.5 / total))),
            high: margin.and_then(|it| end(share + it)),
        }
    }

    /// Whether a percentile has no value because it, or its interval, lies among answers that take for ever: more
    /// answers would not give it one.
    pub fn is_endless(&self, latency: usize, share: f64, evidence: Evidence) -> bool {
        let histogram = &self.latencies[latency].histogram;
        if histogram.endless() == 0 {
            return false;
        }
        let Some(value) = histogram.quantile_ms(share) else { return true };
        let margin = || self.quantile_margin(latency, share, value, evidence);
        carries(share, histogram.total() as f64) && self.reaches_endless(latency, share, margin())
    }

    fn reaches_endless(&self, latency: usize, share: f64, margin: Option<f64>) -> bool {
        let histogram = &self.latencies[latency].histogram;
        let total = histogram.total() as f64;
        let end = share + margin.unwrap_or_else(|| binomial_margin(share, total));
        let endless = histogram.endless() as f64;
        0.0 < endless && total - endless - 0.5 <= end * total
    }

    /// The 95 % margin of the share below a quantile.
    fn quantile_margin(
        &self,
        latency: usize,
        share: f64,
        value_ms: f64,
        evidence: Evidence,
    ) -> Option<f64> {
        let independent = binomial_margin(share, self.recorded(latency) as f64);
        match evidence {
            Evidence::Independent => Some(independent),
            Evidence::Correlated => {
                self.margin_beyond(latency, value_ms, evidence).map(|it| it.max(independent))
            }
        }
    }

    /// The share of answers beyond a value.
    pub fn beyond(&self, latency: usize, value_ms: f64, evidence: Evidence) -> Estimate {
        let histogram = &self.latencies[latency].histogram;
        let total = histogram.total() as f64;
        if total == 0.0 {
            return Estimate::default();
        }
        let independent = wilson(histogram.beyond_ms(value_ms), total);
        match evidence {
            Evidence::Independent => independent,
            Evidence::Correlated => {
                independent.widened(self.margin_beyond(latency, value_ms, evidence))
            }
        }
    }

    pub fn mean_ms(&self, latency: usize, evidence: Evidence) -> Estimate {
        let whole = &self.latencies[latency];
        let total = whole.histogram.total();
        if total == 0 {
            return Estimate::default();
        }
        let margin = self.margin(evidence, |it| it.total(latency));
        Estimate::around(whole.total_ns as f64 / total as f64, margin)
            .of_none_negative()
            .scaled(1e-6)
    }

    /// One count over another, times `scale`.
    pub fn ratio(&self, over: usize, under: usize, scale: f64, evidence: Evidence) -> Estimate {
        let total = self.counts[under] as f64;
        if total == 0.0 {
            return Estimate::default();
        }
        let hits = self.counts[over] as f64;
        if hits == 0.0 {
            // What was never seen may still be there: sections that all say nothing have no spread to tell so.
            return wilson(0.0, total).scaled(scale);
        }
        let margin = self.margin(evidence, |it| it.counts(over, under));
        Estimate::around(hits / total, margin).of_none_negative().scaled(scale)
    }

    /// How many of one count are of another kind, as a share: never an interval of nothing.
    pub fn share(&self, over: usize, under: usize, evidence: Evidence) -> Estimate {
        let total = self.counts[under] as f64;
        if total == 0.0 {
            return Estimate::default();
        }
        let margin = self.margin(evidence, |it| it.counts(over, under));
        wilson(self.counts[over] as f64, total).widened(margin)
    }

    /// The closed sections with their replications, in order.
    pub fn sections(&self) -> impl Iterator<Item = (u32, &Section)> {
        self.keyed_sections().map(|((replication, _), section)| (replication, section))
    }

    /// The same with the number of the section.
    pub(super) fn keyed_sections(&self) -> impl Iterator<Item = ((u32, u32), &Section)> {
        self.sections.iter().map(|(key, section)| (*key, section))
    }

    /// Whether one count over another grows from section to section, beyond what chance would do: the trend test
    /// of Mann (Econometrica 13, 1945) and Kendall, summed over replications.
    pub fn grows(&self, over: usize, under: usize) -> bool {
        let runs = by_run(self.sections().map(|(replication, section)| {
            (replication, section.counts[over] as f64 / section.counts[under].max(1) as f64)
        }));
        let (mut rises, mut variance) = (0.0, 0.0);
        let (mut first, mut last) = (0.0, 0.0);
        for run in &runs {
            for (at, later) in run.iter().enumerate() {
                rises += run[..at]
                    .iter()
                    .map(|it| f64::from(it < later) - f64::from(later < it))
                    .sum::<f64>();
            }
            let n = run.len() as f64;
            variance += n * (n - 1.0) * (2.0 * n + 5.0) / 18.0;
            first += run.iter().take(run.len().div_ceil(4)).sum::<f64>();
            last += run.iter().rev().take(run.len().div_ceil(4)).sum::<f64>();
        }
        // Where sections still know of each other, trends come by chance: growth must be plain, and of some size.
        rises > GROWTH_DEVIATIONS * variance.sqrt() && last > GROWTH_MIN * first
    }

    /// The 95 % margin of the share beyond a value, from the spread over sections.
    fn margin_beyond(&self, latency: usize, value_ms: f64, evidence: Evidence) -> Option<f64> {
        self.margin(evidence, |it| it.beyond(latency, value_ms))
    }

    /// The 95 % margin of a ratio, from the spread over sections. Where neighbouring sections still know of each
    /// other they are joined, two by two, until they do not: the last resort are whole runs.
    fn margin(&self, evidence: Evidence, part: impl Fn(&Section) -> (f64, f64)) -> Option<f64> {
        let pairs = self.sections().map(|(replication, section)| (replication, part(section)));
        // Sections in which nothing happened say nothing of a ratio.
        Meter::spread(by_run(pairs.filter(|it| 0.0 < it.1.1)), evidence)
    }

    /// The same from the parts of each run.
    pub(super) fn spread(mut runs: Vec<Vec<(f64, f64)>>, evidence: Evidence) -> Option<f64> {
        if runs.iter().map(Vec::len).sum::<usize>() < SECTIONS_MIN {
            return None;
        }
        while evidence == Evidence::Correlated && linked(&runs) {
            let joined: Vec<_> = runs.iter().map(|it| it.chunks(2).map(join).collect()).collect();
            if joined.iter().map(Vec::len).sum::<usize>() < JOINED_MIN {
                break;
            }
            runs = joined;
        }
        return ratio_margin(&runs.concat());

        fn join(pairs: &[(f64, f64)]) -> (f64, f64) {
            pairs.iter().fold((0.0, 0.0), |sum, it| (sum.0 + it.0, sum.1 + it.1))
        }
    }
}

/// What is told of sections in their order, by replication.
pub(super) fn by_run<T>(told: impl Iterator<Item = (u32, T)>) -> Vec<Vec<T>> {
    let mut runs: Vec<Vec<T>> = Vec::new();
    let mut of = None;
    for (replication, it) in told {
        match runs.last_mut() {
            Some(run) if of == Some(replication) => run.push(it),
            _ => runs.push(vec![it]),
        }
        of = Some(replication);
    }
    runs
}

impl Section {
    pub fn counted(&self, count: usize) -> u64 {
        self.counts[count]
    }

    /// The answers beyond a value, and all.
    pub(super) fn beyond(&self, latency: usize, ms: f64) -> (f64, f64) {
        let histogram = &self.latencies[latency].histogram;
        (histogram.beyond_ms(ms), histogram.total() as f64)
    }

    /// The sum of the answers in nanoseconds, and their number.
    pub(super) fn total(&self, latency: usize) -> (f64, f64) {
        let part = &self.latencies[latency];
        (part.total_ns as f64, part.histogram.total() as f64)
    }

    pub(super) fn counts(&self, over: usize, under: usize) -> (f64, f64) {
        (self.counts[over] as f64, self.counts[under] as f64)
    }

    fn new(latencies: usize, counts: usize) -> Section {
        Section { latencies: vec![SectionLatency::default(); latencies], counts: vec![0; counts] }
    }
}

impl Estimate {
    pub(super) fn around(value: f64, margin: Option<f64>) -> Estimate {
        Estimate {
            value: Some(value),
            low: margin.map(|it| value - it),
            high: margin.map(|it| value + it),
        }
    }

    /// Times and counts are never negative, nor are their means and ratios.
    fn of_none_negative(self) -> Estimate {
        Estimate { low: self.low.map(|it| it.max(0.0)), ..self }
    }

    fn scaled(self, scale: f64) -> Estimate {
        let by = |it: Option<f64>| it.map(|it| it * scale);
        Estimate { value: by(self.value), low: by(self.low), high: by(self.high) }
    }

    /// At least as wide as `margin` on each side, within 0 to 1; open without one.
    fn widened(self, margin: Option<f64>) -> Estimate {
        let (Some(value), Some(margin)) = (self.value, margin) else {
            return Estimate { low: None, high: None, ..self };
        };
        Estimate {
            value: Some(value),
            low: self.low.map(|it| it.min(value - margin).max(0.0)),
            high: self.high.map(|it| it.max(value + margin).min(1.0)),
        }
    }
}

/// The 95 % margin of a share of so many independent answers.
fn binomial_margin(share: f64, total: f64) -> f64 {
    NORMAL_95 * (share * (1.0 - share) / total).sqrt()
}

/// Whether so many answers tell the value that a share of them lie below: its interval ends before the last.
fn carries(share: f64, total: f64) -> bool {
    0.5 / total < 1.0 - share - binomial_margin(share, total)
}

/// Wilson's 95 % interval of a share, which stays honest at 0 and 1.
fn wilson(hits: f64, total: f64) -> Estimate {
    let (share, z2) = (hits / total, NORMAL_95 * NORMAL_95);
    let middle = (share + z2 / (2.0 * total)) / (1.0 + z2 / total);
    let root = (share * (1.0 - share) / total + z2 / (4.0 * total * total)).sqrt();
    let margin = NORMAL_95 / (1.0 + z2 / total) * root;
    // At the ends the formula gives the end itself, but for rounding.
    let low = if hits <= 0.0 { 0.0 } else { (middle - margin).max(0.0) };
    let high = if hits >= total { 1.0 } else { (middle + margin).min(1.0) };
    Estimate { value: Some(share), low: Some(low), high: Some(high) }
}

/// Whether neighbouring sections deviate from the common ratio in the same direction, by more than one standard
/// deviation of what chance would do.
fn linked(runs: &[Vec<(f64, f64)>]) -> bool {
    let (over, under) =
        runs.iter().flatten().fold((0.0, 0.0), |sum, it| (sum.0 + it.0, sum.1 + it.1));
    let ratio = over / under;
    let (mut products, mut squares, mut neighbours) = (0.0, 0.0, 0.0);
    for run in runs {
        let off: Vec<f64> = run.iter().map(|it| it.0 - ratio * it.1).collect();
        squares += off.iter().map(|it| it * it).sum::<f64>();
        products += off.windows(2).map(|it| it[0] * it[1]).sum::<f64>();
        neighbours += off.len().saturating_sub(1) as f64;
    }
    let all: usize = runs.iter().map(Vec::len).sum();
    0.0 < neighbours && products / neighbours > squares / all as f64 / neighbours.sqrt()
}

/// The 95 % margin of `sum of over / sum of under`: Student's t on the deviations from the common ratio (the ratio
/// estimator, Cochran, Sampling Techniques, 1977, section 6.3).
fn ratio_margin(pairs: &[(f64, f64)]) -> Option<f64> {
    if pairs.len() < 2 {
        return None;
    }
    let over: f64 = pairs.iter().map(|it| it.0).sum();
    let under: f64 = pairs.iter().map(|it| it.1).sum();
    let ratio = over / under;
    let square = |(over, under): &(f64, f64)| (over - ratio * under) * (over - ratio * under);
    let squares: f64 = pairs.iter().map(square).sum();
    let sections = pairs.len() as f64;
    let error = (squares / (sections * (sections - 1.0))).sqrt() / (under / sections);
    Some(student_t_95(pairs.len() as u32 - 1) * error)
}
