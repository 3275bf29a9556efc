//! What was read of a file, in a quiet panel above the sentence: looked at, then used or left.

use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

use super::{
    app::{Dispatch, sends},
    intake::PLACE,
    state::{Action, Import, ImportAction, ReadFile, ReadingFile, places},
    strings::{fill, text},
};
use crate::{
    format::{THIN, short, shorten},
    import::{Compared, Series, TimeUnit, percentile},
    report::Quantity,
    scenario::{Entry, SCENARIOS},
};

#[derive(Properties, PartialEq)]
pub(super) struct ImportPanelProps {
    pub import: Import,
    /// Its key.
    pub scenario: &'static str,
    /// Whether the study has data.
    pub in_use: bool,
}

#[derive(Properties, PartialEq)]
struct FileViewProps {
    file: ReadFile,
    scenario: &'static str,
}

/// What a file says is somebody else's text: so much of it is shown.
const NAME_CHARS_MAX: usize = 60;
const NOTE_CHARS_MAX: usize = 300;
const NOTES_MAX: usize = 12;

#[component]
pub(super) fn ImportPanel(props: &ImportPanelProps) -> Html {
    let Some(dispatch) = use_context::<Dispatch>() else { return Html::default() };
    let ImportPanelProps { import, scenario, in_use } = props;
    let close = text("bars.dismiss");
    let failed = import.failed.as_ref().map(|(name, why)| {
        let why = shorten(why, NOTE_CHARS_MAX);
        html! {
            <div class="quiet bad">
                <span><b>{name.clone()}</b>{" "}{why}{" "}{text("import.unchanged")}</span>
                <button onclick={closes(&dispatch)}>{close}</button>
            </div>
        }
    });
    let used = import.used.as_ref().filter(|_| *in_use).map(|name| {
        html! {
            <div class="quiet">
                <span><b>{name.clone()}</b>{" "}{text("import.used")}</span>
                <button onclick={closes(&dispatch)}>{close}</button>
            </div>
        }
    });
    let reading = import.reading.as_ref().map(|it| reading(it, &dispatch));
    let file = import.file.clone().map(|file| html! { <FileView {file} scenario={*scenario} /> });
    let said = match (&import.reading, &import.file) {
        (Some(it), _) => fill("import.reading", &[("name", &it.name)]),
        (None, Some(it)) => fill("import.read-as", &[("format", it.imported.format.name)]),
        (None, None) => String::new(),
    };
    html! {
        <div id={PLACE} tabindex="-1" role="group" aria-label={text("import.label")}>
            <span class="sr" role="status">{said}</span>
            <div role="status">{failed.unwrap_or_default()}{used.unwrap_or_default()}</div>
            {reading.unwrap_or_default()}
            {file.unwrap_or_default()}
        </div>
    }
}

fn closes(dispatch: &Dispatch) -> Callback<MouseEvent> {
    sends(dispatch, Action::Import(ImportAction::Close))
}

fn reading(reading: &ReadingFile, dispatch: &Dispatch) -> Html {
    let share = reading.taken as f64 / (reading.bytes as f64).max(1.0);
    let percent = format!("{:.0}", 100.0 * share.min(1.0));
    let label = fill("import.reading", &[("name", &reading.name)]);
    html! {
        <div class="quiet reading">
            <span>{label.clone()}</span>
            <progress max="100" value={percent.clone()} aria-label={label}></progress>
            <span class="share">{format!("{percent}{THIN}%")}</span>
            <button onclick={sends(dispatch, Action::Import(ImportAction::Cancel))}>{text("import.cancel")}</button>
        </div>
    }
}

