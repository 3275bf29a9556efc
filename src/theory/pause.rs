//! Servers that are held up now and then: what a call that comes at any moment has to wait.

use super::{Law, LogNormal};

/// The wait for the end of a pause, at a server that pauses for `length_ms` at a time, `busy` of all time:
/// P(W > w) = busy (1 - w / length).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pause {
    pub busy: f64,
    pub length_ms: f64,
}

/// An answer that begins when the pause is over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paused {
    pub ordinary: LogNormal,
    pub pause: Pause,
}

impl Pause {
    pub fn mean(&self) -> f64 {
        0.5 * self.busy * self.length_ms
    }
}

impl Law for Pause {
    fn beyond(&self, ms: f64) -> f64 {
        if ms < 0.0 {
            1.0
        } else if ms < self.length_ms {
            self.busy * (1.0 - ms / self.length_ms)
        } else {
            0.0
        }
    }
}

impl Law for Paused {
    fn beyond(&self, ms: f64) -> f64 {
        let Paused { ordinary, pause: Pause { busy, length_ms } } = self;
        let free = ordinary.beyond(ms);
        if ms <= 0.0 || *busy == 0.0 || *length_ms == 0.0 {
            return free;
        }
        // The wait is uniform: the mean of the tail over the last `length_ms` before the time.
        let held = (ordinary.mean_past(ms - length_ms) - ordinary.mean_past(ms)) / length_ms;
        (1.0 - busy) * free + busy * held.clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closed_form_is_the_mean_over_all_waits() {
        for (sigma, length_ms) in [(0.3, 100.0), (1.5, 3.0), (0.0, 40.0)] {
            let ordinary = LogNormal { median: 10.0, sigma };
            let law = Paused { ordinary, pause: Pause { busy: 0.2, length_ms } };
            for ms in [0.5, 5.0, 9.0, 12.0, 30.0, 60.0, 108.0, 118.0] {
                let steps = 100_000;
                let wait = |step| length_ms * (f64::from(step) + 0.5) / f64::from(steps);
                let sum: f64 = (0..steps).map(|it| ordinary.beyond(ms - wait(it))).sum();
                let expected = 0.8 * ordinary.beyond(ms) + 0.2 * sum / f64::from(steps);
                let seen = law.beyond(ms);
                assert!((seen - expected).abs() < 1e-5, "{sigma}, {ms}: {seen}, {expected}");
            }
        }
    }

    #[test]
    fn far_tails_keep_their_precision() {
        let ordinary = LogNormal { median: 10.0, sigma: 0.3 };
        let law = Paused { ordinary, pause: Pause { busy: 0.01, length_ms: 100.0 } };
        let mut before = 1.0;
        for step in 1..200 {
            let tail = law.beyond(f64::from(step) * 1.2);
            assert!(tail <= before, "the tail rises at step {step}");
            before = tail;
        }
        // At 200 ms: a wait near its end, and an answer of ten times the median.
        let steps = 100_000;
        let wait = |step| 100.0 * (f64::from(step) + 0.5) / f64::from(steps);
        let sum: f64 = (0..steps).map(|it| ordinary.beyond(200.0 - wait(it))).sum();
        let expected = 0.01 * sum / f64::from(steps);
        assert!((law.beyond(200.0) / expected - 1.0).abs() < 1e-4, "{expected}");
    }
}
