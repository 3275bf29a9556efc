//! Where machines are and which way messages take: layer by layer from left to right, or where there is little room
//! from top to bottom.

use super::{glyphs, haloed, is_machine, state_words};
use crate::chart::{
    grid::SMALL,
    marks::{Anchor, Mark, Point, Rect, Stroke, Tint, Words},
    palette::Role,
    scene::Frame,
    text,
};
use crate::format;
use crate::report::{Link, MachineState, Message, Node, NodeKind, Traffic};

/// More machines, or more ways, than this are not drawn.
const PLACES_MAX: u32 = 64;
const LINKS_MAX: usize = 4_096;
/// Where there are more ways than this, each is paler.
const LINKS_MANY: usize = 60;
/// Where layers are along the way, in parts of it: with ways between stores, which take room beyond them, and without.
const LAYERS_WIDE: [[f64; 4]; 2] = [[0.09, 0.29, 0.5, 0.71], [0.09, 0.33, 0.6, 0.88]];
const LAYERS_NARROW: [[f64; 4]; 2] = [[0.05, 0.24, 0.44, 0.7], [0.05, 0.27, 0.52, 0.86]];
/// From one machine to the next at most, and the side of one.
const PITCH_MAX: f64 = 104.0;
const SIDE: (f64, f64) = (8.0, 28.0);
/// Half the thickness of the balancer.
const BAR: f64 = 4.0;
/// What is left free at the edges: as much as a message takes.
const EDGE: f64 = 12.0;
/// Machines that are so far apart have names; others have numbers.
const NAMED: f64 = 56.0;
/// For names below machines.
const NAME: f64 = 16.0;
/// A way between stores: how far it goes out at the least, and its corners.
const BULGE: f64 = 16.0;
const CORNERS: usize = 24;
/// From one that waits to the next, and how many wait in a line.
const WAITING: f64 = 10.0;
const WAITING_LINE: usize = 6;

pub(super) struct Ground {
    pub(super) plot: Rect,
    nodes: Vec<Node>,
    links: Vec<Link>,
    wide: bool,
    /// Along the way, by layer.
    layers: [f64; 4],
    places: u32,
    pitch: f64,
    /// Across the way, of the first place.
    first: f64,
    side: f64,
    /// How far ways between stores may go out.
    depth: f64,
}

/// The line that a message follows.
pub(super) struct Way {
    points: Vec<Point>,
    /// Its length up to each point.
    lengths: Vec<f64>,
}

impl Ground {
    pub(super) fn new(traffic: &Traffic, top: f64, frame: Frame) -> Ground {
        let wide = !frame.narrow;
        let plot = Rect { left: 0.0, top, right: frame.width, bottom: frame.height };
        let kind = |at: u32| traffic.nodes.get(at as usize).map(|it| it.kind);
        let stores = Some(NodeKind::Store);
        let arcs = traffic.links.iter().any(|it| kind(it.from) == stores && kind(it.to) == stores);
        let places = traffic.nodes.iter().filter_map(|it| it.place).max();
        let places = places.map_or(1, |it| it.saturating_add(1)).min(PLACES_MAX);
        let (along, across) = if wide {
            ((EDGE, plot.right - EDGE), (plot.top + NAME, plot.bottom - 6.0))
        } else {
            ((plot.top + 14.0, plot.bottom - 8.0), (EDGE, plot.right - EDGE))
        };
        let shares = if wide { LAYERS_WIDE } else { LAYERS_NARROW }[usize::from(!arcs)];
        let layers = shares.map(|it| along.0 + it * (along.1 - along.0));
        let room = (across.1 - across.0).max(1.0);
        let pitch = (room / f64::from(places)).min(PITCH_MAX.max(room / 4.0));
        let first = f64::midpoint(across.0, across.1) - (f64::from(places) - 1.0) / 2.0 * pitch;
        let side = (0.36 * pitch).clamp(SIDE.0, SIDE.1);
        let name = if wide { 0.0 } else { NAME };
        let depth = (along.1 - layers[3] - side - name).max(0.0);
        let links = traffic.links.iter().take(LINKS_MAX).copied().collect();
        let nodes = traffic.nodes.clone();
        Ground { plot, nodes, links, wide, layers, places, pitch, first, side, depth }
    }

    /// A point so far along the way and across it.
    fn point(&self, along: f64, across: f64) -> Point {
        if self.wide { (along, across) } else { (across, along) }
    }

    fn across(&self, place: Option<u32>) -> f64 {
        let middle = (f64::from(self.places) - 1.0) / 2.0;
        self.first + place.map_or(middle, |it| f64::from(it.min(self.places - 1))) * self.pitch
    }

