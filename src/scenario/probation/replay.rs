//! One request of the simulation, run again and followed through the queue of its server.

use super::{
    ProbationParams,
    model::{Job, Model},
};
use crate::{
    format::{count, short},
    report::{Attempt, End, Lane, Quantity, Replay, Span, SpanKind},
    scenario::{RunSeed, film::follow, one_request::at_share},
    sim::{Instant, Plan, Run},
};

/// At least so many requests are run to find one at the percentile: a thousandth must be one of them. More, so that
/// whole periods are seen, slow and quick, unless a reader would have to wait for it.
const REQUESTS_MIN: f64 = 4_000.0;
const REQUESTS_MAX: f64 = 400_000.0;
const PERIODS: f64 = 3.0;
/// Queues have to fill first, though a reader cannot wait for as long as a study does.
const WARM_UP_MAX: u32 = 2_000;
/// With fewer requests there is no percentile to speak of.
const SETTLED_MIN: usize = 100;
const EVENTS_MAX: u64 = 3_000_000;

/// Sees who comes to which server, who is begun and who is answered.
pub(super) struct Trail(Seen);

enum Seen {
    /// When each request was sent, and its latency.
    All(Vec<(Instant, f64)>),
    One(One),
}

/// The request that is followed.
struct One {
    sent: Instant,
    at: Option<Place>,
    ended: Option<Instant>,
}

/// Where it came to.
struct Place {
    server: u32,
    /// Requests that were there before it, those of them that take longer because the machine was slow, and shadow
    /// requests.
    ahead: [u32; 3],
    /// For how long the machine had been slow, if it was.
    slow_for_ms: Option<f64>,
    /// Whether the slow machine was out.
    out: bool,
    /// What it was at from each moment on, up to its own turn.
    since: Vec<(Instant, SpanKind)>,
    served: bool,
}

/// What a server holds when a request comes.
pub(super) struct Ahead<'a> {
    pub(super) server: u32,
    pub(super) queue: &'a mut dyn Iterator<Item = &'a Job>,
    pub(super) slow_for_ms: Option<f64>,
    pub(super) out: bool,
}

impl Trail {
    /// A request has been sent, which is not in its server's queue yet.
    pub(super) fn sent(&mut self, now: Instant, job: &Job, ahead: Ahead) {
        let Seen::One(one) = &mut self.0 else { return };
        if one.sent != now || job.shadow || one.at.is_some() {
            return;
        }
        let mut before = [0; 3];
        let mut first = None;
        for job in ahead.queue {
            before[0] += u32::from(!job.shadow);
            before[1] += u32::from(job.slow && !job.shadow);
            before[2] += u32::from(job.shadow);
            first.get_or_insert(waits_for(job));
        }
        // An idle server begins it at once, and says so.
        let since = first.map(|it| (now, it)).into_iter().collect();
        let Ahead { server, slow_for_ms, out, .. } = ahead;
        one.at = Some(Place { server, ahead: before, slow_for_ms, out, since, served: false });
    }

    pub(super) fn begun(&mut self, now: Instant, server: u32, job: &Job) {
        let Seen::One(One { sent, at: Some(place), ended: None }) = &mut self.0 else { return };
        if place.server != server || place.served {
            return;
        }
        place.served = job.sent == *sent && !job.shadow;
        let kind = match (place.served, job.slow) {
            (false, _) => waits_for(job),
            (true, true) => SpanKind::Slow,
            (true, false) => SpanKind::Service,
        };
        place.since.push((now, kind));
    }

    pub(super) fn answered(&mut self, now: Instant, job: &Job) {
        match &mut self.0 {
            Seen::All(all) => all.push((job.sent, now.since(job.sent).as_ms())),
            Seen::One(one) if one.sent == job.sent => one.ended = Some(now),
            Seen::One(_) => {}
        }
    }

    fn has_enough(&self) -> bool {
        matches!(&self.0, Seen::One(one) if one.ended.is_some())
    }
}

fn waits_for(job: &Job) -> SpanKind {
    if job.slow { SpanKind::Held } else { SpanKind::Waiting }
}

