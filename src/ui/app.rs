//! The page as a whole: the state, and what follows from it outside of the page.

use std::{cell::RefCell, rc::Rc};

use gloo_timers::callback::Timeout;
use yew::prelude::*;

use super::{
    advise::Advise,
    bars::bars,
    browser,
    compare::legend,
    embed_maker::EmbedMaker,
    embedded::{Embedding, embedded},
    figures::figures_of,
    framing::Framing,
    header::Header,
    hooks,
    import::ImportPanel,
    intake::{Intake, drop_frame, use_intake},
    lead::{Lead, presets},
    live::Live,
    one_request::{OneRequest, Place},
    page_end::{footer, notes},
    plot,
    published::Published,
    rail::Rail,
    readout::{readout, settled},
    state::{Action, State, reduce},
    sweep::{sweep, use_learning},
    view,
};
use crate::{
    report::{Figure, Sentence},
    scenario::{Seen, Watched},
    study::Setup,
    worker::{Part, Pool, Tell, pause_ms},
};

/// What all components send their actions to.
pub(super) type Dispatch = UseReducerDispatcher<Store>;

pub(super) struct Store(Rc<State>);

/// Sends an action when something is pressed.
pub(super) fn sends<E: 'static>(dispatch: &Dispatch, action: Action) -> Callback<E> {
    let dispatch = dispatch.clone();
    Callback::from(move |_| dispatch.dispatch(action.clone()))
}

/// What takes the page longer than this while a hand moves is a worker's.
const PAGE_MS: f64 = 8.0;
/// Cores that are left to everything else, and the most workers that are worth their memory.
const CORES_SPARED: u32 = 1;
const WORKERS_MAX: u32 = 8;
/// A page may hold several others.
const WORKERS_EMBEDDED: u32 = 2;

/// Workers' words until the page has time for them.
#[derive(Default)]
struct Inbox {
    tells: Vec<Tell>,
    waiting: bool,
    read_at: f64,
    /// The last job that was heard of, and since when.
    job: u32,
    since: f64,
}

impl Reducible for Store {
    type Action = Action;

    fn reduce(self: Rc<Self>, action: Action) -> Rc<Self> {
        let start = browser::now();
        let mut next = reduce(&self.0, action);
        // Exact values are most of the time that a change of the study takes.
        if !Rc::ptr_eq(&self.0.exact, &next.exact) && PAGE_MS < browser::now() - start {
            next.theory.slow = true;
        }
        Rc::new(Store(Rc::new(next)))
    }
}

/// Puts the page in the place of what the shell shows until then.
pub(super) fn mount() {
    let shell = browser::document().and_then(|it| it.get_element_by_id("app"));
    match shell {
        Some(shell) => yew::Renderer::<App>::with_root(shell).render(),
        None => yew::Renderer::<App>::new().render(),
    };
    browser::mark("tail-lab:started");
}

#[component]
fn App() -> Html {
    let store = use_reducer(|| {
        let opened = State::open(&browser::link());
        Store(Rc::new(reduce(&opened, Action::Theme(browser::stored_theme()))))
    });
    let state = Rc::clone(&store.0);
    let dispatch = store.dispatcher();
    let framing = Framing::of(&state);
    let pool = use_workers(&state, &dispatch, framing.embedded);
    use_learning(&state, &dispatch);
    let reading: Vec<u32> = state.import.reading.iter().map(|it| it.file).collect();
    let is_reading = !reading.is_empty();
    let (intake, dragged) = use_intake(&pool, &dispatch, reading);
    use_look();
    use_address(&state, &dispatch);
    use_document(&state);
    let scenario = state.study.scenario;
    let (sentence, figures) = use_told(&state);
    // Where the sentence itself says so, once is enough.
    let unstable = state.unstable.clone().filter(|it| !sentence.text().contains(it.as_str()));
    let bars = bars(&state.problems, unstable, failed(&state), &dispatch);
    if framing.embedded {
        let page = embedded(&state, &framing, (&sentence, &figures), bars);
        return html! { <ContextProvider<Dispatch> context={dispatch}>{page}</ContextProvider<Dispatch>> };
    }
    let pressed = state.study.preset().map(|it| it.name);
    let embedding = Embedding {
        study: state.study.clone(),
        sentence: Rc::clone(&sentence),
        plot: figures.first().map(|it| plot::class_of(it)),
        said: view::progress(&state).text,
    };
    html! {
        <ContextProvider<Dispatch> context={dispatch.clone()}><ContextProvider<Intake> context={intake}>
            <Header scenario={scenario.key} link={state.setup().link()} theme={state.theme} />
            <div class="page">
                <Rail study={state.study.clone()} pinned={state.pinned.as_ref().map(|it| it.study.clone())}
                    {framing} reading={is_reading} />
                <main id="main" tabindex="-1">
                    <ImportPanel import={state.import.clone()} scenario={scenario.key}
                        in_use={in_use(&state)} deadline={state.study.deadline_of_data()} />
                    { bars }
                    { legend(&state, &dispatch) }
                    <Lead scenario={scenario.key} {sentence} />
                    { presets(scenario, pressed, state.has_changes(), &dispatch) }
                    { readout(&view::readout(&state), view::progress(&state), state.paused, &dispatch) }
                    { settled(&state, &dispatch) }
                    { sweep(&state, &dispatch) }
                    { figures_of(&figures, scenario.key) }
                    <Advise state={ByAddress(Rc::clone(&state))} />
                    { close_look(&state) }
                    <Published rows={view::rows(&state)} preset={state.rows.preset.map(|it| it.name)}
                        scenario={scenario.key} learning={state.gesture.is_none() && state.rows.unknown().is_some()} />
                    { notes(&state.study.notes()) }
                    <EmbedMaker {embedding} />
                    { footer(&state) }
                </main>
            </div>
            { drop_frame(dragged) }
        </ContextProvider<Intake>></ContextProvider<Dispatch>>
    }
}

