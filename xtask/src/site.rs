//! The site as plain data: sources in, files ready to serve out.
//!
//! A **hole** `{{style.css}}` in a text file names another file. That file gets a name made from its content,
//! `style-0f3a….css`, and the hole is filled with it, so that a cached copy is never stale. Files no hole names keep
//! their names. All names are relative: the site works below any path.

use anyhow::{Context as _, Result, bail};
use std::collections::BTreeMap;

/// Path below the root of the site, with `/` between the parts, and content.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// Fills all holes; fails if one names no file, or if files name each other in a circle.
pub(crate) fn assemble(sources: &Files) -> Result<Files> {
    let mut assembly =
        Assembly { sources, named: BTreeMap::new(), open: Vec::new(), site: Files::new() };
    // First what the pages name: which files keep their names is known only afterwards.
    let filled: Files = sources
        .keys()
        .filter(|it| has_holes(it))
        .map(|path| Ok((path.clone(), assembly.fill(path)?)))
        .collect::<Result<_>>()?;
    for (path, content) in sources {
        if !assembly.named.contains_key(path) {
            assembly.site.insert(path.clone(), filled.get(path).unwrap_or(content).clone());
        }
    }
    Ok(assembly.site)
}

struct Assembly<'a> {
    sources: &'a Files,
    /// The hashed names given so far.
    named: BTreeMap<String, String>,
    /// The files whose holes are being filled, outermost first.
    open: Vec<String>,
    site: Files,
}

impl Assembly<'_> {
    /// The content of a source with its holes filled.
    fn fill(&mut self, path: &str) -> Result<Vec<u8>> {
        let content = self.sources.get(path).with_context(|| format!("there is no file {path}"))?;
        if !has_holes(path) {
            return Ok(content.clone());
        }
        if self.open.iter().any(|it| it == path) {
            bail!("{path} names itself: {} → {path}", self.open.join(" → "));
        }
        self.open.push(path.to_owned());
        let text = std::str::from_utf8(content).with_context(|| format!("{path} is not UTF-8"))?;
        let up = "../".repeat(path.matches('/').count());
        let mut filled = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, name, after)) = next_hole(rest) {
            filled += before;
            filled += &up;
            filled +=
                &self.name(name).with_context(|| format!("{path} has the hole {{{{{name}}}}}"))?;
            rest = after;
        }
        filled += rest;
        self.open.pop();
        Ok(filled.into_bytes())
    }

    /// The hashed name of a source, which then is part of the site.
    fn name(&mut self, path: &str) -> Result<String> {
        if let Some(name) = self.named.get(path) {
            return Ok(name.clone());
        }
        let content = self.fill(path)?;
        let name = hashed(path, &content);
        self.site.insert(name.clone(), content);
        self.named.insert(path.to_owned(), name.clone());
        Ok(name)
    }
}

/// Only text is searched for holes.
fn has_holes(path: &str) -> bool {
    ["html", "js", "css", "webmanifest"].iter().any(|it| path.ends_with(&format!(".{it}")))
}

/// The first hole: what stands before it, the name in it, what comes after. Other braces are left alone.
fn next_hole(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    while let Some(start) = text[from..].find("{{").map(|it| from + it) {
        if let Some((name, after)) = text[start + 2..].split_once("}}") {
            let is_path = |it: char| it.is_ascii_alphanumeric() || "-_./".contains(it);
            if !name.is_empty() && name.chars().all(is_path) {
                return Some((&text[..start], name, after));
            }
        }
        from = start + 1;
    }
    None
}

/// `fonts/sans.woff2` and its content become `fonts/sans-<16 hexadecimal digits>.woff2`.
fn hashed(path: &str, content: &[u8]) -> String {
    let hash = fnv1a(content);
    let stem = path.rfind('/').map_or(0, |it| it + 1);
    match path[stem..].rfind('.') {
        Some(dot) => format!("{}-{hash:016x}{}", &path[..stem + dot], &path[stem + dot..]),
        None => format!("{path}-{hash:016x}"),
    }
}

