//! Messages between machines for a stretch of a simulation: who sent what to whom, and when it came.

use super::Meaning;

/// Machines, the ways between them, and everything that was on its way for a while.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Traffic {
    /// Milliseconds of the run before it begins, and how many it lasts.
    pub from_ms: f64,
    pub length_ms: f64,
    /// How long a message is usually on its way: what an onlooker has to be able to follow.
    pub pace_ms: f64,
    pub nodes: Vec<Node>,
    pub links: Vec<Link>,
    pub kinds: Vec<MessageKind>,
    /// In the order in which they were sent. What was on its way at the beginning was sent before 0.
    pub messages: Vec<Message>,
    /// In the order in which they began.
    pub stays: Vec<Stay>,
    pub changes: Vec<Change>,
    /// The sender who is told apart from the others.
    pub followed: Option<u32>,
}

#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Node {
    pub kind: NodeKind,
    pub name: String,
    /// In its layer, from 0; none if there is but one for all places. What runs at one place of several layers is one
    /// machine.
    pub place: Option<u32>,
    /// How many it stands for: users of a group.
    pub count: u32,
}

/// The layers, from the first to the last.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub enum NodeKind {
    Users,
    Balancer,
    Application,
    Store,
}

/// A way for messages, in both directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Link {
    /// Places in `Traffic::nodes`.
    pub from: u32,
    pub to: u32,
    /// A node that messages pass without a stop.
    pub through: Option<u32>,
}

/// What messages of one kind are.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct MessageKind {
    pub meaning: Meaning,
    pub shape: Shape,
    /// Of one: `a write`; and of many: `writes`.
    pub one: String,
    pub name: String,
}

/// How messages of a kind are told from others, beside their colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Shape {
    Full,
    Hollow,
    Diamond,
    Crossed,
}

#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Message {
    pub link: u32,
    /// From the link's `to` to its `from`.
    pub back: bool,
    /// Where its kind stands in `Traffic::kinds`.
    pub kind: u8,
    /// Whose it is; none if it is nobody's in particular.
    pub sender: Option<u32>,
    pub from_ms: f64,
    pub until_ms: f64,
    /// It came to where nobody was any more.
    pub lost: bool,
}

