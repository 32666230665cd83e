//! Patterns, and the projections to them.

use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

use super::abstraction::{Abstraction, Mapping};
use super::plain_task::{PlainTask, value_of};
use crate::ground_task::Fact;

/// The maximum number of states of a projection.
const MAX_STATES: u64 = 20_000;

/// The maximum number of transitions of a projection.
const MAX_TRANSITIONS: u64 = 400_000;

/// The maximum number of variables of a systematically generated pattern.
const MAX_VARIABLES: usize = 3;

/// Returns patterns: for each goal variable the largest one of its causal predecessors, then the interesting ones (Pommerening, Röger and
/// Helmert 2013) in order of size.
pub(super) fn patterns(task: &PlainTask, max_patterns: usize) -> Vec<Vec<u32>> {
    let graph = CausalGraph::new(task);
    let goals: Vec<u32> = task.goal.iter().map(|fact| fact.variable).collect();
    let mut known = FxHashSet::default();
    let mut patterns: Vec<Vec<u32>> = Vec::new();
    let size = |pattern: &[u32]| pattern.iter().map(|&variable| u64::from(task.domains[variable as usize])).product();
    let mut add = |patterns: &mut Vec<Vec<u32>>, mut pattern: Vec<u32>| {
        pattern.sort_unstable();
        let states: u64 = size(&pattern);
        if states <= MAX_STATES && known.insert(pattern.clone()) {
            patterns.push(pattern);
        }
    };
    for &goal in &goals {
        add(&mut patterns, vec![goal]);
    }
    let mut begin = 0;
    for _ in 1..MAX_VARIABLES {
        let end = patterns.len();
        for place in begin..end {
            let pattern = patterns[place].clone();
            for &variable in &pattern {
                for &other in graph.before[variable as usize].iter().chain(&graph.beside[variable as usize]) {
                    let is_useful = !pattern.contains(&other) && patterns.len() < max_patterns;
                    if is_useful {
                        add(&mut patterns, pattern.iter().copied().chain([other]).collect());
                    }
                }
            }
        }
        begin = end;
    }
    for &goal in &goals {
        let large = graph.grown(task, goal);
        if large.len() > MAX_VARIABLES {
            add(&mut patterns, large);
        }
    }
    patterns
}

/// The causal graph.
struct CausalGraph {
    /// For each variable the variables in preconditions of operators that change it.
    before: Vec<Vec<u32>>,
    /// For each variable the goal variables that operators change together with it.
    beside: Vec<Vec<u32>>,
}

impl CausalGraph {
    fn new(task: &PlainTask) -> Self {
        let count = task.domains.len();
        let mut before = vec![FixedBitSet::with_capacity(count); count];
        let mut beside = before.clone();
        let goals: FixedBitSet = task.goal.iter().map(|fact| fact.variable as usize).collect();
        for operator in &task.operators {
            for effect in &operator.effects {
                let place = effect.variable as usize;
                before[place].extend(operator.precondition.iter().map(|fact| fact.variable as usize));
                let others = operator.effects.iter().map(|fact| fact.variable as usize);
                beside[place].extend(others.filter(|&other| goals.contains(other)));
            }
        }
        let list = |sets: Vec<FixedBitSet>| -> Vec<Vec<u32>> {
            let others = |(own, set): (usize, FixedBitSet)| {
                set.ones().filter(|&other| other != own).map(|other| other as u32).collect()
            };
            sets.into_iter().enumerate().map(others).collect()
        };
        Self { before: list(before), beside: list(beside) }
    }

    /// Returns a variable with its nearest causal predecessors, as many as fit.
    fn grown(&self, task: &PlainTask, goal: u32) -> Vec<u32> {
        let mut pattern = vec![goal];
        let mut states = u64::from(task.domains[goal as usize]);
        let mut place = 0;
        while place < pattern.len() {
            for &other in &self.before[pattern[place] as usize] {
                let larger = states * u64::from(task.domains[other as usize]);
                if larger <= MAX_STATES && !pattern.contains(&other) {
                    states = larger;
                    pattern.push(other);
                }
            }
            place += 1;
        }
        pattern
    }
}

/// The precondition and the effects of an operator within a pattern.
type Signature = (Vec<Fact>, Vec<Fact>);

/// Builds the projection to a pattern; `None` if it has too many transitions.
pub(super) fn project(task: &PlainTask, pattern: &[u32]) -> Option<Abstraction> {
    let mut factors = Vec::with_capacity(pattern.len());
    let mut states = 1;
    for &variable in pattern {
        factors.push((variable, states));
        states *= task.domains[variable as usize];
    }
    let mut by_signature: FxHashMap<Signature, u32> = FxHashMap::default();
    let mut labels: Vec<Vec<u32>> = Vec::new();
    let mut signatures: Vec<Signature> = Vec::new();
    let within = |facts: &[Fact]| -> Vec<Fact> {
        facts.iter().copied().filter(|fact| pattern.contains(&fact.variable)).collect()
    };
    for (place, operator) in (0u32..).zip(&task.operators) {
        let effects = within(&operator.effects);
        if effects.is_empty() {
            continue;
        }
        let signature = (within(&operator.precondition), effects);
        let label = *by_signature.entry(signature.clone()).or_insert(labels.len() as u32);
        if label as usize == labels.len() {
            labels.push(Vec::new());
            signatures.push(signature);
        }
        labels[label as usize].push(place);
    }
    let free = |signature: &Signature| -> u64 {
        let open = pattern.iter().filter(|&&variable| value_of(&signature.0, variable).is_none());
        open.map(|&variable| u64::from(task.domains[variable as usize])).product()
    };
    if signatures.iter().map(free).sum::<u64>() > MAX_TRANSITIONS {
        return None;
    }
    let mut transitions = Vec::new();
    for (label, (precondition, effects)) in (0u32..).zip(&signatures) {
        let sources = matching(task, &factors, precondition);
        for source in sources {
            let mut target = source;
            for &(variable, factor) in &factors {
                if let Some(value) = value_of(effects, variable) {
                    let before = source / factor % task.domains[variable as usize];
                    target = target - before * factor + value * factor;
                }
            }
            if source != target {
                transitions.push((label, source, target));
            }
        }
    }
    let goals = matching(task, &factors, &within(&task.goal));
    Some(Abstraction::new(Mapping::Projection(factors), states as usize, goals, labels, &transitions))
}

/// Returns the states of a projection in which facts hold.
fn matching(task: &PlainTask, factors: &[(u32, u32)], facts: &[Fact]) -> Vec<u32> {
    let mut states = vec![0];
    for &(variable, factor) in factors {
        if let Some(value) = value_of(facts, variable) {
            for state in &mut states {
                *state += value * factor;
            }
        } else {
            let count = states.len();
            for value in 1..task.domains[variable as usize] {
                states.extend_from_within(..count);
                let start = states.len() - count;
                states[start..].iter_mut().for_each(|state| *state += value * factor);
            }
        }
    }
    states
}
