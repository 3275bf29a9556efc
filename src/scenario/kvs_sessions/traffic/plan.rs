//! Which nodes there are, and which ways between them, by topology.

use crate::{
    report::{Link, Meaning, MessageKind, Node, NodeKind, Shape, Traffic},
    scenario::kvs_sessions::{
        Failure, KvsSessionsParams, Topology,
        watch::{Cargo, Spot},
    },
    special::Listed,
};

const KINDS: [(Meaning, Shape, &str, &str); 5] = [
    (Meaning::This, Shape::Full, "a write", "writes"),
    (Meaning::This, Shape::Hollow, "a read", "reads"),
    (Meaning::Ink, Shape::Hollow, "an answer", "answers"),
    (
        Meaning::Deadline,
        Shape::Crossed,
        "an answer that misses a write",
        "answers that miss a write",
    ),
    (Meaning::Other, Shape::Diamond, "copies", "copies"),
];

/// The kind of an answer that differs from what its user wrote.
pub(super) const MISSED: u8 = 3;

pub(super) fn kind(cargo: Cargo) -> u8 {
    match cargo {
        Cargo::Write => 0,
        Cargo::Read => 1,
        Cargo::Answer { right: true } => 2,
        Cargo::Answer { right: false } => MISSED,
        Cargo::Copy => 4,
    }
}

/// The nodes, and the links by their ends.
pub(super) struct Plan {
    /// How many groups of users, and how many nodes.
    groups: u32,
    nodes: u32,
    /// All that stand for one another: users of a group, the one store of all.
    central: bool,
    all: Vec<Node>,
    links: Vec<Link>,
    ways: Listed<(u32, u32), u32>,
}

impl Plan {
    pub(super) fn new(params: &KvsSessionsParams) -> Plan {
        let groups = params.nodes.min(params.clients);
        let central = params.topology == Topology::Central;
        let all = nodes(params, groups);
        let mut plan = Plan {
            groups,
            nodes: params.nodes,
            central,
            all,
            links: Vec::new(),
            ways: Listed::default(),
        };
        for (from, to) in ways(params, groups) {
            plan.add(from, to);
        }
        plan
    }

    fn add(&mut self, from: Spot, to: Spot) {
        let Some((from_node, to_node)) = self.node(from).zip(self.node(to)) else { return };
        let through = matches!(from, Spot::User(_)).then_some(self.groups);
        self.ways.insert((from_node, to_node), self.links.len() as u32);
        self.links.push(Link { from: from_node, to: to_node, through });
    }

    /// Where a spot stands among the nodes.
    pub(super) fn node(&self, spot: Spot) -> Option<u32> {
        let at = match spot {
            Spot::User(user) => user % self.nodes,
            Spot::Balancer => self.groups,
            Spot::Node(node) => self.groups + 1 + node,
            Spot::Store(_) if self.central => self.groups + 1 + self.nodes,
            Spot::Store(store) => self.groups + 1 + self.nodes + store,
        };
        ((at as usize) < self.all.len()).then_some(at)
    }

    /// The link between two spots, and whether it is used backwards.
    pub(super) fn link(&self, from: Spot, to: Spot) -> Option<(u32, bool)> {
        let (from, to) = (self.node(from)?, self.node(to)?);
        let there = self.ways.get(&(from, to)).map(|it| (*it, false));
        there.or_else(|| self.ways.get(&(to, from)).map(|it| (*it, true)))
    }

    /// Of nobody yet.
    pub(super) fn traffic(&self, from_ms: f64, length_ms: f64, pace_ms: f64) -> Traffic {
        let kind = |(meaning, shape, one, name): (Meaning, Shape, &str, &str)| MessageKind {
            meaning,
            shape,
            one: one.to_owned(),
            name: name.to_owned(),
        };
        Traffic {
            from_ms,
            length_ms,
            pace_ms,
            nodes: self.all.clone(),
            links: self.links.clone(),
            kinds: KINDS.map(kind).into(),
            messages: Vec::new(),
            stays: Vec::new(),
            changes: Vec::new(),
            followed: None,
        }
    }
}

/// Users by the node that they are tied to, or would be; the balancer; nodes; stores.
fn nodes(params: &KvsSessionsParams, groups: u32) -> Vec<Node> {
    let KvsSessionsParams { nodes, clients, .. } = *params;
    let node = |kind, name: String, place| Node { kind, name, place, count: 1 };
    let mut all = Vec::new();
    for group in 0..groups {
        let count = clients / nodes + u32::from(group < clients % nodes);
        let name = if count == 1 { "1 user".to_owned() } else { format!("{count} users") };
        all.push(Node { count, ..node(NodeKind::Users, name, Some(group)) });
    }
    all.push(node(NodeKind::Balancer, "balancer".to_owned(), None));
    for at in 0..nodes {
        all.push(node(NodeKind::Application, format!("node {}", at + 1), Some(at)));
    }
    let store = |at: u32| match params.topology {
        Topology::Replica if at == 0 => "primary".to_owned(),
        Topology::Replica => format!("replica {}", at + 1),
        Topology::Sharded => format!("shard {}", at + 1),
        _ => format!("store {}", at + 1),
    };
    if params.topology == Topology::Central {
        all.push(node(NodeKind::Store, "the store".to_owned(), None));
    } else {
        all.extend((0..nodes).map(|it| node(NodeKind::Store, store(it), Some(it))));
    }
    all
}

/// Every way that a message may take.
fn ways(params: &KvsSessionsParams, groups: u32) -> Vec<(Spot, Spot)> {
    let nodes = params.nodes;
    let last = nodes - 1;
    let mut ways = Vec::new();
    let moves = |group: u32| params.failure != Failure::None && group == last;
    for group in 0..groups {
        let reached = (0..nodes).filter(|it| !params.is_tied() || group == *it || moves(group));
        ways.extend(reached.map(|it| (Spot::User(group), Spot::Node(it))));
    }
    for node in 0..nodes {
        let called = (0..nodes).filter(|it| match params.topology {
            Topology::Central => *it == 0,
            Topology::Replica => *it == 0 || *it == node,
            Topology::Sharded => true,
            Topology::CoLocated => *it == node,
        });
        ways.extend(called.map(|it| (Spot::Node(node), Spot::Store(it))));
    }
    let pairs = (0..nodes).flat_map(|a| (a + 1..nodes).map(move |b| (a, b)));
    let copied = pairs.filter(|(a, b)| match params.topology {
        Topology::Central => false,
        Topology::Replica => *a == 0,
        // A shard that is handed over goes to the next node, and the next after the last is the first.
        Topology::Sharded => params.failure == Failure::HandOff && (*a, *b) == (0, last),
        Topology::CoLocated => true,
    });
    ways.extend(copied.map(|(a, b)| (Spot::Store(a), Spot::Store(b))));
    ways
}
