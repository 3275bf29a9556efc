//! What the service worker has to know of the site: its files, and which version they are.

use crate::site::{Files, fnv1a};
use anyhow::{Context as _, Result, bail};

/// The worker keeps this name, since browsers know it by its address.
pub(crate) const WORKER: &str = "service-worker.js";

const VERSION: &str = "const VERSION = \"\";";
const FILES: &str = "const FILES = [];";

/// Fills in both.
pub(crate) fn fill(site: &mut Files) -> Result<()> {
    let worker = site.get(WORKER).with_context(|| format!("there is no {WORKER}"))?;
    let text = std::str::from_utf8(worker).with_context(|| format!("{WORKER} is not UTF-8"))?;
    if !text.contains(VERSION) || !text.contains(FILES) {
        bail!("{WORKER} has no place for the version or for the files");
    }
    // The page is asked for by the folder's name.
    let names: Vec<&str> = site.keys().map(String::as_str).filter(|it| *it != WORKER).collect();
    let names: Vec<&str> =
        names.into_iter().map(|it| if it == "index.html" { "./" } else { it }).collect();
    // The worker's own text is part of it, so that a change of the worker alone is a version too.
    let all = site.iter().flat_map(|(name, content)| name.bytes().chain(content.iter().copied()));
    let version = fnv1a(&all.collect::<Vec<u8>>());
    let filled = text
        .replace(VERSION, &format!("const VERSION = \"{version:016x}\";"))
        .replace(FILES, &format!("const FILES = {};", serde_json::to_string(&names)?));
    site.insert(WORKER.into(), filled.into_bytes());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(page: &str, worker: &str) -> Files {
        [("index.html", page), ("a-1.js", "run"), (WORKER, worker)]
            .map(|(name, content)| (name.to_owned(), content.as_bytes().to_vec()))
            .into()
    }

    fn filled(page: &str) -> String {
        let mut site = site(page, &format!("{VERSION}\n{FILES}\n"));
        fill(&mut site).unwrap();
        String::from_utf8(site[WORKER].clone()).unwrap()
    }

    #[test]
    fn all_files_are_listed_but_the_worker_itself() {
        assert!(filled("page").ends_with("const FILES = [\"a-1.js\",\"./\"];\n"));
    }

    #[test]
    fn another_content_is_another_version() {
        assert_eq!(filled("page"), filled("page"));
        assert_ne!(filled("page").lines().next(), filled("other").lines().next());
    }

    #[test]
    fn a_worker_without_places_is_an_error() {
        assert!(fill(&mut site("page", VERSION)).is_err());
        assert!(fill(&mut Files::new()).is_err());
    }
}
