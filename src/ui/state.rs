//! What the page knows, and how each action changes it. Pure: no clock, no browser.

mod action;
mod advising;
mod batch;
mod import;
mod pinned;
mod rows;
mod run;
mod swept;
mod theory;
mod work;

use std::rc::Rc;

use crate::{
    report::{Footage, Measure, Replay},
    scenario::Exact,
    study::{Problem, Settled, Setup, Side, Study, Sweep, problems_of_run},
    worker::{Ask, Question},
};

pub use action::{Action, reduce};
pub use advising::Advising;
pub use batch::{Batch, Tried};
pub use import::{FILES_MAX, Import, ImportAction, ReadFile, ReadingFile, places};
pub use pinned::Pinned;
pub use rows::{Known, Rows, Stage};
pub use run::Run;
pub use swept::{Swept, costs};
pub use theory::Theory;

#[derive(Clone)]
pub struct State {
    /// What is shown: always what the controls say. Beside a pinned study, it is B.
    pub study: Study,
    pub pinned: Option<Pinned>,
    pub swept: Option<Swept>,
    pub advising: Option<Advising>,
    /// The keys of controls that the link leaves out.
    pub hidden: Vec<&'static str>,
    /// Whether the page stands in another.
    pub embedded: bool,
    /// What of the opened link could not be used.
    pub problems: Vec<Problem>,
    pub exact: Rc<Exact>,
    pub theory: Theory,
    /// All that is known of `study`; simulated values only from a run of this very study.
    pub measures: Rc<Vec<Measure>>,
    /// The last measures with simulated values, perhaps of a study of a moment ago: to be shown where nothing
    /// better is known, so that numbers do not vanish for a moment at each change.
    pub held: Rc<Vec<Measure>>,
    /// Why there are no percentiles, in a sentence, where queues grow for ever.
    pub unstable: Option<String>,
    /// Whether the warm-up was long enough, once the run is finished.
    pub settled: Option<Settled>,
    pub run: Run,
    pub rows: Rows,
    pub look: Look,
    pub import: Import,
    /// The simulation rests until the person says otherwise.
    pub paused: bool,
    pub theme: Theme,
    /// The parameter under the hand, while it moves.
    pub gesture: Option<usize>,
    pub place: Place,
    /// The number of the last job.
    jobs: u32,
}

/// The run, looked at closely: one request of it, and its servers.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// Whether anybody is near enough to see it.
    pub near: bool,
    /// The percentile of the request wanted.
    pub share: f64,
    /// The last one found: for which job and percentile, and the request, if the scenario has any.
    pub found: Option<(u32, f64, Option<Rc<Replay>>)>,
    /// The last film: of which job, and the film, if the scenario has any.
    pub film: Option<(u32, Option<Rc<Footage>>)>,
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

/// The requests that can be looked at, by percentile.
pub const LOOKS: [f64; 3] = [0.5, 0.99, 0.999];

impl State {
    pub fn open(link: &str) -> State {
        let (Setup { study, pinned, sweep, shown, hidden, embedded }, problems) = Setup::open(link);
        let exact = Rc::new(study.exact());
        let mut state = State {
            measures: Rc::new(study.measures(None, &exact)),
            held: Rc::default(),
            unstable: study.unstable(None),
            settled: None,
            run: Run::new(1, study.clone()),
            rows: Rows::of(&study),
            look: Look { near: false, share: LOOKS[0], found: None, film: None },
            import: Import::default(),
            paused: false,
            theme: Theme::default(),
            gesture: None,
            place: Place { link: link.to_owned(), entry: HistoryEntry::Same, serial: 0 },
            jobs: 1,
            pinned: None,
            swept: sweep.map(|it| Swept::new(&study, it, &shown)),
            advising: None,
            hidden,
            embedded,
            problems,
            theory: Theory::default(),
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
            sweep: self.swept.as_ref().map(|it| it.sweep.clone()),
            shown: self.swept.as_ref().map(Swept::shown).unwrap_or_default(),
            hidden: self.hidden.clone(),
            embedded: self.embedded,
            ..Setup::new(self.study.clone())
        }
    }

    /// What of the link could not be used, and what is wrong with the run: as saved.
    pub fn all_problems(&self) -> Vec<Problem> {
        let of_run = problems_of_run(self.unstable.clone(), self.settled.as_ref());
        self.problems.iter().cloned().chain(of_run).collect()
    }

    /// What the workers should be at now: the study first, then A, then what was asked for, then the rows of the table.
    pub fn wanted(&self) -> Option<Question> {
        let pinned = self.pinned.as_ref().map(|it| &it.run);
        let runs = [Some(&self.run), pinned].into_iter().flatten();
        let first = runs.filter(|it| !it.over()).map(Run::question).next();
        let advised = || self.advising.as_ref()?.batch.question().cloned();
        let swept = || self.swept.as_ref()?.batch.question().cloned();
        let row = || self.rows.run.as_ref().map(Run::question);
        first.or_else(advised).or_else(swept).or_else(row)
    }

