//! The figures of pages over the time of an experiment: the mean over all experiments, step by step.

use super::{PagesParams, Scheduler, counts};
use crate::{
    format::{given, short},
    report::{
        Axis, AxisScale, Cell, Column, Figure, Label, Meaning, Panel, Quantity, Series, Side, Size,
        Table, Trace,
    },
    scenario::{Seen, latency_figures::axis, steps::ratios},
};

/// Microseconds in a stretch of 10 ms.
const BIN_US: f64 = 1e4;

/// Something over time: a line of the figure and a column of its table.
struct Course {
    title: &'static str,
    meaning: Meaning,
    quantity: Quantity,
    points: Vec<(f64, f64)>,
}

/// Answers of either page, without a limit and as it is.
pub(super) fn completions(params: &PagesParams, seen: &Seen) -> Figure {
    let limited = params.scheduler != Scheduler::None;
    let per_bin = |over, under| steps(params, seen, over, under, BIN_US);
    let (own, other) = (own_name(params), "no limit");
    let column = |title, meaning, over, under| Course {
        title,
        meaning,
        quantity: Quantity::Plain,
        points: per_bin(over, under),
    };
    let this = [
        column("light", Meaning::This, counts::STEP_LIGHT, counts::STEP_US),
        column("heavy", Meaning::This, counts::STEP_HEAVY, counts::STEP_US),
    ];
    let without = [
        column("light, no limit", Meaning::Other, counts::OTHER_LIGHT, counts::OTHER_US),
        column("heavy, no limit", Meaning::Other, counts::OTHER_HEAVY, counts::OTHER_US),
    ];
    let lines = |at: usize| -> Vec<Series> {
        let mut lines = Vec::new();
        if limited {
            lines.push(stepped(&without[at], Label::new(other).side(Side::Above)));
        }
        lines.push(stepped(&this[at], Label::new(own).side(Side::Above)));
        lines
    };
    let (mut light, heavy) = (lines(0), lines(1));
    let (top, heavy_top) = (highest(&light, 1.0), highest(&heavy, 1e-3));
    light.extend(coming(params, 1.2 * top));
    let columns: Vec<Course> =
        if limited { this.into_iter().chain(without).collect() } else { this.into() };
    Figure {
        key: "completions-over-time",
        title: "The light page when the heavy one comes".to_owned(),
        caption: completions_caption(params, seen),
        size: Size::Main,
        x: time_axis(params),
        y: axis("light answers in 10 ms", AxisScale::Linear, Quantity::Plain, 0.0, 1.2 * top),
        series: light,
        lower: Some(Panel {
            y: axis("heavy", AxisScale::Linear, Quantity::Plain, 0.0, 1.2 * heavy_top),
            series: heavy,
            points: Vec::new(),
        }),
        table: table(&columns),
        ..Figure::default()
    }
}

fn own_name(params: &PagesParams) -> &'static str {
    match params.scheduler {
        Scheduler::None => "no limit",
        Scheduler::Fixed => "fixed limit",
        Scheduler::Adaptive => "adaptive limit",
        Scheduler::Coordinated => "coordinated limit",
    }
}

fn completions_caption(params: &PagesParams, seen: &Seen) -> String {
    let clients = format!(
        "{} clients ask for the light page; after {}, {} come for the heavy one.",
        params.light_clients,
        given(Quantity::Seconds, params.heavy_start_s),
        params.most()
    );
    let per_bin = |name| seen.best(name).map(|it| short(Quantity::Plain, 0.01 * it).to_string());
    match (per_bin("light.alone"), per_bin("light.rate")) {
        (Some(alone), Some(beside)) => {
            format!(
                "{clients} In 10 ms, {alone} light requests are answered before and {beside} after."
            )
        }
        _ => clients,
    }
}

/// The limit, and where it is best.
pub(super) fn limit(params: &PagesParams, seen: &Seen) -> Figure {
    let of = |over, under| steps(params, seen, over, under, 1.0);
    let column =
        |title, meaning, points| Course { title, meaning, quantity: Quantity::Plain, points };
    let first =
        column("one experiment", Meaning::Other, of(counts::FIRST_LIMIT_US, counts::FIRST_US));
    let mean =
        column("all experiments, mean", Meaning::This, of(counts::STEP_LIMIT_US, counts::STEP_US));
    let best = f64::from(params.progress().best(params.most()));
    let mut series = vec![
        Series {
            meaning: Meaning::Reference,
            trace: Trace::Exact,
            label: Label::new("best for the heavy page alone").short("best").side(Side::Below),
            points: vec![(0.0, best), (f64::from(params.run_s), best)],
        },
        Series {
            meaning: first.meaning,
            trace: Trace::Simulated,
            label: Label::new(first.title).side(Side::Above),
            points: first.points.clone(),
        },
        Series {
            meaning: mean.meaning,
            trace: Trace::Simulated,
            label: Label::new(mean.title).side(Side::Above),
            points: mean.points.clone(),
        },
    ];
    let top = highest(&series, f64::from(params.first_limit()));
    // The last value stands for the end of its step, as the others do for theirs.
    for it in &mut series[1..] {
        it.points.pop();
    }
    Figure {
        key: "limit-over-time",
        title: "The limit finds its place".to_owned(),
        caption: limit_caption(params, seen),
        size: Size::Main,
        x: time_axis(params),
        y: axis(
            "requests that may run at once",
            AxisScale::Linear,
            Quantity::Plain,
            0.0,
            1.2 * top,
        ),
        series,
        table: table(&[mean, first]),
        ..Figure::default()
    }
}

