//! The figures of sessions, as plain data.

use super::{KvsSessionsParams, REQUEST_LATENCY, Topology, first::First, truth};
use crate::{
    format::{given, short},
    report::{
        AxisScale, Cell, Column, Figure, Here, Label, Mark, Meaning, Point, Quantity, Series, Side,
        Size, Table, Trace,
    },
    scenario::{
        Seen,
        latency_figures::{Line, axis, distribution, percentiles},
    },
};

/// What a store has to keep to for personalised content, says the talk.
const LIMIT_MS: f64 = 10.0;

pub(super) fn all(params: &KvsSessionsParams, seen: &Seen) -> Vec<Figure> {
    let mut figures = Vec::new();
    if params.has_copies() {
        figures.push(against_lag(params, seen));
    }
    if let Some(first) = seen.meter.and_then(First::of) {
        figures.push(timeline(params, &first));
    }
    let own = |topology: Topology| topology == params.topology;
    let others = truth::ALONE.iter().filter(|it| !own(it.0));
    let mut lines: Vec<Line> = others
        .map(|(topology, name)| Line {
            name,
            latency: None,
            meaning: Meaning::Reference,
            label: place(*topology).to_owned(),
        })
        .collect();
    lines.push(Line {
        name: "request",
        latency: Some(REQUEST_LATENCY),
        meaning: Meaning::This,
        label: format!("this study: {}", place(params.topology)),
    });
    let by_percentile = percentiles(&lines, seen, LIMIT_MS);
    figures.push(Figure {
        title: "What the place of the store costs".to_owned(),
        caption: latency_caption(params, seen),
        ..by_percentile
    });
    let alone = lines.split_off(lines.len() - 1);
    figures.push(distribution(&alone, seen, LIMIT_MS));
    figures
}

fn place(topology: Topology) -> &'static str {
    match topology {
        Topology::Central => "one for all",
        Topology::Replica => "replicas to read",
        Topology::Sharded => "sharded",
        Topology::CoLocated => "at every node",
    }
}

fn latency_caption(params: &KvsSessionsParams, seen: &Seen) -> String {
    let hop = given(Quantity::Latency, params.hop_ms);
    match (seen.best("request.p50"), seen.best("request.p99")) {
        (Some(half), Some(late)) => format!(
            "Half of the requests take less than {}, one in a hundred more than {}. Dashed: stores elsewhere, for a \
             user who is alone. A hop takes {hop}.",
            short(Quantity::Latency, half),
            short(Quantity::Latency, late),
        ),
        _ => format!("Dashed: stores elsewhere, for a user who is alone. A hop takes {hop}."),
    }
}

/// Replication lags of the axis.
const LAGS: (f64, f64) = (0.1, 1_000.0);

/// The share of reads that miss a write of their own user, against the replication lag.
fn against_lag(params: &KvsSessionsParams, seen: &Seen) -> Figure {
    let steps = 60;
    let lag = |step: u32| LAGS.0 * libm::pow(LAGS.1 / LAGS.0, f64::from(step) / f64::from(steps));
    let curve: Vec<(f64, f64)> =
        (0..=steps).map(lag).map(|it| (it, truth::violations(params, it))).collect();
    let own = params.topology == Topology::CoLocated && !params.is_tied();
    let meaning = if own { Meaning::This } else { Meaning::Reference };
    let name = "any node for any request, nearly";
    let rows = curve.iter().step_by(5).map(|(lag, share)| {
        vec![
            Cell::number(Quantity::Latency, Some(*lag)),
            Cell::number(Quantity::Share, Some(*share)),
        ]
    });
    let table = Table {
        columns: vec![Column::new("replication lag"), Column { title: name.to_owned(), meaning }],
        rows: rows.collect(),
    };
    let missed = |it: f64| short(Quantity::Share, it);
    let caption = match seen.best("violations") {
        Some(share) => format!(
            "With a lag of {}, {} of reads miss a write of their own user. Dashed, for a store at every node and a \
             random node for each request: an approximation that holds from about 5\u{202f}ms.",
            given(Quantity::Latency, params.lag_ms),
            missed(share),
        ),
        None => {
            "Dashed: a store at every node and a random node for each request, nearly.".to_owned()
        }
    };
    Figure {
        key: "violations-against-lag",
        title: "The later the copy, the more often a write is missed".to_owned(),
        caption,
        size: Size::Main,
        x: axis("replication lag, log scale", AxisScale::Log, Quantity::Latency, LAGS.0, LAGS.1),
        y: axis("reads that miss a write", AxisScale::Linear, Quantity::Share, 0.0, 1.0),
        series: vec![Series {
            meaning,
            trace: if own { Trace::ExactAlone } else { Trace::Exact },
            label: Label::new(name).side(Side::Above),
            points: curve,
        }],
        points: simulated(params, seen),
        here: here(params, seen),
        table,
        ..Figure::default()
    }
}

fn simulated(params: &KvsSessionsParams, seen: &Seen) -> Vec<Point> {
    let measure = seen.measure("violations");
    let point = measure.and_then(|it| {
        Some(Point {
            meaning: Meaning::This,
            mark: Mark::Dot,
            x: params.lag_ms,
            y: it.simulated?,
            interval: it.low.zip(it.high),
            label: Label::default(),
        })
    });
    point.into_iter().collect()
}

