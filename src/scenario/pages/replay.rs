//! One request of the heavy page: how long it waits in the page's queue, and how long it runs beside others.

use super::{PagesParams, model, watch::Watch};
use crate::{
    report::{Attempt, End, Lane, Replay, Span, SpanKind},
    scenario::{RunSeed, film::follow, one_request::at_share},
    sim::{Instant, Plan},
};

/// So many requests are looked through to find one at the percentile: a thousandth must be one of them.
const REQUESTS: usize = 4_000;
/// A page has to settle, though a reader cannot wait for as long as a study does.
const WARM_UP_MAX: u32 = 500;
/// With fewer requests there is no percentile to speak of.
const REQUESTS_MIN: usize = 100;
/// Beyond so many events a reader would wait for it.
const EVENTS_MAX: u64 = 4_000_000;

/// When each request of the heavy page was sent, began to run, and was answered.
struct All {
    began: Vec<Instant>,
    /// Requests to let pass.
    before: u32,
    found: Vec<[Instant; 3]>,
}

impl Watch for All {
    const COMPARES: bool = false;

    fn begins(&mut self, now: Instant, client: u32) {
        self.began[client as usize] = now;
    }

    fn answered(&mut self, now: Instant, client: u32, sent: Instant) {
        if 0 < self.before {
            self.before -= 1;
        } else if self.found.len() < REQUESTS {
            self.found.push([sent, self.began[client as usize], now]);
        }
    }
}

pub(super) fn replay(params: &PagesParams, seed: u64, share: f64) -> Option<Replay> {
    let before = params.warm_up.min(WARM_UP_MAX);
    let began = vec![Instant::default(); params.most() as usize];
    // Of all pages: it ends by what was found.
    let plan = Plan { requests: u64::from(u32::MAX), sections: 1 };
    let run = RunSeed { seed, replication: 0, plan };
    let all = model::start(params, &run, All { began, before, found: Vec::new() });
    let all = follow(all, EVENTS_MAX, |it| REQUESTS <= it.watch().found.len());
    let found = &all.model().watch().found;
    if found.len() < REQUESTS_MIN {
        return None;
    }
    let latencies: Vec<f64> = found.iter().map(|it| it[2].since(it[0]).as_ms()).collect();
    let [sent, began, answered] = found[at_share(&latencies, share)?];
    let latency_ms = answered.since(sent).as_ms();
    let mut spans = Vec::new();
    if sent < began {
        let until_ms = began.since(sent).as_ms();
        spans.push(Span { kind: SpanKind::Waiting, until_ms });
    }
    spans.push(Span { kind: SpanKind::Service, until_ms: latency_ms });
    let lane = Lane {
        number: 1,
        name: Some("the heavy page".to_owned()),
        straggler: true,
        attempts: vec![Attempt { sent_ms: 0.0, spans, end: End::Answered }],
    };
    Some(Replay {
        percentile: share,
        latency_ms,
        answered_ms: latency_ms,
        lanes: vec![lane],
        ..Replay::default()
    })
}
