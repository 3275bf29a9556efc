//! Sentences whose numbers are live.

use super::Meaning;

/// What a scenario opens with, and the lines below it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sentence {
    pub lead: Vec<Piece>,
    pub asides: Vec<Aside>,
}

/// A run of words with one meaning.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    pub meaning: Meaning,
    pub text: String,
}

/// A line of its own, with at most one thing to try.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Aside {
    pub pieces: Vec<Piece>,
    /// Words to press, and the changes that they make, written as in a link: `hedge=after&hedge_ms=30`.
    pub action: Option<(String, String)>,
}

impl Sentence {
    /// As one plain text, for those who hear it.
    pub fn text(&self) -> String {
        self.lead.iter().map(|it| it.text.as_str()).collect()
    }
}

/// Ordinary words.
pub fn words(text: impl Into<String>) -> Piece {
    Piece { meaning: Meaning::Ink, text: text.into() }
}

/// A number in the colour of what it measures.
pub fn number(meaning: Meaning, text: impl Into<String>) -> Piece {
    Piece { meaning, text: text.into() }
}
