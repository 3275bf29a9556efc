//! A stretch of a simulation as its servers saw it: who came, who was worked on, who was taken out.

use super::Meaning;

/// Everything that happened at the servers of a run for a while.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Film {
    /// How many servers are shown, the first ones, and of how many.
    pub servers: u32,
    pub of: u32,
    /// Milliseconds of the run before it begins, and how many it lasts.
    pub from_ms: f64,
    pub length_ms: f64,
    /// Whether a server works on all its jobs at once.
    pub at_once: bool,
    pub kinds: Vec<JobKind>,
    /// In the order of time. What servers hold at the beginning joins at 0.
    pub events: Vec<FilmEvent>,
}

/// What a job is to the study.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct JobKind {
    pub meaning: Meaning,
    /// Of many: `second copies`.
    pub name: String,
}

#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct FilmEvent {
    pub at_ms: f64,
    /// From 0.
    pub server: u32,
    /// The job's number; no two of a film share one.
    pub job: u32,
    /// Where its kind stands in `Film::kinds`.
    pub kind: u8,
    pub what: Happening,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Happening {
    Joined,
    Started,
    /// Its slice of time is over; it goes to the end of the queue.
    SetAside,
    Finished,
    /// Taken out, waiting or at work.
    Cancelled,
    /// The server itself is not sent to any more. Its `job` means nothing.
    ServerOut,
    ServerIn,
}

/// The servers at a moment of a film.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Moment {
    pub servers: Vec<Shown>,
    /// What happened last.
    pub last: Option<FilmEvent>,
}

/// A server, and what it holds, in the order of arrival.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shown {
    pub jobs: Vec<Held>,
    pub out: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Held {
    pub job: u32,
    pub kind: u8,
    pub state: HeldState,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HeldState {
    Waiting,
    AtWork,
    /// Not there any more, but for those who want to see it go.
    Cancelled {
        at_ms: f64,
    },
}

/// As many servers as a film may be of, whatever it says.
const SERVERS_MAX: u32 = 1_000;

impl Film {
    /// The servers at a moment, with the jobs that were cancelled no longer than `fade_ms` ago in their places.
    pub fn at(&self, ms: f64, fade_ms: f64) -> Moment {
        let servers = self.servers.min(SERVERS_MAX) as usize;
        let mut moment = Moment { servers: vec![Shown::default(); servers], last: None };
        for event in self.events.iter().take_while(|it| it.at_ms <= ms) {
            if let Some(server) = moment.servers.get_mut(event.server as usize) {
                server.pass(event);
                moment.last = Some(*event);
            }
        }
        for server in &mut moment.servers {
            server.jobs.retain(|it| match it.state {
                HeldState::Cancelled { at_ms } => ms - at_ms < fade_ms,
                HeldState::Waiting | HeldState::AtWork => true,
            });
        }
        moment
    }

    /// When something happens next; nothing after the last event.
    pub fn next_ms(&self, ms: f64) -> Option<f64> {
        let next = self.events.partition_point(|it| it.at_ms <= ms);
        self.events.get(next).map(|it| it.at_ms)
    }

    /// Whether any job is cancelled in it.
    pub fn cancels(&self) -> bool {
        self.events.iter().any(|it| it.what == Happening::Cancelled)
    }
}

impl Moment {
    /// Jobs at the servers shown, waiting or at work.
    pub fn jobs(&self) -> usize {
        self.servers.iter().map(Shown::length).sum()
    }

    /// The first of the servers that hold most, and how many jobs; nothing if all are idle.
    pub fn longest(&self) -> Option<(usize, usize)> {
        let lengths = self.servers.iter().map(Shown::length).enumerate();
        let longest = lengths.rev().max_by_key(|it| it.1);
        longest.filter(|it| 0 < it.1)
    }
}

impl Shown {
    /// How many jobs it holds.
    pub fn length(&self) -> usize {
        self.jobs.iter().filter(|it| it.is_there()).count()
    }

    fn pass(&mut self, event: &FilmEvent) {
        let FilmEvent { at_ms, job, kind, what, .. } = *event;
        let place = self.jobs.iter().position(|it| it.job == job && it.is_there());
        match (what, place) {
            (Happening::ServerOut, _) => self.out = true,
            (Happening::ServerIn, _) => self.out = false,
            (Happening::Joined, _) => {
                self.jobs.push(Held { job, kind, state: HeldState::Waiting });
            }
            (Happening::Started, Some(at)) => self.jobs[at].state = HeldState::AtWork,
            (Happening::SetAside, Some(at)) => {
                self.jobs.remove(at);
                self.jobs.push(Held { job, kind, state: HeldState::Waiting });
            }
            (Happening::Finished, Some(at)) => {
                self.jobs.remove(at);
            }
            (Happening::Cancelled, Some(at)) => {
                self.jobs[at].state = HeldState::Cancelled { at_ms };
            }
            (_, None) => {}
        }
    }
}

impl Held {
    pub fn is_there(&self) -> bool {
        matches!(self.state, HeldState::Waiting | HeldState::AtWork)
    }
}