/// Keeps title, colours and marks of the document at the state.
#[hook]
fn use_document(state: &Rc<State>) {
    {
        let theme = state.theme;
        use_effect_with(theme, |theme| {
            browser::set_theme(*theme);
            look_again();
        });
        hooks::show_state(state);
    }
    use_effect_with(state.has_data(), |has_data| {
        if *has_data {
            browser::mark("tail-lab:first-percentiles");
        }
    });
    use_effect_with(state.study.scenario.title, |title| {
        browser::set_title(&format!("{title} · Tail Lab"));
    });
}

/// The sentence and the figures, made anew only when what they tell of is another.
#[hook]
fn use_told(state: &Rc<State>) -> (Rc<Sentence>, Rc<Vec<Rc<Figure>>>) {
    let sentence = {
        let key = (state.study.clone(), ByAddress(Rc::clone(&state.measures)));
        let state = Rc::clone(state);
        use_memo(key, move |_| state.study.sentence(&seen(&state)))
    };
    let figures = {
        let pinned = state.pinned.as_ref();
        let pinned = pinned.map(|it| (it.study.clone(), ByAddress(Rc::clone(&it.measures))));
        let key = (state.study.clone(), ByAddress(Rc::clone(&state.measures)), pinned);
        let state = Rc::clone(state);
        use_memo(key, move |_| -> Vec<Rc<Figure>> {
            view::figures(&state, state.study.figures(&seen(&state)))
        })
    };
    (sentence, figures)
}

/// The servers that were filmed last and the request that was found last, if the scenario has any to show; until then
/// the room that they will take.
fn close_look(state: &State) -> Html {
    let look = &state.look;
    let scenario = state.study.scenario;
    let shown = match look.found.clone() {
        Some((job, share, replay)) => replay.map(|replay| {
            let old = job != state.run.job || share != look.share || state.is_stale();
            html! {
                <OneRequest scenario={scenario.key} share={look.share} {replay} stale={old}
                    deadline_ms={state.study.deadline_ms().unwrap_or(f64::INFINITY)} />
            }
        }),
        None => Some(html! { <div class="reserve"></div> }),
    };
    let film = match (look.film.clone(), scenario.watched) {
        (Some((job, film)), _) => film.map(|film| {
            let old = job != state.run.job || state.is_stale();
            html! { <Live scenario={scenario.key} {film} stale={old} /> }
        }),
        (None, Watched::Nothing) => None,
        (None, Watched::Servers) => Some(html! { <div class="reserve servers"></div> }),
        (None, Watched::Messages) => Some(html! { <div class="reserve messages"></div> }),
    };
    html! { <Place>{film.unwrap_or_default()}{shown.unwrap_or_default()}</Place> }
}

/// Equal only if it is the very same.
#[derive(Clone)]
pub(super) struct ByAddress<T>(pub(super) Rc<T>);

impl<T> PartialEq for ByAddress<T> {
    fn eq(&self, other: &ByAddress<T>) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

pub(super) fn seen(state: &State) -> Seen<'_> {
    let meter = state.run.meter.as_deref().filter(|_| state.has_data());
    Seen { meter, measures: &state.measures, exact: &state.exact }
}

/// How many of the studies have measured data.
fn in_use(state: &State) -> usize {
    let studies = [Some(&state.study), state.pinned.as_ref().map(|it| &it.study)];
    studies.into_iter().flatten().filter(|it| it.data.is_some()).count()
}

/// After how many requests the simulation stopped, if it did, and whether exact values remain.
fn failed(state: &State) -> Option<(u64, bool)> {
    let exact = !state.exact.laws.is_empty() || !state.exact.values.is_empty();
    state.run.failed.then(|| (state.run.recorded(), exact))
}

