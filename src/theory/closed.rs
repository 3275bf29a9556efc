//! Closed networks: so many customers go round between stations, and nobody comes or leaves.
//!
//! Exact mean value analysis, Reiser and Lavenberg, JACM 27(2), 1980, doi 10.1145/322186.322195: a customer who comes
//! to a station finds it as the network with one customer less leaves it. It holds where servers take an exponential
//! time each, the same for all customers, first come, first served; a delay may have any law.

/// Where customers spend their time, and how much of it in all in one round, waiting aside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    /// There is room for everybody.
    Delay { ms: f64 },
    /// Servers who share one queue.
    Servers { count: u32, ms: f64 },
}

/// What so many customers make of a network.
#[derive(Clone, Debug, PartialEq)]
pub struct Flow {
    pub customers: u32,
    /// The mean time of one round.
    pub round_ms: f64,
    /// Of it, at each place, waiting included.
    pub at_ms: Vec<f64>,
}

/// A place with its customers, as one customer more is put into the network.
struct Level {
    place: Place,
    /// The mean number of customers here.
    length: f64,
    /// P(so many are here), for fewer than there are servers; empty for a single server.
    few: Vec<f64>,
    /// The mean time of a round in the network without this place, from one customer on.
    without: Vec<f64>,
}

/// One flow for each number of customers, from 1 on.
pub fn flows(places: &[Place], customers: u32) -> Vec<Flow> {
    let mut levels: Vec<Level> =
        (0..places.len()).map(|at| Level::new(places, at, customers)).collect();
    (1..=customers).map(|it| next(&mut levels, it)).collect()
}

/// One customer more.
fn next(levels: &mut [Level], customers: u32) -> Flow {
    let at_ms: Vec<f64> = levels.iter().map(Level::residence_ms).collect();
    let round_ms: f64 = at_ms.iter().sum();
    for (level, at_ms) in std::iter::zip(levels, &at_ms) {
        level.add_customer(customers, *at_ms, round_ms);
    }
    Flow { customers, round_ms, at_ms }
}

/// How long customers of two kinds are at one server in a round, who are away from it for `away_ms` on average: each
/// finds there what both kinds leave it with one of his own less.
pub fn one_server_of_two_kinds(away_ms: [f64; 2], ms: f64, customers: [u32; 2]) -> [f64; 2] {
    let (first, second) = (customers[0] as usize, customers[1] as usize);
    // The mean length with so many of the second kind, for one of the first kind less and as many.
    let mut before = vec![0.0; second + 1];
    let mut lengths = vec![0.0; second + 1];
    let mut at_ms = [0.0; 2];
    for of_first in 0..=first {
        for of_second in 0..=second {
            let found =
                [before[of_second], if 0 < of_second { lengths[of_second - 1] } else { 0.0 }];
            let counts = [of_first as f64, of_second as f64];
            at_ms = found.map(|it| ms * (1.0 + it));
            let share = |kind: usize| counts[kind] * at_ms[kind] / (away_ms[kind] + at_ms[kind]);
            lengths[of_second] = share(0) + share(1);
        }
        before.copy_from_slice(&lengths);
    }
    at_ms
}

impl Flow {
    /// Rounds a millisecond.
    pub fn per_ms(&self) -> f64 {
        f64::from(self.customers) / self.round_ms
    }
}

impl Level {
    fn new(places: &[Place], at: usize, customers: u32) -> Level {
        let mut few = Vec::new();
        let mut without = Vec::new();
        if let Place::Servers { count, .. } = places[at]
            && 1 < count
        {
            few = vec![0.0; count as usize];
            few[0] = 1.0;
            let others = [&places[..at], &places[at + 1..]].concat();
            without = flows(&others, customers).iter().map(|it| it.round_ms).collect();
        }
        Level { place: places[at], length: 0.0, few, without }
    }

    /// What the next customer spends here in a round.
    fn residence_ms(&self) -> f64 {
        match self.place {
            Place::Delay { ms } => ms,
            Place::Servers { count, ms } => {
                // Servers that would stand idle take none of the queue off.
                let idle = self.few.iter().rev().skip(1).enumerate();
                let idle: f64 = idle.map(|(servers, chance)| (servers + 1) as f64 * chance).sum();
                ms / f64::from(count.max(1)) * (1.0 + self.length + idle)
            }
        }
    }

