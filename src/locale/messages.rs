//! The interface's words, checked at compile time: a missing message does not build.
/// x
pub struct Messages {}
/// x
pub fn fill() {}
