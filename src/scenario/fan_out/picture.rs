//! How a fan-out is told.
use super::FanOutParams;
use crate::{
    report::{Figure, Sentence},
    scenario::Seen,
};
pub(super) fn sentence(_params: &FanOutParams, _seen: &Seen) -> Sentence {
    Sentence::default()
}
pub(super) fn figures(_params: &FanOutParams, _seen: &Seen) -> Vec<Figure> {
    Vec::new()
}
pub(super) fn notes(_params: &FanOutParams) -> Vec<String> {
    Vec::new()
}
