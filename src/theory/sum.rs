//! One time after another: the law of a sum.

use super::{Law, Table};
use crate::special::GAUSS_8;

/// The sum of a tabulated time and an independent one.
#[derive(Clone, Debug)]
pub struct Sum<L> {
    cells: Vec<Cell>,
    /// The share of answers beyond the table's end.
    rest: f64,
    then: L,
}

/// A step of the table, inside which the tail falls exponentially.
#[derive(Clone, Copy, Debug)]
struct Cell {
    from: f64,
    width: f64,
    mass: f64,
    /// By how many powers of e the tail falls.
    drop: f64,
    /// The mean of the answers inside.
    mean: f64,
}

impl<L: Law> Sum<L> {
    pub fn new(first: &Table, then: L) -> Sum<L> {
        let steps = first.rows().windows(2).filter(|it| it[1].1 < it[0].1);
        Sum { cells: steps.map(|it| Cell::new(it[0], it[1])).collect(), rest: first.rest(), then }
    }
}

impl<L: Law> Law for Sum<L> {
    fn beyond(&self, ms: f64) -> f64 {
        let late: f64 = self.cells.iter().map(|it| it.mass * it.late(ms, &self.then)).sum();
        (late + self.rest).min(1.0)
    }
}

impl Cell {
    fn new((from, above): (f64, f64), (to, below): (f64, f64)) -> Cell {
        let width = to - from;
        // What falls to nothing falls fast enough at e^30.
        let drop = if below > 0.0 { libm::log(above / below).min(30.0) } else { 0.0 };
        let along =
            if drop < 1e-3 { 0.5 - drop / 12.0 } else { 1.0 / drop - 1.0 / libm::expm1(drop) };
        Cell { from, width, mass: above - below, drop, mean: from + width * along }
    }

    /// The chance that the second time fills what is left, with the first one in this cell.
    fn late(&self, ms: f64, then: &impl Law) -> f64 {
        if ms <= self.from {
            return 1.0;
        }
        let to = self.from + self.width;
        let least = (ms - to).max(0.0);
        if 4.0 * self.width < least {
            // Far away the mean speaks for the cell.
            return then.beyond(ms - self.mean);
        }
        // Near the end of the time the second law may change within the cell: panels that shrink towards it.
        let most = ms - self.from;
        let mut late = self.share_after(ms);
        let mut high = most;
        for shrink in [0.25, 0.0625, 0.0] {
            let low = least + (most - least) * shrink;
            let value = |node: f64| {
                let left = low + (high - low) * node;
                then.beyond(left) * self.density(ms - left)
            };
            let panel: f64 = GAUSS_8.iter().map(|(node, weight)| weight * value(*node)).sum();
            late += (high - low) * panel;
            high = low;
        }
        late
    }

    /// Of the answers inside, those after a moment.
    fn share_after(&self, ms: f64) -> f64 {
        let along = ((ms - self.from) / self.width).clamp(0.0, 1.0);
        if self.drop < 1e-9 {
            return 1.0 - along;
        }
        (libm::exp(-self.drop * along) - libm::exp(-self.drop)) / -libm::expm1(-self.drop)
    }

    fn density(&self, ms: f64) -> f64 {
        if self.drop < 1e-9 {
            return 1.0 / self.width;
        }
        let along = (ms - self.from) / self.width;
        self.drop / self.width * libm::exp(-self.drop * along) / -libm::expm1(-self.drop)
    }
}
