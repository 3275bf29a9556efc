//! Servers with queues, and every way to send a request to them: once, hedged, tied, in duplicate, after a probe.
//!
//! Dean and Barroso, The Tail at Scale, CACM 56(2), 2013, doi 10.1145/2408776.2408794.

mod calls;
mod figures;
mod film;
mod model;
mod picture;
mod presets;
mod replay;
mod routing;
mod tally;
mod truth;
mod watch;

use std::sync::Arc;

use super::{Cost, Exact, Gauge, Growth, Hedging, Preset, RunSeed, Scenario, Seen, Watched};
use crate::{
    choices,
    measured::Measured,
    params,
    report::{Figure, Film, Quantity, Replay, Sentence},
    schema::{Kind, Scale, Unit},
    sim::{Evidence, Running},
};

pub use model::{Model, OneQueue, Short};
pub use tally::Tally;

/// Queues at replicated servers.
pub struct Replicas;

choices! {
    /// What becomes of a call: how many copies of it are sent, and when.
    pub enum Policy {
        /// One copy.
        Single = "single" "Send once" "Once",
        /// A second copy after a delay; the client cancels the other when one has answered.
        Hedge = "hedge" "Hedge" "Hedge",
        /// A second copy after a delay; the copy that starts first cancels the other.
        Tied = "tied" "Tied requests" "Tied",
        /// Two copies at once.
        Duplicate = "duplicate" "Duplicate" "Twice",
    }
}

choices! {
    /// How the first replica is chosen.
    pub enum Routing {
        Random = "random" "Random" "Random",
        RoundRobin = "round-robin" "Round robin" "In turn",
        LeastOutstanding = "least-outstanding" "Least outstanding" "Own count",
        Probe = "probe" "Probe, then the shortest queue" "Probe",
        Board = "board" "Shared board of queue lengths" "Board",
    }
}

choices! {
    /// The law of service times.
    pub enum Service {
        Constant = "constant" "Constant" "Constant",
        Exponential = "exponential" "Exponential" "Exp.",
        Gamma = "gamma" "Gamma" "Gamma",
        LogNormal = "log-normal" "Log-normal" "Log-n.",
        /// As in data that were measured.
        Measured = "measured" "Measured" "Measured",
    }
}

choices! {
    /// What a client does about the other copy when one has answered.
    pub enum Cancel {
        Off = "off" "Nothing" "Nothing",
        On = "on" "Cancel if queued" "If queued",
        Interrupt = "interrupt" "Cancel even if running" "Even running",
    }
}

const LOAD: &str = "Load";
const COPIES: &str = "Copies";
const ROUTING: &str = "First replica";
const SERVICE: &str = "Service time";
const SERVERS: &str = "Servers";
const REQUEST: &str = "Request";
const NETWORK: &str = "Network";
const DEADLINE: &str = "Deadline";
const RUN: &str = "Simulation";

