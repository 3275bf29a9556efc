//! The only place that names the window, the document, the history and the storage.
//!
//! Nothing here can fail for its caller: what a browser refuses is left undone.

mod files;
mod frame;
pub(super) mod given;

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use gloo_timers::callback::Timeout;
use js_sys::Array;
use wasm_bindgen::{JsCast as _, JsValue, closure::Closure};
use web_sys::{
    Document, Element, Event, EventTarget, HtmlElement, IntersectionObserver,
    IntersectionObserverEntry, IntersectionObserverInit, PointerEvent, ResizeObserver,
    ResizeObserverEntry, Window,
};

use super::state::{HistoryEntry, Theme};
pub(super) use files::{Unread, download_canvas, download_text, new_canvas, read_saved};
pub(super) use frame::on_dressed;

/// Browsers take it amiss when the address is written more often than a hundred times in half a minute.
const ADDRESS_MS: f64 = 350.0;
/// A new entry of the history takes a browser some 7 ms, in which nothing could be shown: first percentiles go before.
const ENTRY_MS: u32 = 100;
const THEME_KEY: &str = "tail-lab-theme";

/// Hears events of one kind until it is dropped.
pub(super) struct Listener {
    target: EventTarget,
    kind: &'static str,
    closure: Closure<dyn FnMut(Event)>,
}

/// Watches an element until it is dropped.
pub(super) struct Watch {
    observer: Observer,
    /// Called by the observer.
    _closure: Closure<dyn FnMut(Array)>,
}

enum Observer {
    Resize(ResizeObserver),
    View(IntersectionObserver),
}

/// Runs what it was last given, once, in the next frame.
#[derive(Clone, Default)]
pub(super) struct NextFrame(Rc<RefCell<Option<Call>>>);

type Call = Box<dyn FnOnce()>;

/// Writes the address, but not too often.
#[derive(Default)]
struct Address {
    written_at: f64,
    later: Option<Later>,
}

/// What is to be written when it is due.
struct Later {
    link: String,
    entry: HistoryEntry,
    _due: Timeout,
}

thread_local! {
    static ADDRESS: RefCell<Address> = RefCell::default();
}

pub(super) fn window() -> Option<Window> {
    web_sys::window()
}

pub(super) fn document() -> Option<Document> {
    window()?.document()
}

pub(super) fn root() -> Option<Element> {
    document()?.document_element()
}

/// How many elements of a kind there are on the page.
pub(super) fn count(selector: &str) -> u32 {
    document().and_then(|it| it.query_selector_all(selector).ok()).map_or(0, |it| it.length())
}

pub(super) fn now() -> f64 {
    window().and_then(|it| it.performance()).map_or(0.0, |it| it.now())
}

/// Leaves a mark on the browser's own timeline.
pub(super) fn mark(name: &str) {
    if let Some(performance) = window().and_then(|it| it.performance()) {
        let _ = performance.mark(name);
    }
}

// ---------- address ----------

/// What stands behind `#`.
pub(super) fn link() -> String {
    let hash = window().and_then(|it| it.location().hash().ok()).unwrap_or_default();
    hash.trim_start_matches('#').to_owned()
}

/// The page's own address with another link.
pub(super) fn address_of(link: &str) -> String {
    let href = window().and_then(|it| it.location().href().ok()).unwrap_or_default();
    let page = href.split('#').next().unwrap_or_default();
    format!("{page}#{link}")
}

/// Opens a link as if it had been written into the address bar.
pub(super) fn go_to(link: &str) {
    ADDRESS.with_borrow_mut(Address::catch_up);
    if let Some(window) = window() {
        let _ = window.location().set_hash(link);
    }
}

/// Whether the page stands within another one, whose history is not to grow by what is done here.
fn is_framed() -> bool {
    let Some(window) = window() else { return false };
    let parent = window.parent().ok().flatten();
    parent.is_some_and(|it| JsValue::from(it) != JsValue::from(window))
}

/// The value of `name=` in the query.
pub(super) fn query(name: &str) -> Option<String> {
    let search = window()?.location().search().ok()?;
    let mut pairs = search.trim_start_matches('?').split('&').filter_map(|it| it.split_once('='));
    pairs.find(|it| it.0 == name).map(|it| it.1.to_owned())
}

