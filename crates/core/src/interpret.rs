//! The reference interpreter: slow, obvious, complete.
