//! The words of the page, in one table: `src/ui/strings/en.txt`, a line `key = text` each.
//!
//! `{name}` in a text is a hole. What scenarios say of themselves stands with them.

use std::sync::OnceLock;

const ENGLISH: &str = include_str!("strings/en.txt");

/// The text of a key. A key without one, which a test rules out, shows itself.
pub fn text(key: &'static str) -> &'static str {
    static TABLE: OnceLock<Vec<(&'static str, &'static str)>> = OnceLock::new();
    let table = TABLE.get_or_init(|| lines(ENGLISH).collect());
    table.iter().find(|it| it.0 == key).map_or(key, |it| it.1)
}

/// The text of a key with its holes filled.
pub fn fill(key: &'static str, holes: &[(&str, &str)]) -> String {
    holes.iter().fold(text(key).to_owned(), |text, (name, value)| {
        text.replace(&format!("{{{name}}}"), value)
    })
}

/// Keys and texts; empty lines and those that start with `#` are passed over.
pub fn lines(table: &str) -> impl Iterator<Item = (&str, &str)> {
    table.lines().filter(|it| !it.starts_with('#')).filter_map(|it| it.split_once(" = "))
}

/// The table as it is written.
pub fn english() -> &'static str {
    ENGLISH
}
