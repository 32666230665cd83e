//! Several searches, one after the other and side by side.
//!
//! *Some plan*: first goal by goal, which is over soon one way or the other and solves most tasks whose goals do not fight. Then
//! as LAMA's first iteration (lazy greedy search by `h_FF` and landmarks, preferred operators boosted, costs of one). After
//! [`HELP_AFTER`] a second thread searches by novelty, which does not depend on the relaxation's opinion, goal by goal again and
//! again, by `h_FF` alone, and eagerly, each for a while, and the first plan of either ends both. Small tasks never pay for the
//! second thread. LAMA's search then looks for a cheaper plan for about as long as the first one took.
//!
//! *A good plan*: the same, then weighted searches of LAMA with falling weights, each only for plans cheaper than the best, until
//! nothing cheaper can exist or a limit is reached.
//!
//! *The best plan*: a short blind search, then A* with LM-cut.
//!
//! [`plan_by`] leaves all that aside: one search of the caller's choice, again and again where cheaper plans are wanted.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use crate::compiled::{CompiledTask, CostType};
use crate::control::{Control, Solution, Statistics, Stop};
use crate::heuristics::HeuristicKind;
use crate::improve;
use crate::search::{Algorithm, Configuration, Outcome, Unsupported, search_unchecked};

/// When the second thread begins.
const HELP_AFTER: Duration = Duration::from_millis(500);

/// The least and the most time for a second opinion on the first plan.
const SECOND_OPINION: (Duration, Duration) = (Duration::from_millis(10), Duration::from_millis(500));

/// How long the blind search for the best plan may take before estimates are worth their time.
const BLIND_FOR: Duration = Duration::from_millis(5);

/// What kind of plan is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Aim {
    /// A plan found soon.
    Any,
    /// The cheapest plan that the limits allow to find.
    Good,
    /// A plan of least cost.
    Optimal,
}

/// What is known for certain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Proof {
    /// Nothing.
    None,
    /// The plan has least cost.
    Optimal,
    /// There is no plan.
    Unsolvable,
}

/// What became of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The best plan found.
    pub solution: Option<Solution>,
    /// What is known for certain.
    pub proof: Proof,
    /// What stopped the searches before they were through.
    pub stopped: Option<Stop>,
    /// What all searches together did.
    pub statistics: Statistics,
}

/// Solves a task by the searches that fit the aim.
pub fn plan(task: &CompiledTask, aim: Aim, control: &Control<'_>) -> Answer {
    if aim == Aim::Optimal {
        return optimal(task, control);
    }
    let mut answer = some(task, control);
    if answer.solution.is_some() {
        match aim {
            Aim::Good => improve(task, control, &mut answer),
            Aim::Any | Aim::Optimal => second_opinion(task, control, &mut answer),
        }
    }
    answer
}

/// Solves a task by one search alone. For a [good](Aim::Good) plan it is run again for cheaper and cheaper ones.
///
/// # Errors
/// If its choices do not go together, or if it may end with a plan that is not the best although that is the aim.
pub fn plan_by(
    task: &CompiledTask,
    configuration: &Configuration,
    aim: Aim,
    control: &Control<'_>,
) -> Result<Answer, Unsupported> {
    configuration.check()?;
    if aim == Aim::Optimal && !configuration.finds_cheapest() {
        return Err(Unsupported::NotOptimal(configuration.algorithm));
    }
    let mut answer = Answer::nothing();
    loop {
        let before = control.bound();
        answer.merge(run(task, configuration, control));
        let cheaper = control.bound() < before;
        if aim != Aim::Good || !cheaper || answer.proof != Proof::None || answer.stopped.is_some() {
            break;
        }
    }
    if answer.solution.is_some() && (configuration.finds_cheapest() || fewest_are_cheapest(task, configuration)) {
        answer.proof = Proof::Optimal;
    }
    Ok(answer)
}

/// Whether the search finds plans of the fewest operators, and these are the cheapest.
fn fewest_are_cheapest(task: &CompiledTask, configuration: &Configuration) -> bool {
    let costs = || (0..task.operators() as u32).map(|operator| task.cost(operator, CostType::Normal));
    configuration.algorithm == Algorithm::BreadthFirst && costs().min() == costs().max()
}

