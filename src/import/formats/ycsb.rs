//! YCSB: a line for each number, by operation.

use crate::import::{Format, Found, Head, Series, Shape, Text, TimeUnit, Trouble, number::number};

pub(super) const FORMAT: Format =
    Format { key: "ycsb", name: "YCSB", shapes: &[Shape::Report { knows, read }] };

fn knows(head: &Head) -> bool {
    head.any(|it| it.starts_with("[OVERALL],") || it.contains("], AverageLatency(us),"))
}

#[derive(Default)]
struct Operation {
    series: Series,
    /// Whole milliseconds and how many answers took them.
    buckets: Vec<(f64, f64)>,
    beyond: f64,
}

fn read(text: &Text) -> Result<Found, Trouble> {
    let mut operations: Vec<(String, Operation)> = Vec::new();
    for line in text.lines().filter(|it| it.text.starts_with('[')) {
        let fields: Vec<&str> = line.text.splitn(3, ',').map(str::trim).collect();
        let [name, key, value] = fields[..] else { continue };
        let name = name.trim_matches(['[', ']']);
        // Failed ones are told apart by some versions; cleaning up is no operation.
        if matches!(name, "OVERALL" | "CLEANUP")
            || name.starts_with("TOTAL_GC")
            || key.starts_with("Return")
        {
            continue;
        }
        let value =
            number(value).ok_or_else(|| Trouble::at(&line, "a number after the second comma"))?;
        let at = operations.iter().position(|it| it.0 == name).unwrap_or_else(|| {
            operations.push((name.to_owned(), Operation::default()));
            operations.len() - 1
        });
        take(&mut operations[at].1, key, value);
    }
    let mut found = Found::default();
    for (name, it) in operations {
        found.series.extend(it.finish(name));
    }
    Ok(found)
}

fn take(it: &mut Operation, key: &str, value: f64) {
    let series = &mut it.series;
    let (what, unit) = key.split_once('(').unwrap_or((key, "us)"));
    let ms = value * if unit.starts_with("ms") { 1.0 } else { 1e-3 };
    match what {
        "Operations" => series.count = Some(value).filter(|it| 0.0 < *it),
        "AverageLatency" => series.mean = Some(ms),
        "MinLatency" => series.min = Some(ms),
        "MaxLatency" => series.max = Some(ms),
        _ => {
            let percent = what
                .strip_suffix("PercentileLatency")
                .map(|it| it.trim_end_matches(|it: char| it.is_ascii_alphabetic()));
            if let Some(share) = percent.and_then(percentile) {
                series.add(share, ms);
            } else if key.starts_with('>') {
                it.beyond += value.max(0.0);
            } else if let Ok(bucket) = key.parse::<u32>() {
                it.buckets.push((f64::from(bucket), value.max(0.0)));
            }
        }
    }
}

/// `99.9`, and `999` where the point is left out.
fn percentile(text: &str) -> Option<f64> {
    let value = number(text)?;
    let value = if 100.0 < value {
        number(&format!("{}.{}", text.get(..2)?, text.get(2..)?))?
    } else {
        value
    };
    (0.0..=100.0).contains(&value).then_some(value / 100.0)
}

impl Operation {
    fn finish(self, name: String) -> Option<Series> {
        let Operation { mut series, buckets, beyond } = self;
        (series.name, series.unit) = (name, Some(TimeUnit::Milliseconds));
        let counted = buckets.iter().map(|it| it.1).sum::<f64>() + beyond;
        if 0.0 < counted && counted.is_finite() {
            series.counted = Some(counted);
            let mut below = 0.0;
            let mut ends = Vec::new();
            for (ms, count) in buckets {
                below += count;
                // Bucket 0 holds all that took less than a millisecond.
                ends.push((below / counted, ms + 1.0));
            }
            series.points = ends;
            if series.min.is_some_and(|it| it < 1.0) {
                series.warnings.push(
                    "Buckets are a millisecond wide: shorter times are not told apart.".to_owned(),
                );
            }
        }
        if let (Some(mean), Some(last)) = (series.mean, series.own.last())
            && last.1 < mean
        {
            series.warnings.push(
                "The mean is above the last percentile: a few answers took very long, and the percentiles do not show \
                 them."
                    .to_owned(),
            );
        }
        (!series.is_empty() && series.count != Some(0.0)).then_some(series)
    }
}
