//! How high a study is in an inline frame, measured: laid out there, in a frame of a given width that nobody sees.

use web_sys::Element;
use yew::prelude::*;

use super::browser;

#[derive(Properties, PartialEq)]
pub(super) struct GaugeProps {
    /// In CSS pixels.
    pub width: u32,
    /// Hears the height, in CSS pixels, as often as it changes.
    pub onheight: Callback<u32>,
    /// What stands in the frame.
    pub children: Html,
}

/// Browsers lay out what does not say so by older rules.
const EMPTY: &str = "<!doctype html><title>-</title>";

#[component]
pub(super) fn Gauge(props: &GaugeProps) -> Html {
    let frame = use_node_ref();
    let body = use_state_eq(|| None::<Element>);
    {
        let (frame, body) = (frame.clone(), body.clone());
        use_effect_with((), move |()| {
            let listener = browser::on_dressed(&frame, move |it| body.set(Some(it)));
            move || drop(listener)
        });
    }
    {
        let onheight = props.onheight.clone();
        use_effect_with((*body).clone(), move |body| {
            let told = move |_, height: f64| onheight.emit(height.ceil() as u32);
            let watch = body.as_ref().and_then(|it| browser::on_resize(it, told));
            move || drop(watch)
        });
    }
    let inside = (*body).clone().map(|it| create_portal(props.children.clone(), it));
    html! {
        <div class="gauge" aria-hidden="true">
            <iframe ref={frame} srcdoc={EMPTY} width={props.width.to_string()} height="20" tabindex="-1"></iframe>
            {inside.unwrap_or_default()}
        </div>
    }
}
