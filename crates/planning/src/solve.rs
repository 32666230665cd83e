//! Grounding and search of a task, with validation of the plan.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use goalspec_core::explain::CoreNotation;
use goalspec_core::planning::plan::Plan;
use goalspec_core::planning::task::Task;
use goalspec_core::planning::validate::{Validation, ValidationError, validate, validate_with_cancellation};
use goalspec_planner::compile::{self, Compilation, CompileError, CompileErrorKind, ExtraGoal};
use goalspec_planner::ground::{self, CostModel, GroundError, Grounding};
use goalspec_planner::ground_task::GroundTask;
use goalspec_planner::{
    Objective, PartialMethod, Proof, SearchControl, SearchEvent, SearchLimits, SearchProgress, SearchResult,
    SearchStatistics, SearchTask, StopReason, plan_partially, prune_operators,
};
use goalspec_syntax::diagnostic::ExceededLimit;
use goalspec_syntax::{Diagnostic, Severity};

use crate::anomalies::PlanAnomalies;
use crate::codes;
use crate::fast_downward::FastDownwardError;
use crate::search::Search;
use crate::validation;

/// Options for one planning run.
#[derive(Debug, Clone)]
pub struct PlanRequest {
    /// The objective: how good the plan has to be.
    pub objective: Objective,
    /// Goals to be reached in addition to the goal of the task.
    pub extra_goals: Vec<ExtraGoal>,
    /// The search.
    pub search: Search,
    /// The time limit, compilation and grounding included; `None` for no limit.
    pub time_limit: Option<Duration>,
    /// The instant at which the time limit starts; `None` for the instant of the call.
    pub started_at: Option<Instant>,
    /// The memory limit in bytes, compared with an estimate of the memory in use.
    pub memory_limit: u64,
    /// The maximum number of states that one search keeps; `None` for no limit other than memory.
    pub max_states: Option<usize>,
    /// The maximum number of searches that run at the same time, of which the portfolio uses two at most; `None` for the number of
    /// available cores. With one, the searches of the portfolio take turns. It affects the plan only if the time limit is reached.
    pub threads: Option<NonZeroUsize>,
    /// The seed of pseudo-random decisions.
    pub seed: u64,
}

impl Default for PlanRequest {
    fn default() -> Self {
        let search = Search::Portfolio;
        Self {
            objective: Objective::Satisficing,
            extra_goals: Vec::new(),
            search,
            time_limit: None,
            started_at: None,
            memory_limit: 4 << 30,
            max_states: None,
            threads: None,
            seed: 0,
        }
    }
}

/// Counts of the variables, operators and axioms of a ground task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GroundTaskSize {
    /// The number of finite-domain variables.
    pub variables: usize,
    /// The number of facts: the values of all variables.
    pub facts: usize,
    /// The number of operators.
    pub operators: usize,
    /// The number of axioms.
    pub axioms: usize,
}

impl GroundTaskSize {
    fn of(task: &GroundTask) -> Self {
        Self {
            variables: task.variables.len(),
            facts: task.variables.iter().map(|variable| variable.values.len()).sum(),
            operators: task.operators.len(),
            axioms: task.axioms.len(),
        }
    }
}

/// The result of planning for a task.
#[derive(Debug, Clone)]
pub struct PlanResult {
    /// The best plan found, with its validation by the reference interpreter.
    pub plan: Option<(Plan, Validation)>,
    /// The guarantee established by the search.
    pub proof: Proof,
    /// The limit or cancellation that ended the search early; `None` if it ran to its end.
    pub stop_reason: Option<StopReason>,
    /// The limits and cancellations that stopped any of the searches on which the result depends, without repetitions. If none of them
    /// [is external](StopReason::is_external), another run with the same options has the same result.
    pub limits_reached: Vec<StopReason>,
    /// The costs by which plans were compared.
    pub costs: CostModel,
    /// The parts of the task's preferences that the search ignored, as text.
    pub ignored_preferences: Vec<String>,
    /// Properties of the task that are probably mistakes.
    pub anomalies: PlanAnomalies,
    /// Why the task was not grounded in full, and the method that was used instead; `None` if it was.
    pub partial: Option<PartialPlanning>,
    /// The name of the search.
    pub search: String,
    /// The statistics of the search.
    pub statistics: SearchStatistics,
    /// The size of the ground task.
    pub size: GroundTaskSize,
    /// The duration of grounding, compilation included.
    pub grounding_time: Duration,
    /// The duration of the search and of the validation of its plan.
    pub search_time: Duration,
}

