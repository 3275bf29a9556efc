//! The run: servers with a queue each, and an intermediary that watches their response times.

use std::collections::VecDeque;

use super::{
    Probation, ProbationParams, REQUEST_LATENCY, counts,
    replay::{Ahead, Trail},
};
use crate::{
    report::{Film, Meaning},
    scenario::{
        RunSeed, Scenario,
        film::{Reel, shoot},
        latencies,
    },
    sim::{Context, Duration, Instant, Meter, Model as Modelled, Plan, Raster, Rng, Run},
    special::sort_numbers,
};

/// One replication. The first server is the one that is slow now and then.
pub(super) struct Model {
    params: ProbationParams,
    gap_ms: f64,
    check_every: Duration,
    period: Period,
    raster: Raster,
    servers: Vec<Server>,
    /// The servers that are in.
    inside: Vec<u32>,
    /// For the median.
    sorted: Vec<f64>,
    arrivals: Rng,
    services: Rng,
    routes: Rng,
    in_system: usize,
    running_ns: u128,
    mark: Mark,
    warm_up: u64,
    plan: Plan,
    answered: u64,
    stopped: bool,
    /// Keeps what happens, for those who want to see it.
    reel: Option<Reel>,
    /// Follows requests, for those who want to see one.
    trail: Option<Trail>,
}

#[derive(Clone, Copy)]
pub(super) enum Event {
    Request,
    Served { server: u32 },
    Check,
}

struct Server {
    queue: VecDeque<Job>,
    /// The average of its response times, new ones weighing a tenth.
    average_ms: f64,
    out: bool,
}

pub(super) struct Job {
    pub(super) sent: Instant,
    service: Duration,
    /// Whether nobody waits for it.
    pub(super) shadow: bool,
    /// Whether it takes longer because the machine was slow when it came.
    pub(super) slow: bool,
}

/// When the slow machine is slow: at the start of each period.
#[derive(Clone, Copy)]
#[allow(clippy::struct_field_names, reason = "the unit belongs to the name")]
struct Period {
    length_ns: u64,
    slow_ns: u64,
    /// How much of a period had passed when the run began.
    offset_ns: u64,
}

/// A moment up to which everything has gone to the meter.
#[derive(Clone, Copy, Default)]
struct Mark {
    at: Instant,
    running_ns: u128,
}

/// Films know jobs by their places: each server takes its own in the order of arrival.
const IN_TURN: u64 = 0;
/// The weight of a new response time in the average.
const WEIGHT: f64 = 0.1;
/// Service times from check to check.
const CHECK_EVERY: f64 = 10.0;
/// The most requests in the system that a run keeps, some 16 MB. Queues that grow for ever end here.
const IN_SYSTEM_MAX: usize = 1 << 19;
/// Of time: ten years.
const TIME_MAX_MS: f64 = 3.155_76e11;

pub(super) fn start(params: &ProbationParams, run: &RunSeed) -> Run<Model> {
    let meter = Meter::new(latencies(Probation::GAUGES), Probation::COUNTS, run.replication);
    Run::new(Model::new(params, run), meter)
}

/// What servers held for a while, beginning when the slow machine has just become slow.
pub(super) fn film(params: &ProbationParams, run: &RunSeed) -> Option<Film> {
    let kinds = [(Meaning::This, "requests"), (Meaning::Other, "shadow requests")];
    let meter = Meter::new(latencies(Probation::GAUGES), Probation::COUNTS, run.replication);
    let reel = Reel::new(params.servers, 1, &kinds);
    // A short run may be over before the machine is slow for the first time: it goes on until that is seen.
    let plan = Plan { requests: u64::MAX / 2, sections: 1 };
    let model = Model { reel: Some(reel), ..Model::new(params, &RunSeed { plan, ..*run }) };
    shoot(Run::new(model, meter), |it| it.reel.as_ref())
}

/// The run with somebody who follows its requests.
pub(super) fn followed(params: &ProbationParams, run: &RunSeed, trail: Trail) -> Run<Model> {
    let meter = Meter::new(latencies(Probation::GAUGES), Probation::COUNTS, run.replication);
    Run::new(Model { trail: Some(trail), ..Model::new(params, run) }, meter)
}

impl Model {
    pub(super) fn trail(&self) -> Option<&Trail> {
        self.trail.as_ref()
    }

