//! One batch of the simulation of the store across the network, from its sending to its answers.

use super::{
    KvsLoadParams,
    model::{Batch, followed},
};
use crate::{
    report::{Attempt, End, Lane, Replay, Span, SpanKind},
    scenario::one_request::at_share,
};

/// So many batches are looked through to find one at the percentile: a thousandth must be one of them.
const BATCHES: usize = 4_000;

pub(super) fn replay(params: &KvsLoadParams, seed: u64, share: f64) -> Option<Replay> {
    let batches = followed(params, seed, BATCHES);
    let latencies: Vec<f64> = batches.iter().map(|it| it.latency.as_ms()).collect();
    let batch = &batches[at_share(&latencies, share)?];
    let latency_ms = batch.latency.as_ms();
    let lane = Lane {
        number: 1,
        name: Some("the remote store".to_owned()),
        straggler: true,
        attempts: vec![attempt(batch)],
    };
    Some(Replay {
        percentile: share,
        latency_ms,
        answered_ms: latency_ms,
        lanes: vec![lane],
        ..Replay::default()
    })
}

/// There, in the queue, at a thread, and back.
fn attempt(batch: &Batch) -> Attempt {
    let (there, waited) = (batch.there, batch.there + batch.waited);
    let ends = [
        (SpanKind::Hop, there),
        (SpanKind::Waiting, waited),
        (SpanKind::Service, waited + batch.served),
        (SpanKind::Hop, batch.latency),
    ];
    let mut spans: Vec<Span> = Vec::new();
    for (kind, until) in ends {
        let until_ms = until.as_ms();
        // What took no time has no span.
        if spans.last().map_or(0.0, |it| it.until_ms) < until_ms {
            spans.push(Span { kind, until_ms });
        }
    }
    Attempt { sent_ms: 0.0, spans, end: End::Answered }
}
