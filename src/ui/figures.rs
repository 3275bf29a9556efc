//! A figure: its heading, its caption, its chart or its table, and what can be saved of it.

use std::rc::Rc;

use yew::prelude::*;

use super::{
    browser,
    data_table::{DataTable, Tabled},
    plot::{Picture, Plot, png, scene_of, svg_text},
    strings::{fill, text},
};
use crate::{
    chart::{Frame, Scene, layout, on_sheet},
    report::{Figure, Size},
};

#[derive(Clone, Properties, PartialEq)]
pub(super) struct FrameProps {
    pub title: String,
    pub caption: String,
    /// What can be done with it on the page, and neither on paper nor in a file.
    #[prop_or_default]
    pub hint: &'static str,
    pub picture: Picture,
    pub table: Tabled,
    /// What files are called, without their ending.
    pub file: String,
    pub scenario: &'static str,
    /// What stands between caption and chart.
    #[prop_or_default]
    pub children: Html,
    #[prop_or_default]
    pub plays: u32,
    #[prop_or_default]
    pub stale: bool,
    /// A sheet has not the room for it.
    #[prop_or_default]
    pub off_paper: bool,
    /// Takes the place that is chosen in the chart.
    #[prop_or_default]
    pub onchoose: Option<Callback<(f64, f64)>>,
}

/// The size of a figure in a file, in CSS pixels.
const FILE: Frame = Frame { width: 1040.0, height: 430.0, narrow: false };

pub(super) fn figures_of(figures: &[Rc<Figure>], scenario: &'static str) -> Html {
    let printed = on_paper(figures);
    let one = |(at, figure): &(usize, &Rc<Figure>)| {
        html! {
            <FigureFrame key={figure.key} title={figure.title.clone()} caption={figure.caption.clone()}
                table={figure.table.clone()} picture={Picture::Figure(Rc::clone(figure))}
                file={format!("{scenario}-{}", figure.key)} {scenario} off_paper={!printed.contains(at)} />
        }
    };
    // Pairs stand side by side.
    let figures: Vec<(usize, &Rc<Figure>)> = figures.iter().enumerate().collect();
    let groups = figures.chunk_by(|a, b| a.1.size == Size::Pair && b.1.size == Size::Pair);
    let groups = groups.map(|group| match group {
        [figure] => one(figure),
        _ => html! { <div key={group[0].1.key} class="two">{ for group.iter().map(one) }</div> },
    });
    html! { <>{ for groups }</> }
}

/// Those that go on a sheet with everything else: the first, and the last pair, which has the percentiles and the
/// distribution.
fn on_paper(figures: &[Rc<Figure>]) -> Vec<usize> {
    let pairs = (0..figures.len()).rev().filter(|at| figures[*at].size == Size::Pair);
    pairs.take(2).chain([0]).collect()
}

#[component]
pub(super) fn FigureFrame(props: &FrameProps) -> Html {
    let tabled = use_state_eq(|| false);
    let toggle = {
        let tabled = tabled.clone();
        Callback::from(move |_: MouseEvent| tabled.set(!*tabled))
    };
    let save = |act: fn(&FrameProps)| {
        let props = props.clone();
        Callback::from(move |_: MouseEvent| act(&props))
    };
    let save_csv = {
        let (table, file) = (props.table.clone(), props.file.clone());
        Callback::from(move |_: MouseEvent| {
            browser::download_text(&format!("{file}.csv"), "text/csv", &table.table().csv());
        })
    };
    let of = |words: &str| fill("figure.of", &[("what", words), ("title", &props.title)]);
    let label =
        [&props.title, ". ", &props.caption, " ", props.hint].concat().trim_end().to_owned();
    let hint = (!props.hint.is_empty())
        .then(|| html! { <span class="off-paper">{" "}{props.hint}</span> });
    html! {
        <figure class={props.off_paper.then_some("off-paper")}>
            <div class="fig-head">
                <h2>{props.title.clone()}</h2>
                <div class="bar">
                    <button aria-expanded={tabled.to_string()} aria-label={of(text("figure.table"))} onclick={toggle}>
                        {text("figure.table")}
                    </button>
                    <button aria-label={of(text("figure.csv"))} onclick={save_csv}>{text("figure.csv")}</button>
                    <button aria-label={of(text("figure.svg"))} onclick={save(save_svg)}>{text("figure.svg")}</button>
                    <button aria-label={of(text("figure.png"))} onclick={save(save_png)}>{text("figure.png")}</button>
                </div>
                <p>{props.caption.clone()}{hint.unwrap_or_default()}</p>
            </div>
            <div class="fig-body">
                {props.children.clone()}
                if *tabled {
                    <DataTable table={props.table.clone()} title={props.title.clone()} />
                } else {
                    <Plot picture={props.picture.clone()} {label} scenario={props.scenario} plays={props.plays}
                        stale={props.stale} onchoose={props.onchoose.clone()} />
                }
            </div>
        </figure>
    }
}

fn save_svg(it: &FrameProps) {
    browser::download_text(&format!("{}.svg", it.file), "image/svg+xml", &svg_text(&scene(it)));
}

fn save_png(it: &FrameProps) {
    png(format!("{}.png", it.file), &scene(it));
}

/// As it is saved: in the same size whatever the window's, and with its words.
fn scene(it: &FrameProps) -> Scene {
    let scene = match &it.picture {
        Picture::Figure(figure) => {
            let width = if figure.size == Size::Pair { FILE.width / 2.0 } else { FILE.width };
            layout(figure, Frame { width, ..FILE })
        }
        picture => scene_of(picture, FILE),
    };
    on_sheet(&scene, &it.title, &it.caption)
}
