//! Standalone goals: conditions to plan for in addition to the problem's own goal, or instead of it.
//!
//! A condition outside of all temporal operators must hold in the last state; an operand of an operator is evaluated in the
//! states that the operator refers to. The operators are those of [`trajectory`].

use goalspec_core::condition::Condition;
use goalspec_core::ids::VarId;
use goalspec_core::planning::task::TrajectoryConstraint;
use goalspec_core::program::{Conjunct, Goal};
use goalspec_syntax::Diagnostic;

use crate::ast::{Formula, Problem};
use crate::domain::ResolvedDomain;
use crate::resolve::{Resolver, condition_parts, is_temporal};
use crate::trajectory;

/// A standalone goal, resolved and lowered.
#[derive(Debug, Clone)]
pub struct StandaloneGoal {
    /// The conditions on the last state.
    pub goal: Goal,
    /// The constraints on the sequence of states.
    pub constraints: Vec<TrajectoryConstraint>,
}

/// Resolves and lowers a goal with a problem and its domain. Returns `None` if there are errors.
pub fn lower_goal(
    formula: &Formula,
    problem: &Problem,
    model: &ResolvedDomain,
) -> (Option<StandaloneGoal>, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let mut objects = model.constants.clone();
    // Errors in the objects are reported with the problem.
    objects.add(&problem.objects, &model.vocabulary.types, &mut Vec::new());
    // The formula is checked as a whole, since its pieces share the variables of outer quantifiers.
    trajectory::check_standalone(formula, &model.vocabulary, &objects, &mut diagnostics);
    diagnostics.sort_by_key(|finding| finding.span);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return (None, diagnostics);
    }
    let (mut conjuncts, mut constraints, mut of_runs) = (Vec::new(), Vec::new(), Vec::new());
    let mut repeated = Vec::new();
    let mut resolver = Resolver::new(&model.vocabulary, &objects, &mut repeated);
    for part in condition_parts(formula) {
        if is_temporal(part.body) {
            of_runs.push(part);
        } else {
            let depth = resolver.depth();
            let enclosing: Vec<VarId> = part.quantifiers.iter().flat_map(|groups| resolver.enter(groups)).collect();
            let condition = resolver.condition(part.body);
            resolver.leave(depth, "variable");
            let Some(condition) = condition else { continue };
            let condition =
                if enclosing.is_empty() { condition } else { Condition::Forall(enclosing, Box::new(condition)) };
            conjuncts.push(Conjunct { condition, origin: part.body.span.into() });
        }
    }
    let scope = std::mem::take(&mut resolver.scope);
    for part in of_runs {
        constraints.extend(trajectory::lower_standalone(&part, &model.vocabulary, &objects, &mut repeated));
    }
    // The pieces were checked as parts of the whole; only errors that depend on the objects are new.
    diagnostics.extend(repeated.into_iter().filter(Diagnostic::is_error));
    let whole = !diagnostics.iter().any(Diagnostic::is_error);
    let goal = Goal { name: problem.name.shared(), scope, conjuncts };
    (whole.then_some(StandaloneGoal { goal, constraints }), diagnostics)
}
