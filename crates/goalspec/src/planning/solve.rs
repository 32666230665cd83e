//! A task grounded and searched, its plan proved.

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

/// What is wanted, and what it may take.
#[derive(Debug, Clone, Copy)]
pub struct Wish<'w> {
    /// What kind of plan.
    pub aim: Aim,
    /// What is to be reached besides what the task asks for.
    pub demands: &'w [Demand<'w>],
    /// By which search.
    pub search: Search,
    /// Most time, compiling and grounding included; `None`: as much as it takes.
    pub time: Option<Duration>,
    /// The moment from which the time is counted; `None`: that of the call.
    pub begun: Option<Instant>,
    /// Most bytes, by estimate.
    pub memory: u64,
    /// Most states that one search keeps; `None`: as many as there is memory for.
    pub states: Option<usize>,
}

impl Default for Wish<'_> {
    fn default() -> Self {
        let search = Search::Portfolio;
        Self { aim: Aim::Any, demands: &[], search, time: None, begun: None, memory: 4 << 30, states: None }
    }
}

/// How large a task is without variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Size {
    /// Variables of finite domain.
    pub variables: usize,
    /// Their values.
    pub facts: usize,
    /// Operators.
    pub operators: usize,
    /// Axioms.
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

/// What became of a task.
#[derive(Debug, Clone)]
pub struct Solved {
    /// The best plan found, with what the reference interpreter says of it.
    pub plan: Option<(Plan, Validation)>,
    /// What is known for certain.
    pub proof: Proof,
    /// What stopped the search before it was through.
    pub stopped: Option<Stop>,
    /// What plans were compared by.
    pub costs: Costs,
    /// What of the task's preferences the search did not look at, in words.
    pub ignored: Vec<String>,
    /// What looked for it.
    pub search: String,
    /// What the searches did.
    pub statistics: Statistics,
    /// How large the task is.
    pub size: Size,
    /// How long grounding took.
    pub grounding: Duration,
    /// How long searching took.
    pub searching: Duration,
}

/// Why a task is not searched.
#[derive(Debug, Clone, PartialEq)]
pub enum Refused {
    /// A constraint or preference cannot be compiled into it.
    Compile(CompileError),
    /// Compiling was stopped: after this much time, all that there was, or, without, by the flag.
    Halted(Option<Duration>),
    /// It cannot be grounded: it is too large, or has something that is not planned for.
    Ground(GroundError),
    /// The search that was chosen does not find what is wanted.
    Search(Search),
    /// The other program does not answer.
    FastDownward(Failed),
    /// Judging a plan that was found was stopped: after this much time, all that there was, or, without, by the flag.
    HaltedJudging(Option<Duration>),
    /// Plans for it cannot be judged, for this reason and in these words.
    Unjudged(Unjudged, String),
}

impl Refused {
    /// What came to its end before there was a task to search; nothing if that is not why.
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

    /// What lifts the limit that was reached, or that nothing does; nothing if no limit of grounding or searching was.
    pub fn remedy(&self) -> Option<&'static str> {
        match self {
            Self::Halted(Some(_)) | Self::HaltedJudging(Some(_)) | Self::Ground(GroundError::Time { .. }) => {
                Some("`--time-limit` lifts the limit")
            }
            Self::Ground(GroundError::Memory { .. }) => Some("`--memory-limit` lifts the limit"),
            Self::Unjudged(Unjudged::Refused(_), _) => Some(
                "the limit cannot be lifted: bind fewer variables at once, or variables of types with fewer objects",
            ),
            Self::Ground(GroundError::Size { .. }) => {
                Some("the limit cannot be lifted: leave out objects and actions that the goal does not need")
            }
            _ => None,
        }
    }

    /// What was being done, in a word; nothing if it had not begun, or is not done here.
    pub fn stage(&self) -> Option<&'static str> {
        match self {
            Self::Compile(_) | Self::Halted(_) => Some("compiling"),
            Self::Ground(_) => Some("grounding"),
            Self::HaltedJudging(_) => Some("judging"),
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
                write!(f, "the {most} s that it may take were over while constraints and goals were compiled into it")
            }
            Self::HaltedJudging(Some(most)) => {
                let most = most.as_secs_f64();
                write!(f, "a plan was found, and the {most} s that it may take were over before the plan was judged")
            }
            Self::HaltedJudging(None) => write!(f, "a plan was found, and judging it was stopped"),
            Self::Halted(None) => write!(f, "compiling constraints and goals into it was stopped"),
            Self::Ground(GroundError::Time { most }) => {
                write!(f, "the {} s that it may take were over while it was grounded", most.as_secs_f64())
            }
            Self::Ground(error) => error.fmt(f),
            Self::Search(search) => {
                let cheapest: Vec<&str> =
                    Search::ALL.into_iter().filter(|s| s.finds_cheapest()).map(Search::name).collect();
                let (name, cheapest) = (search.name(), cheapest.join(", "));
                write!(f, "the search `{name}` does not look for a plan of least cost; these do: {cheapest}")
            }
            Self::FastDownward(failed) => failed.fmt(f),
            Self::Unjudged(_, why) => write!(f, "plans for it are not judged: {why}"),
        }
    }
}

