//! The rail of controls: beside the page, or as a sheet below it on a phone.

use yew::prelude::*;

use super::{
    app::{Dispatch, sends},
    controls::{Control, FieldRef, SeedControl},
    framing::Framing,
    icons::{self, icon},
    import::known,
    intake::Picker,
    state::Action,
    strings::{fill, text},
};
use crate::{
    format::in_box,
    schema::{Effect, Field},
    study::Study,
};

#[derive(Clone, Properties, PartialEq)]
pub(super) struct RailProps {
    pub study: Study,
    /// A, whose values are notches in the sliders.
    pub pinned: Option<Study>,
    pub framing: Framing,
    /// Whether a file is being read, which is to be seen.
    pub reading: bool,
}

#[derive(Properties, PartialEq)]
struct GroupProps {
    study: Study,
    pinned: Option<Study>,
    framing: Framing,
    name: &'static str,
}

#[component]
pub(super) fn Rail(props: &RailProps) -> Html {
    let study = &props.study;
    let open = use_state_eq(|| false);
    let dispatch = use_context::<Dispatch>();
    {
        let open = open.clone();
        use_effect_with(props.reading, move |reading| {
            if *reading {
                open.set(false);
            }
        });
    }
    let fields = study.scenario.fields;
    let mut groups: Vec<&'static str> = Vec::new();
    for field in fields.iter().filter(|it| props.framing.shows(it.key)) {
        if !groups.contains(&field.group) {
            groups.push(field.group);
        }
    }
    let first = fields.iter().position(|it| props.framing.shows(it.key));
    let reset = dispatch.as_ref().map(|it| sends::<MouseEvent>(it, Action::ResetAll));
    let changed = *study != Study::new(study.scenario);
    let said = if changed { text("rail.changed") } else { text("rail.defaults") };
    let reset = changed.then(|| html! { <button onclick={reset}>{text("rail.reset")}</button> });
    let pin = props.pinned.is_none().then(|| {
        let onclick = dispatch.as_ref().map(|it| sends::<MouseEvent>(it, Action::Pin));
        html! { <button class="pin" {onclick}>{text("compare.pin")}</button> }
    });
    let head =
        html! { <><span>{said}</span>{reset.unwrap_or_default()}{pin.unwrap_or_default()}</> };
    let toggle = {
        let open = open.clone();
        Callback::from(move |_: MouseEvent| open.set(!*open))
    };
    let words = if *open { text("rail.close") } else { text("rail.open") };
    html! {
        <aside class={classes!("rail", open.then_some("is-open"))} aria-label={text("rail.label")}>
            <div class="rail-in">
            <div class="sheet-head">
                <button class="grab" aria-expanded={open.to_string()} onclick={toggle}>
                    <i></i><span>{words}</span>
                </button>
                { first.map(|at| control(study, props.pinned.as_ref(), at, "sheet-", false)).unwrap_or_default() }
            </div>
            <div class="rail-head">{head}</div>
            { for groups.into_iter().map(|name| group(props, name)) }
            </div>
        </aside>
    }
}

fn group(props: &RailProps, name: &'static str) -> Html {
    let RailProps { study, pinned, framing, .. } = props.clone();
    html! { <Group key={name} {study} {pinned} {framing} {name} /> }
}

