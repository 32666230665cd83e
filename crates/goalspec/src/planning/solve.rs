//! Grounding and search of a task, with validation of the plan.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use goalspec_core::explain::CoreNotation;
use goalspec_core::planning::plan::Plan;
use goalspec_core::planning::task::Task;
use goalspec_core::planning::validate::{Unjudged, Validation, validate, validate_unless};
use goalspec_planner::compile::{self, CompileError, Compiled, Demand, Reason};
use goalspec_planner::ground::{self, Costs, GroundError};
use goalspec_planner::ground_task::GroundTask;
use goalspec_planner::{Aim, CompiledTask, Control, Event, Limits, Proof, Statistics, Stop};

use super::choice::Search;
use super::fast_downward::Failed;
use super::judge;

/// Options for one planning run.
#[derive(Debug, Clone, Copy)]
pub struct Wish<'w> {
    /// The objective: how good the plan has to be.
    pub aim: Aim,
    /// Goals to be reached in addition to the goal of the task.
    pub demands: &'w [Demand<'w>],
    /// The search.
    pub search: Search,
    /// The time limit, compilation and grounding included; `None` for no limit.
    pub time: Option<Duration>,
    /// The instant at which the time limit starts; `None` for the instant of the call.
    pub begun: Option<Instant>,
    /// The memory limit in bytes, compared with an estimate of the memory in use.
    pub memory: u64,
    /// The maximum number of states that one search keeps; `None` for no limit other than memory.
    pub states: Option<usize>,
}

impl Default for Wish<'_> {
    fn default() -> Self {
        let search = Search::Portfolio;
        Self { aim: Aim::Any, demands: &[], search, time: None, begun: None, memory: 4 << 30, states: None }
    }
}

/// The size of a ground task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Size {
    /// The number of finite-domain variables.
    pub variables: usize,
    /// The number of facts: the values of all variables.
    pub facts: usize,
    /// The number of operators.
    pub operators: usize,
    /// The number of axioms.
    pub axioms: usize,
}

impl Size {
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
pub struct Solved {
    /// The best plan found, with its validation by the reference interpreter.
    pub plan: Option<(Plan, Validation)>,
    /// The guarantee established by the search.
    pub proof: Proof,
    /// The limit or cancellation that ended the search early; `None` if it ran to its end.
    pub stopped: Option<Stop>,
    /// The costs by which plans were compared.
    pub costs: Costs,
    /// The parts of the task's preferences that the search ignored, as text.
    pub ignored: Vec<String>,
    /// The name of the search.
    pub search: String,
    /// The statistics of the search.
    pub statistics: Statistics,
    /// The size of the ground task.
    pub size: Size,
    /// The duration of grounding, compilation included.
    pub grounding: Duration,
    /// The duration of the search and of the validation of its plan.
    pub searching: Duration,
}

/// An error that ends planning for a task without a result.
#[derive(Debug, Clone, PartialEq)]
pub enum Refused {
    /// A constraint or preference cannot be compiled into the task.
    Compile(CompileError),
    /// Compilation was stopped by this time limit or, if there is none, by cancellation.
    Halted(Option<Duration>),
    /// The task cannot be grounded: it is too large or uses an unsupported feature.
    Ground(GroundError),
    /// The chosen search does not guarantee a plan of minimum cost.
    Search(Search),
    /// Fast Downward failed.
    FastDownward(Failed),
    /// The validation of a plan was stopped by this time limit or, if there is none, by cancellation.
    HaltedJudging(Option<Duration>),
    /// Plans for the task cannot be validated, for this reason and with this text.
    Unjudged(Unjudged, String),
}

impl Refused {
    /// Returns the limit or cancellation that stopped planning; `None` for other errors.
    pub fn stopped(&self) -> Option<Stop> {
        match self {
            Self::Halted(Some(_)) | Self::HaltedJudging(Some(_)) | Self::Ground(GroundError::Time { .. }) => {
                Some(Stop::Time)
            }
            Self::Halted(None) | Self::HaltedJudging(None) | Self::Ground(GroundError::Cancelled) => {
                Some(Stop::Cancelled)
            }
            Self::Ground(GroundError::Size { .. } | GroundError::Memory { .. }) => Some(Stop::Memory),
            _ => None,
        }
    }

    /// Returns the remedy for the limit that was reached; `None` for errors that are not limits of planning.
    pub fn remedy(&self) -> Option<&'static str> {
        match self {
            Self::Halted(Some(_)) | Self::HaltedJudging(Some(_)) | Self::Ground(GroundError::Time { .. }) => {
                Some("`--time-limit` lifts the limit")
            }
            Self::Ground(GroundError::Memory { .. }) => Some("`--memory-limit` lifts the limit"),
            Self::Unjudged(Unjudged::Refused(_), _) => {
                Some("the limit cannot be lifted: bind fewer variables together, or use types with fewer objects")
            }
            Self::Ground(GroundError::Size { .. }) => {
                Some("the limit cannot be lifted: remove objects and actions that the goal does not require")
            }
            _ => None,
        }
    }

