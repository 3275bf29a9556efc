//! Marks: what a chart is made of, in CSS pixels from the upper left.

use super::palette::Role;
use super::text;

pub type Point = (f64, f64);

#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A line through points, with dashes if the stroke has them.
    Line {
        points: Vec<Point>,
        stroke: Stroke,
    },
    /// A level or upright line, which falls on whole device pixels.
    Rule {
        from: Point,
        to: Point,
        role: Role,
        width: f64,
    },
    /// A filled polygon.
    Area {
        points: Vec<Point>,
        tint: Tint,
    },
    Rectangle {
        rect: Rect,
        tint: Tint,
    },
    /// A filled circle with a ring; the ring's middle is at `radius`.
    Circle {
        at: Point,
        radius: f64,
        fill: Role,
        ring: Role,
        ring_width: f64,
    },
    /// A square on its corner, from the middle to a corner `radius`; hollow without a `fill`.
    Diamond {
        at: Point,
        radius: f64,
        fill: Option<Role>,
        stroke: Stroke,
    },
    /// Two strokes across each other.
    Cross {
        at: Point,
        radius: f64,
        stroke: Stroke,
    },
    Words(Words),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    pub role: Role,
    pub width: f64,
    /// Lengths of dash and gap, in turn; empty for a solid line.
    pub dashes: &'static [f64],
    /// 0 to 1.
    pub opacity: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tint {
    pub role: Role,
    /// 0 to 1.
    pub opacity: f64,
}

/// One line of words.
#[derive(Clone, Debug, PartialEq)]
pub struct Words {
    pub text: String,
    /// On the base line, at the end that `anchor` names.
    pub at: Point,
    pub anchor: Anchor,
    pub size: f64,
    pub bold: bool,
    pub role: Role,
    /// What is laid below to keep lines off: the colour of what they stand on.
    pub halo: Option<Role>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rect {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Stroke {
    pub fn solid(role: Role, width: f64) -> Stroke {
        Stroke { role, width, dashes: &[], opacity: 1.0 }
    }

    pub fn dashed(role: Role, width: f64, dashes: &'static [f64]) -> Stroke {
        Stroke { role, width, dashes, opacity: 1.0 }
    }
}

impl Words {
    /// What the words cover, halo left out.
    pub fn bounds(&self) -> Rect {
        let width = text::width(&self.text, self.size, self.bold);
        let left = match self.anchor {
            Anchor::Start => self.at.0,
            Anchor::Middle => self.at.0 - width / 2.0,
            Anchor::End => self.at.0 - width,
        };
        Rect {
            left,
            top: self.at.1 - text::ASCENT * self.size,
            right: left + width,
            bottom: self.at.1 + text::DESCENT * self.size,
        }
    }
}

impl Rect {
    pub fn width(&self) -> f64 {
        self.right - self.left
    }

    pub fn height(&self) -> f64 {
        self.bottom - self.top
    }

    pub fn holds(&self, (x, y): Point) -> bool {
        self.left <= x && x <= self.right && self.top <= y && y <= self.bottom
    }

    /// Whether the other lies within this one.
    pub fn encloses(&self, other: &Rect) -> bool {
        self.holds((other.left, other.top)) && self.holds((other.right, other.bottom))
    }

    pub fn meets(&self, other: &Rect) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    /// The same with so much more on every side.
    #[must_use]
    pub fn grown(&self, by: f64) -> Rect {
        Rect {
            left: self.left - by,
            top: self.top - by,
            right: self.right + by,
            bottom: self.bottom + by,
        }
    }
}
