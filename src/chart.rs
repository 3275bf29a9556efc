//! Charts: plain data becomes marks, and marks are drawn on any plotters backend.
//!
//! [`layout()`], [`strip()`], [`film_at()`] and [`traffic_at()`] turn a report into a [`Scene`]: shapes and words in
//! CSS pixels, each with a role rather than a colour. [`draw()`] puts a scene on a backend, [`svg()`] into a text.
//! Nothing here knows a scenario, a canvas, or a page; the page asks a scene where its values are and draws the answer.

mod axis;
mod bars;
mod cell_map;
mod cells;
mod curves;
mod dots;
mod draw;
mod film;
mod grid;
mod hair;
mod labels;
mod layout;
mod marks;
mod naming;
mod palette;
mod scene;
mod sheet;
mod strip;
mod svg;
mod text;
mod traffic;

pub use draw::{Device, FAMILY, draw};
pub use film::film_at;
pub use layout::layout;
pub use marks::{Anchor, Mark, Point, Rect, Stroke, Tint, Words};
pub use palette::{DARK, LIGHT, Palette, Rgb, Role};
pub use scene::{Frame, Handle, Reading, Scene, Way};
pub use sheet::on_sheet;
pub use strip::{strip, strip_until};
pub use svg::svg;
pub use traffic::traffic_at;