#[component]
fn Group(props: &GroupProps) -> Html {
    let GroupProps { study, pinned, framing, name } = props;
    let scenario = study.scenario;
    let of_group = |it: &&Field| it.group == *name && framing.shows(it.key);
    let fields: Vec<&'static Field> = scenario.fields.iter().filter(of_group).collect();
    let has_seed = fields.iter().any(|it| it.effect == Effect::Length);
    // How long it runs is seldom of interest, whatever the scenario.
    let folds = has_seed || scenario.folded.contains(name);
    let open = use_state_eq(|| !folds);
    // A choice that opens a group is told by its heading; a second name would say the same again.
    let headed = !folds && fields.first().is_some_and(|it| it.kind.choices().is_some());
    let controls = scenario.fields.iter().enumerate().filter(|(_, it)| of_group(it)).enumerate();
    let controls = controls.map(|(at, (field, _))| {
        let control = control(study, pinned.as_ref(), field, "", headed && at == 0);
        html! { <>{control}{picker(study, field)}</> }
    });
    let seed = has_seed.then(|| html! { <SeedControl seed={study.seed} /> });
    let controls = html! { <>{ for controls }{seed.unwrap_or_default()}</> };
    if !folds {
        return html! { <section class="group"><header><h2>{*name}</h2></header>{controls}</section> };
    }
    let toggle = {
        let open = open.clone();
        Callback::from(move |_: MouseEvent| open.set(!*open))
    };
    let summary = summary(study, &fields, has_seed);
    html! {
        <section class={classes!("group", "foldable", open.then_some("is-open"))}>
            <h2><button class="fold" aria-expanded={open.to_string()} onclick={toggle}>
                <span>{*name}<small>{summary}</small></span>{icon(icons::CHEVRON)}
            </button></h2>
            { open.then_some(controls).unwrap_or_default() }
        </section>
    }
}

/// What a folded group holds: how long the run is, or whether anything was changed.
fn summary(study: &Study, fields: &[&'static Field], has_seed: bool) -> String {
    let base = Study::new(study.scenario);
    let value = |it: &Field| study.value(it.key).unwrap_or_default();
    if has_seed {
        let lengths = fields.iter().filter(|it| it.effect == Effect::Length).map(|it| {
            let written = in_box(it.kind, value(it)).to_string();
            fill("rail.length", &[("value", &written), ("what", &it.label.to_ascii_lowercase())])
        });
        let lengths: Vec<String> = lengths.collect();
        let seed = study.seed.to_string();
        return fill("rail.run", &[("lengths", &lengths.join(", ")), ("seed", &seed)]);
    }
    let same = fields.iter().all(|it| base.value(it.key) == study.value(it.key));
    if same { String::new() } else { text("rail.group-changed").to_owned() }
}

/// Where the control takes measured data, the place to hand them in.
fn picker(study: &Study, at: usize) -> Html {
    let field = &study.scenario.fields[at];
    if study.scenario.measured != Some(field.key) {
        return Html::default();
    }
    let chosen = study.wants_data();
    let data = study.data.as_ref().filter(|_| chosen);
    html! { <Picker known={data.map(|it| known(it))} wanting={chosen && data.is_none()} /> }
}

fn control(
    study: &Study,
    pinned: Option<&Study>,
    at: usize,
    prefix: &'static str,
    headed: bool,
) -> Html {
    offering(study, pinned, at, (prefix, headed), None)
}

/// The same where no data can be handed in: measured ones are offered only if there are any.
pub(super) fn framed_control(study: &Study, at: usize, prefix: &'static str) -> Html {
    offering(study, None, at, (prefix, false), spared(study, at))
}

/// Whether there is something to choose where no data can be handed in.
pub(super) fn has_choice(study: &Study, at: usize) -> bool {
    let choices = study.scenario.fields[at].kind.choices();
    choices.is_none_or(|it| 1 < it.len() - spared(study, at).iter().len())
}

/// The choice that would ask for measured data where there are none, unless it is the one that was made.
fn spared(study: &Study, at: usize) -> Option<usize> {
    let Field { key, kind, .. } = study.scenario.fields[at];
    let mut places = 0..kind.choices().map_or(0, <[_]>::len);
    let lacking = places.find(|it| study.lacks_data(key, kind, *it as f64));
    lacking.filter(|it| study.values[at] != *it as f64)
}

fn offering(
    study: &Study,
    pinned: Option<&Study>,
    at: usize,
    (prefix, headed): (&'static str, bool),
    spared: Option<usize>,
) -> Html {
    let fields = study.scenario.fields;
    let field = &fields[at];
    let default = (study.scenario.defaults)()[at];
    html! {
        <Control key={format!("{prefix}{}-{}", study.scenario.key, field.key)} field={FieldRef(field)}
            {at} {prefix} {headed} {spared} notch={pinned.map(|it| it.values[at])}
            value={study.values[at]} changed={study.values[at] != default}
            applies={field.applies(fields, &study.values)} />
    }
}