params! {
    /// The settings of replicated servers with queues.
    pub struct ReplicasParams {
        @data;
        /// How much of the servers' time the requests need, without any second copies.
        /// At 1 and more, together with other work, queues grow for ever.
        load: f64 = 0.10, "Requests", LOAD,
            Kind::Share { min: 0.0, max: 1.2, scale: Scale::Linear }, Run;
        /// How much of the servers' time other people's work takes: jobs with the same service times, sent once,
        /// to a random server.
        background: f64 = 0.305, "Other work", LOAD,
            Kind::Share { min: 0.0, max: 1.2, scale: Scale::Linear }, Run;
        /// How many copies of a call are sent, and when.
        policy: Policy = Policy::Single, "Each call", COPIES,
            Kind::Choice(Policy::CHOICES), Run;
        /// How long a call must be out before its second copy is sent.
        delay_ms: f64 = 1.0, "Second copy after", COPIES,
            Kind::Number { min: 0.0, max: 10_000.0, scale: Scale::LogFrom(0.01), unit: Unit::Milliseconds }, Run,
            when policy ["hedge", "tied"] "for hedged and tied requests";
        /// What the client does about the other copy when one has answered.
        /// A copy that is running is finished all the same, unless it is interrupted.
        cancel: Cancel = Cancel::On, "After an answer", COPIES,
            Kind::Choice(Cancel::CHOICES), Run,
            when policy ["hedge", "duplicate"] "for hedged and duplicate requests";
        /// At most this share of calls gets a second copy: each call puts so much into a bucket that holds ten,
        /// and each second copy takes one out.
        extra_budget: f64 = 1.0, "Copies at most", COPIES,
            Kind::Share { min: 0.0, max: 1.0, scale: Scale::LogFrom(1e-3) }, Run,
            when policy ["hedge", "tied", "duplicate"] "when second copies are sent";
        /// The share of calls whose other replicas share the congestion of the first, so that a copy would not
        /// help: they are sent once.
        shared_congestion: f64 = 0.155, "No useful replica", COPIES,
            Kind::Share { min: 0.0, max: 1.0, scale: Scale::Linear }, Run,
            when policy ["hedge", "tied", "duplicate"] "when second copies are sent";
        /// How the first replica is chosen.
        routing: Routing = Routing::Random, "Chosen by", ROUTING,
            Kind::Choice(Routing::CHOICES), Run;
        /// How many replicas are asked for their queue length; never more than there are.
        probes: u32 = 2, "Ask", ROUTING,
            Kind::Count { min: 1, max: 10, scale: Scale::Linear }, Run, suffix "replicas",
            when routing ["probe"] "when replicas are probed";
        /// How old the answer of a probe is when it is used.
        probe_age_ms: f64 = 0.0, "Age of the answer", ROUTING,
            Kind::Number { min: 0.0, max: 1_000.0, scale: Scale::LogFrom(0.1), unit: Unit::Milliseconds }, Run,
            when routing ["probe"] "when replicas are probed";
        /// How often the board of all queue lengths is brought up to date. All clients see the same board.
        board_ms: f64 = 5.0, "Refreshed every", ROUTING,
            Kind::Number { min: 0.0, max: 1_000.0, scale: Scale::LogFrom(0.1), unit: Unit::Milliseconds }, Run,
            when routing ["board"] "when a board is used";
        /// The law of service times; measured ones are the data that were given.
        service: Service = Service::Gamma, "Law", SERVICE,
            Kind::Choice(Service::CHOICES), Run;
        /// The mean service time.
        service_ms: f64 = 14.5, "Mean", SERVICE,
            Kind::Number { min: 0.01, max: 10_000.0, scale: Scale::Log, unit: Unit::Milliseconds }, Run,
            when service ["constant", "exponential", "gamma", "log-normal"] "unless services are measured";
        /// The standard deviation over the mean. A constant has 0, an exponential law 1.
        service_cv: f64 = 0.44, "Variation", SERVICE,
            Kind::Number { min: 0.0, max: 5.0, scale: Scale::Linear, unit: Unit::None }, Run,
            when service ["gamma", "log-normal"] "for gamma and log-normal";
        /// The share of services that take longer by a factor. The others are quicker, so that the mean stays.
        outlier_rate: f64 = 0.0, "Slow services", SERVICE,
            Kind::Share { min: 0.0, max: 0.5, scale: Scale::LogFrom(1e-5) }, Run;
        /// How many times longer a slow service takes.
        outlier_factor: f64 = 10.0, "They take", SERVICE,
            Kind::Number { min: 1.0, max: 1_000.0, scale: Scale::Log, unit: Unit::None }, Run, suffix "times longer";
        /// How many servers there are, each with a queue of its own.
        servers: u32 = 100, "Servers", SERVERS,
            Kind::Count { min: 1, max: 2_000, scale: Scale::Log }, Run;
        /// How many servers can answer a call, chosen anew for each.
        replicas: u32 = 2, "Replicas", SERVERS,
            Kind::Count { min: 1, max: 5, scale: Scale::Linear }, Run;
        /// How many calls a request makes, each to replicas of its own.
        fan_out: u32 = 1, "Calls of a request", REQUEST,
            Kind::Count { min: 1, max: 500, scale: Scale::Log }, Run;
        /// Good enough: the request answers when this share of its calls has.
        wait_for: f64 = 1.0, "Answer when", REQUEST,
            Kind::Share { min: 0.5, max: 1.0, scale: Scale::Linear }, Run, suffix "are in";
        /// The mean time of a message: a call, an answer, or a cancellation.
        hop_ms: f64 = 0.5, "Message", NETWORK,
            Kind::Number { min: 0.0, max: 100.0, scale: Scale::LogFrom(0.01), unit: Unit::Milliseconds }, Run;
        /// The share of that time that varies; it is exponential.
        hop_jitter: f64 = 0.3, "Of it varies", NETWORK,
            Kind::Share { min: 0.0, max: 1.0, scale: Scale::Linear }, Run;
        /// A request that takes longer is too late.
        deadline_ms: f64 = 100.0, "Too late after", DEADLINE,
            Kind::Number { min: 0.1, max: 60_000.0, scale: Scale::Log, unit: Unit::Milliseconds }, Drawing;
        /// How many requests are measured, over all runs.
        requests: u32 = 500_000, "Requests", RUN,
            Kind::Count { min: 1_000, max: 100_000_000, scale: Scale::Log }, Length;
        /// How many requests each run answers before it is measured, so that queues have found their length.
        warm_up: u32 = 10_000, "Warm-up", RUN,
            Kind::Count { min: 0, max: 1_000_000, scale: Scale::LogFrom(100.0) }, Length;
    }
}

