//! Users whose requests go through a balancer to nodes with key-value stores: how fast, and do they read their own
//! writes?
//!
//! bootjp, a talk on *Building a low-latency distributed key-value store for personalised content delivery* (2020):
//! four ways to place the store, a counter a user, and users who are tied to a node.

mod figures;
mod first;
mod mean;
mod model;
mod picture;
mod presets;
mod replay;
mod shipping;
mod traffic;
mod truth;
mod watch;

use super::{Exact, Gauge, Preset, RunSeed, Scenario, Seen, Watched};
use crate::{
    choices, params,
    report::{Figure, Quantity, Replay, Sentence, Traffic},
    schema::{Kind, Scale, Unit},
    sim::{Evidence, Running},
};

pub use model::Model;
pub use watch::{Cargo, Failing, Happened, Leg, Spot, Watch, What};

/// Users, nodes and the stores that hold a counter of each user.
pub struct KvsSessions;

choices! {
    /// Where the stores are.
    pub enum Topology {
        /// One store for all nodes, over the network.
        Central = "central" "One store for all" "Central",
        /// A store that takes all writes, at the first node; copies for reading at every node.
        Replica = "replica" "Primary, and replicas to read" "Replica",
        /// Every key at one of the nodes.
        Sharded = "sharded" "Keys sharded over nodes" "Sharded",
        /// A store at every node, for reads and for writes.
        CoLocated = "co-located" "At every node" "Co-located",
    }
}

choices! {
    /// Which node a request goes to.
    pub enum Balancer {
        /// A user's requests always to the same.
        Sticky = "sticky" "Always the same for a user" "Sticky",
        /// Each to any.
        Random = "random" "Any, for each request" "Random",
    }
}

choices! {
    /// What happens to a node when half of the requests have been answered.
    pub enum Failure {
        None = "none" "Nothing" "None",
        /// It is gone, with all that it had not shipped.
        Crash = "crash" "It crashes" "Crash",
        /// It stops taking requests, ships what it has, and hands its users over.
        HandOff = "hand-off" "It is taken out as planned" "Hand-off",
    }
}

choices! {
    /// When a write is acknowledged.
    pub enum Replication {
        /// At once; copies follow.
        Async = "async" "Afterwards" "Async",
        /// When the next node has a copy.
        Sync = "sync" "Before the write is answered" "Sync",
    }
}

const USERS: &str = "Users";
const SYSTEM: &str = "System";
const TIMES: &str = "Times";
const COPIES: &str = "Copies";
const RUN: &str = "Simulation";

params! {
    /// The settings of sessions.
    pub struct KvsSessionsParams {
        /// Where the stores are.
        topology: Topology = Topology::CoLocated, "Stores", SYSTEM, Kind::Choice(Topology::CHOICES), Run;
        /// Which node a user's request goes to.
        balancer: Balancer = Balancer::Sticky, "Balancer", SYSTEM, Kind::Choice(Balancer::CHOICES), Run;
        /// How many nodes run the application.
        nodes: u32 = 4, "Nodes", SYSTEM, Kind::Count { min: 2, max: 16, scale: Scale::Linear }, Run;
        /// What happens to the last node when half of the requests have been answered.
        failure: Failure = Failure::None, "Half-way, a node", SYSTEM, Kind::Choice(Failure::CHOICES), Run;
        /// How many users there are, spread evenly over the nodes.
        clients: u32 = 100, "Users", USERS, Kind::Count { min: 1, max: 1_000, scale: Scale::Log }, Run;
        /// How many requests of each user count. Each increments the user's own counter, then reads it.
        requests_each: u32 = 100, "Requests of each", USERS,
            Kind::Count { min: 10, max: 1_000, scale: Scale::Log }, Run;
        /// How long a user waits before the next request: exponential, with this mean.
        think_ms: f64 = 10.0, "A user thinks for", USERS,
            Kind::Number { min: 0.1, max: 1_000.0, scale: Scale::Log, unit: Unit::Milliseconds }, Run;
        /// The mean time of a message from machine to machine: seven tenths of it fixed, the rest exponential.
        hop_ms: f64 = 0.25, "A hop", TIMES,
            Kind::Number { min: 0.01, max: 10.0, scale: Scale::Log, unit: Unit::Milliseconds }, Run;
        /// What a call of the store costs besides, between processes.
        ipc_ms: f64 = 0.03, "A call", TIMES,
            Kind::Number { min: 0.0, max: 10.0, scale: Scale::LogFrom(0.001), unit: Unit::Milliseconds }, Run;
        /// How long a store is at one command: exponential, with this mean, in order of arrival.
        store_ms: f64 = 0.02, "A command", TIMES,
            Kind::Number { min: 0.001, max: 10.0, scale: Scale::Log, unit: Unit::Milliseconds }, Run;
        /// How long it takes on average until a write has reached another node. Writes are shipped in batches.
        /// No less than a hop.
        lag_ms: f64 = 20.0, "Replication lag", COPIES,
            Kind::Number { min: 0.1, max: 1_000.0, scale: Scale::Log, unit: Unit::Milliseconds }, Run,
            when topology ["replica", "co-located"] "where there are copies";
        /// Whether a write waits until one other node has a copy.
        replication: Replication = Replication::Async, "Copied", COPIES,
            Kind::Choice(Replication::CHOICES), Run,
            when topology ["replica", "co-located"] "where there are copies";
        /// Whether a read waits until the node has all that its user wrote, for half a second at most.
        session_token: bool = false, "Session token", COPIES, Kind::Toggle, Run,
            when topology ["replica", "co-located"] "where there are copies";
        /// How many requests are measured at least. The whole is played from the start until there are as many.
        requests: u32 = 1_000_000, "Requests", RUN,
            Kind::Count { min: 1_000, max: 100_000_000, scale: Scale::Log }, Length;
    }
}