/// Planning for a task that cannot be grounded in full.
#[derive(Debug, Clone, PartialEq)]
pub struct PartialPlanning {
    /// The limit that grounding exceeded.
    pub reason: GroundError,
    /// The method that found the plan; without a plan, the method that ran last.
    pub method: PartialMethod,
}

impl std::fmt::Display for PartialPlanning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let reason = match &self.reason {
            GroundError::Time { limit } => format!("grounding takes more than {:.1} s", limit.as_secs_f64()),
            error => error.to_string(),
        };
        write!(f, "not grounded in full: {reason}; ")?;
        match self.method {
            PartialMethod::Lifted => write!(f, "lifted search"),
            PartialMethod::BoundedInstances(limit) => {
                write!(f, "partial grounding with at most {limit} instances of each action")
            }
            PartialMethod::ApplicableSteps(steps) => {
                write!(f, "partial grounding with {steps} steps that lifted search found applicable")
            }
        }
    }
}

/// An error that ends planning for a task without a result.
#[derive(Debug, Clone, PartialEq)]
pub enum PlanError {
    /// A constraint or preference cannot be compiled into the task.
    Compile(CompileError),
    /// Compilation was stopped by this time limit or, if there is none, by cancellation.
    CompilationStopped(Option<Duration>),
    /// The task cannot be grounded: it is too large or uses an unsupported feature.
    Ground(GroundError),
    /// The chosen search does not guarantee a plan of minimum cost.
    Search(Search),
    /// Fast Downward failed.
    FastDownward(FastDownwardError),
    /// The validation of a plan was stopped by this time limit or, if there is none, by cancellation.
    ValidationStopped(Option<Duration>),
    /// Plans for the task cannot be validated, for this reason and with this text.
    Validation(ValidationError, String),
}

impl PlanError {
    /// Returns the diagnostic that a task is not searched for a plan, at the part that is the reason if it is known.
    pub fn diagnostic(&self, task: &Task) -> Diagnostic {
        let span = if let Self::Compile(error) = self { error.origin.0 } else { None };
        let message = format!("cannot plan `{}`: {self}", task.name);
        let error = Diagnostic {
            span,
            exceeded: self.exceeded(),
            ..Diagnostic::new(codes::NOT_PLANNED, Severity::Error, message)
        };
        match self.remedy() {
            Some(remedy) => error.with_help(remedy),
            None => error,
        }
    }

    /// Returns the limit or cancellation that stopped planning; `None` for other errors.
    pub fn stop_reason(&self) -> Option<StopReason> {
        match self {
            Self::CompilationStopped(Some(_))
            | Self::ValidationStopped(Some(_))
            | Self::Ground(GroundError::Time { .. }) => Some(StopReason::Time),
            Self::CompilationStopped(None) | Self::ValidationStopped(None) | Self::Ground(GroundError::Cancelled) => {
                Some(StopReason::Cancelled)
            }
            Self::Ground(GroundError::TaskTooLarge { .. } | GroundError::Memory { .. }) => Some(StopReason::Memory),
            _ => None,
        }
    }

    /// Returns the limit that was exceeded, of atoms and operators or of bytes; `None` for other errors.
    pub fn exceeded(&self) -> Option<ExceededLimit> {
        match self {
            Self::Ground(GroundError::TaskTooLarge { limit }) => {
                Some(ExceededLimit { limit: *limit as u64, asked: None })
            }
            Self::Ground(GroundError::Memory { needed, limit }) => {
                Some(ExceededLimit { limit: *limit, asked: Some(*needed) })
            }
            Self::Validation(ValidationError::Monitor(error), _) => Some(error.exceeded()),
            _ => None,
        }
    }