fn here(params: &KvsSessionsParams, seen: &Seen) -> Option<Here> {
    let share = seen.best("violations")?;
    let note = if params.is_tied() { "users tied to nodes" } else { "this study" };
    let value = short(Quantity::Share, share).to_string();
    Some(Here { x: params.lag_ms, y: share, key: "lag_ms", value, note: note.to_owned() })
}

/// One user's way from node to node, up to the first read that misses a write.
fn timeline(params: &KvsSessionsParams, first: &First) -> Figure {
    let First { user, expected, value, missed, missed_node, missed_ms, read_node, read_ms, .. } =
        *first;
    let nodes = f64::from(params.nodes);
    let end = first.copied_ms.unwrap_or(read_ms).max(read_ms);
    let ends = (0.0, 1.12 * end);
    let (from, to) = (missed_node as f64, read_node as f64);
    let way = vec![(missed_ms, from), (first.sent_ms.max(missed_ms), from), (read_ms, to)];
    let mut series = vec![Series {
        meaning: Meaning::This,
        trace: Trace::Simulated,
        label: Label::default(),
        points: way,
    }];
    if let Some(copied_ms) = first.copied_ms {
        series.push(Series {
            meaning: Meaning::Other,
            trace: Trace::Exact,
            label: Label::default(),
            points: vec![(missed_ms, from), (copied_ms, to)],
        });
    }
    Figure {
        key: "first-missed-write",
        title: "The first read that missed a write".to_owned(),
        caption: story(first),
        size: Size::Main,
        x: axis(
            "after the missed write was sent",
            AxisScale::Linear,
            Quantity::Latency,
            ends.0,
            ends.1,
        ),
        y: axis("node", AxisScale::Linear, Quantity::Count, 0.4, nodes + 0.6),
        series,
        points: moments(first),
        table: steps(user, expected, value, missed, first),
        ..Figure::default()
    }
}

fn story(first: &First) -> String {
    let First { user, expected, value, missed, missed_node, wrote_node, read_node, .. } = *first;
    let begin = if missed == expected {
        format!(
            "User {user} wrote {missed} on node {missed_node} and read {value} on node {read_node}."
        )
    } else if wrote_node == read_node {
        format!(
            "User {user} wrote {missed} on node {missed_node}, then wrote {expected} on node {wrote_node} and read \
             {value} there."
        )
    } else {
        format!(
            "User {user} wrote {missed} on node {missed_node}, then wrote {expected} on node {wrote_node} and read \
             {value} on node {read_node}."
        )
    };
    match first.copied_ms {
        Some(copied_ms) => {
            let late = short(Quantity::Latency, copied_ms - first.read_ms);
            format!("{begin} The copy of {missed} came to node {read_node} {late} later.")
        }
        None => format!("{begin} The copy of {missed} never came to node {read_node}."),
    }
}

/// Words at what happened; a write and a read at one node, a moment apart, share them.
fn moments(first: &First) -> Vec<Point> {
    let point = |meaning, mark, ms: f64, node: u64, text: String, side| Point {
        meaning,
        mark,
        x: ms,
        y: node as f64,
        interval: None,
        label: Label::new(text).side(side),
    };
    let wrote = format!("wrote {}", first.missed);
    let mut points = vec![point(
        Meaning::Other,
        Mark::Dot,
        first.missed_ms,
        first.missed_node,
        wrote,
        Side::Above,
    )];
    let read = if first.missed != first.expected && first.wrote_node == first.read_node {
        format!("wrote {}, read {}", first.expected, first.value)
    } else {
        format!("read {}", first.value)
    };
    points.push(point(
        Meaning::Deadline,
        Mark::Dot,
        first.read_ms,
        first.read_node,
        read,
        Side::Above,
    ));
    if let Some(copied_ms) = first.copied_ms {
        let copied = format!("{} is here", first.missed);
        points.push(point(
            Meaning::Other,
            Mark::Ring,
            copied_ms,
            first.read_node,
            copied,
            Side::Above,
        ));
    }
    points
}

fn steps(user: u64, expected: u64, value: u64, missed: u64, first: &First) -> Table {
    let row = |ms: f64, node: u64, what: String| {
        vec![
            Cell::number(Quantity::Latency, Some(ms)),
            Cell::number(Quantity::Count, Some(node as f64)),
            Cell::Text(what),
        ]
    };
    let mut rows =
        vec![row(first.missed_ms, first.missed_node, format!("user {user} wrote {missed}"))];
    if missed != expected {
        rows.push(row(first.wrote_ms, first.wrote_node, format!("wrote {expected}")));
    }
    rows.push(row(first.read_ms, first.read_node, format!("read {value}, not {expected}")));
    if let Some(copied_ms) = first.copied_ms {
        rows.push(row(copied_ms, first.read_node, format!("the copy of {missed} came")));
    }
    Table { columns: ["after", "node", "what"].map(Column::new).into(), rows }
}
