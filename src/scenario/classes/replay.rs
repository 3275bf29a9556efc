//! One short request of the simulation, run again and followed while it is at the server.

use super::{
    ClassesParams,
    model::{Job, Model},
};
use crate::{
    format::{count, short},
    report::{Attempt, End, Lane, Quantity, Replay, Span, SpanKind},
    scenario::{RunSeed, film::follow, one_request::at_share},
    sim::{Instant, Plan, Run},
};

/// So many requests are run to find one at the percentile: late ones come in throngs, of which there must be some.
const REQUESTS: u32 = 200_000;
/// The queue has to fill first, though a reader cannot wait for as long as a study does.
const WARM_UP_MAX: u32 = 5_000;
/// With fewer requests there is no percentile to speak of.
const REQUESTS_MIN: usize = 100;
/// Beyond so many events a reader would wait for it.
const EVENTS_MAX: u64 = 3_000_000;
/// More stretches than this nobody sees apart: then each of so many equal parts of the time shows what was most of it.
const SPANS_MAX: usize = 300;

/// Sees who comes, who is begun and who leaves.
pub(super) struct Trail {
    /// All short requests, or the one that is followed.
    seen: Seen,
    /// How many requests are there, short and long.
    there: [u32; 2],
    at_work: Option<Job>,
    /// Whether the server works on all at once.
    at_once: bool,
}

enum Seen {
    /// When each was sent, and its latency.
    All(Vec<(Instant, f64)>),
    One(One),
}

struct One {
    sent: Instant,
    /// Who was there when it came, short and long.
    met: [u32; 2],
    /// What it was at from each moment on.
    since: Vec<(Instant, SpanKind)>,
    ended: Option<Instant>,
}

impl Trail {
    fn new(seen: Seen, params: &ClassesParams) -> Trail {
        let at_once = params.discipline == super::Discipline::Sharing;
        Trail { seen, there: [0, 0], at_work: None, at_once }
    }

    pub(super) fn joined(&mut self, now: Instant, job: Job) {
        if let Seen::One(one) = &mut self.seen
            && one.sent == job.sent
        {
            one.met = self.there;
        }
        self.there[usize::from(job.heavy)] += 1;
        self.changed(now);
    }

    pub(super) fn started(&mut self, now: Instant, job: Job) {
        self.at_work = Some(job);
        self.changed(now);
    }

    pub(super) fn finished(&mut self, now: Instant, job: Job) {
        self.there[usize::from(job.heavy)] -= 1;
        match &mut self.seen {
            Seen::All(all) if !job.heavy => all.push((job.sent, now.since(job.sent).as_ms())),
            Seen::One(one) if one.sent == job.sent => one.ended = Some(now),
            _ => {}
        }
        self.changed(now);
    }

    /// What the request is at from now on, if it is there.
    fn changed(&mut self, now: Instant) {
        let alone = self.there == [1, 0];
        let Seen::One(one) = &mut self.seen else { return };
        if now < one.sent || one.ended.is_some() {
            return;
        }
        let kind = match self.at_work {
            _ if self.at_once && alone => SpanKind::Service,
            _ if self.at_once => SpanKind::Slow,
            Some(job) if job.sent == one.sent => SpanKind::Service,
            Some(job) if job.heavy => SpanKind::Held,
            _ => SpanKind::Waiting,
        };
        one.since.push((now, kind));
    }

    fn has_enough(&self) -> bool {
        matches!(&self.seen, Seen::One(one) if one.ended.is_some())
    }
}

pub(super) fn replay(params: &ClassesParams, seed: u64, share: f64) -> Option<Replay> {
    if 1.0 <= params.load {
        return None;
    }
    let warm_up = params.warm_up.min(WARM_UP_MAX);
    let params = ClassesParams { warm_up: 0, ..params.clone() };
    let plan = Plan { requests: u64::from(warm_up + REQUESTS), sections: 1 };
    let run = RunSeed { seed, replication: 0, plan };
    let all = run_with(&params, &run, Seen::All(Vec::new()));
    let Seen::All(all) = &all.model().trail()?.seen else { return None };
    let settled = &all[(warm_up as usize).min(all.len() / 2)..];
    if settled.len() < REQUESTS_MIN {
        return None;
    }
    let latencies: Vec<f64> = settled.iter().map(|it| it.1).collect();
    let (sent, _) = settled[at_share(&latencies, share)?];
    let one = One { sent, met: [0, 0], since: Vec::new(), ended: None };
    let one = run_with(&params, &run, Seen::One(one));
    let Seen::One(one) = &one.model().trail()?.seen else { return None };
    told(share, one)
}

