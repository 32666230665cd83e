//! A generator of planning tasks, and an executor of their actions that uses only the core's evaluator.
//!
//! | module | contents |
//! |---|---|
//! | [`executor`] | states, applicable steps, and their effects |
//! | [`grounding`] | a comparison of ground tasks with their original tasks |
//! | [`searches`] | a comparison of search results with an exhaustive exploration |

pub mod executor;
pub mod grounding;
pub mod searches;

use std::sync::Arc;

use goalspec_core::condition::{
    Atom, Cardinality, ComparisonOperator, Condition, Expression, Origin, PairingRule, Scope, Term, Terms, Variable,
};
use goalspec_core::ids::{FunctionId, ObjectId, PredicateId, TypeId, VarId};
use goalspec_core::planning::task::{
    Action, AssignmentOperator, AxiomSchema, Effect, Metric, MetricExpression, OptimizationDirection, Task,
};
use goalspec_core::program::{Conjunct, Goal};
use goalspec_core::state::{Delta, FactChange, FluentChange};
use goalspec_core::world::{World, WorldBuilder};

use crate::choices::Choices;

/// The features that a generated task may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "features are there or not, each by itself")]
pub struct Features {
    /// Whether conditions may contain negations, universal quantifiers and implications over fluents.
    pub negation: bool,
    /// Whether conditions may contain counts and pairings.
    pub counting: bool,
    /// Whether tasks have derived predicates.
    pub rules: bool,
    /// Whether tasks have numeric fluents.
    pub numbers: bool,
    /// The nesting depth of the conditions of actions.
    pub depth: usize,
}

impl Features {
    /// All features.
    pub const ALL: Self = Self { negation: true, counting: true, rules: true, numbers: true, depth: 3 };
    /// No features: conditions are positive in the fluents.
    pub const POSITIVE: Self = Self { negation: false, counting: false, rules: false, numbers: false, depth: 3 };
}

/// The names of a generated world.
struct Vocabulary {
    types: [TypeId; 3],
    /// The predicates that actions change, with the types of their parameters.
    fluents: Vec<(PredicateId, Vec<TypeId>)>,
    /// The predicates that do not change.
    fixed: Vec<(PredicateId, Vec<TypeId>)>,
    /// The derived predicates. A predicate may depend negatively on those before it.
    derived: Vec<(PredicateId, Vec<TypeId>)>,
    /// A numeric fluent of objects, which actions change.
    level: FunctionId,
    /// A static numeric function of objects.
    weight: FunctionId,
    /// The total cost of the steps.
    cost: FunctionId,
}

/// Generates a task with a random selection of features: tasks without numbers and counts have fewer states.
///
/// # Panics
/// Panics if the declarations of the world have an error.
pub fn any_task(choices: &mut Choices<'_>) -> Task {
    let (numbers, counting, rules) = (choices.one_in(4), choices.one_in(4), choices.one_in(2));
    let features = Features { numbers, counting, rules, negation: !choices.one_in(4), depth: choices.below(3) };
    let mut task = task(choices, features);
    if !choices.one_in(4) {
        set_distant_goal(&mut task, choices);
    }
    task
}

/// Sets the goal of a task to changes that a few steps cause, if they cause any.
fn set_distant_goal(task: &mut Task, choices: &mut Choices<'_>) {
    let executor = executor::Executor::bounded(task);
    let (first, steps) = (executor.initial(), executor.steps());
    let mut state = first.clone();
    for _ in 0..choices.below(10) {
        let possible: Vec<_> = steps.iter().filter_map(|step| executor.apply(&state, step)).collect();
        // A task that takes too long to carry out keeps its goal.
        if executor.is_exhausted() {
            return;
        }
        if possible.is_empty() {
            break;
        }
        state = possible[(choices.below(256) * 256 + choices.below(256)) % possible.len()].clone();
    }
    let literal = |(predicate, objects): (PredicateId, &[ObjectId]), holds| {
        let arguments = objects.iter().map(|&object| Term::Object(object)).collect();
        let atom = Condition::Atom(Atom { predicate, arguments, origin: Origin::default() });
        if holds { atom } else { Condition::Not(Box::new(atom)) }
    };
    let new = state.facts().filter(|&(predicate, objects)| !first.fact(predicate, objects));
    let removed = first.facts().filter(|&(predicate, objects)| !state.fact(predicate, objects));
    let mut changed: Vec<_> = new.map(|fact| (fact, true)).chain(removed.map(|fact| (fact, false))).collect();
    // The order of facts is not specified.
    changed.sort_unstable();
    let mut conjuncts = Vec::new();
    while !changed.is_empty() && conjuncts.len() < 3 {
        let (fact, holds) = changed.swap_remove(choices.below(changed.len()));
        conjuncts.push(Conjunct { condition: literal(fact, holds), origin: Origin::default() });
    }
    if !conjuncts.is_empty() {
        task.goal = Goal { name: "goal".into(), scope: Scope::default(), conjuncts };
    }
}