/// Keeps the workers at what the state wants, and brings it what they say.
#[hook]
fn use_workers(state: &Rc<State>, dispatch: &Dispatch, embedded: bool) -> Rc<Pool> {
    let pool = use_memo((), |()| {
        let dispatch = dispatch.clone();
        let again = dispatch.clone();
        let inbox = Rc::new(RefCell::new(Inbox::default()));
        let pool = Pool::new(
            workers(embedded),
            Rc::new(move |tell, last| hear(&inbox, &dispatch, tell, last)),
        );
        hooks::show_pool(&pool, Rc::new(move || again.dispatch(Action::RunAgain)));
        pool
    });
    let hidden = use_state_eq(browser::is_hidden);
    {
        let hidden = hidden.clone();
        use_effect_with((), move |()| {
            let listener = browser::on_visibility(move |it| hidden.set(it));
            move || drop(listener)
        });
    }
    {
        let pool = Rc::clone(&pool);
        use_effect_with(state.paused || *hidden, move |rests| pool.pause(*rests));
    }
    {
        let pool = Rc::clone(&pool);
        use_effect_with(state.wanted(), move |wanted| {
            pool.ask(wanted.clone());
        });
    }
    {
        // Charts keep up with a moving hand; and at first there is nothing else to see.
        let waits = state.gesture.is_none() && state.place.serial != 0 && !state.paused;
        use_effect_with(state.run.job, move |_| {
            if waits {
                plot::wait_for_answers();
            }
        });
    }
    let asked = use_mut_ref(Vec::new);
    let searching = Rc::clone(&pool);
    use_effect_with(state.searches(), move |wanted| {
        let before = asked.replace(wanted.clone());
        let fresh = wanted.iter().filter(|it| !before.contains(it));
        fresh.for_each(|it| searching.search(it.clone()));
    });
    pool
}

/// Has the charts drawn anew when the style sheet says something else than before.
#[hook]
fn use_look() {
    use_effect_with((), |()| {
        let media = ["(prefers-color-scheme: dark)", "(forced-colors: active)"];
        let mut listeners: Vec<_> =
            media.iter().filter_map(|it| browser::on_media(it, look_again)).collect();
        listeners.extend(browser::on_page("resize", look_again));
        listeners.extend(browser::on_page("afterprint", || {
            plot::put_on_paper(false);
            look_again();
        }));
        plot::when_fonts_are_there(look_again);
        move || drop(listeners)
    });
}

fn look_again() {
    plot::forget_palette();
    browser::say(browser::LOOK);
}

fn workers(embedded: bool) -> u32 {
    let asked = browser::query("workers").and_then(|it| it.parse().ok());
    let most = if embedded { WORKERS_EMBEDDED } else { WORKERS_MAX };
    asked.unwrap_or(browser::cores().saturating_sub(CORES_SPARED)).clamp(1, most)
}

/// Collects what workers say, so that the page reads it a few times a second, whatever their number: at once only the
/// first word on a question, and the last.
fn hear(inbox: &Rc<RefCell<Inbox>>, dispatch: &Dispatch, tell: Tell, last: bool) {
    let mut letters = inbox.borrow_mut();
    let now = browser::now();
    let urgent = match &tell {
        Tell::Part(Part { job, .. }) if letters.job != *job => {
            (letters.job, letters.since) = (*job, now);
            true
        }
        Tell::Part(_) => last,
        Tell::Reading { .. } => false,
        Tell::Replayed { .. }
        | Tell::Filmed { .. }
        | Tell::Exact { .. }
        | Tell::Bears { .. }
        | Tell::Failed { .. }
        | Tell::Read { .. } => true,
    };
    letters.tells.push(tell);
    if urgent {
        drop(letters);
        // Not by a timer, before which a whole frame may come.
        read(inbox, dispatch);
        return plot::answers_are_there();
    }
    if letters.waiting {
        return;
    }
    letters.waiting = true;
    let rest = letters.read_at + pause_ms(now - letters.since) - now;
    let (inbox, dispatch) = (Rc::clone(inbox), dispatch.clone());
    Timeout::new(rest.max(0.0) as u32, move || {
        inbox.borrow_mut().waiting = false;
        read(&inbox, &dispatch);
    })
    .forget();
}

fn read(inbox: &RefCell<Inbox>, dispatch: &Dispatch) {
    let tells = {
        let mut letters = inbox.borrow_mut();
        letters.read_at = browser::now();
        std::mem::take(&mut letters.tells)
    };
    if !tells.is_empty() {
        dispatch.dispatch(Action::Told(tells));
    }
}

/// Keeps the address bar at the study, and the study at the address bar.
#[hook]
fn use_address(state: &Rc<State>, dispatch: &Dispatch) {
    let place = state.place.clone();
    use_effect_with(place.serial, move |serial| {
        if *serial != 0 {
            browser::write_address(&place.link, place.entry);
        }
    });
    let dispatch = dispatch.clone();
    use_effect_with((), move |()| {
        let open = move |link: String| {
            let (setup, problems) = Setup::open(&link);
            // Both events of a navigation arrive.
            let shown = hooks::state().is_some_and(|it| it.setup() == setup);
            if !shown || !problems.is_empty() {
                dispatch.dispatch(Action::Open(link));
            }
        };
        let listeners = browser::on_navigation(open);
        move || drop(listeners)
    });
}
