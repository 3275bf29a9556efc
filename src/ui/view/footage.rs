//! Whatever can be watched of a run, in words and as a table.

use super::{Clock, film, traffic};
use crate::{
    report::{Footage, Table},
    ui::strings::text,
};

pub fn title(footage: &Footage) -> &'static str {
    match footage {
        Footage::Servers(_) => text("film.title"),
        Footage::Messages(_) => text("traffic.title"),
    }
}

/// What its file is called, behind the scenario's name.
pub fn file(footage: &Footage) -> &'static str {
    match footage {
        Footage::Servers(_) => "servers",
        Footage::Messages(_) => "messages",
    }
}

/// What is seen, from where, and of whom.
pub fn caption(footage: &Footage) -> String {
    match footage {
        Footage::Servers(film) => film::caption(film),
        Footage::Messages(traffic) => traffic::caption(traffic),
    }
}

/// What is seen at a moment.
pub fn moment(footage: &Footage, ms: f64) -> String {
    match footage {
        Footage::Servers(film) => film::moment(film, ms),
        Footage::Messages(traffic) => traffic::moment(traffic, ms),
    }
}

/// Everything that happens.
pub fn table(footage: &Footage) -> Table {
    match footage {
        Footage::Servers(film) => film::events(film),
        Footage::Messages(traffic) => traffic::messages(traffic),
    }
}

/// A clock that stands at its beginning, at a speed at which it can be followed.
pub fn clock(footage: &Footage) -> Clock {
    match footage {
        Footage::Servers(film) => Clock::new(film.length_ms),
        Footage::Messages(traffic) => Clock::paced(traffic.length_ms, traffic.pace_ms),
    }
}
