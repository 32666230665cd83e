//! Transition systems of ground tasks: states and their successors under the steps that an agent chooses.

use goalspec_core::ids::PredicateId;
use goalspec_core::planning::plan::PlanStep;
use goalspec_core::state::ObjectArguments;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ground_task::{Fact, GroundTask, NumericVariable, ValueMeaning};
use crate::search_task::{Scratch, SearchTask};
use crate::state::State;

/// A ground atom: a predicate with its arguments.
pub type GroundAtom = (PredicateId, ObjectArguments);

/// The transition system of a ground task. Its actions are the steps of the task's operators, each once.
#[derive(Debug)]
pub struct TransitionSystem {
    task: SearchTask,
    actions: Vec<PlanStep>,
    /// For each operator its action.
    action_of: Vec<u32>,
    /// For each action its operators, of which those of a step with a disjunctive precondition differ in it.
    operators: Vec<Vec<u32>>,
    atoms: Vec<(Fact, GroundAtom)>,
    numbers: Vec<NumericVariable>,
    cost_unit: f64,
}

/// A state of a [`TransitionSystem`].
#[derive(Debug, Clone)]
pub struct SystemState(State);

impl TransitionSystem {
    /// Creates the transition system of a task; `None` if an operator stands for no step, as in compiled tasks.
    pub fn new(task: &GroundTask) -> Option<Self> {
        let (mut actions, mut operators): (Vec<PlanStep>, Vec<Vec<u32>>) = (Vec::new(), Vec::new());
        let (mut action_of, mut known) = (Vec::new(), FxHashMap::default());
        for (number, operator) in (0u32..).zip(&task.operators) {
            let step = operator.step.as_ref()?;
            let action = *known.entry((step.action, step.arguments.clone())).or_insert_with(|| {
                actions.push(step.clone());
                operators.push(Vec::new());
                actions.len() - 1
            });
            operators[action].push(number);
            action_of.push(action as u32);
        }
        Some(Self {
            actions,
            action_of,
            operators,
            atoms: atoms(task),
            numbers: task.numeric_variables.clone(),
            cost_unit: task.cost_unit,
            task: SearchTask::new(task),
        })
    }

    /// Returns the actions.
    pub fn actions(&self) -> &[PlanStep] {
        &self.actions
    }

    /// Returns the cost of an action, in terms of the metric.
    ///
    /// # Panics
    /// If there is no such action.
    pub fn cost(&self, action: usize) -> f64 {
        f64::from(self.task.costs[self.operators[action][0] as usize]) * self.cost_unit
    }

    /// Returns the atoms whose truth can change, each once.
    pub fn atoms(&self) -> impl ExactSizeIterator<Item = &GroundAtom> {
        self.atoms.iter().map(|(_, atom)| atom)
    }

    /// Returns the numeric variables.
    pub fn numeric_variables(&self) -> &[NumericVariable] {
        &self.numbers
    }

    /// Returns the initial state.
    pub fn initial(&self) -> SystemState {
        SystemState(State::initial(&self.task))
    }

    /// Returns for each action whether it is applicable in a state.
    pub fn applicable(&self, state: &SystemState) -> Vec<bool> {
        let (mut stack, mut operators) = (Vec::new(), Vec::new());
        self.task.successors.applicable(&state.0.values, &mut stack, &mut operators);
        let mut mask = vec![false; self.actions.len()];
        for operator in operators {
            let action = &mut mask[self.action_of[operator as usize] as usize];
            let has_numbers = self.task.numeric_effects.get(operator as usize).is_some_and(|row| !row.is_empty());
            // Numeric effects can be undefined, which only the attempt reveals.
            *action = *action || !has_numbers || self.successor(state, operator).is_some();
        }
        mask
    }

    /// Returns the successor of a state under an action; `None` if it is not applicable.
    ///
    /// # Panics
    /// If there is no such action.
    pub fn apply(&self, state: &SystemState, action: usize) -> Option<SystemState> {
        let is_applicable = |operator: &&u32| self.task.is_applicable(**operator, &state.0.values);
        self.operators[action].iter().filter(is_applicable).find_map(|&operator| self.successor(state, operator))
    }

    /// Returns the successor of a state under an operator whose precondition holds; `None` if its numeric effects are undefined.
    fn successor(&self, state: &SystemState, operator: u32) -> Option<SystemState> {
        let mut successor = State::default();
        let applied = successor.set_successor(&state.0, operator, &self.task, &mut Scratch::default());
        applied.then_some(SystemState(successor))
    }

    /// Returns for each atom whether it holds in a state.
    pub fn truths<'s>(&'s self, state: &'s SystemState) -> impl ExactSizeIterator<Item = bool> + 's {
        self.atoms.iter().map(|(fact, _)| state.0.values[fact.variable as usize] == fact.value)
    }

    /// Returns the values of the numeric variables in a state; NaN where undefined.
    pub fn numbers<'s>(&self, state: &'s SystemState) -> &'s [f64] {
        &state.0.numbers
    }

    /// Whether the goal holds in a state.
    pub fn is_goal(&self, state: &SystemState) -> bool {
        self.task.is_goal(&state.0.values)
    }

    /// Returns the share of the goal's facts that hold in a state, from 0 to 1; 1 if the goal has none.
    pub fn goal_share(&self, state: &SystemState) -> f64 {
        let goal = &self.task.goal;
        if goal.is_empty() {
            return 1.0;
        }
        let holds = |fact: &&Fact| state.0.values[fact.variable as usize] == fact.value;
        goal.iter().filter(holds).count() as f64 / goal.len() as f64
    }
}

/// Returns the atoms that are values of variables, each with the first of its facts.
fn atoms(task: &GroundTask) -> Vec<(Fact, GroundAtom)> {
    let (mut atoms, mut seen) = (Vec::new(), FxHashSet::default());
    for (number, variable) in (0u32..).zip(&task.variables) {
        for (value, meaning) in (0u32..).zip(&variable.values) {
            if let ValueMeaning::Atom(predicate, arguments) = meaning
                && seen.insert((*predicate, arguments.clone()))
            {
                atoms.push((Fact { variable: number, value }, (*predicate, arguments.clone())));
            }
        }
    }
    atoms
}
