//! Comparison of problems, up to a bijection of objects.

use std::collections::{BTreeMap, BTreeSet};

use goalspec_core::planning::task::Task;
use goalspec_core::state::Delta;
use goalspec_core::world::World;

use crate::bijections::Bijections;
use crate::goals::{GoalComparison, GoalInWorld, GoalRelation, compare_renamed, influential_facts, names};
use crate::limits::{LimitExceeded, MAX_BIJECTIONS};

/// An initial state: facts that hold, and values of functions.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct InitialState {
    /// The predicate and the arguments of each fact that holds, by ids of the world.
    pub facts: BTreeSet<(String, Vec<usize>)>,
    /// The values of functions, as texts, by the function and its arguments.
    pub values: BTreeMap<(String, Vec<usize>), String>,
}

impl InitialState {
    /// Returns the state that a delta describes. Of several changes of a fact the last one applies.
    pub fn new(world: &World, delta: &Delta) -> Self {
        let mut state = Self::default();
        for change in &delta.facts {
            let arguments = change.arguments.iter().map(|object| object.index()).collect();
            let fact = (world.predicate(change.predicate).name.to_string(), arguments);
            if change.holds {
                state.facts.insert(fact);
            } else {
                state.facts.remove(&fact);
            }
        }
        for change in &delta.fluents {
            let arguments: Vec<usize> = change.arguments.iter().map(|object| object.index()).collect();
            let name = world.function(change.function).name.to_string();
            state.values.insert((name, arguments), change.value.to_string());
        }
        state
    }
}

/// A problem: a world with an initial state and a goal.
#[derive(Clone)]
pub struct Problem<'p> {
    /// The goal with its world.
    pub goal: GoalInWorld<'p>,
    /// The initial state.
    pub initial: InitialState,
}

impl<'p> Problem<'p> {
    /// Creates the problem of a planning task.
    pub fn of_task(task: &'p Task) -> Self {
        Self { goal: GoalInWorld::of_task(task), initial: InitialState::new(&task.world, &task.initial) }
    }
}

/// The objects of two problems that may correspond.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ObjectMatching {
    /// Any objects of the same types: names have no meaning.
    Any,
    /// An object whose name both problems have corresponds to the object of that name; the others as in [`ObjectMatching::Any`].
    SharedNames,
}

/// The result of comparing two problems.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProblemComparison {
    /// The objects that correspond, those of the first problem in order of ids, with those of the second; `None` if no bijection maps one
    /// initial state to the other.
    pub objects: Option<Vec<(String, String)>>,
    /// A difference of the initial states, if there is no bijection.
    pub difference: Option<String>,
    /// The comparison of the goals: under the bijection, or by the names of objects if there is none.
    pub goal: GoalComparison,
}

impl ProblemComparison {
    /// Whether the problems are equivalent.
    pub fn is_same(&self) -> bool {
        self.objects.is_some() && self.goal.relation == GoalRelation::Same
    }
}

/// Compares two problems. Objects correspond by a bijection that maps one initial state to the other and keeps types; among several, by one
/// under which the goals are equivalent. The bijection that keeps names is preferred. `matching` tells which objects may correspond.
///
/// # Errors
/// If a limit is exceeded, so that the result is unknown.
pub fn compare_problems(
    one: &Problem<'_>,
    other: &Problem<'_>,
    matching: ObjectMatching,
) -> Result<ProblemComparison, LimitExceeded> {
    let of_other = names(other.goal.world);
    let influential = match (influential_facts(one.goal)?, influential_facts(other.goal)?) {
        (Some(of_one), Some(of_other)) => Some([of_one, of_other]),
        _ => None,
    };
    let kept = equivalent_under(&mut Bijections::new([one, other], influential.as_ref(), matching), [one, other])?;
    let found = match kept {
        Some(found) => Some(found),
        // No bijection makes the goals equivalent. One of them shows how they differ.
        None => first_bijection(&mut Bijections::new([one, other], None, matching), [one, other])?,
    };
    let of_one = names(one.goal.world);
    Ok(match found {
        Some((bijection, goal)) => {
            let pairs = of_one.into_iter().zip(bijection.iter().map(|&object| of_other[object].clone()));
            ProblemComparison { objects: Some(pairs.collect()), difference: None, goal }
        }
        None => ProblemComparison {
            objects: None,
            difference: Some(difference(one, other)),
            goal: compare_renamed([one.goal, other.goal], [&of_one, &of_other], None)?,
        },
    })
}

/// A bijection with the comparison of the goals under it.
type ComparedBijection = (Vec<usize>, GoalComparison);

/// Returns a bijection under which the goals are equivalent.
fn equivalent_under(
    bijections: &mut Bijections,
    problems: [&Problem<'_>; 2],
) -> Result<Option<ComparedBijection>, LimitExceeded> {
    let mut count = 0;
    while let Some(bijection) = bijections.next()? {
        count += 1;
        if count > MAX_BIJECTIONS {
            return Err(LimitExceeded::Bijections);
        }
        let goal = compare_under(&bijection, problems)?;
        if goal.relation == GoalRelation::Same {
            return Ok(Some((bijection, goal)));
        }
    }
    Ok(None)
}

/// Returns the first bijection.
fn first_bijection(
    bijections: &mut Bijections,
    problems: [&Problem<'_>; 2],
) -> Result<Option<ComparedBijection>, LimitExceeded> {
    let Some(bijection) = bijections.next()? else { return Ok(None) };
    let goal = compare_under(&bijection, problems)?;
    Ok(Some((bijection, goal)))
}

/// Compares the goals under a bijection.
fn compare_under(bijection: &[usize], [one, other]: [&Problem<'_>; 2]) -> Result<GoalComparison, LimitExceeded> {
    let of_other = names(other.goal.world);
    let renamed: Vec<String> = bijection.iter().map(|&object| of_other[object].clone()).collect();
    compare_renamed([one.goal, other.goal], [&renamed, &of_other], None)
}

/// Returns a difference of two initial states in words: numbers of objects or facts, or a fact that only one has.
fn difference(one: &Problem<'_>, other: &Problem<'_>) -> String {
    let objects = [one, other].map(|problem| problem.goal.world.objects().len());
    if objects[0] != objects[1] {
        return format!("{} objects and {} objects", objects[0], objects[1]);
    }
    let texts = [one, other].map(|problem| {
        let names = names(problem.goal.world);
        let list = |name: &str, arguments: &[usize]| {
            let arguments: String = arguments.iter().map(|&object| format!(" {}", names[object])).collect();
            format!("({name}{arguments})")
        };
        let facts = problem.initial.facts.iter().map(|(name, arguments)| list(name, arguments));
        let values = problem.initial.values.iter();
        let values = values.map(|((name, arguments), value)| format!("(= {} {value})", list(name, arguments)));
        facts.chain(values).collect::<BTreeSet<String>>()
    });
    let only = |index: usize| texts[index].difference(&texts[1 - index]).next();
    match (only(0), only(1)) {
        (Some(fact), _) => format!("only the first initial state has {fact}"),
        (None, Some(fact)) => format!("only the second initial state has {fact}"),
        (None, None) => "the types of the objects differ".to_owned(),
    }
}
