//! Settings with a name, and the figures that they are held against.

use crate::scenario::{Preset, Row};

const fn row(label: &'static str, changes: &'static str, measure: &'static str) -> Row {
    Row { label, changes, measure, published: None }
}

const SOURCE: &str = "Dean and Barroso, The Tail at Scale (2013), say to break long requests into pieces and \
                      interleave short ones, and give no numbers. The load, the share of long requests and both \
                      service times are assumed.";

pub(super) const PRESETS: &[Preset] = &[
    Preset {
        name: "Head of the line",
        sentence: "One long request in a hundred, and a short one may wait for a quarter of a second.",
        changes: "",
        rows: &[
            row("short, mean", "", "cheap.mean"),
            row("short, p99", "", "cheap.p99"),
            row("long, p99", "", "heavy.p99"),
        ],
        source: SOURCE,
    },
    Preset {
        name: "Slices of time",
        sentence: "Served by turns, a short request takes 8 ms instead of a quarter of a second; long ones pay for it.",
        changes: "discipline=slice",
        rows: &[
            row("in order, short, p99", "discipline=fifo", "cheap.p99"),
            row("slices of 10 ms, short, p99", "slice_ms=10", "cheap.p99"),
            row("slices of 1 ms, short, p99", "", "cheap.p99"),
            row("in order, long, p99", "discipline=fifo", "heavy.p99"),
            row("slices of 1 ms, long, p99", "", "heavy.p99"),
            row("all at once, short, mean", "discipline=sharing", "cheap.mean"),
            row("all at once, long, mean", "discipline=sharing", "heavy.mean"),
        ],
        source: SOURCE,
    },
    Preset {
        name: "Keep low-level queues short",
        sentence: "Priority above helps little once requests have gone down to a queue that knows none.",
        changes: "discipline=priority&device_queue=10",
        rows: &[
            row("none handed down, short, mean", "device_queue=0", "cheap.mean"),
            row("none handed down, short, p99", "device_queue=0", "cheap.p99"),
            row("one handed down, short, p99", "device_queue=1", "cheap.p99"),
            row("ten handed down, short, p99", "", "cheap.p99"),
            row("a hundred handed down, short, p99", "device_queue=100", "cheap.p99"),
            row("no priority, short, p99", "discipline=fifo", "cheap.p99"),
        ],
        source: "Dean and Barroso, The Tail at Scale (2013), say to keep low-level queues short so that higher-level \
                 policies take effect sooner, and give no numbers. All settings are assumed.",
    },
];
