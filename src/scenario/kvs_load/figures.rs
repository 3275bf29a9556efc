//! The figures of kvs-load, as plain data.

use super::{KvsLoadParams, SWEEP, counts, truth};
use crate::{
    format::{given, short},
    report::{
        AxisScale, Bar, BarPart, Bound, Cell, Column, Figure, Here, Label, Mark, Meaning, Panel,
        Point, Quantity, Series, Side, Size, Table, Trace,
    },
    scenario::{
        Seen,
        latency_figures::{Line, axis, distribution, percentiles},
    },
    sim::Evidence,
};

const MEANINGS: [Meaning; 2] = [Meaning::Other, Meaning::This];
const NAMES: [&str; 2] = ["remote", "co-located"];
/// Mean latencies over pipelines of 1 to 10, in milliseconds.
const PUBLISHED_MS: [f64; 2] = [16.79, 4.32];
/// What time is spent on, in the order in which it comes.
const PARTS: [&str; 3] = ["network", "waiting", "service"];
const PART_NAMES: [&str; 3] = ["network", "in the queue", "at work"];
const PART_MEANINGS: [Meaning; 3] = [Meaning::Hedge, Meaning::Other, Meaning::This];

pub(super) fn all(params: &KvsLoadParams, seen: &Seen) -> Vec<Figure> {
    let line = |at: usize, name| Line {
        name,
        latency: Some(at),
        meaning: MEANINGS[at],
        label: NAMES[at].to_owned(),
    };
    let lines = [line(0, "remote"), line(1, "local")];
    let caption = caption(seen);
    let by_percentile = percentiles(&lines, seen, params.deadline_ms);
    let spread = distribution(&lines, seen, params.deadline_ms);
    vec![
        against_pipeline(params, seen),
        where_time_goes(params, seen),
        by_pipeline(params, seen),
        Figure { caption: caption.clone(), ..by_percentile },
        Figure { caption, title: "How the answers spread".to_owned(), ..spread },
    ]
}

fn caption(seen: &Seen) -> String {
    let best = |name| seen.best(name).map(|it| short(Quantity::Latency, it).to_string());
    match (best("remote.p99"), best("local.p99")) {
        (Some(remote), Some(local)) => format!(
            "One batch in a hundred takes more than {remote} across the network, and more than {local} beside the \
             application."
        ),
        _ => String::new(),
    }
}

/// The mean and the p99 of both stores against the pipeline.
fn against_pipeline(params: &KvsLoadParams, seen: &Seen) -> Figure {
    let mut series = Vec::new();
    let mut points = Vec::new();
    for at in 0..NAMES.len() {
        let curve = |name| seen.exact.curve(name).to_vec();
        let name = NAMES[at];
        series.push(Series {
            meaning: MEANINGS[at],
            trace: Trace::Exact,
            label: Label::new(format!("{name}, p99")).short("p99"),
            points: curve(truth::LATE[at]),
        });
        series.push(Series {
            meaning: MEANINGS[at],
            trace: Trace::ExactAlone,
            label: Label::new(format!("{name}, mean")).short(name),
            points: curve(truth::MEANS[at]),
        });
        points.extend(swept(at, seen));
        points.extend(own(at, params, seen));
    }
    if seen.measures.iter().any(|it| it.published.is_some()) {
        points.extend((0..NAMES.len()).map(published));
    }
    let values = || series.iter().flat_map(|it| &it.points).map(|it| it.1);
    let highest = values().fold(0.0, f64::max);
    let shown = params.deadline_ms < 2.0 * highest;
    let top = if shown { highest.max(params.deadline_ms) } else { highest };
    let table = pipeline_table(seen);
    let x = f64::from(params.pipeline);
    let here = seen.best("local.mean").map(|mean| Here {
        x,
        y: mean,
        key: "pipeline",
        value: short(Quantity::Latency, mean).to_string(),
        note: "co-located, this study".to_owned(),
    });
    let required = given(Quantity::Latency, params.deadline_ms);
    Figure {
        key: "latency-against-pipeline",
        title: "The longer the pipeline, the longer the queue".to_owned(),
        caption: "Dashed: exact, the mean heavier and the p99 lighter. Dots: simulated means. A published mean is one \
                  over pipelines 1 to 10; since the mean grows along a straight line it is that of a pipeline of 5.5."
            .to_owned(),
        size: Size::Main,
        x: axis(
            "commands in a pipeline",
            AxisScale::Linear,
            Quantity::Count,
            1.0,
            x.max(f64::from(SWEEP)),
        ),
        y: axis("latency of a batch", AxisScale::Linear, Quantity::Latency, 0.0, 1.12 * top),
        series,
        points,
        bounds: if shown {
            let label = format!("required: {required}");
            vec![Bound { upright: false, at: params.deadline_ms, label }]
        } else {
            Vec::new()
        },
        here,
        table,
        ..Figure::default()
    }
}

