//! One simulated request, call by call.

use std::rc::Rc;

use web_sys::Element;
use yew::prelude::*;

use super::{
    app::Dispatch,
    browser,
    figures::FigureFrame,
    icons::{self, icon},
    plot::Picture,
    state::{Action, LOOKS},
    strings::{fill, text},
    view::calls,
};
use crate::{
    format::reading,
    report::{Quantity, Replay},
};

#[derive(Properties, PartialEq)]
pub(super) struct OneRequestProps {
    pub scenario: &'static str,
    /// The percentile that is wanted.
    pub share: f64,
    pub replay: Rc<Replay>,
    pub deadline_ms: f64,
    /// It is not the one that is wanted, which is being searched for.
    pub stale: bool,
}

#[derive(Properties, PartialEq)]
pub(super) struct PlaceProps {
    pub children: Html,
}

/// Where a request is shown, which says when it is looked at: searching for one takes a while.
#[component]
pub(super) fn Place(props: &PlaceProps) -> Html {
    let dispatch = use_context::<Dispatch>();
    let place = use_node_ref();
    {
        let place = place.clone();
        use_effect_with((), move |()| {
            let near = move |near| {
                if let Some(dispatch) = &dispatch {
                    dispatch.dispatch(Action::Near(near));
                }
            };
            let watch = place.cast::<Element>().and_then(|it| browser::on_view(&it, near));
            move || drop(watch)
        });
    }
    html! { <div class="place" ref={place}>{props.children.clone()}</div> }
}

#[component]
pub(super) fn OneRequest(props: &OneRequestProps) -> Html {
    let dispatch = use_context::<Dispatch>();
    let plays = use_state_eq(|| 0_u32);
    let names = [text("request.typical"), text("request.p99"), text("request.p999")];
    let radios = std::iter::zip(LOOKS, names).map(|(share, name)| {
        let dispatch = dispatch.clone();
        let onchange = Callback::from(move |_: Event| {
            if let Some(dispatch) = &dispatch {
                dispatch.dispatch(Action::Look(share));
            }
        });
        html! {
            <label>
                <input class="sr" type="radio" name="which-request" checked={share == props.share} {onchange} />
                <span>{name}</span>
            </label>
        }
    });
    let play = {
        let plays = plays.clone();
        Callback::from(move |_: MouseEvent| plays.set(*plays + 1))
    };
    // Who wants no motion sees the last frame, which is there already.
    let button = (!browser::reduced_motion()).then(|| {
        html! { <button class="tool" onclick={play}>{icon(icons::PLAY)}{text("request.replay")}</button> }
    });
    let took = reading(Quantity::Latency, Some(props.replay.latency_ms), None, None);
    let alone = props.replay.lanes.len() == 1 && props.replay.more == 0;
    let took = took.to_string();
    let latency = [("latency", took.as_str())];
    let caption = if alone {
        fill("request.caption-alone", &latency)
    } else {
        fill("request.caption", &latency)
    };
    let caption = [caption.as_str(), &props.replay.met].join(" ").trim_end().to_owned();
    let picture =
        Picture::Strip { replay: Rc::clone(&props.replay), deadline_ms: props.deadline_ms };
    html! {
        <FigureFrame title={text("request.title")} {caption} {picture} table={calls(&props.replay)}
            file={format!("{}-one-request", props.scenario)} scenario={props.scenario} plays={*plays}
            stale={props.stale}>
            <div class="pick">
                <div class="seg" role="radiogroup" aria-label={text("request.which")}>{ for radios }</div>
                {button.unwrap_or_default()}
            </div>
        </FigureFrame>
    }
}
