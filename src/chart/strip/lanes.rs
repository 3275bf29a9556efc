//! The lines of the strip: one a call, one a copy.

use crate::chart::marks::{Mark, Rect, Stroke, Tint};
use crate::chart::palette::Role;
use crate::report::{Attempt, End, Lane, Replay, SpanKind};
use crate::special::{order, sort_by_number};

use super::scale::Scale;

/// With more lines than this only the slowest calls are shown, in so many lines.
const ROWS_MAX: usize = 120;
const ROWS_SHOWN: usize = 100;

/// From one line to the next: at most, and to a copy of the straggler, so that the two stay apart.
const PITCH_MAX: f64 = 18.0;
const COPY_PITCH: f64 = 9.0;

/// Below this, lines are too thin for outlines.
const THICK_FROM: f64 = 7.0;

/// Thinner lines have no inside.
pub(super) const HOLLOW_FROM: f64 = 4.0;

pub(super) const UNUSED: &[f64] = &[4.0, 2.5];
pub(super) const HOP: &[f64] = &[1.5, 2.0];

/// How much of its colour fills a stretch that is held up.
pub(super) const HELD: f64 = 0.3;

/// From one notch of slow work to the next, and how wide a notch is.
const NOTCHES: f64 = 6.0;
const NOTCH: f64 = 1.5;

/// An attempt with its place.
#[derive(Clone, Copy)]
pub(super) struct Row<'a> {
    pub(super) lane: &'a Lane,
    pub(super) attempt: &'a Attempt,
    pub(super) copy: bool,
    pub(super) y: f64,
    pitch: f64,
}

/// The calls that are shown, in their order, and how many are not.
pub(super) fn shown(replay: &Replay) -> (Vec<&Lane>, u64) {
    let rows = |it: &&Lane| it.attempts.len().max(1);
    let all: Vec<&Lane> = replay.lanes.iter().collect();
    if all.iter().map(rows).sum::<usize>() <= ROWS_MAX {
        return (all, u64::from(replay.more));
    }
    let order = order(&all.iter().map(|it| -answer_ms(it)).collect::<Vec<f64>>());
    let mut left = ROWS_SHOWN;
    let fits = |it: &usize| {
        let rows = all[*it].attempts.len().max(1);
        let fits = rows <= left;
        left = left.saturating_sub(rows);
        fits
    };
    let mut kept: Vec<usize> = order.into_iter().take_while(fits).collect();
    sort_by_number(&mut kept, |it| *it as f64);
    let more = (all.len() - kept.len()) as u64 + u64::from(replay.more);
    (kept.into_iter().map(|it| all[it]).collect(), more)
}

/// Lines from the top of an area to its bottom.
pub(super) fn rows<'a>(lanes: &[&'a Lane], area: &Rect, narrow: bool) -> Vec<Row<'a>> {
    let plain: usize =
        lanes.iter().map(|it| if it.straggler { 1 } else { it.attempts.len() }).sum();
    let copies: usize =
        lanes.iter().filter(|it| it.straggler).map(|it| it.attempts.len().saturating_sub(1)).sum();
    let wanted = if narrow { 2.0 } else { 3.0 };
    let even = (area.height() - copies as f64 * COPY_PITCH) / plain.max(1) as f64;
    // Half pixels are whole ones on most screens, so that all lines look alike.
    let pitch = (even.min(PITCH_MAX) * 2.0).floor() / 2.0;
    let pitch = if even > wanted { pitch.floor().max(wanted) } else { pitch.max(0.5) };
    // A few lines stand in the middle; many fill the area from the top.
    let total = pitch * plain as f64 + copies as f64 * COPY_PITCH.max(pitch);
    let spare = if pitch < PITCH_MAX { 0.0 } else { (area.height() - total).max(0.0) / 2.0 };
    let mut y = area.top + spare + pitch / 2.0;
    let mut rows = Vec::with_capacity(plain + copies);
    for lane in lanes {
        for (at, attempt) in lane.attempts.iter().enumerate() {
            let copy = at > 0;
            if copy && lane.straggler {
                y += COPY_PITCH.max(pitch) - pitch;
            }
            rows.push(Row { lane, attempt, copy, y, pitch });
            y += pitch;
        }
    }
    rows.retain(|it| it.y <= area.bottom + 0.01);
    rows
}

