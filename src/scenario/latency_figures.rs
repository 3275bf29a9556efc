//! The two figures that every latency has: by percentile, and as a distribution.

use super::Seen;
use crate::{
    format::{percentile, reading},
    report::{
        Axis, AxisScale, Bound, Cell, Column, Figure, Label, Mark, Meaning, Point, Quantity,
        Series, Side, Size, Table, Trace,
    },
    sim::Histogram,
    theory::Law,
};

/// One latency to draw. The last line of a figure is the one that it is about.
pub(super) struct Line {
    /// Of its exact law, and of its measures.
    pub name: &'static str,
    /// In the meter; `None` for what is not simulated.
    pub latency: Option<usize>,
    pub meaning: Meaning,
    pub label: String,
}

/// The percentiles that have a dot and a row.
const SHARES: [f64; 6] = [0.5, 0.9, 0.95, 0.99, 0.999, 0.9999];
/// So many answers have to lie beyond the end of a simulated curve.
const BEYOND_MIN: f64 = 10.0;
/// Points of a simulated curve.
const POINTS: u32 = 96;
/// Bins of a distribution in a decade.
const BINS_A_DECADE: f64 = 20.0;
const BINS_MAX: i32 = 160;

pub(super) fn axis(name: &str, scale: AxisScale, quantity: Quantity, from: f64, to: f64) -> Axis {
    Axis { name: name.to_owned(), scale, quantity, from, to }
}

/// Latency against percentile, on an axis where every further nine takes the same room.
pub(super) fn percentiles(lines: &[Line], seen: &Seen, deadline_ms: f64) -> Figure {
    let mut series = Vec::new();
    let mut points = Vec::new();
    for line in lines {
        let simulated = simulated_curve(line, seen);
        let exact = exact_curve(line, seen);
        let label = Label::new(&line.label).side(Side::Above);
        let has_both = !simulated.is_empty() && !exact.is_empty();
        if !simulated.is_empty() {
            let trace = Trace::Simulated;
            series.push(Series {
                meaning: line.meaning,
                trace,
                label: label.clone(),
                points: simulated,
            });
        }
        if !exact.is_empty() {
            let trace = if has_both { Trace::ExactOver } else { Trace::Exact };
            let label = if has_both { Label::default() } else { label };
            series.push(Series { meaning: line.meaning, trace, label, points: exact });
        }
    }
    if let Some(line) = lines.last() {
        points = percentile_points(line, seen);
    }
    let (from, to) = latency_range(&series, deadline_ms);
    Figure {
        key: "percentiles",
        title: "What the percentiles say".to_owned(),
        caption: percentiles_caption(lines, seen),
        size: Size::Pair,
        x: axis("", AxisScale::Nines, Quantity::Percentile, 0.5, 0.9999),
        y: axis("latency, log scale", AxisScale::Log, Quantity::Latency, from, to),
        bounds: deadline(deadline_ms, from, to, false),
        table: percentile_table(lines, seen),
        series,
        points,
        ..Figure::default()
    }
}

fn histogram<'a>(line: &Line, seen: &'a Seen) -> Option<&'a Histogram<11>> {
    let histogram = &seen.meter?.latency(line.latency?).histogram;
    (histogram.total() > 0).then_some(histogram)
}

/// Thirty years.
const FOR_EVER_MS: f64 = 1e12;

/// As far as the data carries it.
fn simulated_curve(line: &Line, seen: &Seen) -> Vec<(f64, f64)> {
    let Some(histogram) = histogram(line, seen) else { return Vec::new() };
    let last = 1.0 - (BEYOND_MIN + histogram.endless() as f64) / histogram.total() as f64;
    let span = libm::log10(0.5 / 1e-4);
    let share =
        |step: u32| 1.0 - 0.5 * libm::pow(10.0, -span * f64::from(step) / f64::from(POINTS));
    let shares: Vec<f64> = (0..=POINTS).map(share).filter(|it| *it <= last).collect();
    let points = std::iter::zip(shares.iter().copied(), histogram.quantiles_ms(&shares));
    points.filter(|it| it.1.is_finite()).collect()
}

