//! The run: two stores side by side, and the same with every pipeline of the benchmark.

use std::{cmp::Reverse, collections::BinaryHeap};

use super::{KvsLoad, KvsLoadParams, SWEEP, Store, counts};
use crate::{
    scenario::{RunSeed, Scenario, latencies},
    sim::{Draw, Draws, Duration, Instant, Meter, Rng, Servers},
};

/// One replication.
///
/// The stores know nothing of each other, so that each goes on by itself, a batch at a time.
pub(super) struct Model {
    study: [Loop; 2],
    /// One for each pipeline, from 1 on.
    sweep: Vec<[Loop; 2]>,
    turn: usize,
    warm_up: u32,
    is_warm: bool,
}

/// A store, and the connections that wait for it: a closed loop.
struct Loop {
    /// Half of what does not vary of the round trip, and the mean of half of what does.
    fixed: Duration,
    varying_ms: f64,
    batch_ms: f64,
    commands: u64,
    servers: Servers,
    /// Batches that are on their way to the store, the first to come on top.
    coming: BinaryHeap<Reverse<Coming>>,
    now: Instant,
    hops: Rng,
    work: Rng,
}

/// Told apart by their connection if they come at the same time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Coming {
    at: Instant,
    connection: u32,
    /// How long it was on its way.
    hop: Duration,
}

/// What became of a batch.
pub(super) struct Batch {
    pub(super) latency: Duration,
    /// Its way to the store.
    pub(super) there: Duration,
    pub(super) waited: Duration,
    pub(super) served: Duration,
    /// Since the batch before came to the store.
    since: Duration,
}

pub(super) fn start(params: &KvsLoadParams, run: &RunSeed) -> Draws<Model> {
    let key = |purpose| Rng::stream(run.seed, run.replication, purpose).bits();
    let keys = [key(0), key(1)];
    let stores = |group: u32, pipeline: u32| {
        let stores = params.stores(pipeline);
        // Both stores draw the same: what differs between them is not luck.
        std::array::from_fn(|at| Loop::new(&stores[at], keys, group))
    };
    let model = Model {
        study: stores(0, params.pipeline),
        sweep: (1..=SWEEP).map(|it| stores(it, it)).collect(),
        turn: 0,
        warm_up: params.warm_up_whole(),
        is_warm: false,
    };
    let meter = Meter::new(latencies(KvsLoad::GAUGES), KvsLoad::COUNTS, run.replication);
    Draws::new(model, meter, run.plan)
}

/// The first batches of the study's first run that the store across the network answers, after as many as it takes to
/// warm up.
pub(super) fn followed(params: &KvsLoadParams, seed: u64, count: usize) -> Vec<Batch> {
    let key = |purpose| Rng::stream(seed, 0, purpose).bits();
    let [remote, _] = params.stores(params.pipeline);
    let mut one = Loop::new(&remote, [key(0), key(1)], 0);
    for _ in 0..params.warm_up_whole() {
        one.next();
    }
    (0..count).map(|_| one.next()).collect()
}

impl Loop {
    fn new(store: &Store, keys: [u64; 2], group: u32) -> Loop {
        let stream = |at: usize| Rng::of_one(keys[at], u64::from(group));
        let mut new = Loop {
            fixed: Duration::from_ms(0.5 * store.fixed_ms),
            varying_ms: 0.5 * store.varying_ms,
            batch_ms: store.batch_ms,
            commands: u64::from(store.pipeline),
            servers: Servers::new(store.threads.min(store.clients)),
            coming: BinaryHeap::with_capacity(store.clients as usize),
            now: Instant::default(),
            hops: stream(0),
            work: stream(1),
        };
        // Somewhere within the round trip, each: were all sent at once, a fast store would see them in bursts.
        for connection in 0..store.clients {
            let at = Duration::from_ms(store.rtt_ms() * new.hops.unit());
            let hop = new.hop();
            new.coming.push(Reverse(Coming { at: Instant::default() + at, connection, hop }));
        }
        new
    }

    #[inline]
    fn hop(&mut self) -> Duration {
        self.fixed + Duration::from_ms(self.varying_ms * self.hops.exponential())
    }

    /// The next batch that comes to the store, up to its answer.
    #[inline]
    fn next(&mut self) -> Batch {
        let there = self.hop();
        let back = self.hop();
        // There is one for each connection, always.
        let Some(mut top) = self.coming.peek_mut() else { unreachable!("no connection") };
        let Reverse(Coming { at, connection, hop }) = *top;
        let served = Duration::from_ms(self.batch_ms * self.work.exponential());
        let started = self.servers.serve(at, served);
        let ended = started + served;
        *top = Reverse(Coming { at: ended + back + there, connection, hop: there });
        let since = at.since(self.now);
        self.now = at;
        let latency = hop + ended.since(at) + back;
        Batch { latency, there: hop, waited: started.since(at), served, since }
    }
}

impl Model {
    fn warm_up(&mut self) {
        for one in self.study.iter_mut().chain(self.sweep.iter_mut().flatten()) {
            for _ in 0..self.warm_up {
                one.next();
            }
        }
        self.is_warm = true;
    }
}

impl Draw for Model {
    fn draw(&mut self, meter: &mut Meter) {
        if !self.is_warm {
            self.warm_up();
        }
        for (at, one) in self.study.iter_mut().enumerate() {
            let batch = one.next();
            let first = at * counts::EACH;
            meter.record(at, batch.latency);
            meter.count(first + counts::BATCHES, 1);
            meter.count(first + counts::COMMANDS, one.commands);
            meter.count(first + counts::TIME_NS, batch.since.as_ns());
            meter.count(first + counts::WAITING_NS, batch.waited.as_ns());
            meter.count(first + counts::SERVICE_NS, batch.served.as_ns());
        }
        for (at, one) in self.sweep[self.turn].iter_mut().enumerate() {
            let latency_ns = one.next().latency.as_ns();
            let first = at * counts::EACH;
            meter.count(first + counts::SWEPT, 1);
            meter.count(first + counts::SWEPT_NS, latency_ns);
            meter.count(first + counts::BY_PIPELINE + 2 * self.turn, 1);
            meter.count(first + counts::BY_PIPELINE + 2 * self.turn + 1, latency_ns);
        }
        self.turn = (self.turn + 1) % self.sweep.len();
    }
}
