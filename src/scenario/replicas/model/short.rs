//! The short form of a run: where calls are sent once and servers are chosen blindly, nothing that comes later changes
//! what a call meets. When it is through is known once it is there: servers need no events.

use super::super::{
    CALL_LATENCY, REQUEST_LATENCY, Replicas, ReplicasParams, Routing,
    routing::{Router, Unseen},
    tally::{self, Measured, Tally},
    truth,
};
use super::{
    Context, TIME_MAX, UNDER_WAY_MAX,
    answers::told,
    draws::{Hop, ServiceLaw, Streams},
};
use crate::{
    scenario::{RunSeed, Scenario as _, latencies},
    sim::{Duration, Instant, Meter, Model as Modelled, Run, Slab},
};

/// One replication, which measures what `Model` would, to the last digit.
pub struct Short {
    fan_out: u32,
    service: ServiceLaw,
    hop: Hop,
    streams: Streams,
    router: Router,
    /// When each server will be through with all that has come.
    free: Vec<Instant>,
    /// Those with several calls.
    requests: Slab<Request>,
    calls: Slab<Call>,
    tally: Tally,
    /// All work that has come.
    work_ns: u128,
    /// When those start that have to wait; among them some that have started since.
    waiting: Vec<Instant>,
    measured: Measured,
    stopped: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    Request,
    OtherWork,
    Arrive(u32),
    Answer(u32),
}

struct Request {
    open: u32,
    unknown: bool,
}

#[derive(Clone, Copy)]
struct Call {
    sent: Instant,
    /// Its request's place, where that has several calls.
    request: u32,
    server: u32,
    work: Duration,
    back: Duration,
}

impl Short {
    /// Not for second copies, for servers chosen by their queues, for requests that do not wait for all, nor where
    /// queues grow, which the long form knows how to end.
    pub(super) fn is_enough(params: &ReplicasParams) -> bool {
        let blind = matches!(params.routing, Routing::Random | Routing::RoundRobin);
        let all = params.needed() == params.fan_out;
        blind && all && !params.copies() && truth::unstable(params).is_none()
    }

    /// Nothing where the long form is needed.
    pub fn start(params: &ReplicasParams, run: &RunSeed) -> Option<Run<Short>> {
        Short::is_enough(params).then(|| {
            let meter = Meter::new(latencies(Replicas::GAUGES), Replicas::COUNTS, run.replication);
            Run::new(Short::new(params, run), meter)
        })
    }

    fn new(params: &ReplicasParams, run: &RunSeed) -> Short {
        Short {
            fan_out: params.fan_out,
            service: ServiceLaw::new(params),
            hop: Hop::new(params),
            streams: Streams::new(params, run),
            router: Router::new(params, Streams::routes(run)),
            free: vec![Instant::default(); params.servers as usize],
            requests: Slab::default(),
            calls: Slab::default(),
            tally: Tally::default(),
            work_ns: 0,
            waiting: Vec::new(),
            measured: Measured::new(params, run.plan),
            stopped: false,
        }
    }

    #[inline]
    fn request(&mut self, context: &mut Context<Event>) {
        self.streams.plan_request(&mut context.agenda, Event::Request);
        let now = context.agenda.now();
        let request = if self.fan_out == 1 {
            0
        } else {
            let open = self.fan_out;
            self.requests.insert(Request { open, unknown: false })
        };
        for _ in 0..self.fan_out {
            let [server, _] = self.router.choose(now, &Unseen);
            self.tally.calls_sent += 1;
            let work = self.service.draw(&mut self.streams.services);
            let back = self.hop.draw(&mut self.streams.hops);
            let call = self.calls.insert(Call { sent: now, request, server, work, back });
            let out = self.hop.draw(&mut self.streams.hops);
            if out == Duration::default() {
                self.arrive(call, context);
            } else {
                context.agenda.plan(out, Event::Arrive(call));
            }
        }
        if !self.stopped && (UNDER_WAY_MAX <= self.calls.len() || TIME_MAX <= now) {
            self.stopped = true;
            context.meter.count(tally::STOPPED, 1);
        }
    }

