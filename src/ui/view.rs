//! What the state looks like, in words and plain data, before it becomes HTML.

mod advice;
mod calls;
mod clock;
mod compared;
pub mod film;
pub mod footage;
mod progress;
mod readout;
mod rows;
mod scale;
mod snippet;
mod swept;
pub mod traffic;

pub use advice::{advice_figure, advised, limits};
pub use calls::calls;
pub use clock::Clock;
pub use compared::{figures, sides};
pub use progress::{Progress, progress};
pub use readout::{Figure as Reading, readout};
pub use rows::{Row, rows};
pub use scale::{Tick, ticks};
pub use snippet::{Heights, snippet};
pub use swept::{nearest, parameter, swept, swept_progress};
