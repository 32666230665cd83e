//! A ground task in flat arrays, preprocessed for search.

use std::sync::OnceLock;

use crate::axioms::AxiomEvaluator;
use crate::ground_task::{Fact, GroundTask, NumericCondition, NumericEffect, Operator, ValueSource};
use crate::heuristics::{GoalOrder, LandmarkGraph, PlainTask, Preprocessed, UnaryTasks};
use crate::numbers;
use crate::rows::Rows;
use crate::state::Packing;
use crate::successors::SuccessorGenerator;
use crate::symmetry::Symmetries;

/// The operator costs that a search or a heuristic uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CostType {
    /// The costs of the task.
    Normal,
    /// Unit costs.
    One,
    /// The costs of the task plus one; unit costs if all operators cost one.
    PlusOne,
}

/// An effect of an operator.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FlatEffect {
    /// The fact that the effect makes true.
    pub(crate) fact: Fact,
    /// The effect conditions, as a row of [`SearchTask::conditions`].
    pub(crate) conditions: u32,
}

/// The operators of a task in flat arrays.
#[derive(Default)]
struct FlatOperators {
    preconditions: Rows<Fact>,
    conditions: Rows<Fact>,
    effects: Rows<FlatEffect>,
}

impl FlatOperators {
    fn new(operators: &[Operator]) -> Self {
        let mut flat = Self::default();
        flat.conditions.push([]);
        for operator in operators {
            flat.preconditions.push(operator.precondition.iter().copied());
            let mut row = Vec::with_capacity(operator.effects.len());
            for effect in &operator.effects {
                let mut place = 0;
                if !effect.conditions.is_empty() {
                    place = flat.conditions.len() as u32;
                    flat.conditions.push(effect.conditions.iter().copied());
                }
                row.push(FlatEffect { fact: effect.fact, conditions: place });
            }
            flat.effects.push(row);
        }
        flat
    }
}

/// A ground task preprocessed for search; built once and shared by all searches.
#[derive(Debug)]
pub struct SearchTask {
    /// For each variable its first proposition, followed by the number of propositions. Propositions are facts numbered by
    /// variable and value.
    pub(crate) offsets: Vec<u32>,
    /// The sources of the variables' values.
    pub(crate) sources: Vec<ValueSource>,
    /// Preconditions, by operator.
    pub(crate) preconditions: Rows<Fact>,
    /// Effects, by operator.
    pub(crate) effects: Rows<FlatEffect>,
    /// Conditions of effects; row 0 is empty.
    pub(crate) conditions: Rows<Fact>,
    /// Numeric effects, by operator; empty if no operator has any.
    pub(crate) numeric_effects: Vec<Vec<NumericEffect>>,
    /// Costs, by operator.
    pub(crate) costs: Vec<u32>,
    /// The goal.
    pub(crate) goal: Vec<Fact>,
    /// The axioms, as bodies and heads.
    pub(crate) axioms: Vec<(Vec<Fact>, Fact)>,
    /// The comparisons, each with the variable that holds its truth value.
    pub(crate) comparisons: Vec<(u32, NumericCondition)>,
    /// The bit layout of packed states.
    pub(crate) packing: Packing,
    /// The successor generator.
    pub(crate) successors: SuccessorGenerator,
    /// The evaluator of derived variables.
    pub(crate) evaluator: AxiomEvaluator,
    /// Values of the variables in the initial state, derived ones included.
    pub(crate) initial: Vec<u32>,
    /// Values of the numeric variables in the initial state; NaN where undefined.
    pub(crate) initial_numbers: Vec<f64>,
    /// Mutex groups, as propositions.
    pub(crate) mutexes: Vec<Vec<u32>>,
    /// For each proposition the index of its predicate; `u32::MAX` if it is no atom.
    pub(crate) predicate_of: Vec<u32>,
    /// The landmark graph, computed on first use.
    pub(crate) landmarks: OnceLock<Preprocessed<LandmarkGraph>>,
    /// The delete relaxations with unary operators.
    pub(crate) unary_tasks: UnaryTasks,
    /// The goal order, computed on first use.
    pub(crate) goal_order: OnceLock<Preprocessed<GoalOrder>>,
    /// The symmetries, computed on first use.
    symmetries: OnceLock<Symmetries>,
    all_cost_one: bool,
}

