//! Where words go: beside their curve, in sight of nothing else, and over nothing. What finds no place is left out;
//! the caption says it.

use super::curves::{Curve, clipped};
use super::grid::{MIDDLE, SMALL};
use super::marks::{Anchor, Mark, Point, Rect, Words};
use super::palette::Role;
use super::text;
use crate::report::{self, Label};

/// Names of curves; values at *you are here*.
const NAME: f64 = 13.0;
const VALUE: f64 = 24.0;

/// Between a curve and the words above or below it: dots on the curve lie within.
const OFF: f64 = 8.5;

/// Words keep this far from other curves: less touches them, and so near they could be taken for theirs.
const TOUCHES: f64 = 4.0;
const DOUBTFUL: f64 = 12.0;

/// Between words; around names that have a choice of places, so that no note below seems theirs.
const APART: f64 = 3.0;
const ALONE: f64 = 8.0;

/// A few lines of words that belong together.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Block {
    lines: Vec<Line>,
    pub(super) width: f64,
}

#[derive(Clone, Debug, PartialEq)]
struct Line {
    text: String,
    size: f64,
    bold: bool,
    role: Role,
    /// From the first line's base line down to this one's.
    down: f64,
}

/// What is in the way, and what has been placed.
pub(super) struct Placer {
    room: Rect,
    /// Words.
    taken: Vec<Rect>,
    /// Marks.
    obstacles: Vec<Rect>,
    washes: Vec<Rect>,
    skylines: Vec<Skyline>,
    pub(super) marks: Vec<Mark>,
}

/// A curve as a range of heights in every column of pixels.
struct Skyline {
    left: f64,
    columns: Vec<Option<(f64, f64)>>,
}

impl Block {
    /// A curve's or a mark's label: its name in the curve's colour, notes below it.
    pub(super) fn of(label: &Label, role: Role, narrow: bool) -> Option<Block> {
        let (name, note) = match (label.text.is_empty(), narrow) {
            (false, true) => (label.short.as_str(), ""),
            (true, true) if !label.short.is_empty() => ("", label.short.as_str()),
            _ => (label.text.as_str(), label.note.as_str()),
        };
        let mut block = Block { lines: Vec::new(), width: 0.0 };
        if !name.is_empty() {
            block.push(name, NAME, true, role);
        }
        for line in note.lines().filter(|it| !it.is_empty()).take(3) {
            block.push(line, SMALL, false, Role::Ink2);
        }
        (!block.lines.is_empty()).then_some(block)
    }

    /// The label of a mark: a published value is a note to its curve, and has no name of its own.
    pub(super) fn of_point(point: &report::Point, narrow: bool) -> Option<Block> {
        let label = &point.label;
        if point.mark != report::Mark::Diamond || label.text.is_empty() {
            return Block::of(label, Role::from(point.meaning), narrow);
        }
        let text = if narrow { &label.short } else { &label.text };
        (!text.is_empty()).then(|| Block::line(text, false, Role::Ink2))
    }

    /// The label of a band: what it says of the curve that it lies under comes first, all in its colour.
    pub(super) fn of_band(label: &Label, role: Role, narrow: bool) -> Option<Block> {
        if narrow || label.note.is_empty() {
            return Block::of(label, role, narrow);
        }
        let mut block = Block { lines: Vec::new(), width: 0.0 };
        for line in label.note.lines().filter(|it| !it.is_empty()).take(3) {
            block.push(line, SMALL, false, role);
        }
        if !label.text.is_empty() {
            block.push(&label.text, NAME, true, role);
        }
        (!block.lines.is_empty()).then_some(block)
    }

    /// The value at *you are here*, large, with how it is known.
    pub(super) fn of_value(value: &str, note: &str, role: Role) -> Block {
        let mut block = Block { lines: Vec::new(), width: 0.0 };
        block.push(value, VALUE, true, role);
        if !note.is_empty() {
            block.push(note, SMALL, false, Role::Ink2);
        }
        block
    }

    pub(super) fn line(text: &str, bold: bool, role: Role) -> Block {
        let mut block = Block { lines: Vec::new(), width: 0.0 };
        block.push(text, if bold { NAME } else { SMALL }, bold, role);
        block
    }

    fn push(&mut self, text: &str, size: f64, bold: bool, role: Role) {
        let below = if self.lines.last().is_some_and(|it| it.bold) { 16.0 } else { 15.0 };
        let down =
            self.lines.last().map_or(0.0, |it| it.down + if it.size > NAME { 18.0 } else { below });
        self.width = self.width.max(text::width(text, size, bold));
        self.lines.push(Line { text: text.to_owned(), size, bold, role, down });
    }

