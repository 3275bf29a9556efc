//! The run: clients that go round between a processor and a device, one event a visit.

use super::{QUERY_LATENCY, Service, Storage, StorageParams, counts};
use crate::{
    scenario::{RunSeed, Scenario, latencies},
    sim::{Context, Dist, Duration, Instant, Meter, Model as Modelled, Plan, Rng, Run, Servers},
};

/// One replication.
pub(super) struct Model<W> {
    ios: u32,
    hit_ratio: f64,
    stretch: Dist,
    read: Dist,
    gc_rate: f64,
    gc_factor: f64,
    bytes: u64,
    channels: u64,
    queries: u64,
    clients: Vec<Client>,
    cpu: Servers,
    device: Servers,
    stretches: Rng,
    reads: Rng,
    hits: Rng,
    slow: Rng,
    used: Used,
    begun: u64,
    answered: u64,
    warm_up: u64,
    plan: Plan,
    watch: W,
}

/// A client is done with a visit.
#[derive(Clone, Copy)]
pub(super) struct Event(u32);

/// One visit of a query, from its arrival to its end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Visit {
    pub place: Place,
    pub arrived: Instant,
    pub started: Instant,
    pub ended: Instant,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Cpu,
    Device,
}

/// Whoever follows single queries through a run.
pub(super) trait Watch {
    fn visit(&mut self, query: u64, visit: Visit);
    fn answered(&mut self, query: u64, sent: Instant, latency: Duration);
}

#[derive(Clone, Copy)]
struct Client {
    query: u64,
    sent: Instant,
    reads_left: u32,
    at: Visit,
}

/// Since the meter was last told.
#[derive(Default)]
struct Used {
    at: Instant,
    cpu: Duration,
    device: Duration,
    reads: u64,
}

/// So that the times of a long run, counted once for each query that they are told for, fit.
const TOTAL_MAX_US: u64 = 1 << 56;

impl Watch for () {
    fn visit(&mut self, _: u64, _: Visit) {}
    fn answered(&mut self, _: u64, _: Instant, _: Duration) {}
}

pub(super) fn start<W: Watch>(params: &StorageParams, run: &RunSeed, watch: W) -> Run<Model<W>> {
    let meter = Meter::new(latencies(Storage::GAUGES), Storage::COUNTS, run.replication);
    Run::new(Model::new(params, run, watch), meter)
}

impl<W: Watch> Model<W> {
    fn new(params: &StorageParams, run: &RunSeed, watch: W) -> Model<W> {
        let stream = |purpose| Rng::stream(run.seed, run.replication, purpose);
        let read_ms = params.read_ms();
        Model {
            ios: params.ios,
            hit_ratio: params.hit_ratio,
            stretch: Dist::Exponential { mean: params.stretch_ms() },
            read: match params.service {
                Service::Constant => Dist::Constant { value: read_ms },
                Service::Exponential => Dist::Exponential { mean: read_ms },
            },
            gc_rate: params.gc_rate,
            gc_factor: params.gc_factor,
            bytes: (params.io_kb * 1e3 + 0.5) as u64,
            channels: u64::from(params.at_once()),
            queries: u64::from(params.queries),
            clients: Vec::with_capacity(params.clients as usize),
            cpu: Servers::new(1),
            // More than there are clients are never needed.
            device: Servers::new(params.at_once().min(params.clients)),
            stretches: stream(0),
            reads: stream(1),
            hits: stream(2),
            slow: stream(3),
            used: Used::default(),
            begun: 0,
            answered: 0,
            warm_up: u64::from(params.warm_up),
            plan: run.plan,
            watch,
        }
    }

    pub(super) fn watch(&self) -> &W {
        &self.watch
    }

    fn fresh(&mut self, now: Instant) -> Client {
        let query = self.begun;
        self.begun += 1;
        let at = Visit { place: Place::Cpu, arrived: now, started: now, ended: now };
        Client { query, sent: now, reads_left: self.ios, at }
    }

    fn enter(&mut self, client: u32, place: Place, context: &mut Context<Event>) {
        let now = context.agenda.now();
        let (servers, work) = match place {
            Place::Cpu => (&mut self.cpu, self.stretch.sample(&mut self.stretches)),
            Place::Device => {
                let slow = self.slow.chance(self.gc_rate);
                let times = if slow { self.gc_factor } else { 1.0 };
                (&mut self.device, times * self.read.sample(&mut self.reads))
            }
        };
        let work = Duration::from_ms(work);
        let started = servers.serve(now, work);
        let ended = started + work;
        self.clients[client as usize].at = Visit { place, arrived: now, started, ended };
        context.agenda.plan(ended.since(now), Event(client));
    }

    /// Hands to the meter what was used since the last time, or forgets it.
    fn use_up(&mut self, now: Instant, meter: Option<&mut Meter>) {
        let used = std::mem::replace(&mut self.used, Used { at: now, ..Used::default() });
        let Some(meter) = meter else { return };
        let time_us = now.as_ns() / 1_000 - used.at.as_ns() / 1_000;
        meter.count(counts::TIME_US, time_us);
        meter.count(counts::TOTAL_US, time_us.saturating_mul(self.queries).min(TOTAL_MAX_US));
        meter.count(counts::BYTES, used.reads * self.bytes);
        meter.count(counts::CPU_US, used.cpu.as_ns() / 1_000);
        meter.count(counts::DEVICE_US, used.device.as_ns() / 1_000);
        meter.count(counts::CHANNELS_US, time_us.saturating_mul(self.channels));
    }

    fn answer(&mut self, client: Client, context: &mut Context<Event>) {
        let now = context.agenda.now();
        let latency = now.since(client.sent);
        self.watch.answered(client.query, client.sent, latency);
        self.answered += 1;
        if self.answered <= self.warm_up {
            if self.answered == self.warm_up {
                self.use_up(now, None);
            }
            return;
        }
        context.meter.record(QUERY_LATENCY, latency);
        context.meter.count(counts::QUERIES, 1);
        let section_end = self.plan.section_end(context.meter.section_index());
        if self.answered - self.warm_up == section_end {
            self.use_up(now, Some(&mut context.meter));
            context.meter.close_section();
        }
    }
}

impl<W: Watch> Modelled for Model<W> {
    type Event = Event;

    fn begin(&mut self, context: &mut Context<Event>) {
        for client in 0..self.clients.capacity() as u32 {
            let fresh = self.fresh(context.agenda.now());
            self.clients.push(fresh);
            self.enter(client, Place::Cpu, context);
        }
    }

    #[inline]
    fn react(&mut self, Event(at): Event, context: &mut Context<Event>) {
        let client = self.clients[at as usize];
        let Visit { place, started, ended, .. } = client.at;
        self.watch.visit(client.query, client.at);
        let work = ended.since(started);
        match place {
            Place::Device => {
                self.used.device += work;
                self.used.reads += 1;
                self.enter(at, Place::Cpu, context);
            }
            Place::Cpu => {
                self.used.cpu += work;
                if client.reads_left == 0 {
                    self.answer(client, context);
                    self.clients[at as usize] = self.fresh(context.agenda.now());
                    self.enter(at, Place::Cpu, context);
                } else {
                    self.clients[at as usize].reads_left -= 1;
                    let hit = self.hits.chance(self.hit_ratio);
                    self.enter(at, if hit { Place::Cpu } else { Place::Device }, context);
                }
            }
        }
    }

    fn done(&self) -> bool {
        self.answered == self.warm_up + self.plan.requests
    }
}
