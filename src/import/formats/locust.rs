//! Locust: the table of statistics as CSV, and JSON with a count for each rounded time.

use serde_json::Value;

use crate::import::{
    Format, Found, Head, Series, Shape, Text, TimeUnit, Trouble,
    csv::{Titles, fields},
    json,
    number::{number, share},
};
use crate::special::sort_by_number;

pub(super) const FORMAT: Format = Format {
    key: "locust",
    name: "Locust",
    shapes: &[
        Shape::Report { knows, read },
        Shape::Document { knows: |it| !entries(it).is_empty(), read: document },
    ],
};

fn knows(head: &Head) -> bool {
    let titles = Titles::new(head.first(), ',');
    titles.has("request count") && titles.has("99%") && titles.has("name")
}

fn read(text: &Text) -> Result<Found, Trouble> {
    let mut lines = text.lines();
    let titles = Titles::new(lines.next().map_or("", |it| it.text), ',');
    let mut found = Found::default();
    for line in lines {
        let row = fields(line.text, ',');
        if row.len() < 8 {
            return Err(Trouble::at(&line, "a row of as many fields as the header"));
        }
        let name = format!("{} {}", titles.field(&row, "type"), titles.field(&row, "name"));
        let mut series = Series::named(name.trim(), TimeUnit::Milliseconds);
        for (title, text) in
            titles.iter().filter_map(|it| Some((share(it)?, titles.field(&row, it))))
        {
            // Of what was never asked it writes N/A.
            match number(text) {
                Some(ms) => series.add(title, ms),
                None if matches!(text, "N/A" | "") => {}
                None => return Err(Trouble::at(&line, "milliseconds under each per cent")),
            }
        }
        let at = |title| titles.number(&row, title);
        series.count = at("request count").filter(|it| 0.0 < *it);
        series.mean = at("average response time");
        (series.min, series.max) = (at("min response time"), at("max response time"));
        if series.own.iter().any(|it| 0.0 < it.1) {
            found.series.push(series);
        }
    }
    // The row of all requests is the last; it is the one that is most often wanted.
    let apart = |it: &Series| it.name != "Aggregated" && !it.name.ends_with(" Total");
    sort_by_number(&mut found.series, |it| f64::from(apart(it)));
    Ok(found)
}

fn entries(value: &Value) -> Vec<&Value> {
    let list = value.as_array().map_or_else(|| json::list(value, "stats"), Vec::as_slice);
    let total = value.get("stats_total").into_iter();
    total.chain(list).filter(|it| it.get("response_times").is_some_and(Value::is_object)).collect()
}

fn document(value: &Value) -> Result<Found, Trouble> {
    let text = |it: &Value, key| it.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let series = entries(value).into_iter().map(|it| {
        let counts = json::pairs(it, &["response_times"]).filter_map(|(key, count)| {
            Some((number(key)?, count.as_u64()?)).filter(|it| 0.0 <= it.0)
        });
        let name = format!("{} {}", text(it, "method"), text(it, "name")).trim().to_owned();
        let of = Series::of_counts(name, &counts.collect::<Vec<_>>());
        Series {
            unit: Some(TimeUnit::Milliseconds),
            count: json::at(it, &["num_requests"]).filter(|it| 0.0 < *it).or(of.count),
            min: json::at(it, &["min_response_time"]).or(of.min),
            max: json::at(it, &["max_response_time"]).or(of.max),
            ..of
        }
    });
    Ok(Found::of(series.collect()))
}
