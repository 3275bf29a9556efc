//! The time of a film: it stands, runs at a speed, or goes from event to event.

use crate::special::round_to_digits;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    ms: f64,
    end_ms: f64,
    /// Milliseconds of the film in one of the onlooker's.
    speed: f64,
    /// The speed that it had at first.
    usual: f64,
    /// When the onlooker last looked, while it runs.
    seen_at: Option<f64>,
}

/// How long a film lasts at the speed it has at first.
const WHOLE_MS: f64 = 60_000.0;
/// How long what is to be followed lasts for the onlooker.
const PACE_MS: f64 = 600.0;
/// The slowest and the fastest, relative to that.
const SPEEDS: (f64, f64) = (0.1, 100.0);
/// Longer than this nobody looked away from what was being drawn: it was off screen, or behind another tab, and time
/// stood still.
const LOOK_MS: f64 = 100.0;

impl Clock {
    /// Stands at the beginning.
    pub fn new(end_ms: f64) -> Clock {
        Clock::at_speed(end_ms, end_ms / WHOLE_MS)
    }

    /// Stands at the beginning, and will go so fast that what takes `pace_ms` can be followed.
    pub fn paced(end_ms: f64, pace_ms: f64) -> Clock {
        Clock::at_speed(end_ms, pace_ms / PACE_MS)
    }

    fn at_speed(end_ms: f64, speed: f64) -> Clock {
        let speed = round_to_digits(speed, 1);
        let usual = if speed.is_finite() && 0.0 < speed { speed } else { 1.0 };
        Clock { ms: 0.0, end_ms, speed: usual, usual, seen_at: None }
    }

    pub fn ms(&self) -> f64 {
        self.ms
    }

    pub fn runs(&self) -> bool {
        self.seen_at.is_some()
    }

    pub fn over(&self) -> bool {
        self.end_ms <= self.ms
    }

    pub fn speed(&self) -> f64 {
        self.speed
    }

    /// The speed's place between the slowest and the fastest, 0 to 1.
    pub fn position(&self) -> f64 {
        let (low, high) = SPEEDS;
        let relative = self.speed / self.usual;
        libm::log(relative / low) / libm::log(high / low)
    }

    pub fn set_position(&mut self, position: f64) {
        let (low, high) = SPEEDS;
        let relative = low * libm::pow(high / low, position.clamp(0.0, 1.0));
        self.speed = round_to_digits(relative * self.usual, 1);
    }

    /// From the beginning again, if it is over.
    pub fn run(&mut self, now: f64) {
        if self.over() {
            self.ms = 0.0;
        }
        self.seen_at = Some(now);
    }

    pub fn stop(&mut self) {
        self.seen_at = None;
    }

    /// Stands at a moment.
    pub fn go_to(&mut self, ms: f64) {
        self.stop();
        self.ms = ms.min(self.end_ms);
    }

    /// Somebody looks: what has passed since they last did, passes here.
    pub fn look(&mut self, now: f64) {
        let Some(seen_at) = self.seen_at else { return };
        self.ms += self.speed * (now - seen_at).clamp(0.0, LOOK_MS);
        self.seen_at = Some(now);
        if self.over() {
            self.go_to(self.end_ms);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_passes_while_somebody_looks() {
        let mut clock = Clock::new(600.0);
        assert_eq!((clock.ms(), clock.speed(), clock.runs()), (0.0, 0.01, false));
        clock.look(1_000.0);
        assert_eq!(clock.ms(), 0.0, "it was not started");
        clock.run(1_000.0);
        clock.look(1_050.0);
        assert_eq!(clock.ms(), 0.5);
        clock.look(61_050.0);
        assert_eq!(clock.ms(), 1.5, "a minute elsewhere is no minute of the film");
        clock.stop();
        clock.look(61_100.0);
        assert_eq!(clock.ms(), 1.5);
    }

    #[test]
    fn it_ends_at_the_end_and_begins_again() {
        let mut clock = Clock::new(1.0);
        clock.set_position(1.0);
        clock.run(0.0);
        for now in 0..20 {
            clock.look(100.0 * f64::from(now));
        }
        assert_eq!((clock.ms(), clock.runs(), clock.over()), (1.0, false, true));
        clock.run(5_000.0);
        assert_eq!((clock.ms(), clock.runs()), (0.0, true));
    }

    #[test]
    fn speeds_come_back_from_their_places() {
        for end_ms in [0.001, 600.0, 1e9] {
            let mut clock = Clock::new(end_ms);
            let first = clock.speed();
            clock.set_position(clock.position());
            assert_eq!(clock.speed(), first);
            clock.set_position(1.0);
            assert!((clock.speed() / first - 100.0).abs() < 1e-9);
            clock.set_position(0.0);
            assert!((clock.position()).abs() < 1e-9);
        }
        assert_eq!(Clock::new(0.0).speed(), 1.0);
        let paced = Clock::paced(1e6, 0.25);
        assert_eq!(paced.speed(), 0.0004);
        assert_eq!(Clock::paced(1e6, 0.0).speed(), 1.0);
    }
}
