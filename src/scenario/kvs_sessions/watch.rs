//! Whoever follows a run: tests that judge its reads for themselves.

use crate::sim::{Duration, Instant};

/// Sees all that happens to counters. Nobody does in ordinary runs, which then pay nothing for it.
pub trait Watch {
    fn saw(&mut self, now: Instant, happened: &Happened);
    /// Something is on its way, or stays somewhere.
    fn goes(&mut self, _now: Instant, _leg: &Leg) {}
    /// A node takes nothing new any more, or is out of service.
    fn fails(&mut self, _now: Instant, _node: u32, _state: Failing) {}
}

/// A message from a place to another, or if they are the same a stay there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leg {
    /// Whose request it is, and at which node that is; none for copies.
    pub of: Option<(u32, u32)>,
    pub cargo: Cargo,
    pub from: Spot,
    pub to: Spot,
    /// Until it begins.
    pub after: Duration,
    /// None as long as nobody knows: up to whatever is next for its user.
    pub lasts: Option<Duration>,
    /// Of a stay at a store: the store works on it.
    pub at_work: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cargo {
    /// A request that has not been written yet.
    Write,
    Read,
    /// The answer to a read of what its user had written, or of something else.
    Answer {
        right: bool,
    },
    Copy,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Spot {
    User(u32),
    Balancer,
    Node(u32),
    Store(u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failing {
    Closing,
    Out,
    Crashed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Happened {
    pub user: u32,
    /// The store, or for what is sent and answered the node.
    pub place: u32,
    /// The user's request, from 1.
    pub number: u32,
    pub what: What,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    Sent,
    /// An increment was done at the store.
    Wrote,
    /// A copy of one of the user's increments, made at this store, was added at the store.
    Copied {
        from: u32,
    },
    /// The counter was read at the store.
    Read {
        value: u32,
    },
    /// The user's counter, as it was at the other store, is at this one now.
    Moved {
        from: u32,
    },
    /// The user has the answer.
    Answered,
    /// The store, with all that is in it, is gone; of no user.
    Crashed,
    /// All starts anew, every counter at nothing; of no user.
    Began,
}

impl Watch for () {
    fn saw(&mut self, _: Instant, _: &Happened) {}
}
