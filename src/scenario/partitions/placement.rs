//! Where partitions and items lie, and what load that makes.

use super::PartitionsParams;
use crate::{sim::Rng, special::sort_numbers};

/// Loads so near to 1 are 1: sums of shares are off by no more.
const ROUNDING: f64 = 1e-12;

/// Partitions on machines, by load.
#[derive(Clone, Debug)]
pub struct Machines {
    partitions: Vec<Vec<f64>>,
    loads: Vec<f64>,
}

/// A placement of everything: the load of each machine, as a share of what it can do.
#[derive(Clone, Debug, Default)]
pub struct Placement {
    /// Of partitions as they were dealt, as if all items were alike.
    pub dealt: Vec<f64>,
    /// The same with partitions moved.
    pub moved: Vec<f64>,
    /// Of partitions, moved if that is asked for, and items.
    pub loads: Vec<f64>,
    /// The largest over the mean load, of partitions alone.
    pub imbalance: f64,
    pub rebalanced: f64,
    /// The most partitions of a failed machine that any of the others takes, or would take.
    pub most_taken: u32,
}

/// Draws placements, each purpose from a stream of its own, so that studies that differ by policy meet the same.
pub(super) struct Placing {
    params: PartitionsParams,
    /// How often each item is asked for; all sum to 1.
    shares: Vec<f64>,
    loads: Rng,
    places: Rng,
    copies: Rng,
    failures: Rng,
}

/// Ranks that loads are told by: with more machines they are averages, with fewer some are told twice.
pub(super) const RANKS: usize = 20;
/// So many moves are enough for any settings; it ends all the same if they were not.
const MOVES_MAX: u32 = 20_000;

impl Machines {
    /// From the loads of each machine's partitions.
    pub fn new(partitions: Vec<Vec<f64>>) -> Machines {
        let loads = partitions.iter().map(|it| it.iter().sum()).collect();
        Machines { partitions, loads }
    }

    pub fn loads(&self) -> &[f64] {
        &self.loads
    }

    /// The largest over the mean load.
    pub fn imbalance(&self) -> f64 {
        let largest = self.loads.iter().copied().fold(0.0, f64::max);
        largest * self.loads.len() as f64 / self.loads.iter().sum::<f64>()
    }

    /// The last machine fails; its partitions are dealt to the others in turn. Answers the most that one took.
    fn fail_last(&mut self) -> u32 {
        let Some(lost) = self.partitions.pop() else { return 0 };
        self.loads.pop();
        let others = self.loads.len();
        for (at, load) in lost.iter().enumerate() {
            self.partitions[at % others].push(*load);
            self.loads[at % others] += load;
        }
        lost.len().div_ceil(others) as u32
    }

    /// Moves, as long as it helps, the partition that best halves the difference between the most and the least
    /// loaded machine. Answers how many were moved.
    pub fn rebalance(&mut self) -> u32 {
        for moves in 0..MOVES_MAX {
            let (Some(from), Some(to)) = (self.extreme(f64::gt), self.extreme(f64::lt)) else {
                return moves;
            };
            let difference = self.loads[from] - self.loads[to];
            // What is left of the difference once a partition has moved.
            let left = |at: usize| (difference - 2.0 * self.partitions[from][at]).abs();
            let best =
                (0..self.partitions[from].len()).min_by(|a, b| left(*a).total_cmp(&left(*b)));
            // Rounding must not move the same partition to and fro.
            let Some(best) = best.filter(|it| left(*it) < difference * (1.0 - 1e-9)) else {
                return moves;
            };
            let load = self.partitions[from].swap_remove(best);
            self.partitions[to].push(load);
            self.loads[from] -= load;
            self.loads[to] += load;
        }
        MOVES_MAX
    }

    /// The first machine whose load beats all others.
    fn extreme(&self, beats: fn(&f64, &f64) -> bool) -> Option<usize> {
        let machines = 0..self.loads.len();
        machines
            .reduce(|best, it| if beats(&self.loads[it], &self.loads[best]) { it } else { best })
    }
}

