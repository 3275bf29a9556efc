//! The run: clients, messages, servers.

mod answers;
mod draws;
mod one_queue;
mod short;
mod timers;

#[cfg(test)]
mod tests;

use super::{
    Cancel, Policy, Replicas, ReplicasParams, Routing,
    calls::{Call, Copy, CopyId, CopyState, Request},
    routing::Router,
    tally::{self, Measured, Tally},
    watch::{Step, Watch, What},
};
use crate::{
    scenario::{RunSeed, Scenario, latencies},
    sim::{
        Arrival, Context, Discipline, Duration, Instant, Meter, Model as Modelled, Rng, Run, Shape,
        Slab, Stations, Ticket, Wake, Woken,
    },
};
use draws::{Budget, Hop, ServiceLaw, Streams};
pub use one_queue::OneQueue;
pub use short::Short;
use timers::{Timer, Timers};

/// One replication.
pub struct Model<W = ()> {
    policy: Policy,
    delay: Duration,
    cancel: Cancel,
    fan_out: u32,
    needed: u32,
    copies: bool,
    alone: f64,
    servers: u32,
    probe_age: Option<Duration>,
    service: ServiceLaw,
    hop: Hop,
    budget: Budget,
    streams: Streams,
    router: Router,
    stations: Stations<CopyId>,
    requests: Slab<Request>,
    calls: Slab<Call>,
    timers: Timers,
    tally: Tally,
    measured: Measured,
    /// Whether the run ended early, because more was under way than can be kept, or took too long.
    stopped: bool,
    watch: W,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The next request comes.
    Request,
    /// Servers have been chosen by what they were; now the request is sent.
    Send(u32),
    /// Other people's next job comes.
    OtherWork,
    Arrive(CopyId),
    Wake(Ticket),
    Answer(CopyId),
    Cancel(CopyId),
    /// The oldest of the timers.
    Timer,
}

/// The most calls, or jobs, under way that a run keeps; some 60 MB of each. Queues that grow for ever end here.
pub(super) const UNDER_WAY_MAX: usize = 1 << 19;
/// Ten years: a run that gets there has no end that anybody waits for.
const TIME_MAX: Instant = Instant::from_ns(315_576_000_000_000_000);

impl<W: Watch> Model<W> {
    pub fn start(params: &ReplicasParams, run: &RunSeed, watch: W) -> Run<Model<W>> {
        let meter = Meter::new(latencies(Replicas::GAUGES), Replicas::COUNTS, run.replication);
        Run::new(Model::new(params, run, watch), meter)
    }

    pub fn new(params: &ReplicasParams, run: &RunSeed, watch: W) -> Model<W> {
        Model {
            policy: params.policy,
            delay: Duration::from_ms(params.delay_ms),
            cancel: params.cancel,
            fan_out: params.fan_out,
            needed: params.needed(),
            copies: params.copies(),
            alone: params.shared_congestion,
            servers: params.servers,
            probe_age: (params.routing == Routing::Probe)
                .then(|| Duration::from_ms(params.probe_age_ms))
                .filter(|it| *it != Duration::default()),
            service: ServiceLaw::new(params),
            hop: Hop::new(params),
            budget: Budget::new(params),
            streams: Streams::new(params, run),
            router: Router::new(params, Streams::routes(run)),
            stations: Stations::new(Shape {
                stations: params.servers,
                servers: 1,
                capacity: u32::MAX,
                discipline: Discipline::Fifo,
            }),
            requests: Slab::default(),
            calls: Slab::default(),
            timers: Timers::default(),
            tally: Tally::default(),
            measured: Measured::new(params, run.plan),
            stopped: false,
            watch,
        }
    }

    /// Sums since the start of the run.
    pub fn tally(&mut self, now: Instant) -> Tally {
        self.tally.use_up(self.stations.take_usage(now));
        self.tally
    }

    pub fn watch(&self) -> &W {
        &self.watch
    }

