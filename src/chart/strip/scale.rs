//! Time along the strip: the first moments, in which nearly all calls answer, at a scale of their own; then,
//! after a visible break, the rest.

use crate::chart::grid::{SMALL, words};
use crate::chart::marks::{Anchor, Mark, Rect, Stroke};
use crate::chart::palette::Role;
use crate::chart::text;
use crate::format;
use crate::report::{Lane, Quantity, Replay};
use crate::special::sort_numbers;

use super::lanes;

/// Between the panels.
const BREAK: f64 = 26.0;

/// The first panel's part of the width.
const FIRST: f64 = 0.62;

/// When all of a request fits in so many times the first moments, there is no break.
const BREAK_FROM: f64 = 3.0;

/// A call that takes so many times as long as the next quicker one is of another kind.
const GAP: f64 = 3.0;

pub(super) struct Scale {
    first: Panel,
    rest: Option<Panel>,
    deadline_ms: f64,
    narrow: bool,
}

#[derive(Clone, Copy)]
struct Panel {
    left: f64,
    right: f64,
    from_ms: f64,
    to_ms: f64,
}

impl Scale {
    pub(super) fn new(replay: &Replay, deadline_ms: f64, plot: &Rect, narrow: bool) -> Scale {
        let end = end_ms(replay);
        let first = rounded_up(2.0 * fast_ms(&replay.lanes, end));
        let deadline_ms = if deadline_ms.is_finite() { deadline_ms } else { 0.0 };
        let (left, right) = (plot.left, plot.right);
        let whole = |to_ms: f64| Panel { left, right, from_ms: 0.0, to_ms };
        if end <= BREAK_FROM * first {
            let near = (end..1.5 * end).contains(&deadline_ms);
            let to = rounded_up(if near { deadline_ms } else { end });
            // As far as needed, and not to the next 5 when 3 would do.
            let to = to.min(1.1 * end.max(if near { deadline_ms } else { end }));
            return Scale { first: whole(to), rest: None, deadline_ms, narrow };
        }
        let middle = left + FIRST * plot.width();
        let near = deadline_ms > first && deadline_ms < 3.0 * end;
        let to = 1.05 * if near { end.max(deadline_ms) } else { end };
        let rest = Panel { left: middle + BREAK, right, from_ms: first, to_ms: to };
        Scale {
            first: Panel { right: middle, ..whole(first) },
            rest: Some(rest),
            deadline_ms,
            narrow,
        }
    }

    pub(super) fn x(&self, ms: f64) -> f64 {
        match &self.rest {
            Some(rest) if ms > rest.from_ms => rest.x(ms),
            _ => self.first.x(ms),
        }
    }

    /// The gap that lines cross in dashes.
    pub(super) fn gap(&self) -> Option<(f64, f64)> {
        self.rest.map(|it| (self.first.right, it.left))
    }

    pub(super) fn deadline_x(&self) -> Option<f64> {
        let last = self.rest.unwrap_or(self.first);
        (0.0 < self.deadline_ms && self.deadline_ms <= last.to_ms).then(|| self.x(self.deadline_ms))
    }

    /// Grid, base lines, the break, and the deadline's wash and line.
    pub(super) fn ground(&self, plot: &Rect) -> Vec<Mark> {
        let mut marks = Vec::new();
        let upright = |x: f64| Mark::Rule {
            from: (x, plot.top),
            to: (x, plot.bottom),
            role: Role::Rule,
            width: 1.0,
        };
        if let Some(x) = self.deadline_x() {
            let rect = Rect { left: x, ..*plot };
            let tint = crate::chart::Tint { role: Role::RedWash, opacity: 1.0 };
            marks.push(Mark::Rectangle { rect, tint });
        }
        for panel in self.panels() {
            marks.extend(self.ticks(&panel).into_iter().map(|ms| upright(panel.x(ms))));
        }
        for panel in self.panels() {
            let (from, to) = ((panel.left, plot.bottom), (panel.right, plot.bottom));
            marks.push(Mark::Rule { from, to, role: Role::Edge, width: 1.0 });
        }
        if let Some((from, _)) = self.gap() {
            for x in [from + 7.0, from + 13.0] {
                let points = vec![(x, plot.bottom + 5.0), (x + 6.0, plot.bottom - 5.0)];
                marks.push(Mark::Line { points, stroke: Stroke::solid(Role::Edge, 1.0) });
            }
        }
        if let Some(x) = self.deadline_x() {
            let stroke = Stroke::dashed(Role::Red, 1.5, &[2.0, 3.0]);
            marks.push(Mark::Line { points: vec![(x, plot.top), (x, plot.bottom)], stroke });
        }
        marks
    }

