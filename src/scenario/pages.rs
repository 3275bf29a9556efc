//! A page that gets slower the more of its requests run at once, and a limit that finds its own place.
//!
//! Matsunuma, Chiba, Sato and Kourai, Page-level Queue Scheduling, Tokyo Institute of Technology; the feedback is
//! progress-based regulation, Douceur and Bolosky, SOSP 1999.

mod controller;
mod crowd;
mod figures;
mod model;
mod over_time;
mod picture;
mod presets;
mod replay;
mod tally;
mod truth;
mod watch;

use super::{Exact, Gauge, Preset, RunSeed, Scenario, Seen};
use crate::{
    choices, params,
    report::{Figure, Quantity, Replay, Sentence},
    schema::{Kind, Scale, Unit},
    sim::{Evidence, Running},
};

pub use truth::Progress;

/// A heavy page behind a queue of its own, and perhaps a light page beside it.
pub struct Pages;

choices! {
    /// Who decides how many requests of the heavy page run at once.
    pub enum Scheduler {
        /// Nobody: all of them.
        None = "none" "None" "None",
        /// As many as were set.
        Fixed = "fixed" "Fixed limit" "Fixed",
        /// A limit that climbs to where the page's own throughput is highest.
        Adaptive = "adaptive" "Adaptive limit" "Adaptive",
        /// A limit that minds the light page's throughput, too.
        Coordinated = "coordinated" "Coordinated limit" "Coordinated",
    }
}

choices! {
    /// What a step does that would lead past the least or the greatest limit.
    pub enum AtBound {
        /// It goes the other way.
        Reflect = "reflect" "Turn round" "Turn",
        /// It stays. The next step then compares a limit with itself, which the rule takes for a rise.
        Rise = "rise" "Stay, and rise" "Stay",
    }
}

const HEAVY: &str = "Heavy page";
const SCHEDULER: &str = "Its scheduler";
const PRIORITY: &str = "Priority";
const LIGHT: &str = "Light page";
const CONTENTION: &str = "Contention";
const RUN: &str = "Simulation";