/// The latencies of the meter.
const REQUEST_LATENCY: usize = 0;
const CALL_LATENCY: usize = 1;

const GROWTH: Growth =
    Growth { waiting: tally::WAITING_US, capacity: tally::CAPACITY_US, stopped: tally::STOPPED };

impl Scenario for Replicas {
    type Params = ReplicasParams;

    const KEY: &'static str = "replicas";
    const TITLE: &'static str = "Replicas";
    const SYSTEM: &'static str = "The tail at scale";
    const SUMMARY: &'static str =
        "Requests queue at replicated servers; second copies cost load, and may save the tail.";
    const GAUGES: &'static [Gauge] = &[
        Gauge::Latency { name: "request", label: "a request", latency: REQUEST_LATENCY },
        Gauge::Latency { name: "call", label: "one call", latency: CALL_LATENCY },
        Gauge::Over { name: "over", label: "over the deadline", latency: REQUEST_LATENCY },
        Gauge::Ratio {
            name: "utilisation",
            label: "utilisation",
            quantity: Quantity::Share,
            over: tally::RUNNING_US,
            under: tally::CAPACITY_US,
            scale: 1.0,
        },
        Gauge::Ratio {
            name: "wasted",
            label: "wasted capacity",
            quantity: Quantity::Share,
            over: tally::WASTED_US,
            under: tally::CAPACITY_US,
            scale: 1.0,
        },
        Gauge::Ratio {
            name: "extra",
            label: "extra copies",
            quantity: Quantity::Share,
            over: tally::COPIES,
            under: tally::CALLS,
            scale: 1.0,
        },
        Gauge::Length {
            name: "queue",
            label: "waiting at a server",
            over: tally::WAITING_US,
            under: tally::CAPACITY_US,
        },
        Gauge::Ratio {
            name: "cancelled",
            label: "copies cancelled unserved",
            quantity: Quantity::Share,
            over: tally::CANCELLED,
            under: tally::CALLS,
            scale: 1.0,
        },
    ];
    const COUNTS: usize = tally::COUNTS;
    const EVIDENCE: Evidence = Evidence::Correlated;
    const REPLICATIONS: u32 = 4;
    const WATCHED: Watched = Watched::Servers;
    const SECTIONS: u32 = 8;
    const PRESETS: &'static [Preset] = presets::PRESETS;
    const FOLDED: &'static [&'static str] = &[NETWORK, RUN];
    const HEDGING: Option<Hedging> = Some(Hedging {
        off: "policy=single",
        on: "policy=hedge",
        delay: "delay_ms",
        call: "call",
        latency: "request",
        cost: Cost::Growth("utilisation"),
    });
    const GROWTH: Option<Growth> = Some(GROWTH);
    const MEASURED: Option<&'static str> = Some("service");

    fn requests(params: &ReplicasParams) -> u64 {
        u64::from(params.requests)
    }

    fn start(params: ReplicasParams, run: &RunSeed) -> Box<dyn Running> {
        if let Some(queue) = OneQueue::start(&params, run) {
            return Box::new(queue);
        }
        match Short::start(&params, run) {
            Some(short) => Box::new(short),
            None => Box::new(Model::start(&params, run, ())),
        }
    }

    fn exact(params: &ReplicasParams) -> Exact {
        truth::exact(params)
    }

    fn unstable(params: &ReplicasParams) -> Option<String> {
        truth::unstable(params)
    }

    fn sentence(params: &ReplicasParams, seen: &Seen) -> Sentence {
        picture::sentence(params, seen)
    }

    fn figures(params: &ReplicasParams, seen: &Seen) -> Vec<Figure> {
        figures::all(params, seen)
    }

    fn notes(params: &ReplicasParams) -> Vec<String> {
        picture::notes(params)
    }

    fn replay(params: ReplicasParams, seed: u64, share: f64) -> Option<Replay> {
        replay::replay(&params, seed, share)
    }

    fn film(params: &ReplicasParams, run: &RunSeed) -> Option<Film> {
        film::film(params, run)
    }

    fn deadline_ms(params: &ReplicasParams) -> Option<f64> {
        Some(params.deadline_ms)
    }

    fn known_up_to(params: &ReplicasParams) -> f64 {
        params.measured().map_or(f64::INFINITY, |it| it.longest_ms())
    }
}