    /// How far the words reach above the first base line and below it.
    pub(super) fn above(&self) -> f64 {
        self.lines.first().map_or(0.0, |it| it.size * text::ASCENT)
    }

    pub(super) fn below(&self) -> f64 {
        self.lines.last().map_or(0.0, |it| it.down + it.size * text::DESCENT)
    }

    fn height(&self) -> f64 {
        self.above() + self.below()
    }

    /// What belongs to the block before stays near it; a further name stands apart.
    fn gap(&self) -> f64 {
        if self.lines.iter().any(|it| it.bold) { 2.0 * APART } else { APART }
    }

    /// What the words cover, with the first base line at a place.
    pub(super) fn bounds(&self, (x, y): Point, anchor: Anchor) -> Rect {
        let left = left_of(x, self.width, anchor);
        Rect { left, top: y - self.above(), right: left + self.width, bottom: y + self.below() }
    }

    /// What each line covers.
    fn rects(&self, (x, y): Point, anchor: Anchor) -> Vec<Rect> {
        let rect = |line: &Line| {
            let width = text::width(&line.text, line.size, line.bold);
            let left = left_of(x, width, anchor);
            let base = y + line.down;
            Rect {
                left,
                top: base - line.size * text::ASCENT,
                right: left + width,
                bottom: base + line.size * text::DESCENT,
            }
        };
        self.lines.iter().map(rect).collect()
    }

    /// The lines as marks; on a wash their halo is the wash's.
    fn marks(&self, (x, y): Point, anchor: Anchor, washes: &[Rect]) -> Vec<Mark> {
        let bounds = self.bounds((x, y), anchor);
        let halo = if washes.iter().any(|it| it.encloses(&bounds)) {
            Some(Role::RedWash)
        } else {
            Some(Role::Paper).filter(|_| !washes.iter().any(|it| it.meets(&bounds)))
        };
        let mark = |line: &Line| {
            Mark::Words(Words {
                text: line.text.clone(),
                at: (x, y + line.down),
                anchor,
                size: line.size,
                bold: line.bold,
                role: line.role,
                halo,
            })
        };
        self.lines.iter().map(mark).collect()
    }
}

impl Placer {
    /// Room for words within the frame, around those that are already there.
    pub(super) fn new(room: Rect, marks: &[Mark]) -> Placer {
        let (taken, washes) = (words_of(marks), washes(marks));
        Placer {
            room,
            taken,
            obstacles: Vec::new(),
            washes,
            skylines: Vec::new(),
            marks: Vec::new(),
        }
    }

    pub(super) fn avoid(&mut self, rect: Rect) {
        self.obstacles.push(rect);
    }

    /// Keeps words off a curve. Curves are told apart by the order in which they come.
    pub(super) fn avoid_curve(&mut self, curve: &Curve, plot: &Rect) {
        self.skylines.push(Skyline::new(&curve.inside, plot));
    }

    /// Keeps words off a line.
    pub(super) fn avoid_line(&mut self, pieces: &[Vec<Point>], plot: &Rect) {
        let inside: Vec<_> = pieces.iter().flat_map(|it| clipped(it, plot)).collect();
        self.skylines.push(Skyline::new(&inside, plot));
    }

    /// Where the curve of a number is highest: the middle of its top.
    pub(super) fn peak(&self, own: usize) -> Option<Point> {
        let columns = || self.skylines[own].over(f64::NEG_INFINITY, f64::INFINITY);
        let top = columns().map(|it| it.1.0).fold(f64::INFINITY, f64::min);
        let mut at_top = columns().filter(|it| it.1.0 < top + 1.0).map(|it| it.0);
        let first = at_top.next()?;
        Some((f64::midpoint(first, at_top.last().unwrap_or(first)), top))
    }

    /// The first place of some that is free, of words and of curves; whether there was one.
    pub(super) fn first(&mut self, block: &Block, places: &[(Point, Anchor)]) -> bool {
        let free = places.iter().find(|it| self.crossed(block, it.0, it.1) == Some(0));
        free.map(|(at, anchor)| self.put(block, *at, *anchor)).is_some()
    }

    /// The place among some that is free of words and where curves are crossed least, over so many columns at most.
    pub(super) fn least_crossed(
        &mut self,
        block: &Block,
        places: &[(Point, Anchor)],
        most: usize,
    ) -> bool {
        let rated = places.iter().filter_map(|it| Some((self.crossed(block, it.0, it.1)?, it)));
        let Some((columns, (at, anchor))) = rated.min_by_key(|it| it.0) else { return false };
        if columns <= most {
            self.put(block, *at, *anchor);
        }
        columns <= most
    }

