//! Servers and the jobs that wait for them: the block that queueing scenarios are built from.
//!
//! Stations plan nothing themselves: what they answer holds the [`Wake`] that the model plans as an event of its
//! own, and hands back when it is due. Jobs live in one slab, and queues are chains through it, so that in
//! steady state nothing is allocated and a job leaves the middle of a queue in constant time.

mod sharing;

#[cfg(test)]
mod tests;

use super::{Duration, Instant, Slab};
use sharing::Sharing;

/// Stations that are all alike; jobs are told apart by a tag of the model's.
pub struct Stations<T> {
    shape: Shape,
    each: Vec<Station>,
    /// One for each class of each station.
    queues: Vec<Queue>,
    slots: Slab<Slot<T>>,
    sharing: Vec<Sharing>,
    usage: Usage,
    running: u32,
    waiting: u32,
    now: Instant,
}

/// What all stations of a group have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    pub stations: u32,
    /// Servers of each station, which share its queue.
    pub servers: u32,
    /// Jobs that a station holds at most, waiting or running.
    pub capacity: u32,
    pub discipline: Discipline,
}

/// Which job runs next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Discipline {
    /// In the order of arrival.
    Fifo,
    /// The lowest class first, and in the order of arrival within a class. What runs is not interrupted.
    Priority { classes: u32 },
    /// Round robin: a job runs for a slice at most, then goes to the end of the queue.
    Slice(Duration),
    /// All at once: with n jobs at c servers each runs at c/n of the speed, at full speed at most.
    Sharing,
}

/// A job at a station, valid until it has finished or has been taken out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job(u32);

/// When the model has to call `wake`, and with what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wake {
    pub delay: Duration,
    pub ticket: Ticket,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket(u32);

/// What became of a job that arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    Refused,
    Waits(Job),
    Starts(Job, Wake),
}

/// What happened when the time of a ticket had come, or a job was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Woken<T> {
    pub finished: Option<T>,
    /// A job that runs now: for the first time, or, with slices, again.
    pub started: Option<T>,
    pub wake: Option<Wake>,
}

/// What became of a job that was to be taken out of its queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cancelled {
    Removed,
    /// Too late: it runs, and goes on.
    Running,
}

/// Time integrals since they were last taken: over the servers that run, and over the jobs that wait.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    pub running_ns: u128,
    pub waiting_ns: u128,
}

#[derive(Clone, Copy, Default)]
struct Station {
    /// Jobs, which under sharing may be more than there are servers.
    running: u32,
    waiting: u32,
}

#[derive(Clone, Copy)]
struct Queue {
    first: u32,
    last: u32,
}

struct Slot<T> {
    tag: T,
    state: State,
    station: u32,
    queue: u32,
    before: u32,
    after: u32,
    /// What is left to do when the present stretch of running is over, or, while it waits, in all.
    work: Duration,
    /// When the present stretch is over.
    until: Instant,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Waiting,
    Running,
    /// Taken out while it ran. The slot stays until its wake is due, so that no ticket ever means another job.
    Stopped,
}

const NONE: u32 = u32::MAX;

impl<T: Copy> Stations<T> {
    pub fn new(shape: Shape) -> Stations<T> {
        let stations = shape.stations as usize;
        let queues = stations * shape.classes() as usize;
        let shares = if shape.discipline == Discipline::Sharing { stations } else { 0 };
        Stations {
            shape,
            each: vec![Station::default(); stations],
            queues: vec![Queue { first: NONE, last: NONE }; queues],
            slots: Slab::default(),
            sharing: (0..shares).map(|_| Sharing::default()).collect(),
            usage: Usage::default(),
            running: 0,
            waiting: 0,
            now: Instant::default(),
        }
    }

    /// How many jobs a station holds, waiting or running.
    #[inline]
    pub fn length(&self, station: u32) -> u32 {
        let it = self.each[station as usize];
        it.running + it.waiting
    }

    /// How many jobs all stations hold, with those that were stopped and whose wakes are still to come.
    #[inline]
    pub fn jobs(&self) -> usize {
        self.slots.len()
    }

    /// The most jobs that were ever there at once.
    pub fn most(&self) -> usize {
        self.slots.most()
    }

    /// Whether a job runs; only for one that is at a station.
    pub fn runs(&self, job: Job) -> bool {
        self.slots[job.0].state == State::Running
    }

    /// The station that a ticket is of.
    #[inline]
    pub fn station_of(&self, ticket: Ticket) -> u32 {
        match self.shape.discipline {
            Discipline::Sharing => ticket.0,
            _ => self.slots[ticket.0].station,
        }
    }

    /// A job arrives that will run for `work` in all. Classes beyond the last count as the last.
    #[inline]
    pub fn arrive(
        &mut self,
        now: Instant,
        station: u32,
        class: u32,
        work: Duration,
        tag: T,
    ) -> Arrival {
        self.pass(now);
        if self.shape.capacity <= self.length(station) {
            return Arrival::Refused;
        }
        let job = self.take_slot(tag, station, class, work);
        if self.shape.discipline == Discipline::Sharing {
            return Arrival::Starts(Job(job), self.join(station, job));
        }
        if self.each[station as usize].running < self.shape.servers {
            return Arrival::Starts(Job(job), self.run(job));
        }
        self.enqueue(job);
        Arrival::Waits(Job(job))
    }

