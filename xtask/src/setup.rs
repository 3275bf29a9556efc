//! Brings what is missing, or says in one sentence which command would.

use crate::shell::{find, output, program, run};
use anyhow::{Result, bail};
use std::path::Path;

const TARGET: &str = "wasm32-unknown-unknown";

/// Rust's standard library for wasm.
pub(crate) fn wasm_target() -> Result<()> {
    let libraries = output(program("rustc").args(["--print", "target-libdir", "--target", TARGET]));
    if libraries.is_some_and(|it| Path::new(&it).is_dir()) {
        return Ok(());
    }
    if find("rustup").is_none() {
        bail!(
            "Rust's {TARGET} target is missing: install Rust with rustup, or your system's package for that target"
        );
    }
    println!("setting up: Rust's {TARGET} target");
    run(program("rustup").args(["target", "add", TARGET]))
}