    fn new(params: &ProbationParams, run: &RunSeed) -> Model {
        let stream = |purpose| Rng::stream(run.seed, run.replication, purpose);
        // Runs begin in different places of the period, evenly, so that together they see all of it alike.
        let place =
            (f64::from(run.replication) + stream(3).unit()) / f64::from(Probation::REPLICATIONS);
        let length_ns = Duration::from_ms(1e3 * params.every_s).as_ns();
        let server =
            || Server { queue: VecDeque::new(), average_ms: params.service_ms, out: false };
        Model {
            params: params.clone(),
            gap_ms: params.service_ms / (params.load * f64::from(params.servers)),
            check_every: Duration::from_ms(CHECK_EVERY * params.service_ms),
            period: Period {
                length_ns,
                slow_ns: Duration::from_ms(1e3 * params.slow_s).as_ns(),
                offset_ns: (place.fract() * length_ns as f64) as u64,
            },
            raster: params.raster(),
            servers: (0..params.servers).map(|_| server()).collect(),
            inside: (0..params.servers).collect(),
            sorted: Vec::new(),
            arrivals: stream(0),
            services: stream(1),
            routes: stream(2),
            in_system: 0,
            running_ns: 0,
            mark: Mark::default(),
            warm_up: u64::from(params.warm_up),
            plan: run.plan,
            answered: 0,
            stopped: false,
            reel: None,
            trail: None,
        }
    }

    fn request(&mut self, context: &mut Context<Event>) {
        self.plan_request(context);
        let at = self.routes.below(self.inside.len() as u32);
        let server = self.inside[at as usize];
        self.send(server, false, context);
        let too_long = TIME_MAX_MS <= context.agenda.now().as_ms();
        if !self.stopped && (IN_SYSTEM_MAX <= self.in_system || too_long) {
            self.stopped = true;
            context.meter.count(counts::STOPPED, 1);
        }
    }

    fn plan_request(&mut self, context: &mut Context<Event>) {
        let gap = Duration::from_ms(self.gap_ms * self.arrivals.exponential());
        context.agenda.plan(gap, Event::Request);
    }

    fn send(&mut self, server: u32, shadow: bool, context: &mut Context<Event>) {
        let sent = context.agenda.now();
        let slow = server == 0 && self.period.is_slow(sent);
        let factor = if slow { self.params.slow_factor } else { 1.0 };
        let service_ms = factor * self.params.service_ms * self.services.exponential();
        let slow = 1.0 < factor;
        let job = Job { sent, service: Duration::from_ms(service_ms), shadow, slow };
        if let Some(reel) = &mut self.reel {
            reel.joined(sent, server, u8::from(shadow), IN_TURN);
        }
        if let Some(trail) = &mut self.trail {
            let ahead = Ahead {
                server,
                queue: &mut self.servers[server as usize].queue.iter(),
                slow_for_ms: slow.then(|| self.period.since_start(sent) as f64 * 1e-6),
                out: self.servers[0].out,
            };
            trail.sent(sent, &job, ahead);
        }
        self.in_system += 1;
        let queue = &mut self.servers[server as usize].queue;
        queue.push_back(job);
        if queue.len() == 1 {
            self.begin_service(server, context);
        }
    }

    /// The first in the queue is served.
    fn begin_service(&mut self, server: u32, context: &mut Context<Event>) {
        let Some(job) = self.servers[server as usize].queue.front() else { return };
        if let Some(reel) = &mut self.reel {
            reel.started(context.agenda.now(), server, IN_TURN);
        }
        if let Some(trail) = &mut self.trail {
            trail.begun(context.agenda.now(), server, job);
        }
        self.running_ns += u128::from(job.service.as_ns());
        context.agenda.plan(job.service, Event::Served { server });
    }

    fn served(&mut self, server: u32, context: &mut Context<Event>) {
        let now = context.agenda.now();
        let it = &mut self.servers[server as usize];
        let Some(job) = it.queue.pop_front() else { return };
        let latency = now.since(job.sent);
        it.average_ms += WEIGHT * (latency.as_ms() - it.average_ms);
        self.in_system -= 1;
        if let Some(reel) = &mut self.reel {
            reel.finished(now, server, IN_TURN);
            let settled = self.warm_up <= self.answered;
            if settled && (self.period.has_just_slowed(now) || self.params.never_slow()) {
                reel.answered();
            }
        }
        self.begin_service(server, context);
        if !job.shadow {
            self.answer(&job, latency, context);
        }
    }

