//! Eager best-first search: states are evaluated when they are generated.

use super::open_list::{AlternatingOpenList, OpenList, TieBreaking};
use super::space::{SearchSpace, Status};
use super::{Algorithm, SearchConfiguration, SearchOutcome, SearchReport};
use crate::control::SearchStatistics;
use crate::heuristics::Heuristic;
use crate::lane::{Lane, LimitChecker};
use crate::search_task::{CostType, SearchTask};
use crate::state::{State, StateId};

/// A generated state to be inserted into the open list.
pub(crate) struct Generated<'g> {
    /// The task.
    pub(super) task: &'g SearchTask,
    /// The id of the state.
    pub(super) id: StateId,
    /// The state.
    pub(super) state: &'g State,
    /// The parent; `None` for the initial state.
    pub(super) parent: Option<(StateId, &'g State)>,
    /// The cost of the path to the state.
    pub(super) g: u64,
    /// Whether the operator that generated the state was preferred.
    pub(super) preferred: bool,
}

/// An evaluator with its open list, which determines the order of expansion.
pub(crate) trait ExpansionOrder {
    /// Whether states are reopened when a cheaper path to them is found.
    const REOPENS: bool;

    /// Reports a transition to a known state.
    fn on_known_transition(&mut self, _parent: StateId, _before: &State, _id: StateId, _state: &State) {}

    /// Evaluates a new state and inserts it into the open list. Returns `false` for a dead end.
    fn push(&mut self, generated: &Generated<'_>) -> bool;

    /// Inserts a state again after a cheaper path to it was found.
    fn reopen(&mut self, _id: StateId, _g: u64) {}

    /// Removes the next state. Returns it with the path cost at the time of its insertion.
    fn pop(&mut self) -> Option<(StateId, u64)>;

    /// Evaluates a state again before it is expanded. Returns whether it is to be expanded now; otherwise it is a dead end or was
    /// inserted again.
    fn confirm(&mut self, _task: &SearchTask, _id: StateId, _state: &State, _g: u64, _search: &SearchEffort) -> bool {
        true
    }

    /// Returns the preferred operators of a state that is being expanded.
    fn preferred(&mut self, _task: &SearchTask, _id: StateId, _state: &State) -> &[u32] {
        &[]
    }

    /// Returns the minimum heuristic values if one of them has decreased since the last call.
    fn progress(&mut self) -> Option<&[u32]> {
        None
    }

    /// Returns the work of all evaluations.
    fn work(&self) -> u64;

    /// Returns the memory in bytes.
    fn bytes(&self) -> usize;
}

/// The effort of a search so far, apart from its heuristics.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SearchEffort {
    /// The number of expanded states.
    pub(super) expanded: u64,
    /// The number of evaluated states.
    pub(super) evaluated: u64,
    /// The work without that of heuristics.
    pub(super) work: u64,
}

/// Runs the search.
pub(super) fn search<R: ExpansionOrder>(
    task: &SearchTask,
    configuration: &SearchConfiguration,
    lane: &Lane<'_>,
    ranking: &mut R,
) -> SearchReport {
    let mut search = EagerSearch::new(task, configuration, lane, R::REOPENS);
    search.meter.set_work_limit(configuration.work_limit);
    let outcome = search.find(ranking);
    SearchReport { outcome, statistics: search.statistics(ranking) }
}

/// A search that can be continued after it has reached a limit on its work.
pub(crate) struct ResumableSearch<'e, R> {
    search: EagerSearch<'e>,
    order: R,
}

impl<'e, R: ExpansionOrder> ResumableSearch<'e, R> {
    /// Prepares a search with a limit on its memory.
    pub(super) fn new(task: &'e SearchTask, configuration: &SearchConfiguration, lane: &'e Lane<'e>, order: R) -> Self {
        Self { search: EagerSearch::new(task, configuration, lane, R::REOPENS), order }
    }

    /// Continues the search, with limits on its total work and on its memory.
    pub(crate) fn run(&mut self, work_limit: u64, memory: Option<usize>) -> SearchOutcome {
        self.search.meter.set_work_limit(Some(work_limit));
        self.search.meter.set_memory(memory);
        self.search.find(&mut self.order)
    }

    /// Returns the statistics.
    pub(crate) fn statistics(&self) -> SearchStatistics {
        self.search.statistics(&self.order)
    }

    /// Returns the order.
    pub(crate) fn order(&self) -> &R {
        &self.order
    }
}

struct EagerSearch<'e> {
    task: &'e SearchTask,
    lane: &'e Lane<'e>,
    meter: LimitChecker<'e>,
    space: SearchSpace<'e>,
    statistics: SearchStatistics,
    is_preferred: Vec<bool>,
    /// Whether a state was pruned as too expensive that may be reachable at lower cost.
    has_pruned: bool,
    /// Whether every state eventually receives its minimum cost in the task.
    exact: bool,
}

