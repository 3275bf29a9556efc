//! Samples one by one, by label, in bounded memory however many there are.

use super::{Found, Series, TimeUnit};
use crate::{
    sim::{Duration, Histogram},
    special::Listed,
};

/// Samples, each under its label, and all together where there are several.
pub(super) struct Samples {
    /// As stated by the format; if it is not, samples are kept as though they were milliseconds.
    unit: Option<TimeUnit>,
    all: Kept,
    labels: Listed<String, Kept>,
    /// Samples whose label came after there were enough.
    unlabelled: u64,
    negative: u64,
}

#[derive(Default)]
struct Kept {
    /// Two parts in a thousand wide, so that a label costs some 200 kB at the most.
    histogram: Histogram<9>,
    sum_ms: f64,
    least_ms: Option<f64>,
    most_ms: f64,
}

/// More labels are no list to choose from.
const LABELS_MAX: usize = 60;
const LABEL_LENGTH_MAX: usize = 120;

impl Samples {
    pub(super) fn new(unit: Option<TimeUnit>) -> Samples {
        let labels = Listed::default();
        Samples { unit, all: Kept::default(), labels, unlabelled: 0, negative: 0 }
    }

    pub(super) fn add(&mut self, label: String, ms: f64) {
        if ms < 0.0 || !ms.is_finite() {
            self.negative += 1;
            return;
        }
        self.all.add(ms);
        let room = self.labels.len() < LABELS_MAX;
        let words: Vec<&str> = label.split_whitespace().collect();
        let label: String = words.join(" ").chars().take(LABEL_LENGTH_MAX).collect();
        if room || self.labels.get(&label).is_some() {
            self.labels.at(label, Kept::default).add(ms);
        } else {
            self.unlabelled += 1;
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all.least_ms.is_none()
    }

    /// All together first, then each label where there are several.
    pub(super) fn found(self) -> Found {
        let mut warnings = Vec::new();
        if 0 < self.unlabelled {
            warnings.push(format!(
                "There are more than {LABELS_MAX} labels; the samples of the others are only in the whole."
            ));
        }
        if 0 < self.negative {
            warnings.push(format!(
                "Samples that are less than nothing were left out: {}.",
                self.negative
            ));
        }
        let several = 1 < self.labels.len();
        let name = if several { "all" } else { "" };
        let mut series = vec![self.all.series(name.to_owned(), self.unit)];
        if several {
            let unit = self.unit;
            series.extend(self.labels.into_iter().map(|(label, kept)| kept.series(label, unit)));
        }
        Found { series, warnings }
    }
}

impl Kept {
    fn add(&mut self, ms: f64) {
        self.histogram.record(Duration::from_ms(ms));
        self.sum_ms += ms;
        self.least_ms = Some(self.least_ms.map_or(ms, |it| it.min(ms)));
        self.most_ms = self.most_ms.max(ms);
    }

    fn series(&self, name: String, unit: Option<TimeUnit>) -> Series {
        let counts: Vec<(f64, u64)> = self
            .histogram
            .buckets_ms()
            .map(|(from, to, count)| {
                let middle = if to - from <= 1.5e-6 { from } else { 0.5 * (from + to) };
                (middle.clamp(self.least_ms.unwrap_or(0.0), self.most_ms), count)
            })
            .collect();
        let total = self.histogram.total();
        Series {
            unit,
            mean: Some(self.sum_ms / total.max(1) as f64),
            min: self.least_ms,
            max: Some(self.most_ms),
            ..Series::of_counts(name, &counts)
        }
    }
}