fn exact_curve(line: &Line, seen: &Seen) -> Vec<(f64, f64)> {
    let Some(law) = seen.exact.law(line.name) else { return Vec::new() };
    let ends = [0.5, 0.9999].map(|share| law.quantile(share).map(|ms| (share, ms)));
    // What takes for ever has no place on the axis.
    let never = law.table().beyond(FOR_EVER_MS) * (1.0 + 1e-9);
    let rows =
        law.table().rows().iter().filter(|it| never < it.1).map(|(ms, tail)| (1.0 - tail, *ms));
    let inside = rows.filter(|(share, _)| 0.5 < *share && *share < 0.9999);
    ends[0].into_iter().chain(inside).chain(ends[1]).collect()
}

fn percentile_points(line: &Line, seen: &Seen) -> Vec<Point> {
    let measures =
        seen.measures.iter().filter(|it| it.name.starts_with(&format!("{}.p", line.name)));
    let point = |share: f64, value: f64, interval| Point {
        meaning: line.meaning,
        mark: Mark::Dot,
        x: share,
        y: value,
        interval,
        label: Label::default(),
    };
    let dots = std::iter::zip(SHARES, measures.clone());
    let dots =
        dots.filter_map(|(share, it)| Some(point(share, it.simulated?, it.low.zip(it.high))));
    let diamonds = std::iter::zip(SHARES, measures).filter_map(|(share, it)| {
        Some(Point {
            mark: Mark::Diamond,
            meaning: Meaning::Ink,
            ..point(share, it.published?, None)
        })
    });
    dots.chain(diamonds).collect()
}

/// From a little below what is drawn to a little above, the deadline included where it is not far off.
fn latency_range(series: &[Series], deadline_ms: f64) -> (f64, f64) {
    let values = || {
        series
            .iter()
            .flat_map(|it| &it.points)
            .map(|it| it.1)
            .filter(|it| it.is_finite() && 0.0 < *it)
    };
    let low = values().fold(f64::INFINITY, f64::min);
    let high = values().fold(0.0, f64::max);
    if high <= 0.0 {
        return (1.0, 1_000.0);
    }
    let low = if deadline_ms < low && low < 4.0 * deadline_ms { deadline_ms } else { low };
    let high = if high < deadline_ms && deadline_ms < 4.0 * high { deadline_ms } else { high };
    (low / 1.6, high * 1.9)
}

fn deadline(deadline_ms: f64, from: f64, to: f64, upright: bool) -> Vec<Bound> {
    if from < deadline_ms && deadline_ms < to {
        vec![Bound { upright, at: deadline_ms, label: "deadline".to_owned() }]
    } else {
        Vec::new()
    }
}

fn percentiles_caption(lines: &[Line], seen: &Seen) -> String {
    let best = |name: String| seen.best(&name).map(as_read);
    let first = lines.first().and_then(|it| best(format!("{}.p90", it.name)));
    let last = lines.last().and_then(|it| best(format!("{}.p50", it.name)));
    match (first, last, lines) {
        (Some(p90), Some(p50), [first, .., _]) => {
            format!("The p90 of {} is {p90}; the median of a request is {p50}.", first.label)
        }
        (_, Some(p50), _) => format!("Half of the requests take less than {p50}."),
        _ => String::new(),
    }
}

fn percentile_table(lines: &[Line], seen: &Seen) -> Table {
    let mut columns = vec![Column::new("percentile")];
    for line in lines.iter().rev() {
        if line.latency.is_some() {
            columns.push(Column { title: line.label.clone(), meaning: line.meaning });
        }
        columns.push(Column { title: format!("{}, exact", line.label), meaning: line.meaning });
    }
    let rows = SHARES.map(|share| {
        let name = percentile(share);
        let mut row = vec![Cell::Text(name.clone())];
        for line in lines.iter().rev() {
            if line.latency.is_some() {
                row.push(measured(seen, &format!("{}.{name}", line.name)));
            }
            row.push(Cell::number(Quantity::Latency, seen.exact.quantile_ms(line.name, share)));
        }
        row
    });
    Table { columns, rows: rows.to_vec() }
}

