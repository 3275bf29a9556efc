//! From a scene to pixels: colours of the present theme, the right face, and the density of the screen.

use std::cell::{Cell, RefCell};

use plotters_canvas::CanvasBackend;
use wasm_bindgen::JsCast as _;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

use crate::{
    chart::{Device, LIGHT, Palette, Rgb, Scene, draw, svg},
    ui::browser,
};

/// Backends know whole pixels only: with two in each CSS pixel that is fine enough everywhere.
const DENSITY_MIN: f64 = 2.0;
/// The size of the words of axes in a scene, which a page may set larger.
const AXIS_PX: f64 = 12.0;

thread_local! {
    static PALETTE: RefCell<Option<(Palette, f64)>> = const { RefCell::new(None) };
    static PAPER: Cell<bool> = const { Cell::new(false) };
    static FONTS: Cell<bool> = const { Cell::new(false) };
}

/// The theme has changed: colours are read again.
pub(in crate::ui) fn forget_palette() {
    PALETTE.set(None);
}

/// From now on charts are drawn for paper; or for the screen again.
pub(in crate::ui) fn put_on_paper(paper: bool) {
    PAPER.set(paper);
}

/// While they are, what has been drawn is left as it is.
pub(super) fn is_on_paper() -> bool {
    PAPER.get()
}

/// Whether words can be drawn in their own face.
pub(super) fn has_fonts() -> bool {
    FONTS.get()
}

/// Calls once the faces are loaded; or not, in which case there is another that will do.
pub(in crate::ui) fn when_fonts_are_there(call: impl FnOnce() + 'static) {
    browser::load_fonts(&["400 12px \"Tail Lab Chart\"", "600 12px \"Tail Lab Chart\""], || {
        FONTS.set(true);
        call();
    });
}

/// How many scene pixels there are in a CSS pixel, turned round: more than 1 where the page is set larger.
pub(super) fn zoom() -> f64 {
    look().1
}

pub(super) fn density() -> f64 {
    browser::pixel_ratio().max(DENSITY_MIN)
}

/// Draws a scene over a whole canvas of so many pixels to one of the scene's.
pub(super) fn paint(canvas: &HtmlCanvasElement, scene: &Scene, k: f64) {
    let width = (scene.frame.width * k).round() as u32;
    let height = (scene.frame.height * k).round() as u32;
    // Setting a size clears the canvas and forgets its settings, so it is not done in vain.
    if canvas.width() != width || canvas.height() != height {
        canvas.set_width(width);
        canvas.set_height(height);
    }
    if let Some(context) = context(canvas) {
        context.set_line_join("round");
    }
    if let Some(mut backend) = CanvasBackend::with_canvas_object(canvas.clone()) {
        // A canvas that refuses a mark leaves that mark out; there is nobody to tell.
        let _ = draw(scene, &mut backend, Device::canvas(k), &look().0);
    }
}

/// The scene as a file.
pub(in crate::ui) fn svg_text(scene: &Scene) -> String {
    svg(scene, &look().0)
}

/// The scene as a picture of two pixels to one.
pub(in crate::ui) fn png(name: String, scene: &Scene) {
    if let Some(canvas) = browser::new_canvas() {
        paint(&canvas, scene, DENSITY_MIN);
        browser::download_canvas(name, &canvas);
    }
}

fn context(canvas: &HtmlCanvasElement) -> Option<CanvasRenderingContext2d> {
    canvas.get_context("2d").ok()??.dyn_into().ok()
}

/// The colours of the style sheet, and how much larger than usual it sets its words.
fn look() -> (Palette, f64) {
    if is_on_paper() {
        return (LIGHT, 1.0);
    }
    PALETTE.with_borrow_mut(|known| *known.get_or_insert_with(read_look))
}

fn read_look() -> (Palette, f64) {
    let token = browser::tokens();
    let color = |name: &str, other: Rgb| Rgb::from_hex(&token(name)).unwrap_or(other);
    let palette = Palette {
        paper: color("--paper", LIGHT.paper),
        ink: color("--ink", LIGHT.ink),
        ink_2: color("--ink-2", LIGHT.ink_2),
        ink_3: color("--ink-3", LIGHT.ink_3),
        edge: color("--edge", LIGHT.edge),
        rule: color("--rule", LIGHT.rule),
        blue: color("--blue", LIGHT.blue),
        grey: color("--grey", LIGHT.grey),
        orange: color("--orange", LIGHT.orange),
        red: color("--red", LIGHT.red),
        red_wash: color("--red-wash", LIGHT.red_wash),
        blue_wash: color("--blue-wash", LIGHT.blue_wash),
    };
    let size: Option<f64> = token("--t-axis").trim().trim_end_matches("px").parse().ok();
    let zoom = size.map_or(1.0, |it| it / AXIS_PX).clamp(0.5, 3.0);
    (palette, zoom)
}
