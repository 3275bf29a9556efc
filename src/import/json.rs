//! What JSON formats need: a document found amid other text, and numbers by their path.

use serde_json::Value;

use super::Trouble;

/// The first document of a text; what stands before or after it is of no concern.
pub(super) fn document(text: &str) -> Result<Value, Trouble> {
    let before = start(text).ok_or_else(|| Trouble::new("There is no JSON in the file."))?;
    let mut documents = serde_json::Deserializer::from_str(&text[before..]).into_iter::<Value>();
    match documents.next() {
        Some(Ok(value)) => Ok(value),
        Some(Err(error)) => {
            let line = text[..before].matches('\n').count() + error.line();
            let what = if error.is_eof() { "more: the JSON ends too early" } else { "valid JSON" };
            Err(Trouble::new(format!(
                "Line {line}, character {}: expected {what}.",
                error.column()
            )))
        }
        None => Err(Trouble::new("There is no JSON in the file.")),
    }
}

/// Where a line starts with a brace or a bracket.
pub(super) fn start(text: &str) -> Option<usize> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let indent = line.len() - line.trim_start().len();
        if line.trim_start().starts_with(['{', '[']) {
            return Some(at + indent);
        }
        at += line.len();
    }
    None
}

/// The number at the end of a path of keys; numbers in quotes count too.
pub(super) fn at(value: &Value, path: &[&str]) -> Option<f64> {
    let found = path.iter().try_fold(value, |it, key| it.get(key))?;
    found.as_f64().or_else(|| super::number::number(found.as_str()?))
}

/// A list, or none.
pub(super) fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The pairs of an object.
pub(super) fn pairs<'a>(
    value: &'a Value,
    path: &[&str],
) -> impl Iterator<Item = (&'a str, &'a Value)> {
    let found = path.iter().try_fold(value, |it, key| it.get(key)).and_then(Value::as_object);
    found.into_iter().flatten().map(|(key, value)| (key.as_str(), value))
}
