//! Serves `dist/` on this machine only and builds it again whenever a source changes.

use crate::build::{Profile, build, dist, read_below};
use crate::http::{self, Shelf};
use crate::offline;
use crate::shell::root;
use crate::site::Files;
use anyhow::{Context as _, Result};
use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

const PORT: u16 = 8080;

/// What the page is made from.
const SOURCES: [&str; 5] = ["src", "static", "index.html", "Cargo.toml", "Cargo.lock"];

/// Returns only if the very first build fails.
pub(crate) fn serve(port: Option<u16>, profile: Profile) -> Result<()> {
    let listener = listen(port)?;
    // Looked at before building: what changes meanwhile is built next.
    let mut seen = stamps(root());
    build(profile, false)?;
    let shelf = Shelf::default();
    shelf.put(site(profile)?);
    http::serve(&listener, &shelf)?;
    println!("serving http://{}/ (stop with Ctrl-C)", listener.local_addr()?);
    loop {
        thread::sleep(Duration::from_millis(500));
        let now = stamps(root());
        if now == seen {
            continue;
        }
        println!("changed: {}", changed(&seen, &now).join(", "));
        seen = now;
        match build(profile, false).and_then(|()| site(profile)) {
            Ok(site) => {
                shelf.put(site);
                println!("reload the page to see it");
            }
            Err(problem) => {
                eprintln!("xtask: {problem:#}");
                println!("the page from before this change is still served");
            }
        }
    }
}

fn site(profile: Profile) -> Result<Files> {
    let mut site = Files::new();
    read_below(&dist(), "", &mut site)?;
    if profile == Profile::Dev {
        // Who changes the page wants to see the change, not what is kept for days without a network.
        site.insert(offline::WORKER.into(), b"self.skipWaiting();".to_vec());
    }
    Ok(site)
}

/// The port asked for, or else the usual one, or else any that is free.
fn listen(port: Option<u16>) -> Result<TcpListener> {
    let bind = |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port));
    match port {
        Some(port) => bind(port).with_context(|| format!("port {port} cannot be used")),
        None => match bind(PORT) {
            Err(problem) if problem.kind() == ErrorKind::AddrInUse => {
                println!("port {PORT} is taken: using another");
                bind(0).context("no port is free")
            }
            other => other.with_context(|| format!("port {PORT} cannot be used")),
        },
    }
}

/// When each source was written last.
fn stamps(root: &Path) -> BTreeMap<PathBuf, SystemTime> {
    fn visit(path: PathBuf, stamps: &mut BTreeMap<PathBuf, SystemTime>) {
        // A file may go while we look: then it is simply not there.
        if let Ok(entries) = fs::read_dir(&path) {
            entries.flatten().for_each(|it| visit(it.path(), stamps));
        } else if let Ok(time) = fs::metadata(&path).and_then(|it| it.modified()) {
            stamps.insert(path, time);
        }
    }
    let mut stamps = BTreeMap::new();
    for source in SOURCES {
        visit(root.join(source), &mut stamps);
    }
    stamps
}

/// The names of the files that came, went or were written.
fn changed(
    before: &BTreeMap<PathBuf, SystemTime>,
    after: &BTreeMap<PathBuf, SystemTime>,
) -> Vec<String> {
    let touched =
        after.iter().filter(|(path, time)| before.get(*path) != Some(time)).map(|(path, _)| path);
    let gone = before.keys().filter(|it| !after.contains_key(*it));
    touched
        .chain(gone)
        .filter_map(|it| Some(it.file_name()?.to_string_lossy().into_owned()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_came_went_or_was_written_is_a_change() {
        let at = |seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        let before =
            BTreeMap::from([("s/a".into(), at(1)), ("s/b".into(), at(1)), ("s/c".into(), at(1))]);
        let after =
            BTreeMap::from([("s/a".into(), at(1)), ("s/b".into(), at(0)), ("s/d".into(), at(1))]);
        assert_eq!(changed(&before, &after), ["b", "d", "c"]);
        assert!(changed(&after, &after).is_empty());
    }

    #[test]
    fn the_page_is_made_from_files_that_are_watched() {
        let seen = stamps(root());
        for path in ["src/main.rs", "static/boot.js", "index.html", "Cargo.toml", "Cargo.lock"] {
            assert!(seen.contains_key(&root().join(path)), "{path}");
        }
    }

    #[test]
    fn a_port_that_is_taken_is_said_or_replaced() {
        let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = taken.local_addr().unwrap().port();
        let problem = listen(Some(port)).unwrap_err().to_string();
        assert_eq!(problem, format!("port {port} cannot be used"));
        assert_ne!(listen(None).unwrap().local_addr().unwrap().port(), 0);
    }
}
