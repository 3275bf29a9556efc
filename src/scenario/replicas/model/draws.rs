//! What a run draws: services, messages, and the copies that a budget allows.

use super::super::{ReplicasParams, Service};
use std::sync::Arc;

use crate::{
    scenario::RunSeed,
    sim::{Agenda, Dist, Duration, Rng},
};

/// The most that is drawn at a time.
pub(super) const BATCH: usize = 64;

/// Every purpose has a stream of its own: studies that differ by policy meet the same requests, routes, services
/// and other work.
#[derive(Clone)]
pub(super) struct Streams {
    /// Means of the times between two; infinite where none come.
    pub(super) request_gap_ms: f64,
    pub(super) other_gap_ms: f64,
    arrivals: Rng,
    pub(super) services: Rng,
    pub(super) hops: Rng,
    pub(super) cancellations: Rng,
    pub(super) others: Rng,
    /// Second copies draw from a stream for each call, since policies send them in different order.
    pub(super) copies_key: u64,
}

pub(super) struct ServiceLaw {
    law: Dist,
    /// What takes longer than any data tell is given this long.
    longest_ms: f64,
    /// Such services, ordinary and slow.
    unknown: Option<[Duration; 2]>,
    outlier_rate: f64,
    outlier_factor: f64,
}

pub(super) struct Hop {
    fixed_ms: f64,
    varying_ms: f64,
}

/// A token bucket: calls fill it, copies empty it.
pub(super) struct Budget {
    share: f64,
    tokens: f64,
}

impl Streams {
    pub(super) fn new(params: &ReplicasParams, run: &RunSeed) -> Streams {
        let stream = |purpose| Rng::stream(run.seed, run.replication, purpose);
        Streams {
            request_gap_ms: 1.0 / params.requests_per_ms(),
            other_gap_ms: 1.0 / params.background_per_ms(),
            arrivals: stream(0),
            services: stream(1),
            hops: stream(2),
            cancellations: stream(3),
            others: stream(4),
            copies_key: stream(5).bits(),
        }
    }

    /// Plans the first request and the first of other people's jobs. Whether anybody asks at all.
    pub(super) fn begin<E: Copy>(&mut self, agenda: &mut Agenda<E>, request: E, other: E) -> bool {
        let asked = self.request_gap_ms.is_finite();
        if asked {
            self.plan_request(agenda, request);
        }
        if self.other_gap_ms.is_finite() {
            self.plan_other(agenda, other);
        }
        asked
    }

    /// From one request to the next.
    #[inline]
    pub(super) fn request_gap(&mut self) -> Duration {
        Duration::from_ms(self.request_gap_ms * self.arrivals.exponential())
    }

    /// The same for as many requests as there is room for, at most `BATCH`.
    pub(super) fn request_gaps(&mut self, gaps: &mut [Duration]) {
        exponential(&mut self.arrivals, self.request_gap_ms, gaps);
    }

    #[inline]
    pub(super) fn plan_request<E: Copy>(&mut self, agenda: &mut Agenda<E>, request: E) {
        agenda.plan(self.request_gap(), request);
    }

    #[inline]
    pub(super) fn plan_other<E: Copy>(&mut self, agenda: &mut Agenda<E>, other: E) {
        agenda.plan(Duration::from_ms(self.other_gap_ms * self.others.exponential()), other);
    }

    /// For the servers that a call goes to.
    pub(super) fn routes(run: &RunSeed) -> [Rng; 4] {
        [6, 7, 8, 9].map(|purpose| Rng::stream(run.seed, run.replication, purpose))
    }
}

/// As many exponential times as there is room for.
fn exponential(rng: &mut Rng, mean_ms: f64, times: &mut [Duration]) {
    let mut draws = [0.0; BATCH];
    let draws = &mut draws[..times.len()];
    rng.logarithms(draws);
    for (time, logarithm) in std::iter::zip(times, draws) {
        *time = Duration::from_ms(-mean_ms * *logarithm);
    }
}

impl ServiceLaw {
    pub(super) fn new(params: &ReplicasParams) -> ServiceLaw {
        let (rate, factor) = (params.outlier_rate, params.outlier_factor);
        let mean = params.service_ms / params.longer();
        let measured = params.measured();
        let cv = params.service_cv;
        let law = match (&measured, params.service) {
            (Some(data), _) => Dist::Measured(Arc::clone(data)),
            (None, service) => match service {
                Service::Constant => Dist::Constant { value: mean },
                Service::Exponential => Dist::Exponential { mean },
                // Without data the default law holds.
                Service::Gamma | Service::Measured => Dist::gamma_of_mean(mean, cv),
                Service::LogNormal => Dist::log_normal_of_mean(mean, cv),
            },
        };
        let longest_ms = measured.map_or(f64::INFINITY, |it| it.longest_ms());
        let longest = [1.0, factor].map(|it| Duration::from_ms(longest_ms * it));
        let unknown = longest_ms.is_finite().then_some(longest);
        ServiceLaw { law, longest_ms, unknown, outlier_rate: rate, outlier_factor: factor }
    }

    #[inline]
    pub(super) fn draw(&self, rng: &mut Rng) -> Duration {
        let ordinary = self.law.sample(rng).min(self.longest_ms);
        let slow = 0.0 < self.outlier_rate && rng.chance(self.outlier_rate);
        Duration::from_ms(if slow { ordinary * self.outlier_factor } else { ordinary })
    }

    /// The same for as many services as there is room for, at most `BATCH`.
    pub(super) fn draw_all(&self, rng: &mut Rng, works: &mut [Duration]) {
        if let (Dist::Exponential { mean }, true) = (&self.law, self.outlier_rate == 0.0) {
            // Spelled out, since it is the law that queues are taught with.
            exponential(rng, *mean, works);
        } else {
            for work in works {
                *work = self.draw(rng);
            }
        }
    }
}

impl ServiceLaw {
    /// Whether there are services of which it is not known how long they would have been.
    pub(super) fn ends(&self) -> bool {
        self.unknown.is_some()
    }

    /// Whether it is not known how long this service would have been.
    #[inline]
    pub(super) fn is_unknown(&self, work: Duration) -> bool {
        self.unknown.is_some_and(|it| it.contains(&work))
    }
}

impl Hop {
    pub(super) fn new(params: &ReplicasParams) -> Hop {
        Hop {
            fixed_ms: params.hop_ms * (1.0 - params.hop_jitter),
            varying_ms: params.hop_ms * params.hop_jitter,
        }
    }

    /// Whether messages take no time at all.
    pub(super) fn is_none(&self) -> bool {
        self.fixed_ms == 0.0 && self.varying_ms == 0.0
    }

    #[inline]
    pub(super) fn draw(&self, rng: &mut Rng) -> Duration {
        let varying =
            if self.varying_ms == 0.0 { 0.0 } else { self.varying_ms * rng.exponential() };
        Duration::from_ms(self.fixed_ms + varying)
    }
}

impl Budget {
    pub(super) fn new(params: &ReplicasParams) -> Budget {
        Budget { share: params.extra_budget, tokens: Budget::HOLDS }
    }

    /// So many copies may come at once.
    const HOLDS: f64 = 10.0;

    pub(super) fn earn(&mut self) {
        self.tokens = (self.tokens + self.share).min(Budget::HOLDS);
    }

    pub(super) fn spend(&mut self) -> bool {
        let enough = 1.0 <= self.tokens;
        if enough {
            self.tokens -= 1.0;
        }
        enough
    }
}
