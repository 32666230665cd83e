//! Preferences and constraints taken out of the conditions that they stand in.

use std::sync::Arc;

use crate::ast::{Formula, FormulaKind, Group, Name};

/// A part of a goal, a precondition or a constraint.
#[derive(Debug, Clone)]
pub(crate) struct Piece<'a> {
    /// The variables of the quantifiers around it, the outermost first.
    pub(crate) around: Vec<&'a [Group]>,
    /// Whether it must hold.
    pub(crate) wanted: Wanted<'a>,
    /// What is asked.
    pub(crate) body: &'a Formula,
}

/// Whether something must or should hold.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Wanted<'a> {
    /// It must.
    Required,
    /// It should: a preference, which may have a name.
    Preferred(Option<&'a Name>),
}

impl Wanted<'_> {
    /// Whether it is a preference.
    pub(crate) fn is_preference(self) -> bool {
        matches!(self, Self::Preferred(_))
    }

    /// The name that it has in the core, empty if it has none.
    pub(crate) fn name(self) -> Arc<str> {
        match self {
            Self::Preferred(Some(name)) => name.shared(),
            Self::Preferred(None) | Self::Required => Arc::from(""),
        }
    }
}

/// The parts of a condition: what stands in `and`, and in those `forall` that hold preferences or conditions on runs of states.
pub(crate) fn pieces(formula: &Formula) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    collect(formula, &mut Vec::new(), &mut pieces);
    pieces
}

fn collect<'a>(formula: &'a Formula, around: &mut Vec<&'a [Group]>, pieces: &mut Vec<Piece<'a>>) {
    match &formula.kind {
        FormulaKind::And(parts) => parts.iter().for_each(|part| collect(part, around, pieces)),
        FormulaKind::Forall(variables, body) if is_temporal(body) => {
            around.push(variables);
            collect(body, around, pieces);
            around.pop();
        }
        FormulaKind::Preference(name, body) => {
            pieces.push(Piece { around: around.clone(), wanted: Wanted::Preferred(name.as_ref()), body });
        }
        _ => pieces.push(Piece { around: around.clone(), wanted: Wanted::Required, body: formula }),
    }
}

/// Whether there is a preference or a condition on a run of states in it.
pub(crate) fn is_temporal(formula: &Formula) -> bool {
    match &formula.kind {
        FormulaKind::Preference(..) | FormulaKind::Trajectory(..) | FormulaKind::Timed(..) => true,
        FormulaKind::And(parts) | FormulaKind::Or(parts) => parts.iter().any(is_temporal),
        FormulaKind::Imply(parts) => parts.iter().any(is_temporal),
        FormulaKind::Not(body) | FormulaKind::Forall(_, body) | FormulaKind::Exists(_, body) => is_temporal(body),
        FormulaKind::Atom(_) | FormulaKind::Compare(..) => false,
    }
}
