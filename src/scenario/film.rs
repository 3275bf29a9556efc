//! Makes films of servers: models tell a reel what happens, and it keeps a stretch of that.

use crate::{
    report::{Film, FilmEvent, Happening, JobKind, Meaning},
    sim::{Instant, Model, Outcome, Run, Running as _},
};

/// So many servers can be told apart on a screen.
const SERVERS_MAX: u32 = 100;
/// What happens in a film, besides what is there when it begins.
const EVENTS_MAX: usize = 2_000;
/// When so many jobs are there the film begins, whether or not the run has warmed up: they grow for ever.
const HELD_MAX: usize = 2_000;
/// Nobody waits longer than this for a run to warm up.
const BEFORE_MAX: u64 = 1_000_000;
/// Nor for events at servers, where there are hardly any.
const STEPS_MAX: u64 = 8_000_000;
const SLICE: u64 = 1_024;

/// A film in the making.
///
/// Jobs are known by tags of the model's. Those that share one are taken in the order of their arrival.
pub(super) struct Reel {
    film: Film,
    shown: Vec<Server>,
    held: usize,
    /// Answers that it still lets pass before it begins.
    warm_up: u64,
    before: u64,
    begun: Option<Opening>,
    jobs: u32,
}

#[derive(Default)]
struct Server {
    jobs: Vec<Job>,
    out: bool,
}

#[derive(Clone, Copy)]
struct Job {
    tag: u64,
    number: u32,
    kind: u8,
    at_work: bool,
}

#[derive(Clone, Copy)]
struct Opening {
    at: Instant,
    /// Events that only say what was there.
    events: usize,
}

/// Runs until somebody has seen enough, or the run is over, or nobody would wait for more.
pub(super) fn follow<M: Model>(
    mut run: Run<M>,
    steps_max: u64,
    enough: impl Fn(&M) -> bool,
) -> Run<M> {
    let mut steps = 0;
    while steps < steps_max && !enough(run.model()) && run.advance(SLICE) == Outcome::Paused {
        steps += SLICE;
    }
    run
}

/// The film of a run whose model holds a reel.
pub(super) fn shoot<M: Model>(run: Run<M>, reel: impl Fn(&M) -> Option<&Reel>) -> Option<Film> {
    let run = follow(run, STEPS_MAX, |it| reel(it).is_none_or(Reel::is_full));
    let film = &reel(run.model())?.film;
    (!film.events.is_empty() && 0.0 < film.length_ms).then(|| film.clone())
}

impl Reel {
    /// Of the first servers of so many, after a number of answers. `kinds` are meanings and names.
    pub(super) fn new(servers: u32, warm_up: u32, kinds: &[(Meaning, &str)]) -> Reel {
        let shown = servers.min(SERVERS_MAX);
        let kind = |&(meaning, name): &(Meaning, &str)| JobKind { meaning, name: name.to_owned() };
        Reel {
            film: Film {
                servers: shown,
                of: servers,
                from_ms: 0.0,
                length_ms: 0.0,
                at_once: false,
                kinds: kinds.iter().map(kind).collect(),
                events: Vec::new(),
            },
            shown: (0..shown).map(|_| Server::default()).collect(),
            held: 0,
            warm_up: u64::from(warm_up),
            before: 0,
            begun: None,
            jobs: 0,
        }
    }

    /// The same of servers that work on all their jobs at once.
    pub(super) fn at_once(mut self, at_once: bool) -> Reel {
        self.film.at_once = at_once;
        self
    }

    pub(super) fn answered(&mut self) {
        self.warm_up = self.warm_up.saturating_sub(1);
    }

    pub(super) fn joined(&mut self, now: Instant, server: u32, kind: u8, tag: u64) {
        self.pass(now);
        let job = Job { tag, number: self.jobs, kind, at_work: false };
        let Some(it) = self.shown.get_mut(server as usize) else { return };
        it.jobs.push(job);
        self.jobs += 1;
        self.held += 1;
        self.keep(now, server, job, Happening::Joined);
    }

