//! The figures of bursts, as plain data.

use super::{
    BurstsParams, MOMENTS, REQUEST_LATENCY,
    model::{STEPS, Window},
    truth,
};
use crate::{
    format::{given, short},
    report::{
        AxisScale, Cell, Column, Figure, Here, Label, Mark, Meaning, Point, Quantity, Series, Side,
        Size, Table, Trace,
    },
    scenario::{
        Seen,
        heat::{KEY, latency_cells},
        latency_figures::{Line, axis, distribution, percentiles},
        steps::ratios,
    },
};

pub(super) fn all(params: &BurstsParams, seen: &Seen) -> Vec<Figure> {
    let line = |name, latency, meaning, label: &str| Line {
        name,
        latency,
        meaning,
        label: label.to_owned(),
    };
    let lines = [
        line(truth::QUIET, None, Meaning::Reference, "no background work"),
        line(truth::COUNTERPART, None, Meaning::Other, arrangement(!params.synchronised)),
        line(
            "request",
            Some(REQUEST_LATENCY),
            Meaning::This,
            &format!("this study: {}", arrangement(params.synchronised)),
        ),
    ];
    vec![
        hits_against_leaves(params, seen),
        by_moment(params, seen),
        percentiles(&lines, seen, params.deadline_ms),
        distribution(&lines, seen, params.deadline_ms),
    ]
}

pub(super) fn arrangement(synchronised: bool) -> &'static str {
    if synchronised { "all at once" } else { "each at its own time" }
}

/// The share of requests that meet a burst, against the leaves they wait for.
fn hits_against_leaves(params: &BurstsParams, seen: &Seen) -> Figure {
    let other = BurstsParams { synchronised: !params.synchronised, ..params.clone() };
    let leaves = leaf_counts(params.fan_out);
    let curve = |params: &BurstsParams| -> Vec<(f64, f64)> {
        leaves.iter().map(|it| (f64::from(*it), truth::hit(params, *it))).collect()
    };
    let (own, others) = (curve(params), curve(&other));
    let (own_name, other_name) =
        (arrangement(params.synchronised), arrangement(other.synchronised));
    let columns = vec![
        Column::new("leaves"),
        Column { title: own_name.to_owned(), meaning: Meaning::This },
        Column { title: other_name.to_owned(), meaning: Meaning::Other },
    ];
    let share = |it| Cell::number(Quantity::Share, Some(it));
    let rows = std::iter::zip(&own, &others)
        .map(|(own, other)| {
            vec![Cell::number(Quantity::Count, Some(own.0)), share(own.1), share(other.1)]
        })
        .collect();
    Figure {
        key: "bursts-against-leaves",
        title: "The more leaves, the likelier that one of them is busy".to_owned(),
        caption: format!(
            "Each server is busy {} of the time. Each at its own time, that is {} of requests that meet a burst at \
             one of their leaves; all at once, {}. Dashed: exact.",
            given(Quantity::Share, params.pause().busy),
            short(Quantity::Share, truth::hit(&apart(params), params.fan_out)),
            short(Quantity::Share, params.pause().busy),
        ),
        size: Size::Main,
        x: axis(
            "leaves a request waits for, log scale",
            AxisScale::Log,
            Quantity::Count,
            1.0,
            own.last().map_or(1_000.0, |it| it.0),
        ),
        y: axis("requests that meet a burst", AxisScale::Linear, Quantity::Share, 0.0, 1.0),
        series: vec![
            Series {
                meaning: Meaning::Other,
                trace: Trace::Exact,
                label: Label::new(other_name),
                points: others,
            },
            Series {
                meaning: Meaning::This,
                trace: Trace::ExactAlone,
                label: Label::new(own_name).note("this study"),
                points: own,
            },
        ],
        points: simulated_hit(params, seen),
        here: here(params, seen),
        table: Table { columns, rows },
        ..Figure::default()
    }
}

fn apart(params: &BurstsParams) -> BurstsParams {
    BurstsParams { synchronised: false, ..params.clone() }
}

