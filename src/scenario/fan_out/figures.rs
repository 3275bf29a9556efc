//! The figures of a fan-out, as plain data.

use super::{FanOutParams, Hedge, REQUEST_LATENCY, truth};
use crate::{
    format::{count, given, one_in, short},
    report::{
        AxisScale, Cell, Column, Figure, Here, Label, Mark, Meaning, Point, Quantity, Series, Side,
        Size, Table, Trace,
    },
    scenario::{
        Seen,
        latency_figures::{Line, axis, distribution, percentiles},
    },
    theory::{Law, any_slow},
};

/// The paper's three rates, and what it says of two of them: leaves and share of requests.
const RATES: [(f64, Option<(u32, f64)>); 3] =
    [(0.01, Some((100, 0.63))), (0.001, None), (0.0001, Some((2_000, 0.18)))];

/// The share of late requests against the number of leaves: the figure of the paper, with the reader's own curve.
pub(super) fn over_against_leaves(params: &FanOutParams, seen: &Seen) -> Figure {
    let shares = seen.exact.curve(truth::REQUEST).to_vec();
    let deadline = given(Quantity::Latency, params.deadline_ms);
    let own = truth::hedged(params).beyond(params.deadline_ms);
    let other = truth::counterpart(params).beyond(params.deadline_ms);
    let mut series = Vec::new();
    let counterpart = seen.exact.curve(truth::COUNTERPART).to_vec();
    let others = reference_rates(own);
    // A hedge turns 1 in 100 into 1 in 10,000: then its curve is one that is there already.
    let same =
        others.iter().find(|it| (other / **it - 1.0).abs() < 0.1 && params.request_delay_ms == 0.0);
    let other_name =
        if params.hedge == Hedge::Off { "with a second copy" } else { "without copies" };
    let trace = if same.is_some() { Trace::Wash } else { Trace::Exact };
    let label = Label::new(other_name).short(if same.is_some() { "" } else { other_name });
    let label = if same.is_some() { label.note("the same line") } else { label };
    series.push(Series { meaning: Meaning::Hedge, trace, label, points: counterpart });
    for rate in others {
        let points =
            shares.iter().map(|(leaves, _)| (*leaves, any_slow(rate, *leaves as u32))).collect();
        let (meaning, trace, label) = (Meaning::Reference, Trace::Exact, Label::new(one_in(rate)));
        series.push(Series { meaning, trace, label, points });
    }
    let [leaves, verb] = late_leaves(params, own);
    let label = Label::new(leaves).short("this study").note(format!("{verb} late: this study"));
    series.push(Series {
        meaning: Meaning::This,
        trace: Trace::ExactAlone,
        label,
        points: shares.clone(),
    });
    Figure {
        key: "late-against-leaves",
        title: "The more leaves, the likelier that one of them is late".to_owned(),
        caption: over_caption(params, own, seen),
        size: Size::Main,
        x: axis(
            "leaves a request waits for, log scale",
            AxisScale::Log,
            Quantity::Count,
            1.0,
            shares.last().map_or(2_000.0, |it| it.0),
        ),
        y: axis(
            &format!("requests that take over {deadline}"),
            AxisScale::Linear,
            Quantity::Share,
            0.0,
            1.0,
        ),
        table: over_table(params, own, &shares),
        series,
        points: over_points(params, seen),
        here: here(params, seen),
        ..Figure::default()
    }
}

/// The paper's rates, but for one that the study's own curve already shows.
fn reference_rates(own: f64) -> Vec<f64> {
    RATES.iter().map(|it| it.0).filter(|rate| (own / rate - 1.0).abs() > 0.02).collect()
}

fn over_caption(params: &FanOutParams, own: f64, seen: &Seen) -> String {
    let over = short(Quantity::Share, seen.best("over").unwrap_or(0.0));
    let slowest = if params.hedge == Hedge::Off {
        "A request is as slow as the slowest leaf it waits for."
    } else {
        "A request is as slow as the slowest call it waits for, and a call as quick as the first of its answers."
    };
    format!(
        "{slowest} When {} late, {} leaves make {over} of \
         requests late; at 1 in 10,000, two thousand leaves still spoil {}. Dashed: exact. Diamonds: published.",
        late_leaves(params, own).join(" "),
        count(u64::from(params.fan_out)),
        short(Quantity::Share, any_slow(1e-4, 2_000)),
    )
}

