//! What can be watched of the study's own run, and the buttons that let their film run or step.

use std::{cell::RefCell, rc::Rc};

use gloo_timers::callback::Interval;
use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::{
    browser,
    data_table::Tabled,
    figures::FigureFrame,
    icons::{self, icon},
    plot::Picture,
    strings::text,
    view::{Clock, film, footage},
};
use crate::report::Footage;

#[derive(Properties, PartialEq)]
pub(super) struct LiveProps {
    pub scenario: &'static str,
    pub film: Rc<Footage>,
    /// It is of a study of a moment ago.
    pub stale: bool,
}

/// A clock that the chart reads at each frame, and the buttons change.
#[derive(Clone)]
pub(super) struct SharedClock(Rc<RefCell<Clock>>);

/// How often the words beside it follow, in milliseconds, and every which time they are said aloud.
const WORDS_MS: u32 = 250;
const SAID_EVERY: u32 = 20;

#[derive(Clone, Default, PartialEq)]
struct Told {
    clock: Option<Clock>,
    /// For those who hear it: at each step and stop, and now and then.
    said: String,
    /// Counts up with each change that has to be drawn.
    changes: u32,
}

#[component]
pub(super) fn Live(props: &LiveProps) -> Html {
    let film = Rc::clone(&props.film);
    let clock = use_memo(super::app::ByAddress(Rc::clone(&film)), |it| {
        SharedClock(Rc::new(RefCell::new(footage::clock(&it.0))))
    });
    let clock = (*clock).clone();
    let told = use_state_eq(Told::default);
    let tell = {
        let (film, clock, told, changes) =
            (Rc::clone(&film), clock.clone(), told.clone(), told.changes);
        Rc::new(move |aloud: bool| {
            let clock = clock.get();
            let said = if aloud { footage::moment(&film, clock.ms()) } else { String::new() };
            told.set(Told { clock: Some(clock), said, changes: changes + 1 });
        })
    };
    let now = clock.get();
    let runs = now.runs();
    use_words(&clock, &film, &told, runs);
    let change = |act: fn(&mut Clock, &Footage)| {
        let (clock, film, tell) = (clock.clone(), Rc::clone(&film), Rc::clone(&tell));
        Callback::from(move |_: MouseEvent| {
            act(&mut clock.0.borrow_mut(), &film);
            tell(true);
        })
    };
    let set_speed = {
        let (clock, tell) = (clock.clone(), Rc::clone(&tell));
        Callback::from(move |event: InputEvent| {
            let input: HtmlInputElement = event.target_unchecked_into();
            clock.0.borrow_mut().set_position(input.value_as_number() / 100.0);
            tell(false);
        })
    };
    let speed = film::speed(now.speed());
    // Who wants no motion goes from step to step.
    let running = (!browser::reduced_motion()).then(|| {
        html! {
            <>
                <button class="tool" onclick={change(toggle)}>
                    {icon(if runs { icons::PAUSE } else { icons::PLAY })}
                    {text(if runs { "film.pause" } else { "film.play" })}
                </button>
                <label class="speed">
                    <span>{text("film.speed")}</span>
                    <input type="range" min="0" max="100" step="any" value={(100.0 * now.position()).to_string()}
                        aria-valuetext={speed.clone()} oninput={set_speed} />
                    <output>{speed}</output>
                </label>
            </>
        }
    });
    let picture = Picture::Film { film: Rc::clone(&film), clock: clock.clone() };
    html! {
        <FigureFrame title={footage::title(&film)} caption={footage::caption(&film)} {picture}
            table={Tabled::film(&film)} file={format!("{}-{}", props.scenario, footage::file(&film))}
            scenario={props.scenario}
            plays={told.changes} stale={props.stale}>
            <div class="pick film" role="group" aria-label={text("film.controls")}>
                <button class="tool" onclick={change(restart)} disabled={now.ms() == 0.0}>
                    {text("film.restart")}
                </button>
                <button class="tool" onclick={change(step)} disabled={now.over()}>{text("film.step")}</button>
                {running.unwrap_or_default()}
            </div>
            <p class="film-words" aria-hidden="true">{footage::moment(&film, now.ms())}</p>
            <span class="sr" aria-live="polite">{told.said.clone()}</span>
        </FigureFrame>
    }
}

/// Lets the words follow the chart while it runs, and hear of its end.
#[hook]
fn use_words(clock: &SharedClock, film: &Rc<Footage>, told: &UseStateHandle<Told>, runs: bool) {
    let (clock, film, told) = (clock.clone(), Rc::clone(film), told.clone());
    use_effect_with((super::app::ByAddress(Rc::clone(&clock.0)), runs), move |(_, runs)| {
        let changes = told.changes;
        let mut ticks = 0_u32;
        let mut said = told.said.clone();
        let timer = runs.then(|| {
            Interval::new(WORDS_MS, move || {
                ticks += 1;
                let clock = clock.get();
                if !clock.runs() || ticks.is_multiple_of(SAID_EVERY) {
                    said = footage::moment(&film, clock.ms());
                }
                told.set(Told { clock: Some(clock), said: said.clone(), changes });
            })
        });
        move || drop(timer)
    });
}

fn toggle(clock: &mut Clock, _: &Footage) {
    if clock.runs() {
        clock.stop();
    } else {
        clock.run(browser::now());
    }
}

fn step(clock: &mut Clock, film: &Footage) {
    let next = film.next_ms(clock.ms()).unwrap_or(film.length_ms());
    clock.go_to(next);
}

fn restart(clock: &mut Clock, _: &Footage) {
    clock.go_to(0.0);
}

impl SharedClock {
    pub(super) fn get(&self) -> Clock {
        *self.0.borrow()
    }

    /// Time passes up to now.
    pub(super) fn look(&self) {
        self.0.borrow_mut().look(browser::now());
    }
}

impl PartialEq for SharedClock {
    fn eq(&self, other: &SharedClock) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}
