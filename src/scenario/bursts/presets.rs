//! Settings with a name, and the figures that they are held against.

use crate::scenario::{Preset, Row};

const fn row(label: &'static str, changes: &'static str, measure: &'static str) -> Row {
    Row { label, changes, measure, published: None }
}

const SOURCE: &str = "Dean and Barroso, The Tail at Scale (2013), say to synchronise background activities, and give \
                      no numbers. The length of a burst, its period and the spread of answers are assumed.";

pub(super) const PRESETS: &[Preset] = &[
    Preset {
        name: "Each at its own time",
        sentence: "Servers that are busy for a hundredth of the time, each when it likes, hold up most requests.",
        changes: "",
        rows: &[
            row("met a burst", "", "hit"),
            row("p50", "", "request.p50"),
            row("p95", "", "request.p95"),
            row("p99", "", "request.p99"),
            row("p99.9", "", "request.p99.9"),
            row("no background work, p50", "burst_ms=0", "request.p50"),
            row("no background work, p99", "burst_ms=0", "request.p99"),
            row("no background work, p99.9", "burst_ms=0", "request.p99.9"),
        ],
        source: SOURCE,
    },
    Preset {
        name: "All at once",
        sentence: "The same work at one time everywhere holds up one request in a hundred; the p99.9 is no better.",
        changes: "synchronised=on",
        rows: &[
            row("met a burst", "", "hit"),
            row("p50", "", "request.p50"),
            row("p95", "", "request.p95"),
            row("p99", "", "request.p99"),
            row("p99.9", "", "request.p99.9"),
        ],
        source: SOURCE,
    },
    Preset {
        name: "In small pieces",
        sentence: "Cut into ten pieces, the work is met as often, but a request waits for a tenth of it at most.",
        changes: "pieces=10",
        rows: &[
            row("one piece, p50", "pieces=1", "request.p50"),
            row("ten pieces, p50", "", "request.p50"),
            row("one piece, p99", "pieces=1", "request.p99"),
            row("ten pieces, p99", "", "request.p99"),
            row("ten pieces, all at once, p99.9", "synchronised=on", "request.p99.9"),
        ],
        source: "Dean and Barroso, The Tail at Scale (2013), say to break large operations into smaller ones, and give \
                 no numbers. The length of a burst, its period and the spread of answers are assumed.",
    },
];
