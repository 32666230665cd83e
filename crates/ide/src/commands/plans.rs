//! Plans for problems and activities, their validation, and the export as PDDL.

use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use goalspec::languages::Language;
use goalspec::planner::{Proof, StopReason};
use goalspec::planning::problem::PlanningProblem;
use goalspec::planning::solve::{PlanEvent, PlanRequest, solve};
use goalspec::planning_problems::{JudgedPlan, planning_problem};
use goalspec::program::Program;
use goalspec::syntax::Diagnostic;

use super::markdown::{block, code, plain};
use super::{Command, CommandError, CommandInput, Report, counted, list_diagnostics, number, short};
use crate::analysis::Analysis;
use crate::workspace::Snapshot;

/// Maximum duration of a search for a plan.
pub(super) const MAX_PLANNING_TIME: Duration = Duration::from_mins(1);

/// Maximum memory of a search for a plan, in bytes.
const MAX_PLANNING_BYTES: u64 = 1 << 30;

/// Searches for a plan.
pub(super) fn plan(analysis: &Analysis, program: &Program, input: &CommandInput<'_>) -> Result<Report, CommandError> {
    let problem = problem(analysis, program)?;
    let request = PlanRequest {
        extra_goals: problem.extra_goals(),
        time_limit: Some(MAX_PLANNING_TIME),
        memory_limit: MAX_PLANNING_BYTES,
        threads: NonZeroUsize::new(1),
        ..PlanRequest::default()
    };
    let report = |event: PlanEvent<'_>| match event {
        PlanEvent::GroundingProgress(grounding) => {
            (input.progress)(format!("{} atoms and operators grounded", grounding.tuples));
        }
        PlanEvent::SearchProgress(search) => {
            (input.progress)(format!("{} states expanded", search.statistics.expanded));
        }
        PlanEvent::Plan { steps, .. } => (input.progress)(format!("a plan of {steps} steps found")),
    };
    let result = solve(&problem.task, &request, &input.cancelled, &report);
    let result = result.map_err(|error| CommandError::Failed(error.to_string()))?;
    let mut text = format!("## Plan for {}\n\n", code(short(&program.name)));
    match &result.plan {
        Some((plan, validation)) => {
            let steps: Vec<String> = plan.steps.iter().map(|step| problem.step_text(step)).collect();
            text.push_str(&block("lisp", &steps.join("\n")));
            text.push('\n');
            let metric = validation.metric.map_or_else(String::new, |metric| format!(", metric {}", number(metric)));
            let optimal = if result.proof == Proof::Optimal { ", optimal" } else { "" };
            let _ = writeln!(text, "{}{metric}{optimal}", counted(plan.steps.len() as u64, "step"));
        }
        None if result.proof == Proof::Unsolvable => text.push_str("The goal cannot be reached.\n"),
        None => {
            let reason = match result.stop_reason {
                Some(StopReason::Time) => "within the time limit",
                Some(StopReason::Memory | StopReason::States) => "within the memory limit",
                Some(StopReason::Cancelled) => "before the search was cancelled",
                None => "by an incomplete search",
            };
            let _ = writeln!(text, "No plan was found {reason}.");
        }
    }
    for ignored in &result.ignored_preferences {
        let _ = writeln!(text, "- {}", plain(&ignored.clone()));
    }
    Ok(Report { markdown: text, locations: Vec::new() })
}

/// Returns the PDDL text of an activity.
pub(super) fn export(analysis: &Analysis, program: &Program) -> Result<Report, CommandError> {
    let problem = problem(analysis, program)?;
    let [domain, problem] = problem.pddl().map_err(|error| CommandError::Failed(error.to_string()))?;
    let markdown = format!("## Domain\n\n{}\n## Problem\n\n{}", block("lisp", domain), block("lisp", problem));
    Ok(Report { markdown, locations: Vec::new() })
}

fn problem(analysis: &Analysis, program: &Program) -> Result<PlanningProblem, CommandError> {
    let problem = planning_problem(analysis.library(), program)?;
    problem.ok_or_else(|| CommandError::InvalidProgram(short(&program.name).to_owned()))
}

impl Snapshot {
    /// Validates the plan attached to a problem, or a plan for the problem attached to it; without an attachment, the file with the same
    /// name and the extension of the other.
    pub(super) fn validate(
        &self,
        analysis: &Arc<Analysis>,
        offset: u32,
        _: &CommandInput<'_>,
    ) -> Result<Report, CommandError> {
        let is_plan = analysis.language() == Some(Language::Plan);
        let other = |key: &str, extensions: &[&str]| -> Result<Arc<Analysis>, CommandError> {
            let beside = || self.beside(analysis.path(), extensions);
            if let Some(path) = analysis.attached(key) {
                let unreadable = || CommandError::Failed(format!("cannot read the {key} `{}`", path.display()));
                // A pipe or device may block.
                let found = self.has_text(&path).then(|| self.analysis(&path));
                return found.filter(|found| found.file().is_some()).ok_or_else(unreadable);
            }
            beside().map(|path| self.analysis(&path)).ok_or(CommandError::NoPlan)
        };
        let (problem_document, plan_document) = if is_plan {
            (other("problem", &["pddl", "bddl"])?, analysis.clone())
        } else {
            (analysis.clone(), other("plan", &["plan"])?)
        };
        let offset = if is_plan { 0 } else { offset };
        let program = match problem_document.programs().next() {
            Some(only) if is_plan => only,
            _ => problem_document.program_at(offset, Command::Validate)?,
        };
        let problem = problem(&problem_document, program)?;
        let file = plan_document.file().ok_or(CommandError::NoPlan)?;
        let mut report = Report::default();
        let location = |found: &Diagnostic| found.span.and_then(|span| plan_document.location(span));
        match JudgedPlan::new(&problem, file, false) {
            Ok(judged) => {
                let verdict = problem.verdict(&judged.plan);
                let status = if judged.is_valid(verdict.as_ref()) { "valid" } else { "not valid" };
                let metric =
                    judged.validation.metric.map_or_else(String::new, |metric| format!(", metric {}", number(metric)));
                let steps = counted(judged.plan.steps.len() as u64, "step");
                let _ = writeln!(report.markdown, "The plan of {steps} is **{status}**{metric}.\n");
                let found = judged.diagnostics(&problem, verdict.as_ref());
                report.markdown.push_str(&list_diagnostics(&found));
                report.locations = found.iter().filter_map(location).collect();
            }
            Err(found) => {
                report.markdown = format!("The plan cannot be validated.\n\n{}", list_diagnostics(&found));
                report.locations = found.iter().filter_map(location).collect();
            }
        }
        Ok(report)
    }

    /// Returns the first readable file with the name of a document and one of these extensions.
    fn beside(&self, path: &Path, extensions: &[&str]) -> Option<PathBuf> {
        let mut paths = extensions.iter().map(|extension| path.with_extension(extension));
        paths.find(|path| self.has_text(path) && self.text(path).is_ok())
    }
}