impl Placing {
    pub(super) fn new(params: &PartitionsParams, seed: u64, replication: u32) -> Placing {
        let stream = |purpose| Rng::stream(seed, replication, purpose);
        let weights: Vec<f64> =
            (1..=params.items).map(|it| libm::pow(f64::from(it), -params.zipf)).collect();
        let total: f64 = weights.iter().sum();
        Placing {
            params: params.clone(),
            shares: weights.iter().map(|it| it / total).collect(),
            loads: stream(0),
            places: stream(1),
            copies: stream(2),
            failures: stream(3),
        }
    }

    pub(super) fn place(&mut self) -> Placement {
        let mut machines = self.deal();
        let most_taken =
            if self.params.failure { machines.fail_last() } else { self.params.taken() };
        let items = self.items();
        let alike = vec![1.0; items.len()];
        let (imbalance, dealt) = (machines.imbalance(), self.combined(machines.loads(), &alike));
        let as_dealt = self.combined(machines.loads(), &items);
        machines.rebalance();
        let moved = self.combined(machines.loads(), &alike);
        let loads =
            if self.params.rebalance { self.combined(machines.loads(), &items) } else { as_dealt };
        Placement { dealt, moved, loads, imbalance, rebalanced: machines.imbalance(), most_taken }
    }

    /// As many partitions to each machine.
    fn deal(&mut self) -> Machines {
        let PartitionsParams { machines, partitions, skew, .. } = self.params;
        let mut load = |_| libm::exp(skew * self.loads.normal());
        Machines::new((0..machines).map(|_| (0..partitions).map(&mut load).collect()).collect())
    }

    /// What share of all requests for items comes to each machine.
    fn items(&mut self) -> Vec<f64> {
        let PartitionsParams { machines, hot_items, extra_copies, .. } = self.params;
        let running = self.params.running();
        let copies = 1 + extra_copies.min(running - 1);
        let mut loads = vec![0.0; running as usize];
        let mut holders = Vec::new();
        for (at, share) in self.shares.iter().enumerate() {
            let drawn = self.places.below(machines);
            // What lay on the failed machine lies on any of the others.
            let first = if drawn < running { drawn } else { self.failures.below(running) };
            if (at as u32) < hot_items {
                holders.clear();
                holders.push(first);
                while holders.len() < copies as usize {
                    let other = self.copies.below(running);
                    if !holders.contains(&other) {
                        holders.push(other);
                    }
                }
                for it in &holders {
                    loads[*it as usize] += share / f64::from(copies);
                }
            } else {
                loads[first as usize] += share;
            }
        }
        loads
    }

    /// What partitions bring a machine, relative to the mean, times what items do.
    fn combined(&self, partitions: &[f64], items: &[f64]) -> Vec<f64> {
        let mut loads: Vec<f64> = std::iter::zip(partitions, items).map(|(a, b)| a * b).collect();
        let total = self.params.load * f64::from(self.params.machines);
        let sum: f64 = loads.iter().sum();
        for it in &mut loads {
            let load = *it * (total / sum);
            // A machine at its very capacity is overloaded, whatever the last digit of a sum says.
            *it = if (load - 1.0).abs() < ROUNDING { 1.0 } else { load };
        }
        loads
    }
}

/// The mean load in each rank, the most loaded first.
pub(super) fn by_rank(loads: &[f64]) -> [f64; RANKS] {
    let mut sorted = loads.to_vec();
    sort_numbers(&mut sorted);
    sorted.reverse();
    std::array::from_fn(|rank| {
        let from = rank * sorted.len() / RANKS;
        let to = ((rank + 1) * sorted.len() / RANKS).max(from + 1);
        sorted[from..to].iter().sum::<f64>() / (to - from) as f64
    })
}
