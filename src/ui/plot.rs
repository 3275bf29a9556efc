//! A canvas with a chart on it: laid out at its real width, drawn when it is in view, read by pointer and keys.

mod paint;
mod painter;
mod paper;

use std::rc::Rc;

use web_sys::{HtmlCanvasElement, KeyboardEvent, PointerEvent};
use yew::prelude::*;

use super::{app::Dispatch, browser, live::SharedClock, state::Action};
use crate::{
    report::{Figure, Footage, Replay, Size},
    schema::Field,
    study::Study,
};
use painter::Painter;

pub(super) use paint::{forget_palette, png, put_on_paper, svg_text, when_fonts_are_there};
pub(super) use painter::{answers_are_there, scene_of, wait_for_answers};

/// What is drawn.
#[derive(Clone, PartialEq)]
pub(super) enum Picture {
    Figure(Rc<Figure>),
    Strip {
        replay: Rc<Replay>,
        deadline_ms: f64,
    },
    /// What there is to watch, at the time that the clock shows.
    Film {
        film: Rc<Footage>,
        clock: SharedClock,
    },
}

#[derive(Properties, PartialEq)]
pub(super) struct PlotProps {
    pub picture: Picture,
    /// For those who hear it.
    pub label: String,
    pub scenario: &'static str,
    /// Counts up with each wish to see it played, or to see what its clock shows.
    #[prop_or_default]
    pub plays: u32,
    /// It is of a study of a moment ago.
    #[prop_or_default]
    pub stale: bool,
    /// Takes the place that is chosen: the value across, and how far up it is, from 0 to 1.
    #[prop_or_default]
    pub onchoose: Option<Callback<(f64, f64)>>,
}

/// How far from its middle a handle can be taken, in CSS pixels.
const REACH: f64 = 22.0;

#[component]
pub(super) fn Plot(props: &PlotProps) -> Html {
    let canvas = use_node_ref();
    let painter = use_memo((), |()| Painter::default());
    let painter = (*painter).clone();
    let said = use_state_eq(String::new);
    let dispatch = use_context::<Dispatch>();
    {
        let (painter, canvas) = (painter.clone(), canvas.clone());
        use_effect_with((), move |()| {
            if let Some(canvas) = canvas.cast::<HtmlCanvasElement>() {
                painter.attach(canvas);
            }
            move || painter.detach()
        });
    }
    {
        let painter = painter.clone();
        use_effect_with(props.picture.clone(), move |picture| painter.show(picture.clone()));
    }
    {
        let painter = painter.clone();
        use_effect_with(props.plays, move |plays| {
            if 0 < *plays {
                painter.play();
            }
        });
    }
    let pointer = Pointer {
        painter: painter.clone(),
        dispatch,
        scenario: props.scenario,
        onchoose: props.onchoose.clone(),
    };
    let onpointerdown = pointer.callback(Pointer::down);
    let onpointermove = pointer.callback(Pointer::moved);
    let onpointerup = pointer.callback(Pointer::up);
    let onpointerleave = pointer.callback(Pointer::left);
    let onkeydown = {
        let (painter, said) = (painter.clone(), said.clone());
        let onchoose = props.onchoose.clone();
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Enter"
                && let Some((onchoose, place)) = onchoose.as_ref().zip(painter.hovered())
            {
                event.prevent_default();
                onchoose.emit(place);
            } else if let Some(words) = painter.key(&event.key()) {
                event.prevent_default();
                said.set(words);
            }
        })
    };
    let quiet = said.clone();
    let onblur = Callback::from(move |_: FocusEvent| {
        painter.hover(None);
        quiet.set(String::new());
    });
    let size = size_of(&props.picture);
    html! {
        <div class={classes!("plot", size, props.stale.then_some("stale"))}>
            <canvas ref={canvas} tabindex="0" role="img" aria-label={props.label.clone()}
                {onpointerdown} {onpointermove} onpointercancel={onpointerup.clone()} {onpointerup} {onpointerleave}
                {onkeydown} {onblur}></canvas>
            <span class="sr" aria-live="polite">{(*said).clone()}</span>
        </div>
    }
}

/// How high the style sheet makes the chart of a figure.
pub(super) fn class_of(figure: &Figure) -> &'static str {
    match figure.size {
        _ if figure.lower.is_some() => "tall",
        Size::Main => "main",
        Size::Pair => "pair",
    }
}

/// The class that says how high it is.
fn size_of(picture: &Picture) -> &'static str {
    match picture {
        Picture::Figure(figure) => class_of(figure),
        Picture::Strip { .. } => "strip",
        Picture::Film { film, .. } => match film.as_ref() {
            Footage::Servers(_) => "servers",
            Footage::Messages(_) => "messages",
        },
    }
}

/// What a pointer does on a chart.
#[derive(Clone)]
struct Pointer {
    painter: Painter,
    dispatch: Option<Dispatch>,
    scenario: &'static str,
    onchoose: Option<Callback<(f64, f64)>>,
}

impl Pointer {
    fn callback(&self, act: fn(&Pointer, &PointerEvent)) -> Callback<PointerEvent> {
        let pointer = self.clone();
        Callback::from(move |event: PointerEvent| act(&pointer, &event))
    }

    fn down(&self, event: &PointerEvent) {
        let place = (f64::from(event.offset_x()), f64::from(event.offset_y()));
        if event.button() == 0 && self.painter.handle_at(place, REACH).is_some() {
            event.prevent_default();
            browser::capture(event);
            self.painter.drag(true);
            self.slide(place.0);
        } else {
            self.painter.press(place);
            self.painter.hover(Some(place));
        }
    }

    fn moved(&self, event: &PointerEvent) {
        let place = (f64::from(event.offset_x()), f64::from(event.offset_y()));
        if self.painter.drags() {
            self.slide(place.0);
        } else {
            self.painter.hover(Some(place));
            browser::toggle_class(event, "takes", self.painter.handle_at(place, REACH).is_some());
        }
    }

    fn up(&self, event: &PointerEvent) {
        if self.painter.drags() {
            self.painter.drag(false);
            self.painter.frame().flush();
            self.send(Action::Settle);
        } else if let Some(onchoose) = &self.onchoose {
            let place = (f64::from(event.offset_x()), f64::from(event.offset_y()));
            self.painter.chosen(place).into_iter().for_each(|it| onchoose.emit(it));
        }
    }

    fn left(&self, _: &PointerEvent) {
        self.painter.hover(None);
    }

    /// Sets the handle's parameter to the value below the pointer.
    fn slide(&self, x: f64) {
        let found = self.painter.handle_value(x).and_then(|(key, value)| {
            let (at, field) = field_of(self.scenario, key)?;
            // To what its slider could be set to.
            Some((at, field.kind.value_at(field.kind.position(value))))
        });
        if let Some((field, value)) = found {
            let pointer = self.clone();
            self.painter.frame().soon(move || pointer.send(Action::Slide { field, value }));
        }
    }

    fn send(&self, action: Action) {
        if let Some(dispatch) = &self.dispatch {
            dispatch.dispatch(action);
        }
    }
}

fn field_of(scenario: &str, key: &str) -> Option<(usize, &'static Field)> {
    let fields = Study::scenario_of(scenario)?.fields;
    fields.iter().enumerate().find(|it| it.1.key == key)
}