impl std::error::Error for Refused {}

/// What is told meanwhile.
#[derive(Debug, Clone, Copy)]
pub enum News<'n> {
    /// How far grounding is.
    Grounding(&'n ground::Progress),
    /// A plan of so many steps, of this metric, after so long.
    Plan {
        /// How many steps it has.
        steps: usize,
        /// What the task's own metric says of it; nothing if it has none, or where any plan will do.
        metric: Option<f64>,
        /// How long it took.
        after: Duration,
    },
    /// A search came closer.
    Searching(&'n Statistics),
}

/// When a wish has to come to its end.
pub(super) struct Deadline<'d> {
    pub(super) begun: Instant,
    pub(super) time: Option<Duration>,
    pub(super) cancelled: &'d AtomicBool,
}

/// Time that there is at least to judge a plan: a search that took all of its time may have found one.
const JUDGING: Duration = Duration::from_secs(5);

static NEVER: AtomicBool = AtomicBool::new(false);

impl<'d> Deadline<'d> {
    /// The end of judging a plan after a search that was stopped by this. After an interruption, the best plan so far is still judged.
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

    /// The time that is over; nothing if it is not, or if there is no limit.
    fn late(&self) -> Option<Duration> {
        self.time.filter(|&time| self.begun.elapsed() >= time)
    }

    fn halted(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed) || self.late().is_some()
    }
}

/// A task as it is searched: constraints, preferences and demands compiled into it, if there are any.
#[derive(Debug)]
pub(super) struct Prepared<'t> {
    /// What plans are judged by.
    task: &'t Task,
    /// What is searched if nothing is compiled.
    posed: &'t Task,
    compiled: Option<Compiled>,
    /// The plan that was told of last.
    told: Mutex<Option<Plan>>,
}

impl<'t> Prepared<'t> {
    /// What a wish began at this moment takes.
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

    /// The same with its plans judged by a task that differs in its metric alone.
    pub(super) fn judged_by(self, task: &'t Task) -> Self {
        Self { task, ..self }
    }

    /// Whether it is another task than the original one.
    pub(super) fn is_compiled(&self) -> bool {
        self.compiled.is_some()
    }

    /// The task that is searched.
    pub(super) fn searched(&self) -> &Task {
        self.compiled.as_ref().map_or(self.posed, |compiled| &compiled.task)
    }

    /// That a plan of the searched task was found; nothing where it is, of the original, the one that was told of last.
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

    /// A plan of the searched task as one of the original.
    pub(super) fn original(&self, plan: &Plan) -> Plan {
        self.compiled.as_ref().map_or_else(|| plan.clone(), |compiled| compiled.original(plan))
    }

    /// A plan of the searched task as one of the original, with what the reference interpreter says of it.
    ///
    /// # Errors
    /// If plans for the task cannot be judged, or not within the time.
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

    /// What of the preferences is left out, in words.
    pub(super) fn ignored(&self) -> Vec<String> {
        self.compiled.iter().flat_map(|compiled| &compiled.ignored).map(|ignored| ignored.text(self.task)).collect()
    }
}

/// Solves a task. Constraints and preferences on whole runs are compiled into it. It stops soon after the flag is set.
///
/// # Errors
/// If the task is not one that can be searched, or not by the search that is chosen, or plans for it cannot be judged.
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
        // What is named is the limit that was set, and not what compiling left of it.
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
