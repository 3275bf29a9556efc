//! One simulated request, call by call, from send to answer.

/// What happened to a request that really was simulated.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
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
}

/// One call and its copies.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Lane {
    /// Its number among the request's calls, from 1.
    pub number: u32,
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

#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Tally {
    pub answered: u32,
    pub of: u32,
    pub at_ms: f64,
}
