//! Whether to hedge and when, asked step by step while the page goes on.

use super::{Batch, batch::Tried};
use crate::study::{Aim, Inquiry, Study, differences};

#[derive(Clone)]
pub struct Advising {
    pub inquiry: Inquiry,
    /// For which study it was asked.
    pub study: Study,
    /// What is known without hedges; nothing at first.
    off: Option<Tried>,
    pub batch: Batch,
    /// Trials of earlier rounds.
    pub tried: usize,
    pub over: bool,
    /// Whether theory says the aim of hedged calls, so that nothing has to be simulated.
    theory: bool,
}

impl Advising {
    pub(super) fn new(study: &Study, budget: f64, aim: Aim) -> Option<Advising> {
        let inquiry = Inquiry::new(study, budget, aim)?;
        let batch = batch(vec![inquiry.off.clone()]);
        let theory = inquiry.says_theory();
        Some(Advising {
            inquiry,
            study: study.clone(),
            off: None,
            batch,
            tried: 0,
            over: false,
            theory,
        })
    }

    /// Whether it was asked for another study.
    pub fn is_stale(&self, study: &Study) -> bool {
        // The delay is what the advice is on.
        study.scenario.hedging.is_none_or(|it| {
            let delay = self.inquiry.off.value(it.delay).unwrap_or_default();
            study.changed(it.off).with(it.delay, delay) != self.inquiry.off
        })
    }

    /// One more study is held against theory; where that says the aim, none is simulated.
    pub(super) fn learn_one(&mut self) {
        self.batch.learn_one();
        for point in self.batch.points.iter_mut().filter(|it| it.learnt && self.theory) {
            if self.inquiry.is_exact(&point.measures) {
                point.rounds = 0;
            }
        }
    }

    /// Takes in what is finished, and goes on to the next trials.
    pub(super) fn advance(&mut self) {
        if self.over || self.batch.unlearnt() || !self.batch.over() {
            return;
        }
        let next = match &self.off {
            None => {
                let off = self.batch.points.first().cloned();
                let next = off.as_ref().map(|it| self.inquiry.first(&it.measures));
                self.off = off;
                next.unwrap_or_default()
            }
            Some(off) => {
                for it in &self.batch.points {
                    let found = differences(off.side(), it.side());
                    self.inquiry.learn(&it.study, &it.measures, &off.measures, &found);
                }
                self.tried += self.batch.points.len();
                self.inquiry.further()
            }
        };
        self.over = next.is_empty() || self.batch.failed;
        self.batch = batch(if self.over { Vec::new() } else { next });
    }
}

fn batch(studies: Vec<Study>) -> Batch {
    Batch::new(studies, u32::MAX, true)
}
