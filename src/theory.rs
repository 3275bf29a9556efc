//! What is known without simulating: closed forms and numeric curves, for the dashed lines of charts, for
//! the tolerances of tests and for the prose.
//!
//! Times are milliseconds, shares 0 to 1.

pub mod closed;
mod finite;
mod fourier;
mod law;
mod leaf;
mod order;
mod pause;
pub mod queue;
mod service;
mod sum;
mod table;
mod visits;
mod waiting;

pub use finite::FiniteSource;
pub use law::{Law, LogLogistic, LogNormal};
pub use leaf::{Delay, Hedged, Leaf, Ordinary};
pub use order::{Least, any_slow, leaf_tail, least_beyond};
pub use pause::{Pause, Paused};
pub use service::{Service, Work};
pub use sum::Sum;
pub use table::{Inverse, Table, Traced};
pub use visits::{Erlang, Visits};
pub use waiting::{Arrivals, Hops, Response, Waiting};
