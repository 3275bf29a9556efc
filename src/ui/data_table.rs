//! A figure's data as a table.

use std::{borrow::Cow, rc::Rc};

use yew::{html::IntoPropValue, prelude::*};

use super::{app::ByAddress, strings::text, view::footage};
use crate::{
    format,
    report::{Cell, Footage, Meaning, Table},
};

/// A table, or what one is made from when it is looked at.
#[derive(Clone, PartialEq)]
pub(super) enum Tabled {
    Made(Table),
    /// Its events, which are many, while the figure around them is made anew several times a second.
    Film(ByAddress<Footage>),
}

#[derive(Properties, PartialEq)]
pub(super) struct DataTableProps {
    pub table: Tabled,
    pub title: String,
}

impl Tabled {
    pub(super) fn film(film: &Rc<Footage>) -> Tabled {
        Tabled::Film(ByAddress(Rc::clone(film)))
    }

    pub(super) fn table(&self) -> Cow<'_, Table> {
        match self {
            Tabled::Made(table) => Cow::Borrowed(table),
            Tabled::Film(it) => Cow::Owned(footage::table(&it.0)),
        }
    }
}

impl IntoPropValue<Tabled> for Table {
    fn into_prop_value(self) -> Tabled {
        Tabled::Made(self)
    }
}

/// Made anew only when it is of something else.
#[component]
pub(super) fn DataTable(props: &DataTableProps) -> Html {
    let table = props.table.table();
    let Table { columns, rows } = &*table;
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
        <div class="scroll table" tabindex="0" role="group" aria-label={props.title.clone()}>
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
