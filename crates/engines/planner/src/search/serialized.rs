//! Serialised search: goals are achieved one by one.
//!
//! Goals are ordered by [reasonable orders](crate::heuristics), then by estimated cost. Each is achieved by a small lazy greedy
//! search guided by `h_FF` towards that goal and the goals achieved before; the path found is kept. An achieved goal that the
//! relaxed plan for all goals destroys, such as a block on the right block that is in the way, is not maintained. Where the
//! goals can be serialised, the effort is proportional to the length of the plan. Plans tend to be long, and decisions are
//! never revised, so failure does not prove that no plan exists.
//!
//! The search can restart from the initial state (squeaky wheel optimisation, Joslin and Clements 1999): goals that became
//! unreachable get a higher priority, and ties are broken pseudo-randomly.

use super::open_list::AlternatingOpenList;
use super::space::{SearchSpace, Status};
use super::{SearchConfiguration, SearchOutcome, SearchReport};
use crate::control::SearchStatistics;
use crate::ground_task::Fact;
use crate::heuristics::{Additive, Heuristic, OrderedGoals};
use crate::lane::{Lane, LimitChecker};
use crate::random::Random;
use crate::search_task::SearchTask;
use crate::state::StateId;
use rustc_hash::FxHashMap;

/// Maximum number of states expanded for one goal.
const MAX_EXPANSIONS: u32 = 2_000;

/// Maximum number of unary relaxed operators processed by all evaluations of an attempt: a few seconds.
const MAX_WORK: usize = 800_000_000;

/// Minimum size of a task, in unary relaxed operators, for the estimate of evaluation effort.
const MIN_SIZE: usize = 1_000;

/// Maximum number of subgoals per goal of the task; goals that are not maintained may have to be achieved again. In the second
/// half all achieved goals are maintained, so that two of them cannot undo each other forever.
const MAX_ROUNDS: usize = 4;

/// A serialised search.
pub(super) struct SerializedSearch<'s> {
    task: &'s SearchTask,
    lane: &'s Lane<'s>,
    meter: LimitChecker<'s>,
    space: SearchSpace<'s>,
    goals: OrderedGoals,
    relaxed: Additive,
    /// The goals, as propositions.
    all: Vec<u32>,
    /// For each goal the number of attempts that failed because of it.
    urgency: Vec<u32>,
    /// For each goal the number of dead ends it caused in the current attempt.
    culprits: Vec<u32>,
    /// Whether the current attempt has found that achieving one goal can make others unreachable, so that dead ends are
    /// detected for all goals.
    checks_all_goals: bool,
    /// Maximum number of restarts.
    effort: u32,
    /// Number of evaluations after which no new attempt starts.
    max_evaluations: u64,
    /// The index of the current attempt.
    attempt: u32,
    /// The number of searches for a single goal so far.
    searches: u32,
    /// Value of `statistics.evaluated` at which the current attempt ends.
    evaluation_limit: u64,
    /// For each state the last search for a single goal in which it was evaluated.
    seen: Vec<u32>,
    random: Random,
    statistics: SearchStatistics,
    operators: Vec<u32>,
    stack: Vec<u32>,
}

/// The result of the search for one goal.
enum SubgoalResult {
    Reached(StateId),
    Ended(SearchOutcome),
}

impl<'s> SerializedSearch<'s> {
    /// Prepares a search.
    pub(super) fn new(
        task: &'s SearchTask,
        configuration: &SearchConfiguration,
        lane: &'s Lane<'s>,
        effort: u32,
    ) -> Self {
        let relaxed = Additive::new(task, configuration.cost_type, true);
        let all: Vec<u32> = task.goal.iter().map(|&fact| task.proposition(fact)).collect();
        Self {
            task,
            lane,
            meter: LimitChecker::new(lane, configuration.work_limit),
            space: SearchSpace::new(task, configuration.cost_type),
            goals: OrderedGoals::new(task, &|work| lane.spend(work)),
            urgency: vec![0; all.len()],
            culprits: vec![0; all.len()],
            all,
            checks_all_goals: false,
            effort,
            max_evaluations: u64::from(effort) * 1_000_000 / relaxed.size().max(MIN_SIZE) as u64,
            relaxed,
            attempt: 0,
            searches: 0,
            evaluation_limit: 0,
            seen: vec![0],
            // Searches with different efforts differ.
            random: Random::new(lane.control().seed(), u64::from(effort)),
            statistics: SearchStatistics::default(),
            operators: Vec::new(),
            stack: Vec::new(),
        }
    }

