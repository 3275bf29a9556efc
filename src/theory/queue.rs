//! Closed forms of queues. Service times are exponential with mean 1 unless said; `load` is that of one server.

use super::Law;

/// M/M/c: `servers` that share one queue.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErlangC {
    pub servers: u32,
    pub load: f64,
}

/// A job goes to the server with the shortest queue among `choices` random ones of very many.
///
/// Mitzenmacher, IEEE TPDS 12(10), 2001; Vvedenskaya, Dobrushin and Karpelevich, 1996: the share of servers with at
/// least k jobs is load^((d^k - 1) / (d - 1)).
#[derive(Clone, Debug, PartialEq)]
pub struct ShortestOf {
    /// The shares of servers that have 0, 1, 2 .. jobs or more, so far as they matter.
    at_least: Vec<f64>,
    /// The chances that a new job finds so many or more at the best of its choices.
    finds: Vec<f64>,
}

/// A job waits in the queues of two of very many servers until one of them starts it:
/// P(T > t) = 1 / (r^2 + (1 - r^2) e^t).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TiedTwo {
    pub load: f64,
}

/// A job runs at two of very many servers until one has finished it: P(T > t) = 1 / (r + (1 - r) e^t)^2.
///
/// Gardner and others, Operations Research 65(4), 2017.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RedundantTwo {
    pub load: f64,
}

/// The first of two independent answers of the same law, the second asked for `after` the first; with probability
/// `1 - paired` there is only one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FirstOfTwo<L> {
    pub law: L,
    pub paired: f64,
    pub after: f64,
}

/// A law stretched from a mean service of 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scaled<L> {
    pub law: L,
    pub by_ms: f64,
}

impl ErlangC {
    /// The chance that a job has to wait.
    pub fn waits(&self) -> f64 {
        let offered = f64::from(self.servers) * self.load;
        // Erlang B by its recursion, then C from it.
        let blocked = (1..=self.servers).fold(1.0, |blocked, n| {
            let both = offered * blocked;
            both / (f64::from(n) + both)
        });
        blocked / (1.0 - self.load * (1.0 - blocked))
    }

    pub fn mean_wait(&self) -> f64 {
        self.waits() / self.drain()
    }

    pub fn mean(&self) -> f64 {
        1.0 + self.mean_wait()
    }

    /// How fast a queue of all servers empties.
    fn drain(&self) -> f64 {
        f64::from(self.servers) * (1.0 - self.load)
    }
}

impl Law for ErlangC {
    fn beyond(&self, t: f64) -> f64 {
        if t <= 0.0 {
            return 1.0;
        }
        let (waits, drain) = (self.waits(), self.drain());
        let served = libm::exp(-t);
        // An exponential wait and then an exponential service, of which one may be as long as the other.
        let apart = drain - 1.0;
        let late = if apart == 0.0 {
            t * served
        } else if (apart * t).abs() < 1.0 {
            -served * libm::expm1(-apart * t) / apart
        } else {
            (served - libm::exp(-drain * t)) / apart
        };
        served + waits * late
    }
}

impl ShortestOf {
    pub fn new(choices: u32, load: f64) -> ShortestOf {
        let choices = f64::from(choices);
        let exponents = std::iter::successors(Some(0.0), |it| Some(it * choices + 1.0));
        let shares = exponents.map(|it| if it == 0.0 { 1.0 } else { libm::pow(load, it) });
        let at_least: Vec<f64> = shares.take_while(|it| 1e-25 < *it).collect();
        let finds = at_least.iter().map(|it| libm::pow(*it, choices)).collect();
        ShortestOf { at_least, finds }
    }

    pub fn mean(&self) -> f64 {
        self.finds.iter().sum()
    }

    /// How many jobs wait at a server, on average.
    pub fn waiting(&self) -> f64 {
        self.at_least.iter().skip(2).sum()
    }
}

impl Law for ShortestOf {
    fn beyond(&self, t: f64) -> f64 {
        if t <= 0.0 {
            return 1.0;
        }
        // The job and those it finds take a sum of exponential services: a Poisson sum.
        let mut term = libm::exp(-t);
        let mut sum = 0.0;
        for (jobs, finds) in self.finds.iter().enumerate() {
            sum += term * finds;
            term *= t / (jobs + 1) as f64;
        }
        sum
    }
}

