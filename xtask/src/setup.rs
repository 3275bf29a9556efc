//! Brings what is missing, or says in one sentence what would.
//!
//! Every check is cheap: with everything there, a set-up takes a fraction of a second.

use crate::shell::{find, output, program, root, run};
use anyhow::{Context as _, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};

const TARGET: &str = "wasm32-unknown-unknown";

/// The oldest Node that can drive the browser.
const NODE: u32 = 18;

/// What the browser tests are run with.
pub(crate) struct Browser {
    pub(crate) chromium: PathBuf,
}

/// Rust's standard library for wasm.
pub(crate) fn wasm_target() -> Result<()> {
    let libraries = output(program("rustc").args(["--print", "target-libdir", "--target", TARGET]));
    if libraries.is_some_and(|it| Path::new(&it).is_dir()) {
        return Ok(());
    }
    rustup("target", TARGET)
}

/// What formats and what lints.
pub(crate) fn checkers() -> Result<()> {
    for (component, tool) in [("rustfmt", "cargo-fmt"), ("clippy", "cargo-clippy")] {
        if output(program(tool).arg("--version")).is_none() {
            rustup("component", component)?;
        }
    }
    Ok(())
}

/// Node, the packages of the browser tests, and Chromium.
pub(crate) fn browser() -> Result<Browser> {
    node()?;
    packages()?;
    Ok(Browser { chromium: chromium()? })
}

fn rustup(kind: &str, name: &str) -> Result<()> {
    if find("rustup").is_none() {
        bail!(
            "Rust's {kind} {name} is missing: install Rust with rustup, or your system's package for it"
        );
    }
    println!("setting up Rust's {kind} {name}");
    run(program("rustup").args([kind, "add", name]))
}

fn node() -> Result<()> {
    if find("node").is_none() {
        apt("nodejs").with_context(|| format!("Node {NODE} or newer is missing"))?;
    }
    let version =
        output(program("node").arg("--version")).context("`node --version` says nothing")?;
    match major(&version) {
        Some(it) if NODE <= it => Ok(()),
        _ => bail!("Node {NODE} or newer is needed, and `node` is {version}"),
    }
}

/// `v20.20.2` is 20.
fn major(version: &str) -> Option<u32> {
    version.strip_prefix('v')?.split('.').next()?.parse().ok()
}

/// The packages in `tests/browser/node_modules`, as its lock file has them.
fn packages() -> Result<()> {
    let folder = root().join("tests/browser");
    let lock =
        fs::read(folder.join("package-lock.json")).context("tests/browser/package-lock.json")?;
    // A copy of the lock file, kept beside what was installed from it, tells whether it still is the same.
    let installed = folder.join("node_modules/.installed-from");
    if fs::read(&installed).is_ok_and(|it| it == lock) {
        return Ok(());
    }
    // Some packages of Node bring npm along and some do not; Debian's npm suits only Debian's Node.
    if find("npm").is_none() {
        apt("npm").context("npm is missing")?;
    }
    println!("setting up the npm packages of tests/browser");
    run(program("npm").current_dir(&folder).args([
        "ci",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
    ]))?;
    fs::write(&installed, lock).with_context(|| installed.display().to_string())
}

fn chromium() -> Result<PathBuf> {
    if let Some(named) = std::env::var_os("CHROMIUM").map(PathBuf::from) {
        if !named.is_file() {
            bail!(
                "the environment variable CHROMIUM names {}, which is not there",
                named.display()
            );
        }
        return Ok(named);
    }
    let usual = || ["chromium", "chromium-browser", "google-chrome"].into_iter().find_map(find);
    if let Some(found) = usual() {
        return Ok(found);
    }
    apt("chromium").context(
        "Chromium is missing, and the environment variable CHROMIUM names no other place",
    )?;
    usual().context("Chromium is still missing")
}

/// Installs a Debian package if we may, or says how to.
fn apt(package: &str) -> Result<()> {
    if find("apt-get").is_none() {
        bail!("install your system's package `{package}`");
    }
    if output(program("id").arg("-u")).as_deref() != Some("0") {
        bail!("install it with `sudo apt-get install {package}`");
    }
    println!("setting up Debian's package {package}");
    let apt = || {
        let mut command = program("apt-get");
        command.env("DEBIAN_FRONTEND", "noninteractive").args(["-qq", "-o", "Dpkg::Use-Pty=0"]);
        command
    };
    run(apt().arg("update"))?;
    run(apt().args(["install", "--yes", "--no-install-recommends", package]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_node_are_read() {
        assert_eq!(major("v18.20.4"), Some(18));
        assert_eq!(major("v24.0.0-nightly"), Some(24));
        assert_eq!(major("18"), None);
        assert_eq!(major("version"), None);
    }
}
