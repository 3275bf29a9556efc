//! What replicas are told in: the sentence that they open with, and the notes below.

use super::{
    Cancel, Policy, Replicas, ReplicasParams, Routing, figures::name, grew, model::UNDER_WAY_MAX,
    truth,
};
use crate::{
    format::{count, given, one_in, short},
    measured::Measured,
    report::{Aside, Meaning, Piece, Quantity, Sentence, number, words},
    scenario::{Scenario as _, Seen},
    theory::queue::relaxation,
};

pub(super) fn sentence(params: &ReplicasParams, seen: &Seen) -> Sentence {
    if let Some(reason) = truth::unstable(params) {
        let tame = "load=0.1&background=0.305".to_owned();
        let action = Some(("Back to the published load".to_owned(), tame));
        return Sentence {
            lead: vec![words(reason)],
            asides: vec![Aside { pieces: Vec::new(), action }],
        };
    }
    if grew(params, seen) {
        let reason = "The queues grew until the end: no percentile can be told of them.";
        return Sentence { lead: vec![words(reason)], asides: Vec::new() };
    }
    let lead = if params.copies() { of_copies(params, seen) } else { of_one(params, seen) };
    let asides = [Some(policy_aside(params)), cost(params, seen)];
    Sentence { lead, asides: asides.into_iter().flatten().collect() }
}

fn latency(value: Option<f64>) -> String {
    value.map_or("not yet known".to_owned(), |it| short(Quantity::Latency, it).to_string())
}

fn share(value: Option<f64>) -> String {
    value.map_or("not yet known".to_owned(), |it| short(Quantity::Share, it).to_string())
}

/// What one copy gives at this load.
fn of_one(params: &ReplicasParams, seen: &Seen) -> Vec<Piece> {
    let mut lead = vec![
        words("With the servers busy "),
        number(Meaning::This, share(seen.best("utilisation"))),
        words(" of the time, "),
        number(Meaning::This, share(seen.best("over"))),
        words(" of requests take over "),
        number(Meaning::Deadline, given(Quantity::Latency, params.deadline_ms).to_string()),
    ];
    let once = seen.exact.quantile_ms(truth::ONCE, 0.99);
    if once.is_some() {
        lead.extend([
            words("; the p99 is "),
            number(Meaning::This, latency(seen.best("request.p99"))),
            words(", against "),
            number(Meaning::Other, latency(once)),
            words(" at random servers."),
        ]);
    } else {
        lead.push(words("."));
    }
    lead
}

/// What a second copy gives, and what it costs.
fn of_copies(params: &ReplicasParams, seen: &Seen) -> Vec<Piece> {
    let own = number(Meaning::This, latency(seen.best("request.p99")));
    let wasted = number(Meaning::Hedge, share(seen.best("wasted")));
    let name = capital(&name(params));
    let mut lead = vec![words(format!("{name}, the p99 is ")), own];
    if let Some(once) = seen.exact.quantile_ms(truth::ONCE, 0.99) {
        lead.extend([
            words(" where it would be "),
            number(Meaning::Other, latency(Some(once))),
            words(" sent once"),
        ]);
    }
    lead.extend([words("; "), wasted, words(" of the servers’ time is wasted on it.")]);
    lead
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |it| it.to_ascii_uppercase().to_string() + chars.as_str())
}

/// The other thing to try.
fn policy_aside(params: &ReplicasParams) -> Aside {
    if params.copies() {
        let pieces = vec![words("Or with one copy only: ")];
        return Aside {
            pieces,
            action: Some(("Send once".to_owned(), "policy=single".to_owned())),
        };
    }
    let alone = params.servers < 2;
    let (said, offered) = if alone {
        let said =
            "One server leaves nowhere to send a second copy; with two, each could take one. ";
        (said, "Two servers, copies tied")
    } else {
        ("A second copy could wait in another queue, tied to the first. ", "Tie two copies")
    };
    let mut changes = "policy=tied&delay_ms=1".to_owned();
    if params.replicas < 2 {
        changes += "&replicas=2";
    }
    if alone {
        changes += "&servers=2";
    }
    Aside { pieces: vec![words(said)], action: Some((offered.to_owned(), changes)) }
}

/// What became of the second copies.
fn cost(params: &ReplicasParams, seen: &Seen) -> Option<Aside> {
    let simulated = |name| seen.measure(name).and_then(|it| it.simulated);
    let (sent, cancelled) = (simulated("extra")?, simulated("cancelled")?);
    params.copies().then(|| Aside {
        pieces: vec![
            number(Meaning::Hedge, share(Some(sent))),
            words(" of calls get a second copy; in "),
            number(Meaning::Hedge, share(Some(cancelled))),
            words(" of calls one of the two is cancelled before it is served."),
        ],
        action: None,
    })
}

pub(super) fn notes(params: &ReplicasParams) -> Vec<String> {
    let mut notes = vec![
        "Each server takes calls and other people’s jobs in the order in which they come. Every message takes its own \
         time; a call that is cancelled in the queue costs nothing, one that runs is finished."
            .to_owned(),
    ];
    if params.copies() && params.cancel == Cancel::Interrupt && params.policy != Policy::Tied {
        notes.push("Here a cancellation stops a call that runs, too.".to_owned());
    }
    match params.routing {
        Routing::Probe => notes.push(
            "Queue lengths are as they were when the answer of a probe was as old as is set; then the call travels."
                .to_owned(),
        ),
        Routing::Board => notes.push(
            "All clients see the same board; of servers that look equally idle each takes one at random.".to_owned(),
        ),
        Routing::Random | Routing::RoundRobin | Routing::LeastOutstanding => {}
    }
    notes.push(truth::note(params).to_owned());
    notes.extend(params.measured().map(|it| data_note(&it)));
    notes.extend(warm_up(params));
    notes.push(format!(
        "Error bars are from the spread of {} sections of {} runs, each with its own warm-up. A run that has {} \
         calls or jobs under way is stopped.",
        Replicas::REPLICATIONS * Replicas::SECTIONS,
        Replicas::REPLICATIONS,
        count(UNDER_WAY_MAX as u64)
    ));
    notes
}

fn data_note(data: &Measured) -> String {
    format!(
        "Service times are those that were measured, up to {}. {} services take longer, nobody knows how long: \
         they are given as long as the longest that is known, so that queues are at least what is shown, and a \
         percentile that depends on such an answer is not shown.",
        short(Quantity::Latency, data.longest_ms()),
        one_in(data.unknown()),
    )
}

/// Whether the warm-up is long enough for queues to forget that they were empty.
fn warm_up(params: &ReplicasParams) -> Option<String> {
    let load = truth::offered(params);
    let services = f64::from(params.warm_up) / params.requests_per_ms() / params.mean_service_ms();
    let needed = relaxation(load.min(0.999));
    (0.0 < params.load && load < 1.0 && services < needed).then(|| {
        format!(
            "The warm-up is short for this load: it lasts {} mean services, and queues need about {} to forget that \
             they were empty.",
            count(services as u64),
            count(needed as u64)
        )
    })
}
