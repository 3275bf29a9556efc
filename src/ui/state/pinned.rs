//! A: the study that the page's own, B, is held against.

use std::rc::Rc;

use super::Run;
use crate::{
    report::Measure,
    scenario::{Exact, Seen},
    study::{Difference, Side, Study, differences},
};

#[derive(Clone)]
pub struct Pinned {
    pub study: Study,
    pub exact: Rc<Exact>,
    pub run: Run,
    pub measures: Rc<Vec<Measure>>,
    /// How much more B has, by measure.
    pub differences: Rc<Vec<Difference>>,
}

impl Pinned {
    pub(super) fn new(study: Study, run: Run) -> Pinned {
        let exact = Rc::new(study.exact());
        let mut pinned =
            Pinned { study, exact, run, measures: Rc::default(), differences: Rc::default() };
        pinned.measure();
        pinned
    }

    pub(super) fn measure(&mut self) {
        self.measures = Rc::new(self.study.measures(self.run.meter.as_deref(), &self.exact));
    }

    /// What is measured on another finished run of the very same holds for A, too.
    pub(super) fn share(&mut self, run: &Run) -> bool {
        let shares = !self.run.finished() && run.finished() && run.study.same_run(&self.study);
        if shares {
            self.run = run.clone();
            self.measure();
        }
        shares
    }

    pub(super) fn compare(&mut self, b: Side) {
        self.differences = Rc::new(differences(self.side(), b));
    }

    pub fn side(&self) -> Side<'_> {
        let (meter, measures) = (self.run.meter.as_deref(), &self.measures);
        Side { study: &self.study, meter, measures }
    }

    pub fn seen(&self) -> Seen<'_> {
        Seen { meter: self.run.meter.as_deref(), measures: &self.measures, exact: &self.exact }
    }
}
