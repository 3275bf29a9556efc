//! A request that waits for many independent leaves: how rare slow answers become common ones.
//!
//! Dean and Barroso, The Tail at Scale, CACM 56(2), 2013, doi 10.1145/2408776.2408794.

mod figures;
mod model;
mod picture;
mod presets;
mod replay;
mod truth;

use std::sync::Arc;

use super::{Cost, Exact, Gauge, Hedging, Preset, RunSeed, Scenario, Seen};
use crate::{
    choices,
    measured::Measured,
    params,
    report::{Figure, Quantity, Replay, Sentence},
    schema::{Kind, Scale, Unit},
    sim::{Evidence, Running},
};

pub use model::{Drawing, Model};

/// Independent leaves, without queues.
pub struct FanOut;

choices! {
    /// The law of ordinary answers.
    pub enum Typical {
        LogNormal = "log-normal" "Log-normal" "Log-n.",
        /// As in data that were measured.
        Measured = "measured" "Measured" "Measured",
    }
}

choices! {
    /// The shape of the delay that a slow answer adds.
    pub enum Outlier {
        Constant = "constant" "Constant" "Constant",
        Exponential = "exponential" "Exponential" "Exp.",
        LogNormal = "log-normal" "Log-normal" "Log-n.",
        Lomax = "lomax" "Lomax" "Lomax",
    }
}

choices! {
    /// When a second copy of a call is sent.
    pub enum Hedge {
        Off = "off" "Off" "Off",
        After = "after" "After a delay" "After",
        Percentile = "percentile" "At a percentile" "At percentile",
    }
}

const REQUEST: &str = "Request";
const LEAF: &str = "One leaf";
const HEDGE: &str = "Hedge";
const DEADLINE: &str = "Deadline";
const SHARED: &str = "Delay shared by a request";
const RUN: &str = "Simulation";

/// The longest delay before a copy.
const HEDGE_MS_MAX: f64 = 10_000.0;

params! {
    /// The settings of a fan-out.
    pub struct FanOutParams {
        @data;
        /// How many leaves a request asks and waits for.
        fan_out: u32 = 100, "Leaves it waits for", REQUEST,
            Kind::Count { min: 1, max: 10_000, scale: Scale::Log }, Run;
        /// Good enough: the request answers when this share of its leaves has.
        wait_for: f64 = 1.0, "Answer when", REQUEST,
            Kind::Share { min: 0.5, max: 1.0, scale: Scale::Linear }, Run, suffix "are in";
        /// Canary: so many leaves are asked first, alone, and the others only when they have answered.
        canary: u32 = 0, "Ask first, alone", REQUEST,
            Kind::Count { min: 0, max: 2, scale: Scale::Linear }, Run, suffix "leaves";
        /// The law of ordinary answers: a log-normal one, or the data that were given, slow answers and all.
        typical: Typical = Typical::LogNormal, "Law", LEAF,
            Kind::Choice(Typical::CHOICES), Run;
        /// The median of an ordinary answer.
        typical_ms: f64 = 10.0, "Typical answer", LEAF,
            Kind::Number { min: 0.01, max: 10_000.0, scale: Scale::Log, unit: Unit::Milliseconds }, Run,
            when typical ["log-normal"] "unless answers are measured";
        /// How far ordinary answers spread: the standard deviation of their logarithm.
        /// At 0.3 the slowest of a hundred takes twice the median.
        spread: f64 = 0.3, "Spread", LEAF,
            Kind::Number { min: 0.0, max: 3.0, scale: Scale::Linear, unit: Unit::None }, Run,
            when typical ["log-normal"] "unless answers are measured";
        /// The share of leaf answers that are slow.
        outlier_rate: f64 = 0.01, "Slow answers", LEAF,
            Kind::Share { min: 0.0, max: 0.5, scale: Scale::LogFrom(1e-5) }, Run;
        /// The shape of the delay that is added to a slow answer.
        outlier: Outlier = Outlier::Constant, "They are slower by", LEAF,
            Kind::Choice(Outlier::CHOICES), Run;
        /// The value of a constant delay, the mean of an exponential one, the median of a log-normal one, the
        /// scale of a Lomax one.
        outlier_ms: f64 = 1_000.0, "Delay", LEAF,
            Kind::Number { min: 0.1, max: 60_000.0, scale: Scale::Log, unit: Unit::Milliseconds }, Run;
        /// The standard deviation of the logarithm of a log-normal delay, or the tail index of a Lomax one.
        /// A Lomax delay of index 1 or less has no mean.
        outlier_shape: f64 = 0.1, "Shape", LEAF,
            Kind::Number { min: 0.1, max: 5.0, scale: Scale::Linear, unit: Unit::None }, Run,
            when outlier ["log-normal", "lomax"] "for log-normal and Lomax";
        /// When a second copy of a call goes to an independent replica; the first answer counts.
        hedge: Hedge = Hedge::Off, "Send a second copy", HEDGE,
            Kind::Choice(Hedge::CHOICES), Run;
        /// How long a call must be out before its copy is sent. At 0 both are sent at once.
        hedge_ms: f64 = 10.0, "Delay", HEDGE,
            Kind::Number { min: 0.0, max: HEDGE_MS_MAX, scale: Scale::LogFrom(0.01), unit: Unit::Milliseconds }, Run,
            when hedge ["after"] "when a hedge is sent after a delay";
        /// The percentile of one leaf's answers that is used as the delay.
        hedge_percentile: f64 = 0.95, "Percentile", HEDGE,
            Kind::Share { min: 0.5, max: 0.9999, scale: Scale::Linear }, Run,
            when hedge ["percentile"] "when a hedge is sent at a percentile";
        /// How many further copies are sent, each after another delay.
        hedge_copies: u32 = 1, "Copies", HEDGE,
            Kind::Count { min: 1, max: 3, scale: Scale::Linear }, Run,
            when hedge ["after", "percentile"] "when a hedge is on";
        /// The share of late calls whose replica is slow for the same reason, so that a copy does not help.
        shared_cause: f64 = 0.0, "Replica slow too", HEDGE,
            Kind::Share { min: 0.0, max: 1.0, scale: Scale::LogFrom(1e-4) }, Run,
            when hedge ["after", "percentile"] "when a hedge is on";
        /// A request that takes longer is too late.
        deadline_ms: f64 = 1_000.0, "Too late after", DEADLINE,
            Kind::Number { min: 0.1, max: 60_000.0, scale: Scale::Log, unit: Unit::Milliseconds }, Drawing;
        /// The median of a log-logistic delay that hits a request as a whole.
        request_delay_ms: f64 = 0.0, "Typical delay", SHARED,
            Kind::Number { min: 0.0, max: 1_000.0, scale: Scale::LogFrom(0.01), unit: Unit::Milliseconds }, Run;
        /// The tail index of that delay: the smaller, the heavier its tail.
        request_delay_shape: f64 = 2.0, "Tail index", SHARED,
            Kind::Number { min: 1.0, max: 10.0, scale: Scale::Linear, unit: Unit::None }, Run;
        /// How many requests are simulated.
        requests: u32 = 1_000_000, "Requests", RUN,
            Kind::Count { min: 1_000, max: 100_000_000, scale: Scale::Log }, Length;
    }
}

