//! `memtier_benchmark`: a table with a distribution for each kind of request, and JSON.

use serde_json::Value;

use super::hlog;
use crate::import::{
    Format, Found, Head, Series, Shape, Text, TimeUnit, Trouble, json, number::number,
};
use crate::special::sort_by_number;

pub(super) const FORMAT: Format = Format {
    key: "memtier",
    name: "memtier_benchmark",
    shapes: &[
        Shape::Report { knows, read: report },
        Shape::Document { knows: |it| it.get("ALL STATS").is_some(), read: document },
    ],
};

const KINDS: [&str; 3] = ["Totals", "Gets", "Sets"];

fn knows(head: &Head) -> bool {
    head.any_starts("ALL STATS") || head.any(|it| it.starts_with("Type") && it.contains("<= msec"))
}

fn report(text: &Text) -> Result<Found, Trouble> {
    let mut list: Vec<Series> = Vec::new();
    let mut titles: Vec<String> = Vec::new();
    let mut distribution = false;
    for line in text.lines() {
        let words: Vec<&str> = line.text.split_whitespace().collect();
        match words[..] {
            ["Type", "<=", ..] => distribution = true,
            ["Type", ..] => {
                // Titles have spaces in them and stand two or more apart.
                titles = line
                    .text
                    .split("  ")
                    .map(|it| it.trim().to_owned())
                    .filter(|it| !it.is_empty())
                    .collect();
            }
            [kind, ms, percent] if distribution => {
                let (Some(ms), Some(percent)) = (number(ms), number(percent)) else { continue };
                if !(0.0..=100.0).contains(&percent) {
                    return Err(Trouble::at(&line, "milliseconds and a per cent up to 100"));
                }
                let share = percent / 100.0;
                series_of(&mut list, kind).points.push((share, ms));
            }
            [kind, ..] if !distribution && words.len() == titles.len() => {
                row(series_of(&mut list, kind), &titles, &words);
            }
            _ => {}
        }
    }
    list.iter_mut().for_each(finest);
    list.retain(|it| it.pairs().iter().any(|it| 0.0 < it.1));
    sort_by_number(&mut list, |it| f64::from(it.name != "TOTAL"));
    if list.is_empty() {
        return Err(Trouble::new(
            "There are no latencies in the file: expected rows of Type, <= msec and Percent.",
        ));
    }
    Ok(Found::of(list))
}

/// `Sets` of the table is `SET` of the distribution.
fn series_of<'a>(list: &'a mut Vec<Series>, kind: &str) -> &'a mut Series {
    let name = kind.trim_end_matches('s').to_ascii_uppercase();
    let at = list.iter().position(|it| it.name == name).unwrap_or_else(|| {
        list.push(Series::named(name, TimeUnit::Milliseconds));
        list.len() - 1
    });
    &mut list[at]
}

fn row(series: &mut Series, titles: &[String], words: &[&str]) {
    for (title, word) in std::iter::zip(titles, words) {
        // `---` and `-nan` are no numbers.
        let Some(value) = number(word) else { continue };
        let percent =
            title.strip_prefix('p').and_then(|it| it.strip_suffix(" Latency")).and_then(number);
        match percent {
            Some(percent) => series.add(percent / 100.0, value),
            None if title == "Avg. Latency" || title == "Latency" => series.mean = Some(value),
            None => {}
        }
    }
}

/// Per cents have three digits: of all times at one of them the least is within it, and those at 100.000 are beyond
/// what can be told, but for the last, which is the longest.
fn finest(series: &mut Series) {
    let points = std::mem::take(&mut series.points);
    series.max = points.iter().map(|it| it.1).reduce(f64::max);
    for (share, ms) in points {
        if share < 1.0 && series.points.last().is_none_or(|it: &(f64, f64)| it.0 < share) {
            series.points.push((share, ms));
        }
    }
}

fn document(value: &Value) -> Result<Found, Trouble> {
    let mut found = Found::default();
    let all = &value["ALL STATS"];
    let others = json::pairs(all, &[]).map(|it| it.0).filter(|it| !KINDS.contains(it));
    for kind in KINDS.into_iter().chain(others) {
        let Some(of) = all.get(kind).filter(|it| it.is_object()) else { continue };
        let mut series = Series::named(kind, TimeUnit::Milliseconds);
        for (key, value) in json::pairs(of, &["Percentile Latencies"]) {
            if key.starts_with("Histogram")
                && let Some(text) = value.as_str()
                && let Ok(histogram) = hlog::decode(text)
            {
                // These are microseconds, whatever the rest is.
                series = Series {
                    name: kind.to_owned(),
                    ..histogram.series().in_unit(TimeUnit::Microseconds)
                };
            }
        }
        for (key, value) in json::pairs(of, &["Percentile Latencies"]) {
            let percent =
                key.strip_prefix('p').and_then(number).filter(|it| (0.0..=100.0).contains(it));
            if let (Some(percent), Some(ms)) = (percent, value.as_f64()) {
                series.add(percent / 100.0, ms);
            }
        }
        series.sort();
        let at = |keys: [&str; 2]| keys.iter().find_map(|it| json::at(of, &[it]));
        series.mean = at(["Average Latency", "Latency"]);
        (series.min, series.max) = (at(["Min Latency", ""]), at(["Max Latency", ""]));
        series.count = at(["Count", ""]).filter(|it| 0.0 < *it).or(series.count);
        if series.pairs().iter().any(|it| 0.0 < it.1) {
            found.series.push(series);
        }
    }
    if found.series.is_empty() {
        return Err(Trouble::new("No kind of request in ALL STATS has percentiles."));
    }
    Ok(found)
}
