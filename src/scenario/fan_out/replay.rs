//! One request of the simulation, drawn again with every call kept.

use super::{
    FanOutParams,
    model::{Answer, Drawing, Model, Watch},
};
use crate::{
    report::{Attempt, End, Lane, Replay, Span, SpanKind},
    scenario::one_request::{at_share, slowest, tally},
};

/// So many requests are drawn to find one at the percentile: a thousandth must be one of them.
const REQUESTS_MIN: usize = 1_000;
const REQUESTS_MAX: usize = 4_000;
/// Beyond so many leaf draws a reader would wait for it.
const DRAWS_MAX: usize = 6_000_000;

/// A call, and its copies: when they were due and when they would answer.
struct Call {
    first_ms: f64,
    copies: Vec<(f64, f64, bool)>,
}

struct Calls(Vec<Call>);

struct Nobody;

impl Watch for Nobody {}

impl Watch for Calls {
    const EVERY_CALL: bool = true;

    fn call(&mut self, first_ms: f64) {
        self.0.push(Call { first_ms, copies: Vec::new() });
    }

    fn copy(&mut self, due_ms: f64, answer_ms: f64, in_vain: bool) {
        if let Some(call) = self.0.last_mut() {
            call.copies.push((due_ms, answer_ms, in_vain));
        }
    }
}

impl Call {
    fn answered_ms(&self) -> f64 {
        let useful = self.copies.iter().filter(|it| !it.2).map(|it| it.1);
        useful.fold(self.first_ms, f64::min)
    }
}

pub(super) fn replay(params: &FanOutParams, seed: u64, share: f64) -> Option<Replay> {
    let start = Model::new(params, seed, 0, Drawing::EveryLeaf);
    let requests = (DRAWS_MAX / params.fan_out as usize).clamp(REQUESTS_MIN, REQUESTS_MAX);
    let mut model = start.clone();
    let latencies: Vec<f64> =
        (0..requests).map(|_| model.request(&mut Nobody).total_ms()).collect();
    // A request that waits for what was not measured cannot be told.
    let at = at_share(&latencies, share).filter(|it| latencies[*it].is_finite())?;
    let mut model = start;
    for _ in 0..at {
        model.request(&mut Nobody);
    }
    let mut calls = Calls(Vec::new());
    let answer = model.request(&mut calls);
    Some(told(params, share, answer, &calls.0))
}

fn told(params: &FanOutParams, share: f64, answer: Answer, calls: &[Call]) -> Replay {
    let canaries = params.canaries() as usize;
    let sent_ms = |at: usize| if at < canaries { 0.0 } else { answer.canaries };
    let answered_ms = answer.canaries + answer.others;
    let ends: Vec<f64> =
        calls.iter().enumerate().map(|(at, call)| sent_ms(at) + call.answered_ms()).collect();
    // The one that the request waited for last: rounding aside, it answers when the request does.
    let straggler = (0..calls.len())
        .filter(|at| ends[*at] <= answered_ms * (1.0 + 1e-12))
        .max_by(|a, b| ends[*a].total_cmp(&ends[*b]));
    let slowest = slowest(&ends, straggler);
    let lanes: Vec<Lane> = slowest
        .iter()
        .map(|&at| Lane {
            number: at as u32 + 1,
            name: None,
            straggler: straggler == Some(at),
            attempts: attempts(&calls[at], sent_ms(at), answered_ms),
        })
        .collect();
    Replay {
        percentile: share,
        latency_ms: answer.total_ms(),
        answered_ms,
        more: (calls.len() - lanes.len()) as u32,
        tally: straggler.and_then(|it| tally(&ends, ends[it], params.fan_out)),
        lanes,
        ..Replay::default()
    }
}

/// The call and its copies, up to when the first of them answered or the request had enough.
fn attempts(call: &Call, sent_ms: f64, request_answered_ms: f64) -> Vec<Attempt> {
    let answered_ms = sent_ms + call.answered_ms();
    let until_ms = answered_ms.min(request_answered_ms);
    let counted = answered_ms <= request_answered_ms * (1.0 + 1e-12);
    let all = [(0.0, call.first_ms, false)].into_iter().chain(call.copies.iter().copied());
    all.filter(|(due, ..)| sent_ms + due <= until_ms)
        .map(|(due, answer, in_vain)| {
            let won = !in_vain && answer == call.answered_ms();
            let end = match (won, counted) {
                (true, true) => End::Answered,
                (true, false) => End::Unused,
                (false, _) => End::Cancelled,
            };
            let spans = vec![Span { kind: SpanKind::Service, until_ms }];
            Attempt { sent_ms: sent_ms + due, spans, end }
        })
        .collect()
}
