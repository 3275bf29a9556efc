//! Charts as golden SVG texts. `UPDATE_EXPECT=1` writes them anew; then look at them.

use expect_test::{ExpectFile, expect_file};
use tail_lab::chart::{
    DARK, Frame, LIGHT, Mark, Palette, Point, Rect, Scene, Way, layout, on_sheet, strip,
    strip_until, svg,
};
use tail_lab::report::Figure;

use crate::figures;

const MAIN: Frame = Frame { width: 1040.0, height: 430.0, narrow: false };
const PAIR: Frame = Frame { width: 500.0, height: 330.0, narrow: false };
const SWEEP: Frame = Frame { width: 1040.0, height: 470.0, narrow: false };
const STRIP: Frame = Frame { width: 1040.0, height: 362.0, narrow: false };

fn phone(height: f64) -> Frame {
    Frame { width: 358.0, height, narrow: true }
}

#[track_caller]
fn check(scene: &Scene, palette: &Palette, expected: ExpectFile) {
    expected.assert_eq(&svg(scene, palette));
}

#[track_caller]
fn figure(figure: &Figure, frame: Frame, expected: ExpectFile) {
    check(&layout(figure, frame), &LIGHT, expected);
}

#[test]
fn the_papers_figure() {
    let it = figures::over_against_leaves();
    figure(&it, MAIN, expect_file!["../golden/over-against-leaves.svg"]);
    figure(&it, phone(330.0), expect_file!["../golden/over-against-leaves-phone.svg"]);
    check(&layout(&it, MAIN), &DARK, expect_file!["../golden/over-against-leaves-dark.svg"]);
}

#[test]
fn percentiles() {
    let it = figures::percentiles();
    figure(&it, PAIR, expect_file!["../golden/percentiles.svg"]);
    figure(&it, phone(300.0), expect_file!["../golden/percentiles-phone.svg"]);
    let scene = layout(&it, PAIR);
    let p95 = scene.pixel_of(0.95).unwrap();
    check(&scene.hovered(p95), &LIGHT, expect_file!["../golden/percentiles-hovered.svg"]);
    let compared = figures::percentiles_compared();
    figure(&compared, PAIR, expect_file!["../golden/percentiles-compared.svg"]);
}

#[test]
fn distribution() {
    let it = figures::distribution();
    figure(&it, PAIR, expect_file!["../golden/distribution.svg"]);
    figure(&it, phone(280.0), expect_file!["../golden/distribution-phone.svg"]);
}

#[test]
fn heat() {
    let it = figures::heat();
    figure(&it, MAIN, expect_file!["../golden/heat.svg"]);
    figure(&it, phone(330.0), expect_file!["../golden/heat-phone.svg"]);
    check(&layout(&it, MAIN), &DARK, expect_file!["../golden/heat-dark.svg"]);
}

#[test]
fn cells_are_read_one_by_one() {
    let it = figures::shades();
    let scene = layout(&it, MAIN);
    let start = scene.next_stop(None, Way::Up).unwrap();
    let words = |at: Point| scene.cell_words(at).unwrap();
    assert!(
        words(start).starts_with("Leaves 64, slow answers 1\u{202f}%: p99 1"),
        "{}",
        words(start)
    );
    let at = |from: Point, ways: &[Way]| {
        ways.iter().fold(from, |at, way| scene.next_stop(Some(at), *way).unwrap())
    };
    let place = |at: Point| words(at).split(':').next().unwrap().to_owned();
    for (ways, expected) in [
        (&[Way::Right][..], "Leaves 256, slow answers 1\u{202f}%"),
        (&[Way::Right, Way::Right], "Leaves 256, slow answers 1\u{202f}%"),
        (&[Way::Up], "Leaves 64, slow answers 3\u{202f}%"),
        (&[Way::Down, Way::Left], "Leaves 16, slow answers 0.3\u{202f}%"),
        (&[Way::First, Way::Bottom], "Leaves 1, slow answers 0.1\u{202f}%"),
        (&[Way::Last, Way::Top], "Leaves 256, slow answers 3\u{202f}%"),
    ] {
        assert_eq!(place(at(start, ways)), expected);
    }
    // Row by row, every cell once.
    let mut seen = Vec::new();
    for row in 0..4 {
        let first = at(start, &[&[Way::First, Way::Bottom][..], &vec![Way::Up; row]].concat());
        seen.extend((0..5).map(|it| place(at(first, &vec![Way::Right; it]))));
    }
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), 20);
    // A pointer means the cell below it, and one beside the plot none.
    let (x, y) = start;
    assert_eq!(scene.spot((x + 5.0, y - 5.0)), Some(start));
    assert_eq!(scene.spot((x, scene.plot.bottom + 20.0)), None);
    check(&scene.hovered_at(start), &LIGHT, expect_file!["../golden/shades-hovered.svg"]);
    let scene = layout(&it, phone(330.0));
    let last = scene.next_stop(scene.next_stop(None, Way::Up), Way::Last).unwrap();
    check(&scene.hovered_at(last), &DARK, expect_file!["../golden/shades-hovered-phone.svg"]);
}

