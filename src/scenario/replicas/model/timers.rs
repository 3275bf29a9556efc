//! When second copies are due.

use std::collections::VecDeque;

use super::{Call, Context, Event, Instant, Model, Watch};
use crate::sim::Slab;

/// Timers that all wait for the same span, so that they stay in the order in which they were set: only the first
/// needs a place in the agenda. The first is always one of a call without an answer.
#[derive(Default)]
pub(super) struct Timers {
    queue: VecDeque<Timer>,
    planned: bool,
}

/// A second copy that is due, unless the call has been answered.
pub(super) struct Timer {
    pub(super) due: Instant,
    pub(super) call: u32,
    pub(super) serial: u64,
}

impl Timers {
    /// Whether an event has to be planned for it.
    pub(super) fn set(&mut self, timer: Timer) -> bool {
        self.queue.push_back(timer);
        !std::mem::replace(&mut self.planned, true)
    }

    /// Forgets the first timers as long as their calls have been answered.
    pub(super) fn drop_old(&mut self, calls: &Slab<Call>) {
        while let Some(&Timer { call, serial, .. }) = self.queue.front() {
            let it = &calls[call];
            if it.serial == serial && !it.answered {
                break;
            }
            self.queue.pop_front();
        }
    }

    #[cfg(test)]
    pub(super) fn most(&self) -> usize {
        self.queue.capacity()
    }
}

impl<W: Watch> Model<W> {
    pub(super) fn timer(&mut self, context: &mut Context<Event>) {
        let now = context.agenda.now();
        self.timers.planned = false;
        self.timers.drop_old(&self.calls);
        while let Some(&Timer { due, call, .. }) = self.timers.queue.front() {
            if now < due {
                self.timers.planned = true;
                context.agenda.plan(due.since(now), Event::Timer);
                return;
            }
            self.timers.queue.pop_front();
            self.send_second(call, context);
            self.timers.drop_old(&self.calls);
        }
    }
}
