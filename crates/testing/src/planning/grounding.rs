//! A comparison of ground tasks with their original tasks, state by state.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::ops::ControlFlow;

use goalspec_core::planning::plan::PlanStep;
use goalspec_core::planning::task::{AssignmentOperator, Task};
use goalspec_core::state::State;
use goalspec_planner::ground::{CostModel, GroundError, GroundLimits, Grounding, ground};
use goalspec_planner::ground_task::{
    Fact, GroundTask, NumericCondition, NumericExpression, Operator, ValueMeaning, ValueSource,
};

use super::executor::Executor;

/// Maximum number of states to visit.
const MAX_STATES: usize = 100;

/// Grounds a task with the default limits.
///
/// # Errors
/// Returns the error of the grounding.
pub fn grounded(task: &Task) -> Result<Grounding, GroundError> {
    ground(task, &GroundLimits::default(), &mut |_| ControlFlow::Continue(()))
}

/// A state of a ground task.
#[derive(Debug, Clone, PartialEq)]
struct GroundState {
    values: Vec<u32>,
    numbers: Vec<Option<f64>>,
}

fn value(expression: &NumericExpression, numbers: &[Option<f64>]) -> Option<f64> {
    let pair = |parts: &[NumericExpression; 2]| Some((value(&parts[0], numbers)?, value(&parts[1], numbers)?));
    match expression {
        NumericExpression::Number(number) => Some(*number),
        NumericExpression::Variable(place) => numbers[*place as usize],
        NumericExpression::Add(parts) => parts.iter().map(|part| value(part, numbers)).sum(),
        NumericExpression::Multiply(parts) => parts.iter().map(|part| value(part, numbers)).product(),
        NumericExpression::Subtract(parts) => pair(parts).map(|(left, right)| left - right),
        NumericExpression::Divide(parts) => {
            pair(parts).filter(|&(_, right)| right != 0.0).map(|(left, right)| left / right)
        }
        NumericExpression::Absolute(part) => value(part, numbers).map(f64::abs),
    }
}

impl GroundState {
    fn initial(task: &GroundTask) -> Self {
        let numbers = task.numeric_variables.iter().map(|variable| variable.initial).collect();
        let mut state = Self { values: task.initial.clone(), numbers };
        state.derive(task);
        state
    }

    fn holds(&self, facts: &[Fact]) -> bool {
        facts.iter().all(|fact| self.values[fact.variable as usize] == fact.value)
    }

    fn derive(&mut self, task: &GroundTask) {
        let mut top = 0;
        for (place, variable) in task.variables.iter().enumerate() {
            match variable.source {
                ValueSource::Operators => {}
                ValueSource::Axioms { layer, default } => {
                    self.values[place] = default;
                    top = top.max(layer);
                }
                ValueSource::Comparison(index) => {
                    let NumericCondition { comparison, sides } = &task.comparisons[index as usize];
                    let sides = value(&sides[0], &self.numbers).zip(value(&sides[1], &self.numbers));
                    self.values[place] = u32::from(sides.is_some_and(|(left, right)| comparison.holds(left, right)));
                }
            }
        }
        for value in 0..=top {
            loop {
                let before = self.values.clone();
                for axiom in &task.axioms {
                    let source = &task.variables[axiom.head.variable as usize].source;
                    if matches!(source, ValueSource::Axioms { layer, .. } if *layer == value) && self.holds(&axiom.body)
                    {
                        self.values[axiom.head.variable as usize] = axiom.head.value;
                    }
                }
                if before == self.values {
                    break;
                }
            }
        }
    }

    fn take(&self, task: &GroundTask, operator: &Operator) -> Option<Self> {
        if !self.holds(&operator.precondition) {
            return None;
        }
        let mut after = self.clone();
        for effect in operator.effects.iter().filter(|effect| self.holds(&effect.conditions)) {
            after.values[effect.fact.variable as usize] = effect.fact.value;
        }
        for effect in operator.numeric_effects.iter().filter(|effect| self.holds(&effect.conditions)) {
            let new = value(&effect.value, &self.numbers)?;
            let slot = &mut after.numbers[effect.variable as usize];
            *slot = Some(match effect.operator {
                AssignmentOperator::Set => new,
                AssignmentOperator::Increase => (*slot)? + new,
                AssignmentOperator::Decrease => (*slot)? - new,
                AssignmentOperator::ScaleUp => (*slot)? * new,
                AssignmentOperator::ScaleDown => (*slot)? / new,
            });
        }
        after.derive(task);
        Some(after)
    }

