//! Few-shot prompts and queries for both methods.
//!
//! Stacks are written in their order in the problem, so a prompt is reproduced from a problem whose stacks are in the order of the
//! prompt's sentences ([`Arrangement::ordered_as`](crate::Arrangement::ordered_as)).

use crate::english;
use crate::pddl;
use crate::plan::{self, Move};
use crate::problem::StackingProblem;
use crate::relation::Relation;

/// The text that a translation begins with, so that the model continues with a fact.
pub const TRANSLATION_PREFIX: &str = "(";

/// The text at which a completed translation ends: the next commented sentence.
pub const TRANSLATION_STOP: &str = ";";

/// The text at which a completed plan ends: the next problem.
pub const PLAN_STOP: &str = "Initially:";

/// The instructions before the examples of plans.
const PLAN_PREAMBLE: &str = "\
There are some items stacked on the table. You can perform either of the following actions:
1. Move the topmost item of a stack to the top of another stack, or
2. Unstack the topmost item of a stack and place it on the table

Given an initial configuration and a set of goal requirements, output a series of actions that satisfies the goal requirements

";

/// Returns sentences as comments of PDDL.
fn commented(relations: &[Relation]) -> String {
    format!(";{}", english::text(relations).replace('\n', "\n;"))
}

/// Returns the examples for translation: the initial states of training problems in English and in PDDL, each followed by a blank line.
pub fn translation_examples<'p>(training: impl IntoIterator<Item = &'p StackingProblem>) -> String {
    let example = |problem: &StackingProblem| {
        let relations = problem.initial.relations();
        format!("{}\n{}\n\n", commented(&relations), pddl::facts(&relations))
    };
    training.into_iter().map(example).collect()
}

/// Returns the query for the translation of relations, without [`TRANSLATION_PREFIX`] on a last line.
pub fn translation_prompt(examples: &str, relations: &[Relation]) -> String {
    format!("{examples}{}", commented(relations))
}

/// Returns the complete query for the translation of relations.
pub fn translation_query(examples: &str, relations: &[Relation]) -> String {
    format!("{}\n{TRANSLATION_PREFIX}", translation_prompt(examples, relations))
}

/// Returns the instructions and the examples for planning: training problems with their plans, each followed by two blank lines.
pub fn plan_examples<'p>(training: impl IntoIterator<Item = (&'p StackingProblem, &'p [Move])>) -> String {
    let example =
        |(problem, moves): (&StackingProblem, &[Move])| format!("{}{}\n\n\n", plan_task(problem), plan::text(moves));
    let examples: String = training.into_iter().map(example).collect();
    format!("{PLAN_PREAMBLE}{examples}")
}

/// Returns the query for a plan.
pub fn plan_query(examples: &str, problem: &StackingProblem) -> String {
    format!("{examples}{}", plan_task(problem))
}

fn plan_task(problem: &StackingProblem) -> String {
    let (state, goal) = (english::text(&problem.initial.relations()), english::text(&problem.goal));
    format!("{PLAN_STOP}\n{state}\n\nGoal:\n{goal}\n\nActions:\n")
}