pub(super) fn write_address(link: &str, entry: HistoryEntry) {
    ADDRESS.with_borrow_mut(|it| it.write(link, entry));
}

/// Calls back with the new link whenever someone goes back, forward, or edits the address.
pub(super) fn on_navigation(mut call: impl FnMut(String) + Clone + 'static) -> Vec<Listener> {
    let Some(window) = window() else { return Vec::new() };
    let mut again = call.clone();
    // Where one has gone elsewhere, what was still to be written is not to follow.
    let forget = || ADDRESS.with_borrow_mut(|it| it.later = None);
    vec![
        listen(&window, "popstate", move |_| {
            forget();
            call(link());
        }),
        listen(&window, "hashchange", move |_| {
            forget();
            again(link());
        }),
        listen(&window, "pagehide", |_| ADDRESS.with_borrow_mut(Address::catch_up)),
    ]
}

impl Address {
    fn write(&mut self, link: &str, entry: HistoryEntry) {
        match (entry, &mut self.later) {
            (HistoryEntry::Fresh, _) => {
                // The entry that is left keeps the last link it had.
                self.catch_up();
                self.write_after(ENTRY_MS, link, HistoryEntry::Fresh);
            }
            (HistoryEntry::Same, Some(later)) if later.entry == HistoryEntry::Fresh => {
                link.clone_into(&mut later.link);
            }
            (HistoryEntry::Same, _) => {
                let rest = ADDRESS_MS - (now() - self.written_at);
                if 0.0 < rest {
                    self.write_after(rest.ceil() as u32, link, HistoryEntry::Same);
                } else {
                    self.later = None;
                    self.write_now(link, HistoryEntry::Same);
                }
            }
        }
    }

    fn write_after(&mut self, ms: u32, link: &str, entry: HistoryEntry) {
        let due = Timeout::new(ms, || ADDRESS.with_borrow_mut(Address::catch_up));
        self.later = Some(Later { link: link.to_owned(), entry, _due: due });
    }

    /// Writes what was to be written later.
    fn catch_up(&mut self) {
        if let Some(Later { link, entry, .. }) = self.later.take() {
            self.write_now(&link, entry);
        }
    }

    fn write_now(&mut self, link: &str, entry: HistoryEntry) {
        self.written_at = now();
        let Some(history) = window().and_then(|it| it.history().ok()) else { return };
        let url = format!("#{link}");
        let _ = match entry {
            HistoryEntry::Fresh if !is_framed() => {
                history.push_state_with_url(&JsValue::NULL, "", Some(&url))
            }
            _ => history.replace_state_with_url(&JsValue::NULL, "", Some(&url)),
        };
    }
}

// ---------- events and frames ----------

pub(super) fn listen(
    target: &EventTarget,
    kind: &'static str,
    call: impl FnMut(Event) + 'static,
) -> Listener {
    let closure = Closure::<dyn FnMut(Event)>::new(call);
    let _ = target.add_event_listener_with_callback(kind, closure.as_ref().unchecked_ref());
    Listener { target: target.clone(), kind, closure }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let call = self.closure.as_ref().unchecked_ref();
        let _ = self.target.remove_event_listener_with_callback(self.kind, call);
    }
}

impl NextFrame {
    /// Replaces what is still waiting for the frame.
    pub(super) fn call(&self, call: impl FnOnce() + 'static) {
        let first = self.0.replace(Some(Box::new(call))).is_none();
        if first {
            let waiting = Rc::clone(&self.0);
            on_frame(move || {
                // Taken first: what runs may want another frame.
                let call = waiting.take();
                if let Some(call) = call {
                    call();
                }
            });
        }
    }

    /// Runs it at once, unless something ran since the last frame: then in the next one.
    pub(super) fn soon(&self, call: impl FnOnce() + 'static) {
        if self.0.borrow().is_some() {
            self.call(call);
        } else {
            self.call(|| {});
            call();
        }
    }

