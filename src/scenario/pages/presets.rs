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

const SOURCE: &str = "Matsunuma, Chiba, Sato and Kourai, Page-level Queue Scheduling, Tokyo Institute of Technology, \
                      table of response times with 50 requests always in progress. The contention curve was fitted to \
                      these times. How many answers the worst and the best are of is not published: 50 without a \
                      limit, 300 with one and 12 of the client that goes first are assumed, as are the 5 answers \
                      that a step of the limit takes and the 5 s that this client thinks for.";

const MIXED: &str = "Matsunuma, Chiba, Sato and Kourai, Page-level Queue Scheduling, Tokyo Institute of Technology: 30 \
                     clients of a light page, after 10 s 80 of a heavy one, two processors. Published as plots without \
                     numbers. The light page's 1 ms and its clients' 25 ms, how the pages slow each other down and the \
                     minute that is watched are assumed.";

const LIMITED: &str = "scheduler=adaptive&worst_of=300";
const PRIORITY: &str = "scheduler=adaptive&priority_clients=1&worst_of=12";

pub(super) const PRESETS: &[Preset] = &[
    Preset {
        name: "Fifty at once",
        sentence: "Fifty requests that run at once hold each other up; a limit saves a third of the time.",
        changes: "",
        rows: &[
            published("no limit, worst", "", "heavy.worst", 41_260.0),
            published("no limit, best", "", "heavy.best", 26_370.0),
            published("no limit, mean", "", "heavy.mean", 37_500.0),
            published("adaptive, worst", LIMITED, "heavy.worst", 25_550.0),
            published("adaptive, best", LIMITED, "heavy.best", 23_060.0),
            published("adaptive, mean", LIMITED, "heavy.mean", 24_540.0),
            published("adaptive, first in line, worst", PRIORITY, "priority.worst", 1_730.0),
            published("adaptive, first in line, best", PRIORITY, "priority.best", 640.0),
            published("adaptive, first in line, mean", PRIORITY, "priority.mean", 1_140.0),
        ],
        source: SOURCE,
    },
    Preset {
        name: "A limit that adapts",
        sentence: "The page's own throughput tells how many at once are best: about two.",
        changes: "scheduler=adaptive",
        rows: &[
            published("time, 30 clients", "heavy_clients=30", "heavy.time", 0.7),
            published("time, 40 clients", "heavy_clients=40", "heavy.time", 0.7),
            published("time, 50 clients", "", "heavy.time", 0.7),
            row("mean limit, 50 clients", "", "limit"),
        ],
        source: "Matsunuma, Chiba, Sato and Kourai, Page-level Queue Scheduling, Tokyo Institute of Technology: about \
                 30 % better, without saying at how many requests. The contention curve was fitted; the 5 answers that \
                 a step of the limit takes are assumed.",
    },
    Preset {
        name: "First in line",
        sentence: "Where requests wait in a queue, one client can go first, and wait for hardly any.",
        changes: PRIORITY,
        rows: &[
            row("in line, mean", "", "heavy.mean"),
            row("first in line, mean", "", "priority.mean"),
            row("no limit, first in line, mean", "scheduler=none", "priority.mean"),
        ],
        source: SOURCE,
    },
    Preset {
        name: "A fixed limit",
        sentence: "A limit of two is as good as any that adapts, for whoever knows it beforehand.",
        changes: "scheduler=fixed",
        rows: &[
            row("at most 1, mean", "limit=1", "heavy.mean"),
            row("at most 2, mean", "", "heavy.mean"),
            row("at most 5, mean", "limit=5", "heavy.mean"),
            row("at most 10, mean", "limit=10", "heavy.mean"),
            row("at most 20, mean", "limit=20", "heavy.mean"),
        ],
        source: SOURCE,
    },
    Preset {
        name: "A light page beside it",
        sentence: "Eighty heavy requests at once stall a light page; with a limit it hardly notices them.",
        changes: "heavy_clients=80&scheduler=adaptive&light_clients=30&run_s=60&requests=4000000&warm_up=0",
        rows: &[
            row("light page, alone", "", "light.alone"),
            row("no limit, light page", "scheduler=none", "light.rate"),
            row("adaptive, light page", "", "light.rate"),
            row("no limit, 10 ms without a light answer", "scheduler=none", "light.stalled"),
            row("adaptive, 10 ms without a light answer", "", "light.stalled"),
            row("adaptive, mean limit", "", "limit"),
            row("adaptive, heavy page", "", "heavy.rate"),
        ],
        source: MIXED,
    },
    Preset {
        name: "Pages that mind each other",
        sentence: "A limit that counts what it takes from the light page settles where both are quicker.",
        changes: "heavy_clients=80&scheduler=coordinated&light_clients=30&run_s=60&requests=4000000&warm_up=0",
        rows: &[
            row("adaptive, light page", "scheduler=adaptive", "light.rate"),
            row("coordinated, light page", "", "light.rate"),
            row("adaptive, heavy page", "scheduler=adaptive", "heavy.rate"),
            row("coordinated, heavy page", "", "heavy.rate"),
            row("fixed at 1, heavy page", "scheduler=fixed&limit=1", "heavy.rate"),
            row("fixed at 2, heavy page", "scheduler=fixed&limit=2", "heavy.rate"),
        ],
        source: MIXED,
    },
    Preset {
        name: "Far from the best",
        sentence: "From a limit of twenty a quarter of an hour goes by: so many at once make every measurement noise.",
        changes: "scheduler=adaptive&limit=20",
        rows: &[
            row("steps of 1, until the best limit", "", "climb"),
            row("steps of 5, until the best limit", "step=5", "climb"),
            row("steps of 1, 50 answers each", "samples=50", "climb"),
        ],
        source: SOURCE,
    },
    Preset {
        name: "Stuck at a bound",
        sentence: "At the greatest limit the rule divides nothing by nothing, and stays there for ever.",
        changes: "scheduler=adaptive&limit=50&at_bound=rise",
        rows: &[
            row("stays, and rises, mean", "", "heavy.mean"),
            row("turns round, mean", "at_bound=reflect", "heavy.mean"),
        ],
        source: SOURCE,
    },
];
