//! Settings with a name, and the figures that they are held against.

use crate::scenario::{Preset, Row};

const fn row(label: &'static str, changes: &'static str, measure: &'static str) -> Row {
    Row { label, changes, measure, published: None }
}

const fn published(label: &'static str, measure: &'static str, value: f64) -> Row {
    Row { label, changes: "", measure, published: Some(value) }
}

/// Of what was measured: the source, and what is fitted, all or in part.
macro_rules! measured {
    ($fitted:literal) => {
        concat!(
            "Kazuho Oku, SSDs for web services: what they could do for search (2008, in Japanese), table 2: 2,000 \
             queries, two at a time, on 847 MB of index with next to no cache. Of the throughputs, given as 7 to 8 and \
             2 to 3 MB/s, the table has the middles. Fitted: the processor's 2.35 ms from main memory, and 11 reads \
             of 12.2 kB from the two throughputs; seen were reads of 10 to 15 kB. ",
            $fitted
        )
    };
}

/// Of what was not.
macro_rules! expected {
    ($assumed:literal) => {
        concat!(
            "Kazuho Oku, SSDs for web services: what they could do for search (2008, in Japanese), expects that an SSD \
             with tens of MB/s of random reads comes near an index in memory, and gives no time: this one is a \
             prediction. ",
            $assumed
        )
    };
}

pub(super) const PRESETS: &[Preset] = &[
    Preset {
        name: "Hard disk",
        sentence: "Eleven times a query the disk moves its head, and the processor is idle for most of the time.",
        changes: "",
        rows: &[
            published("time for 2,000 queries", "total", 128.0),
            published("read", "throughput", 2.5),
            row("a query, mean", "", "query.mean"),
            row("a query, p99", "", "query.p99"),
            row("disk busy", "", "device"),
            row("processor busy", "", "cpu"),
        ],
        source: measured!(
            "The access time of 5.607 ms is fitted, the disk's rate of 60 MB/s assumed."
        ),
    },
    Preset {
        name: "USB flash",
        sentence: "Even a memory stick beats the disk several times, since it has no head to move.",
        changes: "access_ms=0.752&mb_s=15",
        rows: &[
            published("time for 2,000 queries", "total", 35.0),
            published("read", "throughput", 7.5),
            row("a query, mean", "", "query.mean"),
            row("a query, p99", "", "query.p99"),
        ],
        source: measured!("The access time of .752 ms is fitted; 15 MB/s were measured."),
    },
    Preset {
        name: "Main memory",
        sentence: "With the whole index in memory a query is nothing but work for the processor.",
        changes: "hit_ratio=1",
        rows: &[
            published("time for 2,000 queries", "total", 4.7),
            row("a query, mean", "", "query.mean"),
            row("a query, p99", "", "query.p99"),
            row("processor busy", "", "cpu"),
        ],
        source: measured!("So this row comes out by construction."),
    },
    Preset {
        name: "SSD, 20 MB/s",
        sentence: "Flash without an access time, at 20 MB/s of random reads, takes three times as long as memory.",
        changes: "access_ms=0&mb_s=20&yen_per_gb=1000",
        rows: &[
            row("time for 2,000 queries", "", "total"),
            row("a query, mean", "", "query.mean"),
            row("a query, p99", "", "query.p99"),
        ],
        source: expected!(
            "The 20 MB/s and a tenth of the price of memory, 1,000 yen a gigabyte, are the article's."
        ),
    },
    Preset {
        name: "X25-M class",
        sentence: "With channels for every query the processor is the limit again: nearly as fast as memory.",
        changes: "access_ms=0.085&mb_s=250&channels=10&yen_per_gb=1000",
        rows: &[
            row("time for 2,000 queries", "", "total"),
            row("one channel", "channels=1", "total"),
            row("a query, mean", "", "query.mean"),
            row("a query, p99", "", "query.p99"),
        ],
        source: expected!(
            "The access time, the rate and the ten channels are assumed, after the device's class. The \
                           article has it at under 100,000 yen for over 100 GB."
        ),
    },
    Preset {
        name: "A cache before the disk",
        sentence: "Nine reads of ten from memory make the mean nine times better, and the p99 not half as much.",
        changes: "hit_ratio=0.9",
        rows: &[
            row("no cache, time for 2,000 queries", "hit_ratio=0", "total"),
            row("half of the reads, time", "hit_ratio=0.5", "total"),
            row("nine in ten, time", "", "total"),
            row("99 in 100, time", "hit_ratio=0.99", "total"),
            row("no cache, p99", "hit_ratio=0", "query.p99"),
            row("half of the reads, p99", "hit_ratio=0.5", "query.p99"),
            row("nine in ten, p99", "", "query.p99"),
            row("99 in 100, p99", "hit_ratio=0.99", "query.p99"),
            row("all, p99", "hit_ratio=1", "query.p99"),
        ],
        source: "Dean and Barroso, The Tail at Scale (2013), say that caching does not fix the tail unless the whole \
                 working set fits, and give no numbers. The disk is that of the first preset.",
    },
    Preset {
        name: "Garbage collection",
        sentence: "Two reads in a thousand, a hundred times slower: the mean hardly sees them, the p99 is all theirs.",
        changes: "access_ms=0.085&mb_s=250&channels=10&yen_per_gb=1000&gc_rate=0.002",
        rows: &[
            row("without, mean", "gc_rate=0", "query.mean"),
            row("with, mean", "", "query.mean"),
            row("without, p99", "gc_rate=0", "query.p99"),
            row("with, p99", "", "query.p99"),
        ],
        source: "Dean and Barroso, The Tail at Scale (2013): while an SSD collects garbage, reads are up to a hundred \
                 times slower. How often that is, is assumed.",
    },
    Preset {
        name: "More at a time",
        sentence: "More queries at a time keep the disk busy, and from then on only make each other wait.",
        changes: "clients=8",
        rows: &[
            row("one, queries a second", "clients=1", "rate"),
            row("eight, queries a second", "", "rate"),
            row("sixteen, queries a second", "clients=16", "rate"),
            row("one, a query, mean", "clients=1", "query.mean"),
            row("eight, a query, mean", "", "query.mean"),
            row("sixteen, a query, mean", "clients=16", "query.mean"),
        ],
        source: "Nothing is published for these. The disk is that of the first preset.",
    },
];
