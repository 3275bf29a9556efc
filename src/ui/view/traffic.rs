//! Messages between machines in words and as a table.

use crate::{
    format,
    report::{
        Cell, Change, Column, MachineState, Meaning, Message, NodeKind, Passing, Quantity, Table,
        Traffic,
    },
    special::sort_by_number,
    ui::strings::{fill, text},
};

/// What is seen, from where, and of whom.
pub fn caption(traffic: &Traffic) -> String {
    let mut words = fill(
        "traffic.caption",
        &[("from", &ms(traffic.from_ms)), ("length", &ms(traffic.length_ms))],
    );
    if let Some(user) = traffic.followed {
        let user = format::count(u64::from(user) + 1);
        words = [words, fill("traffic.followed", &[("user", &user)])].join(" ");
    }
    words
}

/// The time, how much is on its way, what has gone wrong, and, if it is this very moment's, what happens.
pub fn moment(traffic: &Traffic, now_ms: f64) -> String {
    let scenery = traffic.at(now_ms, 0.0);
    let whose = |it: &&(&Message, f64)| it.0.sender.is_some();
    let requests = scenery.under_way.iter().filter(whose).count();
    let copies = scenery.under_way.len() - requests;
    let count = |it: usize| format::count(it as u64);
    let holes = [
        ("time", ms(now_ms)),
        ("requests", count(requests)),
        ("copies", count(copies)),
        ("stays", count(scenery.stays.len())),
    ];
    let holes: Vec<(&str, &str)> = holes.iter().map(|it| (it.0, it.1.as_str())).collect();
    let mut words = vec![fill("traffic.now", &holes)];
    let wrong = traffic.kinds.iter().enumerate().filter(|it| it.1.meaning == Meaning::Deadline);
    for (kind, it) in wrong {
        let come = traffic.come(kind, now_ms);
        if 0 < come {
            words.push(fill("traffic.so-far", &[("what", &it.name), ("count", &count(come))]));
        }
    }
    // Of each machine the last change so far.
    let so_far = |it: &&Change| it.at_ms <= now_ms;
    let replaced = |it: &Change| {
        let same = |other: &Change| other.machine == it.machine && it.at_ms < other.at_ms;
        traffic.changes.iter().filter(so_far).any(same)
    };
    let last = traffic.changes.iter().filter(so_far).filter(|it| !replaced(it));
    words.extend(last.map(|it| changed(traffic, it)));
    let passes = traffic.passing(now_ms).filter(|_| 0.0 < now_ms);
    words.extend(passes.and_then(|it| passing(traffic, it)));
    words.join(" ")
}

fn ms(value: f64) -> String {
    format::reading(Quantity::Latency, Some(value), None, None).to_string()
}

/// What happens to a message, in a sentence.
fn passing(traffic: &Traffic, passing: Passing) -> Option<String> {
    let (message, key) = match passing {
        Passing::Changed(_) => return None,
        Passing::Sent(it) => (it, "traffic.sent"),
        Passing::Came(it) if it.lost => (it, "traffic.lost"),
        Passing::Came(it) => (it, "traffic.came"),
    };
    let [from, to] = ends(traffic, message);
    let kind = traffic.kinds.get(usize::from(message.kind)).map_or("", |it| it.one.as_str());
    Some(fill(key, &[("from", &from), ("to", &to), ("what", kind)]))
}

fn changed(traffic: &Traffic, change: &Change) -> String {
    let is_it = |kind: NodeKind, place: Option<u32>| {
        kind == NodeKind::Application && place == Some(change.machine)
    };
    let node = traffic.nodes.iter().find(|it| is_it(it.kind, it.place));
    let name = node.map_or("", |it| it.name.as_str());
    fill(state(change.state), &[("machine", name)])
}

fn state(state: MachineState) -> &'static str {
    match state {
        MachineState::Up => "traffic.up",
        MachineState::Closing => "traffic.closing",
        MachineState::Out => "traffic.out",
        MachineState::Crashed => "traffic.crashed",
    }
}

/// The names of both ends; a group of users is told as the one whose message it is.
fn ends(traffic: &Traffic, message: &Message) -> [String; 2] {
    let Some((from, to)) = traffic.ends(message) else { return Default::default() };
    [from, to].map(|it| match (it.kind, message.sender) {
        (NodeKind::Users, Some(user)) => {
            fill("traffic.user", &[("user", &format::count(u64::from(user) + 1))])
        }
        _ => it.name.clone(),
    })
}

/// Every message, and what became of machines.
pub fn messages(traffic: &Traffic) -> Table {
    let columns = [
        "traffic.at",
        "traffic.until",
        "traffic.what",
        "traffic.sender",
        "traffic.from",
        "traffic.to",
        "traffic.end",
    ];
    let columns = columns.map(|it| Column::new(text(it))).into();
    let number = |value: f64| Cell::number(Quantity::Latency, Some(value));
    let mut rows: Vec<(f64, Vec<Cell>)> = Vec::new();
    for it in &traffic.messages {
        let [from, to] = ends(traffic, it);
        let kind = traffic.kinds.get(usize::from(it.kind)).map_or("", |it| it.one.as_str());
        let sender = it.sender.map(|it| f64::from(it) + 1.0);
        let end = if it.lost { "traffic.is-lost" } else { "traffic.comes" };
        let row = vec![
            number(it.from_ms),
            number(it.until_ms),
            Cell::Text(kind.to_owned()),
            sender.map_or(Cell::Empty, |it| Cell::number(Quantity::Count, Some(it))),
            Cell::Text(from),
            Cell::Text(to),
            Cell::Text(text(end).to_owned()),
        ];
        rows.push((it.from_ms, row));
    }
    for it in &traffic.changes {
        let mut row = vec![Cell::Empty; 7];
        (row[0], row[2]) = (number(it.at_ms), Cell::Text(changed(traffic, it)));
        rows.push((it.at_ms, row));
    }
    sort_by_number(&mut rows, |it| it.0);
    Table { columns, rows: rows.into_iter().map(|it| it.1).collect() }
}