params! {
    /// The settings of pages.
    pub struct PagesParams {
        /// How many clients ask for the heavy page. Each sends its next request after it got an answer.
        heavy_clients: u32 = 50, "Clients", HEAVY,
            Kind::Count { min: 1, max: 500, scale: Scale::Log }, Run;
        /// How long a client thinks before it sends its next request, on average.
        think_s: f64 = 0.0, "They think for", HEAVY,
            Kind::Number { min: 0.0, max: 600.0, scale: Scale::LogFrom(0.01), unit: Unit::Seconds }, Run;
        /// How far the work of requests spreads: its standard deviation by its mean.
        work_cv: f64 = 0.1, "Spread of work", HEAVY,
            Kind::Number { min: 0.0, max: 3.0, scale: Scale::Linear, unit: Unit::None }, Run;
        /// How many requests a second the page answers when they run one at a time.
        l: f64 = 2.025, "One at a time", CONTENTION,
            Kind::Number { min: 0.01, max: 1_000.0, scale: Scale::Log, unit: Unit::PerSecond }, Run;
        /// How much of the work has to be done one after the other: at 1, more at once bring nothing.
        s: f64 = 0.9546, "One after the other", CONTENTION,
            Kind::Number { min: 0.0, max: 2.0, scale: Scale::Linear, unit: Unit::None }, Run;
        /// How much every pair of requests that run at once takes from each other.
        k: f64 = 0.01135, "Contention of pairs", CONTENTION,
            Kind::Number { min: 0.0, max: 1.0, scale: Scale::LogFrom(1e-4), unit: Unit::None }, Run;
        /// Who decides how many requests of the page run at once. The others wait in the page's queue.
        scheduler: Scheduler = Scheduler::None, "It limits", SCHEDULER,
            Kind::Choice(Scheduler::CHOICES), Run;
        /// How many run at most; where the limit adapts, how many at first.
        limit: u32 = 2, "Limit", SCHEDULER,
            Kind::Count { min: 1, max: 500, scale: Scale::Log }, Run,
            when scheduler ["fixed", "adaptive", "coordinated"] "when there is a limit";
        /// How many answers of the page make a measurement, after which the limit takes a step.
        samples: u32 = 5, "Answers a step", SCHEDULER,
            Kind::Count { min: 1, max: 1_000, scale: Scale::Log }, Run,
            when scheduler ["adaptive", "coordinated"] "when the limit adapts";
        /// How far a step goes.
        step: u32 = 1, "Step", SCHEDULER,
            Kind::Count { min: 1, max: 100, scale: Scale::Log }, Run,
            when scheduler ["adaptive", "coordinated"] "when the limit adapts";
        /// What becomes of a step past the least or the greatest limit.
        at_bound: AtBound = AtBound::Reflect, "At a bound", SCHEDULER,
            Kind::Choice(AtBound::CHOICES), Run,
            when scheduler ["adaptive", "coordinated"] "when the limit adapts";
        /// How many further clients there are whose requests go to the head of the page's queue.
        priority_clients: u32 = 0, "First in line", PRIORITY,
            Kind::Count { min: 0, max: 50, scale: Scale::LogFrom(1.0) }, Run, suffix "clients";
        /// How long such a client thinks before it sends its next request, on average.
        priority_think_s: f64 = 5.0, "They think for", PRIORITY,
            Kind::Number { min: 0.01, max: 600.0, scale: Scale::Log, unit: Unit::Seconds }, Run;
        /// How many clients ask for a light page on the same two processors. It has no limit.
        light_clients: u32 = 0, "Clients", LIGHT,
            Kind::Count { min: 0, max: 500, scale: Scale::LogFrom(1.0) }, Run;
        /// How long a light request takes on a processor of its own.
        light_ms: f64 = 1.0, "A request takes", LIGHT,
            Kind::Number { min: 0.01, max: 1_000.0, scale: Scale::Log, unit: Unit::Milliseconds }, Run;
        /// How long a client of the light page thinks before it sends its next request, on average.
        light_think_ms: f64 = 25.0, "They think for", LIGHT,
            Kind::Number { min: 0.1, max: 60_000.0, scale: Scale::Log, unit: Unit::Milliseconds }, Run;
        /// How long the light page is alone before the clients of the heavy page come.
        heavy_start_s: f64 = 10.0, "Alone for", LIGHT,
            Kind::Number { min: 0.0, max: 600.0, scale: Scale::LogFrom(0.1), unit: Unit::Seconds }, Run;
        /// How long an experiment lasts; then the next begins anew.
        run_s: u32 = 3_600, "An experiment takes", RUN,
            Kind::Count { min: 10, max: 36_000, scale: Scale::Log }, Run, suffix "s";
        /// Of how many answers one is called the worst and one the best.
        worst_of: u32 = 50, "Worst of", RUN,
            Kind::Count { min: 1, max: 10_000, scale: Scale::Log }, Run, suffix "answers";
        /// How many answers are measured, of all pages and over all experiments.
        requests: u32 = 1_000_000, "Requests", RUN,
            Kind::Count { min: 1_000, max: 100_000_000, scale: Scale::Log }, Length;
        /// How many answers each experiment gives with the heavy page there before it is measured.
        warm_up: u32 = 2_000, "Warm-up", RUN,
            Kind::Count { min: 0, max: 1_000_000, scale: Scale::LogFrom(100.0) }, Length;
    }
}

/// The latencies of the meter.
const HEAVY_LATENCY: usize = 0;
const PRIORITY_LATENCY: usize = 1;
const LIGHT_LATENCY: usize = 2;

/// The counts of the meter.
mod counts {
    /// Steps of an experiment, each with its own counts.
    pub(super) const STEPS: usize = 100;
    /// Limits that are told apart; greater ones count as the last.
    pub(super) const LIMITS: usize = 64;
    /// Measurements of the first experiment that are kept one by one.
    pub(super) const TRAIL: usize = 40;