/// Generates a task with the given features.
///
/// # Panics
/// Panics if the declarations of the world have an error.
pub fn task(choices: &mut Choices<'_>, features: Features) -> Task {
    let mut builder = WorldBuilder::new("small");
    let object = builder.add_type("object", &[]);
    let thing = builder.add_type("thing", &[object]);
    let place = builder.add_type("place", &[object]);
    for (kind, name, min_count) in [(thing, "t", 1), (place, "p", 1)] {
        for number in 0..min_count + choices.below(3) {
            let name = format!("{name}{number}");
            let id = builder.add_object(name.as_str(), &[kind]);
            builder.add_program_name(name, id);
        }
    }
    let mut declare = |name: &str, types: &[TypeId]| (builder.add_fact(name, types), types.to_vec());
    let fluents = vec![
        declare("on", &[]),
        declare("free", &[thing]),
        declare("at", &[thing, place]),
        declare("linked", &[object, object]),
    ];
    let fixed = vec![declare("heavy", &[thing]), declare("road", &[place, place])];
    let derived = vec![declare("connected", &[object, object]), declare("good", &[thing])];
    let level = builder.add_fluent("level", &[thing]);
    let weight = builder.add_fluent("weight", &[thing]);
    let cost = builder.add_fluent("total-cost", &[]);
    let world = builder.finish().expect("the declarations are valid");
    let types = [object, thing, place];
    let vocabulary = Vocabulary { types, fluents, fixed, derived, level, weight, cost };
    TaskGenerator { choices, features, vocabulary, world: Arc::new(world), derived: 0 }.task()
}

struct TaskGenerator<'c, 'b> {
    choices: &'c mut Choices<'b>,
    features: Features,
    vocabulary: Vocabulary,
    world: Arc<World>,
    /// The number of derived predicates that conditions may use. All but the last of them may be used negatively.
    derived: usize,
}

impl TaskGenerator<'_, '_> {
    fn task(mut self) -> Task {
        let initial = self.initial();
        let rules = if self.features.rules { self.rules() } else { Vec::new() };
        self.derived = if self.features.rules { self.vocabulary.derived.len() } else { 0 };
        let has_costs = self.choices.one_in(2);
        // Actions with weak preconditions reach more states.
        let min_count = if self.features.depth < 2 { 3 } else { 0 };
        let actions = (0..=min_count + self.choices.below(3)).map(|index| self.action(index, has_costs)).collect();
        let goal = self.goal();
        let value = MetricExpression::Call(self.vocabulary.cost, Terms::new(), Origin::default());
        let metric =
            Metric { direction: OptimizationDirection::Minimize, expression: value, origin: Origin::default() };
        Task {
            name: "generated".into(),
            world: Arc::clone(&self.world),
            initial,
            actions,
            axioms: rules,
            goal,
            constraints: Vec::new(),
            preferences: Vec::new(),
            metric: has_costs.then_some(metric),
        }
    }

    fn initial(&mut self) -> Delta {
        let mut initial = Delta::default();
        let stored: Vec<_> = self.vocabulary.fluents.iter().chain(&self.vocabulary.fixed).cloned().collect();
        for (predicate, types) in stored {
            for arguments in tuples(&self.world, &types) {
                if self.choices.one_in(3) {
                    initial.facts.push(FactChange { predicate, arguments: arguments.into(), holds: true });
                }
            }
        }
        let thing = self.vocabulary.types[1];
        for (function, rarely) in [(self.vocabulary.level, 8), (self.vocabulary.weight, 8)] {
            for &object in self.world.members(thing) {
                // Only numbers that change may be undefined initially.
                if !self.choices.one_in(rarely) || !self.features.numbers {
                    let value = self.choices.below(4) as f64;
                    initial.fluents.push(FluentChange { function, arguments: [object].into_iter().collect(), value });
                }
            }
        }
        let arguments = goalspec_core::state::ObjectArguments::new();
        initial.fluents.push(FluentChange { function: self.vocabulary.cost, arguments, value: 0.0 });
        initial
    }

