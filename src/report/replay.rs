//! One simulated request, call by call, from send to answer.

/// What happened to a request that really was simulated.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Replay {
    /// The percentile that it was picked for: .5, .99, .999.
    pub percentile: f64,
    pub latency_ms: f64,
    /// When the last call that counted had answered; differs from `latency_ms` by what the request as a
    /// whole waited for.
    pub answered_ms: f64,
    /// Calls in the order in which they were sent.
    pub lanes: Vec<Lane>,
    /// Calls that are not among `lanes`, being quicker than all that are.
    pub more: u32,
    /// Answers in by a moment: `99 of 100 after 20.4 ms`, just before the straggler.
    pub tally: Option<Tally>,
    /// What it met on its way, in sentences; empty where there is nothing to tell.
    pub met: String,
    /// What it was held up by, and what its slow work was, in a few words, where it has such stretches.
    pub held: String,
    pub slow: String,
}

/// One call and its copies.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Lane {
    /// Its number among the request's calls, from 1.
    pub number: u32,
    /// What it is, where that says more than a number: `the write`.
    pub name: Option<String>,
    /// Whether the request waited for this one longest.
    pub straggler: bool,
    /// The call first, then its copies.
    pub attempts: Vec<Attempt>,
}

#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Attempt {
    pub sent_ms: f64,
    /// One after another from `sent_ms` on.
    pub spans: Vec<Span>,
    pub end: End,
}

#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Span {
    pub kind: SpanKind,
    pub until_ms: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum SpanKind {
    /// On the network.
    Hop,
    /// In a queue.
    Waiting,
    /// At work, or the answer as a whole where nothing is told apart.
    Service,
    /// In a queue for what is out of the ordinary: `Replay::held` says for what.
    Held,
    /// At work for longer than is ordinary: `Replay::slow` says why.
    Slow,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum End {
    /// Its answer was used.
    Answered,
    /// Its answer came too late, or the request did not wait for it.
    Unused,
    /// It was cancelled before it was served.
    Cancelled,
}

impl Attempt {
    /// Its stretches: their kinds, and how long they took.
    pub fn stretches(&self) -> impl Iterator<Item = (SpanKind, f64)> {
        let begins = std::iter::once(self.sent_ms).chain(self.spans.iter().map(|it| it.until_ms));
        std::iter::zip(&self.spans, begins).map(|(span, begin)| (span.kind, span.until_ms - begin))
    }

    /// How long it was in stretches of a kind.
    pub fn spent_ms(&self, kind: SpanKind) -> f64 {
        self.stretches().filter(|it| it.0 == kind).map(|it| it.1).sum()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Tally {
    pub answered: u32,
    pub of: u32,
    pub at_ms: f64,
}
