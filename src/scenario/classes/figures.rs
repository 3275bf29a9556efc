//! The figures of classes, as plain data.

use super::{
    CHEAP_LATENCY, ClassesParams, Discipline, GROWTH, HEAVY_LATENCY,
    truth::{Formula, Means, formula, means},
};
use crate::{
    format::{given, short},
    report::{
        AxisScale, Cell, Column, Figure, Here, Label, Mark, Meaning, Point, Quantity, Series, Size,
        Table, Trace,
    },
    scenario::{
        Seen,
        growth::growth,
        latency_figures::{Line, axis, distribution, percentiles},
    },
};

pub(super) fn all(params: &ClassesParams, seen: &Seen) -> Vec<Figure> {
    let lines = [
        Line {
            name: "heavy",
            latency: Some(HEAVY_LATENCY),
            meaning: Meaning::Other,
            label: "a long request".to_owned(),
        },
        Line {
            name: "cheap",
            latency: Some(CHEAP_LATENCY),
            meaning: Meaning::This,
            label: "a short request".to_owned(),
        },
    ];
    let caption = caption(seen);
    let by_percentile = percentiles(&lines, seen, params.deadline_ms);
    let spread = distribution(&lines, seen, params.deadline_ms);
    // By the settings, or by what was seen.
    if 1.0 <= params.load || seen.meter.is_some_and(|it| GROWTH.is_seen(it)) {
        return vec![growth(GROWTH, 1, 0.0, seen), against_load(params, seen)];
    }
    vec![
        against_load(params, seen),
        Figure { caption: caption.clone(), ..by_percentile },
        Figure { caption, title: "How the answers spread".to_owned(), ..spread },
    ]
}

fn caption(seen: &Seen) -> String {
    let best = |name| seen.best(name).map(|it| short(Quantity::Latency, it).to_string());
    match (best("cheap.p99"), best("heavy.p99")) {
        (Some(cheap), Some(heavy)) => format!(
            "One in a hundred short requests takes more than {cheap}, of the long ones more than {heavy}."
        ),
        _ => String::new(),
    }
}

/// Curves of the disciplines that have a formula.
const CURVES: [(Formula, &str); 3] = [
    (Formula::InOrder, "first come, first served"),
    (Formula::Priority, "short ones first"),
    (Formula::Sharing, "all at once"),
];

/// The mean latency of a short request against the load.
fn against_load(params: &ClassesParams, seen: &Seen) -> Figure {
    let loads: Vec<f64> = (1..=95).map(|it| 0.01 * f64::from(it)).collect();
    let at = |load: f64, formula: Formula| -> Means {
        means(&ClassesParams { load, ..params.clone() }, formula)
    };
    let own = formula(params);
    let series: Vec<Series> = CURVES
        .iter()
        .map(|(formula, name)| {
            let this = own == Some(*formula);
            Series {
                meaning: if this { Meaning::This } else { Meaning::Reference },
                trace: if this { Trace::ExactAlone } else { Trace::Exact },
                label: Label::new(*name),
                points: loads.iter().map(|it| (*it, at(*it, *formula).cheap)).collect(),
            }
        })
        .collect();
    let values = || series.iter().flat_map(|it| &it.points).map(|it| it.1);
    let measured = seen.best("cheap.mean").filter(|it| it.is_finite() && 0.0 < *it);
    let low = values().chain(measured).fold(params.cheap_ms, f64::min) / 1.6;
    let high = values().chain(measured).fold(params.cheap_ms, f64::max) * 1.9;
    let rows =
        loads.iter().filter(|it| (**it * 20.0).fract().min(1.0 - (**it * 20.0).fract()) < 0.1);
    let rows = rows.map(|load| {
        let latency =
            |it: &(Formula, &str)| Cell::number(Quantity::Latency, Some(at(*load, it.0).cheap));
        let mut row = vec![Cell::number(Quantity::Share, Some(*load))];
        row.extend(CURVES.iter().map(latency));
        row
    });
    let mut columns = vec![Column::new("load")];
    columns.extend(
        std::iter::zip(&CURVES, &series).map(|((_, name), series)| Column {
            title: (*name).to_owned(),
            meaning: series.meaning,
        }),
    );
    let table = Table { columns, rows: rows.collect() };
    Figure {
        key: "short-requests-against-load",
        title: "What a short request waits for".to_owned(),
        caption: format!(
            "The mean latency of a request of {}, when {} of requests take {}. In order, it waits for the long ones \
             before it; going first it waits for the one at work only; all at once it never waits, but is slowed down. \
             Dashed: exact.",
            given(Quantity::Latency, params.cheap_ms),
            given(Quantity::Share, params.heavy_share),
            given(Quantity::Latency, params.heavy_ms),
        ),
        size: Size::Main,
        x: axis("load", AxisScale::Linear, Quantity::Share, 0.0, 1.0),
        y: axis("mean latency, log scale", AxisScale::Log, Quantity::Latency, low, high),
        series,
        points: simulated(params, seen),
        here: here(params, seen),
        table,
        ..Figure::default()
    }
}

fn simulated(params: &ClassesParams, seen: &Seen) -> Vec<Point> {
    let measure = seen.measure("cheap.mean").filter(|_| params.load < 1.0);
    let point = measure.and_then(|it| {
        Some(Point {
            meaning: Meaning::This,
            mark: Mark::Dot,
            x: params.load,
            y: it.simulated?,
            interval: it.low.zip(it.high),
            label: Label::default(),
        })
    });
    point.into_iter().collect()
}

fn here(params: &ClassesParams, seen: &Seen) -> Option<Here> {
    let mean = seen.best("cheap.mean").filter(|_| params.load < 1.0)?;
    let note = match params.discipline {
        Discipline::Slice => "in slices",
        Discipline::Priority if 0 < params.device_queue => "short ones first, some handed down",
        _ => "this study",
    };
    let value = short(Quantity::Latency, mean).to_string();
    Some(Here { x: params.load, y: mean, key: "load", value, note: note.to_owned() })
}
