//! The response time of a server with a queue and Poisson arrivals, M/G/1, by numeric inversion of its transform.
//!
//! Pollaczek and Khinchine: the wait's transform is (1 - load) / (1 - what is left of the work found). Its product
//! with those of service and messages is inverted by a fast Fourier transform, on lattices of times: a fine one for
//! the short times, coarser ones for the tail.

use super::{
    Law, Service, Table,
    fourier::{Complex, Fourier},
};
use crate::special::gamma_tail;

/// A server's arrivals: jobs one by one, and those of requests that make several calls at once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arrivals {
    pub singles_per_ms: f64,
    pub requests_per_ms: f64,
    pub calls: u32,
    /// The chance that a call of a request comes to this server.
    pub share: f64,
}

/// What a call spends beside waiting and service: twice a fixed time and twice an exponential one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Hops {
    pub fixed_ms: f64,
    pub varying_ms: f64,
}

/// A first-come first-served server with its law of service, ready for any arrivals.
pub struct Waiting {
    service: Service,
    hops: Hops,
    fourier: Fourier,
    lattices: Vec<Lattice>,
}

/// The law of a call's time from its sending to its answer.
#[derive(Clone, Debug)]
pub struct Response {
    /// Of calls that have to wait; where services are not constant, of all.
    smooth: Table,
    /// The share of calls that meet nobody, if their time is told apart.
    alone: f64,
    service: Service,
    hops: Hops,
}

/// Times at one distance, with everything transformed that does not depend on arrivals.
struct Lattice {
    step_ms: f64,
    /// At half of the frequencies; at the other half stand the conjugates.
    nodes: Vec<Node>,
}

struct Node {
    /// The transform's argument, per millisecond.
    s: Complex,
    service: Complex,
    /// Of both messages, without their fixed part.
    hops: Complex,
    /// How much of the frequency is kept.
    kept: f64,
}

/// Sequences are damped by e^-12 along a lattice, so that what is beyond its end folds back by no more.
const DAMPING: f64 = 12.0;
/// The finest step as a part of the mean ordinary service, with the points that it is for.
const FINEST: f64 = 1.0 / 256.0;
const POINTS: f64 = 4_096.0;
/// How much coarser each lattice is than the one before.
const COARSER: f64 = 16.0;
/// The last reaches to 30,000 services, for loads near 1 and rare long services.
const LATTICES: i32 = 4;
/// Where a law is read no further.
const TAIL_MIN: f64 = 1e-9;

impl Arrivals {
    /// One by one.
    pub fn single(per_ms: f64) -> Arrivals {
        Arrivals { singles_per_ms: per_ms, requests_per_ms: 0.0, calls: 1, share: 1.0 }
    }

    /// How many calls of a request come to this server, on average.
    fn calls_here(&self) -> f64 {
        f64::from(self.calls) * self.share
    }

    /// How many calls of a request come besides one that does.
    fn calls_beside(&self) -> f64 {
        f64::from(self.calls - 1) * self.share
    }

    /// The chance that a call is served before those that come along.
    fn first(&self) -> f64 {
        let calls = f64::from(self.calls);
        -libm::expm1(calls * libm::log1p(-self.share.min(1.0))) / self.calls_here()
    }

    pub fn load(&self, service: &Service) -> f64 {
        (self.singles_per_ms + self.requests_per_ms * self.calls_here()) * service.mean()
    }

    /// What a single job waits, on average: Pollaczek and Khinchine, W = (mean square of what arrives at once, per
    /// time) / (2 (1 - load)).
    pub fn mean_wait(&self, service: &Service) -> f64 {
        let (mean, square) = (service.mean(), service.mean_square());
        let calls = self.calls_here();
        let together = calls * square + calls * self.calls_beside() * mean * mean;
        let squares = self.singles_per_ms * square + self.requests_per_ms * together;
        squares / (2.0 * (1.0 - self.load(service)))
    }

    /// What a call waits: for what was there, and for half of the calls that came along.
    pub fn mean_wait_of_call(&self, service: &Service) -> f64 {
        self.mean_wait(service) + 0.5 * self.calls_beside() * service.mean()
    }

