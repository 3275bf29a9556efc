//! What the kinds of lines mean, in words beside a sample of each.

use crate::chart::grid::{MIDDLE, SMALL, words};
use crate::chart::marks::{Anchor, Mark, Rect, Stroke, Tint};
use crate::chart::palette::Role;
use crate::chart::text;
use crate::report::{End, Lane, SpanKind};

use super::lanes::{HOLLOW_FROM, HOP, Row, UNUSED, hollow};

/// How long a sample is.
const SAMPLE: f64 = 20.0;

/// The kinds that occur; nothing if all lines are of one kind. The straggler's have words of their own.
pub(super) fn entries(lanes: &[&Lane]) -> Vec<(&'static str, Sample)> {
    let attempts = || lanes.iter().flat_map(|it| &it.attempts);
    let has = |kind: SpanKind| attempts().any(|it| it.spans.iter().any(|it| it.kind == kind));
    let others = || lanes.iter().filter(|it| !it.straggler).flat_map(|it| &it.attempts);
    let ends = |end: End| others().any(|it| it.end == end);
    let mut entries = vec![
        ("network", Sample::Span(SpanKind::Hop)),
        ("waiting", Sample::Span(SpanKind::Waiting)),
        ("at work", Sample::Span(SpanKind::Service)),
    ];
    entries.retain(|it| matches!(it.1, Sample::Span(kind) if has(kind)));
    if entries.len() < 2 {
        entries.clear();
    }
    if ends(End::Unused) {
        entries.push(("too late", Sample::Unused));
    }
    if ends(End::Cancelled) {
        entries.push(("cancelled", Sample::Cancelled));
    }
    entries
}

/// In a row above the plot.
pub(super) fn marks(entries: &[(&'static str, Sample)], rows: &[Row], plot: &Rect) -> Vec<Mark> {
    let thick = rows.iter().filter(|it| !it.lane.straggler).map(Row::thickness);
    let thick = thick.fold(2.0, f64::max).min(6.0);
    let (mut x, y) = (plot.left, plot.top - 11.0);
    let mut marks = Vec::new();
    for (name, sample) in entries {
        let from = x;
        x += if *sample == Sample::Cancelled { 10.0 } else { SAMPLE } + 6.0;
        let width = text::width(name, SMALL, false);
        if x + width > plot.right {
            break;
        }
        marks.push(sample.mark(from, y, thick));
        marks.push(words((*name).to_owned(), (x, y + MIDDLE), Anchor::Start, Role::Ink3));
        x += width + 18.0;
    }
    marks
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sample {
    Span(SpanKind),
    Unused,
    Cancelled,
}

impl Sample {
    fn mark(self, x: f64, y: f64, thick: f64) -> Mark {
        let role = Role::Grey;
        let right = x + SAMPLE;
        let line = |stroke: Stroke| Mark::Line { points: vec![(x, y), (right, y)], stroke };
        let rect = Rect { left: x, top: y - thick / 2.0, right, bottom: y + thick / 2.0 };
        match self {
            Sample::Span(SpanKind::Hop) => line(Stroke::dashed(role, 1.0, HOP)),
            Sample::Span(SpanKind::Waiting) if thick >= HOLLOW_FROM => hollow(rect, role),
            Sample::Span(SpanKind::Waiting) => line(Stroke::solid(role, 1.0)),
            Sample::Span(SpanKind::Service) => {
                Mark::Rectangle { rect, tint: Tint { role, opacity: 0.75 } }
            }
            Sample::Unused => line(Stroke::dashed(role, 2.0, UNUSED)),
            Sample::Cancelled => {
                let stroke = Stroke::solid(role, 1.5);
                Mark::Cross { at: (x + 5.0, y), radius: 3.0, stroke }
            }
        }
    }
}
