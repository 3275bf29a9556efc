//! How wide words are, so that labels can be placed without a browser.

/// Advance widths of `Tail Lab Sans` in thousandths of the size, from the space to the tilde: regular, semibold.
/// Digits are tabular.
const REGULAR: [u16; 95] = [
    281, 288, 466, 633, 642, 982, 644, 300, 365, 365, 501, 662, 288, 460, 288, 360, 648, 648, 648,
    648, 648, 648, 648, 648, 648, 648, 288, 302, 662, 662, 662, 511, 966, 690, 654, 730, 722, 601,
    590, 746, 743, 269, 571, 672, 565, 903, 753, 765, 639, 765, 644, 642, 646, 744, 690, 985, 682,
    679, 629, 365, 360, 365, 471, 456, 323, 562, 612, 571, 612, 583, 370, 613, 591, 242, 242, 549,
    242, 876, 591, 600, 612, 612, 376, 528, 327, 591, 562, 818, 546, 562, 552, 426, 333, 426, 662,
];
const BOLD: [u16; 95] = [
    251, 321, 523, 644, 650, 1004, 663, 326, 373, 373, 540, 673, 319, 465, 319, 379, 647, 647, 647,
    647, 647, 647, 647, 647, 647, 647, 319, 329, 673, 673, 673, 543, 1000, 728, 659, 737, 722, 605,
    588, 749, 746, 277, 580, 704, 565, 922, 759, 769, 645, 773, 652, 650, 660, 736, 728, 1020, 720,
    713, 652, 373, 379, 373, 481, 469, 351, 574, 625, 583, 625, 591, 389, 625, 612, 261, 261, 570,
    261, 900, 612, 609, 625, 625, 397, 549, 353, 612, 587, 839, 569, 589, 566, 455, 358, 455, 673,
];

/// Above the base line and below it, in parts of the size: what a line of capitals and descenders covers.
pub(super) const ASCENT: f64 = 0.78;
pub(super) const DESCENT: f64 = 0.22;

/// The width of a line of words in the unit of `size`.
pub(super) fn width(text: &str, size: f64, bold: bool) -> f64 {
    let table = if bold { &BOLD } else { &REGULAR };
    let advance = |it: char| {
        let code = it as usize;
        match it {
            ' '..='~' => table[code - 32],
            '\u{202f}' => 182,
            '·' | '’' | '‘' => 300,
            '–' | '“' | '”' => 500,
            '±' | '−' | '×' | '÷' => 670,
            // Writing that has no narrow letters: Japanese, symbols.
            '\u{2e80}'.. => 1000,
            _ => 700,
        }
    };
    let sum: u64 = text.chars().map(|it| u64::from(advance(it))).sum();
    sum as f64 / 1000.0 * size
}

/// As much of the words as there is room for; cut words end in `…`.
pub(super) fn fitted(text: &str, size: f64, bold: bool, room: f64) -> String {
    if width(text, size, bold) <= room {
        return text.to_owned();
    }
    let mut kept = String::new();
    for it in text.chars() {
        kept.push(it);
        if width(&kept, size, bold) + 0.9 * size > room {
            kept.pop();
            break;
        }
    }
    if kept.is_empty() { kept } else { kept.trim_end().to_owned() + "…" }
}
