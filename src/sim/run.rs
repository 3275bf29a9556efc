//! Runs: a model, what it may touch, and slices of work.

use super::{Agenda, Meter};

/// A system that reacts to events by planning others.
pub trait Model {
    /// Small, and `Copy`: it moves within the agenda.
    type Event: Copy;

    fn begin(&mut self, context: &mut Context<Self::Event>);
    fn react(&mut self, event: Self::Event, context: &mut Context<Self::Event>);

    /// Whether all has been measured, though events may still be planned.
    fn done(&self) -> bool;
}

/// All that a model may touch besides itself. Its chance it brings along, a stream a purpose.
pub struct Context<E> {
    pub agenda: Agenda<E>,
    pub meter: Meter,
}

/// A system that tells of one request after the other, without an agenda.
pub trait Draw {
    fn draw(&mut self, meter: &mut Meter);
}

/// A run whose model has been forgotten.
pub trait Running {
    /// Handles at most `steps_max` events or draws.
    fn advance(&mut self, steps_max: u64) -> Outcome;

    /// What was measured since the last call; the meters of all calls add up to that of the whole run.
    fn take_meter(&mut self) -> Meter;

    /// Answers that were measured since then.
    fn answers(&self) -> u64;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// There is more to do.
    Paused,
    Finished,
}

/// How one replication is cut: requests to measure, in sections whose spread gives the error bars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    pub requests: u64,
    pub sections: u32,
}

/// One replication of a model, in progress.
pub struct Run<M: Model> {
    model: M,
    context: Context<M::Event>,
}

/// One replication of draws, in progress.
pub struct Draws<D> {
    system: D,
    meter: Meter,
    plan: Plan,
    drawn: u64,
}

impl Plan {
    /// The requests after which section `section` (from 0) ends. Sections differ by one request at most.
    pub fn section_end(&self, section: u32) -> u64 {
        // u128: requests may be 1e8 and more, sections a few dozen.
        (u128::from(self.requests) * u128::from(section + 1) / u128::from(self.sections)) as u64
    }
}

impl<M: Model> Run<M> {
    pub fn new(mut model: M, meter: Meter) -> Run<M> {
        let mut context = Context { agenda: Agenda::default(), meter };
        model.begin(&mut context);
        Run { model, context }
    }
}

impl<M: Model> Run<M> {
    pub fn model(&self) -> &M {
        &self.model
    }

    #[cfg(test)]
    pub(crate) fn change<T>(&mut self, change: impl FnOnce(&mut M) -> T) -> T {
        change(&mut self.model)
    }

    #[cfg(test)]
    pub(crate) fn now(&self) -> super::Instant {
        self.context.agenda.now()
    }

    #[cfg(test)]
    pub(crate) fn planned_most(&self) -> usize {
        self.context.agenda.most()
    }
}

impl<M: Model> Running for Run<M> {
    fn advance(&mut self, steps_max: u64) -> Outcome {
        for _ in 0..steps_max {
            if self.model.done() {
                return Outcome::Finished;
            }
            match self.context.agenda.next() {
                Some(event) => self.model.react(event, &mut self.context),
                None => return Outcome::Finished,
            }
        }
        Outcome::Paused
    }

    fn take_meter(&mut self) -> Meter {
        self.context.meter.take()
    }

    fn answers(&self) -> u64 {
        self.context.meter.answers()
    }
}

impl<D: Draw> Draws<D> {
    pub fn new(system: D, meter: Meter, plan: Plan) -> Draws<D> {
        Draws { system, meter, plan, drawn: 0 }
    }
}

impl<D: Draw> Running for Draws<D> {
    fn advance(&mut self, steps_max: u64) -> Outcome {
        let mut left = steps_max;
        while self.drawn < self.plan.requests && 0 < left {
            let section_end = self.plan.section_end(self.meter.section_index());
            let until = section_end.min(self.drawn + left);
            left -= until - self.drawn;
            for _ in self.drawn..until {
                self.system.draw(&mut self.meter);
            }
            self.drawn = until;
            if self.drawn == section_end {
                self.meter.close_section();
            }
        }
        if self.drawn == self.plan.requests { Outcome::Finished } else { Outcome::Paused }
    }

    fn take_meter(&mut self) -> Meter {
        self.meter.take()
    }

    fn answers(&self) -> u64 {
        self.meter.answers()
    }
}
