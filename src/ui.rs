//! The page: controls made from the declaration of a scenario, and what its simulation says.
//!
//! All that happens goes through one pure function, [`state::reduce`]; the rest shows the state, and turns hands
//! and messages into actions. No scenario is known here by name.
//!
//! What may be missing from the page stands in it as an empty list (`unwrap_or_default`), never as nothing: children
//! without keys are told apart by their number and place, and a box would lose what is being written in it when
//! something appeared beside it.

pub mod state;
pub mod strings;
pub mod view;

#[cfg(target_arch = "wasm32")]
mod advise;
#[cfg(target_arch = "wasm32")]
mod app;
#[cfg(target_arch = "wasm32")]
mod bars;
#[cfg(target_arch = "wasm32")]
mod browser;
#[cfg(target_arch = "wasm32")]
mod compare;
#[cfg(target_arch = "wasm32")]
mod controls;
#[cfg(target_arch = "wasm32")]
mod data_table;
#[cfg(target_arch = "wasm32")]
mod embed_gauge;
#[cfg(target_arch = "wasm32")]
mod embed_maker;
#[cfg(target_arch = "wasm32")]
mod embedded;
#[cfg(target_arch = "wasm32")]
mod figures;
#[cfg(target_arch = "wasm32")]
mod framing;
#[cfg(target_arch = "wasm32")]
mod header;
#[cfg(target_arch = "wasm32")]
mod hooks;
#[cfg(target_arch = "wasm32")]
mod icons;
#[cfg(target_arch = "wasm32")]
mod import;
#[cfg(target_arch = "wasm32")]
mod intake;
#[cfg(target_arch = "wasm32")]
mod lead;
#[cfg(target_arch = "wasm32")]
mod live;
#[cfg(target_arch = "wasm32")]
mod one_request;
#[cfg(target_arch = "wasm32")]
mod open_saved;
#[cfg(target_arch = "wasm32")]
mod page_end;
#[cfg(target_arch = "wasm32")]
mod plot;
#[cfg(target_arch = "wasm32")]
mod published;
#[cfg(target_arch = "wasm32")]
mod rail;
#[cfg(target_arch = "wasm32")]
mod readout;
#[cfg(target_arch = "wasm32")]
mod sweep;

/// Runs wherever the module is started: in a window it shows the page, in a worker it serves one.
#[cfg(target_arch = "wasm32")]
pub fn start() {
    use wasm_bindgen::JsCast as _;
    match js_sys::global().dyn_into::<web_sys::DedicatedWorkerGlobalScope>() {
        Ok(scope) => crate::worker::serve(scope),
        Err(_) => app::mount(),
    }
}
