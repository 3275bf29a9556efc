//! The page, and its workers: the root of the package that is compiled for browsers, for size.
//!
//! Its modules are those of the library; natively they are part of it, and its tests drive them.

#![allow(
    dead_code,
    unreachable_pub,
    unused_imports,
    reason = "parts of these modules are there for the tests alone"
)]

#[cfg(target_arch = "wasm32")]
use tail_lab::{format, measured, report, scenario, schema, sim, special};

#[cfg(target_arch = "wasm32")]
mod chart;
#[cfg(target_arch = "wasm32")]
mod import;
#[cfg(target_arch = "wasm32")]
mod study;
#[cfg(target_arch = "wasm32")]
mod ui;
#[cfg(target_arch = "wasm32")]
mod worker;

#[cfg(target_arch = "wasm32")]
fn main() {
    ui::start();
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    println!("The page runs in browsers: `cargo xtask serve` shows it.");
}
