//! Goal by goal.
//!
//! Goals are settled in an order that respects [reasonable orders](crate::heuristics), the nearest first. For each there is a
//! small lazy greedy search, guided by `h_FF` towards that goal and those settled before; what it finds is kept. A goal that holds but
//! that the relaxed plan for all goals destroys, such as a block on the right one that stands in the way, is not held on to.
//! Where goals can be reached one after the other this takes time in proportion to the plan. Plans tend to be long, and a wrong turn is never taken
//! back, so the search gives up rather than say that there is no plan.
//!
//! It may try again from the start (squeaky wheel optimisation, Joslin and Clements 1999): goals that could not be reached any
//! more come sooner then, and what looks alike is tried in another order. Numbers for that are made up from a fixed seed.

use super::open::Alternation;
use super::space::{Space, Status};
use super::{Configuration, Outcome, Report};
use crate::compiled::CompiledTask;
use crate::control::{Control, Meter, Statistics};
use crate::ground_task::Fact;
use crate::heuristics::{Additive, Heuristic, OrderedGoals};
use crate::state::StateId;
use rustc_hash::FxHashMap;

/// Most states expanded for one goal.
const MAX_EXPANSIONS: u32 = 2_000;

/// Most unary relaxed operators looked at in all estimates of an attempt: a few seconds.
const MAX_WORK: usize = 800_000_000;

/// What an estimate in the smallest tasks takes, in relaxed operators.
const LEAST_SIZE: usize = 1_000;

/// Most goals reached for each goal of the task: those not held on to may have to be reached again. In the second half of them
/// all goals are held on to, lest two of them undo each other for ever.
const MAX_ROUNDS: usize = 4;

/// A search goal by goal.
pub(super) struct Serial<'s> {
    task: &'s CompiledTask,
    control: &'s Control<'s>,
    meter: Meter<'s>,
    space: Space<'s>,
    goals: OrderedGoals,
    relaxed: Additive,
    /// The goal as propositions.
    all: Vec<u32>,
    /// For each goal how often an attempt failed because of it.
    urgency: Vec<u32>,
    /// For each goal how many dead ends of this attempt it made.
    culprits: Vec<u32>,
    /// Whether this attempt has seen that reaching a goal can make others unreachable, so that all are looked at.
    careful: bool,
    /// How many attempts there may be beside the first.
    effort: u32,
    /// How many estimates there may be before the last attempt begins.
    patience: u64,
    /// Which attempt this is.
    attempt: u32,
    /// How many searches for one goal there were.
    searches: u32,
    /// How many estimates there may be in this attempt.
    affordable: u64,
    /// For each state the last search for one goal in which it was estimated.
    seen: Vec<u32>,
    random: u64,
    statistics: Statistics,
    operators: Vec<u32>,
    stack: Vec<u32>,
}

/// What came of the search for one goal.
enum Step {
    Reached(StateId),
    Ended(Outcome),
}

impl<'s> Serial<'s> {
    /// A search that has not begun.
    pub(super) fn new(
        task: &'s CompiledTask,
        configuration: &Configuration,
        control: &'s Control<'s>,
        effort: u32,
    ) -> Self {
        let relaxed = Additive::new(task, configuration.cost_type, true);
        let all: Vec<u32> = task.goal.iter().map(|&fact| task.proposition(fact)).collect();
        Self {
            task,
            control,
            meter: Meter::new(control, configuration.time),
            space: Space::new(task, configuration.cost_type),
            goals: OrderedGoals::new(task, &|| control.stop().is_some()),
            urgency: vec![0; all.len()],
            culprits: vec![0; all.len()],
            all,
            careful: false,
            effort,
            patience: u64::from(effort) * 1_000_000 / relaxed.size().max(LEAST_SIZE) as u64,
            relaxed,
            attempt: 0,
            searches: 0,
            affordable: 0,
            seen: vec![0],
            // Another effort is another search.
            random: 0x9e37_79b9_7f4a_7c15 ^ u64::from(effort),
            statistics: Statistics::default(),
            operators: Vec::new(),
            stack: Vec::new(),
        }
    }

    /// Searches.
    pub(super) fn run(mut self) -> Report {
        let outcome = self.try_all();
        self.statistics.registered = self.space.registry.len() as u64;
        self.statistics.peak_memory = self.statistics.peak_memory.max(self.space.bytes() + self.relaxed.bytes());
        Report { outcome, statistics: self.statistics }
    }

    fn try_all(&mut self) -> Outcome {
        let most = (MAX_WORK / self.relaxed.size().max(1)) as u64;
        loop {
            self.affordable = self.statistics.evaluated + most;
            let outcome = self.find();
            self.attempt += 1;
            if outcome != Outcome::GaveUp || self.attempt > self.effort || self.statistics.evaluated >= self.patience {
                return outcome;
            }
            let most = self.culprits.iter().copied().max().unwrap_or(0);
            for (urgency, culprit) in self.urgency.iter_mut().zip(&mut self.culprits) {
                *urgency += u32::from(*culprit > 0 && *culprit >= most / 2);
                *culprit = 0;
            }
        }
    }

