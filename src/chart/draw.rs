//! Puts a scene on any plotters backend. Backends know whole device pixels only, so everything is multiplied
//! first, and dashes are cut here: a backend's own would be counted in device pixels.

use std::convert::Infallible;

use plotters_backend::text_anchor::{HPos, Pos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
    FontFamily, FontStyle,
};

use super::marks::{Anchor, Mark, Point, Rect, Stroke, Tint, Words};
use super::palette::{Palette, Rgb, Role};
use super::{Handle, Scene, text};

/// The face of all words. A page may offer `Tail Lab Chart`, the same file limited to weights up to 600, since
/// backends know no weight between normal and bold.
pub const FAMILY: &str = "Tail Lab Chart, Tail Lab Sans, Inter, sans-serif";

/// What a backend is like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Device {
    /// Device pixels in a CSS pixel.
    k: f64,
    /// Device pixels that level and upright lines fall on.
    snap: f64,
    /// From the top anchor down to the base line, in parts of the size.
    baseline: f64,
    /// What the backend divides sizes of words by.
    divisor: f64,
}

/// Paper laid around words, to keep lines off them.
const HALO: f64 = 4.0;

type Drawn<DB> = Result<(), DrawingErrorKind<<DB as DrawingBackend>::ErrorType>>;

impl Device {
    /// plotters-canvas, with so many canvas pixels in a CSS pixel: 2 at least, as its coordinates are whole.
    /// Browsers put `top` at the ascent of the em square: 1984 / (1984 + 494) in this face.
    pub fn canvas(k: f64) -> Device {
        Device { k, snap: 1.0, baseline: 0.801, divisor: 1.0 }
    }

    /// plotters-svg, in tenths of a CSS pixel. It puts `top` .76 em above the base line, and divides sizes by 1.24.
    pub(super) fn svg() -> Device {
        Device { k: 10.0, snap: 10.0, baseline: 0.76, divisor: 1.24 }
    }

    pub(super) fn k(self) -> f64 {
        self.k
    }
}

/// Draws the scene upon its paper.
///
/// # Errors
/// Only those of the backend.
pub fn draw<DB: DrawingBackend>(
    scene: &Scene,
    backend: &mut DB,
    device: Device,
    palette: &Palette,
) -> Drawn<DB> {
    let mut pen = Pen { backend, device, palette };
    let all = Rect { left: 0.0, top: 0.0, right: scene.frame.width, bottom: scene.frame.height };
    pen.rectangle(all, Tint { role: Role::Paper, opacity: 1.0 })?;
    let handle = scene.handle.map(Handle::marks);
    for mark in scene.marks.iter().chain(handle.iter().flatten()).chain(&scene.names) {
        pen.mark(mark)?;
    }
    Ok(())
}

struct Pen<'a, DB> {
    backend: &'a mut DB,
    device: Device,
    palette: &'a Palette,
}

