//! What is shown where queues grow for ever, in place of percentiles.

use super::{Growth, Seen, latency_figures::axis};
use crate::{
    format::short,
    report::{
        AxisScale, Cell, Column, Figure, Label, Meaning, Quantity, Series, Side, Size, Table, Trace,
    },
};

/// How queues grow that have no steady state: their mean length over time, section by section.
///
/// `surplus` is how many more come to a server each second than it can serve, where theory says how that piles up.
pub(super) fn growth(counts: Growth, servers: u32, surplus: f64, seen: &Seen) -> Figure {
    let simulated = lengths(counts, servers, seen);
    let (start, length) = simulated.first().copied().unwrap_or((0.0, 0.0));
    let end = simulated.last().map_or(1.0, |it| it.0);
    let mut series = Vec::new();
    if 0.0 < surplus {
        series.push(Series {
            meaning: Meaning::Reference,
            trace: Trace::Exact,
            label: Label::new("what comes less what can be served")
                .short("surplus")
                .side(Side::Above),
            points: vec![(start, length), (end, length + surplus * (end - start))],
        });
    }
    let top = series.iter().flat_map(|it| &it.points).chain(&simulated).map(|it| it.1);
    let top = top.fold(1.0, f64::max) * 1.1;
    let row = |(seconds, length): &(f64, f64)| {
        vec![
            Cell::number(Quantity::Seconds, Some(*seconds)),
            Cell::number(Quantity::Plain, Some(*length)),
        ]
    };
    let table = Table {
        columns: vec![Column::new("time"), Column::new("waiting at a server")],
        rows: simulated.iter().map(row).collect(),
    };
    let caption = match (simulated.first(), simulated.last()) {
        (Some(first), Some(last)) => format!(
            "From {} to {} requests wait at a server, and more would if the run were longer: there is no percentile to \
             tell.",
            short(Quantity::Plain, first.1),
            short(Quantity::Plain, last.1)
        ),
        _ => "Nothing was measured before the run had to be stopped.".to_owned(),
    };
    series.push(Series {
        meaning: Meaning::This,
        trace: Trace::Simulated,
        label: Label::new("waiting").side(Side::Below),
        points: simulated,
    });
    Figure {
        key: "growth",
        title: "The queues grow".to_owned(),
        caption,
        size: Size::Main,
        x: axis("time since the warm-up", AxisScale::Linear, Quantity::Seconds, 0.0, end),
        y: axis("waiting at a server", AxisScale::Linear, Quantity::Plain, 0.0, top),
        series,
        table,
        ..Figure::default()
    }
}

/// Seconds since the warm-up, at the middle of each section, and how many waited at a server: over all runs.
fn lengths(counts: Growth, servers: u32, seen: &Seen) -> Vec<(f64, f64)> {
    // Of each section: runs, sum of times, sum of lengths.
    let mut sums: Vec<(f64, f64, f64)> = Vec::new();
    let Some(meter) = seen.meter else { return Vec::new() };
    let (mut run, mut at, mut seconds) = (None, 0, 0.0);
    for (replication, section) in meter.sections() {
        if run != Some(replication) {
            (run, at, seconds) = (Some(replication), 0, 0.0);
        }
        let capacity = section.counted(counts.capacity) as f64;
        let span = capacity / f64::from(servers) / 1e6;
        if sums.len() == at {
            sums.push((0.0, 0.0, 0.0));
        }
        let sum = &mut sums[at];
        sum.0 += 1.0;
        sum.1 += seconds + 0.5 * span;
        sum.2 += section.counted(counts.waiting) as f64 / capacity.max(1.0);
        seconds += span;
        at += 1;
    }
    sums.into_iter().map(|(runs, seconds, length)| (seconds / runs, length / runs)).collect()
}
