//! The situations one can play with.

pub mod bursts;
pub mod classes;
pub mod fan_out;
mod film;
mod growth;
mod heat;
pub mod kvs_load;
pub mod kvs_sessions;
mod latency_figures;
mod one_request;
pub mod pages;
pub mod partitions;
pub mod probation;
pub mod replicas;
mod steps;
pub mod storage;

use std::{borrow::Cow, fmt, rc::Rc, sync::Arc};

use serde::{Deserialize, Serialize};

use crate::{
    format,
    measured::Measured,
    report::{Figure, Film, Measure, Quantity, Replay, Sentence, Traffic},
    schema::{Field, Params},
    sim::{Evidence, Meter, Plan, Running},
    theory::{Law, Traced},
};

/// Every scenario, in the order of the menu.
///
/// A `static`, since studies tell scenarios apart by their address.
pub static SCENARIOS: &[Entry] = &[
    Entry::of::<fan_out::FanOut>(),
    Entry::of::<replicas::Replicas>(),
    Entry::of::<bursts::Bursts>(),
    Entry::of::<classes::Classes>(),
    Entry::of::<probation::Probation>(),
    Entry::of::<partitions::Partitions>(),
    Entry::of::<storage::Storage>(),
    Entry::of::<kvs_load::KvsLoad>(),
    Entry::of::<kvs_sessions::KvsSessions>(),
    Entry::of::<pages::Pages>(),
];

/// A situation: its parameters, its model, what theory says of it, and how it is told.
pub trait Scenario {
    type Params: Params;

    /// As in links; never changes.
    const KEY: &'static str;
    const TITLE: &'static str;
    /// The system that it belongs to, under which the menu lists it.
    const SYSTEM: &'static str;
    /// One sentence: what is modelled.
    const SUMMARY: &'static str;
    /// What it reports, in the order of the readout. `Gauge::latencies` and `counts` of it index the meter.
    const GAUGES: &'static [Gauge];
    /// The counts its meter keeps.
    const COUNTS: usize;
    const EVIDENCE: Evidence;
    /// How many runs a study is cut into: by the study, never by the machine, so that its digits do not depend
    /// on how many workers there are. Few and long ones where each has to warm up, many where draws are
    /// independent.
    const REPLICATIONS: u32;
    /// Sections of each run.
    const SECTIONS: u32;
    const PRESETS: &'static [Preset];
    /// The count of the answers that were measured, where the first latency does not have them all.
    const ANSWERS: Option<usize> = None;
    /// Groups of parameters that are seldom needed: their controls start folded.
    const FOLDED: &'static [&'static str] = &[];
    /// How its calls are hedged, if it can be said when that pays.
    const HEDGING: Option<Hedging> = None;
    /// Where the meter shows whether queues grow; nothing where there are no queues.
    const GROWTH: Option<Growth> = None;
    /// The field whose value `measured` puts measured data in the place of a law; nothing where none has a use for
    /// any.
    const MEASURED: Option<&'static str> = None;
    /// Which of `film` and `traffic` there is, so that a page knows before either is made.
    const WATCHED: Watched = Watched::Nothing;

    /// How many requests a study measures in all.
    fn requests(params: &Self::Params) -> u64;
    fn start(params: Self::Params, run: &RunSeed) -> Box<dyn Running>;
    fn exact(params: &Self::Params) -> Exact;
    /// Why these settings have no percentiles, in a sentence: their queues grow for ever, or nobody asks.
    fn unstable(_params: &Self::Params) -> Option<String> {
        None
    }
    fn sentence(params: &Self::Params, seen: &Seen) -> Sentence;
    fn figures(params: &Self::Params, seen: &Seen) -> Vec<Figure>;
    /// Sentences on how this study is simulated and which formula it is held against.
    fn notes(params: &Self::Params) -> Vec<String>;
    /// A simulated request whose latency is at the percentile.
    fn replay(params: Self::Params, seed: u64, share: f64) -> Option<Replay>;
    /// What a stretch of a run looked like at its servers, where there are queues to see.
    fn film(_params: &Self::Params, _run: &RunSeed) -> Option<Film> {
        None
    }
    /// What was on its way between its machines for a while, where that is what there is to see.
    fn traffic(_params: &Self::Params, _run: &RunSeed) -> Option<Traffic> {
        None
    }
    /// The value in milliseconds that counts as too late.
    fn deadline_ms(params: &Self::Params) -> Option<f64>;
    /// How long answers may take that the data know of, in milliseconds; for ever where there are none.
    fn known_up_to(_params: &Self::Params) -> f64 {
        f64::INFINITY
    }
}

/// The values of a study, in the order of the fields, and its data.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a> {
    pub values: &'a [f64],
    pub data: Option<&'a Arc<Measured>>,
}

/// What makes one run of a study different from the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunSeed {
    pub seed: u64,
    pub replication: u32,
    pub plan: Plan,
}

