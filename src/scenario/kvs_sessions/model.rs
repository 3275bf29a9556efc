//! The run: users who send one request at a time, the nodes and stores that answer, and the copies between stores.

mod copying;
mod failing;
mod legs;

#[cfg(test)]
mod tests;

use super::{
    Balancer, KvsSessions, KvsSessionsParams, REQUEST_LATENCY, Topology, counts,
    first::{self, Made, Search},
    shipping::{Batch, Shipping},
    watch::{Cargo, Happened, Spot, Watch, What},
};
use crate::{
    scenario::{RunSeed, Scenario, latencies},
    sim::{Context, Duration, Instant, Meter, Model as Modelled, Plan, Rng, Run},
};
use failing::Outage;

/// One replication: the whole is played from the start, again and again. Users who have done their requests go on until
/// the last one has, so that the load stays what it is.
pub struct Model<W = ()> {
    params: KvsSessionsParams,
    users: Vec<User>,
    /// Each user's counter at each store, store by store.
    values: Vec<u32>,
    /// When each store has done all that came to it so far.
    free: Vec<Instant>,
    shipping: Shipping,
    outage: Outage,
    hops: Rng,
    services: Rng,
    thinking: Rng,
    routes: Rng,
    phases: Rng,
    play: Play,
    plan: Plan,
    search: Search,
    watch: W,
}

#[derive(Clone, Copy)]
pub enum Event {
    /// Whatever comes next for a user.
    Step(u32),
    Flush(u32),
    Arrives(Batch),
    /// A read has waited long enough, if it is still that of the request with the number.
    GivesUp(u32, u32),
    /// A shard has arrived where it is taken over.
    TakenOver,
}

#[derive(Clone, Copy)]
struct User {
    /// Where the balancer sends a user who is tied to a node.
    home: u32,
    /// Where the request is.
    node: u32,
    stage: Stage,
    /// How many requests the user has sent, which is what the counter should say.
    number: u32,
    /// What this request has read, and the most that any has.
    value: u32,
    most: u32,
    sent: Instant,
    /// This request's write, once it is done, and the one before.
    own: Option<Made>,
    before: Option<Made>,
}

/// What a user's next step is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Send,
    /// The write comes to its store ..
    Write,
    /// .. and is done.
    Written,
    Read,
    HasRead,
    Answer,
    /// The read waits until the store has caught up.
    Waits,
    /// The request waits at the balancer.
    Parked,
}

/// How far a play is.
#[derive(Default)]
struct Play {
    played: u64,
    plays: u64,
    answered: u64,
    /// Users who have done all their requests.
    finished: u32,
    /// Events that are planned: the next play begins when the last has gone.
    pending: u32,
    ending: bool,
}

/// How long a read waits at most for the store to catch up.
const TOKEN_WAIT: Duration = Duration::from_ns(500_000_000);
/// The store that takes all writes where the others are replicas.
const PRIMARY: u32 = 0;

/// Runs with somebody watching, or with nobody: `()`.
pub(super) fn start<W: Watch>(
    params: &KvsSessionsParams,
    run: &RunSeed,
    watch: W,
) -> Run<Model<W>> {
    let meter = Meter::new(latencies(KvsSessions::GAUGES), KvsSessions::COUNTS, run.replication);
    Run::new(Model::new(params, run, watch), meter)
}

impl<W: Watch> Model<W> {
    /// A run of a study with somebody watching.
    pub fn start(params: &KvsSessionsParams, run: &RunSeed, watch: W) -> Run<Model<W>> {
        start(params, run, watch)
    }

    pub fn watch(&self) -> &W {
        &self.watch
    }

    fn new(params: &KvsSessionsParams, run: &RunSeed, watch: W) -> Model<W> {
        let stream = |purpose| Rng::stream(run.seed, run.replication, purpose);
        let stores = if params.topology == Topology::Central { 1 } else { params.nodes };
        // Every half of the period a write waits on average; the hop comes on top.
        let period = Duration::from_ms(2.0 * (params.lag_ms - params.hop_ms));
        let plays = (run.plan.requests / params.size()).max(1);
        Model {
            users: Vec::new(),
            values: vec![0; (stores * params.clients) as usize],
            free: vec![Instant::default(); stores as usize],
            shipping: Shipping::new(stores, period),
            outage: Outage::default(),
            hops: stream(0),
            services: stream(1),
            thinking: stream(2),
            routes: stream(3),
            phases: stream(4),
            play: Play { plays, ..Play::default() },
            plan: Plan { requests: plays, sections: run.plan.sections.min(plays as u32) },
            search: if run.replication == 0 { Search::Looks } else { Search::Over },
            watch,
            params: params.clone(),
        }
    }

    fn begin_play(&mut self, context: &mut Context<Event>) {
        self.play = Play { played: self.play.played, plays: self.play.plays, ..Play::default() };
        self.users.clear();
        self.users.extend((0..self.params.clients).map(|it| User::new(it % self.params.nodes)));
        self.values.fill(0);
        self.free.fill(context.agenda.now());
        self.shipping.begin(&mut self.phases);
        self.outage.forget();
        self.saw(context, 0, 0, What::Began);
        for user in 0..self.params.clients {
            self.think(user, context);
        }
    }

