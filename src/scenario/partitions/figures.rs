//! The figures of partitions, as plain data.

use super::{PartitionsParams, REQUEST_LATENCY, counts, placement::RANKS};
use crate::{
    format::short,
    report::{
        AxisScale, Bound, Cell, Column, Figure, Here, Label, Meaning, Quantity, Series, Side, Size,
        Table, Trace,
    },
    scenario::{
        Seen,
        latency_figures::{Line, axis, distribution, percentiles},
    },
    special::sort_numbers,
};

pub(super) fn all(params: &PartitionsParams, seen: &Seen) -> Vec<Figure> {
    let lines = [Line {
        name: "request",
        latency: Some(REQUEST_LATENCY),
        meaning: Meaning::This,
        label: "a request".to_owned(),
    }];
    vec![
        loads(params, seen),
        pieces(params, seen),
        percentiles(&lines, seen, params.deadline_ms),
        distribution(&lines, seen, params.deadline_ms),
    ]
}

/// The load of each machine, the most loaded first: of partitions before they were moved and after, and with items.
fn loads(params: &PartitionsParams, seen: &Seen) -> Figure {
    let machines = f64::from(params.running());
    let steps = |first: usize| -> Vec<(f64, f64)> {
        let meter = seen.meter.filter(|it| 0 < it.counted(counts::PLACEMENTS));
        let Some(meter) = meter else { return Vec::new() };
        let placements = meter.counted(counts::PLACEMENTS) as f64 * 1e6;
        let ranks = (0..=RANKS).map(|rank| {
            let load = meter.counted(first + rank.min(RANKS - 1)) as f64 / placements;
            (rank as f64 / RANKS as f64 * machines, load)
        });
        ranks.collect()
    };
    let traces = [
        (Meaning::Reference, "partitions as dealt", steps(counts::DEALT)),
        (Meaning::Other, "partitions moved", steps(counts::EVENED)),
        (Meaning::This, "with items: this study", steps(counts::LOADS)),
    ];
    let top = traces.iter().flat_map(|it| &it.2).map(|it| it.1).fold(1.0, f64::max);
    let rows = (0..RANKS.min(traces[0].2.len())).map(|rank| {
        let mut row = vec![Cell::number(Quantity::Plain, Some(traces[0].2[rank].0))];
        row.extend(traces.iter().map(|it| Cell::number(Quantity::Share, Some(it.2[rank].1))));
        row
    });
    let mut columns = vec![Column::new("machines from")];
    columns.extend(traces.iter().map(|it| Column { title: it.1.to_owned(), meaning: it.0 }));
    let table = Table { columns, rows: rows.collect() };
    let series = traces.map(|(meaning, name, points)| Series {
        meaning,
        trace: Trace::Steps,
        label: Label::new(name).side(Side::Above),
        points,
    });
    Figure {
        key: "load-by-machine",
        title: "What each machine has to do".to_owned(),
        caption: "The mean over placements, the most loaded machine first. Moving partitions evens out what partitions \
                  bring; what a popular item brings stays where the item lies, unless it has copies."
            .to_owned(),
        size: Size::Main,
        x: axis(
            "machines, the most loaded first",
            AxisScale::Linear,
            Quantity::Count,
            0.0,
            machines,
        ),
        y: axis("load", AxisScale::Linear, Quantity::Share, 0.0, 1.12 * top),
        series: series.to_vec(),
        bounds: vec![Bound { upright: false, at: 1.0, label: "overloaded".to_owned() }],
        table,
        ..Figure::default()
    }
}

/// How finely load can be shed, and how fast a failed machine's work is taken over, against partitions a machine.
fn pieces(params: &PartitionsParams, seen: &Seen) -> Figure {
    let counts = partition_counts(params.partitions);
    let with = |partitions: u32| PartitionsParams { partitions, ..params.clone() };
    let at = |value: fn(&PartitionsParams) -> f64| -> Vec<(f64, f64)> {
        counts.iter().map(|it| (f64::from(*it), value(&with(*it)))).collect()
    };
    let step = at(|it| 1.0 / f64::from(it.partitions));
    let recovery = at(PartitionsParams::recovery);
    let rows = std::iter::zip(&step, &recovery).map(|(step, recovery)| {
        let share = |it| Cell::number(Quantity::Share, Some(it));
        vec![Cell::number(Quantity::Count, Some(step.0)), share(step.1), share(recovery.1)]
    });
    let table = Table {
        columns: vec![
            Column::new("partitions a machine"),
            Column { title: "load shed with one".to_owned(), meaning: Meaning::Other },
            Column { title: "recovery time".to_owned(), meaning: Meaning::This },
        ],
        rows: rows.collect(),
    };
    let here = seen.exact.value("recovery").map(|recovery| Here {
        x: f64::from(params.partitions),
        y: recovery,
        key: "partitions",
        value: short(Quantity::Share, recovery).to_string(),
        note: "of the time that one machine would take".to_owned(),
    });
    Figure {
        key: "recovery-against-partitions",
        title: "Small pieces move fast".to_owned(),
        caption: format!(
            "With {} partitions a machine, one of them is {} of its load. When a machine fails, the others take its \
             partitions in turn and load them at the same time, in {} of the time that one machine would take. \
             Dashed: exact.",
            params.partitions,
            short(Quantity::Share, 1.0 / f64::from(params.partitions)),
            short(Quantity::Share, params.recovery()),
        ),
        size: Size::Main,
        x: axis(
            "partitions a machine, log scale",
            AxisScale::Log,
            Quantity::Count,
            1.0,
            step.last().map_or(200.0, |it| it.0),
        ),
        y: axis("share", AxisScale::Linear, Quantity::Share, 0.0, 1.0),
        series: vec![
            Series {
                meaning: Meaning::Other,
                trace: Trace::Exact,
                label: Label::new("load shed with one partition").short("load shed"),
                points: step,
            },
            Series {
                meaning: Meaning::This,
                trace: Trace::ExactAlone,
                label: Label::new("recovery time"),
                points: recovery,
            },
        ],
        here,
        table,
        ..Figure::default()
    }
}

/// All of the first few, then about evenly spread on a log axis, with the study's own.
fn partition_counts(own: u32) -> Vec<u32> {
    let at = |step: u32| libm::exp(f64::from(step) / 60.0 * libm::log(200.0)).round();
    let mut counts: Vec<f64> = (0..=60).map(at).chain([f64::from(own)]).collect();
    sort_numbers(&mut counts);
    counts.dedup();
    counts.into_iter().map(|it| it as u32).collect()
}
