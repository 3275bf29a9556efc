//! From sources to `dist/`: cargo, wasm-bindgen, then the site with its holes filled.

use crate::offline;
use crate::shell::{cargo, root, run};
use crate::single;
use crate::site::{Files, assemble};
use anyhow::{Context as _, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;
use wasm_bindgen_cli_support::Bindgen;

/// The name of the program and of what is made from it: `tail-lab.js`, `tail-lab.wasm`.
const NAME: &str = "tail-lab";
/// The page in one file.
const SINGLE: &str = "tail-lab.html";
/// The package that is the page.
const PACKAGE: &str = "tail-lab-page";

/// The page is compiled for the least size. The last pass, over the whole program, would go by that and inline next to
/// nothing, and the kernels would lose a third of their speed: so it is told how much.
const INLINED: &str = "llvm-args=-inline-threshold=50";

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Profile {
    Release,
    Dev,
}

/// Where the finished site lies.
pub(crate) fn dist() -> PathBuf {
    root().join("dist")
}

/// Builds the page and puts it in the place of what `dist/` held; a failure leaves that as it was.
pub(crate) fn build(profile: Profile, single_file: bool) -> Result<()> {
    let start = Instant::now();
    let mut sources = bind(&compile(profile)?, profile)?;
    sources.insert("index.html".into(), fs::read(root().join("index.html")).context("index.html")?);
    read_below(&root().join("static"), "", &mut sources)?;
    let mut site = assemble(&sources)?;
    offline::fill(&mut site)?;
    if single_file {
        // Afterwards, since it is no part of what the service worker keeps.
        site.insert(SINGLE.into(), single::page(&sources)?.into_bytes());
    }
    write(&site)?;
    let bytes: usize = site.values().map(Vec::len).sum();
    println!(
        "built dist/: {} files, {} kB, in {:.1} s",
        site.len(),
        bytes / 1000,
        start.elapsed().as_secs_f64()
    );
    Ok(())
}

/// Adds every file below `folder`, except hidden ones, under its path from there.
pub(crate) fn read_below(folder: &Path, prefix: &str, files: &mut Files) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with('.') {
            continue;
        }
        let below = format!("{prefix}{name}");
        if path.is_dir() {
            read_below(&path, &format!("{below}/"), files)?;
        } else {
            files.insert(below, fs::read(&path).with_context(|| path.display().to_string())?);
        }
    }
    Ok(())
}

fn compile(profile: Profile) -> Result<PathBuf> {
    const TARGET: &str = "wasm32-unknown-unknown";
    // Given here, so that the result is found whatever a person's own configuration says.
    let target = root().join("target");
    let mut command = cargo();
    command
        .args(["rustc", "--locked", "--target", TARGET, "--package", PACKAGE])
        .arg("--target-dir")
        .arg(&target);
    let folder = match profile {
        Profile::Release => {
            command.arg("--release");
            "release"
        }
        Profile::Dev => "debug",
    };
    if profile == Profile::Release {
        command.args(["--", "-C", INLINED]);
    }
    run(&mut command)?;
    Ok(root().join("target").join(TARGET).join(folder).join(PACKAGE).with_extension("wasm"))
}

/// The wasm for the web and the JavaScript that loads it.
fn bind(wasm: &Path, profile: Profile) -> Result<Files> {
    let release = profile == Profile::Release;
    let mut output = Bindgen::new()
        .input_path(wasm)
        .out_name(NAME)
        .web(true)?
        .omit_default_module_path(false)
        .typescript(false)
        .debug(!release)
        .keep_debug(!release)
        .remove_name_section(release)
        .remove_producers_section(release)
        .generate_output()?;
    let mut files = Files::new();
    // The one name the JavaScript knows becomes a hole like any other.
    let script = output.js().replace(&format!("{NAME}_bg.wasm"), &format!("{{{{{NAME}.wasm}}}}"));
    files.insert(format!("{NAME}.js"), script.into_bytes());
    files.insert(format!("{NAME}.wasm"), output.wasm_mut().emit_wasm());
    for (crate_, scripts) in output.snippets() {
        for (index, script) in scripts.iter().enumerate() {
            files
                .insert(format!("snippets/{crate_}/inline{index}.js"), script.clone().into_bytes());
        }
    }
    let modules = output.local_modules().iter();
    files.extend(
        modules.map(|(path, script)| (format!("snippets/{path}"), script.clone().into_bytes())),
    );
    Ok(files)
}

/// Written aside first: whoever looks at `dist/` never sees half a site.
fn write(site: &Files) -> Result<()> {
    let fresh = root().join("target/dist-fresh");
    remove(&fresh)?;
    for (path, content) in site {
        let path = fresh.join(path);
        fs::create_dir_all(path.parent().unwrap_or(&fresh))?;
        fs::write(&path, content).with_context(|| path.display().to_string())?;
    }
    remove(&dist())?;
    fs::rename(&fresh, dist()).context("dist/ could not be put in place")
}

fn remove(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    Ok(())
}