fn limit_caption(params: &PagesParams, seen: &Seen) -> String {
    let start = format!(
        "It begins at {} and moves by {} after every {} answers, against the noise of so few.",
        params.first_limit(),
        params.step,
        params.samples
    );
    match seen
        .best("climb")
        .filter(|_| params.first_limit() != params.progress().best(params.most()))
    {
        Some(climb) => format!(
            "{start} The best limit it reaches after {} on average.",
            short(Quantity::Seconds, climb)
        ),
        None => start,
    }
}

/// How many requests wait for either page, or run.
pub(super) fn queues(params: &PagesParams, seen: &Seen) -> Figure {
    let column = |title, meaning, over| Course {
        title,
        meaning,
        quantity: Quantity::Plain,
        points: steps(params, seen, over, counts::STEP_US, 1.0),
    };
    let mut columns = vec![
        column("heavy, in the queue", Meaning::This, counts::STEP_WAITING_US),
        column("heavy, at work", Meaning::Hedge, counts::STEP_RUNNING_US),
    ];
    if 0 < params.light_clients {
        columns.push(column("light, at work", Meaning::Other, counts::STEP_LIGHT_US));
    }
    let series: Vec<Series> =
        columns.iter().map(|it| stepped(it, Label::new(it.title).side(Side::Above))).collect();
    let top = highest(&series, 1.0);
    let caption = match params.scheduler {
        Scheduler::None => {
            "Without a limit nothing waits: all requests run at once, and slow each other down."
        }
        _ => {
            "What does not run waits in the queue of its page, where it holds nobody up and may be put in order."
        }
    };
    Figure {
        key: "queues-over-time",
        title: "What waits and what runs".to_owned(),
        caption: caption.to_owned(),
        size: Size::Main,
        x: time_axis(params),
        y: axis("requests", AxisScale::Linear, Quantity::Plain, 0.0, 1.2 * top),
        series,
        table: table(&columns),
        ..Figure::default()
    }
}

/// The moment at which the heavy page's clients come.
fn coming(params: &PagesParams, top: f64) -> Option<Series> {
    let (start, end) = (params.start_s(), f64::from(params.run_s));
    (0.0 < start && start < end).then(|| Series {
        meaning: Meaning::Reference,
        trace: Trace::Exact,
        label: Label::new("heavy page comes").short("heavy").side(Side::Above),
        points: vec![(start, 0.0), (start, top)],
    })
}

fn time_axis(params: &PagesParams) -> Axis {
    let end = f64::from(params.run_s);
    axis("time since an experiment began", AxisScale::Linear, Quantity::Seconds, 0.0, end)
}

fn stepped(column: &Course, label: Label) -> Series {
    Series { meaning: column.meaning, trace: Trace::Steps, label, points: column.points.clone() }
}

fn highest(series: &[Series], least: f64) -> f64 {
    let values = series.iter().flat_map(|it| &it.points).map(|it| it.1);
    values.filter(|it| it.is_finite()).fold(least, f64::max)
}

/// One count over another in each step, and the experiment's end.
fn steps(
    params: &PagesParams,
    seen: &Seen,
    over: usize,
    under: usize,
    scale: f64,
) -> Vec<(f64, f64)> {
    let run_s = f64::from(params.run_s);
    let edges = (0..=counts::STEPS).map(|it| it as f64 / counts::STEPS as f64 * run_s);
    ratios(seen, edges, scale, |step| (over + step, under + step))
}

fn table(columns: &[Course]) -> Table {
    let mut heads = vec![Column::new("from")];
    heads.extend(
        columns.iter().map(|it| Column { title: it.title.to_owned(), meaning: it.meaning }),
    );
    let rows = columns[0].points.iter().enumerate().take(counts::STEPS).map(|(at, first)| {
        let mut row = vec![Cell::number(Quantity::Seconds, Some(first.0))];
        row.extend(columns.iter().map(|it| {
            let value = it.points.get(at).map(|it| it.1).filter(|it| it.is_finite());
            Cell::number(it.quantity, value)
        }));
        row
    });
    Table { columns: heads, rows: rows.collect() }
}
