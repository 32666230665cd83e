//! Judgement of translations by a true program.

use std::collections::BTreeSet;

use goalspec_bddl::lower::{self, LoweredProblem};
use goalspec_constraints::layout::{lower_case_forms, section};
use goalspec_core::explain::CoreNotation;
use goalspec_core::planning::task::Task;
use goalspec_core::planning::validate::validate;
use goalspec_core::state::Delta;
use goalspec_equivalence::goals::GoalInWorld;
use goalspec_equivalence::{GoalRelation, InitialState, ObjectMatching, Problem, compare_problems};
use goalspec_syntax::{Diagnostic, SourceFile, Sources};
use serde::{Deserialize, Serialize};

use super::target::Target;

/// A true program, against which translations of the same words are judged.
#[derive(Debug)]
pub struct Truth(Meaning);

/// The judgement of a translation by the truth.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TruthVerdict {
    /// Whether the objects, the initial facts and the conjuncts of the goal are those of the truth, by their names and in any order.
    pub exact: bool,
    /// Whether the translation has the meaning of the truth, up to a bijection of the objects whose names only one of them has; `None` if
    /// this is unknown.
    pub equivalent: Option<bool>,
    /// Whether the plan for the translation reaches the goal of the true problem; `None` for languages without plans.
    pub solved: Option<bool>,
}

/// A program that can be compared.
#[derive(Debug)]
struct Meaning {
    content: Content,
    /// The conjuncts of the goal in canonical layout.
    conjuncts: BTreeSet<String>,
}

#[derive(Debug)]
enum Content {
    Pddl(Box<Task>),
    Bddl(Box<LoweredProblem>),
}

impl Truth {
    /// Reads the true program.
    ///
    /// # Errors
    /// If the language cannot be compared, or the program has errors.
    pub fn read(target: &Target, source: &SourceFile) -> Result<Self, Vec<Diagnostic>> {
        Meaning::read(target, source).map(Self)
    }

    /// Judges a translation with the steps of its plan. A translation that cannot be read is not equivalent.
    pub fn judge(&self, target: &Target, program: Option<&str>, plan: Option<&[String]>) -> TruthVerdict {
        let solved = match &self.0.content {
            Content::Pddl(task) => Some(plan.is_some_and(|steps| reaches_goal(task, steps))),
            Content::Bddl(_) => None,
        };
        let mut sources = Sources::new();
        let id = sources.add("translation", program.unwrap_or_default());
        let Ok(translation) = Meaning::read(target, sources.file(id)) else {
            return TruthVerdict { exact: false, equivalent: Some(false), solved };
        };
        // The words name their objects, so names that the translation shares with the truth have a meaning.
        let comparison = compare_problems(&translation.problem(), &self.0.problem(), ObjectMatching::SharedNames);
        let Ok(comparison) = comparison else {
            return TruthVerdict { exact: false, equivalent: None, solved };
        };
        let has_same_names =
            comparison.objects.as_ref().is_some_and(|pairs| pairs.iter().all(|(one, other)| one == other));
        let equivalent = match comparison.goal.relation {
            _ if comparison.objects.is_none() => Some(false),
            GoalRelation::Same => Some(true),
            GoalRelation::Unknown => None,
            _ => Some(false),
        };
        TruthVerdict { exact: has_same_names && translation.conjuncts == self.0.conjuncts, equivalent, solved }
    }
}

impl Meaning {
    fn read(target: &Target, source: &SourceFile) -> Result<Self, Vec<Diagnostic>> {
        let no_program = || {
            let message = format!("`{}` contains no {} to compare with", source.name(), target.form().name);
            vec![*Diagnostic::invalid_argument(message)]
        };
        let errors = |diagnostics: Vec<Diagnostic>| {
            if diagnostics.iter().any(Diagnostic::is_error) { Err(diagnostics) } else { Ok(()) }
        };
        let content = match target {
            Target::Pddl(target) => {
                let parsed = goalspec_pddl::parse(source);
                errors(parsed.diagnostics)?;
                let problem = parsed.problems.first().ok_or_else(no_program)?;
                let lowered = goalspec_pddl::check::problem(problem, &target.checked);
                errors(lowered.diagnostics)?;
                Content::Pddl(Box::new(lowered.task.ok_or_else(no_program)?))
            }
            Target::Bddl(target) => {
                let dialect = goalspec_bddl::Dialect::default();
                let parsed = goalspec_bddl::parse::parse(source, dialect);
                errors(parsed.diagnostics)?;
                let problem = parsed.problems.first().ok_or_else(no_program)?;
                let domain = goalspec_bddl::domains::find(&target.name, dialect, &target.domains);
                let lowered = lower::lower(problem, domain, dialect);
                let lowered =
                    lowered.map_err(|error| vec![*Diagnostic::invalid_argument(format!("{}: {error}", source.name()))]);
                Content::Bddl(Box::new(lowered?))
            }
            Target::Game(_) => {
                return Err(vec![*Diagnostic::invalid_argument("games cannot be compared with a truth")]);
            }
        };
        Ok(Self { content, conjuncts: conjuncts(source.text()) })
    }

    fn problem(&self) -> Problem<'_> {
        match &self.content {
            Content::Pddl(task) => Problem::of_task(task),
            Content::Bddl(lowered) => {
                let delta = Delta { facts: lowered.initial.clone(), ..Delta::default() };
                let initial = InitialState::new(&lowered.world, &delta);
                Problem { goal: GoalInWorld::new(&lowered.world, &lowered.goal), initial }
            }
        }
    }
}

/// Returns the conjuncts of the goal of a program.
fn conjuncts(text: &str) -> BTreeSet<String> {
    let goal = section(&lower_case_forms(text), ":goal").unwrap_or_default();
    let goal = goal.strip_prefix("(:goal").and_then(|rest| rest.strip_suffix(')')).unwrap_or_default().trim();
    let parts = goal.strip_prefix("(and").and_then(|rest| rest.strip_suffix(')'));
    // Canonical layout has each form at the top level on a line of its own.
    let lines = lower_case_forms(parts.unwrap_or(goal));
    lines.lines().map(str::to_owned).collect()
}

/// Whether the steps of a plan, such as `(move a b)`, reach the goal of a task.
fn reaches_goal(task: &Task, steps: &[String]) -> bool {
    let mut sources = Sources::new();
    let id = sources.add("plan", steps.join("\n"));
    let (parsed, _) = goalspec_pddl::parse::plan(sources.file(id));
    let (plan, _) = goalspec_pddl::lower_plan(&parsed, task);
    plan.is_some_and(|plan| validate(task, &plan, &CoreNotation).is_ok_and(|found| found.is_valid()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conjuncts_have_no_order() {
        let of = |goal: &str| conjuncts(&format!("(define (problem p) (:init (a)) (:goal {goal}))"));
        assert_eq!(of("(and (on a b) ; top\n (clear A))"), of("(and (clear a) (on  a b))"));
        assert_eq!(of("(on a b)"), of("(and (on a b))"));
        assert_ne!(of("(on a b)"), of("(on b a)"));
        assert_eq!(of("(and)"), BTreeSet::new());
    }
}