    /// Over how many columns of pixels the words would lie on curves; `None` if they would lie on words or marks.
    fn crossed(&self, block: &Block, at: Point, anchor: Anchor) -> Option<usize> {
        let rects = block.rects(at, anchor);
        let free = rects.iter().all(|it| self.is_free(it));
        let crossed = |rect: &Rect| -> usize {
            self.skylines.iter().map(|it| it.crossed(&rect.grown(1.0))).sum()
        };
        free.then(|| rects.iter().map(crossed).sum())
    }

    /// Beside the curve of a number, above or below it, where it is nearest; from one end of the plot or the other.
    pub(super) fn beside(
        &mut self,
        block: &Block,
        own: usize,
        plot: &Rect,
        above: bool,
        from_right: bool,
    ) -> bool {
        let steps = (plot.width() / 4.0) as usize;
        let mut best: Option<(f64, Point)> = None;
        for step in 0..steps {
            let step = if from_right { steps - 1 - step } else { step };
            let x = plot.left + 4.0 + 4.0 * step as f64;
            let along = if from_right { plot.right - x - block.width } else { x - plot.left };
            // No place further on can be better.
            if best.is_some_and(|it| it.0 <= 0.03 * along) {
                break;
            }
            let Some((score, at)) = self.rate(block, own, plot, above, x) else { continue };
            let score = score + 0.03 * along;
            if best.is_none_or(|it| score < it.0) {
                best = Some((score, at));
            }
        }
        best.map(|(_, at)| self.put(block, at, Anchor::Start)).is_some()
    }

    pub(super) fn put(&mut self, block: &Block, at: Point, anchor: Anchor) {
        self.taken.extend(block.rects(at, anchor));
        self.marks.extend(block.marks(at, anchor, &self.washes));
    }

    fn is_free(&self, bounds: &Rect) -> bool {
        let wide = bounds.grown(APART);
        let mut others = self.taken.iter().chain(&self.obstacles);
        self.room.encloses(bounds) && !others.any(|it| it.meets(&wide))
    }

    /// How well words stand at `x`: how much nearer another curve is than their own; `None` if they cannot.
    fn rate(
        &self,
        block: &Block,
        own: usize,
        plot: &Rect,
        above: bool,
        x: f64,
    ) -> Option<(f64, Point)> {
        let curve = &self.skylines[own];
        let (top, bottom) = curve.range(x, x + block.width)?;
        let y = if above { top - OFF - block.below() } else { bottom + OFF + block.above() };
        let bounds = block.bounds((x, y), Anchor::Start);
        let inside = plot.left <= bounds.left
            && bounds.right <= plot.right
            && plot.top - 2.0 <= bounds.top
            && bounds.bottom <= plot.bottom - 2.0;
        let alone = !self.taken.iter().any(|it| it.meets(&bounds.grown(ALONE)));
        if !inside || !alone || !self.is_free(&bounds) {
            return None;
        }
        let mut score = 0.0;
        for (at, other) in self.skylines.iter().enumerate().filter(|it| it.0 != own) {
            let distance = other.distance(&bounds);
            // The same curve twice, simulated and exact, is no other; but where two run together, a name may be
            // taken for either's.
            let alike = || curve.follows(&self.skylines[at], x, x + block.width);
            if distance < TOUCHES || (distance < DOUBTFUL && !alike()) {
                return None;
            }
            score += (30.0 - distance).max(0.0);
        }
        // A flat stretch is better than a slope, whose words stand off at one end.
        Some((score + 0.1 * (bottom - top).min(100.0), (x, y)))
    }
}

impl Skyline {
    fn new(pieces: &[Vec<Point>], plot: &Rect) -> Skyline {
        let mut columns = vec![None; plot.width().ceil().max(0.0) as usize + 1];
        let mut cover = |x: f64, y: f64| {
            let at = ((x - plot.left).max(0.0) as usize).min(columns.len() - 1);
            let (low, high) = columns[at].unwrap_or((y, y));
            columns[at] = Some((y.min(low), y.max(high)));
        };
        for pair in pieces.iter().flat_map(|it| it.windows(2)) {
            let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
            let steps = (x1 - x0).abs().ceil().max(1.0);
            let along = |share: f64| (x0 + share * (x1 - x0), y0 + share * (y1 - y0));
            for step in 0..steps as usize {
                let (from, to) = (along(step as f64 / steps), along((step + 1) as f64 / steps));
                // The whole way in both columns, so that a cliff between two is not missed.
                for (x, y) in [(from.0, from.1), (from.0, to.1), (to.0, from.1), (to.0, to.1)] {
                    cover(x, y);
                }
            }
        }
        Skyline { left: plot.left, columns }
    }

