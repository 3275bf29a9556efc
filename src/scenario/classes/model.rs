//! The run: one server, and for priority a queue of each class above it.

use std::collections::VecDeque;

use super::{
    CAPACITY_US, CHEAP_LATENCY, Classes, ClassesParams, Discipline, HEAVY_LATENCY, RUNNING_US,
    STOPPED, WAITING_US, replay::Trail,
};
use crate::{
    report::{Film, Meaning},
    scenario::{
        RunSeed, Scenario,
        film::{Reel, shoot},
        latencies,
    },
    sim::{
        Arrival, Context, Discipline as StationDiscipline, Duration, Instant, Meter,
        Model as Modelled, Plan, Rng, Run, Shape, Stations, Ticket, Wake,
    },
};

/// One replication.
///
/// With priority the server itself is first come, first served: it takes a request more than it has handed down
/// places for, and the queues above decide which. No order is changed below.
pub(super) struct Model {
    gap_ms: f64,
    heavy_share: f64,
    cheap: Duration,
    heavy: Duration,
    above: Option<Above>,
    server: Stations<Job>,
    arrivals: Rng,
    kinds: Rng,
    used: Used,
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
    Wake(Ticket),
}

#[derive(Clone, Copy)]
pub(super) struct Job {
    pub(super) sent: Instant,
    pub(super) heavy: bool,
}

/// Queues that know classes, above a device that holds so many requests, the one at work included.
struct Above {
    cheap: VecDeque<Job>,
    heavy: VecDeque<Job>,
    device_holds: u32,
}

/// How long the server was at work, up to the moment at which it was last told to the meter.
#[derive(Default)]
struct Used {
    at: Instant,
    running_ns: u128,
}

/// The most requests in the system that a run keeps, some 30 MB. A queue that grows for ever ends here.
const IN_SYSTEM_MAX: usize = 1 << 19;

pub(super) fn start(params: &ClassesParams, run: &RunSeed) -> Run<Model> {
    let meter = Meter::new(latencies(Classes::GAUGES), Classes::COUNTS, run.replication);
    Run::new(Model::new(params, run), meter)
}

/// What the server held, for a while.
pub(super) fn film(params: &ClassesParams, run: &RunSeed) -> Option<Film> {
    let kinds = [(Meaning::This, "short requests"), (Meaning::Other, "long requests")];
    let at_once = params.discipline == Discipline::Sharing;
    let reel = Reel::new(1, params.warm_up, &kinds).at_once(at_once);
    let meter = Meter::new(latencies(Classes::GAUGES), Classes::COUNTS, run.replication);
    let model = Model { reel: Some(reel), ..Model::new(params, run) };
    shoot(Run::new(model, meter), |it| it.reel.as_ref())
}

/// The run with somebody who follows its requests.
pub(super) fn followed(params: &ClassesParams, run: &RunSeed, trail: Trail) -> Run<Model> {
    let meter = Meter::new(latencies(Classes::GAUGES), Classes::COUNTS, run.replication);
    Run::new(Model { trail: Some(trail), ..Model::new(params, run) }, meter)
}

impl Model {
    pub(super) fn trail(&self) -> Option<&Trail> {
        self.trail.as_ref()
    }

    fn new(params: &ClassesParams, run: &RunSeed) -> Model {
        let stream = |purpose| Rng::stream(run.seed, run.replication, purpose);
        let discipline = match params.discipline {
            Discipline::Fifo | Discipline::Priority => StationDiscipline::Fifo,
            Discipline::Slice => {
                StationDiscipline::Slice(Duration::from_ms(params.used_slice_ms()))
            }
            Discipline::Sharing => StationDiscipline::Sharing,
        };
        let shape = Shape { stations: 1, servers: 1, capacity: u32::MAX, discipline };
        Model {
            gap_ms: params.mean_service_ms() / params.load,
            heavy_share: params.heavy_share,
            cheap: Duration::from_ms(params.cheap_ms),
            heavy: Duration::from_ms(params.heavy_ms),
            above: (params.discipline == Discipline::Priority).then(|| Above {
                cheap: VecDeque::new(),
                heavy: VecDeque::new(),
                device_holds: 1 + params.device_queue,
            }),
            server: Stations::new(shape),
            arrivals: stream(0),
            kinds: stream(1),
            used: Used::default(),
            warm_up: u64::from(params.warm_up),
            plan: run.plan,
            answered: 0,
            stopped: false,
            reel: None,
            trail: None,
        }
    }

    fn plan_request(&mut self, context: &mut Context<Event>) {
        let gap = Duration::from_ms(self.gap_ms * self.arrivals.exponential());
        context.agenda.plan(gap, Event::Request);
    }

