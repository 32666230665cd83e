//! Checked construction of worlds.

/// Collects declarations and makes a [`World`](super::World) of them.
#[derive(Debug, Default)]
pub struct WorldBuilder {}
