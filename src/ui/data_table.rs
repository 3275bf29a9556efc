//! A figure's data as a table.

use yew::prelude::*;

use super::strings::text;
use crate::{
    format,
    report::{Cell, Meaning, Table},
};

pub(super) fn data_table(table: &Table, title: &str) -> Html {
    let Table { columns, rows } = table;
    let heads = columns
        .iter()
        .map(|it| html! { <th scope="col" class={class(it.meaning)}>{it.title.clone()}</th> });
    let rows = rows.iter().map(|row| {
        let cells = row.iter().enumerate().map(|(at, it)| {
            let shown = cell(it);
            if at == 0 {
                html! { <th scope="row">{shown}</th> }
            } else {
                html! { <td>{shown}</td> }
            }
        });
        html! { <tr>{ for cells }</tr> }
    });
    let empty =
        table.rows.is_empty().then(|| html! { <p class="blank">{text("figure.no-data")}</p> });
    html! {
        <div class="scroll table" tabindex="0" role="group" aria-label={title.to_owned()}>
            <table><thead><tr>{ for heads }</tr></thead><tbody>{ for rows }</tbody></table>
            {empty.unwrap_or_default()}
        </div>
    }
}

fn cell(cell: &Cell) -> Html {
    let reading = format::cell(cell);
    let margin = (!reading.margin.is_empty())
        .then(|| html! { <>{" "}<small>{reading.margin.clone()}</small></> });
    html! { <>{reading.value.to_string()}{margin.unwrap_or_default()}</> }
}

fn class(meaning: Meaning) -> Option<&'static str> {
    match meaning {
        Meaning::This => Some("c-blue"),
        Meaning::Other => Some("c-grey"),
        Meaning::Hedge => Some("c-orange"),
        Meaning::Deadline => Some("c-red"),
        Meaning::Reference | Meaning::Ink => None,
    }
}
