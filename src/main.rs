//! The command that runs a link.

fn main() {}
