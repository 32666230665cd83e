//! Lint: conflicting numeric effects.

use goalspec_core::condition::Term;
use goalspec_core::ids::{FunctionId, VarId};
use goalspec_core::planning::task::{Action, AssignmentOperator, Effect, Task};
use goalspec_syntax::{Diagnostic, Span};
use rustc_hash::FxHashMap;

use super::codes;
use super::domain::key;
use crate::ast::Atom;
use crate::parse::excerpt;

/// A numeric effect: its function with arguments, the kind of assignment, and its span.
pub(super) type Change<'e> = (&'e Atom, AssignmentOperator, Span);

/// Whether two kinds of assignment to one number can be combined.
fn are_compatible(one: AssignmentOperator, other: AssignmentOperator) -> bool {
    use AssignmentOperator::{Decrease, Increase, ScaleDown, ScaleUp};
    [[Increase, Decrease], [ScaleUp, ScaleDown]].iter().any(|kind| kind.contains(&one) && kind.contains(&other))
}

/// Reports numbers with conflicting effects.
pub(super) fn conflicts(numbers: &[Change<'_>], found: &mut Vec<Diagnostic>) {
    let mut first: FxHashMap<Vec<&str>, (AssignmentOperator, Span)> = FxHashMap::default();
    for &(atom, operator, span) in numbers {
        let (previous, place) = *first.entry(key(atom)).or_insert((operator, span));
        if place != span && !are_compatible(previous, operator) {
            let message = format!(
                "`{}` is changed by `{}` and `{}` simultaneously, so the action is never applicable",
                excerpt(atom.name.written()),
                previous.keyword(),
                operator.keyword()
            );
            let diagnostic = Diagnostic::warning(codes::CONFLICTING_EFFECTS, span, message);
            found.push(diagnostic.with_related(place, "the other effect"));
        }
    }
}

/// An unconditional numeric effect that applies once per assignment of the enclosing quantifiers.
struct QuantifiedEffect<'t> {
    number: (FunctionId, &'t [Term]),
    how: AssignmentOperator,
    around: Vec<VarId>,
    span: Option<Span>,
}

/// Reports conflicts between the instances of quantified numeric effects. Conflicts between effects of one conjunction are
/// reported with the domain.
pub(super) fn repeated(task: &Task) -> Vec<Diagnostic> {
    task.actions.iter().filter_map(|action| of_action(task, action)).collect()
}

/// Returns the first conflict in an action.
fn of_action(task: &Task, action: &Action) -> Option<Diagnostic> {
    let mut changes = Vec::new();
    collect(&action.effect, &mut Vec::new(), &mut changes);
    let is_same = |change: &QuantifiedEffect<'_>| !change.number.1.iter().any(|&term| is_one_of(term, &change.around));
    let objects = |id: &VarId| {
        let types = &action.scope.get(*id).types;
        types.iter().flat_map(|&type_id| task.world.members(type_id)).collect::<std::collections::BTreeSet<_>>().len()
    };
    let times = |change: &QuantifiedEffect<'_>| change.around.iter().map(objects).fold(1, usize::saturating_mul);
    for change in changes.iter().filter(|change| !change.around.is_empty() && is_same(change)) {
        let times = times(change);
        let name = excerpt(&task.world.function(change.number.0).name);
        let place = |text: String| {
            let message =
                format!("in the problem `{}`, `{name}` {text}, so `{}` is never applicable", task.name, action.name);
            Some(Diagnostic::warning(codes::CONFLICTING_EFFECTS, change.span?, message))
        };
        if times > 1 && !are_compatible(change.how, change.how) {
            return place(format!(
                "is changed by `{}` {times} times simultaneously, once per object",
                change.how.keyword()
            ));
        }
        let other = changes.iter().find(|other| {
            other.around.is_empty() && other.number == change.number && !are_compatible(other.how, change.how)
        });
        if let Some(other) = other.filter(|_| times > 0) {
            let found =
                place(format!("is changed by `{}` and `{}` simultaneously", other.how.keyword(), change.how.keyword()));
            return Some(match other.span {
                Some(span) => found?.with_related(span, "the other effect"),
                None => found?,
            });
        }
    }
    None
}

fn is_one_of(term: Term, ids: &[VarId]) -> bool {
    matches!(term, Term::Variable(id) if ids.contains(&id))
}

/// Collects the unconditional numeric effects.
fn collect<'t>(effect: &'t Effect, quantified: &mut Vec<VarId>, changes: &mut Vec<QuantifiedEffect<'t>>) {
    match effect {
        Effect::And(parts) => parts.iter().for_each(|part| collect(part, quantified, changes)),
        Effect::Forall(ids, body) => {
            let depth = quantified.len();
            quantified.extend(ids);
            collect(body, quantified, changes);
            quantified.truncate(depth);
        }
        Effect::Assign { operator, function, arguments, origin, .. } => {
            let number = (*function, &arguments[..]);
            changes.push(QuantifiedEffect { number, how: *operator, around: quantified.clone(), span: origin.0 });
        }
        Effect::When(..) | Effect::Add(_) | Effect::Delete(_) => {}
    }
}
