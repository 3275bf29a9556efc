//! What kvs-load is told in: the sentence that it opens with, and the notes below.

use super::{KvsLoadParams, Store, truth};
use crate::{
    format::{count, given, short},
    report::{Aside, Meaning, Quantity, Sentence, number, words},
    scenario::Seen,
};

pub(super) fn sentence(params: &KvsLoadParams, seen: &Seen) -> Sentence {
    let (remote, local) = (seen.best("remote.mean"), seen.best("local.mean"));
    let lead = match (remote, local) {
        (Some(remote), Some(local)) => vec![
            words("Across the network a batch takes "),
            number(Meaning::Other, short(Quantity::Latency, remote).to_string()),
            words(" on average, beside the application "),
            number(Meaning::This, short(Quantity::Latency, local).to_string()),
            words("."),
        ],
        _ => vec![words(
            "What does a batch take across the network, and what beside the application?",
        )],
    };
    Sentence { lead, asides: vec![why(params), capacity(params, seen)] }
}

/// What explains the gap, and something to try.
fn why(params: &KvsLoadParams) -> Aside {
    let [remote, local] = params.stores(params.pipeline);
    let (gap, hop) = (
        truth::spent(&remote).total_ms() - truth::spent(&local).total_ms(),
        remote.rtt_ms() - local.rtt_ms(),
    );
    let [gap_text, hop_text] = [gap, hop].map(|it| short(Quantity::Latency, it.abs()).to_string());
    let more = if hop < 0.0 { "less" } else { "more" };
    if is_busy(&remote) && hop.abs() < 0.5 * gap.abs() {
        let text = format!(
            "The round trip is {hop_text} {more}, the gap is {gap_text}: capacity explains it. A store that is always \
             busy takes as long as {} batches, whatever the way to it.",
            count(u64::from(params.clients())),
        );
        return aside(text, "One connection", "threads=1&connections=1");
    }
    let text = format!("The gap is {gap_text}; the round trip is {hop_text} {more}.");
    aside(text, "Full load", "threads=16&connections=50")
}

fn capacity(params: &KvsLoadParams, seen: &Seen) -> Aside {
    let rate = |name| seen.best(name).map_or_else(String::new, thousands);
    let text = format!(
        "The remote store does {} commands a second on {}, the co-located one {} on {}.",
        rate("remote.rate"),
        threads(params.server_threads),
        rate("local.rate"),
        threads(params.local_threads),
    );
    if params.server_threads < params.local_threads {
        let changes = format!("server_threads={}", params.local_threads);
        return aside(text, "As many threads", &changes);
    }
    Aside { pieces: vec![words(text)], action: None }
}

fn thousands(rate: f64) -> String {
    count((rate / 100.0).round() as u64 * 100)
}

fn threads(count: u32) -> String {
    if count == 1 { "one thread".to_owned() } else { format!("{count} threads") }
}

fn aside(text: String, action: &str, changes: &str) -> Aside {
    Aside { pieces: vec![words(text)], action: Some((action.to_owned(), changes.to_owned())) }
}

/// Whether its queue is hardly ever empty.
fn is_busy(store: &Store) -> bool {
    truth::spent(store).total_ms() < 1.01 * store.saturated_ms()
}

pub(super) fn notes(params: &KvsLoadParams) -> Vec<String> {
    let [remote, _] = params.stores(params.pipeline);
    let mut notes = vec![
        "A closed loop, as memtier_benchmark makes it: each connection sends a batch of commands, waits for all \
         answers, and sends the next. Batches wait in one queue for the store's threads, first come, first served, \
         and take an exponential time."
            .to_owned(),
        "Exact: clients with one request each before servers that share a queue. A batch finds the store as it is with \
         one connection less; its time there is a mixture of Erlang laws, the ways are added numerically."
            .to_owned(),
        "Both stores are simulated, side by side and with the same draws; further pairs run with pipelines of 1 to 10 \
         in turn, for their means."
            .to_owned(),
    ];
    if is_busy(&remote) {
        notes.push(format!(
            "While the remote store is always busy, a batch takes N (a + b P) / c on average, here {}: N connections, \
             a a batch and b a command for P of them, c threads. The round trip is not in it.",
            given(Quantity::Latency, crate::special::round_to_digits(remote.saturated_ms(), 4)),
        ));
    }
    notes
}
