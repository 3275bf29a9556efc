//! The first read of a study that differs from what its user had written: kept in the meter's counts, so that it is
//! told from the study's own run.

use super::counts;
use crate::sim::{Instant, Meter};

/// A write, from its sending to the store.
#[derive(Clone, Copy, Default)]
pub(super) struct Made {
    pub number: u32,
    pub sent: Instant,
    pub at: Instant,
    pub store: u32,
    /// Its number in the store's log.
    pub entry: u64,
}

/// Whether the first one is still to come.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Search {
    /// In the first play of the first run only.
    Looks,
    /// For the missing write to arrive, over a link.
    Waits {
        link: u32,
        entry: u64,
        since: Instant,
    },
    Over,
}

/// What happened, in milliseconds since the write that was missed was sent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct First {
    /// From 1.
    pub user: u64,
    /// The user's own count, and what the store said.
    pub expected: u64,
    pub value: u64,
    /// The newest write that was missed: its number, and the node of its store, from 1.
    pub missed: u64,
    pub missed_node: u64,
    pub missed_ms: f64,
    /// The request that read: when it was sent, where and when its own write was done, where and when it read.
    pub sent_ms: f64,
    pub wrote_node: u64,
    pub wrote_ms: f64,
    pub read_node: u64,
    pub read_ms: f64,
    /// When the missed write came to the node that had been read; never, or not yet.
    pub copied_ms: Option<f64>,
}

/// How many counts the meter keeps for it.
pub(super) const COUNTS: usize = 12;

const COPIED: usize = counts::FIRST + COUNTS - 1;

/// Writes down a read of `value` at a store.
pub(super) fn record(
    meter: &mut Meter,
    user: u32,
    missed: &Made,
    own: &Made,
    (read, store, value): (Instant, u32, u32),
) {
    let since = |it: Instant| it.since(missed.sent).as_ns();
    let all = [
        u64::from(user) + 1,
        u64::from(own.number),
        u64::from(value),
        u64::from(missed.number),
        u64::from(missed.store) + 1,
        since(missed.at),
        since(own.sent),
        u64::from(own.store) + 1,
        since(own.at),
        u64::from(store) + 1,
        since(read),
    ];
    for (at, value) in all.into_iter().enumerate() {
        meter.count(counts::FIRST + at, value);
    }
}

pub(super) fn record_copied(meter: &mut Meter, since: Instant, now: Instant) {
    meter.count(COPIED, now.since(since).as_ns());
}

impl First {
    pub(super) fn of(meter: &Meter) -> Option<First> {
        let at = |it: usize| meter.counted(counts::FIRST + it);
        let ms = |it: usize| at(it) as f64 / 1e6;
        (0 < at(0)).then(|| First {
            user: at(0),
            expected: at(1),
            value: at(2),
            missed: at(3),
            missed_node: at(4),
            missed_ms: ms(5),
            sent_ms: ms(6),
            wrote_node: at(7),
            wrote_ms: ms(8),
            read_node: at(9),
            read_ms: ms(10),
            copied_ms: (0 < meter.counted(COPIED)).then(|| meter.counted(COPIED) as f64 / 1e6),
        })
    }
}