impl Row<'_> {
    pub(super) fn role(&self) -> Role {
        match (self.copy, self.lane.straggler) {
            (true, _) => Role::Orange,
            (false, true) => Role::Blue,
            (false, false) => Role::Grey,
        }
    }

    /// As far as it had come by a moment.
    pub(super) fn marks(&self, scale: &Scale, now_ms: f64) -> Vec<Mark> {
        let Attempt { sent_ms, spans, end } = self.attempt;
        let mut marks = Vec::new();
        if *sent_ms > now_ms || !sent_ms.is_finite() {
            return marks;
        }
        let mut from = *sent_ms;
        for span in spans {
            let until = span.until_ms.min(now_ms).max(from);
            marks.extend(self.span(scale, span.kind, from, until));
            from = until;
        }
        let small = self.pitch < THICK_FROM && !self.lane.straggler;
        // At the very edge a mark would be cut in half.
        let at = |ms: f64, radius: f64| (scale.x(ms).max(radius + 1.0), self.y);
        let disc = |ms: f64, radius: f64, role: Role| Mark::Circle {
            at: at(ms, radius),
            radius,
            fill: role,
            ring: Role::Paper,
            ring_width: 1.5,
        };
        if self.copy {
            marks.push(disc(*sent_ms, if small { 2.5 } else { 4.0 }, Role::Orange));
        }
        let ended = until_ms(self.attempt);
        if ended > now_ms {
            return marks;
        }
        match end {
            // Lines that simply end have been answered; a dot marks those that mattered.
            End::Answered if self.lane.straggler => marks.push(disc(ended, 4.5, Role::Blue)),
            End::Answered if self.copy => {
                marks.push(disc(ended, if small { 2.5 } else { 4.0 }, Role::Blue));
            }
            End::Cancelled => {
                let radius = if small { 2.5 } else { 4.0 };
                let stroke = Stroke::solid(self.role(), if small { 1.5 } else { 2.0 });
                marks.push(Mark::Cross { at: at(ended, radius), radius, stroke });
            }
            End::Answered | End::Unused => {}
        }
        marks
    }

    /// A stretch of a line: a thin dotted one on the network, a thin or hollow one in a queue, a dashed or lightly
    /// filled one where it is held up, a full one at work, and a notched one where that is slow.
    fn span(&self, scale: &Scale, kind: SpanKind, from: f64, until: f64) -> Vec<Mark> {
        let (x0, x1) = (scale.x(from), scale.x(until));
        if x1 <= x0 {
            return Vec::new();
        }
        let (role, y) = (self.role(), self.y);
        let unused = self.attempt.end == End::Unused;
        let thick = self.thickness();
        let mut marks = Vec::new();
        for (left, right) in outside(scale.gap(), x0, x1) {
            let line = |stroke: Stroke| Mark::Line { points: vec![(left, y), (right, y)], stroke };
            let rect = Rect { left, top: y - thick / 2.0, right, bottom: y + thick / 2.0 };
            let opacity = if role == Role::Grey { 0.75 } else { 1.0 };
            let full = |rect: Rect| Mark::Rectangle { rect, tint: Tint { role, opacity } };
            match kind {
                SpanKind::Hop => marks.push(line(Stroke::dashed(role, 1.0, HOP))),
                SpanKind::Waiting if thick >= HOLLOW_FROM => marks.push(hollow(rect, role)),
                SpanKind::Waiting => {
                    marks.push(Mark::Rule { from: (left, y), to: (right, y), role, width: 1.0 });
                }
                SpanKind::Service if unused => {
                    marks.push(line(Stroke::dashed(role, thick.min(2.0), UNUSED)));
                }
                SpanKind::Held if thick >= HOLLOW_FROM => {
                    marks.push(Mark::Rectangle { rect, tint: Tint { role, opacity: HELD } });
                    marks.push(hollow(rect, role));
                }
                SpanKind::Held => marks.push(line(Stroke::dashed(role, 1.0, UNUSED))),
                SpanKind::Service => marks.push(full(rect)),
                SpanKind::Slow => marks.extend(notched(rect, Tint { role, opacity })),
            }
        }
        if let Some((left, right)) = scale.gap().filter(|it| x0 < it.1 && it.0 < x1) {
            let (left, right) = (x0.max(left), x1.min(right));
            let stroke = Stroke::dashed(role, thick.min(1.75), &[7.0, 3.5]);
            marks.push(Mark::Line { points: vec![(left, y), (right, y)], stroke });
        }
        marks
    }

    pub(super) fn thickness(&self) -> f64 {
        match self.pitch {
            _ if self.lane.straggler => 3.0_f64.max((self.pitch * 0.5).min(8.0)),
            pitch if pitch >= THICK_FROM => (pitch * 0.5).min(8.0),
            pitch if pitch >= 2.5 => 2.0,
            _ => 1.0,
        }
    }

    /// What the line covers, for words to keep off.
    pub(super) fn cover(&self, scale: &Scale) -> Rect {
        let (left, right) = (scale.x(self.attempt.sent_ms), scale.x(until_ms(self.attempt)));
        let half = (self.thickness() / 2.0).max(if self.copy { 4.0 } else { 0.0 });
        Rect { left, top: self.y - half, right, bottom: self.y + half }
    }
}

/// The outline of a stretch, without a filling.
pub(super) fn hollow(rect: Rect, role: Role) -> Mark {
    let Rect { left, top, right, bottom } = rect;
    let points = vec![(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
    Mark::Line { points, stroke: Stroke::solid(role, 1.0) }
}

/// A full stretch with notches.
pub(super) fn notched(rect: Rect, tint: Tint) -> Vec<Mark> {
    let parts = (rect.width() / NOTCHES).ceil().max(1.0) as u32;
    let part = |at: u32| {
        let left = rect.left + f64::from(at) * NOTCHES;
        let right = (left + NOTCHES - NOTCH).min(rect.right);
        Mark::Rectangle { rect: Rect { left, right, ..rect }, tint }
    };
    (0..parts).map(part).collect()
}

/// When an attempt was over.
pub(super) fn until_ms(attempt: &Attempt) -> f64 {
    attempt.spans.last().map_or(attempt.sent_ms, |it| it.until_ms)
}

/// When a call had its answer.
pub(super) fn answer_ms(lane: &Lane) -> f64 {
    let used = lane.attempts.iter().filter(|it| it.end == End::Answered).map(until_ms);
    let used = used.fold(f64::INFINITY, f64::min);
    if used.is_finite() { used } else { lane.attempts.iter().map(until_ms).fold(0.0, f64::max) }
}

/// The parts of a stretch on both sides of a gap.
fn outside(gap: Option<(f64, f64)>, from: f64, to: f64) -> Vec<(f64, f64)> {
    let Some((left, right)) = gap else { return vec![(from, to)] };
    let parts = [(from, to.min(left)), (from.max(right), to)];
    parts.into_iter().filter(|it| it.0 < it.1).collect()
}
