//! A run of a method over the tests of a problem set.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use goalspec_constraints::lot::LotVocabulary;
use goalspec_llm::dry_run::PlannedConversation;
use goalspec_llm::{ConstraintStatus, Model, ModelError, Reply, Request};
use goalspec_lot::translation::{Part, ReadingRules};
use goalspec_lot::{StackingProblem, View};
use goalspec_syntax::Diagnostic;

use super::cell::{Cell, Fault, Method, Verdict};
use super::judge::{judge_plan, judge_translation};
use super::planner::Planner;
use super::problem_set::ProblemSet;
use super::queries::{examples, queries};
use super::recorded_order::RecordedOrder;
use super::summary::IncompatibleResultsError;
use super::tasks::ReplyTask;
use crate::candidate::Candidate;
use crate::constraint::{ConstraintMode, ReplyConstraint};
use crate::feedback;
use crate::pipeline::{self, Job, RunObserver, RunOptions, Task};
use crate::record::{Record, RecordError};

/// The method, views and rules of an experiment, and its limits.
#[derive(Debug, Clone)]
pub struct ExperimentOptions {
    /// The method.
    pub method: Method,
    /// The views.
    pub views: Vec<View>,
    /// The rules by which translations are read.
    pub rules: ReadingRules,
    /// The maximum number of repair turns of a reply.
    pub max_repairs: usize,
    /// The number of threads that evaluate replies.
    pub threads: usize,
    /// The notation in which replies are constrained; `None` for free replies.
    pub constrain: Option<ConstraintMode>,
}

/// A view of a test, with the replies that it needs.
#[derive(Debug, Clone)]
struct Entry {
    id: String,
    view: View,
    problem: StackingProblem,
    /// The indices of its tasks.
    tasks: std::ops::Range<usize>,
}

/// A prepared experiment: the prompts of all tests.
#[derive(Debug)]
pub struct Experiment {
    options: ExperimentOptions,
    entries: Vec<Entry>,
    tasks: Vec<ReplyTask>,
    planner: Planner,
}

/// The results of a run.
#[derive(Debug)]
pub struct ExperimentResults {
    /// The cells, by view and problem.
    pub cells: Vec<Cell>,
    /// The conversations with the model.
    pub candidates: Vec<Candidate>,
    /// The error that ended the run early, such as a cap that was reached.
    pub interruption: Option<ModelError>,
}

impl Experiment {
    /// Prepares an experiment.
    ///
    /// # Errors
    /// If the set has no tests, or the examples of a prompt cannot be made.
    pub fn new(set: &ProblemSet, order: &RecordedOrder, options: ExperimentOptions) -> Result<Self, Box<Diagnostic>> {
        let planner = Planner::default();
        let (mut entries, mut tasks) = (Vec::new(), Vec::new());
        for &view in &options.views {
            let examples = examples(set, options.method, view, order, &planner)?;
            for test in set.tests() {
                let problem = order.query(options.method, view, &test.id, test.problem.view(view));
                let first = tasks.len();
                let parts: &[Option<Part>] = match options.method {
                    Method::Translate => &[Some(Part::Initial), Some(Part::Goal)],
                    Method::Direct => &[None],
                };
                let prompts = queries(&examples, options.method, &problem);
                let constraint =
                    options.constrain.map(|mode| constraint(&problem, options.method, mode)).transpose()?;
                tasks.extend(parts.iter().zip(prompts).map(|(&part, prompt)| ReplyTask {
                    prompt,
                    problem: problem.clone(),
                    part,
                    constraint: constraint.clone(),
                }));
                entries.push(Entry { id: test.id.clone(), view, problem, tasks: first..tasks.len() });
            }
        }
        if entries.is_empty() {
            return Err(Diagnostic::invalid_argument("the set has no tests: mark problems with `test: true`"));
        }
        Ok(Self { options, entries, tasks, planner })
    }

