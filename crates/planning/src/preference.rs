//! The evaluation of a preference of a game on the states of a plan, by the reference interpreter.

use std::sync::Arc;

use goalspec_core::explain::{CoreNotation, Explainer};
use goalspec_core::interpret::GameInterpreter;
use goalspec_core::monitor::{GameMonitor, GameReport, PreferenceReport, StateUpdate};
use goalspec_core::planning::execute::Execution;
use goalspec_core::planning::plan::Plan;
use goalspec_core::planning::task::Task;
use goalspec_core::planning::validate::ValidationError;
use goalspec_core::playback::Playback;
use goalspec_core::program::Game;
use goalspec_core::state::Delta;

/// Returns the report of the reference interpreter on a preference over the states of a plan, with the evidence of the best attempt. The
/// states end before the first inapplicable step. `None` if the game has no preference of this name.
///
/// # Errors
/// If the game exceeds a limit of the interpreter, or axioms of the task depend on their own negation.
pub(crate) fn evaluate(
    task: &Task,
    game: &Arc<Game>,
    name: &str,
    plan: &Plan,
) -> Result<Option<PreferenceReport>, ValidationError> {
    let deltas = deltas(task, plan)?;
    let interpreter = GameInterpreter::new(Arc::clone(&task.world), Arc::clone(game));
    let mut interpreter = interpreter.map_err(ValidationError::Monitor)?;
    let last = play(task, &deltas, |step| !interpreter.step(step).done);
    let mut report: GameReport = interpreter.finish(last.state());
    let mut explainer = Explainer::new(&task.world, game, &report);
    play(task, &deltas, |step| {
        explainer.step(step, &mut report);
        !explainer.done()
    });
    Ok(report.preferences.into_iter().find(|preference| *preference.name == *name))
}

/// Returns the states of a plan, derived facts included, as changes.
fn deltas(task: &Task, plan: &Plan) -> Result<Vec<Delta>, ValidationError> {
    let mut execution = Execution::new(task).map_err(ValidationError::NegativeCycle)?;
    let mut deltas = vec![execution.initial_delta().clone()];
    let applied = plan.steps.iter().map_while(|step| execution.apply(step, &CoreNotation).ok());
    deltas.extend(applied);
    Ok(deltas)
}

/// Steps through the states until `step` returns `false`.
fn play(task: &Task, deltas: &[Delta], mut step: impl FnMut(&StateUpdate<'_>) -> bool) -> Playback {
    let mut playback = Playback::new(Arc::clone(&task.world));
    for (index, delta) in deltas.iter().enumerate() {
        playback.advance(delta);
        if !step(&playback.update(delta, index + 1 == deltas.len())) {
            break;
        }
    }
    playback
}
