//! The simulation kernel: time, chance, an agenda of events, and what was measured.
//!
//! It never reads a clock, allocates ids at random, or calls a platform's `ln`: the same seed gives the
//! same bits in a test and in a browser.

mod agenda;
mod dist;
mod histogram;
mod meter;
mod paired;
mod raster;
mod rng;
mod run;
mod servers;
mod settling;
mod slab;
mod station;
mod time;

pub use agenda::Agenda;
pub use dist::{Dist, Gamma};
pub use histogram::Histogram;
pub use meter::{Estimate, Evidence, Latency, Meter, Section};
pub use paired::{Asked, difference};
pub use raster::Raster;
pub use rng::Rng;
pub use run::{Context, Draw, Draws, Model, Outcome, Plan, Run, Running};
pub use servers::Servers;
pub use settling::Settling;
pub use slab::Slab;
pub use station::{
    Arrival, Cancelled, Discipline, Job, Shape, Stations, Ticket, Usage, Wake, Woken,
};
pub use time::{Duration, Instant};