    /// A job is at work from now on; whatever else was, where it is one at a time, waits again.
    pub(super) fn started(&mut self, now: Instant, server: u32, tag: u64) {
        self.pass(now);
        let at_once = self.film.at_once;
        let Some(it) = self.shown.get_mut(server as usize) else { return };
        let other = it.jobs.iter().position(|it| it.at_work).filter(|_| !at_once);
        // With slices, the same one may go on.
        if other.is_some_and(|at| it.jobs[at].tag == tag) {
            return;
        }
        let aside = other.map(|at| Job { at_work: false, ..it.jobs.remove(at) });
        it.jobs.extend(aside);
        let started = it.jobs.iter_mut().find(|it| it.tag == tag && !it.at_work);
        let started = started.map(|it| {
            it.at_work = true;
            *it
        });
        if let Some(job) = aside {
            self.keep(now, server, job, Happening::SetAside);
        }
        if let Some(job) = started {
            self.keep(now, server, job, Happening::Started);
        }
    }

    pub(super) fn finished(&mut self, now: Instant, server: u32, tag: u64) {
        self.left(now, server, Happening::Finished, |it| it.tag == tag && it.at_work);
    }

    pub(super) fn cancelled(&mut self, now: Instant, server: u32, tag: u64) {
        self.left(now, server, Happening::Cancelled, |it| it.tag == tag);
    }

    /// Whether a server is left out from now on.
    pub(super) fn out(&mut self, now: Instant, server: u32, out: bool) {
        self.pass(now);
        let Some(it) = self.shown.get_mut(server as usize) else { return };
        if std::mem::replace(&mut it.out, out) != out {
            self.keep(
                now,
                server,
                Job::NONE,
                if out { Happening::ServerOut } else { Happening::ServerIn },
            );
        }
    }

    fn is_full(&self) -> bool {
        let seen = |it: Opening| EVENTS_MAX <= self.film.events.len() - it.events;
        self.begun.is_some_and(seen)
    }

    fn left(&mut self, now: Instant, server: u32, what: Happening, is_it: impl Fn(&Job) -> bool) {
        self.pass(now);
        let Some(it) = self.shown.get_mut(server as usize) else { return };
        if let Some(at) = it.jobs.iter().position(is_it) {
            let job = it.jobs.remove(at);
            self.held -= 1;
            self.keep(now, server, job, what);
        }
    }

    /// Something is about to happen: perhaps the film begins with it.
    fn pass(&mut self, now: Instant) {
        self.before += 1;
        let ready = self.warm_up == 0 || HELD_MAX <= self.held || BEFORE_MAX <= self.before;
        if self.begun.is_none() && ready {
            self.begin(now);
        }
    }

    fn begin(&mut self, now: Instant) {
        self.film.from_ms = now.since(Instant::default()).as_ms();
        let events = &mut self.film.events;
        for (server, it) in (0..).zip(&self.shown) {
            let opening = |job: Job, what| job.event(0.0, server, what);
            if it.out {
                events.push(opening(Job::NONE, Happening::ServerOut));
            }
            for &job in &it.jobs {
                events.push(opening(job, Happening::Joined));
                events.extend(job.at_work.then(|| opening(job, Happening::Started)));
            }
        }
        self.begun = Some(Opening { at: now, events: events.len() });
    }

    fn keep(&mut self, now: Instant, server: u32, job: Job, what: Happening) {
        // What happens at the very moment of the last event still belongs to it.
        let at_ms = self.begun.map(|it| now.since(it.at).as_ms());
        if let Some(at_ms) = at_ms.filter(|it| !self.is_full() || *it <= self.film.length_ms) {
            self.film.length_ms = at_ms;
            self.film.events.push(job.event(at_ms, server, what));
        }
    }
}

impl Job {
    /// Of events that are a server's own.
    const NONE: Job = Job { tag: 0, number: u32::MAX, kind: 0, at_work: false };

    fn event(self, at_ms: f64, server: u32, what: Happening) -> FilmEvent {
        FilmEvent { at_ms, server, job: self.number, kind: self.kind, what }
    }
}