/// The leaf answers that are late, or the calls where these have copies, as a subject, and its verb.
fn late_leaves(params: &FanOutParams, share: f64) -> [String; 2] {
    let what = if params.hedge == Hedge::Off { "leaf answers" } else { "calls" };
    let rate = one_in(share);
    if rate.starts_with("1 in") {
        [format!("{rate} {what}"), "is".to_owned()]
    } else {
        [format!("{} of {what}", short(Quantity::Share, share)), "are".to_owned()]
    }
}

fn here(params: &FanOutParams, seen: &Seen) -> Option<Here> {
    let exact = seen.exact.value("over")?;
    let note = seen.beside_exact("over");
    let value = short(Quantity::Share, exact).to_string();
    Some(Here { x: f64::from(params.fan_out), y: exact, key: "fan_out", value, note })
}

fn over_points(params: &FanOutParams, seen: &Seen) -> Vec<Point> {
    let published = RATES.iter().filter_map(|(rate, at)| at.map(|it| (*rate, it)));
    let mut points: Vec<Point> = published
        .map(|(_, (leaves, share))| Point {
            meaning: Meaning::Ink,
            mark: Mark::Diamond,
            x: f64::from(leaves),
            y: share,
            interval: None,
            label: Label::new(format!("published {}", given(Quantity::Share, share)))
                .short(given(Quantity::Share, share).to_string())
                .side(if leaves < 1_000 { Side::Below } else { Side::End }),
        })
        .collect();
    if let Some(measure) = seen.measure("over")
        && let Some(simulated) = measure.simulated
    {
        points.push(Point {
            meaning: Meaning::This,
            mark: Mark::Dot,
            x: f64::from(params.fan_out),
            y: simulated,
            interval: measure.low.zip(measure.high),
            label: Label::default(),
        });
    }
    points
}

fn over_table(params: &FanOutParams, own: f64, shares: &[(f64, f64)]) -> Table {
    let mut columns = vec![
        Column::new("leaves"),
        Column { title: "this study".to_owned(), meaning: Meaning::This },
    ];
    let rates = reference_rates(own);
    columns.extend(rates.iter().map(|it| Column::new(format!("{} late", one_in(*it)))));
    let last = shares.len() - 1;
    let own_row = |leaves: f64| leaves == f64::from(params.fan_out);
    let shown =
        shares.iter().enumerate().filter(|(at, it)| at % 5 == 0 || *at == last || own_row(it.0));
    let rows = shown.map(|(_, (leaves, share))| {
        let number = |share| Cell::number(Quantity::Share, Some(share));
        let mut row = vec![Cell::number(Quantity::Count, Some(*leaves)), number(*share)];
        row.extend(rates.iter().map(|it| number(any_slow(*it, *leaves as u32))));
        row
    });
    Table { columns, rows: rows.collect() }
}

/// The whole distribution of a request beside that of a leaf and of the other policy.
pub(super) fn all(params: &FanOutParams, seen: &Seen) -> Vec<Figure> {
    let other = if params.hedge == Hedge::Off {
        let after = given(Quantity::Latency, truth::counterpart(params).after);
        format!("hedged after {after}")
    } else {
        "without copies".to_owned()
    };
    let lines = [
        Line {
            name: "leaf",
            latency: Some(super::LEAF_LATENCY),
            meaning: Meaning::Other,
            label: "one leaf".to_owned(),
        },
        Line { name: truth::COUNTERPART, latency: None, meaning: Meaning::Hedge, label: other },
        Line {
            name: "request",
            latency: Some(REQUEST_LATENCY),
            meaning: Meaning::This,
            label: request_label(params),
        },
    ];
    // Where nobody knows how many answers are late there is nothing to draw of it.
    let over = params.deadline_is_known().then(|| over_against_leaves(params, seen));
    let of_all = [
        percentiles(&lines, seen, params.deadline_ms),
        distribution(&lines, seen, params.deadline_ms),
    ];
    over.into_iter().chain(of_all).collect()
}

fn request_label(params: &FanOutParams) -> String {
    let leaves = count(u64::from(params.fan_out));
    if params.needed() == params.fan_out {
        return format!("a request: the slowest of {leaves}");
    }
    format!("a request: {} of {leaves} are in", count(u64::from(params.needed())))
}
