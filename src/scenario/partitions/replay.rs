//! One request of the simulation, and the machine that it came to.

use super::{
    Partitions, PartitionsParams,
    model::{Drawn, Model},
};
use crate::{
    format::{count, short},
    report::{Attempt, End, Lane, Quantity, Replay, Span, SpanKind},
    scenario::{RunSeed, Scenario as _, latencies, one_request::at_share},
    sim::{Duration, Meter, Plan, Rng},
};

/// So many requests are drawn to find one at the percentile: a thousandth must be one of them.
const REQUESTS: u32 = 4_000;
/// The purpose of chance, beside the model's own.
const SPLIT: u32 = 5;

pub(super) fn replay(params: &PartitionsParams, seed: u64, share: f64) -> Option<Replay> {
    let plan = Plan { requests: u64::from(REQUESTS), sections: 1 };
    let mut model = Model::new(params, &RunSeed { seed, replication: 0, plan });
    let mut meter = Meter::new(latencies(Partitions::GAUGES), Partitions::COUNTS, 0);
    let drawn: Vec<Drawn> = (0..REQUESTS).map(|_| model.request(&mut meter)).collect();
    let latencies: Vec<f64> = drawn.iter().map(|it| it.latency.as_ms()).collect();
    let at = at_share(&latencies, share)?;
    let ends = |it: &Drawn| it.latency != Duration::MAX;
    let wanted = drawn[at];
    if ends(&wanted) {
        return Some(told(params, share, seed, &drawn[at], at, String::new()));
    }
    // Those that have an end are before those that have none.
    let having = drawn.iter().filter(|it| ends(it)).count();
    let last = having.checked_sub(1)? as f64 / f64::from(REQUESTS);
    let slowest = at_share(&latencies, last)?;
    let why = format!(
        "The request at this percentile came to a machine that is asked for {} of what it can do: its queue grows for \
         ever, so that there is no end to show. This is the slowest of {} requests that has one. ",
        short(Quantity::Share, wanted.load),
        count(REQUESTS.into()),
    );
    Some(told(params, last, seed, &drawn[slowest], slowest, why))
}

fn told(
    params: &PartitionsParams,
    percentile: f64,
    seed: u64,
    drawn: &Drawn,
    at: usize,
    why: String,
) -> Replay {
    let latency_ms = drawn.latency.as_ms();
    let service_ms =
        service_ms(params, drawn, &mut Rng::of_one(Rng::stream(seed, 0, SPLIT).bits(), at as u64));
    let mean = mean_load(params);
    let mut spans = Vec::new();
    if service_ms < latency_ms {
        let kind = if mean < drawn.load { SpanKind::Held } else { SpanKind::Waiting };
        spans.push(Span { kind, until_ms: latency_ms - service_ms });
    }
    spans.push(Span { kind: SpanKind::Service, until_ms: latency_ms });
    let attempt = Attempt { sent_ms: 0.0, spans, end: End::Answered };
    // The same draw at a machine with the mean load.
    let usual = (mean < 1.0).then(|| latency_ms * (1.0 - drawn.load) / (1.0 - mean));
    let usual = usual.map_or(String::new(), |it| {
        format!(", at which it would have taken {}", short(Quantity::Latency, it))
    });
    let met = format!(
        "{why}It came to machine {} of {}, whose load is {}; the mean is {}{usual}.",
        count(drawn.machine as u64 + 1),
        params.running(),
        short(Quantity::Share, drawn.load),
        short(Quantity::Share, mean),
    );
    Replay {
        percentile,
        latency_ms,
        answered_ms: latency_ms,
        lanes: vec![Lane { number: 1, name: None, straggler: true, attempts: vec![attempt] }],
        met,
        held: "waiting at a busier machine".to_owned(),
        ..Replay::default()
    }
}

fn mean_load(params: &PartitionsParams) -> f64 {
    params.load * f64::from(params.machines) / f64::from(params.running())
}

/// How much of its time a request was served.
///
/// The simulation draws only the sum of wait and service. Given the sum T at a machine where requests come at rate l,
/// the density of a service s and a wait T - s is m exp(-m s) l (1 - l/m) exp(-(m - l) (T - s)), in proportion to
/// exp(-l s), and no wait at all has the rest, exp(-l T): the service is an exponential time of rate l, or T if that is
/// less.
fn service_ms(params: &PartitionsParams, drawn: &Drawn, rng: &mut Rng) -> f64 {
    let between_ms = params.service_ms / drawn.load;
    (between_ms * rng.exponential()).min(drawn.latency.as_ms())
}