fn measured(seen: &Seen, name: &str) -> Cell {
    let Some(measure) = seen.measure(name) else { return Cell::Empty };
    match (measure.simulated, measure.low.zip(measure.high)) {
        (None, _) => Cell::Empty,
        (Some(value), Some((low, high))) if high - low > 0.5 * value => {
            Cell::Between { low, high, quantity: measure.quantity }
        }
        (Some(value), interval) => Cell::Number { value, interval, quantity: measure.quantity },
    }
}

/// The share of answers in each twentieth of a decade.
pub(super) fn distribution(lines: &[Line], seen: &Seen, deadline_ms: f64) -> Figure {
    let edges = bin_edges(lines, seen, deadline_ms);
    let mut series = Vec::new();
    let mut shares_by_line = Vec::new();
    for line in lines {
        let exact = exact_bins(line, seen, &edges);
        let simulated = histogram(line, seen).map(|it| simulated_bins(it, &edges));
        let trace = if simulated.is_some() { Trace::Steps } else { Trace::ExactSteps };
        let shares = simulated.or(exact).unwrap_or_default();
        let points =
            std::iter::zip(edges.iter().copied(), shares.iter().copied().chain([0.0])).collect();
        series.push(Series {
            meaning: line.meaning,
            trace,
            label: Label::new(&line.label).side(Side::Above),
            points,
        });
        shares_by_line.push(shares);
    }
    let top = shares_by_line.iter().flatten().copied().fold(0.0, f64::max);
    let (from, to) = (edges[0], edges[edges.len() - 1]);
    let main = shares_by_line.last().map_or(&[][..], |it| it);
    let (title, caption) = distribution_words(main, &edges, lines, seen);
    Figure {
        key: "distribution",
        title,
        caption,
        size: Size::Pair,
        x: axis("latency, log scale", AxisScale::Log, Quantity::Latency, from, to),
        y: axis(
            "share in each twentieth of a decade",
            AxisScale::Linear,
            Quantity::Share,
            0.0,
            (top * 1.12).clamp(0.01, 1.0),
        ),
        bounds: deadline(deadline_ms, from, to, true),
        table: distribution_table(lines, &shares_by_line, &edges),
        series,
        ..Figure::default()
    }
}

/// A twentieth of a decade wide, with an edge on the deadline.
fn bin_edges(lines: &[Line], seen: &Seen, deadline_ms: f64) -> Vec<f64> {
    let ends = lines.iter().flat_map(|line| {
        // Data may end before the last share that is drawn.
        [&[0.002][..], &[0.9995, 0.999, 0.99, 0.95, 0.9, 0.5]].map(|shares| {
            shares.iter().find_map(|&share| {
                let simulated = || histogram(line, seen).and_then(|it| it.quantile_ms(share));
                seen.exact.quantile_ms(line.name, share).or_else(simulated)
            })
        })
    });
    let ends: Vec<f64> = ends.flatten().filter(|it| it.is_finite() && 0.0 < *it).collect();
    let low = ends.iter().copied().fold(f64::INFINITY, f64::min).min(1e12);
    let high = ends.iter().copied().fold(0.0, f64::max).max(low * 1.2);
    // Where nothing is too late, any edge will do.
    let base_ms = if deadline_ms.is_finite() { deadline_ms } else { 1.0 };
    let step = |ms: f64| libm::log10(ms / base_ms) * BINS_A_DECADE;
    let first = libm::floor(step(low)) as i32;
    // A little air to the right, or the last heap would look cut off.
    let last = (libm::ceil(step(high)) as i32 + 4).clamp(first + 4, first + BINS_MAX);
    (first..=last).map(|it| base_ms * libm::pow(10.0, f64::from(it) / BINS_A_DECADE)).collect()
}

fn simulated_bins(histogram: &Histogram<11>, edges: &[f64]) -> Vec<f64> {
    let total = histogram.total() as f64;
    let beyond: Vec<f64> = edges.iter().map(|it| histogram.beyond_ms(*it) / total).collect();
    beyond.windows(2).map(|it| it[0] - it[1]).collect()
}

