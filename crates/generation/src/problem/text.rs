//! Problems as texts.

use std::fmt::Write as _;
use std::sync::Arc;

use goalspec_core::condition::{ComparisonOperator, Expression};
use goalspec_core::ids::{FunctionId, ObjectId};
use goalspec_core::planning::execute::Execution;
use goalspec_core::planning::plan::PlanStep;
use goalspec_core::planning::task::{MetricExpression, Task};
use goalspec_core::state::{Delta, FactChange, FluentChange};
use rustc_hash::FxHashMap;

use super::ProblemExample;
use super::shape::GoalLiteral;

/// The maximum number of characters of a line of objects.
const LINE: usize = 100;

/// The names of an example as its author spells them, and the parts of its text that new problems keep.
#[derive(Debug, Clone, Default)]
pub struct ProblemNames {
    /// The name of the domain.
    pub domain: String,
    /// The objects, with their types, one group of one type each: `a b - block`.
    pub objects: Vec<String>,
    /// The section of the requirements; empty if there is none.
    pub requirements: String,
    /// The section of the metric; empty if there is none.
    pub metric: String,
    /// The spelling of names with capitals, by their lower-case form.
    pub spelling: FxHashMap<Arc<str>, String>,
}

impl ProblemNames {
    fn spelled<'n>(&'n self, name: &'n str) -> &'n str {
        self.spelling.get(name).map_or(name, String::as_str)
    }

    fn application(&self, task: &Task, name: &str, arguments: &[ObjectId]) -> String {
        let mut text = format!("({}", self.spelled(name));
        for &object in arguments {
            text.push(' ');
            text.push_str(self.spelled(&task.world.object_decl(object).id));
        }
        text.push(')');
        text
    }

    /// Returns a step of a plan as text.
    pub(super) fn step_text(&self, task: &Task, step: &PlanStep) -> String {
        self.application(task, &task.action(step.action).name, &step.arguments)
    }
}

/// Returns a state as an initial state: the facts that are not derived, and the numbers.
pub(super) fn initial_delta(example: &ProblemExample, execution: &Execution<'_>) -> Delta {
    let (task, state) = (&*example.task, execution.state());
    let stored = state.facts().filter(|&(predicate, _)| !task.is_derived(predicate));
    let mut facts: Vec<FactChange> = stored
        .map(|(predicate, arguments)| FactChange {
            predicate,
            arguments: arguments.iter().copied().collect(),
            holds: true,
        })
        .collect();
    facts.sort_unstable_by(|one, other| (one.predicate, &one.arguments).cmp(&(other.predicate, &other.arguments)));
    let value = |change: &FluentChange| {
        // A total that only the metric reads starts as in the example, whatever the walk has cost.
        if is_total(example, change.function) {
            return Some(change.clone());
        }
        let value = state.fluent(change.function, &change.arguments)?;
        Some(FluentChange { value, ..change.clone() })
    };
    Delta { facts, fluents: task.initial.fluents.iter().filter_map(value).collect(), ..task.initial.clone() }
}

/// Whether a state has the facts of the initial state of the example.
pub(super) fn is_initial(example: &ProblemExample, execution: &Execution<'_>) -> bool {
    let (task, state) = (&*example.task, execution.state());
    let stored = state.facts().filter(|&(predicate, _)| !task.is_derived(predicate)).count();
    stored == task.initial.facts.iter().filter(|fact| fact.holds).count()
        && task.initial.facts.iter().all(|fact| state.fact(fact.predicate, &fact.arguments) == fact.holds)
}

/// Whether a function is a total over the whole plan that the metric reads, and neither actions nor the goal.
fn is_total(example: &ProblemExample, function: FunctionId) -> bool {
    fn reads(expression: &MetricExpression, function: FunctionId) -> bool {
        match expression {
            MetricExpression::Call(own, arguments, _) => *own == function && arguments.is_empty(),
            MetricExpression::Add(parts) | MetricExpression::Multiply(parts) => {
                parts.iter().any(|part| reads(part, function))
            }
            MetricExpression::Subtract(sides) | MetricExpression::Divide(sides) => {
                sides.iter().any(|side| reads(side, function))
            }
            MetricExpression::Number(_) | MetricExpression::TotalTime | MetricExpression::Violations(_) => false,
        }
    }
    let task = &*example.task;
    let is_needed = example.needed_functions.get(function.index()).copied().unwrap_or(true);
    let mut is_in_goal = false;
    for conjunct in &task.goal.conjuncts {
        conjunct.condition.visit_expressions(&mut |own| {
            is_in_goal |= matches!(own, Expression::Call { function: read, .. } if *read == function);
        });
    }
    !is_needed && !is_in_goal && task.metric.as_ref().is_some_and(|metric| reads(&metric.expression, function))
}

/// Returns the text of a problem.
pub(super) fn problem(name: &str, example: &ProblemExample, initial: &Execution<'_>, goal: &[GoalLiteral]) -> String {
    let (task, names) = (&*example.task, &example.names);
    let mut text = format!("(define (problem {name})\n  (:domain {})\n", names.domain);
    if !names.requirements.is_empty() {
        let _ = writeln!(text, "  {}", names.requirements);
    }
    if !names.objects.is_empty() {
        text.push_str("  (:objects");
        names.objects.iter().for_each(|group| push_group(&mut text, group));
        text.push_str(")\n");
    }
    text.push_str("  (:init");
    let state = initial_delta(example, initial);
    for fact in &state.facts {
        let predicate = &task.world.predicate(fact.predicate).name;
        let _ = write!(text, "\n    {}", names.application(task, predicate, &fact.arguments));
    }
    for change in &state.fluents {
        let function = &task.world.function(change.function).name;
        let _ = write!(text, "\n    (= {} {})", names.application(task, function, &change.arguments), change.value);
    }
    text.push_str(")\n  (:goal (and");
    for literal in goal {
        let _ = write!(text, "\n    {}", literal_text(example, literal));
    }
    text.push_str("))");
    if !names.metric.is_empty() {
        let _ = write!(text, "\n  {}", names.metric);
    }
    text.push_str(")\n");
    text
}

/// Appends a group of objects, in lines of bounded length.
fn push_group(text: &mut String, group: &str) {
    text.push_str("\n   ");
    let mut length = 3;
    for word in group.split(' ') {
        if length + word.len() > LINE {
            text.push_str("\n   ");
            length = 3;
        }
        text.push(' ');
        text.push_str(word);
        length += word.len() + 1;
    }
}

fn literal_text(example: &ProblemExample, literal: &GoalLiteral) -> String {
    let (task, names) = (&*example.task, &example.names);
    match literal {
        GoalLiteral::Fact { predicate, arguments, holds } => {
            let atom = names.application(task, &task.world.predicate(*predicate).name, arguments);
            if *holds { atom } else { format!("(not {atom})") }
        }
        GoalLiteral::Number { function, arguments, comparison, value } => {
            let call = names.application(task, &task.world.function(*function).name, arguments);
            let operator = match comparison {
                ComparisonOperator::Less => "<",
                ComparisonOperator::LessEqual => "<=",
                ComparisonOperator::Equal => "=",
                ComparisonOperator::GreaterEqual => ">=",
                ComparisonOperator::Greater => ">",
            };
            format!("({operator} {call} {value})")
        }
    }
}
