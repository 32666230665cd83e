//! Random small tasks, and a naive executor independent of the planner.

use std::collections::{BTreeMap, HashMap};

use goalspec_core::condition::ComparisonOperator;
use goalspec_core::ids::FunctionId;
use goalspec_core::planning::task::AssignmentOperator;
use goalspec_core::state::ObjectArguments;
use goalspec_planner::ground_task::{
    Axiom, Effect, Fact, GroundTask, NumericCondition, NumericEffect, NumericExpression, NumericVariable, Operator,
    ValueMeaning, ValueSource, Variable,
};
use goalspec_testing::choices::Choices;
use proptest::prelude::*;

/// A source of random decisions.
pub(crate) struct Random<'b>(Choices<'b>);

impl Random<'_> {
    pub(crate) fn below(&mut self, end: u32) -> u32 {
        self.0.below(end as usize) as u32
    }

    fn one_in(&mut self, chances: u32) -> bool {
        self.0.one_in(chances as usize)
    }
}

/// Random bytes that tasks are generated from; enough for most tasks.
pub(crate) fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..400)
}

/// Number of variables that operators set.
const PLAIN: u32 = 4;

/// Generates a task with conditional effects, axioms in two layers, and a bounded number.
pub(crate) fn random_task(bytes: &[u8]) -> GroundTask {
    let random = &mut Random(Choices::new(bytes));
    let mut task = GroundTask { cost_unit: 1.0, ..GroundTask::default() };
    for _ in 0..PLAIN {
        let values = 2 + random.below(2);
        add_variable(&mut task, values, ValueSource::Operators, 0);
    }
    let with_axioms = random.one_in(2);
    if with_axioms {
        for layer in [0, 0, 1, 1] {
            let default = random.below(2);
            add_variable(&mut task, 2, ValueSource::Axioms { layer, default }, default);
        }
    }
    let with_number = random.one_in(2);
    if with_number {
        add_number(&mut task);
    }
    // The goal is generated first, since decisions become constant when the bytes are exhausted.
    task.goal = facts(&task, random, 2, |variable| variable > 0);
    if !random.one_in(4) {
        let value = random.below(task.variables[0].values.len() as u32);
        task.goal.insert(0, Fact { variable: 0, value });
    }
    for _ in 0..random.below(6) + 4 {
        let operator = random_operator(&task, random, with_number);
        task.operators.push(operator);
    }
    if with_axioms {
        for _ in 0..random.below(6) + 2 {
            let axiom = random_axiom(&task, random);
            task.axioms.push(axiom);
        }
    }
    task
}

pub(crate) fn add_variable(task: &mut GroundTask, values: u32, source: ValueSource, initial: u32) {
    task.variables
        .push(Variable { values: (0..values).map(|value| ValueMeaning::Auxiliary(value > 0)).collect(), source });
    task.initial.push(initial);
}

/// Adds a number with initial value one, and comparisons that keep it between zero and four.
fn add_number(task: &mut GroundTask) {
    let function = FunctionId::from(0);
    task.numeric_variables.push(NumericVariable { function, arguments: ObjectArguments::new(), initial: Some(1.0) });
    let tests = [
        (ComparisonOperator::LessEqual, 3.0),
        (ComparisonOperator::GreaterEqual, 1.0),
        (ComparisonOperator::Equal, 2.0),
        (ComparisonOperator::Greater, 2.0),
    ];
    for (place, (comparison, bound)) in (0u32..).zip(tests) {
        let sides = [NumericExpression::Variable(0), NumericExpression::Number(bound)];
        task.comparisons.push(NumericCondition { comparison, sides });
        add_variable(task, 2, ValueSource::Comparison(place), 0);
    }
}

/// Returns random facts of distinct variables, sorted.
fn facts(task: &GroundTask, random: &mut Random<'_>, most: u32, allowed: impl Fn(u32) -> bool) -> Vec<Fact> {
    let mut found = BTreeMap::new();
    for _ in 0..random.below(most + 1) {
        let variable = random.below(task.variables.len() as u32);
        if allowed(variable) {
            found.insert(variable, random.below(task.variables[variable as usize].values.len() as u32));
        }
    }
    found.into_iter().map(|(variable, value)| Fact { variable, value }).collect()
}