    fn other_work(&mut self, context: &mut Context<Event>) {
        self.streams.plan_other(&mut context.agenda, Event::OtherWork);
        let rng = &mut self.streams.others;
        let server = rng.below(self.free.len() as u32);
        let work = self.service.draw(rng);
        self.serve(context.agenda.now(), server, work);
    }

    /// When the server will be through with what comes now.
    #[inline]
    fn serve(&mut self, now: Instant, server: u32, work: Duration) -> Instant {
        let free = &mut self.free[server as usize];
        let start = now.max(*free);
        *free = start + work;
        let through = *free;
        self.work_ns += u128::from(work.as_ns());
        if now < start {
            self.wait(now, start);
        }
        through
    }

    #[inline]
    fn wait(&mut self, now: Instant, start: Instant) {
        self.tally.waiting_ns += u128::from(start.since(now).as_ns());
        if self.waiting.len() == self.waiting.capacity() {
            self.waiting.retain(|it| now < *it);
            // Room for as many again, so that looking through them all is seldom.
            self.waiting.reserve(self.waiting.len().max(64));
        }
        self.waiting.push(start);
    }

    #[inline]
    fn arrive(&mut self, place: u32, context: &mut Context<Event>) {
        let now = context.agenda.now();
        let Call { server, work, back, .. } = self.calls[place];
        let through = self.serve(now, server, work);
        context.agenda.plan((through + back).since(now), Event::Answer(place));
    }

    #[inline]
    fn answer(&mut self, place: u32, context: &mut Context<Event>) {
        let call = self.calls[place];
        self.calls.remove(place);
        let latency = context.agenda.now().since(call.sent);
        let unknown = self.service.is_unknown(call.work);
        if self.measured.has_begun() {
            context.meter.record(CALL_LATENCY, told(latency, unknown));
        }
        if self.fan_out == 1 {
            return self.answered(told(latency, unknown), context);
        }
        let request = &mut self.requests[call.request];
        request.unknown |= unknown;
        request.open -= 1;
        if request.open == 0 {
            let latency = told(latency, request.unknown);
            self.requests.remove(call.request);
            self.answered(latency, context);
        }
    }

    #[inline]
    fn answered(&mut self, latency: Duration, context: &mut Context<Event>) {
        if self.measured.has_begun() {
            context.meter.record(REQUEST_LATENCY, latency);
        }
        if self.measured.count(1) {
            self.mark(context);
        }
    }

    fn mark(&mut self, context: &mut Context<Event>) {
        let now = context.agenda.now();
        // What lies ahead has been counted as it came.
        let ahead = |of: &[Instant]| -> u128 {
            let later = of.iter().filter(|it| now < **it);
            later.map(|it| u128::from(it.since(now).as_ns())).sum()
        };
        let running_ns = self.work_ns - ahead(&self.free);
        let waiting_ns = self.tally.waiting_ns - ahead(&self.waiting);
        let tally = Tally { running_ns, waiting_ns, ..self.tally };
        self.measured.mark(now, tally, self.free.len() as u32, &mut context.meter);
    }
}

impl Modelled for Short {
    type Event = Event;

    fn begin(&mut self, context: &mut Context<Event>) {
        // Where nobody asks there is nothing to wait for.
        let agenda = &mut context.agenda;
        self.stopped = !self.streams.begin(agenda, Event::Request, Event::OtherWork);
    }

    #[inline]
    fn react(&mut self, event: Event, context: &mut Context<Event>) {
        match event {
            Event::Request => self.request(context),
            Event::OtherWork => self.other_work(context),
            Event::Arrive(place) => self.arrive(place, context),
            Event::Answer(place) => self.answer(place, context),
        }
    }

    #[inline]
    fn done(&self) -> bool {
        self.stopped || self.measured.done()
    }
}
