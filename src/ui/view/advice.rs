//! Whether to hedge, as a curve; the words are `study::Inquiry::told`.

use crate::{
    report::{
        Axis, AxisScale, Cell, Column, Figure, Label, Mark, Meaning, Panel, Point, Quantity,
        Series, Size, Table, Trace,
    },
    study::{Advice, Study, Trial, asked_of_calls, borne},
    ui::{
        state::{Advising, State},
        strings::{fill, text},
    },
};

/// The study that the answer leads to.
pub fn advised(advising: &Advising) -> Option<Study> {
    match advising.inquiry.advice() {
        Advice::Hedge(Trial { study, .. }) => Some(study),
        Advice::DoNotHedge { .. } | Advice::Unknown => None,
    }
}

/// What a deadline asks of each call, and the fan-out that it bears, as soon as that is found.
pub fn limits(state: &State) -> Option<(String, String)> {
    let asked = asked_of_calls(&state.study)?;
    let found = state.theory.bears.as_ref().filter(|it| it.0.same_system(&state.study));
    let most = match found.map(|it| it.1) {
        Some(Some(most)) => borne(&most.to_string()),
        Some(None) => String::new(),
        // Its place is kept, so that nothing below moves.
        None => borne("…"),
    };
    Some((asked, most))
}

/// What is to come down and the cost against the delay.
pub fn advice_figure(advising: &Advising) -> Option<Figure> {
    let trials = advising.inquiry.trials();
    let (first, last) = (trials.first()?, trials.last()?);
    let (from, to) = (first.delay_ms, last.delay_ms.max(first.delay_ms * 1.01));
    let aim = advising.inquiry.aim_in_words();
    let line = |label: &str, meaning: Meaning, value: fn(&Trial) -> f64| Series {
        meaning,
        trace: Trace::Simulated,
        label: Label::new(label),
        points: trials.iter().map(|it| (it.delay_ms, value(it))).collect(),
    };
    let best = match advising.inquiry.advice() {
        Advice::Hedge(it) => Some(it),
        _ => None,
    };
    let dot = |y: f64, meaning: Meaning, x: f64| Point {
        meaning,
        mark: Mark::Dot,
        x,
        y,
        interval: None,
        label: Label::default(),
    };
    let top = trials.iter().map(|it| it.cost).fold(advising.inquiry.budget, f64::max);
    let budget = advising.inquiry.budget;
    let allowed = Series {
        meaning: Meaning::Reference,
        trace: Trace::Exact,
        label: Label::new(text("advise.budget-line")),
        points: vec![(from, budget), (to, budget)],
    };
    Some(Figure {
        key: "advice",
        title: text("advise.figure").to_owned(),
        caption: text("advise.caption").to_owned(),
        size: Size::Main,
        x: log(text("advise.delay"), (from, to)),
        y: upward(&aim, trials),
        series: vec![line(&aim, Meaning::This, |it| it.gain.with)],
        points: best.iter().map(|it| dot(it.gain.with, Meaning::This, it.delay_ms)).collect(),
        lower: Some(Panel {
            y: Axis {
                name: text("advise.cost").to_owned(),
                scale: AxisScale::Linear,
                quantity: Quantity::Share,
                from: 0.0,
                to: top * 1.15,
            },
            series: vec![allowed, line(text("advise.cost"), Meaning::Hedge, |it| it.cost)],
            points: best.iter().map(|it| dot(it.cost, Meaning::Hedge, it.delay_ms)).collect(),
        }),
        table: table(&aim, trials),
        ..Figure::default()
    })
}

/// Latencies by ratio; shares from nothing, which they may be.
fn upward(aim: &str, trials: &[Trial]) -> Axis {
    let values = trials.iter().map(|it| it.gain.with);
    let (low, high) = (values.clone().fold(f64::INFINITY, f64::min), values.fold(0.0, f64::max));
    match trials.first().map(|it| it.gain.quantity) {
        Some(quantity) if quantity != Quantity::Latency => Axis {
            name: aim.to_owned(),
            scale: AxisScale::Linear,
            quantity,
            from: 0.0,
            to: if 0.0 < high { high * 1.15 } else { 1.0 },
        },
        _ => log(aim, (low / 1.5, high * 1.7)),
    }
}

fn log(name: &str, (from, to): (f64, f64)) -> Axis {
    let name = fill("sweep.log", &[("name", name)]);
    Axis { name, scale: AxisScale::Log, quantity: Quantity::Latency, from, to }
}

fn table(aim: &str, trials: &[Trial]) -> Table {
    let columns = [text("advise.delay"), aim, text("advise.cost")];
    let rows = trials.iter().map(|it| {
        let cell = |quantity, it| Cell::number(quantity, Some(it));
        let [delay, cost] = [(Quantity::Latency, it.delay_ms), (Quantity::Share, it.cost)]
            .map(|it| cell(it.0, it.1));
        vec![delay, cell(it.gain.quantity, it.gain.with), cost]
    });
    Table { columns: columns.map(Column::new).to_vec(), rows: rows.collect() }
}
