//! The study against one of its parameters, or two: what is swept, how far, and what comes of it.

use std::rc::Rc;

use gloo_timers::callback::Timeout;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

use super::{
    app::{Dispatch, sends},
    controls::{FieldRef, NumberBox},
    figures::FigureFrame,
    plot::Picture,
    state::{Action, State, Swept, costs},
    strings::{fill, text},
    view,
};
use crate::{
    schema::Field,
    study::{POINTS_MAX, POINTS_MIN, SHARES, SIDE_MAX, Study, Sweep, SweepAxis},
};

/// Between two points that are worked out, so that hands and pictures get their turn.
const LEARN_MS: u32 = 16;

/// Works out, a point at a time, what is exactly known.
#[hook]
pub(super) fn use_learning(state: &State, dispatch: &Dispatch) {
    let dispatch = dispatch.clone();
    let job = state.run.job;
    use_effect_with((state.unlearnt(), job), move |(unlearnt, _)| {
        let timer =
            unlearnt.map(|_| Timeout::new(LEARN_MS, move || dispatch.dispatch(Action::LearnPoint)));
        move || drop(timer)
    });
}

pub(super) fn sweep(state: &Rc<State>, dispatch: &Dispatch) -> Html {
    let Some((swept, figure)) = state.swept.as_ref().zip(view::swept(state)) else {
        return html! { <p class="against">{choose(&state.study, None, dispatch)}</p> };
    };
    let go = {
        let (state, dispatch) = (Rc::clone(state), dispatch.clone());
        Callback::from(move |(x, up): (f64, f64)| {
            if let Some(changes) = view::nearest(&state, x, up) {
                dispatch.dispatch(Action::Apply(changes));
            }
        })
    };
    let scenario = state.study.scenario.key;
    let picture = Picture::Figure(Rc::new(figure.clone()));
    let hint = text(if figure.cells.is_some() { "sweep.click-cell" } else { "sweep.click" });
    html! {
        <section class="sweep">
            <FigureFrame title={figure.title} caption={figure.caption} {hint} table={figure.table} {picture}
                file={format!("{scenario}-sweep")} {scenario} stale={swept.is_stale(&state.study)} onchoose={go}>
                { settings(&state.study, swept, dispatch) }
            </FigureFrame>
        </section>
    }
}

fn numeric(study: &Study) -> impl Iterator<Item = (&'static Field, SweepAxis)> {
    study.scenario.fields.iter().filter_map(|it| Some((it, SweepAxis::of(it)?)))
}

