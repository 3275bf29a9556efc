//! A playground for latency at scale.
//!
//! A **scenario** is a model plus a declared set of **parameters**. A **study** is a scenario, values and a
//! seed, and it *is* the link. Workers run studies in slices and send **meters**, which add up in any order.
//! The page shows controls made from the declaration and charts made from the meters.
//!
//! `ARCHITECTURE.md` says which module may know which. What the page alone needs belongs, in a browser, to the
//! package of the page (`page.rs`); natively it is here, for the tests.

#[cfg(not(target_arch = "wasm32"))]
pub mod chart;
pub mod format;
#[cfg(not(target_arch = "wasm32"))]
pub mod import;
pub mod measured;
pub mod report;
pub mod scenario;
pub mod schema;
pub mod sim;
pub mod special;
#[cfg(not(target_arch = "wasm32"))]
pub mod study;
pub mod theory;
#[cfg(not(target_arch = "wasm32"))]
pub mod ui;
#[cfg(not(target_arch = "wasm32"))]
pub mod worker;
