//! What a person puts into a page of his own to have a study in it.

/// How high a frame is to be so that nothing in it scrolls, in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heights {
    /// Where two controls stand side by side. What is more than enough at a width becomes the chart's.
    pub wide: u32,
    /// On a phone.
    pub narrow: u32,
}

/// The room that sentence, figure and footer take, and that a row of controls takes, in CSS pixels.
const FRAME_PX: u32 = 500;
const ROW_PX: u32 = 64;
/// Below this width of the window the frame of a phone is taken, which is the higher one. Frames narrower than 480 have
/// one control a row, and a page has its margins.
const PHONE_PX: u32 = 560;

impl Heights {
    /// Until it is measured.
    pub fn guess(controls: usize) -> Heights {
        let rows = controls as u32;
        Heights { wide: FRAME_PX + ROW_PX * rows.div_ceil(2), narrow: FRAME_PX + ROW_PX * rows }
    }
}

/// An inline frame of an address. Its height depends on the window's width: where that is below a bound, the middle of
/// `clamp` is far above the higher end, else far below the lower one.
pub fn snippet(address: &str, title: &str, Heights { wide, narrow }: Heights) -> String {
    let narrow = narrow.max(wide);
    format!(
        "<iframe src=\"{}\" title=\"{}\" width=\"100%\" height=\"{wide}\" style=\"border: 0; \
         height: clamp({wide}px, ({PHONE_PX}px - 100vw) * 9999, {narrow}px)\" loading=\"lazy\"></iframe>",
        escaped(address),
        escaped(title)
    )
}

/// As the value of an attribute.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_cannot_leave_its_attribute() {
        let code =
            snippet("https://here/\"><script>#fan-out&embed=on", "Fan-out", Heights::guess(3));
        assert!(
            code.starts_with("<iframe src=\"https://here/&quot;>&lt;script>#fan-out&amp;embed=on\" title=\"Fan-out\" "),
            "{code}"
        );
        assert!(code.contains("height=\"628\""), "{code}");
    }
}