    /// Runs the search.
    pub(super) fn run(mut self) -> SearchReport {
        let outcome = self.try_all();
        self.statistics.work = self.space.work() + self.relaxed.work();
        self.statistics.registered = self.space.registry.len() as u64;
        self.statistics.peak_memory = self.statistics.peak_memory.max(self.space.bytes() + self.relaxed.bytes());
        SearchReport { outcome, statistics: self.statistics }
    }

    fn try_all(&mut self) -> SearchOutcome {
        let limit = (MAX_WORK / self.relaxed.size().max(1)) as u64;
        loop {
            self.evaluation_limit = self.statistics.evaluated + limit;
            let outcome = self.find();
            self.attempt += 1;
            if outcome != SearchOutcome::Incomplete
                || self.attempt > self.effort
                || self.statistics.evaluated >= self.max_evaluations
            {
                return outcome;
            }
            let max = self.culprits.iter().copied().max().unwrap_or(0);
            for (urgency, culprit) in self.urgency.iter_mut().zip(&mut self.culprits) {
                *urgency += u32::from(*culprit > 0 && *culprit >= max / 2);
                *culprit = 0;
            }
        }
    }

    /// Runs one attempt.
    fn find(&mut self) -> SearchOutcome {
        let (mut current, mut previous) = (0, 0);
        let rounds = MAX_ROUNDS * self.all.len();
        self.checks_all_goals = self.attempt > 0;
        for round in 0..=rounds {
            self.space.enter(current);
            if self.task.is_goal(&self.space.current.values) {
                return SearchOutcome::Solved(self.space.solution(current));
            }
            self.relaxed.set_goal(&self.all);
            self.statistics.evaluated += 1;
            if self.relaxed.evaluate(self.task, current, &self.space.current).is_none() {
                self.space.status[current as usize] = Status::Dead;
                if self.checks_all_goals || current == 0 {
                    return if current == 0 { SearchOutcome::Exhausted } else { SearchOutcome::Incomplete };
                }
                // The last goal has to be achieved in a different way.
                self.checks_all_goals = true;
                current = previous;
                continue;
            }
            let Some(target) = self.target(round > rounds / 2).filter(|_| round < rounds) else { break };
            match self.reach(current, &target) {
                SubgoalResult::Reached(id) => (previous, current) = (current, id),
                SubgoalResult::Ended(outcome) => {
                    self.blame(target[target.len() - 1]);
                    return outcome;
                }
            }
            self.lane.control().progress(&[(self.task.goal.len() - target.len()) as u32], &self.statistics);
        }
        SearchOutcome::Incomplete
    }

    fn blame(&mut self, fact: Fact) {
        if let Some(place) = self.task.goal.iter().position(|&goal| goal == fact) {
            self.culprits[place] += 1;
        }
    }

    /// Returns the facts to reach next from the current state, for which there is a relaxed plan: the achieved goals, either
    /// all of them or those that the relaxed plan does not change, followed by the open goal with the highest urgency and then
    /// the lowest cost.
    fn target(&mut self, hold_all: bool) -> Option<Vec<Fact>> {
        let (mut target, next) = self.goals.settled_and_next(&self.space.current);
        if !hold_all {
            let changes = self.changes();
            target.retain(|fact| {
                !changes.get(&fact.variable).is_some_and(|change| change.is_none_or(|v| v != fact.value))
            });
        }
        let mut best = None;
        for fact in next {
            if self.space.current.values[fact.variable as usize] == fact.value {
                continue;
            }
            let mut cost = u64::from(self.relaxed.cost(self.task.proposition(fact)));
            let mut urgency = 0;
            if self.attempt > 0 {
                cost = cost * (4 + self.random.below(4)) + self.random.below(4);
                urgency = self.task.goal.iter().position(|&goal| goal == fact).map_or(0, |place| self.urgency[place]);
            }
            let key = (std::cmp::Reverse(urgency), cost);
            if best.as_ref().is_none_or(|(known, _)| key < *known) {
                best = Some((key, fact));
            }
        }
        target.push(best?.1);
        Some(target)
    }

