//! Several studies that are simulated together, a round of replications at a time, so that all of them are seen soon
//! and then become surer.

use std::rc::Rc;

use crate::{
    report::Measure,
    scenario::Exact,
    sim::Meter,
    special::Listed,
    study::{Side, Study, coarse_first},
    worker::{Part, Question, Task},
};

#[derive(Clone)]
pub struct Batch {
    pub points: Vec<Tried>,
    /// What the workers are at, or would be if nothing else were wanted.
    asked: Option<Question>,
    /// Replications that are not finished, by point.
    open: Listed<(u32, u32), Rc<Meter>>,
    /// Whether meters are still needed when a point is finished.
    keeps: bool,
    /// Workers were lost over it.
    pub failed: bool,
}

/// One study of several, and what is known of it.
#[derive(Clone)]
pub struct Tried {
    pub study: Study,
    /// How many replications are wanted.
    pub rounds: u32,
    done: Listed<u32, ()>,
    pub meter: Option<Rc<Meter>>,
    pub measures: Rc<Vec<Measure>>,
    /// Whether it was worked out what is exactly known.
    pub learnt: bool,
}

impl Batch {
    pub(super) fn new(studies: Vec<Study>, rounds: u32, keeps: bool) -> Batch {
        let points = studies.into_iter().map(|study| Tried {
            rounds: rounds.min(study.replications()),
            measures: Rc::new(study.measures(None, &Exact::default())),
            study,
            done: Listed::default(),
            meter: None,
            learnt: false,
        });
        Batch {
            points: points.collect(),
            asked: None,
            open: Listed::default(),
            keeps,
            failed: false,
        }
    }

    /// Whether nothing more will be simulated.
    pub fn over(&self) -> bool {
        self.failed || self.points.iter().all(Tried::finished)
    }

    pub fn finished(&self) -> usize {
        self.points.iter().filter(|it| it.finished()).count()
    }

    /// Whether anything is still to be worked out.
    pub fn unlearnt(&self) -> bool {
        self.points.iter().any(|it| !it.learnt)
    }

    pub(super) fn question(&self) -> Option<&Question> {
        self.asked.as_ref()
    }

    pub(super) fn is_of(&self, job: u32) -> bool {
        self.asked.as_ref().is_some_and(|it| it.job == job)
    }

    /// Asks for what is missing when the workers are free; what is called off begins anew.
    pub(super) fn plan(&mut self, free: bool, jobs: &mut u32) {
        if !free || self.over() {
            self.asked = None;
            self.open.clear();
        } else if self.asked.is_none() {
            *jobs += 1;
            let order = coarse_first(self.points.len());
            let rounds = self.points.iter().map(|it| it.rounds).max().unwrap_or(0);
            let each = |replication| order.iter().map(move |at| (*at, replication));
            let wanted = (0..rounds).flat_map(each);
            let wanted = wanted.filter(|it| self.points[it.0].wants(it.1));
            let tasks = wanted.map(|it| Task { link: it.0 as u32, replication: it.1 });
            let links = self.points.iter().map(|it| it.study.link()).collect();
            self.asked = Some(Question { job: *jobs, links, tasks: tasks.collect() });
        }
    }

    pub(super) fn add(&mut self, part: Part) {
        let Task { link, replication } = part.task;
        let Some(point) = self.points.get_mut(link as usize) else { return };
        let key = (link, replication);
        let mut meter =
            self.open.remove(&key).unwrap_or_else(|| Rc::new(point.study.empty_meter()));
        Rc::make_mut(&mut meter).merge(part.meter);
        if !part.done {
            self.open.insert(key, meter);
            return;
        }
        let whole = point.meter.get_or_insert_with(|| Rc::new(point.study.empty_meter()));
        Rc::make_mut(whole).merge(Rc::unwrap_or_clone(meter));
        point.done.insert(replication, ());
        point.measure();
        if point.finished() && !self.keeps {
            point.meter = None;
        }
    }

    /// Works out what is exactly known of one more point.
    pub(super) fn learn_one(&mut self) {
        let order = coarse_first(self.points.len());
        if let Some(at) = order.into_iter().find(|it| !self.points[*it].learnt) {
            let point = &mut self.points[at];
            point.take_exact(&point.study.measures(None, &point.study.exact()));
            point.learnt = true;
        }
    }
}

impl Tried {
    pub fn finished(&self) -> bool {
        self.rounds <= self.done.len() as u32
    }

    fn wants(&self, replication: u32) -> bool {
        replication < self.rounds && self.done.get(&replication).is_none()
    }

    fn measure(&mut self) {
        let known = Rc::clone(&self.measures);
        let measured = self.study.measures(self.meter.as_deref(), &Exact::default());
        self.measures = Rc::new(measured);
        self.take_exact(&known);
    }

    fn take_exact(&mut self, known: &[Measure]) {
        let own = Rc::make_mut(&mut self.measures);
        for (measure, known) in std::iter::zip(own, known) {
            *measure = measure.clone().with_exact(known.exact);
        }
    }

    pub fn side(&self) -> Side<'_> {
        Side { study: &self.study, meter: self.meter.as_deref(), measures: &self.measures }
    }
}