    fn plan(&mut self, delay: Duration, event: Event, context: &mut Context<Event>) {
        self.play.pending += 1;
        context.agenda.plan(delay, event);
    }

    fn saw(&mut self, context: &Context<Event>, user: u32, place: u32, what: What) {
        let number = self.users[user as usize].number;
        self.watch.saw(context.agenda.now(), &Happened { user, place, number, what });
    }

    fn think(&mut self, user: u32, context: &mut Context<Event>) {
        self.users[user as usize].stage = Stage::Send;
        let delay = Duration::from_ms(self.params.think_ms * self.thinking.exponential());
        self.plan(delay, Event::Step(user), context);
    }

    fn step(&mut self, user: u32, context: &mut Context<Event>) {
        let it = &self.users[user as usize];
        let stage = it.stage;
        let at_node = matches!(stage, Stage::Write | Stage::Written | Stage::Read | Stage::HasRead);
        if at_node && self.outage.crashed == Some(it.node) {
            return self.retry(user, context);
        }
        match stage {
            Stage::Send => self.send(user, context),
            Stage::Write => self.serve(user, self.write_store(user), Stage::Written, context),
            Stage::Written => self.written(user, context),
            Stage::Read => self.read(user, context),
            Stage::HasRead => self.has_read(user, context),
            Stage::Answer => self.answer(user, context),
            // These wait for something else than their time.
            Stage::Waits | Stage::Parked => {}
        }
    }

    fn send(&mut self, user: u32, context: &mut Context<Event>) {
        let it = &mut self.users[user as usize];
        it.number += 1;
        it.sent = context.agenda.now();
        it.before = it.own.take().or(it.before);
        let home = it.home;
        self.saw(context, user, home, What::Sent);
        if self.parks(user) {
            self.users[user as usize].stage = Stage::Parked;
            self.stays(user, Cargo::Write, Spot::Balancer, None, context);
        } else {
            self.depart(user, context);
        }
    }

    fn depart(&mut self, user: u32, context: &mut Context<Event>) {
        let node = self.pick(user);
        let it = &mut self.users[user as usize];
        (it.node, it.stage) = (node, Stage::Write);
        let delay = self.comes(user, Cargo::Write, Duration::default(), context);
        self.plan(delay, Event::Step(user), context);
    }

    /// The node that a request goes to.
    fn pick(&mut self, user: u32) -> u32 {
        match (self.params.balancer, self.outage.node) {
            (Balancer::Sticky, _) => self.users[user as usize].home,
            (Balancer::Random, None) => self.routes.below(self.params.nodes),
            // The one that is out of service is the last.
            (Balancer::Random, Some(_)) => self.routes.below(self.params.nodes - 1),
        }
    }

    fn write_store(&self, user: u32) -> u32 {
        match self.params.topology {
            Topology::Central => 0,
            Topology::Replica => PRIMARY,
            Topology::Sharded => self.owner(user),
            Topology::CoLocated => self.users[user as usize].node,
        }
    }

    fn read_store(&self, user: u32) -> u32 {
        match self.params.topology {
            Topology::Replica => self.users[user as usize].node,
            _ => self.write_store(user),
        }
    }

    /// The node with a user's key.
    fn owner(&self, user: u32) -> u32 {
        let owner = self.params.owner(user);
        if self.outage.gone == Some(owner) { (owner + 1) % self.params.nodes } else { owner }
    }

    /// The store does one command after another.
    fn serve(&mut self, user: u32, store: u32, then: Stage, context: &mut Context<Event>) {
        let now = context.agenda.now();
        let service = Duration::from_ms(self.params.store_ms * self.services.exponential());
        let free = &mut self.free[store as usize];
        let begins = (*free).max(now);
        *free = begins + service;
        let delay = free.since(now);
        self.users[user as usize].stage = then;
        let cargo = if then == Stage::Written { Cargo::Write } else { Cargo::Read };
        self.is_served(user, cargo, store, (begins.since(now), service), context);
        self.plan(delay, Event::Step(user), context);
    }

    fn written(&mut self, user: u32, context: &mut Context<Event>) {
        let now = context.agenda.now();
        let store = self.write_store(user);
        *self.value(store, user) += 1;
        self.saw(context, user, store, What::Wrote);
        let (mut entry, mut copied) = (0, Duration::default());
        if self.params.has_copies() {
            entry = self.shipping.write(store, user);
            copied = self.ship(store, context);
        }
        let it = &mut self.users[user as usize];
        it.own = Some(Made { number: it.number, sent: it.sent, at: now, store, entry });
        it.stage = Stage::Read;
        if Duration::default() < copied {
            self.stays(user, Cargo::Write, Spot::Store(store), Some(copied), context);
        }
        let back = copied + self.returns(user, Cargo::Write, store, copied, context);
        let delay = back + self.calls(user, Cargo::Read, back, context);
        self.plan(delay, Event::Step(user), context);
    }

