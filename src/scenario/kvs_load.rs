//! A key-value store under a closed loop of load: across the network, and on the same machine.
//!
//! bootjp, *Building a low-latency distributed KVS for personalized content delivery* (talk on a paper of 2020, in
//! Japanese), measured with `memtier_benchmark`.

mod figures;
mod model;
mod picture;
mod presets;
mod replay;
mod truth;

use super::{Exact, Gauge, Preset, RunSeed, Scenario, Seen};
use crate::{
    params,
    report::{Figure, Quantity, Replay, Sentence},
    schema::{Kind, Scale, Unit},
    sim::{Evidence, Running},
};

/// Two stores under the same load.
pub struct KvsLoad;

const LOAD: &str = "Load";
const REMOTE: &str = "Remote store";
const LOCAL: &str = "Co-located store";
const NETWORK: &str = "Network";
const REQUIREMENT: &str = "Requirement";
const RUN: &str = "Simulation";

params! {
    /// The settings of kvs-load.
    pub struct KvsLoadParams {
        /// Threads of the load generator.
        threads: u32 = 16, "Threads", LOAD,
            Kind::Count { min: 1, max: 64, scale: Scale::Log }, Run;
        /// Connections of each thread.
        connections: u32 = 50, "Connections each", LOAD,
            Kind::Count { min: 1, max: 200, scale: Scale::Log }, Run;
        /// How many commands a connection sends at once. When all are answered it sends the next.
        pipeline: u32 = 1, "Pipeline", LOAD,
            Kind::Count { min: 1, max: 100, scale: Scale::Log }, Run, suffix "commands";
        /// Threads of the store across the network.
        server_threads: u32 = 1, "Threads", REMOTE,
            Kind::Count { min: 1, max: 64, scale: Scale::Log }, Run;
        /// What a batch of commands takes, however many they are: to receive and to answer it.
        batch_us: f64 = 12.0, "A batch takes", REMOTE,
            Kind::Number { min: 0.1, max: 10_000.0, scale: Scale::Log, unit: Unit::Microseconds }, Run;
        /// What each command of it takes besides.
        command_us: f64 = 1.635, "A command takes", REMOTE,
            Kind::Number { min: 0.0, max: 1_000.0, scale: Scale::LogFrom(0.01), unit: Unit::Microseconds }, Run;
        /// To the store and back, on average.
        rtt_us: f64 = 200.0, "Round trip", REMOTE,
            Kind::Number { min: 0.0, max: 1_000_000.0, scale: Scale::LogFrom(1.0), unit: Unit::Microseconds }, Run;
        /// Threads of the store on the same machine.
        local_threads: u32 = 4, "Threads", LOCAL,
            Kind::Count { min: 1, max: 64, scale: Scale::Log }, Run;
        /// What a batch of commands takes, however many they are: to receive and to answer it.
        local_batch_us: f64 = 8.0, "A batch takes", LOCAL,
            Kind::Number { min: 0.1, max: 10_000.0, scale: Scale::Log, unit: Unit::Microseconds }, Run;
        /// What each command of it takes besides.
        local_command_us: f64 = 2.47, "A command takes", LOCAL,
            Kind::Number { min: 0.0, max: 1_000.0, scale: Scale::LogFrom(0.01), unit: Unit::Microseconds }, Run;
        /// Between processes and back, on average.
        local_rtt_us: f64 = 20.0, "Round trip", LOCAL,
            Kind::Number { min: 0.0, max: 1_000_000.0, scale: Scale::LogFrom(1.0), unit: Unit::Microseconds }, Run;
        /// The share of a round trip that varies, exponentially; the rest is always the same.
        rtt_jitter: f64 = 0.3, "Jitter", NETWORK,
            Kind::Share { min: 0.0, max: 1.0, scale: Scale::Linear }, Run;
        /// Within which time a store has to answer.
        deadline_ms: f64 = 10.0, "Required within", REQUIREMENT,
            Kind::Number { min: 0.01, max: 60_000.0, scale: Scale::Log, unit: Unit::Milliseconds }, Drawing;
        /// How many batches of each store are measured, over all runs.
        /// As many again go to pipelines of 1 to 10 in turn.
        requests: u32 = 400_000, "Batches", RUN,
            Kind::Count { min: 1_000, max: 10_000_000, scale: Scale::Log }, Length;
        /// How many batches each store answers in each run before it is measured.
        /// Three of each connection at the least.
        warm_up: u32 = 5_000, "Warm-up", RUN,
            Kind::Count { min: 0, max: 50_000, scale: Scale::LogFrom(100.0) }, Length;
    }
}

/// One of the two stores, as the model and the formulas take it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Store {
    pub name: &'static str,
    pub clients: u32,
    pub threads: u32,
    /// Mean time at a thread.
    pub batch_ms: f64,
    pub fixed_ms: f64,
    /// Mean of the part of a round trip that varies.
    pub varying_ms: f64,
    pub pipeline: u32,
}

/// Stores: their places in all lists of two.
const STORES: [&str; 2] = ["remote", "local"];
/// Batches of each connection that are not measured, at the least.
const ROUNDS_MIN: u32 = 3;
/// The benchmark ran with pipelines of 1 up to this.
const SWEEP: u32 = 10;

