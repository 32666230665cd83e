//! Programs over a stream that is still being written.
