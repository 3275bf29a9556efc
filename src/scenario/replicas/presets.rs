//! Settings with a name, and the figures that they are held against.

use crate::scenario::{Preset, Row};

/// Where the published table was fitted, and how well.
const TABLE_2: &str = "Dean and Barroso, The Tail at Scale (2013), table 2. Five parameters are fitted to its \
                       sixteen numbers: the mean and the variation of a service, the other work without and with \
                       the terasort, and the share of calls without a useful replica; the load of the benchmark \
                       itself is assumed. Each number is met within 7 %, but what tying gains, relative to \
                       sending once, comes out up to 8 points off.";

pub(super) const PRESETS: &[Preset] = &[
    Preset {
        name: "Tied reads, idle cluster",
        sentence: "A second copy a millisecond later, tied to the first, takes a third off the p99 for a third of \
                   a per cent of the disks.",
        changes: "policy=tied",
        rows: &[
            published("sent once, p50", "policy=single", "request.p50", 19.0),
            published("sent once, p90", "policy=single", "request.p90", 38.0),
            published("sent once, p99", "policy=single", "request.p99", 67.0),
            published("sent once, p99.9", "policy=single", "request.p99.9", 98.0),
            published("tied after 1 ms, p50", "", "request.p50", 16.0),
            published("tied after 1 ms, p90", "", "request.p90", 29.0),
            published("tied after 1 ms, p99", "", "request.p99", 42.0),
            published("tied after 1 ms, p99.9", "", "request.p99.9", 61.0),
            shown("tied after 1 ms, wasted", "", "wasted"),
        ],
        source: TABLE_2,
    },
    Preset {
        name: "Tied reads beside a sort",
        sentence: "With a sort running beside them, tied reads are as quick as single reads without it.",
        changes: "background=0.535&policy=tied",
        rows: &[
            published("sent once, p50", "policy=single", "request.p50", 24.0),
            published("sent once, p90", "policy=single", "request.p90", 56.0),
            published("sent once, p99", "policy=single", "request.p99", 108.0),
            published("sent once, p99.9", "policy=single", "request.p99.9", 159.0),
            published("tied after 1 ms, p50", "", "request.p50", 19.0),
            published("tied after 1 ms, p90", "", "request.p90", 38.0),
            published("tied after 1 ms, p99", "", "request.p99", 67.0),
            published("tied after 1 ms, p99.9", "", "request.p99.9", 108.0),
            shown("tied after 1 ms, wasted", "", "wasted"),
        ],
        source: TABLE_2,
    },
    Preset {
        name: "What the numbers need",
        sentence: "If every read had a useful replica and no other work shared the disks, tied reads would do \
                   much better than was published.",
        changes: "background=0.535&policy=tied&shared_congestion=0",
        rows: &[
            shown(
                "no useful replica for 15.5 % of reads, p99.9",
                "shared_congestion=0.155",
                "request.p99.9",
            ),
            shown("always a useful replica, p99.9", "", "request.p99.9"),
            shown("and no other work, p99.9", "load=0.635&background=0", "request.p99.9"),
        ],
        source: "The settings of the published table, with two of its fitted parameters taken away. What it says \
                 nothing of, the congestion that replicas share and the work of others, is needed to meet it.",
    },
    Preset {
        name: "The delay of a tied request",
        sentence: "Twice the time of a message is enough: by then the first copy has told the second whether it \
                   has started.",
        changes: "load=0.2&background=0&shared_congestion=0&policy=tied",
        rows: &[
            shown("after 0 ms, wasted", "delay_ms=0", "wasted"),
            shown("after 0 ms, p99", "delay_ms=0", "request.p99"),
            shown("after 0.5 ms, wasted", "delay_ms=0.5", "wasted"),
            shown("after 0.5 ms, p99", "delay_ms=0.5", "request.p99"),
            shown("after 1 ms, wasted", "delay_ms=1", "wasted"),
            shown("after 1 ms, p99", "delay_ms=1", "request.p99"),
            shown("after 2 ms, wasted", "delay_ms=2", "wasted"),
            shown("after 2 ms, p99", "delay_ms=2", "request.p99"),
            shown("after 5 ms, wasted", "delay_ms=5", "wasted"),
            shown("after 5 ms, p99", "delay_ms=5", "request.p99"),
            shown("after 20 ms, wasted", "delay_ms=20", "wasted"),
            shown("after 20 ms, p99", "delay_ms=20", "request.p99"),
        ],
        source: "The technique and the delay of twice the mean message are from Dean and Barroso, The Tail at \
                 Scale (2013); the settings are those of its table 2 without other work, at a higher load.",
    },
    Preset {
        name: "Two copies at load 0.63",
        sentence: "Tied copies cost next to nothing; hedges that are sent too soon nearly double the load.",
        changes: "load=0.63&background=0&shared_congestion=0&policy=tied",
        rows: &[
            shown("sent once, p50", "policy=single", "request.p50"),
            shown("sent once, p99", "policy=single", "request.p99"),
            shown("tied after 1 ms, p50", "", "request.p50"),
            shown("tied after 1 ms, p99", "", "request.p99"),
            shown("shortest of two, p99", "policy=single&routing=probe", "request.p99"),
            shown("hedged after 1 ms, p50", "policy=hedge", "request.p50"),
            shown("hedged after 1 ms, utilisation", "policy=hedge", "utilisation"),
            shown("hedged after 1 ms, wasted", "policy=hedge", "wasted"),
            shown("hedged after 30 ms, p99", "policy=hedge&delay_ms=30", "request.p99"),
            shown("hedged after 30 ms, utilisation", "policy=hedge&delay_ms=30", "utilisation"),
            shown("hedged after 30 ms, wasted", "policy=hedge&delay_ms=30", "wasted"),
        ],
        source: "A demonstration: the service times of table 2 of Dean and Barroso, The Tail at Scale (2013), \
                 without other work and with a useful replica for every call.",
    },
    Preset {
        name: "A stale probe",
        sentence: "The shortest of two queues is a good choice only while it is still the shortest.",
        changes: "load=0.63&background=0&shared_congestion=0&routing=probe&probe_age_ms=30",
        rows: &[
            shown("sent once, p99", "routing=random", "request.p99"),
            shown("0 ms old, p99", "probe_age_ms=0", "request.p99"),
            shown("5 ms old, p99", "probe_age_ms=5", "request.p99"),
            shown("15 ms old, p99", "probe_age_ms=15", "request.p99"),
            shown("30 ms old, p99", "probe_age_ms=30", "request.p99"),
            shown("60 ms old, p99", "probe_age_ms=60", "request.p99"),
        ],
        source: "A demonstration of the first of three reasons that Dean and Barroso, The Tail at Scale (2013), \
                 give against probing: loads change between the probe and the request. A call also travels for a \
                 message's time after the choice.",
    },
    Preset {
        name: "The herd",
        sentence: "When all clients see the same board, all go to the server that was idle on it.",
        changes: "load=0.63&background=0&shared_congestion=0&routing=board&board_ms=30",
        rows: &[
            shown("sent once, p99", "routing=random", "request.p99"),
            shown("always up to date, p99", "board_ms=0", "request.p99"),
            shown("every 1 ms, p99", "board_ms=1", "request.p99"),
            shown("every 5 ms, p99", "board_ms=5", "request.p99"),
            shown("every 15 ms, p99", "board_ms=15", "request.p99"),
            shown("every 30 ms, p99", "board_ms=30", "request.p99"),
            shown("every 60 ms, p99", "board_ms=60", "request.p99"),
        ],
        source: "A demonstration of the third of three reasons that Dean and Barroso, The Tail at Scale (2013), \
                 give against probing: all clients choose the same server. Servers that look equally idle are \
                 chosen at random.",
    },
    Preset {
        name: "Queue length is not work",
        sentence: "A short queue may hold a long job: a copy in each of two queues finds out, a probe does not.",
        changes: "load=0.63&background=0&shared_congestion=0&outlier_rate=0.05&policy=tied",
        rows: &[
            shown("sent once, p90", "policy=single", "request.p90"),
            shown("shortest of two, p90", "policy=single&routing=probe", "request.p90"),
            shown("tied after 1 ms, p90", "", "request.p90"),
            shown("sent once, p95", "policy=single", "request.p95"),
            shown("shortest of two, p95", "policy=single&routing=probe", "request.p95"),
            shown("tied after 1 ms, p95", "", "request.p95"),
        ],
        source: "A demonstration of the second of three reasons that Dean and Barroso, The Tail at Scale (2013), \
                 give against probing: service times are hard to tell beforehand. One service in twenty takes ten \
                 times as long; the mean is the same.",
    },
    Preset {
        name: "The ladder",
        sentence: "At the same load of 80 %, each way to use a second queue is better than the one before.",
        changes: "load=0.8&background=0&shared_congestion=0&policy=tied&delay_ms=0\
                  &service=exponential&service_ms=1&servers=1000&hop_ms=0&deadline_ms=10&warm_up=100000",
        rows: &[
            shown("random, mean", "policy=single", "request.mean"),
            shown("shortest of two, mean", "policy=single&routing=probe", "request.mean"),
            shown("tied, mean", "", "request.mean"),
            shown(
                "both run until one is done, mean",
                "policy=duplicate&cancel=interrupt",
                "request.mean",
            ),
            shown("random, p99", "policy=single", "request.p99"),
            shown("shortest of two, p99", "policy=single&routing=probe", "request.p99"),
            shown("tied, p99", "", "request.p99"),
            shown(
                "both run until one is done, p99",
                "policy=duplicate&cancel=interrupt",
                "request.p99",
            ),
        ],
        source: "Exponential services and messages that take no time, for which closed forms are known: \
                 Mitzenmacher (2001) for the shortest of two, Gardner and others (2017) for copies that run until \
                 one is done.",
    },
    Preset {
        name: "Two copies of everything",
        sentence: "Sending all twice and cancelling nothing helps below a third of the load, and ruins what is \
                   above.",
        changes: "load=0.3&background=0&shared_congestion=0&policy=duplicate&cancel=off\
                  &service=exponential&service_ms=1&servers=200&hop_ms=0&deadline_ms=10",
        rows: &[
            shown("load 0.2, sent once, mean", "load=0.2&policy=single", "request.mean"),
            shown("load 0.2, twice, mean", "load=0.2", "request.mean"),
            shown("load 0.3, sent once, mean", "policy=single", "request.mean"),
            shown("load 0.3, twice, mean", "", "request.mean"),
            shown("load 0.4, sent once, mean", "load=0.4&policy=single", "request.mean"),
            shown("load 0.4, twice, mean", "load=0.4", "request.mean"),
        ],
        source: "Exponential services: each copy meets queues at twice the load, and the first of two answers \
                 counts, so that the mean is 1 / (2 (1 - 2 r)) services against 1 / (1 - r).",
    },
    Preset {
        name: "A hundred calls",
        sentence: "A request to a hundred servers waits for the slowest; a second copy of one call in twenty takes \
                   more than half off its median.",
        changes: "load=0.4&background=0&shared_congestion=0&policy=hedge&delay_ms=40&fan_out=100\
                  &servers=1000&requests=20000&warm_up=500&deadline_ms=200&outlier_rate=0.001\
                  &outlier_factor=20",
        rows: &[
            shown("sent once, p50", "policy=single", "request.p50"),
            shown("sent once, p90", "policy=single", "request.p90"),
            shown("hedged after 40 ms, p50", "", "request.p50"),
            shown("hedged after 40 ms, p90", "", "request.p90"),
            shown("hedged after 40 ms, extra copies", "", "extra"),
            shown("tied after 1 ms, p50", "policy=tied&delay_ms=1", "request.p50"),
            shown("tied after 1 ms, p90", "policy=tied&delay_ms=1", "request.p90"),
        ],
        source: "A demonstration: fan-out and queues together. Service times as in table 2 of Dean and Barroso, \
                 The Tail at Scale (2013).",
    },
];

const fn published(
    label: &'static str,
    changes: &'static str,
    measure: &'static str,
    value: f64,
) -> Row {
    Row { label, changes, measure, published: Some(value) }
}

/// A number that nobody published.
const fn shown(label: &'static str, changes: &'static str, measure: &'static str) -> Row {
    Row { label, changes, measure, published: None }
}
