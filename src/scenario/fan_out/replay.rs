//! One request.
use super::FanOutParams;
use crate::report::Replay;
pub(super) fn replay(_params: &FanOutParams, _seed: u64, _share: f64) -> Option<Replay> {
    None
}
