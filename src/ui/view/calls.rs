//! The calls of one request as a table.

use crate::{
    report::{Attempt, Cell, Column, End, Quantity, Replay, Table},
    ui::strings::text,
};

pub fn calls(replay: &Replay) -> Table {
    let columns = ["calls.call", "calls.sent", "calls.until", "calls.end"];
    let columns = columns.map(|it| Column::new(text(it))).into();
    let mut rows = Vec::new();
    for lane in &replay.lanes {
        for (at, attempt) in lane.attempts.iter().enumerate() {
            let mut name = lane.number.to_string();
            if at > 0 {
                name = format!("{name}, {}", text("calls.copy"));
            } else if lane.straggler {
                name = format!("{name}, {}", text("calls.straggler"));
            }
            rows.push(row(name, attempt));
        }
    }
    Table { columns, rows }
}

fn row(name: String, attempt: &Attempt) -> Vec<Cell> {
    let ms = |value: f64| Cell::number(Quantity::Latency, Some(value));
    let until = attempt.spans.last().map_or(attempt.sent_ms, |it| it.until_ms);
    let end = match attempt.end {
        End::Answered => text("calls.answered"),
        End::Unused => text("calls.unused"),
        End::Cancelled => text("calls.cancelled"),
    };
    vec![Cell::Text(name), ms(attempt.sent_ms), ms(until), Cell::Text(end.to_owned())]
}