    /// Returns the remedy for the limit that was reached; `None` for errors that are not limits of planning.
    pub fn remedy(&self) -> Option<&'static str> {
        match self {
            Self::CompilationStopped(Some(_))
            | Self::ValidationStopped(Some(_))
            | Self::Ground(GroundError::Time { .. }) => Some("`--time-limit` lifts the limit"),
            Self::Ground(GroundError::Memory { .. }) => Some("`--memory-limit` lifts the limit"),
            Self::Validation(ValidationError::Monitor(_), _) => {
                Some("the limit cannot be lifted: bind fewer variables together, or use types with fewer objects")
            }
            Self::Ground(GroundError::TaskTooLarge { .. }) => {
                Some("the limit cannot be lifted: remove objects and actions that the goal does not require")
            }
            _ => None,
        }
    }

    /// Returns the stage that was stopped or failed, in a word; `None` if the error belongs to no stage.
    pub fn stage(&self) -> Option<&'static str> {
        match self {
            Self::Compile(_) | Self::CompilationStopped(_) => Some("compiling"),
            Self::Ground(_) => Some("grounding"),
            Self::ValidationStopped(_) => Some("validating"),
            Self::Search(_) | Self::FastDownward(_) | Self::Validation(..) => None,
        }
    }
}

impl std::fmt::Display for PlanError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Compile(error) => error.fmt(f),
            Self::CompilationStopped(Some(limit)) => {
                let limit = limit.as_secs_f64();
                write!(f, "time limit of {limit} s reached while compiling constraints and goals")
            }
            Self::ValidationStopped(Some(limit)) => {
                let limit = limit.as_secs_f64();
                write!(f, "time limit of {limit} s reached while validating a plan that was found")
            }
            Self::ValidationStopped(None) => write!(f, "validation of a plan that was found was stopped"),
            Self::CompilationStopped(None) => write!(f, "compilation of constraints and goals was stopped"),
            Self::Ground(GroundError::Time { limit }) => {
                write!(f, "time limit of {} s reached while grounding", limit.as_secs_f64())
            }
            Self::Ground(error) => error.fmt(f),
            Self::Search(search) => {
                let optimal_searches: Vec<&str> =
                    Search::ALL.into_iter().filter(|s| s.guarantees_optimal()).map(Search::name).collect();
                let (name, optimal_searches) = (search.name(), optimal_searches.join(", "));
                write!(f, "search `{name}` is not optimal; optimal searches: {optimal_searches}")
            }
            Self::FastDownward(failed) => failed.fmt(f),
            Self::Validation(_, reason) => write!(f, "cannot validate its plans: {reason}"),
        }
    }
}

impl std::error::Error for PlanError {}

/// An event reported while planning.
///
/// It wraps the [events of searches](SearchEvent), but not their plans: those are operators of a ground task, which the caller does
/// not have, and a translated plan is reported once although several operators may stand for one step.
#[derive(Debug, Clone, Copy)]
pub enum PlanEvent<'n> {
    /// The progress of grounding.
    GroundingProgress(&'n ground::GroundProgress),
    /// A new plan.
    Plan {
        /// The number of steps.
        steps: usize,
        /// The value of the task's metric; `None` if it has no metric, or if the objective is not [`Objective::Anytime`].
        metric: Option<f64>,
        /// The time since the start of planning.
        elapsed: Duration,
    },
    /// The progress of a search.
    SearchProgress(SearchProgress<'n>),
}

/// The time limit and the cancellation flag of a planning run.
pub(crate) struct Deadline<'d> {
    pub(crate) begun: Instant,
    pub(crate) time: Option<Duration>,
    pub(crate) cancelled: &'d AtomicBool,
}

/// The maximum work of removing operators that occur in no plan, before a search for a plan of minimum cost: less than half a second.
const MAX_PRUNING_WORK: u64 = 100_000_000;

/// The part of the remaining time that grounding may take before a task is planned for without grounding it in full.
const GROUNDING_TIME_PART: u32 = 4;

/// The minimum time for validating a plan, since a search that used up its time may have found one.
const MIN_VALIDATION_TIME: Duration = Duration::from_secs(5);

static NOT_CANCELLED: AtomicBool = AtomicBool::new(false);

