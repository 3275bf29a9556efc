//! A scene as an SVG text: for saving, and for tests that read what was drawn.

use plotters_backend::DrawingBackend;
use plotters_svg::SVGBackend;

use super::draw::{Device, draw};
use super::palette::Palette;
use super::scene::Scene;

/// The whole document.
pub fn svg(scene: &Scene, palette: &Palette) -> String {
    let device = Device::svg();
    let (width, height) = (scene.frame.width.round(), scene.frame.height.round());
    let mut text = String::new();
    let size = ((width * device.k()) as u32, (height * device.k()) as u32);
    let mut backend = SVGBackend::with_string(&mut text, size);
    // Writing to a string cannot fail; a drawing that failed would be cut short, and be seen to be.
    let _ = draw(scene, &mut backend, device, palette).and_then(|()| backend.present());
    drop(backend);
    let body = text.split_once('\n').map_or("", |it| it.1);
    let head = format!(
        "<svg width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {} {}\" xmlns=\"http://www.w3.org/2000/svg\" \
         role=\"img\" stroke-linejoin=\"round\">",
        size.0, size.1
    );
    let body = body.replace(r#"font-weight="bold""#, r#"font-weight="600""#);
    format!("{head}\n<title>{}</title>\n{}", escaped(&scene.title), whole_sizes(&body))
}

/// The backend's division leaves sizes such as 120.00000000000001.
fn whole_sizes(body: &str) -> String {
    const SIZE: &str = "font-size=\"";
    let mut parts = body.split(SIZE);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (size, rest) = part.split_once('"').unwrap_or((part, ""));
        let whole = size.parse().map_or(0.0, f64::round);
        text += &[SIZE, &whole.to_string(), "\"", rest].concat();
    }
    text
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
