//! What the page knows, and how each action changes it. Pure: no clock, no browser.

mod pinned;
mod rows;
mod run;

use std::rc::Rc;

use crate::{
    report::{Measure, Replay},
    scenario::{Entry, Exact},
    study::{Problem, Setup, Side, Study},
    worker::{Question, Tell},
};

pub use pinned::Pinned;
pub use rows::{Known, Rows, Stage};
pub use run::Run;

#[derive(Clone)]
pub struct State {
    /// What is shown: always what the controls say. Beside a pinned study, it is B.
    pub study: Study,
    pub pinned: Option<Pinned>,
    /// The keys of controls that the link leaves out.
    pub hidden: Vec<&'static str>,
    /// Whether the page stands in another.
    pub embedded: bool,
    /// What of the opened link could not be used.
    pub problems: Vec<Problem>,
    pub exact: Rc<Exact>,
    /// All that is known of `study`; simulated values only from a run of this very study.
    pub measures: Rc<Vec<Measure>>,
    /// The last measures with simulated values, perhaps of a study of a moment ago: to be shown where nothing
    /// better is known, so that numbers do not vanish for a moment at each change.
    pub held: Rc<Vec<Measure>>,
    /// Why there are no percentiles, in a sentence, where queues grow for ever.
    pub unstable: Option<String>,
    pub run: Run,
    pub rows: Rows,
    pub look: Look,
    /// The simulation rests until the person says otherwise.
    pub paused: bool,
    pub theme: Theme,
    /// The parameter under the hand, while it moves.
    pub gesture: Option<usize>,
    pub place: Place,
    /// The number of the last job.
    jobs: u32,
}

/// One simulated request, looked at closely.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// Whether anybody is near enough to see it.
    pub near: bool,
    /// The percentile of the request wanted.
    pub share: f64,
    /// The last one found: for which job and percentile, and the request, if the scenario has any.
    pub found: Option<(u32, f64, Option<Rc<Replay>>)>,
}

/// Where the address bar should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub link: String,
    pub entry: HistoryEntry,
    /// Counts up whenever the address is to be written.
    pub serial: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HistoryEntry {
    /// A new one, so that *back* leads to what was before.
    Fresh,
    /// The same as before, which goes on.
    Same,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// As the system has it.
    #[default]
    Auto,
    Light,
    Dark,
}

#[derive(Clone, Debug)]
pub enum Action {
    /// A link came from outside: the address bar, or the history.
    Open(String),
    /// A hand moves a parameter, and will go on or settle.
    Slide {
        field: usize,
        value: f64,
    },
    /// The hand has let go.
    Settle,
    /// A parameter is set at once.
    Set {
        field: usize,
        value: f64,
    },
    Seed(u64),
    Reset(usize),
    ResetAll,
    /// The scenario's preset of this index.
    Preset(usize),
    /// Changes written as in a link.
    Apply(String),
    /// The study is pinned as A.
    Pin,
    Unpin,
    /// A becomes B, and B A.
    Swap,
    Dismiss,
    RunAgain,
    TogglePause,
    /// Another request is wanted.
    Look(f64),
    /// The request's place comes into view, or leaves it.
    Near(bool),
    /// What workers said, in the order in which it came.
    Told(Vec<Tell>),
    /// There is time to work out what is exactly known of one more row of the table.
    Learn,
    Theme(Theme),
}

/// The requests that can be looked at, by percentile.
pub const LOOKS: [f64; 3] = [0.5, 0.99, 0.999];

impl State {
    pub fn open(link: &str) -> State {
        let (Setup { study, pinned, sweep: _, hidden, embedded }, problems) = Setup::open(link);
        let exact = Rc::new(study.exact());
        let mut state = State {
            measures: Rc::new(study.measures(None, &exact)),
            held: Rc::default(),
            unstable: study.unstable(None),
            run: Run::new(1, study.clone()),
            rows: Rows::of(&study),
            look: Look { near: false, share: LOOKS[0], found: None },
            paused: false,
            theme: Theme::default(),
            gesture: None,
            place: Place { link: link.to_owned(), entry: HistoryEntry::Same, serial: 0 },
            jobs: 1,
            pinned: None,
            hidden,
            embedded,
            problems,
            exact,
            study,
        };
        state.pin(pinned);
        state.plan();
        state
    }

    /// All that a link says.
    pub fn setup(&self) -> Setup {
        Setup {
            pinned: self.pinned.as_ref().map(|it| it.study.clone()),
            hidden: self.hidden.clone(),
            embedded: self.embedded,
            ..Setup::new(self.study.clone())
        }
    }

