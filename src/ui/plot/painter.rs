//! The life of one canvas: what it shows, whether anybody sees it, and where it is being read.

use std::{
    cell::{Cell, RefCell},
    collections::VecDeque,
    rc::Rc,
};

use gloo_timers::callback::Timeout;
use web_sys::HtmlCanvasElement;

use super::{
    Picture,
    paint::{density, has_fonts, is_on_paper, paint, put_on_paper, zoom},
    paper,
};
use crate::{
    chart::{Frame, Handle, Scene, Way, film_at, layout, strip, strip_until, traffic_at},
    format,
    report::{Footage, Quantity, Replay, Size},
    ui::browser::{self, Listener, NextFrame, Watch},
};

/// A canvas and its scene, shared by all that happens to it.
#[derive(Clone, Default)]
pub(super) struct Painter(Rc<RefCell<Inner>>);

#[derive(Default)]
struct Inner {
    canvas: Option<HtmlCanvasElement>,
    /// Its size in CSS pixels.
    size: (f64, f64),
    picture: Option<Picture>,
    /// Laid out; nothing from a change of the picture until somebody asks for it: `Inner::scene`.
    scene: Option<Rc<Scene>>,
    in_view: bool,
    queued: bool,
    /// Where the cross-hair is, in the scene's pixels.
    hover: Option<(f64, f64)>,
    dragging: bool,
    /// Where a pointer went down, in CSS pixels.
    pressed: Option<(f64, f64)>,
    playing: Option<Playing>,
    frame: NextFrame,
    watches: Vec<Watch>,
    listeners: Vec<Listener>,
}

/// A strip that is being played.
#[derive(Clone, Copy)]
struct Playing {
    /// How long it has been seen, in milliseconds of the onlooker.
    seen_ms: f64,
    /// When the last frame was drawn.
    at: f64,
}

/// A chart narrower than this takes the short forms.
const NARROW: f64 = 480.0;
/// A pointer that moves no further than this stays in its place, in CSS pixels.
const STILL: f64 = 6.0;
/// How long a replay lasts, up to the last quick answer and from there to the end.
const PLAY_MS: (f64, f64) = (2_500.0, 2_500.0);

/// Charts wait this long, in milliseconds, for answers that would have them drawn anew; and not again so soon after,
/// lest they never follow a key that is held down.
const WAIT_MS: f64 = 60.0;
const WAIT_AGAIN_MS: f64 = 600.0;

thread_local! {
    static QUEUE: RefCell<VecDeque<Painter>> = const { RefCell::new(VecDeque::new()) };
    static FRAME: NextFrame = NextFrame::default();
    /// Until when charts wait.
    static WAIT: Cell<f64> = const { Cell::new(0.0) };
}

/// Something new was asked: until its first answers are there, the page has better to do than to draw charts that they
/// will change.
pub(in crate::ui) fn wait_for_answers() {
    let now = browser::now();
    if WAIT.get() + WAIT_AGAIN_MS < now {
        WAIT.set(now + WAIT_MS);
    }
}

/// Charts wait no longer.
pub(in crate::ui) fn answers_are_there() {
    let now = browser::now();
    if now < WAIT.get() {
        WAIT.set(now);
    }
}

impl Painter {
    /// Takes a canvas: from now on it is drawn whenever it is in view and something has changed.
    pub(super) fn attach(&self, canvas: HtmlCanvasElement) {
        let resized = self.clone();
        let seen = self.clone();
        let turned = self.clone();
        let watches = [
            browser::on_resize(&canvas, move |width, height| resized.resize((width, height))),
            browser::on_view(&canvas, move |in_view| seen.see(in_view)),
        ];
        let printed = self.clone();
        let listeners = [
            browser::on_page(browser::LOOK, move || turned.renew()),
            browser::on_page("beforeprint", move || printed.print()),
        ];
        let mut inner = self.0.borrow_mut();
        inner.watches = watches.into_iter().flatten().collect();
        inner.listeners = listeners.into_iter().flatten().collect();
        inner.canvas = Some(canvas);
    }

