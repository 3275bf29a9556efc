//! A frame within the page, with a document of the page's own making.

use web_sys::{Element, HtmlIFrameElement};
use yew::NodeRef;

use super::{Listener, document, listen};

/// Calls back when the frame's document is there, with its body, which has been given the page's style.
pub(in crate::ui) fn on_dressed(
    frame: &NodeRef,
    mut call: impl FnMut(Element) + 'static,
) -> Option<Listener> {
    let frame = frame.cast::<HtmlIFrameElement>()?;
    let within = frame.clone();
    Some(listen(&frame, "load", move |_| dressed(&within).into_iter().for_each(&mut call)))
}

fn dressed(frame: &HtmlIFrameElement) -> Option<Element> {
    let inside = frame.content_document()?;
    let head = inside.query_selector("head").ok()??;
    let sheets = document()?.query_selector_all("link[rel=stylesheet], style").ok()?;
    for sheet in (0..sheets.length()).filter_map(|it| sheets.get(it)) {
        let copy = inside.import_node_with_deep(&sheet, true).ok()?;
        head.append_child(&copy).ok()?;
    }
    Some(inside.body()?.into())
}