impl<'d> Deadline<'d> {
    /// Returns the limits for validating a plan after a search that ended in this way. After a cancellation, the best plan so far
    /// is still validated.
    pub(crate) fn for_validation(
        request: &PlanRequest,
        started_at: Instant,
        cancelled: &'d AtomicBool,
        stopped: Option<StopReason>,
    ) -> Self {
        let min_time = started_at.elapsed() + MIN_VALIDATION_TIME;
        if stopped == Some(StopReason::Cancelled) {
            return Self { begun: started_at, time: Some(min_time), cancelled: &NOT_CANCELLED };
        }
        Self { begun: started_at, time: request.time_limit.map(|time| time.max(min_time)), cancelled }
    }

    /// Returns the time limit if it is exceeded; `None` if it is not, or if there is none.
    fn exceeded_limit(&self) -> Option<Duration> {
        self.time.filter(|&time| self.begun.elapsed() >= time)
    }

    fn is_exceeded(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed) || self.exceeded_limit().is_some()
    }
}

/// A task in the form in which it is searched, with constraints, preferences and additional goals compiled into it.
#[derive(Debug)]
pub(crate) struct CompiledProblem<'t> {
    /// The task against which plans are validated.
    task: &'t Task,
    /// The task that is searched if nothing is compiled.
    uncompiled: &'t Task,
    compiled: Option<Compilation>,
    /// The plan that was reported last.
    last_reported: Mutex<Option<Plan>>,
}

impl<'t> CompiledProblem<'t> {
    /// Compiles a task for a planning run that started at `begun`.
    pub(crate) fn new(
        task: &'t Task,
        request: &PlanRequest,
        started_at: Instant,
        cancelled: &AtomicBool,
    ) -> Result<Self, PlanError> {
        if request.extra_goals.is_empty() && !compile::needs_compilation(task) {
            return Ok(Self { task, uncompiled: task, compiled: None, last_reported: Mutex::default() });
        }
        let deadline = Deadline { begun: started_at, time: request.time_limit, cancelled };
        let is_stopped = || deadline.is_exceeded();
        let compiled =
            compile::compile_with_cancellation(task, &request.extra_goals, true, &is_stopped).map_err(|error| {
                match error.kind {
                    CompileErrorKind::Cancelled => PlanError::CompilationStopped(deadline.exceeded_limit()),
                    _ => PlanError::Compile(error),
                }
            })?;
        Ok(Self { task, uncompiled: task, compiled: Some(compiled), last_reported: Mutex::default() })
    }

    /// Returns the same with its plans validated against a task that differs only in its metric.
    pub(crate) fn validated_by(self, task: &'t Task) -> Self {
        Self { task, ..self }
    }

    /// Whether the searched task differs from the original one.
    pub(crate) fn is_compiled(&self) -> bool {
        self.compiled.is_some()
    }

    /// Returns the task that is searched.
    pub(crate) fn searched(&self) -> &Task {
        self.compiled.as_ref().map_or(self.uncompiled, |compiled| &compiled.task)
    }

    /// Returns the event of a new plan of the searched task; `None` if it corresponds to the plan of the original task that was
    /// reported last.
    pub(crate) fn plan_event(&self, plan: &Plan, aim: Objective, after: Duration) -> Option<PlanEvent<'static>> {
        let plan = self.original_plan(plan);
        let last = self.last_reported.lock().unwrap_or_else(PoisonError::into_inner).replace(plan.clone());
        if last.as_ref() == Some(&plan) {
            return None;
        }
        let has_metric = aim == Objective::Anytime && self.task.metric.is_some();
        let validation = has_metric.then(|| validate(self.task, &plan, &CoreNotation));
        let metric = validation.and_then(|validation| validation.ok()?.metric);
        Some(PlanEvent::Plan { steps: plan.steps.len(), metric, elapsed: after })
    }

    /// Translates a plan of the searched task into one of the original task.
    pub(crate) fn original_plan(&self, plan: &Plan) -> Plan {
        self.compiled.as_ref().map_or_else(|| plan.clone(), |compiled| compiled.original_plan(plan))
    }

    /// Translates a plan of the searched task into one of the original task, and validates it with the reference interpreter.
    ///
    /// # Errors
    /// If plans for the task cannot be validated, or not within the limits.
    pub(crate) fn validated(&self, plan: &Plan, deadline: &Deadline<'_>) -> Result<(Plan, Validation), PlanError> {
        let plan = self.original_plan(plan);
        let validation = validate_with_cancellation(self.task, &plan, &CoreNotation, &|| deadline.is_exceeded());
        let validation = validation.map_err(|error| {
            if error == ValidationError::Cancelled {
                return PlanError::ValidationStopped(deadline.exceeded_limit());
            }
            let words = validation::validation_error_text(self.task, &error);
            PlanError::Validation(error, words)
        })?;
        Ok((plan, validation))
    }

    /// Returns the ignored parts of the preferences, as text.
    pub(crate) fn ignored(&self) -> Vec<String> {
        self.compiled.iter().flat_map(|compiled| &compiled.ignored).map(|ignored| ignored.message(self.task)).collect()
    }
}