    pub(super) fn detach(&self) {
        *self.0.borrow_mut() = Inner::default();
    }

    pub(super) fn show(&self, picture: Picture) {
        let mut inner = self.0.borrow_mut();
        inner.picture = Some(picture);
        inner.playing = None;
        drop(inner);
        self.renew();
    }

    /// Lays out again, when it is next drawn.
    fn renew(&self) {
        self.0.borrow_mut().scene = None;
        self.queue();
    }

    fn resize(&self, size: (f64, f64)) {
        let mut inner = self.0.borrow_mut();
        // What is seen on paper has a size of its own.
        if !is_on_paper() {
            inner.size = size;
            drop(inner);
            self.renew();
        }
    }

    fn see(&self, in_view: bool) {
        let newly = !std::mem::replace(&mut self.0.borrow_mut().in_view, in_view);
        if newly && in_view {
            self.queue();
        }
    }

    /// On paper everything is seen, in a size of its own and on white.
    fn print(&self) {
        put_on_paper(true);
        let (seen, size) = {
            let mut inner = self.0.borrow_mut();
            inner.scene = None;
            let on_paper = inner.picture.as_ref().map_or(inner.size, paper::size);
            let seen = std::mem::replace(&mut inner.in_view, true);
            (seen, std::mem::replace(&mut inner.size, on_paper))
        };
        self.draw();
        let mut inner = self.0.borrow_mut();
        (inner.in_view, inner.size, inner.scene) = (seen, size, None);
    }

    pub(super) fn frame(&self) -> NextFrame {
        self.0.borrow().frame.clone()
    }

    pub(super) fn drags(&self) -> bool {
        self.0.borrow().dragging
    }

    pub(super) fn drag(&self, dragging: bool) {
        let mut inner = self.0.borrow_mut();
        inner.dragging = dragging;
        inner.hover = None;
        drop(inner);
        self.queue();
    }

    /// Puts the cross-hair at a place in CSS pixels, or takes it away.
    pub(super) fn hover(&self, place: Option<(f64, f64)>) {
        let place = place.map(|(x, y)| (x / zoom(), y / zoom()));
        let hover = place.and_then(|it| self.0.borrow_mut().scene()?.spot(it));
        self.put_hair(hover);
    }

    fn put_hair(&self, hover: Option<(f64, f64)>) {
        let changed = std::mem::replace(&mut self.0.borrow_mut().hover, hover) != hover;
        if changed {
            self.queue();
        }
    }

    /// The handle that can be taken at a CSS pixel.
    pub(super) fn handle_at(&self, (x, y): (f64, f64), reach: f64) -> Option<Handle> {
        let handle = self.0.borrow_mut().scene()?.handle?;
        let (x, y) = (x / zoom(), y / zoom());
        ((handle.x - x).abs() <= reach && (handle.y - y).abs() <= reach).then_some(handle)
    }

    /// The handle's parameter, and its value at a CSS pixel.
    pub(super) fn handle_value(&self, x: f64) -> Option<(&'static str, f64)> {
        let scene = self.0.borrow_mut().scene()?;
        Some((scene.handle?.key, scene.x_at(x / zoom())?))
    }

    pub(super) fn press(&self, place: (f64, f64)) {
        self.0.borrow_mut().pressed = Some(place);
    }

    /// Where in the plot a pointer was pressed and let go: the value across, and how far up. One that moved meanwhile
    /// was reading.
    pub(super) fn chosen(&self, (x, y): (f64, f64)) -> Option<(f64, f64)> {
        let mut inner = self.0.borrow_mut();
        let from = inner.pressed.take()?;
        if STILL < (from.0 - x).abs().max((from.1 - y).abs()) {
            return None;
        }
        let scene = inner.scene()?;
        let (x, y) = (x / zoom(), y / zoom());
        let inside = scene.plot.holds((x, y));
        inside.then(|| place_of(&scene, (x, y))).flatten()
    }

