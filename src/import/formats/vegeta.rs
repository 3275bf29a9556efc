//! vegeta: the text report, JSON, the table of a histogram, and the table for `HdrHistogram` plots.

use serde_json::Value;

use super::hgrm;
use crate::import::{
    Format, Found, Head, Series, Shape, Text, TimeUnit, Trouble, json,
    number::{number, span_ms},
};

pub(super) const FORMAT: Format = Format {
    key: "vegeta",
    name: "vegeta",
    shapes: &[
        Shape::Report { knows: |head| head.any(is_latencies), read: report },
        Shape::Report { knows: knows_plot, read: plot },
        Shape::Report {
            knows: |head| head.first().starts_with("Bucket") && head.first().contains('#'),
            read: table,
        },
        Shape::Document {
            knows: |it| json::at(it, &["latencies", "mean"]).is_some(),
            read: document,
        },
    ],
};

fn is_latencies(line: &str) -> bool {
    line.starts_with("Latencies") && line.contains('[') && line.contains("mean")
}

fn knows_plot(head: &Head) -> bool {
    head.any(|it| it.starts_with("Value(ms)") && hgrm::is_header(it))
}

/// `Latencies  [min, mean, 50, 90, 95, 99, max]  90ms, 113ms, ..`; older ones lack some.
fn report(text: &Text) -> Result<Found, Trouble> {
    let mut series = Series::named("", TimeUnit::Milliseconds);
    for line in text.lines() {
        let Some((titles, values)) = line.text.split_once('[').and_then(|it| it.1.split_once(']'))
        else {
            continue;
        };
        let mut pairs = std::iter::zip(titles.split(','), values.split(','));
        if line.text.starts_with("Requests") {
            series.count = pairs.find(|it| it.0.trim() == "total").and_then(|it| number(it.1));
        }
        if !is_latencies(line.text) {
            continue;
        }
        for (title, value) in pairs {
            let ms = span_ms(value).ok_or_else(|| Trouble::at(&line, "times such as 1m2.5s"))?;
            match title.trim() {
                "min" => series.min = Some(ms),
                "mean" => series.mean = Some(ms),
                "max" => series.max = Some(ms),
                percent => {
                    let percent = number(percent)
                        .filter(|it| (0.0..=100.0).contains(it))
                        .ok_or_else(|| Trouble::at(&line, "percentiles such as 99"))?;
                    series.add(percent / 100.0, ms);
                }
            }
        }
    }
    Ok(Found::of(vec![series]))
}

/// Its last rows claim more than there were requests to tell, and the count of its third column is made up.
fn plot(text: &Text) -> Result<Found, Trouble> {
    hgrm::spectrum(text.lines(), Some(TimeUnit::Milliseconds))
}

/// `[0s,  1ms]  40  40.00%  ####`: where each bucket ends, and how many lie in it.
fn table(text: &Text) -> Result<Found, Trouble> {
    let mut ends = Vec::new();
    let mut below = 0.0;
    for line in text.lines().skip(1) {
        let expected = || Trouble::at(&line, "a bucket such as [0s, 1ms] and a count");
        let (edges, rest) =
            line.text.strip_prefix('[').and_then(|it| it.split_once(']')).ok_or_else(expected)?;
        let count = rest.split_whitespace().next().and_then(number).ok_or_else(expected)?;
        let end = edges.split_once(',').ok_or_else(expected)?.1.trim();
        below += count;
        if !end.contains("Inf") {
            ends.push((span_ms(end).ok_or_else(expected)?, below));
        }
    }
    let mut series = Series::of_buckets("", &ends, below);
    series.unit = Some(TimeUnit::Milliseconds);
    Ok(Found::of(vec![series]))
}

fn document(value: &Value) -> Result<Found, Trouble> {
    let ns = |key: &str| json::at(value, &["latencies", key]);
    let mut series = Series::named("", TimeUnit::Milliseconds);
    for (key, _) in json::pairs(value, &["latencies"]) {
        let percent = key.trim_end_matches(|it: char| it.is_ascii_alphabetic());
        if percent != key
            && let (Some(percent), Some(ns)) = (number(percent), ns(key))
            && (0.0..=100.0).contains(&percent)
        {
            series.add(percent / 100.0, ns / 1e6);
        }
    }
    series.sort();
    let ms = |key| ns(key).map(|it| it / 1e6);
    (series.mean, series.min, series.max) = (ms("mean"), ms("min"), ms("max"));
    series.count = json::at(value, &["requests"]);
    series.counted = buckets_total(value);
    Ok(Found::of(vec![series]))
}

fn buckets_total(value: &Value) -> Option<f64> {
    let total: f64 = json::pairs(value, &["buckets"]).filter_map(|it| it.1.as_f64()).sum();
    (0.0 < total).then_some(total)
}
