//! The compiled task under construction: facts, rules and effects added to a task.

use std::sync::Arc;

use goalspec_core::condition::{Condition, Origin, Scope};
use goalspec_core::ids::{FunctionId, PredicateId};
use goalspec_core::planning::task::{AxiomSchema, Effect, Task};
use goalspec_core::program::{Conjunct, Goal};
use goalspec_core::state::{FactChange, FluentChange, ObjectArguments};

use super::CompileErrorKind;
use super::rewrite::{self, Rewrite, nullary};

/// Maximum number of predicates, of effects and of rules that a compilation adds.
pub const MAX_ADDITIONS: usize = 1 << 16;

/// The two forms of a condition in the compiled task.
#[derive(Debug, Clone)]
pub(super) struct CompiledCondition {
    /// The condition in a state that is left by an action.
    pub(super) left: Condition,
    /// The condition in the last state.
    pub(super) last: Condition,
}

/// The additions to a task.
pub(super) struct Builder<'t> {
    /// The original task.
    pub(super) task: &'t Task,
    /// A callback that returns `true` if the compilation is to stop.
    pub(super) halt: &'t dyn Fn() -> bool,
    predicates: Vec<Arc<str>>,
    functions: Vec<Arc<str>>,
    facts: Vec<PredicateId>,
    values: Vec<(FunctionId, f64)>,
    /// Effects added to every action; they read the state in which the action is applied.
    pub(super) effects: Vec<Effect>,
    /// Preconditions added to every action.
    pub(super) preconditions: Vec<Condition>,
    /// The rules, those of the task first.
    rules: Vec<AxiomSchema>,
    /// The goal.
    pub(super) goal: Goal,
    first: Option<PredicateId>,
    on_track: Option<PredicateId>,
}

impl<'t> Builder<'t> {
    /// Creates a builder without additions. The goal is that of the task if `keeps_goal`, else empty.
    pub(super) fn new(task: &'t Task, keeps_goal: bool, halt: &'t dyn Fn() -> bool) -> Self {
        let mut builder = Self {
            task,
            halt,
            predicates: Vec::new(),
            functions: Vec::new(),
            facts: Vec::new(),
            values: Vec::new(),
            effects: Vec::new(),
            preconditions: Vec::new(),
            rules: Vec::new(),
            goal: Goal { conjuncts: Vec::new(), ..task.goal.clone() },
            first: None,
            on_track: None,
        };
        for rule in &task.axioms {
            let body = builder.rewritten(&rule.body, Rewrite::default());
            builder.rules.push(AxiomSchema { body, ..rule.clone() });
        }
        for Conjunct { condition, origin } in task.goal.conjuncts.iter().filter(|_| keeps_goal) {
            let condition = builder.rewritten(condition, Rewrite::default());
            builder.goal.conjuncts.push(Conjunct { condition, origin: *origin });
        }
        builder
    }

    /// Returns a name that neither the task nor an addition has.
    fn free_name(&self, name: &str) -> Arc<str> {
        let world = &self.task.world;
        let mut name: Arc<str> = format!("{name}-{}", self.predicates.len()).into();
        while world.predicate_named(&name).is_some() || world.function_named(&name).is_some() {
            name = format!("{name}'").into();
        }
        name
    }

    fn predicate(&mut self, name: &str) -> PredicateId {
        let name = self.free_name(name);
        self.predicates.push(name);
        PredicateId::from(self.task.world.predicates().len() + self.predicates.len() - 1)
    }

    /// Adds a nullary predicate.
    pub(super) fn fact(&mut self, name: &str, initially: bool) -> PredicateId {
        let fact = self.predicate(name);
        if initially {
            self.facts.push(fact);
        }
        fact
    }

    /// Adds a nullary function.
    pub(super) fn number(&mut self, name: &str, initially: f64) -> FunctionId {
        let name = self.free_name(name);
        self.functions.push(name);
        let function = FunctionId::from(self.task.world.functions().len() + self.functions.len() - 1);
        self.values.push((function, initially));
        function
    }

    /// Returns the fact that holds in the first state only.
    fn first(&mut self) -> PredicateId {
        if let Some(first) = self.first {
            return first;
        }
        let first = self.fact("first-state", true);
        self.effects.push(Effect::Delete(nullary(first)));
        self.first = Some(first);
        first
    }

    /// Returns the fact stating that all hard requirements can still be satisfied. Every action and the goal require it.
    pub(super) fn on_track(&mut self) -> PredicateId {
        if let Some(fact) = self.on_track {
            return fact;
        }
        let fact = self.fact("on-track", true);
        self.preconditions.push(Condition::Atom(nullary(fact)));
        self.require(Condition::Atom(nullary(fact)));
        self.on_track = Some(fact);
        fact
    }

    /// Adds a closed condition to the goal.
    pub(super) fn require(&mut self, condition: Condition) {
        match condition {
            Condition::And(parts) => parts.into_iter().for_each(|part| self.require(part)),
            condition => self.goal.conjuncts.push(Conjunct { condition, origin: Origin::default() }),
        }
    }