    fn along(&self, node: &Node) -> f64 {
        self.layers[node.kind.layer()]
    }

    fn middle(&self, node: &Node) -> Point {
        self.point(self.along(node), self.across(node.place))
    }

    fn shown(&self) -> impl Iterator<Item = &Node> {
        self.nodes.iter().filter(|it| it.place.is_none_or(|it| it < self.places))
    }

    fn node(&self, at: u32) -> Option<&Node> {
        self.nodes.get(at as usize)
    }

    /// The stores that all share are larger than others.
    fn side_of(&self, node: &Node) -> f64 {
        if node.place.is_none() { (1.4 * self.side).clamp(24.0, 36.0) } else { self.side }
    }

    /// One for each machine with several parts.
    pub(super) fn bands(&self, state: impl Fn(u32) -> MachineState) -> Vec<Mark> {
        let [.., application, store] = self.layers;
        let by = (if self.wide { 0.75 } else { 1.0 } * self.side).min(0.46 * self.pitch);
        let has_store = |place: u32| {
            self.nodes.iter().any(|it| it.kind == NodeKind::Store && it.place == Some(place))
        };
        let nodes = self.shown().filter(|it| it.kind == NodeKind::Application);
        let band = |node: &Node| {
            let place = node.place?;
            let end = if has_store(place) { store } else { application };
            let across = self.across(Some(place));
            // The names belong to it.
            let name = if self.has_names() { NAME - 4.0 } else { 0.0 };
            let (below, beside) = if self.wide { (0.0, name) } else { (name, 0.0) };
            let from = self.point(application - self.side, across - by);
            let to = self.point(end + self.side + below, across + by + beside);
            let rect = Rect { left: from.0, top: from.1, right: to.0, bottom: to.1 };
            let (role, opacity) = match state(place) {
                MachineState::Up => (Role::Rule, 0.55),
                MachineState::Closing => (Role::Rule, 1.0),
                MachineState::Out => (Role::Rule, 0.25),
                MachineState::Crashed => (Role::Red, 0.1),
            };
            Some(Mark::Rectangle { rect: self.inside(rect), tint: Tint { role, opacity } })
        };
        nodes.filter_map(band).collect()
    }

    fn inside(&self, rect: Rect) -> Rect {
        Rect {
            left: rect.left.max(self.plot.left),
            top: rect.top.max(self.plot.top),
            right: rect.right.min(self.plot.right),
            bottom: rect.bottom.min(self.plot.bottom),
        }
    }

    pub(super) fn links(&self) -> Vec<Mark> {
        let opacity = if LINKS_MANY < self.links.len() { 0.22 } else { 0.4 };
        let stroke = Stroke { opacity, ..Stroke::solid(Role::Edge, 1.0) };
        let drawn = |points: Vec<Point>| Mark::Line { points, stroke };
        let link = |it: &Link| {
            let mut points = self.points(it)?;
            // Where there is a corner many have one way up to it, which is drawn once, or there is a name.
            if 2 < points.len() && self.node(it.from)?.kind != NodeKind::Store {
                points.remove(0);
            }
            Some(drawn(points))
        };
        let mut marks: Vec<Mark> = self.links.iter().filter_map(link).collect();
        for at in 0..self.nodes.len() as u32 {
            let through = self.links.iter().find(|it| it.from == at && it.through.is_some());
            let points = through.and_then(|it| self.points(it));
            marks.extend(points.map(|it| drawn(it[..2].to_vec())));
        }
        marks
    }

    fn has_names(&self) -> bool {
        NAMED <= self.pitch
    }

    pub(super) fn nodes(&self, state: impl Fn(u32) -> MachineState) -> Vec<Mark> {
        let mut marks = Vec::new();
        for node in self.shown() {
            let at = self.middle(node);
            let state = node.machine().map_or(MachineState::Up, &state);
            let role = if state == MachineState::Out { Role::Edge } else { Role::Ink2 };
            match node.kind {
                NodeKind::Users => {
                    let room = (0.36 * self.pitch - 2.0).max(4.0);
                    let room = if self.wide { (36.0, 1.6 * room) } else { (2.0 * room, 29.0) };
                    marks.extend(glyphs::users(node.count, at, room));
                }
                NodeKind::Balancer => marks.push(self.bar()),
                NodeKind::Application => marks.extend(glyphs::application(at, self.side, role)),
                NodeKind::Store => marks.extend(glyphs::store(at, self.side_of(node), role)),
            }
            if is_machine(node.kind) && state == MachineState::Crashed {
                let stroke = Stroke::solid(Role::Red, 2.5);
                marks.push(Mark::Cross { at, radius: 0.6 * self.side, stroke });
            }
        }
        marks
    }

