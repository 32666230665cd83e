//! The `goalspec` command.
fn main() {}
