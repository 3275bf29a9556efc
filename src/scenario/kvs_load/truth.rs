//! What queueing theory knows of a store and its closed loop of clients.

use std::rc::Rc;

use super::{KvsLoadParams, SWEEP, Store};
use crate::{
    scenario::{Exact, named},
    theory::{FiniteSource, Law, Sum, Table, Traced},
};

/// By store: the names of the curves of the mean and of a percentile against the pipeline.
pub(super) const MEANS: [&str; 2] = ["remote.means", "local.means"];
pub(super) const LATE: [&str; 2] = ["remote.late", "local.late"];
pub(super) const LATE_SHARE: f64 = 0.99;

/// The mean time of a batch, by what it is spent on, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Spent {
    pub network: f64,
    pub waiting: f64,
    pub service: f64,
}

/// The time at the store and on both ways.
struct Whole<L> {
    fixed_ms: f64,
    rest: L,
}

/// The sum of two exponential times, one for each way.
#[derive(Clone, Copy)]
struct Ways {
    each_ms: f64,
}

/// The time at the store, then both ways.
struct ThereAndBack {
    sum: Sum<Ways>,
    /// The share of batches whose time at the store is before the first row of its table: next to none.
    early: f64,
    ways: Ways,
}

impl<L: Law> Law for Whole<L> {
    fn beyond(&self, ms: f64) -> f64 {
        self.rest.beyond(ms - self.fixed_ms)
    }
}

impl Law for ThereAndBack {
    fn beyond(&self, ms: f64) -> f64 {
        (self.sum.beyond(ms) + self.early * self.ways.beyond(ms)).min(1.0)
    }
}

impl Law for Ways {
    fn beyond(&self, ms: f64) -> f64 {
        let times = ms.max(0.0) / self.each_ms;
        (1.0 + times) * libm::exp(-times)
    }
}

fn source(store: &Store) -> FiniteSource {
    FiniteSource::new(store.clients, store.threads, store.rtt_ms(), store.batch_ms)
}

pub(super) fn spent(store: &Store) -> Spent {
    Spent {
        network: store.rtt_ms(),
        waiting: (source(store).mean_ms() - store.batch_ms).max(0.0),
        service: store.batch_ms,
    }
}

impl Spent {
    pub(super) fn total_ms(&self) -> f64 {
        self.network + self.waiting + self.service
    }
}

/// The law of a batch's latency, with steps of the given share.
fn law(store: &Store, mass_max: f64) -> Rc<dyn Law> {
    let (fixed_ms, source) = (store.fixed_ms, source(store));
    if store.varying_ms == 0.0 {
        return Rc::new(Whole { fixed_ms, rest: source });
    }
    let at_store = Table::of(&source, mass_max, 0.3);
    let ways = Ways { each_ms: 0.5 * store.varying_ms };
    let early = 1.0 - at_store.rows()[0].1;
    Rc::new(Whole { fixed_ms, rest: ThereAndBack { sum: Sum::new(&at_store, ways), early, ways } })
}

pub(super) fn exact(params: &KvsLoadParams) -> Exact {
    let mut exact = Exact::default();
    for store in params.stores(params.pipeline) {
        let mean_ms = spent(&store).total_ms();
        let commands = f64::from(store.clients) * f64::from(store.pipeline);
        let law = law(&store, 1.0 / 256.0);
        let [mean, rate, over, sweep] = names(store.name);
        exact.values.extend(named([
            (mean, mean_ms),
            (rate, 1e3 * commands / mean_ms),
            (over, law.beyond(params.deadline_ms)),
            (sweep, swept_ms(params, store.name)),
        ]));
        exact.laws.push((store.name.into(), Traced::new(law)));
    }
    for at in 0..MEANS.len() {
        let points = |share: Option<f64>| -> Vec<(f64, f64)> {
            let value = |pipeline: u32| {
                let store = params.stores(pipeline)[at];
                let ms = match share {
                    None => spent(&store).total_ms(),
                    Some(share) => law(&store, 1.0 / 64.0).quantile(share)?,
                };
                Some((f64::from(pipeline), ms))
            };
            pipelines(params).into_iter().filter_map(value).collect()
        };
        exact.curves.push((MEANS[at].into(), points(None)));
        exact.curves.push((LATE[at].into(), points(Some(LATE_SHARE))));
    }
    exact
}

/// The mean over the pipelines of the benchmark, as it was published.
fn swept_ms(params: &KvsLoadParams, name: &str) -> f64 {
    let stores = (1..=SWEEP).flat_map(|it| params.stores(it)).filter(|it| it.name == name);
    stores.map(|it| spent(&it).total_ms()).sum::<f64>() / f64::from(SWEEP)
}

/// Those of the benchmark, and up to the study's own a few more.
pub(super) fn pipelines(params: &KvsLoadParams) -> Vec<u32> {
    let further = (1..=5).map(|it| SWEEP + (params.pipeline.max(SWEEP) - SWEEP) * it / 5);
    let mut all: Vec<u32> = (1..=SWEEP).chain(further).collect();
    all.dedup();
    all
}

fn names(store: &str) -> [&'static str; 4] {
    if store == "remote" {
        ["remote.mean", "remote.rate", "remote.over", "remote.sweep"]
    } else {
        ["local.mean", "local.rate", "local.over", "local.sweep"]
    }
}