/// Grounds a task within the time that is left. For plans of minimum cost, operators that occur in no plan are removed.
fn grounded(
    task: &Task,
    request: &PlanRequest,
    left: Option<Duration>,
    cancelled: &AtomicBool,
    observer: &(dyn Fn(PlanEvent<'_>) + Sync),
) -> Result<Grounding, GroundError> {
    let time = if can_be_partial(request) { left.map(|left| left / GROUNDING_TIME_PART) } else { left };
    let limits = ground::GroundLimits { time, memory: request.memory_limit, ..ground::GroundLimits::default() };
    let mut observe = grounding_observer(cancelled, observer);
    let mut grounded = ground::ground(task, &limits, &mut observe)?;
    if request.objective == Objective::Optimal {
        prune_operators(&mut grounded.task, MAX_PRUNING_WORK);
    }
    Ok(grounded)
}

/// Searches for a plan for a task, and validates it with the reference interpreter. Trajectory constraints and preferences are
/// compiled into the task. Events are reported to `observer`. The call returns soon after `cancelled` is set.
///
/// # Errors
/// If the task cannot be compiled, grounded or searched with the chosen search, or if plans for it cannot be validated.
pub fn solve(
    task: &Task,
    request: &PlanRequest,
    cancelled: &AtomicBool,
    observer: &(dyn Fn(PlanEvent<'_>) + Sync),
) -> Result<PlanResult, PlanError> {
    let called = Instant::now();
    let started_at = request.started_at.unwrap_or(called);
    if request.objective == Objective::Optimal && !request.search.guarantees_optimal() {
        return Err(PlanError::Search(request.search));
    }
    let prepared = CompiledProblem::new(task, request, started_at, cancelled)?;
    let left = || request.time_limit.map(|time| time.saturating_sub(started_at.elapsed()));
    let grounded = match grounded(prepared.searched(), request, left(), cancelled, observer) {
        Ok(grounded) => grounded,
        Err(reason @ (GroundError::TaskTooLarge { .. } | GroundError::Memory { .. } | GroundError::Time { .. }))
            if can_be_partial(request) =>
        {
            let grounding_time = called.elapsed();
            let run =
                PartialRun { prepared: &prepared, request, called, started_at, grounding_time, cancelled, reason };
            return run.solve(left(), observer);
        }
        Err(error) => return Err(grounding_error(error, request)),
    };
    let grounding = called.elapsed();
    let on_event = |event: SearchEvent<'_>| match event {
        SearchEvent::Plan(solution) => {
            if let Some(event) =
                prepared.plan_event(&solution.plan(&grounded.task), request.objective, called.elapsed())
            {
                observer(event);
            }
        }
        SearchEvent::Progress(progress) => observer(PlanEvent::SearchProgress(progress)),
    };
    let result = search(&grounded.task, request, left(), cancelled, &on_event)?;
    let deadline = Deadline::for_validation(request, started_at, cancelled, result.stop_reason);
    Ok(PlanResult {
        plan: result
            .solution
            .map(|solution| prepared.validated(&solution.plan(&grounded.task), &deadline))
            .transpose()?,
        proof: result.proof,
        stop_reason: result.stop_reason,
        limits_reached: result.limits_reached,
        costs: grounded.costs,
        ignored_preferences: prepared.ignored(),
        anomalies: PlanAnomalies::of(prepared.searched(), &grounded.anomalies),
        partial: None,
        search: request.search.name().to_owned(),
        statistics: result.statistics,
        size: GroundTaskSize::of(&grounded.task),
        grounding_time: grounding,
        search_time: called.elapsed().saturating_sub(grounding),
    })
}

/// Searches a ground task within the limits of a request.
fn search(
    task: &GroundTask,
    request: &PlanRequest,
    time: Option<Duration>,
    cancelled: &AtomicBool,
    observer: &(dyn Fn(SearchEvent<'_>) + Sync),
) -> Result<SearchResult, PlanError> {
    let limits = SearchLimits { time, memory: usize::try_from(request.memory_limit).ok(), states: request.max_states };
    let control = SearchControl::new(limits, cancelled, observer).with_seed(request.seed);
    let control = match request.threads {
        Some(threads) => control.with_threads(threads.get()),
        None => control,
    };
    let compiled = SearchTask::new(task);
    match request.search.configuration() {
        None => Ok(goalspec_planner::plan(&compiled, request.objective, &control)),
        Some(configuration) => goalspec_planner::plan_with(&compiled, &configuration, request.objective, &control)
            .map_err(|_| PlanError::Search(request.search)),
    }
}

/// Whether a task that is too large to be grounded is planned for without.
fn can_be_partial(request: &PlanRequest) -> bool {
    request.objective != Objective::Optimal && request.search == Search::Portfolio
}

/// Returns an observer of grounding that reports progress and cancels grounding when the flag is set.
fn grounding_observer<'o>(
    cancelled: &'o AtomicBool,
    observer: &'o (dyn Fn(PlanEvent<'_>) + Sync),
) -> impl FnMut(&ground::GroundProgress) -> ControlFlow<()> + 'o {
    |progress| {
        observer(PlanEvent::GroundingProgress(progress));
        if cancelled.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Returns an error of grounding, which names the time limit that was set, not the part of it that was left.
fn grounding_error(error: GroundError, request: &PlanRequest) -> PlanError {
    let limit = request.time_limit.unwrap_or_default();
    PlanError::Ground(if let GroundError::Time { .. } = error { GroundError::Time { limit } } else { error })
}

/// A planning run for a task that was not grounded in full.
struct PartialRun<'r, 't> {
    prepared: &'r CompiledProblem<'t>,
    request: &'r PlanRequest,
    called: Instant,
    started_at: Instant,
    grounding_time: Duration,
    cancelled: &'r AtomicBool,
    reason: GroundError,
}

impl PartialRun<'_, '_> {
    fn solve(self, time: Option<Duration>, observer: &(dyn Fn(PlanEvent<'_>) + Sync)) -> Result<PlanResult, PlanError> {
        let Self { prepared, request, called, started_at, grounding_time, cancelled, reason } = self;
        let memory = usize::try_from(request.memory_limit).ok();
        let limits = ground::GroundLimits { time, memory: request.memory_limit, ..ground::GroundLimits::default() };
        let search_limits = SearchLimits { time, memory, states: request.max_states };
        let control = SearchControl::new(search_limits, cancelled, &|_| {}).with_seed(request.seed);
        let result =
            plan_partially(prepared.searched(), &limits, &mut grounding_observer(cancelled, observer), &control)
                .map_err(|error| grounding_error(error, request))?;
        let deadline = Deadline::for_validation(request, started_at, cancelled, result.stop_reason);
        let plan = result.plan.map(|plan| prepared.validated(&plan, &deadline)).transpose()?;
        // A plan was requested and found; the limits ended only other searches.
        let stop_reason = result.stop_reason.filter(|stop| plan.is_none() || stop.is_external());
        Ok(PlanResult {
            plan,
            proof: result.proof,
            stop_reason,
            limits_reached: stop_reason.into_iter().collect(),
            costs: result.costs,
            ignored_preferences: prepared.ignored(),
            anomalies: PlanAnomalies::default(),
            partial: Some(PartialPlanning { reason, method: result.method }),
            search: request.search.name().to_owned(),
            statistics: result.statistics,
            size: GroundTaskSize::default(),
            grounding_time,
            search_time: called.elapsed().saturating_sub(grounding_time),
        })
    }
}
