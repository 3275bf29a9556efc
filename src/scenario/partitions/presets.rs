//! Settings with a name, and the figures that they are held against.

use crate::scenario::{Preset, Row};

const fn row(label: &'static str, changes: &'static str, measure: &'static str) -> Row {
    Row { label, changes, measure, published: None }
}

pub(super) const PRESETS: &[Preset] = &[
    Preset {
        name: "Twenty partitions a machine",
        sentence: "With many small partitions to move, all machines get the same load.",
        changes: "",
        rows: &[
            Row {
                label: "load shed with one",
                changes: "",
                measure: "step",
                published: Some(0.05),
            },
            row("recovery time, 1 partition", "partitions=1", "recovery"),
            row("recovery time, 5 partitions", "partitions=5", "recovery"),
            row("recovery time, 20 partitions", "", "recovery"),
            row("recovery time, 100 partitions", "partitions=100", "recovery"),
            row("largest over mean load, 1 partition, as dealt", "partitions=1", "imbalance"),
            row("1 partition, moved", "partitions=1", "imbalance.rebalanced"),
            row("5 partitions, as dealt", "partitions=5", "imbalance"),
            row("5 partitions, moved", "partitions=5", "imbalance.rebalanced"),
            row("20 partitions, as dealt", "", "imbalance"),
            row("20 partitions, moved", "", "imbalance.rebalanced"),
            row("100 partitions, as dealt", "partitions=100", "imbalance"),
            row("100 partitions, moved", "partitions=100", "imbalance.rebalanced"),
        ],
        source: "Dean and Barroso, The Tail at Scale (2013): with 20 partitions a machine, load is shed in steps of \
                 about 5 %. The number of machines, the skew of partitions and the load are assumed.",
    },
    Preset {
        name: "Copies of hot items",
        sentence: "Two more copies of the ten most wanted items of ten thousand keep every machine within its means.",
        changes: "hot_items=10",
        rows: &[
            row("no copies, placements that overload a machine", "hot_items=0", "overloaded.any"),
            row("ten items copied, placements that overload a machine", "", "overloaded.any"),
            row("ten items copied, p50", "", "request.p50"),
            row("ten items copied, p99", "", "request.p99"),
        ],
        source: "Dean and Barroso, The Tail at Scale (2013), say to replicate selectively, and give no numbers. Zipf's \
                 exponent, the number of items and the load are assumed.",
    },
    Preset {
        name: "A machine fails",
        sentence: "The partitions of a failed machine go to all others, a few to each.",
        changes: "failure=on&hot_items=10",
        rows: &[
            row("all there, p99", "failure=off", "request.p99"),
            row("one out, p99", "", "request.p99"),
            row("one out, one partition a machine, p90", "partitions=1", "request.p90"),
            row("one out, largest over mean load, as dealt", "", "imbalance"),
            row("one out, largest over mean load, moved", "", "imbalance.rebalanced"),
        ],
        source: "Dean and Barroso, The Tail at Scale (2013), say that many machines recover a failed one fast, and \
                 give no numbers. All settings are assumed.",
    },
];
