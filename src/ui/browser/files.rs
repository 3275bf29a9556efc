//! Files: what is saved, and what is read.

use gloo_timers::callback::Timeout;
use js_sys::Array;
use wasm_bindgen::{JsCast as _, JsValue, closure::Closure};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, BlobPropertyBag, File, HtmlAnchorElement, HtmlCanvasElement, Url};

use super::document;
use crate::import::saved_link;

/// Why a file gave no study.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ui) enum Unread {
    TooLarge,
    Unreadable,
    NotSaved,
}

/// A study takes some kilobytes.
const BYTES_MAX: f64 = 1e6;
/// Links are shorter by far.
const LINK_MAX: usize = 16 * 1024;

/// The link in a file that was saved as JSON.
pub(in crate::ui) async fn read_saved(file: File) -> Result<String, Unread> {
    if BYTES_MAX < file.size() {
        return Err(Unread::TooLarge);
    }
    let text = JsFuture::from(file.text()).await.map_err(|_| Unread::Unreadable)?;
    let text = text.as_string().ok_or(Unread::Unreadable)?;
    let link = saved_link(&text);
    link.filter(|it| !it.is_empty() && it.len() <= LINK_MAX).ok_or(Unread::NotSaved)
}

pub(in crate::ui) fn download_text(name: &str, kind: &str, text: &str) {
    let parts = Array::of1(&JsValue::from_str(text));
    let options = BlobPropertyBag::new();
    options.set_type(kind);
    if let Ok(blob) = Blob::new_with_str_sequence_and_options(&parts, &options) {
        download(name, &blob);
    }
}

/// Saves what a canvas shows.
pub(in crate::ui) fn download_canvas(name: String, canvas: &HtmlCanvasElement) {
    let save = Closure::once_into_js(move |blob: JsValue| {
        if let Ok(blob) = blob.dyn_into::<Blob>() {
            download(&name, &blob);
        }
    });
    let _ = canvas.to_blob(save.unchecked_ref());
}

pub(in crate::ui) fn new_canvas() -> Option<HtmlCanvasElement> {
    document()?.create_element("canvas").ok()?.dyn_into().ok()
}

fn download(name: &str, blob: &Blob) {
    let Ok(url) = Url::create_object_url_with_blob(blob) else { return };
    let anchor = document()
        .and_then(|it| it.create_element("a").ok())
        .and_then(|it| it.dyn_into::<HtmlAnchorElement>().ok());
    if let Some(anchor) = anchor {
        anchor.set_href(&url);
        anchor.set_download(name);
        anchor.click();
    }
    // The browser has its own hold on the bytes once the download has begun.
    Timeout::new(10_000, move || {
        let _ = Url::revoke_object_url(&url);
    })
    .forget();
}
