//! oha: JSON in seconds, and a row for each request.

use serde_json::Value;

use crate::import::{
    Format, Found, Head, Lines, Series, Shape, TimeUnit, Trouble,
    csv::{Row, Table, Titles},
    json,
    number::number,
    samples::Samples,
};

pub(super) const FORMAT: Format = Format {
    key: "oha",
    name: "oha",
    shapes: &[
        Shape::Lines {
            knows: |head| {
                head.first().starts_with("request-start")
                    && head.first().contains("request-duration")
            },
            open: rows,
        },
        Shape::Document { knows: |it| it.get("latencyPercentiles").is_some(), read: document },
    ],
};

fn rows(head: &Head) -> Box<dyn Lines> {
    Table::open(head, None, Samples::new(Some(TimeUnit::Milliseconds)), |titles: &Titles, row| {
        match titles.number(row, "request-duration") {
            Some(seconds) => Row::Sample(String::new(), seconds * 1e3),
            None => Row::Wrong("a number of seconds under request-duration"),
        }
    })
}

fn document(value: &Value) -> Result<Found, Trouble> {
    let list = [
        ("latencyPercentiles", "responseTimeHistogram", "all"),
        ("latencyPercentilesSuccessful", "responseTimeHistogramSuccessful", "successful"),
    ];
    let mut found = Found::default();
    for (percentiles, histogram, name) in list {
        let mut series = Series::named(name, TimeUnit::Milliseconds);
        for (key, value) in json::pairs(value, &[percentiles]) {
            if let (Some(percent), Some(seconds)) =
                (key.strip_prefix('p').and_then(number), value.as_f64())
            {
                series.add((percent / 100.0).clamp(0.0, 1.0), seconds * 1e3);
            }
        }
        if series.own.is_empty() {
            continue;
        }
        series.sort();
        let counted: f64 = json::pairs(value, &[histogram]).filter_map(|it| it.1.as_f64()).sum();
        series.count = Some(counted).filter(|it| 0.0 < *it);
        if name == "all" {
            let ms = |key| json::at(value, &["summary", key]).map(|it| it * 1e3);
            (series.mean, series.min, series.max) = (ms("average"), ms("fastest"), ms("slowest"));
        }
        found.series.push(series);
    }
    if found.series.is_empty() {
        return Err(Trouble::new("All percentiles of the file are null: no request was answered."));
    }
    Ok(found)
}
