//! The figures of replicas, as plain data.

use super::{CALL_LATENCY, GROWTH, Policy, REQUEST_LATENCY, ReplicasParams, Routing, grew, truth};
use crate::{
    format::{given, reading, short},
    report::{
        AxisScale, Bound, Cell, Column, Figure, Here, Label, Mark, Meaning, Panel, Point, Quantity,
        Series, Side, Size, Table, Trace,
    },
    scenario::{
        Seen,
        growth::growth,
        latency_figures::{Line, axis, distribution, percentiles},
    },
    special::sorted_by,
};

const LATE: &str = "request.p99";

pub(super) fn all(params: &ReplicasParams, seen: &Seen) -> Vec<Figure> {
    let mut figures: Vec<Figure> = late_against_load(params, seen).into_iter().collect();
    if grew(params, seen) && params.load != 0.0 {
        // What comes and cannot be served piles up at every server.
        let surplus = (truth::offered(params) - 1.0) / params.mean_service_ms() * 1e3;
        figures.insert(0, growth(GROWTH, params.servers, surplus, seen));
        return figures;
    }
    if seen.meter.is_none() && seen.exact.laws.is_empty() {
        return figures;
    }
    let lines = lines(params, seen);
    figures.push(percentiles(&lines, seen, params.deadline_ms));
    figures.push(distribution(&lines, seen, params.deadline_ms));
    figures
}

fn lines(params: &ReplicasParams, seen: &Seen) -> Vec<Line> {
    let mut lines = Vec::new();
    if seen.exact.law(truth::ONCE).is_some() {
        lines.push(Line {
            name: truth::ONCE,
            latency: None,
            meaning: Meaning::Reference,
            label: "sent once".to_owned(),
        });
    }
    if 1 < params.fan_out {
        lines.push(Line {
            name: "call",
            latency: Some(CALL_LATENCY),
            meaning: Meaning::Other,
            label: "one call".to_owned(),
        });
    }
    lines.push(Line {
        name: "request",
        latency: Some(REQUEST_LATENCY),
        meaning: Meaning::This,
        label: name(params),
    });
    lines
}

/// What the study does, in a few words.
pub(super) fn name(params: &ReplicasParams) -> String {
    let after = given(Quantity::Latency, params.delay_ms);
    if params.copies() {
        return match params.policy {
            Policy::Hedge => format!("hedged after {after}"),
            Policy::Tied => format!("tied after {after}"),
            Policy::Duplicate | Policy::Single => "sent twice".to_owned(),
        };
    }
    match params.routing {
        Routing::Random => "sent once",
        Routing::RoundRobin => "in turn",
        Routing::LeastOutstanding => "to the fewest outstanding",
        Routing::Probe => "to the shortest queue asked",
        Routing::Board => "to the shortest on the board",
    }
    .to_owned()
}

/// The p99 against the load, with what the servers do for it below: exact curves where there are, and this study.
fn late_against_load(params: &ReplicasParams, seen: &Seen) -> Option<Figure> {
    let once = seen.exact.curve(truth::ONCE);
    let own = seen.exact.curve(truth::OWN);
    let points = late_points(params, seen);
    let (from, to) = late_range(params, once, own, &points)?;
    let is_once = truth::formula(params) == Some(truth::Formula::Alone);
    let room = (1.0 - params.background).max(0.0);
    let x = axis(
        "load of the requests",
        AxisScale::Linear,
        Quantity::Share,
        0.0,
        room.max(params.load * 1.05).max(0.05),
    );
    let y = axis("p99 of a request, log scale", AxisScale::Log, Quantity::Latency, from, to);
    let mut series = Vec::new();
    if !once.is_empty() {
        let label = Label::new("sent once").side(Side::Below);
        let (meaning, trace) = if is_once {
            (Meaning::This, Trace::ExactAlone)
        } else {
            (Meaning::Reference, Trace::Exact)
        };
        series.push(Series { meaning, trace, label, points: once.to_vec() });
    }
    if !own.is_empty() {
        let label = Label::new(name(params)).side(Side::Below);
        let trace = Trace::ExactAlone;
        series.push(Series { meaning: Meaning::This, trace, label, points: own.to_vec() });
    }
    let bound = Bound { upright: false, at: params.deadline_ms, label: "deadline".to_owned() };
    let within = from < params.deadline_ms && params.deadline_ms < to;
    Some(Figure {
        key: "late-against-load",
        title: "What the load does to the p99".to_owned(),
        caption: late_caption(params, seen),
        size: Size::Main,
        table: late_table(params, seen, once, own),
        lower: Some(utilisation(params, seen)),
        here: late_here(params, seen),
        bounds: if within { vec![bound] } else { Vec::new() },
        x,
        y,
        series,
        points,
        ..Figure::default()
    })
}

fn late_points(params: &ReplicasParams, seen: &Seen) -> Vec<Point> {
    let Some(measure) = seen.measure(LATE) else { return Vec::new() };
    let point = |meaning, mark, y, interval, label| Point {
        meaning,
        mark,
        x: params.load,
        y,
        interval,
        label,
    };
    let published = measure.published.map(|it| {
        let label = Label::new(format!("published {}", given(Quantity::Latency, it)))
            .short(given(Quantity::Latency, it).to_string());
        point(Meaning::Ink, Mark::Diamond, it, None, label)
    });
    let simulated = measure.simulated.map(|it| {
        let interval = measure.low.zip(measure.high);
        point(Meaning::This, Mark::Dot, it, interval, Label::default())
    });
    published.into_iter().chain(simulated).collect()
}