    /// Returns the first request, which has the constraint of the experiment.
    pub fn first_request(&self) -> Option<Request> {
        self.tasks.first().map(Task::request)
    }

    /// Checks that results of an earlier run are for the same problems, as far as they have the same ids.
    ///
    /// # Errors
    /// If an id means another problem.
    pub fn check_problems(&self, earlier: &[Cell]) -> Result<(), IncompatibleResultsError> {
        let known: HashMap<(&str, View), &str> =
            earlier.iter().map(|cell| ((&*cell.id, cell.view), &*cell.problem)).collect();
        let differs = |entry: &&Entry| {
            known.get(&(&*entry.id, entry.view)).is_some_and(|problem| **problem != entry.problem.digest())
        };
        match self.entries.iter().find(differs) {
            Some(Entry { id, view, .. }) => {
                Err(IncompatibleResultsError::DifferentProblems { problem: id.clone(), view: *view })
            }
            None => Ok(()),
        }
    }

    /// Returns the number of conversations with the model.
    pub fn conversations(&self) -> usize {
        self.tasks.len()
    }

    /// Returns the conversations for a dry run.
    pub fn planned_conversations(&self) -> Vec<PlannedConversation> {
        let planned = self.tasks.iter().map(|task| PlannedConversation {
            request: task.request(),
            follow_ups: u32::try_from(self.options.max_repairs).unwrap_or(u32::MAX),
            follow_up_bytes: feedback::MAX_BYTES,
        });
        planned.collect()
    }

    /// Asks the model, and judges its replies. Replies in the record are not asked for again.
    ///
    /// # Errors
    /// If the record cannot be written, or contradicts the run.
    pub fn run(
        &self,
        model: &dyn Model,
        record: &Record,
        observer: RunObserver<'_>,
    ) -> Result<ExperimentResults, RecordError> {
        let jobs: Vec<Job<'_, ReplyTask>> = self
            .entries
            .iter()
            .flat_map(|entry| entry.tasks.clone().map(move |task| (entry, task)))
            .map(|(entry, task)| Job { id: self.job_id(entry, task), attempt: 0, task: &self.tasks[task] })
            .collect();
        let options = RunOptions { max_repairs: self.options.max_repairs, threads: self.options.threads };
        let results = pipeline::run(&jobs, model, options, record, observer)?;
        let cells = self.judge_all(model.name(), &results.candidates);
        Ok(ExperimentResults { cells, candidates: results.candidates, interruption: results.interruption })
    }

    fn job_id(&self, entry: &Entry, task: usize) -> String {
        let part = match self.tasks[task].part {
            Some(Part::Initial) => "/initial",
            Some(Part::Goal) => "/goal",
            None => "",
        };
        format!("{}/{}{part}", entry.view, entry.id)
    }

