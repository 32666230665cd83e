//! Problems from texts.

use goalspec_core::planning::task::Task;
use goalspec_equivalence::goals::GoalInWorld;
use goalspec_equivalence::{GoalComparison, InitialState, Problem, compare_goals};
use goalspec_syntax::{SourceFile, Sources};

pub(crate) const DOMAIN: &str = "(define (domain blocks) (:requirements :adl :fluents) (:types block box)
    (:predicates (on ?x - block ?y - block) (clear ?x - block) (in ?x - block ?b - box) (free)) (:functions (weight ?x - block)))";

pub(crate) fn source(text: &str) -> SourceFile {
    let mut sources = Sources::new();
    let id = sources.add("text", text);
    sources.file(id).clone()
}

/// Returns the task of a problem with a domain.
pub(crate) fn task(domain: &str, problem: &str) -> Task {
    let domain = goalspec_pddl::parse(&source(domain)).domains.remove(0);
    let checked = goalspec_pddl::check::domain(&domain);
    let parsed = goalspec_pddl::parse(&source(problem));
    let lowered = goalspec_pddl::check::problem(&parsed.problems[0], &checked);
    lowered.task.unwrap_or_else(|| panic!("{:?} {:?}: {problem}", parsed.diagnostics, lowered.diagnostics))
}

/// Returns the task of the domain above with three blocks and two boxes.
pub(crate) fn blocks(init: &str, goal: &str) -> Task {
    let text = format!(
        "(define (problem p) (:domain blocks) (:objects a b c - block u v - box) (:init {init}) (:goal {goal}))"
    );
    task(DOMAIN, &text)
}

/// Returns a task as a problem.
pub(crate) fn problem(task: &Task) -> Problem<'_> {
    Problem { goal: GoalInWorld::new(&task.world, &task.goal), initial: InitialState::new(&task.world, &task.initial) }
}

/// Compares two goals over three blocks.
pub(crate) fn compare(one: &str, other: &str) -> GoalComparison {
    let [one, other] = [one, other].map(|goal| blocks("", goal));
    compare_goals(GoalInWorld::new(&one.world, &one.goal), GoalInWorld::new(&other.world, &other.goal)).unwrap()
}
