//! The run: experiments one after the other, each from the start.

use std::collections::VecDeque;

use super::{
    HEAVY_LATENCY, LIGHT_LATENCY, PRIORITY_LATENCY, Pages, PagesParams, Scheduler,
    controller::Controller,
    crowd::Crowd,
    tally::{Levels, Part, Tally},
    truth::share,
    watch::Watch,
};
use crate::{
    scenario::{RunSeed, Scenario, latencies},
    sim::{Context, Dist, Duration, Instant, Meter, Model as Modelled, Rng, Run},
};

/// One replication.
pub(super) struct Model<W> {
    params: PagesParams,
    /// Answers of the heavy page a second, by how many run.
    speeds: Vec<f64>,
    best: usize,
    work: Dist,
    works: Rng,
    thinks: Rng,
    light_thinks: Rng,
    priority_works: Rng,
    priority_thinks: Rng,
    heavy: Crowd,
    light: Crowd,
    /// When each client sent its request; those that go first in line come last.
    sent: Vec<Instant>,
    light_sent: Vec<Instant>,
    first_in_line: VecDeque<u32>,
    waiting: VecDeque<u32>,
    controller: Controller,
    tally: Tally,
    at: Instant,
    /// What was planned in an earlier experiment is void.
    experiment: u32,
    /// Which page's request finishes next, and when, if the speed stays.
    next: Page,
    due: Instant,
    /// When there are events to look for a finish at, the soonest last: one is planned only where none is sooner, so
    /// that changes of speed leave no heap of void ones.
    looks: Vec<Instant>,
    part: Part,
    replication: u32,
    watch: W,
}

#[derive(Clone, Copy)]
pub(super) struct Event {
    experiment: u32,
    what: What,
}

#[derive(Clone, Copy)]
enum What {
    /// The clients of the heavy page come.
    Start,
    /// A client asks for a page.
    Heavy {
        client: u32,
    },
    Light {
        client: u32,
    },
    /// The next request finishes, if it is due.
    Look,
    /// A step of the experiment is over.
    Step,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Page {
    Heavy,
    Light,
}

pub(super) fn start<W: Watch>(params: &PagesParams, run: &RunSeed, watch: W) -> Run<Model<W>> {
    let meter = Meter::new(latencies(Pages::GAUGES), Pages::COUNTS, run.replication);
    Run::new(Model::new(params, run, watch), meter)
}

impl<W: Watch> Model<W> {
    pub(super) fn watch(&self) -> &W {
        &self.watch
    }

    fn new(params: &PagesParams, run: &RunSeed, watch: W) -> Model<W> {
        let stream = |purpose| Rng::stream(run.seed, run.replication, purpose);
        let progress = params.progress();
        let most = params.most();
        // There is something to compare with where there are two pages and a limit.
        let compares =
            W::COMPARES && params.scheduler != Scheduler::None && 0 < params.light_clients;
        Model {
            params: params.clone(),
            speeds: (0..=most).map(|it| progress.at(it)).collect(),
            best: progress.best(most) as usize,
            work: Dist::gamma_of_mean(1.0, params.work_cv),
            works: stream(0),
            thinks: stream(1),
            light_thinks: stream(2),
            priority_works: stream(3),
            priority_thinks: stream(4),
            heavy: Crowd::default(),
            light: Crowd::default(),
            sent: vec![Instant::default(); most as usize],
            light_sent: vec![Instant::default(); params.light_clients as usize],
            first_in_line: VecDeque::with_capacity(params.priority_clients as usize),
            waiting: VecDeque::with_capacity(params.heavy_clients as usize),
            controller: Controller::new(params),
            tally: Tally::new(params, run.plan),
            at: Instant::default(),
            experiment: 0,
            next: Page::Heavy,
            due: Instant::default(),
            looks: Vec::new(),
            part: if compares { Part::Other } else { Part::First },
            replication: run.replication,
            watch,
        }
    }

    /// Everything anew.
    fn begin_experiment(&mut self, context: &mut Context<Event>) {
        let now = context.agenda.now();
        self.experiment += 1;
        self.heavy.clear();
        self.light.clear();
        self.first_in_line.clear();
        self.waiting.clear();
        self.looks.clear();
        let unlimited = PagesParams { scheduler: Scheduler::None, ..self.params.clone() };
        let other = self.part == Part::Other;
        self.controller = Controller::new(if other { &unlimited } else { &self.params });
        // Every replication has a first experiment; the study shows that of the first replication.
        let shown = if self.part == Part::First && 0 < self.replication {
            Part::Further
        } else {
            self.part
        };
        self.tally.begin(now, shown);
        self.at = now;
        for client in 0..self.params.light_clients {
            self.think_lightly(client, context);
        }
        let start = Duration::from_ms(1e3 * self.params.start_s());
        self.plan(start, What::Start, context);
        self.plan(self.tally.step_length(), What::Step, context);
    }

