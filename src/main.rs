//! Natively the command that runs links; in a browser the page, or one of its workers.

/// Marks the moment from which the page can answer.
#[cfg(target_arch = "wasm32")]
fn main() {
    if let Some(performance) = web_sys::window().and_then(|it| it.performance()) {
        // A mark that cannot be set is a measurement less, nothing more.
        let _ = performance.mark("tail-lab:started");
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    command::main()
}

#[cfg(not(target_arch = "wasm32"))]
mod command;
