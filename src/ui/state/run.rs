//! A study that is being simulated.

use std::rc::Rc;

use crate::{
    scenario::Gauge,
    sim::Meter,
    study::Study,
    worker::{Part, Question},
};

#[derive(Clone)]
pub struct Run {
    pub job: u32,
    pub study: Study,
    /// What is in so far; nothing before the first part.
    pub meter: Option<Rc<Meter>>,
    /// Parts that are in.
    pub parts: u32,
    /// Replications that are finished.
    pub done: u32,
    /// Workers were lost over it.
    pub failed: bool,
}

impl Run {
    pub fn new(job: u32, study: Study) -> Run {
        Run { job, study, meter: None, parts: 0, done: 0, failed: false }
    }

    pub fn question(&self) -> Question {
        Question::of(self.job, self.study.link(), self.study.replications())
    }

    /// Whether nothing more will come.
    pub fn over(&self) -> bool {
        self.failed || self.finished()
    }

    pub fn finished(&self) -> bool {
        self.done == self.study.replications()
    }

    /// How many requests were measured: those that the scenario counts, or those of the first latency it reports.
    pub fn recorded(&self) -> u64 {
        let scenario = self.study.scenario;
        if let Some(answers) = scenario.answers {
            return self.meter.as_deref().map_or(0, |it| it.counted(answers));
        }
        let latency = scenario.gauges.iter().find_map(|it| match it {
            Gauge::Latency { latency, .. } => Some(*latency),
            _ => None,
        });
        self.meter.as_deref().zip(latency).map_or(0, |(meter, latency)| meter.recorded(latency))
    }

    pub(super) fn add(&mut self, part: Part) {
        let meter = self.meter.get_or_insert_with(|| Rc::new(self.study.empty_meter()));
        Rc::make_mut(meter).merge(part.meter);
        self.parts += 1;
        self.done += u32::from(part.done);
    }
}
