//! Draws placements, and requests to each.

use super::{
    Partitions, PartitionsParams, REQUEST_LATENCY, counts,
    placement::{Placing, by_rank},
};
use crate::{
    scenario::{RunSeed, Scenario, latencies},
    sim::{Draw, Draws, Duration, Meter, Rng},
};

/// One replication.
pub(super) struct Model {
    service_ms: f64,
    partitions: u64,
    placing: Placing,
    requests: Rng,
    /// The loads of the present placement, each with all before it.
    sums: Vec<f64>,
    loads: Vec<f64>,
    left: u32,
    section: u32,
}

/// What a request came to.
#[derive(Clone, Copy)]
pub(super) struct Drawn {
    pub(super) machine: usize,
    /// The load of that machine.
    pub(super) load: f64,
    /// For ever where the machine cannot do what it is asked for.
    pub(super) latency: Duration,
}

/// Requests to each placement: a request takes some 50 ns to draw, a placement of 10,000 items some 100 µs.
const REQUESTS_EACH: u32 = 50;
const MILLION: f64 = 1e6;

pub(super) fn start(params: &PartitionsParams, run: &RunSeed) -> Draws<Model> {
    let meter = Meter::new(latencies(Partitions::GAUGES), Partitions::COUNTS, run.replication);
    Draws::new(Model::new(params, run), meter, run.plan)
}

impl Model {
    pub(super) fn new(params: &PartitionsParams, run: &RunSeed) -> Model {
        Model {
            service_ms: params.service_ms,
            partitions: u64::from(params.partitions),
            placing: Placing::new(params, run.seed, run.replication),
            requests: Rng::stream(run.seed, run.replication, 4),
            sums: Vec::new(),
            loads: Vec::new(),
            left: 0,
            section: 0,
        }
    }

    fn place(&mut self, meter: &mut Meter) {
        let placement = self.placing.place();
        let millionths = |it: f64| (it * MILLION + 0.5) as u64;
        meter.count(counts::PLACEMENTS, 1);
        meter.count(counts::IMBALANCE, millionths(placement.imbalance));
        meter.count(counts::REBALANCED, millionths(placement.rebalanced));
        meter.count(counts::PARTITIONS, self.partitions);
        meter.count(counts::MOVED, 1);
        meter.count(counts::MOST_TAKEN, u64::from(placement.most_taken));
        for (first, loads) in [
            (counts::DEALT, &placement.dealt),
            (counts::EVENED, &placement.moved),
            (counts::LOADS, &placement.loads),
        ] {
            for (rank, load) in by_rank(loads).into_iter().enumerate() {
                meter.count(first + rank, millionths(load));
            }
        }
        self.loads = placement.loads;
        let overloaded = self.loads.iter().filter(|it| 1.0 <= **it).count() as u64;
        meter.count(counts::MACHINES, self.loads.len() as u64);
        meter.count(counts::OVERLOADED, overloaded);
        meter.count(counts::WITH_OVERLOAD, u64::from(0 < overloaded));
        let mut sum = 0.0;
        self.sums.clear();
        self.sums.extend(self.loads.iter().map(|it| {
            sum += it;
            sum
        }));
    }

    pub(super) fn request(&mut self, meter: &mut Meter) -> Drawn {
        // Sections share no placement: they are to know nothing of each other.
        if self.left == 0 || self.section != meter.section_index() {
            self.place(meter);
            self.left = REQUESTS_EACH;
            self.section = meter.section_index();
        }
        self.left -= 1;
        // Requests come where the load is.
        let last = self.sums.len() - 1;
        let at = self.sums[last] * self.requests.unit();
        let machine = self.sums.partition_point(|it| *it <= at).min(last);
        let drawn = self.requests.exponential();
        let load = self.loads[machine];
        let room = 1.0 - load;
        let latency = if 0.0 < room {
            Duration::from_ms(self.service_ms * drawn / room)
        } else {
            Duration::MAX
        };
        Drawn { machine, load, latency }
    }
}

impl Draw for Model {
    fn draw(&mut self, meter: &mut Meter) {
        let drawn = self.request(meter);
        meter.record(REQUEST_LATENCY, drawn.latency);
        meter.count(counts::REQUESTS, 1);
        meter.count(counts::TO_OVERLOADED, u64::from(1.0 <= drawn.load));
    }
}
