//! What is known exactly of pages.

use super::{PagesParams, Scheduler};
use crate::scenario::Exact;

/// How many requests a second a page answers when so many run at once: the universal scalability law, Gunther,
/// Guerrilla Capacity Planning, 2007.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// A second, when they run one at a time.
    pub alone: f64,
    pub serial: f64,
    pub pairs: f64,
}

/// Processors of the machine.
pub(super) const PROCESSORS: f64 = 2.0;

impl Progress {
    pub fn at(&self, running: u32) -> f64 {
        let n = f64::from(running);
        if running == 0 {
            return 0.0;
        }
        self.alone * n / (1.0 + self.serial * (n - 1.0) + self.pairs * n * (n - 1.0))
    }

    /// How many at once, of so many at most, bring most.
    pub fn best(&self, most: u32) -> u32 {
        (1..=most).fold(1, |best, it| if self.at(best) < self.at(it) { it } else { best })
    }
}

/// The share of a processor that each of so many requests has.
pub(super) fn share(running: usize) -> f64 {
    (PROCESSORS / running.max(1) as f64).min(1.0)
}

pub(super) fn exact(params: &PagesParams) -> Exact {
    let mut values = Vec::new();
    if !params.adapts() {
        values.push(("limit".into(), f64::from(params.first_limit())));
    }
    if 0 < params.light_clients {
        values.push(("light.alone".into(), light_alone(params)));
    }
    if let Some(rate) = heavy_rate(params) {
        let unlimited = params.progress().at(params.heavy_clients);
        values.push(("heavy.rate".into(), rate));
        // Little's law: what does not think waits or runs.
        values.push((
            "heavy.mean".into(),
            1e3 * (f64::from(params.heavy_clients) / rate - params.think_s).max(0.0),
        ));
        if params.think_s == 0.0 {
            values.push(("heavy.time".into(), unlimited / rate));
        }
    }
    Exact { values, ..Exact::default() }
}

/// Answers of the heavy page a second, where it is alone and its limit stays.
fn heavy_rate(params: &PagesParams) -> Option<f64> {
    let (progress, limit) = (params.progress(), params.first_limit());
    if params.adapts() || 0 < params.priority_clients || 0 < params.light_clients {
        return None;
    }
    if params.think_s == 0.0 {
        return Some(progress.at(limit));
    }
    // Sharing does not ask for the law of work, a queue does.
    let shares = params.scheduler == Scheduler::None || params.heavy_clients <= limit;
    (shares || params.work_cv == 1.0).then(|| {
        throughput(params.heavy_clients, params.think_s, |running| progress.at(running.min(limit)))
    })
}

/// Answers of the light page a second, as long as it is alone.
fn light_alone(params: &PagesParams) -> f64 {
    let service_s = 1e-3 * params.light_ms;
    throughput(params.light_clients, 1e-3 * params.light_think_ms, |running| {
        f64::from(running) * share(running as usize) / service_s
    })
}

/// The throughput of clients that think and ask in turn, where so many requests together are answered at a rate:
/// balance between neighbouring numbers of requests.
fn throughput(clients: u32, think_s: f64, rate: impl Fn(u32) -> f64) -> f64 {
    // Weights relative to the greatest so far, so that none is too large for a number.
    let (mut weight, mut sum, mut answered) = (1.0, 1.0, 0.0);
    for running in 1..=clients {
        let served = rate(running);
        weight *= f64::from(clients - running + 1) / (think_s * served);
        sum += weight;
        answered += weight * served;
        if 1e200 < weight {
            (weight, sum, answered) = (1.0, sum / weight, answered / weight);
        }
    }
    answered / sum
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAVY: Progress = Progress { alone: 2.025, serial: 0.9546, pairs: 0.011_35 };

    #[test]
    fn the_curve_has_its_known_values() {
        assert_eq!(HEAVY.best(500), 2);
        assert!((HEAVY.at(2) - 2.048).abs() < 5e-4);
        assert!((HEAVY.at(50) - 1.340).abs() < 5e-4);
    }

    #[test]
    fn clients_of_one_server_are_answered_as_mean_value_analysis_says() {
        for (clients, response) in [(1, 1.0), (5, 1.524_28), (10, 3.018_70), (20, 11.012_35)] {
            let rate = throughput(clients, 9.0, |_| 1.0);
            assert!((f64::from(clients) / rate - 9.0 - response).abs() < 5e-6, "{clients}");
        }
        // Far more clients than a number's exponent could weigh.
        assert!((throughput(500, 0.01, |_| 1.0) - 1.0).abs() < 1e-9);
    }
}
