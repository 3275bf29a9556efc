//! The page as one file, which opens from a disk: script, program, style and face stand in it as text.
//!
//! A page from a disk may load nothing from beside it, so its policy admits only what it holds: the style and the
//! script that carry its nonce, data, and what it makes in memory.

use crate::site::{Files, fnv1a};
use anyhow::{Context as _, Result, bail};
use base64::{Engine as _, engine::general_purpose::STANDARD};

/// What the script that starts the page loads from beside it, and how it does without.
const IMPORT: &str = "import init, * as bindings from \"./{{tail-lab.js}}\";";
const HELD: &str = r#"let bindings;
const held = (id) => Uint8Array.from(atob(document.getElementById(id).textContent), (it) => it.charCodeAt(0));
async function init() {
  const script = new Blob([held("tail-lab.js")], { type: "text/javascript" });
  bindings = await import(URL.createObjectURL(script));
  await bindings.default({ module_or_path: held("tail-lab.wasm") });
}"#;

/// Where the policy names the page's own host, and what takes its place.
const POLICY: [(&str, &str); 6] = [
    ("script-src 'self'", "script-src 'nonce-NONCE'"),
    ("worker-src 'self' blob:", "worker-src blob:"),
    ("style-src 'self'", "style-src 'nonce-NONCE'"),
    ("img-src 'self' data:", "img-src data:"),
    ("font-src 'self'; connect-src 'self'", "font-src data:; connect-src blob:"),
    ("manifest-src 'self'; ", ""),
];

/// From the sources with their holes.
pub(crate) fn page(sources: &Files) -> Result<String> {
    if let Some(name) = sources.keys().find(|it| it.starts_with("snippets/")) {
        bail!("{name} would have to be loaded from beside the page");
    }
    let nonce = format!("{:016x}", fnv1a(&bytes(sources, "tail-lab.wasm")?));
    let style = filled(sources, "style.css", |name| data_url(sources, name))?;
    let script = swapped(&text(sources, "boot.js")?, IMPORT, HELD)?;
    let mut page = text(sources, "index.html")?;
    for (from, to) in POLICY {
        page = swapped(&page, from, &to.replace("NONCE", &nonce))?;
    }
    let mut lines = Vec::new();
    for line in page.lines() {
        let needless = ["preload", "modulepreload", "manifest"];
        if needless.iter().any(|it| line.starts_with(&format!("<link rel=\"{it}\""))) {
            continue;
        }
        if line.starts_with("<link rel=\"stylesheet\"") {
            lines.push(format!("<style nonce=\"{nonce}\">\n{style}</style>"));
        } else if line.starts_with("<script type=\"module\"") {
            for name in ["tail-lab.js", "tail-lab.wasm"] {
                let held = STANDARD.encode(bytes(sources, name)?);
                let kind = "application/octet-stream";
                lines.push(format!("<script type=\"{kind}\" id=\"{name}\">{held}</script>"));
            }
            lines.push(format!("<script type=\"module\" nonce=\"{nonce}\">\n{script}</script>"));
        } else {
            lines.push(line.to_owned());
        }
    }
    let whole = lines.join("\n") + "\n";
    let icon = "{{icon.svg}}";
    let whole = swapped(&whole, icon, &data_url(sources, "icon.svg")?)?;
    if let Some(left) = whole.lines().find(|it| it.contains("<link rel") && it.contains("{{")) {
        bail!("the page in one file would load something: {left}");
    }
    Ok(whole)
}

fn bytes(sources: &Files, name: &str) -> Result<Vec<u8>> {
    sources.get(name).cloned().with_context(|| format!("there is no file {name}"))
}

fn text(sources: &Files, name: &str) -> Result<String> {
    String::from_utf8(bytes(sources, name)?).with_context(|| format!("{name} is not UTF-8"))
}

fn swapped(text: &str, from: &str, to: &str) -> Result<String> {
    if !text.contains(from) {
        bail!("there is no `{from}` to be replaced");
    }
    Ok(text.replace(from, to))
}

/// A text with what its holes name.
fn filled(sources: &Files, name: &str, with: impl Fn(&str) -> Result<String>) -> Result<String> {
    let text = text(sources, name)?;
    let mut parts = text.split("{{");
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once("}}").context("a hole is not closed")?;
        filled += &with(name)?;
        filled += rest;
    }
    Ok(filled)
}

fn data_url(sources: &Files, name: &str) -> Result<String> {
    let kind = match name.rsplit_once('.').map_or("", |it| it.1) {
        "woff2" => "font/woff2",
        "svg" => "image/svg+xml",
        _ => bail!("{name} is of a kind that is not put into a page"),
    };
    Ok(format!("data:{kind};base64,{}", STANDARD.encode(bytes(sources, name)?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::read_below;
    use crate::shell::root;

    /// The sources as they are, with a program of three letters.
    fn sources() -> Files {
        let mut sources = Files::new();
        read_below(&root().join("static"), "", &mut sources).unwrap();
        sources.insert("index.html".into(), std::fs::read(root().join("index.html")).unwrap());
        sources.insert("tail-lab.js".into(), b"</script>".to_vec());
        sources.insert("tail-lab.wasm".into(), b"abc".to_vec());
        sources
    }

    #[test]
    fn nothing_is_left_to_load() {
        let page = page(&sources()).unwrap();
        for word in ["{{", "'self'", "href=\"manifest", " src=\"", "@import", "preload"] {
            assert!(!page.contains(word), "{word}");
        }
        assert!(page.contains("id=\"tail-lab.wasm\">YWJj</script>"));
        assert_eq!(page.matches("</script>").count(), 3, "what is held cannot end its element");
    }

    #[test]
    fn what_cannot_be_held_is_an_error() {
        let with = |name: &str, content: &str| {
            let mut sources = sources();
            sources.insert(name.into(), content.as_bytes().to_vec());
            page(&sources)
        };
        assert!(with("snippets/a/inline0.js", "").is_err());
        assert!(with("boot.js", "import \"./other.js\";").is_err());
        assert!(with("style.css", "url({{gone.woff2}})").is_err());
    }
}