    fn variable(&mut self, scope: &mut Scope) -> VarId {
        let kind = self.choices.pick(&[1, 2, 0]);
        let name = format!("?v{}", scope.variables.len());
        let types = vec![self.vocabulary.types[kind]];
        scope.declare(Variable { name: name.into(), types, origin: Origin::default() })
    }

    fn rules(&mut self) -> Vec<AxiomSchema> {
        let mut rules = Vec::new();
        for (index, (predicate, types)) in self.vocabulary.derived.clone().into_iter().enumerate() {
            self.derived = index + 1;
            for _ in 0..=self.choices.below(2) {
                let mut scope = Scope::default();
                for &kind in &types {
                    let name = format!("?x{}", scope.variables.len());
                    scope.declare(Variable { name: name.into(), types: vec![kind], origin: Origin::default() });
                }
                let bound: Vec<VarId> = (0..types.len()).map(VarId::from).collect();
                let body = self.condition(&mut scope, &bound, 3, ConditionContext::Rule { positive: true });
                rules.push(AxiomSchema { predicate, scope, parameters: types.len(), body, origin: Origin::default() });
            }
        }
        rules
    }

    fn action(&mut self, at: usize, has_costs: bool) -> Action {
        let mut scope = Scope::default();
        let parameters = self.choices.below(4);
        let bound: Vec<VarId> = (0..parameters).map(|_| self.variable(&mut scope)).collect();
        let precondition = self.condition(&mut scope, &bound, self.features.depth, ConditionContext::Precondition);
        let mut effects: Vec<Effect> =
            (0..=self.choices.below(3)).map(|_| self.effect(&mut scope, &bound, 2)).collect();
        if has_costs {
            let terms = self.terms(&scope, &bound, &[self.vocabulary.types[1]]);
            let value = match terms {
                Some(arguments) if self.choices.one_in(2) => call(self.vocabulary.weight, arguments),
                _ => Expression::Number(self.choices.below(5) as f64 / 2.0),
            };
            effects.push(assign(AssignmentOperator::Increase, self.vocabulary.cost, Terms::new(), value));
        }
        Action {
            name: format!("act{at}").into(),
            scope,
            parameters,
            precondition,
            preferences: Vec::new(),
            effect: Effect::And(effects),
            origin: Origin::default(),
        }
    }

    fn goal(&mut self) -> Goal {
        let mut scope = Scope::default();
        let mut conjuncts = Vec::new();
        for _ in 0..=self.choices.below(2) {
            let condition = self.condition(&mut scope, &[], 3, ConditionContext::Precondition);
            conjuncts.push(Conjunct { condition, origin: Origin::default() });
        }
        Goal { name: "goal".into(), scope, conjuncts }
    }

    /// Chooses arguments of these types from the variables in scope and the objects. Returns `None` if a type has neither.
    fn terms(&mut self, scope: &Scope, bound: &[VarId], types: &[TypeId]) -> Option<Terms> {
        let mut terms = Terms::new();
        for &kind in types {
            let matching =
                |variable: &&VarId| scope.get(**variable).types.iter().any(|&own| self.world.is_subtype(own, kind));
            let variables: Vec<VarId> = bound.iter().filter(matching).copied().collect();
            let objects = self.world.members(kind);
            terms.push(match variables.is_empty() || self.choices.one_in(6) {
                false => Term::Variable(self.choices.pick(&variables)),
                true if objects.is_empty() => return None,
                true => Term::Object(self.choices.pick(objects)),
            });
        }
        Some(terms)
    }

