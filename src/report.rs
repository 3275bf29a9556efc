//! What a study shows, as plain data: measures, sentences, figures, tables, the replay of one request, the film of
//! its servers, the messages between its machines.
//!
//! A scenario fills these in; charts, pages, tables and files are made from them. Nothing here knows
//! a scenario, a backend or a browser.

mod compared;
mod figure;
mod film;
mod footage;
mod replay;
mod sentence;
mod table;
mod traffic;

pub use compared::compared;
pub use figure::{
    Axis, AxisScale, Bar, BarPart, Bound, Cells, Figure, Here, Label, Mark, Panel, Point, Series,
    Side, Size, Trace,
};
pub use film::{Film, FilmEvent, Happening, Held, HeldState, JobKind, Moment, Shown};
pub use footage::Footage;
pub use replay::{Attempt, End, Lane, Replay, Span, SpanKind, Tally};
pub use sentence::{Aside, Piece, Sentence, number, words};
pub use table::{Cell, Column, Table};
pub use traffic::{
    Change, Link, MachineState, Message, MessageKind, Node, NodeKind, Passing, Scenery, Shape,
    Stay, Traffic,
};

/// What a curve, a mark or a word stands for: one meaning has one colour, everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Meaning {
    /// The study itself.
    This,
    /// The study pinned for comparison, and the single leaf: what `This` is held against.
    Other,
    /// Hedges, their copies, their load.
    Hedge,
    /// The deadline; nothing else is red but failure.
    Deadline,
    /// Context: exact curves of other settings.
    Reference,
    /// Plain words.
    Ink,
}

/// What a number counts, and so how it is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Quantity {
    /// Milliseconds; written in the unit that fits.
    Latency,
    /// 0 to 1; written in per cent.
    Share,
    /// A whole number of things.
    Count,
    /// The share of answers at or below: .99 is written p99.
    Percentile,
    /// A bare number, such as a mean queue length.
    #[default]
    Plain,
    /// Per second.
    Rate,
    /// Megabytes a second.
    Throughput,
    /// Seconds, of runs that last.
    Seconds,
}

/// One number that a study reports, with what else is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    /// As in tables, CSV and JSON: `request.p99`.
    pub name: String,
    /// As on the page: `p99`.
    pub label: String,
    pub quantity: Quantity,
    /// `None` while the data cannot carry it.
    pub simulated: Option<f64>,
    /// The 95 % interval; an end is `None` while it is not known.
    pub low: Option<f64>,
    pub high: Option<f64>,
    pub exact: Option<f64>,
    pub published: Option<f64>,
    /// Whether it is not known because it lies among answers that take for ever: more requests would not tell it.
    pub endless: bool,
}

impl Measure {
    /// With what theory says of it. What cannot happen needs no room for what was not seen.
    #[must_use]
    pub fn with_exact(self, exact: Option<f64>) -> Measure {
        let never = exact == Some(0.0) && self.simulated == Some(0.0);
        let end = |it: Option<f64>| if never { Some(0.0) } else { it };
        Measure { exact, low: end(self.low), high: end(self.high), ..self }
    }
}

impl Quantity {
    /// The unit of the raw number, as CSV and JSON name it.
    pub fn unit(self) -> &'static str {
        match self {
            Quantity::Latency => "ms",
            Quantity::Share | Quantity::Percentile => "share",
            Quantity::Count => "count",
            Quantity::Plain => "1",
            Quantity::Rate => "1/s",
            Quantity::Throughput => "MB/s",
            Quantity::Seconds => "s",
        }
    }
}
