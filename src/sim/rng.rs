//! The one source of chance.

use rand::{Rng as _, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::special::{ln_of_share, ln_of_shares, normal_quantile};

/// A stream of random numbers: xoshiro256++, the same on every platform, and cheap in wasm, where wide
/// multiplications are not.
#[derive(Clone, Debug)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// The stream for one purpose in one replication. Streams do not overlap, whichever worker runs them:
    /// a purpose is a long jump (2^192 draws), a replication a jump (2^128).
    ///
    /// Arrivals, services and copies draw from streams of their own, so that two studies that differ by
    /// policy only meet the same requests.
    pub fn stream(seed: u64, replication: u32, purpose: u32) -> Rng {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        for _ in 0..purpose {
            rng.long_jump();
        }
        for _ in 0..replication {
            rng.jump();
        }
        Rng(rng)
    }

    /// The stream of one thing among many, such as the second copy of one call: it does not depend on which
    /// of the others draw, nor when. `key` is a number of a stream for the purpose, `index` tells the thing.
    pub fn of_one(key: u64, index: u64) -> Rng {
        // The seeding scrambles its input, so that neighbouring numbers give unrelated streams.
        Rng(Xoshiro256PlusPlus::seed_from_u64(key.wrapping_add(index)))
    }

    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Uniform in the open interval 0 to 1: neither end is ever drawn, so that logarithms are finite.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        const SCALE: f64 = 1.0 / (1u64 << 53) as f64;
        ((self.0.next_u64() >> 11) as f64 + 0.5) * SCALE
    }

    #[inline]
    pub fn chance(&mut self, share: f64) -> bool {
        self.unit() < share
    }

    /// Uniform in `0..limit`. The multiplication favours some by up to `limit` / 2^32: for 2,000 servers
    /// one part in two million.
    #[inline]
    pub fn below(&mut self, limit: u32) -> u32 {
        let wide = u64::from((self.0.next_u64() >> 32) as u32) * u64::from(limit);
        (wide >> 32) as u32
    }

    /// Exponential with mean 1.
    #[inline]
    pub fn exponential(&mut self) -> f64 {
        -ln_of_share(self.unit())
    }

    /// So many exponential draws with mean -1: in less time than one by one, as what one of them waits for does not
    /// keep the next from beginning.
    #[inline]
    pub fn logarithms(&mut self, draws: &mut [f64]) {
        for draw in &mut *draws {
            *draw = self.unit();
        }
        ln_of_shares(draws);
    }

    /// Standard normal, by inversion: one draw each, so that streams stay in step.
    #[inline]
    pub fn normal(&mut self) -> f64 {
        normal_quantile(self.unit())
    }

    /// How many of `of` happen, each with the same chance: by the gaps between those that do, so that it costs
    /// as many draws as there are hits.
    pub fn binomial(&mut self, of: u32, chance: f64) -> u32 {
        if chance <= 0.0 {
            return 0;
        }
        let scale = 1.0 / libm::log1p(-chance);
        let (mut hits, mut at) = (0, 0.0);
        loop {
            at += libm::floor(ln_of_share(self.unit()) * scale) + 1.0;
            if f64::from(of) < at {
                return hits;
            }
            hits += 1;
        }
    }
}