    /// Returns the stage that was stopped or failed, in a word; `None` if the error belongs to no stage.
    pub fn stage(&self) -> Option<&'static str> {
        match self {
            Self::Compile(_) | Self::Halted(_) => Some("compiling"),
            Self::Ground(_) => Some("grounding"),
            Self::HaltedJudging(_) => Some("validating"),
            Self::Search(_) | Self::FastDownward(_) | Self::Unjudged(..) => None,
        }
    }
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Compile(error) => error.fmt(f),
            Self::Halted(Some(most)) => {
                let most = most.as_secs_f64();
                write!(f, "time limit of {most} s reached while compiling constraints and goals")
            }
            Self::HaltedJudging(Some(most)) => {
                let most = most.as_secs_f64();
                write!(f, "time limit of {most} s reached while validating a plan that was found")
            }
            Self::HaltedJudging(None) => write!(f, "validation of a plan that was found was stopped"),
            Self::Halted(None) => write!(f, "compilation of constraints and goals was stopped"),
            Self::Ground(GroundError::Time { most }) => {
                write!(f, "time limit of {} s reached while grounding", most.as_secs_f64())
            }
            Self::Ground(error) => error.fmt(f),
            Self::Search(search) => {
                let cheapest: Vec<&str> =
                    Search::ALL.into_iter().filter(|s| s.finds_cheapest()).map(Search::name).collect();
                let (name, cheapest) = (search.name(), cheapest.join(", "));
                write!(f, "search `{name}` is not optimal; optimal searches: {cheapest}")
            }
            Self::FastDownward(failed) => failed.fmt(f),
            Self::Unjudged(_, why) => write!(f, "cannot validate its plans: {why}"),
        }
    }
}

impl std::error::Error for Refused {}

/// An event reported while planning.
#[derive(Debug, Clone, Copy)]
pub enum News<'n> {
    /// The progress of grounding.
    Grounding(&'n ground::Progress),
    /// A new plan.
    Plan {
        /// The number of steps.
        steps: usize,
        /// The value of the task's metric; `None` if it has no metric, or if the objective is not [`Aim::Good`].
        metric: Option<f64>,
        /// The time since the start of planning.
        after: Duration,
    },
    /// The statistics of a search that made progress.
    Searching(&'n Statistics),
}

/// The time limit and the cancellation flag of a planning run.
pub(super) struct Deadline<'d> {
    pub(super) begun: Instant,
    pub(super) time: Option<Duration>,
    pub(super) cancelled: &'d AtomicBool,
}

/// The minimum time for validating a plan, since a search that used up its time may have found one.
const JUDGING: Duration = Duration::from_secs(5);

static NEVER: AtomicBool = AtomicBool::new(false);

impl<'d> Deadline<'d> {
    /// Returns the limits for validating a plan after a search that ended in this way. After a cancellation, the best plan so far
    /// is still validated.
    pub(super) fn of_judging(
        wish: &Wish<'_>,
        begun: Instant,
        cancelled: &'d AtomicBool,
        stopped: Option<Stop>,
    ) -> Self {
        let least = begun.elapsed() + JUDGING;
        if stopped == Some(Stop::Cancelled) {
            return Self { begun, time: Some(least), cancelled: &NEVER };
        }
        Self { begun, time: wish.time.map(|time| time.max(least)), cancelled }
    }

    /// Returns the time limit if it is exceeded; `None` if it is not, or if there is none.
    fn late(&self) -> Option<Duration> {
        self.time.filter(|&time| self.begun.elapsed() >= time)
    }

    fn halted(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed) || self.late().is_some()
    }
}

/// A task in the form in which it is searched, with constraints, preferences and additional goals compiled into it.
#[derive(Debug)]
pub(super) struct Prepared<'t> {
    /// The task against which plans are validated.
    task: &'t Task,
    /// The task that is searched if nothing is compiled.
    posed: &'t Task,
    compiled: Option<Compiled>,
    /// The plan that was reported last.
    told: Mutex<Option<Plan>>,
}

impl<'t> Prepared<'t> {
    /// Compiles a task for a planning run that started at `begun`.
    pub(super) fn new(
        task: &'t Task,
        wish: &Wish<'_>,
        begun: Instant,
        cancelled: &AtomicBool,
    ) -> Result<Self, Refused> {
        if wish.demands.is_empty() && !compile::is_compiled(task) {
            return Ok(Self { task, posed: task, compiled: None, told: Mutex::default() });
        }
        let deadline = Deadline { begun, time: wish.time, cancelled };
        let halt = || deadline.halted();
        let compiled =
            compile::compile_unless(task, wish.demands, true, &halt).map_err(|error| match error.reason {
                Reason::Halted => Refused::Halted(deadline.late()),
                _ => Refused::Compile(error),
            })?;
        Ok(Self { task, posed: task, compiled: Some(compiled), told: Mutex::default() })
    }

    /// Returns the same with its plans validated against a task that differs only in its metric.
    pub(super) fn judged_by(self, task: &'t Task) -> Self {
        Self { task, ..self }
    }