pub(super) fn replay(params: &ProbationParams, seed: u64, share: f64) -> Option<Replay> {
    if params.unstable() {
        return None;
    }
    let warm_up = params.warm_up.min(WARM_UP_MAX);
    let params = ProbationParams { warm_up: 0, ..params.clone() };
    let a_period =
        params.every_s * 1e3 / params.service_ms * params.load * f64::from(params.servers);
    let requests = (PERIODS * a_period).clamp(REQUESTS_MIN, REQUESTS_MAX) as u64;
    let plan = Plan { requests: u64::from(warm_up) + requests, sections: 1 };
    let run = RunSeed { seed, replication: 0, plan };
    let all = run_with(&params, &run, Seen::All(Vec::new()));
    let Seen::All(all) = &all.model().trail()?.0 else { return None };
    let settled = &all[(warm_up as usize).min(all.len() / 2)..];
    if settled.len() < SETTLED_MIN {
        return None;
    }
    let latencies: Vec<f64> = settled.iter().map(|it| it.1).collect();
    let (sent, _) = settled[at_share(&latencies, share)?];
    let one = run_with(&params, &run, Seen::One(One { sent, at: None, ended: None }));
    let Seen::One(one) = &one.model().trail()?.0 else { return None };
    told(&params, share, one)
}

fn run_with(params: &ProbationParams, run: &RunSeed, seen: Seen) -> Run<Model> {
    let run = super::model::followed(params, run, Trail(seen));
    follow(run, EVENTS_MAX, |it| it.trail().is_some_and(Trail::has_enough))
}

fn told(params: &ProbationParams, share: f64, one: &One) -> Option<Replay> {
    let place = one.at.as_ref()?;
    let latency_ms = one.ended?.since(one.sent).as_ms();
    let ends =
        place.since.iter().skip(1).map(|it| it.0.since(one.sent).as_ms()).chain([latency_ms]);
    let mut spans: Vec<Span> = Vec::new();
    for ((_, kind), until_ms) in std::iter::zip(&place.since, ends) {
        match spans.last_mut() {
            Some(last) if last.kind == *kind => last.until_ms = until_ms,
            _ => spans.push(Span { kind: *kind, until_ms }),
        }
    }
    let attempt = Attempt { sent_ms: 0.0, spans, end: End::Answered };
    Some(Replay {
        percentile: share,
        latency_ms,
        answered_ms: latency_ms,
        lanes: vec![Lane { number: 1, name: None, straggler: true, attempts: vec![attempt] }],
        met: met(params, place),
        held: "behind slowed requests".to_owned(),
        slow: "at work, slowly".to_owned(),
        ..Replay::default()
    })
}

fn met(params: &ProbationParams, place: &Place) -> String {
    let slow_machine = place.server == 0 && !params.never_slow();
    let whose = match place.slow_for_ms {
        Some(ms) => {
            format!("the slow machine, {} after that had become slow", short(Quantity::Latency, ms))
        }
        None if slow_machine => "the slow machine while that was quick".to_owned(),
        None => format!("server {} of {}", count(u64::from(place.server) + 1), params.servers),
    };
    let [ahead, slowed, shadows] = place.ahead;
    let requests = |of: u32, what: &str| {
        let of_them = if of == 1 { "request" } else { "requests" };
        format!("{} {what}{of_them}", count(of.into()))
    };
    let stood = match ahead {
        0 => "nobody stood before it".to_owned(),
        _ => format!("{} stood before it", requests(ahead, "")),
    };
    let slowed = (0 < slowed).then(|| match ahead {
        1 => "slowed".to_owned(),
        _ if ahead == slowed => "all of them slowed".to_owned(),
        _ => format!("{} of them slowed", count(slowed.into())),
    });
    let shadows = (0 < shadows).then(|| format!("and {}", requests(shadows, "shadow ")));
    let before = [Some(stood), slowed, shadows];
    let before = before.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let out = if place.out { " The slow machine was out at the time." } else { "" };
    format!("It came to {whose}; {before}.{out}")
}
