//! The figures of pages, as plain data.

use super::{
    HEAVY_LATENCY, LIGHT_LATENCY, PRIORITY_LATENCY, PagesParams, Scheduler, counts, over_time,
};
use crate::{
    format::short,
    report::{
        AxisScale, Cell, Column, Figure, Here, Label, Mark, Meaning, Panel, Point, Quantity,
        Series, Side, Size, Table, Trace,
    },
    scenario::{
        Seen,
        latency_figures::{Line, axis, distribution, percentiles},
    },
    sim::Meter,
};

pub(super) fn all(params: &PagesParams, seen: &Seen) -> Vec<Figure> {
    let line = |name, latency, meaning, label: &str| Line {
        name,
        latency: Some(latency),
        meaning,
        label: label.to_owned(),
    };
    let light = (0 < params.light_clients)
        .then(|| line("light", LIGHT_LATENCY, Meaning::Other, "light page"));
    let priority = (0 < params.priority_clients)
        .then(|| line("priority", PRIORITY_LATENCY, Meaning::Hedge, "first in line"));
    let heavy = line("heavy", HEAVY_LATENCY, Meaning::This, "heavy page");
    let mut lines: Vec<Line> = [light, priority, Some(heavy)].into_iter().flatten().collect();
    // In a short experiment a page may give no answer at all.
    let answered = |it: &Line| {
        let recorded = |at| seen.meter.map_or(0, |meter| meter.recorded(at));
        it.latency.is_some_and(|at| 0 < recorded(at))
    };
    lines.retain(answered);
    let shape = [percentiles, distribution].map(|it| it(&lines, seen, f64::INFINITY));
    let shape = shape.into_iter().filter(|_| !lines.is_empty());
    [
        (0 < params.light_clients).then(|| over_time::completions(params, seen)),
        Some(against_concurrency(params, seen)),
        params.adapts().then(|| over_time::limit(params, seen)),
        Some(over_time::queues(params, seen)),
    ]
    .into_iter()
    .flatten()
    .chain(shape)
    .collect()
}

/// The throughput of the heavy page against how many of its requests run at once.
fn against_concurrency(params: &PagesParams, seen: &Seen) -> Figure {
    let progress = params.progress();
    let most = params.most().max(2);
    let curve: Vec<(f64, f64)> = (1..=most).map(|it| (f64::from(it), progress.at(it))).collect();
    let best = progress.best(most);
    let trail = trail(params, seen);
    let top = curve.iter().map(|it| it.1).fold(0.0, f64::max);
    // What is measured over a few answers may be anything: far out, it is left out.
    let highest = trail.iter().map(|it| it.1).filter(|it| *it < 1.6 * top).fold(top, f64::max);
    let shares = shares(params, seen.meter);
    let table = table(&curve, &shares);
    let alone = if params.light_clients == 0 { "exact" } else { "exact, without the light page" };
    Figure {
        key: "throughput-against-concurrency",
        title: "How many at once".to_owned(),
        caption: caption(params, seen),
        size: Size::Main,
        x: axis(
            "requests of the heavy page that run at once, log scale",
            AxisScale::Log,
            Quantity::Count,
            1.0,
            f64::from(most),
        ),
        y: axis("answers a second", AxisScale::Linear, Quantity::Rate, 0.0, 1.12 * highest),
        series: vec![
            Series {
                meaning: Meaning::Reference,
                trace: Trace::Exact,
                label: Label::default(),
                points: vec![(f64::from(best), 0.0), (f64::from(best), progress.at(best))],
            },
            Series {
                meaning: Meaning::This,
                trace: Trace::ExactAlone,
                label: Label::new(alone).side(Side::Above),
                points: curve,
            },
        ],
        points: trail_points(&trail, 1.1 * highest).chain(place(params, seen)).collect(),
        here: here(params, seen),
        lower: (!shares.is_empty()).then(|| lower(shares)),
        table,
        ..Figure::default()
    }
}

fn caption(params: &PagesParams, seen: &Seen) -> String {
    let progress = params.progress();
    let rate = |at: u32| short(Quantity::Rate, progress.at(at)).to_string();
    let (most, best) = (params.most(), progress.best(params.most()));
    let curve = if best == most {
        format!("With all {most} at once the page answers most, {}.", rate(most))
    } else {
        format!(
            "With {best} at once the page answers {}, with all {most} {}.",
            rate(best),
            rate(most)
        )
    };
    let more = match (params.adapts(), seen.best("limit")) {
        (true, Some(limit)) => format!(
            " The limit finds its place by what it measures over {} answers: the numbered dots are its first steps. On \
             average it is {}. Below: how long it stays where.",
            params.samples,
            short(Quantity::Plain, limit)
        ),
        _ => " Dashed: exact.".to_owned(),
    };
    curve + &more
}