/// The simulated mean of each pipeline of the benchmark.
fn swept(store: usize, seen: &Seen) -> Vec<Point> {
    let means = (0..SWEEP as usize).map(|at| {
        let first = store * counts::EACH + counts::BY_PIPELINE + 2 * at;
        let mean = seen.meter?.ratio(first + 1, first, 1e-6, Evidence::Correlated);
        Some(dot(store, at as f64 + 1.0, mean.value?, mean.low.zip(mean.high)))
    });
    means.flatten().collect()
}

fn own(store: usize, params: &KvsLoadParams, seen: &Seen) -> Option<Point> {
    let name = ["remote.mean", "local.mean"][store];
    let it = seen.measure(name).filter(|_| SWEEP < params.pipeline)?;
    Some(dot(store, f64::from(params.pipeline), it.simulated?, it.low.zip(it.high)))
}

fn dot(store: usize, x: f64, y: f64, interval: Option<(f64, f64)>) -> Point {
    let (meaning, label) = (MEANINGS[store], Label::default());
    Point { meaning, mark: Mark::Dot, x, y, interval, label }
}

fn published(store: usize) -> Point {
    let text = given(Quantity::Latency, PUBLISHED_MS[store]);
    Point {
        meaning: Meaning::Ink,
        mark: Mark::Diamond,
        x: 0.5 * f64::from(1 + SWEEP),
        y: PUBLISHED_MS[store],
        interval: None,
        label: Label::default().note(format!("published {text}")).short(text.to_string()),
    }
}

fn pipeline_table(seen: &Seen) -> Table {
    let mut columns = vec![Column::new("pipeline")];
    for (name, meaning) in std::iter::zip(NAMES, MEANINGS) {
        for what in ["mean, simulated", "mean, exact", "p99, exact"] {
            columns.push(Column { title: format!("{name}, {what}"), meaning });
        }
    }
    let rows = seen.exact.curve(truth::MEANS[0]).iter().enumerate().map(|(at, it)| {
        let mut row = vec![Cell::number(Quantity::Count, Some(it.0))];
        for store in 0..NAMES.len() {
            let simulated = swept(store, seen).into_iter().find(|dot| dot.x == it.0);
            row.push(simulated.map_or(Cell::Empty, |it| Cell::Number {
                value: it.y,
                interval: it.interval,
                quantity: Quantity::Latency,
            }));
            for curve in [truth::MEANS[store], truth::LATE[store]] {
                let value = seen.exact.curve(curve).get(at).map(|it| it.1);
                row.push(Cell::number(Quantity::Latency, value));
            }
        }
        row
    });
    Table { rows: rows.collect(), columns }
}

/// What a batch spends its time on, a bar for each store.
fn where_time_goes(params: &KvsLoadParams, seen: &Seen) -> Figure {
    let stores = params.stores(params.pipeline).map(|it| truth::spent(&it));
    let known = |store: usize| {
        let it = &stores[store];
        let exact = [it.network, it.waiting, it.service];
        let simulated = simulated_parts(store, seen).map(|it| it.map(|it| it.0));
        std::array::from_fn::<f64, 3, _>(|part| simulated[part].unwrap_or(exact[part]))
    };
    let bar = |store: usize| {
        let parts = known(store);
        let whole: f64 = parts.iter().sum();
        let part = |at: usize| BarPart {
            meaning: PART_MEANINGS[at],
            name: PART_NAMES[at].to_owned(),
            length: parts[at],
            told: short(Quantity::Share, parts[at] / whole).to_string(),
        };
        Bar {
            name: NAMES[store].to_owned(),
            note: short(Quantity::Latency, whole).to_string(),
            parts: (0..PARTS.len()).map(part).collect(),
        }
    };
    let longest = stores.iter().map(truth::Spent::total_ms).fold(1e-3, f64::max);
    let columns = [Column::new("store")].into_iter();
    let columns = columns.chain(
        std::iter::zip(PART_NAMES, PART_MEANINGS)
            .map(|(it, meaning)| Column { title: it.to_owned(), meaning }),
    );
    let row = |store: usize| {
        let parts = known(store).map(|it| Cell::number(Quantity::Latency, Some(it)));
        [Cell::Text(NAMES[store].to_owned())].into_iter().chain(parts).collect()
    };
    Figure {
        key: "where-time-goes",
        title: "Where the time goes".to_owned(),
        caption: share_caption(&stores),
        size: Size::Pair,
        x: axis("mean time of a batch", AxisScale::Linear, Quantity::Latency, 0.0, 1.02 * longest),
        y: axis("", AxisScale::Linear, Quantity::Count, 0.0, 1.0),
        bars: (0..NAMES.len()).map(bar).collect(),
        table: Table { columns: columns.collect(), rows: (0..NAMES.len()).map(row).collect() },
        ..Figure::default()
    }
}

