//! fio's JSON: completion latencies by job and direction.

use serde_json::Value;

use crate::import::{Format, Found, Series, Shape, TimeUnit, Trouble, json, number::number};

pub(super) const FORMAT: Format =
    Format { key: "fio", name: "fio", shapes: &[Shape::Document { knows, read }] };

const DIRECTIONS: [&str; 4] = ["read", "write", "trim", "sync"];
/// Since version 3 in nanoseconds, before in microseconds. Completion first: it is what all versions have.
const LATENCIES: [(&str, f64); 4] =
    [("clat_ns", 1e-6), ("clat", 1e-3), ("lat_ns", 1e-6), ("lat", 1e-3)];

fn knows(value: &Value) -> bool {
    value.get("fio version").is_some()
        || json::list(value, "jobs").iter().any(|it| it.get("jobname").is_some())
}

fn read(value: &Value) -> Result<Found, Trouble> {
    let mut found = Found::default();
    for job in json::list(value, "jobs").iter().chain(json::list(value, "client_stats")) {
        let name = job.get("jobname").and_then(Value::as_str).unwrap_or_default();
        for direction in DIRECTIONS {
            let Some(of) = job.get(direction) else { continue };
            let list = LATENCIES.iter().filter_map(|(key, ms)| Some((of.get(key)?, *ms)));
            let mut list =
                list.map(|(latency, ms)| series(format!("{name} {direction}"), latency, ms));
            let Some(mut series) = list.find(|it| !it.is_empty()) else { continue };
            let done = json::at(of, &["total_ios"]);
            series.count = series.count.or(done);
            if done == Some(0.0) || series.count == Some(0.0) {
                continue;
            }
            found.series.push(series);
        }
    }
    if found.series.is_empty() {
        return Err(Trouble::new(
            "No job of the file has percentiles: expected clat_ns.percentile in a direction.",
        ));
    }
    Ok(found)
}

fn series(name: String, latency: &Value, ms: f64) -> Series {
    let at = |key| json::at(latency, &[key]).map(|it| it * ms);
    let mut bins: Vec<(f64, u64)> = Vec::new();
    for (key, count) in json::pairs(latency, &["bins"]) {
        bins.extend(number(key).zip(count.as_u64()).map(|it| (it.0 * ms, it.1)));
    }
    let mut series = if bins.is_empty() { Series::default() } else { Series::of_counts("", &bins) };
    series.name = name;
    series.unit = Some(TimeUnit::Milliseconds);
    for (key, value) in json::pairs(latency, &["percentile"]) {
        if let (Some(percent), Some(value)) = (number(key), value.as_f64())
            && (0.0..=100.0).contains(&percent)
            && 0.0 < value
        {
            series.add(percent / 100.0, value * ms);
        }
    }
    series.sort();
    (series.mean, series.min, series.max) = (at("mean"), at("min"), at("max"));
    series.count = json::at(latency, &["N"]).filter(|it| 0.0 < *it).or(series.count);
    series
}