/// The latency of the meter.
const REQUEST_LATENCY: usize = 0;

/// The counts of the meter.
mod counts {
    pub(super) const READS: usize = 0;
    /// Reads that differ from what their user has written.
    pub(super) const VIOLATIONS: usize = 1;
    /// Reads of less than their user had read before.
    pub(super) const STALE: usize = 2;
    /// Nodes that crashed, and the increments that went with them.
    pub(super) const CRASHES: usize = 3;
    pub(super) const LOST: usize = 4;
    /// Nodes that were taken out, and the time for which their users had to wait.
    pub(super) const HAND_OFFS: usize = 5;
    pub(super) const PAUSED_US: usize = 6;
    /// Of the first read that differs, in the first run: see [`super::first::First`].
    pub(super) const FIRST: usize = 7;
    pub(super) const ALL: usize = FIRST + super::first::COUNTS;
}

impl Scenario for KvsSessions {
    type Params = KvsSessionsParams;

    const KEY: &'static str = "kvs-sessions";
    const TITLE: &'static str = "Sessions";
    const SYSTEM: &'static str = "A low-latency key-value store";
    const SUMMARY: &'static str =
        "Users increment a counter and read it back: how fast, and do they read their own writes?";
    const GAUGES: &'static [Gauge] = &[
        Gauge::Latency { name: "request", label: "a request", latency: REQUEST_LATENCY },
        Gauge::Share {
            name: "violations",
            label: "own writes not read",
            over: counts::VIOLATIONS,
            under: counts::READS,
        },
        Gauge::Share {
            name: "stale",
            label: "read less than before",
            over: counts::STALE,
            under: counts::READS,
        },
        Gauge::Ratio {
            name: "lost",
            label: "increments lost in a crash",
            quantity: Quantity::Plain,
            over: counts::LOST,
            under: counts::CRASHES,
            scale: 1.0,
        },
        Gauge::Ratio {
            name: "pause",
            label: "pause of a hand-off",
            quantity: Quantity::Latency,
            over: counts::PAUSED_US,
            under: counts::HAND_OFFS,
            scale: 1e-3,
        },
    ];
    const COUNTS: usize = counts::ALL;
    const EVIDENCE: Evidence = Evidence::Correlated;
    const REPLICATIONS: u32 = 8;
    const WATCHED: Watched = Watched::Messages;
    const SECTIONS: u32 = 8;
    const PRESETS: &'static [Preset] = presets::PRESETS;

    fn requests(params: &KvsSessionsParams) -> u64 {
        u64::from(Self::REPLICATIONS) * params.plays() * params.size()
    }

    fn start(params: KvsSessionsParams, run: &RunSeed) -> Box<dyn Running> {
        Box::new(model::start(&params, run, ()))
    }

    fn exact(params: &KvsSessionsParams) -> Exact {
        truth::exact(params)
    }

    fn sentence(params: &KvsSessionsParams, seen: &Seen) -> Sentence {
        picture::sentence(params, seen)
    }

    fn figures(params: &KvsSessionsParams, seen: &Seen) -> Vec<Figure> {
        figures::all(params, seen)
    }

    fn notes(params: &KvsSessionsParams) -> Vec<String> {
        picture::notes(params)
    }

    fn replay(params: KvsSessionsParams, seed: u64, share: f64) -> Option<Replay> {
        replay::replay(&params, seed, share)
    }

    fn traffic(params: &KvsSessionsParams, run: &RunSeed) -> Option<Traffic> {
        traffic::traffic(params, run)
    }

    fn deadline_ms(_params: &KvsSessionsParams) -> Option<f64> {
        None
    }
}

impl KvsSessionsParams {
    /// The requests of one play of the whole.
    pub fn size(&self) -> u64 {
        u64::from(self.clients) * u64::from(self.requests_each)
    }

    /// How often each run plays the whole.
    pub fn plays(&self) -> u64 {
        u64::from(self.requests).div_ceil(u64::from(KvsSessions::REPLICATIONS) * self.size())
    }

    pub fn has_copies(&self) -> bool {
        matches!(self.topology, Topology::Replica | Topology::CoLocated)
    }

    pub fn is_tied(&self) -> bool {
        self.balancer == Balancer::Sticky
    }

    /// The node that a user's key is at, where keys are sharded: as evenly spread as users, and apart from them.
    pub fn owner(&self, user: u32) -> u32 {
        user / self.nodes % self.nodes
    }

    /// Whether a user's request at a node needs another, for itself or for its key.
    fn touches(&self, user: u32, node: u32, other: u32) -> bool {
        node == other || self.topology == Topology::Sharded && self.owner(user) == other
    }

    /// Whether no user can ever read anything but what he wrote.
    pub fn always_own(&self) -> bool {
        let tied = self.balancer == Balancer::Sticky;
        match (self.topology, self.failure) {
            (Topology::Central, _) => true,
            (Topology::Sharded, failure) => failure != Failure::Crash,
            (Topology::CoLocated, Failure::Crash) => tied && self.replication == Replication::Sync,
            (Topology::CoLocated, _) => tied,
            (Topology::Replica, _) => false,
        }
    }

    /// Whether a crash takes increments along.
    pub fn can_lose(&self) -> bool {
        match self.topology {
            Topology::Sharded => true,
            Topology::CoLocated => self.replication == Replication::Async,
            Topology::Central | Topology::Replica => false,
        }
    }
}
