//! Processor sharing at a speed that changes: requests that run at once, all alike in speed.

use std::{cmp::Reverse, collections::BinaryHeap};

/// The running requests of a page, by the work that one present throughout will have had done when they finish.
///
/// All run at the same speed, so that their order never changes.
#[derive(Default)]
pub(super) struct Crowd {
    served: f64,
    joined: u64,
    finishes: BinaryHeap<Reverse<(u64, u64, u32)>>,
}

impl Crowd {
    pub(super) fn len(&self) -> usize {
        self.finishes.len()
    }

    pub(super) fn clear(&mut self) {
        self.served = 0.0;
        self.finishes.clear();
    }

    /// A client's request begins to run.
    pub(super) fn join(&mut self, work: f64, client: u32) {
        // Numbers that are not negative are in the order of their bits.
        let finish = (self.served + work).to_bits();
        self.finishes.push(Reverse((finish, self.joined, client)));
        self.joined += 1;
    }

    /// So much work is done on each.
    #[inline]
    pub(super) fn serve(&mut self, work: f64) {
        self.served += work;
    }

    /// What is left of the one that finishes first.
    #[inline]
    pub(super) fn left(&self) -> Option<f64> {
        let Reverse((finish, ..)) = self.finishes.peek()?;
        Some((f64::from_bits(*finish) - self.served).max(0.0))
    }

    /// The one that finishes first leaves. Whatever rounding left of it is done.
    pub(super) fn finish(&mut self) -> Option<u32> {
        let Reverse((finish, _, client)) = self.finishes.pop()?;
        self.served = self.served.max(f64::from_bits(finish));
        if self.finishes.is_empty() {
            self.served = 0.0;
        }
        Some(client)
    }
}
