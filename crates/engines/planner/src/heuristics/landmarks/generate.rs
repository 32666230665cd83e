//! Landmark generation by backchaining.

use super::graph::{Graph, Order};
use crate::ground_task::ValueSource;
use crate::heuristics::WorkObserver;
use crate::heuristics::relaxation::Relaxation;
use crate::heuristics::unary::TimestampedSet;
use crate::rows::Rows;
use crate::search_task::SearchTask;
use rustc_hash::FxHashMap;

/// Maximum number of facts of a disjunctive landmark.
const MAX_DISJUNCTION: usize = 4;

/// Maximum number of landmarks; processing each one traverses the whole task.
const MAX_LANDMARKS: usize = 4096;

/// Maximum number of preconditions, effects and propositions processed. Landmarks beyond it are not found.
const MAX_WORK: usize = 200_000_000;

/// The same limit if only the goals are processed.
const MAX_WORK_ON_GOALS: usize = 50_000_000;

/// The state of landmark generation.
struct Backchaining<'b> {
    task: &'b SearchTask,
    relaxation: Relaxation,
    needed_by: Rows<u32>,
    achieved_by: Rows<u32>,
    sizes: Vec<u32>,
    missing: Vec<u32>,
    /// The propositions reachable while the current landmark does not hold.
    reached: Vec<bool>,
    excluded: TimestampedSet,
    initially: Vec<bool>,
    graph: Graph,
    queue: Vec<u32>,
    /// For each landmark the propositions that are only reachable after it.
    later: Vec<(u32, Vec<u32>)>,
    transitions: FxHashMap<u32, Transitions>,
}

/// The domain transition graph of a variable: the successors of each value.
type Transitions = Vec<Vec<u32>>;

/// The landmarks to generate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LandmarkScope {
    /// The goals and the landmarks that precede them directly.
    Goals,
    /// All landmarks found by backchaining.
    All,
}

/// Generates the landmarks of a task, with natural and greedy-necessary orders.
pub(super) fn landmarks(task: &SearchTask, extent: LandmarkScope, spend: WorkObserver<'_>) -> Graph {
    let relaxation = Relaxation::new(task);
    let mut initially = vec![false; relaxation.propositions];
    for (value, offset) in task.initial.iter().zip(&task.offsets) {
        initially[(value + offset) as usize] = true;
    }
    let sizes: Vec<u32> = relaxation.preconditions.iter().map(|row| row.len() as u32).collect();
    let mut backchaining = Backchaining {
        task,
        needed_by: Rows::inverse(&relaxation.preconditions, relaxation.propositions),
        achieved_by: Rows::inverse(&relaxation.effects, relaxation.propositions),
        missing: sizes.clone(),
        sizes,
        reached: initially.clone(),
        excluded: TimestampedSet::new(relaxation.operators.len()),
        initially,
        relaxation,
        graph: Graph::default(),
        queue: Vec::new(),
        later: Vec::new(),
        transitions: FxHashMap::default(),
    };
    backchaining.run(extent, spend);
    backchaining.graph
}

