//! Lints for goals that cannot hold or hold initially.

use goalspec_syntax::{Diagnostic, Severity, Span};

use super::witness::witness;
use crate::Dialect;
use crate::ast::Problem;
use crate::codes::{CONTRADICTORY_GOAL, GOAL_HOLDS_INITIALLY, UNDECIDED_GOAL};
use crate::evaluate::holds;
use crate::ground::{GroundGoal, Node};
use crate::options::{self, DiagramSizeError};

/// The maximum number of conjuncts of a contradictory goal for which a minimal contradictory subset is computed.
const MAX_EXPLAINED: usize = 64;

/// Reports goals that cannot hold and goals that hold initially. `goal` is the ground goal of the problem.
pub fn solvability(problem: &Problem, goal: &GroundGoal, dialect: Dialect) -> Vec<Diagnostic> {
    decide(problem, &goal.conjuncts, &goal.initial_state(problem), dialect)
}

/// Whether a satisfying state of a goal is found without search. If none is found, one may exist nevertheless.
pub fn has_witness(goal: &GroundGoal, dialect: Dialect) -> bool {
    witness(goal.atoms.len(), &goal.conjuncts.iter(), dialect).is_some()
}

/// Runs [`solvability`] on the conjuncts of a goal, with the initial truth values of its atoms.
pub(super) fn decide(problem: &Problem, goal: &[Node], start: &[bool], dialect: Dialect) -> Vec<Diagnostic> {
    let span = problem.goal.first().map(|conjunct| conjunct.origin.0);
    let found = |code, severity, message: &str| vec![Diagnostic { span, ..Diagnostic::new(code, severity, message) }];
    if goal.iter().all(|conjunct| holds(conjunct, dialect, start)) {
        let message = "the goal holds in the initial state";
        return found(GOAL_HOLDS_INITIALLY, Severity::Warning, message);
    }
    match satisfiable(start.len(), goal.iter(), dialect) {
        Ok(true) => Vec::new(),
        Ok(false) => vec![contradictory(problem, goal, start.len(), dialect)],
        Err(too_large) => {
            found(UNDECIDED_GOAL, Severity::Note, &format!("satisfiability of the goal is undecided: {too_large}"))
        }
    }
}

/// Whether conditions can hold together. Options are built only if no witness is found, which is much cheaper.
fn satisfiable<'g>(
    atoms: usize,
    nodes: impl DoubleEndedIterator<Item = &'g Node> + Clone,
    dialect: Dialect,
) -> Result<bool, DiagramSizeError> {
    if witness(atoms, &nodes, dialect).is_some() {
        return Ok(true);
    }
    options::is_satisfiable(atoms, nodes, dialect)
}

fn contradictory(problem: &Problem, goal: &[Node], atoms: usize, dialect: Dialect) -> Diagnostic {
    let group = contradicting(goal, atoms, dialect);
    let spans: Vec<Span> = group.iter().filter_map(|&place| Some(problem.goal.get(place)?.origin.0)).collect();
    let message = if group.len() == 1 {
        "no state satisfies this conjunct of the goal".to_owned()
    } else {
        format!("no state satisfies these {} conjuncts of the goal together", group.len())
    };
    let mut diagnostic = Diagnostic::new(CONTRADICTORY_GOAL, Severity::Warning, message);
    if let Some((&last, others)) = spans.split_last() {
        diagnostic.span = Some(last);
        for &other in others {
            diagnostic = diagnostic.with_related(other, "part of the contradiction");
        }
    }
    let documented = dialect.with_documented_quantifiers();
    if documented != dialect && satisfiable(atoms, goal.iter(), documented) == Ok(true) {
        diagnostic.help.push(
            "use the documented semantics of quantifiers, with which it can hold: at least N for `forn`, one-to-one pairs"
                .to_owned(),
        );
    }
    diagnostic
}

/// Returns the indices of a minimal subset of conjuncts that cannot hold together.
fn contradicting(goal: &[Node], atoms: usize, dialect: Dialect) -> Vec<usize> {
    let mut group: Vec<usize> = (0..goal.len()).collect();
    if group.len() > MAX_EXPLAINED {
        return group;
    }
    for place in 0..goal.len() {
        let rest: Vec<usize> = group.iter().copied().filter(|&other| other != place).collect();
        let nodes = rest.iter().map(|&place| &goal[place]);
        if satisfiable(atoms, nodes, dialect) == Ok(false) {
            group = rest;
        }
    }
    group
}
