//! What is still to happen.

use std::{cmp::Ordering, collections::BinaryHeap};

use super::{Duration, Instant};

/// Events, soonest first; ties keep the order in which they were planned.
pub struct Agenda<E> {
    now: Instant,
    planned: u64,
    heap: BinaryHeap<Entry<E>>,
}

struct Entry<E> {
    at: Instant,
    order: u64,
    event: E,
}

impl<E> Default for Agenda<E> {
    fn default() -> Self {
        Agenda { now: Instant::default(), planned: 0, heap: BinaryHeap::new() }
    }
}

impl<E> Agenda<E> {
    pub fn now(&self) -> Instant {
        self.now
    }

    pub fn plan(&mut self, delay: Duration, event: E) {
        self.heap.push(Entry { at: self.now + delay, order: self.planned, event });
        self.planned += 1;
    }

    pub(super) fn next(&mut self) -> Option<E> {
        let Entry { at, event, .. } = self.heap.pop()?;
        debug_assert!(self.now <= at, "an event in the past");
        self.now = at;
        Some(event)
    }
}

/// Reversed, because the heap pops its greatest entry.
impl<E> Ord for Entry<E> {
    fn cmp(&self, other: &Self) -> Ordering {
        (other.at, other.order).cmp(&(self.at, self.order))
    }
}

impl<E> PartialOrd for Entry<E> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<E> Eq for Entry<E> {}

impl<E> PartialEq for Entry<E> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_keep_their_order() {
        let mut agenda = Agenda::default();
        for (delay_ms, name) in [(5.0, 'd'), (1.0, 'a'), (5.0, 'e'), (2.0, 'b'), (2.0, 'c')] {
            agenda.plan(Duration::from_ms(delay_ms), name);
        }
        let names: String = std::iter::from_fn(|| agenda.next()).collect();
        assert_eq!(names, "abcde");
    }
}
