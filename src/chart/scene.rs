//! A scene: marks to draw, and what the page may ask of them.

use super::axis::Projection;
use super::cell_map::CellMap;
use super::hair::cross_hair;
use super::marks::{Mark, Point, Rect};
use super::palette::Role;
use crate::format;
use crate::report::{Meaning, Quantity};
use crate::special::{round_to_digits, sorted_by};

/// The room for a chart, in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    pub width: f64,
    pub height: f64,
    /// Whether short forms are to be used, as on a phone.
    pub narrow: bool,
}

/// A chart that is ready to be drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    pub frame: Frame,
    /// For those who hear it, and for the file.
    pub title: String,
    /// Where the data is, without labels and ticks.
    pub plot: Rect,
    /// In the order of drawing.
    pub marks: Vec<Mark>,
    /// The names of curves, drawn above all else; they give way to values under the cross-hair.
    pub names: Vec<Mark>,
    /// Where the arrow keys stop, from left to right, in pixels.
    pub stops: Vec<f64>,
    /// What drags, drawn above the marks; nothing where nobody can take it.
    pub handle: Option<Handle>,
    pub(super) plane: Plane,
}

/// The middle of what drags, and the parameter that it changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Handle {
    pub x: f64,
    pub y: f64,
    pub key: &'static str,
}

impl Handle {
    /// A disc with a grip on it.
    pub(super) fn marks(self) -> [Mark; 3] {
        let Handle { x, y, .. } = self;
        let grip = |by: f64| Mark::Rule {
            from: (x + by, y - 4.0),
            to: (x + by, y + 4.0),
            role: Role::Blue,
            width: 1.0,
        };
        let disc = Mark::Circle {
            at: (x, y),
            radius: 9.0,
            fill: Role::Paper,
            ring: Role::Blue,
            ring_width: 2.0,
        };
        [disc, grip(-2.5), grip(2.5)]
    }
}

/// Which way a key leads the cross-hair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    Left,
    Right,
    Up,
    Down,
    /// To the leftmost or the rightmost.
    First,
    Last,
    Top,
    Bottom,
}

/// What a curve says under the cross-hair.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    pub meaning: Meaning,
    /// The curve's name.
    pub label: String,
    /// The value, with its unit.
    pub value: String,
    /// Where the curve is, in pixels.
    pub y: f64,
}

/// How pixels and values belong together.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Plane {
    pub(super) x: Option<Projection>,
    pub(super) traces: Vec<Traced>,
    /// The cells, where they are read one by one.
    pub(super) cells: Option<CellMap>,
}

/// So far beside the plot it is still read, in pixels.
const BESIDE: f64 = 8.0;

/// A curve as it was drawn.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Traced {
    pub(super) meaning: Meaning,
    pub(super) label: String,
    pub(super) y: Projection,
    pub(super) rect: Rect,
    /// In pixels, from left to right.
    pub(super) pieces: Vec<Vec<Point>>,
}

impl Frame {
    /// Least and greatest sides that a chart can be drawn in.
    const SIDES: (f64, f64) = (160.0, 8000.0);

    pub(super) fn possible(self) -> Frame {
        let (least, most) = Frame::SIDES;
        // `max` takes what is not a number for the least.
        Frame {
            width: self.width.max(least).min(most),
            height: self.height.max(least).min(most),
            ..self
        }
    }
}

impl Scene {
    /// The value of the horizontal axis at a pixel; `None` where there is no such axis.
    pub fn x_at(&self, pixel: f64) -> Option<f64> {
        let x = self.plane.x?;
        Some(x.value(pixel.clamp(self.plot.left, self.plot.right)))
    }

    /// The pixel of a value on the horizontal axis.
    pub fn pixel_of(&self, value: f64) -> Option<f64> {
        self.plane.x.map(|it| it.pixel(value))
    }

    /// The value of the horizontal axis at a pixel, in words.
    pub(super) fn x_text(&self, pixel: f64) -> Option<String> {
        let (axis, value) = (self.plane.x?, self.x_at(pixel)?);
        // A pixel has no more than three digits, nor two behind a percentile's nines.
        let value = match axis.quantity {
            Quantity::Percentile => 1.0 - round_to_digits(1.0 - value, 2),
            Quantity::Count => value.round(),
            _ => round_to_digits(value, 3),
        };
        Some(format::given(axis.quantity, value).to_string())
    }

