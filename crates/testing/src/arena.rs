//! The small world of all generated games.

use std::sync::LazyLock;

use goalspec_core::world::{World, file};
use goalspec_syntax::Sources;

static ARENA: LazyLock<World> = LazyLock::new(|| {
    let mut sources = Sources::new();
    let id = sources.add("arena.world.toml", include_str!("arena.world.toml"));
    let (world, diagnostics) = file::parse(sources.file(id), &mut |_| None);
    world.unwrap_or_else(|| panic!("the world has errors: {diagnostics:?}"))
});

/// Returns the world.
///
/// # Panics
/// Panics if the world file has an error.
pub fn world() -> &'static World {
    &ARENA
}