    /// The columns from one pixel to another.
    fn over(&self, left: f64, right: f64) -> impl Iterator<Item = (f64, (f64, f64))> {
        let from = ((left - self.left).max(0.0) as usize).min(self.columns.len());
        let to = ((right - self.left + 1.0).max(0.0) as usize).clamp(from, self.columns.len());
        let x = move |at: usize| self.left + (from + at) as f64;
        self.columns[from..to]
            .iter()
            .enumerate()
            .filter_map(move |(at, it)| it.map(|it| (x(at), it)))
    }

    /// The highest and lowest pixel of the curve there; `None` if it is not there on the whole way.
    fn range(&self, left: f64, right: f64) -> Option<(f64, f64)> {
        let mut seen = 0;
        let mut range = (f64::INFINITY, f64::NEG_INFINITY);
        for (_, (top, bottom)) in self.over(left, right) {
            seen += 1;
            range = (range.0.min(top), range.1.max(bottom));
        }
        (f64::from(seen) >= (right - left) * 0.95).then_some(range)
    }

    /// From a rectangle to the curve, up to some 30 pixels; nothing if the curve crosses it.
    fn distance(&self, rect: &Rect) -> f64 {
        const FAR: f64 = 30.0;
        let near = self.over(rect.left - FAR, rect.right + FAR).map(|(x, (top, bottom))| {
            let dx = (rect.left - x).max(x - rect.right).max(0.0);
            let dy = (rect.top - bottom).max(top - rect.bottom).max(0.0);
            dx * dx + dy * dy
        });
        near.fold(FAR * FAR, f64::min).sqrt()
    }

    /// In how many columns the curve crosses a rectangle.
    fn crossed(&self, rect: &Rect) -> usize {
        self.over(rect.left, rect.right)
            .filter(|(_, (top, bottom))| *top < rect.bottom && rect.top < *bottom + 1.0)
            .count()
    }

    /// Whether another curve runs along this one there.
    fn follows(&self, other: &Skyline, left: f64, right: f64) -> bool {
        let pairs = std::iter::zip(self.over(left, right), other.over(left, right));
        let mut pairs = pairs.map(|(a, b)| (a.1.0 - b.1.0).abs().max((a.1.1 - b.1.1).abs()));
        pairs.all(|it| it < 4.0)
    }
}

fn left_of(x: f64, width: f64, anchor: Anchor) -> f64 {
    match anchor {
        Anchor::Start => x,
        Anchor::Middle => x - width / 2.0,
        Anchor::End => x - width,
    }
}

/// Where there are words.
fn words_of(marks: &[Mark]) -> Vec<Rect> {
    let words = |it: &Mark| match it {
        Mark::Words(words) => Some(words.bounds()),
        _ => None,
    };
    marks.iter().filter_map(words).collect()
}

/// Where the ground is no paper.
fn washes(marks: &[Mark]) -> Vec<Rect> {
    let wash = |it: &Mark| match it {
        Mark::Rectangle { rect, tint } if tint.role == Role::RedWash => Some(*rect),
        _ => None,
    };
    marks.iter().filter_map(wash).collect()
}

/// Heights of labels one below another, each as near to the one it wants as the others let it.
pub(super) fn column(blocks: &[(f64, Block)], room: (f64, f64)) -> Vec<f64> {
    /// Labels that touch, moved as one: how many, their height, and the top at which they would all stand best.
    struct Cluster {
        count: usize,
        height: f64,
        top: f64,
    }
    let mut clusters: Vec<Cluster> = Vec::new();
    for (y, block) in blocks {
        let top = y + MIDDLE - block.above() - block.gap();
        clusters.push(Cluster { count: 1, height: block.height() + block.gap(), top });
        while let [.., above, below] = &mut clusters[..] {
            if above.top + above.height <= below.top {
                break;
            }
            let count = (above.count + below.count) as f64;
            let wanted =
                above.top * above.count as f64 + (below.top - above.height) * below.count as f64;
            above.top = wanted / count;
            above.height += below.height;
            above.count += below.count;
            clusters.pop();
        }
    }
    let mut heights = Vec::with_capacity(blocks.len());
    for cluster in clusters {
        let mut top = cluster.top.min(room.1 - cluster.height).max(room.0);
        for _ in 0..cluster.count {
            let block = &blocks[heights.len()].1;
            heights.push(top + block.gap() + block.above());
            top += block.gap() + block.height();
        }
    }
    heights
}