/// Fowler, Noll and Vo's hash: nobody attacks these names, they only have to differ.
pub(crate) fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &it| {
        (hash ^ u64::from(it)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(files: &[(&str, &str)]) -> Files {
        files.iter().map(|(path, content)| ((*path).into(), content.as_bytes().into())).collect()
    }

    fn text<'a>(site: &'a Files, path: &str) -> &'a str {
        std::str::from_utf8(&site[path]).unwrap()
    }

    #[test]
    fn hash_is_the_published_one() {
        assert_eq!(fnv1a(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn names_carry_the_hash_before_the_extension() {
        assert_eq!(hashed("style.css", b"foobar"), "style-85944171f73967e8.css");
        assert_eq!(hashed("a.b/font", b"foobar"), "a.b/font-85944171f73967e8");
        assert_eq!(
            hashed("fonts/sans.min.woff2", b"foobar"),
            "fonts/sans.min-85944171f73967e8.woff2"
        );
    }

    #[test]
    fn holes_are_filled_through_all_levels() {
        let site = assemble(&files(&[
            ("index.html", "<link href={{style.css}}><script src=./{{boot.js}}>"),
            ("style.css", "src: url({{fonts/sans.woff2}})"),
            ("boot.js", "import './{{app.js}}'"),
            ("app.js", "load('{{app.wasm}}')"),
            ("app.wasm", "{{app.js}} is no hole in a binary file"),
            ("fonts/sans.woff2", "glyphs"),
            ("icon.svg", "drawing"),
        ]))
        .unwrap();
        assert_eq!(site.len(), 7);
        assert_eq!(text(&site, "icon.svg"), "drawing");
        let named = |start: &str| site.keys().find(|it| it.starts_with(start)).unwrap().as_str();
        let style = named("style-");
        let boot = named("boot-");
        assert_eq!(text(&site, "index.html"), format!("<link href={style}><script src=./{boot}>"));
        assert_eq!(text(&site, style), format!("src: url({})", named("fonts/sans-")));
        assert_eq!(
            text(&site, boot),
            format!("import './{}'", named("app-").replace(".wasm", ".js"))
        );
        assert!(!site.contains_key("style.css"));
    }

    #[test]
    fn a_change_deep_down_changes_every_name_above() {
        let build = |font: &str| {
            assemble(&files(&[
                ("index.html", "{{a.css}}"),
                ("a.css", "{{f.woff2}}"),
                ("f.woff2", font),
            ]))
            .unwrap()
        };
        let (one, other) = (build("one"), build("other"));
        assert_eq!(
            one.keys().filter(|it| other.contains_key(*it)).collect::<Vec<_>>(),
            ["index.html"]
        );
    }

    #[test]
    fn a_file_below_reaches_up_to_its_neighbours() {
        let site = assemble(&files(&[("lessons/one/a.html", "{{x.css}}"), ("x.css", "")])).unwrap();
        assert_eq!(text(&site, "lessons/one/a.html"), "../../x-cbf29ce484222325.css");
    }

    #[test]
    fn other_braces_stay() {
        let source = "{{ spaced }} {{}} {{{a}} {{\n}} }} {{{{style.css}} {{";
        let site =
            assemble(&files(&[("index.html", source), ("style.css", ""), ("a", "")])).unwrap();
        let expected =
            "{{ spaced }} {{}} {a-cbf29ce484222325 {{\n}} }} {{style-cbf29ce484222325.css {{";
        assert_eq!(text(&site, "index.html"), expected);
    }

    #[test]
    fn a_hole_without_a_file_and_a_circle_are_errors() {
        let problem = assemble(&files(&[("index.html", "{{gone.css}}")])).unwrap_err();
        assert_eq!(
            format!("{problem:#}"),
            "index.html has the hole {{gone.css}}: there is no file gone.css"
        );
        let problem = assemble(&files(&[("a.js", "{{b.js}}"), ("b.js", "{{a.js}}")])).unwrap_err();
        assert!(
            format!("{problem:#}").ends_with("a.js names itself: a.js → b.js → a.js"),
            "{problem:#}"
        );
    }
}