fn run_with(params: &ClassesParams, run: &RunSeed, seen: Seen) -> Run<Model> {
    let run = super::model::followed(params, run, Trail::new(seen, params));
    follow(run, EVENTS_MAX, |it| it.trail().is_some_and(Trail::has_enough))
}

fn told(share: f64, one: &One) -> Option<Replay> {
    let latency_ms = one.ended?.since(one.sent).as_ms();
    let spans = coarse(spans(one, latency_ms), latency_ms);
    let attempt = Attempt { sent_ms: 0.0, spans, end: End::Answered };
    let met = met(one, &attempt);
    Some(Replay {
        percentile: share,
        latency_ms,
        answered_ms: latency_ms,
        lanes: vec![Lane { number: 1, name: None, straggler: true, attempts: vec![attempt] }],
        met,
        held: "behind a long one".to_owned(),
        slow: "at work beside others".to_owned(),
        ..Replay::default()
    })
}

fn spans(one: &One, latency_ms: f64) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    let ends = one.since.iter().skip(1).map(|it| it.0.since(one.sent).as_ms()).chain([latency_ms]);
    for ((_, kind), until_ms) in std::iter::zip(&one.since, ends) {
        let begin_ms = spans.last().map_or(0.0, |it| it.until_ms);
        match spans.last_mut() {
            // What took no time has no span.
            _ if until_ms <= begin_ms => {}
            Some(last) if last.kind == *kind => last.until_ms = until_ms,
            _ => spans.push(Span { kind: *kind, until_ms }),
        }
    }
    spans
}

/// No more than can be seen apart.
fn coarse(spans: Vec<Span>, latency_ms: f64) -> Vec<Span> {
    if spans.len() <= SPANS_MAX {
        return spans;
    }
    let fine = Attempt { sent_ms: 0.0, spans, end: End::Answered };
    let mut coarse: Vec<Span> = Vec::new();
    // What each kind still has more of than was shown: the sums stay as they are, to a part.
    let kinds = [SpanKind::Waiting, SpanKind::Held, SpanKind::Service];
    let mut owed = [0.0; 3];
    let (mut at, mut begin_ms) = (0, 0.0);
    for part in 1..=SPANS_MAX {
        let until_ms = latency_ms * part as f64 / SPANS_MAX as f64;
        while let Some(span) = fine.spans.get(at) {
            let end_ms = span.until_ms.min(until_ms);
            if let Some(kind) = kinds.iter().position(|it| *it == span.kind) {
                owed[kind] += end_ms - begin_ms;
            }
            begin_ms = end_ms;
            if until_ms < span.until_ms {
                break;
            }
            at += 1;
        }
        let most = (0..3).max_by(|a, b| owed[*a].total_cmp(&owed[*b])).unwrap_or(0);
        owed[most] -= latency_ms / SPANS_MAX as f64;
        match coarse.last_mut() {
            Some(last) if last.kind == kinds[most] => last.until_ms = until_ms,
            _ => coarse.push(Span { kind: kinds[most], until_ms }),
        }
    }
    // Without what division leaves.
    if let Some(last) = coarse.last_mut() {
        last.until_ms = latency_ms;
    }
    coarse
}

fn met(one: &One, attempt: &Attempt) -> String {
    let [short_ones, long_ones] = one.met;
    let requests = |of: u32, what: &str| {
        format!("{} {what} {}", count(of.into()), if of == 1 { "request" } else { "requests" })
    };
    if one.met == [0, 0] {
        return "Nobody was at the server when it came.".to_owned();
    }
    let there = [(short_ones, "short"), (long_ones, "long")];
    let there: Vec<String> =
        there.iter().filter(|it| 0 < it.0).map(|(of, what)| requests(*of, what)).collect();
    let held = attempt.spent_ms(SpanKind::Held);
    let behind = if 0.0 < held {
        format!("; {} of its time went by behind long ones", short(Quantity::Latency, held))
    } else {
        String::new()
    };
    format!("It found {} at the server{behind}.", there.join(" and "))
}
