//! Whoever follows single requests of the heavy page through a run.

use crate::sim::Instant;

/// Sees the experiments of the study itself, and clients that are not first in line.
pub(super) trait Watch {
    /// Whether the experiment without a limit comes first, where there is one.
    const COMPARES: bool = true;

    fn begins(&mut self, _now: Instant, _client: u32) {}
    fn answered(&mut self, _now: Instant, _client: u32, _sent: Instant) {}
}

impl Watch for () {}