/// From the least of all curves to where the curves are steep, this study well inside.
fn late_range(
    params: &ReplicasParams,
    once: &[(f64, f64)],
    own: &[(f64, f64)],
    points: &[Point],
) -> Option<(f64, f64)> {
    let room = (1.0 - params.background).max(0.0);
    let curves = || once.iter().chain(own).filter(|it| it.0 <= 0.9 * room).map(|it| it.1);
    let ends = || points.iter().flat_map(|it| [Some(it.y), it.interval.map(|it| it.1)]).flatten();
    let all = || curves().chain(ends()).filter(|it| it.is_finite() && 0.0 < *it);
    let low = all().fold(f64::INFINITY, f64::min);
    let high = all().fold(0.0, f64::max);
    low.is_finite().then(|| (low / 1.5, (high * 1.3).max(low * 3.0)))
}

/// How busy the servers are, and with what.
fn utilisation(params: &ReplicasParams, seen: &Seen) -> Panel {
    let room = (1.0 - params.background).max(0.0);
    let once = Series {
        meaning: Meaning::Reference,
        trace: Trace::Exact,
        label: Label::new("sent once").side(Side::Below),
        points: vec![(0.0, params.background), (room, params.background + room)],
    };
    let point = |name: &str, meaning, label: &str| {
        let measure = seen.measure(name)?;
        Some(Point {
            meaning,
            mark: Mark::Dot,
            x: params.load,
            y: measure.simulated?,
            interval: measure.low.zip(measure.high),
            label: Label::new(label),
        })
    };
    let busy = point("utilisation", Meaning::This, "busy");
    let wasted = point("wasted", Meaning::Hedge, "wasted").filter(|_| params.copies());
    Panel {
        y: axis("time of the servers", AxisScale::Linear, Quantity::Share, 0.0, 1.0),
        series: vec![once],
        points: busy.into_iter().chain(wasted).collect(),
    }
}

fn late_caption(params: &ReplicasParams, seen: &Seen) -> String {
    let latency = |it| short(Quantity::Latency, it).to_string();
    let load = given(Quantity::Share, params.load);
    let own = seen.best(LATE).map(latency);
    let once = seen.exact.quantile_ms(truth::ONCE, 0.99).map(latency);
    let known = if seen.exact.curves.is_empty() {
        "Only this study is known, no curve."
    } else {
        "Dashed: exact; the dot: this study, simulated."
    };
    let told = match (own, once) {
        (Some(own), Some(once)) => {
            format!("At a load of {load} the p99 is {own}; sent once it would be {once}. ")
        }
        (Some(own), None) => format!("At a load of {load} the p99 is {own}. "),
        (None, _) => String::new(),
    };
    format!("{told}{known}")
}

fn late_here(params: &ReplicasParams, seen: &Seen) -> Option<Here> {
    let measure = seen.measure(LATE)?;
    let best = seen.best(LATE)?;
    let note = if measure.exact.is_some() {
        seen.beside_exact(LATE)
    } else {
        let reading = reading(Quantity::Latency, measure.simulated, measure.low, measure.high);
        format!("simulated {}", reading.margin).trim().to_owned()
    };
    let value = short(Quantity::Latency, best).to_string();
    Some(Here { x: params.load, y: best, key: "load", value, note })
}

fn late_table(
    params: &ReplicasParams,
    seen: &Seen,
    once: &[(f64, f64)],
    own: &[(f64, f64)],
) -> Table {
    let columns = vec![
        Column::new("load"),
        Column { title: "sent once, exact".to_owned(), meaning: Meaning::Reference },
        Column { title: format!("{}, exact", name(params)), meaning: Meaning::This },
        Column { title: "this study, simulated".to_owned(), meaning: Meaning::This },
    ];
    let latency = |value| Cell::number(Quantity::Latency, value);
    let at = |curve: &[(f64, f64)], load: f64| {
        latency(curve.iter().find(|it| it.0 == load).map(|it| it.1))
    };
    let share = |it: f64| Cell::number(Quantity::Share, Some(it));
    let curve = if once.is_empty() { own } else { once };
    let mut rows: Vec<(f64, Vec<Cell>)> = curve
        .iter()
        .step_by(2)
        .map(|(load, _)| (*load, vec![share(*load), at(once, *load), at(own, *load), Cell::Empty]))
        .collect();
    let measure = seen.measure(LATE);
    let simulated = measure.and_then(|it| Some((it.simulated?, it.low.zip(it.high))));
    let cell = simulated.map_or(Cell::Empty, |(value, interval)| Cell::Number {
        value,
        interval,
        quantity: Quantity::Latency,
    });
    let exact = latency(measure.and_then(|it| it.exact));
    let once_here = latency(seen.exact.quantile_ms(truth::ONCE, 0.99));
    rows.push((params.load, vec![share(params.load), once_here, exact, cell]));
    Table { columns, rows: sorted_by(rows, |it| it.0).into_iter().map(|it| it.1).collect() }
}