    /// Runs what is waiting now, if anything is.
    pub(super) fn flush(&self) {
        // Something stays behind, so that the frame that is due finds nothing to do and no second one is asked for.
        let call = self.0.take();
        if let Some(call) = call {
            *self.0.borrow_mut() = Some(Box::new(|| {}));
            call();
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        match &self.observer {
            Observer::Resize(it) => it.disconnect(),
            Observer::View(it) => it.disconnect(),
        }
    }
}

/// Calls back when an element has another size, with its width and height; once at first. To ask the element itself
/// would have the browser lay out the page there and then.
pub(super) fn on_resize(
    element: &Element,
    mut call: impl FnMut(f64, f64) + 'static,
) -> Option<Watch> {
    let closure = Closure::<dyn FnMut(Array)>::new(move |entries: Array| {
        if let Ok(last) = entries.pop().dyn_into::<ResizeObserverEntry>() {
            let inside = last.content_rect();
            call(inside.width(), inside.height());
        }
    });
    let observer = ResizeObserver::new(closure.as_ref().unchecked_ref()).ok()?;
    observer.observe(element);
    Some(Watch { observer: Observer::Resize(observer), _closure: closure })
}

/// Keeps an element as high as it ever was at its width, so that what is below does not move when it has a line less;
/// until it looks otherwise, as when its face has been loaded.
pub(super) fn keep_height(element: &HtmlElement) -> (Option<Watch>, Option<Listener>) {
    let style = element.style();
    let kept = Rc::new(Cell::new((0.0, 0.0)));
    let forget = {
        let (style, kept) = (style.clone(), Rc::clone(&kept));
        move || {
            kept.set((0.0, 0.0));
            let _ = style.remove_property("min-height");
        }
    };
    forget();
    let anew = forget.clone();
    let watch = on_resize(element, move |width, height| {
        let (width_before, highest) = kept.get();
        if highest != 0.0 && width != width_before {
            // The height is told again without what was kept.
            forget();
        } else if highest < height {
            kept.set((width, height));
            let _ = style.set_property("min-height", &format!("{height}px"));
        }
    });
    (watch, on_page(LOOK, anew))
}

/// Calls back when an element comes near to what is seen of the page, or leaves it.
pub(super) fn on_view(element: &Element, mut call: impl FnMut(bool) + 'static) -> Option<Watch> {
    let closure = Closure::<dyn FnMut(Array)>::new(move |entries: Array| {
        // The last one is how it stands now.
        let last = entries.pop().dyn_into::<IntersectionObserverEntry>();
        if let Ok(last) = last {
            call(last.is_intersecting());
        }
    });
    let options = IntersectionObserverInit::new();
    options.set_root_margin("160px");
    let call = closure.as_ref().unchecked_ref();
    let observer = IntersectionObserver::new_with_options(call, &options).ok()?;
    observer.observe(element);
    Some(Watch { observer: Observer::View(observer), _closure: closure })
}

/// Keeps a pointer's events for the element that it was pressed on.
pub(super) fn capture(event: &PointerEvent) {
    if let Some(element) = event.target().and_then(|it| it.dyn_into::<Element>().ok()) {
        let _ = element.set_pointer_capture(event.pointer_id());
    }
}

pub(super) fn toggle_class(event: &Event, class: &str, on: bool) {
    if let Some(element) = event.target().and_then(|it| it.dyn_into::<Element>().ok()) {
        let _ = element.class_list().toggle_with_force(class, on);
    }
}

/// What the page says to itself: its colours or sizes have changed.
pub(super) const LOOK: &str = "tail-lab:look";

/// What the script that starts the page says to it: a newer version is ready. And what the page answers: take it.
pub(super) const NEWER: &str = "tail-lab:newer";
pub(super) const TAKE_NEWER: &str = "tail-lab:take-newer";

/// Whether that was said before anybody listened.
pub(super) fn has_newer() -> bool {
    root().is_some_and(|it| it.has_attribute("data-newer"))
}

pub(super) fn say(kind: &str) {
    if let (Some(window), Ok(event)) = (window(), Event::new(kind)) {
        let _ = window.dispatch_event(&event);
    }
}

/// Calls back for an event of the window.
pub(super) fn on_page(kind: &'static str, mut call: impl FnMut() + 'static) -> Option<Listener> {
    let window = window()?;
    Some(listen(&window, kind, move |_| call()))
}

pub(super) fn on_frame(call: impl FnOnce() + 'static) {
    if let Some(window) = window() {
        let closure = Closure::once_into_js(call);
        let _ = window.request_animation_frame(closure.unchecked_ref());
    }
}

pub(super) fn is_hidden() -> bool {
    document().is_some_and(|it| it.hidden())
}

pub(super) fn on_visibility(mut call: impl FnMut(bool) + 'static) -> Option<Listener> {
    let document = document()?;
    Some(listen(&document, "visibilitychange", move |_| call(is_hidden())))
}

/// Calls back when the system turns light or dark, or moves to a screen of another density.
pub(super) fn on_media(query: &str, mut call: impl FnMut() + 'static) -> Option<Listener> {
    let list = window()?.match_media(query).ok()??;
    Some(listen(&list, "change", move |_| call()))
}

pub(super) fn reduced_motion() -> bool {
    let list = window().and_then(|it| it.match_media("(prefers-reduced-motion: reduce)").ok());
    list.flatten().is_some_and(|it| it.matches())
}

/// Reads the style sheet's tokens as they are now.
pub(super) fn tokens() -> impl Fn(&str) -> String {
    let style = root().and_then(|root| window()?.get_computed_style(&root).ok().flatten());
    move |name| style.as_ref().and_then(|it| it.get_property_value(name).ok()).unwrap_or_default()
}

/// Calls once fonts are loaded, or cannot be.
pub(super) fn load_fonts(fonts: &[&str], then: impl FnOnce() + 'static) {
    let loads: Array = document()
        .map(|it| fonts.iter().map(|font| JsValue::from(it.fonts().load(font))).collect())
        .unwrap_or_default();
    let all = js_sys::Promise::all(&loads);
    wasm_bindgen_futures::spawn_local(async move {
        let _ = wasm_bindgen_futures::JsFuture::from(all).await;
        then();
    });
}

// ---------- machine and storage ----------

pub(super) fn cores() -> u32 {
    window().map_or(1, |it| it.navigator().hardware_concurrency() as u32)
}

pub(super) fn pixel_ratio() -> f64 {
    window().map_or(1.0, |it| it.device_pixel_ratio())
}

pub(super) fn stored_theme() -> Theme {
    let storage = window().and_then(|it| it.local_storage().ok().flatten());
    match storage.and_then(|it| it.get_item(THEME_KEY).ok().flatten()).as_deref() {
        Some("light") => Theme::Light,
        Some("dark") => Theme::Dark,
        _ => Theme::Auto,
    }
}

/// Shows a theme, and remembers it for the next visit.
pub(super) fn set_theme(theme: Theme) {
    let name = match theme {
        Theme::Auto => None,
        Theme::Light => Some("light"),
        Theme::Dark => Some("dark"),
    };
    let storage = window().and_then(|it| it.local_storage().ok().flatten());
    let root = root();
    let _ = match name {
        Some(name) => root.map(|it| it.set_attribute("data-theme", name)),
        None => root.map(|it| it.remove_attribute("data-theme")),
    };
    let _ = match name {
        Some(name) => storage.map(|it| it.set_item(THEME_KEY, name)),
        None => storage.map(|it| it.remove_item(THEME_KEY)),
    };
}

pub(super) fn set_title(title: &str) {
    if let Some(document) = document() {
        document.set_title(title);
    }
}

/// Copies a text, and tells whether that went well.
pub(super) fn copy(text: &str, told: impl FnOnce(bool) + 'static) {
    let Some(window) = window() else { return told(false) };
    let clipboard = window.navigator().clipboard();
    // There is none on pages that were not fetched safely.
    if JsValue::from(clipboard.clone()).is_undefined() {
        return told(false);
    }
    let promise = clipboard.write_text(text);
    wasm_bindgen_futures::spawn_local(async move {
        told(wasm_bindgen_futures::JsFuture::from(promise).await.is_ok());
    });
}

// ---------- focus ----------

pub(super) fn focus(id: &str) {
    let element = document().and_then(|it| it.get_element_by_id(id));
    if let Some(element) = element.and_then(|it| it.dyn_into::<HtmlElement>().ok()) {
        let _ = element.focus();
    }
}

/// Selects all that stands in a box.
pub(super) fn select(input: &yew::NodeRef) {
    if let Some(input) = input.cast::<web_sys::HtmlInputElement>() {
        let _ = input.focus();
        input.select();
    } else if let Some(area) = input.cast::<web_sys::HtmlTextAreaElement>() {
        let _ = area.focus();
        area.select();
    }
}
