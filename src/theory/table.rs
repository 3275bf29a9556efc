//! A law read off at chosen times: quick to look up, to add and to invert.

use std::{cell::RefCell, rc::Rc};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{
    Law,
    law::{MS_MAX, MS_MIN, solve},
};

/// The tail of a law at ascending times, close enough that straight lines between them do.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Table {
    /// Time and tail; the tail falls.
    rows: Vec<(f64, f64)>,
}

/// A law that is slow to read, with a table of it to start from.
#[derive(Clone, Debug)]
pub struct Traced<L> {
    law: L,
    table: Table,
    /// What was asked already: tails, and their times. The same few percentiles are wanted again and again.
    known: RefCell<Vec<(f64, Option<f64>)>>,
}

/// What travels of a law: its table, and the percentiles that were asked for.
#[derive(Serialize, Deserialize)]
struct Trace {
    table: Table,
    known: Vec<(f64, Option<f64>)>,
}

/// Finds the time that a given tail belongs to, in constant time on average.
#[derive(Clone, Debug)]
pub struct Inverse {
    /// -ln(tail) and time, both ascending.
    rows: Vec<(f64, f64)>,
    /// For each stretch of -ln(tail), the last row before it.
    guide: Vec<u32>,
}

/// A tail less than this is shown nowhere and drawn by nobody.
const TAIL_MIN: f64 = 1e-15;
/// Rows never come closer than this, relative to their time: there a law jumps.
const WIDTH_MIN: f64 = 1e-9;
/// A law with many jumps is cut off here rather than refined for ever.
const ROWS_MAX: usize = 4_000;

impl Table {
    /// Reads a law until no step holds more than `mass_max` of the answers, nor lets the tail drop by more than
    /// a factor of `e^drop_max`.
    pub fn of(law: &impl Law, mass_max: f64, drop_max: f64) -> Table {
        let first = law.quantile_of_tail(1.0 - 1e-9).unwrap_or(MS_MIN);
        let last = law.quantile_of_tail(TAIL_MIN).unwrap_or(MS_MAX).max(first * (1.0 + WIDTH_MIN));
        let row = |ms: f64| (ms, law.beyond(ms));
        // A stack of rows still to be reached; the top is the end of the step in question.
        let mut ahead = vec![row(last * 1.000_001)];
        let mut rows = vec![row(first * 0.999_999)];
        while let Some(&end) = ahead.last() {
            let start = rows[rows.len() - 1];
            let mass = start.1 - end.1;
            let drop = start.1 > TAIL_MIN && start.1 > end.1 * libm::exp(drop_max);
            let wide = end.0 > start.0 * (1.0 + WIDTH_MIN);
            let coarse = mass > mass_max || drop || end.0 > start.0 * 1.5;
            if wide && coarse && rows.len() + ahead.len() < ROWS_MAX {
                ahead.push(row((start.0 * end.0).sqrt()));
            } else {
                rows.push(end);
                ahead.pop();
            }
        }
        Table { rows }
    }

    /// From times and tails, both in order: the tail falls.
    pub(super) fn of_rows(rows: Vec<(f64, f64)>) -> Table {
        Table { rows }
    }

    /// The share of answers beyond the last row.
    pub fn rest(&self) -> f64 {
        self.rows[self.rows.len() - 1].1
    }

    /// Time and tail, close enough to draw a line through.
    pub fn rows(&self) -> &[(f64, f64)] {
        &self.rows
    }

    /// The mean, unless the tail beyond the last row would still matter to it.
    pub fn mean(&self) -> Option<f64> {
        let (first, _) = self.rows[0];
        let (last, tail) = self.rows[self.rows.len() - 1];
        let sum: f64 = self.rows.windows(2).map(|it| area(it[0], it[1])).sum();
        let mean = first + sum;
        (last * tail < 1e-6 * mean).then_some(mean)
    }

