//! The nearest known name for an unknown one.