    /// What the workers should be at now: the study first, then A, then the rows of the table.
    pub fn wanted(&self) -> Option<Question> {
        let pinned = self.pinned.as_ref().map(|it| &it.run);
        let runs = [Some(&self.run), pinned, self.rows.run.as_ref()];
        runs.into_iter().flatten().find(|it| !it.over()).map(Run::question)
    }

    /// Which request should be searched for: that of the run's job, once it is known to be wanted for longer
    /// than a moment.
    pub fn wanted_replay(&self) -> Option<(u32, String, f64)> {
        let settled = self.gesture.is_none() && self.has_data();
        let found = self.look.found.as_ref();
        let known = found.is_some_and(|it| it.0 == self.run.job && it.1 == self.look.share);
        (self.look.near && settled && !known)
            .then(|| (self.run.job, self.run.study.link(), self.look.share))
    }

    /// Whether the run is of a study of a moment ago.
    pub fn is_stale(&self) -> bool {
        !self.run.study.same_run(&self.study)
    }

    /// Whether simulated numbers of this study are in.
    pub fn has_data(&self) -> bool {
        self.run.meter.is_some() && !self.is_stale()
    }

    pub fn has_changes(&self) -> bool {
        self.study != Study::new(self.study.scenario)
    }

    fn fresh_job(&mut self) -> u32 {
        self.jobs += 1;
        self.jobs
    }

    /// What A has measured of the same is not measured again.
    fn start(&mut self) {
        let known = self.pinned.as_ref().map(|it| &it.run);
        match known.filter(|it| it.finished() && it.study.same_run(&self.study)) {
            Some(run) => self.run = run.clone(),
            None => self.restart(),
        }
    }

    fn restart(&mut self) {
        let job = self.fresh_job();
        self.run = Run::new(job, self.study.clone());
    }

    /// Shows another study.
    fn show(&mut self, study: Study) {
        if study == self.study {
            return;
        }
        if !std::ptr::eq(study.scenario, self.study.scenario) {
            self.problems.clear();
            self.held = Rc::default();
            self.look = Look { share: LOOKS[0], found: None, ..self.look };
            self.pinned = None;
            self.hidden.clear();
        }
        if !self.study.same_system(&study) {
            self.exact = Rc::new(study.exact());
        }
        self.study = study;
        self.rows.follow(&self.study);
        // While a hand moves, each question is left its moment to answer: else none would ever be answered.
        let waits = self.gesture.is_some() && self.run.meter.is_none() && !self.run.over();
        if self.is_stale() && !waits {
            self.start();
        }
        self.measure();
    }

    fn measure(&mut self) {
        let meter = self.run.meter.as_deref().filter(|_| !self.is_stale());
        let measures = Rc::new(self.study.measures(meter, &self.exact));
        self.unstable = self.study.unstable(meter);
        if meter.is_some() {
            self.held = Rc::clone(&measures);
        }
        self.measures = measures;
        self.compare();
    }

    fn compare(&mut self) {
        let meter = self.run.meter.as_deref().filter(|_| self.run.study.same_run(&self.study));
        if let Some(pinned) = &mut self.pinned {
            pinned.compare(Side { study: &self.study, meter, measures: &self.measures });
        }
    }

    /// Pins a study as A, or none.
    fn pin(&mut self, study: Option<Study>) {
        let known = self.pinned.as_ref().map(|it| &it.study);
        if known == study.as_ref() {
            return;
        }
        self.pinned = study.map(|study| {
            let job = self.fresh_job();
            let mut pinned = Pinned::new(study.clone(), Run::new(job, study));
            pinned.share(&self.run);
            pinned
        });
        self.compare();
    }

    /// A becomes B, and B A; what was measured of either goes with it.
    fn swap(&mut self) {
        let Some(Pinned { study, run, .. }) = self.pinned.take() else { return };
        self.pin(Some(self.study.clone()));
        if run.finished() {
            self.run = run;
        }
        self.show(study);
    }

    fn write_address(&mut self, entry: HistoryEntry) {
        let link = self.setup().link();
        if self.place.link == link {
            return;
        }
        self.place = Place { link, entry, serial: self.place.serial + 1 };
    }

    fn told(&mut self, tell: Tell) {
        match tell {
            Tell::Part(part) => {
                if let Some(run) = self.run_of(part.job) {
                    run.add(part);
                }
            }
            Tell::Failed { job, .. } => {
                if let Some(run) = self.run_of(job) {
                    run.failed = true;
                }
            }
            Tell::Replayed { job, share, replay } => {
                if job == self.run.job && share == self.look.share {
                    self.look.found = Some((job, share, replay.map(Rc::new)));
                }
            }
        }
    }

    fn run_of(&mut self, job: u32) -> Option<&mut Run> {
        let pinned = self.pinned.as_mut().map(|it| &mut it.run);
        let runs = [Some(&mut self.run), pinned, self.rows.run.as_mut()];
        runs.into_iter().flatten().find(|it| it.job == job && !it.over())
    }

