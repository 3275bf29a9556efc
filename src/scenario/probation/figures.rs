//! The figures of probation, as plain data.

use super::{GROWTH, ProbationParams, REQUEST_LATENCY, counts};
use crate::{
    format::given,
    report::{
        AxisScale, Cell, Column, Figure, Label, Meaning, Panel, Quantity, Series, Side, Size,
        Table, Trace,
    },
    scenario::{
        Seen,
        growth::growth,
        heat::{KEY, latency_cells},
        latency_figures::{Line, axis, distribution, percentiles},
        steps::ratios,
    },
};

pub(super) fn all(params: &ProbationParams, seen: &Seen) -> Vec<Figure> {
    let lines = [Line {
        name: "request",
        latency: Some(REQUEST_LATENCY),
        meaning: Meaning::This,
        label: "a request".to_owned(),
    }];
    // By the settings, or by what was seen.
    if params.unstable() || seen.meter.is_some_and(|it| GROWTH.is_seen(it)) {
        return vec![growth(GROWTH, params.servers, 0.0, seen), by_time(params, seen)];
    }
    vec![
        by_time(params, seen),
        percentiles(&lines, seen, params.deadline_ms),
        distribution(&lines, seen, params.deadline_ms),
    ]
}

/// Latencies by the time at which a request is sent, from the moment at which the machine becomes slow, and how often
/// the machine is out then.
fn by_time(params: &ProbationParams, seen: &Seen) -> Figure {
    let means = steps(params, seen, counts::SENT_US, counts::SENT, 1e-3);
    let out = steps(params, seen, counts::STEP_OUT, counts::STEP_CHECKS, 1.0);
    let edges = means.iter().map(|it| it.0).collect();
    let heat = seen.meter.and_then(|it| latency_cells(params.raster(), it, edges));
    let (cells, reach) = heat.unzip();
    let (low, high) = reach.unwrap_or((params.service_ms / 8.0, 50.0 * params.service_ms));
    let slow_s = params.slow_share() * params.every_s;
    let recovers = slow_s < params.every_s && !params.never_slow();
    Figure {
        key: "latency-over-a-period",
        title: "From slow to slow".to_owned(),
        caption: format!("{} {KEY} The line is the mean.", caption(params)),
        size: Size::Main,
        x: axis(
            "sent so long after the machine became slow",
            AxisScale::Linear,
            Quantity::Seconds,
            0.0,
            params.every_s,
        ),
        y: axis("latency, log scale", AxisScale::Log, Quantity::Latency, low, high),
        cells,
        series: [
            recovers.then(|| Series {
                meaning: Meaning::Reference,
                trace: Trace::Exact,
                label: Label::new("quick again").side(Side::Above),
                points: vec![(slow_s, low), (slow_s, high)],
            }),
            Some(Series {
                meaning: Meaning::Ink,
                trace: Trace::Simulated,
                label: Label::new("mean").side(Side::Above),
                points: middles(&means),
            }),
        ]
        .into_iter()
        .flatten()
        .collect(),
        lower: params.probation.then(|| Panel {
            y: axis("out", AxisScale::Linear, Quantity::Share, 0.0, 1.0),
            series: vec![Series {
                meaning: Meaning::Hedge,
                trace: Trace::Steps,
                label: Label::new("slow machine out"),
                points: out.clone(),
            }],
            points: Vec::new(),
        }),
        table: table(&means, &out),
        ..Figure::default()
    }
}

/// A line through the middles of steps.
fn middles(steps: &[(f64, f64)]) -> Vec<(f64, f64)> {
    steps.windows(2).map(|it| (f64::midpoint(it[0].0, it[1].0), it[0].1)).collect()
}

fn table(means: &[(f64, f64)], out: &[(f64, f64)]) -> Table {
    let rows = std::iter::zip(means, out).take(counts::STEPS).map(|(mean, out)| {
        let number =
            |quantity, value: f64| Cell::number(quantity, Some(value).filter(|it| it.is_finite()));
        vec![
            number(Quantity::Seconds, mean.0),
            number(Quantity::Latency, mean.1),
            number(Quantity::Share, out.1),
        ]
    });
    Table {
        columns: vec![
            Column::new("sent from"),
            Column { title: "mean latency".to_owned(), meaning: Meaning::This },
            Column { title: "slow machine out".to_owned(), meaning: Meaning::Hedge },
        ],
        rows: rows.collect(),
    }
}

fn caption(params: &ProbationParams) -> String {
    if params.never_slow() {
        return "No machine is ever slow: requests take the same at all times.".to_owned();
    }
    let slow = given(Quantity::Seconds, params.slow_share() * params.every_s);
    if params.probation {
        format!(
            "One machine of {} is slow for {slow}. Its response times give it away, it is taken out, and shadow \
             requests tell when it has recovered. Below: how often it is out.",
            params.servers
        )
    } else {
        format!(
            "One machine of {} is slow for {slow}. Requests that come to it queue up, and go on waiting after it has \
             recovered.",
            params.servers
        )
    }
}

/// One count over another in each step of the period, and the period's end.
fn steps(
    params: &ProbationParams,
    seen: &Seen,
    over: usize,
    under: usize,
    scale: f64,
) -> Vec<(f64, f64)> {
    let edges = (0..=counts::STEPS).map(|it| it as f64 / counts::STEPS as f64 * params.every_s);
    ratios(seen, edges, scale, |step| (over + step, under + step))
}
