//! How a write gets to the other stores.

use super::{Event, Model, Stage};
use crate::{
    scenario::kvs_sessions::{
        Replication,
        first::{self, Search},
        shipping::Batch,
        watch::{Watch, What},
    },
    sim::{Context, Duration},
};

impl<W: Watch> Model<W> {
    /// Sees to it that a write gets to the other stores, and says how long until a copy is acknowledged.
    pub(super) fn ship(&mut self, store: u32, context: &mut Context<Event>) -> Duration {
        let now = context.agenda.now();
        let copy = self.copy_of(store).filter(|_| self.params.replication == Replication::Sync);
        let mut acknowledged = Duration::default();
        for to in (0..self.params.nodes).filter(|it| *it != store) {
            let link = self.shipping.link(store, to);
            if copy != Some(to) {
                if let Some(delay) = self.shipping.flush_in(link, now) {
                    self.plan(delay, Event::Flush(link), context);
                }
                continue;
            }
            let hop = self.hop();
            if let Some((delay, batch)) = self.shipping.ship(link, now, hop) {
                self.plan(delay, Event::Arrives(batch), context);
                let back = self.hop();
                self.ships((store, to), (Duration::default(), delay), context);
                self.ships((to, store), (delay, back), context);
                acknowledged = delay + back;
            }
        }
        acknowledged
    }

    /// The node that has a copy of what is written at another before the write is answered.
    fn copy_of(&self, store: u32) -> Option<u32> {
        let nodes = self.params.nodes;
        let next = (1..nodes).map(|it| (store + it) % nodes);
        next.into_iter().find(|it| self.outage.gone != Some(*it))
    }

    pub(super) fn flush(&mut self, link: u32, context: &mut Context<Event>) {
        let hop = self.hop();
        if let Some((delay, batch)) = self.shipping.ship(link, context.agenda.now(), hop) {
            self.ships(self.shipping.ends(link), (Duration::default(), delay), context);
            self.plan(delay, Event::Arrives(batch), context);
        }
    }

    pub(super) fn arrives(&mut self, batch: Batch, context: &mut Context<Event>) {
        let (from, to) = self.shipping.ends(batch.link);
        if self.outage.gone == Some(to) {
            return;
        }
        for entry in self.shipping.delivery(batch) {
            let user = self.shipping.user(from, entry);
            *self.value(to, user) += 1;
            self.saw(context, user, to, What::Copied { from });
            let it = self.users[user as usize];
            if it.stage == Stage::Waits && self.read_store(user) == to && self.has_all(user, to) {
                self.serve(user, to, Stage::HasRead, context);
            }
        }
        self.shipping.deliver(batch);
        if let Search::Waits { link, entry, since } = self.search
            && link == batch.link
            && self.shipping.is_delivered(link, entry)
        {
            first::record_copied(&mut context.meter, since, context.agenda.now());
            self.search = Search::Over;
        }
        self.hand_over_if_done(context);
    }
}
