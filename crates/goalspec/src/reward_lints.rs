//! The lints of the reward functions of a library, from their source text alone and from recordings.

use goalspec_reward::lint::RewardRange;
use goalspec_rewards::lint;
use goalspec_syntax::Diagnostic;
use goalspec_trace::TraceInput;

use crate::library::Library;

/// Returns the lints of all reward functions of a library that can run.
pub fn diagnostics(library: &Library) -> Vec<Diagnostic> {
    diagnostics_with_range(library, None)
}

/// Returns the lints of [`diagnostics`]; `promised` replaces the reward ranges that the functions themselves document.
pub fn diagnostics_with_range(library: &Library, promised: Option<RewardRange>) -> Vec<Diagnostic> {
    library.reward_programs().iter().flat_map(|program| lint::diagnostics(program.reward, promised)).collect()
}

/// Returns the [lints that recordings reveal](goalspec_audit::lint::recording_diagnostics) about the reward functions of a library.
/// `progress` is called from time to time with the number of bytes read since its last call.
pub fn recording_diagnostics(
    library: &Library,
    inputs: &[TraceInput],
    promised: Option<RewardRange>,
    progress: &dyn Fn(u64),
) -> Vec<Diagnostic> {
    // Traces of other worlds are checked together with the worlds of games and goals.
    let has_other_worlds = !library.program_worlds().is_empty();
    let (programs, known) = (library.reward_programs(), library.all_worlds());
    goalspec_audit::lint::recording_diagnostics(&programs, &known, inputs, promised, has_other_worlds, progress)
}