    /// Adds a condition over variables of its own scope to the goal, evaluated in the last state.
    pub(super) fn require_at_end(&mut self, scope: &Scope, condition: &Condition, origin: Origin) {
        let offset = self.goal.scope.variables.len().cast_signed();
        self.goal.scope.variables.extend(scope.variables.iter().cloned());
        let condition = self.rewritten(condition, Rewrite { offset, last: true, ..Rewrite::default() });
        self.goal.conjuncts.push(Conjunct { condition, origin });
    }

    /// Rewrites a condition; tests for the first or last state become facts or constants.
    pub(super) fn rewritten(&mut self, condition: &Condition, rewrite: Rewrite) -> Condition {
        let first = rewrite::asks_for_first(condition).then(|| self.first());
        Rewrite { first, ..rewrite }.condition(condition)
    }

    /// Returns literals or constants equivalent to the condition, for a state that is left and for the last state.
    pub(super) fn literals(&mut self, scope: &Scope, condition: &Condition, rewrite: &Rewrite) -> CompiledCondition {
        let [left, last] = [false, true].map(|last| self.rewritten(condition, Rewrite { last, ..rewrite.clone() }));
        let same = left == last;
        let left = self.literal(scope, left);
        let last = if same { left.clone() } else { self.literal(scope, last) };
        CompiledCondition { left, last }
    }

    /// Returns the condition if it is a literal or constant, else a derived fact equivalent to it.
    fn literal(&mut self, scope: &Scope, condition: Condition) -> Condition {
        if rewrite::is_literal(&condition) {
            return condition;
        }
        let predicate = self.predicate("holds");
        self.rules.push(rule(predicate, scope.clone(), condition));
        Condition::Atom(nullary(predicate))
    }

    /// Returns a literal or a conjunction of literals equivalent to the disjunction of conjunctions of literals.
    pub(super) fn any(&mut self, name: &str, mut cubes: Vec<Vec<Condition>>) -> Condition {
        cubes.retain(|cube| !cube.contains(&Condition::Constant(false)));
        for cube in &mut cubes {
            cube.retain(|part| *part != Condition::Constant(true));
        }
        if cubes.iter().any(Vec::is_empty) {
            return Condition::Constant(true);
        }
        if cubes.is_empty() {
            return Condition::Constant(false);
        }
        if cubes.len() == 1 {
            return conjunction(cubes.remove(0));
        }
        let predicate = self.predicate(name);
        for cube in cubes {
            self.rules.push(rule(predicate, Scope::default(), conjunction(cube)));
        }
        Condition::Atom(nullary(predicate))
    }

    /// Adds a conditional effect to every action; the conditions are literals.
    pub(super) fn add_effect(&mut self, mut when: Vec<Condition>, effect: Effect) {
        if when.contains(&Condition::Constant(false)) {
            return;
        }
        when.retain(|part| *part != Condition::Constant(true));
        let effect = if when.is_empty() { effect } else { Effect::When(conjunction(when), Box::new(effect)) };
        self.effects.push(effect);
    }

    /// Checks the limit on additions and polls the callback.
    pub(super) fn check(&self) -> Result<(), CompileErrorKind> {
        if (self.halt)() {
            return Err(CompileErrorKind::Cancelled);
        }
        if self.predicates.len() > MAX_ADDITIONS
            || self.effects.len() > MAX_ADDITIONS
            || self.rules.len() - self.task.axioms.len() > MAX_ADDITIONS
        {
            return Err(CompileErrorKind::TooManyAdditions { limit: MAX_ADDITIONS });
        }
        Ok(())
    }

    /// Builds the task. Its actions and metric are still those of the original.
    pub(super) fn finish(self) -> Result<Task, CompileErrorKind> {
        self.check()?;
        let world = self.task.world.with_stored_vocabulary(&self.predicates, &self.functions);
        let world = world
            .map_err(|problems| CompileErrorKind::World(problems.into_iter().map(|problem| problem.kind).collect()))?;
        let mut initial = self.task.initial.clone();
        let fact = |&predicate: &PredicateId| FactChange { predicate, arguments: ObjectArguments::new(), holds: true };
        initial.facts.extend(self.facts.iter().map(fact));
        let value = |&(function, value): &(FunctionId, f64)| FluentChange {
            function,
            arguments: ObjectArguments::new(),
            value,
        };
        initial.fluents.extend(self.values.iter().map(value));
        Ok(Task { world: Arc::new(world), initial, axioms: self.rules, goal: self.goal, ..self.task.clone() })
    }
}

fn rule(predicate: PredicateId, scope: Scope, body: Condition) -> AxiomSchema {
    AxiomSchema { predicate, scope, parameters: 0, body, origin: Origin::default() }
}

/// Returns a conjunction.
pub(super) fn conjunction(mut parts: Vec<Condition>) -> Condition {
    if parts.len() == 1 { parts.remove(0) } else { Condition::And(parts) }
}
