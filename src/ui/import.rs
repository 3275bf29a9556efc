//! What was read of a file or two, in a quiet panel above the sentence: looked at, then used or left.

use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

use super::{
    app::{Dispatch, sends},
    intake::PLACE,
    state::{Action, FILES_MAX, Import, ImportAction, ReadFile, ReadingFile, places},
    strings::{fill, text},
};
use crate::{
    format::{THIN, short, shorten},
    import::{Compared, Series, TimeUnit, percentile},
    report::Quantity,
    scenario::SCENARIOS,
};

#[derive(Properties, PartialEq)]
pub(super) struct ImportPanelProps {
    pub import: Import,
    /// Its key.
    pub scenario: &'static str,
    /// How many of the studies have data.
    pub in_use: usize,
    /// That the deadline goes by them, if it does.
    pub deadline: Option<String>,
}

#[derive(Properties, PartialEq)]
struct FileViewProps {
    file: ReadFile,
    /// What it would become, where there are two.
    side: Option<&'static str>,
}

/// What files become, in their order.
const SIDES: [&str; FILES_MAX] = ["A", "B"];

/// What a file says is somebody else's text: so much of it is shown.
const NAME_CHARS_MAX: usize = 60;
const NOTE_CHARS_MAX: usize = 300;
const NOTES_MAX: usize = 12;

#[component]
pub(super) fn ImportPanel(props: &ImportPanelProps) -> Html {
    let Some(dispatch) = use_context::<Dispatch>() else { return Html::default() };
    let ImportPanelProps { import, scenario, in_use, deadline } = props;
    let dismiss = || {
        let onclick = sends::<MouseEvent>(&dispatch, Action::Import(ImportAction::Dismiss));
        html! { <button {onclick}>{text("bars.dismiss")}</button> }
    };
    let rest = text(if import.has_some() { "import.other" } else { "import.unchanged" });
    let failed = import.failed.iter().map(|(name, why)| {
        let why = shorten(why, NOTE_CHARS_MAX);
        html! {
            <div class="quiet bad"><span><b>{name.clone()}</b>{" "}{why}{" "}{rest}</span>{dismiss()}</div>
        }
    });
    let left_out = (0 < import.left_out).then(|| {
        let said = fill("import.left-out", &[("count", &import.left_out.to_string())]);
        html! { <div class="quiet"><span>{said}</span>{dismiss()}</div> }
    });
    let opened =
        opened(import).map(|it| html! { <div class="quiet"><span>{it}</span>{dismiss()}</div> });
    let used = used(import).filter(|_| import.used.len() <= *in_use);
    let used = used.map(|it| {
        let deadline = deadline.clone().unwrap_or_default();
        html! { <div class="quiet"><span>{it}{" "}{deadline}</span>{dismiss()}</div> }
    });
    let reading = import.reading.iter().map(|it| reading(it, &dispatch));
    html! {
        <div id={PLACE} tabindex="-1" role="group" aria-label={text("import.label")}>
            <span class="sr" role="status">{said(import)}</span>
            <div role="status">
                { for failed }
                {left_out.unwrap_or_default()}
                {opened.unwrap_or_default()}
                {used.unwrap_or_default()}
            </div>
            { for reading }
            { files(import, scenario, &dispatch) }
        </div>
    }
}

/// How it stands with the files, for those who hear it.
fn said(import: &Import) -> String {
    let reading = import.reading.iter().map(|it| fill("import.reading", &[("name", &it.name)]));
    let said: Vec<String> = if import.reading.is_empty() {
        let read = import.files.iter();
        read.map(|it| fill("import.read-as", &[("format", it.imported.format.name)])).collect()
    } else {
        reading.collect()
    };
    said.join(" ")
}

/// Saved studies among the files.
fn opened(import: &Import) -> Option<Html> {
    match &import.opened[..] {
        [a, b] => Some(html! { <>{a_and_b(&a.name, &b.name)}{" "}{text("import.opened-both")}</> }),
        [it] => Some(html! { <><b>{it.name.clone()}</b>{" "}{text("import.opened")}</> }),
        _ => None,
    }
}

fn a_and_b(a: &str, b: &str) -> Html {
    let [a, b] = [a, b].map(|it| html! { <b>{it.to_owned()}</b> });
    html! { <>{a}{" "}{text("import.used-a")}{" "}{b}{" "}{text("import.used-b")}</> }
}

