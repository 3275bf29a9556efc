//! How fast studies run natively, in one thread, and how long exact curves take.
//!
//! Each number is a line of JSON for `cargo xtask bench`. The kernels are links: the page runs the same ones in wasm.

#![allow(clippy::disallowed_methods, reason = "a benchmark reads the clock")]

use std::{hint::black_box, time::Instant};

use serde_json::{Value, json};
use tail_lab::{
    scenario::{
        RunSeed,
        fan_out::{Drawing, FanOutParams, Model},
    },
    sim::{Plan, Running as _},
    study::Study,
};

/// The best of so many: the machine may be busy with other things.
const ROUNDS: u32 = 5;

fn main() {
    let kernels: Vec<Value> =
        serde_json::from_str(include_str!("kernels.json")).expect("a list of kernels");
    for kernel in &kernels {
        let text = |key: &str| kernel[key].as_str().expect("a text");
        let (study, _) = Study::open(text("link"));
        let seconds = best(|| drop(black_box(study.finish())));
        let units = kernel["units"].as_f64().expect("a number");
        report(&format!("{}, native", text("name")), units / seconds / 1e6, text("unit"));
    }
    let [every, deciding] = [Drawing::EveryLeaf, Drawing::Deciding].map(requests_a_second);
    report("fan-out of 2,000, order statistics against every leaf", deciding / every, "times");
    for leaves in [1, 100, 2_000, 10_000] {
        let (study, _) = Study::open(&format!("fan-out&fan_out={leaves}"));
        let seconds = best(|| drop(black_box(study.measures(None, &study.exact()))));
        report(&format!("exact curves, {leaves} leaves, native"), seconds * 1e3, "ms");
    }
    for service in ["gamma", "log-normal"] {
        let (study, _) = Study::open(&format!("replicas&policy=tied&service={service}"));
        let seconds = best(|| drop(black_box(study.measures(None, &study.exact()))));
        report(&format!("exact curves of queues, {service}, native"), seconds * 1e3, "ms");
    }
}

fn requests_a_second(drawing: Drawing) -> f64 {
    let requests = if drawing == Drawing::EveryLeaf { 1_000 } else { 200_000 };
    let params = FanOutParams { fan_out: 2_000, ..FanOutParams::default() };
    let run = RunSeed { seed: 1, replication: 0, plan: Plan { requests, sections: 4 } };
    let seconds = best(|| {
        let mut running = Model::start(&params, &run, drawing);
        running.advance(u64::MAX);
        drop(black_box(running.take_meter()));
    });
    requests as f64 / seconds
}

fn best(mut work: impl FnMut()) -> f64 {
    let round = |_| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64()
    };
    (0..ROUNDS).map(round).fold(f64::INFINITY, f64::min)
}

fn report(name: &str, value: f64, unit: &str) {
    println!("{}", json!({ "name": name, "value": value, "unit": unit }));
}
