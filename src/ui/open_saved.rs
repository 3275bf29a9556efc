//! Opens a study that was saved as JSON: the link in it is what counts, the numbers are found again.

use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::{
    browser::{self, Unread},
    strings::{fill, text},
};

#[component]
pub(super) fn OpenSaved() -> Html {
    let problem = use_state_eq(String::new);
    let onchange = {
        let problem = problem.clone();
        Callback::from(move |event: Event| {
            let input: HtmlInputElement = event.target_unchecked_into();
            let Some(file) = input.files().and_then(|it| it.get(0)) else { return };
            // So that the same file can be chosen again.
            input.set_value("");
            let problem = problem.clone();
            wasm_bindgen_futures::spawn_local(async move {
                let name = file.name();
                let said = match browser::read_saved(file).await {
                    Ok(link) => {
                        browser::go_to(&link);
                        String::new()
                    }
                    Err(why) => fill(reason(why), &[("file", &name)]),
                };
                problem.set(said);
            });
        })
    };
    html! {
        <>
            <label class="open-saved">
                <input class="sr" type="file" accept=".json,application/json" {onchange} />
                <span>{text("saved.open")}</span>
            </label>
            <span class="wrong" role="status">{(*problem).clone()}</span>
        </>
    }
}

fn reason(why: Unread) -> &'static str {
    match why {
        Unread::TooLarge => "saved.too-large",
        Unread::Unreadable => "saved.unreadable",
        Unread::NotSaved => "saved.not-saved",
    }
}
