//! A scene: marks to draw, and what the page may ask of them.

use super::axis::Projection;
use super::marks::{Mark, Point, Rect};
use super::palette::Role;
use crate::format;
use crate::report::Meaning;

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
    /// The middle of the handle that drags, and the parameter that it changes.
    pub handle: Option<Handle>,
    pub(super) plane: Plane,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Handle {
    pub x: f64,
    pub y: f64,
    pub key: &'static str,
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
}

/// A curve as it was drawn.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Traced {
    pub(super) meaning: Meaning,
    pub(super) label: String,
    pub(super) y: Projection,
    /// Whether a value holds up to the next one.
    pub(super) steps: bool,
    /// In pixels, from left to right.
    pub(super) points: Vec<Point>,
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

    /// What the curves say at a pixel, from top to bottom.
    pub fn reading(&self, pixel: f64) -> Vec<Reading> {
        let mut readings: Vec<Reading> =
            self.plane.traces.iter().filter_map(|it| it.reading(pixel)).collect();
        readings.sort_by(|a, b| a.y.total_cmp(&b.y));
        readings
    }

    /// The scene under the cross-hair.
    #[must_use]
    pub fn hovered(&self, pixel: f64) -> Scene {
        let hair = Mark::Rule {
            from: (pixel, self.plot.top),
            to: (pixel, self.plot.bottom),
            role: Role::Ink,
            width: 1.0,
        };
        Scene { names: vec![hair], ..self.clone() }
    }
}

impl Traced {
    fn reading(&self, pixel: f64) -> Option<Reading> {
        let after = self.points.partition_point(|it| it.0 < pixel);
        let (before, after) = (self.points.get(after.checked_sub(1)?)?, self.points.get(after)?);
        let along = if self.steps { 0.0 } else { (pixel - before.0) / (after.0 - before.0) };
        let y = before.1 + along * (after.1 - before.1);
        let value = format::reading(self.y.quantity, Some(self.y.value(y)), None, None);
        let value = value.to_string();
        y.is_finite().then(|| Reading {
            meaning: self.meaning,
            label: self.label.clone(),
            value,
            y,
        })
    }
}
