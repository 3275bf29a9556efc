//! The figures of storage, as plain data.

use super::{MEMORY_YEN_PER_GB, QUERY_LATENCY, StorageParams, truth};
use crate::{
    format::{count, given, short},
    report::{
        AxisScale, Cell, Column, Figure, Here, Label, Mark, Meaning, Point, Quantity, Series, Side,
        Size, Table, Trace,
    },
    scenario::{
        Seen,
        latency_figures::{Line, axis, distribution, percentiles},
    },
};

/// A medium of the article, as its presets have it.
struct Medium {
    name: &'static str,
    access_ms: f64,
    mb_s: f64,
    channels: u32,
    /// How long 2,000 queries took, in seconds.
    published: Option<f64>,
}

const MEDIA: [Medium; 4] = [
    Medium { name: "hard disk", access_ms: 5.607, mb_s: 60.0, channels: 1, published: Some(128.0) },
    Medium { name: "USB flash", access_ms: 0.752, mb_s: 15.0, channels: 1, published: Some(35.0) },
    Medium {
        name: "SSD, 20\u{202f}MB/s",
        access_ms: 0.0,
        mb_s: 20.0,
        channels: 1,
        published: None,
    },
    Medium { name: "X25-M class", access_ms: 0.085, mb_s: 250.0, channels: 10, published: None },
];
/// How long they took in main memory.
const MEMORY_S: f64 = 4.7;
/// As published: *a tenth of memory*.
const SSD_YEN_PER_GB: f64 = 1_000.0;

pub(super) fn all(params: &StorageParams, seen: &Seen) -> Vec<Figure> {
    let lines = [Line {
        name: "query",
        latency: Some(QUERY_LATENCY),
        meaning: Meaning::This,
        label: "a query".to_owned(),
    }];
    vec![
        time_against_read(params, seen),
        rate_against_clients(params, seen),
        percentiles_against_misses(params, seen),
        time_against_cost(params, seen),
        percentiles(&lines, seen, params.deadline_ms),
        distribution(&lines, seen, params.deadline_ms),
    ]
}

fn series(meaning: Meaning, trace: Trace, label: Label, points: Vec<(f64, f64)>) -> Series {
    Series { meaning, trace, label, points }
}

fn seconds(value: f64) -> Cell {
    Cell::number(Quantity::Seconds, Some(value))
}

/// Where a measure of the study stands.
fn dot(seen: &Seen, name: &str, meaning: Meaning, x: f64, label: Label) -> Option<Point> {
    let measure = seen.measure(name)?;
    let (y, interval) = (measure.simulated?, measure.low.zip(measure.high));
    Some(Point { meaning, mark: Mark::Dot, x, y, interval, label })
}

/// What is known without an interval: a published value, or the place of a word.
fn mark(mark: Mark, x: f64, y: f64, label: Label) -> Point {
    Point { meaning: Meaning::Ink, mark, x, y, interval: None, label }
}

/// Whether what was published is of the same queries.
fn as_published(params: &StorageParams) -> bool {
    let base = StorageParams::default();
    let work = |it: &StorageParams| (it.clients, it.queries, it.ios);
    work(params) == work(&base) && (params.cpu_ms, params.io_kb) == (base.cpu_ms, base.io_kb)
}

/// A medium of the article in the place of the study's.
fn on(medium: &Medium, params: &StorageParams) -> StorageParams {
    StorageParams {
        access_ms: medium.access_ms,
        mb_s: medium.mb_s,
        channels: medium.channels,
        queue_depth: medium.channels,
        hit_ratio: 0.0,
        gc_rate: 0.0,
        ..params.clone()
    }
}

/// The study with a read that takes so long, however that comes about.
fn reading_for(params: &StorageParams, read_ms: f64) -> StorageParams {
    // The size of a read counts for nothing else here.
    StorageParams { access_ms: read_ms, io_kb: 0.0, gc_rate: 0.0, ..params.clone() }
}