    fn request(&mut self, context: &mut Context<Event>) {
        self.streams.plan_request(&mut context.agenda, Event::Request);
        let now = context.agenda.now();
        let request = self.requests.insert(Request {
            sent: now,
            missing: self.needed,
            open: self.fan_out,
            unknown: false,
        });
        self.tally.requests_sent += 1;
        match self.probe_age {
            None => {
                for _ in 0..self.fan_out {
                    let call = self.new_call(now, request);
                    self.send_call(call, context);
                }
            }
            Some(age) => {
                // The servers are chosen now; the request is sent when what they said is so old.
                for _ in 0..self.fan_out {
                    let call = self.new_call(now, request);
                    context.agenda.plan(age, Event::Send(call));
                }
            }
        }
        self.stop_if_too_much(now, &mut context.meter);
    }

    fn new_call(&mut self, now: Instant, request: u32) -> u32 {
        let servers = self.router.choose(now, &self.stations);
        let alone = self.router.chance(self.alone);
        let serial = self.tally.calls_sent;
        self.tally.calls_sent += 1;
        let first = Copy {
            state: CopyState::Unsent,
            work: self.service.draw(&mut self.streams.services),
            back: self.hop.draw(&mut self.streams.hops),
        };
        self.calls.insert(Call {
            serial,
            request,
            servers,
            copies: [first, Copy::UNSENT],
            paired: self.copies && !alone,
            answered: false,
            holds: 0,
        })
    }

    fn send_call(&mut self, call: u32, context: &mut Context<Event>) {
        let now = context.agenda.now();
        self.requests[self.calls[call].request].sent = now;
        let out = self.hop.draw(&mut self.streams.hops);
        self.send(CopyId::new(call, 0), out, context);
        self.budget.earn();
        let Call { serial, paired, .. } = self.calls[call];
        if !paired {
            return;
        }
        if self.policy == Policy::Duplicate {
            self.send_second(call, context);
            return;
        }
        self.timers.drop_old(&self.calls);
        if self.timers.set(Timer { due: now + self.delay, call, serial }) {
            context.agenda.plan(self.delay, Event::Timer);
        }
    }

    fn send_second(&mut self, call: u32, context: &mut Context<Event>) {
        if !self.budget.spend() {
            return;
        }
        let mut rng = Rng::of_one(self.streams.copies_key, self.calls[call].serial);
        let work = self.service.draw(&mut rng);
        let out = self.hop.draw(&mut rng);
        let back = self.hop.draw(&mut rng);
        let copy = &mut self.calls[call].copies[1];
        copy.work = work;
        copy.back = back;
        self.tally.copies_sent += 1;
        self.send(CopyId::new(call, 1), out, context);
    }

    #[inline]
    fn send(&mut self, copy: CopyId, out: Duration, context: &mut Context<Event>) {
        context.agenda.plan(out, Event::Arrive(copy));
        let call = &mut self.calls[copy.call()];
        let state = &mut call.copies[copy.which()].state;
        let forestalled = *state == CopyState::Forestalled;
        *state = if forestalled { CopyState::Unwelcome } else { CopyState::Travelling };
        call.holds += 1;
        let server = call.servers[copy.which()];
        self.router.count(server, 1);
        self.note(copy, What::Sent, context.agenda.now());
    }

    fn other_work(&mut self, context: &mut Context<Event>) {
        self.streams.plan_other(&mut context.agenda, Event::OtherWork);
        let rng = &mut self.streams.others;
        let server = rng.below(self.servers);
        let work = self.service.draw(rng);
        self.tally.others_ns += u128::from(work.as_ns());
        let now = context.agenda.now();
        self.router.changes(now, server, &self.stations);
        self.note_other(server, What::Arrived, now);
        if let Arrival::Starts(_, wake) =
            self.stations.arrive(now, server, 0, work, CopyId::OTHER_WORK)
        {
            plan(wake, context);
            self.note_other(server, What::Started, now);
        }
        self.stop_if_too_much(now, &mut context.meter);
    }

