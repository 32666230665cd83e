//! Literals of a goal that are permanently out of reach.
//!
//! An action model is not the world: if it has no action that folds objects, the absence of a plan for a goal with folded objects
//! proves nothing about the activity. Such literals follow from the actions alone. If the model has such an action, the relaxed
//! task, in which nothing ever stops holding, shows which literals are unreachable with the objects of the activity.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use goalspec_bddl::ast::Problem;
use goalspec_bddl::ground::{AtomId, GroundAtom, GroundGoal};
use goalspec_bddl::{Dialect, partial};
use goalspec_core::condition::{Atom, Condition, Origin, Term};
use goalspec_core::ids::PredicateId;
use goalspec_core::planning::task::Task;
use goalspec_core::program::{Conjunct, Goal};
use goalspec_core::state::ObjectArguments;
use goalspec_planner::ground::{GroundError, GroundLimits, GroundProgress, relaxed_reachability};
use goalspec_syntax::diagnostic::Severity;
use goalspec_syntax::{Diagnostic, Span};
use rustc_hash::FxHashSet;
use serde_json::{Value as Json, json};

use crate::codes;

/// The maximum number of literals that a message shows.
const MAX_SHOWN_LITERALS: usize = 5;

/// Literals of one predicate that a goal needs and that cannot be made true.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreachableLiterals {
    /// The predicate.
    pub predicate: Arc<str>,
    /// The truth value that the predicate would have to get.
    pub polarity: bool,
    /// The literals, in the notation of activities.
    pub literals: Vec<String>,
    /// The indices of the goal's conjuncts that therefore cannot hold.
    pub conjuncts: Vec<usize>,
    /// The objects for which the action model has no actions, with the reasons, if these are the cause.
    pub unsupported_objects: Vec<(Arc<str>, &'static str)>,
    /// The position of the first of these conjuncts.
    pub span: Option<Span>,
}

impl UnreachableLiterals {
    /// Returns the error that the action model has no action for the literals.
    pub fn unsupported_error(&self) -> Diagnostic {
        let value = if self.polarity { "true" } else { "false" };
        let message = format!("no action of the action model makes `{}` {value}, as the goal requires", self.predicate);
        let message = match &self.unsupported_objects[..] {
            [] => message,
            _ => format!(
                "the goal requires `{}` to become {value} for objects that the action model does not change",
                self.predicate
            ),
        };
        let mut diagnostic =
            Diagnostic { span: self.span, ..Diagnostic::new(codes::NO_ACTION, Severity::Error, message) };
        for (object, reason) in self.unsupported_objects.iter().take(MAX_SHOWN_LITERALS) {
            diagnostic = diagnostic.with_help(format!("`{object}` {reason}"));
        }
        diagnostic
            .with_help(format!("unsupported literals: {}", self.literals_text()))
            .with_help("the activity may still be solvable: the action model does not cover the goal")
    }

    /// Returns the error that no sequence of actions reaches the literals with the objects of the activity.
    pub fn unreachable_error(&self) -> Diagnostic {
        let message = format!("no sequence of actions satisfies this goal condition: {}", self.literals_text());
        Diagnostic { span: self.span, ..Diagnostic::new(codes::OUT_OF_REACH, Severity::Error, message) }
    }

    fn literals_text(&self) -> String {
        let shown: Vec<String> =
            self.literals.iter().take(MAX_SHOWN_LITERALS).map(|literal| format!("`{literal}`")).collect();
        let more = self.literals.len().saturating_sub(MAX_SHOWN_LITERALS);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("{}{more}", shown.join(", "))
    }

    /// Returns the literals as JSON.
    pub fn json(&self) -> Json {
        json!({
            "predicate": &*self.predicate,
            "required_value": self.polarity,
            "literals": self.literals,
            "conjuncts": self.conjuncts,
            "unsupported_objects": self.unsupported_objects.iter().map(|(object, reason)| json!({"object": &**object, "reason": reason}))
                .collect::<Vec<_>>(),
        })
    }
}

