//! How the page is framed: whole or within another page, with all controls or without some.

use super::state::State;
use crate::study::{Setup, Study};

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Framing {
    /// Within another page: the sentence, one figure, the controls.
    pub embedded: bool,
    /// The keys of the controls that are not shown.
    pub hidden: Vec<&'static str>,
}

impl Framing {
    pub(super) fn of(state: &State) -> Framing {
        Framing { embedded: state.embedded, hidden: state.hidden.clone() }
    }

    /// The link of a study that is framed like this.
    pub(super) fn link(&self, study: &Study) -> String {
        let Framing { embedded, hidden } = self.clone();
        Setup { hidden, embedded, ..Setup::new(study.clone()) }.link()
    }

    pub(super) fn shows(&self, key: &str) -> bool {
        !self.hidden.contains(&key)
    }
}