    fn value(&mut self, store: u32, user: u32) -> &mut u32 {
        &mut self.values[(store * self.params.clients + user) as usize]
    }

    fn has_all(&mut self, user: u32, store: u32) -> bool {
        self.users[user as usize].number <= *self.value(store, user)
    }

    fn read(&mut self, user: u32, context: &mut Context<Event>) {
        let store = self.read_store(user);
        if self.params.session_token && self.params.has_copies() && !self.has_all(user, store) {
            let it = &mut self.users[user as usize];
            it.stage = Stage::Waits;
            let number = it.number;
            self.stays(user, Cargo::Read, Spot::Store(store), None, context);
            return self.plan(TOKEN_WAIT, Event::GivesUp(user, number), context);
        }
        self.serve(user, store, Stage::HasRead, context);
    }

    fn gives_up(&mut self, user: u32, number: u32, context: &mut Context<Event>) {
        let it = &self.users[user as usize];
        if it.stage == Stage::Waits && it.number == number {
            self.serve(user, self.read_store(user), Stage::HasRead, context);
        }
    }

    fn has_read(&mut self, user: u32, context: &mut Context<Event>) {
        let store = self.read_store(user);
        let value = *self.value(store, user);
        self.saw(context, user, store, What::Read { value });
        let it = &mut self.users[user as usize];
        (it.value, it.stage) = (value, Stage::Answer);
        let (node, right) = (it.node, value == it.number);
        if !right && it.number <= self.params.requests_each {
            self.look(user, store, context);
        }
        let delay = self.leaves(user, Cargo::Answer { right }, store, context);
        self.plan(delay, Event::Step(user), context);
        self.outage.leaves(&self.params, user, node);
        self.hand_over_if_done(context);
    }

    /// Writes the first read down that misses a write, if it is plain which.
    fn look(&mut self, user: u32, store: u32, context: &mut Context<Event>) {
        let it = self.users[user as usize];
        let (Search::Looks, Some(own)) = (self.search, it.own) else { return };
        let missed = if own.store == store { it.before } else { Some(own) };
        let Some(missed) = missed.filter(|it| it.store != store) else { return };
        let link = self.shipping.link(missed.store, store);
        if self.params.has_copies() && self.shipping.is_delivered(link, missed.entry) {
            return;
        }
        let now = context.agenda.now();
        first::record(&mut context.meter, user, &missed, &own, (now, store, it.value));
        self.search = Search::Waits { link, entry: missed.entry, since: missed.sent };
    }

    fn answer(&mut self, user: u32, context: &mut Context<Event>) {
        let node = self.users[user as usize].node;
        self.saw(context, user, node, What::Answered);
        let it = &mut self.users[user as usize];
        let (value, number, most) = (it.value, it.number, it.most);
        it.most = most.max(value);
        let latency = context.agenda.now().since(it.sent);
        if number <= self.params.requests_each {
            context.meter.record(REQUEST_LATENCY, latency);
            context.meter.count(counts::READS, 1);
            context.meter.count(counts::VIOLATIONS, u64::from(value != number));
            context.meter.count(counts::STALE, u64::from(value < most));
            self.play.answered += 1;
            if number == self.params.requests_each {
                self.play.finished += 1;
            }
            if self.play.answered == self.params.size() / 2 {
                self.fail(context);
            }
        }
        self.think(user, context);
        if self.play.finished == self.params.clients {
            self.play.ending = true;
        }
    }

    fn end_play(&mut self, context: &mut Context<Event>) {
        self.search = Search::Over;
        self.play.played += 1;
        if self.play.played == self.plan.section_end(context.meter.section_index()) {
            context.meter.close_section();
        }
        if self.play.played < self.play.plays {
            self.begin_play(context);
        }
    }
}

impl User {
    fn new(home: u32) -> User {
        User {
            home,
            node: home,
            stage: Stage::Send,
            number: 0,
            value: 0,
            most: 0,
            sent: Instant::default(),
            own: None,
            before: None,
        }
    }
}

impl<W: Watch> Modelled for Model<W> {
    type Event = Event;

    fn begin(&mut self, context: &mut Context<Event>) {
        self.begin_play(context);
    }

    fn react(&mut self, event: Event, context: &mut Context<Event>) {
        self.play.pending -= 1;
        if self.play.ending {
            if self.play.pending == 0 {
                self.end_play(context);
            }
            return;
        }
        match event {
            Event::Step(user) => self.step(user, context),
            Event::Flush(link) => self.flush(link, context),
            Event::Arrives(batch) => self.arrives(batch, context),
            Event::GivesUp(user, number) => self.gives_up(user, number, context),
            Event::TakenOver => self.hand_over(context),
        }
    }

    fn done(&self) -> bool {
        self.play.played == self.play.plays
    }
}
