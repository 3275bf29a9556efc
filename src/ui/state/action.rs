//! What a person, a link or a worker can do to the page, and what comes of it.

use super::{Advising, HistoryEntry, ImportAction, State, Swept, Theme};
use crate::{
    scenario::Entry,
    study::{Aim, Problem, Setup, Study, Sweep},
    worker::Tell,
};

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
    /// The study is swept, or no more.
    Sweep(Option<Sweep>),
    /// A percentile of the sweep is shown, or hidden.
    SweepShare(&'static str),
    SweepCost(Option<&'static str>),
    /// Whether to hedge within a budget of extra load, as a share, for what is to come down.
    Advise {
        budget: f64,
        aim: Aim,
    },
    /// The study of an advice is taken over.
    Try(Study),
    /// There is time to work out what is exactly known of one more point of the sweep, or trial.
    LearnPoint,
    /// Something happens to a file of latencies.
    Import(ImportAction),
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

/// What an action makes of a state.
pub fn reduce(state: &State, action: Action) -> State {
    let mut next = state.clone();
    let by_itself =
        matches!(action, Action::Told(_) | Action::Learn | Action::LearnPoint | Action::Near(_));
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
            next.open_link(&link);
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
        Action::RunAgain => {
            next.restart();
            next.measure();
        }
        Action::TogglePause => next.paused = !state.paused,
        Action::Look(share) => next.look.share = share,
        Action::Near(near) => next.look.near = near,
        Action::Told(tells) => next.listen(tells),
        Action::Theme(theme) => next.theme = theme,
        other => next.act_beside(other),
    }
    next.plan();
    next
}

impl State {
    /// Shows what a link says, in the place of what is shown.
    pub(super) fn open_link(&mut self, link: &str) {
        let (setup, problems) = Setup::open(link);
        self.open_setup(setup, problems);
    }

    /// Shows the studies of files that were handed in together, if there are any to be opened; of two the first is A.
    pub(super) fn open_saved(&mut self) {
        if !self.import.opens() {
            return;
        }
        let opened = &mut self.import.opened;
        let Some(last) = opened.last() else { return };
        let (mut setup, mut problems) = Setup::open(&last.link);
        if 1 < opened.len() {
            let first = &opened[0];
            let (Setup { study, .. }, of_first) = Setup::open(&first.link);
            problems.extend(of_first.into_iter().map(Problem::of_a));
            if let Some(problem) = setup.hold_against(study, &first.name) {
                problems.push(problem);
                opened.remove(0);
            }
        }
        self.open_setup(setup, problems);
        self.write_address(HistoryEntry::Fresh);
    }

    fn open_setup(&mut self, setup: Setup, problems: Vec<Problem>) {
        let Setup { study, pinned, sweep, shown, hidden, embedded } = setup;
        self.show(study);
        self.pin(pinned);
        self.sweep(sweep, &shown);
        (self.hidden, self.embedded, self.problems) = (hidden, embedded, problems);
    }

    /// What concerns A, the sweep and the advice.
    fn act_beside(&mut self, action: Action) {
        match action {
            Action::Pin => {
                self.pin(Some(self.study.clone()));
                self.write_address(HistoryEntry::Fresh);
            }
            Action::Unpin => {
                self.pin(None);
                self.write_address(HistoryEntry::Fresh);
            }
            Action::Swap => {
                self.swap();
                self.write_address(HistoryEntry::Fresh);
            }
            Action::Sweep(sweep) => {
                let shown = self.swept.as_ref().map(Swept::shown).unwrap_or_default();
                self.sweep(sweep, &shown);
                self.write_address(HistoryEntry::Fresh);
            }
            Action::SweepShare(share) => {
                self.swept.iter_mut().for_each(|it| it.choose(share));
                self.write_address(HistoryEntry::Same);
            }
            Action::SweepCost(cost) => {
                self.swept.iter_mut().for_each(|it| it.cost = cost);
                self.write_address(HistoryEntry::Same);
            }
            Action::Advise { budget, aim } => {
                self.advising = Advising::new(&self.study, budget, aim);
            }
            Action::Try(study) => self.change(Some(study)),
            Action::LearnPoint => self.learn_point(),
            Action::Import(action) => {
                if let Some((study, pinned)) = self.import.act(action, &self.study) {
                    self.show(study);
                    if pinned.is_some() {
                        self.pin(pinned);
                    }
                    self.write_address(HistoryEntry::Fresh);
                }
                // One that was to be read with it may have been called off.
                self.open_saved();
            }
            _ => {}
        }
    }

    /// A change that is made at once, and can be taken back with *back*.
    pub(super) fn change(&mut self, study: Option<Study>) {
        let Some(study) = study else { return };
        self.show(study);
        self.write_address(HistoryEntry::Fresh);
    }
}
