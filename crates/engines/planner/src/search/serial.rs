//! Goal by goal.
//!
//! Goals are settled in an order that respects [reasonable orders](crate::heuristics), the nearest first. For each there is a
//! small lazy greedy search, guided by `h_FF` towards that goal and those settled before; what it finds is kept. A goal that holds but
//! that the relaxed plan for all goals destroys, such as a block on the right one that stands in the way, is not held on to.
//! Where goals can be reached one after the other this takes time in proportion to the plan. Plans tend to be long, and a wrong turn is never taken
//! back, so the search gives up rather than say that there is no plan.

use super::open::Alternation;
use super::space::{Space, Status};
use super::{Configuration, Outcome, Report};
use crate::compiled::CompiledTask;
use crate::control::{Control, Meter, Statistics};
use crate::ground_task::Fact;
use crate::heuristics::{Additive, Heuristic, OrderedGoals};
use crate::state::StateId;

/// Most states expanded for one goal.
const MAX_EXPANSIONS: u32 = 2_000;

/// Most unary relaxed operators looked at in all estimates together: a few seconds.
const MAX_WORK: usize = 800_000_000;

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
    /// For each state the last goal for which it was estimated.
    seen: Vec<u32>,
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
    pub(super) fn new(task: &'s CompiledTask, configuration: &Configuration, control: &'s Control<'s>) -> Self {
        Self {
            task,
            control,
            meter: Meter::new(control, configuration.time),
            space: Space::new(task, configuration.cost_type),
            goals: OrderedGoals::new(task),
            relaxed: Additive::new(task, configuration.cost_type, true),
            seen: vec![0],
            statistics: Statistics::default(),
            operators: Vec::new(),
            stack: Vec::new(),
        }
    }

    /// Searches.
    pub(super) fn run(mut self) -> Report {
        let outcome = self.find();
        self.statistics.registered = self.space.registry.len() as u64;
        self.statistics.peak_memory = self.statistics.peak_memory.max(self.space.bytes() + self.relaxed.bytes());
        Report { outcome, statistics: self.statistics }
    }

    fn find(&mut self) -> Outcome {
        let mut current = 0;
        let mut round = 0;
        loop {
            self.space.enter(current);
            if self.task.is_goal(&self.space.current.values) {
                return Outcome::Solved(self.space.solution(current));
            }
            let all: Vec<u32> = self.task.goal.iter().map(|&fact| self.task.proposition(fact)).collect();
            self.relaxed.set_goal(&all);
            self.statistics.evaluated += 1;
            if self.relaxed.evaluate(self.task, current, &self.space.current).is_none() {
                return if current == 0 { Outcome::Exhausted } else { Outcome::GaveUp };
            }
            let rounds = MAX_ROUNDS * all.len();
            if round as usize >= rounds {
                return Outcome::GaveUp;
            }
            let Some(target) = self.target(round as usize > rounds / 2) else { return Outcome::GaveUp };
            round += 1;
            match self.reach(current, &target, round) {
                Step::Reached(id) => current = id,
                Step::Ended(outcome) => return outcome,
            }
            self.control.progress(&[(self.task.goal.len() - target.len()) as u32], &self.statistics);
        }
    }

    /// What to reach from the current state, for which there is a relaxed plan: the settled goals, all of them or those that the
    /// relaxed plan leaves alone, and the nearest other one.
    fn target(&mut self, hold_all: bool) -> Option<Vec<Fact>> {
        let state = &self.space.current;
        let (mut target, next) = self.goals.settled_and_next(state);
        let changes = |operator: u32, fact: Fact| {
            self.task.effects.row(operator).iter().any(|effect| {
                effect.conditions == 0 && effect.fact.variable == fact.variable && effect.fact.value != fact.value
            })
        };
        target.retain(|&fact| hold_all || !self.relaxed.operators().iter().any(|&operator| changes(operator, fact)));
        let cost = |&fact: &Fact| self.relaxed.cost(self.task.proposition(fact));
        let open = next.into_iter().filter(|fact| state.values[fact.variable as usize] != fact.value);
        target.push(open.min_by_key(cost)?);
        Some(target)
    }

    /// Searches for a state in which some facts hold.
    fn reach(&mut self, from: StateId, target: &[Fact], round: u32) -> Step {
        let goal: Vec<u32> = target.iter().map(|&fact| self.task.proposition(fact)).collect();
        self.relaxed.set_goal(&goal);
        let mut open = Alternation::new(1, true);
        let mut best = u32::MAX;
        let mut next = Some(from);
        self.space.successor.copy_from(&self.space.current);
        let affordable = MAX_WORK / self.relaxed.size().max(1);
        for _ in 0..MAX_EXPANSIONS {
            if self.statistics.evaluated as usize > affordable {
                break;
            }
            if let Some(id) = next
                && let Some(estimate) = self.estimate(id, round)
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
                next = self.take(parent, operator, round);
                if next.is_some() {
                    break;
                }
            }
        }
        Step::Ended(Outcome::GaveUp)
    }

    /// Takes a step. The state it leads to, if that was not estimated for this goal.
    fn take(&mut self, parent: StateId, operator: u32, round: u32) -> Option<StateId> {
        self.space.enter(parent);
        if self.space.costs_after(operator).1 >= self.control.bound() {
            return None;
        }
        self.statistics.generated += 1;
        let id = self.space.step(operator)?.id;
        if self.seen.len() <= id as usize {
            self.seen.resize(id as usize + 1, 0);
        }
        (self.seen[id as usize] != round && self.space.status[id as usize] != Status::Dead).then_some(id)
    }

    fn estimate(&mut self, id: StateId, round: u32) -> Option<u32> {
        self.seen[id as usize] = round;
        self.statistics.evaluated += 1;
        let estimate = self.relaxed.evaluate(self.task, id, &self.space.successor);
        if estimate.is_none() {
            self.statistics.dead_ends += 1;
            self.space.status[id as usize] = Status::Dead;
        }
        estimate
    }

    fn expand(&mut self, id: StateId, estimate: u32, open: &mut Alternation<(StateId, u32)>) {
        self.statistics.expanded += 1;
        let values = &self.space.successor.values;
        self.task.successors.applicable(values, &mut self.stack, &mut self.operators);
        for &operator in &self.operators {
            let preferred = self.relaxed.preferred().contains(&operator);
            open.push(&[(u64::from(estimate), 0)], preferred, (id, operator));
        }
    }
}
