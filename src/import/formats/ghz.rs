//! ghz: JSON in nanoseconds, with marks in seconds, and a row for each call.

use serde_json::Value;

use crate::import::{
    Format, Found, Head, Lines, Series, Shape, TimeUnit, Trouble,
    csv::{Row, Table, Titles},
    json,
    samples::Samples,
};

pub(super) const FORMAT: Format = Format {
    key: "ghz",
    name: "ghz",
    shapes: &[
        Shape::Lines { knows: |head| head.first().starts_with("duration (ms),status"), open: rows },
        Shape::Document { knows: |it| it.get("latencyDistribution").is_some(), read: document },
    ],
};

fn rows(head: &Head) -> Box<dyn Lines> {
    Table::open(head, None, Samples::new(Some(TimeUnit::Milliseconds)), |titles: &Titles, row| {
        match titles.number(row, "duration (ms)") {
            Some(ms) => Row::Sample(titles.field(row, "status").to_owned(), ms),
            None => Row::Wrong("a number of milliseconds under duration (ms)"),
        }
    })
}

fn document(value: &Value) -> Result<Found, Trouble> {
    let mut samples = Samples::new(Some(TimeUnit::Milliseconds));
    for it in json::list(value, "details") {
        if let Some(ns) = json::at(it, &["latency"]) {
            samples.add(String::new(), ns / 1e6);
        }
    }
    let of_samples = if samples.is_empty() { None } else { samples.found().series.pop() };
    let mut series = of_samples.unwrap_or_else(|| Series::named("", TimeUnit::Milliseconds));
    for it in json::list(value, "latencyDistribution") {
        if let (Some(percent), Some(ns)) =
            (json::at(it, &["percentage"]), json::at(it, &["latency"]))
            && (0.0..=100.0).contains(&percent)
            && 0.0 < ns
        {
            series.add(percent / 100.0, ns / 1e6);
        }
    }
    let ms = |key| json::at(value, &[key]).map(|it| it / 1e6).filter(|it| 0.0 < *it);
    series.mean = ms("average").or(series.mean);
    series.min = ms("fastest").or(series.min);
    series.max = ms("slowest").or(series.max);
    let count = json::at(value, &["count"]).filter(|it| 0.0 < *it);
    let histogram = json::list(value, "histogram").iter();
    let held: f64 = histogram.filter_map(|it| json::at(it, &["count"])).sum();
    series.counted = series.counted.or(Some(held).filter(|it| 0.0 < *it));
    series.count = count.or(series.counted);
    series.concurrency = json::at(value, &["options", "concurrency"])
        .or_else(|| json::at(value, &["options", "c"]))
        .filter(|it| 0.0 < *it);
    series.per_second = json::at(value, &["rps"]);
    if let (Some(count), Some(_)) = (count, (held != 0.0).then_some(held))
        && (held - count).abs() > 0.001 * count
    {
        series
            .warnings
            .push(format!("The file says {count} calls, but its histogram holds {held}."));
        series.counted = None;
    }
    Ok(Found::of(vec![series]))
}
