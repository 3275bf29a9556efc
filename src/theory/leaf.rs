//! The answer of one leaf: ordinary most of the time, delayed now and then, hedged if asked.

use std::sync::Arc;

use super::{Law, LogNormal};
use crate::{
    measured::Measured,
    special::{GAUSS_8, sort_numbers},
};

/// A leaf that answers in an ordinary time, to which with probability `rate` a delay is added.
#[derive(Clone, Debug, PartialEq)]
pub struct Leaf {
    pub ordinary: Ordinary,
    pub rate: f64,
    pub delay: Delay,
}

/// The law of ordinary answers: a time that rises with a normal variate.
#[derive(Clone, Debug, PartialEq)]
pub enum Ordinary {
    LogNormal(LogNormal),
    /// Where the data do not reach an answer takes for ever.
    Measured(Arc<Measured>),
}

/// The delay of a slow answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Delay {
    Constant {
        value: f64,
    },
    Exponential {
        mean: f64,
    },
    LogNormal(LogNormal),
    /// P(X > x) = (1 + x / scale)^-shape.
    Lomax {
        scale: f64,
        shape: f64,
    },
}

/// A leaf call whose copies go to replicas, `copies` of them, each after another `after`.
///
/// With probability `shared` the replicas are slow for the same reason and do not help, so
/// P(T > t) = S(t) (shared + (1 - shared) S(t - d) S(t - 2d) ..), each factor from its own copy's sending on.
#[derive(Clone, Debug, PartialEq)]
pub struct Hedged<L = Leaf> {
    pub leaf: L,
    pub after: f64,
    pub copies: u32,
    pub shared: f64,
}

impl Law for Delay {
    fn beyond(&self, ms: f64) -> f64 {
        if ms < 0.0 {
            return 1.0;
        }
        match *self {
            Delay::Constant { value } => f64::from(u8::from(ms < value)),
            Delay::Exponential { mean } => libm::exp(-ms / mean),
            Delay::LogNormal(law) => law.beyond(ms),
            Delay::Lomax { scale, shape } => libm::exp(-shape * libm::log1p(ms / scale)),
        }
    }
}

impl Delay {
    /// Infinite for a Lomax delay of shape 1 or less.
    pub fn mean(&self) -> f64 {
        match *self {
            Delay::Constant { value } => value,
            Delay::Exponential { mean } => mean,
            Delay::LogNormal(law) => law.median * libm::exp(law.sigma * law.sigma / 2.0),
            Delay::Lomax { shape, .. } if shape <= 1.0 => f64::INFINITY,
            Delay::Lomax { scale, shape } => scale / (shape - 1.0),
        }
    }

    /// About where the delay changes, to place quadrature nodes.
    fn scale(&self) -> f64 {
        match *self {
            Delay::Constant { value } => value,
            Delay::Exponential { mean } => mean,
            Delay::LogNormal(law) => law.median,
            Delay::Lomax { scale, .. } => scale,
        }
    }
}

impl Law for Ordinary {
    fn beyond(&self, ms: f64) -> f64 {
        match self {
            Ordinary::LogNormal(law) => law.beyond(ms),
            Ordinary::Measured(law) => law.beyond(ms),
        }
    }
}

impl Ordinary {
    /// The time at a normal variate.
    #[inline]
    pub fn at(&self, variate: f64) -> f64 {
        match self {
            Ordinary::LogNormal(law) => law.median * libm::exp(law.sigma * variate),
            Ordinary::Measured(law) => law.at(variate),
        }
    }

    /// The normal variate of a time, the highest if there are several.
    fn variate(&self, ms: f64) -> f64 {
        match self {
            Ordinary::LogNormal(law) => libm::log(ms / law.median) / law.sigma,
            Ordinary::Measured(law) => law.variate(ms).unwrap_or(f64::NEG_INFINITY),
        }
    }

    /// Infinite where data do not reach.
    pub fn mean(&self) -> f64 {
        match self {
            Ordinary::LogNormal(law) => law.median * libm::exp(law.sigma * law.sigma / 2.0),
            Ordinary::Measured(_) => f64::INFINITY,
        }
    }

    /// Its one value, if it has but one.
    fn constant(&self) -> Option<f64> {
        match self {
            Ordinary::LogNormal(law) => (law.sigma == 0.0).then_some(law.median),
            Ordinary::Measured(_) => None,
        }
    }
}