    /// The balancer stands across all ways.
    fn bar(&self) -> Mark {
        let (from, to) = (self.across(Some(0)), self.across(Some(self.places - 1)));
        let over = (0.4 * self.pitch).min(24.0);
        let from = self.point(self.layers[1] - BAR, from - over);
        let to = self.point(self.layers[1] + BAR, to + over);
        let rect = Rect { left: from.0, top: from.1, right: to.0, bottom: to.1 };
        Mark::Rectangle { rect: self.inside(rect), tint: Tint { role: Role::Edge, opacity: 0.6 } }
    }

    /// The names of nodes, as many as there is room for.
    pub(super) fn names(&self) -> Vec<Mark> {
        let named = |node: &Node, at: Point, anchor| {
            let halo = (node.kind == NodeKind::Balancer).then_some(Role::Paper);
            let (text, role) = (node.name.clone(), Role::Ink3);
            Mark::Words(Words { text, at, anchor, size: SMALL, bold: false, role, halo })
        };
        let below = |node: &Node, by: f64| {
            let (x, y) = self.middle(node);
            named(node, (x, y + by), Anchor::Middle)
        };
        let name = |node: &Node| match node.kind {
            NodeKind::Balancer => {
                let (x, y) = self.point(self.layers[1], self.across(Some(0)));
                if self.wide {
                    let over = (0.4 * self.pitch).min(24.0);
                    return Some(named(node, (x, y - over - 7.0), Anchor::Middle));
                }
                let last = self.across(Some(self.places - 1));
                let between = if self.places == 1 { 40.0 } else { -0.5 * self.pitch };
                Some(named(node, (last + between, y - BAR - 5.0), Anchor::Middle))
            }
            NodeKind::Users if self.wide => {
                let (x, y) = self.middle(node);
                if !self.has_names() {
                    let left = x - 22.0;
                    return Some(named(node, (left, y + 4.0), Anchor::End));
                }
                Some(below(node, 16.0 + SMALL))
            }
            NodeKind::Users => Some(below(node, 16.0 + SMALL)),
            _ if node.place.is_none() => Some(below(node, 0.5 * self.side_of(node) + NAME - 2.0)),
            _ if !self.has_names() => None,
            _ => Some(below(node, 0.5 * self.side + NAME - 3.0)),
        };
        let fits = |it: &Mark| match it {
            Mark::Words(it) => self.wide || text::width(&it.text, SMALL, false) < 2.0 * self.pitch,
            _ => false,
        };
        self.shown().filter_map(name).filter(fits).chain(self.numbers()).collect()
    }

    /// Where names have no room, the numbers of machines do.
    fn numbers(&self) -> Vec<Mark> {
        if self.has_names() {
            return Vec::new();
        }
        let nodes = self.shown().filter(|it| it.kind == NodeKind::Application);
        let number = |node: &Node| {
            let (x, y) = self.middle(node);
            let number = format::count(u64::from(node.place?) + 1);
            Some(if self.wide {
                haloed(number, (x - self.side - 5.0, y + 4.0), Anchor::End, Role::Ink3)
            } else {
                haloed(number, (x, y - 0.5 * self.side - 5.0), Anchor::Middle, Role::Ink3)
            })
        };
        nodes.filter_map(number).collect()
    }

    /// What is told of machines that are not up.
    pub(super) fn states(&self, state: impl Fn(u32) -> MachineState) -> Vec<Mark> {
        let nodes = self.shown().filter(|it| it.kind == NodeKind::Application);
        let words = |node: &Node| {
            let place = node.place?;
            let (words, role) = state_words(state(place))?;
            let [.., application, store] = self.layers;
            let at = self.point(f64::midpoint(application, store), self.across(Some(place)));
            let y = if self.wide { at.1 - 6.0 } else { at.1 + 4.0 };
            Some(Mark::Words(Words {
                text: words.to_owned(),
                at: (at.0, y),
                anchor: Anchor::Middle,
                size: SMALL,
                bold: true,
                role,
                halo: (!self.wide).then_some(Role::Paper),
            }))
        };
        nodes.filter_map(words).collect()
    }