    /// How many jobs wait on average, by Little's law.
    pub fn mean_waiting(&self, service: &Service) -> f64 {
        self.singles_per_ms * self.mean_wait(service)
            + self.requests_per_ms * self.calls_here() * self.mean_wait_of_call(service)
    }
}

impl Hops {
    pub fn mean(&self) -> f64 {
        2.0 * (self.fixed_ms + self.varying_ms)
    }
}

impl Waiting {
    /// With a power of two of points: 4,096 give four digits, 1,024 three.
    pub fn new(service: Service, hops: Hops, points: usize) -> Waiting {
        let fourier = Fourier::new(points);
        let finest = FINEST * (POINTS / points as f64) * service.ordinary.mean();
        let steps = (0..LATTICES).map(|it| finest * libm::pow(COARSER, f64::from(it)));
        let lattices = steps.map(|it| Lattice::new(it, points, &service, hops, &fourier)).collect();
        Waiting { service, hops, fourier, lattices }
    }

    pub fn response(&self, arrivals: &Arrivals) -> Response {
        // A call that meets nobody takes its bare service, which may be a constant: no sum of waves has such a step,
        // so that part is known by itself.
        let constant = self.service.is_constant();
        let meets_nobody = (1.0 - arrivals.load(&self.service)) * arrivals.first();
        let alone = if constant { meets_nobody } else { 0.0 };
        let (service, hops) = (self.service.clone(), self.hops);
        Response { smooth: self.smooth(arrivals, alone), alone, service, hops }
    }

    fn smooth(&self, arrivals: &Arrivals, alone: f64) -> Table {
        let first = (2.0 * self.hops.fixed_ms, 1.0);
        if 1.0 <= alone {
            return Table::of_rows(vec![first]);
        }
        self.table(first, |it| self.tails(it, arrivals, alone))
    }

    /// The law of what a single job waits before it is served. Some do not wait at all.
    pub fn wait(&self, arrivals: &Arrivals) -> Table {
        self.table((0.0, arrivals.load(&self.service)), |it| self.wait_tails(it, arrivals))
    }

    /// From the first row on, on ever coarser lattices.
    fn table(&self, first: (f64, f64), tails: impl Fn(&Lattice) -> Vec<f64>) -> Table {
        let shift = first.0;
        let mut rows = vec![first];
        for lattice in &self.lattices {
            let tails = tails(lattice);
            // Past the half, what folds back from beyond the end would show.
            let usable = tails.len() / 2;
            let from = ((rows[rows.len() - 1].0 - shift) / lattice.step_ms) as usize + 1;
            for at in from..usable {
                let last = rows[rows.len() - 1].1;
                let (tail, next) = (tails[at].min(last), tails[at + 1]);
                // As many rows as straight lines on a logarithmic scale need.
                if last - next > 5e-4 || next < 0.99 * last || at + 1 == usable {
                    rows.push((shift + at as f64 * lattice.step_ms, tail.max(0.0)));
                }
                if tail < TAIL_MIN {
                    return Table::of_rows(rows);
                }
            }
        }
        Table::of_rows(rows)
    }

    /// P(response > k steps), without the fixed part of the messages, given that it is not `alone`.
    fn tails(&self, lattice: &Lattice, arrivals: &Arrivals, alone: f64) -> Vec<f64> {
        let load = arrivals.load(&self.service);
        let rest = 1.0 - alone;
        // An exponential law with the same mean and the same start takes the step at 0.
        let mean = arrivals.mean_wait_of_call(&self.service)
            + self.service.mean()
            + 2.0 * self.hops.varying_ms;
        let value = |it: &Node| {
            let response = it.response(arrivals, load) - (it.service * it.hops).times(alone);
            let tail = (Complex::real(rest) - response).times(1.0 / rest) / it.s;
            let start = Complex::real(mean) / (Complex::ONE + it.s.times(mean));
            (tail - start).times(it.kept / lattice.step_ms)
        };
        let tails = self.inverse(lattice, value).into_iter().enumerate();
        let tails = tails.map(|(at, it)| it + libm::exp(-(at as f64) * lattice.step_ms / mean));
        tails.collect()
    }

