//! The text exposition of Prometheus: cumulative buckets of histograms, and the quantiles of summaries.

use crate::import::{
    Format, Found, Head, Line, Series, Shape, Text, TimeUnit, Trouble, number::number,
};
use crate::special::{Listed, sort_by_number};

pub(super) const FORMAT: Format = Format {
    key: "prometheus",
    name: "Prometheus metrics",
    shapes: &[Shape::Report { knows, read }],
};

fn knows(head: &Head) -> bool {
    head.any(|it| it.contains("_bucket{") && it.contains("le=\""))
        || head.any(|it| it.contains("{quantile=\""))
        || (head.any_starts("# TYPE ") && head.any_starts("# HELP "))
}

/// One metric, over all its labels.
#[derive(Default)]
struct Metric {
    /// Ends, by their bits so that they sort, and how many answers lie up to each.
    buckets: Listed<u64, (f64, f64)>,
    infinite: f64,
    sum: f64,
    count: f64,
    quantiles: Vec<(f64, f64)>,
    sets: usize,
}

fn read(text: &Text) -> Result<Found, Trouble> {
    let mut metrics = Listed::default();
    for line in text.lines().filter(|it| !it.text.starts_with('#')) {
        take(&line, &mut metrics)?;
    }
    let list = metrics.into_iter().filter_map(|(name, it)| it.series(&name));
    let mut found = Found::of(list.collect());
    // What is named a duration is more likely meant than what is a size; else they stand by name.
    let rank = |it: &Series| 2 * u8::from(it.unit.is_none()) + u8::from(it.points.is_empty());
    sort_by_number(&mut found.series, |it| f64::from(rank(it)));
    if found.series.is_empty() {
        return Err(Trouble::new(
            "There is no histogram in the metrics: expected a .._bucket{le=\"..\"} for each bucket.",
        ));
    }
    Ok(found)
}

/// `name{labels} value timestamp`
fn take(line: &Line, metrics: &mut Listed<String, Metric>) -> Result<(), Trouble> {
    let (name, labels, rest) = match line.text.split_once('{') {
        Some((name, rest)) => {
            let end = labels_end(rest).ok_or_else(|| Trouble::at(line, "a closing brace"))?;
            (name, &rest[..end], &rest[end + 1..])
        }
        None => line
            .text
            .split_once(char::is_whitespace)
            .map_or((line.text, "", ""), |it| (it.0, "", it.1)),
    };
    let value = rest.split_whitespace().next().and_then(number);
    if let (Some(end), Some(name)) = (label(labels, "le"), name.strip_suffix("_bucket")) {
        let metric = metrics.at(name.to_owned(), Metric::default);
        let below = value
            .filter(|it| 0.0 <= *it)
            .ok_or_else(|| Trouble::at(line, "how many answers lie up to the end of the bucket"))?;
        match number(end) {
            Some(end) if 0.0 <= end => {
                metric.buckets.at(end.to_bits(), || (end, 0.0)).1 += below;
            }
            _ if end.contains("Inf") => {
                metric.infinite += below;
                metric.sets += 1;
            }
            _ => return Err(Trouble::at(line, "a number or +Inf as le")),
        }
        return Ok(());
    }
    let Some(value) = value else { return Ok(()) };
    if let Some(share) = label(labels, "quantile").and_then(number) {
        metrics.at(name.to_owned(), Metric::default).quantiles.push((share, value));
    } else if let Some(name) = name.strip_suffix("_sum") {
        metrics.at(name.to_owned(), Metric::default).sum += value;
    } else if let Some(name) = name.strip_suffix("_count") {
        metrics.at(name.to_owned(), Metric::default).count += value;
    }
    Ok(())
}

impl Metric {
    fn series(self, name: &str) -> Option<Series> {
        let unit = unit(name);
        let ms = unit.map_or(1.0, TimeUnit::ms);
        let total = self.infinite.max(self.count);
        let mean = (0.0 < self.count).then(|| self.sum * ms / self.count);
        if self.buckets.is_empty() || total == 0.0 {
            // Quantiles of several label sets cannot be added up.
            let mut quantiles = self.quantiles;
            sort_by_number(&mut quantiles, |it| it.0);
            let alone = quantiles.windows(2).all(|it| it[0].0 < it[1].0);
            let inside = |it: &(f64, f64)| (0.0..=1.0).contains(&it.0) && 0.0 <= it.1;
            let own: Vec<(f64, f64)> =
                quantiles.into_iter().filter(inside).map(|it| (it.0, it.1 * ms)).collect();
            let count = Some(self.count).filter(|it| 0.0 < *it);
            return (alone && !own.is_empty()).then(|| Series {
                name: name.to_owned(),
                unit,
                own,
                count,
                mean,
                ..Series::default()
            });
        }
        let mut below = 0.0_f64;
        // Counts of a scrape that was taken while they moved may fall: they are taken to stay.
        let ends: Vec<(f64, f64)> = self
            .buckets
            .iter()
            .map(|(_, (end, count))| {
                below = count.max(below);
                (end * ms, below)
            })
            .collect();
        let beyond = total - below;
        let mut series = Series::of_buckets(name, &ends, total);
        series.points.retain(|it| it.0 <= 1.0);
        (series.unit, series.mean) = (unit, mean);
        series.counted = Some(self.infinite).filter(|it| 0.0 < *it);
        if 0.0 < self.count {
            series.count = Some(self.count);
        }
        if 0.0 < beyond {
            series.warnings.push(format!(
                "{beyond} of {total} answers lie beyond the last bucket: how long they took is not known."
            ));
        }
        if 1 < self.sets {
            series
                .warnings
                .push(format!("The buckets of {} sets of labels are added up.", self.sets));
        }
        Some(series)
    }
}

fn unit(name: &str) -> Option<TimeUnit> {
    let units = [
        ("_seconds", TimeUnit::Seconds),
        ("_milliseconds", TimeUnit::Milliseconds),
        ("_ms", TimeUnit::Milliseconds),
        ("_microseconds", TimeUnit::Microseconds),
        ("_nanoseconds", TimeUnit::Nanoseconds),
    ];
    units.iter().find(|it| name.ends_with(it.0)).map(|it| it.1)
}

/// Where the labels end: a brace inside quotes is none.
fn labels_end(text: &str) -> Option<usize> {
    let (mut quoted, mut escaped) = (false, false);
    for (at, it) in text.char_indices() {
        match it {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '}' if !quoted => return Some(at),
            _ => {}
        }
    }
    None
}

fn label<'a>(labels: &'a str, name: &str) -> Option<&'a str> {
    let mark = format!("{name}=\"");
    let start = labels
        .match_indices(&mark)
        .map(|it| it.0)
        .find(|it| labels[..*it].chars().next_back().is_none_or(|it| it == ',' || it == ' '))?;
    labels[start + mark.len()..].split('"').next()
}
