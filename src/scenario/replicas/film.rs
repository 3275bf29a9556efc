//! The servers' queues, as the study's own run had them.

use super::{
    Model, ReplicasParams,
    watch::{Step, Watch, What},
};
use crate::{
    report::{Film, Meaning},
    scenario::{
        RunSeed,
        film::{Reel, shoot},
    },
    sim::{Duration, Instant},
};

const CALL: u8 = 0;
const COPY: u8 = 1;
const OTHER: u8 = 2;
const KINDS: [(Meaning, &str); 3] =
    [(Meaning::This, "calls"), (Meaning::Hedge, "second copies"), (Meaning::Other, "other work")];

/// Other people's jobs are all alike.
const OTHER_TAG: u64 = u64::MAX;

struct Filming(Reel);

impl Watch for Filming {
    const WATCHES: bool = true;

    fn step(&mut self, now: Instant, step: &Step) {
        let kind = if step.copy == 0 { CALL } else { COPY };
        let tag = step.request << 24 | u64::from(step.call) << 1 | step.copy as u64;
        self.at_server(now, step.server, step.what, kind, tag);
    }

    fn other(&mut self, now: Instant, server: u32, what: What) {
        self.at_server(now, server, what, OTHER, OTHER_TAG);
    }

    fn answered(&mut self, _: u64, _: Instant, _: Duration) {
        self.0.answered();
    }
}

impl Filming {
    fn at_server(&mut self, now: Instant, server: u32, what: What, kind: u8, tag: u64) {
        match what {
            What::Arrived => self.0.joined(now, server, kind, tag),
            What::Started => self.0.started(now, server, tag),
            What::Served => self.0.finished(now, server, tag),
            What::Cancelled | What::Interrupted => self.0.cancelled(now, server, tag),
            What::Sent | What::Won | What::Lost => {}
        }
    }
}

pub(super) fn film(params: &ReplicasParams, run: &RunSeed) -> Option<Film> {
    let filming = Filming(Reel::new(params.servers, params.warm_up, &KINDS));
    shoot(Model::start(params, run, filming), |it| Some(&it.watch().0))
}