/// Something that a scenario measures.
#[derive(Clone, Copy, Debug)]
pub enum Gauge {
    /// A latency, reported as percentiles and mean: `request.p50` and so on.
    Latency { name: &'static str, label: &'static str, latency: usize },
    /// The share of a latency's answers past the deadline.
    Over { name: &'static str, label: &'static str, latency: usize },
    /// How many of one count are also of another.
    Share { name: &'static str, label: &'static str, over: usize, under: usize },
    /// One count over another.
    Ratio {
        name: &'static str,
        label: &'static str,
        quantity: Quantity,
        over: usize,
        under: usize,
        scale: f64,
    },
    /// The mean length of queues, as one time over another; there is none while they grow.
    Length { name: &'static str, label: &'static str, over: usize, under: usize },
}

/// The counts that tell whether queues grow.
#[derive(Clone, Copy, Debug)]
pub struct Growth {
    /// Time that jobs waited, over all queues, and the time that there was for it.
    pub waiting: usize,
    pub capacity: usize,
    /// Runs that were stopped before their end.
    pub stopped: usize,
}

impl Growth {
    /// Whether queues were seen to grow, or to be so long that a run was stopped.
    pub fn is_seen(&self, meter: &Meter) -> bool {
        self.has_stopped(meter) || meter.grows(self.waiting, self.capacity)
    }

    pub fn has_stopped(&self, meter: &Meter) -> bool {
        0 < meter.counted(self.stopped)
    }
}

/// What has to be set for hedged requests, and what tells whether they pay.
#[derive(Clone, Copy, Debug)]
pub struct Hedging {
    /// Changes as in a link: sent once, and hedged after a delay.
    pub off: &'static str,
    pub on: &'static str,
    /// The parameter that is the delay.
    pub delay: &'static str,
    /// The latency gauge of a single call.
    pub call: &'static str,
    /// The latency gauge of a request, which is to come down.
    pub latency: &'static str,
    pub cost: Cost,
}

/// The extra load of hedges, as a share.
#[derive(Clone, Copy, Debug)]
pub enum Cost {
    /// A measure that says it.
    Measure(&'static str),
    /// How much greater a measure is than without hedges, relative to that.
    Growth(&'static str),
}

/// What is known exactly of a study. It can travel: its laws go as their tables, with the percentiles that were asked
/// for.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Exact {
    /// By the name of the latency gauge.
    pub laws: Vec<(Name, Traced<Rc<dyn Law>>)>,
    /// By the name of the measure: `over`, `request.mean`. Infinite where there is no mean.
    pub values: Vec<(Name, f64)>,
    /// Curves that figures draw, by a name that the scenario chooses: computed once, not with every figure.
    pub curves: Vec<(Name, Vec<(f64, f64)>)>,
}

/// What something that is known is called: by a scenario, or by a message from a worker.
pub type Name = Cow<'static, str>;

/// With names that a scenario gives.
fn named<T>(items: impl IntoIterator<Item = (&'static str, T)>) -> Vec<(Name, T)> {
    items.into_iter().map(|(name, it)| (Cow::Borrowed(name), it)).collect()
}

/// What there is to watch of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watched {
    Nothing,
    Servers,
    Messages,
}

/// A study so far: what was measured, and what is known.
pub struct Seen<'a> {
    /// `None` until the first part of a run is in.
    pub meter: Option<&'a Meter>,
    pub measures: &'a [Measure],
    pub exact: &'a Exact,
}

/// Settings with a name.
#[derive(Debug)]
pub struct Preset {
    pub name: &'static str,
    /// What it shows, in one sentence.
    pub sentence: &'static str,
    /// What differs from the defaults, as in a link: `fan_out=2000&outlier_rate=0.00023`.
    pub changes: &'static str,
    /// Figures to hold against each other. Empty for a preset that only demonstrates.
    pub rows: &'static [Row],
    /// Where the published figures come from, and what had to be fitted or assumed.
    pub source: &'static str,
}

/// One number, published or demonstrated, of a preset or of a variation on it.
#[derive(Debug)]
pub struct Row {
    pub label: &'static str,
    /// What differs from the preset, as in a link.
    pub changes: &'static str,
    /// The name of the measure.
    pub measure: &'static str,
    pub published: Option<f64>,
}