    fn plan(&self, delay: Duration, what: What, context: &mut Context<Event>) {
        context.agenda.plan(delay, Event { experiment: self.experiment, what });
    }

    /// The experiment is over, if it is: then the next begins.
    fn go_on(&mut self, context: &mut Context<Event>) {
        if !self.tally.over(context.agenda.now()) {
            return;
        }
        self.tally.end(self.at, self.controller.limit(), &mut context.meter);
        self.part = if self.part == Part::Other { Part::First } else { Part::Further };
        self.begin_experiment(context);
    }

    /// All that runs has run until now.
    fn pass(&mut self, now: Instant) {
        let ns = now.since(self.at).as_ns();
        self.at = now;
        let seconds = 1e-9 * ns as f64;
        let (heavy, light) = self.speed();
        self.heavy.serve(seconds * heavy);
        self.light.serve(seconds * light);
        let levels = Levels {
            limit: self.controller.limit(),
            waiting: (self.waiting.len() + self.first_in_line.len()) as u32,
            running: self.heavy.len() as u32,
            light: self.light.len() as u32,
        };
        self.tally.pass(ns, &levels);
    }

    /// How fast one request of either page runs: by mean requests of the heavy page and by light requests a second.
    fn speed(&self) -> (f64, f64) {
        let (heavy, light) = (self.heavy.len(), self.light.len());
        let share_now = share(heavy + light);
        let each = self.speeds[heavy] / heavy.max(1) as f64 * share_now / share(heavy);
        // What the heavy page wastes, it wastes for both.
        let loss =
            if self.best < heavy { self.speeds[heavy] / self.speeds[self.best] } else { 1.0 };
        (each, 1e3 * share_now * loss / self.params.light_ms)
    }

    /// Plans the next finish, after the speed has changed.
    fn plan_finish(&mut self, context: &mut Context<Event>) {
        let (heavy, light) = self.speed();
        let heavy = self.heavy.left().map_or(f64::INFINITY, |it| it / heavy);
        let light = self.light.left().map_or(f64::INFINITY, |it| it / light);
        self.next = if light <= heavy { Page::Light } else { Page::Heavy };
        let seconds = heavy.min(light);
        if !seconds.is_finite() {
            return;
        }
        let delay = Duration::from_ms(1e3 * seconds);
        self.due = self.at + delay;
        if self.looks.last().is_none_or(|it| self.due < *it) {
            self.looks.push(self.due);
            self.plan(delay, What::Look, context);
        }
    }

    fn start(&mut self, context: &mut Context<Event>) {
        let (now, limit) = (context.agenda.now(), self.controller.limit());
        self.tally.start(now, limit, self.adapts(), &mut context.meter);
        self.controller.begin(now);
        for client in 0..self.params.heavy_clients {
            self.ask(client, now);
        }
        for client in self.params.heavy_clients..self.params.most() {
            self.think(client, context);
        }
    }

    fn adapts(&self) -> bool {
        self.part != Part::Other && self.params.adapts()
    }

    fn is_first_in_line(&self, client: u32) -> bool {
        self.params.heavy_clients <= client
    }

    /// A client of the heavy page sends a request.
    fn ask(&mut self, client: u32, now: Instant) {
        self.sent[client as usize] = now;
        if self.is_first_in_line(client) {
            self.first_in_line.push_back(client);
        } else {
            self.waiting.push_back(client);
        }
        self.fill();
    }

    /// Lets requests run up to the limit.
    fn fill(&mut self) {
        while self.heavy.len() < self.controller.limit() as usize {
            let first = self.first_in_line.pop_front();
            let Some(client) = first.or_else(|| self.waiting.pop_front()) else { return };
            let works = if first.is_some() { &mut self.priority_works } else { &mut self.works };
            self.heavy.join(self.work.sample(works), client);
            if first.is_none() && self.part != Part::Other {
                self.watch.begins(self.at, client);
            }
        }
    }