/// Searches for a cheaper plan for about as long as the first one took.
fn second_opinion(task: &CompiledTask, control: &Control<'_>, answer: &mut Answer) {
    let time = Some(control.elapsed().clamp(SECOND_OPINION.0, SECOND_OPINION.1));
    let other =
        run(task, &Configuration { time, ..configuration(Algorithm::LazyGreedy, &LAMA, CostType::PlusOne) }, control);
    // That its time is over is no news.
    answer.merge(Answer { stopped: None, ..other });
}

/// A configuration without a limit of its own; preferred operators count wherever they can.
fn configuration(algorithm: Algorithm, heuristics: &[HeuristicKind], cost_type: CostType) -> Configuration {
    let preferred = matches!(algorithm, Algorithm::LazyGreedy | Algorithm::LazyAStar { .. } | Algorithm::EagerGreedy);
    Configuration { algorithm, heuristics: heuristics.to_vec(), preferred, cost_type, time: None }
}

/// The estimates of LAMA.
const LAMA: [HeuristicKind; 2] = [HeuristicKind::FastForward, HeuristicKind::LandmarkCount];

/// What the first thread tries.
fn first_thread() -> [Configuration; 3] {
    [
        configuration(Algorithm::GoalByGoal { effort: 60 }, &[], CostType::One),
        configuration(Algorithm::LazyGreedy, &LAMA, CostType::One),
        configuration(Algorithm::LazyGreedy, &[HeuristicKind::Add, HeuristicKind::LandmarkCount], CostType::PlusOne),
    ]
}

/// What the second thread tries, and for how many tenths of a second in the first round.
fn second_thread() -> Vec<(u32, Configuration)> {
    vec![
        (15, configuration(Algorithm::Novelty, &[HeuristicKind::OrderedGoals], CostType::One)),
        (20, configuration(GOALS_AGAIN, &[], CostType::One)),
        (15, configuration(Algorithm::LazyGreedy, &[HeuristicKind::FastForward], CostType::One)),
        (15, configuration(Algorithm::Novelty, &[HeuristicKind::LandmarkCount], CostType::One)),
        (15, configuration(Algorithm::EagerGreedy, &[HeuristicKind::FastForward], CostType::One)),
    ]
}

/// Goal by goal, again and again.
const GOALS_AGAIN: Algorithm = Algorithm::GoalByGoal { effort: 8_000 };

/// Searches in rounds, each of which gives every search four times as long as the one before: what one does not find soon, another
/// may. In the last round each may take as long as it wants. A search that ran out of memory would do so again, and is left out from
/// then on; trying goal by goal, which remembers next to nothing, is no reason to go on by itself.
fn in_rounds(task: &CompiledTask, control: &Control<'_>) -> Answer {
    let mut answer = Answer::nothing();
    let mut searches = second_thread();
    for factor in [Some(1), Some(4), Some(16), Some(64), None] {
        if searches.iter().all(|(_, search)| search.algorithm == GOALS_AGAIN) {
            break;
        }
        let mut over = false;
        searches.retain(|(tenths, search)| {
            if over {
                return true;
            }
            let time = factor.map(|factor| Duration::from_millis(100) * *tenths * factor);
            let found = in_turn(task, control, [Configuration { time, ..search.clone() }]);
            let keeps = !matches!(found.stopped, Some(Stop::Memory | Stop::States));
            over = found.is_settled() || matches!(found.stopped, Some(Stop::Time | Stop::Cancelled));
            answer.merge(found);
            keeps
        });
        if over {
            break;
        }
    }
    answer
}

/// Searches on two threads until one of them has a plan or a proof.
fn some(task: &CompiledTask, control: &Control<'_>) -> Answer {
    let over = Mutex::new(false);
    let bell = Condvar::new();
    let answer = std::thread::scope(|scope| {
        let help = || {
            let guard = over.lock().unwrap_or_else(PoisonError::into_inner);
            let wait = bell.wait_timeout_while(guard, HELP_AFTER, |over| !*over);
            let over = *wait.unwrap_or_else(PoisonError::into_inner).0;
            if over { Answer::nothing() } else { in_rounds(task, control) }
        };
        // Without a second thread the first does what it can.
        let helper = std::thread::Builder::new().name("planner".to_owned()).spawn_scoped(scope, help).ok();
        let mut answer = in_turn(task, control, first_thread());
        *over.lock().unwrap_or_else(PoisonError::into_inner) = true;
        bell.notify_all();
        if let Some(Ok(other)) = helper.map(std::thread::ScopedJoinHandle::join) {
            answer.merge(other);
        }
        if answer.is_settled() {
            // One thread told the other to stop; that is no limit reached.
            answer.stopped = None;
        }
        answer
    });
    control.resume();
    answer
}

