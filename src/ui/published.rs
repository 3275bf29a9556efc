//! The table of a preset: *published, exact, simulated*.

use gloo_timers::callback::Timeout;
use yew::prelude::*;

use super::{app::Dispatch, browser, state::Action, strings::text, view::Row};
use crate::{format::kept_together, study::Study};

#[derive(Properties, PartialEq)]
pub(super) struct PublishedProps {
    pub scenario: &'static str,
    pub preset: Option<&'static str>,
    pub rows: Vec<Row>,
    /// Whether there are rows whose exact values were not worked out.
    pub learning: bool,
}

/// Between two rows, so that other things get their turn.
const LEARN_MS: u32 = 30;

#[component]
pub(super) fn Published(props: &PublishedProps) -> Html {
    let dispatch = use_context::<Dispatch>();
    let missing = props.rows.iter().filter(|it| it.exact.is_empty()).count();
    use_effect_with((props.learning, props.rows.clone(), missing), move |(learning, _, _)| {
        let timer = learning.then(|| {
            Timeout::new(LEARN_MS, move || {
                if let Some(dispatch) = &dispatch {
                    dispatch.dispatch(Action::Learn);
                }
            })
        });
        move || drop(timer)
    });
    let scenario = Study::scenario_of(props.scenario);
    let preset = scenario.and_then(|it| it.presets.iter().find(|it| Some(it.name) == props.preset));
    let Some(preset) = preset.filter(|_| !props.rows.is_empty()) else { return Html::default() };
    let download = {
        let rows = props.rows.clone();
        let name = format!("{}-{}.csv", props.scenario, slug(preset.name));
        Callback::from(move |_: MouseEvent| browser::download_text(&name, "text/csv", &csv(&rows)))
    };
    let rows = props.rows.iter().map(|it| {
        let margin =
            (!it.margin.is_empty()).then(|| html! { <>{" "}<small>{it.margin.clone()}</small></> });
        let verdict =
            (!it.verdict.is_empty()).then(|| html! { <span class="ok">{it.verdict}</span> });
        html! {
            <tr aria-current={it.here.then_some("true")}>
                <th scope="row">{kept_together(it.label)}</th>
                <td>{it.published.clone()}</td>
                <td>{it.exact.clone()}</td>
                <td class={if it.verdict.is_empty() && it.margin.is_empty() { "waits" } else { "x" }}>
                    {it.simulated.clone()}{margin.unwrap_or_default()}
                </td>
                <td>{it.difference.clone()}{verdict.unwrap_or_default()}</td>
            </tr>
        }
    });
    html! {
        <figure class="published">
            <div class="fig-head">
                <h2>{text("rows.title")}</h2>
                <div class="bar"><button onclick={download}>{text("figure.csv")}</button></div>
                <p>{kept_together(preset.source)}</p>
            </div>
            <div class="scroll" tabindex="0" role="group" aria-label={text("rows.title")}>
                <table>
                    <thead><tr>
                        <th scope="col">{preset.name}</th>
                        <th scope="col">{text("rows.published")}</th>
                        <th scope="col">{text("rows.exact")}</th>
                        <th scope="col">{text("rows.simulated")}</th>
                        <th scope="col">{text("rows.difference")}</th>
                    </tr></thead>
                    <tbody>{ for rows }</tbody>
                </table>
            </div>
        </figure>
    }
}

/// A name as part of a file's name.
fn slug(name: &str) -> String {
    let plain = name
        .chars()
        .map(|it| if it.is_ascii_alphanumeric() { it.to_ascii_lowercase() } else { '-' });
    plain.collect()
}

fn csv(rows: &[Row]) -> String {
    let head = [
        "rows.row",
        "rows.published",
        "rows.exact",
        "rows.simulated",
        "rows.margin",
        "rows.difference",
    ];
    let mut text = head.map(text).join(",") + "\n";
    for it in rows {
        let cells = [it.label, &it.published, &it.exact, &it.simulated, &it.margin, &it.difference];
        let quoted = cells.map(|cell| format!("\"{}\"", cell.replace('"', "\"\"")));
        text += &(quoted.join(",") + "\n");
    }
    text
}