impl SearchTask {
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
        let sources: Vec<ValueSource> = task.variables.iter().map(|variable| variable.source).collect();
        let FlatOperators { preconditions, conditions, effects } = FlatOperators::new(&task.operators);
        let numeric = task.operators.iter().any(|operator| !operator.numeric_effects.is_empty());
        let comparisons: Vec<(u32, NumericCondition)> = (0u32..)
            .zip(&sources)
            .filter_map(|(variable, source)| match source {
                ValueSource::Comparison(place) => Some((variable, task.comparisons[*place as usize].clone())),
                _ => None,
            })
            .collect();
        let axioms: Vec<(Vec<Fact>, Fact)> = task.axioms.iter().map(|axiom| (axiom.body.clone(), axiom.head)).collect();
        let evaluator = AxiomEvaluator::new(&offsets, &sources, &axioms);
        let mut compiled = Self {
            packing: Packing::new(&domains, task.numeric_variables.len()),
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
            initial_numbers: task.numeric_variables.iter().map(|number| number.initial.unwrap_or(f64::NAN)).collect(),
            mutexes: task
                .mutexes
                .iter()
                .map(|group| group.iter().map(|f| offsets[f.variable as usize] + f.value).collect())
                .collect(),
            predicate_of: proposition_predicates(task),
            landmarks: OnceLock::new(),
            goal_order: OnceLock::new(),
            unary_tasks: UnaryTasks::default(),
            symmetries: OnceLock::new(),
            offsets,
            all_cost_one: task.operators.iter().all(|operator| operator.cost == 1),
        };
        let mut initial = std::mem::take(&mut compiled.initial);
        let mut scratch = Scratch::default();
        compiled.derive(&mut initial, &compiled.initial_numbers, &mut scratch);
        compiled.initial = initial;
        compiled
    }

    /// Returns the symmetries; none if the task has conditional effects, axioms or numbers.
    pub(crate) fn symmetries(&self) -> &Symmetries {
        self.symmetries.get_or_init(|| {
            PlainTask::new(self, CostType::Normal).map_or_else(Symmetries::default, |plain| Symmetries::of(&plain))
        })
    }

    /// Returns the number of operators.
    pub fn operator_count(&self) -> usize {
        self.costs.len()
    }

    /// Returns the number of propositions.
    pub(crate) fn proposition_count(&self) -> usize {
        self.offsets[self.offsets.len() - 1] as usize
    }

    /// Returns the proposition of a fact.
    #[inline]
    pub(crate) fn proposition(&self, fact: Fact) -> u32 {
        self.offsets[fact.variable as usize] + fact.value
    }

    /// Returns the cost of an operator under a cost type.
    #[inline]
    pub(crate) fn cost(&self, operator: u32, cost_type: CostType) -> u32 {
        let cost = self.costs[operator as usize];
        match cost_type {
            CostType::Normal => cost,
            CostType::One => 1,
            CostType::PlusOne => cost.saturating_add(u32::from(!self.all_cost_one)),
        }
    }

    /// Whether all operators cost one.
    pub(crate) fn has_unit_costs(&self) -> bool {
        self.all_cost_one
    }

    /// Whether some variables are derived: comparisons or variables of axioms.
    pub(crate) fn has_derived(&self) -> bool {
        !self.comparisons.is_empty() || !self.evaluator.is_empty()
    }

    /// Returns the number of axioms and comparisons evaluated for each generated state.
    pub(crate) fn derivation_size(&self) -> usize {
        self.axioms.len() + self.comparisons.len()
    }

    /// Whether the goal holds.
    #[inline]
    pub(crate) fn is_goal(&self, values: &[u32]) -> bool {
        self.goal.iter().all(|fact| values[fact.variable as usize] == fact.value)
    }

    /// Whether all facts of a conjunction hold.
    #[inline]
    pub(crate) fn holds(facts: &[Fact], values: &[u32]) -> bool {
        facts.iter().all(|fact| values[fact.variable as usize] == fact.value)
    }

    /// Whether an operator's precondition holds.
    #[inline]
    pub(crate) fn is_applicable(&self, operator: u32, values: &[u32]) -> bool {
        Self::holds(self.preconditions.row(operator), values)
    }

    /// Computes the values of comparisons and derived variables.
    pub(crate) fn derive(&self, values: &mut [u32], numbers: &[f64], scratch: &mut Scratch) {
        for (variable, condition) in &self.comparisons {
            values[*variable as usize] = u32::from(numbers::holds(condition, numbers));
        }
        self.evaluator.evaluate(values, scratch);
    }
}

/// Returns the predicate index of each proposition.
fn proposition_predicates(task: &GroundTask) -> Vec<u32> {
    use crate::ground_task::ValueMeaning;
    let values = task.variables.iter().flat_map(|variable| &variable.values);
    values
        .map(|value| if let ValueMeaning::Atom(predicate, _) = value { predicate.index() as u32 } else { u32::MAX })
        .collect()
}

/// Buffers reused between axiom evaluations.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    pub(crate) counters: Vec<u32>,
    pub(crate) queue: Vec<u32>,
}