    fn add_customer(&mut self, customers: u32, at_ms: f64, round_ms: f64) {
        let Place::Servers { ms, .. } = self.place else { return };
        if round_ms <= 0.0 {
            return;
        }
        let per_ms = f64::from(customers) / round_ms;
        self.length = per_ms * at_ms;
        // That nobody is here follows from the network without this place (Reiser, Performance Evaluation 1(1),
        // 1981): taking the others from 1 instead would lose all digits where servers are busy.
        for here in (1..self.few.len()).rev() {
            self.few[here] = per_ms * ms / here as f64 * self.few[here - 1];
        }
        if let Some(none) = self.few.first_mut() {
            *none *= self.without[customers as usize - 1] / round_ms;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn near(seen: f64, expected: f64) {
        assert!((seen / expected - 1.0).abs() < 1e-9, "{seen} is not {expected}");
    }

    fn round_ms(places: &[Place], customers: u32) -> f64 {
        flows(places, customers).last().unwrap().round_ms
    }

    #[test]
    fn terminals_and_one_server() {
        for users in [1, 5, 10, 20] {
            let round =
                round_ms(&[Place::Delay { ms: 9.0 }, Place::Servers { count: 1, ms: 1.0 }], users);
            near(round - 9.0, super::super::queue::closed_mean(users, 9.0));
        }
    }

    #[test]
    fn as_many_servers_as_customers_are_a_delay() {
        let cpu = Place::Servers { count: 1, ms: 2.0 };
        for customers in [1, 2, 3, 8] {
            let delay = round_ms(&[cpu, Place::Delay { ms: 7.0 }], customers);
            let servers = round_ms(&[cpu, Place::Servers { count: customers, ms: 7.0 }], customers);
            near(servers, delay);
        }
    }

    /// Terminals before c servers, by the balance of births and deaths.
    #[test]
    fn terminals_and_many_servers() {
        for (customers, servers, think_ms, ms) in
            [(5, 2, 9.0, 1.0), (40, 4, 1.0, 3.0), (300, 16, 200.0, 10.0), (60, 3, 0.0, 2.0)]
        {
            let mut weights = vec![1.0_f64];
            for here in 1..=customers {
                let busy = f64::from(here.min(servers));
                let left = f64::from(customers - here + 1);
                weights.push(weights[here as usize - 1] * left * ms / (think_ms * busy));
            }
            let per_ms = if think_ms == 0.0 {
                f64::from(servers) / ms
            } else {
                let busy: f64 =
                    (0..).zip(&weights).map(|(n, w)| f64::from(servers.min(n)) * w).sum();
                busy / weights.iter().sum::<f64>() / ms
            };
            let places = [Place::Delay { ms: think_ms }, Place::Servers { count: servers, ms }];
            near(round_ms(&places, customers), f64::from(customers) / per_ms);
        }
    }

    /// Two groups of servers, against the sum over all states, and far beyond where a subtraction would do.
    #[test]
    fn two_groups_of_servers() {
        let (cpu, disk) = ((3, 2.0), (5, 4.0));
        let weight = |(count, ms): (u32, f64), here: u32| -> f64 {
            (1..=here).map(|it| ms / f64::from(it.min(count))).product()
        };
        let total = |customers: u32| -> f64 {
            (0..=customers).map(|it| weight(cpu, it) * weight(disk, customers - it)).sum()
        };
        let places = [cpu, disk].map(|(count, ms)| Place::Servers { count, ms });
        for flow in flows(&places, 60) {
            near(flow.per_ms(), total(flow.customers - 1) / total(flow.customers));
        }
        let busy = &flows(&places, 20_000)[19_999];
        near(busy.per_ms(), 5.0 / 4.0);
        near(busy.at_ms.iter().sum(), busy.round_ms);
    }

    /// Two kinds that are alike are one kind; others, against the balance of all states.
    #[test]
    fn two_kinds_at_one_server() {
        for (first, second) in [(0, 5), (5, 0), (2, 3), (40, 60)] {
            let alike = one_server_of_two_kinds([9.0, 9.0], 1.0, [first, second]);
            let one = super::super::queue::closed_mean(first + second, 9.0);
            near(alike[usize::from(first == 0)], one);
            near(alike[usize::from(second != 0)], one);
        }
        let (away, ms, customers) = ([2.0, 7.0], 1.5, [3_u32, 4_u32]);
        // A product form: those who are away are free of each other, those at the server come in any order.
        let weight = |a: u32, b: u32| -> f64 {
            let factorial = |n: u32| (1..=n).map(f64::from).product::<f64>();
            let away_of = |kind: usize, here: u32| {
                let left = customers[kind] - here;
                libm::pow(away[kind], f64::from(left)) / factorial(left)
            };
            let orders = factorial(a + b) / factorial(a) / factorial(b);
            orders * libm::pow(ms, f64::from(a + b)) * away_of(0, a) * away_of(1, b)
        };
        let states = || (0..=customers[0]).flat_map(|a| (0..=customers[1]).map(move |b| (a, b)));
        let total: f64 = states().map(|it| weight(it.0, it.1)).sum();
        let here: [f64; 2] = [0, 1].map(|kind| {
            let count = |it: (u32, u32)| f64::from(if kind == 0 { it.0 } else { it.1 });
            states().map(|it| count(it) * weight(it.0, it.1)).sum::<f64>() / total
        });
        let at_ms = one_server_of_two_kinds(away, ms, customers);
        for kind in 0..2 {
            near(f64::from(customers[kind]) * at_ms[kind] / (away[kind] + at_ms[kind]), here[kind]);
        }
    }

    #[test]
    fn nothing_to_do_takes_no_time() {
        let places = [Place::Servers { count: 1, ms: 0.0 }, Place::Servers { count: 2, ms: 0.0 }];
        assert!(flows(&places, 4).iter().all(|it| it.round_ms == 0.0));
    }
}