#[test]
fn sweep() {
    let it = figures::sweep();
    figure(&it, SWEEP, expect_file!["../golden/sweep.svg"]);
    figure(&it, phone(400.0), expect_file!["../golden/sweep-phone.svg"]);
}

#[test]
fn one_request() {
    let it = figures::one_slow_call(100);
    check(&strip(&it, 1000.0, STRIP), &LIGHT, expect_file!["../golden/strip.svg"]);
    check(&strip(&it, 1000.0, phone(262.0)), &LIGHT, expect_file!["../golden/strip-phone.svg"]);
    check(
        &strip_until(&it, 1000.0, 12.0, STRIP),
        &LIGHT,
        expect_file!["../golden/strip-at-12.svg"],
    );
    let it = figures::one_hedged_call();
    check(&strip(&it, 1000.0, STRIP), &LIGHT, expect_file!["../golden/strip-hedged.svg"]);
    let it = figures::tied_calls();
    check(&strip(&it, 20.0, STRIP), &DARK, expect_file!["../golden/strip-tied.svg"]);
    let it = figures::one_slow_call(2000);
    check(&strip(&it, 1000.0, STRIP), &LIGHT, expect_file!["../golden/strip-2000.svg"]);
}

/// In a file nobody can drag anything.
#[test]
fn a_file_has_no_handle() {
    let discs = |scene: &Scene| svg(scene, &LIGHT).matches("<circle").count();
    let scene = layout(&figures::over_against_leaves(), MAIN);
    assert!(scene.handle.is_some());
    let mut still = scene.clone();
    still.handle = None;
    assert_eq!(discs(&scene), discs(&still) + 2, "its ring and its paper");
    assert_eq!(discs(&on_sheet(&scene, "What it shows", "In words.")), discs(&still));
}

#[test]
fn a_file_tells_what_it_shows() {
    let caption = "Enough words for a second line, and for a third one. ".repeat(4);
    let bare = layout(&figures::percentiles(), PAIR);
    let scene = on_sheet(&bare, "What the percentiles say", &caption);
    check(&scene, &LIGHT, expect_file!["../golden/percentiles-file.svg"]);
    let Frame { width, height, .. } = scene.frame;
    let sheet = Rect { left: 0.0, top: 0.0, right: width, bottom: height }.grown(-16.0);
    let words = scene.marks.iter().chain(&scene.names).filter_map(|it| match it {
        Mark::Words(words) => Some(words),
        _ => None,
    });
    let words: Vec<_> = words.collect();
    assert!(words.iter().all(|it| sheet.encloses(&it.bounds())));
    let plot = |it: &Scene| (it.plot.width(), it.plot.height());
    assert_eq!(plot(&scene), plot(&bare), "the chart is as large as before");
    let told: Vec<&str> = words[1..].iter().map(|it| it.text.as_str()).take(3).collect();
    assert!(caption.starts_with(&told.join(" ")), "{told:?}");
}
