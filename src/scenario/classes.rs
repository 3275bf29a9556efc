//! Short and long requests at one server, and who goes first.
//!
//! Dean and Barroso, The Tail at Scale, CACM 56(2), 2013, doi 10.1145/2408776.2408794: *differentiating service
//! classes*, *reducing head-of-line blocking*, *keep low-level queues short*.

mod figures;
mod model;
mod picture;
mod presets;
mod replay;
mod truth;

use super::{Exact, Gauge, Growth, Preset, RunSeed, Scenario, Seen, Watched};
use crate::{
    choices, params,
    report::{Figure, Film, Quantity, Replay, Sentence},
    schema::{Kind, Scale, Unit},
    sim::{Evidence, Running},
};

/// Two classes of requests at one server.
pub struct Classes;

choices! {
    /// Which request the server works on.
    pub enum Discipline {
        /// In the order of arrival, each to its end.
        Fifo = "fifo" "First come, first served" "In order",
        /// Short ones first; what has begun is not interrupted.
        Priority = "priority" "Short ones first" "Priority",
        /// Each for a slice of time, then the next.
        Slice = "slice" "In slices, by turns" "Slices",
        /// All at once, each at its share of the speed.
        Sharing = "sharing" "All at once" "Sharing",
    }
}

const LOAD: &str = "Load";
const CLASSES: &str = "Requests";
const SERVER: &str = "Server";
const DEADLINE: &str = "Deadline";
const RUN: &str = "Simulation";

params! {
    /// The settings of classes.
    pub struct ClassesParams {
        /// How much of the server's time the requests need. At 1 and more its queue grows for ever.
        load: f64 = 0.6, "Load", LOAD,
            Kind::Share { min: 0.01, max: 1.2, scale: Scale::Linear }, Run;
        /// The share of requests that are long.
        heavy_share: f64 = 0.01, "Long ones", CLASSES,
            Kind::Share { min: 0.0, max: 0.5, scale: Scale::LogFrom(1e-4) }, Run;
        /// How long the server is at a short one; always the same.
        cheap_ms: f64 = 1.0, "A short one takes", CLASSES,
            Kind::Number { min: 0.01, max: 1_000.0, scale: Scale::Log, unit: Unit::Milliseconds }, Run;
        /// How long the server is at a long one; always the same.
        heavy_ms: f64 = 100.0, "A long one takes", CLASSES,
            Kind::Number { min: 0.01, max: 10_000.0, scale: Scale::Log, unit: Unit::Milliseconds }, Run;
        /// Which request the server works on.
        discipline: Discipline = Discipline::Fifo, "It serves", SERVER,
            Kind::Choice(Discipline::CHOICES), Run;
        /// How long it works on a request before it is the next one's turn.
        /// No finer than a thousandth of the longest, which is as good as all at once.
        slice_ms: f64 = 1.0, "Slice", SERVER,
            Kind::Number { min: 0.01, max: 1_000.0, scale: Scale::Log, unit: Unit::Milliseconds }, Run,
            when discipline ["slice"] "for slices";
        /// How many requests have been handed down to a lower queue, such as a disk's, that knows no priority.
        device_queue: u32 = 0, "Handed down", SERVER,
            Kind::Count { min: 0, max: 200, scale: Scale::LogFrom(1.0) }, Run, suffix "ahead",
            when discipline ["priority"] "when short ones go first";
        /// A short request that takes longer is too late.
        deadline_ms: f64 = 20.0, "Too late after", DEADLINE,
            Kind::Number { min: 0.1, max: 60_000.0, scale: Scale::Log, unit: Unit::Milliseconds }, Drawing;
        /// How many requests are measured, over all runs.
        requests: u32 = 2_000_000, "Requests", RUN,
            Kind::Count { min: 1_000, max: 100_000_000, scale: Scale::Log }, Length;
        /// How many requests each run answers before it is measured, so that the queue has found its length.
        warm_up: u32 = 10_000, "Warm-up", RUN,
            Kind::Count { min: 0, max: 1_000_000, scale: Scale::LogFrom(100.0) }, Length;
    }
}

