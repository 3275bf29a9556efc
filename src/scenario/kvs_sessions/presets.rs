//! Settings with a name, and the figures that they are held against.

use crate::scenario::{Preset, Row};

const fn row(label: &'static str, changes: &'static str, measure: &'static str) -> Row {
    Row { label, changes, measure, published: None }
}

const fn published(
    label: &'static str,
    changes: &'static str,
    measure: &'static str,
    value: f64,
) -> Row {
    Row { label, changes, measure, published: Some(value) }
}

pub(super) const PRESETS: &[Preset] = &[
    Preset {
        name: "A store at every node, users tied to it",
        sentence: "Every user reads exactly what he wrote, without a message between nodes.",
        changes: "",
        rows: &[
            published("own writes not read", "", "violations", 0.0),
            row("read less than before", "", "stale"),
            row("p50", "", "request.p50"),
            row("p99", "", "request.p99"),
        ],
        source: "bootjp, Building a low-latency distributed KVS for personalised content delivery, talk \
                 (2020): 100 clients with 100 requests each, and the count that a client kept always was the count \
                 that it read. The number of nodes, all times and the replication lag are assumed.",
    },
    Preset {
        name: "Four places for the store",
        sentence: "Every hop between node and store is paid twice: for the write, and for reading it back.",
        changes: "balancer=random",
        rows: &[
            row("one for all, p50", "topology=central", "request.p50"),
            row("one for all, p99", "topology=central", "request.p99"),
            row("one for all, own writes not read", "topology=central", "violations"),
            row("replicas to read, p50", "topology=replica", "request.p50"),
            row("replicas to read, p99", "topology=replica", "request.p99"),
            row("replicas to read, own writes not read", "topology=replica", "violations"),
            row("sharded, p50", "topology=sharded", "request.p50"),
            row("sharded, p99", "topology=sharded", "request.p99"),
            row("sharded, own writes not read", "topology=sharded", "violations"),
            row("at every node, p50", "", "request.p50"),
            row("at every node, p99", "", "request.p99"),
            row("at every node, own writes not read", "", "violations"),
        ],
        source: "bootjp (2020) compares the four and measures two of them; all numbers of this preset are assumed.",
    },
    Preset {
        name: "Any node for any request",
        sentence: "Without tied users the same stores are as fast, and most reads miss a write.",
        changes: "balancer=random",
        rows: &[
            row("a lag of 0.5 ms", "lag_ms=0.5", "violations"),
            row("a lag of 1 ms", "lag_ms=1", "violations"),
            row("a lag of 5 ms", "lag_ms=5", "violations"),
            row("a lag of 20 ms", "", "violations"),
            row("a lag of 100 ms", "lag_ms=100", "violations"),
            row("a lag of 20 ms, read less than before", "", "stale"),
            row("with a session token", "session_token=on", "violations"),
            row("with a session token, p50", "session_token=on", "request.p50"),
        ],
        source: "bootjp (2020) names replication lag as the weakness of replicas, and gives no numbers. All settings \
                 are assumed.",
    },
    Preset {
        name: "A node crashes",
        sentence: "What it had not shipped is lost, and its users' counters are wrong from then on.",
        changes: "failure=crash",
        rows: &[
            row("wrong answers, a lag of 1 ms", "lag_ms=1", "violations"),
            row("wrong answers, a lag of 5 ms", "lag_ms=5", "violations"),
            row("wrong answers, a lag of 20 ms", "", "violations"),
            row("wrong answers, a lag of 100 ms", "lag_ms=100", "violations"),
            row("increments lost", "", "lost"),
            row("with a session token", "session_token=on", "violations"),
            row("a copy before the answer, wrong answers", "replication=sync", "violations"),
            row("a copy before the answer, p50", "replication=sync", "request.p50"),
        ],
        source: "bootjp (2020) leaves consistency when a node goes down to future work. All settings are assumed.",
    },
    Preset {
        name: "A node is replaced",
        sentence: "Handed over as planned, no write is lost; its users wait until all has been shipped.",
        changes: "failure=hand-off",
        rows: &[
            row("own writes not read", "", "violations"),
            row("pause", "", "pause"),
            row("pause, a lag of 5 ms", "lag_ms=5", "pause"),
            row("p99.9", "", "request.p99.9"),
        ],
        source: "bootjp (2020) leaves consistency when a node is replaced to future work. All settings are assumed.",
    },
];
