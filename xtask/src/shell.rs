//! Running other programs, and finding them.

use anyhow::{Context as _, Result, bail};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The checkout this tool was built from.
pub(crate) fn root() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package)
}

/// The very cargo that runs this tool, in the checkout.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// A program named by path or looked up on `PATH`, in the checkout.
pub(crate) fn program(name: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(name);
    command.current_dir(root());
    command
}

/// Runs to the end, its output shown as it comes.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("`{}` did not start", line(command)))?;
    if !status.success() {
        bail!("`{}` failed ({status})", line(command));
    }
    Ok(())
}

/// What a program writes, or nothing if it is not there or fails.
pub(crate) fn output(command: &mut Command) -> Option<String> {
    let output = command.stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// What a program writes, for those that must succeed; its complaints are shown as they come.
pub(crate) fn shown(command: &mut Command) -> Result<String> {
    let output = command.stderr(Stdio::inherit()).output();
    let output = output.with_context(|| format!("`{}` did not start", line(command)))?;
    if !output.status.success() {
        bail!("`{}` failed ({})", line(command), output.status);
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Where `name` lies on `PATH`.
pub(crate) fn find(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|it| it.join(name)).find(|it| it.is_file())
}

/// The command as a person would type it.
fn line(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let words = program.file_name().into_iter().chain(command.get_args());
    words.map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_names_the_command() {
        let problem = run(program("false").arg("--word")).unwrap_err().to_string();
        assert!(problem.starts_with("`false --word` failed"), "{problem}");
        let problem = run(&mut program("no-such-program")).unwrap_err().to_string();
        assert_eq!(problem, "`no-such-program` did not start");
    }

    #[test]
    fn programs_are_found_on_the_path() {
        assert!(find("sh").is_some_and(|it| it.is_absolute()));
        assert_eq!(find("no-such-program"), None);
        assert_eq!(output(program("echo").arg("word")), Some("word".into()));
        assert_eq!(output(&mut program("false")), None);
    }
}