/// The latencies of the meter.
const CHEAP_LATENCY: usize = 0;
const HEAVY_LATENCY: usize = 1;
/// The counts of the meter: time, time at work, runs that were stopped before their end, and the time that answered
/// requests had waited.
const CAPACITY_US: usize = 0;
const RUNNING_US: usize = 1;
const STOPPED: usize = 2;
const WAITING_US: usize = 3;

const GROWTH: Growth = Growth { waiting: WAITING_US, capacity: CAPACITY_US, stopped: STOPPED };

impl Scenario for Classes {
    type Params = ClassesParams;

    const KEY: &'static str = "classes";
    const TITLE: &'static str = "Classes";
    const SYSTEM: &'static str = "The tail at scale";
    const SUMMARY: &'static str =
        "Short requests wait behind long ones, unless the server sees to it.";
    const GAUGES: &'static [Gauge] = &[
        Gauge::Latency { name: "cheap", label: "a short request", latency: CHEAP_LATENCY },
        Gauge::Latency { name: "heavy", label: "a long request", latency: HEAVY_LATENCY },
        Gauge::Over { name: "over", label: "short ones over the deadline", latency: CHEAP_LATENCY },
        Gauge::Ratio {
            name: "utilisation",
            label: "utilisation",
            quantity: Quantity::Share,
            over: RUNNING_US,
            under: CAPACITY_US,
            scale: 1.0,
        },
    ];
    const COUNTS: usize = 4;
    const GROWTH: Option<Growth> = Some(GROWTH);
    const EVIDENCE: Evidence = Evidence::Correlated;
    const REPLICATIONS: u32 = 4;
    const WATCHED: Watched = Watched::Servers;
    const SECTIONS: u32 = 8;
    const PRESETS: &'static [Preset] = presets::PRESETS;

    fn unstable(params: &ClassesParams) -> Option<String> {
        (1.0 <= params.load).then(|| {
            "More work comes than the server can do. The queue grows for as long as one watches, so that there are no \
             percentiles."
                .to_owned()
        })
    }

    fn requests(params: &ClassesParams) -> u64 {
        u64::from(params.requests)
    }

    fn start(params: ClassesParams, run: &RunSeed) -> Box<dyn Running> {
        Box::new(model::start(&params, run))
    }

    fn exact(params: &ClassesParams) -> Exact {
        truth::exact(params)
    }

    fn sentence(params: &ClassesParams, seen: &Seen) -> Sentence {
        picture::sentence(params, seen)
    }

    fn figures(params: &ClassesParams, seen: &Seen) -> Vec<Figure> {
        figures::all(params, seen)
    }

    fn notes(params: &ClassesParams) -> Vec<String> {
        picture::notes(params)
    }

    fn replay(params: ClassesParams, seed: u64, share: f64) -> Option<Replay> {
        replay::replay(&params, seed, share)
    }

    fn film(params: &ClassesParams, run: &RunSeed) -> Option<Film> {
        model::film(params, run)
    }

    fn deadline_ms(params: &ClassesParams) -> Option<f64> {
        Some(params.deadline_ms)
    }
}

impl ClassesParams {
    pub fn mean_service_ms(&self) -> f64 {
        (1.0 - self.heavy_share) * self.cheap_ms + self.heavy_share * self.heavy_ms
    }

    /// The longest service that there is.
    pub fn longest_ms(&self) -> f64 {
        if self.heavy_share == 0.0 { self.cheap_ms } else { self.cheap_ms.max(self.heavy_ms) }
    }

    /// The slice that is used.
    pub fn used_slice_ms(&self) -> f64 {
        self.slice_ms.max(1e-3 * self.longest_ms())
    }

    /// Whether nothing is ever put off: first come, first served, by whatever name.
    pub fn in_order(&self) -> bool {
        match self.discipline {
            Discipline::Fifo => true,
            Discipline::Slice => self.longest_ms() <= self.slice_ms,
            Discipline::Priority => self.heavy_share == 0.0,
            Discipline::Sharing => false,
        }
    }
}
