//! A ground task in flat arrays, ready to be searched.

use std::sync::OnceLock;

use crate::axioms::AxiomEvaluator;
use crate::ground_task::{Fact, GroundTask, NumericCondition, NumericEffect, Source};
use crate::heuristics::{GoalOrder, LandmarkGraph};
use crate::numbers;
use crate::rows::Rows;
use crate::state::Packing;
use crate::successors::SuccessorGenerator;

/// Which costs operators have for a search or a heuristic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CostType {
    /// Those of the task.
    Normal,
    /// Each costs one.
    One,
    /// Those of the task and one more; those of the task if all operators cost one.
    PlusOne,
}

/// An effect of an operator.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FlatEffect {
    /// What holds afterwards.
    pub(crate) fact: Fact,
    /// The row of [`CompiledTask::conditions`].
    pub(crate) conditions: u32,
}

/// A task ready to be searched; made once, shared by all searches.
#[derive(Debug)]
pub struct CompiledTask {
    /// For each variable its first proposition; propositions are facts, numbered by variable and value.
    pub(crate) offsets: Vec<u32>,
    /// Where the variables come from.
    pub(crate) sources: Vec<Source>,
    /// Preconditions of operators.
    pub(crate) preconditions: Rows<Fact>,
    /// Effects of operators.
    pub(crate) effects: Rows<FlatEffect>,
    /// Conditions of effects; row 0 is empty.
    pub(crate) conditions: Rows<Fact>,
    /// Numeric effects of operators; empty if no operator has any.
    pub(crate) numeric_effects: Vec<Vec<NumericEffect>>,
    /// Costs of operators.
    pub(crate) costs: Vec<u32>,
    /// What must hold in the end.
    pub(crate) goal: Vec<Fact>,
    /// Bodies and heads of axioms.
    pub(crate) axioms: Vec<(Vec<Fact>, Fact)>,
    /// The comparisons and the variables that say whether they hold.
    pub(crate) comparisons: Vec<(u32, NumericCondition)>,
    /// How states are packed.
    pub(crate) packing: Packing,
    /// Which operators can be applied.
    pub(crate) successors: SuccessorGenerator,
    /// What derived variables are.
    pub(crate) evaluator: AxiomEvaluator,
    /// Values of variables in the first state, derived ones included.
    pub(crate) initial: Vec<u32>,
    /// Numbers in the first state; NaN where undefined.
    pub(crate) initial_numbers: Vec<f64>,
    /// Sets of facts no two of which hold at once.
    pub(crate) mutexes: Vec<Vec<u32>>,
    /// For each proposition a number of what it is about: those of the same predicate have the same one; `u32::MAX`: of none.
    pub(crate) predicates: Vec<u32>,
    /// Its landmarks, once somebody asked for them.
    pub(crate) landmarks: OnceLock<LandmarkGraph>,
    /// The order of its goals, likewise.
    pub(crate) goal_order: OnceLock<GoalOrder>,
    all_cost_one: bool,
}