    fn request(&mut self, context: &mut Context<Event>) {
        self.plan_request(context);
        let now = context.agenda.now();
        let job = Job { sent: now, heavy: self.kinds.chance(self.heavy_share) };
        if let Some(reel) = &mut self.reel {
            reel.joined(now, 0, u8::from(job.heavy), job.tag());
        }
        if let Some(trail) = &mut self.trail {
            trail.joined(now, job);
        }
        match &mut self.above {
            Some(above) => {
                above.push(job);
                self.hand_down(context);
            }
            None => self.serve(job, context),
        }
        let waiting = self.above.as_ref().map_or(0, Above::len);
        if !self.stopped && IN_SYSTEM_MAX <= self.server.jobs() + waiting {
            self.stopped = true;
            context.meter.count(STOPPED, 1);
        }
    }

    /// Gives the device what it has room for, short ones first.
    fn hand_down(&mut self, context: &mut Context<Event>) {
        loop {
            let length = self.server.length(0);
            let Some(above) = self.above.as_mut().filter(|it| length < it.device_holds) else {
                return;
            };
            let Some(job) = above.pop() else { return };
            self.serve(job, context);
        }
    }

    fn serve(&mut self, job: Job, context: &mut Context<Event>) {
        let now = context.agenda.now();
        if let Arrival::Starts(_, wake) = self.server.arrive(now, 0, 0, self.work(job), job) {
            plan(wake, context);
            self.started(now, job);
        }
    }

    fn started(&mut self, now: Instant, job: Job) {
        if let Some(reel) = &mut self.reel {
            reel.started(now, 0, job.tag());
        }
        if let Some(trail) = &mut self.trail {
            trail.started(now, job);
        }
    }

    fn work(&self, job: Job) -> Duration {
        if job.heavy { self.heavy } else { self.cheap }
    }

    fn wake(&mut self, ticket: Ticket, context: &mut Context<Event>) {
        let now = context.agenda.now();
        let woken = self.server.wake(now, ticket);
        if let Some(wake) = woken.wake {
            plan(wake, context);
        }
        if let (Some(reel), Some(job)) = (&mut self.reel, woken.finished) {
            reel.finished(now, 0, job.tag());
            reel.answered();
        }
        if let (Some(trail), Some(job)) = (&mut self.trail, woken.finished) {
            trail.finished(now, job);
        }
        if let Some(job) = woken.started {
            self.started(now, job);
        }
        if let Some(job) = woken.finished {
            self.hand_down(context);
            self.answer(job, context);
        }
    }

    fn answer(&mut self, job: Job, context: &mut Context<Event>) {
        let now = context.agenda.now();
        self.answered += 1;
        if self.answered <= self.warm_up {
            if self.answered == self.warm_up {
                self.use_up(now);
            }
            return;
        }
        let latency = if job.heavy { HEAVY_LATENCY } else { CHEAP_LATENCY };
        let took = now.since(job.sent);
        let waited_ns = took.as_ns().saturating_sub(self.work(job).as_ns());
        context.meter.record(latency, took);
        context.meter.count(WAITING_US, waited_ns / 1_000);
        let section_end = self.plan.section_end(context.meter.section_index());
        if self.answered - self.warm_up == section_end {
            let (span_us, running_us) = self.use_up(now);
            context.meter.count(CAPACITY_US, span_us);
            context.meter.count(RUNNING_US, running_us);
            context.meter.close_section();
        }
    }

    /// The time since the last call, and the part of it in which the server was at work.
    fn use_up(&mut self, now: Instant) -> (u64, u64) {
        let before = self.used.running_ns;
        let span_us = now.as_ns() / 1_000 - self.used.at.as_ns() / 1_000;
        self.used = Used { at: now, running_ns: before + self.server.take_usage(now).running_ns };
        (span_us, (self.used.running_ns / 1_000 - before / 1_000) as u64)
    }
}

impl Modelled for Model {
    type Event = Event;

    fn begin(&mut self, context: &mut Context<Event>) {
        self.plan_request(context);
    }

    fn react(&mut self, event: Event, context: &mut Context<Event>) {
        match event {
            Event::Request => self.request(context),
            Event::Wake(ticket) => self.wake(ticket, context),
        }
    }

    fn done(&self) -> bool {
        self.stopped || self.answered == self.warm_up + self.plan.requests
    }
}

impl Job {
    /// What it is known by in a film.
    fn tag(self) -> u64 {
        self.sent.as_ns()
    }
}

impl Above {
    fn len(&self) -> usize {
        self.cheap.len() + self.heavy.len()
    }

    fn push(&mut self, job: Job) {
        let queue = if job.heavy { &mut self.heavy } else { &mut self.cheap };
        queue.push_back(job);
    }

    fn pop(&mut self) -> Option<Job> {
        self.cheap.pop_front().or_else(|| self.heavy.pop_front())
    }
}

fn plan(wake: Wake, context: &mut Context<Event>) {
    context.agenda.plan(wake.delay, Event::Wake(wake.ticket));
}
