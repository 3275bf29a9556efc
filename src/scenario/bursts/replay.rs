//! One request of the simulation, drawn again with every call kept.

use super::{
    BurstsParams,
    model::{Drawn, Model, Watch},
};
use crate::{
    format::{count, short},
    report::{Attempt, End, Lane, Quantity, Replay, Span, SpanKind},
    scenario::{
        RunSeed,
        one_request::{at_share, slowest, tally},
    },
    sim::{Plan, Rng},
    special::{normal_quantile, normal_tail},
};

/// So many requests are drawn to find one at the percentile: a thousandth must be one of them.
const REQUESTS: u32 = 4_000;

/// Purposes of chance, beside the model's own.
const OTHERS: u32 = 3;

/// The calls that are known one by one, and those of which only the slowest is.
#[derive(Default)]
struct Parts(Vec<Part>);

struct Part {
    calls: u32,
    wait_ms: f64,
    slowest_ms: f64,
}

#[derive(Clone, Copy)]
struct Call {
    wait_ms: f64,
    answer_ms: f64,
}

impl Watch for Parts {
    fn slowest(&mut self, calls: u32, wait_ms: f64, slowest_ms: f64) {
        self.0.push(Part { calls, wait_ms, slowest_ms });
    }
}

pub(super) fn replay(params: &BurstsParams, seed: u64, share: f64) -> Option<Replay> {
    let plan = Plan { requests: u64::from(REQUESTS), sections: 1 };
    let run = RunSeed { seed, replication: 0, plan };
    let mut model = Model::new(params, &run);
    let latencies: Vec<f64> = (0..REQUESTS).map(|_| model.request(&mut ()).latency_ms).collect();
    let at = at_share(&latencies, share)?;
    let mut model = Model::new(params, &run);
    for _ in 0..at {
        model.request(&mut ());
    }
    let mut parts = Parts::default();
    let drawn = model.request(&mut parts);
    // The same whichever percentile is looked at first.
    let mut rng = Rng::of_one(Rng::stream(seed, 0, OTHERS).bits(), at as u64);
    let calls = calls(params, &parts.0, &mut rng);
    Some(told(params, share, drawn, &calls))
}

/// Every call: the simulation draws only the slowest of those that nothing tells apart. What the others took, given
/// that they were no slower, is drawn from the same law below that.
fn calls(params: &BurstsParams, parts: &[Part], rng: &mut Rng) -> Vec<Call> {
    let mut calls: Vec<Call> = Vec::with_capacity(params.fan_out as usize);
    for Part { calls: of, wait_ms, slowest_ms } in parts.iter().filter(|it| 0 < it.calls) {
        let call = |answer_ms| Call { wait_ms: *wait_ms, answer_ms };
        calls.push(call(*slowest_ms));
        calls.extend((1..*of).map(|_| call(below(params, *slowest_ms, rng))));
    }
    for last in (1..calls.len()).rev() {
        calls.swap(last, rng.below(last as u32 + 1) as usize);
    }
    calls
}

/// An ordinary answer that took no longer than another.
fn below(params: &BurstsParams, slowest_ms: f64, rng: &mut Rng) -> f64 {
    let unit = rng.unit();
    if params.spread == 0.0 {
        return slowest_ms;
    }
    let most = libm::log(slowest_ms / params.typical_ms) / params.spread;
    let answer = normal_quantile(unit * (1.0 - normal_tail(most)));
    (params.typical_ms * libm::exp(params.spread * answer)).min(slowest_ms)
}

fn told(params: &BurstsParams, share: f64, drawn: Drawn, calls: &[Call]) -> Replay {
    let ends: Vec<f64> = calls.iter().map(|it| it.wait_ms + it.answer_ms).collect();
    let straggler = (0..calls.len()).max_by(|a, b| ends[*a].total_cmp(&ends[*b]));
    let lanes: Vec<Lane> = slowest(&ends, straggler)
        .into_iter()
        .map(|at| Lane {
            number: at as u32 + 1,
            name: None,
            straggler: straggler == Some(at),
            attempts: vec![attempt(calls[at])],
        })
        .collect();
    Replay {
        percentile: share,
        latency_ms: drawn.latency_ms,
        answered_ms: drawn.latency_ms,
        more: (calls.len() - lanes.len()) as u32,
        tally: straggler.and_then(|it| tally(&ends, ends[it], params.fan_out)),
        met: met(params, drawn, calls, straggler),
        held: "held up by background work".to_owned(),
        lanes,
        ..Replay::default()
    }
}

fn attempt(call: Call) -> Attempt {
    let mut spans = Vec::new();
    if 0.0 < call.wait_ms {
        spans.push(Span { kind: SpanKind::Held, until_ms: call.wait_ms });
    }
    spans.push(Span { kind: SpanKind::Service, until_ms: call.wait_ms + call.answer_ms });
    Attempt { sent_ms: 0.0, spans, end: End::Answered }
}

fn met(params: &BurstsParams, drawn: Drawn, calls: &[Call], straggler: Option<usize>) -> String {
    let ms = |it: f64| short(Quantity::Latency, it).to_string();
    if !drawn.hit {
        return "It met no burst.".to_owned();
    }
    let (held, of) = (calls.iter().filter(|it| 0.0 < it.wait_ms).count(), params.fan_out);
    if params.synchronised {
        let wait = calls.first().map_or(0.0, |it| it.wait_ms);
        return format!(
            "It was sent {} into a burst, for whose end all its calls waited another {}.",
            ms(drawn.since_ms),
            ms(wait)
        );
    }
    let straggler = straggler.map(|it| calls[it].wait_ms).filter(|it| 0.0 < *it);
    let last = straggler.map_or_else(
        || "the slowest was none of them".to_owned(),
        |it| format!("the slowest waited {} for its end", ms(it)),
    );
    format!("{} of its {} calls met a burst; {last}.", count(held as u64), count(of.into()))
}
