//! The prompts of a problem set.

use std::fmt::Write as _;

use goalspec_lot::plan::{self, Move};
use goalspec_lot::{StackingProblem, View, prompts};
use goalspec_syntax::{Diagnostic, Sources};
use serde_json::json;

use super::cell::Method;
use super::planner::{Planner, PlannerError};
use super::problem_set::{ProblemSet, SetProblem};
use super::recorded_order::RecordedOrder;

/// The few-shot examples of a method and a view, which begin every query.
#[derive(Debug, Clone)]
pub struct Examples {
    /// The text.
    pub text: String,
    /// The plans of the training examples, for planning.
    pub plans: Vec<(String, Vec<Move>)>,
}

/// Returns the few-shot examples of a method and a view. Plans are those recorded with the set, or shortest ones.
///
/// # Errors
/// If a recorded plan cannot be read, or a training example has no plan.
pub fn examples(
    set: &ProblemSet,
    method: Method,
    view: View,
    order: &RecordedOrder,
    planner: &Planner,
) -> Result<Examples, Box<Diagnostic>> {
    let problems = set.training().map(|problem| problem.problem.view(view)).enumerate();
    let problems: Vec<StackingProblem> =
        problems.map(|(number, problem)| order.example(method, view, number, problem)).collect();
    if method == Method::Translate {
        return Ok(Examples { text: prompts::translation_examples(&problems), plans: Vec::new() });
    }
    let plans = set.training().zip(&problems).map(|(training, problem)| {
        let plan = training_plan(set, training, view, problem, planner)?;
        Ok((training.id.clone(), plan))
    });
    let plans: Vec<(String, Vec<Move>)> = plans.collect::<Result<_, Box<Diagnostic>>>()?;
    let text = prompts::plan_examples(problems.iter().zip(plans.iter().map(|(_, plan)| plan.as_slice())));
    Ok(Examples { text, plans })
}

fn training_plan(
    set: &ProblemSet,
    training: &SetProblem,
    view: View,
    problem: &StackingProblem,
    planner: &Planner,
) -> Result<Vec<Move>, Box<Diagnostic>> {
    if let Some(plan) = set.recorded_plan(training, view)? {
        return Ok(plan);
    }
    let invalid = |reason: String| Diagnostic::invalid_argument(format!("training example {}: {reason}", training.id));
    let outcome = planner.plan(problem).map_err(|error| invalid(error.to_string()))?;
    let moves = outcome.moves().ok_or_else(|| invalid("it has no plan".to_owned()))?;
    Ok(moves.to_vec())
}

/// Returns the queries of a test: the prompts of its initial state and of its goal, or the prompt for a plan.
pub fn queries(examples: &Examples, method: Method, problem: &StackingProblem) -> Vec<String> {
    match method {
        Method::Translate => [&problem.initial.relations(), &problem.goal]
            .map(|relations| prompts::translation_prompt(&examples.text, relations))
            .into(),
        Method::Direct => vec![prompts::plan_query(&examples.text, problem)],
    }
}

/// Returns the last task of a prompt for a plan; `None` if the prompt asks for something else.
pub fn planned_task(prompt: &str) -> Option<&str> {
    let (_, task) = prompt.rsplit_once(prompts::PLAN_STOP)?;
    task.trim_end().ends_with("Actions:").then_some(task)
}

/// Returns the sentences of a shortest plan for a task: a state, `Goal:` with its sentences, and `Actions:`.
///
/// # Errors
/// If the task cannot be read or has no plan, with the reason.
pub fn plan_text(task: &str, planner: &Planner) -> Result<String, PlannerError> {
    let unplannable = |reason: &str| PlannerError(reason.to_owned());
    let (state, rest) = task.split_once("\n\nGoal:\n").ok_or_else(|| unplannable("the task has no goal"))?;
    let goal = rest.split("\n\nActions:").next().unwrap_or_default();
    let mut sources = Sources::new();
    let [state, goal] = [state, goal].map(|text| sources.add("task", text));
    let problem = StackingProblem::from_texts(sources.file(state), sources.file(goal))
        .map_err(|errors| unplannable(errors.first().map_or("", |error| &error.message)))?;
    let outcome = planner.plan(&problem)?;
    let moves = outcome.moves().ok_or_else(|| unplannable("the goal cannot be reached"))?;
    Ok(format!("{}\n\n\n", plan::text(moves)))
}

/// A file with prompts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptFile {
    /// The path in the folder of prompts.
    pub path: String,
    /// The content.
    pub text: String,
}

/// Returns the files with the prompts of a set: the examples of each method and view, the plans of training examples in JSON, and with
/// `with_queries` the complete queries of the tests, one JSON object per line.
///
/// # Errors
/// If a recorded plan cannot be read, or a training example has no plan.
pub fn prompt_files(
    set: &ProblemSet,
    methods: &[Method],
    views: &[View],
    order: &RecordedOrder,
    with_queries: bool,
) -> Result<Vec<PromptFile>, Box<Diagnostic>> {
    let planner = Planner::default();
    let mut files = Vec::new();
    for &method in methods {
        let name = match method {
            Method::Translate => "translate",
            Method::Direct => "plan",
        };
        for &view in views {
            let examples = examples(set, method, view, order, &planner)?;
            files.push(PromptFile { path: format!("{name}-{view}.txt"), text: examples.text.clone() });
            files.extend(examples.plans.iter().map(|(id, plan)| PromptFile {
                path: format!("plans/{view}/problem_{id}.json"),
                text: json!(plan).to_string(),
            }));
            if with_queries {
                let mut text = String::new();
                for test in set.tests() {
                    let problem = order.query(method, view, &test.id, test.problem.view(view));
                    let _ = writeln!(text, "{}", query_row(&test.id, &queries(&examples, method, &problem)));
                }
                files.push(PromptFile { path: format!("{name}-{view}.jsonl"), text });
            }
        }
    }
    Ok(files)
}

/// Returns the row of a test in a file of queries, with the names of the published recordings.
fn query_row(id: &str, queries: &[String]) -> serde_json::Value {
    match queries {
        [initial, goal] => json!({ "id": id, "init_prompt": initial, "goal_prompt": goal }),
        _ => json!({ "id": id, "query": queries.concat() }),
    }
}
