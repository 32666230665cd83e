//! Lints of a domain.

use goalspec_syntax::{Code, Diagnostic, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use super::codes;
use super::conflict::{Change, conflicts};
use crate::ast::{Action, Atom, Domain, Effect, EffectKind, ExprKind, Formula, FormulaKind, Name};
use crate::parse::excerpt;
use crate::walk::{self, Node};

/// Runs the lints of a domain.
pub(crate) fn lint(domain: &Domain) -> Vec<Diagnostic> {
    let mut found = unused(domain);
    let changes = Changes::of(domain);
    for action in &domain.actions {
        preconditions(action, &changes, &mut found);
        if let Some(effect) = &action.effect {
            contradictions(effect, &mut found);
        }
    }
    found
}

/// Reports unused predicates and functions.
fn unused(domain: &Domain) -> Vec<Diagnostic> {
    let mut used: FxHashSet<&str> = domain.derived.iter().map(|rule| rule.predicate.text()).collect();
    walk::domain(domain, &mut |node| match node {
        Node::Formula(Formula { kind: FormulaKind::Atom(atom), .. })
        | Node::Effect(Effect {
            kind: EffectKind::Add(atom) | EffectKind::Delete(atom) | EffectKind::Assign(_, atom, _),
            ..
        }) => {
            used.insert(atom.name.text());
        }
        Node::Expr(expr) => {
            if let ExprKind::Call(crate::ast::Atom { name, .. }) | ExprKind::Name(name) = &expr.kind {
                used.insert(name.text());
            }
        }
        _ => {}
    });
    let predicates = domain.predicates.iter().map(|decl| (&decl.name, "predicate"));
    let functions = domain.functions.iter().map(|decl| (&decl.name, "function"));
    let unused = predicates.chain(functions).filter(|(name, _)| !used.contains(name.text()));
    unused
        .map(|(name, kind)| {
            let message = format!("unused {kind} `{}`", excerpt(name.written()));
            Diagnostic::warning(codes::UNUSED_PREDICATE, name.span, message)
        })
        .collect()
}

/// The predicates that actions add and delete.
struct Changes<'d> {
    added: FxHashMap<&'d str, Span>,
    deleted: FxHashSet<&'d str>,
}

impl<'d> Changes<'d> {
    fn of(domain: &'d Domain) -> Self {
        let mut changes = Self { added: FxHashMap::default(), deleted: FxHashSet::default() };
        walk::domain(domain, &mut |node| match node {
            Node::Effect(Effect { kind: EffectKind::Add(atom), span }) => {
                changes.added.entry(atom.name.text()).or_insert(*span);
            }
            Node::Effect(Effect { kind: EffectKind::Delete(atom), .. }) => {
                changes.deleted.insert(atom.name.text());
            }
            _ => {}
        });
        changes
    }
}

/// Collects the literals that a condition requires.
pub(super) fn literals<'f>(formula: &'f Formula, found: &mut Vec<(&'f Atom, bool)>) {
    match &formula.kind {
        FormulaKind::Atom(atom) => found.push((atom, true)),
        FormulaKind::Not(body) => {
            if let FormulaKind::Atom(atom) = &body.kind {
                found.push((atom, false));
            }
        }
        FormulaKind::And(parts) => parts.iter().for_each(|part| literals(part, found)),
        _ => {}
    }
}

/// Returns a key that is equal for equal atoms.
pub(super) fn key(atom: &Atom) -> Vec<&str> {
    std::iter::once(&atom.name).chain(&atom.arguments).map(Name::text).collect()
}

/// Indexes atoms by their keys.
fn by_key<'a>(atoms: impl Iterator<Item = &'a Atom>) -> FxHashMap<Vec<&'a str>, &'a Atom> {
    atoms.map(|atom| (key(atom), atom)).collect()
}

/// Reports atoms that are required together with their negation.
pub(super) fn contradiction(literals: &[(&Atom, bool)], code: Code, found: &mut Vec<Diagnostic>) {
    let positive = by_key(literals.iter().filter(|(_, holds)| *holds).map(|(atom, _)| *atom));
    for (atom, _) in literals.iter().filter(|(_, holds)| !*holds) {
        if let Some(other) = positive.get(&key(atom)) {
            let message = format!("`{}` is required together with its negation", excerpt(atom.name.written()));
            let diagnostic = Diagnostic::warning(code, atom.span, message);
            found.push(diagnostic.with_related(other.span, "required here"));
        }
    }
}

fn preconditions(action: &Action, changes: &Changes<'_>, found: &mut Vec<Diagnostic>) {
    let Some(precondition) = &action.precondition else { return };
    let mut all = Vec::new();
    literals(precondition, &mut all);
    contradiction(&all, codes::CONTRADICTED_PRECONDITION, found);
    for (atom, _) in all.iter().filter(|(_, holds)| !*holds) {
        let name = atom.name.text();
        if let Some(&added) = changes.added.get(name).filter(|_| !changes.deleted.contains(name)) {
            let message =
                format!("`{}` is never deleted, so this cannot become true again", excerpt(atom.name.written()));
            let diagnostic = Diagnostic::note(codes::NEVER_DELETED, atom.span, message);
            found.push(diagnostic.with_related(added, "added here"));
        }
    }
}

/// Reports atoms that are deleted and added by the same conjunction of effects.
fn contradictions(effect: &Effect, found: &mut Vec<Diagnostic>) {
    let (mut added, mut deleted, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
    changes(effect, (&mut added, &mut deleted, &mut numbers), found);
    conflicts(&numbers, found);
    let added = by_key(added.into_iter());
    for atom in deleted {
        if let Some(other) = added.get(&key(atom)) {
            let message =
                format!("`{}` is both deleted and added, so it is true afterwards", excerpt(atom.name.written()));
            let diagnostic = Diagnostic::warning(codes::ADD_AND_DELETE, atom.span, message);
            found.push(diagnostic.with_related(other.span, "added here"));
        }
    }
}

/// Collects the atoms added, the atoms deleted and the numeric effects of a conjunction. Nested quantified or conditional
/// effects are checked separately.
fn changes<'e>(
    effect: &'e Effect,
    (added, deleted, numbers): (&mut Vec<&'e Atom>, &mut Vec<&'e Atom>, &mut Vec<Change<'e>>),
    found: &mut Vec<Diagnostic>,
) {
    match &effect.kind {
        EffectKind::And(parts) => parts.iter().for_each(|part| changes(part, (added, deleted, numbers), found)),
        EffectKind::Add(atom) => added.push(atom),
        EffectKind::Delete(atom) => deleted.push(atom),
        EffectKind::Forall(_, body) | EffectKind::When(_, body) | EffectKind::Timed(_, body) => {
            contradictions(body, found);
        }
        EffectKind::Assign(operator, atom, _) => numbers.push((atom, *operator, effect.span)),
    }
}
