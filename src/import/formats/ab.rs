//! `ApacheBench`: the report, its table of percentiles as CSV (`-e`) and a row for each request (`-g`).

use crate::import::{
    Format, Found, Head, Lines, Series, Shape, Text, TimeUnit, Trouble,
    csv::{Row, Table, Titles},
    number::{number, share},
    samples::Samples,
};

pub(super) const FORMAT: Format = Format {
    key: "ab",
    name: "ApacheBench",
    shapes: &[
        Shape::Report {
            knows: |head| head.first().starts_with("Percentage served,Time in ms"),
            read: percentages,
        },
        Shape::Lines {
            knows: |head| head.first().starts_with("starttime\tseconds\tctime"),
            open: rows,
        },
        Shape::Report { knows, read: report },
    ],
};

fn knows(head: &Head) -> bool {
    head.any_starts("This is ApacheBench")
        || head.any_starts("Percentage of the requests served within")
}

fn percentages(text: &Text) -> Result<Found, Trouble> {
    let mut series = Series::named("", TimeUnit::Milliseconds);
    for line in text.lines().skip(1) {
        let pair = line.text.split_once(',').and_then(|it| Some((number(it.0)?, number(it.1)?)));
        let (percent, ms) = pair
            .filter(|it| (0.0..=100.0).contains(&it.0) && 0.0 <= it.1)
            .ok_or_else(|| Trouble::at(&line, "a per cent and milliseconds"))?;
        match percent {
            0.0 => series.min = Some(ms),
            100.0 => series.max = Some(ms),
            _ => series.add(percent / 100.0, ms),
        }
    }
    Ok(Found::of(vec![series]))
}

/// Rows stand in the order of the time they took, which does not matter here.
fn rows(head: &Head) -> Box<dyn Lines> {
    Table::open(head, None, Samples::new(Some(TimeUnit::Milliseconds)), |titles: &Titles, row| {
        match titles.number(row, "ttime") {
            Some(ms) => Row::Sample(String::new(), ms),
            None => Row::Wrong("a number of milliseconds under ttime"),
        }
    })
}

fn report(text: &Text) -> Result<Found, Trouble> {
    let mut series = Series::named("", TimeUnit::Milliseconds);
    for line in text.lines() {
        let words: Vec<&str> = line.text.split_whitespace().collect();
        match words[..] {
            ["Concurrency", "Level:", clients] => series.concurrency = number(clients),
            ["Complete", "requests:", count] => series.count = number(count).filter(|it| 0.0 < *it),
            ["Requests", "per", "second:", rate, ..] => series.per_second = number(rate),
            ["Time", "per", "request:", ms, "[ms]", "(mean)"] => series.mean = number(ms),
            ["Total:", min, .., max] if 5 <= words.len() => {
                (series.min, series.max) = (number(min), number(max));
            }
            [at, ms, ..] if at.ends_with('%') && words.len() <= 4 => {
                let expected = || Trouble::at(&line, "a percentile and whole milliseconds");
                let (share, ms) =
                    (share(at).ok_or_else(expected)?, number(ms).ok_or_else(expected)?);
                if share < 1.0 {
                    series.add(share, ms);
                } else {
                    series.max = Some(ms);
                }
            }
            _ => {}
        }
    }
    if series.own.iter().any(|it| it.1 == 0.0) {
        series.warnings.push(
            "Some percentiles are 0 ms: the report has whole milliseconds only; the files of -e and -g have more \
             digits."
                .to_owned(),
        );
    }
    if series.own.is_empty() {
        return Err(Trouble::new(
            "There are no percentiles in the report: ab writes them for more than one request.",
        ));
    }
    Ok(Found::of(vec![series]))
}
