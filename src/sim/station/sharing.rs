//! Processor sharing: every job at a station runs, the slower the more there are.

use std::{cmp::Reverse, collections::BinaryHeap};

use super::{State, Stations, Ticket, Wake, Woken};
use crate::sim::{Duration, Instant};

/// One station's jobs, by the service that a job present throughout will have had when they finish.
///
/// All jobs gain service at the same rate, so their order never changes; only the clock of that service runs
/// slower when there are more of them.
#[derive(Default)]
pub(super) struct Sharing {
    served: Served,
    counted_at: Instant,
    /// When the next job finishes: a ticket for another moment is out of date.
    due: Instant,
    joined: u64,
    finishes: BinaryHeap<Reverse<(Served, u64, u32)>>,
}

/// Nanoseconds of service in units of 2^-32: parts of a nanosecond must not be lost, however long it runs.
type Served = u128;

const FRACTION: u32 = 32;

impl<T: Copy> Stations<T> {
    pub(super) fn join(&mut self, station: u32, job: u32) -> Wake {
        self.serve_all(station);
        let slot = &mut self.slots[job];
        slot.state = State::Running;
        let sharing = &mut self.sharing[station as usize];
        let finish = sharing.served + (Served::from(slot.work.as_ns()) << FRACTION);
        sharing.finishes.push(Reverse((finish, sharing.joined, job)));
        sharing.joined += 1;
        let before = self.servers_busy(station);
        self.each[station as usize].running += 1;
        self.running += self.servers_busy(station) - before;
        let first = self.first_finish(station).unwrap_or(finish);
        self.wake_at(station, first)
    }

    pub(super) fn wake_sharing(&mut self, station: u32) -> Woken<T> {
        if self.sharing[station as usize].due != self.now || self.first_finish(station).is_none() {
            return Woken::NOTHING;
        }
        self.serve_all(station);
        let sharing = &mut self.sharing[station as usize];
        let Some(Reverse((finish, _, job))) = sharing.finishes.pop() else { return Woken::NOTHING };
        // Rounding may have left part of a nanosecond to do.
        sharing.served = sharing.served.max(finish);
        let finished = Some(self.slots[job].tag);
        self.slots.remove(job);
        self.depart(station, finished)
    }

    /// A job that was stopped leaves; its place among the finishes goes when it comes up.
    pub(super) fn leave(&mut self, station: u32, job: u32) -> (Duration, Woken<T>) {
        self.serve_all(station);
        let sharing = &self.sharing[station as usize];
        let finish = sharing.finishes.iter().find(|it| it.0.2 == job).map_or(0, |it| it.0.0);
        let left = (finish.saturating_sub(sharing.served)) >> FRACTION;
        (Duration::from_ns(left as u64), self.depart(station, None))
    }

    fn depart(&mut self, station: u32, finished: Option<T>) -> Woken<T> {
        let before = self.servers_busy(station);
        self.each[station as usize].running -= 1;
        self.running -= before - self.servers_busy(station);
        let first = self.first_finish(station);
        Woken { finished, started: None, wake: first.map(|it| self.wake_at(station, it)) }
    }

    fn servers_busy(&self, station: u32) -> u32 {
        self.each[station as usize].running.min(self.shape.servers)
    }

    /// Gives every job at a station its part of the time since the last change.
    fn serve_all(&mut self, station: u32) {
        let jobs = self.each[station as usize].running.max(1);
        let busy = self.servers_busy(station);
        let sharing = &mut self.sharing[station as usize];
        let ns = Served::from(self.now.since(sharing.counted_at).as_ns());
        sharing.served += (ns << FRACTION) * Served::from(busy) / Served::from(jobs);
        sharing.counted_at = self.now;
    }

    fn first_finish(&mut self, station: u32) -> Option<Served> {
        loop {
            let &Reverse((finish, _, job)) = self.sharing[station as usize].finishes.peek()?;
            if self.slots[job].state != State::Stopped {
                return Some(finish);
            }
            self.sharing[station as usize].finishes.pop();
            self.slots.remove(job);
        }
    }

    fn wake_at(&mut self, station: u32, finish: Served) -> Wake {
        let jobs = Served::from(self.each[station as usize].running);
        let busy = Served::from(self.servers_busy(station).max(1));
        let sharing = &mut self.sharing[station as usize];
        let time = finish.saturating_sub(sharing.served) * jobs / busy;
        // To the nanosecond after which the job is done.
        let ns = (time + ((1 << FRACTION) - 1)) >> FRACTION;
        let delay = Duration::from_ns(ns as u64);
        sharing.due = self.now + delay;
        Wake { delay, ticket: Ticket(station) }
    }
}
