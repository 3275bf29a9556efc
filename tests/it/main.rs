//! One binary for every integration test: it links once.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod advise;
mod any_chart;
mod beside;
mod bursts;
mod charts;
mod classes;
mod command;
mod common;
mod compare;
mod determinism;
mod figures;
mod films;
mod handed;
mod import;
mod kvs_load;
mod kvs_sessions;
mod links;
mod measured;
mod pages;
mod partitions;
mod probation;
mod published;
mod queues;
mod reduce;
mod replays;
mod schema;
mod searches;
mod sessions_known;
mod settled;
mod simulated;
mod storage;
mod tidy;
mod told;
mod traffic;