impl TiedTwo {
    pub fn mean(&self) -> f64 {
        let square = self.load * self.load;
        if square == 0.0 { 1.0 } else { -libm::log1p(-square) / square }
    }
}

impl Law for TiedTwo {
    fn beyond(&self, t: f64) -> f64 {
        let square = self.load * self.load;
        1.0 / (1.0 + (1.0 - square) * libm::expm1(t.max(0.0)))
    }
}

impl RedundantTwo {
    pub fn mean(&self) -> f64 {
        let r = self.load;
        if r == 0.0 { 0.5 } else { (-libm::log1p(-r) - r) / (r * r) }
    }
}

impl Law for RedundantTwo {
    fn beyond(&self, t: f64) -> f64 {
        let out = 1.0 + (1.0 - self.load) * libm::expm1(t.max(0.0));
        1.0 / (out * out)
    }
}

/// The mean response when every job runs at two of `servers` until one has finished it.
///
/// Gardner and others, Operations Research 65(4), 2017, for two copies.
pub fn redundant_two_mean(servers: u32, load: f64) -> f64 {
    let n = f64::from(servers);
    let part = |busy: u32| 1.0 / (n * ((n - 1.0) / f64::from(busy - 1) - load));
    (2..=servers).map(part).sum()
}

impl<L: Law> Law for FirstOfTwo<L> {
    fn beyond(&self, ms: f64) -> f64 {
        let first = self.law.beyond(ms);
        let second = if ms < self.after { 1.0 } else { self.law.beyond(ms - self.after) };
        first * (1.0 - self.paired + self.paired * second)
    }
}

impl<L: Law> Law for Scaled<L> {
    fn beyond(&self, ms: f64) -> f64 {
        self.law.beyond(ms / self.by_ms)
    }
}

/// The mean waits of classes, the first served first, none interrupting: W0 / ((1 - before) (1 - with)), the loads of
/// the classes before one, and of these with it. Cobham, Operations Research 2(1), 1954.
///
/// Each class: arrivals per time, mean service, mean square of it.
pub fn cobham_waits(classes: &[(f64, f64, f64)]) -> Vec<f64> {
    let in_service: f64 = classes.iter().map(|(rate, _, square)| rate * square / 2.0).sum();
    let mut load = 0.0;
    let waits = classes.iter().map(|(rate, mean, _)| {
        let before = load;
        load += rate * mean;
        in_service / ((1.0 - before) * (1.0 - load))
    });
    waits.collect()
}

/// The mean response of a job of a given size under processor sharing, whatever the law of sizes.
pub fn sharing_mean(size: f64, load: f64) -> f64 {
    size / (1.0 - load)
}

/// The mean response of a request that needs two servers, each M/M/1 with the same arrivals: (12 - r) / (8 (1 - r)).
/// Flatto and Hahn, 1984.
pub fn fork_join_two_mean(load: f64) -> f64 {
    (12.0 - load) / (8.0 * (1.0 - load))
}

/// The share of arrivals that find a server and its `places` full, M/M/1 with places for that many jobs in all.
pub fn blocked(places: u32, load: f64) -> f64 {
    let powers = (0..=places).scan(1.0, |power, _| Some(std::mem::replace(power, *power * load)));
    let all: Vec<f64> = powers.collect();
    all[places as usize] / all.iter().sum::<f64>()
}

/// The mean response of `users` who think for `think` on average and then use one server: mean value analysis.
/// Reiser and Lavenberg, JACM 27(2), 1980.
pub fn closed_mean(users: u32, think: f64) -> f64 {
    let (mut length, mut response) = (0.0, 1.0);
    for user in 1..=users {
        response = 1.0 + length;
        length = f64::from(user) * response / (think + response);
    }
    response
}

/// How many customers an M/M/1 simulation has to see for the 95 % interval of its mean wait to be within a share of
/// it, after Whitt, Management Science 35(11), 1989.
pub fn customers_for(load: f64, within: f64) -> f64 {
    let r = load;
    let over = 2.0 + 5.0 * r - 4.0 * r * r + r * r * r;
    3.8415 * over / (r * within * within * (1.0 - r) * (1.0 - r))
}

