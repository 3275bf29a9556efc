//! Bars in parts, one below the other, and the key to their parts above the plot.

use super::axis::Projection;
use super::grid::{self, MIDDLE, SMALL};
use super::marks::{Anchor, Mark, Rect, Tint};
use super::palette::Role;
use super::text;
use crate::report::{Bar, BarPart};

/// More are not drawn.
const BARS_MAX: usize = 12;
const PARTS_MAX: usize = 12;
/// How thick a bar is at the most, at the least, and where words find room in it; and the room that its name takes
/// above it.
const THICK_MAX: f64 = 40.0;
const THICK_MIN: f64 = 6.0;
const THICK_FOR_WORDS: f64 = 18.0;
const NAME: f64 = 22.0;
const AIR: f64 = 8.0;
/// A part that is there is seen, however short.
const LEAST: f64 = 2.0;
/// Between two parts, and beside the words in one.
const SEAM: f64 = 1.0;
const BESIDE: f64 = 8.0;
/// A square in the key, what is left free beside it, and before the next.
const SWATCH: f64 = 10.0;
const AFTER_SWATCH: f64 = 6.0;
const BETWEEN: f64 = 16.0;

pub(super) fn marks(bars: &[Bar], x: &Projection, plot: &Rect) -> Vec<Mark> {
    let room = (plot.height() / (NAME + AIR + THICK_MIN)) as usize;
    let bars = &bars[..bars.len().min(BARS_MAX).min(room)];
    let pitch = plot.height() / bars.len().max(1) as f64;
    let thick = THICK_MAX.min(pitch - NAME - AIR);
    let mut marks = Vec::new();
    for (at, bar) in bars.iter().enumerate() {
        let top = plot.top + at as f64 * pitch + (pitch - NAME - thick) / 2.0 + NAME;
        let base = top - 8.0;
        let name = text::fitted(&bar.name, SMALL, false, plot.width());
        let after = plot.left + text::width(&name, SMALL, false) + BESIDE;
        let note = text::fitted(&bar.note, SMALL, false, plot.right - after);
        marks.push(grid::words(name, (plot.left, base), Anchor::Start, Role::Ink));
        marks.push(grid::words(note, (after, base), Anchor::Start, Role::Ink3));
        marks.extend(parts(bar, x, plot, (top.round(), (top + thick).round())));
    }
    marks.retain(|it| !matches!(it, Mark::Words(words) if words.text.is_empty()));
    marks
}

fn parts(bar: &Bar, x: &Projection, plot: &Rect, (top, bottom): (f64, f64)) -> Vec<Mark> {
    let mut marks = Vec::new();
    let (mut sum, mut left) = (0.0, x.pixel(0.0).clamp(plot.left, plot.right));
    for part in bar.parts.iter().take(PARTS_MAX).filter(|it| 0.0 < it.length) {
        sum += part.length;
        let end = x.pixel(sum).clamp(plot.left, plot.right).max(left + LEAST);
        let right = (end - SEAM).max(left + LEAST - SEAM);
        let rect = Rect { left, top, right, bottom };
        let tint = Tint { role: Role::from(part.meaning), opacity: 1.0 };
        marks.push(Mark::Rectangle { rect, tint });
        if THICK_FOR_WORDS <= rect.height()
            && text::width(&part.told, SMALL, false) + 2.0 * BESIDE <= right - left
        {
            let at = (f64::midpoint(left, right), f64::midpoint(top, bottom) + MIDDLE);
            marks.push(grid::words(part.told.clone(), at, Anchor::Middle, Role::Paper));
        }
        left = end;
    }
    marks
}

/// The parts by name, in a line from the left.
pub(super) fn key(bars: &[Bar], plot: &Rect, base: f64) -> Vec<Mark> {
    let mut named: Vec<&BarPart> = Vec::new();
    for part in bars.iter().flat_map(|it| &it.parts) {
        if named.len() < PARTS_MAX && !named.iter().any(|it| it.name == part.name) {
            named.push(part);
        }
    }
    let mut marks = Vec::new();
    let mut at = plot.left;
    for part in named {
        let start = at + SWATCH + AFTER_SWATCH;
        let name = text::fitted(&part.name, SMALL, false, plot.right - start);
        if name.is_empty() {
            break;
        }
        let rect = Rect { left: at, right: at + SWATCH, top: base - 9.0, bottom: base + 1.0 };
        let tint = Tint { role: Role::from(part.meaning), opacity: 1.0 };
        marks.push(Mark::Rectangle { rect, tint });
        at = start + text::width(&name, SMALL, false) + BETWEEN;
        marks.push(grid::words(name, (start, base), Anchor::Start, Role::Ink2));
    }
    marks
}