    /// Checks that the variables and numbers of the ground state agree with the state.
    fn agrees(&self, task: &GroundTask, state: &State) -> Result<(), String> {
        for (variable, &current) in task.variables.iter().zip(&self.values) {
            let true_one = |meaning: &ValueMeaning| match meaning {
                ValueMeaning::Atom(predicate, arguments) => state.fact(*predicate, arguments),
                ValueMeaning::NotAtom(predicate, arguments) => !state.fact(*predicate, arguments),
                ValueMeaning::NoneOfOthers => variable.values.iter().all(|other| match other {
                    ValueMeaning::Atom(predicate, arguments) => !state.fact(*predicate, arguments),
                    _ => true,
                }),
                ValueMeaning::Auxiliary(_) => true,
            };
            for (value, meaning) in variable.values.iter().enumerate() {
                if true_one(meaning) != (value as u32 == current) && !matches!(meaning, ValueMeaning::Auxiliary(_)) {
                    return Err(format!("value {current} of {variable:?}"));
                }
            }
        }
        for (variable, number) in task.numeric_variables.iter().zip(&self.numbers) {
            if state.fluent(variable.function, &variable.arguments) != *number {
                return Err(format!("{number:?} of {variable:?}"));
            }
        }
        for group in &task.mutexes {
            if group.iter().filter(|&&fact| self.holds(&[fact])).count() > 1 {
                return Err(format!("two of {group:?}"));
            }
        }
        Ok(())
    }
}

/// Renders a task for messages.
pub fn text(task: &Task) -> String {
    let Task { initial, actions, axioms: rules, goal, .. } = task;
    format!("{:?}\n{:?}\n{actions:?}\n{rules:?}\n{goal:?}", initial.facts, initial.fluents)
}

/// Returns the value of the cost counter.
pub(super) fn counted(task: &Task, state: &State) -> f64 {
    let function = task.world.function_named("total-cost").expect("there is a counter");
    state.fluent(function, &[]).expect("the fluent has a value")
}

/// Renders a state in canonical form, for comparison.
pub(super) fn canonical(task: &Task, state: &State) -> String {
    let facts: BTreeSet<_> = state.facts().map(|(predicate, arguments)| (predicate, arguments.to_vec())).collect();
    let level = task.world.function_named("level").expect("there is one");
    let numbers: Vec<_> = task.world.object_ids().map(|object| state.fluent(level, &[object])).collect();
    format!("{facts:?} {numbers:?}")
}

/// Explores reachable states in both forms: the variables agree with the state, the same steps are applicable and lead to equal
/// states, and the goal holds in the same states.
///
/// # Errors
/// Returns a description of the first difference.
///
/// # Panics
/// Panics if the task is not a generated one, because those have the cost counter `total-cost`.
pub fn check_equivalence(task: &Task) -> Result<(), String> {
    let result = grounded(task).map_err(|error| format!("{error}"))?;
    let ground = &result.task;
    let mut by_step: HashMap<PlanStep, Vec<&Operator>> = HashMap::new();
    for operator in &ground.operators {
        by_step.entry(operator.step.clone().expect("all are steps")).or_default().push(operator);
    }
    let executor = Executor::bounded(task);
    let steps = executor.steps();
    let mut seen = BTreeSet::new();
    let mut open = VecDeque::from([(executor.initial(), GroundState::initial(ground))]);
    while let Some((state, values)) = open.pop_front() {
        if !seen.insert(canonical(task, &state)) || seen.len() > MAX_STATES {
            continue;
        }
        let is_goal = executor.is_goal(&state);
        if executor.is_exhausted() {
            break;
        }
        if result.is_goal_relaxed_reachable {
            values.agrees(ground, &state).map_err(|error| format!("{error} in {}", canonical(task, &state)))?;
        }
        if is_goal != (result.is_goal_relaxed_reachable && values.holds(&ground.goal)) {
            return Err(format!("goal {is_goal} in {}", canonical(task, &state)));
        }
        for step in &steps {
            let after = executor.apply(&state, step);
            if executor.is_exhausted() {
                break;
            }
            let mut next = None;
            for operator in by_step.get(step).into_iter().flatten() {
                let Some(ground_operator) = values.take(ground, operator) else { continue };
                let Some(after) = &after else { return Err(format!("{} is taken", step.text(task))) };
                if next.as_ref().is_some_and(|next| *next != ground_operator) {
                    return Err(format!("{} leads to different states", step.text(task)));
                }
                if let CostModel::Metric { exact } = result.costs {
                    let cost = f64::from(operator.cost) * ground.cost_unit;
                    if !exact || (counted(task, after) - counted(task, &state) - cost).abs() > 1e-9 {
                        return Err(format!("{} costs {cost}", step.text(task)));
                    }
                }
                next = Some(ground_operator);
            }
            if let Some(after) = after {
                // A step without an operator does not change the variables.
                open.push_back((after, next.unwrap_or_else(|| values.clone())));
            }
        }
    }
    Ok(())
}
