//! What of a goal is out of reach for good.
//!
//! A model of actions is not the world: where it has nothing that folds, that a goal of folded things has no plan says nothing of the
//! activity. That is found out from the actions alone. Where there is such an action, what the things in the activity do not allow is found
//! out by a task in which nothing ever stops holding.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use goalspec_bddl::ast::Problem;
use goalspec_bddl::ground::{AtomId, GroundAtom, GroundGoal};
use goalspec_bddl::{Dialect, settled};
use goalspec_core::condition::{Atom, Condition, Origin, Term};
use goalspec_core::ids::PredicateId;
use goalspec_core::planning::task::{Effect, Task};
use goalspec_core::program::{Conjunct, Goal};
use goalspec_core::state::Arguments;
use goalspec_planner::ground::{GroundError, Limits, Progress, relaxed};
use goalspec_syntax::diagnostic::Severity;
use goalspec_syntax::{Diagnostic, Span};
use rustc_hash::FxHashSet;
use serde_json::{Value as Json, json};

use crate::codes;

/// Literals that a message shows.
const SHOWN: usize = 5;

/// Literals of a predicate that a goal needs, and none of which can be made true.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutOfReach {
    /// The predicate.
    pub predicate: Arc<str>,
    /// Whether it would have to hold; else it would have to end.
    pub wanted: bool,
    /// The literals, as activities are written.
    pub literals: Vec<String>,
    /// The conjuncts of the goal that can therefore not hold, by place, counted from 0.
    pub conjuncts: Vec<usize>,
    /// The things that the action model has no actions for, with the reasons, where that is why.
    pub limits: Vec<(Arc<str>, &'static str)>,
    /// Where the first of them was written.
    pub span: Option<Span>,
}

impl OutOfReach {
    /// That the model has no action for it, as an error.
    pub fn unmodelled(&self) -> Diagnostic {
        let how = if self.wanted { "true" } else { "false" };
        let message =
            format!("the action model has no action that makes `{}` {how}, which the goal needs", self.predicate);
        let message = match &self.limits[..] {
            [] => message,
            _ => format!(
                "the goal needs `{}` to become {how} of things that the action model does not change",
                self.predicate
            ),
        };
        let mut diagnostic =
            Diagnostic { span: self.span, ..Diagnostic::new(codes::NO_ACTION, Severity::Error, message) };
        for (thing, reason) in self.limits.iter().take(SHOWN) {
            diagnostic = diagnostic.with_help(format!("`{thing}` {reason}"));
        }
        diagnostic
            .with_help(format!("out of reach: {}", self.shown()))
            .with_help("this proves nothing of the activity itself: the goal is beyond the action model")
    }

    /// That no action leads to it with the things that there are, as an error.
    pub fn unreachable(&self) -> Diagnostic {
        let message = format!("no sequence of actions makes this part of the goal true: {}", self.shown());
        Diagnostic { span: self.span, ..Diagnostic::new(codes::OUT_OF_REACH, Severity::Error, message) }
    }

    fn shown(&self) -> String {
        let shown: Vec<String> = self.literals.iter().take(SHOWN).map(|literal| format!("`{literal}`")).collect();
        let more = self.literals.len().saturating_sub(SHOWN);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("{}{more}", shown.join(", "))
    }

    /// As JSON.
    pub fn json(&self) -> Json {
        json!({
            "predicate": &*self.predicate,
            "wanted": self.wanted,
            "literals": self.literals,
            "conjuncts": self.conjuncts,
            "limits": self.limits.iter().map(|(thing, reason)| json!({"thing": &**thing, "reason": reason})).collect::<Vec<_>>(),
        })
    }
}

/// Which predicates actions change, and to which value.
pub(super) struct Changed {
    added: FxHashSet<PredicateId>,
    deleted: FxHashSet<PredicateId>,
}

impl Changed {
    pub(super) fn by(task: &Task) -> Self {
        let mut changed = Self { added: FxHashSet::default(), deleted: FxHashSet::default() };
        task.actions.iter().for_each(|action| changed.effect(&action.effect));
        changed
    }

    fn effect(&mut self, effect: &Effect) {
        match effect {
            Effect::And(parts) => parts.iter().for_each(|part| self.effect(part)),
            Effect::Forall(_, body) | Effect::When(_, body) => self.effect(body),
            Effect::Add(atom) => drop(self.added.insert(atom.predicate)),
            Effect::Delete(atom) => drop(self.deleted.insert(atom.predicate)),
            Effect::Assign { .. } => {}
        }
    }

    /// The value that a fact keeps for good, beginning with this one.
    pub(super) fn kept(&self, predicate: PredicateId, initial: bool) -> Option<bool> {
        let changes = if initial { &self.deleted } else { &self.added };
        (!changes.contains(&predicate)).then_some(initial)
    }
}

/// The value that each fact keeps for good, by a task in which nothing ever stops holding; nothing of facts that can have both.
///
/// # Errors
/// If the task is too large for these limits, or the flag is set.
pub(super) fn settled_facts(
    task: &Task,
    facts: &[(PredicateId, Arguments)],
    limits: &Limits,
    cancelled: &AtomicBool,
) -> Result<Vec<Option<bool>>, GroundError> {
    let literals = facts.iter().flat_map(|(predicate, arguments)| {
        let arguments = arguments.iter().map(|object| Term::Object(*object)).collect();
        let atom = Condition::Atom(Atom { predicate: *predicate, arguments, origin: Origin::default() });
        [atom.clone(), Condition::Not(Box::new(atom))]
    });
    let conjuncts = literals.map(|condition| Conjunct { condition, origin: Origin::default() }).collect();
    let task = Task { goal: Goal { conjuncts, ..task.goal.clone() }, ..task.clone() };
    let mut observe = |_: &Progress| {
        if cancelled.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let relaxed = relaxed(&task, limits, &mut observe)?;
    let settled = |can: &[bool]| match can {
        [true, false] => Some(true),
        [false, true] => Some(false),
        _ => None,
    };
    Ok(relaxed.goal.chunks(2).map(settled).collect())
}

/// An atom that is wanted, or its negation, as activities are written.
pub(super) fn literal(atom: &GroundAtom, wanted: bool) -> String {
    let words: Vec<&str> = std::iter::once(&atom.predicate).chain(&atom.arguments).map(|word| &**word).collect();
    let text = format!("({})", words.join(" "));
    if wanted { text } else { format!("(not {text})") }
}

/// What of a goal is out of reach while these atoms keep their values.
pub(super) fn find(
    problem: &Problem,
    goal: &GroundGoal,
    dialect: Dialect,
    kept: impl Fn(AtomId, &GroundAtom) -> Option<bool>,
) -> Vec<OutOfReach> {
    let values: Vec<Option<bool>> = (0..).map(AtomId).zip(&goal.atoms).map(|(id, atom)| kept(id, atom)).collect();
    let value = |atom: AtomId| values[atom.index()];
    let mut found: Vec<OutOfReach> = Vec::new();
    for (place, node) in goal.conjuncts.iter().enumerate() {
        for id in settled::obstacles(node, true, dialect, &value) {
            let (atom, wanted) = (&goal.atoms[id.index()], value(id) == Some(false));
            let literal = literal(atom, wanted);
            let known = found.iter_mut().find(|known| known.predicate == atom.predicate && known.wanted == wanted);
            let Some(known) = known else {
                found.push(OutOfReach {
                    predicate: atom.predicate.clone(),
                    wanted,
                    literals: vec![literal],
                    conjuncts: vec![place],
                    limits: Vec::new(),
                    span: problem.goal.get(place).and_then(|conjunct| conjunct.origin.0),
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
