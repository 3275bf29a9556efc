//! What happens when a node goes: at once, or as planned.

use super::{Event, Model, Stage};
use crate::{
    scenario::kvs_sessions::{
        Failure, KvsSessionsParams, Replication, Topology, counts,
        watch::{Cargo, Failing, Spot, Watch, What},
    },
    sim::{Context, Duration, Instant},
};

/// The node that is out of service.
#[derive(Default)]
pub(super) struct Outage {
    /// It takes no new requests.
    pub node: Option<u32>,
    /// Others have taken over.
    pub gone: Option<u32>,
    pub crashed: Option<u32>,
    since: Instant,
    /// Requests that it is still at, before it is handed over.
    inside: u32,
    /// What it holds is on its way.
    moving: bool,
}

impl Outage {
    pub(super) fn forget(&mut self) {
        *self = Outage::default();
    }

    /// A request has what it needs from its node and store.
    pub(super) fn leaves(&mut self, params: &KvsSessionsParams, user: u32, node: u32) {
        if let Some(closing) = self.closing().filter(|it| params.touches(user, node, *it)) {
            debug_assert!(
                0 < self.inside,
                "a request came to node {closing} that is being taken out"
            );
            self.inside -= 1;
        }
    }

    /// The node that is being taken out.
    fn closing(&self) -> Option<u32> {
        self.node.filter(|_| self.gone.is_none())
    }
}

impl<W: Watch> Model<W> {
    pub(super) fn fail(&mut self, context: &mut Context<Event>) {
        let node = self.params.nodes - 1;
        match self.params.failure {
            Failure::None => {}
            Failure::Crash => self.crash(node, context),
            Failure::HandOff => {
                let at_work =
                    [Stage::Write, Stage::Written, Stage::Read, Stage::HasRead, Stage::Waits];
                let inside = std::iter::zip(0.., &self.users).filter(|(user, it)| {
                    at_work.contains(&it.stage) && self.params.touches(*user, it.node, node)
                });
                let inside = inside.count() as u32;
                let since = context.agenda.now();
                self.outage = Outage { node: Some(node), since, inside, ..Outage::default() };
                self.watch.fails(since, node, Failing::Closing);
                self.hand_over_if_done(context);
            }
        }
    }

    /// Whether a request that is sent now has to wait at the balancer.
    pub(super) fn parks(&self, user: u32) -> bool {
        let Some(closing) = self.outage.closing() else { return false };
        match self.params.topology {
            Topology::Sharded if self.params.owner(user) == closing => true,
            _ => self.params.is_tied() && self.users[user as usize].home == closing,
        }
    }

    fn crash(&mut self, node: u32, context: &mut Context<Event>) {
        context.meter.count(counts::CRASHES, 1);
        context.meter.count(counts::LOST, self.lost_with(node));
        self.take_out(node);
        self.outage.crashed = Some(node);
        self.watch.fails(context.agenda.now(), node, Failing::Crashed);
        if self.params.topology != Topology::Central {
            self.saw(context, 0, node, What::Crashed);
        }
        for user in 0..self.params.clients {
            let it = &self.users[user as usize];
            if it.stage == Stage::Waits && it.node == node {
                self.retry(user, context);
            }
        }
    }

    /// The increments that are never heard of again where their users go.
    fn lost_with(&self, node: u32) -> u64 {
        let all = 0..self.params.clients;
        match self.params.topology {
            Topology::Central | Topology::Replica => 0,
            Topology::Sharded => {
                let own = all.filter(|it| self.params.owner(*it) == node);
                own.map(|it| u64::from(self.values[(node * self.params.clients + it) as usize]))
                    .sum()
            }
            Topology::CoLocated => {
                let lost = |to: u32| {
                    let link = self.shipping.link(node, to);
                    let unshipped = self.shipping.unshipped(link);
                    unshipped
                        .filter(move |it| {
                            self.heir(it.1, node) == to && !self.writes_again(*it, node)
                        })
                        .count()
                };
                (0..self.params.nodes).filter(|it| *it != node).map(lost).sum::<usize>() as u64
            }
        }
    }