/// The time for the queries against the time of one read.
fn time_against_read(params: &StorageParams, seen: &Seen) -> Figure {
    let own_ms = params.mean_read_ms();
    let (from, to) = (own_ms.clamp(1e-4, 0.02), own_ms.max(20.0) * 1.5);
    let reads: Vec<f64> =
        (0..=60).map(|it| from * libm::exp(f64::from(it) / 60.0 * libm::log(to / from))).collect();
    let curve = |params: &StorageParams| -> Vec<(f64, f64)> {
        reads.iter().map(|it| (*it, truth::total_s(&reading_for(params, *it)))).collect()
    };
    let one = curve(&StorageParams { channels: 1, hit_ratio: 0.0, ..params.clone() });
    let own = curve(params);
    let memory = truth::total_s(&StorageParams { hit_ratio: 1.0, ..params.clone() });
    let mut points = media(params);
    if as_published(params) {
        let label = Label::new("memory").note("published 4.7\u{202f}s").side(Side::Below);
        points.push(mark(Mark::Diamond, from * 1.1, MEMORY_S, label));
    }
    let own_label = seen.best("total").map(|it| short(Quantity::Seconds, it).to_string());
    let own_label = Label::new(own_label.unwrap_or_default()).note("this study").side(Side::Above);
    points.extend(dot(seen, "total", Meaning::This, own_ms.max(from), own_label));
    let mut lines = vec![series(
        Meaning::Reference,
        Trace::Exact,
        Label::new("all in memory").side(Side::Below),
        vec![(from, memory), (to, memory)],
    )];
    let is_one = params.at_once() == 1 && params.hit_ratio == 0.0;
    if !is_one {
        let label = Label::new("one channel, no cache").side(Side::Above);
        lines.push(series(Meaning::Reference, Trace::Exact, label, one.clone()));
    }
    lines.push(series(Meaning::This, Trace::ExactAlone, Label::new("this study"), own.clone()));
    let highest = one.iter().chain(&own).map(|it| it.1).fold(memory, f64::max);
    Figure {
        key: "time-against-read",
        title: "How long the queries take, medium by medium".to_owned(),
        caption: format!(
            "Where reads are quick the processor is the limit, {}. Where they are slow the device is, and the time \
             grows as that of a read does. Dashed: mean value analysis, and so are grey \
             dots. Diamonds: published.",
            short(Quantity::Seconds, memory),
        ),
        size: Size::Main,
        x: axis("mean time of a read, log scale", AxisScale::Log, Quantity::Latency, from, to),
        y: axis(
            &format!("time for {} queries, log scale", count(u64::from(params.queries))),
            AxisScale::Log,
            Quantity::Seconds,
            0.5 * memory,
            1.5 * highest,
        ),
        series: lines,
        points,
        table: media_table(params),
        ..Figure::default()
    }
}

/// The media of the article: what was measured, and what would come out of the others.
fn media(params: &StorageParams) -> Vec<Point> {
    let published = as_published(params);
    let points = MEDIA.iter().map(|it| {
        let there = on(it, params);
        let (x, known) = (there.read_ms(), truth::total_s(&there));
        let (mark_of, y, word) = match it.published.filter(|_| published) {
            Some(seconds) => (Mark::Diamond, seconds, "published"),
            None => (Mark::Dot, known, "exact"),
        };
        let note = format!("{word} {}", short(Quantity::Seconds, y));
        let meaning = if mark_of == Mark::Dot { Meaning::Reference } else { Meaning::Ink };
        Point { meaning, ..mark(mark_of, x, y, Label::new(it.name).note(note)) }
    });
    points.collect()
}

fn media_table(params: &StorageParams) -> Table {
    let published = as_published(params);
    let columns = ["medium", "mean time of a read", "exact", "published"].map(Column::new);
    let mut rows: Vec<Vec<Cell>> = MEDIA
        .iter()
        .map(|it| {
            let there = on(it, params);
            vec![
                Cell::Text(it.name.to_owned()),
                Cell::number(Quantity::Latency, Some(there.read_ms())),
                seconds(truth::total_s(&there)),
                Cell::number(Quantity::Seconds, it.published.filter(|_| published)),
            ]
        })
        .collect();
    let memory = StorageParams { hit_ratio: 1.0, ..params.clone() };
    rows.push(vec![
        Cell::Text("memory".to_owned()),
        Cell::Empty,
        seconds(truth::total_s(&memory)),
        Cell::number(Quantity::Seconds, published.then_some(MEMORY_S)),
    ]);
    Table { columns: columns.into(), rows }
}

