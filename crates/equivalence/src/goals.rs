//! Comparison of goals.

use goalspec_core::ids::PredicateId;
use goalspec_core::program::Goal;
use goalspec_core::world::World;

use crate::diagram::{Diagram, Diagrams};
use crate::ground::{Atoms, Grounding};
use crate::limits::LimitExceeded;

/// The relation of a goal to another: which states satisfy them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GoalRelation {
    /// The same states.
    Same,
    /// The first goal implies the second, which more states satisfy.
    Stronger,
    /// The second goal implies the first, which more states satisfy.
    Weaker,
    /// Neither implies the other.
    Different,
    /// The diagrams differ, and conditions whose truth depends on that of others occur: comparisons of numbers, or derived predicates. So
    /// the goals can be equivalent nevertheless.
    Unknown,
}

impl GoalRelation {
    /// Returns the name in results.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Stronger => "stronger",
            Self::Weaker => "weaker",
            Self::Different => "different",
            Self::Unknown => "unknown",
        }
    }
}

/// A state that satisfies one of two goals: the facts that hold. All other facts do not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observed {
    /// The facts that hold, in the syntax of PDDL, in the order of the goals.
    pub facts: Vec<String>,
    /// Whether the state satisfies the first goal; otherwise it satisfies the second.
    pub satisfies_first: bool,
}

/// The result of comparing two goals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoalComparison {
    /// The relation of the first to the second.
    pub relation: GoalRelation,
    /// A state that satisfies exactly one of them; `None` if they are equivalent.
    pub witness: Option<Observed>,
    /// Whether no state satisfies the first goal, and the second.
    pub unsatisfiable: [bool; 2],
}

/// A goal with the world whose objects it is about.
#[derive(Clone, Copy)]
pub struct GoalOf<'g> {
    /// The world.
    pub world: &'g World,
    /// The goal.
    pub goal: &'g Goal,
    /// Whether rules define a predicate of the world.
    pub is_derived: &'g dyn Fn(PredicateId) -> bool,
}

impl<'g> GoalOf<'g> {
    /// Creates a goal in whose world no rules define predicates.
    pub fn new(world: &'g World, goal: &'g Goal) -> Self {
        Self { world, goal, is_derived: &|_| false }
    }
}

/// Compares two goals on all states. Objects, predicates and functions of both worlds are the same if they have the same names.
///
/// # Errors
/// If a limit is exceeded, so that the relation is unknown.
pub fn compare_goals(one: GoalOf<'_>, other: GoalOf<'_>) -> Result<GoalComparison, LimitExceeded> {
    compare_renamed([one, other], [&names(one.world), &names(other.world)])
}

/// Returns the names of the objects of a world by their ids.
pub(crate) fn names(world: &World) -> Vec<String> {
    world.objects().iter().map(|object| object.id.to_string()).collect()
}

/// Compares two goals whose objects have other names in the comparison.
pub(crate) fn compare_renamed(
    goals: [GoalOf<'_>; 2],
    object_names: [&[String]; 2],
) -> Result<GoalComparison, LimitExceeded> {
    let (mut diagrams, mut atoms) = (Diagrams::new(), Atoms::default());
    let mut diagram = |index: usize| {
        let GoalOf { world, goal, is_derived } = goals[index];
        let grounding = Grounding { world, goal, object_names: object_names[index], is_derived };
        grounding.diagram(&mut diagrams, &mut atoms)
    };
    let (one, other) = (diagram(0)?, diagram(1)?);
    let [not_one, not_other] = [diagrams.not(one)?, diagrams.not(other)?];
    let only_one = diagrams.and(one, not_other)?;
    let only_other = diagrams.and(other, not_one)?;
    let relation = match (only_one == Diagram::FALSE, only_other == Diagram::FALSE) {
        (true, true) => GoalRelation::Same,
        _ if atoms.has_dependent() => GoalRelation::Unknown,
        (true, false) => GoalRelation::Stronger,
        (false, true) => GoalRelation::Weaker,
        (false, false) => GoalRelation::Different,
    };
    let observed = |diagram, satisfies_first| {
        let facts = diagrams.satisfying(diagram)?.into_iter().map(|atom| atoms.name(atom).to_owned()).collect();
        Some(Observed { facts, satisfies_first })
    };
    let witness = observed(only_one, true).or_else(|| observed(only_other, false));
    Ok(GoalComparison { relation, witness, unsatisfiable: [one, other].map(|goal| goal == Diagram::FALSE) })
}
