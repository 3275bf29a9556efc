//! One query of the simulation, run again and followed from visit to visit.

use super::{
    StorageParams,
    model::{self, Model, Visit, Watch},
};
use crate::{
    report::{Attempt, End, Lane, Replay, Span, SpanKind},
    scenario::{
        RunSeed,
        one_request::{LANES_MAX, at_share},
    },
    sim::{Duration, Instant, Outcome, Plan, Run, Running as _},
    special::sort_by_number,
};

/// So many queries are run to find one at the percentile: a thousandth must be one of them.
const QUERIES: u32 = 4_000;
const WARM_UP: u32 = 500;
const SLICE: u64 = 1_024;

/// Every query's number and latency.
#[derive(Default)]
struct All(Vec<(u64, f64)>);

/// One query's visits.
struct One {
    query: u64,
    visits: Vec<Visit>,
    answered: Option<(Instant, Duration)>,
}

impl Watch for All {
    fn visit(&mut self, _: u64, _: Visit) {}

    fn answered(&mut self, query: u64, _: Instant, latency: Duration) {
        self.0.push((query, latency.as_ms()));
    }
}

impl Watch for One {
    fn visit(&mut self, query: u64, visit: Visit) {
        if query == self.query {
            self.visits.push(visit);
        }
    }

    fn answered(&mut self, query: u64, sent: Instant, latency: Duration) {
        if query == self.query {
            self.answered = Some((sent, latency));
        }
    }
}

pub(super) fn replay(params: &StorageParams, seed: u64, share: f64) -> Option<Replay> {
    let params = StorageParams { warm_up: 0, ..params.clone() };
    let plan = Plan { requests: u64::from(WARM_UP + QUERIES), sections: 1 };
    let run = RunSeed { seed, replication: 0, plan };
    let all = advance(model::start(&params, &run, All::default()), |_| false);
    let settled = &all.model().watch().0[WARM_UP as usize..];
    let latencies: Vec<f64> = settled.iter().map(|it| it.1).collect();
    let (query, _) = settled[at_share(&latencies, share)?];
    let one = One { query, visits: Vec::new(), answered: None };
    let one = advance(model::start(&params, &run, one), |it| it.answered.is_some());
    told(share, one.model().watch())
}

fn advance<W: Watch>(mut run: Run<Model<W>>, enough: impl Fn(&W) -> bool) -> Run<Model<W>> {
    while !enough(run.model().watch()) && run.advance(SLICE) == Outcome::Paused {}
    run
}

/// A line for each visit, one below the other.
fn told(share: f64, one: &One) -> Option<Replay> {
    let (sent, latency) = one.answered?;
    let took = |it: &Visit| it.ended.since(it.arrived);
    let longest = one.visits.iter().map(took).max()?;
    let straggler = one.visits.iter().position(|it| took(it) == longest)?;
    let mut kept: Vec<usize> = (0..one.visits.len()).collect();
    // Of very many, the longest.
    sort_by_number(&mut kept, |it| -(took(&one.visits[*it]).as_ns() as f64));
    kept.truncate(LANES_MAX);
    sort_by_number(&mut kept, |it| *it as f64);
    let lanes: Vec<Lane> = kept
        .iter()
        .map(|&at| Lane {
            number: at as u32 + 1,
            name: None,
            straggler: at == straggler,
            attempts: vec![attempt(&one.visits[at], sent)],
        })
        .collect();
    Some(Replay {
        percentile: share,
        latency_ms: latency.as_ms(),
        answered_ms: latency.as_ms(),
        more: (one.visits.len() - lanes.len()) as u32,
        tally: None,
        lanes,
        ..Replay::default()
    })
}

fn attempt(visit: &Visit, sent: Instant) -> Attempt {
    let at = |moment: Instant| moment.since(sent).as_ms();
    let mut spans = Vec::new();
    // What took no time has no span.
    if visit.arrived < visit.started {
        spans.push(Span { kind: SpanKind::Waiting, until_ms: at(visit.started) });
    }
    spans.push(Span { kind: SpanKind::Service, until_ms: at(visit.ended) });
    Attempt { sent_ms: at(visit.arrived), spans, end: End::Answered }
}