/// Queries a second against how many are on their way at a time.
fn rate_against_clients(params: &StorageParams, seen: &Seen) -> Figure {
    let curve = seen.exact.curve(truth::RATES).to_vec();
    let is_exact = truth::reason(params).is_some();
    let most = curve.last().map_or(16.0, |it| it.0);
    let reads = f64::from(params.ios) * (1.0 - params.hit_ratio) * params.mean_read_ms();
    let device_ms = reads / f64::from(params.at_once());
    let limit = 1e3 / params.cpu_ms.max(device_ms);
    let who = if params.cpu_ms < device_ms { "the device" } else { "the processor" };
    let alone = 1e3 / (params.cpu_ms + reads);
    let rows = curve
        .iter()
        .map(|it| {
            let rate = Cell::number(Quantity::Rate, Some(it.1));
            let mean = Cell::number(Quantity::Latency, Some(1e3 * it.0 / it.1));
            vec![Cell::number(Quantity::Count, Some(it.0)), rate, mean]
        })
        .collect();
    let columns = ["at a time", "queries a second", "mean latency"].map(Column::new);
    let x = f64::from(params.clients);
    let here = seen.best("rate").map(|rate| Here {
        x,
        y: rate,
        key: "clients",
        value: short(Quantity::Rate, rate).to_string(),
        note: match seen.exact.value("rate") {
            Some(_) => seen.beside_exact("rate"),
            None => "simulated".to_owned(),
        },
    });
    Figure {
        key: "rate-against-clients",
        title: "More at a time, until one place is always busy".to_owned(),
        caption: format!(
            "One query at a time makes {}. More of them overlap, up to {}, which is all that {who} can do; from there \
             on each further query only makes the others wait.",
            short(Quantity::Rate, alone),
            short(Quantity::Rate, limit),
        ),
        size: Size::Main,
        x: axis("queries at a time", AxisScale::Linear, Quantity::Count, 1.0, most),
        y: axis("queries a second", AxisScale::Linear, Quantity::Rate, 0.0, 1.25 * limit),
        series: vec![
            series(
                Meaning::Reference,
                Trace::Exact,
                Label::new(format!("all that {who} can do")).side(Side::Above),
                vec![(1.0, limit), (most, limit)],
            ),
            series(
                Meaning::This,
                Trace::ExactAlone,
                Label::new(if is_exact { "this study" } else { "with exponential reads" })
                    .side(Side::Below),
                curve,
            ),
        ],
        points: dot(seen, "rate", Meaning::This, x, Label::default()).into_iter().collect(),
        here,
        table: Table { columns: columns.into(), rows },
        ..Figure::default()
    }
}

/// What a query takes against the share of reads that the cache does not spare the device.
fn percentiles_against_misses(params: &StorageParams, seen: &Seen) -> Figure {
    let names = ["mean", "p99", "p99.9"];
    let meanings = [Meaning::Other, Meaning::This, Meaning::Reference];
    let curves = truth::ALONE.map(|(name, _)| seen.exact.curve(name).to_vec());
    let values = || curves.iter().flatten().map(|it| it.1);
    let own = 1.0 - params.hit_ratio;
    let x = own.max(truth::MISS_MIN);
    let dots = [("query.mean", Meaning::Other), ("query.p99", Meaning::This)];
    let points: Vec<Point> = dots
        .iter()
        .filter_map(|(name, meaning)| {
            let label = Label::default().note(name.replace("query.", "this study, "));
            dot(seen, name, *meaning, x, label)
        })
        .collect();
    let all = || values().chain(points.iter().map(|it| it.y)).filter(|it| 0.0 < *it);
    let rows = (0..curves[0].len()).map(|at| {
        let mut row = vec![Cell::number(Quantity::Share, Some(curves[0][at].0))];
        let latency = |it: &Vec<(f64, f64)>| it.get(at).map(|it| it.1);
        row.extend(curves.iter().map(|it| Cell::number(Quantity::Latency, latency(it))));
        row
    });
    let mut columns = vec![Column::new("reads that miss")];
    columns.extend(
        std::iter::zip(names, meanings)
            .map(|(name, meaning)| Column { title: name.to_owned(), meaning }),
    );
    let table = Table { columns, rows: rows.collect() };
    Figure {
        key: "percentiles-against-misses",
        title: "A cache does not fix the tail".to_owned(),
        caption: format!(
            "The better the cache, the further to the left. The mean soon is that of memory; the p99 goes on telling \
             of the device until fewer than one query in a hundred goes there, which with {} reads each takes \
             fewer than one read in {}. Lines: a query alone, exact for exponential reads. Dots: this study.",
            params.ios,
            count(100 * u64::from(params.ios)),
        ),
        size: Size::Main,
        x: axis(
            "reads that miss the cache, log scale",
            AxisScale::Log,
            Quantity::Share,
            truth::MISS_MIN,
            1.0,
        ),
        y: axis(
            "latency of a query, log scale",
            AxisScale::Log,
            Quantity::Latency,
            all().fold(f64::INFINITY, f64::min).min(1e9) / 1.6,
            all().fold(1e-3, f64::max) * 1.9,
        ),
        series: std::iter::zip(names, std::iter::zip(meanings, curves))
            .map(|(name, (meaning, points))| {
                series(meaning, Trace::Exact, Label::new(name), points)
            })
            .collect(),
        points,
        table,
        ..Figure::default()
    }
}