/// Something that is at a node for a while.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Stay {
    pub node: u32,
    /// Beside which place, where the node is one for all.
    pub place: Option<u32>,
    pub kind: u8,
    pub sender: Option<u32>,
    pub from_ms: f64,
    pub until_ms: f64,
    /// Whether the node works on it; else it waits.
    pub at_work: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Change {
    pub at_ms: f64,
    /// The place of its nodes.
    pub machine: u32,
    pub state: MachineState,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum MachineState {
    #[default]
    Up,
    /// It takes nothing new, and finishes what it has.
    Closing,
    /// Out of service, as planned.
    Out,
    Crashed,
}

/// What is on its way at a moment, and what is where.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scenery<'a> {
    /// Messages, and which part of their way they have made.
    pub under_way: Vec<(&'a Message, f64)>,
    /// Messages that were lost a short while ago, and how long ago as a part of that while.
    pub lost: Vec<(&'a Message, f64)>,
    pub stays: Vec<&'a Stay>,
}

/// Something that happens at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Passing<'a> {
    Changed(&'a Change),
    Sent(&'a Message),
    Came(&'a Message),
}

impl NodeKind {
    pub const ALL: [NodeKind; 4] =
        [NodeKind::Users, NodeKind::Balancer, NodeKind::Application, NodeKind::Store];

    pub fn layer(self) -> usize {
        self as usize
    }
}

impl Node {
    /// The machine that it runs on, if that may fail.
    pub fn machine(&self) -> Option<u32> {
        let runs = matches!(self.kind, NodeKind::Application | NodeKind::Store);
        self.place.filter(|_| runs)
    }
}

impl Traffic {
    /// A moment, with the messages that were lost no longer than `fade_ms` ago.
    pub fn at(&self, ms: f64, fade_ms: f64) -> Scenery<'_> {
        let mut scenery = Scenery::default();
        for it in self.messages.iter().take_while(|it| it.from_ms <= ms) {
            if ms < it.until_ms {
                let part = (ms - it.from_ms) / (it.until_ms - it.from_ms);
                let part = if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.0 };
                scenery.under_way.push((it, part));
            } else if it.lost && ms - it.until_ms < fade_ms {
                scenery.lost.push((it, (ms - it.until_ms) / fade_ms));
            }
        }
        let begun = self.stays.iter().take_while(|it| it.from_ms <= ms);
        scenery.stays.extend(begun.filter(|it| ms < it.until_ms));
        scenery
    }

    /// How each machine is at a moment.
    pub fn state_at(&self, machine: u32, ms: f64) -> MachineState {
        let changes = self.changes.iter().take_while(|it| it.at_ms <= ms);
        let last = changes.filter(|it| it.machine == machine).last();
        last.map_or(MachineState::Up, |it| it.state)
    }

    /// When something is sent, comes or changes next; nothing after the last.
    pub fn next_ms(&self, ms: f64) -> Option<f64> {
        let moments = self.messages.iter().flat_map(|it| [it.from_ms, it.until_ms]);
        let all = moments.chain(self.changes.iter().map(|it| it.at_ms));
        let next = all.filter(|it| ms < *it && *it <= self.length_ms).fold(f64::INFINITY, f64::min);
        next.is_finite().then_some(next)
    }

    /// What happens at this very moment: of several things the one that says most.
    pub fn passing(&self, ms: f64) -> Option<Passing<'_>> {
        let changed = self.changes.iter().find(|it| it.at_ms == ms).map(Passing::Changed);
        let came = || self.messages.iter().find(|it| it.until_ms == ms).map(Passing::Came);
        let sent = || self.messages.iter().find(|it| it.from_ms == ms).map(Passing::Sent);
        changed.or_else(came).or_else(sent)
    }

    /// Where a message goes from and to.
    pub fn ends(&self, message: &Message) -> Option<(&Node, &Node)> {
        let link = self.links.get(message.link as usize)?;
        let node = |at: u32| self.nodes.get(at as usize);
        let (from, to) = (node(link.from)?, node(link.to)?);
        Some(if message.back { (to, from) } else { (from, to) })
    }

    /// How many messages of a kind have come by a moment.
    pub fn come(&self, kind: usize, ms: f64) -> usize {
        let sent = self.messages.iter().take_while(|it| it.from_ms <= ms);
        sent.filter(|it| {
            usize::from(it.kind) == kind && 0.0 < it.until_ms && it.until_ms <= ms && !it.lost
        })
        .count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(from_ms: f64, until_ms: f64) -> Message {
        Message { link: 0, back: false, kind: 0, sender: None, from_ms, until_ms, lost: false }
    }

    fn traffic(messages: Vec<Message>) -> Traffic {
        let node =
            |kind, name: &str| Node { kind, name: name.to_owned(), place: Some(0), count: 1 };
        Traffic {
            from_ms: 5.0,
            length_ms: 10.0,
            pace_ms: 1.0,
            nodes: vec![node(NodeKind::Users, "users"), node(NodeKind::Application, "node 1")],
            links: vec![Link { from: 0, to: 1, through: None }],
            kinds: vec![MessageKind {
                meaning: Meaning::This,
                shape: Shape::Full,
                one: "a write".to_owned(),
                name: "writes".to_owned(),
            }],
            messages,
            stays: Vec::new(),
            changes: vec![Change { at_ms: 6.0, machine: 0, state: MachineState::Crashed }],
            followed: None,
        }
    }

    #[test]
    fn messages_are_under_way_from_their_sending_to_their_coming() {
        let traffic = traffic(vec![message(-1.0, 3.0), message(2.0, 4.0), message(2.0, 2.0)]);
        let parts =
            |ms: f64| -> Vec<f64> { traffic.at(ms, 0.0).under_way.iter().map(|it| it.1).collect() };
        assert_eq!(parts(0.0), [0.25]);
        assert_eq!(parts(2.0), [0.75, 0.0]);
        assert_eq!(parts(3.0), [0.5]);
        assert_eq!(parts(4.0), [0.0; 0]);
        assert_eq!([1.9, 2.0, 3.0, 4.0].map(|ms| traffic.come(0, ms)), [0, 1, 2, 3]);
    }

    #[test]
    fn steps_meet_everything_that_happens() {
        let traffic = traffic(vec![message(-1.0, 3.0), message(2.0, 40.0)]);
        let (mut ms, mut met) = (0.0, Vec::new());
        while let Some(next) = traffic.next_ms(ms) {
            assert!(traffic.passing(next).is_some());
            met.push(next);
            ms = next;
        }
        assert_eq!(met, [2.0, 3.0, 6.0]);
        assert_eq!(traffic.passing(2.5), None);
        assert!(matches!(traffic.passing(6.0), Some(Passing::Changed(_))));
    }

    #[test]
    fn a_lost_message_is_seen_to_go() {
        let traffic = traffic(vec![Message { lost: true, ..message(5.0, 7.0) }]);
        assert_eq!(traffic.at(7.5, 2.0).lost.iter().map(|it| it.1).collect::<Vec<_>>(), [0.25]);
        assert!(traffic.at(9.0, 2.0).lost.is_empty());
        assert_eq!(traffic.come(0, 9.0), 0);
        assert_eq!(
            [5.9, 6.0].map(|ms| traffic.state_at(0, ms)),
            [MachineState::Up, MachineState::Crashed]
        );
        assert_eq!(traffic.state_at(1, 9.0), MachineState::Up);
    }
}