/// In how many service times an M/M/1 queue forgets how it started.
pub fn relaxation(load: f64) -> f64 {
    let root = 1.0 - load.sqrt();
    1.0 / (root * root)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn near(seen: f64, expected: f64, digits: i32) {
        let tolerance = 0.5 * libm::pow(10.0, f64::from(-digits)) * 1.01;
        assert!((seen - expected).abs() <= tolerance, "{seen} is not {expected}");
    }

    #[track_caller]
    fn quantile(law: &impl Law, share: f64) -> f64 {
        law.quantile(share).unwrap()
    }

    #[test]
    fn one_queue() {
        let one = ErlangC { servers: 1, load: 0.8 };
        near(one.mean(), 5.0, 9);
        near(quantile(&one, 0.5), 3.4657, 4);
        near(quantile(&one, 0.9), 11.5129, 4);
        near(quantile(&one, 0.99), 23.0259, 4);
        near(quantile(&one, 0.999), 34.5388, 4);
        let ten = ErlangC { servers: 10, load: 0.8 };
        near(ten.waits(), 0.409_180, 6);
        near(ten.mean_wait(), 0.204_590, 6);
        near(quantile(&ten, 0.99), 4.94611, 5);
        let two = ErlangC { servers: 2, load: 0.8 };
        near(two.waits(), 0.711_111, 6);
        near(two.mean_wait(), 1.777_778, 6);
        near(quantile(&two, 0.99), 11.9374, 4);
    }

    #[test]
    fn the_ladder() {
        let two = ShortestOf::new(2, 0.8);
        near(two.mean(), 1.94736, 5);
        near(quantile(&two, 0.99), 7.374, 3);
        near(ShortestOf::new(2, 0.9).mean(), 2.61406, 5);
        near(ShortestOf::new(1, 0.8).mean(), 5.0, 9);
        near(quantile(&ShortestOf::new(1, 0.8), 0.99), 23.0259, 4);
        let tied = TiedTwo { load: 0.8 };
        near(tied.mean(), 1.59633, 5);
        near(quantile(&tied, 0.99), 5.62040, 5);
        let redundant = RedundantTwo { load: 0.8 };
        near(redundant.mean(), 1.264_747, 6);
        near(quantile(&redundant, 0.99), 3.8286, 4);
        near(redundant_two_mean(4, 0.8), 1.72078, 5);
        near(redundant_two_mean(10, 0.8), 1.41007, 5);
        near(redundant_two_mean(100_000, 0.8), redundant.mean(), 4);
    }

    #[test]
    fn duplicates_that_are_not_cancelled_help_below_a_third() {
        let twice = |load: f64| 1.0 / (2.0 * (1.0 - 2.0 * load));
        let once = |load: f64| ErlangC { servers: 1, load }.mean();
        assert!(twice(0.33) < once(0.33) && once(0.34) < twice(0.34));
        // The same from the law: half of the mean of one at twice the load.
        let first = FirstOfTwo { law: ErlangC { servers: 1, load: 0.8 }, paired: 1.0, after: 0.0 };
        near(quantile(&first, 0.99), 23.0259 / 2.0, 4);
    }

    #[test]
    fn the_rest_of_the_list() {
        let waits = cobham_waits(&[(0.3, 1.0, 2.0), (0.5, 1.0, 2.0)]);
        near(waits[0], 1.142_857, 6);
        near(waits[1], 5.714_286, 6);
        near(sharing_mean(1.0, 0.6), 2.5, 9);
        near(fork_join_two_mean(0.5), 2.875, 9);
        near(fork_join_two_mean(0.8), 7.0, 9);
        near(blocked(10, 0.8), 0.023_493, 6);
        for (users, mean) in [(1, 1.0), (5, 1.52428), (10, 3.01870), (20, 11.01235)] {
            near(closed_mean(users, 9.0), mean, 5);
        }
        near(customers_for(0.8, 0.05) / 1e4, 19.0, 0);
        near(customers_for(0.9, 0.05) / 1e4, 68.1, 1);
    }
}