fn simulated_hit(params: &BurstsParams, seen: &Seen) -> Vec<Point> {
    let measure = seen.measure("hit");
    let point = measure.and_then(|it| {
        Some(Point {
            meaning: Meaning::This,
            mark: Mark::Dot,
            x: f64::from(params.fan_out),
            y: it.simulated?,
            interval: it.low.zip(it.high),
            label: Label::default(),
        })
    });
    point.into_iter().collect()
}

fn here(params: &BurstsParams, seen: &Seen) -> Option<Here> {
    let exact = seen.exact.value("hit")?;
    let value = short(Quantity::Share, exact).to_string();
    let note = seen.beside_exact("hit");
    Some(Here { x: f64::from(params.fan_out), y: exact, key: "fan_out", value, note })
}

/// About fifty numbers of leaves, evenly spread on a log axis, up to a thousand or the study's own.
fn leaf_counts(fan_out: u32) -> Vec<u32> {
    let (steps, max) = (48, f64::from(fan_out.max(1_000)));
    let at = |step: u32| libm::exp(f64::from(step) / f64::from(steps) * libm::log(max)).round();
    let mut counts: Vec<u32> = (0..=steps).map(|it| at(it) as u32).collect();
    counts.dedup();
    counts
}

/// Latencies by the moment at which a request is sent.
fn by_moment(params: &BurstsParams, seen: &Seen) -> Figure {
    let window = Window::of(params);
    let exact = seen.exact.curve(truth::MOMENTS).to_vec();
    let edges = (0..=STEPS).map(|it| it as f64 * window.step_ms() - window.lead_ms).collect();
    let heat = seen.meter.and_then(|it| latency_cells(params.raster(), it, edges));
    let (cells, reach) = heat.unzip();
    let quiet = seen.exact.value(truth::QUIET).unwrap_or(f64::NAN);
    let (low, high) =
        exact.iter().map(|it| it.1).filter(|it| it.is_finite() && 0.0 < *it).fold(
            reach.unwrap_or((0.5 * params.typical_ms, 10.0 * params.typical_ms)),
            |ends, it| (ends.0.min(it / 1.2), ends.1.max(1.2 * it)),
        );
    let what = if params.synchronised {
        "All at once, a request waits only if it is sent while the servers are busy; at any other moment it takes what \
         it would take without background work."
    } else {
        "Each at its own time, there is always a server that is busy, and a request takes long whenever it is sent."
    };
    let ends = (-window.lead_ms, window.width_ms - window.lead_ms);
    Figure {
        key: "latency-by-moment",
        title: "When a request is slow".to_owned(),
        caption: format!("{what} {KEY} Dashed: the exact mean."),
        size: Size::Main,
        x: axis(
            "sent so long after a piece of work began",
            AxisScale::Linear,
            Quantity::Latency,
            ends.0,
            ends.1,
        ),
        y: axis("latency, log scale", AxisScale::Log, Quantity::Latency, low, high),
        cells,
        series: vec![
            Series {
                meaning: Meaning::Reference,
                trace: Trace::Exact,
                label: Label::new("no background work").side(Side::Below),
                points: vec![(ends.0, quiet), (ends.1, quiet)],
            },
            Series {
                meaning: Meaning::Ink,
                trace: Trace::ExactAlone,
                label: Label::new("mean").side(Side::Above),
                points: exact,
            },
        ],
        table: moments_table(window, seen),
        ..Figure::default()
    }
}

fn moments_table(window: Window, seen: &Seen) -> Table {
    let simulated = simulated_means(window, seen);
    let rows = simulated.windows(2).map(|it| {
        let number =
            |value: f64| Cell::number(Quantity::Latency, Some(value).filter(|it| it.is_finite()));
        vec![number(it[0].0), number(it[1].0), number(it[0].1)]
    });
    Table {
        columns: vec![
            Column::new("sent from"),
            Column::new("to"),
            Column { title: "mean latency".to_owned(), meaning: Meaning::This },
        ],
        rows: rows.collect(),
    }
}

/// The mean in each step of the window, and its end.
fn simulated_means(window: Window, seen: &Seen) -> Vec<(f64, f64)> {
    let edges = (0..=STEPS).map(|it| it as f64 * window.step_ms() - window.lead_ms);
    ratios(seen, edges, 1e-3, |step| (MOMENTS + 2 * step + 1, MOMENTS + 2 * step))
}
