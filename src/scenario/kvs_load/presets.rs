//! Settings with a name, and the figures that they are held against.

use crate::scenario::{Preset, Row};

const fn row(label: &'static str, changes: &'static str, measure: &'static str) -> Row {
    Row { label, changes, measure, published: None }
}

const fn published(label: &'static str, measure: &'static str, value_ms: f64) -> Row {
    Row { label, changes: "", measure, published: Some(value_ms) }
}

const SOURCE: &str = "bootjp, Building a low-latency distributed KVS for personalized content delivery (talk on a \
                      paper of 2020, in Japanese): memtier_benchmark with --threads=16 --requests=10000 and \
                      pipelines of 1 to 10. The connections are the program's default of 50 a thread. Each \
                      published mean fixes one number, what a batch of 5.5 commands takes divided by threads; how \
                      it splits into batch, command and threads is assumed, and so are both round trips.";

const ASSUMED: &str = "Nothing is published for these. The stores are those of the first preset.";

pub(super) const PRESETS: &[Preset] = &[
    Preset {
        name: "Eight hundred connections",
        sentence: "Under full load the store across the network takes 12.5 ms longer; the network is not why.",
        changes: "",
        rows: &[
            published("remote, mean over pipelines 1 to 10", "remote.sweep", 16.79),
            published("co-located, mean over pipelines 1 to 10", "local.sweep", 4.32),
            row("remote, pipeline 1, mean", "", "remote.mean"),
            row("remote, pipeline 10, mean", "pipeline=10", "remote.mean"),
            row("co-located, pipeline 1, mean", "", "local.mean"),
            row("co-located, pipeline 10, mean", "pipeline=10", "local.mean"),
            row("remote, pipeline 1, p99", "", "remote.p99"),
            row("co-located, pipeline 1, p99", "", "local.p99"),
        ],
        source: SOURCE,
    },
    Preset {
        name: "One connection",
        sentence: "Without a queue the hop is nearly all that there is: a fifth of a millisecond.",
        changes: "threads=1&connections=1&deadline_ms=1",
        rows: &[
            row("remote, mean", "", "remote.mean"),
            row("co-located, mean", "", "local.mean"),
            row("remote, p99", "", "remote.p99"),
            row("co-located, p99", "", "local.p99"),
        ],
        source: ASSUMED,
    },
    Preset {
        name: "A shorter wire",
        sentence: "A tenth of the round trip changes nothing while the store is always busy.",
        changes: "rtt_us=20",
        rows: &[
            row("200 µs, mean", "rtt_us=200", "remote.mean"),
            row("20 µs, mean", "", "remote.mean"),
            row("2,000 µs, mean", "rtt_us=2000", "remote.mean"),
            row("20 µs, mean over pipelines 1 to 10", "", "remote.sweep"),
        ],
        source: ASSUMED,
    },
    Preset {
        name: "As many threads",
        sentence: "Four threads across the network answer within the 10 ms as well.",
        changes: "server_threads=4",
        rows: &[
            row("one thread, mean over pipelines 1 to 10", "server_threads=1", "remote.sweep"),
            row("four threads, mean over pipelines 1 to 10", "", "remote.sweep"),
            row("four threads, pipeline 10, p99", "pipeline=10", "remote.p99"),
            row("co-located, mean over pipelines 1 to 10", "", "local.sweep"),
        ],
        source: ASSUMED,
    },
];
