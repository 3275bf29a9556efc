//! Sets up, builds, serves, tests, benches.
fn main() {}
