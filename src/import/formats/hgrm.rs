//! The percentile text of `HdrHistogram`, `.hgrm`: `Value Percentile TotalCount 1/(1-Percentile)`.

use crate::import::{Format, Found, Head, Line, Series, Shape, TimeUnit, Trouble, number::number};

pub(super) const FORMAT: Format = Format {
    key: "hgrm",
    name: "HdrHistogram percentiles",
    shapes: &[Shape::Report { knows, read: |text| spectrum(text.lines(), None) }],
};

fn knows(head: &Head) -> bool {
    head.any(is_header) && !head.any_has("Value(ms)")
}

pub(super) fn is_header(line: &str) -> bool {
    let mut words = line.split_whitespace();
    words.next().is_some_and(|it| it.starts_with("Value")) && words.next() == Some("Percentile")
}

/// The rows after a header, up to whatever is no row, and the trailer.
pub(in crate::import) fn spectrum<'a>(
    lines: impl Iterator<Item = Line<'a>>,
    unit: Option<TimeUnit>,
) -> Result<Found, Trouble> {
    let mut series = Series { unit, ..Series::default() };
    let (mut rows, mut total) = (0, 0.0);
    let mut lines = lines.skip_while(|it| !is_header(it.text)).skip(1);
    let mut last_number = 0;
    for line in lines.by_ref() {
        last_number = line.number;
        if line.text.starts_with("#[") {
            trailer(line.text, &mut series);
            continue;
        }
        if line.text.starts_with('#') {
            continue;
        }
        let row: Vec<Option<f64>> = line.text.split_whitespace().map(number).collect();
        let [Some(value), Some(share), Some(count), inverse @ ..] = &row[..] else {
            // Other tools write on after the table.
            if rows == 0 || inside(line.text) {
                return Err(Trouble::at(&line, "value, percentile, count and 1/(1-percentile)"));
            }
            break;
        };
        rows += 1;
        total = count.max(total);
        // The second column has six digits, so that 0.999997 may stand for many shares; the fourth tells them apart.
        let share = match inverse.first() {
            Some(Some(inverse)) if 1.0 <= *inverse && 0.99 < *share => 1.0 - 1.0 / inverse,
            _ => *share,
        };
        match share {
            0.0 => series.min = Some(*value),
            1.0 => series.max = series.max.or(Some(*value)),
            _ if 0.0 < share && share < 1.0 => series.add(share, *value),
            _ => {}
        }
    }
    if rows == 0 {
        return Err(Trouble::new(format!(
            "Line {}: expected rows of value, percentile, count and 1/(1-percentile), found none.",
            last_number + 1
        )));
    }
    series.counted = Some(total).filter(|it| 0.0 < *it);
    series.count = series.count.or(series.counted);
    Ok(Found::of(vec![series]))
}

/// A line of the table that is not whole, rather than what comes after it.
fn inside(line: &str) -> bool {
    line.split_whitespace().all(|it| number(it).is_some() || matches!(it, "inf" | "-nan" | "nan"))
        && !line.contains("nan")
}

/// `#[Max     =      244.096, Total count    =          500]`
fn trailer(line: &str, series: &mut Series) {
    let inside = line.trim_start_matches("#[").trim_end_matches(']');
    for part in inside.split(',') {
        let Some((key, value)) = part.split_once('=') else { continue };
        let value = number(value);
        match key.trim() {
            "Mean" => series.mean = value,
            // One writer prints its p99 under this name.
            "Max" => series.max = value,
            "Total count" => series.count = value.filter(|it| 0.0 < *it),
            _ => {}
        }
    }
}