    /// Returns the variables that the last relaxed plan changes, with their value; `None` for a variable with several values.
    fn changes(&self) -> FxHashMap<u32, Option<u32>> {
        let mut changes = FxHashMap::default();
        for &operator in self.relaxed.operators() {
            for effect in self.task.effects.row(operator).iter().filter(|effect| effect.conditions == 0) {
                let value = Some(effect.fact.value);
                let known = changes.entry(effect.fact.variable).or_insert(value);
                if *known != value {
                    *known = None;
                }
            }
        }
        changes
    }

    /// Sets the facts that the relaxed plan is computed for. Dead ends are detected for these facts or, if careful, for all
    /// goals.
    fn set_subgoal(&mut self, goal: &[u32]) {
        self.relaxed.set_goal_and_part(if self.checks_all_goals { &self.all } else { goal }, goal);
    }

    /// Searches for a state in which all facts of `target` hold.
    fn reach(&mut self, from: StateId, target: &[Fact]) -> SubgoalResult {
        let goal: Vec<u32> = target.iter().map(|&fact| self.task.proposition(fact)).collect();
        self.set_subgoal(&goal);
        self.searches += 1;
        let mut open = AlternatingOpenList::new(1, true);
        let mut best = u32::MAX;
        let mut next = Some(from);
        self.space.successor.copy_from(&self.space.current);
        for _ in 0..MAX_EXPANSIONS {
            if self.statistics.evaluated > self.evaluation_limit {
                break;
            }
            if let Some(id) = next
                && let Some(estimate) = self.estimate(id)
            {
                if SearchTask::holds(target, &self.space.successor.values) {
                    return SubgoalResult::Reached(id);
                }
                if estimate < best {
                    best = estimate;
                    open.boost();
                }
                self.expand(id, estimate, &mut open);
            }
            loop {
                let bytes = || self.space.bytes() + self.relaxed.bytes() + open.bytes();
                let work = self.space.work() + self.relaxed.work();
                if let Some(stop) = self.meter.check(work, self.space.registry.len(), bytes, &mut self.statistics) {
                    return SubgoalResult::Ended(stop);
                }
                let Some((parent, operator)) = open.pop() else {
                    return SubgoalResult::Ended(SearchOutcome::Incomplete);
                };
                next = self.take(parent, operator);
                if next.is_some() {
                    break;
                }
            }
        }
        SubgoalResult::Ended(SearchOutcome::Incomplete)
    }

    /// Applies the operator of an open-list entry. Returns the successor if it has not been evaluated for this goal.
    fn take(&mut self, parent: StateId, operator: u32) -> Option<StateId> {
        self.space.enter(parent);
        if self.space.costs_after(operator).1 >= self.lane.control().bound() {
            return None;
        }
        self.statistics.generated += 1;
        let id = self.space.step(operator)?.id;
        if self.seen.len() <= id as usize {
            self.seen.resize(id as usize + 1, 0);
        }
        let fresh = self.seen[id as usize] != self.searches && self.space.status[id as usize] != Status::Dead;
        fresh.then_some(id)
    }

    /// Evaluates the state generated last.
    fn estimate(&mut self, id: StateId) -> Option<u32> {
        self.seen[id as usize] = self.searches;
        self.statistics.evaluated += 1;
        let estimate = self.relaxed.evaluate(self.task, id, &self.space.successor);
        if estimate.is_none() {
            self.statistics.dead_ends += 1;
            self.space.status[id as usize] = Status::Dead;
            for (culprit, &goal) in self.culprits.iter_mut().zip(&self.all) {
                *culprit += u32::from(self.checks_all_goals && !self.relaxed.is_reached(goal));
            }
        }
        estimate
    }

    fn expand(&mut self, id: StateId, estimate: u32, open: &mut AlternatingOpenList<(StateId, u32)>) {
        self.statistics.expanded += 1;
        let values = &self.space.successor.values;
        self.task.successors.applicable(values, &mut self.stack, &mut self.operators);
        self.space.queued(self.operators.len());
        if self.attempt > 0 {
            self.random.shuffle(&mut self.operators);
        }
        for &operator in &self.operators {
            let preferred = self.relaxed.preferred().contains(&operator);
            open.push(&[(u64::from(estimate), 0)], (0, 0), preferred, (id, operator));
        }
    }
}
