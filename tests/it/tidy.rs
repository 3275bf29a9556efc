//! What a compiler does not check: which module may know which, how long a line, a function or a file may be, and
//! what must not be in the sources at all.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// A module and those it may name. Anything else is an arrow pointing up.
const ARROWS: &[(&str, &[&str])] = &[
    ("special", &[]),
    ("report", &[]),
    ("measured", &["special"]),
    ("schema", &["measured", "special"]),
    ("sim", &["measured", "special"]),
    ("theory", &["measured", "special"]),
    ("format", &["report", "schema", "special"]),
    ("import", &["format", "measured", "report", "sim", "special"]),
    (
        "scenario",
        &[
            "choices", "params", "format", "measured", "report", "schema", "sim", "special",
            "theory",
        ],
    ),
    ("study", &["format", "measured", "report", "scenario", "schema", "sim", "special"]),
    ("chart", &["format", "report", "special"]),
    ("worker", &["import", "report", "scenario", "sim", "study"]),
];

#[test]
fn arrows_point_down() {
    for (path, text) in sources("src") {
        let module = module_of(&path);
        let Some((_, known)) = ARROWS.iter().find(|(name, _)| *name == module) else { continue };
        for name in crate_names(&text).into_iter().filter(|_| !is_test(&path)) {
            assert!(
                name == module || known.contains(&name.as_str()),
                "{} may not use {name}",
                path.display()
            );
        }
    }
}

/// The modules named in `use crate::..` and in paths, tests aside.
fn crate_names(text: &str) -> Vec<String> {
    let text = text.split("#[cfg(test)]").next().unwrap_or_default();
    let mut names = Vec::new();
    for tail in text.split("crate::").skip(1) {
        if let Some(list) = tail.strip_prefix('{') {
            names.extend(top_level_names(list));
        } else {
            names.push(tail.chars().take_while(|it| it.is_alphanumeric() || *it == '_').collect());
        }
    }
    names
}

/// `a, b::{c, d}, e}` gives a, b, e.
fn top_level_names(list: &str) -> Vec<String> {
    let (mut depth, mut names, mut name) = (0, Vec::new(), Some(String::new()));
    for it in list.chars() {
        match it {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => name = Some(String::new()),
            ':' if depth == 0 => names.extend(name.take()),
            _ if depth == 0 && !it.is_whitespace() => {
                if let Some(name) = &mut name {
                    name.push(it);
                }
            }
            _ => (),
        }
    }
    names.extend(name);
    names.retain(|it| !it.is_empty());
    names
}

#[test]
fn only_ui_and_worker_know_the_browser() {
    for (path, text) in sources("src") {
        if !["ui", "worker", "main"].contains(&module_of(&path).as_str()) {
            for word in ["web_sys", "js_sys", "wasm_bindgen", "gloo"] {
                assert!(!text.contains(word), "{} names {word}", path.display());
            }
        }
    }
}

#[test]
fn scenarios_are_named_nowhere_else() {
    let keys: Vec<&str> = tail_lab::scenario::SCENARIOS.iter().map(|it| it.key).collect();
    for (path, text) in sources("src") {
        if ["ui", "worker", "chart"].contains(&module_of(&path).as_str()) {
            let text = text.split("#[cfg(test)]").next().unwrap_or_default();
            for key in &keys {
                let quoted = format!("\"{key}\"");
                assert!(!text.contains(&quoted), "{} names {key}", path.display());
            }
        }
    }
}

#[test]
fn the_kernel_has_no_clock_and_no_entropy() {
    for (path, text) in sources("src") {
        if ["sim", "theory", "scenario", "special"].contains(&module_of(&path).as_str()) {
            for word in [
                "std::time",
                "SystemTime",
                "HashMap",
                "HashSet",
                "SmallRng",
                "thread_rng",
                "getrandom",
            ] {
                assert!(!text.contains(word), "{} names {word}", path.display());
            }
        }
    }
}

#[test]
fn lines_and_files_fit() {
    for (path, text) in ["src", "tests/it", "benches"].iter().flat_map(|it| sources(it)) {
        for (at, line) in text.lines().enumerate() {
            assert!(line.chars().count() <= 120, "{}:{} is too long", path.display(), at + 1);
        }
        assert!(text.lines().count() <= 500, "{} is too long", path.display());
        assert!(text.starts_with("//!"), "{} does not say what it is for", path.display());
    }
}

#[test]
fn functions_fit() {
    for (path, text) in ["src", "xtask/src"].iter().flat_map(|it| sources(it)) {
        let lines: Vec<&str> = text.lines().collect();
        for (start, line) in lines.iter().enumerate() {
            let indent = line.len() - line.trim_start().len();
            let opens = line.trim_start().contains("fn ") && line.ends_with('{');
            if !opens || line.trim_start().starts_with("//") {
                continue;
            }
            let close = format!("{}}}", " ".repeat(indent));
            let length = lines[start..].iter().position(|it| **it == close).unwrap_or(0);
            assert!(
                length <= 75,
                "{}:{} is a function of {length} lines",
                path.display(),
                start + 1
            );
        }
    }
}

fn module_of(path: &Path) -> String {
    let below = path.strip_prefix("src").unwrap_or(path).iter().next().unwrap();
    Path::new(below).file_stem().unwrap().to_str().unwrap().to_owned()
}

/// Files of tests alone may know more.
fn is_test(path: &Path) -> bool {
    path.file_stem().is_some_and(|it| it == "tests")
}

pub(crate) fn sources(root: &str) -> Vec<(PathBuf, String)> {
    let (mut found, mut folders) = (Vec::new(), vec![PathBuf::from(root)]);
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(folder) else { continue };
        for entry in entries {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                found.push((path, text));
            }
        }
    }
    found
}
