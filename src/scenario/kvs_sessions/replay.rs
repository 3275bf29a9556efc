//! One request of the simulation, run again and followed over its ways and waits.

use super::{
    Failure, KvsSessionsParams, Model,
    watch::{Cargo, Happened, Leg, Spot, Watch, What},
};
use crate::{
    report::{Attempt, End, Lane, Replay, Span, SpanKind},
    scenario::{RunSeed, film::follow, one_request::at_share},
    sim::{Duration, Instant, Plan},
};

/// So many requests are looked through to find one at the percentile: a thousandth must be one of them.
const REQUESTS: u64 = 4_000;
/// Users settle first.
const SETTLED: u64 = 500;
/// With fewer requests there is no percentile to speak of.
const REQUESTS_MIN: usize = 100;
/// Beyond so many events a reader would wait for it.
const EVENTS_MAX: u64 = 8_000_000;

/// The requests of a stretch of the first play: whose, which, and how long each took.
struct All {
    /// Answers to let pass, and to take.
    before: u64,
    count: u64,
    answered: u64,
    plays: u32,
    sent: Vec<Instant>,
    found: Vec<(u32, u32, f64)>,
}

/// One request's legs.
struct One {
    user: u32,
    number: u32,
    sent: Option<Instant>,
    answered: Option<Instant>,
    legs: Vec<(Instant, Leg)>,
}

impl Watch for All {
    fn saw(&mut self, now: Instant, it: &Happened) {
        match it.what {
            What::Began => self.plays += 1,
            What::Sent => self.sent[it.user as usize] = now,
            What::Answered if self.plays == 1 => {
                self.answered += 1;
                if self.before < self.answered && !self.is_full() {
                    let latency = now.since(self.sent[it.user as usize]);
                    self.found.push((it.user, it.number, latency.as_ms()));
                }
            }
            _ => {}
        }
    }
}

impl All {
    fn is_full(&self) -> bool {
        self.count <= self.found.len() as u64 || 1 < self.plays
    }
}

impl Watch for One {
    fn saw(&mut self, now: Instant, it: &Happened) {
        if (it.user, it.number) != (self.user, self.number) || self.answered.is_some() {
            return;
        }
        match it.what {
            What::Sent => self.sent = Some(now),
            What::Answered => self.answered = Some(now),
            _ => {}
        }
    }

    fn goes(&mut self, now: Instant, leg: &Leg) {
        let is_it = leg.of.is_some_and(|it| it.0 == self.user);
        if is_it && self.sent.is_some() && self.answered.is_none() {
            self.legs.push((now + leg.after, *leg));
        }
    }
}

pub(super) fn replay(params: &KvsSessionsParams, seed: u64, share: f64) -> Option<Replay> {
    let (before, count) = stretch(params);
    let plan = Plan { requests: params.size(), sections: 1 };
    let run = RunSeed { seed, replication: 0, plan };
    let sent = vec![Instant::default(); params.clients as usize];
    let all = All { before, count, answered: 0, plays: 0, sent, found: Vec::new() };
    let all = follow(Model::start(params, &run, all), EVENTS_MAX, |it| it.watch().is_full());
    let found = &all.model().watch().found;
    if found.len() < REQUESTS_MIN {
        return None;
    }
    let latencies: Vec<f64> = found.iter().map(|it| it.2).collect();
    let (user, number, _) = found[at_share(&latencies, share)?];
    let one = One { user, number, sent: None, answered: None, legs: Vec::new() };
    let over = |it: &Model<One>| it.watch().answered.is_some();
    let one = follow(Model::start(params, &run, one), EVENTS_MAX, over);
    told(share, one.model().watch())
}

/// Which answers of a play are looked through: where a node fails, as many before it as after it.
fn stretch(params: &KvsSessionsParams) -> (u64, u64) {
    let size = params.size();
    if params.failure != Failure::None {
        return ((size / 2).saturating_sub(REQUESTS / 2), REQUESTS.min(size));
    }
    let before = if SETTLED + REQUESTS_MIN as u64 <= size { SETTLED } else { 0 };
    (before, REQUESTS.min(size - before))
}

/// A line for the write and one for the read, and one for whatever had to be sent again.
fn told(share: f64, one: &One) -> Option<Replay> {
    let (sent, answered) = (one.sent?, one.answered?);
    let ms = |it: Instant| it.as_ms() - sent.as_ms();
    let mut calls: Vec<Call> = Vec::new();
    for (at, (from, leg)) in one.legs.iter().enumerate() {
        let reads = leg.cargo != Cargo::Write;
        let again = matches!(leg.from, Spot::User(_)) && 0 < at;
        let is_new = calls.last().is_none_or(|it| it.reads != reads || again && it.has_left);
        if is_new {
            if let Some(last) = calls.last_mut().filter(|it| it.reads == reads) {
                last.attempt.end = End::Cancelled;
            }
            let attempt = Attempt { sent_ms: ms(*from), spans: Vec::new(), end: End::Answered };
            calls.push(Call { reads, has_left: false, attempt });
        }
        let next = one.legs.get(at + 1).map_or(answered, |it| it.0);
        let until = leg.lasts.map_or(next, |it| *from + it);
        let kind = match (leg.from == leg.to, leg.at_work) {
            (false, _) => SpanKind::Hop,
            (true, false) => SpanKind::Waiting,
            (true, true) => SpanKind::Service,
        };
        if let Some(call) = calls.last_mut()
            && Duration::default() < until.since(*from)
        {
            call.has_left |= kind == SpanKind::Hop;
            call.attempt.spans.push(Span { kind, until_ms: ms(until) });
        }
    }
    let longest = straggler(&calls)?;
    let lanes = calls.into_iter().enumerate().map(|(at, call)| Lane {
        number: at as u32 + 1,
        name: Some(if call.reads { "the read" } else { "the write" }.to_owned()),
        straggler: at == longest,
        attempts: vec![call.attempt],
    });
    let latency_ms = ms(answered);
    Some(Replay {
        percentile: share,
        latency_ms,
        answered_ms: latency_ms,
        lanes: lanes.collect(),
        ..Replay::default()
    })
}

struct Call {
    reads: bool,
    /// It was on its way already.
    has_left: bool,
    attempt: Attempt,
}

/// The one that took longest.
fn straggler(calls: &[Call]) -> Option<usize> {
    let took =
        |it: &Call| it.attempt.spans.last().map_or(0.0, |span| span.until_ms) - it.attempt.sent_ms;
    let longest = calls.iter().map(took).fold(0.0, f64::max);
    calls.iter().position(|it| took(it) == longest)
}
