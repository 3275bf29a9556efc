//! Files and texts that are handed to the page: dropped anywhere on it, pasted, or picked.

use std::{cell::RefCell, rc::Rc};

use gloo_timers::callback::Timeout;
use js_sys::Array;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{Blob, ClipboardEvent, DataTransfer, DragEvent, Element, Event, File, FileList};

use super::{Listener, listen, window};

/// While something is dragged, the browser says so at least this often.
const DRAG_MS: u32 = 700;

/// Calls back with whether files are dragged over the page.
pub(in crate::ui) fn on_drag(call: impl Fn(bool) + Clone + 'static) -> Vec<Listener> {
    let Some(window) = window() else { return Vec::new() };
    let over: Rc<RefCell<Option<Timeout>>> = Rc::default();
    let dragged = move |event: Event| {
        if files_of_drag(&event).is_none() {
            return;
        }
        // Else the browser would open the file in the place of the page.
        event.prevent_default();
        let dropped = event.type_() == "drop";
        call(!dropped);
        let ends = call.clone();
        // Nothing tells reliably that a hand has left the window, except that it falls silent.
        let end = (!dropped).then(|| Timeout::new(DRAG_MS, move || ends(false)));
        *over.borrow_mut() = end;
    };
    ["dragenter", "dragover", "drop"].map(|kind| listen(&window, kind, dragged.clone())).into()
}

/// Calls back with files that were dropped, or pasted, and with the text that was pasted outside of any box.
pub(in crate::ui) fn on_given(
    files: impl Fn(Vec<File>) + Clone + 'static,
    text: impl Fn(String) + 'static,
) -> Vec<Listener> {
    let Some(window) = window() else { return Vec::new() };
    let pasted = files.clone();
    let on_drop = listen(&window, "drop", move |event| {
        if let Some(transfer) = files_of_drag(&event) {
            files(list(transfer.files()));
        }
    });
    let on_paste = listen(&window, "paste", move |event| {
        let Some(transfer) =
            event.dyn_ref::<ClipboardEvent>().and_then(ClipboardEvent::clipboard_data)
        else {
            return;
        };
        if event.target().is_some_and(|it| is_box(it.as_ref())) {
            return;
        }
        let found = list(transfer.files());
        let written = transfer.get_data("text/plain").unwrap_or_default();
        if !found.is_empty() {
            pasted(found);
        } else if !written.trim().is_empty() {
            text(written);
        }
    });
    vec![on_drop, on_paste]
}

pub(in crate::ui) fn list(files: Option<FileList>) -> Vec<File> {
    let Some(files) = files else { return Vec::new() };
    (0..files.length()).filter_map(|it| files.get(it)).collect()
}

pub(in crate::ui) fn blob_of(text: &str) -> Option<Blob> {
    Blob::new_with_str_sequence(&Array::of1(&JsValue::from_str(text))).ok()
}

fn files_of_drag(event: &Event) -> Option<DataTransfer> {
    let transfer = event.dyn_ref::<DragEvent>()?.data_transfer()?;
    transfer.types().includes(&JsValue::from_str("Files"), 0).then_some(transfer)
}

/// Whether what is pasted goes where it was pasted.
fn is_box(target: &JsValue) -> bool {
    let within = |it: &Element| it.closest("input, textarea, select").ok().flatten();
    target.dyn_ref::<Element>().and_then(within).is_some()
}
