//! hey: a row for each request, and the report.

use crate::import::{
    Format, Found, Head, Lines, Series, Shape, Text, TimeUnit, Trouble,
    csv::{Row, Table, Titles},
    number::{number, share},
    samples::Samples,
};

pub(super) const FORMAT: Format = Format {
    key: "hey",
    name: "hey",
    shapes: &[
        Shape::Lines {
            knows: |head| head.first().starts_with("response-time,DNS+dialup"),
            open: rows,
        },
        Shape::Report { knows, read: report },
    ],
};

fn knows(head: &Head) -> bool {
    head.any(|it| it.starts_with("Slowest:") && it.contains("sec"))
}

fn rows(head: &Head) -> Box<dyn Lines> {
    Table::open(head, None, Samples::new(Some(TimeUnit::Milliseconds)), |titles: &Titles, row| {
        match titles.number(row, "response-time") {
            Some(seconds) => Row::Sample(String::new(), seconds * 1e3),
            None => Row::Wrong("a number of seconds under response-time"),
        }
    })
}

/// `99% in 0.1994 secs`; some versions print `%%`.
fn report(text: &Text) -> Result<Found, Trouble> {
    let mut series = Series::named("", TimeUnit::Milliseconds);
    let mut counted = 0.0;
    for line in text.lines() {
        let words: Vec<&str> = line.text.split_whitespace().collect();
        match words[..] {
            ["Slowest:", seconds, ..] => series.max = number(seconds).map(|it| it * 1e3),
            ["Fastest:", seconds, ..] => series.min = number(seconds).map(|it| it * 1e3),
            ["Average:", seconds, ..] => series.mean = number(seconds).map(|it| it * 1e3),
            [at, "in", seconds, "secs" | "secs."] => {
                let expected = || Trouble::at(&line, "a percentile such as 99% in 0.1994 secs");
                let share = share(&at.replace("%%", "%")).ok_or_else(expected)?;
                series.add(share, number(seconds).ok_or_else(expected)? * 1e3);
            }
            [edge, count, ..] if count.starts_with('[') && number(edge).is_some() => {
                counted += number(count.trim_matches(['[', ']'])).unwrap_or(0.0);
            }
            _ => {}
        }
    }
    series.count = Some(counted).filter(|it| 0.0 < *it);
    if series.own.is_empty() {
        return Err(Trouble::new(
            "There is no latency distribution in the report: no request was answered.",
        ));
    }
    Ok(Found::of(vec![series]))
}
