//! A task grounded and searched, its plan proved.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use goalspec_core::explain::CoreNotation;
use goalspec_core::planning::plan::Plan;
use goalspec_core::planning::task::Task;
use goalspec_core::planning::validate::{Validation, validate};
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
    /// Whether the metric counts preferences, which the search did not look at.
    pub leaves_preferences_out: bool,
    /// What the searches did.
    pub statistics: Statistics,
    /// How large the task is.
    pub size: Size,
    /// How long grounding took.
    pub grounding: Duration,
    /// How long searching took.
    pub searching: Duration,
}

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

/// Solves a task. It stops soon after the flag is set.
///
/// # Errors
/// If the task cannot be grounded: it is too large, or has something that is not planned for.
///
/// # Panics
/// If a plan that was found cannot be judged, which tasks that can be grounded rule out.
pub fn solve(
    task: &Task,
    wish: &Wish,
    cancelled: &AtomicBool,
    tell: &(dyn Fn(News<'_>) + Sync),
) -> Result<Solved, GroundError> {
    let begun = Instant::now();
    let limits = ground::Limits { time: wish.time, memory: wish.memory, ..ground::Limits::default() };
    let mut observe = |progress: &ground::Progress| {
        tell(News::Grounding(progress));
        if cancelled.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let grounded = ground::ground(task, &limits, &mut observe)?;
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
            tell(News::Plan { steps: solution.plan(&grounded.task).steps.len(), cost, after: begun.elapsed() });
        }
        Event::Progress { statistics, .. } => tell(News::Searching(statistics)),
    };
    let control = Control::new(limits, cancelled, &hear);
    let compiled = CompiledTask::new(&grounded.task);
    let answer = goalspec_planner::plan(&compiled, wish.aim, &control);
    let searching = begun.elapsed().saturating_sub(grounding);
    let plan = answer.solution.map(|solution| {
        let plan = solution.plan(&grounded.task);
        let validation = validate(task, &plan, &CoreNotation).expect("the task was grounded");
        (plan, validation)
    });
    Ok(Solved {
        plan,
        proof: answer.proof,
        stopped: answer.stopped,
        costs: grounded.costs,
        leaves_preferences_out: grounded.leaves_preferences_out,
        statistics: answer.statistics,
        size,
        grounding,
        searching,
    })
}