fn random_operator(task: &GroundTask, random: &mut Random<'_>, with_number: bool) -> Operator {
    let mut precondition = facts(task, random, 2, |_| true);
    let mut effects = Vec::new();
    for _ in 0..=random.below(3) {
        let variable = random.below(PLAIN);
        let value = random.below(task.variables[variable as usize].values.len() as u32);
        let conditions = if random.one_in(3) { facts(task, random, 2, |_| true) } else { Vec::new() };
        effects.push(Effect { conditions, fact: Fact { variable, value } });
    }
    let mut numeric_effects = Vec::new();
    if with_number && random.one_in(2) {
        let first = task.variables.len() as u32 - 4;
        let (how, guard) = [
            (AssignmentOperator::Increase, Some(0)),
            (AssignmentOperator::Decrease, Some(1)),
            (AssignmentOperator::Set, None),
        ][random.below(3) as usize];
        if let Some(guard) = guard {
            precondition.retain(|fact| fact.variable != first + guard);
            precondition.push(Fact { variable: first + guard, value: 1 });
            precondition.sort_unstable();
        }
        let conditions = if random.one_in(3) { facts(task, random, 1, |_| true) } else { Vec::new() };
        let amount = if how == AssignmentOperator::Set { f64::from(random.below(5)) } else { 1.0 };
        numeric_effects.push(NumericEffect {
            conditions,
            variable: 0,
            operator: how,
            value: NumericExpression::Number(amount),
        });
    }
    Operator { step: None, precondition, effects, numeric_effects, cost: random.below(4) }
}

fn random_axiom(task: &GroundTask, random: &mut Random<'_>) -> Axiom {
    let variable = PLAIN + random.below(4);
    let ValueSource::Axioms { layer, default } = task.variables[variable as usize].source else { unreachable!() };
    let mut body = facts(task, random, 2, |_| true);
    for fact in &mut body {
        // A body may require a variable of the same layer only at its derived value, and no variable of a higher layer.
        if let ValueSource::Axioms { layer: other, default } = task.variables[fact.variable as usize].source
            && other == layer
        {
            fact.value = 1 - default;
        }
    }
    body.retain(|fact| !matches!(task.variables[fact.variable as usize].source, ValueSource::Axioms { layer: other, .. } if other > layer));
    Axiom { body, head: Fact { variable, value: 1 - default } }
}

/// A state of the naive executor.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Naive {
    pub(crate) values: Vec<u32>,
    pub(crate) numbers: Vec<Option<f64>>,
}

fn number(expression: &NumericExpression, numbers: &[Option<f64>]) -> Option<f64> {
    match expression {
        NumericExpression::Number(number) => Some(*number),
        NumericExpression::Variable(variable) => numbers[*variable as usize],
        other => unreachable!("not generated: {other:?}"),
    }
}

impl Naive {
    pub(crate) fn initial(task: &GroundTask) -> Self {
        let mut state = Self {
            values: task.initial.clone(),
            numbers: task.numeric_variables.iter().map(|number| number.initial).collect(),
        };
        state.derive(task);
        state
    }

    fn holds(&self, facts: &[Fact]) -> bool {
        facts.iter().all(|fact| self.values[fact.variable as usize] == fact.value)
    }

    pub(crate) fn is_goal(&self, task: &GroundTask) -> bool {
        self.holds(&task.goal)
    }

    fn derive(&mut self, task: &GroundTask) {
        let mut layers = 0;
        for (variable, declared) in task.variables.iter().enumerate() {
            match declared.source {
                ValueSource::Operators => {}
                ValueSource::Axioms { layer, default } => {
                    self.values[variable] = default;
                    layers = layers.max(layer + 1);
                }
                ValueSource::Comparison(place) => {
                    let NumericCondition { comparison, sides } = &task.comparisons[place as usize];
                    let sides = (number(&sides[0], &self.numbers), number(&sides[1], &self.numbers));
                    let (Some(left), Some(right)) = sides else { unreachable!("not generated") };
                    self.values[variable] = u32::from(comparison.holds(left, right));
                }
            }
        }
        for now in 0..layers {
            // A fixpoint is reached after at most one round per axiom.
            for _ in 0..task.axioms.len() {
                for axiom in &task.axioms {
                    let source = task.variables[axiom.head.variable as usize].source;
                    if matches!(source, ValueSource::Axioms { layer, .. } if layer == now) && self.holds(&axiom.body) {
                        self.values[axiom.head.variable as usize] = axiom.head.value;
                    }
                }
            }
        }
    }