impl Law for Leaf {
    fn beyond(&self, ms: f64) -> f64 {
        let ordinary = self.ordinary.beyond(ms);
        if self.rate == 0.0 || ms <= 0.0 {
            return ordinary;
        }
        (1.0 - self.rate) * ordinary + self.rate * self.beyond_slow(ms, ordinary)
    }
}

impl Leaf {
    pub fn mean(&self) -> f64 {
        self.ordinary.mean() + if self.rate == 0.0 { 0.0 } else { self.rate * self.delay.mean() }
    }

    /// P(ordinary + delay > ms).
    fn beyond_slow(&self, ms: f64, ordinary_beyond: f64) -> f64 {
        if let Delay::Constant { value } = self.delay {
            return self.ordinary.beyond(ms - value);
        }
        if let Some(ordinary) = self.ordinary.constant() {
            return self.delay.beyond(ms - ordinary);
        }
        // Over the ordinary part's normal variate z, from far below to where it alone fills the time.
        let filled = self.ordinary.variate(ms);
        let end = filled.min(Z_END);
        let mut edges = [f64::NAN; EDGES_MAX];
        let count = self.panel_edges(ms, end, &mut edges);
        let mut sum = 0.0;
        for pair in edges[..count].windows(2) {
            let width = pair[1] - pair[0];
            let panel: f64 = GAUSS_8
                .iter()
                .map(|(node, weight)| weight * self.density(ms, pair[0] + width * node))
                .sum();
            sum += width * panel;
        }
        (ordinary_beyond + sum).min(1.0)
    }

    /// The chance that the ordinary part is at z, times that of the delay filling the rest.
    fn density(&self, ms: f64, z: f64) -> f64 {
        const ROOT_TWO_PI_INVERSE: f64 = 0.398_942_280_401_432_7;
        let rest = ms - self.ordinary.at(z);
        ROOT_TWO_PI_INVERSE * libm::exp(-0.5 * z * z) * self.delay.beyond(rest)
    }

    /// Panels three deviations wide, and finer ones where what is left for the delay is of the delay's own size.
    fn panel_edges(&self, ms: f64, end: f64, edges: &mut [f64; EDGES_MAX]) -> usize {
        let mut count = 0;
        let mut add = |z: f64| {
            if -Z_END < z && z < end && count < EDGES_MAX - 2 {
                edges[count] = z;
                count += 1;
            }
        };
        for step in -2_i32..=2 {
            add(3.0 * f64::from(step));
        }
        for times in [0.1, 1.0, 5.0, 25.0] {
            let ordinary = ms - times * self.delay.scale();
            if 0.0 < ordinary {
                add(self.ordinary.variate(ordinary));
            }
        }
        if let Ordinary::Measured(law) = &self.ordinary {
            law.bends().for_each(add);
        }
        edges[count] = -Z_END;
        edges[count + 1] = end.max(-Z_END);
        sort_numbers(&mut edges[..count + 2]);
        count + 2
    }
}

/// Beyond this many deviations a normal variate has no weight (3e-14).
const Z_END: f64 = 7.5;
const EDGES_MAX: usize = 12 + Measured::KNOTS_MAX;

impl<L: Law> Law for Hedged<L> {
    fn beyond(&self, ms: f64) -> f64 {
        self.leaf.beyond(ms) * self.copies_beyond(ms, self.copies)
    }
}

impl<L: Law> Hedged<L> {
    /// The same policy towards another leaf, or the same leaf known another way.
    pub fn with_leaf<M>(&self, leaf: M) -> Hedged<M> {
        Hedged { leaf, after: self.after, copies: self.copies, shared: self.shared }
    }

    /// A call that is never copied.
    pub fn off(leaf: L) -> Hedged<L> {
        Hedged { leaf, after: 0.0, copies: 0, shared: 0.0 }
    }

    /// Copies sent for each call: how often the call is still out when one is due.
    pub fn extra(&self) -> f64 {
        let sent = |copy: u32| {
            let due = f64::from(copy) * self.after;
            self.leaf.beyond(due) * self.copies_beyond(due, copy - 1)
        };
        (1..=self.copies).map(sent).fold(0.0, |sum, it| sum + it)
    }

    /// The chance that none of the first `copies` copies has answered by then.
    fn copies_beyond(&self, ms: f64, copies: u32) -> f64 {
        if copies == 0 || ms < self.after {
            return 1.0;
        }
        let out = |copy: u32| self.leaf.beyond(ms - f64::from(copy) * self.after);
        let all: f64 = (1..=copies).map(out).product();
        self.shared + (1.0 - self.shared) * all
    }
}