    /// P(wait > k steps). Those that find nobody do not wait.
    fn wait_tails(&self, lattice: &Lattice, arrivals: &Arrivals) -> Vec<f64> {
        let load = arrivals.load(&self.service);
        let mean = arrivals.mean_wait(&self.service) / load;
        let value = |it: &Node| {
            let waits = it.wait(arrivals, load) - Complex::real(1.0 - load);
            let tail = (Complex::real(load) - waits) / it.s;
            let start = Complex::real(load * mean) / (Complex::ONE + it.s.times(mean));
            (tail - start).times(it.kept / lattice.step_ms)
        };
        let tails = self.inverse(lattice, value).into_iter().enumerate();
        tails.map(|(at, it)| it + load * libm::exp(-(at as f64) * lattice.step_ms / mean)).collect()
    }

    /// The sequence whose damped transform has these values.
    fn inverse(&self, lattice: &Lattice, value: impl Fn(&Node) -> Complex) -> Vec<f64> {
        let points = 2 * (lattice.nodes.len() - 1);
        let mut values: Vec<Complex> = lattice.nodes.iter().map(value).collect();
        for at in lattice.nodes.len()..points {
            values.push(values[points - at].conjugate());
        }
        let inverse = self.fourier.real_of(&mut values).enumerate();
        inverse.map(|(at, it)| it * libm::exp(DAMPING * at as f64 / points as f64)).collect()
    }
}

impl Response {
    /// Past the last row the tail is taken to fall as it fell before.
    fn smooth_beyond(&self, ms: f64) -> f64 {
        let rows = self.smooth.rows();
        let (last, tail) = rows[rows.len() - 1];
        if ms <= last || rows.len() < 2 || tail <= 0.0 {
            return self.smooth.beyond(ms);
        }
        let before = rows[rows.len() - 2];
        let slope = libm::log(before.1 / tail) / (last - before.0);
        tail * libm::exp(-slope * (ms - last))
    }

    /// P(constant service and messages > ms).
    fn bare_beyond(&self, ms: f64) -> f64 {
        let Service { ordinary, outlier_rate: rate, outlier_factor: factor } = &self.service;
        let mean = ordinary.mean();
        let beyond = |served: f64| {
            let left = ms - 2.0 * self.hops.fixed_ms - served;
            if self.hops.varying_ms == 0.0 {
                f64::from(u8::from(left < 0.0))
            } else {
                gamma_tail(2.0, left / self.hops.varying_ms)
            }
        };
        (1.0 - rate) * beyond(mean) + rate * beyond(factor * mean)
    }
}

impl Law for Response {
    fn beyond(&self, ms: f64) -> f64 {
        let smooth = self.smooth_beyond(ms);
        if self.alone == 0.0 {
            return smooth;
        }
        (1.0 - self.alone) * smooth + self.alone * self.bare_beyond(ms)
    }
}

impl Lattice {
    fn new(
        step_ms: f64,
        points: usize,
        service: &Service,
        hops: Hops,
        fourier: &Fourier,
    ) -> Lattice {
        let damping = DAMPING / points as f64;
        let known = service.transform(Complex::ONE).is_some();
        let spectrum = (!known).then(|| masses(step_ms, points, service, fourier));
        let node = |at: usize| {
            let angle = std::f64::consts::TAU * at as f64 / points as f64;
            let s = Complex { re: damping, im: angle }.times(1.0 / step_ms);
            let hop = Complex::ONE / (Complex::ONE + s.times(hops.varying_ms));
            let spread = || spectrum.as_ref().map(|it| it[at] / interpolation(damping, angle));
            let service = service.transform(s).or_else(spread).unwrap_or(Complex::ONE);
            Node { s, service, hops: hop * hop, kept: kept(angle) }
        };
        Lattice { step_ms, nodes: (0..=points / 2).map(node).collect() }
    }
}