    fn answer(&mut self, job: &Job, latency: Duration, context: &mut Context<Event>) {
        let now = context.agenda.now();
        if let Some(trail) = &mut self.trail {
            trail.answered(now, job);
        }
        self.answered += 1;
        if self.answered <= self.warm_up {
            if self.answered == self.warm_up {
                self.mark = Mark { at: now, running_ns: self.running_ns };
            }
            return;
        }
        let meter = &mut context.meter;
        meter.record(REQUEST_LATENCY, latency);
        let waited_ns = latency.as_ns().saturating_sub(job.service.as_ns());
        meter.count(counts::WAITING_US, waited_ns / 1_000);
        let step = self.period.step(job.sent);
        meter.count(counts::SENT + step, 1);
        meter.count(counts::SENT_US + step, latency.as_ns() / 1_000);
        self.raster.record(meter, step, latency);
        if self.answered - self.warm_up == self.plan.section_end(meter.section_index()) {
            let until = Mark { at: now, running_ns: self.running_ns };
            self.mark.count(&until, self.params.servers, meter);
            self.mark = until;
            meter.close_section();
        }
    }

    fn check(&mut self, context: &mut Context<Event>) {
        context.agenda.plan(self.check_every, Event::Check);
        if self.params.probation {
            self.judge();
            if let Some(reel) = &mut self.reel {
                for (server, it) in (0..).zip(&self.servers) {
                    reel.out(context.agenda.now(), server, it.out);
                }
            }
            for server in 0..self.params.servers {
                if self.servers[server as usize].out {
                    self.send(server, true, context);
                }
            }
        }
        if self.warm_up <= self.answered {
            let step = self.period.step(context.agenda.now());
            let out = u64::from(self.servers[0].out);
            context.meter.count(counts::CHECKS, 1);
            context.meter.count(counts::OUT, out);
            context.meter.count(counts::STEP_CHECKS + step, 1);
            context.meter.count(counts::STEP_OUT + step, out);
        }
    }

    /// Takes out the servers that are far slower than the median one, and lets the others in: that one at least.
    fn judge(&mut self) {
        self.sorted.clear();
        self.sorted.extend(self.servers.iter().map(|it| it.average_ms));
        sort_numbers(&mut self.sorted);
        let median = self.sorted[self.sorted.len() / 2];
        let limit = self.params.threshold * median;
        self.inside.clear();
        for (at, server) in self.servers.iter_mut().enumerate() {
            server.out = 0.0 < limit && limit <= server.average_ms;
            if !server.out {
                self.inside.push(at as u32);
            }
        }
    }
}

impl Modelled for Model {
    type Event = Event;

    fn begin(&mut self, context: &mut Context<Event>) {
        self.plan_request(context);
        context.agenda.plan(self.check_every, Event::Check);
    }

    fn react(&mut self, event: Event, context: &mut Context<Event>) {
        match event {
            Event::Request => self.request(context),
            Event::Served { server } => self.served(server, context),
            Event::Check => self.check(context),
        }
    }

    fn done(&self) -> bool {
        self.stopped || self.answered == self.warm_up + self.plan.requests
    }
}

impl Period {
    fn since_start(self, now: Instant) -> u64 {
        (now.as_ns() % self.length_ns + self.offset_ns) % self.length_ns
    }

    fn is_slow(self, now: Instant) -> bool {
        self.since_start(now) < self.slow_ns
    }

    /// Whether it is in the first hundredth of its slow time.
    fn has_just_slowed(self, now: Instant) -> bool {
        self.since_start(now) * 100 < self.slow_ns
    }

    fn step(self, now: Instant) -> usize {
        let wide = u128::from(self.since_start(now)) * counts::STEPS as u128;
        (wide / u128::from(self.length_ns)) as usize
    }
}

impl Mark {
    /// Brings what has been used since the mark to the meter. Service counts when it begins.
    fn count(&self, until: &Mark, servers: u32, meter: &mut Meter) {
        let span_us = until.at.as_ns() / 1_000 - self.at.as_ns() / 1_000;
        let running_us = (until.running_ns / 1_000 - self.running_ns / 1_000) as u64;
        meter.count(counts::CAPACITY_US, span_us * u64::from(servers));
        meter.count(counts::RUNNING_US, running_us);
    }
}
