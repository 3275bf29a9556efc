//! What was read, as text for a terminal.

use super::{
    Compared, Imported, Series,
    series::{TimeUnit, percentile},
};
use crate::{format::short, report::Quantity};

impl Imported {
    /// The tool, each series with its percentiles, and everything doubtful.
    pub fn told(&self) -> String {
        let mut lines = vec![format!("Read as {}.", self.format.name)];
        lines.extend(self.warnings.iter().map(|it| format!("Note: {it}")));
        for (at, series) in self.series.iter().enumerate() {
            let name =
                if series.name.is_empty() { String::new() } else { format!("{}: ", series.name) };
            lines.push(format!("{}. {name}{}", at + 1, series.summary()));
            lines.extend(series.rows());
            lines.extend(series.remarks().iter().map(|it| format!("   Note: {it}")));
        }
        lines.join("\n")
    }
}

impl Series {
    /// `18 answers, mean 42.3 ms, known up to p99.`
    pub fn summary(&self) -> String {
        let series = self.in_unit(self.guess());
        let mut parts = Vec::new();
        let answers = |it: f64| if it == 1.0 { "answer" } else { "answers" };
        parts
            .extend(self.count.map(|it| format!("{} {}", short(Quantity::Count, it), answers(it))));
        parts.extend(series.mean.map(|it| format!("mean {}", latency(it))));
        parts.extend(series.max.map(|it| format!("longest {}", latency(it))));
        if let Ok(law) = self.law() {
            let known = 1.0 - law.unknown();
            // No more digits than the share beyond has.
            let digits = libm::ceil(-libm::log10(law.unknown().max(1e-15))) + 1.0;
            let scale = libm::pow(10.0, digits);
            parts.push(format!("known up to {}", percentile((known * scale).round() / scale)));
        }
        if self.unit.is_none() {
            parts.push(format!("unit not stated, taken as {}", self.guess().symbol()));
        }
        parts.join(", ") + "."
    }

    fn rows(&self) -> Vec<String> {
        let row = |it: &Compared| {
            let ours = it.ours.map_or_else(|| "not known".to_owned(), latency);
            match it.own {
                Some(own) => {
                    let own = latency(own);
                    format!("   {}: {own} in the file, {ours} here", percentile(it.share))
                }
                None => format!("   {}: {ours}", percentile(it.share)),
            }
        };
        self.shown().iter().map(row).collect()
    }
}

fn latency(ms: f64) -> String {
    short(Quantity::Latency, ms).to_string()
}

/// A unit that people may name when they are asked.
impl std::str::FromStr for TimeUnit {
    type Err = ();

    fn from_str(text: &str) -> Result<TimeUnit, ()> {
        TimeUnit::of(text).ok_or(())
    }
}
