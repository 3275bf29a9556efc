//! What of a run can be watched: the queues of its servers, or the messages between its machines.

use super::{Film, Traffic};

#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Footage {
    Servers(Film),
    Messages(Traffic),
}

impl Footage {
    pub fn length_ms(&self) -> f64 {
        match self {
            Footage::Servers(film) => film.length_ms,
            Footage::Messages(traffic) => traffic.length_ms,
        }
    }

    /// When something happens next; nothing after the last event.
    pub fn next_ms(&self, ms: f64) -> Option<f64> {
        match self {
            Footage::Servers(film) => film.next_ms(ms),
            Footage::Messages(traffic) => traffic.next_ms(ms),
        }
    }
}