    fn atom(&mut self, scope: &Scope, bound: &[VarId], place: ConditionContext) -> Condition {
        let mut all = self.vocabulary.fluents.clone();
        all.extend(self.vocabulary.fixed.iter().cloned());
        let usable = match place {
            // Rules use only derived predicates before their own negatively.
            ConditionContext::Rule { positive: false } => self.derived.saturating_sub(1),
            ConditionContext::Rule { positive: true } | ConditionContext::Precondition => self.derived,
        };
        all.extend(self.vocabulary.derived[..usable].iter().cloned());
        let index = self.choices.below(all.len());
        let (predicate, types) = all[index].clone();
        match self.terms(scope, bound, &types) {
            Some(arguments) => Condition::Atom(Atom { predicate, arguments, origin: Origin::default() }),
            None => Condition::Constant(false),
        }
    }

    fn expression(&mut self, scope: &Scope, bound: &[VarId], depth: usize) -> Expression {
        let thing = self.vocabulary.types[1];
        let function = self.choices.pick(&[self.vocabulary.level, self.vocabulary.weight]);
        match self.choices.below(if depth == 0 { 3 } else { 7 }) {
            1 | 2 => match self.terms(scope, bound, &[thing]) {
                Some(arguments) => call(function, arguments),
                None => Expression::Number(1.0),
            },
            3 => Expression::Add(vec![self.expression(scope, bound, depth - 1), self.expression(scope, bound, 0)]),
            4 => Expression::Multiply(vec![self.expression(scope, bound, 0), self.expression(scope, bound, 0)]),
            5 => Expression::Absolute(Box::new(Expression::Subtract(Box::new([
                self.expression(scope, bound, 0),
                self.expression(scope, bound, 0),
            ])))),
            6 => Expression::Divide(Box::new([self.expression(scope, bound, 0), self.expression(scope, bound, 0)])),
            _ => Expression::Number(self.choices.below(4) as f64),
        }
    }

    fn condition(&mut self, scope: &mut Scope, bound: &[VarId], depth: usize, place: ConditionContext) -> Condition {
        if depth == 0 || self.choices.one_in(4) {
            return self.leaf(scope, bound, place);
        }
        let Features { negation, counting, .. } = self.features;
        let inner = |maker: &mut Self, scope: &mut Scope| {
            let variable = maker.variable(scope);
            let bound: Vec<VarId> = bound.iter().copied().chain([variable]).collect();
            (variable, bound)
        };
        match self.choices.below(if counting && negation {
            9
        } else if negation {
            7
        } else {
            4
        }) {
            0 | 1 => Condition::And(
                (0..=self.choices.below(3)).map(|_| self.condition(scope, bound, depth - 1, place)).collect(),
            ),
            2 => Condition::Or((0..2).map(|_| self.condition(scope, bound, depth - 1, place)).collect()),
            3 => {
                let (variable, bound) = inner(self, scope);
                Condition::Exists(vec![variable], Box::new(self.condition(scope, &bound, depth - 1, place)))
            }
            4 => Condition::Not(Box::new(self.condition(scope, bound, depth - 1, place.negated()))),
            5 => {
                let (variable, bound) = inner(self, scope);
                Condition::Forall(vec![variable], Box::new(self.condition(scope, &bound, depth - 1, place)))
            }
            6 => Condition::Imply(Box::new([
                self.condition(scope, bound, depth - 1, place.negated()),
                self.condition(scope, bound, depth - 1, place),
            ])),
            7 => {
                let amount = self.choices.below(3) as u32;
                let amount =
                    if self.choices.one_in(2) { Cardinality::Exactly(amount) } else { Cardinality::AtLeast(amount) };
                let (variable, bound) = inner(self, scope);
                let body = self.condition(scope, &bound, depth - 1, place.negated());
                Condition::Count(amount, vec![variable], Box::new(body))
            }
            _ => {
                let rule = self.choices.pick(&[PairingRule::Matching, PairingRule::Covering]);
                let amount = self.choices.pick(&[None, Some(1), Some(2)]);
                let (left, outer) = inner(self, scope);
                let right = self.variable(scope);
                let bound: Vec<VarId> = outer.into_iter().chain([right]).collect();
                // The depth decreases by two, for the two variables: three nested pairings take minutes to evaluate.
                let body = Box::new(self.condition(scope, &bound, depth.saturating_sub(2), place.negated()));
                Condition::Pairing { rule, amount, left, right, body }
            }
        }
    }