/// Searches one after the other until there is a plan or a proof, here or in the other thread.
fn in_turn(
    task: &CompiledTask,
    control: &Control<'_>,
    configurations: impl IntoIterator<Item = Configuration>,
) -> Answer {
    let mut answer = Answer::nothing();
    for configuration in configurations {
        answer.merge(run(task, &configuration, control));
        if answer.is_settled() {
            control.finish();
        }
        if answer.stopped == Some(Stop::Time) && control.stop().is_none() {
            // Only its own time is over.
            answer.stopped = None;
        }
        // With the memory of one search free again, the next one may fare better.
        if answer.is_settled() || matches!(answer.stopped, Some(Stop::Time | Stop::Cancelled)) {
            break;
        }
    }
    answer
}

/// Searches for cheaper and cheaper plans.
fn improve(task: &CompiledTask, control: &Control<'_>, answer: &mut Answer) {
    let greedy = configuration(Algorithm::LazyGreedy, &LAMA, CostType::PlusOne);
    let weighted = [5, 3, 2].map(|weight| configuration(Algorithm::LazyAStar { weight }, &LAMA, CostType::PlusOne));
    // With the costs of the task themselves, an exhausted search proves the plan optimal.
    let last = configuration(Algorithm::LazyAStar { weight: 1 }, &LAMA, CostType::Normal);
    for configuration in std::iter::once(&greedy).chain(&weighted).chain(std::iter::repeat(&last)) {
        let before = control.bound();
        answer.merge(run(task, configuration, control));
        let through = configuration == &last && control.bound() == before;
        if answer.proof != Proof::None || answer.stopped.is_some() || through {
            break;
        }
    }
}

/// Searches for a plan of least cost.
fn optimal(task: &CompiledTask, control: &Control<'_>) -> Answer {
    let search = |kind, time| {
        let algorithm = Algorithm::AStar { weight: 1 };
        Configuration { time, ..configuration(algorithm, &[kind], CostType::Normal) }
    };
    let mut answer = run(task, &search(HeuristicKind::Blind, Some(BLIND_FOR)), control);
    if answer.stopped == Some(Stop::Time) && control.stop().is_none() {
        answer.stopped = None;
        answer.merge(run(task, &search(HeuristicKind::LandmarkCut, None), control));
    }
    if answer.solution.is_some() {
        answer.proof = Proof::Optimal;
    }
    answer
}

/// Searches once.
fn run(task: &CompiledTask, configuration: &Configuration, control: &Control<'_>) -> Answer {
    let report = search_unchecked(task, configuration, control);
    let mut answer = Answer { statistics: report.statistics, ..Answer::nothing() };
    match report.outcome {
        Outcome::Solved(solution) => {
            let solution = improve::without_needless(task, solution);
            control.found(&solution);
            answer.solution = Some(solution);
        }
        Outcome::Exhausted if control.bound() == u64::MAX => answer.proof = Proof::Unsolvable,
        Outcome::Exhausted => answer.proof = Proof::Optimal,
        Outcome::GaveUp => {}
        Outcome::Stopped(stop) => answer.stopped = Some(stop),
    }
    answer
}

impl Answer {
    fn nothing() -> Self {
        Self { solution: None, proof: Proof::None, stopped: None, statistics: Statistics::default() }
    }

    /// Whether a plan or a proof is there.
    fn is_settled(&self) -> bool {
        self.solution.is_some() || self.proof != Proof::None
    }

    /// Takes over what another search says.
    fn merge(&mut self, other: Self) {
        self.statistics = self.statistics.and_then(other.statistics);
        let cheaper = |best: &Solution| self.solution.as_ref().is_none_or(|known| best.cost < known.cost);
        if let Some(solution) = other.solution.filter(cheaper) {
            self.solution = Some(solution);
        }
        if self.proof == Proof::None {
            self.proof = other.proof;
        }
        self.stopped = other.stopped.or(self.stopped);
    }
}