impl Backchaining<'_> {
    fn run(&mut self, extent: LandmarkScope, spend: WorkObserver<'_>) {
        let mut waiting = Vec::new();
        for proposition in self.relaxation.goal.clone() {
            let (place, new) = self.graph.add_simple(proposition);
            self.graph.landmarks[place as usize].goal = true;
            if new {
                waiting.push(place);
            }
        }
        let goals = waiting.len();
        let once =
            self.relaxation.preconditions.items() + self.relaxation.effects.items() + self.relaxation.propositions;
        let limit = if extent == LandmarkScope::Goals { MAX_WORK_ON_GOALS } else { MAX_WORK };
        let affordable = limit / once.max(1);
        let mut next = 0;
        let mut stopped = spend(4 * once as u64);
        while next < waiting.len().min(affordable) && (extent == LandmarkScope::All || next < goals) && !stopped {
            stopped = spend(once as u64 / 2);
            let place = waiting[next];
            next += 1;
            if !self.graph.is_removed(place) {
                self.process_landmark(place, &mut waiting);
            }
        }
        for (place, later) in std::mem::take(&mut self.later) {
            for fact in later {
                if let Some(after) = self.graph.simple(fact)
                    && !self.graph.is_removed(place)
                {
                    self.graph.order(place, after, Order::Natural);
                }
            }
        }
        self.graph.compact();
    }

    /// Finds the landmarks that must precede a landmark.
    fn process_landmark(&mut self, place: u32, waiting: &mut Vec<u32>) {
        let facts = self.graph.landmarks[place as usize].facts.clone();
        if facts.iter().any(|&fact| self.initially[fact as usize]) {
            return;
        }
        self.reach_without(&facts);
        let achievers: Vec<u32> = facts
            .iter()
            .flat_map(|&fact| self.achieved_by.row(fact))
            .copied()
            .filter(|&relaxed| self.relaxation.preconditions.row(relaxed).iter().all(|&p| self.reached[p as usize]))
            .collect();
        if achievers.is_empty() {
            return;
        }
        let full = |graph: &Graph| graph.landmarks.len() >= MAX_LANDMARKS;
        for fact in self.common_preconditions(&achievers) {
            // Auxiliary propositions for refuted axioms are no facts of states.
            if (fact as usize) < self.task.proposition_count() && !full(&self.graph) {
                self.add(fact, place, Order::GreedyNecessary, waiting);
            }
        }
        for set in self.disjunctions(&achievers) {
            if !full(&self.graph)
                && let Some((before, new)) = self.graph.add_disjunctive(set)
            {
                self.graph.order(before, place, Order::GreedyNecessary);
                if new {
                    waiting.push(before);
                }
            }
        }
        if let [fact] = facts[..] {
            for before in self.path_landmarks(fact) {
                if !full(&self.graph) {
                    self.add(before, place, Order::Natural, waiting);
                }
            }
        }
        let later = (0..self.task.proposition_count() as u32)
            .filter(|&p| !self.reached[p as usize] && !facts.contains(&p) && self.can_be_landmark(p));
        self.later.push((place, later.collect()));
    }

    /// Whether the proposition is a goal or a precondition, and thus a candidate landmark.
    fn can_be_landmark(&self, proposition: u32) -> bool {
        !self.needed_by.row(proposition).is_empty() || self.relaxation.goal.binary_search(&proposition).is_ok()
    }

    fn add(&mut self, fact: u32, after: u32, order: Order, waiting: &mut Vec<u32>) {
        let (place, new) = self.graph.add_simple(fact);
        self.graph.order(place, after, order);
        if new {
            waiting.push(place);
        }
    }

    /// Computes the propositions reachable before one of the facts holds.
    fn reach_without(&mut self, facts: &[u32]) {
        self.missing.copy_from_slice(&self.sizes);
        self.reached.copy_from_slice(&self.initially);
        self.excluded.clear();
        for &fact in facts {
            for &relaxed in self.achieved_by.row(fact) {
                self.excluded.mark(relaxed);
            }
        }
        self.queue.clear();
        self.queue
            .extend((0u32..).zip(&self.initially).filter(|(_, holds)| **holds).map(|(proposition, _)| proposition));
        for relaxed in 0..self.sizes.len() as u32 {
            if self.sizes[relaxed as usize] == 0 {
                self.fire(relaxed);
            }
        }
        while let Some(proposition) = self.queue.pop() {
            for place in 0..self.needed_by.row(proposition).len() {
                let relaxed = self.needed_by.row(proposition)[place];
                self.missing[relaxed as usize] -= 1;
                if self.missing[relaxed as usize] == 0 {
                    self.fire(relaxed);
                }
            }
        }
    }

    fn fire(&mut self, relaxed: u32) {
        if self.excluded.is_marked(relaxed) {
            return;
        }
        for &effect in self.relaxation.effects.row(relaxed) {
            if !std::mem::replace(&mut self.reached[effect as usize], true) {
                self.queue.push(effect);
            }
        }
    }

    /// Returns the common preconditions of all achievers.
    fn common_preconditions(&self, achievers: &[u32]) -> Vec<u32> {
        let mut shared = self.relaxation.preconditions.row(achievers[0]).to_vec();
        for &achiever in &achievers[1..] {
            let row = self.relaxation.preconditions.row(achiever);
            shared.retain(|fact| row.binary_search(fact).is_ok());
        }
        shared
    }

    /// Returns sets of facts of one predicate such that each achiever requires one fact of the set.
    fn disjunctions(&self, achievers: &[u32]) -> Vec<Vec<u32>> {
        let mut sets: FxHashMap<u32, (usize, Vec<u32>)> = FxHashMap::default();
        for (index, &achiever) in achievers.iter().enumerate() {
            for &fact in self.relaxation.preconditions.row(achiever) {
                let Some(&predicate) =
                    self.task.predicate_of.get(fact as usize).filter(|&&predicate| predicate != u32::MAX)
                else {
                    continue;
                };
                let (met, set) = sets.entry(predicate).or_default();
                if *met < index {
                    continue;
                }
                *met = index + 1;
                if set.len() <= MAX_DISJUNCTION && !set.contains(&fact) {
                    set.push(fact);
                }
            }
        }
        let mut sets: Vec<Vec<u32>> = sets
            .into_values()
            .filter(|(met, set)| {
                *met == achievers.len()
                    && (2..=MAX_DISJUNCTION).contains(&set.len())
                    && !set.iter().any(|&fact| self.initially[fact as usize])
            })
            .map(|(_, set)| set)
            .collect();
        for set in &mut sets {
            set.sort_unstable();
        }
        sets.sort_unstable();
        sets
    }

    /// Returns the values that the variable of a fact takes on every path from its initial value to this fact in the domain
    /// transition graph, restricted to values reachable before the landmark.
    fn path_landmarks(&mut self, fact: u32) -> Vec<u32> {
        let variable = self.task.offsets.partition_point(|&offset| offset <= fact) - 1;
        if self.task.sources[variable] != ValueSource::Operators {
            return Vec::new();
        }
        let offset = self.task.offsets[variable];
        let task = self.task;
        let transitions = self.transitions.entry(variable as u32).or_insert_with(|| transitions(task, variable as u32));
        let (from, to) = (task.initial[variable], fact - offset);
        let allowed = |value: u32| value == to || self.reached[(offset + value) as usize];
        let Some(way) = path(transitions, from, to, allowed) else { return Vec::new() };
        let between = way.into_iter().filter(|&value| value != from && value != to);
        between
            .filter(|&value| is_unreachable(transitions, from, to, |other| other != value && allowed(other)))
            .map(|value| offset + value)
            .collect()
    }
}