fn exact_bins(line: &Line, seen: &Seen, edges: &[f64]) -> Option<Vec<f64>> {
    let law = seen.exact.law(line.name)?;
    let beyond: Vec<f64> = edges.iter().map(|it| law.table().beyond(*it)).collect();
    Some(beyond.windows(2).map(|it| it[0] - it[1]).collect())
}

/// Two heaps with nothing between are said to be two.
fn distribution_words(
    shares: &[f64],
    edges: &[f64],
    lines: &[Line],
    seen: &Seen,
) -> (String, String) {
    let heaps = lines.last().zip(two_heaps(shares, edges));
    if let Some((line, (left_end, right_start))) = heaps
        && let Some([left, right]) = medians(line, seen, left_end, right_start)
    {
        let caption = format!(
            "A request takes about {left} or about {right}, and hardly ever anything between."
        );
        return ("Two kinds of request".to_owned(), caption);
    }
    let name = lines.last().map_or("", |it| it.name);
    let best = |part| seen.best(&format!("{name}.{part}")).map(as_read);
    let caption = match (best("p50"), best("p99")) {
        (Some(half), Some(late)) => format!(
            "Half of the requests take less than {half}, one in a hundred more than {late}."
        ),
        _ => String::new(),
    };
    ("How the answers spread".to_owned(), caption)
}

/// The medians of what is quicker than a gap and of what is slower, but for what takes for ever.
fn medians(line: &Line, seen: &Seen, from_ms: f64, to_ms: f64) -> Option<[String; 2]> {
    let histogram = histogram(line, seen);
    let law = seen.exact.law(line.name);
    let beyond = |ms: f64| match histogram {
        Some(it) => Some(it.beyond_ms(ms) / it.total() as f64),
        None => Some(law?.table().beyond(ms)),
    };
    let quantile = |share: f64| match histogram {
        Some(it) => it.quantile_ms(share),
        None => law?.quantile(share),
    };
    let (quick, slow) = (1.0 - beyond(from_ms)?, beyond(to_ms)?);
    let never = beyond(FOR_EVER_MS)?;
    let medians = [0.5 * quick, 1.0 - f64::midpoint(slow, never)];
    Some([as_read(quantile(medians[0])?), as_read(quantile(medians[1])?)])
}

/// With the digits that the readout has, so that one finds it there.
fn as_read(ms: f64) -> String {
    reading(Quantity::Latency, Some(ms), None, None).value.to_string()
}

/// The ends of the gap between two heaps that hold a twentieth of the answers each, with at least half a decade of
/// next to nothing between.
fn two_heaps(shares: &[f64], edges: &[f64]) -> Option<(f64, f64)> {
    let quiet = |it: &f64| *it < 1e-3;
    let gap_length = (BINS_A_DECADE / 2.0) as usize;
    let start = shares.windows(gap_length).enumerate().find(|(at, window)| {
        let before: f64 = shares[..*at].iter().sum();
        0.05 < before && before < 0.95 && window.iter().all(quiet)
    });
    let (start, _) = start?;
    let end = start + shares[start..].iter().position(|it| !quiet(it))?;
    let after: f64 = shares[end..].iter().sum();
    (0.05 < after).then(|| (edges[start], edges[end]))
}

fn distribution_table(lines: &[Line], shares: &[Vec<f64>], edges: &[f64]) -> Table {
    let mut columns = vec![Column::new("from"), Column::new("to")];
    columns.extend(lines.iter().map(|it| Column { title: it.label.clone(), meaning: it.meaning }));
    let rows = edges.windows(2).enumerate().map(|(at, edge)| {
        let latency = |ms| Cell::number(Quantity::Latency, Some(ms));
        let mut row = vec![latency(edge[0]), latency(edge[1])];
        row.extend(shares.iter().map(|it| Cell::number(Quantity::Share, it.get(at).copied())));
        row
    });
    Table { columns, rows: rows.collect() }
}