    /// Where the one in a place of a node's queue is: the first at the node itself, the others before it.
    pub(super) fn slot(&self, node: u32, place: Option<u32>, row: usize) -> Option<Point> {
        let node = self.node(node)?;
        let across = self.across(place.or(node.place));
        let along = self.along(node);
        let apart = match node.kind {
            NodeKind::Balancer => BAR + 8.0,
            _ if row == 0 => return Some(self.kept(self.point(along, across))),
            _ => 0.5 * self.side_of(node) + 8.0,
        };
        let row = if node.kind == NodeKind::Balancer { row } else { row - 1 };
        let (column, line) = (row % WAITING_LINE, row / WAITING_LINE);
        // Further lines on both sides in turn.
        let aside = line.div_ceil(2) as f64 * if line % 2 == 0 { -WAITING } else { WAITING };
        let waits = along - apart - column as f64 * WAITING;
        Some(self.kept(self.point(waits, across + aside)))
    }

    /// Nearer to the edge a message would be cut off.
    fn kept(&self, (x, y): Point) -> Point {
        let plot = self.plot.grown(-EDGE);
        (x.min(plot.right).max(plot.left), y.min(plot.bottom).max(plot.top))
    }

    pub(super) fn way(&self, message: &Message) -> Option<Way> {
        let link = self.links.get(message.link as usize)?;
        let mut points = self.points(link)?;
        if message.back {
            points.reverse();
        }
        Some(Way::new(points))
    }

    /// The corners of a link.
    fn points(&self, link: &Link) -> Option<Vec<Point>> {
        let (from, to) = (self.node(link.from)?, self.node(link.to)?);
        if from.kind == NodeKind::Store && to.kind == NodeKind::Store {
            return Some(self.arc(from, to).into_iter().map(|it| self.kept(it)).collect());
        }
        let (start, end) = (self.middle(from), self.middle(to));
        let through = link.through.and_then(|it| self.node(it));
        let corner = through.map(|it| self.point(self.along(it), self.across(from.place)));
        let is_over_name = !self.wide && self.has_names() && from.kind == NodeKind::Application;
        let below_name = (start.0, start.1 + 0.5 * self.side + NAME);
        let corner = corner.or(is_over_name.then_some(below_name));
        // Not from among the users, nor through their name.
        let start = match (from.kind, self.wide) {
            (NodeKind::Users, true) => (start.0 + 20.0, start.1),
            (NodeKind::Users, false) => {
                (start.0, start.1 + if self.has_names() { 22.0 + SMALL } else { 16.0 })
            }
            _ => start,
        };
        let points = [start].into_iter().chain(corner).chain([end]);
        Some(points.map(|it| self.kept(it)).collect())
    }

    /// Between stores of one layer: out and back again, the further the more there is between them.
    fn arc(&self, from: &Node, to: &Node) -> Vec<Point> {
        let name = if !self.wide && self.has_names() { NAME + 2.0 } else { 0.0 };
        let start = self.layers[3] + 0.48 * self.side + name;
        let (a, b) = (self.across(from.place), self.across(to.place));
        let most = (f64::from(self.places) - 1.0).max(1.0) * self.pitch;
        let part = ((a - b).abs() / most).min(1.0);
        let bulge = BULGE.min(self.depth) + (self.depth - BULGE).max(0.0) * part;
        let point = |at: usize| {
            let share = at as f64 / CORNERS as f64;
            let angle = std::f64::consts::PI * share;
            let across = f64::midpoint(a, b) + (a - b) / 2.0 * libm::cos(angle);
            self.point(start + bulge * libm::sin(angle), across)
        };
        (0..=CORNERS).map(point).collect()
    }
}

impl Way {
    fn new(points: Vec<Point>) -> Way {
        let mut lengths = vec![0.0];
        for pair in points.windows(2) {
            let length = libm::hypot(pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
            lengths.push(lengths[lengths.len() - 1] + length);
        }
        Way { points, lengths }
    }

    fn length(&self) -> f64 {
        self.lengths.last().copied().unwrap_or(0.0)
    }

    /// Where one is that has made such a part of it.
    pub(super) fn at(&self, part: f64) -> Point {
        self.after(part * self.length())
    }

    fn after(&self, length: f64) -> Point {
        let next = self.lengths.partition_point(|it| *it <= length).min(self.points.len() - 1);
        let before = next.saturating_sub(1);
        let (from, to) = (self.points[before], self.points[next]);
        let piece = self.lengths[next] - self.lengths[before];
        let share = if 0.0 < piece {
            ((length - self.lengths[before]) / piece).clamp(0.0, 1.0)
        } else {
            0.0
        };
        (from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share)
    }

    /// The last stretch behind it.
    pub(super) fn tail(&self, part: f64, length: f64) -> Vec<Point> {
        let until = part * self.length();
        let from = (until - length).max(0.0);
        let corners = std::iter::zip(&self.points, &self.lengths);
        let between = corners.filter(|it| from < *it.1 && *it.1 < until).map(|it| *it.0);
        [self.after(from)].into_iter().chain(between).chain([self.after(until)]).collect()
    }
}