impl<'e> EagerSearch<'e> {
    fn new(task: &'e SearchTask, configuration: &SearchConfiguration, lane: &'e Lane<'e>, reopens: bool) -> Self {
        let is_orbit_search = matches!(configuration.algorithm, Algorithm::OrbitAStar);
        let symmetries = is_orbit_search.then(|| task.symmetries()).filter(|symmetries| !symmetries.is_empty());
        Self {
            task,
            lane,
            meter: LimitChecker::new(lane, None),
            space: SearchSpace::with_symmetries(task, configuration.cost_type, symmetries),
            statistics: SearchStatistics::default(),
            is_preferred: vec![false; task.operator_count()],
            has_pruned: false,
            exact: reopens && configuration.cost_type == CostType::Normal,
        }
    }

    fn statistics<R: ExpansionOrder>(&self, ranking: &R) -> SearchStatistics {
        let (space, mut statistics) = (&self.space, self.statistics);
        statistics.work = space.work() + ranking.work();
        statistics.registered = space.registry.len() as u64;
        statistics.peak_memory = statistics.peak_memory.max(space.bytes() + ranking.bytes());
        statistics
    }

    fn find<R: ExpansionOrder>(&mut self, ranking: &mut R) -> SearchOutcome {
        let (mut stack, mut operators) = (Vec::new(), Vec::new());
        if self.statistics.evaluated == 0 {
            self.statistics.evaluated = 1;
            let initial =
                Generated { task: self.task, id: 0, state: &self.space.current, parent: None, g: 0, preferred: false };
            if !ranking.push(&initial) {
                self.statistics.dead_ends = 1;
                return SearchOutcome::Exhausted;
            }
        }
        while let Some((id, g)) = ranking.pop() {
            let node = self.space.nodes[id as usize];
            if self.space.status[id as usize] == Status::Closed || g != node.g {
                continue;
            }
            if node.cost >= self.lane.control().bound() {
                self.has_pruned |= !self.exact;
                continue;
            }
            self.space.enter(id);
            if self.task.is_goal(&self.space.current.values) {
                return SearchOutcome::Solved(self.space.solution(id));
            }
            let effort = SearchEffort {
                expanded: self.statistics.expanded,
                evaluated: self.statistics.evaluated,
                work: self.space.work(),
            };
            if !ranking.confirm(self.task, id, &self.space.current, g, &effort) {
                if let Some(stop) = self.check(ranking) {
                    return stop;
                }
                continue;
            }
            self.space.status[id as usize] = Status::Closed;
            self.statistics.expanded += 1;
            self.task.successors.applicable(&self.space.current.values, &mut stack, &mut operators);
            self.space.queued(operators.len());
            if let Some(stop) = self.expand(ranking, id, &operators) {
                return stop;
            }
            if let Some(estimates) = ranking.progress() {
                self.lane.control().progress(estimates, &self.statistics);
            }
        }
        if self.has_pruned { SearchOutcome::Incomplete } else { SearchOutcome::Exhausted }
    }

    /// Generates the successors of a state. Returns the outcome of the search if a limit is reached.
    fn expand<R: ExpansionOrder>(&mut self, ranking: &mut R, id: StateId, operators: &[u32]) -> Option<SearchOutcome> {
        let preferred = ranking.preferred(self.task, id, &self.space.current).to_vec();
        for &operator in &preferred {
            self.is_preferred[operator as usize] = true;
        }
        let mut stop = self.check(ranking);
        for &operator in operators {
            // The expansion is finished before a search stops that can be continued.
            if stop.as_ref().is_some_and(|stop| *stop != SearchOutcome::OutOfWork) {
                break;
            }
            if self.generate(ranking, id, operator) {
                stop = self.check(ranking).or(stop);
            }
        }
        for operator in preferred {
            self.is_preferred[operator as usize] = false;
        }
        stop
    }

    fn check<R: ExpansionOrder>(&mut self, ranking: &R) -> Option<SearchOutcome> {
        let space = &self.space;
        self.meter.check(
            space.work() + ranking.work(),
            space.registry.len(),
            || space.bytes() + ranking.bytes(),
            &mut self.statistics,
        )
    }

    /// Generates a successor. Returns whether it is new.
    fn generate<R: ExpansionOrder>(&mut self, ranking: &mut R, id: StateId, operator: u32) -> bool {
        let (g, cost) = self.space.costs_after(operator);
        if cost >= self.lane.control().bound() {
            self.has_pruned |= !self.exact;
            return false;
        }
        self.statistics.generated += 1;
        let Some(reached) = self.space.step(operator) else { return false };
        if reached.new {
            self.statistics.evaluated += 1;
            let alive = ranking.push(&Generated {
                task: self.task,
                id: reached.id,
                state: &self.space.successor,
                parent: Some((id, &self.space.current)),
                g,
                preferred: self.is_preferred[operator as usize],
            });
            if !alive {
                self.statistics.dead_ends += 1;
                self.space.status[reached.id as usize] = Status::Dead;
            }
            return true;
        }
        if self.space.status[reached.id as usize] == Status::Dead {
            return false;
        }
        ranking.on_known_transition(id, &self.space.current, reached.id, &self.space.successor);
        if R::REOPENS && reached.better {
            self.space.set_parent(reached.id, operator);
            if self.space.status[reached.id as usize] == Status::Closed {
                self.statistics.reopened += 1;
                self.space.status[reached.id as usize] = Status::Open;
            }
            ranking.reopen(reached.id, g);
        }
        false
    }
}