    /// An attempt.
    fn find(&mut self) -> Outcome {
        let (mut current, mut previous) = (0, 0);
        let rounds = MAX_ROUNDS * self.all.len();
        self.careful = self.attempt > 0;
        for round in 0..=rounds {
            self.space.enter(current);
            if self.task.is_goal(&self.space.current.values) {
                return Outcome::Solved(self.space.solution(current));
            }
            self.relaxed.set_goal(&self.all);
            self.statistics.evaluated += 1;
            if self.relaxed.evaluate(self.task, current, &self.space.current).is_none() {
                self.space.status[current as usize] = Status::Dead;
                if self.careful || current == 0 {
                    return if current == 0 { Outcome::Exhausted } else { Outcome::GaveUp };
                }
                // The last goal is to be reached in another way.
                self.careful = true;
                current = previous;
                continue;
            }
            let Some(target) = self.target(round > rounds / 2).filter(|_| round < rounds) else { break };
            match self.reach(current, &target) {
                Step::Reached(id) => (previous, current) = (current, id),
                Step::Ended(outcome) => {
                    self.blame(target[target.len() - 1]);
                    return outcome;
                }
            }
            self.control.progress(&[(self.task.goal.len() - target.len()) as u32], &self.statistics);
        }
        Outcome::GaveUp
    }

    fn blame(&mut self, fact: Fact) {
        if let Some(place) = self.task.goal.iter().position(|&goal| goal == fact) {
            self.culprits[place] += 1;
        }
    }

    /// What to reach from the current state, for which there is a relaxed plan: the settled goals, all of them or those that the
    /// relaxed plan leaves alone, and of the other ones the most urgent, of these the nearest.
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
                cost = cost * (4 + self.random_below(4)) + self.random_below(4);
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

    /// For each variable that the relaxed plan of the state evaluated last sets the value; `None`: several.
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

    /// A number made up, below a bound.
    fn random_below(&mut self, bound: u64) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 32) % bound
    }

    /// Lets the relaxed plan be one for some facts, and states be dead ends by these or by all goals.
    fn aim(&mut self, goal: &[u32]) {
        self.relaxed.set_goal_and_part(if self.careful { &self.all } else { goal }, goal);
    }

    /// Searches for a state in which some facts hold.
    fn reach(&mut self, from: StateId, target: &[Fact]) -> Step {
        let goal: Vec<u32> = target.iter().map(|&fact| self.task.proposition(fact)).collect();
        self.aim(&goal);
        self.searches += 1;
        let mut open = Alternation::new(1, true);
        let mut best = u32::MAX;
        let mut next = Some(from);
        self.space.successor.copy_from(&self.space.current);
        for _ in 0..MAX_EXPANSIONS {
            if self.statistics.evaluated > self.affordable {
                break;
            }
            if let Some(id) = next
                && let Some(estimate) = self.estimate(id)
            {
                if CompiledTask::holds(target, &self.space.successor.values) {
                    return Step::Reached(id);
                }
                if estimate < best {
                    best = estimate;
                    open.boost();
                }
                self.expand(id, estimate, &mut open);
            }
            loop {
                let bytes = || self.space.bytes() + self.relaxed.bytes() + open.bytes();
                if let Some(stop) = self.meter.check(self.space.registry.len(), bytes, &mut self.statistics) {
                    return Step::Ended(Outcome::Stopped(stop));
                }
                let Some((parent, operator)) = open.pop() else { return Step::Ended(Outcome::GaveUp) };
                next = self.take(parent, operator);
                if next.is_some() {
                    break;
                }
            }
        }
        Step::Ended(Outcome::GaveUp)
    }

    /// Takes a step. The state it leads to, if that was not estimated for this goal.
    fn take(&mut self, parent: StateId, operator: u32) -> Option<StateId> {
        self.space.enter(parent);
        if self.space.costs_after(operator).1 >= self.control.bound() {
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

    /// Estimates the state reached last.
    fn estimate(&mut self, id: StateId) -> Option<u32> {
        self.seen[id as usize] = self.searches;
        self.statistics.evaluated += 1;
        let estimate = self.relaxed.evaluate(self.task, id, &self.space.successor);
        if estimate.is_none() {
            self.statistics.dead_ends += 1;
            self.space.status[id as usize] = Status::Dead;
            for (culprit, &goal) in self.culprits.iter_mut().zip(&self.all) {
                *culprit += u32::from(self.careful && !self.relaxed.is_reached(goal));
            }
        }
        estimate
    }

    fn expand(&mut self, id: StateId, estimate: u32, open: &mut Alternation<(StateId, u32)>) {
        self.statistics.expanded += 1;
        let values = &self.space.successor.values;
        self.task.successors.applicable(values, &mut self.stack, &mut self.operators);
        if self.attempt > 0 {
            for place in 1..self.operators.len() {
                let other = self.random_below(place as u64 + 1) as usize;
                self.operators.swap(place, other);
            }
        }
        for &operator in &self.operators {
            let preferred = self.relaxed.preferred().contains(&operator);
            open.push(&[(u64::from(estimate), 0)], preferred, (id, operator));
        }
    }
}
