//! What is on its way between users, nodes and stores, as the study's own run had it: a stretch from its middle, where
//! a node fails if one does.

mod plan;

use super::{
    Failure, KvsSessionsParams, Model, Topology,
    watch::{Cargo, Failing, Happened, Leg, Spot, Watch, What},
};
use crate::{
    report::{Change, MachineState, Message, Stay, Traffic},
    scenario::{RunSeed, film::follow},
    sim::{Duration, Instant},
    special::sort_by_number,
};
use plan::{MISSED, Plan, kind};

/// So many requests and messages can be followed without getting tired.
const REQUESTS_MAX: u64 = 400;
const MESSAGES_MAX: usize = 4_000;
/// Where there is little to see, so many hops and requests are enough.
const HOPS: f64 = 1_000.0;
const REQUESTS_MIN: u64 = 40;
/// It begins so many requests before a node fails.
const BEFORE: u64 = 60;
/// Where none fails, users have settled after so many.
const SETTLED: u64 = 2_000;
/// Nobody waits longer for a run to come to its middle.
const STEPS_MAX: u64 = 8_000_000;
/// What is over is forgotten, when there is as much of it, as long as the film has not begun.
const LEGS_MAX: usize = 8_192;

/// A film in the making.
struct Filming {
    params: KvsSessionsParams,
    plan: Plan,
    /// Requests that it lets pass before it begins.
    before: u64,
    answered: u64,
    began: Option<Instant>,
    ended: Option<Instant>,
    legs: Vec<Kept>,
    legs_max: usize,
    /// Whether a user stays somewhere for nobody knows how long.
    open: Vec<bool>,
    changes: Vec<(Instant, u32, MachineState)>,
}

/// A leg with its times.
#[derive(Clone, Copy)]
struct Kept {
    leg: Leg,
    from: Instant,
    until: Option<Instant>,
    lost: bool,
}

pub(super) fn traffic(params: &KvsSessionsParams, run: &RunSeed) -> Option<Traffic> {
    let run = Model::start(params, run, Filming::new(params));
    let run = follow(run, STEPS_MAX, |it| it.watch().ended.is_some());
    run.model().watch().told()
}

impl Watch for Filming {
    fn saw(&mut self, now: Instant, happened: &Happened) {
        match happened.what {
            // The next play begins: this one is over.
            What::Began if self.began.is_some() => self.end(now),
            What::Began => self.begin_if_due(now),
            What::Answered if happened.number <= self.params.requests_each => {
                self.answered += 1;
                self.begin_if_due(now);
                self.end_if_due(now);
            }
            _ => {}
        }
    }

    fn goes(&mut self, now: Instant, leg: &Leg) {
        if self.ended.is_some() {
            return;
        }
        if let Some((user, _)) = leg.of {
            self.close(user, now + leg.after);
            self.open[user as usize] = leg.lasts.is_none();
        }
        let from = now + leg.after;
        let until = leg.lasts.map(|it| from + it);
        self.legs.push(Kept { leg: *leg, from, until, lost: false });
        if self.began.is_none() && self.legs_max <= self.legs.len() {
            self.legs.retain(|it| it.until.is_none_or(|it| now < it));
            self.legs_max = LEGS_MAX.max(2 * self.legs.len());
        }
    }

    fn fails(&mut self, now: Instant, node: u32, state: Failing) {
        if self.ended.is_some() {
            return;
        }
        let state = match state {
            Failing::Closing => MachineState::Closing,
            Failing::Out => MachineState::Out,
            Failing::Crashed => {
                self.crash(now, node);
                MachineState::Crashed
            }
        };
        self.changes.push((now, node, state));
    }
}

impl Filming {
    fn new(params: &KvsSessionsParams) -> Filming {
        let half = params.size() / 2;
        let settled = if params.failure == Failure::None { SETTLED } else { u64::MAX };
        Filming {
            params: params.clone(),
            plan: Plan::new(params),
            before: half.saturating_sub(BEFORE).min(settled),
            answered: 0,
            began: None,
            ended: None,
            legs: Vec::new(),
            legs_max: LEGS_MAX,
            open: vec![false; params.clients as usize],
            changes: Vec::new(),
        }
    }

    fn begin_if_due(&mut self, now: Instant) {
        if self.began.is_none() && self.before <= self.answered {
            self.began = Some(now);
            self.legs.retain(|it| it.until.is_none_or(|it| now < it));
        }
    }

    fn end_if_due(&mut self, now: Instant) {
        let Some(began) = self.began else { return };
        let shown = self.answered - self.before;
        let fails = self.params.failure == Failure::HandOff;
        // A pause is to be seen to its end, if that can be waited for.
        let out = !fails || self.changes.iter().any(|it| it.2 == MachineState::Out);
        let requests = if out { REQUESTS_MAX } else { 3 * REQUESTS_MAX };
        let long = Duration::from_ms(HOPS * self.params.hop_ms) <= now.since(began);
        // What fails does so after so many requests.
        let few = if fails || self.params.failure == Failure::Crash { BEFORE } else { 0 };
        let quiet = long && few + REQUESTS_MIN <= shown && out;
        let full = MESSAGES_MAX <= self.legs.len() && few < shown;
        if requests <= shown || quiet || full {
            self.end(now);
        }
    }