/// The order by `g + weight * h`; ties are broken by lower `h`.
pub(super) struct WeightedOrder {
    heuristic: Box<dyn Heuristic>,
    weight: u64,
    estimates: Vec<u32>,
    open: OpenList<(StateId, u64)>,
}

impl WeightedOrder {
    pub(super) fn new(heuristic: Box<dyn Heuristic>, weight: u32, ties: TieBreaking) -> Self {
        Self { heuristic, weight: u64::from(weight), estimates: Vec::new(), open: OpenList::new(ties) }
    }
}

impl ExpansionOrder for WeightedOrder {
    const REOPENS: bool = true;

    fn on_known_transition(&mut self, parent: StateId, before: &State, id: StateId, state: &State) {
        self.heuristic.transition(parent, before, id, state);
    }

    fn push(&mut self, generated: &Generated<'_>) -> bool {
        let &Generated { task, id, state, parent, g, .. } = generated;
        match parent {
            Some((parent, before)) => self.heuristic.transition(parent, before, id, state),
            None => self.heuristic.begin(id, state),
        }
        let estimate = self.heuristic.evaluate(task, id, state);
        self.estimates.push(estimate.unwrap_or(u32::MAX));
        if estimate.is_some() {
            self.reopen(id, g);
        }
        estimate.is_some()
    }

    fn reopen(&mut self, id: StateId, g: u64) {
        let h = u64::from(self.estimates[id as usize]);
        self.open.push((g + self.weight * h, h), (id, g));
    }

    fn pop(&mut self) -> Option<(StateId, u64)> {
        self.open.pop()
    }

    fn work(&self) -> u64 {
        self.heuristic.work()
    }

    fn bytes(&self) -> usize {
        self.heuristic.bytes() + self.estimates.capacity() * 4 + self.open.bytes()
    }
}

/// The order by several heuristics with one open list each, served alternately.
pub(super) struct GreedyOrder {
    heuristics: Vec<Box<dyn Heuristic>>,
    prefer: bool,
    preferred: Vec<u32>,
    best: Vec<u32>,
    improved: bool,
    open: AlternatingOpenList<(StateId, u64)>,
}

impl GreedyOrder {
    pub(super) fn new(heuristics: Vec<Box<dyn Heuristic>>, prefer: bool) -> Self {
        Self {
            best: vec![u32::MAX; heuristics.len()],
            open: AlternatingOpenList::new(heuristics.len(), prefer),
            prefer,
            preferred: Vec::new(),
            improved: false,
            heuristics,
        }
    }
}

impl ExpansionOrder for GreedyOrder {
    const REOPENS: bool = false;

    fn on_known_transition(&mut self, parent: StateId, before: &State, id: StateId, state: &State) {
        for heuristic in &mut self.heuristics {
            heuristic.transition(parent, before, id, state);
        }
    }

    fn push(&mut self, generated: &Generated<'_>) -> bool {
        let &Generated { task, id, state, parent, g, preferred } = generated;
        let mut keys = Vec::with_capacity(self.heuristics.len());
        for (heuristic, best) in self.heuristics.iter_mut().zip(&mut self.best) {
            match parent {
                Some((parent, before)) => heuristic.transition(parent, before, id, state),
                None => heuristic.begin(id, state),
            }
            let Some(estimate) = heuristic.evaluate(task, id, state) else { return false };
            if estimate < *best {
                self.improved |= *best != u32::MAX;
                *best = estimate;
            }
            keys.push((u64::from(estimate), 0));
        }
        self.open.push(&keys, (keys[0].0, g), preferred, (id, g));
        true
    }

    fn pop(&mut self) -> Option<(StateId, u64)> {
        self.open.pop()
    }

    fn preferred(&mut self, task: &SearchTask, id: StateId, state: &State) -> &[u32] {
        self.preferred.clear();
        if self.prefer {
            // Few states are expanded: evaluating them again is cheaper than storing the preferred operators of every state.
            for heuristic in &mut self.heuristics {
                heuristic.evaluate(task, id, state);
                self.preferred.extend_from_slice(heuristic.preferred());
            }
        }
        &self.preferred
    }

    fn progress(&mut self) -> Option<&[u32]> {
        if !std::mem::take(&mut self.improved) {
            return None;
        }
        self.open.boost();
        Some(&self.best)
    }

    fn work(&self) -> u64 {
        self.heuristics.iter().map(|heuristic| heuristic.work()).sum()
    }

    fn bytes(&self) -> usize {
        self.open.bytes() + self.heuristics.iter().map(|heuristic| heuristic.bytes()).sum::<usize>()
    }
}
