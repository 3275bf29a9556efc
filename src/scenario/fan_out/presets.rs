//! Settings with a name, and the figures that they are held against.

use crate::scenario::{Preset, Row};

pub(super) const PRESETS: &[Preset] = &[
    Preset {
        name: "One in a hundred",
        sentence: "A leaf that is slow once in a hundred answers makes most requests to a hundred leaves slow.",
        changes: "",
        rows: &[
            Row {
                label: "1 in 100, 100 leaves",
                changes: "",
                measure: "over",
                published: Some(0.63),
            },
            Row {
                label: "1 in 1,000, 1,000 leaves",
                changes: "outlier_rate=0.001&fan_out=1000",
                measure: "over",
                published: None,
            },
            Row {
                label: "1 in 10,000, 2,000 leaves",
                changes: "outlier_rate=0.0001&fan_out=2000",
                measure: "over",
                published: Some(0.18),
            },
        ],
        source: "Dean and Barroso, The Tail at Scale (2013), the figure and the text beside it. Nothing is fitted: \
                 the share is 1 − (1 − p)ⁿ. The spread of ordinary answers is assumed.",
    },
    Preset {
        name: "A large service tree",
        sentence: "Waiting for the last twentieth of the leaves is half of the p99.",
        changes: "fan_out=2000&typical_ms=1&spread=0.984&outlier=exponential&outlier_ms=27.2&outlier_rate=0.00023\
                  &request_delay_ms=6.61&request_delay_shape=2.04&deadline_ms=100",
        rows: &[
            Row { label: "one leaf, p50", changes: "", measure: "leaf.p50", published: Some(1.0) },
            Row { label: "one leaf, p95", changes: "", measure: "leaf.p95", published: Some(5.0) },
            Row { label: "one leaf, p99", changes: "", measure: "leaf.p99", published: Some(10.0) },
            Row {
                label: "95 % of leaves, p50",
                changes: "wait_for=0.95",
                measure: "request.p50",
                published: Some(12.0),
            },
            Row {
                label: "95 % of leaves, p95",
                changes: "wait_for=0.95",
                measure: "request.p95",
                published: Some(32.0),
            },
            Row {
                label: "95 % of leaves, p99",
                changes: "wait_for=0.95",
                measure: "request.p99",
                published: Some(70.0),
            },
            Row {
                label: "all leaves, p50",
                changes: "",
                measure: "request.p50",
                published: Some(40.0),
            },
            Row {
                label: "all leaves, p95",
                changes: "",
                measure: "request.p95",
                published: Some(87.0),
            },
            Row {
                label: "all leaves, p99",
                changes: "",
                measure: "request.p99",
                published: Some(140.0),
            },
        ],
        source: "Dean and Barroso, The Tail at Scale (2013), table 1. Six parameters are fitted: both laws of the \
                 leaf and the delay that a request has as a whole; one leaf stands on its own, without that delay. \
                 Taken as one set of leaf answers the table contradicts itself, whatever the correlation: if 95 % of \
                 the leaves need 12 ms in half of the requests, then at least 2.5 % of leaf answers take 12 ms or \
                 more, but a leaf's p99 of 10 ms allows 1 %. Independent leaves alone would give 5.04, 5.45 and \
                 5.63 ms for 95 %.",
    },
    Preset {
        name: "Reading 1,000 keys",
        sentence: "A second copy after 10 ms brings the p99.9 of the read from 1.7 s to 76 ms for 2 % more calls.",
        changes: "fan_out=1000&typical_ms=0.188&spread=1.921&outlier_rate=0&hedge=after&hedge_ms=10&deadline_ms=100",
        rows: &[
            Row {
                label: "not hedged, p99.9",
                changes: "hedge=off",
                measure: "request.p99.9",
                published: Some(1_800.0),
            },
            Row {
                label: "hedged after 10 ms, p99.9",
                changes: "",
                measure: "request.p99.9",
                published: Some(74.0),
            },
            Row {
                label: "hedged after 10 ms, more calls",
                changes: "",
                measure: "extra",
                published: Some(0.02),
            },
            Row {
                label: "after 1 ms, p99.9",
                changes: "hedge_ms=1",
                measure: "request.p99.9",
                published: None,
            },
            Row {
                label: "after 1 ms, more calls",
                changes: "hedge_ms=1",
                measure: "extra",
                published: None,
            },
            Row {
                label: "after 50 ms, p99.9",
                changes: "hedge_ms=50",
                measure: "request.p99.9",
                published: None,
            },
            Row {
                label: "after 50 ms, more calls",
                changes: "hedge_ms=50",
                measure: "extra",
                published: None,
            },
            Row {
                label: "1 in 1,000 late calls slow on the replica too, p99.9",
                changes: "shared_cause=0.001",
                measure: "request.p99.9",
                published: None,
            },
            Row {
                label: "1 in 10 late calls slow on the replica too, p99.9",
                changes: "shared_cause=0.1",
                measure: "request.p99.9",
                published: None,
            },
        ],
        source: "Dean and Barroso, The Tail at Scale (2013), the benchmark of hedged reads. Two parameters are fitted, \
                 median and spread of one read. The published 74 ms means that fewer than 1 in 1,000 late calls found \
                 their replica slow for the same reason.",
    },
    Preset {
        name: "Good enough",
        sentence: "Answering when 99 % of the leaves have answered nearly halves the p99.",
        changes: "fan_out=2000&wait_for=0.99&typical_ms=1&spread=0.984&outlier=exponential&outlier_ms=27.2\
                  &outlier_rate=0.00023&request_delay_ms=6.61&request_delay_shape=2.04&deadline_ms=100",
        rows: &[
            Row {
                label: "all leaves, p99",
                changes: "wait_for=1",
                measure: "request.p99",
                published: None,
            },
            Row {
                label: "99.9 %, p99",
                changes: "wait_for=0.999",
                measure: "request.p99",
                published: None,
            },
            Row { label: "99 %, p99", changes: "", measure: "request.p99", published: None },
            Row {
                label: "95 %, p99",
                changes: "wait_for=0.95",
                measure: "request.p99",
                published: None,
            },
        ],
        source: "The service tree's settings. The technique is from Dean and Barroso, The Tail at Scale (2013), which \
                 gives no figure for it.",
    },
    Preset {
        name: "Canary",
        sentence: "Asking one leaf first costs a millisecond or two, since only that one is waited for.",
        changes: "fan_out=2000&canary=1&typical_ms=1&spread=0.984&outlier=exponential&outlier_ms=27.2\
                  &outlier_rate=0.00023&request_delay_ms=6.61&request_delay_shape=2.04&deadline_ms=100",
        rows: &[
            Row {
                label: "without, p50",
                changes: "canary=0",
                measure: "request.p50",
                published: None,
            },
            Row {
                label: "without, p95",
                changes: "canary=0",
                measure: "request.p95",
                published: None,
            },
            Row {
                label: "without, p99",
                changes: "canary=0",
                measure: "request.p99",
                published: None,
            },
            Row {
                label: "with a canary, p50",
                changes: "",
                measure: "request.p50",
                published: None,
            },
            Row {
                label: "with a canary, p95",
                changes: "",
                measure: "request.p95",
                published: None,
            },
            Row {
                label: "with a canary, p99",
                changes: "",
                measure: "request.p99",
                published: None,
            },
        ],
        source: "The service tree's settings. The technique is from Dean and Barroso, The Tail at Scale (2013), which \
                 gives no figure for it.",
    },
    Preset {
        name: "Quorum writes",
        sentence: "A write that needs two of three replicas does not notice the slow one.",
        changes: "fan_out=3&wait_for=0.6",
        rows: &[
            Row {
                label: "3 of 3, over 1 s",
                changes: "wait_for=1",
                measure: "over",
                published: None,
            },
            Row { label: "2 of 3, over 1 s", changes: "", measure: "over", published: None },
            Row {
                label: "3 of 5, over 1 s",
                changes: "fan_out=5",
                measure: "over",
                published: None,
            },
            Row {
                label: "3 of 3, p99",
                changes: "wait_for=1",
                measure: "request.p99",
                published: None,
            },
            Row { label: "2 of 3, p99", changes: "", measure: "request.p99", published: None },
            Row {
                label: "3 of 5, p99",
                changes: "fan_out=5",
                measure: "request.p99",
                published: None,
            },
            Row {
                label: "5 of 5, p99",
                changes: "fan_out=5&wait_for=1",
                measure: "request.p99",
                published: None,
            },
        ],
        source: "Dean and Barroso, The Tail at Scale (2013), say that quorums are tail-tolerant by themselves; the \
                 latencies of a replica are assumed.",
    },
    Preset {
        name: "SSD garbage collection",
        sentence: "Reads that collide with garbage collection take a hundred times longer; a hedge saves them.",
        changes: "fan_out=20&typical_ms=0.1&spread=0.2&outlier_rate=0.002&outlier_ms=10&hedge=after&hedge_ms=0.3\
                  &deadline_ms=1",
        rows: &[
            Row {
                label: "1 in 500 slow, not hedged, p99",
                changes: "hedge=off",
                measure: "request.p99",
                published: None,
            },
            Row {
                label: "1 in 500 slow, hedged, p99",
                changes: "",
                measure: "request.p99",
                published: None,
            },
            Row {
                label: "1 in 500 slow, hedged, p99.9",
                changes: "",
                measure: "request.p99.9",
                published: None,
            },
            Row {
                label: "1 in 50 slow, hedged, p99.9",
                changes: "outlier_rate=0.02",
                measure: "request.p99.9",
                published: None,
            },
        ],
        source: "Dean and Barroso, The Tail at Scale (2013): reads up to a hundred times slower at a moderate write \
                 load. How often they collide is assumed.",
    },
];
