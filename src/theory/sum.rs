//! One time after another: the law of a sum.

use super::{Law, Table};
use crate::special::GAUSS_16;

/// The sum of a tabulated time and an independent one.
#[derive(Clone, Debug)]
pub struct Sum<L> {
    cells: Vec<(f64, f64, f64)>,
    /// The share of answers beyond the table's end.
    rest: f64,
    then: L,
}

impl<L: Law> Sum<L> {
    pub fn new(first: &Table, then: L) -> Sum<L> {
        Sum { cells: first.cells().collect(), rest: first.rest(), then }
    }
}

impl<L: Law> Law for Sum<L> {
    fn beyond(&self, ms: f64) -> f64 {
        let inside =
            self.cells.iter().map(|&(from, to, mass)| mass * self.cell_beyond(ms, from, to));
        (inside.sum::<f64>() + self.rest).min(1.0)
    }
}

impl<L: Law> Sum<L> {
    /// The chance that the second time fills what is left, with the first one anywhere in its cell.
    fn cell_beyond(&self, ms: f64, from: f64, to: f64) -> f64 {
        if ms <= from {
            return 1.0;
        }
        let width = to - from;
        let (least, most) = ((ms - to).max(0.0), ms - from);
        if 4.0 * width < least {
            // Far away the middle speaks for the cell.
            return self.then.beyond(ms - 0.5 * (from + to));
        }
        // Near the end of the time the second law may change within the cell: panels that shrink towards it.
        let late = ((to - ms) / width).clamp(0.0, 1.0);
        let mut sum = 0.0;
        let mut high = most;
        for shrink in [0.25, 0.0625, 0.0] {
            let low = least + (most - least) * shrink;
            let panel: f64 = GAUSS_16
                .iter()
                .map(|(node, weight)| weight * self.then.beyond(low + (high - low) * node))
                .sum();
            sum += (high - low) * panel;
            high = low;
        }
        late + sum / width
    }
}