    /// Answers that were measured, of all pages.
    pub(super) const ANSWERS: usize = 0;
    /// Time with the heavy page there, its answers, the time that they would have taken without a limit, in
    /// millionths, and its limit.
    pub(super) const TIME_US: usize = 1;
    pub(super) const HEAVY: usize = 2;
    pub(super) const UNLIMITED: usize = 3;
    pub(super) const LIMIT_US: usize = 4;
    /// Answers of the light page beside the heavy one, that time, stretches of 10 ms, and those without an answer.
    pub(super) const LIGHT: usize = 5;
    pub(super) const BESIDE_US: usize = 6;
    pub(super) const BINS: usize = 7;
    pub(super) const EMPTY: usize = 8;
    /// The light page alone.
    pub(super) const ALONE: usize = 9;
    pub(super) const ALONE_US: usize = 10;
    /// Time in which the limit had not yet reached the best one, and how often it did.
    pub(super) const CLIMBING_US: usize = 11;
    pub(super) const CLIMBED: usize = 12;
    /// For each latency: how many batches, and the sums of their worst and their best, in microseconds.
    pub(super) const BATCHES: usize = 13;
    pub(super) const WORST_US: usize = 16;
    pub(super) const BEST_US: usize = 19;
    /// Time at each limit.
    pub(super) const AT_LIMIT_US: usize = 22;
    /// Measurements of the first experiment: the limit, and answers a million seconds.
    pub(super) const TRAIL_LIMIT: usize = AT_LIMIT_US + LIMITS;
    pub(super) const TRAIL_RATE: usize = TRAIL_LIMIT + TRAIL;
    /// By step: time, and limit, waiting and running requests over time.
    pub(super) const STEP_US: usize = TRAIL_RATE + TRAIL;
    pub(super) const STEP_LIMIT_US: usize = STEP_US + STEPS;
    pub(super) const STEP_WAITING_US: usize = STEP_LIMIT_US + STEPS;
    pub(super) const STEP_RUNNING_US: usize = STEP_WAITING_US + STEPS;
    pub(super) const STEP_LIGHT_US: usize = STEP_RUNNING_US + STEPS;
    /// By step: answers of either page, and the limit of the first experiment over time.
    pub(super) const STEP_HEAVY: usize = STEP_LIGHT_US + STEPS;
    pub(super) const STEP_LIGHT: usize = STEP_HEAVY + STEPS;
    pub(super) const FIRST_US: usize = STEP_LIGHT + STEPS;
    pub(super) const FIRST_LIMIT_US: usize = FIRST_US + STEPS;
    /// By step: the same experiment without a limit.
    pub(super) const OTHER_US: usize = FIRST_LIMIT_US + STEPS;
    pub(super) const OTHER_HEAVY: usize = OTHER_US + STEPS;
    pub(super) const OTHER_LIGHT: usize = OTHER_HEAVY + STEPS;
    /// Answers that are held against the time without a limit: none where that is not known.
    pub(super) const HELD_AGAINST: usize = OTHER_LIGHT + STEPS;
    pub(super) const ALL: usize = HELD_AGAINST + 1;
}

const fn latency(name: &'static str, label: &'static str, latency: usize) -> Gauge {
    Gauge::Latency { name, label, latency }
}

const fn time(name: &'static str, label: &'static str, over: usize, latency: usize) -> Gauge {
    let (quantity, over, under) = (Quantity::Latency, over + latency, counts::BATCHES + latency);
    Gauge::Ratio { name, label, quantity, over, under, scale: 1e-3 }
}

const fn ratio(
    name: &'static str,
    label: &'static str,
    quantity: Quantity,
    (over, under, scale): (usize, usize, f64),
) -> Gauge {
    Gauge::Ratio { name, label, quantity, over, under, scale }
}

impl Scenario for Pages {
    type Params = PagesParams;

