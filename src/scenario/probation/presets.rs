//! Settings with a name, and the figures that they are held against.

use crate::scenario::{Preset, Row};

const fn row(label: &'static str, changes: &'static str, measure: &'static str) -> Row {
    Row { label, changes, measure, published: None }
}

const SOURCE: &str = "Dean and Barroso, The Tail at Scale (2013), observe that taking capacity out under load can \
                      improve latency, and give no numbers. The number of servers, the load, how slow a machine gets \
                      and how the intermediary judges are assumed.";

pub(super) const PRESETS: &[Preset] = &[
    Preset {
        name: "A slow machine stays",
        sentence: "A machine at half its speed for ten seconds of a minute, and the p99 is over a second.",
        changes: "",
        rows: &[
            row("stays, p50", "", "request.p50"),
            row("stays, p99", "", "request.p99"),
            row("utilisation", "", "utilisation"),
        ],
        source: SOURCE,
    },
    Preset {
        name: "A slow machine on probation",
        sentence: "With the slow machine out there is less capacity, and the p99 is a twentieth of what it was.",
        changes: "probation=on",
        rows: &[
            row("stays, p50", "probation=off", "request.p50"),
            row("out, p50", "", "request.p50"),
            row("stays, p99", "probation=off", "request.p99"),
            row("out, p99", "", "request.p99"),
            row("share of time out", "", "out"),
            row("never slow, p99", "probation=off&slow_factor=1", "request.p99"),
        ],
        source: SOURCE,
    },
    Preset {
        name: "A little slow",
        sentence: "A machine that only just keeps up makes the p99 half as long again.",
        changes: "slow_factor=1.6&probation=on",
        rows: &[
            row("stays, p99", "probation=off", "request.p99"),
            row("out, p99", "", "request.p99"),
            row("share of time out", "", "out"),
        ],
        source: SOURCE,
    },
];