/// What the queries take against what a gigabyte of index costs, from no cache to all in memory.
fn time_against_cost(params: &StorageParams, seen: &Seen) -> Figure {
    let cached = |it: u32| StorageParams { hit_ratio: f64::from(it) / 40.0, ..params.clone() };
    let curve: Vec<(f64, f64)> =
        (0..=40).map(cached).map(|it| (it.yen(), truth::total_s(&it))).collect();
    let mut points = Vec::new();
    let mut named = vec![("memory", MEMORY_YEN_PER_GB, truth::total_s(&cached(40)))];
    for it in MEDIA.iter().filter(|it| it.published.is_none()) {
        named.push((it.name, SSD_YEN_PER_GB, truth::total_s(&on(it, params))));
    }
    for (name, yen, total) in &named {
        let note = format!("{} yen", count(*yen as u64));
        let point = mark(Mark::Dot, *yen, *total, Label::new(*name).note(note));
        points.push(Point { meaning: Meaning::Reference, ..point });
    }
    points.extend(dot(seen, "total", Meaning::This, params.yen(), Label::default()));
    let all = || curve.iter().map(|it| it.1).chain(named.iter().map(|it| it.2));
    let row = |name: String, yen: f64, total: f64| {
        vec![Cell::Text(name), Cell::number(Quantity::Plain, Some(yen)), seconds(total)]
    };
    let mut rows: Vec<Vec<Cell>> =
        named.iter().map(|it| row(it.0.to_owned(), it.1, it.2)).collect();
    let shares = (0..=40).step_by(10).map(|it| {
        let name = format!("this study, {} cached", given(Quantity::Share, f64::from(it) / 40.0));
        row(name, curve[it as usize].0, curve[it as usize].1)
    });
    rows.extend(shares);
    let columns = ["medium", "yen a gigabyte", "time"].map(Column::new);
    Figure {
        key: "time-against-cost",
        title: "What a gigabyte buys".to_owned(),
        caption: "Published in 2008: memory over 10,000 yen a gigabyte, an SSD about a tenth of that. The line puts \
                  more and more of the index into memory before the study's device, whose price is a setting."
            .to_owned(),
        size: Size::Main,
        x: axis(
            "yen a gigabyte, log scale",
            AxisScale::Log,
            Quantity::Count,
            params.yen_per_gb.min(500.0) / 1.5,
            1.6 * curve[40].0.max(MEMORY_YEN_PER_GB),
        ),
        y: axis(
            &format!("time for {} queries, log scale", count(u64::from(params.queries))),
            AxisScale::Log,
            Quantity::Seconds,
            all().fold(f64::INFINITY, f64::min) / 1.8,
            all().fold(0.0, f64::max) * 1.8,
        ),
        series: vec![series(
            Meaning::This,
            Trace::ExactAlone,
            Label::new("this study, more and more cached").short("more cached").side(Side::Above),
            curve,
        )],
        points,
        table: Table { columns: columns.into(), rows },
        ..Figure::default()
    }
}
