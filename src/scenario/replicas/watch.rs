//! Whoever follows single requests through a run.

use crate::sim::{Duration, Instant};

/// Sees every step of every copy. Nobody does in ordinary runs, which then pay nothing for it.
pub trait Watch {
    const WATCHES: bool;

    fn step(&mut self, now: Instant, copy: &Step);
    /// The same of other people's jobs, which go to servers only.
    fn other(&mut self, _now: Instant, _server: u32, _what: What) {}
    fn answered(&mut self, request: u64, sent: Instant, latency: Duration);
}

/// Something that happened to a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub request: u64,
    /// The call's number within the request, from 0.
    pub call: u32,
    /// 0 for the first copy, 1 for the second.
    pub copy: usize,
    /// Where it is sent to.
    pub server: u32,
    pub what: What,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    Sent,
    Arrived,
    Started,
    Served,
    /// Its answer came in, and was the first.
    Won,
    /// Its answer came in, and was not.
    Lost,
    /// A cancellation took it out of the queue, or reached the server first.
    Cancelled,
    Interrupted,
}

impl Watch for () {
    const WATCHES: bool = false;

    fn step(&mut self, _: Instant, _: &Step) {}
    fn answered(&mut self, _: u64, _: Instant, _: Duration) {}
}
