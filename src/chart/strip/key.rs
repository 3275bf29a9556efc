//! What the kinds of lines mean, in words beside a sample of each.

use crate::chart::grid::{MIDDLE, SMALL, words};
use crate::chart::marks::{Anchor, Mark, Rect, Stroke, Tint};
use crate::chart::palette::Role;
use crate::chart::text;
use crate::report::{End, Lane, Replay, SpanKind};

use super::lanes::{HELD, HOLLOW_FROM, HOP, Row, UNUSED, hollow, notched};

/// How long a sample is.
const SAMPLE: f64 = 20.0;

/// The kinds that occur; nothing if all lines are of one kind. The straggler's have words of their own.
pub(super) fn entries<'a>(replay: &'a Replay, lanes: &[&Lane]) -> Vec<(&'a str, Sample)> {
    let attempts = || lanes.iter().flat_map(|it| &it.attempts);
    let has = |kind: SpanKind| attempts().any(|it| it.spans.iter().any(|it| it.kind == kind));
    let others = || lanes.iter().filter(|it| !it.straggler).flat_map(|it| &it.attempts);
    let ends = |end: End| others().any(|it| it.end == end);
    let mut entries = vec![
        ("network", Sample::Span(SpanKind::Hop)),
        ("waiting", Sample::Span(SpanKind::Waiting)),
        (&replay.held, Sample::Span(SpanKind::Held)),
        ("at work", Sample::Span(SpanKind::Service)),
        (&replay.slow, Sample::Span(SpanKind::Slow)),
    ];
    entries.retain(|it| !it.0.is_empty() && matches!(it.1, Sample::Span(kind) if has(kind)));
    // What is out of the ordinary is told even where there is nothing else.
    if entries.len() < 2 && !has(SpanKind::Held) && !has(SpanKind::Slow) {
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
pub(super) fn marks(entries: &[(&str, Sample)], rows: &[Row], plot: &Rect) -> Vec<Mark> {
    let others = rows.iter().any(|it| !it.lane.straggler);
    let thick = rows.iter().filter(|it| !(others && it.lane.straggler)).map(Row::thickness);
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
        marks.extend(sample.marks(from, y, thick));
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
    fn marks(self, x: f64, y: f64, thick: f64) -> Vec<Mark> {
        let role = Role::Grey;
        let right = x + SAMPLE;
        let line = |stroke: Stroke| Mark::Line { points: vec![(x, y), (right, y)], stroke };
        let rect = Rect { left: x, top: y - thick / 2.0, right, bottom: y + thick / 2.0 };
        let tinted = |opacity: f64| Mark::Rectangle { rect, tint: Tint { role, opacity } };
        vec![match self {
            Sample::Span(SpanKind::Hop) => line(Stroke::dashed(role, 1.0, HOP)),
            Sample::Span(SpanKind::Waiting) if thick >= HOLLOW_FROM => hollow(rect, role),
            Sample::Span(SpanKind::Waiting) => line(Stroke::solid(role, 1.0)),
            Sample::Span(SpanKind::Held) if thick >= HOLLOW_FROM => {
                return vec![tinted(HELD), hollow(rect, role)];
            }
            Sample::Span(SpanKind::Held) => line(Stroke::dashed(role, 1.0, UNUSED)),
            Sample::Span(SpanKind::Service) => tinted(0.75),
            Sample::Span(SpanKind::Slow) => return notched(rect, Tint { role, opacity: 0.75 }),
            Sample::Unused => line(Stroke::dashed(role, 2.0, UNUSED)),
            Sample::Cancelled => {
                let stroke = Stroke::solid(role, 1.5);
                Mark::Cross { at: (x + 5.0, y), radius: 3.0, stroke }
            }
        }]
    }
}
