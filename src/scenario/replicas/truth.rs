//! What queueing theory knows of these settings, and when it knows nothing.

use std::rc::Rc;

use super::{
    Cancel, Policy, ReplicasParams, Routing, Service as ServiceChoice, model::UNDER_WAY_MAX,
};
use crate::{
    scenario::{Exact, Name, named},
    theory::{
        Arrivals, Hops, Law, Least, Response, Service, Table, Traced, Waiting, Work,
        queue::{
            ErlangC, FirstOfTwo, RedundantTwo, Scaled, ShortestOf, TiedTwo, redundant_two_mean,
        },
    },
};

/// A formula that these settings allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Formula {
    /// Copies are sent once, to random servers: each is an M/G/1 queue.
    Alone,
    /// Both copies of a call are served to the end.
    BothServed,
    /// Nobody waits, since nobody else is there.
    NoQueue,
    /// Both servers share what is in effect one queue.
    OneQueueForTwo,
    TiedTwo,
    ShortestOf(u32),
    /// Both servers work on each call until one has finished it: a server of twice the speed.
    OneServerOfTwo,
    RedundantTwo,
}

/// Formulas for very many servers are off by a per cent at the most with so many.
const MANY: u32 = 200;
/// Points of the inversion for the study's own curve, and for one of many loads.
const POINTS: usize = 4_096;
const POINTS_OF_MANY: usize = 1_024;

/// The name of the law of the same request when each call is sent once, to a random server; and of its p99 against
/// the load.
pub(super) const ONCE: &str = "once";
const MEANS: [&str; 2] = ["request.mean", "call.mean"];
/// The name of the p99 of this study against the load.
pub(super) const OWN: &str = "own";

pub(super) fn exact(params: &ReplicasParams) -> Exact {
    let mut exact = as_known(params);
    if params.measured().is_some() {
        // Of answers that nobody knows there is no mean.
        exact.values.retain(|it| !MEANS.contains(&&*it.0));
        exact.values.extend(MEANS.map(|it| (it.into(), f64::INFINITY)));
    }
    exact
}

fn as_known(params: &ReplicasParams) -> Exact {
    let formula = formula(params);
    let mut exact = formula.map_or_else(Exact::default, |it| known(params, it));
    let once = once(params);
    if formula != Some(Formula::Alone)
        && let Some(once) = alone_request(&once)
    {
        exact.laws.push((ONCE.into(), Traced::new(once)));
    }
    if alone_known(&once) {
        exact.curves.push((ONCE.into(), late_of_once(&once)));
    }
    match formula {
        Some(Formula::Alone | Formula::NoQueue) | None => {}
        Some(_) => exact.curves.push((OWN.into(), late_of_own(params))),
    }
    exact
}

/// The same load when each call is sent once, to a random server.
fn once(params: &ReplicasParams) -> ReplicasParams {
    ReplicasParams { policy: Policy::Single, routing: Routing::Random, ..params.clone() }
}

/// Loads at which a figure has points, up to where there would be none left for others.
fn loads(params: &ReplicasParams) -> impl Iterator<Item = f64> {
    const STEPS: i32 = 24;
    let room = (1.0 - params.background).max(0.0);
    // The closer to the end the steeper the curve, and the closer the points.
    let share = |step: i32| 1.0 - libm::pow(1.0 - f64::from(step) / f64::from(STEPS), 1.5);
    (0..STEPS).map(move |it| room * share(it)).filter(move |_| 0.0 < room)
}

/// The p99 against the load, every call sent once.
fn late_of_once(once: &ReplicasParams) -> Vec<(f64, f64)> {
    let waiting = Waiting::new(service(once), hops(once), POINTS_OF_MANY);
    let late = |load: f64| {
        let params = ReplicasParams { load, ..once.clone() };
        let call = as_told(&params, &waiting, &arrivals(&params));
        Some((load, slowest(&params, call).quantile(0.99)?))
    };
    loads(once).filter_map(late).collect()
}

/// The p99 against the load, by the formula of this study.
fn late_of_own(params: &ReplicasParams) -> Vec<(f64, f64)> {
    let late = |load: f64| {
        let params = ReplicasParams { load, ..params.clone() };
        let formula = formula(&params).filter(|it| *it != Formula::NoQueue)?;
        let known = known(&params, formula);
        Some((load, known.quantile_ms("request", 0.99)?))
    };
    loads(params).filter_map(late).collect()
}

