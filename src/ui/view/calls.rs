//! The calls of one request as a table.

use crate::{
    format::short,
    report::{Attempt, Cell, Column, End, Quantity, Replay, SpanKind, Table},
    ui::strings::text,
};

pub fn calls(replay: &Replay) -> Table {
    let columns = ["calls.call", "calls.sent", "calls.until", "calls.way", "calls.end"];
    let columns = columns.map(|it| Column::new(text(it))).into();
    let mut rows = Vec::new();
    for lane in &replay.lanes {
        for (at, attempt) in lane.attempts.iter().enumerate() {
            let mut name = lane.name.clone().unwrap_or_else(|| lane.number.to_string());
            if at > 0 {
                name = format!("{name}, {}", text("calls.copy"));
            } else if lane.straggler {
                name = format!("{name}, {}", text("calls.straggler"));
            }
            rows.push(row(name, replay, attempt));
        }
    }
    Table { columns, rows }
}

fn row(name: String, replay: &Replay, attempt: &Attempt) -> Vec<Cell> {
    let ms = |value: f64| Cell::number(Quantity::Latency, Some(value));
    let until = attempt.spans.last().map_or(attempt.sent_ms, |it| it.until_ms);
    let end = match attempt.end {
        End::Answered => text("calls.answered"),
        End::Unused => text("calls.unused"),
        End::Cancelled => text("calls.cancelled"),
    };
    let way = Cell::Text(way(replay, attempt));
    vec![Cell::Text(name), ms(attempt.sent_ms), ms(until), way, Cell::Text(end.to_owned())]
}

/// How long it was at what, all stretches of a kind together: `waiting 3.2 ms, at work 1 ms`.
fn way(replay: &Replay, attempt: &Attempt) -> String {
    let kinds = [
        (SpanKind::Hop, text("calls.hop")),
        (SpanKind::Waiting, text("calls.waiting")),
        (SpanKind::Held, &replay.held),
        (SpanKind::Service, text("calls.service")),
        (SpanKind::Slow, &replay.slow),
    ];
    let spent = kinds.map(|(kind, name)| (name, attempt.spent_ms(kind)));
    let parts = spent.iter().filter(|it| 0.0 < it.1);
    let parts = parts.map(|(name, ms)| format!("{name} {}", short(Quantity::Latency, *ms)));
    parts.collect::<Vec<_>>().join(", ")
}
