//! The mean latency of all users together, by mean value analysis: users think and travel, and stores are exponential
//! and take commands in the order in which they come.

use super::{Failure, KvsSessionsParams, Replication, Topology};
use crate::theory::closed::{Place, flows, one_server_of_two_kinds};

/// Why no exact mean is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unknown {
    /// A node fails half-way, and there is no steady state.
    Fails,
    /// A write waits for its copy, which waits for those before it.
    Copied,
    /// Reads wait for copies.
    Token,
    /// Each node's users share their replica among themselves, and the primary with all others.
    Tied,
    /// Everybody starts by thinking, and that is felt.
    Short,
}

/// Of requests that have to queue at once, by the requests of a play: with more than this, that a play begins without
/// any is felt.
const QUEUED_MAX: f64 = 2e-3;

/// Users who meet each other at stores, and nobody else.
struct Group {
    users: u32,
    /// What a request needs besides the stores, on average.
    travel_ms: f64,
    /// How often it comes to each store.
    visits: Vec<f64>,
}

pub(super) fn mean_ms(params: &KvsSessionsParams) -> Result<f64, Unknown> {
    if params.failure != Failure::None {
        return Err(Unknown::Fails);
    }
    if params.has_copies() {
        let own = params.topology == Topology::CoLocated && params.is_tied();
        if params.replication == Replication::Sync {
            return Err(Unknown::Copied);
        }
        if params.session_token && !own {
            return Err(Unknown::Token);
        }
    }
    let (mean, queued) = match (params.topology, params.is_tied()) {
        (Topology::Replica, true) => return Err(Unknown::Tied),
        (Topology::Sharded, true) => over_shards(params),
        _ => over_groups(params, &groups(params)),
    };
    let requests = params.size() as f64;
    if queued <= QUEUED_MAX * requests { Ok(mean) } else { Err(Unknown::Short) }
}

/// What so many hops take, with the two calls of the store.
fn travel_ms(params: &KvsSessionsParams, hops: f64) -> f64 {
    hops * params.hop_ms + 2.0 * params.ipc_ms
}

fn groups(params: &KvsSessionsParams) -> Vec<Group> {
    let nodes = params.nodes as usize;
    let n = f64::from(params.nodes);
    // A hop each way for either call, wherever the store is elsewhere.
    let elsewhere = (n - 1.0) / n;
    let all = |hops: f64, visits: Vec<f64>| {
        vec![Group { users: params.clients, travel_ms: travel_ms(params, hops), visits }]
    };
    match params.topology {
        Topology::Central => all(6.0, vec![2.0]),
        Topology::Replica => {
            let mut visits = vec![1.0 / n; nodes];
            visits[0] += 1.0;
            all(2.0 + 2.0 * elsewhere, visits)
        }
        Topology::CoLocated if !params.is_tied() => all(2.0, vec![2.0 / n; nodes]),
        Topology::CoLocated => {
            let users = |node: u32| (node..params.clients).step_by(nodes).count() as u32;
            let group = |node| Group {
                users: users(node),
                travel_ms: travel_ms(params, 2.0),
                visits: vec![2.0],
            };
            (0..params.nodes).map(group).collect()
        }
        Topology::Sharded => {
            let group = |owner| Group {
                users: owned(params, owner).count() as u32,
                travel_ms: travel_ms(params, 2.0 + 4.0 * elsewhere),
                visits: vec![2.0],
            };
            (0..params.nodes).map(group).collect()
        }
    }
}

fn owned(params: &KvsSessionsParams, owner: u32) -> impl Iterator<Item = u32> {
    (0..params.clients).filter(move |it| params.owner(*it) == owner)
}

/// The mean latency, each user's requests counting the same, and how many requests are at stores.
fn over_groups(params: &KvsSessionsParams, groups: &[Group]) -> (f64, f64) {
    let (mut sum, mut queued) = (0.0, 0.0);
    for group in groups.iter().filter(|it| 0 < it.users) {
        let mut places = vec![Place::Delay { ms: params.think_ms + group.travel_ms }];
        places.extend(
            group.visits.iter().map(|it| Place::Servers { count: 1, ms: it * params.store_ms }),
        );
        let flows = flows(&places, group.users);
        let flow = &flows[flows.len() - 1];
        sum += f64::from(group.users) * (flow.round_ms - params.think_ms);
        queued += flow.per_ms() * flow.at_ms[1..].iter().sum::<f64>();
    }
    (sum / f64::from(params.clients), queued)
}

/// A shard's users are all at its own node, or all elsewhere, but for a few: two kinds of users, who differ in how
/// long they travel.
fn over_shards(params: &KvsSessionsParams) -> (f64, f64) {
    let travel = [travel_ms(params, 2.0), travel_ms(params, 6.0)];
    let away = travel.map(|it| params.think_ms + it);
    let (mut sum, mut queued) = (0.0, 0.0);
    for owner in 0..params.nodes {
        let local = owned(params, owner).filter(|it| it % params.nodes == owner).count() as u32;
        let users = [local, owned(params, owner).count() as u32 - local];
        let rounds = one_server_of_two_kinds(away, 2.0 * params.store_ms, users);
        for kind in 0..2 {
            let (count, at_ms) = (f64::from(users[kind]), rounds[kind]);
            sum += count * (travel[kind] + at_ms);
            queued += count * at_ms / (away[kind] + at_ms);
        }
    }
    (sum / f64::from(params.clients), queued)
}
