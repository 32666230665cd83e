//! Verdicts on replies.

use std::collections::BTreeSet;

use goalspec_lot::execution::{Execution, execute, execute_reply};
use goalspec_lot::names::ObjectTable;
use goalspec_lot::translation::{ReadingRules, Translation, read};
use goalspec_lot::{Relation, StackingProblem, checks, codes, english, equivalence, plan};
use goalspec_syntax::{Code, Diagnostic, Sources};

use super::cell::{Fault, GoalComparison, PlanLineCounts, TranslationMeasures, Verdict};
use super::planner::Planner;

/// Judges a translation: the replies for the initial state and for the goal.
///
/// The facts that can be read are planned for, and the plan is executed on the true problem.
pub fn judge_translation(
    problem: &StackingProblem,
    replies: [&str; 2],
    rules: ReadingRules,
    planner: &Planner,
) -> Verdict {
    let objects = problem.objects();
    let mut sources = Sources::new();
    let [initial, goal] = replies.map(|reply| sources.add("reply", reply));
    let translation = read(sources.file(initial), sources.file(goal), &objects, rules);
    let measures = measure(problem, replies, &objects);
    let outcome = match translation.problem("translation", &objects) {
        None => Err(reading_errors(&translation)),
        Some(text) => planner.plan_pddl(&text).map_err(|error| error.to_string()),
    };
    let plan = outcome.as_ref().ok().and_then(|found| found.moves()).map(<[_]>::to_vec);
    let execution = plan.as_ref().map(|plan| execute(problem, plan)).unwrap_or_default();
    let no_plan = plan.is_none().then(|| outcome.err().unwrap_or_else(|| "no plan reaches the goal".to_owned()));
    let fault = measures.1;
    let solved = plan.is_some() && execution.succeeded;
    Verdict {
        solved,
        solved_strictly: solved && execution.succeeded_strictly(),
        lines: line_counts(&execution),
        plan,
        translation: Some(measures.0),
        fault: fault.or((!solved).then_some(Fault::GoalNotReached)),
        no_plan,
    }
}

fn reading_errors(translation: &Translation) -> String {
    let errors = translation.diagnostics.iter().filter(|found| found.is_error());
    errors.map(|error| error.message.clone()).collect::<Vec<_>>().join("; ")
}

fn line_counts(execution: &Execution) -> PlanLineCounts {
    PlanLineCounts {
        applied: execution.applied,
        inapplicable: execution.inapplicable,
        unknown: execution.unknown,
        unparsed: execution.unparsed,
    }
}

/// Measures a translation by the default rules, and returns its first kind of fault.
fn measure(
    problem: &StackingProblem,
    replies: [&str; 2],
    objects: &ObjectTable,
) -> (TranslationMeasures, Option<Fault>) {
    let mut sources = Sources::new();
    let texts = [problem.initial.relations(), problem.goal.clone()].map(|relations| english::text(&relations));
    let texts = texts.map(|text| sources.add("text", text));
    let [initial, goal] = replies.map(|reply| sources.add("reply", reply));
    let translation = read(sources.file(initial), sources.file(goal), objects, ReadingRules::Default);
    let parsed = texts.map(|id| english::parse(sources.file(id), Some(objects)));
    let part = |index: usize, reply| checks::TranslatedText { text: &parsed[index], reply: sources.file(reply) };
    let mut found = translation.diagnostics.clone();
    found.extend(checks::check(&translation, part(0, initial), part(1, goal), objects));
    let set = |relations: &[Relation]| -> BTreeSet<Relation> { relations.iter().map(Relation::in_pddl).collect() };
    let truth = [set(&problem.initial.relations()), set(&problem.goal)];
    let facts = [translation.initial.relations(), translation.goal.relations()].map(|facts| set(&facts));
    let unreadable = found.iter().find(|finding| fault_of(finding) == Some(Fault::Unreadable));
    let initial_exact = facts[0] == truth[0] && unreadable.is_none();
    let goal = match (&facts[1], &truth[1]) {
        (facts, truth) if facts == truth && unreadable.is_none() => GoalComparison::Exact,
        (facts, truth) if facts.is_superset(truth) && unreadable.is_none() => GoalComparison::Superset,
        (facts, truth) if facts.is_subset(truth) && unreadable.is_none() => GoalComparison::Subset,
        _ => GoalComparison::Other,
    };
    let equivalent = initial_exact
        && unreadable.is_none()
        && equivalence::are_equivalent(&translation.goal.relations(), &problem.goal, objects);
    let is_exact = initial_exact && goal == GoalComparison::Exact;
    let fault = if is_exact { None } else { found.iter().filter_map(fault_of).min() };
    let finding = if is_exact { String::new() } else { finding_text(&found, &sources) };
    (TranslationMeasures { initial_exact, goal, equivalent, finding }, fault)
}

/// Returns the kind of fault that a finding of reading or checking shows.
pub fn fault_of(finding: &Diagnostic) -> Option<Fault> {
    Some(match finding.code {
        codes::UNDECLARED_OBJECT => Fault::UndeclaredObject,
        codes::NOT_AN_ARRANGEMENT => Fault::NotAnArrangement,
        codes::CONTRADICTORY_GOAL => Fault::ContradictoryGoal,
        codes::FACT_COUNT => Fault::FactCount,
        codes::EXTRA_FACT | codes::MISSING_FACT => Fault::DifferentFacts,
        codes::DUPLICATE_FACT | codes::IGNORED_FACT => return None,
        _ if finding.is_error() => Fault::Unreadable,
        _ => return None,
    })
}

/// Returns the findings in words, as results list them.
fn finding_text(found: &[Diagnostic], sources: &Sources) -> String {
    let has = |code: Code| found.iter().any(|finding| finding.code == code);
    let mut texts: Vec<String> = Vec::new();
    if let Some(error) = found.iter().find(|finding| fault_of(finding) == Some(Fault::Unreadable)) {
        texts.push(format!("reply cannot be read: {}", error.message));
    }
    let mut names: Vec<String> = Vec::new();
    for span in
        found.iter().filter(|finding| finding.code == codes::UNDECLARED_OBJECT).filter_map(|finding| finding.span)
    {
        let name = sources.file(span.source).slice(span).to_lowercase();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    if !names.is_empty() {
        texts.push(format!("unknown object {}", names.join(", ")));
    }
    if has(codes::NOT_AN_ARRANGEMENT) {
        texts.push("initial state is no arrangement".to_owned());
    }
    if has(codes::CONTRADICTORY_GOAL) {
        texts.push("goal contradicts itself".to_owned());
    }
    if texts.is_empty() {
        texts.push("differs from the text".to_owned());
    }
    texts.join("; ")
}

/// Judges a direct plan: the lines of a reply, executed on the true problem.
pub fn judge_plan(problem: &StackingProblem, reply: &str) -> Verdict {
    let mut sources = Sources::new();
    let id = sources.add("reply", reply);
    let lines = plan::read(sources.file(id));
    let execution = execute_reply(problem, sources.file(id), &lines);
    let skipped = execution.ignored() + execution.unparsed > 0;
    let fault = match (execution.succeeded, skipped) {
        (_, true) => Some(Fault::SkippedLine),
        (false, false) => Some(Fault::GoalNotReached),
        (true, false) => None,
    };
    Verdict {
        solved: execution.succeeded,
        solved_strictly: execution.succeeded_strictly(),
        plan: Some(lines.into_iter().filter_map(|line| line.action).collect()),
        lines: line_counts(&execution),
        translation: None,
        fault,
        no_plan: None,
    }
}
