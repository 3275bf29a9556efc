//! A figure before it is drawn: axes, curves, marks, and the words beside them.

use super::{Meaning, Quantity, Table};

/// Everything a chart needs, in the units of its axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figure {
    /// Names the file when the figure is saved: `over-against-leaves`.
    pub key: &'static str,
    pub title: String,
    /// What to see, in one or two sentences, from the same numbers.
    pub caption: String,
    pub size: Size,
    pub x: Axis,
    pub y: Axis,
    /// A heat map below the curves.
    pub cells: Option<Cells>,
    /// Bars in the place of a vertical axis, from the top.
    pub bars: Vec<Bar>,
    /// Drawn in this order, later ones above.
    pub series: Vec<Series>,
    pub points: Vec<Point>,
    pub bounds: Vec<Bound>,
    pub here: Option<Here>,
    /// A second, lower plot over the same horizontal axis.
    pub lower: Option<Panel>,
    /// The same data for those who cannot see the picture, and for CSV.
    pub table: Table,
}

/// A plot of its own below another: what it costs, under what it brings.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    pub y: Axis,
    pub series: Vec<Series>,
    pub points: Vec<Point>,
}

/// Rectangles in shades of one colour, which cover the plot or a part of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Cells {
    pub meaning: Meaning,
    /// Ascending, in the axes' units: one more than there are cells.
    pub x_edges: Vec<f64>,
    pub y_edges: Vec<f64>,
    /// From 0, nothing, to 1, the full colour; not a number for no cell. Column by column from the left, each from
    /// the bottom.
    pub shades: Vec<f64>,
    /// Shades with what they stand for, ascending.
    pub key: Vec<(f64, String)>,
    /// Where each is and what it holds, in the order of the shades: then they are read one by one. Nothing else.
    pub told: Vec<(String, String)>,
}

/// A whole and its parts, which lie one after the other along the horizontal axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    pub name: String,
    /// What the whole comes to, in words.
    pub note: String,
    pub parts: Vec<BarPart>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct BarPart {
    pub meaning: Meaning,
    /// The same part has the same name in every bar.
    pub name: String,
    /// In the unit of the axis.
    pub length: f64,
    /// What stands in it where there is room.
    pub told: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Size {
    /// The whole width, for the figure that carries the scenario.
    #[default]
    Main,
    /// Side by side with another.
    Pair,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// In words, with the scale where it is not plain: `latency, log scale`.
    pub name: String,
    pub scale: AxisScale,
    pub quantity: Quantity,
    pub from: f64,
    pub to: f64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AxisScale {
    #[default]
    Linear,
    Log,
    /// For shares from .5 up: every further nine takes the same room.
    Nines,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    pub meaning: Meaning,
    pub trace: Trace,
    pub label: Label,
    /// In the axes' units, `x` ascending. A point with a non-finite coordinate breaks the line.
    pub points: Vec<(f64, f64)>,
}

/// How a curve came about, and so how its line is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trace {
    /// Solid.
    Simulated,
    /// Dashed.
    Exact,
    /// Thin dashes in ink above a simulated line.
    ExactOver,
    /// Dashed and heavier: the study's own exact curve where nothing is simulated along it.
    ExactAlone,
    /// A histogram's outline, with a tint below it. Each `y` holds up to the next `x`, the last one's is not drawn.
    Steps,
    /// A histogram's outline, dashed: the exact counterpart of steps.
    ExactSteps,
    /// A broad pale band that lies under another line to say *the same curve*.
    Wash,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Label {
    /// Empty: no name.
    pub text: String,
    /// For narrow charts, where there is no note either.
    pub short: String,
    /// Further lines in small type, apart by `\n`; alone if there is no name.
    pub note: String,
    /// Where to put it first; others are tried before it is left out.
    pub side: Side,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// At the right end of the line.
    #[default]
    End,
    /// Above the line, where it is alone.
    Above,
    /// Below the line, where it is alone.
    Below,
}

/// A single mark.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    pub meaning: Meaning,
    pub mark: Mark,
    pub x: f64,
    /// Not a number: only the interval is known, as of a quantile in a gap.
    pub y: f64,
    /// The 95 % interval of `y`.
    pub interval: Option<(f64, f64)>,
    pub label: Label,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A simulated value.
    Dot,
    /// A simulated value of the study pinned as A.
    Ring,
    /// A published value.
    Diamond,
    /// None: words that stand at a place, tied to it by a line where they stand off.
    Word,
}

/// A limit across the plot, with a wash beyond it.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// On the horizontal axis, or else on the vertical one.
    pub upright: bool,
    pub at: f64,
    pub label: String,
}

/// *You are here*: the study's own place on the horizontal axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Here {
    pub x: f64,
    /// Not a number: the line crosses the whole figure.
    pub y: f64,
    /// The parameter that dragging it changes.
    pub key: &'static str,
    /// The value, large: `63.4 %`.
    pub value: String,
    /// `simulated ± 0.13, exact 63.40`.
    pub note: String,
}

impl Label {
    pub fn new(text: impl Into<String>) -> Label {
        let text = text.into();
        Label { short: text.clone(), text, ..Label::default() }
    }

    #[must_use]
    pub fn short(self, short: impl Into<String>) -> Label {
        Label { short: short.into(), ..self }
    }

    #[must_use]
    pub fn note(self, note: impl Into<String>) -> Label {
        Label { note: note.into(), ..self }
    }

    #[must_use]
    pub fn side(self, side: Side) -> Label {
        Label { side, ..self }
    }
}