/// Which formula holds for these settings.
pub(super) fn formula(params: &ReplicasParams) -> Option<Formula> {
    let twice = params.copies();
    if 1.0 <= offered(params) {
        return None;
    }
    if params.routing == Routing::Random && !twice {
        return Some(Formula::Alone);
    }
    if params.fan_out != 1 || (twice && params.extra_budget < 1.0) {
        return None;
    }
    let after = if params.policy == Policy::Duplicate { 0.0 } else { params.delay_ms };
    let client = matches!(params.policy, Policy::Hedge | Policy::Duplicate);
    let random = params.routing == Routing::Random;
    if params.load == 0.0 && params.background == 0.0 && random && client {
        return Some(Formula::NoQueue);
    }
    let many = MANY <= params.servers;
    if params.policy == Policy::Duplicate && params.cancel == Cancel::Off && random && many {
        return Some(Formula::BothServed);
    }
    let exponential = match params.service {
        ServiceChoice::Exponential => true,
        ServiceChoice::Gamma => params.service_cv == 1.0,
        ServiceChoice::Constant | ServiceChoice::LogNormal | ServiceChoice::Measured => false,
    };
    let even = params.outlier_rate == 0.0 || params.outlier_factor == 1.0;
    if !exponential || !even || params.hop_ms != 0.0 || params.background != 0.0 {
        return None;
    }
    if !twice {
        let fresh = params.routing == Routing::Probe && params.probe_age_ms == 0.0;
        return (fresh && many).then(|| Formula::ShortestOf(params.probes.min(params.choices())));
    }
    if !random || params.shared_congestion != 0.0 || after != 0.0 {
        return None;
    }
    match (params.policy, params.cancel) {
        (Policy::Tied, _) if params.servers == 2 => Some(Formula::OneQueueForTwo),
        (Policy::Tied, _) if many => Some(Formula::TiedTwo),
        (Policy::Hedge | Policy::Duplicate, Cancel::Interrupt) if params.servers == 2 => {
            Some(Formula::OneServerOfTwo)
        }
        (Policy::Hedge | Policy::Duplicate, Cancel::Interrupt) => Some(Formula::RedundantTwo),
        _ => None,
    }
}

/// How much of the servers' time is asked for, so far as the settings tell: hedges and cancellations make it more
/// or less in ways that only a run shows.
pub(super) fn offered(params: &ReplicasParams) -> f64 {
    let uncancelled = params.policy == Policy::Duplicate && params.cancel == Cancel::Off;
    let copies = if uncancelled { paired(params).min(params.extra_budget) } else { 0.0 };
    params.load * (1.0 + copies) + params.background
}

pub(super) fn unstable(params: &ReplicasParams) -> Option<String> {
    if params.load == 0.0 {
        return Some(
            "No requests come at a load of 0, so that nothing can be measured.".to_owned(),
        );
    }
    if 1.0 <= offered(params) {
        return Some(
            "More work comes than the servers can do. Their queues grow for as long as one watches, so that there \
             are no percentiles, only growth."
                .to_owned(),
        );
    }
    // By Little's law: at least so many calls are on their way or being served at any time.
    let beside = 2.0 * params.hop_ms + params.mean_service_ms();
    let probed = if params.routing == Routing::Probe { params.probe_age_ms } else { 0.0 };
    let calls = params.requests_per_ms() * f64::from(params.fan_out) * (beside + probed);
    (UNDER_WAY_MAX as f64 <= calls).then(|| {
        "More calls are under way at once than a run can keep, so that nothing can be measured: fewer servers, \
         or messages that take less of the service time, would do."
            .to_owned()
    })
}

/// The formula that the run is held against, in a sentence.
pub(super) fn note(params: &ReplicasParams) -> &'static str {
    let Some(formula) = formula(params) else {
        return "No exact curve is known for these settings.";
    };
    match formula {
        Formula::Alone if params.fan_out == 1 => {
            "Exact: each server is an M/G/1 queue; Pollaczek and Khinchine give the transform of the wait, which is \
             inverted numerically and joined with service and messages."
        }
        Formula::Alone if alone_known(params) => {
            "Exact for one call: each server is an M/G/1 queue to which a request may bring several calls at once \
             (Pollaczek and Khinchine, inverted numerically). For the whole request its calls are taken to meet \
             queues that know nothing of each other, which is so where servers are many more than calls."
        }
        Formula::Alone => {
            "Exact for one call: each server is an M/G/1 queue to which a request may bring several calls at once \
             (Pollaczek and Khinchine, inverted numerically). Of the whole request nothing exact is known: its calls \
             meet queues that know of each other."
        }
        Formula::BothServed => {
            "Exact for very many servers: both copies meet M/G/1 queues at the load of both, so that a call is out \
             with the square of the probability of one."
        }
        Formula::NoQueue => "Exact: without load nobody waits, and two copies are two draws.",
        Formula::OneQueueForTwo => {
            "Exact: tied requests at both of two servers are one queue for two, M/M/2."
        }
        Formula::TiedTwo => {
            "Exact for very many servers: P(T > t) = 1 / (r² + (1 − r²) eᵗ), in mean services."
        }
        Formula::ShortestOf(_) => {
            "Exact for very many servers: the share of servers with k jobs or more falls doubly exponentially \
             (the power of two choices)."
        }
        Formula::OneServerOfTwo => {
            "Exact: two servers that always do the same work are one, M/M/1, of twice the speed."
        }
        Formula::RedundantTwo => {
            "The mean is exact; the curve is for very many servers: P(T > t) = 1 / (r + (1 − r) eᵗ)², in mean \
             services."
        }
    }
}