    /// How much of sweeps and trials is still to be worked out, while there is time for it.
    pub fn unlearnt(&self) -> Option<usize> {
        let advised = self.advising.as_ref().map(|it| &it.batch);
        let batches = [advised, self.swept.as_ref().map(|it| &it.batch)];
        let points = batches.into_iter().flatten().flat_map(|it| &it.points);
        let count = points.filter(|it| !it.learnt).count();
        (0 < count && self.gesture.is_none()).then_some(count)
    }

    /// What should be found in one go beside the simulation, at most one of a kind.
    pub fn searches(&self) -> Vec<Ask> {
        let wanted =
            [self.wanted_replay(), self.wanted_film(), self.wanted_exact(), self.wanted_bears()];
        wanted.into_iter().flatten().collect()
    }

    /// Which request should be searched for: that of the run's job, once it is known to be wanted for longer
    /// than a moment.
    fn wanted_replay(&self) -> Option<Ask> {
        let found = self.look.found.as_ref();
        let known = found.is_some_and(|it| it.0 == self.run.job && it.1 == self.look.share);
        let Run { job, study, .. } = &self.run;
        (self.looks_closely() && !known).then(|| Ask::Replay {
            job: *job,
            link: study.link(),
            share: self.look.share,
        })
    }

    /// Of which job's run the servers should be filmed.
    fn wanted_film(&self) -> Option<Ask> {
        let Run { job, study, .. } = &self.run;
        let known = self.look.film.as_ref().is_some_and(|it| it.0 == *job);
        (self.looks_closely() && !known).then(|| Ask::Film { job: *job, link: study.link() })
    }

    fn looks_closely(&self) -> bool {
        self.look.near && self.gesture.is_none() && self.has_data()
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

    pub(super) fn fresh_job(&mut self) -> u32 {
        self.jobs += 1;
        self.jobs
    }

    /// What A has measured of the same is not measured again.
    pub(super) fn start(&mut self) {
        let known = self.pinned.as_ref().map(|it| &it.run);
        match known.filter(|it| it.finished() && it.study.same_run(&self.study)) {
            Some(run) => self.run = run.clone(),
            None => self.restart(),
        }
    }

    pub(super) fn restart(&mut self) {
        let job = self.fresh_job();
        self.run = Run::new(job, self.study.clone());
    }

    /// Shows another study.
    pub(super) fn show(&mut self, study: Study) {
        if study == self.study {
            return;
        }
        if !std::ptr::eq(study.scenario, self.study.scenario) {
            self.problems.clear();
            self.held = Rc::default();
            self.look = Look { share: LOOKS[0], found: None, film: None, ..self.look };
            (self.pinned, self.swept, self.advising) = (None, None, None);
            self.hidden.clear();
            self.theory = Theory::default();
        }
        if !self.study.same_system(&study) {
            self.learn_exact(&study);
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

    pub(super) fn measure(&mut self) {
        let meter = self.run.meter.as_deref().filter(|_| !self.is_stale());
        let measures = Rc::new(self.study.measures(meter, &self.exact));
        self.unstable = self.study.unstable(meter);
        self.settled = self.study.settled(meter.filter(|_| self.run.finished()));
        if meter.is_some() {
            self.held = Rc::clone(&measures);
        }
        self.measures = measures;
        self.compare();
    }

    pub(super) fn compare(&mut self) {
        if let Some(mut pinned) = self.pinned.take() {
            pinned.compare(self.side());
            self.pinned = Some(pinned);
        }
    }

    /// B, beside a pinned study.
    pub fn side(&self) -> Side<'_> {
        let meter = self.run.meter.as_deref().filter(|_| !self.is_stale());
        Side { study: &self.study, meter, measures: &self.measures }
    }

    /// Pins a study as A, or none.
    pub(super) fn pin(&mut self, study: Option<Study>) {
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
    pub(super) fn swap(&mut self) {
        let Some(Pinned { study, run, .. }) = self.pinned.take() else { return };
        self.pin(Some(self.study.clone()));
        if run.finished() {
            self.run = run;
        }
        self.show(study);
    }

    pub(super) fn sweep(&mut self, sweep: Option<Sweep>, shown: &[&'static str]) {
        let known = self.swept.take();
        let Some(sweep) = sweep else { return };
        let fresh = Swept::new(&self.study, sweep, shown);
        self.swept = Some(match known {
            Some(known) if known.sweep == fresh.sweep => {
                Swept { shares: fresh.shares, cost: fresh.cost, ..known }
            }
            _ => fresh,
        });
    }

    pub(super) fn learn_point(&mut self) {
        match &mut self.advising {
            Some(advising) if advising.batch.unlearnt() => advising.learn_one(),
            _ => self.swept.iter_mut().for_each(|it| it.batch.learn_one()),
        }
    }

    pub(super) fn write_address(&mut self, entry: HistoryEntry) {
        let link = self.setup().link();
        if self.place.link == link {
            return;
        }
        self.place = Place { link, entry, serial: self.place.serial + 1 };
    }
}
