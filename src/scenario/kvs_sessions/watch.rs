//! Whoever follows a run: tests that judge its reads for themselves.

use crate::sim::Instant;

/// Sees all that happens to counters. Nobody does in ordinary runs, which then pay nothing for it.
pub trait Watch {
    fn saw(&mut self, now: Instant, happened: &Happened);
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
