//! The shortest form of a run: one server that requests come to straight, in order. Waiting times follow from one
//! another (Lindley, Proc. Camb. Phil. Soc. 48, 1952): there is nothing to plan, and nobody to keep in mind.

use super::super::{
    CALL_LATENCY, REQUEST_LATENCY, Replicas, ReplicasParams,
    tally::{self, Measured, Tally},
};
use super::{
    Short, TIME_MAX, UNDER_WAY_MAX,
    answers::told,
    draws::{BATCH, Hop, ServiceLaw, Streams},
};
use crate::{
    scenario::{RunSeed, Scenario as _, latencies},
    sim::{Duration, Instant, Meter, Outcome, Running},
};

/// One replication, which measures what `Model` would, to the last digit, but for where that has to stop: queues are
/// counted here only where a section ends.
pub struct OneQueue {
    service: ServiceLaw,
    streams: Streams,
    /// When the last one came.
    came: Instant,
    /// When the server will be through with all that have come: the last one's answer.
    free: Instant,
    /// As of the last answer, but for what the others add who have come until then.
    tally: Tally,
    measured: Measured,
    meter: Meter,
    stopped: bool,
}

impl OneQueue {
    /// Nothing where there is more than one queue.
    pub fn start(params: &ReplicasParams, run: &RunSeed) -> Option<OneQueue> {
        let streams = Streams::new(params, run);
        let one = params.servers == 1 && params.fan_out == 1 && Short::is_enough(params);
        let straight = Hop::new(params).is_none() && streams.other_gap_ms.is_infinite();
        (one && straight && streams.request_gap_ms.is_finite()).then(|| OneQueue {
            service: ServiceLaw::new(params),
            streams,
            came: Instant::default(),
            free: Instant::default(),
            tally: Tally::default(),
            measured: Measured::new(params, run.plan),
            // A request is one call.
            meter: Meter::new(latencies(Replicas::GAUGES), Replicas::COUNTS, run.replication)
                .mirroring(REQUEST_LATENCY, CALL_LATENCY),
            stopped: false,
        })
    }

    /// Lets so many come, and answers them; at most `BATCH`.
    fn serve(&mut self, requests: usize) {
        let (mut gaps, mut works) = ([Duration::default(); BATCH], [Duration::default(); BATCH]);
        let (gaps, works) = (&mut gaps[..requests], &mut works[..requests]);
        self.streams.request_gaps(gaps);
        self.service.draw_all(&mut self.streams.services, works);
        let latencies = gaps;
        let (mut came, mut free) = (self.came, self.free);
        for (gap, work) in std::iter::zip(&mut *latencies, &*works) {
            came = came + *gap;
            free = came.max(free) + *work;
            *gap = free.since(came);
        }
        (self.came, self.free) = (came, free);
        let running_ns = Duration::total_ns(works);
        self.tally.running_ns += running_ns;
        self.tally.waiting_ns += Duration::total_ns(latencies).saturating_sub(running_ns);
        if self.measured.has_begun() {
            if self.service.ends() {
                for (latency, work) in std::iter::zip(&mut *latencies, works) {
                    *latency = told(*latency, self.service.is_unknown(*work));
                }
            }
            self.meter.record_all(REQUEST_LATENCY, latencies);
        }
        self.tally.calls_sent += requests as u64;
        if TIME_MAX <= self.came {
            self.stop();
        }
    }

    /// The warm-up or a section ends with the last answer.
    fn mark(&mut self) {
        let now = self.free;
        let mut tally = self.tally;
        let mut ahead = self.streams.clone();
        let mut came = self.came;
        for others in 0.. {
            came = came + ahead.request_gap();
            // The next one's coming was planned before the last one's answer, those of others after it.
            if now < came || (now == came && 0 < others) {
                break;
            }
            if others == UNDER_WAY_MAX {
                return self.stop();
            }
            tally.calls_sent += 1;
            tally.waiting_ns += u128::from(now.since(came).as_ns());
        }
        self.measured.mark(now, tally, 1, &mut self.meter);
    }

    fn stop(&mut self) {
        self.stopped = true;
        self.meter.count(tally::STOPPED, 1);
    }

    fn done(&self) -> bool {
        self.stopped || self.measured.done()
    }
}

impl Running for OneQueue {
    fn advance(&mut self, steps_max: u64) -> Outcome {
        let mut left = steps_max;
        while !self.done() {
            if left == 0 {
                return Outcome::Paused;
            }
            let requests = left.min(self.measured.until_mark()).min(BATCH as u64);
            left -= requests;
            self.serve(requests as usize);
            if self.measured.count(requests) {
                self.mark();
            }
        }
        Outcome::Finished
    }

    fn take_meter(&mut self) -> Meter {
        self.meter.take()
    }

    fn answers(&self) -> u64 {
        self.meter.answers()
    }
}
