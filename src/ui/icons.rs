//! The few signs of the page. They never stand for a word that is not there as well, save for theme and menu.

use yew::prelude::*;

use super::state::Theme;

pub(super) const SHARE: &str = "M8 10V2M5 4.8 8 2l3 2.8M3 8v5.5h10V8";
pub(super) const CHEVRON: &str = "m4 6.5 4 4 4-4";
pub(super) const UNDO: &str = "M3 6.5h6.5a3.5 3.5 0 0 1 0 7H6M5.8 3.5 2.8 6.5l3 3";
pub(super) const PLAY: &str = "M5 3.5v9l7-4.5z";

pub(super) const PAUSE: &str = "M5.5 3.5v9M10.5 3.5v9";

pub(super) fn icon(path: &'static str) -> Html {
    html! { <svg class="i" viewBox="0 0 16 16" aria-hidden="true"><path d={path} /></svg> }
}

pub(super) fn logo() -> Html {
    html! {
        <svg viewBox="0 0 26 18" aria-hidden="true">
            <path class="curve" d="M1 16.5C5 16.5 5 2 8.5 2s3.5 11 8.5 12.5c3 .9 5 1 8 1" />
            <path class="limit" d="M19.5 2v15" />
        </svg>
    }
}

/// Half dark for the system's own choice, a ring for light, a disc for dark.
pub(super) fn theme(theme: Theme) -> Html {
    let dark = match theme {
        Theme::Auto => "M8 1.8a6.2 6.2 0 0 1 0 12.4z",
        Theme::Light => "",
        Theme::Dark => "M8 1.8a6.2 6.2 0 0 1 0 12.4a6.2 6.2 0 0 1 0-12.4z",
    };
    html! {
        <svg class="i" viewBox="0 0 16 16" aria-hidden="true">
            <circle cx="8" cy="8" r="6.2" /><path class="full" d={dark} />
        </svg>
    }
}
