//! A playground for latency at scale.
//!
//! A **scenario** is a model plus a declared set of **parameters**. A **study** is a scenario, values and a
//! seed, and it *is* the link. Workers run studies in slices and send **meters**, which add up in any order.
//! The page shows controls made from the declaration and charts made from the meters.
//!
//! The modules below stand in reading order; `ARCHITECTURE.md` says which may know which.

pub mod chart;
pub mod format;
pub mod report;
pub mod scenario;
pub mod schema;
pub mod sim;
pub mod special;
pub mod study;
pub mod theory;
pub mod ui;
pub mod worker;
