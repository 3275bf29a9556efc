//! How large charts are on a sheet of paper, which has everything: what words and tables leave them.

use super::Picture;
use crate::{report::Size, ui::browser};

/// All in the sheet's pixels, in which words are as large as in the charts. The width of a sheet; what a sheet of the
/// shorter kind has for charts, numbers and the table, beside sentence, captions and margins.
const WIDTH: f64 = 880.0;
const ROOM: f64 = 745.0;
/// Between two charts of a pair.
const GUTTER: f64 = 20.0;
/// A row of the table; of the readout, which has so many numbers in each; and what A's take there, and its name.
const TABLE_ROW: f64 = 17.0;
const READOUT_ROW: f64 = 62.0;
const READOUT_COLUMNS: f64 = 8.0;
const READOUT_OF_A: f64 = 28.0;
const SIDES: f64 = 25.0;
/// What is said of the warm-up.
const SETTLED: f64 = 35.0;
/// Heading and caption of a sweep, which has a chart of its own.
const SWEEP: f64 = 70.0;
/// How much higher one that has the whole width is than a pair, and how high a pair may be.
const MAIN: f64 = 1.2;
const PAIR: (f64, f64) = (145.0, 250.0);
/// And two plots, one above the other.
const TWO: f64 = 1.5;

/// Width and height.
pub(super) fn size(picture: &Picture) -> (f64, f64) {
    let pair = pair_height();
    match picture {
        Picture::Figure(it) if it.size == Size::Pair => ((WIDTH - GUTTER) / 2.0, pair),
        Picture::Figure(it) if it.lower.is_some() => (WIDTH, MAIN * TWO * pair),
        _ => (WIDTH, MAIN * pair),
    }
}

/// The room is shared among the charts that stand one below another.
fn pair_height() -> f64 {
    let count = |what| f64::from(browser::count(what));
    let (compared, swept) = (count(".sides"), count(".sweep"));
    let readout = (count(".readout dl > div") / READOUT_COLUMNS).ceil();
    let used = TABLE_ROW * count(".published tr")
        + readout * (READOUT_ROW + READOUT_OF_A * compared)
        + SIDES * compared
        + SETTLED * count(".settled")
        + SWEEP * swept;
    let tall = count("main > figure:not(.off-paper) .tall, .sweep .tall");
    let shares = 1.0 + MAIN * (1.0 + swept + (TWO - 1.0) * tall);
    ((ROOM - used) / shares).clamp(PAIR.0, PAIR.1)
}