pub(super) fn service(params: &ReplicasParams) -> Service {
    let (rate, factor) = (params.outlier_rate, params.outlier_factor);
    let mean = params.service_ms / params.longer();
    let cv = params.service_cv;
    let ordinary = match params.service {
        ServiceChoice::Measured if params.measured().is_some() => {
            params.measured().map_or(Work::Constant { mean }, Work::Measured)
        }
        ServiceChoice::Constant => Work::Constant { mean },
        ServiceChoice::Exponential => Work::Exponential { mean },
        ServiceChoice::Gamma | ServiceChoice::Measured => Work::Gamma { mean, cv },
        ServiceChoice::LogNormal => Work::LogNormal { mean, cv },
    };
    Service { ordinary, outlier_rate: rate, outlier_factor: factor }
}

pub(super) fn hops(params: &ReplicasParams) -> Hops {
    Hops {
        fixed_ms: params.hop_ms * (1.0 - params.hop_jitter),
        varying_ms: params.hop_ms * params.hop_jitter,
    }
}

/// What comes to one server when every call is sent once to a random one.
pub(super) fn arrivals(params: &ReplicasParams) -> Arrivals {
    let share = 1.0 / f64::from(params.servers);
    Arrivals {
        singles_per_ms: params.background_per_ms() * share,
        requests_per_ms: params.requests_per_ms(),
        calls: params.fan_out,
        share,
    }
}

fn paired(params: &ReplicasParams) -> f64 {
    if params.copies() { 1.0 - params.shared_congestion } else { 0.0 }
}

