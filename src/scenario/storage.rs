//! A search index on memory, flash or disk: queries that go round between a processor and a device.
//!
//! Kazuho Oku, *SSDs for web services: what they could do for search* (28 October 2008, in Japanese).

mod figures;
mod model;
mod picture;
mod presets;
mod replay;
mod truth;

use super::{Exact, Gauge, Preset, RunSeed, Scenario, Seen};
use crate::{
    choices, params,
    report::{Figure, Quantity, Replay, Sentence},
    schema::{Kind, Scale, Unit},
    sim::{Evidence, Running},
    theory::any_slow,
};

/// A search index on a storage device.
pub struct Storage;

choices! {
    /// The law of the time that the device is at one read.
    pub enum Service {
        /// Always the same.
        Constant = "constant" "Always the same" "Constant",
        /// Exponential, with the same mean.
        Exponential = "exponential" "Exponential" "Exponential",
    }
}

const QUERIES_GROUP: &str = "Queries";
const DEVICE: &str = "Device";
const CACHE: &str = "Cache";
const COLLECTION: &str = "Garbage collection";
const COST: &str = "Cost";
const DEADLINE: &str = "Deadline";
const RUN: &str = "Simulation";

params! {
    /// The settings of storage.
    pub struct StorageParams {
        /// How many queries are on their way at a time: when one is answered, the next begins.
        clients: u32 = 2, "At a time", QUERIES_GROUP,
            Kind::Count { min: 1, max: 256, scale: Scale::Log }, Run, suffix "queries";
        /// How many queries the time is told for.
        queries: u32 = 2_000, "Time is told for", QUERIES_GROUP,
            Kind::Count { min: 1, max: 100_000, scale: Scale::Log }, Run, suffix "queries";
        /// How long one processor is at a query in all, before, between and after its reads.
        /// Each stretch takes an exponential time.
        cpu_ms: f64 = 2.35, "Processor", QUERIES_GROUP,
            Kind::Number { min: 0.01, max: 1_000.0, scale: Scale::Log, unit: Unit::Milliseconds }, Run;
        /// How many times a query reads, one after the other.
        ios: u32 = 11, "Reads", QUERIES_GROUP,
            Kind::Count { min: 1, max: 200, scale: Scale::Log }, Run;
        /// How much each of them reads.
        io_kb: f64 = 12.2, "Size of a read", QUERIES_GROUP,
            Kind::Number { min: 0.5, max: 10_000.0, scale: Scale::Log, unit: Unit::Kilobytes }, Run;
        /// How long it takes to find what is read: of a disk, to move the head and wait for the sector.
        access_ms: f64 = 5.607, "Access time", DEVICE,
            Kind::Number { min: 0.0, max: 1_000.0, scale: Scale::LogFrom(0.001), unit: Unit::Milliseconds }, Run;
        /// How fast it is read once it is found.
        mb_s: f64 = 60.0, "Transfer rate", DEVICE,
            Kind::Number { min: 0.1, max: 100_000.0, scale: Scale::Log, unit: Unit::MegabytesPerSecond }, Run;
        /// How many reads the device is at at once, each at its full speed.
        channels: u32 = 1, "Channels", DEVICE,
            Kind::Count { min: 1, max: 64, scale: Scale::Log }, Run;
        /// How many reads the device is given at once; further ones wait above it.
        /// Fewer than it has channels leave some of them idle.
        queue_depth: u32 = 32, "Queue depth", DEVICE,
            Kind::Count { min: 1, max: 64, scale: Scale::Log }, Run;
        /// The law of the time that the device is at one read.
        service: Service = Service::Exponential, "A read takes", DEVICE,
            Kind::Choice(Service::CHOICES), Run;
        /// The share of reads that find their data in memory and spare the device.
        hit_ratio: f64 = 0.0, "Hit ratio", CACHE,
            Kind::Share { min: 0.0, max: 1.0, scale: Scale::Linear }, Run;
        /// The share of reads that come while the device collects garbage.
        gc_rate: f64 = 0.0, "Slow reads", COLLECTION,
            Kind::Share { min: 0.0, max: 0.5, scale: Scale::LogFrom(1e-4) }, Run;
        /// How many times longer such a read takes.
        gc_factor: f64 = 100.0, "Times slower", COLLECTION,
            Kind::Number { min: 1.0, max: 1_000.0, scale: Scale::Log, unit: Unit::None }, Run;
        /// What a gigabyte of the device costs, in yen.
        yen_per_gb: f64 = 100.0, "A gigabyte costs", COST,
            Kind::Number { min: 1.0, max: 1_000_000.0, scale: Scale::Log, unit: Unit::None }, Drawing, suffix "yen";
        /// A query that takes longer is too late.
        deadline_ms: f64 = 200.0, "Too late after", DEADLINE,
            Kind::Number { min: 0.1, max: 60_000.0, scale: Scale::Log, unit: Unit::Milliseconds }, Drawing;
        /// How many queries are measured, over all runs.
        requests: u32 = 200_000, "Queries measured", RUN,
            Kind::Count { min: 1_000, max: 10_000_000, scale: Scale::Log }, Length;
        /// How many queries each run answers before it is measured.
        warm_up: u32 = 1_000, "Warm-up", RUN,
            Kind::Count { min: 0, max: 100_000, scale: Scale::LogFrom(10.0) }, Length;
    }
}