/// The first measurements of the limit, with the throughputs that they gave.
fn trail(params: &PagesParams, seen: &Seen) -> Vec<(f64, f64)> {
    let Some(meter) = seen.meter.filter(|_| params.adapts()) else { return Vec::new() };
    let steps = (0..counts::TRAIL).map(|at| {
        let limit = meter.counted(counts::TRAIL_LIMIT + at);
        (limit as f64, 1e-6 * meter.counted(counts::TRAIL_RATE + at) as f64)
    });
    steps.filter(|it| 0.0 < it.0).collect()
}

/// Steps that are numbered.
const NUMBERED: usize = 9;

fn trail_points(trail: &[(f64, f64)], top: f64) -> impl Iterator<Item = Point> {
    let points = trail.iter().enumerate().take(NUMBERED).map(|(at, &(x, y))| Point {
        meaning: Meaning::Other,
        mark: Mark::Dot,
        x,
        y,
        interval: None,
        label: Label::new(format!("{}", at + 1)),
    });
    points.filter(move |it| it.y < top)
}

/// Where the moving limit is on average.
fn place(params: &PagesParams, seen: &Seen) -> Option<Point> {
    let limit = seen.measure("limit")?.simulated.filter(|_| params.adapts())?;
    let rate = seen.measure("heavy.rate")?;
    Some(Point {
        meaning: Meaning::This,
        mark: Mark::Dot,
        x: limit,
        y: rate.simulated?,
        interval: rate.low.zip(rate.high),
        label: Label::new("this study, mean"),
    })
}

fn here(params: &PagesParams, seen: &Seen) -> Option<Here> {
    let rate = seen.best("heavy.rate").filter(|_| !params.adapts())?;
    let (key, note) = match params.scheduler {
        Scheduler::None => ("heavy_clients", "all at once"),
        _ => ("limit", "with this limit"),
    };
    let value = short(Quantity::Rate, rate).to_string();
    Some(Here { x: f64::from(params.first_limit()), y: rate, key, value, note: note.to_owned() })
}

/// The share of time at each limit, and the end of the last.
fn shares(params: &PagesParams, meter: Option<&Meter>) -> Vec<(f64, f64)> {
    let Some(meter) = meter.filter(|it| params.adapts() && 0 < it.counted(counts::TIME_US)) else {
        return Vec::new();
    };
    let limits = (params.most() as usize).min(counts::LIMITS);
    let time = meter.counted(counts::TIME_US) as f64;
    let share = |at: usize| meter.counted(counts::AT_LIMIT_US + at) as f64 / time;
    let mut points: Vec<(f64, f64)> = (0..limits).map(|it| (it as f64 + 1.0, share(it))).collect();
    points.push((limits as f64 + 1.0, 0.0));
    points
}

fn lower(shares: Vec<(f64, f64)>) -> Panel {
    let top = shares.iter().map(|it| it.1).fold(0.0, f64::max).max(0.01);
    Panel {
        y: axis("time at a limit", AxisScale::Linear, Quantity::Share, 0.0, (1.1 * top).min(1.0)),
        series: vec![Series {
            meaning: Meaning::This,
            trace: Trace::Steps,
            label: Label::default(),
            points: shares,
        }],
        points: Vec::new(),
    }
}

fn table(curve: &[(f64, f64)], shares: &[(f64, f64)]) -> Table {
    let mut columns = vec![
        Column::new("at once"),
        Column { title: "answers a second, exact".to_owned(), meaning: Meaning::This },
    ];
    if !shares.is_empty() {
        columns.push(Column { title: "time at this limit".to_owned(), meaning: Meaning::This });
    }
    let rows = curve.iter().enumerate().filter(|(at, _)| is_told(*at + 1)).map(|(at, it)| {
        let mut row = vec![
            Cell::number(Quantity::Count, Some(it.0)),
            Cell::number(Quantity::Rate, Some(it.1)),
        ];
        if !shares.is_empty() {
            let share = shares[..shares.len() - 1].get(at).map(|it| it.1);
            row.push(Cell::number(Quantity::Share, share));
        }
        row
    });
    Table { columns, rows: rows.collect() }
}

/// All of the first twenty, then fewer.
fn is_told(running: usize) -> bool {
    running <= 20 || running.is_multiple_of(if running <= 100 { 10 } else { 50 })
}
