//! What is allowed but probably not meant.

pub mod codes;
