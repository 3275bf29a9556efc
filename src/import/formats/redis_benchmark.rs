//! redis-benchmark: a CSV row for each command, and the text with a distribution for each.

use crate::import::{
    Format, Found, Series, Shape, Text, TimeUnit, Trouble,
    csv::{Titles, fields},
    number::{number, share},
};

pub(super) const FORMAT: Format = Format {
    key: "redis-benchmark",
    name: "redis-benchmark",
    shapes: &[
        Shape::Report { knows: |head| head.first().starts_with("\"test\",\"rps\""), read: table },
        Shape::Report {
            knows: |head| head.any_has("<= ") && head.any_has("(cumulative count"),
            read: report,
        },
        Shape::Report { knows: |head| head.any(is_bare), read: bare },
    ],
};

/// `"SET","36697.25"`: what versions before 6.2 write.
fn is_bare(line: &str) -> bool {
    let row = fields(line, ',');
    let name = row[0].starts_with(|it: char| it.is_ascii_alphabetic());
    line.starts_with('"') && row.len() == 2 && name && number(&row[1]).is_some()
}

fn bare(_: &Text) -> Result<Found, Trouble> {
    Err(Trouble::new(
        "Line 1: expected latencies beside the rates, found rates only: redis-benchmark writes them since version 6.2.",
    ))
}

fn table(text: &Text) -> Result<Found, Trouble> {
    let mut lines = text.lines();
    let titles = Titles::new(lines.next().map_or("", |it| it.text), ',');
    let mut found = Found::default();
    for line in lines.filter(|it| it.text.starts_with('"')) {
        let row = fields(line.text, ',');
        let at = |title: &str| titles.number(&row, title);
        let mut series = Series::named(titles.field(&row, "test"), TimeUnit::Milliseconds);
        for title in titles.iter() {
            let percent = title
                .strip_prefix('p')
                .and_then(|it| it.strip_suffix("_latency_ms"))
                .and_then(number);
            let Some(percent) = percent else { continue };
            let ms = at(title)
                .ok_or_else(|| Trouble::at(&line, "milliseconds under each percentile"))?;
            series.add(percent / 100.0, ms);
        }
        series.mean = at("avg_latency_ms");
        (series.min, series.max) = (at("min_latency_ms"), at("max_latency_ms"));
        found.series.push(series);
    }
    Ok(found)
}

/// `50.000% <= 0.135 milliseconds (cumulative count 25763)`, twice for each command: finely, and by buckets.
fn report(text: &Text) -> Result<Found, Trouble> {
    let mut list: Vec<Series> = Vec::new();
    let mut name = String::new();
    let mut fine = false;
    for line in text.lines() {
        let words: Vec<&str> = line.text.split_whitespace().collect();
        match words[..] {
            ["======", ref title @ .., "======"] => name = title.join(" "),
            [title, ref rest @ ..]
                if title.ends_with(':')
                    && rest.first().is_some_and(|it| it.starts_with("rps=")) =>
            {
                title.trim_end_matches(':').clone_into(&mut name);
            }
            ["Latency", "by", "percentile", ..] => {
                fine = true;
                list.push(Series::named(name.clone(), TimeUnit::Milliseconds));
            }
            ["Cumulative", "distribution", ..] => fine = false,
            [at, "<=", ms, "milliseconds", "(cumulative", "count", count] if fine => {
                let Some(series) = list.last_mut() else { continue };
                let expected = || Trouble::at(&line, "a per cent, milliseconds and a count");
                share(at).ok_or_else(expected)?;
                let ms = number(ms).ok_or_else(expected)?;
                let count = number(count.trim_end_matches(')')).ok_or_else(expected)?;
                // The count tells more than the per cent, which has three digits.
                series.points.push((count, ms));
            }
            _ => {}
        }
    }
    for series in &mut list {
        let total = series.points.iter().map(|it| it.0).fold(0.0, f64::max);
        series.count = Some(total);
        series.points.iter_mut().for_each(|it| it.0 /= total.max(1.0));
    }
    summaries(text, &mut list);
    list.retain(|it| 0.0 < it.count.unwrap_or(0.0));
    Ok(Found::of(list))
}

/// The percentiles of the summary below each distribution, in the same order.
fn summaries(text: &Text, list: &mut [Series]) {
    let mut list = list.iter_mut();
    let mut lines = text.lines();
    while lines.any(|it| it.text.starts_with("latency summary")) {
        let (Some(titles), Some(values), Some(series)) = (lines.next(), lines.next(), list.next())
        else {
            return;
        };
        for (title, value) in
            std::iter::zip(titles.text.split_whitespace(), values.text.split_whitespace())
        {
            let Some(ms) = number(value) else { continue };
            match title {
                "avg" => series.mean = Some(ms),
                "min" => series.min = Some(ms),
                "max" => series.max = Some(ms),
                _ => {
                    let share = title.strip_prefix('p').and_then(number).map(|it| it / 100.0);
                    series.own.extend(share.map(|it| (it, ms)));
                    series.points.extend(share.map(|it| (it, ms)));
                }
            }
        }
    }
}
