//! Extraction of preferences and constraints from the conditions that contain them.

use std::sync::Arc;

use crate::ast::{Formula, FormulaKind, Name, TypedNames};

/// A conjunct of a goal, a precondition or a constraint.
#[derive(Debug, Clone)]
pub(crate) struct ConditionPart<'a> {
    /// The variables of the enclosing quantifiers, outermost first.
    pub(crate) quantifiers: Vec<&'a [TypedNames]>,
    /// Whether the conjunct is required or preferred.
    pub(crate) wanted: Strength<'a>,
    /// The condition.
    pub(crate) body: &'a Formula,
}

/// Whether a condition is required or preferred.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Strength<'a> {
    /// Required.
    Required,
    /// A preference, with its name if there is one.
    Preferred(Option<&'a Name>),
}

impl Strength<'_> {
    /// Whether it is a preference.
    pub(crate) fn is_preference(self) -> bool {
        matches!(self, Self::Preferred(_))
    }

    /// Returns the name in the core; empty if there is none.
    pub(crate) fn name(self) -> Arc<str> {
        match self {
            Self::Preferred(Some(name)) => name.shared(),
            Self::Preferred(None) | Self::Required => Arc::from(""),
        }
    }
}

/// Splits a condition into its conjuncts, also under `forall` if its body contains preferences or trajectory constraints.
pub(crate) fn condition_parts(formula: &Formula) -> Vec<ConditionPart<'_>> {
    let mut parts = Vec::new();
    collect(formula, &mut Vec::new(), &mut parts);
    parts
}

fn collect<'a>(formula: &'a Formula, quantifiers: &mut Vec<&'a [TypedNames]>, collected: &mut Vec<ConditionPart<'a>>) {
    match &formula.kind {
        FormulaKind::And(parts) => parts.iter().for_each(|part| collect(part, quantifiers, collected)),
        FormulaKind::Forall(variables, body) if is_temporal(body) => {
            quantifiers.push(variables);
            collect(body, quantifiers, collected);
            quantifiers.pop();
        }
        FormulaKind::Preference(name, body) => {
            collected.push(ConditionPart {
                quantifiers: quantifiers.clone(),
                wanted: Strength::Preferred(name.as_ref()),
                body,
            });
        }
        _ => collected.push(ConditionPart {
            quantifiers: quantifiers.clone(),
            wanted: Strength::Required,
            body: formula,
        }),
    }
}

/// Whether a formula contains a preference, a trajectory constraint or a time specifier.
pub(crate) fn is_temporal(formula: &Formula) -> bool {
    match &formula.kind {
        FormulaKind::Preference(..) | FormulaKind::Trajectory(..) | FormulaKind::Timed(..) => true,
        FormulaKind::And(parts) | FormulaKind::Or(parts) => parts.iter().any(is_temporal),
        FormulaKind::Imply(parts) => parts.iter().any(is_temporal),
        FormulaKind::Not(body) | FormulaKind::Forall(_, body) | FormulaKind::Exists(_, body) => is_temporal(body),
        FormulaKind::Atom(_) | FormulaKind::Compare(..) => false,
    }
}
