//! Lazy best-first search: states are evaluated when they are expanded.

use super::fact_novelty::FactNovelty;
use super::open_list::AlternatingOpenList;
use super::space::{SearchSpace, Status};
use super::{Algorithm, SearchConfiguration, SearchOutcome, SearchReport};
use crate::control::SearchStatistics;
use crate::heuristics::Heuristic;
use crate::lane::{Lane, LimitChecker};
use crate::random::Random;
use crate::search_task::{CostType, SearchTask};
use crate::state::StateId;

/// An open-list entry: a state and an operator applicable in it.
type OpenEntry = (StateId, u32);

/// A lazy search.
#[expect(clippy::struct_excessive_bools, reason = "they are independent of each other")]
pub(super) struct LazySearch<'l> {
    task: &'l SearchTask,
    lane: &'l Lane<'l>,
    meter: LimitChecker<'l>,
    space: SearchSpace<'l>,
    heuristics: Vec<Box<dyn Heuristic>>,
    estimates: Vec<u32>,
    best: Vec<u32>,
    open: AlternatingOpenList<OpenEntry>,
    /// The facts seen, if an open list is ordered by novelty.
    novelty: Option<FactNovelty>,
    /// The generator of the order of successors; `None` for the order of the task.
    random: Option<Random>,
    /// Whether the state evaluated last has a new fact.
    is_novel: bool,
    /// Whether preferred operators have open lists of their own.
    preferred: bool,
    is_preferred: Vec<bool>,
    /// The factor of the heuristic value in `g + weight * h`; `None` ignores `g`.
    weight: Option<u32>,
    /// Whether a state was pruned as too expensive that may be reachable at lower cost.
    has_pruned: bool,
    /// Whether every state eventually receives its minimum cost in the task.
    exact: bool,
    statistics: SearchStatistics,
}

impl<'l> LazySearch<'l> {
    /// Prepares a search.
    pub(super) fn new(
        task: &'l SearchTask,
        configuration: &SearchConfiguration,
        lane: &'l Lane<'l>,
        weight: Option<u32>,
    ) -> Self {
        let heuristics = configuration.build(task, lane);
        let explores = configuration.algorithm == Algorithm::LazyExploring;
        let keys = heuristics.len() + usize::from(explores);
        let open = AlternatingOpenList::new(keys, configuration.preferred_operators);
        Self {
            task,
            lane,
            meter: LimitChecker::new(lane, configuration.work_limit),
            space: SearchSpace::new(task, configuration.cost_type),
            estimates: vec![0; heuristics.len()],
            best: vec![u32::MAX; heuristics.len()],
            open: if explores { open.with_types(Random::new(lane.control().seed(), 0)) } else { open },
            novelty: explores.then(|| FactNovelty::new(task)),
            random: None,
            is_novel: false,
            preferred: configuration.preferred_operators,
            is_preferred: vec![false; if configuration.preferred_operators { task.operator_count() } else { 0 }],
            heuristics,
            weight,
            has_pruned: false,
            exact: weight.is_some() && configuration.cost_type == CostType::Normal,
            statistics: SearchStatistics::default(),
        }
    }

    /// Breaks ties at random, between states and in the heuristics.
    pub(super) fn with_random_ties(mut self, mut random: Random) -> Self {
        for heuristic in &mut self.heuristics {
            heuristic.set_random_ties(&mut random);
        }
        self.random = Some(random);
        self
    }

    /// Runs the search.
    pub(super) fn run(mut self) -> SearchReport {
        let outcome = self.find();
        self.statistics.work = self.work();
        self.statistics.registered = self.space.registry.len() as u64;
        self.statistics.peak_memory = self.statistics.peak_memory.max(self.bytes());
        SearchReport { outcome, statistics: self.statistics }
    }

    fn find(&mut self) -> SearchOutcome {
        for heuristic in &mut self.heuristics {
            heuristic.begin(0, &self.space.current);
        }
        let mut next = self.evaluate(0);
        let mut operators = Vec::new();
        let mut stack = Vec::new();
        loop {
            if let Some(id) = next {
                if self.task.is_goal(&self.space.successor.values) {
                    return SearchOutcome::Solved(self.space.solution(id));
                }
                self.space.enter(id);
                self.task.successors.applicable(&self.space.current.values, &mut stack, &mut operators);
                self.space.queued(operators.len());
                if let Some(random) = &mut self.random {
                    random.shuffle(&mut operators);
                }
                self.expand(id, &operators);
            }
            if let Some(stop) = self.check() {
                return stop;
            }
            let Some((parent, operator)) = self.open.pop() else {
                return if self.has_pruned { SearchOutcome::Incomplete } else { SearchOutcome::Exhausted };
            };
            next = self.take(parent, operator);
        }
    }

