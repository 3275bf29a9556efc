//! A queue with a finite source: so many clients, each with one request at a time, before servers that share a queue.

use super::Law;

/// The law of the time at the servers, waiting included, of one request: services are exponential and first come,
/// first served; between an answer and the next request there is a time of any law.
///
/// A request finds the servers as they are with one client less (Sevcik and Mitrani, JACM 28(2), 1981, doi
/// 10.1145/322248.322257), so that its time is a mixture of Erlang laws.
#[derive(Clone, Debug)]
pub struct FiniteSource {
    /// Departures a millisecond while all servers are busy.
    per_ms: f64,
    /// P(more than so many of these come before the answer).
    more: Vec<f64>,
    mean_ms: f64,
}

/// What is less likely changes no digit.
const TINY: f64 = 1e-17;

impl FiniteSource {
    /// For at least one client, a server and a service that takes time.
    pub fn new(clients: u32, servers: u32, think_ms: f64, service_ms: f64) -> FiniteSource {
        let found = found(clients, servers, think_ms, service_ms);
        let count = f64::from(servers);
        // So many departures a request waits for; then its own service, in departures that all servers busy would have.
        let mut waits = vec![0.0; found.len().saturating_sub(servers as usize) + 1];
        for (here, chance) in found.iter().enumerate() {
            waits[(here + 1).saturating_sub(servers as usize)] += chance;
        }
        let per_ms = count / service_ms;
        let waited: f64 = waits.iter().enumerate().map(|(it, chance)| it as f64 * chance).sum();
        // P(the answer comes with the n-th departure), then summed from the far end, where the small ones are.
        let mut more = Vec::new();
        let mut at = 0.0;
        while more.len() < waits.len() || TINY < at {
            let ends = waits.get(more.len()).copied().unwrap_or(0.0);
            at = (1.0 - 1.0 / count) * at + ends / count;
            more.push(at);
        }
        let mut left = 0.0;
        for it in more.iter_mut().rev() {
            left += *it;
            *it = left;
        }
        FiniteSource { per_ms, more, mean_ms: service_ms + waited / per_ms }
    }

    pub fn mean_ms(&self) -> f64 {
        self.mean_ms
    }
}

impl Law for FiniteSource {
    /// By the number of departures up to then, which is Poisson: summed from its most likely value outwards.
    fn beyond(&self, ms: f64) -> f64 {
        if ms <= 0.0 {
            return 1.0;
        }
        let mean = ms * self.per_ms;
        let middle = (mean as usize).min(self.more.len() - 1);
        let most =
            libm::exp(middle as f64 * libm::log(mean) - mean - libm::lgamma(middle as f64 + 1.0));
        let mut sum = most * self.more[middle];
        let mut chance = most;
        for (at, more) in self.more.iter().enumerate().skip(middle + 1) {
            chance *= mean / at as f64;
            sum += chance * more;
            if chance < TINY * sum {
                break;
            }
        }
        chance = most;
        for at in (0..middle).rev() {
            chance *= (at + 1) as f64 / mean;
            sum += chance * self.more[at];
            if chance < TINY * sum {
                break;
            }
        }
        sum.min(1.0)
    }
}

/// P(a request finds so many others at the servers).
fn found(clients: u32, servers: u32, think_ms: f64, service_ms: f64) -> Vec<f64> {
    let others = clients.max(1) - 1;
    let mut chances = vec![0.0; others as usize + 1];
    if think_ms <= 0.0 {
        chances[others as usize] = 1.0;
        return chances;
    }
    // Logarithms, since there may be thousands of factors.
    for here in 1..=others {
        let ratio =
            f64::from(others - here + 1) * service_ms / (think_ms * f64::from(here.min(servers)));
        chances[here as usize] = chances[here as usize - 1] + libm::log(ratio);
    }
    let most = chances.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    for it in &mut chances {
        *it = libm::exp(*it - most);
    }
    let total: f64 = chances.iter().sum();
    for it in &mut chances {
        *it /= total;
    }
    chances
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        special::gamma_tail,
        theory::closed::{Place, flows},
    };

    #[test]
    fn its_mean_is_that_of_mean_value_analysis() {
        for (clients, servers, think_ms, ms) in
            [(1, 1, 5.0, 2.0), (7, 1, 5.0, 2.0), (800, 4, 0.02, 0.01), (30, 8, 100.0, 20.0)]
        {
            let places = [Place::Delay { ms: think_ms }, Place::Servers { count: servers, ms }];
            let expected = flows(&places, clients)[clients as usize - 1].round_ms - think_ms;
            let law = FiniteSource::new(clients, servers, think_ms, ms);
            assert!((law.mean_ms() / expected - 1.0).abs() < 1e-9, "{clients}, {servers}");
            // The mean is the area below the tail.
            let steps = 40_000;
            let width = 60.0 * expected / f64::from(steps);
            let area: f64 =
                (0..steps).map(|it| width * law.beyond((f64::from(it) + 0.5) * width)).sum();
            assert!((area / expected - 1.0).abs() < 1e-5, "{clients}, {servers}: {area}");
        }
    }

    #[test]
    fn who_always_meets_all_others_waits_an_erlang_time() {
        let law = FiniteSource::new(20, 1, 0.0, 3.0);
        for ms in [1.0, 30.0, 60.0, 100.0, 200.0] {
            let expected = gamma_tail(20.0, ms / 3.0);
            assert!((law.beyond(ms) / expected - 1.0).abs() < 1e-9, "{ms}");
        }
    }

    #[test]
    fn who_meets_nobody_is_served_at_once() {
        for (clients, servers) in [(1, 1), (4, 4), (3, 9)] {
            let law = FiniteSource::new(clients, servers, 2.0, 3.0);
            for ms in [0.1, 3.0, 20.0] {
                let expected = libm::exp(-ms / 3.0);
                assert!((law.beyond(ms) / expected - 1.0).abs() < 1e-9, "{clients}, {ms}");
            }
        }
    }
}