fn used(import: &Import) -> Option<Html> {
    match &import.used[..] {
        [a, b] => Some(html! { <>{a_and_b(a, b)}{" "}{text("import.used-both")}</> }),
        [name] => Some(html! { <><b>{name.clone()}</b>{" "}{text("import.used")}</> }),
        _ => None,
    }
}

fn reading(reading: &ReadingFile, dispatch: &Dispatch) -> Html {
    let share = reading.taken as f64 / (reading.bytes as f64).max(1.0);
    let percent = format!("{:.0}", 100.0 * share.min(1.0));
    let label = fill("import.reading", &[("name", &reading.name)]);
    let cancel = sends::<MouseEvent>(dispatch, Action::Import(ImportAction::Cancel(reading.file)));
    let cancel_of = fill("import.cancel-of", &[("name", &reading.name)]);
    html! {
        <div key={reading.file} class="quiet reading">
            <span>{label.clone()}</span>
            <progress max="100" value={percent.clone()} aria-label={label}></progress>
            <span class="share">{format!("{percent}{THIN}%")}</span>
            <button onclick={cancel} aria-label={cancel_of}>{text("import.cancel")}</button>
        </div>
    }
}

/// What was read, side by side if there are two, and what can be done with it.
fn files(import: &Import, scenario: &str, dispatch: &Dispatch) -> Html {
    if import.files.is_empty() {
        return Html::default();
    }
    let pair = 1 < import.files.len();
    let views = std::iter::zip(&import.files, SIDES).map(|(file, side)| {
        html! { <FileView key={file.file} file={file.clone()} side={pair.then_some(side)} /> }
    });
    let uses = if import.waits() {
        html! { <p>{text("import.waits")}</p> }
    } else {
        uses(scenario, pair, dispatch)
    };
    html! {
        <section class={classes!("quiet", "imported", pair.then_some("pair"))}>
            <div class="files">{ for views }</div>
            {uses}
        </section>
    }
}

#[component]
fn FileView(props: &FileViewProps) -> Html {
    let Some(dispatch) = use_context::<Dispatch>() else { return Html::default() };
    let FileViewProps { file, side } = props;
    let series = file.chosen();
    let remarks = series.remarks();
    let notes = file.imported.warnings.iter().chain(&remarks).take(NOTES_MAX);
    let notes: Vec<Html> =
        notes.map(|it| html! { <li>{shorten(it, NOTE_CHARS_MAX)}</li> }).collect();
    let notes = (!notes.is_empty()).then(|| html! { <ul class="remarks">{ for notes }</ul> });
    let read_as = fill("import.read-as", &[("format", file.imported.format.name)]);
    let unit = file.asks_unit().then(|| unit_choice(file, &dispatch));
    let several = (1 < file.imported.series.len()).then(|| series_choice(file, &dispatch));
    let leave_out = side.map(|_| {
        let onclick =
            sends::<MouseEvent>(&dispatch, Action::Import(ImportAction::LeaveOut(file.file)));
        let label = fill("import.leave-out-of", &[("name", &file.name)]);
        html! { <p><button {onclick} aria-label={label}>{text("import.leave-out")}</button></p> }
    });
    let side = side.map(|it| {
        let colour = if it == SIDES[0] { "c-grey" } else { "c-blue" };
        html! { <><b class={classes!("side", colour)}>{it}</b>{" "}</> }
    });
    html! {
        <div class="file-read">
            <p>
                {side.unwrap_or_default()}<b>{file.name.clone()}</b>{" "}{read_as}{" "}
                {shorten(&series.summary(), NOTE_CHARS_MAX)}
            </p>
            {several.unwrap_or_default()}
            {unit.unwrap_or_default()}
            { percentiles(&series, &file.name) }
            {notes.unwrap_or_default()}
            {leave_out.unwrap_or_default()}
        </div>
    }
}

fn series_choice(file: &ReadFile, dispatch: &Dispatch) -> Html {
    let onchange = {
        let (dispatch, file) = (dispatch.clone(), file.file);
        Callback::from(move |event: Event| {
            let select: HtmlSelectElement = event.target_unchecked_into();
            let at = select.selected_index().max(0) as usize;
            dispatch.dispatch(Action::Import(ImportAction::Series { file, at }));
        })
    };
    let options = file.imported.series.iter().enumerate().map(|(at, it)| {
        let name = shorten(&it.name, NAME_CHARS_MAX);
        html! { <option selected={at == file.series}>{name}</option> }
    });
    html! {
        <label class="which">
            <span>{text("import.series")}</span>
            <span class="box select"><select {onchange}>{ for options }</select></span>
        </label>
    }
}

