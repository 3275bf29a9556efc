//! That a run, however long, takes no more room than its users need.

use super::*;
use crate::{
    scenario::kvs_sessions::Failure,
    sim::{Outcome, Running as _},
};

/// The most events that there was room for, and log entries.
fn room(params: &KvsSessionsParams, plays: u64) -> (usize, usize) {
    let plan = Plan { requests: plays * params.size(), sections: 8 };
    let mut run = start(params, &RunSeed { seed: 1, replication: 0, plan }, ());
    assert_eq!(run.advance(u64::MAX), Outcome::Finished);
    let logs = run.model().shipping.room();
    (run.planned_most(), logs)
}

#[test]
fn memory_does_not_grow_with_the_run() {
    let random = KvsSessionsParams { balancer: Balancer::Random, ..KvsSessionsParams::default() };
    let crash = KvsSessionsParams { failure: Failure::Crash, ..KvsSessionsParams::default() };
    let handed = KvsSessionsParams { failure: Failure::HandOff, ..random.clone() };
    for params in [random, crash, handed] {
        // A play is as long as any other, give or take the luck of its queues: lists double.
        let ((few, few_logged), (many, many_logged)) = (room(&params, 2), room(&params, 20));
        assert!(many <= 2 * few && many < 1_024, "{few} and {many} events");
        assert!(
            many_logged <= 2 * few_logged && many_logged < 8_192,
            "{few_logged} and {many_logged} entries"
        );
    }
}

#[test]
fn a_long_play_forgets_what_all_have() {
    let params = KvsSessionsParams { requests_each: 1_000, ..KvsSessionsParams::default() };
    let long = room(&params, 1).1;
    // Writes of some forty milliseconds at four nodes, of a hundred thousand in all.
    assert!(long < 4_096, "{long} entries");
}