impl<DB: DrawingBackend> Pen<'_, DB> {
    fn mark(&mut self, mark: &Mark) -> Drawn<DB> {
        match mark {
            Mark::Line { points, stroke } => self.line(points, *stroke),
            Mark::Rule { from, to, role, width } => self.rule(*from, *to, *role, *width),
            Mark::Area { points, tint } => self.area(points, *tint),
            Mark::Rectangle { rect, tint } => self.rectangle(*rect, *tint),
            Mark::Circle { at, radius, fill, ring, ring_width } => {
                // Two discs, because a backend's circles cannot have rings of any width.
                self.disc(*at, radius + ring_width / 2.0, *ring)?;
                self.disc(*at, radius - ring_width / 2.0, *fill)
            }
            Mark::Diamond { at: (x, y), radius, fill, stroke } => {
                let corners =
                    [(*x, y - radius), (x + radius, *y), (*x, y + radius), (x - radius, *y)];
                if let Some(role) = fill {
                    self.area(&corners, Tint { role: *role, opacity: 1.0 })?;
                }
                // Beyond the first corner, so that its joint is closed.
                self.line(&[&corners[..], &corners[..2]].concat(), *stroke)
            }
            Mark::Cross { at: (x, y), radius, stroke } => {
                self.line(&[(x - radius, y - radius), (x + radius, y + radius)], *stroke)?;
                self.line(&[(x - radius, y + radius), (x + radius, y - radius)], *stroke)
            }
            Mark::Words(words) => self.words(words),
        }
    }

    fn line(&mut self, points: &[Point], stroke: Stroke) -> Drawn<DB> {
        if stroke.dashes.is_empty() {
            return self.solid(points, stroke);
        }
        for dash in dashes(points, stroke.dashes) {
            self.solid(&dash, stroke)?;
        }
        Ok(())
    }

    fn solid(&mut self, points: &[Point], stroke: Stroke) -> Drawn<DB> {
        let mut path: Vec<BackendCoord> = points.iter().map(|it| self.coord(*it)).collect();
        path.dedup();
        if path.len() < 2 {
            return Ok(());
        }
        let width = (stroke.width * self.device.k).round().max(1.0);
        let style = Style { color: self.color(stroke.role, stroke.opacity), width: width as u32 };
        self.backend.draw_path(path, &style)
    }

    /// As a filled rectangle: a stroke of one pixel would be blurred over two.
    fn rule(&mut self, from: Point, to: Point, role: Role, width: f64) -> Drawn<DB> {
        let Device { k, snap, .. } = self.device;
        let thick = ((width * k / snap).round() * snap).max(snap);
        let start = |middle: f64| ((middle * k - thick / 2.0) / snap).round() * snap;
        let (left, top) = (from.0.min(to.0), from.1.min(to.1));
        let (right, bottom) = (from.0.max(to.0), from.1.max(to.1));
        let rect = if right - left > bottom - top {
            Rect { left: left * k, top: start(top), right: right * k, bottom: start(top) + thick }
        } else {
            Rect { left: start(left), top: top * k, right: start(left) + thick, bottom: bottom * k }
        };
        self.filled(rect, Tint { role, opacity: 1.0 })
    }

    fn area(&mut self, points: &[Point], tint: Tint) -> Drawn<DB> {
        let path: Vec<BackendCoord> = points.iter().map(|it| self.coord(*it)).collect();
        let style = Style { color: self.color(tint.role, tint.opacity), width: 1 };
        self.backend.fill_polygon(path, &style)
    }

    fn rectangle(&mut self, rect: Rect, tint: Tint) -> Drawn<DB> {
        let k = self.device.k;
        let Rect { left, top, right, bottom } = rect;
        let device = Rect { left: left * k, top: top * k, right: right * k, bottom: bottom * k };
        self.filled(device, tint)
    }

    /// A rectangle in device pixels.
    fn filled(&mut self, rect: Rect, tint: Tint) -> Drawn<DB> {
        let style = Style { color: self.color(tint.role, tint.opacity), width: 1 };
        let corner = |x: f64, y: f64| (x.round() as i32, y.round() as i32);
        let (from, to) = (corner(rect.left, rect.top), corner(rect.right, rect.bottom));
        self.backend.draw_rect(from, to, &style, true)
    }

    fn disc(&mut self, at: Point, radius: f64, role: Role) -> Drawn<DB> {
        let radius = (radius * self.device.k).round().max(1.0);
        let style = Style { color: self.color(role, 1.0), width: 1 };
        self.backend.draw_circle(self.coord(at), radius as u32, &style, true)
    }

    fn words(&mut self, words: &Words) -> Drawn<DB> {
        if words.text.is_empty() {
            return Ok(());
        }
        if let Some(role) = words.halo {
            let tint = Tint { role, opacity: 1.0 };
            self.rectangle(words.bounds().grown(HALO / 2.0), tint)?;
        }
        let (x, y) = words.at;
        let top = self.coord((x, y - self.device.baseline * words.size));
        let style = TextStyle {
            color: self.color(words.role, 1.0),
            size: words.size * self.device.k * self.device.divisor,
            bold: words.bold,
            anchor: words.anchor,
        };
        self.backend.draw_text(&words.text, &style, top)
    }

    fn coord(&self, (x, y): Point) -> BackendCoord {
        ((x * self.device.k).round() as i32, (y * self.device.k).round() as i32)
    }

    fn color(&self, role: Role, alpha: f64) -> BackendColor {
        let Rgb(red, green, blue) = self.palette.color(role);
        BackendColor { alpha, rgb: (red, green, blue) }
    }
}

struct Style {
    color: BackendColor,
    width: u32,
}

impl BackendStyle for Style {
    fn color(&self) -> BackendColor {
        self.color
    }

    fn stroke_width(&self) -> u32 {
        self.width
    }
}

struct TextStyle {
    color: BackendColor,
    size: f64,
    bold: bool,
    anchor: Anchor,
}

impl BackendTextStyle for TextStyle {
    type FontError = Infallible;

    fn color(&self) -> BackendColor {
        self.color
    }

    fn size(&self) -> f64 {
        self.size
    }

    fn style(&self) -> FontStyle {
        if self.bold { FontStyle::Bold } else { FontStyle::Normal }
    }

    fn anchor(&self) -> Pos {
        let horizontal = match self.anchor {
            Anchor::Start => HPos::Left,
            Anchor::Middle => HPos::Center,
            Anchor::End => HPos::Right,
        };
        Pos::new(horizontal, VPos::Top)
    }

    fn family(&self) -> FontFamily<'_> {
        FontFamily::Name(FAMILY)
    }

    fn layout_box(&self, text: &str) -> Result<((i32, i32), (i32, i32)), Infallible> {
        let width = text::width(text, self.size, self.bold);
        Ok(((0, 0), (width.ceil() as i32, self.size.ceil() as i32)))
    }

    /// Only backends that write no words of their own would ask for their pixels; canvas and SVG write them.
    fn draw<E, DrawFunc: FnMut(i32, i32, BackendColor) -> Result<(), E>>(
        &self,
        _: &str,
        _: BackendCoord,
        _: DrawFunc,
    ) -> Result<Result<(), E>, Infallible> {
        Ok(Ok(()))
    }
}

/// The dashes of a line, by length along it.
fn dashes(points: &[Point], pattern: &[f64]) -> Vec<Vec<Point>> {
    let mut dashes = Vec::new();
    let (mut at, mut left, mut dash) = (0, pattern[0], Vec::new());
    for pair in points.windows(2) {
        let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
        let length = libm::hypot(x1 - x0, y1 - y0);
        let along = |done: f64| (x0 + (x1 - x0) * done / length, y0 + (y1 - y0) * done / length);
        let on = |at: usize| at.is_multiple_of(2);
        let mut done = 0.0;
        if on(at) && dash.is_empty() {
            dash.push(pair[0]);
        }
        while length - done > left {
            done += left;
            if on(at) {
                dash.push(along(done));
                dashes.push(std::mem::take(&mut dash));
            } else {
                dash.push(along(done));
            }
            at = (at + 1) % pattern.len();
            left = pattern[at];
        }
        left -= length - done;
        if on(at) {
            dash.push(pair[1]);
        }
    }
    if dash.len() > 1 {
        dashes.push(dash);
    }
    dashes
}