    /// What the curves say at a pixel, from top to bottom.
    pub fn reading(&self, pixel: f64) -> Vec<Reading> {
        let readings = self.plane.traces.iter().filter_map(|it| it.reading(pixel));
        sorted_by(readings.collect(), |it: &Reading| it.y)
    }

    /// The curves, each with its plot.
    pub(super) fn curves(&self) -> impl Iterator<Item = (&[Vec<Point>], &Rect)> {
        self.plane.traces.iter().map(|it| (it.pieces.as_slice(), &it.rect))
    }

    /// Where the cross-hair stands when a place is pointed at: there, or in the middle of a cell; nowhere beside the
    /// plot.
    pub fn spot(&self, (x, y): Point) -> Option<Point> {
        let near = self.plot.grown(BESIDE);
        match &self.plane.cells {
            Some(cells) => near.holds((x, y)).then(|| cells.spot((x, y))),
            // Curves are read at any height.
            None => (near.left <= x && x <= near.right).then_some((x, self.plot.top)),
        }
    }

    /// Where a key leads the cross-hair from where it stands, if anywhere.
    pub fn next_stop(&self, from: Option<Point>, way: Way) -> Option<Point> {
        if let Some(cells) = &self.plane.cells {
            return Some(cells.next(from, way));
        }
        let x = match way {
            Way::Right => self.stop_after(from.map_or(f64::NEG_INFINITY, |it| it.0), 1)?,
            Way::Left => self.stop_after(from.map_or(f64::INFINITY, |it| it.0), -1)?,
            Way::First => *self.stops.first()?,
            Way::Last => *self.stops.last()?,
            Way::Up | Way::Down | Way::Top | Way::Bottom => return None,
        };
        Some((x, self.plot.top))
    }

    /// What the cell at a place says; nothing where there are only curves.
    pub fn cell_words(&self, at: Point) -> Option<String> {
        self.plane.cells.as_ref().map(|it| it.words(at))
    }

    /// The scene under the cross-hair at a place: a cell with what it holds, or else what curves say.
    #[must_use]
    pub fn hovered_at(&self, at: Point) -> Scene {
        let Some(cells) =
            self.plane.cells.as_ref().filter(|_| at.0.is_finite() && at.1.is_finite())
        else {
            return self.hovered(at.0);
        };
        let Frame { width, narrow, .. } = self.frame;
        let room = Rect { left: 0.0, top: 0.0, right: width, bottom: self.plot.bottom };
        let names = cells.cross_hair(at, &self.plot, room, narrow, &self.marks);
        Scene { names, ..self.clone() }
    }

    /// The scene under the cross-hair: a hairline, a dot on each curve with its value, and the value of the
    /// horizontal axis; the curves' names have given way.
    #[must_use]
    pub fn hovered(&self, pixel: f64) -> Scene {
        let mut scene = self.clone();
        if pixel.is_finite() {
            scene.names = cross_hair(self, pixel.clamp(self.plot.left, self.plot.right));
        }
        scene
    }

    /// The arrow key's next stop to the right (`1`) or left (`-1`) of a pixel.
    pub fn stop_after(&self, pixel: f64, steps: i32) -> Option<f64> {
        if steps > 0 {
            self.stops.iter().copied().find(|it| *it > pixel + 0.5)
        } else {
            self.stops.iter().copied().rev().find(|it| *it < pixel - 0.5)
        }
    }
}

impl Traced {
    fn reading(&self, pixel: f64) -> Option<Reading> {
        let y = self.pieces.iter().find_map(|it| height(it, pixel))?;
        // Beyond the plot no dot can be shown, but one that is half outside belongs to it.
        if y < self.rect.top - 4.0 || y > self.rect.bottom + 4.0 {
            return None;
        }
        let value = format::reading(self.y.quantity, Some(self.y.value(y)), None, None);
        let value = value.to_string();
        Some(Reading { meaning: self.meaning, label: self.label.clone(), value, y })
    }
}

/// The height of a line at a pixel.
fn height(line: &[Point], pixel: f64) -> Option<f64> {
    let (first, last) = (line.first()?, line.last()?);
    if pixel < first.0 - 0.5 || pixel > last.0 + 0.5 {
        return None;
    }
    let pixel = pixel.clamp(first.0, last.0);
    let after = line.partition_point(|it| it.0 < pixel);
    let to = line[after.min(line.len() - 1)];
    let from = line[after.saturating_sub(1)];
    let along = if to.0 > from.0 { (pixel - from.0) / (to.0 - from.0) } else { 1.0 };
    Some(from.1 + along * (to.1 - from.1))
}
