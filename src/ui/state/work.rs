//! What workers say is taken in, and what they are to do next is planned.

use std::rc::Rc;

use super::{Batch, Pinned, Run, State};
use crate::{scenario::Exact, worker::Tell};

impl State {
    fn told(&mut self, tell: Tell) {
        match tell {
            Tell::Part(part) => {
                if let Some(run) = self.run_of(part.job) {
                    run.add(part);
                } else if let Some(batch) = self.batch_of(part.job) {
                    batch.add(part);
                }
            }
            Tell::Failed { job, .. } => {
                if let Some(run) = self.run_of(job) {
                    run.failed = true;
                } else if let Some(batch) = self.batch_of(job) {
                    batch.failed = true;
                }
            }
            Tell::Reading { file, taken } => self.import.reads(file, taken),
            Tell::Read { file, read } => {
                self.import.has_read(file, read);
                self.open_saved();
            }
            Tell::Exact { serial, exact, took_ms } => self.hear_exact(serial, exact, took_ms),
            Tell::Bears { link, most } => {
                if link == self.study.link() {
                    self.theory.bears = Some((self.study.clone(), most));
                }
            }
            Tell::Filmed { job, film } => {
                if job == self.run.job {
                    self.look.film = Some((job, film.map(Rc::new)));
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

    fn batch_of(&mut self, job: u32) -> Option<&mut Batch> {
        let advised = self.advising.as_mut().map(|it| &mut it.batch);
        let batches = [advised, self.swept.as_mut().map(|it| &mut it.batch)];
        batches.into_iter().flatten().find(|it| it.is_of(job))
    }

    /// After workers have spoken: the study of a moment ago gives way, and what is in is read.
    pub(super) fn listen(&mut self, tells: Vec<Tell>) {
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
    pub(super) fn plan(&mut self) {
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
        // Points that a hand moves change too often to be worth a beginning.
        let settled = self.gesture.is_none();
        if let Some(swept) = self.swept.as_mut().filter(|_| settled) {
            swept.follow(&self.study);
        }
        if let Some(advising) = &mut self.advising {
            advising.advance();
            advising.batch.plan(free && !advising.batch.unlearnt(), &mut self.jobs);
            free &= advising.over;
        }
        if let Some(swept) = &mut self.swept {
            swept.batch.plan(free && settled, &mut self.jobs);
            free &= swept.batch.over();
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