    fn think(&mut self, client: u32, context: &mut Context<Event>) {
        let mean_s = if self.is_first_in_line(client) {
            self.params.priority_think_s * self.priority_thinks.exponential()
        } else {
            self.params.think_s * self.thinks.exponential()
        };
        self.plan(Duration::from_ms(1e3 * mean_s), What::Heavy { client }, context);
    }

    fn think_lightly(&mut self, client: u32, context: &mut Context<Event>) {
        let ms = self.params.light_think_ms * self.light_thinks.exponential();
        self.plan(Duration::from_ms(ms), What::Light { client }, context);
    }

    fn look(&mut self, context: &mut Context<Event>) {
        self.looks.pop();
        if self.at < self.due {
            return;
        }
        match self.next {
            Page::Heavy => self.finish_heavy(context),
            Page::Light => self.finish_light(context),
        }
    }

    fn finish_heavy(&mut self, context: &mut Context<Event>) {
        let Some(client) = self.heavy.finish() else { return };
        let (now, limit) = (context.agenda.now(), self.controller.limit());
        let latency = if self.is_first_in_line(client) { PRIORITY_LATENCY } else { HEAVY_LATENCY };
        let sent = self.sent[client as usize];
        let took = now.since(sent);
        if !self.is_first_in_line(client) && self.part != Part::Other {
            self.watch.answered(now, client, sent);
        }
        let meter = &mut context.meter;
        self.tally.answer(now, latency, took, limit, meter);
        if let Some(it) = self.controller.heavy_answer(now, self.heavy.len()) {
            self.tally.measurement(it.limit, it.heavy, meter);
            self.tally.moved(limit, self.controller.limit(), meter);
        }
        self.fill();
        if self.is_first_in_line(client) || 0.0 < self.params.think_s {
            self.think(client, context);
        } else {
            self.ask(client, now);
        }
    }

    fn finish_light(&mut self, context: &mut Context<Event>) {
        let Some(client) = self.light.finish() else { return };
        let (now, limit) = (context.agenda.now(), self.controller.limit());
        let took = now.since(self.light_sent[client as usize]);
        self.controller.light_answer();
        self.tally.answer(now, LIGHT_LATENCY, took, limit, &mut context.meter);
        self.think_lightly(client, context);
    }
}

impl<W: Watch> Modelled for Model<W> {
    type Event = Event;

    fn begin(&mut self, context: &mut Context<Event>) {
        self.begin_experiment(context);
    }

    fn react(&mut self, event: Event, context: &mut Context<Event>) {
        if event.experiment != self.experiment {
            return;
        }
        let now = context.agenda.now();
        self.pass(now);
        match event.what {
            What::Start => self.start(context),
            What::Heavy { client } => self.ask(client, now),
            What::Light { client } => {
                self.light_sent[client as usize] = now;
                self.light.join(1.0, client);
            }
            What::Look => self.look(context),
            What::Step => {
                self.tally.tick(now, self.controller.limit(), &mut context.meter);
                if self.tally.steps_left() {
                    self.plan(self.tally.step_length(), What::Step, context);
                }
            }
        }
        if !matches!(event.what, What::Step) {
            self.plan_finish(context);
        }
        self.go_on(context);
    }

    fn done(&self) -> bool {
        self.tally.done()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::{Outcome, Plan, Running as _};

    /// Speeds that change a thousand times while a heavy request runs leave nothing behind.
    #[test]
    fn nothing_grows() {
        let base = PagesParams {
            heavy_clients: 40,
            light_clients: 3,
            light_ms: 0.1,
            light_think_ms: 10.0,
            warm_up: 0,
            ..PagesParams::default()
        };
        let adaptive = Scheduler::Adaptive;
        for params in [
            PagesParams { l: 0.01, work_cv: 0.0, ..base.clone() },
            PagesParams { l: 0.1, think_s: 3.0, scheduler: adaptive, ..base.clone() },
            PagesParams { priority_clients: 5, ..base },
        ] {
            let plan = Plan { requests: 200_000, sections: 4 };
            let mut run = start(&params, &RunSeed { seed: 1, replication: 0, plan }, ());
            assert_eq!(run.advance(20_000), Outcome::Paused);
            let planned = run.planned_most();
            while run.advance(1 << 16) == Outcome::Paused {}
            assert!(run.planned_most() <= 2 * planned.max(64), "{params:?}: {planned}");
            assert!(run.model().looks.capacity() <= 16, "{params:?}");
        }
    }
}
