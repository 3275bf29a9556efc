//! What is known of sessions: the latency of a user who is alone, and how often writes are missed, nearly.

use std::rc::Rc;

use super::{Failure, KvsSessionsParams, Topology, mean};
use crate::{
    scenario::{Exact, named},
    theory::{Law, Sum, Table, Traced},
};

/// So many times in a row, each exponential with the mean `scale_ms` (Erlang's law).
#[derive(Clone, Copy, Debug)]
struct Erlang {
    shape: u32,
    scale_ms: f64,
}

/// A law of times after a constant one.
#[derive(Clone, Copy, Debug)]
struct After<L> {
    constant_ms: f64,
    then: L,
}

/// Some requests find their store at their own node.
struct Mixed {
    local_share: f64,
    local: Sum<After<Erlang>>,
    remote: Sum<After<Erlang>>,
}

/// The share of a hop that is always the same.
pub(super) const HOP_FIXED: f64 = 0.7;

impl Law for Erlang {
    fn beyond(&self, ms: f64) -> f64 {
        let x = (ms / self.scale_ms).max(0.0);
        let (mut term, mut sum) = (1.0, 1.0);
        for at in 1..self.shape {
            term *= x / f64::from(at);
            sum += term;
        }
        libm::exp(-x) * sum
    }
}

impl<L: Law> Law for After<L> {
    fn beyond(&self, ms: f64) -> f64 {
        if ms < self.constant_ms { 1.0 } else { self.then.beyond(ms - self.constant_ms) }
    }
}

impl Law for Mixed {
    fn beyond(&self, ms: f64) -> f64 {
        let local = if 0.0 < self.local_share { self.local.beyond(ms) } else { 0.0 };
        let remote = if self.local_share < 1.0 { self.remote.beyond(ms) } else { 0.0 };
        self.local_share * local + (1.0 - self.local_share) * remote
    }
}

pub(super) fn exact(params: &KvsSessionsParams) -> Exact {
    let mut exact = Exact::default();
    if params.always_own() {
        exact.values.extend(named([("violations", 0.0), ("stale", 0.0)]));
    }
    if params.failure == Failure::Crash && !params.can_lose() {
        exact.values.push(("lost".into(), 0.0));
    }
    exact.values.extend(mean::mean_ms(params).ok().map(|it| ("request.mean".into(), it)));
    for (topology, name) in ALONE {
        let law: Rc<dyn Law> = Rc::new(alone(&KvsSessionsParams { topology, ..params.clone() }));
        exact.laws.push((name.into(), Traced::new(law)));
    }
    exact
}

/// The laws of a user who is alone, by topology.
pub(super) const ALONE: [(Topology, &str); 4] = [
    (Topology::Central, "central"),
    (Topology::Replica, "replica"),
    (Topology::Sharded, "sharded"),
    (Topology::CoLocated, "co-located"),
];

/// How long a request takes with nobody before it, and writes that are copied afterwards.
fn alone(params: &KvsSessionsParams) -> Mixed {
    let hops = match params.topology {
        Topology::Central | Topology::Sharded => 6,
        Topology::Replica => 4,
        Topology::CoLocated => 2,
    };
    let law = |hops: u32| {
        let spread = Erlang { shape: hops, scale_ms: (1.0 - HOP_FIXED) * params.hop_ms };
        let constant_ms = f64::from(hops) * HOP_FIXED * params.hop_ms + 2.0 * params.ipc_ms;
        let stores = Erlang { shape: 2, scale_ms: params.store_ms };
        Sum::new(&Table::of(&spread, 0.004, 0.2), After { constant_ms, then: stores })
    };
    Mixed { local_share: local_share(params), local: law(2), remote: law(hops) }
}

/// The share of requests whose writing store is at their own node.
fn local_share(params: &KvsSessionsParams) -> f64 {
    let share = |local: &dyn Fn(u32) -> bool| {
        let users = (0..params.clients).filter(|it| local(*it)).count();
        users as f64 / f64::from(params.clients)
    };
    let any = 1.0 / f64::from(params.nodes);
    match params.topology {
        Topology::Central => 0.0,
        Topology::CoLocated => 1.0,
        Topology::Replica | Topology::Sharded if !params.is_tied() => any,
        Topology::Replica => share(&|it| it % params.nodes == 0),
        Topology::Sharded => share(&|it| it % params.nodes == params.owner(it)),
    }
}

/// How many reads miss a write, nearly, where a random node serves each request from its own store: writes of a user
/// come every `think` and what a request takes besides, each to another node with the chance (n - 1)/n, and is not
/// there yet for `lag`. Counted as if they came at random; good for lags of five milliseconds and more.
pub(super) fn violations(params: &KvsSessionsParams, lag_ms: f64) -> f64 {
    let nodes = f64::from(params.nodes);
    let between_ms = params.think_ms + 2.0 * params.hop_ms + params.ipc_ms + params.store_ms;
    let missing = (nodes - 1.0) / nodes * lag_ms / between_ms;
    -libm::expm1(-missing)
}
