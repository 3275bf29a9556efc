//! Heat maps: a grid of shades below the curves, and the key to them above the plot.

use super::axis::Projection;
use super::grid::{self, SMALL};
use super::marks::{Anchor, Mark, Rect, Tint};
use super::palette::Role;
use super::text;
use crate::report::Cells;

/// More columns and rows than this are not drawn: pixels would be finer.
const COLUMNS_MAX: usize = 200;
const ROWS_MAX: usize = 80;

/// What the key may hold.
const KEY_MAX: usize = 8;
/// A shade in the key, and what is left free beside it and before the next.
const SWATCH: f64 = 14.0;
const BESIDE: f64 = 5.0;
const BETWEEN: f64 = 12.0;

/// The cells within the plot; neighbours of one shade in a column are one mark.
pub(super) fn marks(cells: &Cells, x: &Projection, y: &Projection, plot: &Rect) -> Vec<Mark> {
    let role = Role::from(cells.meaning);
    let columns = cells.x_edges.len().saturating_sub(1);
    let rows = cells.y_edges.len().saturating_sub(1);
    // On whole pixels: between edges that fall within one, seams would show.
    let across = |it: &f64| x.pixel(*it).clamp(plot.left, plot.right).round();
    let up = |it: &f64| y.pixel(*it).clamp(plot.top, plot.bottom).round();
    let lefts: Vec<f64> = cells.x_edges.iter().map(across).collect();
    let tops: Vec<f64> = cells.y_edges.iter().map(up).collect();
    let mut marks = Vec::new();
    for column in 0..columns.min(COLUMNS_MAX) {
        let (left, right) = (lefts[column], lefts[column + 1]);
        let shades = cells.shades.iter().skip(column * rows).take(rows.min(ROWS_MAX));
        let mut open: Option<(f64, Rect)> = None;
        for (row, shade) in shades.enumerate() {
            let rect = Rect { left, right, bottom: tops[row], top: tops[row + 1] };
            match &mut open {
                Some((same, whole)) if same == shade => whole.top = rect.top,
                _ => {
                    marks.extend(open.take().and_then(|it| cell(it, role)));
                    open = Some((*shade, rect));
                }
            }
        }
        marks.extend(open.and_then(|it| cell(it, role)));
    }
    marks
}

/// Nothing for what has no shade or no room.
fn cell((shade, rect): (f64, Rect), role: Role) -> Option<Mark> {
    let seen = 0.0 < shade && 0.0 < rect.width() && 0.0 < rect.height();
    let tint = Tint { role, opacity: shade.min(1.0) };
    seen.then_some(Mark::Rectangle { rect, tint })
}

/// The key in a line that ends at the right, where there is room for all of it.
pub(super) fn key(cells: &Cells, left: f64, right: f64, base: f64) -> Vec<Mark> {
    let entries: Vec<_> =
        cells.key.iter().filter(|it| it.0 > 0.0 && !it.1.is_empty()).take(KEY_MAX).collect();
    let wide = |words: &str| SWATCH + BESIDE + text::width(words, SMALL, false);
    let all: f64 = entries.iter().map(|it| wide(&it.1) + BETWEEN).sum::<f64>() - BETWEEN;
    let mut at = right - all;
    if entries.is_empty() || at < left + BETWEEN {
        return Vec::new();
    }
    let role = Role::from(cells.meaning);
    let mut marks = Vec::new();
    for (shade, words) in entries {
        let rect = Rect { left: at, right: at + SWATCH, top: base - 9.0, bottom: base + 1.0 };
        marks.push(Mark::Rectangle { rect, tint: Tint { role, opacity: shade.min(1.0) } });
        let start = (at + SWATCH + BESIDE, base);
        marks.push(grid::words(words.clone(), start, Anchor::Start, Role::Ink3));
        at += wide(words) + BETWEEN;
    }
    marks
}
