//! What pages are told in: the sentence that they open with, and the notes below.

use super::{AtBound, PagesParams, Scheduler, counts};
use crate::{
    format::{count, given, short},
    report::{Aside, Meaning, Quantity, Sentence, number, words},
    scenario::Seen,
    special::round_to_digits,
};

pub(super) fn sentence(params: &PagesParams, seen: &Seen) -> Sentence {
    let lead = match (seen.best("heavy.mean"), seen.best("light.rate")) {
        (_, Some(rate)) if 0 < params.light_clients => vec![
            words("Beside a heavy page a light one answers "),
            number(Meaning::This, short(Quantity::Plain, 0.01 * rate).to_string()),
            words(format!(" requests in 10 ms{}.", alone(seen))),
        ],
        (Some(mean), _) if params.light_clients == 0 => vec![
            words("A request for the heavy page takes "),
            number(Meaning::This, short(Quantity::Latency, mean).to_string()),
            words(format!(" on average, when {}.", at_once(params, seen))),
        ],
        _ => {
            vec![words(format!("How long does a heavy page take, when {}?", at_once(params, seen)))]
        }
    };
    Sentence {
        lead,
        asides: [priority(params, seen), Some(other(params))].into_iter().flatten().collect(),
    }
}

/// What the light page does alone.
fn alone(seen: &Seen) -> String {
    seen.best("light.alone")
        .map_or_else(String::new, |it| format!(", alone {}", short(Quantity::Plain, 0.01 * it)))
}

fn at_once(params: &PagesParams, seen: &Seen) -> String {
    let most = params.most();
    let of = format!("of {most} requests");
    match params.scheduler {
        Scheduler::None if most == 1 => "there is one at a time".to_owned(),
        Scheduler::None => format!("all {most} run at once"),
        Scheduler::Fixed => format!("{} {of} run at once", params.first_limit()),
        _ => match seen.measure("limit").and_then(|it| it.simulated) {
            Some(limit) => format!("about {} {of} run at once", short(Quantity::Plain, limit)),
            None => format!("as many {of} run at once as is best"),
        },
    }
}

/// What going first brings.
fn priority(params: &PagesParams, seen: &Seen) -> Option<Aside> {
    let mean = seen.best("priority.mean").filter(|_| 0 < params.priority_clients)?;
    let pieces = vec![
        words("At the head of the queue it takes "),
        number(Meaning::Hedge, short(Quantity::Latency, mean).to_string()),
        words("."),
    ];
    Some(Aside { pieces, action: None })
}

/// What else the page's scheduler could do.
fn other(params: &PagesParams) -> Aside {
    let (text, action, changes) = match params.scheduler {
        Scheduler::None => (
            "A limit that watches the page's throughput would find how many at once are best.",
            "Let it adapt",
            "scheduler=adaptive",
        ),
        Scheduler::Fixed => (
            "A fixed limit has to be known beforehand, for every page.",
            "Let it adapt",
            "scheduler=adaptive",
        ),
        Scheduler::Adaptive if 0 < params.light_clients => (
            "The limit looks at its own page only, and takes what it can from the other.",
            "Let it mind both",
            "scheduler=coordinated",
        ),
        Scheduler::Adaptive if params.priority_clients == 0 => (
            "Where requests wait in a queue, some clients can go first.",
            "Let one go first",
            "priority_clients=1",
        ),
        Scheduler::Adaptive | Scheduler::Coordinated => {
            ("Without a limit all would run at once.", "No limit", "scheduler=none")
        }
    };
    let action = Some((action.to_owned(), changes.to_owned()));
    Aside { pieces: vec![words(text)], action }
}

pub(super) fn notes(params: &PagesParams) -> Vec<String> {
    let mut notes = vec![
        "n requests of the heavy page that run at once are answered at X(n) = l n / (1 + s (n − 1) + k n (n − 1)) a \
         second, all at the same speed. l, s and k were fitted to the published response times."
            .to_owned(),
    ];
    if params.adapts() {
        notes.push(rule(params));
        notes.push(
            "Of the throughput at each limit the page knows only what a few answers tell: a measurement over five \
             answers is off by a few per cent where two run at once, and by half where twenty do. Where the curve is \
             flat the limit wanders."
                .to_owned(),
        );
    }
    if 0 < params.light_clients {
        notes.push(
            "All that runs shares two processors: each request has min(1, 2/n) of one. Heavy requests are slowed by \
             what that leaves them of the share they would have among themselves. Light ones are slowed by their \
             share, and by X(n)/X(best) once more heavy ones run than is best. The light page has no limit of its own."
                .to_owned(),
        );
    }
    if 0 < params.priority_clients {
        notes.push(
            "Clients that go first come on top of the others, think for exponential times, and go to the head of the \
             page's queue; nothing that runs is interrupted."
                .to_owned(),
        );
    }
    notes.push(known(params));
    notes.push(format!(
        "The worst and the best are those of {} answers in a row, on average. How many the published ones are of is \
         not known, and the more there are, the further they lie apart.",
        count(u64::from(params.worst_of))
    ));
    notes.push(format!(
        "Experiments of {} follow one another, each from the start, with all clients asking at once. Figures over time \
         show the mean over all of them in {} steps.",
        given(Quantity::Seconds, f64::from(params.run_s)),
        counts::STEPS
    ));
    notes
}

/// How the limit moves.
fn rule(params: &PagesParams) -> String {
    let bound = match params.at_bound {
        AtBound::Reflect => {
            "The rule says nothing of a limit that stayed where it was: at the least and the greatest limit the step \
             goes the other way."
        }
        AtBound::Rise => {
            "At the greatest limit the step cannot go up, the next compares the limit with itself, 0/0, and counts as \
             a rise: there the limit stays for ever."
        }
    };
    let gain = if params.scheduler == Scheduler::Coordinated {
        "The limit goes on in its direction as long as the relative changes of the throughputs of both pages add up to \
         a gain, and turns when they add up to a loss: that climbs to the greatest product of the two. It first goes \
         down. At a bound that it is well at it stays, and looks beside it after 1, 2, 4, 8, 16 measurements."
    } else {
        "With T the throughput over so many answers and M the limit, now and before, the limit goes up if (Tc − Tp) / \
         (Mc − Mp) ≥ 0 and down otherwise; the first step goes up."
    };
    format!(
        "{gain} After a step down the next measurement begins when no more run than the limit lets. {bound}"
    )
}

/// Which formula holds.
fn known(params: &PagesParams) -> String {
    let alone = "Exact for the light page alone: clients that think and two processors that are shared, by balance \
                 between neighbouring numbers of requests.";
    if 0 < params.light_clients {
        return format!("{alone} No formula is known for both pages together.");
    }
    if params.adapts() || 0 < params.priority_clients {
        let best = params.progress().best(params.most());
        let least = f64::from(params.heavy_clients) / params.progress().at(best);
        return format!(
            "No exact value is known for these settings. By Little's law the mean would be {} if always the best \
             number ran at once.",
            short(Quantity::Seconds, round_to_digits((least - params.think_s).max(0.0), 4))
        );
    }
    if params.think_s == 0.0 {
        "Exact: the mean response time is clients / X(limit), by Little's law, whatever the law of work.".to_owned()
    } else if params.scheduler == Scheduler::None || params.heavy_clients <= params.limit {
        "Exact: clients that think and a page that is shared, by balance between neighbouring numbers of requests, \
         whatever the law of work."
            .to_owned()
    } else {
        "With a queue and clients that think the mean depends on the law of work; it is exact for a spread of 1."
            .to_owned()
    }
}
