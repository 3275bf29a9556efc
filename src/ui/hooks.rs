//! What the page offers its browser tests, as `window.wasmBindings`. None of these can panic: called before the
//! page stands they do nothing.

#![allow(unreachable_pub, reason = "what is exported is reached from JavaScript")]

use std::{cell::RefCell, rc::Rc};

use serde_json::json;
use wasm_bindgen::prelude::wasm_bindgen;

use super::state::{Stage, State};
use crate::{
    study::{Study, in_json, json},
    worker::Pool,
};

#[derive(Default)]
struct Hooks {
    state: Option<Rc<State>>,
    pool: Option<Pool>,
    run_again: Option<Rc<dyn Fn()>>,
}

thread_local! {
    static HOOKS: RefCell<Hooks> = RefCell::default();
}

pub(super) fn show_state(state: &Rc<State>) {
    HOOKS.with_borrow_mut(|it| it.state = Some(Rc::clone(state)));
}

/// The state as it is now, for those who hear of something long after they were made.
pub(super) fn state() -> Option<Rc<State>> {
    HOOKS.with_borrow(|it| it.state.clone())
}

pub(super) fn show_pool(pool: &Pool, run_again: Rc<dyn Fn()>) {
    HOOKS.with_borrow_mut(|it| {
        it.pool = Some(pool.clone());
        it.run_again = Some(run_again);
    });
}

fn pool() -> Option<(Pool, Rc<dyn Fn()>)> {
    HOOKS.with_borrow(|it| it.pool.clone().zip(it.run_again.clone()))
}

/// Runs a link to its end, here and now, and gives what the command gives with `--json`.
#[wasm_bindgen]
pub fn tail_lab_json(link: &str) -> String {
    let (study, problems) = Study::open(link);
    let measures = study.measures(Some(&study.finish()), &study.exact());
    json(&study, &measures, &problems)
}

/// What is known of a link without simulating it, in the same form.
#[wasm_bindgen]
pub fn tail_lab_exact(link: &str) -> String {
    let (study, problems) = Study::open(link);
    json(&study, &study.measures(None, &study.exact()), &problems)
}

/// How far the page is, as JSON; `null` before it stands.
#[wasm_bindgen]
pub fn tail_lab_state() -> String {
    let (state, pool) = HOOKS.with_borrow(|it| (it.state.clone(), it.pool.clone()));
    let Some(state) = state else { return "null".to_owned() };
    let simulated = |stage: Stage| {
        state
            .rows
            .studies
            .iter()
            .filter(|it| state.rows.of_link(&it.1).is_some_and(|it| it.stage == stage))
            .count()
    };
    let measures: Vec<_> = state
        .measures
        .iter()
        .map(|it| {
            let (simulated, low, high, exact) = (it.simulated, it.low, it.high, it.exact);
            json!({ "name": it.name, "simulated": simulated, "low": low, "high": high, "exact": exact })
        })
        .collect();
    in_json(&json!({
        "link": state.setup().link(),
        "job": state.run.job,
        "requests": state.run.recorded(),
        "of": state.study.requests(),
        "stale": state.is_stale(),
        "finished": state.run.finished() && !state.is_stale() && state.knows_exact(),
        "failed": state.run.failed,
        "paused": state.paused,
        "workers": pool.map_or(0, |it| it.workers()),
        "pinned": state.pinned.as_ref().map(|it| it.run.finished()),
        "swept": state.swept.as_ref().map(|it| [it.batch.finished(), it.batch.points.len()]),
        "advised": state.advising.as_ref().map(|it| it.over),
        "rows": state.rows.studies.len(),
        "rowsFinished": simulated(Stage::Simulated),
        "rowsFailed": simulated(Stage::Failed),
        "measures": measures,
    }))
}

/// Works with so many workers from now on, and starts over.
#[wasm_bindgen]
pub fn tail_lab_set_workers(workers: u32) {
    if let Some((pool, run_again)) = pool() {
        pool.set_workers(workers.clamp(1, 64));
        run_again();
    }
}

/// Ends a worker as a crash would.
#[wasm_bindgen]
pub fn tail_lab_kill_worker(worker: u32) {
    if let Some((pool, _)) = pool() {
        pool.kill(worker as usize);
    }
}