    /// Judges the candidates of all entries on several threads.
    fn judge_all(&self, model: &str, candidates: &[Candidate]) -> Vec<Cell> {
        let next = AtomicUsize::new(0);
        let cells: Mutex<HashMap<usize, Cell>> = Mutex::default();
        let work = || {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(entry) = self.entries.get(index) else { return };
                let cell = self.judge(model, entry, &candidates[entry.tasks.clone()]);
                cells.lock().expect("no thread panics with the lock").insert(index, cell);
            }
        };
        let threads = self.options.threads.clamp(1, self.entries.len());
        std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
        let mut cells: Vec<(usize, Cell)> =
            cells.into_inner().expect("no thread panics with the lock").into_iter().collect();
        cells.sort_by_key(|(index, _)| *index);
        cells.into_iter().map(|(_, cell)| cell).collect()
    }

    fn judge(&self, model: &str, entry: &Entry, candidates: &[Candidate]) -> Cell {
        let planned = self.planner.plan(&entry.problem).ok();
        let optimal = planned.and_then(|outcome| match outcome {
            super::planner::PlanOutcome::Plan { moves, is_shortest: true } => Some(moves.len()),
            _ => None,
        });
        let first = self.verdict(entry, candidates, |_| Some(0));
        let last = self.verdict(entry, candidates, |candidate| candidate.best);
        let replies = || candidates.iter().flat_map(|candidate| &candidate.replies);
        let is_constrained =
            |reply: &Reply| !matches!(reply.constraint, ConstraintStatus::Unconstrained | ConstraintStatus::NotSent);
        let costs: Option<Vec<f64>> = replies().map(|reply| reply.cost).collect();
        let error = candidates.iter().find_map(|candidate| match &candidate.status {
            crate::Status::Failed(error) | crate::Status::Unfinished(error) => Some(error.to_string()),
            _ => None,
        });
        Cell {
            id: entry.id.clone(),
            problem: entry.problem.digest(),
            view: entry.view,
            method: self.options.method,
            model: model.to_owned(),
            constrained: replies().any(is_constrained),
            max_repairs: self.options.max_repairs,
            optimal_length: optimal,
            holds_initially: entry.problem.holds_initially(),
            first,
            last,
            cut: candidates.iter().filter_map(judged_reply).filter(|reply| ReplyTask::is_cut(reply)).count(),
            repairs: candidates.iter().map(|candidate| candidate.repairs).sum(),
            input_tokens: replies().map(|reply| reply.usage.input_tokens).sum(),
            output_tokens: replies().map(|reply| reply.usage.output_tokens).sum(),
            cost: costs.filter(|costs| !costs.is_empty()).map(|costs| costs.iter().sum()),
            error,
        }
    }

    /// Judges one attempt of each candidate; `None` if a candidate has no such attempt because a call failed.
    fn verdict(
        &self,
        entry: &Entry,
        candidates: &[Candidate],
        choose: impl Fn(&Candidate) -> Option<usize>,
    ) -> Option<Verdict> {
        let mut is_incomplete = false;
        let texts = candidates.iter().zip(&self.tasks[entry.tasks.clone()]).map(|(candidate, task)| {
            let attempt = candidate.attempts.get(choose(candidate)?)?;
            let reply = candidate.replies.get(attempt.replies.checked_sub(1)?)?;
            is_incomplete |= reply.outcome.failure().is_some();
            let reads_program = self.options.rules == ReadingRules::Default || self.options.max_repairs > 0;
            let program = attempt.program.clone().filter(|_| reads_program);
            Some(program.unwrap_or_else(|| task.raw_text(reply)))
        });
        let texts: Vec<String> = texts.collect::<Option<_>>()?;
        let mut verdict = match &texts[..] {
            [initial, goal] => judge_translation(&entry.problem, [initial, goal], self.options.rules, &self.planner),
            [plan] => judge_plan(&entry.problem, plan),
            _ => return None,
        };
        if is_incomplete {
            verdict.fault = Some(Fault::IncompleteReply);
            verdict.solved_strictly = false;
        }
        Some(verdict)
    }
}

/// Returns the constraint on the replies for a problem.
fn constraint(
    problem: &StackingProblem,
    method: Method,
    mode: ConstraintMode,
) -> Result<ReplyConstraint, Box<Diagnostic>> {
    let objects = problem.initial.objects().map(str::to_owned).collect();
    let vocabulary = LotVocabulary { objects, facts: None };
    let constraint = match method {
        Method::Translate => goalspec_constraints::lot::facts(&vocabulary),
        Method::Direct => goalspec_constraints::lot::plan(&vocabulary),
    };
    let constraint = constraint.map_err(|error| Diagnostic::invalid_argument(error.to_string()))?;
    Ok(ReplyConstraint::new(constraint, mode))
}

/// Returns the reply that a candidate is judged by.
fn judged_reply(candidate: &Candidate) -> Option<&Reply> {
    let attempt = candidate.attempts.get(candidate.best?)?;
    candidate.replies.get(attempt.replies.checked_sub(1)?)
}