    /// The value across at the cross-hair, and how far up it is.
    pub(super) fn hovered(&self) -> Option<(f64, f64)> {
        let mut inner = self.0.borrow_mut();
        let hover = inner.hover?;
        place_of(&*inner.scene()?, hover)
    }

    /// Moves the cross-hair by a key; what it then says, if that key moves it.
    pub(super) fn key(&self, key: &str) -> Option<String> {
        let (scene, hover) = {
            let mut inner = self.0.borrow_mut();
            (inner.scene()?, inner.hover)
        };
        let way = match key {
            "ArrowRight" => Way::Right,
            "ArrowLeft" => Way::Left,
            "ArrowUp" => Way::Up,
            "ArrowDown" => Way::Down,
            "Home" => Way::First,
            "End" => Way::Last,
            "PageUp" => Way::Top,
            "PageDown" => Way::Bottom,
            "Escape" => {
                hover?;
                self.put_hair(None);
                return Some(String::new());
            }
            _ => return None,
        };
        let stop = scene.next_stop(hover, way)?;
        self.put_hair(Some(stop));
        Some(scene.cell_words(stop).unwrap_or_else(|| self.words(&scene, stop.0)))
    }

    /// What the cross-hair says, as one text.
    fn words(&self, scene: &Scene, pixel: f64) -> String {
        let inner = self.0.borrow();
        let Some(Picture::Figure(figure)) = &inner.picture else { return String::new() };
        let value = scene.x_at(pixel).map(|value| match figure.x.quantity {
            Quantity::Percentile => format::percentile(crate::special::round_to_digits(value, 4)),
            quantity => format::reading(quantity, Some(value), None, None).to_string(),
        });
        let mut words: Vec<String> = value.into_iter().collect();
        let readings = scene.reading(pixel);
        words.extend(readings.iter().map(|it| format!("{} {}", it.label, it.value)));
        words.join(", ")
    }

    /// Plays the strip from its beginning; films have clocks of their own.
    pub(super) fn play(&self) {
        if matches!(self.0.borrow().picture, Some(Picture::Film { .. })) {
            return self.renew();
        }
        if !browser::reduced_motion() {
            let at = browser::now();
            self.0.borrow_mut().playing = Some(Playing { seen_ms: 0.0, at });
            self.queue();
        }
    }

    /// Has the canvas drawn in one of the next frames.
    fn queue(&self) {
        {
            let mut inner = self.0.borrow_mut();
            let idle = inner.queued || !inner.in_view || inner.canvas.is_none() || !has_fonts();
            if idle || is_on_paper() {
                return;
            }
            inner.queued = true;
        }
        QUEUE.with_borrow_mut(|queue| queue.push_back(self.clone()));
        FRAME.with(|it| it.call(draw_queue));
    }

    fn draw(&self) {
        let mut inner = self.0.borrow_mut();
        inner.queued = false;
        let (Some(canvas), true) = (inner.canvas.clone(), inner.in_view) else { return };
        let (Some(picture), Some(frame)) = (inner.picture.clone(), frame(inner.size)) else {
            return;
        };
        let ran = matches!(&picture, Picture::Film { clock, .. } if clock.get().runs());
        if let (true, Picture::Film { clock, .. }) = (ran, &picture) {
            clock.look();
            inner.scene = None;
        }
        let Some(scene) = inner.scene() else { return };
        let k = density() * zoom();
        let now = inner.step(&picture);
        match (&picture, now, inner.hover) {
            (Picture::Strip { replay, deadline_ms }, Some(now_ms), _) => {
                paint(&canvas, &strip_until(replay, *deadline_ms, now_ms, frame), k);
            }
            (_, _, Some(at)) => paint(&canvas, &scene.hovered_at(at), k),
            _ => paint(&canvas, &scene, k),
        }
        drop(inner);
        if now.is_some() || ran {
            self.queue();
        }
    }
}

