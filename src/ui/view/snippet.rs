//! What a person puts into a page of his own to have a study in it.

/// The room that sentence, figure and footer take, and that a row of two controls takes, in CSS pixels.
const FRAME_PX: usize = 500;
const ROW_PX: usize = 64;

/// An inline frame of an address, high enough for so many controls.
pub fn snippet(address: &str, title: &str, controls: usize) -> String {
    let height = FRAME_PX + ROW_PX * controls.div_ceil(2);
    format!(
        "<iframe src=\"{}\" title=\"{}\" width=\"100%\" height=\"{height}\" style=\"border: 0\" \
         loading=\"lazy\"></iframe>",
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
        let code = snippet("https://here/\"><script>#fan-out&embed=on", "Fan-out", 3);
        assert!(
            code.starts_with("<iframe src=\"https://here/&quot;>&lt;script>#fan-out&amp;embed=on\" title=\"Fan-out\" "),
            "{code}"
        );
        assert!(code.contains("height=\"628\""), "{code}");
    }
}