    /// Returns the successor under an operator, if it is applicable.
    pub(crate) fn after(&self, task: &GroundTask, operator: &Operator) -> Option<Self> {
        if !self.holds(&operator.precondition) {
            return None;
        }
        let mut next = self.clone();
        for effect in operator.effects.iter().filter(|effect| self.holds(&effect.conditions)) {
            next.values[effect.fact.variable as usize] = effect.fact.value;
        }
        for effect in operator.numeric_effects.iter().filter(|effect| self.holds(&effect.conditions)) {
            let (old, amount) = (self.numbers[effect.variable as usize]?, number(&effect.value, &self.numbers)?);
            next.numbers[effect.variable as usize] = Some(match effect.operator {
                AssignmentOperator::Set => amount,
                AssignmentOperator::Increase => old + amount,
                AssignmentOperator::Decrease => old - amount,
                other => unreachable!("not generated: {other:?}"),
            });
        }
        next.derive(task);
        Some(next)
    }

    fn key(&self) -> (Vec<u32>, Vec<u64>) {
        (self.values.clone(), self.numbers.iter().map(|number| number.unwrap_or(f64::NAN).to_bits()).collect())
    }
}

/// The reachable states, the initial one first, with their successors and the costs of the operators.
pub(crate) struct Space {
    pub(crate) states: Vec<Naive>,
    pub(crate) edges: Vec<Vec<(usize, u64)>>,
}

impl Space {
    pub(crate) fn of(task: &GroundTask) -> Self {
        let initial = Naive::initial(task);
        let mut places = HashMap::from([(initial.key(), 0)]);
        let (mut states, mut edges) = (vec![initial], Vec::new());
        while let Some(state) = states.get(edges.len()).cloned() {
            let mut own = Vec::new();
            for operator in &task.operators {
                let Some(next) = state.after(task, operator) else { continue };
                let place = *places.entry(next.key()).or_insert(states.len());
                if place == states.len() {
                    states.push(next);
                }
                own.push((place, u64::from(operator.cost)));
            }
            edges.push(own);
        }
        Self { states, edges }
    }

    /// Returns for each state the minimum cost to the goal (Bellman-Ford), under unit costs if `unit`.
    pub(crate) fn least_costs(&self, task: &GroundTask, unit: bool) -> Vec<Option<u64>> {
        let mut least: Vec<Option<u64>> = self.states.iter().map(|state| state.is_goal(task).then_some(0)).collect();
        loop {
            let mut changed = false;
            for (place, edges) in self.edges.iter().enumerate() {
                let through = |&(next, cost): &(usize, u64)| Some(least[next]? + if unit { 1 } else { cost });
                let best = edges.iter().filter_map(through).chain(least[place]).min();
                changed |= best != least[place];
                least[place] = best;
            }
            if !changed {
                return least;
            }
        }
    }
}

/// Returns the minimum plan cost, under unit costs if `unit`.
pub(crate) fn least_cost(task: &GroundTask, unit: bool) -> Option<u64> {
    Space::of(task).least_costs(task, unit)[0]
}

/// Returns the task with another initial state.
pub(crate) fn from_state(task: &GroundTask, state: &Naive) -> GroundTask {
    let mut task = task.clone();
    for ((initial, variable), &value) in task.initial.iter_mut().zip(&task.variables).zip(&state.values) {
        if variable.source == ValueSource::Operators {
            *initial = value;
        }
    }
    for (variable, &number) in task.numeric_variables.iter_mut().zip(&state.numbers) {
        variable.initial = number;
    }
    task
}

/// Executes operators and returns their cost.
pub(crate) fn replay(task: &GroundTask, operators: &[u32]) -> u64 {
    let mut state = Naive::initial(task);
    let mut cost = 0;
    for &operator in operators {
        let operator = &task.operators[operator as usize];
        state = state.after(task, operator).expect("the operator can be applied");
        cost += u64::from(operator.cost);
    }
    assert!(state.is_goal(task), "the goal holds in the end");
    cost
}
