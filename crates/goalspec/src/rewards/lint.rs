//! What the texts of the reward functions of a library say and probably do not mean.

use goalspec_reward::scene::World;
use goalspec_reward::{codes, entry, lint};
use goalspec_syntax::Diagnostic;
use goalspec_syntax::diagnostic::Severity;

use super::program::{ENTRIES, RewardProgram};
use crate::library::Library;
use crate::program::Program;

/// The lints of all reward functions that can be run.
pub fn diagnostics(library: &Library) -> Vec<Diagnostic> {
    library.programs().iter().filter_map(Program::as_reward).flat_map(of).collect()
}

fn of(reward: &RewardProgram) -> Vec<Diagnostic> {
    let Some(program) = &reward.program else { return Vec::new() };
    let called = reward.world.and_then(|world| reward.entry(world)?.ok()).map(|entry| entry.function);
    // Without a world, only a function that is always preferred is known to be called.
    let defined = lint::functions(reward.source());
    let preferred = ENTRIES.into_iter().find(|name| defined.iter().any(|(function, _)| function == name));
    let called = called.as_deref().or(preferred);
    let scene = reward.world.map(|world| &world.scene);
    let mut found = lint::lint(reward.source(), called.unwrap_or_default(), scene);
    // In a world, what is missing is an error, which is found with it.
    if defined.is_empty() && reward.world.is_none() {
        let missing = entry::entry(program, reward.source(), &World::default(), None).err();
        found.extend(missing.map(|error| Diagnostic { severity: Severity::Warning, ..*error }));
    }
    if called.is_none() {
        found.retain(|finding| finding.code != codes::UNUSED_FUNCTION);
    }
    found
}
