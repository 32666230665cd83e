//! Explanations of unsatisfied preferences, from a second pass over the trace up to the states in which the best attempts failed,
//! and the conjuncts of goals as text.

use std::sync::Arc;

use goalspec_bddl::notation::BddlNotation;
use goalspec_core::budget::BUDGET_OPTION;
use goalspec_core::evaluate::Bindings;
use goalspec_core::explain::{Explainer, condition_text_in};
use goalspec_core::monitor::GameReport;
use goalspec_core::playback::Playback;
use goalspec_core::program::{Conjunct, Goal};
use goalspec_core::state::Delta;
use goalspec_core::world::World;
use goalspec_syntax::Diagnostic;
use goalspec_trace::TraceReader;

use crate::program::Program;
use crate::report::ProgramReport;
use crate::scoring::{Pass, ProgramOutcome};

/// Fills in the blame of every attempt in the outcomes of one pass.
pub(crate) fn explain(
    pass: &Pass<'_>,
    world: &Arc<World>,
    programs: &[&Program],
    outcomes: &mut [ProgramOutcome],
) -> Result<(), Box<Diagnostic>> {
    let mut open: Vec<(&mut GameReport, Explainer<'_>)> = Vec::new();
    for outcome in outcomes {
        let program = programs.iter().find(|program| program.name == outcome.program);
        let game = program.and_then(|program| program.game());
        if let (Some(game), ProgramReport::Game(report)) = (game, &mut outcome.report) {
            let explainer = Explainer::new(world, game, report);
            explainer.work().set_limit(pass.options.budget.limit(report.states));
            open.push((report, explainer));
        }
    }
    let source = pass.input.open()?;
    let mut reader = source.read(world, pass.read)?;
    let mut playback = Playback::new(world.clone());
    let mut delta = Delta::default();
    loop {
        open.retain(|(_, explainer)| !explainer.done());
        if open.is_empty() || !reader.next(&mut delta)? {
            return Ok(());
        }
        playback.advance(&delta);
        // An explainer determines the last state from the report.
        let step = playback.update(&delta, false);
        for (report, explainer) in &mut open {
            explainer.step(&step, report);
        }
        open.retain_mut(|(report, explainer)| {
            if explainer.work().is_exceeded() {
                abandon(report, explainer.work().limit());
            }
            !explainer.work().is_exceeded()
        });
    }
}

/// Adds a remark that explaining the report exceeds the work limit, and removes the attempts, which may be incomplete.
fn abandon(report: &mut GameReport, limit: u64) {
    report.preferences.iter_mut().for_each(|preference| preference.attempt = None);
    report.remarks.push(format!(
        "failed preferences are not explained: the explanation exceeds the budget of {limit} units of work, which `{BUDGET_OPTION} none` lifts"
    ));
}

/// Returns a conjunct of an activity's goal in the notation of activities.
pub fn conjunct_text(world: &World, goal: &Goal, conjunct: &Conjunct) -> String {
    condition_text_in(&BddlNotation, world, &conjunct.condition, &Bindings::new(&goal.scope))
}

/// Adds a remark that unsatisfied preferences are not explained under the semantics of the authors' reward machine, which does
/// not record attempts.
pub(crate) fn add_unsupported_remark(outcome: &mut ProgramOutcome) {
    if let ProgramReport::Game(report) = &mut outcome.report
        && report.preferences.iter().any(|preference| preference.satisfactions.is_empty())
    {
        let remark = "reference semantics do not record attempts; use --semantics spec for the best attempts";
        report.remarks.push(remark.to_owned());
    }
}
