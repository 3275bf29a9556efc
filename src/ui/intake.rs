//! Where files come in: anywhere on the page, and at the control that takes the data.

use std::rc::Rc;

use web_sys::{Blob, File, HtmlInputElement, HtmlTextAreaElement};
use yew::prelude::*;

use super::{
    app::Dispatch,
    browser::{self, given},
    state::{Action, FILES_MAX, ImportAction, ReadingFile},
    strings::text,
};
use crate::worker::Pool;

/// Takes what somebody hands in at once, each by a name to show.
pub(super) type Intake = Callback<Vec<(String, Blob)>>;

#[derive(Properties, PartialEq)]
pub(super) struct PickerProps {
    /// What is known of the data that are in use.
    pub known: Option<String>,
    /// Whether data are asked for, and there are none.
    pub wanting: bool,
}

/// Where what was read is shown.
pub(super) const PLACE: &str = "import";

/// Everything that is handed in is read, for as long as the state wants it; also tells whether a hand holds a file over
/// the page.
#[hook]
pub(super) fn use_intake(
    pool: &Rc<Pool>,
    dispatch: &Dispatch,
    reading: Vec<u32>,
) -> (Intake, bool) {
    let dragged = use_state_eq(|| false);
    let handed = use_mut_ref(|| 0_u32);
    let intake = {
        let (pool, dispatch) = (Rc::clone(pool), dispatch.clone());
        use_memo((), move |()| {
            Callback::from(move |mut given: Vec<(String, Blob)>| {
                let left_out = given.len().saturating_sub(FILES_MAX);
                given.truncate(FILES_MAX);
                let (mut files, mut blobs) = (Vec::new(), Vec::new());
                for (name, blob) in given {
                    *handed.borrow_mut() += 1;
                    let (file, bytes) = (*handed.borrow(), blob.size() as u64);
                    files.push(ReadingFile { file, name, taken: 0, bytes });
                    blobs.push((file, blob));
                }
                dispatch.dispatch(Action::Import(ImportAction::Begin { files, left_out }));
                pool.read_files(blobs);
                browser::focus(PLACE);
            })
        })
    };
    {
        let (intake, dragged) = (Rc::clone(&intake), dragged.clone());
        use_effect_with((), move |()| {
            let pasted = Rc::clone(&intake);
            let mut listeners = given::on_drag(move |it| dragged.set(it));
            listeners.extend(given::on_given(
                move |it| take(&intake, it),
                move |it| take_text(&pasted, &it),
            ));
            move || drop(listeners)
        });
    }
    {
        let pool = Rc::clone(pool);
        use_effect_with(reading, move |reading| pool.keep_reading(reading));
    }
    ((*intake).clone(), *dragged)
}

/// The frame over the page while a file is held above it.
pub(super) fn drop_frame(dragged: bool) -> Html {
    let frame = dragged
        .then(|| html! { <div class="drop" aria-hidden="true"><p>{text("import.drop")}</p></div> });
    frame.unwrap_or_default()
}

/// Files to pick, or a text to paste.
#[component]
pub(super) fn Picker(props: &PickerProps) -> Html {
    let intake = use_context::<Intake>();
    let pasting = use_state_eq(|| false);
    let area = use_node_ref();
    let onchange = {
        let intake = intake.clone();
        Callback::from(move |event: Event| {
            let input: HtmlInputElement = event.target_unchecked_into();
            let picked = given::list(input.files());
            if let Some(intake) = &intake {
                take(intake, picked);
            }
            // So that the same file can be picked again.
            input.set_value("");
        })
    };
    let toggle = {
        let pasting = pasting.clone();
        Callback::from(move |_: MouseEvent| pasting.set(!*pasting))
    };
    let read = {
        let (area, pasting) = (area.clone(), pasting.clone());
        Callback::from(move |_: MouseEvent| {
            let written = area.cast::<HtmlTextAreaElement>().map(|it| it.value());
            if let (Some(intake), Some(written)) = (&intake, written) {
                take_text(intake, &written);
            }
            pasting.set(false);
        })
    };
    let said = match &props.known {
        Some(known) => known.clone(),
        None if props.wanting => text("import.wanting").to_owned(),
        None => String::new(),
    };
    let paste = pasting.then(|| {
        html! {
            <div class="paste">
                <textarea ref={area} rows="5" spellcheck="false" aria-label={text("import.text")} />
                <button class="another" onclick={read}>{text("import.read")}</button>
            </div>
        }
    });
    let said = (!said.is_empty()).then(|| html! { <p class="why">{said}</p> });
    html! {
        <div class="data">
            {said.unwrap_or_default()}
            <label class="file">
                <input class="sr" type="file" multiple=true {onchange} /><span>{text("import.pick")}</span>
            </label>
            <button class="another" aria-expanded={pasting.to_string()} onclick={toggle}>{text("import.paste")}</button>
            {paste.unwrap_or_default()}
        </div>
    }
}

fn take(intake: &Intake, files: Vec<File>) {
    if !files.is_empty() {
        intake.emit(files.into_iter().map(|it| (it.name(), it.into())).collect());
    }
}

fn take_text(intake: &Intake, written: &str) {
    if let Some(blob) = given::blob_of(written) {
        intake.emit(vec![(text("import.pasted").to_owned(), blob)]);
    }
}