/// Computes the domain transition graph of a variable.
fn transitions(task: &SearchTask, variable: u32) -> Transitions {
    let domain = task.offsets[variable as usize + 1] - task.offsets[variable as usize];
    let mut transitions: Transitions = vec![Vec::new(); domain as usize];
    for operator in 0..task.operator_count() as u32 {
        for effect in task.effects.row(operator).iter().filter(|effect| effect.fact.variable == variable) {
            let conditions = task.preconditions.row(operator).iter().chain(task.conditions.row(effect.conditions));
            let from = conditions.into_iter().find(|fact| fact.variable == variable).map(|fact| fact.value);
            for value in from.map_or(0..domain, |value| value..value + 1) {
                if value != effect.fact.value {
                    transitions[value as usize].push(effect.fact.value);
                }
            }
        }
    }
    for targets in &mut transitions {
        targets.sort_unstable();
        targets.dedup();
    }
    transitions
}

/// Returns a path from one value to another.
fn path(transitions: &Transitions, from: u32, to: u32, allowed: impl Fn(u32) -> bool) -> Option<Vec<u32>> {
    let mut previous = vec![u32::MAX; transitions.len()];
    previous[from as usize] = from;
    let mut queue = vec![from];
    let mut next = 0;
    while next < queue.len() && previous[to as usize] == u32::MAX {
        let value = queue[next];
        next += 1;
        for &target in &transitions[value as usize] {
            if previous[target as usize] == u32::MAX && allowed(target) {
                previous[target as usize] = value;
                queue.push(target);
            }
        }
    }
    if previous[to as usize] == u32::MAX {
        return None;
    }
    let mut way = vec![to];
    let mut value = to;
    while value != from {
        value = previous[value as usize];
        way.push(value);
    }
    Some(way)
}

/// Whether there is no path.
fn is_unreachable(transitions: &Transitions, from: u32, to: u32, allowed: impl Fn(u32) -> bool) -> bool {
    path(transitions, from, to, allowed).is_none()
}