    pub fn inverse(&self) -> Inverse {
        let mut rows: Vec<(f64, f64)> = vec![(0.0, self.rows[0].0)];
        for &(ms, tail) in &self.rows {
            let depth = -libm::log(tail.max(TAIL_MIN));
            let (last, before_ms) = rows[rows.len() - 1];
            if depth > last {
                // What takes for ever is not reached by degrees.
                if before_ms < MS_MAX && MS_MAX < ms {
                    rows.push((last + 1e-9 * (depth - last), ms));
                }
                rows.push((depth, ms));
            }
        }
        let stretches = (rows[rows.len() - 1].0 * Inverse::STRETCHES_A_UNIT) as usize + 1;
        let mut guide = Vec::with_capacity(stretches);
        let mut at = 0;
        for stretch in 0..stretches {
            let depth = stretch as f64 / Inverse::STRETCHES_A_UNIT;
            while at + 2 < rows.len() && rows[at + 1].0 <= depth {
                at += 1;
            }
            guide.push(at as u32);
        }
        Inverse { rows, guide }
    }
}

impl Law for Table {
    fn beyond(&self, ms: f64) -> f64 {
        let after = self.rows.partition_point(|it| it.0 <= ms);
        if after == 0 {
            return 1.0;
        }
        if after == self.rows.len() {
            return self.rows[after - 1].1;
        }
        let (start, end) = (self.rows[after - 1], self.rows[after]);
        let along = (ms - start.0) / (end.0 - start.0);
        if end.1 <= 0.0 {
            return start.1 * (1.0 - along);
        }
        start.1 * libm::exp(along * libm::log(end.1 / start.1))
    }
}

impl<L: Law> Traced<L> {
    pub fn new(law: L) -> Traced<L> {
        // Close enough to draw it; a quantile then takes a handful of looks.
        let table = Table::of(&law, 1.0 / 32.0, 0.7);
        Traced::with_table(law, table)
    }

    /// With a table that is there already.
    pub fn with_table(law: L, table: Table) -> Traced<L> {
        Traced { law, table, known: RefCell::default() }
    }

    pub fn table(&self) -> &Table {
        &self.table
    }
}

impl<L: Law> Law for Traced<L> {
    fn beyond(&self, ms: f64) -> f64 {
        self.law.beyond(ms)
    }

    fn quantile_of_tail(&self, tail: f64) -> Option<f64> {
        let known = self.known.borrow().iter().find(|it| it.0 == tail).map(|it| it.1);
        if let Some(time) = known {
            return time;
        }
        let rows = &self.table.rows;
        let after = rows.partition_point(|it| it.1 > tail);
        let around = if after == 0 || after == rows.len() {
            (MS_MIN, MS_MAX)
        } else {
            (rows[after - 1].0, rows[after].0)
        };
        // The last row may stand a little past the last time, where laws that never end are cut off.
        let time = solve(|ms| self.law.beyond(ms), tail, around)
            .filter(|it| *it < MS_MAX * (1.0 - WIDTH_MIN));
        self.known.borrow_mut().push((tail, time));
        time
    }
}

impl<L> Serialize for Traced<L> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        Trace { table: self.table.clone(), known: self.known.borrow().clone() }.serialize(to)
    }
}

/// At the percentiles that were asked for it is the law that it was made from, to the last digit, elsewhere its table.
impl<'a> Deserialize<'a> for Traced<Rc<dyn Law>> {
    fn deserialize<D: Deserializer<'a>>(from: D) -> Result<Self, D::Error> {
        let Trace { table, known } = Trace::deserialize(from)?;
        Ok(Traced { law: Rc::new(table.clone()), table, known: RefCell::new(known) })
    }
}

impl Inverse {
    const STRETCHES_A_UNIT: f64 = 32.0;

    /// The time that `tail` of the answers exceed.
    #[inline]
    pub fn time(&self, tail: f64) -> f64 {
        let depth = -libm::log(tail);
        let stretch = ((depth * Self::STRETCHES_A_UNIT) as usize).min(self.guide.len() - 1);
        let mut at = self.guide[stretch] as usize;
        while at + 2 < self.rows.len() && self.rows[at + 1].0 <= depth {
            at += 1;
        }
        let (start, end) = (self.rows[at], self.rows[at + 1]);
        start.1 + (end.1 - start.1) * ((depth - start.0) / (end.0 - start.0)).min(1.0)
    }
}

/// Below a tail that falls exponentially between two rows.
fn area(start: (f64, f64), end: (f64, f64)) -> f64 {
    let width = end.0 - start.0;
    if end.1 <= 0.0 || start.1 < end.1 * 1.000_01 {
        return 0.5 * width * (start.1 + end.1);
    }
    width * (start.1 - end.1) / libm::log(start.1 / end.1)
}
