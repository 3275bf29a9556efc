//! Many small partitions on each machine, and copies of the items that everybody asks for.
//!
//! Dean and Barroso, The Tail at Scale, CACM 56(2), 2013, doi 10.1145/2408776.2408794: *micro-partitions* and
//! *selective replication*.

mod figures;
mod model;
mod picture;
mod placement;
mod presets;
mod replay;

use super::{Exact, Gauge, Preset, RunSeed, Scenario, Seen, named};
use crate::{
    params,
    report::{Figure, Quantity, Replay, Sentence},
    schema::{Kind, Scale, Unit},
    sim::{Evidence, Running},
};

pub use placement::{Machines, Placement};

/// Placements of partitions and items on machines.
pub struct Partitions;

const MACHINES: &str = "Machines";
const PARTITIONS: &str = "Partitions";
const ITEMS: &str = "Items";
const DEADLINE: &str = "Deadline";
const RUN: &str = "Simulation";

params! {
    /// The settings of partitions.
    pub struct PartitionsParams {
        /// How many machines there are.
        machines: u32 = 20, "Machines", MACHINES,
            Kind::Count { min: 2, max: 200, scale: Scale::Log }, Run;
        /// The mean load of a machine, when all are there. A machine at 1 and more falls behind for ever.
        load: f64 = 0.5, "Load", MACHINES,
            Kind::Share { min: 0.01, max: 1.2, scale: Scale::Linear }, Run;
        /// The mean service time, which is exponential.
        service_ms: f64 = 5.0, "Service time", MACHINES,
            Kind::Number { min: 0.01, max: 10_000.0, scale: Scale::Log, unit: Unit::Milliseconds }, Run;
        /// Whether one machine is out, and the others have its partitions and items.
        failure: bool = false, "One machine fails", MACHINES, Kind::Toggle, Run;
        /// How many partitions each machine has at first.
        partitions: u32 = 20, "Partitions a machine", PARTITIONS,
            Kind::Count { min: 1, max: 200, scale: Scale::Log }, Run;
        /// How unequal partitions are: the standard deviation of the logarithm of their load.
        skew: f64 = 0.5, "Skew", PARTITIONS,
            Kind::Number { min: 0.0, max: 2.0, scale: Scale::Linear, unit: Unit::None }, Run;
        /// Whether partitions are moved from the most to the least loaded machine for as long as it helps.
        rebalance: bool = true, "Move partitions", PARTITIONS, Kind::Toggle, Run;
        /// How many items there are, each on a random machine.
        items: u32 = 10_000, "Items", ITEMS,
            Kind::Count { min: 1, max: 100_000, scale: Scale::Log }, Run;
        /// How unequal items are: the n-th is asked for n to the power of minus this often, Zipf's law.
        zipf: f64 = 0.9, "Zipf exponent", ITEMS,
            Kind::Number { min: 0.0, max: 2.0, scale: Scale::Linear, unit: Unit::None }, Run;
        /// How many of the most wanted items get further copies.
        hot_items: u32 = 0, "Hot items", ITEMS,
            Kind::Count { min: 0, max: 100, scale: Scale::Linear }, Run;
        /// How many further copies a hot item has, each on a machine of its own. All copies share its load.
        extra_copies: u32 = 2, "Further copies", ITEMS,
            Kind::Count { min: 0, max: 10, scale: Scale::Linear }, Run, suffix "of each";
        /// A request that takes longer is too late.
        deadline_ms: f64 = 100.0, "Too late after", DEADLINE,
            Kind::Number { min: 0.1, max: 60_000.0, scale: Scale::Log, unit: Unit::Milliseconds }, Drawing;
        /// How many requests are simulated, fifty to a placement.
        requests: u32 = 200_000, "Requests", RUN,
            Kind::Count { min: 1_000, max: 100_000_000, scale: Scale::Log }, Length;
    }
}

/// The latency of the meter.
const REQUEST_LATENCY: usize = 0;

/// The counts of the meter. Ratios of loads are kept in millionths.
mod counts {
    use super::placement::RANKS;

    pub(super) const PLACEMENTS: usize = 0;
    pub(super) const IMBALANCE: usize = 1;
    pub(super) const REBALANCED: usize = 2;
    pub(super) const PARTITIONS: usize = 3;
    pub(super) const MOVED: usize = 4;
    pub(super) const MOST_TAKEN: usize = 5;
    pub(super) const MACHINES: usize = 6;
    pub(super) const OVERLOADED: usize = 7;
    pub(super) const WITH_OVERLOAD: usize = 8;
    pub(super) const REQUESTS: usize = 9;
    pub(super) const TO_OVERLOADED: usize = 10;
    /// The load of machines by rank: of partitions as dealt, of partitions moved, and of items too.
    pub(super) const DEALT: usize = 11;
    pub(super) const EVENED: usize = DEALT + RANKS;
    pub(super) const LOADS: usize = EVENED + RANKS;
    pub(super) const ALL: usize = LOADS + RANKS;
}