/// Whether there is no steady state to tell of, by the settings or by what was seen.
fn grew(params: &ReplicasParams, seen: &Seen) -> bool {
    truth::unstable(params).is_some() || seen.meter.is_some_and(|it| GROWTH.is_seen(it))
}

impl ReplicasParams {
    /// The law of ordinary services as it was measured, if that is asked for and there is one. With outliers the others
    /// are quicker, so that the mean stays.
    pub fn measured(&self) -> Option<Arc<Measured>> {
        let data = self.data.as_ref().filter(|_| self.service == Service::Measured)?;
        let longer = self.longer();
        Some(if longer == 1.0 { Arc::clone(data) } else { Arc::new(data.scaled(1.0 / longer)) })
    }

    /// How much longer services are than ordinary ones, on average.
    pub fn longer(&self) -> f64 {
        1.0 - self.outlier_rate + self.outlier_rate * self.outlier_factor
    }

    /// Where data end, services are taken to be as long as the longest that they know.
    pub fn mean_service_ms(&self) -> f64 {
        self.measured().map_or(self.service_ms, |it| it.moment_at_least(1.0) * self.longer())
    }

    /// How many calls a request needs answered: the least whole number that is `wait_for` of all.
    pub fn needed(&self) -> u32 {
        // A share such as .95 of 20 must not become 20 through its last bit.
        let exact = self.wait_for * f64::from(self.fan_out);
        (libm::ceil(exact - 1e-9) as u32).clamp(1, self.fan_out)
    }

    /// How many servers can answer a call.
    pub fn choices(&self) -> u32 {
        self.replicas.min(self.servers)
    }

    /// Whether some calls may get a second copy.
    pub fn copies(&self) -> bool {
        self.policy != Policy::Single
            && 2 <= self.choices()
            && 0.0 < self.extra_budget
            && self.shared_congestion < 1.0
    }

    /// Requests a millisecond.
    pub fn requests_per_ms(&self) -> f64 {
        self.load * f64::from(self.servers) / (f64::from(self.fan_out) * self.mean_service_ms())
    }

    /// Other people's jobs a millisecond.
    pub fn background_per_ms(&self) -> f64 {
        self.background * f64::from(self.servers) / self.mean_service_ms()
    }
}