/// A scenario whose types have been forgotten.
pub struct Entry {
    pub key: &'static str,
    pub title: &'static str,
    pub system: &'static str,
    pub summary: &'static str,
    pub fields: &'static [Field],
    pub gauges: &'static [Gauge],
    pub counts: usize,
    pub evidence: Evidence,
    pub replications: u32,
    pub sections: u32,
    pub presets: &'static [Preset],
    pub answers: Option<usize>,
    pub folded: &'static [&'static str],
    pub hedging: Option<Hedging>,
    pub growth: Option<Growth>,
    pub measured: Option<&'static str>,
    pub watched: Watched,
    pub defaults: fn() -> Vec<f64>,
    pub requests: fn(Given) -> u64,
    pub start: fn(Given, &RunSeed) -> Box<dyn Running>,
    pub exact: fn(Given) -> Exact,
    pub unstable: fn(Given) -> Option<String>,
    pub sentence: fn(Given, &Seen) -> Sentence,
    pub figures: fn(Given, &Seen) -> Vec<Figure>,
    pub notes: fn(Given) -> Vec<String>,
    pub replay: fn(Given, u64, f64) -> Option<Replay>,
    pub film: fn(Given, &RunSeed) -> Option<Film>,
    pub traffic: fn(Given, &RunSeed) -> Option<Traffic>,
    pub deadline_ms: fn(Given) -> Option<f64>,
    pub known_up_to: fn(Given) -> f64,
}

impl Given<'_> {
    fn params<P: Params>(self) -> P {
        P::from_values(self.values).with_data(self.data)
    }
}

impl Entry {
    const fn of<S: Scenario>() -> Entry {
        Entry {
            key: S::KEY,
            title: S::TITLE,
            system: S::SYSTEM,
            summary: S::SUMMARY,
            fields: S::Params::FIELDS,
            gauges: S::GAUGES,
            counts: S::COUNTS,
            evidence: S::EVIDENCE,
            replications: S::REPLICATIONS,
            sections: S::SECTIONS,
            presets: S::PRESETS,
            answers: S::ANSWERS,
            folded: S::FOLDED,
            hedging: S::HEDGING,
            growth: S::GROWTH,
            measured: S::MEASURED,
            watched: S::WATCHED,
            defaults: || S::Params::default().to_values(),
            requests: |given| S::requests(&given.params()),
            start: |given, run| S::start(given.params(), run),
            exact: |given| S::exact(&given.params()),
            unstable: |given| S::unstable(&given.params()),
            sentence: |given, seen| S::sentence(&given.params(), seen),
            figures: |given, seen| S::figures(&given.params(), seen),
            notes: |given| S::notes(&given.params()),
            replay: |given, seed, share| S::replay(given.params(), seed, share),
            film: |given, run| S::film(&given.params(), run),
            traffic: |given, run| S::traffic(&given.params(), run),
            deadline_ms: |given| S::deadline_ms(&given.params()),
            known_up_to: |given| S::known_up_to(&given.params()),
        }
    }

    /// An empty meter of what this scenario measures.
    pub fn meter(&self, replication: u32) -> Meter {
        Meter::new(latencies(self.gauges), self.counts, replication)
    }
}

/// How many latencies the gauges read.
pub const fn latencies(gauges: &[Gauge]) -> usize {
    let (mut at, mut count) = (0, 0);
    while at < gauges.len() {
        if matches!(gauges[at], Gauge::Latency { .. }) {
            count += 1;
        }
        at += 1;
    }
    count
}

impl Gauge {
    /// Name and label of a measure that is no latency.
    pub fn of_no_latency(&self) -> Option<(&'static str, &'static str)> {
        match *self {
            Gauge::Latency { .. } => None,
            Gauge::Over { name, label, .. }
            | Gauge::Share { name, label, .. }
            | Gauge::Ratio { name, label, .. }
            | Gauge::Length { name, label, .. } => Some((name, label)),
        }
    }
}

impl fmt::Debug for Exact {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.debug_struct("Exact").field("values", &self.values).finish_non_exhaustive()
    }
}

impl Exact {
    pub fn law(&self, name: &str) -> Option<&Traced<Rc<dyn Law>>> {
        self.laws.iter().find(|it| it.0 == name).map(|it| &it.1)
    }

    pub fn quantile_ms(&self, name: &str, share: f64) -> Option<f64> {
        self.law(name)?.quantile(share)
    }

    pub fn curve(&self, name: &str) -> &[(f64, f64)] {
        self.curves.iter().find(|it| it.0 == name).map_or(&[], |it| &it.1)
    }

    pub fn value(&self, name: &str) -> Option<f64> {
        self.values.iter().find(|it| it.0 == name).map(|it| it.1)
    }
}

impl Seen<'_> {
    /// The best that is known of a measure: what is exact, which stands still while the simulation becomes surer, else
    /// what was simulated. The error bars stand beside the simulated value.
    pub fn best(&self, name: &str) -> Option<f64> {
        let measure = self.measure(name)?;
        measure.exact.or(measure.simulated)
    }

    /// What stands below an exact value: `exact, simulated 63.4 % ± 0.09`.
    pub fn beside_exact(&self, name: &str) -> String {
        match self.measure(name).filter(|it| it.simulated.is_some()) {
            Some(it) => {
                let simulated = format::reading(it.quantity, it.simulated, it.low, it.high);
                format!("exact, simulated {simulated}")
            }
            None => "exact, simulating".to_owned(),
        }
    }

    pub fn measure(&self, name: &str) -> Option<&Measure> {
        self.measures.iter().find(|it| it.name == name)
    }
}
