//! What sessions are told in: the sentence that they open with, and the notes below.

use super::{
    Balancer, Failure, KvsSessionsParams, Replication, Topology,
    mean::{Unknown, mean_ms},
};
use crate::{
    format::{given, short},
    report::{Aside, Meaning, Quantity, Sentence, number, words},
    scenario::Seen,
};

pub(super) fn sentence(params: &KvsSessionsParams, seen: &Seen) -> Sentence {
    let best = |name: &str, quantity| seen.best(name).map(|it| short(quantity, it).to_string());
    let lead = match (best("violations", Quantity::Share), best("request.p50", Quantity::Latency)) {
        _ if seen.meter.is_none() => vec![words("Does a user read what he wrote, and how soon?")],
        (_, Some(half)) if params.always_own() => vec![
            words("Every read returns what its user wrote; half of the requests take less than "),
            number(Meaning::This, half),
            words("."),
        ],
        (Some(share), Some(half)) => vec![
            number(Meaning::This, share),
            words(format!(" {}; half of the requests take less than ", missed(params))),
            number(Meaning::Other, half),
            words("."),
        ],
        _ => vec![words("Does a user read what he wrote, and how soon?")],
    };
    let paused =
        (params.failure == Failure::HandOff).then(|| best("pause", Quantity::Latency)).flatten();
    let lost = seen.best("lost").filter(|_| params.failure == Failure::Crash && params.can_lose());
    let mut asides = Vec::new();
    if let Some(paused) = paused {
        let pieces = vec![
            words("Users of the node that is taken out wait for "),
            number(Meaning::Other, paused),
            words("."),
        ];
        asides.push(Aside { pieces, action: None });
    }
    if let Some(lost) = lost {
        let lost = short(Quantity::Plain, lost).to_string();
        let pieces = vec![
            words("A crash takes "),
            number(Meaning::Deadline, lost),
            words(" increments along."),
        ];
        asides.push(Aside { pieces, action: None });
    }
    asides.push(other(params));
    Sentence { lead, asides }
}

fn missed(params: &KvsSessionsParams) -> &'static str {
    let lasting = params.failure == Failure::Crash && params.is_tied() && params.can_lose();
    if lasting {
        "of answers are wrong, because a node crashed"
    } else {
        "of reads miss a write of their own user"
    }
}

/// What else could be done.
fn other(params: &KvsSessionsParams) -> Aside {
    let (text, action, changes) = match (params.topology, params.failure) {
        (Topology::Central | Topology::Sharded | Topology::Replica, Failure::None) => (
            "With a store at every node and users tied to it, nothing has to cross the network.",
            "Put it at every node",
            "topology=co-located&balancer=sticky",
        ),
        (_, Failure::None) if params.is_tied() => {
            ("Nothing goes wrong as long as no node does.", "Let one crash", "failure=crash")
        }
        (_, Failure::None) => (
            "A user who always comes to the same node finds there what he wrote.",
            "Tie users to nodes",
            "balancer=sticky",
        ),
        (Topology::CoLocated, Failure::Crash) if params.replication == Replication::Async => (
            "A write that waits for a copy at another node survives.",
            "Copy before the answer",
            "replication=sync&session_token=off",
        ),
        (_, Failure::Crash) => {
            ("A node that is taken out as planned loses nothing.", "Plan it", "failure=hand-off")
        }
        (_, Failure::HandOff) => ("All nodes stay in service.", "Leave them alone", "failure=none"),
    };
    let text = if params.failure == Failure::HandOff {
        "Without the change there is no pause."
    } else {
        text
    };
    Aside { pieces: vec![words(text)], action: Some((action.to_owned(), changes.to_owned())) }
}

pub(super) fn notes(params: &KvsSessionsParams) -> Vec<String> {
    let hop = given(Quantity::Latency, params.hop_ms);
    let mut notes = vec![format!(
        "A request goes over the balancer to a node, increments its user's counter and reads it back: one hop to the \
         node and one for the answer, and a hop each way wherever the store is elsewhere, of {hop} on average."
    )];
    notes.push(placement(params).to_owned());
    if params.has_copies() {
        notes.push(format!(
            "Writes leave each store in batches, at regular ticks with a phase of each link's own, in order, and \
             take a hop: {} on average. Copies cost the stores no time.",
            given(Quantity::Latency, params.lag_ms.max(params.hop_ms))
        ));
    }
    if params.topology == Topology::CoLocated && params.balancer == Balancer::Random {
        notes.push(
            "Dashed, nearly: 1 − exp(−(n − 1)/n · lag / (think + what a request takes)), as if a user's writes came \
             at random. It holds while the lag is several requests long, here from about 5\u{202f}ms, and is too \
             high below."
                .to_owned(),
        );
    }
    notes.extend(failing(params).map(str::to_owned));
    if params.session_token && params.has_copies() {
        notes.push(
            "With a session token a read waits until the store has all that its user wrote, for 500\u{202f}ms at \
             most: then it answers with what there is. Writes that were lost do not come back."
                .to_owned(),
        );
    }
    notes.push(together(params).to_owned());
    notes.push(
        "No exact percentiles are known for the users together. The pale dashed curves are exact for a user who is \
         alone, and so meets no queue."
            .to_owned(),
    );
    notes
}

/// What is known of the mean.
fn together(params: &KvsSessionsParams) -> &'static str {
    match mean_ms(params) {
        Ok(_) => {
            "Exact: the mean, by mean value analysis, by Reiser and Lavenberg. A command that comes to a store finds \
             there what it would find at any moment with one user less; of messages and thoughts only the means \
             count."
        }
        Err(Unknown::Fails) => {
            "No exact mean is known where a node fails half-way: the load is another afterwards."
        }
        Err(Unknown::Copied) => {
            "No exact mean is known where a write waits for its copy, which may not overtake those before it."
        }
        Err(Unknown::Token) => "No exact mean is known where reads wait for copies.",
        Err(Unknown::Tied) => {
            "No exact mean is known where the users of each node share a replica, and all of them the primary."
        }
        Err(Unknown::Short) => {
            "No exact mean is known for so few requests before such queues: everybody starts by thinking, and it \
             takes a good part of a play until queues are what they will be."
        }
    }
}

fn placement(params: &KvsSessionsParams) -> &'static str {
    match params.topology {
        Topology::Central => {
            "The store is a machine of its own, which no failure of a node touches."
        }
        Topology::Replica => {
            "The first node has the primary, which takes all writes; the others read from their own replicas, and \
             miss what has not come yet. The node that fails is one with a replica."
        }
        Topology::Sharded => {
            "Each key is at one node, whichever its user comes to. There are no copies: a crash takes keys along."
        }
        Topology::CoLocated => {
            "Each node increments in its own store, and a counter is the sum of what was incremented anywhere."
        }
    }
}

fn failing(params: &KvsSessionsParams) -> Option<&'static str> {
    match params.failure {
        Failure::None => None,
        Failure::Crash => Some(
            "When half of the requests have been answered, the last node is gone. Its users move to others and send \
             again what was under way, with its number, so that it is not counted twice. An increment counts as lost \
             if it never gets to where its user goes.",
        ),
        Failure::HandOff => Some(
            "When half of the requests have been answered, the last node takes no more, finishes what it has begun \
             and ships all at its next ticks. Then its users move; what they sent meanwhile waited at the \
             balancer.",
        ),
    }
}