/// The latency of the meter.
const QUERY_LATENCY: usize = 0;

/// The counts of the meter.
mod counts {
    pub(super) const QUERIES: usize = 0;
    pub(super) const TIME_US: usize = 1;
    /// The time, as often as there are queries that it is told for.
    pub(super) const TOTAL_US: usize = 2;
    /// That was read from the device.
    pub(super) const BYTES: usize = 3;
    pub(super) const CPU_US: usize = 4;
    pub(super) const DEVICE_US: usize = 5;
    /// The time of all channels.
    pub(super) const CHANNELS_US: usize = 6;
    pub(super) const ALL: usize = 7;
}

impl Scenario for Storage {
    type Params = StorageParams;

    const KEY: &'static str = "storage";
    const TITLE: &'static str = "Storage";
    const SYSTEM: &'static str = "SSDs for web services";
    const SUMMARY: &'static str =
        "Search queries go round between a processor and a device: memory, flash, or a disk.";
    const GAUGES: &'static [Gauge] = &[
        Gauge::Latency { name: "query", label: "a query", latency: QUERY_LATENCY },
        ratio("total", "time in all", Quantity::Seconds, (counts::TOTAL_US, counts::QUERIES), 1e-6),
        ratio("rate", "queries a second", Quantity::Rate, (counts::QUERIES, counts::TIME_US), 1e6),
        ratio("throughput", "read", Quantity::Throughput, (counts::BYTES, counts::TIME_US), 1.0),
        ratio("cpu", "processor busy", Quantity::Share, (counts::CPU_US, counts::TIME_US), 1.0),
        ratio(
            "device",
            "device busy",
            Quantity::Share,
            (counts::DEVICE_US, counts::CHANNELS_US),
            1.0,
        ),
        Gauge::Over { name: "over", label: "over the deadline", latency: QUERY_LATENCY },
    ];
    const COUNTS: usize = counts::ALL;
    const EVIDENCE: Evidence = Evidence::Correlated;
    const REPLICATIONS: u32 = 8;
    const SECTIONS: u32 = 8;
    const PRESETS: &'static [Preset] = presets::PRESETS;
    const FOLDED: &'static [&'static str] = &[COST];

    fn requests(params: &StorageParams) -> u64 {
        u64::from(params.requests)
    }

    fn start(params: StorageParams, run: &RunSeed) -> Box<dyn Running> {
        Box::new(model::start(&params, run, ()))
    }

    fn exact(params: &StorageParams) -> Exact {
        truth::exact(params)
    }

    fn sentence(params: &StorageParams, seen: &Seen) -> Sentence {
        picture::sentence(params, seen)
    }

    fn figures(params: &StorageParams, seen: &Seen) -> Vec<Figure> {
        figures::all(params, seen)
    }

    fn notes(params: &StorageParams) -> Vec<String> {
        picture::notes(params)
    }

    fn replay(params: StorageParams, seed: u64, share: f64) -> Option<Replay> {
        replay::replay(&params, seed, share)
    }

    fn deadline_ms(params: &StorageParams) -> Option<f64> {
        Some(params.deadline_ms)
    }
}

const fn ratio(
    name: &'static str,
    label: &'static str,
    quantity: Quantity,
    (over, under): (usize, usize),
    scale: f64,
) -> Gauge {
    Gauge::Ratio { name, label, quantity, over, under, scale }
}

impl StorageParams {
    /// The mean time of a read, unless it is slow.
    pub fn read_ms(&self) -> f64 {
        self.access_ms + self.io_kb / self.mb_s
    }

    /// The mean time of a read.
    pub fn mean_read_ms(&self) -> f64 {
        self.read_ms() * (1.0 + self.gc_rate * (self.gc_factor - 1.0))
    }

    /// Reads that the device is at at once.
    pub fn at_once(&self) -> u32 {
        self.channels.min(self.queue_depth)
    }

    /// Of each of the stretches at the processor, which are one more than reads.
    pub fn stretch_ms(&self) -> f64 {
        self.cpu_ms / f64::from(self.ios + 1)
    }

    /// The share of queries that go to the device at least once.
    pub fn missed(&self) -> f64 {
        any_slow(1.0 - self.hit_ratio, self.ios)
    }

    /// What a gigabyte costs with the part of it that is cached lying in memory, too.
    pub fn yen(&self) -> f64 {
        self.yen_per_gb + self.hit_ratio * MEMORY_YEN_PER_GB
    }
}

/// As published: *over 10,000 yen*.
const MEMORY_YEN_PER_GB: f64 = 10_000.0;
