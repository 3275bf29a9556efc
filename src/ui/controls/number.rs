//! The number beside a slider, which takes `20ms`, `1/100`, `1%`, `1e-3`.

use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::FieldRef;
use crate::{
    format::in_box,
    schema::{Kind, Parsed, Rejected},
    ui::strings::fill,
};

#[derive(Properties, PartialEq)]
pub(in crate::ui) struct NumberBoxProps {
    pub field: FieldRef,
    pub id: AttrValue,
    /// Another name than the parameter's own.
    #[prop_or_default]
    pub name: Option<String>,
    pub value: f64,
    pub disabled: bool,
    pub onset: Callback<f64>,
}

/// What stands in the box while someone writes.
#[derive(Clone, Debug, Default, PartialEq)]
struct Draft {
    text: Option<String>,
    /// What is wrong with it, in a sentence.
    wrong: Option<String>,
    /// The value that was made of it, if that is not what was written, and a sentence that says so.
    moved: Option<(f64, String)>,
}

#[component]
pub(in crate::ui) fn NumberBox(props: &NumberBoxProps) -> Html {
    let NumberBoxProps { field: FieldRef(field), value, disabled, .. } = *props;
    let kind = field.kind;
    let draft = use_draft(value);
    let written = in_box(kind, value);
    let oninput = {
        let draft = draft.clone();
        Callback::from(move |event: InputEvent| draft.set(draft.rewritten(kind, text_of(&event))))
    };
    let take = {
        let (draft, onset) = (draft.clone(), props.onset.clone());
        move |event: &Event| {
            // Enter has taken it, and the event that follows has nothing new.
            if draft.text.is_none() {
                return;
            }
            let (left, read) = read(kind, value, text_of(event));
            draft.set(left);
            if let Some(value) = read {
                onset.emit(value);
            }
        }
    };
    let take = Callback::from(move |event: Event| take(&event));
    let onchange = take.clone();
    let onkeydown = {
        let (draft, onset) = (draft.clone(), props.onset.clone());
        Callback::from(move |event: KeyboardEvent| match event.key().as_str() {
            "Escape" => draft.set(Draft::default()),
            "Enter" => take.emit(event.into()),
            key @ ("ArrowUp" | "ArrowDown") => {
                event.prevent_default();
                draft.set(Draft::default());
                onset.emit(kind.step(value, if key == "ArrowUp" { 1.0 } else { -1.0 }));
            }
            _ => {}
        })
    };
    let onfocus = Callback::from(|event: FocusEvent| {
        event.target_unchecked_into::<HtmlInputElement>().select();
    });
    let said = draft.wrong.clone().or_else(|| draft.moved.clone().map(|it| it.1));
    let told = format!("{}-told", props.id);
    let class = if draft.wrong.is_some() { "wrong" } else { "moved" };
    let sentence = said.as_ref().map(|it| html! { <p {class} id={told.clone()}>{it.clone()}</p> });
    let unit = [written.unit, field.suffix].join(" ").trim().to_owned();
    let unit = (!unit.is_empty()).then(|| html! { <span aria-hidden="true">{unit}</span> });
    let shown = draft.text.clone().unwrap_or(written.number);
    let own = || fill("box.label", &[("name", field.label)]);
    let label = props.name.clone().unwrap_or_else(own);
    let inputmode = if matches!(kind, Kind::Count { .. }) { "numeric" } else { "text" };
    html! {
        <>
            <span class={classes!("box", draft.wrong.is_some().then_some("bad"))}>
                <input id={format!("{}-box", props.id)} aria-label={label} {inputmode} autocomplete="off"
                    spellcheck="false" value={shown} {disabled} aria-invalid={draft.wrong.is_some().to_string()}
                    aria-describedby={said.is_some().then_some(told)}
                    {oninput} {onchange} {onkeydown} {onfocus} />
                {unit.unwrap_or_default()}
            </span>
            {sentence.unwrap_or_default()}
        </>
    }
}

/// What is being written. A value that came from elsewhere takes its place.
#[hook]
fn use_draft(value: f64) -> UseStateHandle<Draft> {
    let draft = use_state_eq(Draft::default);
    let written = draft.clone();
    use_effect_with(value.to_bits(), move |_| {
        let moved = written.moved.clone().filter(|it| it.0 == value);
        written.set(Draft { moved, ..Draft::default() });
    });
    draft
}

impl Draft {
    /// With another text. What was wrong with the last one is not said any longer than it is.
    fn rewritten(&self, kind: Kind, text: String) -> Draft {
        let wrong = self.wrong.clone().filter(|_| kind.parse_typed(&text).is_err());
        Draft { text: Some(text), wrong, moved: None }
    }
}

fn text_of(event: &Event) -> String {
    event.target_unchecked_into::<HtmlInputElement>().value()
}

/// What a text means, and what of it stays in the box.
fn read(kind: Kind, value: f64, text: String) -> (Draft, Option<f64>) {
    match kind.parse_typed(&text) {
        Ok(Parsed { value, moved }) => {
            let moved = moved.then(|| {
                let written = in_box(kind, value).to_string();
                (value, fill("box.moved", &[("value", &written)]))
            });
            (Draft { moved, ..Draft::default() }, Some(value))
        }
        Err(Rejected(why)) => {
            let stays = in_box(kind, value).to_string();
            let holes = [("text", text.trim()), ("why", &why), ("value", &stays)];
            let wrong = Some(fill("box.wrong", &holes));
            (Draft { text: Some(text), wrong, moved: None }, None)
        }
    }
}
