//! What the texts of the reward functions of a library say and probably do not mean.

use goalspec_reward::{codes, lint};
use goalspec_syntax::Diagnostic;

use super::program::{ENTRIES, RewardProgram};
use crate::library::Library;
use crate::program::Program;

/// The lints of all reward functions that can be run.
pub fn diagnostics(library: &Library) -> Vec<Diagnostic> {
    library.programs().iter().filter_map(Program::as_reward).flat_map(of).collect()
}

fn of(reward: &RewardProgram) -> Vec<Diagnostic> {
    if reward.program.is_none() {
        return Vec::new();
    }
    let entry = reward.world.and_then(|world| reward.entry(world)?.ok()).map(|entry| entry.function);
    // Without a world, only a function that is always preferred is known to be called.
    let defined = lint::functions(reward.source());
    let preferred = ENTRIES.into_iter().find(|name| defined.iter().any(|(function, _)| function == name));
    let entry = entry.as_deref().or(preferred);
    let scene = reward.world.map(|world| &world.scene);
    let mut found = lint::lint(reward.source(), entry.unwrap_or_default(), scene);
    if entry.is_none() {
        found.retain(|finding| finding.code != codes::UNUSED_FUNCTION);
    }
    found
}
