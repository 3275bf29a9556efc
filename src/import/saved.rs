//! Studies that were saved here as JSON: no latencies, but what was meant is plain.

use serde_json::Value;

use super::Trouble;

/// Says so of a study, or of two that were compared.
pub(super) fn study(document: &Value) -> Option<Trouble> {
    let link = link_of(document).map(str::to_owned).or_else(|| compared(document))?;
    let why = "This is a study that was saved as JSON, no file of latencies.".to_owned();
    Some(Trouble { why, study: Some(link) })
}

/// The link to what was saved. Somebody says that it is a study, so that a link is enough to believe it.
pub fn saved_link(text: &str) -> Option<String> {
    let document: Value = serde_json::from_str(text).ok()?;
    let link = document.get("link").and_then(Value::as_str).map(str::to_owned);
    link.or_else(|| compared(&document))
}

fn link_of(document: &Value) -> Option<&str> {
    document.get("scenario")?.as_str()?;
    document.get("measures")?.as_array()?;
    document.get("link")?.as_str()
}

/// B, with A beside it.
fn compared(document: &Value) -> Option<String> {
    document.get("differences")?.as_array()?;
    let (a, b) = (document.get("a")?, document.get("b")?);
    // A link leaves out what is at its default: here all is said, for B may have set what A has not.
    let text = |it: &Value| it.as_str().map_or_else(|| it.to_string(), str::to_owned);
    let values = a.get("values")?.as_object()?.iter();
    let seed = a.get("seed").map(|it| ("seed", text(it)));
    let data = link_of(a)?.split('&').filter_map(|it| it.strip_prefix("data="));
    let parts = values.map(|(key, value)| (key.as_str(), text(value))).chain(seed);
    let parts = parts.chain(data.map(|it| ("data", it.to_owned())));
    let parts: String = parts.map(|(key, text)| ["&a.", key, "=", &text].concat()).collect();
    Some([link_of(b)?, "&a=same", &parts].concat())
}
