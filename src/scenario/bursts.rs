//! Background work that holds servers up in bursts, each at its own time or all at once.
//!
//! Dean and Barroso, The Tail at Scale, CACM 56(2), 2013, doi 10.1145/2408776.2408794: *managing background
//! activities and synchronized disruption*.

mod figures;
mod model;
mod picture;
mod presets;
mod replay;
mod truth;

use super::{Exact, Gauge, Preset, RunSeed, Scenario, Seen};
use crate::{
    params,
    report::{Figure, Replay, Sentence},
    schema::{Kind, Scale, Unit},
    sim::{Duration, Evidence, Raster, Running},
    theory::Pause,
};

/// Bursts of background work, apart or together.
pub struct Bursts;

const REQUEST: &str = "Request";
const LEAF: &str = "One leaf";
const WORK: &str = "Background work";
const DEADLINE: &str = "Deadline";
const RUN: &str = "Simulation";

params! {
    /// The settings of bursts.
    pub struct BurstsParams {
        /// How many leaves a request asks and waits for, each on a server of its own.
        fan_out: u32 = 100, "Leaves it waits for", REQUEST,
            Kind::Count { min: 1, max: 10_000, scale: Scale::Log }, Run;
        /// The median of an answer, once its server is at it.
        typical_ms: f64 = 10.0, "Typical answer", LEAF,
            Kind::Number { min: 0.01, max: 10_000.0, scale: Scale::Log, unit: Unit::Milliseconds }, Run;
        /// How far answers spread: the standard deviation of their logarithm.
        spread: f64 = 0.3, "Spread", LEAF,
            Kind::Number { min: 0.0, max: 3.0, scale: Scale::Linear, unit: Unit::None }, Run;
        /// How long each server is busy with background work in every period, all pieces together.
        burst_ms: f64 = 100.0, "Burst", WORK,
            Kind::Number { min: 0.0, max: 10_000.0, scale: Scale::LogFrom(0.1), unit: Unit::Milliseconds }, Run;
        /// How often it comes round. A burst longer than the period keeps the server busy all the time.
        period_s: f64 = 10.0, "Every", WORK,
            Kind::Number { min: 0.1, max: 3_600.0, scale: Scale::Log, unit: Unit::Seconds }, Run;
        /// Whether all servers do it at the same time, instead of each at its own.
        synchronised: bool = false, "All at once", WORK, Kind::Toggle, Run;
        /// Into how many pieces the burst is cut, spread evenly over the period.
        /// A call that comes during a piece waits for its end.
        pieces: u32 = 1, "In pieces", WORK,
            Kind::Count { min: 1, max: 1_000, scale: Scale::Log }, Run;
        /// A request that takes longer is too late.
        deadline_ms: f64 = 100.0, "Too late after", DEADLINE,
            Kind::Number { min: 0.1, max: 60_000.0, scale: Scale::Log, unit: Unit::Milliseconds }, Drawing;
        /// How many requests are simulated.
        requests: u32 = 1_000_000, "Requests", RUN,
            Kind::Count { min: 1_000, max: 100_000_000, scale: Scale::Log }, Length;
    }
}

/// The latency of the meter.
const REQUEST_LATENCY: usize = 0;
/// The counts of the meter: all requests, those that met a burst, from `MOMENTS` on those that were sent in each step
/// of the cycle, with the sum of their latencies in microseconds, and from `RASTER` on the same by latency.
const REQUESTS: usize = 0;
const HITS: usize = 1;
const MOMENTS: usize = 2;
const RASTER: usize = MOMENTS + 2 * model::STEPS;

impl Scenario for Bursts {
    type Params = BurstsParams;

    const KEY: &'static str = "bursts";
    const TITLE: &'static str = "Bursts";
    const SYSTEM: &'static str = "The tail at scale";
    const SUMMARY: &'static str =
        "Background work holds servers up in bursts, each at its own time or all at once.";
    const GAUGES: &'static [Gauge] = &[
        Gauge::Latency { name: "request", label: "a request", latency: REQUEST_LATENCY },
        Gauge::Share { name: "hit", label: "met a burst", over: HITS, under: REQUESTS },
        Gauge::Over { name: "over", label: "over the deadline", latency: REQUEST_LATENCY },
    ];
    const COUNTS: usize = RASTER + Raster::counts(model::STEPS);
    const EVIDENCE: Evidence = Evidence::Independent;
    const REPLICATIONS: u32 = 16;
    const SECTIONS: u32 = 4;
    const PRESETS: &'static [Preset] = presets::PRESETS;

    fn requests(params: &BurstsParams) -> u64 {
        u64::from(params.requests)
    }

    fn start(params: BurstsParams, run: &RunSeed) -> Box<dyn Running> {
        Box::new(model::start(&params, run))
    }

    fn exact(params: &BurstsParams) -> Exact {
        truth::exact(params)
    }

    fn sentence(params: &BurstsParams, seen: &Seen) -> Sentence {
        picture::sentence(params, seen)
    }

    fn figures(params: &BurstsParams, seen: &Seen) -> Vec<Figure> {
        figures::all(params, seen)
    }

    fn notes(params: &BurstsParams) -> Vec<String> {
        picture::notes(params)
    }

    fn replay(params: BurstsParams, seed: u64, share: f64) -> Option<Replay> {
        replay::replay(&params, seed, share)
    }

    fn deadline_ms(params: &BurstsParams) -> Option<f64> {
        Some(params.deadline_ms)
    }
}

impl BurstsParams {
    /// What a call waits for at one server.
    pub fn pause(&self) -> Pause {
        let period_ms = 1_000.0 * self.period_s;
        let burst_ms = self.burst_ms.min(period_ms);
        Pause { busy: burst_ms / period_ms, length_ms: burst_ms / f64::from(self.pieces) }
    }

    /// Latencies by the moment of sending, from a quarter of a typical answer to 4,096 of them.
    fn raster(&self) -> Raster {
        Raster::new(RASTER, Duration::from_ms(0.25 * self.typical_ms))
    }

    /// From the start of one piece to that of the next.
    pub fn cycle_ms(&self) -> f64 {
        1_000.0 * self.period_s / f64::from(self.pieces)
    }
}
