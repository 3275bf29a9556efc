//! A heat map whose cells are read one by one: which of them is meant, where keys lead, and what it says.

use super::axis::Projection;
use super::labels::{Block, Placer};
use super::marks::{Anchor, Mark, Point, Rect, Stroke, Tint};
use super::palette::Role;
use super::scene::Way;
use crate::report::{self, Cells, Label};

/// Cells by column and row, each from the lower left.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CellMap {
    /// From left to right, and from the bottom up, in pixels: one more than there are cells.
    lefts: Vec<f64>,
    bottoms: Vec<f64>,
    /// Column by column: where the cell is, and what it holds.
    told: Vec<(String, String)>,
    /// Where keys start.
    start: (usize, usize),
}

/// From a cell to the words beside it.
const OFF: f64 = 10.0;
/// Paper around the words.
const PAPER: f64 = 4.0;

impl CellMap {
    /// Nothing for cells that say nothing, or that do not cover a range of pixels each.
    pub(super) fn new(
        cells: &Cells,
        (x, y): (&Projection, &Projection),
        plot: &Rect,
        here: Option<&report::Point>,
    ) -> Option<CellMap> {
        let columns = cells.x_edges.len().checked_sub(1)?;
        let rows = cells.y_edges.len().checked_sub(1)?;
        let across = |it: &f64| x.pixel(*it).clamp(plot.left, plot.right).round();
        let up = |it: &f64| y.pixel(*it).clamp(plot.top, plot.bottom).round();
        let lefts: Vec<f64> = cells.x_edges.iter().map(across).collect();
        let bottoms: Vec<f64> = cells.y_edges.iter().map(up).collect();
        let ascends = |it: &[f64]| it.windows(2).all(|it| it[0] < it[1]);
        let descends = bottoms.windows(2).all(|it| it[1] < it[0]);
        let whole = 0 < columns * rows && cells.told.len() == columns * rows;
        if !(whole && ascends(&lefts) && descends) {
            return None;
        }
        let mut map = CellMap { lefts, bottoms, told: cells.told.clone(), start: (0, 0) };
        let here = here.map(|it| (x.pixel(it.x), y.pixel(it.y)));
        map.start = here.filter(|it| plot.holds(*it)).map_or((0, 0), |it| map.nearest(it));
        Some(map)
    }

    fn nearest(&self, (x, y): Point) -> (usize, usize) {
        let column = self.lefts.partition_point(|it| *it <= x);
        let row = self.bottoms.partition_point(|it| y < *it);
        let last = |edges: &[f64]| edges.len() - 2;
        (
            column.saturating_sub(1).min(last(&self.lefts)),
            row.saturating_sub(1).min(last(&self.bottoms)),
        )
    }

    fn rect(&self, (column, row): (usize, usize)) -> Rect {
        Rect {
            left: self.lefts[column],
            right: self.lefts[column + 1],
            top: self.bottoms[row + 1],
            bottom: self.bottoms[row],
        }
    }

    fn middle(&self, cell: (usize, usize)) -> Point {
        let rect = self.rect(cell);
        (f64::midpoint(rect.left, rect.right), f64::midpoint(rect.top, rect.bottom))
    }

    /// The middle of the cell that is nearest to a place.
    pub(super) fn spot(&self, at: Point) -> Point {
        self.middle(self.nearest(at))
    }

    /// The middle of the cell that a key leads to; at an edge the same again.
    pub(super) fn next(&self, from: Option<Point>, way: Way) -> Point {
        let Some(from) = from else { return self.middle(self.start) };
        let (column, row) = self.nearest(from);
        let (right, top) = (self.lefts.len() - 2, self.bottoms.len() - 2);
        self.middle(match way {
            Way::Left => (column.saturating_sub(1), row),
            Way::Right => ((column + 1).min(right), row),
            Way::Down => (column, row.saturating_sub(1)),
            Way::Up => (column, (row + 1).min(top)),
            Way::First => (0, row),
            Way::Last => (right, row),
            Way::Bottom => (column, 0),
            Way::Top => (column, top),
        })
    }

    fn told(&self, (column, row): (usize, usize)) -> &(String, String) {
        &self.told[column * (self.bottoms.len() - 1) + row]
    }

    /// What the cell at a place says.
    pub(super) fn words(&self, at: Point) -> String {
        let (place, value) = self.told(self.nearest(at));
        format!("{place}: {value}")
    }

    /// The cell at a place with a frame, lines to both axes, and what it says beside it.
    pub(super) fn cross_hair(
        &self,
        at: Point,
        plot: &Rect,
        room: Rect,
        narrow: bool,
        marks: &[Mark],
    ) -> Vec<Mark> {
        // Not so near the edge that the paper would be beyond it.
        let room = room.grown(-PAPER);
        let cell = self.nearest(at);
        let (rect, (x, y)) = (self.rect(cell), self.middle(cell));
        let rule = |from, to| Mark::Rule { from, to, role: Role::Ink, width: 1.0 };
        // From the middle of an edge: where a line begins and ends, two of its corners would not join.
        let corners = vec![
            (x, rect.top),
            (rect.right, rect.top),
            (rect.right, rect.bottom),
            (rect.left, rect.bottom),
            (rect.left, rect.top),
            (x, rect.top),
        ];
        // Ink alone would be lost on the darkest shades.
        let frame = |role, width| Mark::Line {
            points: corners.clone(),
            stroke: Stroke::solid(role, width),
        };
        let mut hair = vec![
            rule((x, rect.bottom), (x, plot.bottom)),
            rule((plot.left, y), (rect.left, y)),
            frame(Role::Paper, 5.0),
            frame(Role::Ink, 2.0),
        ];
        let (place, value) = self.told(cell);
        let label = Label::new(value.as_str()).note(place.as_str());
        let Some(block) = Block::of(&label, Role::Ink, narrow) else { return hair };
        let middle = y + (block.above() - block.below()) / 2.0;
        let (over, under) = (rect.top - OFF - block.below(), rect.bottom + OFF + block.above());
        let spots = [
            ((rect.right + OFF, middle), Anchor::Start),
            ((rect.left - OFF, middle), Anchor::End),
            ((x, over), Anchor::Middle),
            ((x, under), Anchor::Middle),
            ((rect.right, over), Anchor::End),
            ((rect.left, over), Anchor::Start),
            ((rect.right, under), Anchor::End),
            ((rect.left, under), Anchor::Start),
        ];
        let mut placer = Placer::new(room, marks);
        placer.first(&block, &spots);
        // One piece of paper below all lines, since each line's own would leave a step between them.
        let words = placer.marks.iter().filter_map(|it| match it {
            Mark::Words(words) => Some(words.bounds()),
            _ => None,
        });
        let paper = words.reduce(|a, b| Rect {
            left: a.left.min(b.left),
            top: a.top.min(b.top),
            right: a.right.max(b.right),
            bottom: a.bottom.max(b.bottom),
        });
        let tint = Tint { role: Role::Paper, opacity: 1.0 };
        hair.extend(paper.map(|it| Mark::Rectangle { rect: it.grown(PAPER), tint }));
        hair.extend(placer.marks);
        hair
    }
}