    fn leaf(&mut self, scope: &Scope, bound: &[VarId], place: ConditionContext) -> Condition {
        let object = self.vocabulary.types[0];
        match self.choices.below(if self.features.numbers { 8 } else { 6 }) {
            1 => {
                // The predicate is static, so the literal may be negative everywhere.
                let (predicate, types) = self.vocabulary.fixed[self.choices.below(2)].clone();
                match self.terms(scope, bound, &types) {
                    Some(arguments) => {
                        let atom = Atom { predicate, arguments, origin: Origin::default() };
                        Condition::Not(Box::new(Condition::Atom(atom)))
                    }
                    None => Condition::Constant(true),
                }
            }
            2 => match self.terms(scope, bound, &[object, object]) {
                Some(sides) if self.choices.one_in(2) => Condition::Distinct(sides[0], sides[1]),
                Some(sides) => Condition::Not(Box::new(Condition::Distinct(sides[0], sides[1]))),
                None => Condition::Constant(true),
            },
            6 | 7 => {
                let comparison = self.choices.pick(&[
                    ComparisonOperator::Less,
                    ComparisonOperator::LessEqual,
                    ComparisonOperator::Equal,
                    ComparisonOperator::GreaterEqual,
                    ComparisonOperator::Greater,
                ]);
                let sides = Box::new([self.expression(scope, bound, 1), self.expression(scope, bound, 1)]);
                Condition::Compare { comparison, sides, origin: Origin::default() }
            }
            _ => self.atom(scope, bound, place),
        }
    }

    fn effect(&mut self, scope: &mut Scope, bound: &[VarId], depth: usize) -> Effect {
        match self.choices.below(if depth == 0 { 4 } else { 7 }) {
            4 => {
                let condition = self.condition(scope, bound, 2, ConditionContext::Precondition);
                Effect::When(condition, Box::new(self.effect(scope, bound, depth - 1)))
            }
            5 => {
                let variable = self.variable(scope);
                let bound: Vec<VarId> = bound.iter().copied().chain([variable]).collect();
                Effect::Forall(vec![variable], Box::new(self.effect(scope, &bound, depth - 1)))
            }
            6 if self.features.numbers => {
                let thing = self.vocabulary.types[1];
                let Some(arguments) = self.terms(scope, bound, &[thing]) else { return Effect::And(Vec::new()) };
                let operator = self.choices.pick(&[
                    AssignmentOperator::Increase,
                    AssignmentOperator::Decrease,
                    AssignmentOperator::Set,
                ]);
                assign(operator, self.vocabulary.level, arguments, self.expression(scope, bound, 1))
            }
            operator => {
                let index = self.choices.below(self.vocabulary.fluents.len());
                let (predicate, types) = self.vocabulary.fluents[index].clone();
                let Some(arguments) = self.terms(scope, bound, &types) else { return Effect::And(Vec::new()) };
                let atom = Atom { predicate, arguments, origin: Origin::default() };
                if operator % 2 == 0 { Effect::Add(atom) } else { Effect::Delete(atom) }
            }
        }
    }
}

/// The context of a condition.
#[derive(Debug, Clone, Copy)]
enum ConditionContext {
    /// The body of a rule. `positive` is whether the number of enclosing negations is even.
    Rule { positive: bool },
    /// Any other condition.
    Precondition,
}

impl ConditionContext {
    /// Returns the context under a negation. A double negation counts as negative, so that the rules are stratified.
    fn negated(self) -> Self {
        match self {
            Self::Rule { .. } => Self::Rule { positive: false },
            Self::Precondition => self,
        }
    }
}

fn assign(operator: AssignmentOperator, function: FunctionId, arguments: Terms, value: Expression) -> Effect {
    Effect::Assign { operator, function, arguments, value, origin: Origin::default() }
}

fn call(function: FunctionId, arguments: Terms) -> Expression {
    Expression::Call { function, arguments, origin: Origin::default() }
}

/// Returns all tuples of objects of these types. The last component changes fastest.
pub fn tuples(world: &World, types: &[TypeId]) -> Vec<Vec<ObjectId>> {
    let mut all = vec![Vec::new()];
    for &kind in types {
        let longer = |tuple: &Vec<ObjectId>| {
            let tuple = tuple.clone();
            world.members(kind).iter().map(move |&object| tuple.iter().copied().chain([object]).collect())
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}
