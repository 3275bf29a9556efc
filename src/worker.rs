//! Studies are run by workers: the page asks, they tell, and neither waits for the other.
//!
//! What one worker is asked is a link and the number of one of its replications, so that whatever comes back can be
//! reproduced from what was asked. Answers are parts of meters, which add up in any order.

mod protocol;

#[cfg(target_arch = "wasm32")]
mod pool;
#[cfg(target_arch = "wasm32")]
mod reading;
#[cfg(target_arch = "wasm32")]
mod serve;

pub use protocol::{Ask, Part, Question, Task, Tell, decode, encode, pause_ms};

#[cfg(target_arch = "wasm32")]
pub use pool::Pool;
#[cfg(target_arch = "wasm32")]
pub use serve::serve;
