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

/// The late percentile and the cost against the delay.
pub fn advice_figure(advising: &Advising) -> Option<Figure> {
    let trials = advising.inquiry.trials();
    let (first, last) = (trials.first()?, trials.last()?);
    let (from, to) = (first.delay_ms, last.delay_ms.max(first.delay_ms * 1.01));
    let log = |name: String, ends: (f64, f64)| Axis {
        name: fill("sweep.log", &[("name", &name)]),
        scale: AxisScale::Log,
        quantity: Quantity::Latency,
        from: ends.0,
        to: ends.1,
    };
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
    let late = trials.iter().map(|it| it.late_ms);
    let (low, high) = (late.clone().fold(f64::INFINITY, f64::min), late.fold(0.0, f64::max));
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
        x: log(text("advise.delay").to_owned(), (from, to)),
        y: log(text("advise.late").to_owned(), (low / 1.5, high * 1.7)),
        series: vec![line(text("advise.late"), Meaning::This, |it| it.late_ms)],
        points: best.iter().map(|it| dot(it.late_ms, Meaning::This, it.delay_ms)).collect(),
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
        table: table(trials),
        ..Figure::default()
    })
}

fn table(trials: &[Trial]) -> Table {
    let columns = [text("advise.delay"), text("advise.late"), text("advise.cost")];
    let rows = trials.iter().map(|it| {
        let latency = |it| Cell::number(Quantity::Latency, Some(it));
        let cost = Cell::number(Quantity::Share, Some(it.cost));
        vec![latency(it.delay_ms), latency(it.late_ms), cost]
    });
    Table { columns: columns.map(Column::new).to_vec(), rows: rows.collect() }
}