    /// Whether the searched task differs from the original one.
    pub(super) fn is_compiled(&self) -> bool {
        self.compiled.is_some()
    }

    /// Returns the task that is searched.
    pub(super) fn searched(&self) -> &Task {
        self.compiled.as_ref().map_or(self.posed, |compiled| &compiled.task)
    }

    /// Returns the event of a new plan of the searched task; `None` if it corresponds to the plan of the original task that was
    /// reported last.
    pub(super) fn news(&self, plan: &Plan, aim: Aim, after: Duration) -> Option<News<'static>> {
        let plan = self.original(plan);
        let last = self.told.lock().unwrap_or_else(PoisonError::into_inner).replace(plan.clone());
        if last.as_ref() == Some(&plan) {
            return None;
        }
        let has_metric = aim == Aim::Good && self.task.metric.is_some();
        let validation = has_metric.then(|| validate(self.task, &plan, &CoreNotation));
        let metric = validation.and_then(|validation| validation.ok()?.metric);
        Some(News::Plan { steps: plan.steps.len(), metric, after })
    }

    /// Translates a plan of the searched task into one of the original task.
    pub(super) fn original(&self, plan: &Plan) -> Plan {
        self.compiled.as_ref().map_or_else(|| plan.clone(), |compiled| compiled.original(plan))
    }

    /// Translates a plan of the searched task into one of the original task, and validates it with the reference interpreter.
    ///
    /// # Errors
    /// If plans for the task cannot be validated, or not within the limits.
    pub(super) fn judged(&self, plan: &Plan, deadline: &Deadline<'_>) -> Result<(Plan, Validation), Refused> {
        let plan = self.original(plan);
        let judged = validate_unless(self.task, &plan, &CoreNotation, &|| deadline.halted());
        let validation = judged.map_err(|why| {
            if why == Unjudged::Halted {
                return Refused::HaltedJudging(deadline.late());
            }
            let words = judge::why_unjudged(self.task, &why);
            Refused::Unjudged(why, words)
        })?;
        Ok((plan, validation))
    }

    /// Returns the ignored parts of the preferences, as text.
    pub(super) fn ignored(&self) -> Vec<String> {
        self.compiled.iter().flat_map(|compiled| &compiled.ignored).map(|ignored| ignored.text(self.task)).collect()
    }
}

/// Searches for a plan for a task, and validates it with the reference interpreter. Trajectory constraints and preferences are
/// compiled into the task. Events are reported to `tell`. The call returns soon after `cancelled` is set.
///
/// # Errors
/// If the task cannot be compiled, grounded or searched with the chosen search, or if plans for it cannot be validated.
pub fn solve(
    task: &Task,
    wish: &Wish<'_>,
    cancelled: &AtomicBool,
    tell: &(dyn Fn(News<'_>) + Sync),
) -> Result<Solved, Refused> {
    let called = Instant::now();
    let begun = wish.begun.unwrap_or(called);
    if wish.aim == Aim::Optimal && !wish.search.finds_cheapest() {
        return Err(Refused::Search(wish.search));
    }
    let prepared = Prepared::new(task, wish, begun, cancelled)?;
    let left = || wish.time.map(|time| time.saturating_sub(begun.elapsed()));
    let limits = ground::Limits { time: left(), memory: wish.memory, ..ground::Limits::default() };
    let mut observe = |progress: &ground::Progress| {
        tell(News::Grounding(progress));
        if cancelled.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let grounded = ground::ground(prepared.searched(), &limits, &mut observe).map_err(|error| {
        // The error names the limit that was set, not the part of it that compilation left.
        let most = wish.time.unwrap_or_default();
        Refused::Ground(if let GroundError::Time { .. } = error { GroundError::Time { most } } else { error })
    })?;
    let grounding = called.elapsed();
    let limits = Limits { time: left(), memory: usize::try_from(wish.memory).ok(), states: wish.states };
    let hear = |event: Event<'_>| match event {
        Event::Plan(solution) => {
            if let Some(news) = prepared.news(&solution.plan(&grounded.task), wish.aim, called.elapsed()) {
                tell(news);
            }
        }
        Event::Progress { statistics, .. } => tell(News::Searching(statistics)),
    };
    let control = Control::new(limits, cancelled, &hear);
    let compiled = CompiledTask::new(&grounded.task);
    let answer = match wish.search.configuration() {
        None => goalspec_planner::plan(&compiled, wish.aim, &control),
        Some(configuration) => goalspec_planner::plan_by(&compiled, &configuration, wish.aim, &control)
            .map_err(|_| Refused::Search(wish.search))?,
    };
    let judging = Deadline::of_judging(wish, begun, cancelled, answer.stopped);
    Ok(Solved {
        plan: answer.solution.map(|solution| prepared.judged(&solution.plan(&grounded.task), &judging)).transpose()?,
        proof: answer.proof,
        stopped: answer.stopped,
        costs: grounded.costs,
        ignored: prepared.ignored(),
        search: wish.search.name().to_owned(),
        statistics: answer.statistics,
        size: Size::of(&grounded.task),
        grounding,
        searching: called.elapsed().saturating_sub(grounding),
    })
}