/// The menu of what can be swept.
fn choose(study: &Study, swept: Option<&Swept>, dispatch: &Dispatch) -> Html {
    let axes: Vec<(&'static Field, SweepAxis)> = numeric(study).collect();
    let shown = swept.map(|it| it.sweep.across.key);
    let options = axes.iter().map(|(field, _)| {
        html! { <option value={field.key} selected={Some(field.key) == shown}>{view::parameter(study, field)}</option> }
    });
    let options: Vec<Html> = options.collect();
    let onchange = {
        let dispatch = dispatch.clone();
        Callback::from(move |event: Event| {
            let chosen = event.target_unchecked_into::<HtmlSelectElement>().value();
            let across = axes.iter().find(|it| it.0.key == chosen).map(|it| it.1.clone());
            dispatch.dispatch(Action::Sweep(across.map(|across| Sweep { across, up: None })));
        })
    };
    let first = shown
        .is_none()
        .then(|| html! { <option value="" selected=true>{text("sweep.against")}</option> });
    html! {
        <label class="choose"><span>{text("sweep.choose")}</span>
            <select {onchange}>{first.unwrap_or_default()}{ for options }</select>
        </label>
    }
}

fn settings(study: &Study, swept: &Swept, dispatch: &Dispatch) -> Html {
    let sweep = &swept.sweep;
    let up = {
        let across = sweep.across.clone();
        let axes: Vec<_> = numeric(study).filter(|it| it.0.key != across.key).collect();
        let shown = sweep.up.as_ref().map(|it| it.key);
        let options = axes.iter().map(|(field, _)| {
            html! {
                <option value={field.key} selected={Some(field.key) == shown}>
                    {view::parameter(study, field)}
                </option>
            }
        });
        let options: Vec<Html> = options.collect();
        let dispatch = dispatch.clone();
        let onchange = Callback::from(move |event: Event| {
            let chosen = event.target_unchecked_into::<HtmlSelectElement>().value();
            let narrow = |it: SweepAxis| SweepAxis { points: it.points.min(SIDE_MAX), ..it };
            let up = axes.iter().find(|it| it.0.key == chosen).map(|it| narrow(it.1.clone()));
            let across = if up.is_some() { narrow(across.clone()) } else { across.clone() };
            dispatch.dispatch(Action::Sweep(Some(Sweep { across, up })));
        });
        html! {
            <label class="choose"><span>{text("sweep.and")}</span>
                <select {onchange}>
                    <option value="" selected={shown.is_none()}>{text("sweep.nothing")}</option>{ for options }
                </select>
            </label>
        }
    };
    let said = if swept.batch.failed {
        text("sweep.stopped").to_owned()
    } else {
        view::swept_progress(swept)
    };
    let axes = [Some(&sweep.across), sweep.up.as_ref()].into_iter().flatten().enumerate();
    let axes = axes.map(|(at, it)| {
        html! {
            <div key={it.key} class="axis">{axis(study, sweep, at, it, dispatch)}</div>
        }
    });
    html! {
        <div class="settings">
            <div class="axis">{choose(study, Some(swept), dispatch)}{up}
                <button class="close" onclick={sends(dispatch, Action::Sweep(None))}>{text("sweep.close")}</button>
            </div>
            { for axes }
            <div class="axis">{shown(study, swept, dispatch)}<span role="status">{said}</span></div>
        </div>
    }
}

/// Range, points and steps of one axis.
fn axis(study: &Study, sweep: &Sweep, at: usize, axis: &SweepAxis, dispatch: &Dispatch) -> Html {
    let Some(field) = study.scenario.fields.iter().find(|it| it.key == axis.key) else {
        return Html::default();
    };
    let change = |act: fn(&mut SweepAxis, f64)| {
        let (sweep, dispatch) = (sweep.clone(), dispatch.clone());
        Callback::from(move |value: f64| {
            let mut sweep = sweep.clone();
            let Some(axis) = (if at == 0 { Some(&mut sweep.across) } else { sweep.up.as_mut() })
            else {
                return;
            };
            act(axis, value);
            // Backwards is the same, and no ratio leads up from nothing.
            (axis.from, axis.to) = (axis.from.min(axis.to), axis.from.max(axis.to));
            axis.log &= 0.0 < axis.from;
            dispatch.dispatch(Action::Sweep(Some(sweep)));
        })
    };
    let most = if sweep.up.is_some() { SIDE_MAX } else { POINTS_MAX };
    let points = {
        let onset = change(|axis, it| axis.points = it as u32);
        Callback::from(move |event: Event| {
            let input: HtmlInputElement = event.target_unchecked_into();
            let value = input.value_as_number();
            let value = if value.is_finite() { value } else { f64::from(POINTS_MIN) };
            onset.emit(value.round().clamp(f64::from(POINTS_MIN), f64::from(most)));
        })
    };
    let scale = change(|axis, it| axis.log = it == 1.0);
    let steps = [(false, "sweep.linear"), (true, "sweep.logarithmic")].map(|(log, name)| {
        let scale = scale.clone();
        let onchange = Callback::from(move |_: Event| scale.emit(f64::from(u8::from(log))));
        html! {
            <label>
                <input class="sr" type="radio" name={format!("sweep-scale-{at}")} checked={axis.log == log}
                    disabled={log && axis.from <= 0.0} {onchange} />
                <span>{text(name)}</span>
            </label>
        }
    });
    let name = |key| fill(key, &[("name", &view::parameter(study, field))]);
    html! {
        <>
            <span>{text("sweep.from")}</span>
            <NumberBox field={FieldRef(field)} id={format!("sweep-from-{at}")} name={name("sweep.from-of")}
                value={axis.from} disabled=false onset={change(|axis, it| axis.from = it)} />
            <span>{text("sweep.to")}</span>
            <NumberBox field={FieldRef(field)} id={format!("sweep-to-{at}")} name={name("sweep.to-of")}
                value={axis.to} disabled=false onset={change(|axis, it| axis.to = it)} />
            <label class="box points"><input type="number" min={POINTS_MIN.to_string()} max={most.to_string()}
                value={axis.points.to_string()} onchange={points} /><span>{text("sweep.points")}</span></label>
            <div class="seg" role="radiogroup" aria-label={text("sweep.scale")}>{ for steps }</div>
        </>
    }
}

/// Which percentiles, and what below them; of shades there is one, and nothing below.
fn shown(study: &Study, swept: &Swept, dispatch: &Dispatch) -> Html {
    let (kind, role) =
        if swept.sweep.up.is_some() { ("radio", "radiogroup") } else { ("checkbox", "group") };
    let shares = SHARES.iter().map(|(share, _)| {
        let onchange = sends::<Event>(dispatch, Action::SweepShare(share));
        html! {
            <label>
                <input class="sr" type={kind} name="sweep-share" checked={swept.drawn().contains(share)} {onchange} />
                <span>{*share}</span>
            </label>
        }
    });
    let shares =
        html! { <div class="seg" {role} aria-label={text("sweep.shares")}>{ for shares }</div> };
    if swept.sweep.up.is_some() {
        return shares;
    }
    let list: Vec<(&'static str, &'static str)> = costs(study.scenario).collect();
    let options = list.iter().map(|(name, label)| {
        html! { <option value={*name} selected={Some(*name) == swept.cost}>{*label}</option> }
    });
    let options: Vec<Html> = options.collect();
    let dispatch = dispatch.clone();
    let onchange = Callback::from(move |event: Event| {
        let chosen = event.target_unchecked_into::<HtmlSelectElement>().value();
        let cost = list.iter().find(|it| it.0 == chosen).map(|it| it.0);
        dispatch.dispatch(Action::SweepCost(cost));
    });
    html! {
        <>
            {shares}
            <label class="choose"><span>{text("sweep.below")}</span>
                <select {onchange}>
                    { for options }
                    <option value="" selected={swept.cost.is_none()}>{text("sweep.below-nothing")}</option>
                </select>
            </label>
        </>
    }
}
