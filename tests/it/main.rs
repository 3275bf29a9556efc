//! Tests of the whole, in one binary.

#![allow(clippy::unwrap_used)] // helpers of tests may fail by a panic

mod any_chart;
mod charts;
mod figures;
