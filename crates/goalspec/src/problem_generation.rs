//! New planning problems from the problems of a library, each with a plan.

use std::sync::Arc;

use goalspec_generation::problem::{
    GeneratedProblem, ProblemExample, ProblemGenerationError, ProblemGenerator, ProblemNames, ProblemOptions,
};
use goalspec_pddl::ast::{self, Name, TypedNames};
use goalspec_syntax::{Sources, Span};
use serde_json::{Value, json};

use crate::library::Library;
use crate::program::PlanningProgram;

/// The name and version of the format of generated goals.
const FORMAT: &str = "goalspec-goal-1";

/// A problem of a library that is no example.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOutProblem {
    /// The name of its program.
    pub name: Arc<str>,
    /// The reason, as a sentence.
    pub reason: String,
}

/// Returns the problems of a library that are no examples: those with errors or features that planning does not support.
pub fn left_out(library: &Library) -> Vec<LeftOutProblem> {
    let problems = library.programs().iter().filter_map(|program| Some((program, program.as_planning()?)));
    let without_task = problems.filter(|(_, planning)| planning.task.is_none());
    let reason = |planning: &PlanningProgram| match planning.unsupported.first() {
        Some(found) => found.message.clone(),
        None => "it or its domain has errors".to_owned(),
    };
    without_task
        .map(|(program, planning)| LeftOutProblem { name: program.name.clone(), reason: reason(planning) })
        .collect()
}

/// Returns a generator of problems like those of a library, without those that are [left out](left_out).
///
/// # Errors
/// As [`ProblemGenerator::new`].
pub fn problem_generator(
    library: &Library,
    options: ProblemOptions,
) -> Result<ProblemGenerator, ProblemGenerationError> {
    let example = |program: &crate::program::Program| {
        let planning = program.as_planning()?;
        let task = planning.task.as_deref()?;
        Some(ProblemExample::new(program.name.clone(), task, names(planning, library.sources())?))
    };
    ProblemGenerator::new(library.programs().iter().filter_map(example).collect(), options)
}

/// Returns the spelling of the names of a problem, and the parts of its text that new problems keep.
fn names(program: &PlanningProgram, sources: &Sources) -> Option<ProblemNames> {
    let (problem, domain) = (&program.problem, &program.domain.as_ref()?.domain);
    let text =
        |span: Option<Span>| span.map_or_else(String::new, |span| sources.file(span.source).slice(span).to_owned());
    let constants = ast::typed_names(&domain.constants).map(|(name, _)| name);
    let objects = ast::typed_names(&problem.objects).map(|(name, _)| name);
    let functions = domain.functions.iter().map(|function| &function.name);
    let predicates = domain.predicates.iter().map(|predicate| &predicate.name);
    let actions = domain.actions.iter().map(|action| &action.name);
    let spelled =
        |name: &Name| (name.written() != name.text()).then(|| (Arc::from(name.text()), name.written().to_owned()));
    let mut metric = text(problem.metric.as_ref().map(|metric| metric.span));
    // Preferences are not kept, so neither is a metric that counts their violations.
    if metric.to_ascii_lowercase().contains("is-violated") {
        metric.clear();
    }
    let all = constants.chain(objects).chain(functions).chain(predicates).chain(actions);
    Some(ProblemNames {
        domain: problem.domain.as_ref()?.written().to_owned(),
        objects: problem.objects.iter().map(group).collect(),
        requirements: text(problem.requirements.span),
        metric,
        spelling: all.filter_map(spelled).collect(),
    })
}

/// Returns a group of objects of one type as text.
fn group(group: &TypedNames) -> String {
    let names: Vec<&str> = group.names.iter().map(Name::written).collect();
    let names = names.join(" ");
    let types = group.type_ref.iter().flat_map(|types| &types.names).map(Name::written).collect::<Vec<_>>();
    match &types[..] {
        [] => names,
        [only] => format!("{names} - {only}"),
        several => format!("{names} - (either {})", several.join(" ")),
    }
}

/// Returns a new problem with its origin as JSON; `is_variation` tells whether it varies its example.
pub fn json(problem: &GeneratedProblem, (seed, index): (u64, u64), is_variation: bool) -> Value {
    let mut value = json!({
        "format": FORMAT,
        "language": "pddl",
        "name": problem.name,
        "seed": seed,
        "index": index,
        "plan": problem.plan,
        "program": problem.text,
    });
    value[if is_variation { "parent" } else { "like" }] = json!(&*problem.example);
    value
}