fn known(params: &ReplicasParams, formula: Formula) -> Exact {
    let load = params.load;
    let in_services =
        |law: Rc<dyn Law>| -> Rc<dyn Law> { Rc::new(Scaled { law, by_ms: params.service_ms }) };
    let with_mean = |law: Rc<dyn Law>, mean: f64, more: &[(&'static str, f64)]| {
        let mean = mean * params.service_ms;
        let means = [("request.mean", mean), ("call.mean", mean), ("utilisation", load)];
        let values = means.iter().chain(more).copied();
        of_call(params, in_services(law), named(values))
    };
    match formula {
        Formula::Alone => alone(params),
        Formula::BothServed => both_served(params),
        Formula::NoQueue => no_queue(params),
        Formula::OneQueueForTwo => {
            let law = ErlangC { servers: 2, load };
            with_mean(
                Rc::new(law),
                law.mean(),
                &[("wasted", 0.0), ("extra", 1.0), ("cancelled", 1.0)],
            )
        }
        Formula::TiedTwo => {
            let law = TiedTwo { load };
            with_mean(
                Rc::new(law),
                law.mean(),
                &[("wasted", 0.0), ("extra", 1.0), ("cancelled", 1.0)],
            )
        }
        Formula::ShortestOf(choices) => {
            let law = ShortestOf::new(choices, load);
            let (mean, waiting) = (law.mean(), law.waiting());
            with_mean(
                Rc::new(law),
                mean,
                &[("wasted", 0.0), ("extra", 0.0), ("cancelled", 0.0), ("queue", waiting)],
            )
        }
        Formula::OneServerOfTwo => {
            // In services of the one fast server, of which two take as long as one of the others.
            let law = Scaled { law: ErlangC { servers: 1, load }, by_ms: 0.5 };
            with_mean(Rc::new(law), redundant_two_mean(2, load), &[("extra", 1.0)])
        }
        Formula::RedundantTwo => {
            let mean = redundant_two_mean(params.servers, load);
            let mut exact = with_mean(Rc::new(RedundantTwo { load }), mean, &[("extra", 1.0)]);
            if params.servers < MANY {
                exact.laws.clear();
                exact.values.retain(|it| it.0 != "over");
            }
            exact
        }
    }
}

/// With requests of one call, whose law is that of the request.
fn of_call(params: &ReplicasParams, law: Rc<dyn Law>, mut values: Vec<(Name, f64)>) -> Exact {
    values.push(("over".into(), law.beyond(params.deadline_ms)));
    let known = values.iter().any(|it| it.0 == "request.mean");
    if let Some(mean) = Table::of(&law, 1.0 / 256.0, 0.1).mean().filter(|_| !known) {
        values.extend(named([("request.mean", mean), ("call.mean", mean)]));
    }
    let law = Traced::new(law);
    Exact { laws: named([("request", law.clone()), ("call", law)]), values, curves: Vec::new() }
}

fn alone(params: &ReplicasParams) -> Exact {
    let (service, hops, arrivals) = (service(params), hops(params), arrivals(params));
    let waiting = Waiting::new(service.clone(), hops, POINTS);
    let call = as_told(params, &waiting, &arrivals);
    let mean = arrivals.mean_wait_of_call(&service) + service.mean() + hops.mean();
    let mut values = named([
        ("call.mean", mean),
        ("utilisation", arrivals.load(&service)),
        ("wasted", 0.0),
        ("extra", 0.0),
        ("cancelled", 0.0),
        ("queue", arrivals.mean_waiting(&service)),
    ]);
    if params.fan_out == 1 {
        values.push(("request.mean".into(), mean));
        return of_call(params, call, values);
    }
    let mut laws = named([("call", Traced::new(call.clone()))]);
    if alone_known(params) {
        let request: Rc<dyn Law> = Rc::new(slowest(params, call));
        values.push(("over".into(), request.beyond(params.deadline_ms)));
        laws.push(("request".into(), Traced::new(request)));
    }
    Exact { laws, values, curves: Vec::new() }
}

/// The law of a request when its calls are sent once, if it is known.
fn alone_request(once: &ReplicasParams) -> Option<Rc<dyn Law>> {
    if !alone_known(once) || 1.0 <= offered(once) {
        return None;
    }
    let waiting = Waiting::new(service(once), hops(once), POINTS);
    let call = as_told(once, &waiting, &arrivals(once));
    Some(Rc::new(slowest(once, call)))
}

/// The response time of a call, where what is not known takes for ever.
fn as_told(params: &ReplicasParams, waiting: &Waiting, arrivals: &Arrivals) -> Rc<dyn Law> {
    let law = waiting.response(arrivals);
    let Some(data) = params.measured() else { return Rc::new(law) };
    Rc::new(AsTold {
        law,
        wait: (0.0 < arrivals.load(&service(params))).then(|| waiting.wait(arrivals)),
        unknown: data.unknown(),
        least_ms: data.longest_ms() + 2.0 * params.hop_ms,
    })
}

/// A law of which a share is only known to take longer than `least_ms` and a wait before it.
struct AsTold {
    law: Response,
    wait: Option<Table>,
    unknown: f64,
    least_ms: f64,
}

impl Law for AsTold {
    fn beyond(&self, ms: f64) -> f64 {
        // The law gives those an end; a century later there is none.
        let left = ms - self.least_ms;
        let wait = self.wait.as_ref().map_or(0.0, |it| it.beyond(left));
        let ended = if left < 0.0 { 0.0 } else { 1.0 - wait };
        let never = if FOR_EVER_MS < ms { 0.0 } else { self.unknown * ended };
        (self.law.beyond(ms) + never).min(1.0)
    }
}

/// A century.
const FOR_EVER_MS: f64 = 3.155_76e12;

fn slowest<L>(params: &ReplicasParams, law: L) -> Least<L> {
    Least { law, needed: params.needed(), of: params.fan_out }
}

/// Whether the law of a request, not only of a call, is known when calls are sent once.
fn alone_known(params: &ReplicasParams) -> bool {
    params.fan_out == 1 || APART * params.fan_out <= params.servers
}

/// With so many servers for each call of a request its calls hardly meet the same queues: half a per cent.
const APART: u32 = 200;

fn both_served(params: &ReplicasParams) -> Exact {
    let (service, hops, paired) = (service(params), hops(params), paired(params));
    let arrivals = Arrivals::single(offered(params) / service.mean());
    let waiting = Waiting::new(service.clone(), hops, POINTS);
    let one = as_told(params, &waiting, &arrivals);
    let law = Rc::new(FirstOfTwo { law: one, paired, after: 0.0 });
    let values = named([
        ("utilisation", offered(params)),
        ("extra", paired),
        ("cancelled", 0.0),
        ("queue", arrivals.mean_waiting(&service)),
    ]);
    of_call(params, law, values)
}

fn no_queue(params: &ReplicasParams) -> Exact {
    let waiting = Waiting::new(service(params), hops(params), POINTS);
    let one = as_told(params, &waiting, &Arrivals::single(0.0));
    let after = if params.policy == Policy::Duplicate { 0.0 } else { params.delay_ms };
    let paired = paired(params);
    let extra = paired * one.beyond(after);
    of_call(params, Rc::new(FirstOfTwo { law: one, paired, after }), named([("extra", extra)]))
}
