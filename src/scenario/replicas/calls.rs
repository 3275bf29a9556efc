//! What is under way: requests, their calls, and the copies of a call.

use crate::sim::{Duration, Instant, Job};

/// A request that is not forgotten yet.
pub(super) struct Request {
    pub(super) sent: Instant,
    /// Answers that it still waits for.
    pub(super) missing: u32,
    /// Calls without an answer.
    pub(super) open: u32,
    /// Whether it has waited for an answer of which nobody knows how long it would have taken.
    pub(super) unknown: bool,
}

/// A call, for as long as a message or a server knows of it.
pub(super) struct Call {
    /// Its number, from 0, over all requests: who keeps the place of a call for longer checks it. The calls of a
    /// request have successive numbers.
    pub(super) serial: u64,
    pub(super) request: u32,
    /// The call's own replicas: where the first copy goes, and where a second would.
    pub(super) servers: [u32; 2],
    pub(super) copies: [Copy; 2],
    /// Whether a second copy could be of use.
    pub(super) paired: bool,
    pub(super) answered: bool,
    /// Copies that are not gone, and cancellations on their way.
    pub(super) holds: u8,
}

#[derive(Clone, Copy)]
pub(super) struct Copy {
    pub(super) state: CopyState,
    pub(super) work: Duration,
    /// How long its answer will travel.
    pub(super) back: Duration,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum CopyState {
    Unsent,
    /// A cancellation was there before it was sent; if it is sent all the same, it will be unwelcome.
    Forestalled,
    /// On its way to the server.
    Travelling,
    /// A cancellation was there first: the server will not take it.
    Unwelcome,
    AtServer(Job),
    /// Served; the answer is on its way.
    Answering,
    /// Answered, cancelled, or not taken.
    Gone,
}

/// A copy of a call, as events and servers know it: the call's place, and which of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CopyId(u32);

impl CopyId {
    /// What the servers' other jobs are known by.
    pub(super) const OTHER_WORK: CopyId = CopyId(u32::MAX);

    pub(super) fn new(call: u32, which: usize) -> CopyId {
        CopyId(call << 1 | which as u32)
    }

    pub(super) fn call(self) -> u32 {
        self.0 >> 1
    }

    pub(super) fn which(self) -> usize {
        (self.0 & 1) as usize
    }

    /// The other copy of the same call.
    pub(super) fn other(self) -> CopyId {
        CopyId(self.0 ^ 1)
    }
}

impl Call {
    /// The number of a call whose place is free.
    pub(super) const FORGOTTEN: u64 = u64::MAX;
}

impl CopyState {
    pub(super) fn was_sent(self) -> bool {
        !matches!(self, CopyState::Unsent | CopyState::Forestalled)
    }
}

impl Copy {
    pub(super) const UNSENT: Copy =
        Copy { state: CopyState::Unsent, work: Duration::from_ns(0), back: Duration::from_ns(0) };
}
