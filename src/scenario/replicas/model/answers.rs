//! What becomes of a call: its answers, and the cancellations that follow.

use super::super::{CALL_LATENCY, Cancel, Policy, REQUEST_LATENCY};
use super::{Call, Context, CopyId, CopyState, Duration, Event, Instant, Model, Watch, What};
use crate::sim::Cancelled;

/// An answer of which nobody knows how long it would have taken takes for ever.
pub(super) fn told(latency: Duration, unknown: bool) -> Duration {
    if unknown { Duration::MAX } else { latency }
}

impl<W: Watch> Model<W> {
    pub(super) fn answer(&mut self, copy: CopyId, context: &mut Context<Event>) {
        let now = context.agenda.now();
        let call = &mut self.calls[copy.call()];
        let work = u128::from(call.copies[copy.which()].work.as_ns());
        let server = call.servers[copy.which()];
        call.copies[copy.which()].state = CopyState::Gone;
        call.holds -= 1;
        if call.answered {
            self.tally.wasted_ns += work;
            if !self.gives_up() {
                self.router.count(server, -1);
            }
            self.note(copy, What::Lost, now);
        } else {
            call.answered = true;
            self.router.count(server, -1);
            self.tally.useful_ns += work;
            self.note(copy, What::Won, now);
            self.first_answer(copy, context);
        }
        self.forget_call(copy.call());
    }

    /// Whether the client waits for no other copy once one has answered.
    fn gives_up(&self) -> bool {
        self.policy == Policy::Tied || self.cancel != Cancel::Off
    }

    fn first_answer(&mut self, copy: CopyId, context: &mut Context<Event>) {
        let now = context.agenda.now();
        self.tally.calls_answered += 1;
        let call = &self.calls[copy.call()];
        let other = copy.other();
        let other_out = call.copies[other.which()].state.was_sent();
        let other_server = call.servers[other.which()];
        let (serial, request) = (call.serial, call.request);
        let unknown = self.service.is_unknown(call.copies[copy.which()].work);
        if other_out && self.gives_up() && self.policy != Policy::Single {
            self.router.count(other_server, -1);
        }
        if other_out && self.policy != Policy::Tied && self.cancel != Cancel::Off {
            self.send_cancellation(other, context);
        }
        let it = &mut self.requests[request];
        it.unknown |= unknown && 0 < it.missing;
        let latency = now.since(it.sent);
        if self.measured.has_begun() {
            context.meter.record(CALL_LATENCY, told(latency, unknown));
        }
        it.open -= 1;
        if 0 < it.missing {
            it.missing -= 1;
            if it.missing == 0 {
                if W::WATCHES {
                    self.watch.answered(serial / u64::from(self.fan_out), it.sent, latency);
                }
                let latency = told(latency, it.unknown);
                self.request_answered(latency, context);
            }
        }
        if self.requests[request].open == 0 {
            self.requests.remove(request);
        }
    }

    fn request_answered(&mut self, latency: Duration, context: &mut Context<Event>) {
        self.tally.requests_answered += 1;
        if self.measured.has_begun() {
            context.meter.record(REQUEST_LATENCY, latency);
        }
        if self.measured.count(1) {
            let now = context.agenda.now();
            let tally = self.tally(now);
            self.measured.mark(now, tally, self.servers, &mut context.meter);
        }
    }

    pub(super) fn send_cancellation(&mut self, to: CopyId, context: &mut Context<Event>) {
        context.agenda.plan(self.hop.draw(&mut self.streams.cancellations), Event::Cancel(to));
        self.calls[to.call()].holds += 1;
    }

    pub(super) fn cancel(&mut self, copy: CopyId, context: &mut Context<Event>) {
        let now = context.agenda.now();
        let call = &mut self.calls[copy.call()];
        call.holds -= 1;
        let server = call.servers[copy.which()];
        let one = &mut call.copies[copy.which()];
        match one.state {
            CopyState::Unsent => one.state = CopyState::Forestalled,
            CopyState::Travelling => one.state = CopyState::Unwelcome,
            CopyState::AtServer(job) if self.stations.runs(job) => {
                if self.cancel == Cancel::Interrupt && self.policy != Policy::Tied {
                    let work = one.work;
                    one.state = CopyState::Gone;
                    call.holds -= 1;
                    self.router.changes(now, server, &self.stations);
                    let (left, woken) = self.stations.stop(now, job);
                    self.tally.interrupted += 1;
                    self.tally.wasted_ns += u128::from(work.as_ns() - left.as_ns());
                    self.note(copy, What::Interrupted, now);
                    self.woken(woken, server, context);
                }
            }
            CopyState::AtServer(job) => {
                self.router.changes(now, server, &self.stations);
                let cancelled = self.stations.cancel(now, job);
                debug_assert_eq!(cancelled, Cancelled::Removed);
                self.cancelled(copy, now);
                return;
            }
            CopyState::Forestalled
            | CopyState::Unwelcome
            | CopyState::Answering
            | CopyState::Gone => {}
        }
        self.forget_call(copy.call());
    }

    pub(super) fn cancelled(&mut self, copy: CopyId, now: Instant) {
        self.tally.cancelled += 1;
        self.note(copy, What::Cancelled, now);
        let call = &mut self.calls[copy.call()];
        call.copies[copy.which()].state = CopyState::Gone;
        call.holds -= 1;
        self.forget_call(copy.call());
    }

    /// Frees the call's place when nobody knows of it any more.
    #[inline]
    fn forget_call(&mut self, call: u32) {
        let it = &mut self.calls[call];
        if it.holds == 0 && it.answered {
            it.serial = Call::FORGOTTEN;
            self.calls.remove(call);
        }
    }
}