    /// The time of a ticket has come.
    #[inline]
    pub fn wake(&mut self, now: Instant, ticket: Ticket) -> Woken<T> {
        self.pass(now);
        if self.shape.discipline == Discipline::Sharing {
            return self.wake_sharing(ticket.0);
        }
        let slot = &self.slots[ticket.0];
        let (station, tag, state, done) =
            (slot.station, slot.tag, slot.state, slot.work == Duration::default());
        if state == State::Stopped {
            self.slots.remove(ticket.0);
            return Woken::NOTHING;
        }
        self.each[station as usize].running -= 1;
        self.running -= 1;
        if done {
            self.slots.remove(ticket.0);
        } else {
            self.enqueue(ticket.0);
        }
        self.start_next(station, done.then_some(tag))
    }

    /// Takes a job out of its queue.
    #[inline]
    pub fn cancel(&mut self, now: Instant, job: Job) -> Cancelled {
        self.pass(now);
        if self.slots[job.0].state == State::Running {
            return Cancelled::Running;
        }
        self.unchain(job.0);
        self.slots.remove(job.0);
        Cancelled::Removed
    }

    /// Takes a job out, though it may run; says how much it has left undone.
    pub fn stop(&mut self, now: Instant, job: Job) -> (Duration, Woken<T>) {
        self.pass(now);
        let slot = &mut self.slots[job.0];
        if slot.state == State::Waiting {
            let left = slot.work;
            self.unchain(job.0);
            self.slots.remove(job.0);
            return (left, Woken::NOTHING);
        }
        slot.state = State::Stopped;
        let station = slot.station;
        if self.shape.discipline == Discipline::Sharing {
            return self.leave(station, job.0);
        }
        let left = slot.work + slot.until.since(now);
        self.each[station as usize].running -= 1;
        self.running -= 1;
        (left, self.start_next(station, None))
    }

    /// What was used since the last call.
    pub fn take_usage(&mut self, now: Instant) -> Usage {
        self.pass(now);
        std::mem::take(&mut self.usage)
    }

    /// Adds up the time that has passed with things as they are.
    #[inline]
    fn pass(&mut self, now: Instant) {
        let ns = now.since(self.now).as_ns();
        self.now = now;
        self.usage.running_ns += u128::from(ns * u64::from(self.running));
        self.usage.waiting_ns += u128::from(ns * u64::from(self.waiting));
    }

    /// A server of a station is free: the next job in line runs.
    #[inline]
    fn start_next(&mut self, station: u32, finished: Option<T>) -> Woken<T> {
        if self.each[station as usize].waiting == 0 {
            return Woken { finished, started: None, wake: None };
        }
        let classes = self.shape.classes();
        let mut queue = (station * classes) as usize;
        while self.queues[queue].first == NONE {
            queue += 1;
        }
        let job = self.queues[queue].first;
        self.unchain(job);
        let wake = self.run(job);
        Woken { finished, started: Some(self.slots[job].tag), wake: Some(wake) }
    }

    #[inline]
    fn run(&mut self, job: u32) -> Wake {
        let slot = &mut self.slots[job];
        let stretch = match self.shape.discipline {
            // A slice of nothing would never end.
            Discipline::Slice(slice) => slot.work.min(slice.max(Duration::from_ns(1))),
            _ => slot.work,
        };
        slot.state = State::Running;
        slot.work = Duration::from_ns(slot.work.as_ns() - stretch.as_ns());
        slot.until = self.now + stretch;
        self.each[slot.station as usize].running += 1;
        self.running += 1;
        Wake { delay: stretch, ticket: Ticket(job) }
    }

    /// To the end of its queue.
    #[inline]
    fn enqueue(&mut self, job: u32) {
        let slot = &mut self.slots[job];
        let queue = &mut self.queues[slot.queue as usize];
        slot.state = State::Waiting;
        slot.before = queue.last;
        slot.after = NONE;
        self.each[slot.station as usize].waiting += 1;
        self.waiting += 1;
        let before = std::mem::replace(&mut queue.last, job);
        if before == NONE {
            queue.first = job;
        } else {
            self.slots[before].after = job;
        }
    }

    #[inline]
    fn unchain(&mut self, job: u32) {
        let Slot { station, queue, before, after, .. } = self.slots[job];
        let queue = &mut self.queues[queue as usize];
        if before == NONE {
            queue.first = after;
        } else {
            self.slots[before].after = after;
        }
        if after == NONE {
            queue.last = before;
        } else {
            self.slots[after].before = before;
        }
        self.each[station as usize].waiting -= 1;
        self.waiting -= 1;
    }

    #[inline]
    fn take_slot(&mut self, tag: T, station: u32, class: u32, work: Duration) -> u32 {
        let classes = self.shape.classes();
        self.slots.insert(Slot {
            tag,
            state: State::Waiting,
            station,
            queue: station * classes + class.min(classes - 1),
            before: NONE,
            after: NONE,
            work,
            until: self.now,
        })
    }
}

impl Shape {
    #[inline]
    fn classes(&self) -> u32 {
        match self.discipline {
            Discipline::Priority { classes } => classes.max(1),
            _ => 1,
        }
    }
}

impl<T> Woken<T> {
    const NOTHING: Woken<T> = Woken { finished: None, started: None, wake: None };
}