impl Node {
    /// The transform of the response.
    fn response(&self, arrivals: &Arrivals, load: f64) -> Complex {
        let mut response = self.wait(arrivals, load) * self.service * self.hops;
        if 1 < arrivals.calls {
            // Calls of the same request that are served before.
            let alone = Complex::ONE - self.service;
            response = response * self.together(arrivals) / alone.times(arrivals.calls_here());
        }
        response
    }

    /// The transform of what a single job waits.
    fn wait(&self, arrivals: &Arrivals, load: f64) -> Complex {
        let alone = Complex::ONE - self.service;
        let work = self.together(arrivals).times(arrivals.requests_per_ms)
            + alone.times(arrivals.singles_per_ms);
        Complex::real(1.0 - load) / (Complex::ONE - work / self.s)
    }

    /// What the calls of a request that come here leave of 1.
    fn together(&self, arrivals: &Arrivals) -> Complex {
        let none_here = Complex::real(1.0 - arrivals.share) + self.service.times(arrivals.share);
        Complex::ONE - none_here.power(arrivals.calls)
    }
}

/// The damped transform of a service law brought to the lattice: each time is split between its neighbours so that
/// the mean stays.
fn masses(step_ms: f64, points: usize, service: &Service, fourier: &Fourier) -> Vec<Complex> {
    let mean = service.mean();
    let (mut before, mut here) = (0.0, 0.0);
    let mass = |at: usize| {
        let after = if here < mean * (1.0 - 1e-15) {
            service.mean_up_to((at + 1) as f64 * step_ms)
        } else {
            mean
        };
        let inside = (2.0 * here - before - after) / step_ms;
        let mass = if at == 0 { 1.0 - after / step_ms } else { inside };
        (before, here) = (here, after);
        Complex::real(mass.max(0.0) * libm::exp(-DAMPING * at as f64 / points as f64))
    };
    let mut values: Vec<Complex> = (0..points).map(mass).collect();
    fourier.transform(&mut values);
    values
}

/// What that splitting does to a transform, ((e^(x/2) - e^(-x/2)) / x)^2 at x = damping + i angle: it is undone.
fn interpolation(damping: f64, angle: f64) -> Complex {
    let x = Complex { re: damping, im: angle };
    let (grow, half) = (0.5 * damping, 0.5 * angle);
    let sine =
        Complex { re: libm::sinh(grow) * libm::cos(half), im: libm::cosh(grow) * libm::sin(half) };
    let one = sine.times(2.0) / x;
    one * one
}

