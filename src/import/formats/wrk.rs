//! wrk `--latency`: four percentiles, each with its unit.

use crate::import::{
    Format, Found, Head, Series, Shape, Text, TimeUnit, Trouble,
    number::{number, share, span_ms},
};

pub(super) const FORMAT: Format = Format {
    key: "wrk",
    name: "wrk",
    shapes: &[Shape::Report { knows, read: |text| Ok(Found::of(vec![summary(text, false)?])) }],
};

fn knows(head: &Head) -> bool {
    head.any(|it| it.starts_with("Thread Stats") && it.contains("Avg"))
        || head.any_starts("Latency Distribution")
}

/// The percentiles and what stands around them. wrk2 sends at a rate of its own, so that Little's law says nothing.
pub(super) fn summary(text: &Text, open: bool) -> Result<Series, Trouble> {
    let mut series = Series::named("", TimeUnit::Milliseconds);
    let (mut failed, mut unusable) = (false, None);
    for line in text.lines() {
        let words: Vec<&str> = line.text.split_whitespace().collect();
        match words[..] {
            ["Latency", mean, _, max, ..] if !line.text.contains("Distribution") => {
                (series.mean, series.max) = (span_ms(mean), span_ms(max));
            }
            [_, "threads", "and", clients, ..] if !open => series.concurrency = number(clients),
            ["Requests/sec:", rate] if !open => series.per_second = number(rate),
            [count, "requests", "in", ..] => series.count = number(count),
            ["Socket", "errors:", ..] | ["Non-2xx", ..] => failed = true,
            [at, time] => {
                let Some(share) = share(at) else { continue };
                match span_ms(time) {
                    Some(ms) => series.add(share, ms),
                    None if time.contains("nan") => {}
                    None => {
                        unusable.get_or_insert_with(|| {
                            Trouble::at(&line, "a percentile and a time such as 5.23ms")
                        });
                    }
                }
            }
            _ => {}
        }
    }
    if failed {
        series.warnings.push("Some requests failed; their times are among the others.".to_owned());
    }
    match unusable {
        Some(trouble) => Err(trouble),
        None if series.own.is_empty() => Err(Trouble::new(
            "There are no percentiles in the file: wrk writes them when it is started with --latency.",
        )),
        None => Ok(series),
    }
}