    fn arrive(&mut self, copy: CopyId, context: &mut Context<Event>) {
        let now = context.agenda.now();
        let call = &self.calls[copy.call()];
        let (server, Copy { state, work, .. }) =
            (call.servers[copy.which()], call.copies[copy.which()]);
        self.note(copy, What::Arrived, now);
        if state == CopyState::Unwelcome {
            self.cancelled(copy, now);
            return;
        }
        self.router.changes(now, server, &self.stations);
        match self.stations.arrive(now, server, 0, work, copy) {
            Arrival::Starts(job, wake) => {
                self.calls[copy.call()].copies[copy.which()].state = CopyState::AtServer(job);
                plan(wake, context);
                self.started(copy, context);
            }
            Arrival::Waits(job) => {
                self.calls[copy.call()].copies[copy.which()].state = CopyState::AtServer(job);
            }
            // Stations hold as many as come.
            Arrival::Refused => {}
        }
    }

    fn wake(&mut self, ticket: Ticket, context: &mut Context<Event>) {
        let now = context.agenda.now();
        let server = self.stations.station_of(ticket);
        self.router.changes(now, server, &self.stations);
        let woken = self.stations.wake(now, ticket);
        self.woken(woken, server, context);
    }

    #[inline]
    fn woken(&mut self, woken: Woken<CopyId>, server: u32, context: &mut Context<Event>) {
        let now = context.agenda.now();
        if let Some(wake) = woken.wake {
            plan(wake, context);
        }
        match woken.finished {
            Some(CopyId::OTHER_WORK) => {
                self.tally.others_served += 1;
                self.note_other(server, What::Served, now);
            }
            Some(copy) => self.served(copy, context),
            None => {}
        }
        match woken.started {
            Some(CopyId::OTHER_WORK) => self.note_other(server, What::Started, now),
            Some(copy) => self.started(copy, context),
            None => {}
        }
    }

    #[inline]
    fn started(&mut self, copy: CopyId, context: &mut Context<Event>) {
        self.note(copy, What::Started, context.agenda.now());
        if self.policy == Policy::Tied && self.calls[copy.call()].paired {
            self.send_cancellation(copy.other(), context);
        }
    }

    fn served(&mut self, copy: CopyId, context: &mut Context<Event>) {
        self.note(copy, What::Served, context.agenda.now());
        let one = &mut self.calls[copy.call()].copies[copy.which()];
        one.state = CopyState::Answering;
        context.agenda.plan(one.back, Event::Answer(copy));
        self.tally.served += 1;
    }

    fn stop_if_too_much(&mut self, now: Instant, meter: &mut Meter) {
        let under_way = self.calls.len().max(self.stations.jobs());
        if !self.stopped && (UNDER_WAY_MAX <= under_way || TIME_MAX <= now) {
            self.stopped = true;
            meter.count(tally::STOPPED, 1);
        }
    }

    #[inline]
    fn note(&mut self, copy: CopyId, what: What, now: Instant) {
        if W::WATCHES {
            let (it, calls) = (&self.calls[copy.call()], u64::from(self.fan_out));
            let step = Step {
                request: it.serial / calls,
                call: (it.serial % calls) as u32,
                copy: copy.which(),
                server: it.servers[copy.which()],
                what,
            };
            self.watch.step(now, &step);
        }
    }

    #[inline]
    fn note_other(&mut self, server: u32, what: What, now: Instant) {
        if W::WATCHES {
            self.watch.other(now, server, what);
        }
    }
}

impl<W: Watch> Modelled for Model<W> {
    type Event = Event;

    fn begin(&mut self, context: &mut Context<Event>) {
        // Where nobody asks there is nothing to wait for.
        let agenda = &mut context.agenda;
        self.stopped = !self.streams.begin(agenda, Event::Request, Event::OtherWork);
    }

    #[inline]
    fn react(&mut self, event: Event, context: &mut Context<Event>) {
        match event {
            Event::Wake(ticket) => self.wake(ticket, context),
            Event::OtherWork => self.other_work(context),
            Event::Request => self.request(context),
            Event::Send(call) => self.send_call(call, context),
            Event::Arrive(copy) => self.arrive(copy, context),
            Event::Answer(copy) => self.answer(copy, context),
            Event::Cancel(copy) => self.cancel(copy, context),
            Event::Timer => self.timer(context),
        }
    }

    #[inline]
    fn done(&self) -> bool {
        self.stopped || self.measured.done()
    }
}

#[inline]
fn plan(wake: Wake, context: &mut Context<Event>) {
    context.agenda.plan(wake.delay, Event::Wake(wake.ticket));
}
