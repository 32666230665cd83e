//! Comparison of goals.

use goalspec_core::planning::task::{AxiomSchema, Task};
use goalspec_core::program::Goal;
use goalspec_core::world::World;

use crate::atoms::Atoms;
use crate::derived::derived_facts;
use crate::diagram::{Diagram, Diagrams};
use crate::ground::{Bindings, Grounding};
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
    /// The diagrams differ, and conditions occur whose truth depends on that of others in a way that is not decided: comparisons of numbers
    /// that are not linear, or that combine the same function with several others. So the goals can be equivalent nevertheless.
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

/// A state that satisfies exactly one of two goals, which proves that they differ: its facts and values of functions. All other facts do not hold, and all other
/// functions have no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Witness {
    /// The facts that hold, in the syntax of PDDL, in the order of the goals, then the values of functions.
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
    pub witness: Option<Witness>,
    /// Whether no state satisfies the first goal, and the second.
    pub unsatisfiable: [bool; 2],
}

/// A goal with the world that declares its objects and predicates.
#[derive(Clone, Copy)]
pub struct GoalInWorld<'g> {
    /// The world.
    pub world: &'g World,
    /// The goal.
    pub goal: &'g Goal,
    /// The rules of the derived predicates of the world.
    pub rules: &'g [AxiomSchema],
}

impl<'g> GoalInWorld<'g> {
    /// Creates a goal of a world without derived predicates.
    pub const fn new(world: &'g World, goal: &'g Goal) -> Self {
        Self { world, goal, rules: &[] }
    }

    /// Creates the goal of a planning task.
    pub fn of_task(task: &'g Task) -> Self {
        Self { world: &task.world, goal: &task.goal, rules: &task.axioms }
    }

    fn diagram(
        self,
        object_names: &[String],
        diagrams: &mut Diagrams,
        atoms: &mut Atoms,
    ) -> Result<Diagram, LimitExceeded> {
        let conditions = || self.goal.conjuncts.iter().map(|conjunct| &conjunct.condition);
        let derived = derived_facts(self.world, self.rules, conditions(), object_names, diagrams, atoms)?;
        let grounding = Grounding { world: self.world, scope: &self.goal.scope, object_names };
        let mut bindings: Bindings = vec![None; self.goal.scope.variables.len()];
        conditions().try_fold(Diagram::TRUE, |all, condition| {
            let part = grounding.diagram(condition, &mut bindings, &derived, diagrams, atoms)?;
            diagrams.and(all, part)
        })
    }
}

/// Compares two goals on all states. Objects, predicates and functions of both worlds are the same if they have the same names. Derived
/// predicates hold where the rules of their worlds say. Numbers are compared exactly, without the tolerance of evaluations.
///
/// # Errors
/// If a limit is exceeded, so that the relation is unknown.
pub fn compare_goals(one: GoalInWorld<'_>, other: GoalInWorld<'_>) -> Result<GoalComparison, LimitExceeded> {
    compare_renamed([one, other], [&names(one.world), &names(other.world)], None)
}

/// Compares two goals on the states that satisfy a condition, such as the invariants of a domain. See [`compare_goals`].
///
/// # Errors
/// If a limit is exceeded, so that the relation is unknown.
pub fn compare_goals_within(
    one: GoalInWorld<'_>,
    other: GoalInWorld<'_>,
    states: GoalInWorld<'_>,
) -> Result<GoalComparison, LimitExceeded> {
    compare_renamed([one, other], [&names(one.world), &names(other.world)], Some(states))
}

/// Returns the names of the objects of a world by their ids.
pub(crate) fn names(world: &World) -> Vec<String> {
    world.objects().iter().map(|object| object.id.to_string()).collect()
}

/// A fact that a goal depends on: its predicate, the ids of its arguments, and its influence on the goal.
pub(crate) type InfluentialFact = (String, Vec<usize>, u64);

/// Returns the facts that have an influence on a goal; `None` if the goal depends on more than facts. If a bijection of objects maps one goal
/// to an equivalent one, it maps their influential facts to each other.
///
/// # Errors
/// If a limit is exceeded.
pub(crate) fn influential_facts(goal: GoalInWorld<'_>) -> Result<Option<Vec<InfluentialFact>>, LimitExceeded> {
    let (mut diagrams, mut atoms) = (Diagrams::new(), Atoms::default());
    // Ids are names that can be read back from the text of a fact.
    let ids: Vec<String> = (0..goal.world.objects().len()).map(|id| id.to_string()).collect();
    let diagram = goal.diagram(&ids, &mut diagrams, &mut atoms)?;
    if !atoms.are_facts() {
        return Ok(None);
    }
    let influences = diagrams.influences(diagram).into_iter();
    let facts = influences.filter_map(|(variable, influence)| {
        let mut words = atoms.fact(variable)?.trim_matches(['(', ')']).split(' ');
        let predicate = words.next()?.to_owned();
        let arguments = words.map(str::parse).collect::<Result<Vec<usize>, _>>().ok()?;
        Some((predicate, arguments, influence))
    });
    Ok(Some(facts.collect()))
}

/// Compares two goals whose objects have other names in the comparison.
pub(crate) fn compare_renamed(
    goals: [GoalInWorld<'_>; 2],
    object_names: [&[String]; 2],
    states: Option<GoalInWorld<'_>>,
) -> Result<GoalComparison, LimitExceeded> {
    let (mut diagrams, mut atoms) = (Diagrams::new(), Atoms::default());
    let within = match states {
        Some(states) => states.diagram(&names(states.world), &mut diagrams, &mut atoms)?,
        None => Diagram::TRUE,
    };
    let mut diagram = |index: usize| goals[index].diagram(object_names[index], &mut diagrams, &mut atoms);
    let (one, other) = (diagram(0)?, diagram(1)?);
    let cells = atoms.consistency(&mut diagrams)?;
    let within = diagrams.and(within, cells)?;
    let [one, other] = [diagrams.and(one, within)?, diagrams.and(other, within)?];
    let [not_one, not_other] = [diagrams.not(one)?, diagrams.not(other)?];
    let only_one = diagrams.and(one, not_other)?;
    let only_other = diagrams.and(other, not_one)?;
    let relation = match (only_one == Diagram::FALSE, only_other == Diagram::FALSE) {
        (true, true) => GoalRelation::Same,
        _ if !atoms.is_complete() => GoalRelation::Unknown,
        (true, false) => GoalRelation::Stronger,
        (false, true) => GoalRelation::Weaker,
        (false, false) => GoalRelation::Different,
    };
    let observed = |diagram, satisfies_first| {
        Some(Witness { facts: atoms.state(&diagrams.satisfying(diagram)?), satisfies_first })
    };
    let witness = observed(only_one, true).or_else(|| observed(only_other, false));
    Ok(GoalComparison { relation, witness, unsatisfiable: [one, other].map(|goal| goal == Diagram::FALSE) })
}
