//! A task grounded and searched, its plan proved.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use goalspec_core::explain::CoreNotation;
use goalspec_core::planning::plan::Plan;
use goalspec_core::planning::task::Task;
use goalspec_core::planning::validate::{Validation, validate};
use goalspec_planner::compile::{self, CompileError};
use goalspec_planner::ground::{self, Costs, GroundError};
use goalspec_planner::{Aim, CompiledTask, Control, Event, Limits, Proof, Statistics, Stop};

/// What is wanted, and what it may take.
#[derive(Debug, Clone, Copy)]
pub struct Wish {
    /// What kind of plan.
    pub aim: Aim,
    /// Most time, grounding included; `None`: as much as it takes.
    pub time: Option<Duration>,
    /// Most bytes, by estimate.
    pub memory: u64,
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
    /// It cannot be grounded: it is too large, or has something that is not planned for.
    Ground(GroundError),
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Compile(error) => error.fmt(f),
            Self::Ground(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Refused {}

/// What is told meanwhile.
#[derive(Debug, Clone, Copy)]
pub enum News<'n> {
    /// How far grounding is.
    Grounding(&'n ground::Progress),
    /// A plan of so many steps, which costs so much, after so long.
    Plan {
        /// How many steps it has.
        steps: usize,
        /// What it costs.
        cost: f64,
        /// How long it took.
        after: Duration,
    },
    /// A search came closer.
    Searching(&'n Statistics),
}

/// Solves a task. Constraints and preferences on whole runs are compiled into it. It stops soon after the flag is set.
///
/// # Errors
/// If the task is not one that can be searched.
///
/// # Panics
/// If a plan that was found cannot be judged, which tasks that can be grounded rule out.
pub fn solve(
    task: &Task,
    wish: &Wish,
    cancelled: &AtomicBool,
    tell: &(dyn Fn(News<'_>) + Sync),
) -> Result<Solved, Refused> {
    let begun = Instant::now();
    let asks = !task.constraints.is_empty()
        || !task.preferences.is_empty()
        || task.actions.iter().any(|action| !action.preferences.is_empty());
    let compiled = asks.then(|| compile::compile(task, &[], true)).transpose().map_err(Refused::Compile)?;
    let searched = compiled.as_ref().map_or(task, |compiled| &compiled.task);
    let original = |plan: Plan| compiled.as_ref().map_or_else(|| plan.clone(), |compiled| compiled.original(&plan));
    let limits = ground::Limits { time: wish.time, memory: wish.memory, ..ground::Limits::default() };
    let mut observe = |progress: &ground::Progress| {
        tell(News::Grounding(progress));
        if cancelled.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let grounded = ground::ground(searched, &limits, &mut observe).map_err(Refused::Ground)?;
    let grounding = begun.elapsed();
    let size = Size {
        variables: grounded.task.variables.len(),
        facts: grounded.task.variables.iter().map(|variable| variable.values.len()).sum(),
        operators: grounded.task.operators.len(),
        axioms: grounded.task.axioms.len(),
    };
    let left = wish.time.map(|time| time.saturating_sub(grounding));
    let limits = Limits { time: left, memory: usize::try_from(wish.memory).ok(), states: None };
    let hear = |event: Event<'_>| match event {
        Event::Plan(solution) => {
            let cost = solution.cost as f64 * grounded.task.cost_unit;
            let steps = original(solution.plan(&grounded.task)).steps.len();
            tell(News::Plan { steps, cost, after: begun.elapsed() });
        }
        Event::Progress { statistics, .. } => tell(News::Searching(statistics)),
    };
    let control = Control::new(limits, cancelled, &hear);
    let answer = goalspec_planner::plan(&CompiledTask::new(&grounded.task), wish.aim, &control);
    let ignored = compiled.iter().flat_map(|compiled| &compiled.ignored).map(|ignored| ignored.text(task)).collect();
    let searching = begun.elapsed().saturating_sub(grounding);
    let plan = answer.solution.map(|solution| {
        let plan = original(solution.plan(&grounded.task));
        let validation = validate(task, &plan, &CoreNotation).expect("the task was grounded");
        (plan, validation)
    });
    Ok(Solved {
        plan,
        proof: answer.proof,
        stopped: answer.stopped,
        costs: grounded.costs,
        ignored,
        statistics: answer.statistics,
        size,
        grounding,
        searching,
    })
}
