//! One request of the simulation, run again and followed from send to answer.

use super::{
    Model, ReplicasParams, truth,
    watch::{Step, Watch, What},
};
use crate::{
    report::{Attempt, End, Lane, Replay, Span, SpanKind},
    scenario::{
        RunSeed,
        film::follow,
        one_request::{at_share, slowest, tally},
    },
    sim::{Duration, Instant, Plan},
};

/// So many requests are run to find one at the percentile: a thousandth must be one of them.
const REQUESTS: u32 = 4_000;
/// Queues have to fill first, though a reader cannot wait for as long as a study does.
const WARM_UP_MAX: u32 = 2_000;
/// Beyond so many events a reader would wait for it.
const EVENTS_MAX: u64 = 3_000_000;
/// With fewer requests there is no percentile to speak of.
const REQUESTS_MIN: usize = 100;

/// Every request's number and latency.
#[derive(Default)]
struct All(Vec<(u64, f64)>);

/// One request's steps.
struct One {
    request: u64,
    steps: Vec<(Instant, Step)>,
    sent: Instant,
    latency: Option<Duration>,
    /// Copies that something may still happen to.
    out: u32,
}

/// What happened to a call, in milliseconds since the request was sent.
#[derive(Default)]
struct Call {
    copies: [Vec<(f64, What)>; 2],
}

impl Watch for All {
    const WATCHES: bool = true;

    fn step(&mut self, _: Instant, _: &Step) {}

    fn answered(&mut self, request: u64, _: Instant, latency: Duration) {
        self.0.push((request, latency.as_ms()));
    }
}

impl Watch for One {
    const WATCHES: bool = true;

    fn step(&mut self, now: Instant, step: &Step) {
        if step.request != self.request {
            return;
        }
        self.steps.push((now, *step));
        match step.what {
            What::Sent => self.out += 1,
            What::Won | What::Lost | What::Cancelled | What::Interrupted => self.out -= 1,
            What::Arrived | What::Started | What::Served => {}
        }
    }

    fn answered(&mut self, request: u64, sent: Instant, latency: Duration) {
        if request == self.request {
            self.sent = sent;
            self.latency = Some(latency);
        }
    }
}

pub(super) fn replay(params: &ReplicasParams, seed: u64, share: f64) -> Option<Replay> {
    if truth::unstable(params).is_some() {
        return None;
    }
    let params = ReplicasParams { warm_up: params.warm_up.min(WARM_UP_MAX), ..params.clone() };
    let plan = Plan { requests: u64::from(REQUESTS), sections: 1 };
    let run = RunSeed { seed, replication: 0, plan };
    let all = follow(Model::start(&params, &run, All::default()), EVENTS_MAX, |_| false);
    let all = &all.model().watch().0;
    let warm_up = (params.warm_up as usize).min(all.len() / 2);
    let settled = &all[warm_up..];
    if settled.len() < REQUESTS_MIN {
        return None;
    }
    let latencies: Vec<f64> = settled.iter().map(|it| it.1).collect();
    let (request, _) = settled[at_share(&latencies, share)?];
    let one = One { request, steps: Vec::new(), sent: Instant::default(), latency: None, out: 0 };
    let over = |it: &Model<One>| it.watch().latency.is_some() && it.watch().out == 0;
    let one = follow(Model::start(&params, &run, one), EVENTS_MAX, over);
    told(&params, share, one.model().watch())
}

fn told(params: &ReplicasParams, share: f64, one: &One) -> Option<Replay> {
    let latency_ms = one.latency?.as_ms();
    let mut calls: Vec<Call> = (0..params.fan_out).map(|_| Call::default()).collect();
    for (at, step) in &one.steps {
        let ms = at.since(one.sent).as_ms();
        calls[step.call as usize].copies[step.copy].push((ms, step.what));
    }
    let ends: Vec<f64> = calls.iter().map(Call::answered_ms).collect();
    let straggler = ends.iter().position(|it| *it == latency_ms);
    let slowest = slowest(&ends, straggler);
    let lanes: Vec<Lane> = slowest
        .iter()
        .map(|&at| Lane {
            number: at as u32 + 1,
            name: None,
            straggler: straggler == Some(at),
            attempts: calls[at].attempts(latency_ms),
        })
        .collect();
    Some(Replay {
        percentile: share,
        latency_ms,
        answered_ms: latency_ms,
        more: (calls.len() - lanes.len()) as u32,
        tally: straggler.and_then(|it| tally(&ends, ends[it], params.fan_out)),
        lanes,
        ..Replay::default()
    })
}

impl Call {
    /// When its first answer was in; never, if the replay ended before.
    fn answered_ms(&self) -> f64 {
        let steps = self.copies.iter().flatten();
        steps.filter(|it| it.1 == What::Won).map(|it| it.0).fold(f64::INFINITY, f64::min)
    }

    fn attempts(&self, request_answered_ms: f64) -> Vec<Attempt> {
        let sent = self.copies.iter().filter(|it| !it.is_empty());
        sent.map(|steps| attempt(steps, request_answered_ms)).collect()
    }
}

fn attempt(steps: &[(f64, What)], request_answered_ms: f64) -> Attempt {
    let mut spans: Vec<Span> = Vec::new();
    let mut now = SpanKind::Hop;
    let mut end = End::Unused;
    let sent_ms = steps[0].0;
    let mut since_ms = sent_ms;
    for &(ms, what) in &steps[1..] {
        // What took no time has no span.
        if since_ms < ms {
            spans.push(Span { kind: now, until_ms: ms });
            since_ms = ms;
        }
        match what {
            What::Arrived => now = SpanKind::Waiting,
            What::Started => now = SpanKind::Service,
            What::Served => now = SpanKind::Hop,
            What::Won if ms <= request_answered_ms => end = End::Answered,
            What::Cancelled | What::Interrupted => end = End::Cancelled,
            What::Won | What::Lost | What::Sent => {}
        }
    }
    Attempt { sent_ms, spans, end }
}
