//! Servers that share a queue, where nothing but the order of arrival decides.

use super::{Duration, Instant};

/// First come, first served, told by the moments at which each server is free: a job's start is known when it comes,
/// so that one event a job is enough (Kiefer and Wolfowitz, Transactions of the AMS 78, 1955).
///
/// Unlike `Stations` nothing can be taken back, and jobs must come in the order of time.
pub struct Servers {
    free: Vec<Instant>,
}

impl Servers {
    pub fn new(count: u32) -> Servers {
        Servers { free: vec![Instant::default(); count.max(1) as usize] }
    }

    /// When a job that comes now starts.
    #[inline]
    pub fn serve(&mut self, now: Instant, work: Duration) -> Instant {
        let mut first = 0;
        for at in 1..self.free.len() {
            if self.free[at] < self.free[first] {
                first = at;
            }
        }
        let start = now.max(self.free[first]);
        self.free[first] = start + work;
        start
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::{Agenda, Arrival, Discipline, Rng, Shape, Stations, Wake};

    #[derive(Clone, Copy)]
    enum Event {
        Comes(usize),
        Wake(Wake),
    }

    /// When each job is done, by stations that react to events.
    fn by_stations(servers: u32, jobs: &[(Instant, Duration)]) -> Vec<Instant> {
        let shape =
            Shape { stations: 1, servers, capacity: u32::MAX, discipline: Discipline::Fifo };
        let mut stations = Stations::new(shape);
        let mut agenda = Agenda::default();
        for (at, job) in jobs.iter().enumerate() {
            agenda.plan(job.0.since(Instant::default()), Event::Comes(at));
        }
        let mut ends = vec![Instant::default(); jobs.len()];
        while let Some(event) = agenda.next() {
            let now = agenda.now();
            let wake = match event {
                Event::Comes(at) => match stations.arrive(now, 0, 0, jobs[at].1, at) {
                    Arrival::Starts(_, wake) => Some(wake),
                    _ => None,
                },
                Event::Wake(wake) => {
                    let woken = stations.wake(now, wake.ticket);
                    if let Some(at) = woken.finished {
                        ends[at] = now;
                    }
                    woken.wake
                }
            };
            if let Some(wake) = wake {
                agenda.plan(wake.delay, Event::Wake(wake));
            }
        }
        ends
    }

    #[test]
    fn jobs_end_when_they_do_at_a_station() {
        for count in [1, 2, 7] {
            let mut rng = Rng::stream(5, 0, 0);
            let mut now = Instant::default();
            let jobs: Vec<(Instant, Duration)> = (0..500)
                .map(|_| {
                    now = now + Duration::from_ms(rng.exponential());
                    let work = Duration::from_ms(0.9 * f64::from(count) * rng.exponential());
                    (now, work)
                })
                .collect();
            let mut servers = Servers::new(count);
            let ends: Vec<Instant> =
                jobs.iter().map(|(at, work)| servers.serve(*at, *work) + *work).collect();
            assert_eq!(ends, by_stations(count, &jobs), "{count} servers");
        }
    }
}
