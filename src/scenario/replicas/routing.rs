//! Where copies go.

use super::{ReplicasParams, Routing, calls::CopyId};
use crate::sim::{Duration, Instant, Rng, Stations};

/// What can be asked of servers: how many jobs one holds.
pub(super) trait Queues {
    fn length(&self, server: u32) -> u32;
}

/// What a routing that looks at no queue is given.
pub(super) struct Unseen;

/// Chooses servers.
pub(super) struct Router {
    routing: Routing,
    servers: u32,
    choices: usize,
    probes: usize,
    /// The first replica and the others, which every routing draws, so that studies that differ by routing or by
    /// the number of replicas meet the same.
    firsts: Rng,
    others: Rng,
    /// Calls that have no useful second replica.
    lone: Rng,
    /// What only some routings draw.
    ties: Rng,
    turn: u32,
    /// Under least-outstanding: the clients' own count of copies that are out.
    outstanding: Vec<u32>,
    board: Board,
}

/// Queue lengths as they were when the board was last brought up to date.
///
/// It is kept without events of its own: a server's first change after a refresh puts down what it was before.
struct Board {
    interval_ns: u64,
    shown: Vec<u32>,
    /// In which interval `shown` was put down; for an older one the server's length has not changed since.
    shown_in: Vec<u64>,
    /// The servers with the shortest queue on the board, and in which interval.
    least: Vec<u32>,
    least_in: Option<u64>,
}

const REPLICAS_MAX: usize = 5;

impl Queues for Stations<CopyId> {
    #[inline]
    fn length(&self, server: u32) -> u32 {
        Stations::length(self, server)
    }
}

impl Queues for Unseen {
    fn length(&self, _: u32) -> u32 {
        0
    }
}

impl Router {
    pub(super) fn new(params: &ReplicasParams, [firsts, others, lone, ties]: [Rng; 4]) -> Router {
        let servers = params.servers as usize;
        let board = if params.routing == Routing::Board { servers } else { 0 };
        Router {
            routing: params.routing,
            servers: params.servers,
            choices: params.choices() as usize,
            probes: params.probes.min(params.choices()) as usize,
            firsts,
            others,
            lone,
            ties,
            turn: 0,
            outstanding: vec![0; servers],
            board: Board {
                interval_ns: Duration::from_ms(params.board_ms).as_ns(),
                shown: vec![0; board],
                shown_in: vec![0; board],
                least: Vec::with_capacity(board),
                least_in: None,
            },
        }
    }

    /// The servers of a call's first and second copy.
    #[inline]
    pub(super) fn choose(&mut self, now: Instant, queues: &impl Queues) -> [u32; 2] {
        let mut replicas = [self.firsts.below(self.servers); REPLICAS_MAX];
        let mut known = 1;
        while known < self.choices {
            let one = self.others.below(self.servers);
            if !replicas[..known].contains(&one) {
                replicas[known] = one;
                known += 1;
            }
        }
        let replicas = &replicas[..known];
        let least = |of: &[u32], length: &dyn Fn(u32) -> u32| {
            // The replicas are in random order: the first of equals is a random one.
            of.iter().copied().min_by_key(|it| length(*it)).unwrap_or(of[0])
        };
        let first = match self.routing {
            Routing::Random => replicas[0],
            Routing::RoundRobin => {
                self.turn = if self.turn + 1 < self.servers { self.turn + 1 } else { 0 };
                self.turn
            }
            Routing::LeastOutstanding => least(replicas, &|it| self.outstanding[it as usize]),
            Routing::Probe => least(&replicas[..self.probes], &|it| queues.length(it)),
            Routing::Board => {
                let least = self.board.least(now, self.servers, queues);
                least[self.ties.below(least.len() as u32) as usize]
            }
        };
        let second = replicas.iter().copied().find(|it| *it != first);
        [first, second.unwrap_or(first)]
    }

    /// A call that is to have one copy only, whatever the policy.
    pub(super) fn chance(&mut self, share: f64) -> bool {
        self.lone.chance(share)
    }

    /// The client has sent a copy, or has heard of it, or waits for it no longer.
    #[inline]
    pub(super) fn count(&mut self, server: u32, by: i32) {
        if self.routing == Routing::LeastOutstanding {
            let count = &mut self.outstanding[server as usize];
            *count = count.wrapping_add_signed(by);
        }
    }

    #[cfg(test)]
    pub(super) fn nobody_is_out(&self) -> bool {
        self.outstanding.iter().all(|it| *it == 0)
    }

    /// The length of a server's queue is about to change.
    #[inline]
    pub(super) fn changes(&mut self, now: Instant, server: u32, queues: &impl Queues) {
        if self.routing == Routing::Board {
            self.board.changes(now, server, queues);
        }
    }
}

impl Board {
    fn changes(&mut self, now: Instant, server: u32, queues: &impl Queues) {
        let Some(interval) = now.as_ns().checked_div(self.interval_ns) else { return };
        let at = server as usize;
        if self.shown_in[at] < interval {
            self.shown[at] = queues.length(server);
            self.shown_in[at] = interval;
        }
    }

    fn least(&mut self, now: Instant, servers: u32, queues: &impl Queues) -> &[u32] {
        let interval = now.as_ns().checked_div(self.interval_ns);
        if interval.is_none() || self.least_in != interval {
            self.least_in = interval;
            self.least.clear();
            let mut shortest = u32::MAX;
            for server in 0..servers {
                let at = server as usize;
                let unchanged = interval.is_none_or(|it| self.shown_in[at] < it);
                let length = if unchanged { queues.length(server) } else { self.shown[at] };
                if length < shortest {
                    shortest = length;
                    self.least.clear();
                }
                if length == shortest {
                    self.least.push(server);
                }
            }
        }
        &self.least
    }
}
