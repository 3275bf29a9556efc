//! What is known without simulating: closed forms and numeric curves, for the dashed lines of charts, for
//! the tolerances of tests and for the prose.
//!
//! Times are milliseconds, shares 0 to 1.

mod law;
mod leaf;
mod order;
mod sum;
mod table;

pub use law::{Law, LogLogistic, LogNormal};
pub use leaf::{Delay, Hedged, Leaf};
pub use order::{Least, any_slow};
pub use sum::Sum;
pub use table::{Inverse, Table, Traced};

/// The percentile that each of `n` independent leaves must hold for the slowest to hold `share`.
pub fn leaf_share(share: f64, n: u32) -> f64 {
    // Not share^(1/n): close to 1 that would lose the digits that matter.
    1.0 + libm::expm1(libm::log(share) / f64::from(n))
}