    fn end(&mut self, now: Instant) {
        self.ended = self.ended.or(Some(now));
    }

    /// Whatever nobody knew the end of ends now.
    fn close(&mut self, user: u32, now: Instant) {
        if !std::mem::take(&mut self.open[user as usize]) {
            return;
        }
        let is_it = |it: &&mut Kept| it.until.is_none() && it.leg.of.is_some_and(|of| of.0 == user);
        if let Some(it) = self.legs.iter_mut().rev().find(is_it) {
            it.until = Some(now);
        }
    }

    /// What the node was at is lost. What was for its store goes to the one that takes over.
    fn crash(&mut self, now: Instant, node: u32) {
        let heir = Spot::Store((node + 1) % self.params.nodes);
        let gone = Spot::Store(node);
        let sharded = self.params.topology == Topology::Sharded;
        let mut moved = Vec::new();
        self.legs.retain_mut(|it| {
            if it.until.is_some_and(|it| it <= now) {
                return true;
            }
            let stays = it.leg.from == it.leg.to;
            let begun = it.from < now;
            let was_at = it.leg.of.is_some_and(|of| of.1 == node) && !has_read(&it.leg);
            let copied =
                it.leg.of.is_none() && (it.leg.to == gone || !begun && it.leg.from == gone);
            if was_at || copied {
                if stays {
                    it.until = Some(now);
                } else {
                    it.lost = true;
                }
                return begun;
            }
            if sharded && stays && it.leg.to == gone {
                let rest = Leg { from: heir, to: heir, ..it.leg };
                moved.push(Kept { leg: rest, from: it.from.max(now), ..*it });
                it.until = Some(now);
                return begun;
            }
            if sharded && it.leg.to == gone {
                it.leg.to = heir;
            }
            if sharded && it.leg.from == gone && !begun {
                it.leg.from = heir;
            }
            true
        });
        self.legs.extend(moved);
    }

    fn told(&self) -> Option<Traffic> {
        let (began, ended) = (self.began?, self.ended?);
        let ms = |it: Instant| it.as_ms() - began.as_ms();
        let mut traffic = self.plan.traffic(began.as_ms(), ms(ended), self.params.hop_ms);
        for it in self.legs.iter().filter(|it| it.from <= ended) {
            let (kind, sender) = (kind(it.leg.cargo), it.leg.of.map(|it| it.0));
            let (from_ms, until_ms) = (ms(it.from), ms(it.until.unwrap_or(ended)));
            if it.leg.from == it.leg.to {
                let (node, at_work) = (self.plan.node(it.leg.from)?, it.leg.at_work);
                let beside = sender.filter(|_| it.leg.from == Spot::Balancer);
                let place = beside.map(|it| it % self.params.nodes);
                traffic.stays.push(Stay { node, place, kind, sender, from_ms, until_ms, at_work });
            } else {
                let (link, back) = self.plan.link(it.leg.from, it.leg.to)?;
                let lost = it.lost;
                traffic.messages.push(Message {
                    link,
                    back,
                    kind,
                    sender,
                    from_ms,
                    until_ms,
                    lost,
                });
            }
        }
        // Some were known before they were sent.
        sort_by_number(&mut traffic.messages, |it| it.from_ms);
        sort_by_number(&mut traffic.stays, |it| it.from_ms);
        let change = |&(at, machine, state): &(Instant, u32, MachineState)| Change {
            at_ms: ms(at),
            machine,
            state,
        };
        traffic.changes = self.changes.iter().map(change).collect();
        traffic.followed = self.followed(&traffic);
        (0.0 < traffic.length_ms && !traffic.messages.is_empty()).then_some(traffic)
    }

    /// Whoever there is most to see of: the first who misses a write, else somebody whose node fails, else the first.
    fn followed(&self, traffic: &Traffic) -> Option<u32> {
        let sent = || traffic.messages.iter().filter(|it| 0.0 <= it.from_ms);
        let missed = sent().find(|it| it.kind == MISSED);
        let last = self.params.nodes - 1;
        let fails = self.params.failure != Failure::None;
        let failed = sent().find(|it| fails && it.sender.is_some_and(|it| it % (last + 1) == last));
        let any = sent().find(|it| it.sender.is_some());
        missed.or(failed).or(any)?.sender
    }
}

/// What has been read is on its way, and comes whatever happens behind it.
fn has_read(leg: &Leg) -> bool {
    let returns = matches!((leg.from, leg.to), (Spot::Store(_), Spot::Node(_)));
    matches!(leg.cargo, Cargo::Answer { .. }) || leg.cargo == Cargo::Read && returns
}