/// Fades the highest frequencies out, so that a bend in a curve leaves no waves behind it.
fn kept(angle: f64) -> f64 {
    let share = angle / std::f64::consts::PI;
    let square = share * share;
    let fourth = square * square;
    libm::exp(-36.0 * fourth * fourth)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::{Law, Work, queue::ErlangC};

    #[test]
    fn exponential_services_give_the_wait() {
        for load in [0.1, 0.8, 0.95] {
            let service = Service::plain(Work::Exponential { mean: 10.0 });
            let waiting = Waiting::new(service, Hops::default(), 4_096);
            let law = waiting.wait(&Arrivals::single(load / 10.0));
            for ms in [0.0, 1.0, 10.0, 100.0, 500.0] {
                let expected = load * libm::exp(-(1.0 - load) * ms / 10.0);
                let seen = law.beyond(ms);
                assert!(
                    expected < 1e-7 || (seen / expected - 1.0).abs() < 1e-3,
                    "{load}, {ms}: {seen}, {expected}"
                );
            }
        }
    }

    #[test]
    fn exponential_services_give_the_closed_form() {
        for load in [0.05, 0.5, 0.8, 0.95, 0.99] {
            let service = Service::plain(Work::Exponential { mean: 10.0 });
            let waiting = Waiting::new(service, Hops::default(), 4_096);
            let law = waiting.response(&Arrivals::single(load / 10.0));
            let exact = ErlangC { servers: 1, load };
            for share in [0.1, 0.5, 0.9, 0.99, 0.999, 0.9999, 0.999_99, 0.999_999, 0.999_999_9] {
                let (seen, expected) =
                    (law.quantile(share).unwrap(), 10.0 * exact.quantile(share).unwrap());
                assert!(
                    (seen / expected - 1.0).abs() < 2e-4,
                    "{load}, {share}: {seen}, {expected}"
                );
            }
        }
    }

    #[test]
    fn the_mean_of_the_law_is_that_of_pollaczek_and_khinchine() {
        let works = [
            Work::Constant { mean: 14.5 },
            Work::Gamma { mean: 14.5, cv: 0.44 },
            Work::Gamma { mean: 14.5, cv: 2.0 },
            Work::LogNormal { mean: 14.5, cv: 1.0 },
        ];
        let hops = Hops { fixed_ms: 0.35, varying_ms: 0.15 };
        for ordinary in works {
            for (outlier_rate, outlier_factor) in [(0.0, 1.0), (0.05, 10.0), (0.001, 100.0)] {
                let service = Service { ordinary: ordinary.clone(), outlier_rate, outlier_factor };
                for (load, calls, share) in [(0.3, 1, 1.0), (0.8, 1, 1.0), (0.5, 100, 0.02)] {
                    let each = 0.5 * load / service.mean();
                    let arrivals = Arrivals {
                        singles_per_ms: each,
                        requests_per_ms: each / (f64::from(calls) * share),
                        calls,
                        share,
                    };
                    let law = Waiting::new(service.clone(), hops, 4_096).response(&arrivals);
                    let expected =
                        arrivals.mean_wait_of_call(&service) + service.mean() + hops.mean();
                    let table = Table::of(&law, 1e-3, 0.02);
                    let rows = table.rows();
                    let areas =
                        rows.windows(2).map(|it| (it[1].0 - it[0].0) * 0.5 * (it[0].1 + it[1].1));
                    let seen = rows[0].0 + areas.sum::<f64>();
                    assert!(
                        (seen / expected - 1.0).abs() < 1e-3,
                        "{service:?}, {load}, {calls}: {seen}, {expected}"
                    );
                }
            }
        }
    }

    #[test]
    fn known_means() {
        // 10 ms, and 1 s for one in a hundred.
        let slow = Service {
            ordinary: Work::Constant { mean: 10.0 },
            outlier_rate: 0.01,
            outlier_factor: 100.0,
        };
        let half = Arrivals::single(0.5 / slow.mean());
        assert!((half.mean_wait(&slow) - 253.744).abs() < 1e-3);
        let constant = Service::plain(Work::Constant { mean: 1.0 });
        assert!((Arrivals::single(0.8).mean_wait(&constant) - 2.0).abs() < 1e-12);
    }

    #[test]
    fn whoever_meets_nobody_takes_a_constant_time() {
        let service = Service::plain(Work::Constant { mean: 10.0 });
        let law = Waiting::new(service, Hops::default(), 4_096).response(&Arrivals::single(0.03));
        for share in [0.01, 0.3, 0.69] {
            assert!((law.quantile(share).unwrap() - 10.0).abs() < 1e-6);
        }
        // M/D/1, by Erlang's sum: P(W > 1.5 services).
        let expected = 1.0 - 0.7 * (libm::exp(0.45) - 0.15 * libm::exp(0.15));
        assert!((law.beyond(25.0) / expected - 1.0).abs() < 5e-4, "{}", law.beyond(25.0));
    }

    /// Fewer points, for figures with many loads, still give three digits.
    #[test]
    fn a_thousand_points_are_enough_for_a_figure() {
        let service = Service::plain(Work::Gamma { mean: 14.5, cv: 0.44 });
        let (fine, quick) = (
            Waiting::new(service.clone(), Hops::default(), 4_096),
            Waiting::new(service, Hops::default(), 1_024),
        );
        for load in [0.1, 0.63, 0.9] {
            let arrivals = Arrivals::single(load / 14.5);
            let seen = quick.response(&arrivals).quantile(0.99).unwrap();
            let expected = fine.response(&arrivals).quantile(0.99).unwrap();
            assert!((seen / expected - 1.0).abs() < 1e-3, "{load}: {seen}, {expected}");
        }
    }
}