    /// The numbers below the panels, and what they count.
    pub(super) fn words(&self, plot: &Rect, frame_width: f64) -> Vec<Mark> {
        let y = plot.bottom + 18.0;
        let mut marks = Vec::new();
        let mut taken_to = f64::NEG_INFINITY;
        let half = |label: &str| text::width(label, SMALL, false) / 2.0;
        let deadline_label = self.number(self.deadline_ms);
        let held = |x: f64| x.max(half(&deadline_label)).min(frame_width - half(&deadline_label));
        let deadline = self.deadline_x().map(held);
        let free = |x: f64, label: &str| {
            deadline.is_none_or(|it| (it - x).abs() > half(label) + half(&deadline_label) + 8.0)
        };
        for panel in self.panels() {
            for ms in self.ticks(&panel) {
                let (x, label) = (panel.x(ms), self.number(ms));
                let (left, anchor) = if x < half(&label) {
                    (x, Anchor::Start)
                } else {
                    (x - half(&label), Anchor::Middle)
                };
                let right = left + 2.0 * half(&label);
                if left < taken_to + 8.0 || right > frame_width || !free(x, &label) {
                    continue;
                }
                taken_to = right;
                marks.push(words(label, (x, y), anchor, Role::Ink3));
            }
        }
        if let Some(x) = deadline {
            marks.push(words(deadline_label, (x, y), Anchor::Middle, Role::Red));
        }
        marks.extend(self.names(plot));
        marks
    }

    fn names(&self, plot: &Rect) -> Vec<Mark> {
        let y = plot.bottom + 36.0;
        let first = format::given(Quantity::Latency, self.first.to_ms);
        let unit = first.unit;
        let Some(rest) = &self.rest else {
            let text = format!("{unit} after sending");
            let text = text::fitted(&text, SMALL, false, plot.width());
            return vec![words(text, (plot.left, y), Anchor::Start, Role::Ink3)];
        };
        let times = ((self.first.per_ms() / rest.per_ms()).round() as u64).max(1);
        let times = format::count(times);
        let (left, right) = if self.narrow {
            (
                format!("{unit} after sending, first {}", first.number),
                format!("then to the end, 1:{times}"),
            )
        } else {
            (
                format!("{unit} after sending, first {}", first.number),
                format!("then to the end, {times} times as coarse"),
            )
        };
        let left = text::fitted(&left, SMALL, false, plot.width());
        let right_room = plot.width() - text::width(&left, SMALL, false) - 12.0;
        let right = text::fitted(&right, SMALL, false, right_room);
        let mut names = vec![words(left, (plot.left, y), Anchor::Start, Role::Ink3)];
        if !right.is_empty() {
            names.push(words(right, (plot.right, y), Anchor::End, Role::Ink3));
        }
        names
    }

    /// In the unit of the first panel's end.
    fn number(&self, ms: f64) -> String {
        format::bare(Quantity::Latency, ms, self.first.to_ms)
    }

    fn panels(&self) -> impl Iterator<Item = Panel> {
        std::iter::once(self.first).chain(self.rest)
    }

    /// Even steps of 1, 2, 5, or 25, 250 and so on, with room for their numbers.
    fn ticks(&self, panel: &Panel) -> Vec<f64> {
        let widest = text::width(&self.number(panel.to_ms), SMALL, false);
        let air = (widest + 14.0).max(if self.narrow { 36.0 } else { 80.0 });
        let least = air / panel.per_ms();
        let ten = libm::pow(10.0, libm::floor(libm::log10(least)));
        let steps = [1.0, 2.0, if ten >= 10.0 { 2.5 } else { 5.0 }, 5.0, 10.0].map(|it| it * ten);
        let step = steps.into_iter().find(|it| *it >= least * 0.999).unwrap_or(10.0 * ten);
        let from = libm::floor(panel.from_ms / step + 1e-9) as u64 + u64::from(panel.from_ms > 0.0);
        let to = libm::floor(panel.to_ms / step + 1e-9) as u64;
        (from..=to.min(from + 100)).map(|it| it as f64 * step).collect()
    }
}

impl Panel {
    fn x(&self, ms: f64) -> f64 {
        let x = self.left + (ms - self.from_ms) * self.per_ms();
        if x.is_nan() { self.left } else { x.clamp(self.left, self.right) }
    }

    fn per_ms(&self) -> f64 {
        (self.right - self.left) / (self.to_ms - self.from_ms)
    }
}

/// The last that happens.
fn end_ms(replay: &Replay) -> f64 {
    let ends = replay.lanes.iter().flat_map(|it| &it.attempts).map(lanes::until_ms);
    let known = ends.chain([replay.latency_ms, replay.answered_ms]).filter(|it| it.is_finite());
    // Nothing at all would be no scale; a century is the longest that is measured.
    known.fold(1e-6, f64::max).min(3.2e12)
}

/// How long nearly all calls take: the 99th percentile of those before the great gap, if there is one.
fn fast_ms(lanes: &[Lane], end: f64) -> f64 {
    let known = lanes.iter().map(lanes::answer_ms).filter(|it| it.is_finite() && 0.0 < *it);
    let mut answers: Vec<f64> = known.collect();
    sort_numbers(&mut answers);
    if answers.len() < 2 {
        return end;
    }
    let half = answers.len().div_ceil(2);
    let gap = (half..answers.len()).find(|it| answers[*it] > GAP * answers[it - 1]);
    let fast = &answers[..gap.unwrap_or(answers.len())];
    let at = (fast.len() as f64 * 0.99).ceil() as usize;
    fast[at.clamp(1, fast.len()) - 1].min(end)
}

/// Up to the next 1, 2 or 5.
fn rounded_up(ms: f64) -> f64 {
    let ten = libm::pow(10.0, libm::floor(libm::log10(ms)));
    let steps = [1.0, 2.0, 5.0, 10.0].map(|it| it * ten);
    steps.into_iter().find(|it| ms <= *it * 1.000_001).unwrap_or(10.0 * ten)
}
