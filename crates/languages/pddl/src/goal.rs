//! Goals that stand by themselves: conditions that are planned for instead of a problem's own goal, or besides it.
//!
//! What stands outside of all operators over runs of states holds in the last state, as goals do; what stands inside of one is
//! asked of the states that it speaks of. The operators are those of [`trajectory`].

use goalspec_core::condition::Condition;
use goalspec_core::ids::VarId;
use goalspec_core::planning::task::Requirement;
use goalspec_core::program::{Conjunct, Goal};
use goalspec_syntax::Diagnostic;

use crate::ast::{Formula, Problem};
use crate::domain::Model;
use crate::resolve::{Resolver, is_temporal, pieces};
use crate::trajectory;

/// What such a goal means in terms of the task of the problem.
#[derive(Debug, Clone)]
pub struct FreeGoal {
    /// What is to hold in the last state.
    pub goal: Goal,
    /// What is asked of the run of states.
    pub constraints: Vec<Requirement>,
}

/// Looks up the names of a goal in a problem and its domain. With an error it has no meaning.
pub fn lower_goal(formula: &Formula, problem: &Problem, model: &Model) -> (Option<FreeGoal>, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let mut objects = model.constants.clone();
    // What is wrong with the objects has been said of the problem.
    objects.add(&problem.objects, &model.vocabulary.types, &mut Vec::new());
    // As a whole, before it is split: its parts share the variables around them.
    trajectory::check_free(formula, &model.vocabulary, &objects, &mut diagnostics);
    diagnostics.sort_by_key(|finding| finding.span);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return (None, diagnostics);
    }
    let (mut conjuncts, mut constraints, mut of_runs) = (Vec::new(), Vec::new(), Vec::new());
    let mut again = Vec::new();
    let mut resolver = Resolver::new(&model.vocabulary, &objects, &mut again);
    for piece in pieces(formula) {
        if is_temporal(piece.body) {
            of_runs.push(piece);
        } else {
            let depth = resolver.depth();
            let around: Vec<VarId> = piece.around.iter().flat_map(|groups| resolver.enter(groups)).collect();
            let condition = resolver.condition(piece.body);
            resolver.leave(depth, "variable");
            let Some(condition) = condition else { continue };
            let condition = if around.is_empty() { condition } else { Condition::Forall(around, Box::new(condition)) };
            conjuncts.push(Conjunct { condition, origin: piece.body.span.into() });
        }
    }
    let scope = std::mem::take(&mut resolver.scope);
    for piece in of_runs {
        constraints.extend(trajectory::lower_free(&piece, &model.vocabulary, &objects, &mut again));
    }
    // What is said of a part has been said of the whole, but for what shows over the objects.
    diagnostics.extend(again.into_iter().filter(Diagnostic::is_error));
    let whole = !diagnostics.iter().any(Diagnostic::is_error);
    let goal = Goal { name: problem.name.shared(), scope, conjuncts };
    (whole.then_some(FreeGoal { goal, constraints }), diagnostics)
}
