//! Tables that are shown, read aloud, and written as CSV.

use super::{Meaning, Quantity};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    pub columns: Vec<Column>,
    pub rows: Vec<Vec<Cell>>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    pub title: String,
    pub meaning: Meaning,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    Text(String),
    /// A number with its 95 % interval, if it has one.
    Number {
        value: f64,
        interval: Option<(f64, f64)>,
        quantity: Quantity,
    },
    /// A quantile that lies in a gap of the data: any value between is right.
    Between {
        low: f64,
        high: f64,
        quantity: Quantity,
    },
    /// Not known, or not said.
    Empty,
}

impl Column {
    pub fn new(title: impl Into<String>) -> Column {
        Column { title: title.into(), meaning: Meaning::Ink }
    }
}

impl Cell {
    pub fn number(quantity: Quantity, value: Option<f64>) -> Cell {
        value.map_or(Cell::Empty, |value| Cell::Number { value, interval: None, quantity })
    }
}
