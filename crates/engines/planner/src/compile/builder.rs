//! The compiled task in the making: facts, rules and effects that are added to a task.

use std::sync::Arc;

use goalspec_core::condition::{Condition, Origin, Scope};
use goalspec_core::ids::{FunctionId, PredicateId};
use goalspec_core::planning::task::{Effect, Rule, Task};
use goalspec_core::program::{Conjunct, Goal};
use goalspec_core::state::{Arguments, FactChange, FluentChange};

use super::Reason;
use super::rewrite::{self, Rewrite, nullary};

/// Most facts that a compilation makes up.
pub const MAX_FACTS: usize = 1 << 16;

/// A condition in the compiled task.
#[derive(Debug, Clone)]
pub(super) struct Literals {
    /// Of a state that is left.
    pub(super) left: Condition,
    /// Of the last state.
    pub(super) last: Condition,
}

/// What has been made up for a task.
pub(super) struct Builder<'t> {
    /// The original.
    pub(super) task: &'t Task,
    /// Whether to give up.
    pub(super) halt: &'t dyn Fn() -> bool,
    predicates: Vec<Arc<str>>,
    functions: Vec<Arc<str>>,
    facts: Vec<PredicateId>,
    values: Vec<(FunctionId, f64)>,
    /// What every action does besides its own effects: it reads the state that it leaves.
    pub(super) effects: Vec<Effect>,
    /// What every action requires besides its own precondition.
    pub(super) preconditions: Vec<Condition>,
    /// The rules, those of the task first.
    rules: Vec<Rule>,
    /// The goal.
    pub(super) goal: Goal,
    first: Option<PredicateId>,
    on_track: Option<PredicateId>,
}

impl<'t> Builder<'t> {
    /// Nothing made up yet; the goal is that of the task, or nothing.
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
        for rule in &task.rules {
            let body = builder.rewritten(&rule.body, Rewrite::default());
            builder.rules.push(Rule { body, ..rule.clone() });
        }
        for Conjunct { condition, origin } in task.goal.conjuncts.iter().filter(|_| keeps_goal) {
            let condition = builder.rewritten(condition, Rewrite::default());
            builder.goal.conjuncts.push(Conjunct { condition, origin: *origin });
        }
        builder
    }

    /// A name that neither the task nor anything made up has.
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

    /// A fact that is made up.
    pub(super) fn fact(&mut self, name: &str, initially: bool) -> PredicateId {
        let fact = self.predicate(name);
        if initially {
            self.facts.push(fact);
        }
        fact
    }

    /// A number that is made up.
    pub(super) fn number(&mut self, name: &str, initially: f64) -> FunctionId {
        let name = self.free_name(name);
        self.functions.push(name);
        let function = FunctionId::from(self.task.world.functions().len() + self.functions.len() - 1);
        self.values.push((function, initially));
        function
    }

    /// The fact that the state is the first one.
    fn first(&mut self) -> PredicateId {
        if let Some(first) = self.first {
            return first;
        }
        let first = self.fact("first-state", true);
        self.effects.push(Effect::Delete(nullary(first)));
        self.first = Some(first);
        first
    }

    /// The fact that everything that must hold of the run can still come to hold. Actions require it and the goal does.
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

    /// Something without variables that has to hold in the end.
    pub(super) fn require(&mut self, condition: Condition) {
        match condition {
            Condition::And(parts) => parts.into_iter().for_each(|part| self.require(part)),
            condition => self.goal.conjuncts.push(Conjunct { condition, origin: Origin::default() }),
        }
    }

    /// A condition over variables of its own that has to hold in the last state.
    pub(super) fn require_at_end(&mut self, scope: &Scope, condition: &Condition, origin: Origin) {
        let offset = self.goal.scope.variables.len().cast_signed();
        self.goal.scope.variables.extend(scope.variables.iter().cloned());
        let condition = self.rewritten(condition, Rewrite { offset, last: true, ..Rewrite::default() });
        self.goal.conjuncts.push(Conjunct { condition, origin });
    }

    /// The condition with what it asks of the place in the run put in terms of facts.
    pub(super) fn rewritten(&mut self, condition: &Condition, rewrite: Rewrite) -> Condition {
        let first = rewrite::asks_for_first(condition).then(|| self.first());
        Rewrite { first, ..rewrite }.condition(condition)
    }

    /// Literals or constants that say the same as the condition, of a state that is left and of the last one.
    pub(super) fn literals(&mut self, scope: &Scope, condition: &Condition, rewrite: &Rewrite) -> Literals {
        let [left, last] = [false, true].map(|last| self.rewritten(condition, Rewrite { last, ..rewrite.clone() }));
        let same = left == last;
        let left = self.literal(scope, left);
        let last = if same { left.clone() } else { self.literal(scope, last) };
        Literals { left, last }
    }

    /// The condition if it can stand anywhere, else a derived fact that says the same.
    fn literal(&mut self, scope: &Scope, condition: Condition) -> Condition {
        if rewrite::is_literal(&condition) {
            return condition;
        }
        let predicate = self.predicate("holds");
        self.rules.push(rule(predicate, scope.clone(), condition));
        Condition::Atom(nullary(predicate))
    }

    /// A literal or a conjunction of literals that says that one of the conjunctions of literals holds.
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

    /// An effect that every action has where the conditions, literals, hold.
    pub(super) fn on_leaving(&mut self, mut when: Vec<Condition>, effect: Effect) {
        if when.contains(&Condition::Constant(false)) {
            return;
        }
        when.retain(|part| *part != Condition::Constant(true));
        let effect = if when.is_empty() { effect } else { Effect::When(conjunction(when), Box::new(effect)) };
        self.effects.push(effect);
    }

    /// Checks that not too much has been made up, and whether to go on.
    pub(super) fn check(&self) -> Result<(), Reason> {
        if (self.halt)() {
            return Err(Reason::Halted);
        }
        if self.predicates.len() > MAX_FACTS
            || self.effects.len() > MAX_FACTS
            || self.rules.len() - self.task.rules.len() > MAX_FACTS
        {
            return Err(Reason::TooManyFacts { most: MAX_FACTS });
        }
        Ok(())
    }

    /// The task with what has been made up, its actions and metric still the old ones.
    pub(super) fn finish(self) -> Result<Task, Reason> {
        self.check()?;
        let world = self.task.world.with_stored(&self.predicates, &self.functions);
        let world =
            world.map_err(|problems| Reason::World(problems.into_iter().map(|problem| problem.kind).collect()))?;
        let mut initial = self.task.initial.clone();
        let fact = |&predicate: &PredicateId| FactChange { predicate, arguments: Arguments::new(), holds: true };
        initial.facts.extend(self.facts.iter().map(fact));
        let value =
            |&(function, value): &(FunctionId, f64)| FluentChange { function, arguments: Arguments::new(), value };
        initial.fluents.extend(self.values.iter().map(value));
        Ok(Task { world: Arc::new(world), initial, rules: self.rules, goal: self.goal, ..self.task.clone() })
    }
}

fn rule(predicate: PredicateId, scope: Scope, body: Condition) -> Rule {
    Rule { predicate, scope, parameters: 0, body, origin: Origin::default() }
}

/// All of them.
pub(super) fn conjunction(mut parts: Vec<Condition>) -> Condition {
    if parts.len() == 1 { parts.remove(0) } else { Condition::And(parts) }
}