impl Scenario for Partitions {
    type Params = PartitionsParams;

    const KEY: &'static str = "partitions";
    const TITLE: &'static str = "Partitions";
    const SYSTEM: &'static str = "The tail at scale";
    const SUMMARY: &'static str =
        "Many small partitions even out the load of machines; hot items need copies.";
    const GAUGES: &'static [Gauge] = &[
        Gauge::Latency { name: "request", label: "a request", latency: REQUEST_LATENCY },
        Gauge::Over { name: "over", label: "over the deadline", latency: REQUEST_LATENCY },
        Gauge::Ratio {
            name: "imbalance",
            label: "largest over mean load of partitions",
            quantity: Quantity::Plain,
            over: counts::IMBALANCE,
            under: counts::PLACEMENTS,
            scale: 1e-6,
        },
        Gauge::Ratio {
            name: "imbalance.rebalanced",
            label: "the same after moving them",
            quantity: Quantity::Plain,
            over: counts::REBALANCED,
            under: counts::PLACEMENTS,
            scale: 1e-6,
        },
        Gauge::Ratio {
            name: "step",
            label: "load shed with one partition",
            quantity: Quantity::Share,
            over: counts::MOVED,
            under: counts::PARTITIONS,
            scale: 1.0,
        },
        Gauge::Ratio {
            name: "recovery",
            label: "recovery time, by that of one machine",
            quantity: Quantity::Share,
            over: counts::MOST_TAKEN,
            under: counts::PARTITIONS,
            scale: 1.0,
        },
        Gauge::Share {
            name: "overloaded",
            label: "overloaded machines",
            over: counts::OVERLOADED,
            under: counts::MACHINES,
        },
        Gauge::Share {
            name: "overloaded.any",
            label: "placements that overload one",
            over: counts::WITH_OVERLOAD,
            under: counts::PLACEMENTS,
        },
        Gauge::Share {
            name: "overloaded.requests",
            label: "requests to overloaded machines",
            over: counts::TO_OVERLOADED,
            under: counts::REQUESTS,
        },
    ];
    const COUNTS: usize = counts::ALL;
    // The requests of a placement share its loads.
    const EVIDENCE: Evidence = Evidence::Correlated;
    const REPLICATIONS: u32 = 16;
    const SECTIONS: u32 = 4;
    const PRESETS: &'static [Preset] = presets::PRESETS;

    fn requests(params: &PartitionsParams) -> u64 {
        u64::from(params.requests)
    }

    fn start(params: PartitionsParams, run: &RunSeed) -> Box<dyn Running> {
        Box::new(model::start(&params, run))
    }

    fn exact(params: &PartitionsParams) -> Exact {
        let mut values = named([
            ("step", 1.0 / f64::from(params.partitions)),
            ("recovery", params.recovery()),
            // A load may come as near to 1 as it likes, and the mean of 1 / (1 - load) has no bound.
            ("request.mean", f64::INFINITY),
        ]);
        if params.skew == 0.0 {
            let taken = if params.failure { params.taken() } else { 0 };
            let mean = f64::from(params.partitions * params.machines) / f64::from(params.running());
            let largest = f64::from(params.partitions + taken) / mean;
            values.extend(named([("imbalance", largest), ("imbalance.rebalanced", largest)]));
        }
        Exact { values, ..Exact::default() }
    }

    fn sentence(params: &PartitionsParams, seen: &Seen) -> Sentence {
        picture::sentence(params, seen)
    }

    fn figures(params: &PartitionsParams, seen: &Seen) -> Vec<Figure> {
        figures::all(params, seen)
    }

    fn notes(params: &PartitionsParams) -> Vec<String> {
        picture::notes(params)
    }

    fn replay(params: PartitionsParams, seed: u64, share: f64) -> Option<Replay> {
        replay::replay(&params, seed, share)
    }

    fn deadline_ms(params: &PartitionsParams) -> Option<f64> {
        Some(params.deadline_ms)
    }
}

impl PartitionsParams {
    /// How many machines are there to serve.
    pub fn running(&self) -> u32 {
        self.machines - u32::from(self.failure)
    }

    /// The most partitions of a failed machine that one of the others takes, dealt out in turn.
    pub fn taken(&self) -> u32 {
        self.partitions.div_ceil(self.machines - 1)
    }

    /// How long a failed machine's partitions take to be loaded, all others at work, against one that takes them all.
    pub fn recovery(&self) -> f64 {
        f64::from(self.taken()) / f64::from(self.partitions)
    }
}
