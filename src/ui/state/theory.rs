//! What is exactly known, and who works it out: the page, which has it at once, or a worker where that would hold up
//! a moving hand.

use std::rc::Rc;

use super::State;
use crate::{
    scenario::Exact,
    study::{IN_TIME, Study},
    worker::Ask,
};

#[derive(Clone, Debug, Default)]
pub struct Theory {
    /// Whether the last exact values took the page longer than a frame can spare.
    pub slow: bool,
    /// What a worker was asked for, with the number of the question.
    awaited: Option<(u32, Study)>,
    serial: u32,
    /// The greatest fan-out that a study's deadline bears; nothing where theory does not say.
    pub bears: Option<(Study, Option<u32>)>,
}

/// What takes a worker less than this is worked out by the page again.
const QUICK_MS: f64 = 3.0;

impl State {
    /// Which link's exact values a worker should work out, and the number of the question.
    pub(super) fn wanted_exact(&self) -> Option<Ask> {
        let (serial, study) = self.theory.awaited.as_ref()?;
        Some(Ask::Exact { serial: *serial, link: study.link() })
    }

    /// For which link the greatest fan-out should be found, once the hand rests.
    pub(super) fn wanted_bears(&self) -> Option<Ask> {
        let asked = self.study.scenario.hedging.is_some() && self.study.deadline_ms().is_some();
        let known = self.theory.bears.as_ref().is_some_and(|it| it.0.same_system(&self.study));
        (asked && !known && self.gesture.is_none() && self.has_data())
            .then(|| Ask::Bears { link: self.study.link(), share: IN_TIME })
    }

    /// Whether the exact values are those of the study, not of a moment ago.
    pub fn knows_exact(&self) -> bool {
        self.theory.awaited.is_none()
    }

    /// While a hand moves, a slow answer is a worker's: until it comes, that of a moment ago stands.
    pub(super) fn learn_exact(&mut self, study: &Study) {
        if self.theory.slow && self.gesture.is_some() {
            // Each question is left its moment to answer: else none would ever be answered.
            if self.theory.awaited.is_none() {
                self.ask_exact(study.clone());
            }
        } else {
            self.theory.awaited = None;
            self.exact = Rc::new(study.exact());
        }
    }

    fn ask_exact(&mut self, study: Study) {
        self.theory.serial += 1;
        self.theory.awaited = Some((self.theory.serial, study));
    }

    pub(super) fn hear_exact(&mut self, serial: u32, exact: Option<Exact>, took_ms: f64) {
        let Some((_, study)) = self.theory.awaited.take_if(|it| it.0 == serial) else { return };
        if let Some(exact) = exact {
            self.exact = Rc::new(exact);
            self.theory.slow = QUICK_MS < took_ms;
            if !study.same_system(&self.study) {
                self.learn_exact(&self.study.clone());
            }
        } else {
            self.theory.slow = false;
            self.exact = Rc::new(self.study.exact());
        }
        self.measure();
    }
}