/// The predicates that actions change, by the new value.
pub(crate) struct ChangedPredicates<'t> {
    pub(crate) added: &'t FxHashSet<PredicateId>,
    pub(crate) deleted: &'t FxHashSet<PredicateId>,
}

impl ChangedPredicates<'_> {
    /// Returns the permanent value of a fact with this initial value; `None` if it may change.
    pub(crate) fn invariant_value(&self, predicate: PredicateId, initial: bool) -> Option<bool> {
        let changes = if initial { self.deleted } else { self.added };
        (!changes.contains(&predicate)).then_some(initial)
    }
}

/// Returns the permanent value of each fact in a relaxed task in which nothing ever stops holding; `None` for facts that can have
/// both values.
///
/// # Errors
/// If the task is too large for these limits, or the flag is set.
pub(crate) fn invariant_values(
    task: &Task,
    facts: &[(PredicateId, ObjectArguments)],
    limits: &GroundLimits,
    cancelled: &AtomicBool,
) -> Result<Vec<Option<bool>>, GroundError> {
    let literals = facts.iter().flat_map(|(predicate, arguments)| {
        let arguments = arguments.iter().map(|object| Term::Object(*object)).collect();
        let atom = Condition::Atom(Atom { predicate: *predicate, arguments, origin: Origin::default() });
        [atom.clone(), Condition::Not(Box::new(atom))]
    });
    let conjuncts = literals.map(|condition| Conjunct { condition, origin: Origin::default() }).collect();
    let task = Task { goal: Goal { conjuncts, ..task.goal.clone() }, ..task.clone() };
    let mut observe = |_: &GroundProgress| {
        if cancelled.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let relaxed = relaxed_reachability(&task, limits, &mut observe)?;
    let partial = |achievable: &[bool]| match achievable {
        [true, false] => Some(true),
        [false, true] => Some(false),
        _ => None,
    };
    Ok(relaxed.goal.chunks(2).map(partial).collect())
}

/// Returns an atom if it is `wanted`, or else its negation, in the notation of activities.
pub(crate) fn literal(atom: &GroundAtom, is_negated: bool) -> String {
    let words: Vec<&str> = std::iter::once(&atom.predicate).chain(&atom.arguments).map(|word| &**word).collect();
    let text = format!("({})", words.join(" "));
    if is_negated { text } else { format!("(not {text})") }
}

/// Returns the literals of a goal that are out of reach while these atoms keep their values.
pub(crate) fn find(
    problem: &Problem,
    goal: &GroundGoal,
    dialect: Dialect,
    constant: impl Fn(AtomId, &GroundAtom) -> Option<bool>,
) -> Vec<UnreachableLiterals> {
    let values: Vec<Option<bool>> = (0..).map(AtomId).zip(&goal.atoms).map(|(id, atom)| constant(id, atom)).collect();
    let value = |atom: AtomId| values[atom.index()];
    let mut found: Vec<UnreachableLiterals> = Vec::new();
    for (place, node) in goal.conjuncts.iter().enumerate() {
        for id in partial::obstacles(node, true, dialect, &value) {
            let (atom, is_negated) = (&goal.atoms[id.index()], value(id) == Some(false));
            let literal = literal(atom, is_negated);
            let known =
                found.iter_mut().find(|known| known.predicate == atom.predicate && known.polarity == is_negated);
            let Some(known) = known else {
                found.push(UnreachableLiterals {
                    predicate: atom.predicate.clone(),
                    polarity: is_negated,
                    literals: vec![literal],
                    conjuncts: vec![place],
                    unsupported_objects: Vec::new(),
                    span: problem.goal.get(place).map(|conjunct| conjunct.origin.0),
                });
                continue;
            };
            if !known.literals.contains(&literal) {
                known.literals.push(literal);
            }
            if !known.conjuncts.contains(&place) {
                known.conjuncts.push(place);
            }
        }
    }
    found
}
