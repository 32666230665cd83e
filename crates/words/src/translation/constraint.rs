//! Constraints on translations: complete programs of the target language.

use std::fmt;

use goalspec_constraints::pddl::{PddlOptions, PddlVocabulary};
use goalspec_constraints::{ExportError, OutputConstraint, Part, bddl, game, pddl};
use goalspec_syntax::Sources;

use super::target::Target;

/// The reason for which there is no constraint on translations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConstraintError {
    /// The declarations of objects cannot be read.
    UnreadableObjects,
    /// The domain of activities is unknown.
    UnknownDomain(String),
    /// There is no constraint for the vocabulary.
    Export(ExportError),
}

impl fmt::Display for ConstraintError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnreadableObjects => f.write_str("the declarations of objects cannot be read"),
            Self::UnknownDomain(name) => write!(f, "the domain `{name}` is unknown"),
            Self::Export(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ConstraintError {}

/// Returns the constraint on programs of a language with given objects, such as `red - van, books shoes - parcel`; without any, the
/// programs declare them.
///
/// # Errors
/// If the declarations cannot be read, or there is no constraint for the vocabulary.
pub fn constraint(target: &Target, objects: &str) -> Result<OutputConstraint, ConstraintError> {
    let declarations = objects.replace(',', " ");
    let has_objects = !declarations.trim().is_empty();
    let mut sources = Sources::new();
    let text = format!("(define (problem p) (:domain d) (:objects {declarations}) (:init) (:goal (and)))");
    let id = sources.add("objects", text);
    let constraint = match target {
        Target::Pddl(target) => {
            let parsed = goalspec_pddl::parse(sources.file(id));
            let problem = parsed.problems.first().ok_or(ConstraintError::UnreadableObjects)?;
            let vocabulary = PddlVocabulary::new(&target.domain, has_objects.then_some(&*problem.objects));
            pddl::constraint(&vocabulary, PddlOptions { part: Part::Program, typed: false })
        }
        Target::Bddl(target) => {
            let parsed = goalspec_bddl::parse::parse(sources.file(id), goalspec_bddl::Dialect::default());
            let problem = parsed.problems.first().ok_or(ConstraintError::UnreadableObjects)?;
            let domain = target.domains.first().or_else(|| goalspec_bddl::domains::builtin(&target.name));
            let domain = domain.ok_or_else(|| ConstraintError::UnknownDomain(target.name.clone()))?;
            bddl::constraint(&bddl::BddlVocabulary::new(domain, has_objects.then_some(problem)), Part::Program)
        }
        Target::Game(target) => game::constraint(&target.world),
    };
    constraint.map_err(ConstraintError::Export)
}
