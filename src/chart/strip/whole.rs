//! What a request waits for as a whole, once its calls have answered: a dashed line to its very end.

use super::{Namer, lanes::Row, scale::Scale};
use crate::{
    chart::{
        labels::Block,
        marks::{Anchor, Mark, Rect, Stroke},
        palette::Role,
    },
    format,
    report::{End, Quantity, Replay},
};

/// Less than this of a request is nothing to see.
const SHARE_MIN: f64 = 0.002;

/// How long the request waits after its last answer; `None` where that is nothing to see.
pub(super) fn wait_ms(replay: &Replay) -> Option<f64> {
    let wait = replay.latency_ms - replay.answered_ms;
    (SHARE_MIN * replay.latency_ms < wait).then_some(wait)
}

/// The line that ends with the last answer.
fn answered<'a, 'b>(rows: &[&'a Row<'b>]) -> Option<&'a Row<'b>> {
    rows.iter().copied().find(|it| it.attempt.end == End::Answered)
}

pub(super) fn marks(replay: &Replay, rows: &[&Row], scale: &Scale, now_ms: f64) -> Vec<Mark> {
    let Some(row) =
        answered(rows).filter(|_| wait_ms(replay).is_some() && replay.answered_ms <= now_ms)
    else {
        return Vec::new();
    };
    let (from, to) = (scale.x(replay.answered_ms), scale.x(replay.latency_ms.min(now_ms)));
    let line = Mark::Line {
        points: vec![(from, row.y), (to, row.y)],
        stroke: Stroke::dashed(Role::Blue, 2.0, &[2.0, 4.0]),
    };
    if now_ms < replay.latency_ms {
        return vec![line];
    }
    vec![
        line,
        Mark::Rule { from: (to, row.y - 6.0), to: (to, row.y + 6.0), role: Role::Blue, width: 2.0 },
    ]
}

impl Namer<'_> {
    pub(super) fn whole(&mut self, rows: &[&Row]) {
        let Some((wait, row)) = wait_ms(self.replay).zip(answered(rows)) else { return };
        if self.now_ms < self.replay.latency_ms {
            return;
        }
        let wait = format::reading(Quantity::Latency, Some(wait), None, None).value;
        let text = if self.frame.narrow {
            format!("request: {wait} more")
        } else {
            format!("the request as a whole waits {wait} more")
        };
        let block = Block::line(&text, false, Role::Ink2);
        let x = self.scale.x(self.replay.latency_ms);
        self.placer.avoid(Rect {
            left: self.scale.x(self.replay.answered_ms),
            top: row.y - 2.0,
            right: x,
            bottom: row.y + 2.0,
        });
        let places =
            [10.0, 24.0, 40.0, 56.0].map(|by| ((x, row.y + by + block.above()), Anchor::End));
        self.placer.least_crossed(&block, &places, usize::MAX);
    }
}
