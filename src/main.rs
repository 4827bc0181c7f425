//! The jigo command.
fn main() {}
