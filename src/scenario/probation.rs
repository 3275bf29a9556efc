//! A machine that is slow now and then, and taken out while it is.
//!
//! Dean and Barroso, The Tail at Scale, CACM 56(2), 2013, doi 10.1145/2408776.2408794: *latency-induced probation*.

mod figures;
mod model;
mod picture;
mod presets;
mod replay;

use std::rc::Rc;

use super::{Exact, Gauge, Growth, Preset, RunSeed, Scenario, Seen, Watched, named};
use crate::{
    params,
    report::{Figure, Film, Quantity, Replay, Sentence},
    schema::{Kind, Scale, Unit},
    sim::{Duration, Evidence, Raster, Running},
    theory::{Delay, Law, Traced},
};

/// Servers behind an intermediary that may take the slow one out.
pub struct Probation;

const SERVERS: &str = "Servers";
const SLOW: &str = "One slow machine";
const PROBATION: &str = "Probation";
const DEADLINE: &str = "Deadline";
const RUN: &str = "Simulation";

params! {
    /// The settings of probation.
    pub struct ProbationParams {
        /// How many servers there are. A request goes to a random one of those that are in.
        servers: u32 = 10, "Servers", SERVERS,
            Kind::Count { min: 1, max: 200, scale: Scale::Log }, Run;
        /// The mean service time, which is exponential.
        service_ms: f64 = 5.0, "Service time", SERVERS,
            Kind::Number { min: 0.01, max: 10_000.0, scale: Scale::Log, unit: Unit::Milliseconds }, Run;
        /// How much of the time of all servers the requests need, as long as none is slow.
        load: f64 = 0.6, "Load", SERVERS,
            Kind::Share { min: 0.01, max: 1.2, scale: Scale::Linear }, Run;
        /// How many times longer the slow machine takes.
        slow_factor: f64 = 2.0, "It takes", SLOW,
            Kind::Number { min: 1.0, max: 100.0, scale: Scale::Log, unit: Unit::None }, Run, suffix "times longer";
        /// How long it is slow each time.
        slow_s: f64 = 10.0, "For", SLOW,
            Kind::Number { min: 0.0, max: 600.0, scale: Scale::LogFrom(0.1), unit: Unit::Seconds }, Run;
        /// How often that happens. If it is slow for longer than this, it is slow all the time.
        every_s: f64 = 60.0, "Every", SLOW,
            Kind::Number { min: 1.0, max: 3_600.0, scale: Scale::Log, unit: Unit::Seconds }, Run;
        /// Whether a server is taken out while its response times are far above those of the others.
        /// A server that is out gets shadow requests, so that it is known when it has recovered.
        probation: bool = false, "Take it out", PROBATION, Kind::Toggle, Run;
        /// A server is out while its average response time is at least so many times that of the median server.
        threshold: f64 = 2.5, "From", PROBATION,
            Kind::Number { min: 1.1, max: 10.0, scale: Scale::Linear, unit: Unit::None }, Run,
            suffix "times the median", when probation ["on"] "when servers are taken out";
        /// A request that takes longer is too late.
        deadline_ms: f64 = 100.0, "Too late after", DEADLINE,
            Kind::Number { min: 0.1, max: 60_000.0, scale: Scale::Log, unit: Unit::Milliseconds }, Drawing;
        /// How many requests are measured, over all runs.
        requests: u32 = 4_000_000, "Requests", RUN,
            Kind::Count { min: 1_000, max: 100_000_000, scale: Scale::Log }, Length;
        /// How many requests each run answers before it is measured, so that queues have found their length.
        warm_up: u32 = 10_000, "Warm-up", RUN,
            Kind::Count { min: 0, max: 1_000_000, scale: Scale::LogFrom(100.0) }, Length;
    }
}

/// The latency of the meter.
const REQUEST_LATENCY: usize = 0;

/// The counts of the meter.
mod counts {
    /// Steps of a period, each with its own counts.
    pub(super) const STEPS: usize = 60;

    pub(super) const CHECKS: usize = 0;
    pub(super) const OUT: usize = 1;
    pub(super) const CAPACITY_US: usize = 2;
    pub(super) const RUNNING_US: usize = 3;
    /// Runs that were stopped before their end.
    pub(super) const STOPPED: usize = 4;
    /// Requests sent in each step, and their latencies in microseconds.
    pub(super) const SENT: usize = 5;
    pub(super) const SENT_US: usize = SENT + STEPS;
    /// Checks in each step, and those that found the slow machine out.
    pub(super) const STEP_CHECKS: usize = SENT_US + STEPS;
    pub(super) const STEP_OUT: usize = STEP_CHECKS + STEPS;
    /// Requests sent in each step, by latency.
    pub(super) const RASTER: usize = STEP_OUT + STEPS;
    /// The time that answered requests had waited.
    pub(super) const WAITING_US: usize = RASTER + crate::sim::Raster::counts(STEPS);
    pub(super) const ALL: usize = WAITING_US + 1;
}

