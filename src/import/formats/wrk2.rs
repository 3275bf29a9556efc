//! wrk2 `--latency`: a summary, and a spectrum in milliseconds which is the one to trust.

use super::{hgrm, wrk};
use crate::import::{Format, Found, Head, Shape, Text, TimeUnit, Trouble};

pub(super) const FORMAT: Format =
    Format { key: "wrk2", name: "wrk2", shapes: &[Shape::Report { knows, read }] };

fn knows(head: &Head) -> bool {
    head.any_has("Latency Distribution (HdrHistogram")
        || head.any_has("Detailed Percentile spectrum")
}

fn read(text: &Text) -> Result<Found, Trouble> {
    let summary = wrk::summary(text, true)?;
    if !text.lines().any(|it| hgrm::is_header(it.text)) {
        return Ok(Found::of(vec![summary]));
    }
    let mut found = hgrm::spectrum(text.lines(), Some(TimeUnit::Milliseconds))?;
    for series in &mut found.series {
        // The spectrum becomes the law, and the summary stands beside it.
        series.points = std::mem::take(&mut series.own);
        series.own.clone_from(&summary.own);
        series.max =
            series.points.last().map(|it| it.1).into_iter().chain(series.max).reduce(f64::max);
    }
    Ok(found)
}