#[component]
fn FileView(props: &FileViewProps) -> Html {
    let Some(dispatch) = use_context::<Dispatch>() else { return Html::default() };
    let FileViewProps { file, scenario } = props;
    let series = file.chosen();
    let remarks = series.remarks();
    let notes = file.imported.warnings.iter().chain(&remarks).take(NOTES_MAX);
    let notes: Vec<Html> =
        notes.map(|it| html! { <li>{shorten(it, NOTE_CHARS_MAX)}</li> }).collect();
    let notes = (!notes.is_empty()).then(|| html! { <ul class="remarks">{ for notes }</ul> });
    let read_as = fill("import.read-as", &[("format", file.imported.format.name)]);
    let unit = file.asks_unit().then(|| unit_choice(file, &dispatch));
    let several = (1 < file.imported.series.len()).then(|| series_choice(file, &dispatch));
    html! {
        <section class="quiet imported">
            <p><b>{file.name.clone()}</b>{" "}{read_as}{" "}{shorten(&series.summary(), NOTE_CHARS_MAX)}</p>
            {several.unwrap_or_default()}
            {unit.unwrap_or_default()}
            { percentiles(&series) }
            {notes.unwrap_or_default()}
            { uses(scenario, &dispatch) }
        </section>
    }
}

fn series_choice(file: &ReadFile, dispatch: &Dispatch) -> Html {
    let onchange = {
        let dispatch = dispatch.clone();
        Callback::from(move |event: Event| {
            let select: HtmlSelectElement = event.target_unchecked_into();
            let at = select.selected_index().max(0) as usize;
            dispatch.dispatch(Action::Import(ImportAction::Series(at)));
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
        let dispatch = dispatch.clone();
        Callback::from(move |event: Event| {
            let input: HtmlInputElement = event.target_unchecked_into();
            if let Ok(unit) = input.value().parse() {
                dispatch.dispatch(Action::Import(ImportAction::Unit(unit)));
            }
        })
    };
    let radios = TimeUnit::CHOICES.map(|unit| {
        let onchange = onchange.clone();
        html! {
            <label>
                <input class="sr" type="radio" name="import-unit" value={unit.symbol()} checked={unit == file.unit}
                    {onchange} />
                <span>{unit.symbol()}</span>
            </label>
        }
    });
    html! {
        <div class="pick">
            <span>{text("import.unit")}</span>
            <div class="seg" role="radiogroup" aria-label={text("import.unit-of")}>{ for radios }</div>
        </div>
    }
}

/// The file's own percentiles beside those of the law that is made of it.
fn percentiles(series: &Series) -> Html {
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
        <div class="scroll" tabindex="0" role="group" aria-label={text("import.percentiles")}>
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

fn uses(scenario: &str, dispatch: &Dispatch) -> Html {
    let shown = SCENARIOS.iter().find(|it| it.key == scenario).unwrap_or(&SCENARIOS[0]);
    let places = places(shown);
    let elsewhere = shown.measured.is_none().then(|| {
        html! { <p>{fill("import.elsewhere", &[("scenario", shown.title)])}</p> }
    });
    let buttons =
        places.into_iter().enumerate().map(|(at, it)| use_button(at, it, shown, dispatch));
    html! {
        <>
            {elsewhere.unwrap_or_default()}
            <div class="choices">
                { for buttons }
                <button onclick={closes(dispatch)}>{text("import.leave")}</button>
            </div>
        </>
    }
}

fn use_button(at: usize, place: &'static Entry, shown: &Entry, dispatch: &Dispatch) -> Html {
    let words = if std::ptr::eq(place, shown) {
        text("import.use").to_owned()
    } else {
        fill("import.use-in", &[("scenario", place.title)])
    };
    let class = if at == 0 { "tool primary" } else { "tool" };
    let onclick = sends::<MouseEvent>(dispatch, Action::Import(ImportAction::Use(place.key)));
    html! { <button {class} {onclick}>{words}</button> }
}

/// What is known of the data that are in use, in a few words.
pub(super) fn known(data: &crate::measured::Measured) -> String {
    let median = latency(data.quantile_ms(0.5));
    let longest = latency(Some(data.longest_ms()));
    fill("import.known", &[("median", &median), ("longest", &longest)])
}