    /// After workers have spoken: the study of a moment ago gives way, and what is in is read.
    fn listen(&mut self, tells: Vec<Tell>) {
        let (job, parts) = (self.run.job, self.run.parts);
        let of_pinned = self.pinned.as_ref().map(|it| it.run.parts);
        for tell in tells {
            self.told(tell);
        }
        if self.is_stale() && (self.run.over() || self.run.meter.is_some()) {
            if let Some(meter) = self.run.meter.as_deref() {
                let measures = self.run.study.measures(Some(meter), &Exact::default());
                self.held = Rc::new(measures);
            }
            self.start();
            self.measure();
        } else if self.run.job == job && self.run.parts != parts {
            self.measure();
        }
        if self.pinned.as_ref().map(|it| it.run.parts) != of_pinned {
            self.pinned.iter_mut().for_each(Pinned::measure);
            self.compare();
        }
        if self.run.finished() && !self.is_stale() {
            self.rows.learn_of(&self.study, &self.measures);
        }
    }

    /// Gives the workers something to do when they have nothing better: A, then the next row. What was begun and is
    /// called off begins anew.
    fn plan(&mut self) {
        let mut free = self.run.over();
        if let Some(mut pinned) = self.pinned.take() {
            let shares = pinned.share(&self.run);
            if !free && !pinned.run.over() && pinned.run.meter.is_some() {
                pinned.run = Run::new(self.fresh_job(), pinned.study.clone());
                pinned.measure();
            }
            free &= pinned.run.over();
            self.pinned = Some(pinned);
            if shares {
                self.compare();
            }
        }
        if !free {
            self.rows.run = None;
            return;
        }
        self.rows.collect();
        if self.rows.run.is_none()
            && let Some(study) = self.rows.next()
        {
            let job = self.fresh_job();
            self.rows.run = Some(Run::new(job, study));
        }
    }
}

/// What an action makes of a state.
pub fn reduce(state: &State, action: Action) -> State {
    let mut next = state.clone();
    let by_itself = matches!(action, Action::Told(_) | Action::Learn | Action::Near(_));
    if !by_itself && !matches!(action, Action::Slide { .. }) {
        next.gesture = None;
    }
    let with = |field: usize, value: f64| {
        let mut study = state.study.clone();
        if let Some(slot) = study.values.get_mut(field) {
            *slot = study.scenario.fields[field].kind.clamp(value);
        }
        study
    };
    let scenario: &'static Entry = state.study.scenario;
    match action {
        Action::Open(link) => {
            let (Setup { study, pinned, sweep: _, hidden, embedded }, problems) =
                Setup::open(&link);
            next.show(study);
            next.pin(pinned);
            (next.hidden, next.embedded, next.problems) = (hidden, embedded, problems);
            // The address says it already, if in other words.
            next.place.link = next.setup().link();
        }
        Action::Slide { field, value } => {
            let goes_on = state.gesture == Some(field);
            next.gesture = Some(field);
            next.show(with(field, value));
            next.write_address(if goes_on { HistoryEntry::Same } else { HistoryEntry::Fresh });
        }
        Action::Settle => {}
        Action::Learn => next.rows.learn_one(),
        Action::Set { field, value } => next.change(Some(with(field, value))),
        Action::Seed(seed) => next.change(Some(Study { seed, ..state.study.clone() })),
        Action::Reset(field) => {
            next.change((scenario.defaults)().get(field).map(|it| with(field, *it)));
        }
        Action::ResetAll => next.change(Some(Study::new(scenario))),
        Action::Preset(at) => {
            next.change(scenario.presets.get(at).map(|it| Study::of_preset(scenario, it)));
        }
        Action::Apply(changes) => next.change(Some(state.study.changed(&changes))),
        Action::Dismiss => next.problems.clear(),
        Action::Pin => {
            next.pin(Some(state.study.clone()));
            next.write_address(HistoryEntry::Fresh);
        }
        Action::Unpin => {
            next.pin(None);
            next.write_address(HistoryEntry::Fresh);
        }
        Action::Swap => {
            next.swap();
            next.write_address(HistoryEntry::Fresh);
        }
        Action::RunAgain => {
            next.restart();
            next.measure();
        }
        Action::TogglePause => next.paused = !state.paused,
        Action::Look(share) => next.look.share = share,
        Action::Near(near) => next.look.near = near,
        Action::Told(tells) => next.listen(tells),
        Action::Theme(theme) => next.theme = theme,
    }
    next.plan();
    next
}

impl State {
    /// A change that is made at once, and can be taken back with *back*.
    fn change(&mut self, study: Option<Study>) {
        let Some(study) = study else { return };
        self.show(study);
        self.write_address(HistoryEntry::Fresh);
    }
}
