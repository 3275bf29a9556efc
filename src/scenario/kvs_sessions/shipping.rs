//! How writes get from store to store: a log of each store, and links that ship it in batches, in order.

use std::collections::VecDeque;

use crate::sim::{Duration, Instant, Rng};

/// The logs of all stores and the links between them.
pub(super) struct Shipping {
    stores: u32,
    period_ns: u64,
    logs: Vec<Log>,
    links: Vec<Link>,
}

/// Which users incremented at a store, in order. What all links have delivered is forgotten.
#[derive(Default)]
struct Log {
    /// The number of the first entry that is kept.
    from: u64,
    users: VecDeque<u32>,
}

/// From one store to another.
#[derive(Clone, Copy, Default)]
struct Link {
    phase_ns: u64,
    /// A flush is planned.
    waits: bool,
    shipped: u64,
    delivered: u64,
    last_arrival: Instant,
    /// No longer in use.
    cut: bool,
}

/// A batch that is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Batch {
    pub link: u32,
    /// The number of the entry after its last.
    pub upto: u64,
}

impl Shipping {
    /// Flushes come every `period`; without one, every write is shipped at once.
    pub(super) fn new(stores: u32, period: Duration) -> Shipping {
        Shipping {
            stores,
            period_ns: period.as_ns(),
            logs: (0..stores).map(|_| Log::default()).collect(),
            links: vec![Link::default(); (stores * stores) as usize],
        }
    }

    /// Forgets everything; links get new phases.
    pub(super) fn begin(&mut self, chance: &mut Rng) {
        for log in &mut self.logs {
            log.from = 0;
            log.users.clear();
        }
        for link in &mut self.links {
            let phase_ns = (chance.unit() * self.period_ns as f64) as u64;
            *link = Link { phase_ns, ..Link::default() };
        }
    }

    pub(super) fn link(&self, from: u32, to: u32) -> u32 {
        from * self.stores + to
    }

    pub(super) fn ends(&self, link: u32) -> (u32, u32) {
        (link / self.stores, link % self.stores)
    }

    /// Adds a write to a store's log and says which number it has.
    pub(super) fn write(&mut self, store: u32, user: u32) -> u64 {
        let log = &mut self.logs[store as usize];
        log.users.push_back(user);
        log.end() - 1
    }

    /// How long until the link is flushed, if that is to be planned now.
    pub(super) fn flush_in(&mut self, link: u32, now: Instant) -> Option<Duration> {
        let it = &mut self.links[link as usize];
        if it.waits || it.cut {
            return None;
        }
        it.waits = true;
        if self.period_ns == 0 {
            return Some(Duration::from_ns(0));
        }
        let since = (now.as_ns() + self.period_ns - it.phase_ns) % self.period_ns;
        Some(Duration::from_ns(self.period_ns - since))
    }

    /// Ships all that the link has not shipped yet, and says when it arrives: never before what went ahead.
    pub(super) fn ship(
        &mut self,
        link: u32,
        now: Instant,
        hop: Duration,
    ) -> Option<(Duration, Batch)> {
        let (from, _) = self.ends(link);
        let upto = self.logs[from as usize].end();
        let it = &mut self.links[link as usize];
        it.waits = false;
        if it.cut || it.shipped == upto {
            return None;
        }
        it.shipped = upto;
        it.last_arrival = it.last_arrival.max(now + hop);
        Some((it.last_arrival.since(now), Batch { link, upto }))
    }

    /// The entries of a batch that arrives, each to be delivered once.
    pub(super) fn delivery(&self, batch: Batch) -> std::ops::Range<u64> {
        self.links[batch.link as usize].delivered..batch.upto
    }

    /// The user of an entry that has not been forgotten.
    pub(super) fn user(&self, store: u32, entry: u64) -> u32 {
        let log = &self.logs[store as usize];
        log.users[(entry - log.from) as usize]
    }

    pub(super) fn deliver(&mut self, batch: Batch) {
        let (from, _) = self.ends(batch.link);
        self.links[batch.link as usize].delivered = batch.upto;
        self.forget(from);
    }

    /// Whether an entry has been sent on its way over a link.
    pub(super) fn is_shipped(&self, link: u32, entry: u64) -> bool {
        entry < self.links[link as usize].shipped
    }

    pub(super) fn is_delivered(&self, link: u32, entry: u64) -> bool {
        entry < self.links[link as usize].delivered
    }

    /// When the last batch so far arrives.
    pub(super) fn last_arrival(&self, link: u32) -> Instant {
        self.links[link as usize].last_arrival
    }

    /// Whether other stores have all that was written at this one.
    pub(super) fn all_delivered(&self, store: u32) -> bool {
        let end = self.logs[store as usize].end();
        self.outgoing(store).all(|it| it.cut || it.delivered == end)
    }

    /// Entries of a store that have not been shipped over a link: their users.
    pub(super) fn unshipped(&self, link: u32) -> impl Iterator<Item = (u64, u32)> {
        let (from, _) = self.ends(link);
        let shipped = self.links[link as usize].shipped;
        (shipped..self.logs[from as usize].end()).map(move |it| (it, self.user(from, it)))
    }

    /// Nothing is sent to a store any more.
    pub(super) fn cut_to(&mut self, store: u32) {
        for from in (0..self.stores).filter(|it| *it != store) {
            let link = self.link(from, store);
            self.links[link as usize].cut = true;
            self.forget(from);
        }
    }

    /// Nothing more is sent from a store; what is on its way arrives.
    pub(super) fn cut_from(&mut self, store: u32) {
        for to in 0..self.stores {
            let link = self.link(store, to);
            self.links[link as usize].cut = true;
        }
    }

    /// The most entries that there is room for.
    #[cfg(test)]
    pub(super) fn room(&self) -> usize {
        self.logs.iter().map(|it| it.users.capacity()).sum()
    }

    fn outgoing(&self, store: u32) -> impl Iterator<Item = &Link> {
        (0..self.stores)
            .filter(move |it| *it != store)
            .map(move |to| &self.links[self.link(store, to) as usize])
    }

    /// Drops what every link in use has delivered.
    fn forget(&mut self, store: u32) {
        let delivered = self.outgoing(store).filter(|it| !it.cut).map(|it| it.delivered).min();
        let Some(delivered) = delivered else { return };
        let log = &mut self.logs[store as usize];
        while log.from < delivered {
            log.users.pop_front();
            log.from += 1;
        }
    }
}

impl Log {
    fn end(&self) -> u64 {
        self.from + self.users.len() as u64
    }
}