/// The same for every pipeline, above of the remote store, below of the co-located one.
fn by_pipeline(params: &KvsLoadParams, seen: &Seen) -> Figure {
    let spent: Vec<(u32, [[f64; 3]; 2])> = truth::pipelines(params)
        .into_iter()
        .map(|pipeline| {
            let parts = params.stores(pipeline).map(|it| {
                let it = truth::spent(&it);
                [it.network, it.waiting, it.service]
            });
            (pipeline, parts)
        })
        .collect();
    let least = 1e-3;
    let all = || spent.iter().flat_map(|it| it.1).flatten();
    let low = all().filter(|it| least <= *it).fold(1.0, f64::min) / 1.8;
    let high = all().fold(1e-2, f64::max) * 2.2;
    let panel = |store: usize| -> (Vec<Series>, Vec<Point>) {
        let lines = (0..PARTS.len()).map(|part| Series {
            meaning: PART_MEANINGS[part],
            trace: Trace::Exact,
            label: Label::new(PART_NAMES[part]).side(Side::End),
            points: spent
                .iter()
                .map(|it| {
                    let ms = it.1[store][part];
                    // A log axis has no place for nothing.
                    (f64::from(it.0), if ms < low { f64::NAN } else { ms })
                })
                .collect(),
        });
        let dots = simulated_parts(store, seen);
        let x = f64::from(params.pipeline);
        let dots = std::iter::zip(dots, PART_MEANINGS)
            .filter_map(|(it, meaning)| {
                let (y, interval) = it.filter(|it| low <= it.0)?;
                Some(Point { meaning, ..dot(store, x, y, interval) })
            })
            .collect();
        (lines.collect(), dots)
    };
    let (series, points) = panel(0);
    let (lower_series, lower_points) = panel(1);
    let y = |name: &str| axis(name, AxisScale::Log, Quantity::Latency, low, high);
    Figure {
        key: "time-by-pipeline",
        title: "Pipeline by pipeline".to_owned(),
        caption: "Dashed: exact. Dots: this study.".to_owned(),
        size: Size::Pair,
        x: axis(
            "commands in a pipeline",
            AxisScale::Linear,
            Quantity::Count,
            1.0,
            f64::from(params.pipeline.max(SWEEP)),
        ),
        y: y("remote, mean, log scale"),
        series,
        points,
        lower: Some(Panel {
            y: y("co-located, mean, log scale"),
            series: lower_series,
            points: lower_points,
        }),
        table: parts_table(&spent),
        ..Figure::default()
    }
}

/// Simulated means of the study's own pipeline, by part, with their intervals.
#[allow(clippy::type_complexity, reason = "a value and its interval, three times")]
fn simulated_parts(store: usize, seen: &Seen) -> [Option<(f64, Option<(f64, f64)>)>; 3] {
    let first = store * counts::EACH;
    let mean = |over: usize| {
        let it =
            seen.meter?.ratio(first + over, first + counts::BATCHES, 1e-6, Evidence::Correlated);
        Some((it.value?, it.low.zip(it.high)))
    };
    let (waiting, service) = (mean(counts::WAITING_NS), mean(counts::SERVICE_NS));
    let whole = seen.measure(["remote.mean", "local.mean"][store]).and_then(|it| it.simulated);
    let network = whole
        .zip(waiting)
        .zip(service)
        .map(|((whole, waiting), service)| ((whole - waiting.0 - service.0).max(0.0), None));
    [network, waiting, service]
}

fn share_caption([remote, local]: &[truth::Spent; 2]) -> String {
    let share = |part: f64, whole: f64| short(Quantity::Share, part / whole).to_string();
    format!(
        "Of {} across the network the network is {}, and waiting in the queue {}; of {} beside the application they \
         are {} and {}.",
        short(Quantity::Latency, remote.total_ms()),
        share(remote.network, remote.total_ms()),
        share(remote.waiting, remote.total_ms()),
        short(Quantity::Latency, local.total_ms()),
        share(local.network, local.total_ms()),
        share(local.waiting, local.total_ms()),
    )
}

fn parts_table(spent: &[(u32, [[f64; 3]; 2])]) -> Table {
    let mut columns = vec![Column::new("pipeline")];
    for (name, meaning) in std::iter::zip(NAMES, MEANINGS) {
        columns.extend(PARTS.map(|it| Column { title: format!("{name}, {it}"), meaning }));
    }
    let rows = spent.iter().map(|(pipeline, parts)| {
        let mut row = vec![Cell::number(Quantity::Count, Some(f64::from(*pipeline)))];
        row.extend(
            parts.as_flattened().iter().map(|it| Cell::number(Quantity::Latency, Some(*it))),
        );
        row
    });
    Table { rows: rows.collect(), columns }
}