impl CompiledTask {
    /// Compiles a task.
    pub fn new(task: &GroundTask) -> Self {
        let domains: Vec<u32> = task.variables.iter().map(|variable| variable.values.len() as u32).collect();
        let mut offsets = Vec::with_capacity(domains.len() + 1);
        let mut propositions = 0;
        for &domain in &domains {
            offsets.push(propositions);
            propositions += domain;
        }
        offsets.push(propositions);
        let sources: Vec<Source> = task.variables.iter().map(|variable| variable.source).collect();
        let mut preconditions = Rows::default();
        let mut conditions = Rows::default();
        conditions.push([]);
        let mut effects = Rows::default();
        for operator in &task.operators {
            preconditions.push(operator.precondition.iter().copied());
            let mut row = Vec::with_capacity(operator.effects.len());
            for effect in &operator.effects {
                let mut place = 0;
                if !effect.conditions.is_empty() {
                    place = conditions.len() as u32;
                    conditions.push(effect.conditions.iter().copied());
                }
                row.push(FlatEffect { fact: effect.fact, conditions: place });
            }
            effects.push(row);
        }
        let numeric = task.operators.iter().any(|operator| !operator.numeric_effects.is_empty());
        let comparisons: Vec<(u32, NumericCondition)> = (0u32..)
            .zip(&sources)
            .filter_map(|(variable, source)| match source {
                Source::Comparison(place) => Some((variable, task.comparisons[*place as usize].clone())),
                _ => None,
            })
            .collect();
        let axioms: Vec<(Vec<Fact>, Fact)> = task.axioms.iter().map(|axiom| (axiom.body.clone(), axiom.head)).collect();
        let evaluator = AxiomEvaluator::new(&offsets, &sources, &axioms);
        let mut compiled = Self {
            packing: Packing::new(&domains, task.numeric.len()),
            successors: SuccessorGenerator::new(&preconditions, &domains),
            evaluator,
            sources,
            preconditions,
            effects,
            conditions,
            numeric_effects: if numeric {
                task.operators.iter().map(|operator| operator.numeric_effects.clone()).collect()
            } else {
                Vec::new()
            },
            costs: task.operators.iter().map(|operator| operator.cost).collect(),
            goal: task.goal.clone(),
            axioms,
            comparisons,
            initial: task.initial.clone(),
            initial_numbers: task.numeric.iter().map(|number| number.initial.unwrap_or(f64::NAN)).collect(),
            mutexes: task
                .mutexes
                .iter()
                .map(|group| group.iter().map(|f| offsets[f.variable as usize] + f.value).collect())
                .collect(),
            predicates: predicates(task),
            landmarks: OnceLock::new(),
            goal_order: OnceLock::new(),
            offsets,
            all_cost_one: task.operators.iter().all(|operator| operator.cost == 1),
        };
        let mut initial = std::mem::take(&mut compiled.initial);
        let mut scratch = Scratch::default();
        compiled.derive(&mut initial, &compiled.initial_numbers, &mut scratch);
        compiled.initial = initial;
        compiled
    }

    /// How many operators there are.
    pub fn operators(&self) -> usize {
        self.costs.len()
    }

    /// How many propositions there are.
    pub(crate) fn propositions(&self) -> usize {
        self.offsets[self.offsets.len() - 1] as usize
    }

    /// The number of a fact.
    #[inline]
    pub(crate) fn proposition(&self, fact: Fact) -> u32 {
        self.offsets[fact.variable as usize] + fact.value
    }

    /// What an operator costs.
    #[inline]
    pub(crate) fn cost(&self, operator: u32, cost_type: CostType) -> u32 {
        let cost = self.costs[operator as usize];
        match cost_type {
            CostType::Normal => cost,
            CostType::One => 1,
            CostType::PlusOne => cost.saturating_add(u32::from(!self.all_cost_one)),
        }
    }

    /// Whether some variables are not set by operators.
    pub(crate) fn has_derived(&self) -> bool {
        !self.comparisons.is_empty() || !self.evaluator.is_empty()
    }

    /// Whether the goal holds.
    #[inline]
    pub(crate) fn is_goal(&self, values: &[u32]) -> bool {
        self.goal.iter().all(|fact| values[fact.variable as usize] == fact.value)
    }

    /// Whether facts hold.
    #[inline]
    pub(crate) fn holds(facts: &[Fact], values: &[u32]) -> bool {
        facts.iter().all(|fact| values[fact.variable as usize] == fact.value)
    }

    /// Whether an operator's precondition holds.
    #[inline]
    pub(crate) fn is_applicable(&self, operator: u32, values: &[u32]) -> bool {
        Self::holds(self.preconditions.row(operator), values)
    }

    /// Gives comparisons and derived variables their values.
    pub(crate) fn derive(&self, values: &mut [u32], numbers: &[f64], scratch: &mut Scratch) {
        for (variable, condition) in &self.comparisons {
            values[*variable as usize] = u32::from(numbers::holds(condition, numbers));
        }
        self.evaluator.evaluate(values, scratch);
    }
}

/// Numbers for the predicates that values are about.
fn predicates(task: &GroundTask) -> Vec<u32> {
    use crate::ground_task::Meaning;
    let values = task.variables.iter().flat_map(|variable| &variable.values);
    values
        .map(|value| if let Meaning::Atom(predicate, _) = value { predicate.index() as u32 } else { u32::MAX })
        .collect()
}

/// Memory that evaluating axioms uses again and again.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    pub(crate) counters: Vec<u32>,
    pub(crate) queue: Vec<u32>,
}