    /// Whether an entry is of a request that the node was at, so that it will be written again.
    fn writes_again(&self, (entry, user): (u64, u32), node: u32) -> bool {
        let it = &self.users[user as usize];
        let answered = matches!(it.stage, Stage::Answer | Stage::Send | Stage::Parked);
        !answered
            && it.node == node
            && it.own.is_some_and(|own| own.entry == entry && own.store == node)
    }

    /// The node that a user moves to: the one that has a copy, or else they spread over all.
    fn heir(&self, user: u32, node: u32) -> u32 {
        let nodes = self.params.nodes;
        if self.params.replication == Replication::Sync
            && self.params.topology == Topology::CoLocated
        {
            return (node + 1) % nodes;
        }
        (node + 1 + user / nodes % (nodes - 1)) % nodes
    }

    fn take_out(&mut self, node: u32) {
        (self.outage.node, self.outage.gone) = (Some(node), Some(node));
        if self.params.has_copies() {
            self.shipping.cut_to(node);
            self.shipping.cut_from(node);
        }
        for user in 0..self.params.clients {
            let heir = self.heir(user, node);
            let it = &mut self.users[user as usize];
            if it.home == node {
                it.home = heir;
            }
        }
    }

    /// Sends a request again whose node has crashed: to another, as soon as that has all that was on its way to it.
    /// What it had written already is known by its number, and not added again.
    pub(super) fn retry(&mut self, user: u32, context: &mut Context<Event>) {
        let now = context.agenda.now();
        let crashed = self.users[user as usize].node;
        let node = self.pick(user);
        let link = self.shipping.link(crashed, node);
        let mut wait = Duration::default();
        let mut own = self.users[user as usize].own;
        match self.params.topology {
            Topology::CoLocated => {
                own = own.filter(|it| self.shipping.is_shipped(link, it.entry));
                wait = self.shipping.last_arrival(link).max(now).since(now);
            }
            Topology::Sharded => own = own.filter(|it| it.store != crashed),
            Topology::Central | Topology::Replica => {}
        }
        let it = &mut self.users[user as usize];
        (it.node, it.own) = (node, own);
        it.stage = if own.is_some() { Stage::Read } else { Stage::Write };
        let cargo = if own.is_some() { Cargo::Read } else { Cargo::Write };
        if Duration::default() < wait {
            self.stays(user, cargo, Spot::Balancer, Some(wait), context);
        }
        let delay = wait + self.comes(user, cargo, wait, context);
        self.plan(delay, Event::Step(user), context);
    }

    /// Once a node that is taken out has answered all and shipped all, others take over.
    pub(super) fn hand_over_if_done(&mut self, context: &mut Context<Event>) {
        let Some(closing) = self.outage.closing() else { return };
        if 0 < self.outage.inside || self.outage.moving {
            return;
        }
        match self.params.topology {
            Topology::Sharded => {
                self.outage.moving = true;
                let hop = self.hop();
                let to = (closing + 1) % self.params.nodes;
                self.ships((closing, to), (Duration::default(), hop), context);
                self.plan(hop, Event::TakenOver, context);
            }
            Topology::CoLocated if !self.shipping.all_delivered(closing) => {}
            _ => self.hand_over(context),
        }
    }

    pub(super) fn hand_over(&mut self, context: &mut Context<Event>) {
        let Some(node) = self.outage.closing() else { return };
        if self.params.topology == Topology::Sharded {
            let to = (node + 1) % self.params.nodes;
            for user in 0..self.params.clients {
                if self.params.owner(user) == node {
                    *self.value(to, user) = *self.value(node, user);
                    self.saw(context, user, to, What::Moved { from: node });
                }
            }
        }
        self.take_out(node);
        self.watch.fails(context.agenda.now(), node, Failing::Out);
        context.meter.count(counts::HAND_OFFS, 1);
        let paused = context.agenda.now().since(self.outage.since);
        context.meter.count(counts::PAUSED_US, paused.as_ns() / 1_000);
        for user in 0..self.params.clients {
            if self.users[user as usize].stage == Stage::Parked {
                self.depart(user, context);
            }
        }
    }
}
