//! What storage is told in: the sentence that it opens with, and the notes below.

use super::{
    Service, StorageParams,
    truth::{self, Reason},
};
use crate::{
    format::{count, given, short},
    report::{Aside, Meaning, Quantity, Sentence, number, words},
    scenario::Seen,
};

/// A request to twenty such devices, of which two reads in a thousand are slow: a study of fan-out.
const FAN_OUT: &str =
    "fan-out&fan_out=20&typical_ms=0.1&spread=0.2&outlier_ms=10&outlier_rate=0.002";

pub(super) fn sentence(params: &StorageParams, seen: &Seen) -> Sentence {
    let queries = count(u64::from(params.queries));
    let lead = match (seen.best("total"), seen.best("device")) {
        (Some(total), Some(busy)) => vec![
            words(format!("{queries} queries take ")),
            number(Meaning::This, short(Quantity::Seconds, total).to_string()),
            words("; the device is busy for "),
            number(Meaning::Other, short(Quantity::Share, busy).to_string()),
            words(" of the time."),
        ],
        _ => vec![words(format!("How long do {queries} queries take?"))],
    };
    let asides = [Some(limit(params)), cache(params, seen), collection(params, seen)];
    Sentence { lead, asides: asides.into_iter().flatten().collect() }
}

/// What the processor alone would take, and something to try.
fn limit(params: &StorageParams) -> Aside {
    let memory = truth::total_s(&StorageParams { hit_ratio: 1.0, ..params.clone() });
    let text = format!(
        "With everything in memory it would be {}, all of it work for the processor.",
        short(Quantity::Seconds, memory)
    );
    let action = if params.hit_ratio == 1.0 {
        ("Nothing in memory", "hit_ratio=0")
    } else if params.read_ms() > 1.0 {
        ("Try flash", "access_ms=0.085&mb_s=250&channels=10&yen_per_gb=1000")
    } else {
        ("Try a disk", "access_ms=5.607&mb_s=60&channels=1&yen_per_gb=100")
    };
    let action = Some((action.0.to_owned(), action.1.to_owned()));
    Aside { pieces: vec![words(text)], action }
}

/// What a cache does to the mean, and what to the tail.
fn cache(params: &StorageParams, seen: &Seen) -> Option<Aside> {
    let missed = params.missed();
    if params.hit_ratio == 1.0 || missed < 0.01 {
        return None;
    }
    let late = short(Quantity::Latency, seen.best("query.p99")?).to_string();
    let pieces = vec![
        words(format!(
            "{} of queries go to the device at least once, and so the p99 stays at ",
            short(Quantity::Share, missed)
        )),
        number(Meaning::This, late),
        words("."),
    ];
    (0.0 < params.hit_ratio).then_some(Aside { pieces, action: None })
}

fn collection(params: &StorageParams, seen: &Seen) -> Option<Aside> {
    if params.gc_rate == 0.0 || params.gc_factor == 1.0 {
        return None;
    }
    let mean = seen.best("query.mean")?;
    let late = seen.best("query.p99")?;
    let text = format!(
        "Reads that meet a garbage collection are {} times slower: the mean of a query is {}, its p99 {}.",
        given(Quantity::Plain, params.gc_factor),
        short(Quantity::Latency, mean),
        short(Quantity::Latency, late),
    );
    Some(Aside { pieces: vec![words(text)], action: None })
}

pub(super) fn notes(params: &StorageParams) -> Vec<String> {
    let mut notes = vec![
        "A closed network: each query is at the processor, reads, is at the processor again, and so on; when it is \
         answered the next one begins. Both queues are first come, first served."
            .to_owned(),
        "The time is that of so many queries among many; at the end of a real run, when the last ones are alone, a \
         little less is done at a time."
            .to_owned(),
    ];
    let text = match truth::reason(params) {
        Some(Reason::Exponential) => {
            "Exact: mean value analysis, by Reiser and Lavenberg. A query that comes to a place finds there what it \
             would find with one query less, so that the means for n follow from those for n − 1. It holds since all \
             times are exponential."
        }
        Some(Reason::NoQueue) => {
            "Exact: mean value analysis, by Reiser and Lavenberg. Since no query ever waits for the device, only the \
             mean of a read counts."
        }
        None if params.service == Service::Constant => {
            "Where reads queue and always take the same time, no exact mean is known: curves are for exponential reads \
             of the same mean."
        }
        None => {
            "Where reads queue and a few are much slower, no exact mean is known: curves are for exponential reads of \
             the same mean."
        }
    };
    notes.push(text.to_owned());
    if truth::law(params).is_some() {
        let text = if params.hit_ratio == 1.0 {
            "Exact percentiles: at each of its turns at the processor a query waits for all others, which makes its \
             time an Erlang law."
        } else {
            "Exact percentiles: a query alone is a sum of exponential times, whose transform is inverted numerically."
        };
        notes.push(text.to_owned());
    }
    if 0.0 < params.gc_rate {
        notes.push(format!(
            "What garbage collection does to a request that reads from twenty devices, and what a second copy does \
             about it, is the study #{FAN_OUT}."
        ));
    }
    notes.push(
        "The cost takes a cached part of the index to be as large as the share of reads that it serves, which holds \
         where all parts are read alike; real caches do better."
            .to_owned(),
    );
    notes
}
