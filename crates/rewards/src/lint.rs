//! Lints of reward programs that probably do not mean what they say, from their source text alone.

use goalspec_python_runtime::entry::Entry;
use goalspec_python_runtime::scene::World;
use goalspec_reward::entry;
use goalspec_reward::lint::{self, RewardRange};
use goalspec_syntax::{Diagnostic, Severity};

use crate::program::{ENTRY_NAMES, RewardProgram};
use crate::world::RewardWorld;

/// Returns the lints of a program; none if errors prevent it from running. `promised` replaces the reward range that the program itself
/// documents.
pub fn diagnostics(reward: &RewardProgram, promised: Option<RewardRange>) -> Vec<Diagnostic> {
    let Some(program) = &reward.program else { return Vec::new() };
    let called = reward.world.as_ref().and_then(|world| reward.entry(world)?.ok());
    // Without a world, only a function with a preferred name is known to be called.
    let defined = lint::functions(reward.source());
    let preferred = ENTRY_NAMES.into_iter().find(|name| defined.iter().any(|(function, _)| function == name));
    let called = called.or_else(|| preferred.map(Entry::of_unknown_world));
    let scene = reward.world.as_ref().map(RewardWorld::scene);
    let mut found = lint::lint(reward.source(), called.as_ref(), scene.map(|scene| &**scene), promised);
    // With a world, a missing function is an error, which is reported with the world.
    if defined.is_empty() && reward.world.is_none() {
        let missing = entry::find_entry(program, reward.source(), &World::default(), None).err();
        found.extend(missing.map(|error| Diagnostic { severity: Severity::Warning, ..*error }));
    }
    found
}
