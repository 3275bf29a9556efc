//! A film of servers in words and as a table.

use crate::{
    format,
    report::{Cell, Column, Film, FilmEvent, Happening, Quantity, Table},
    ui::strings::{fill, text},
};

/// What is seen, from where, and of whom.
pub fn caption(film: &Film) -> String {
    let ms = |value: f64| format::reading(Quantity::Latency, Some(value), None, None).to_string();
    let mut words =
        fill("film.caption", &[("from", &ms(film.from_ms)), ("length", &ms(film.length_ms))]);
    if film.servers < film.of {
        let [shown, of] = [film.servers, film.of].map(|it| format::count(it.into()));
        words = [words, fill("film.first", &[("shown", &shown), ("of", &of)])].join(" ");
    }
    words
}

/// What the servers hold at a moment.
pub fn at_servers(film: &Film, ms: f64) -> String {
    let moment = film.at(ms, 0.0);
    let Some((server, longest)) = moment.longest() else { return text("film.idle").to_owned() };
    let [jobs, longest, server] =
        [moment.jobs(), longest, server + 1].map(|it| format::count(it as u64));
    fill("film.held", &[("jobs", &jobs), ("longest", &longest), ("server", &server)])
}

/// The time, what the servers hold, and, if it is this very moment's, what happened last.
pub fn moment(film: &Film, ms: f64) -> String {
    let time = format::reading(Quantity::Latency, Some(ms), None, None).to_string();
    let mut words = vec![fill("film.after", &[("time", &time)]), at_servers(film, ms)];
    let last = film.at(ms, 0.0).last.filter(|it| it.at_ms == ms && 0.0 < ms);
    words.extend(last.map(|it| {
        let server = format::count(u64::from(it.server) + 1);
        fill("film.last", &[("server", &server), ("what", happening(&it))])
    }));
    words.join(" ")
}

/// A speed in words: `1/50`.
pub fn speed(speed: f64) -> String {
    let whole = |value: f64| format::count(value.round() as u64);
    if speed < 1.0 {
        fill("film.speed-is", &[("speed", &format!("1/{}", whole(1.0 / speed)))])
    } else {
        fill("film.speed-times", &[("speed", &whole(speed))])
    }
}

/// Every event.
pub fn events(film: &Film) -> Table {
    let columns = ["film.at", "film.server", "film.what", "film.job", "film.kind"];
    let columns = columns.map(|it| Column::new(text(it))).into();
    let row = |it: &FilmEvent| {
        let of_server = matches!(it.what, Happening::ServerOut | Happening::ServerIn);
        let number = |value: u32| Cell::number(Quantity::Count, Some(value.into()));
        let kind = film.kinds.get(usize::from(it.kind)).filter(|_| !of_server);
        vec![
            Cell::number(Quantity::Latency, Some(it.at_ms)),
            number(it.server + 1),
            Cell::Text(happening(it).to_owned()),
            if of_server { Cell::Empty } else { number(it.job + 1) },
            kind.map_or(Cell::Empty, |it| Cell::Text(it.name.clone())),
        ]
    };
    Table { columns, rows: film.events.iter().map(row).collect() }
}

fn happening(event: &FilmEvent) -> &'static str {
    text(match event.what {
        Happening::Joined => "film.joined",
        Happening::Started => "film.started",
        Happening::SetAside => "film.set-aside",
        Happening::Finished => "film.finished",
        Happening::Cancelled => "film.cancelled",
        Happening::ServerOut => "film.out",
        Happening::ServerIn => "film.in",
    })
}
