//! The table of a preset: *published, exact, simulated*, each row a study of its own.

use std::rc::Rc;

use super::Run;
use crate::{report::Measure, scenario::Preset, special::Listed, study::Study};

#[derive(Clone)]
pub struct Rows {
    /// The preset whose table is shown: the last one that was open.
    pub preset: Option<&'static Preset>,
    /// Its rows' studies, and their links.
    pub studies: Vec<(Study, String)>,
    /// What is known of studies, by their links.
    pub known: Listed<String, Known>,
    /// The row that is being simulated.
    pub run: Option<Run>,
}

#[derive(Clone, Debug)]
pub struct Known {
    pub measures: Rc<Vec<Measure>>,
    pub stage: Stage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Only what is known exactly.
    Exact,
    Simulated,
    /// Workers were lost over it, and it is not tried again.
    Failed,
}

impl Rows {
    /// The table that goes with a study: of its preset, or else the scenario's first.
    pub(super) fn of(study: &Study) -> Rows {
        let mut rows =
            Rows { preset: None, studies: Vec::new(), known: Listed::default(), run: None };
        let first = study.scenario.presets.iter().find(|it| !it.rows.is_empty());
        rows.turn_to(study, study.preset().or(first));
        rows
    }

    /// Turns to the table of the study's preset; a study without one leaves the table as it is.
    pub(super) fn follow(&mut self, study: &Study) {
        let stranger =
            self.studies.first().is_none_or(|it| !std::ptr::eq(it.0.scenario, study.scenario));
        match study.preset() {
            Some(preset) => self.turn_to(study, Some(preset)),
            None if stranger => *self = Rows::of(study),
            None => {}
        }
    }

    fn turn_to(&mut self, study: &Study, preset: Option<&'static Preset>) {
        let same = |a: &Preset, b: &Preset| std::ptr::eq(a, b);
        if self.preset.zip(preset).is_some_and(|(a, b)| same(a, b)) {
            return;
        }
        self.preset = preset;
        self.studies = preset.map_or_else(Vec::new, |preset| {
            let rows = preset.rows.iter();
            rows.map(|row| {
                let study = Study::of_row(study.scenario, preset, row);
                let link = study.link();
                (study, link)
            })
            .collect()
        });
        self.run = None;
    }

    pub fn of_link(&self, link: &str) -> Option<&Known> {
        self.known.get(link)
    }

    /// Whether there is a row of which not even the exact values were worked out.
    pub fn unknown(&self) -> Option<&Study> {
        self.studies.iter().find(|it| self.known.get(&it.1).is_none()).map(|it| &it.0)
    }

    /// Works out what is exactly known of one more row.
    pub(super) fn learn_one(&mut self) {
        if let Some(study) = self.unknown() {
            let measures = Rc::new(study.measures(None, &study.exact()));
            self.known.insert(study.link(), Known { measures, stage: Stage::Exact });
        }
    }

    /// The page's own study is finished: if a row is the same, so is that.
    pub(super) fn learn_of(&mut self, study: &Study, measures: &Rc<Vec<Measure>>) {
        let link = study.link();
        if self.studies.iter().any(|it| it.1 == link) {
            let known = Known { measures: Rc::clone(measures), stage: Stage::Simulated };
            self.known.insert(link, known);
        }
    }

    /// Keeps what the row's run has brought, once it is over.
    pub(super) fn collect(&mut self) {
        let Some(run) = self.run.take_if(|it| it.over()) else { return };
        let meter = run.meter.as_deref().filter(|_| run.finished());
        let measures = Rc::new(run.study.measures(meter, &run.study.exact()));
        let stage = if run.finished() { Stage::Simulated } else { Stage::Failed };
        self.known.insert(run.study.link(), Known { measures, stage });
    }

    /// The next row to simulate.
    pub(super) fn next(&self) -> Option<Study> {
        let waiting =
            |link: &String| self.known.get(link).is_none_or(|it| it.stage == Stage::Exact);
        self.studies.iter().find(|it| waiting(&it.1)).map(|it| it.0.clone())
    }
}