const GROWTH: Growth =
    Growth { waiting: counts::WAITING_US, capacity: counts::CAPACITY_US, stopped: counts::STOPPED };

impl Scenario for Probation {
    type Params = ProbationParams;

    const KEY: &'static str = "probation";
    const TITLE: &'static str = "Probation";
    const SYSTEM: &'static str = "The tail at scale";
    const SUMMARY: &'static str =
        "One machine is slow now and then; without it, with less capacity, requests are quicker.";
    const GAUGES: &'static [Gauge] = &[
        Gauge::Latency { name: "request", label: "a request", latency: REQUEST_LATENCY },
        Gauge::Over { name: "over", label: "over the deadline", latency: REQUEST_LATENCY },
        Gauge::Share {
            name: "out",
            label: "slow machine out",
            over: counts::OUT,
            under: counts::CHECKS,
        },
        Gauge::Ratio {
            name: "utilisation",
            label: "utilisation",
            quantity: Quantity::Share,
            over: counts::RUNNING_US,
            under: counts::CAPACITY_US,
            scale: 1.0,
        },
    ];
    const COUNTS: usize = counts::ALL;
    const GROWTH: Option<Growth> = Some(GROWTH);
    const EVIDENCE: Evidence = Evidence::Correlated;
    const REPLICATIONS: u32 = 4;
    const WATCHED: Watched = Watched::Servers;
    const SECTIONS: u32 = 8;
    const PRESETS: &'static [Preset] = presets::PRESETS;

    fn unstable(params: &ProbationParams) -> Option<String> {
        params.unstable().then(|| {
            "More work comes than is done: a queue grows for as long as one watches, so that there are no percentiles."
                .to_owned()
        })
    }

    fn requests(params: &ProbationParams) -> u64 {
        u64::from(params.requests)
    }

    fn start(params: ProbationParams, run: &RunSeed) -> Box<dyn Running> {
        Box::new(model::start(&params, run))
    }

    fn exact(params: &ProbationParams) -> Exact {
        if params.never_slow() && !params.probation && params.load < 1.0 {
            // Each server is an M/M/1 queue.
            let mean = params.service_ms / (1.0 - params.load);
            let law: Rc<dyn Law> = Rc::new(Delay::Exponential { mean });
            let over = law.beyond(params.deadline_ms);
            return Exact {
                laws: named([("request", Traced::new(law))]),
                values: named([
                    ("request.mean", mean),
                    ("over", over),
                    ("out", 0.0),
                    ("utilisation", params.load),
                ]),
                ..Exact::default()
            };
        }
        let values = if params.probation { Vec::new() } else { named([("out", 0.0)]) };
        Exact { values, ..Exact::default() }
    }

    fn sentence(params: &ProbationParams, seen: &Seen) -> Sentence {
        picture::sentence(params, seen)
    }

    fn figures(params: &ProbationParams, seen: &Seen) -> Vec<Figure> {
        figures::all(params, seen)
    }

    fn notes(params: &ProbationParams) -> Vec<String> {
        picture::notes(params)
    }

    fn replay(params: ProbationParams, seed: u64, share: f64) -> Option<Replay> {
        replay::replay(&params, seed, share)
    }

    fn film(params: &ProbationParams, run: &RunSeed) -> Option<Film> {
        model::film(params, run)
    }

    fn deadline_ms(params: &ProbationParams) -> Option<f64> {
        Some(params.deadline_ms)
    }
}

impl ProbationParams {
    /// The share of time in which the slow machine is slow.
    pub fn slow_share(&self) -> f64 {
        (self.slow_s / self.every_s).min(1.0)
    }

    /// Latencies by the time of sending, from an eighth of a service time to 2,048 of them.
    fn raster(&self) -> Raster {
        Raster::new(counts::RASTER, Duration::from_ms(self.service_ms / 8.0))
    }

    pub fn never_slow(&self) -> bool {
        self.slow_factor == 1.0 || self.slow_s == 0.0
    }

    /// What the slow machine can do, on average over time, of what the others can.
    pub fn slow_capacity(&self) -> f64 {
        1.0 - self.slow_share() * (1.0 - 1.0 / self.slow_factor)
    }

    /// Whether queues grow for ever.
    pub fn unstable(&self) -> bool {
        let others = f64::from(self.servers - 1);
        // The median of two is the slower one, which is then never out.
        if self.probation && 2 < self.servers {
            // At best, the slow machine does what it can, and the others the rest.
            self.load * f64::from(self.servers) >= others + self.slow_capacity()
        } else {
            self.load >= self.slow_capacity()
        }
    }
}