/// The counts of the meter, one list for each store.
mod counts {
    pub(super) const BATCHES: usize = 0;
    pub(super) const COMMANDS: usize = 1;
    pub(super) const TIME_NS: usize = 2;
    pub(super) const WAITING_NS: usize = 3;
    pub(super) const SERVICE_NS: usize = 4;
    /// Over all pipelines of 1 to 10.
    pub(super) const SWEPT: usize = 5;
    pub(super) const SWEPT_NS: usize = 6;
    /// For each of these pipelines its batches, then the sum of their latencies.
    pub(super) const BY_PIPELINE: usize = 7;
    pub(super) const EACH: usize = BY_PIPELINE + 2 * super::SWEEP as usize;
}

impl Scenario for KvsLoad {
    type Params = KvsLoadParams;

    const KEY: &'static str = "kvs-load";
    const TITLE: &'static str = "Store under load";
    const SYSTEM: &'static str = "A low-latency key-value store";
    const SUMMARY: &'static str =
        "The same closed loop of load on a store across the network and on one beside the client.";
    const GAUGES: &'static [Gauge] = &[
        Gauge::Latency { name: "remote", label: "remote", latency: 0 },
        Gauge::Latency { name: "local", label: "co-located", latency: 1 },
        rate("remote.rate", "remote, commands", 0),
        rate("local.rate", "co-located, commands", 1),
        sweep("remote.sweep", "remote, pipelines 1 to 10", 0),
        sweep("local.sweep", "co-located, pipelines 1 to 10", 1),
        Gauge::Over { name: "remote.over", label: "remote, over the deadline", latency: 0 },
        Gauge::Over { name: "local.over", label: "co-located, over the deadline", latency: 1 },
    ];
    const COUNTS: usize = 2 * counts::EACH;
    const EVIDENCE: Evidence = Evidence::Correlated;
    const REPLICATIONS: u32 = 8;
    const SECTIONS: u32 = 8;
    const PRESETS: &'static [Preset] = presets::PRESETS;
    const FOLDED: &'static [&'static str] = &[NETWORK];

    fn requests(params: &KvsLoadParams) -> u64 {
        u64::from(params.requests)
    }

    fn start(params: KvsLoadParams, run: &RunSeed) -> Box<dyn Running> {
        Box::new(model::start(&params, run))
    }

    fn exact(params: &KvsLoadParams) -> Exact {
        truth::exact(params)
    }

    fn sentence(params: &KvsLoadParams, seen: &Seen) -> Sentence {
        picture::sentence(params, seen)
    }

    fn figures(params: &KvsLoadParams, seen: &Seen) -> Vec<Figure> {
        figures::all(params, seen)
    }

    fn notes(params: &KvsLoadParams) -> Vec<String> {
        picture::notes(params)
    }

    fn replay(params: KvsLoadParams, seed: u64, share: f64) -> Option<Replay> {
        replay::replay(&params, seed, share)
    }

    fn deadline_ms(params: &KvsLoadParams) -> Option<f64> {
        Some(params.deadline_ms)
    }
}

const fn rate(name: &'static str, label: &'static str, store: usize) -> Gauge {
    Gauge::Ratio {
        name,
        label,
        quantity: Quantity::Rate,
        over: store * counts::EACH + counts::COMMANDS,
        under: store * counts::EACH + counts::TIME_NS,
        scale: 1e9,
    }
}

const fn sweep(name: &'static str, label: &'static str, store: usize) -> Gauge {
    Gauge::Ratio {
        name,
        label,
        quantity: Quantity::Latency,
        over: store * counts::EACH + counts::SWEPT_NS,
        under: store * counts::EACH + counts::SWEPT,
        scale: 1e-6,
    }
}

impl KvsLoadParams {
    pub fn clients(&self) -> u32 {
        self.threads * self.connections
    }

    /// Batches before the measurement: all connections begin at once, so that each has to have waited for all others.
    fn warm_up_whole(&self) -> u32 {
        self.warm_up.max(ROUNDS_MIN * self.clients())
    }

    /// Both stores, with another pipeline than the study's.
    pub fn stores(&self, pipeline: u32) -> [Store; 2] {
        let store = |at: usize, threads, batch_us, command_us, rtt_us| Store {
            name: STORES[at],
            clients: self.clients(),
            threads,
            batch_ms: 1e-3 * (batch_us + command_us * f64::from(pipeline)),
            fixed_ms: 1e-3 * rtt_us * (1.0 - self.rtt_jitter),
            varying_ms: 1e-3 * rtt_us * self.rtt_jitter,
            pipeline,
        };
        [
            store(0, self.server_threads, self.batch_us, self.command_us, self.rtt_us),
            store(
                1,
                self.local_threads,
                self.local_batch_us,
                self.local_command_us,
                self.local_rtt_us,
            ),
        ]
    }
}

impl Store {
    pub fn rtt_ms(&self) -> f64 {
        self.fixed_ms + self.varying_ms
    }

    /// The mean latency while the store is always busy, the round trip included.
    pub fn saturated_ms(&self) -> f64 {
        f64::from(self.clients) * self.batch_ms / f64::from(self.threads)
    }
}