/// The latencies of the meter.
const REQUEST_LATENCY: usize = 0;
const LEAF_LATENCY: usize = 1;
/// The counts of the meter.
const CALLS: usize = 0;
const COPIES: usize = 1;

impl Scenario for FanOut {
    type Params = FanOutParams;

    const KEY: &'static str = "fan-out";
    const TITLE: &'static str = "Fan-out";
    const SYSTEM: &'static str = "The tail at scale";
    const SUMMARY: &'static str =
        "A request waits for many independent leaves, a few of which are slow.";
    const GAUGES: &'static [Gauge] = &[
        Gauge::Latency { name: "request", label: "a request", latency: REQUEST_LATENCY },
        Gauge::Latency { name: "leaf", label: "one leaf", latency: LEAF_LATENCY },
        Gauge::Over { name: "over", label: "over the deadline", latency: REQUEST_LATENCY },
        Gauge::Ratio {
            name: "extra",
            label: "extra load",
            quantity: Quantity::Share,
            over: COPIES,
            under: CALLS,
            scale: 1.0,
        },
    ];
    const COUNTS: usize = 2;
    const EVIDENCE: Evidence = Evidence::Independent;
    const REPLICATIONS: u32 = 16;
    const SECTIONS: u32 = 4;
    const PRESETS: &'static [Preset] = presets::PRESETS;
    const HEDGING: Option<Hedging> = Some(Hedging {
        off: "hedge=off",
        on: "hedge=after",
        delay: "hedge_ms",
        call: "leaf",
        latency: "request",
        cost: Cost::Measure("extra"),
    });
    const FOLDED: &'static [&'static str] = &[SHARED, RUN];
    const MEASURED: Option<&'static str> = Some("typical");

    fn requests(params: &FanOutParams) -> u64 {
        u64::from(params.requests)
    }

    fn start(params: FanOutParams, run: &RunSeed) -> Box<dyn Running> {
        Box::new(Model::start(&params, run, Drawing::of(&params)))
    }

    fn exact(params: &FanOutParams) -> Exact {
        truth::exact(params)
    }

    fn sentence(params: &FanOutParams, seen: &Seen) -> Sentence {
        picture::sentence(params, seen)
    }

    fn figures(params: &FanOutParams, seen: &Seen) -> Vec<Figure> {
        figures::all(params, seen)
    }

    fn notes(params: &FanOutParams) -> Vec<String> {
        picture::notes(params)
    }

    fn replay(params: FanOutParams, seed: u64, share: f64) -> Option<Replay> {
        replay::replay(&params, seed, share)
    }

    fn deadline_ms(params: &FanOutParams) -> Option<f64> {
        Some(params.deadline_ms)
    }

    fn known_up_to(params: &FanOutParams) -> f64 {
        params.measured().map_or(f64::INFINITY, |it| it.longest_ms())
    }
}

impl FanOutParams {
    /// The data, if they are asked for and there are any.
    pub fn measured(&self) -> Option<&Arc<Measured>> {
        self.data.as_ref().filter(|_| self.typical == Typical::Measured)
    }

    /// Whether the data tell how many answers are late.
    fn deadline_is_known(&self) -> bool {
        self.deadline_ms <= FanOut::known_up_to(self)
    }

    /// How many answers a request needs: the least whole number that is `wait_for` of all.
    pub fn needed(&self) -> u32 {
        // A share such as .95 of 20 must not become 20 through its last bit.
        let exact = self.wait_for * f64::from(self.fan_out);
        (libm::ceil(exact - 1e-9) as u32).clamp(1, self.fan_out)
    }

    /// Leaves that are asked first; never more than there are.
    pub fn canaries(&self) -> u32 {
        self.canary.min(self.fan_out)
    }
}