    const KEY: &'static str = "pages";
    const TITLE: &'static str = "Pages";
    const SYSTEM: &'static str = "Web pages";
    const SUMMARY: &'static str =
        "A heavy page is quicker when fewer of its requests run at once, and so is a light one.";
    const GAUGES: &'static [Gauge] = &[
        latency("heavy", "heavy page", HEAVY_LATENCY),
        time("heavy.worst", "worst", counts::WORST_US, HEAVY_LATENCY),
        time("heavy.best", "best", counts::BEST_US, HEAVY_LATENCY),
        latency("priority", "first in line", PRIORITY_LATENCY),
        time("priority.worst", "worst, first in line", counts::WORST_US, PRIORITY_LATENCY),
        time("priority.best", "best, first in line", counts::BEST_US, PRIORITY_LATENCY),
        latency("light", "light page", LIGHT_LATENCY),
        time("light.worst", "worst, light page", counts::WORST_US, LIGHT_LATENCY),
        time("light.best", "best, light page", counts::BEST_US, LIGHT_LATENCY),
        ratio("limit", "limit, mean", Quantity::Plain, (counts::LIMIT_US, counts::TIME_US, 1.0)),
        ratio("heavy.rate", "heavy page", Quantity::Rate, (counts::HEAVY, counts::TIME_US, 1e6)),
        ratio(
            "heavy.time",
            "time, by that of no limit",
            Quantity::Share,
            (counts::UNLIMITED, counts::HELD_AGAINST, 1e-6),
        ),
        ratio(
            "climb",
            "time to the best limit",
            Quantity::Seconds,
            (counts::CLIMBING_US, counts::CLIMBED, 1e-6),
        ),
        ratio("light.rate", "light page", Quantity::Rate, (counts::LIGHT, counts::BESIDE_US, 1e6)),
        ratio(
            "light.alone",
            "light page, alone",
            Quantity::Rate,
            (counts::ALONE, counts::ALONE_US, 1e6),
        ),
        Gauge::Share {
            name: "light.stalled",
            label: "10 ms without a light answer",
            over: counts::EMPTY,
            under: counts::BINS,
        },
    ];
    const COUNTS: usize = counts::ALL;
    const ANSWERS: Option<usize> = Some(counts::ANSWERS);
    const EVIDENCE: Evidence = Evidence::Correlated;
    const REPLICATIONS: u32 = 16;
    const SECTIONS: u32 = 4;
    const PRESETS: &'static [Preset] = presets::PRESETS;
    const FOLDED: &'static [&'static str] = &[CONTENTION];

    fn requests(params: &PagesParams) -> u64 {
        u64::from(params.requests)
    }

    fn start(params: PagesParams, run: &RunSeed) -> Box<dyn Running> {
        Box::new(model::start(&params, run, ()))
    }

    fn exact(params: &PagesParams) -> Exact {
        truth::exact(params)
    }

    fn sentence(params: &PagesParams, seen: &Seen) -> Sentence {
        picture::sentence(params, seen)
    }

    fn figures(params: &PagesParams, seen: &Seen) -> Vec<Figure> {
        figures::all(params, seen)
    }

    fn notes(params: &PagesParams) -> Vec<String> {
        picture::notes(params)
    }

    fn replay(params: PagesParams, seed: u64, share: f64) -> Option<Replay> {
        replay::replay(&params, seed, share)
    }

    fn deadline_ms(_params: &PagesParams) -> Option<f64> {
        None
    }
}

impl PagesParams {
    pub fn progress(&self) -> Progress {
        Progress { alone: self.l, serial: self.s, pairs: self.k }
    }

    /// Whether the limit moves.
    pub fn adapts(&self) -> bool {
        matches!(self.scheduler, Scheduler::Adaptive | Scheduler::Coordinated)
    }

    /// How many requests of the heavy page there can be at once.
    pub fn most(&self) -> u32 {
        self.heavy_clients + self.priority_clients
    }

    /// How many run at most: at first, where the limit moves.
    pub fn first_limit(&self) -> u32 {
        if self.scheduler == Scheduler::None { self.most() } else { self.limit.min(self.most()) }
    }

    /// When the clients of the heavy page come: at once, where there is no light page.
    pub fn start_s(&self) -> f64 {
        if self.light_clients == 0 { 0.0 } else { self.heavy_start_s }
    }
}