/// Asks what the file's numbers are; what their size suggests is chosen.
fn unit_choice(file: &ReadFile, dispatch: &Dispatch) -> Html {
    let onchange = {
        let (dispatch, file) = (dispatch.clone(), file.file);
        Callback::from(move |event: Event| {
            let input: HtmlInputElement = event.target_unchecked_into();
            if let Ok(unit) = input.value().parse() {
                dispatch.dispatch(Action::Import(ImportAction::Unit { file, unit }));
            }
        })
    };
    let group = format!("import-unit-{}", file.file);
    let radios = TimeUnit::CHOICES.map(|unit| {
        let onchange = onchange.clone();
        html! {
            <label>
                <input class="sr" type="radio" name={group.clone()} value={unit.symbol()}
                    checked={unit == file.unit} {onchange} />
                <span>{unit.symbol()}</span>
            </label>
        }
    });
    html! {
        <div class="pick">
            <span>{text("import.unit")}</span>
            <div class="seg" role="radiogroup" aria-label={fill("import.unit-of", &[("name", &file.name)])}>
                { for radios }
            </div>
        </div>
    }
}

/// The file's own percentiles beside those of the law that is made of it.
fn percentiles(series: &Series, name: &str) -> Html {
    let shown = series.shown();
    let has_own = shown.iter().any(|it| it.own.is_some());
    let own = has_own.then(|| html! { <th scope="col">{text("import.own")}</th> });
    let rows = shown.iter().map(|Compared { share, own, ours }| {
        let own = has_own.then(|| html! { <td>{latency(*own)}</td> });
        html! {
            <tr><th scope="row">{percentile(*share)}</th>{own.unwrap_or_default()}<td>{latency(*ours)}</td></tr>
        }
    });
    html! {
        <div class="scroll" tabindex="0" role="group" aria-label={fill("import.percentiles", &[("name", name)])}>
            <table>
                <thead><tr>
                    <th scope="col">{text("import.percentile")}</th>
                    {own.unwrap_or_default()}
                    <th scope="col">{text("import.here")}</th>
                </tr></thead>
                <tbody>{ for rows }</tbody>
            </table>
        </div>
    }
}

fn latency(ms: Option<f64>) -> String {
    ms.map_or_else(
        || text("import.unknown").to_owned(),
        |it| short(Quantity::Latency, it).to_string(),
    )
}

fn uses(scenario: &str, pair: bool, dispatch: &Dispatch) -> Html {
    let shown = SCENARIOS.iter().find(|it| it.key == scenario).unwrap_or(&SCENARIOS[0]);
    let places = places(shown);
    let elsewhere = shown.measured.is_none().then(|| {
        html! { <p>{fill("import.elsewhere", &[("scenario", shown.title)])}</p> }
    });
    let words = if pair {
        ["import.use-both", "import.use-both-in", "import.leave-both"]
    } else {
        ["import.use", "import.use-in", "import.leave"]
    };
    let buttons = places.into_iter().enumerate().map(|(at, place)| {
        let class = if at == 0 { "tool primary" } else { "tool" };
        let here = std::ptr::eq(place, shown);
        let words = fill(words[usize::from(!here)], &[("scenario", place.title)]);
        let onclick = sends::<MouseEvent>(dispatch, Action::Import(ImportAction::Use(place.key)));
        html! { <button {class} {onclick}>{words}</button> }
    });
    let close = sends::<MouseEvent>(dispatch, Action::Import(ImportAction::Close));
    html! {
        <>
            {elsewhere.unwrap_or_default()}
            <div class="choices">
                { for buttons }
                <button onclick={close}>{text(words[2])}</button>
            </div>
        </>
    }
}

/// What is known of the data that are in use, in a few words.
pub(super) fn known(data: &crate::measured::Measured) -> String {
    let median = latency(data.quantile_ms(0.5));
    let longest = latency(Some(data.longest_ms()));
    fill("import.known", &[("median", &median), ("longest", &longest)])
}