impl Inner {
    /// Laid out now at the latest: a hand may come between a change and the frame in which it is drawn.
    fn scene(&mut self) -> Option<Rc<Scene>> {
        let (picture, frame) = (self.picture.as_ref()?, frame(self.size)?);
        if self.scene.as_ref().is_none_or(|it| it.frame != frame) {
            let mut scene = scene_of(picture, frame);
            // On paper there is nothing to take hold of.
            scene.handle = scene.handle.filter(|_| !is_on_paper());
            self.scene = Some(Rc::new(scene));
        }
        self.scene.clone()
    }

    /// The moment that a strip which is being played has come to; nothing if it is not, or is over.
    fn step(&mut self, picture: &Picture) -> Option<f64> {
        let (playing, Picture::Strip { replay, .. }) = (self.playing.as_mut()?, picture) else {
            return None;
        };
        let now = browser::now();
        // Off screen, or behind another tab, time stands still.
        playing.seen_ms += (now - playing.at).clamp(0.0, 100.0);
        playing.at = now;
        let moment = moment(replay, playing.seen_ms);
        if moment.is_none() {
            self.playing = None;
        }
        moment
    }
}

/// The simulated moment after so much of the onlooker's time: as much of that goes to the quick answers, which are
/// over in an instant, as to the wait for the slow one.
fn moment(replay: &Replay, seen_ms: f64) -> Option<f64> {
    let end = replay.latency_ms;
    let turn = replay.tally.map_or(end / 2.0, |it| it.at_ms).clamp(0.0, end);
    let (first, second) = PLAY_MS;
    if seen_ms < first {
        Some(turn * seen_ms / first)
    } else if seen_ms < first + second {
        Some(turn + (end - turn) * (seen_ms - first) / second)
    } else {
        None
    }
}

pub(in crate::ui) fn scene_of(picture: &Picture, frame: Frame) -> Scene {
    match picture {
        Picture::Figure(figure) => layout(figure, frame),
        Picture::Strip { replay, deadline_ms } => strip(replay, *deadline_ms, frame),
        Picture::Film { film, clock } => footage_at(film, clock.get().ms(), frame),
    }
}

fn footage_at(footage: &Footage, ms: f64, frame: Frame) -> Scene {
    match footage {
        Footage::Servers(film) => film_at(film, ms, frame),
        Footage::Messages(traffic) => traffic_at(traffic, ms, frame),
    }
}

/// The value across at a place in a scene, and how far up the plot it is.
fn place_of(scene: &Scene, (x, y): (f64, f64)) -> Option<(f64, f64)> {
    let up = (scene.plot.bottom - y) / (scene.plot.bottom - scene.plot.top);
    Some((scene.x_at(x)?, up))
}

/// The room on a canvas of a size in CSS pixels; nothing while it has none.
fn frame((width, height): (f64, f64)) -> Option<Frame> {
    let zoom = zoom();
    (width > 0.0 && height > 0.0).then(|| Frame {
        width: width / zoom,
        height: height / zoom,
        narrow: width / zoom < NARROW,
    })
}

/// Draws one canvas, and leaves the others to the next frames. To draw is only the half of it: browsers without a
/// graphics card turn marks into pixels afterwards, in the same frame, and nobody can tell how long that will take.
fn draw_queue() {
    let rest = WAIT.get() - browser::now();
    if 0.0 < rest {
        Timeout::new(rest.ceil() as u32, || FRAME.with(|it| it.call(draw_queue))).forget();
        return;
    }
    if let Some(painter) = QUEUE.with_borrow_mut(VecDeque::pop_front) {
        painter.draw();
    }
    if !QUEUE.with_borrow(VecDeque::is_empty) {
        FRAME.with(|it| it.call(draw_queue));
    }
}