    fn check(&mut self) -> Option<SearchOutcome> {
        let work = self.work();
        let Self { space, open, novelty, heuristics, .. } = self;
        let bytes = || Self::bytes_of(space, open, novelty.as_ref(), heuristics);
        self.meter.check(work, space.registry.len(), bytes, &mut self.statistics)
    }

    fn work(&self) -> u64 {
        self.space.work() + self.heuristics.iter().map(|heuristic| heuristic.work()).sum::<u64>()
    }

    fn bytes(&self) -> usize {
        Self::bytes_of(&self.space, &self.open, self.novelty.as_ref(), &self.heuristics)
    }

    fn bytes_of(
        space: &SearchSpace<'_>,
        open: &AlternatingOpenList<OpenEntry>,
        novelty: Option<&FactNovelty>,
        heuristics: &[Box<dyn Heuristic>],
    ) -> usize {
        let heuristics: usize = heuristics.iter().map(|heuristic| heuristic.bytes()).sum();
        space.bytes() + open.bytes() + novelty.map_or(0, FactNovelty::bytes) + heuristics
    }

    /// Applies the operator of an open-list entry. Returns the successor if it is to be expanded.
    fn take(&mut self, parent: StateId, operator: u32) -> Option<StateId> {
        self.space.enter(parent);
        let (_, cost) = self.space.costs_after(operator);
        if cost >= self.lane.control().bound() {
            self.has_pruned |= !self.exact;
            return None;
        }
        self.statistics.generated += 1;
        let reached = self.space.step(operator)?;
        let id = reached.id;
        if self.space.status[id as usize] == Status::Dead {
            return None;
        }
        for heuristic in &mut self.heuristics {
            heuristic.transition(parent, &self.space.current, id, &self.space.successor);
        }
        if reached.new {
            return self.evaluate(id);
        }
        if self.weight.is_none() || !reached.better {
            return None;
        }
        self.space.set_parent(id, operator);
        self.statistics.reopened += 1;
        self.evaluate(id)
    }

    /// Evaluates the state generated last. Returns `None` if it is a dead end.
    fn evaluate(&mut self, id: StateId) -> Option<StateId> {
        self.statistics.evaluated += 1;
        let mut progress = false;
        for (place, heuristic) in self.heuristics.iter_mut().enumerate() {
            let Some(estimate) = heuristic.evaluate(self.task, id, &self.space.successor) else {
                self.space.status[id as usize] = Status::Dead;
                self.statistics.dead_ends += 1;
                return None;
            };
            self.estimates[place] = estimate;
            if estimate < self.best[place] {
                progress |= self.best[place] != u32::MAX;
                self.best[place] = estimate;
            }
        }
        if let Some(novelty) = &mut self.novelty {
            self.is_novel = novelty.record(self.task, &self.estimates, &self.space.successor);
        }
        if progress {
            self.open.boost();
            self.lane.control().progress(&self.best, &self.statistics);
        }
        Some(id)
    }

    /// Inserts the applicable operators of the current state into the open lists.
    fn expand(&mut self, id: StateId, operators: &[u32]) {
        self.space.status[id as usize] = Status::Closed;
        self.statistics.expanded += 1;
        let g = self.space.nodes[id as usize].g;
        let mut keys: Vec<(u64, u64)> = self
            .estimates
            .iter()
            .map(|&h| (self.weight.map_or(u64::from(h), |weight| g + u64::from(weight) * u64::from(h)), 0))
            .collect();
        let of = (u64::from(self.estimates[0]), g);
        if self.novelty.is_some() {
            keys.push((u64::from(!self.is_novel), of.0));
        }
        if self.preferred {
            for &operator in self.heuristics.iter().flat_map(|heuristic| heuristic.preferred()) {
                self.is_preferred[operator as usize] = true;
            }
        }
        let bound = self.lane.control().bound();
        for &operator in operators {
            let preferred = self.preferred && self.is_preferred[operator as usize];
            if self.space.costs_after(operator).1 < bound {
                self.open.push(&keys, of, preferred, (id, operator));
            } else {
                self.has_pruned |= !self.exact;
            }
        }
        if self.preferred {
            for &operator in self.heuristics.iter().flat_map(|heuristic| heuristic.preferred()) {
                self.is_preferred[operator as usize] = false;
            }
        }
    }
}
