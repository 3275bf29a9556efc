//! Natively the command that runs links; in a browser the page, or one of its workers.

#[cfg(target_arch = "wasm32")]
fn main() {
    tail_lab::ui::start();
}

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    command::main()
}

#[cfg(not(target_arch = "wasm32"))]
mod command;
