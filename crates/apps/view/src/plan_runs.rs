//! Plans for planning problems: their judgement, and the states that they visit.

use std::sync::Arc;

use goalspec::core::planning::plan::PlanStep;
use goalspec::core::program::Conjunct;
use goalspec::core::truth::StateRuns;
use goalspec::library::Library;
use goalspec::planning::problem::PlanningProblem;
use goalspec::planning_problems::{JudgedPlan, planning_problem, select_problem};
use goalspec::syntax::render;
use goalspec::syntax::{Diagnostic, SourceId, Sources, Span};
use goalspec::trace::TraceInput;
use serde_json::{Value, json};

use crate::lanes::TileLanes;
use crate::scenes::SceneSource;
use crate::tiles::TileLane;

/// A plan for a problem, judged.
#[derive(Debug)]
pub(crate) struct PlanRun {
    /// The judgement, as the page shows it; `None` after errors.
    pub(crate) document: Option<Value>,
    pub(crate) lanes: TileLanes,
    /// The number of states: the initial one, and that after each step.
    pub(crate) states: u64,
    pub(crate) scenes: Option<SceneSource>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) sources: Sources,
}

impl PlanRun {
    /// Judges the plan with this name and text for the only problem of a library, which was read from the text with the name `problem`.
    pub(crate) fn new(library: &Library, problem: &str, name: &str, text: String) -> Self {
        let mut run = Self {
            document: None,
            lanes: TileLanes::default(),
            states: 0,
            scenes: None,
            diagnostics: Vec::new(),
            sources: library.sources().clone(),
        };
        let plan = run.sources.add(name.to_owned(), text);
        match selected(library, problem) {
            Ok(Some(problem)) => run.judge(&problem, plan),
            // The diagnostics of the library have the reason.
            Ok(None) => {}
            Err(error) => run.diagnostics.push(*error),
        }
        run
    }

    fn judge(&mut self, problem: &PlanningProblem, plan: SourceId) {
        let file = self.sources.file(plan).clone();
        let judged = match JudgedPlan::new(problem, &file, false) {
            Ok(judged) => judged,
            Err(errors) => return self.diagnostics.extend(errors),
        };
        let verdict = problem.verdict(&judged.plan);
        self.diagnostics.extend(judged.findings.iter().cloned());
        self.diagnostics.extend(judged.diagnostics(problem, verdict.as_ref()));
        let applied = judged.validation.applied_steps as u64;
        // The step that is not applicable has a place of its own on the time line, without a state.
        let failed = judged.validation.error.is_some().then_some(applied + 2);
        self.states = applied + 1;
        // Neighbouring steps have different levels, so that they can be told apart.
        let steps = TileLane::Progress {
            levels: (2..=applied + 1).map(|state| (state, state, 1 + state % 2)).collect(),
            satisfied: Vec::new(),
            broken: failed.into_iter().collect(),
        };
        let steps_id = self.lanes.add(steps);
        let goal = self.goal(problem, &judged);
        self.states += u64::from(failed.is_some());
        self.document = Some(json!({
            "validation": judged.record(problem, verdict.as_ref(), &self.sources),
            "states": self.states,
            "failed_at": failed,
            "steps": self.steps(problem, &judged),
            "steps_id": steps_id,
            "goal": goal,
        }));
        let mut states = Vec::new();
        match problem.write_states(&judged.plan, &mut states) {
            Ok(()) => {
                let input = TraceInput::Bytes(file.name().into(), states.into());
                let world = Arc::clone(&problem.authored_task().world);
                self.scenes = Some(SceneSource::Trace(input, world));
            }
            Err(error) => self.diagnostics.push(error.into_diagnostic()),
        }
    }

    /// Returns the conditions of the goal, each with the states in which it holds as a lane.
    fn goal(&mut self, problem: &PlanningProblem, judged: &JudgedPlan) -> Vec<Value> {
        let conjuncts = problem.authored_task().goal.conjuncts.iter().zip(judged.goal_states(problem));
        let condition = |(conjunct, states): (&Conjunct, StateRuns)| {
            let span = conjunct.origin.0;
            json!({
                "condition": span.map(|span| words(span, &self.sources)),
                "span": span.and_then(|span| render::json::span(span, &self.sources)),
                "id": self.lanes.add_truth(&states),
                "true": states.runs(),
            })
        };
        conjuncts.map(condition).collect()
    }

    /// Returns the steps as written.
    fn steps(&self, problem: &PlanningProblem, judged: &JudgedPlan) -> Vec<Value> {
        let step = |(step, span): (&Option<PlanStep>, &Span)| {
            let text = step.as_ref().map_or_else(|| words(*span, &self.sources), |step| problem.step_text(step));
            json!({"text": text, "span": render::json::span(*span, &self.sources)})
        };
        judged.steps.iter().zip(&judged.spans).map(step).collect()
    }
}

/// Returns the only problem of a library.
fn selected(library: &Library, name: &str) -> Result<Option<PlanningProblem>, Box<Diagnostic>> {
    let program = select_problem(library, &[name.to_owned()])?.program?;
    planning_problem(library, program)
}

/// Returns the text at a span on one line.
fn words(span: Span, sources: &Sources) -> String {
    sources.file(span.source).slice(span).split_whitespace().collect::<Vec<_>>().join(" ")
}
