//! The ways of a request, and who watches it go.

use super::{Event, Model};
use crate::{
    scenario::kvs_sessions::{
        Topology,
        truth::HOP_FIXED,
        watch::{Cargo, Leg, Spot, Watch},
    },
    sim::{Context, Duration},
};

impl<W: Watch> Model<W> {
    pub(super) fn hop(&mut self) -> Duration {
        let spread = (1.0 - HOP_FIXED) * self.hops.exponential();
        Duration::from_ms(self.params.hop_ms * (HOP_FIXED + spread))
    }

    /// Between a node and a store, one way.
    fn way(&mut self, node: u32, store: u32) -> Duration {
        let elsewhere = self.params.topology == Topology::Central || node != store;
        if elsewhere { self.hop() } else { Duration::default() }
    }

    /// A request comes to its node, and from there to its store, so much later than now: how long that takes.
    pub(super) fn comes(
        &mut self,
        user: u32,
        cargo: Cargo,
        after: Duration,
        context: &Context<Event>,
    ) -> Duration {
        let hop = self.hop();
        let node = Spot::Node(self.users[user as usize].node);
        self.goes(user, cargo, (Spot::User(user), node), (after, hop), context);
        hop + self.calls(user, cargo, after + hop, context)
    }

    /// A request goes from its node to its store.
    pub(super) fn calls(
        &mut self,
        user: u32,
        cargo: Cargo,
        after: Duration,
        context: &Context<Event>,
    ) -> Duration {
        let node = self.users[user as usize].node;
        let store =
            if cargo == Cargo::Write { self.write_store(user) } else { self.read_store(user) };
        let call = Duration::from_ms(self.params.ipc_ms) + self.way(node, store);
        let spots = (Spot::Node(node), Spot::Store(store));
        self.goes(user, cargo, spots, (after, call), context);
        call
    }

    /// What a store says comes back to the node.
    pub(super) fn returns(
        &mut self,
        user: u32,
        cargo: Cargo,
        store: u32,
        after: Duration,
        context: &Context<Event>,
    ) -> Duration {
        let node = self.users[user as usize].node;
        let way = self.way(node, store);
        let spots = (Spot::Store(store), Spot::Node(node));
        self.goes(user, cargo, spots, (after, way), context);
        way
    }

    /// The answer goes from a store over the node to the user.
    pub(super) fn leaves(
        &mut self,
        user: u32,
        cargo: Cargo,
        store: u32,
        context: &Context<Event>,
    ) -> Duration {
        let way = self.returns(user, Cargo::Read, store, Duration::default(), context);
        let hop = self.hop();
        let node = Spot::Node(self.users[user as usize].node);
        self.goes(user, cargo, (node, Spot::User(user)), (way, hop), context);
        way + hop
    }

    /// A request stays somewhere from now on; for nobody knows how long, if that is not said.
    pub(super) fn stays(
        &mut self,
        user: u32,
        cargo: Cargo,
        spot: Spot,
        lasts: Option<Duration>,
        context: &Context<Event>,
    ) {
        let of = Some((user, self.users[user as usize].node));
        let after = Duration::default();
        let leg = Leg { of, cargo, from: spot, to: spot, after, lasts, at_work: false };
        self.watch.goes(context.agenda.now(), &leg);
    }

    /// A request waits for its turn at a store, then the store works on it.
    pub(super) fn is_served(
        &mut self,
        user: u32,
        cargo: Cargo,
        store: u32,
        (waits, service): (Duration, Duration),
        context: &Context<Event>,
    ) {
        let spot = Spot::Store(store);
        if Duration::default() < waits {
            self.stays(user, cargo, spot, Some(waits), context);
        }
        let of = Some((user, self.users[user as usize].node));
        let lasts = Some(service);
        let leg = Leg { of, cargo, from: spot, to: spot, after: waits, lasts, at_work: true };
        self.watch.goes(context.agenda.now(), &leg);
    }

    /// Copies are on their way between stores.
    pub(super) fn ships(
        &mut self,
        (from, to): (u32, u32),
        (after, way): (Duration, Duration),
        context: &Context<Event>,
    ) {
        let (from, to) = (Spot::Store(from), Spot::Store(to));
        let leg =
            Leg { of: None, cargo: Cargo::Copy, from, to, after, lasts: Some(way), at_work: false };
        self.watch.goes(context.agenda.now(), &leg);
    }

    /// What takes no time is on no way.
    fn goes(
        &mut self,
        user: u32,
        cargo: Cargo,
        (from, to): (Spot, Spot),
        (after, way): (Duration, Duration),
        context: &Context<Event>,
    ) {
        if Duration::default() < way {
            let of = Some((user, self.users[user as usize].node));
            let leg = Leg { of, cargo, from, to, after, lasts: Some(way), at_work: false };
            self.watch.goes(context.agenda.now(), &leg);
        }
    }
}
