//! Construction of the ground task from the simplified encoding.

use goalspec_core::ids::{ObjectId, PredicateId};
use goalspec_core::planning::plan::PlanStep;

use super::GroundError;
use super::encode::{Encoding, NO_VARIABLE, VariableOrigin};
use super::instantiate::{PropositionalTask, Span};
use super::numbers::renumbered;
use super::reachability::ReachableAtoms;
use super::schema::{Head, Schema};
use super::simplify::Simplification;
use super::stratification::stratify;
use crate::ground_task::{
    Axiom, Effect, Fact, GroundTask, NumericCondition, NumericEffect, Operator, ValueMeaning, ValueSource, Variable,
};

/// Returns a minimal unsolvable task, whose goal is an auxiliary proposition that no axiom derives.
pub(super) fn unsolvable() -> GroundTask {
    let source = ValueSource::Axioms { layer: 0, default: 0 };
    GroundTask {
        variables: vec![Variable {
            values: vec![ValueMeaning::Auxiliary(false), ValueMeaning::Auxiliary(true)],
            source,
        }],
        initial: vec![0],
        goal: vec![Fact { variable: 0, value: 1 }],
        cost_unit: 1.0,
        ..GroundTask::default()
    }
}

/// The inputs of the construction.
pub(super) struct GroundTaskBuilder<'a, 't> {
    /// The schemas.
    pub(super) schemas: &'a [Schema<'t>],
    /// The reachable atoms and instances.
    pub(super) reached: &'a ReachableAtoms,
    /// The task over propositions.
    pub(super) made: &'a PropositionalTask,
    /// The task over variables.
    pub(super) encoding: &'a Encoding,
    /// The part of the encoding that is kept.
    pub(super) kept: &'a Simplification,
    /// The operator costs.
    pub(super) costs: &'a [u32],
}

/// The mapping from facts of the encoding to facts of the ground task.
struct FactMapping {
    first: Vec<u32>,
    /// The new fact, by old fact; its variable is [`NO_VARIABLE`] if the fact was removed.
    facts: Vec<Fact>,
}

impl FactMapping {
    fn of(&self, fact: Fact) -> Option<Fact> {
        let place = self.facts[(self.first[fact.variable as usize] + fact.value) as usize];
        (place.variable != NO_VARIABLE).then_some(place)
    }
}

impl GroundTaskBuilder<'_, '_> {
    /// Builds the ground task; `groups` are the mutex groups of atoms.
    ///
    /// # Errors
    /// Returns an error if the axioms are not stratifiable.
    pub(super) fn run(&self, groups: &[Vec<u32>]) -> Result<GroundTask, GroundError> {
        let mut task = GroundTask { cost_unit: 1.0, ..GroundTask::default() };
        let places = self.variables(&mut task);
        let numeric = self.numbers(&mut task);
        for (place, operator) in self.encoding.operators.iter().enumerate() {
            if !self.kept.has_operator(self.encoding, place) {
                continue;
            }
            let effects = operator.effects.clone().filter(|&effect| self.kept.has_effect(self.encoding, effect));
            let effects = effects.map(|effect| {
                let effect = &self.encoding.effects[effect as usize];
                let fact = places.of(effect.fact).unwrap_or(effect.fact);
                Effect { conditions: self.facts(&effect.conditions, &places), fact }
            });
            let changes = &self.encoding.changes[operator.changes.start as usize..operator.changes.end as usize];
            let changes = changes.iter().filter(|change| {
                let conditions = self.encoding.span(&change.conditions);
                self.kept.numeric.contains(change.variable as usize)
                    && conditions.iter().all(|&fact| self.kept.can_hold(fact))
            });
            let numeric_effects = changes.map(|change| NumericEffect {
                conditions: self.facts(&change.conditions, &places),
                variable: numeric[change.variable as usize],
                operator: change.how,
                value: renumbered(&change.value, &numeric),
            });
            task.operators.push(Operator {
                step: self.step(operator.instance),
                precondition: self.facts(&operator.precondition, &places),
                effects: effects.collect(),
                numeric_effects: numeric_effects.collect(),
                cost: self.costs[operator.instance as usize],
            });
        }
        self.axioms(&mut task, &places)?;
        task.goal = self.encoding.goal.iter().flatten().filter_map(|&fact| places.of(fact)).collect();
        self.mutexes(&mut task, &places, groups);
        Ok(task)
    }

    /// Maps facts and drops those that always hold.
    fn facts(&self, span: &Span, places: &FactMapping) -> Vec<Fact> {
        self.encoding.span(span).iter().filter_map(|&fact| places.of(fact)).collect()
    }

    fn variables(&self, task: &mut GroundTask) -> FactMapping {
        let mut places = FactMapping { first: Vec::new(), facts: Vec::new() };
        let mut comparisons = 0;
        for (old, stuff) in self.encoding.variables.iter().enumerate() {
            places.first.push(places.facts.len() as u32);
            let stays = self.kept.variables.contains(old);
            let variable = task.variables.len() as u32;
            let mut values = Vec::new();
            let is_reached = |&value: &u32| self.kept.can_hold(Fact { variable: old as u32, value });
            let reached: Vec<u32> = (0..stuff.values()).filter(is_reached).collect();
            for value in 0..stuff.values() {
                if !stays || (!stuff.is_derived() && !reached.contains(&value)) {
                    places.facts.push(Fact { variable: NO_VARIABLE, value: 0 });
                    continue;
                }
                if value == self.encoding.initial[old] {
                    task.initial.push(values.len() as u32);
                }
                places.facts.push(Fact { variable, value: values.len() as u32 });
                values.push(self.meaning(stuff, value, &reached));
            }
            if stays {
                let source = match stuff {
                    VariableOrigin::Group(_) | VariableOrigin::Atom(_) => ValueSource::Operators,
                    VariableOrigin::Derived(_) | VariableOrigin::Part => ValueSource::Axioms { layer: 0, default: 0 },
                    VariableOrigin::Comparison(_) => {
                        comparisons += 1;
                        ValueSource::Comparison(comparisons - 1)
                    }
                };
                task.variables.push(Variable { values, source });
            }
        }
        places
    }

    /// Returns the meaning of a value, given the reachable values of its variable.
    fn meaning(&self, stuff: &VariableOrigin, value: u32, reached: &[u32]) -> ValueMeaning {
        match stuff {
            VariableOrigin::Group(atoms) => match atoms.get(value as usize) {
                Some(&atom) => self.atom(atom, true),
                None => match reached {
                    [only, _] => self.atom(atoms[*only as usize], false),
                    _ => ValueMeaning::NoneOfOthers,
                },
            },
            VariableOrigin::Atom(atom) => self.atom(*atom, value == 0),
            VariableOrigin::Derived(atom) => self.atom(*atom, value == 1),
            VariableOrigin::Part | VariableOrigin::Comparison(_) => ValueMeaning::Auxiliary(value == 1),
        }
    }

    fn atom(&self, atom: u32, holds: bool) -> ValueMeaning {
        let predicate: PredicateId = self.reached.predicate(atom);
        let arguments = self.reached.arguments(predicate, atom);
        if holds { ValueMeaning::Atom(predicate, arguments) } else { ValueMeaning::NotAtom(predicate, arguments) }
    }

    /// Copies the relevant numeric variables and comparisons. Returns the new indices of numeric variables.
    fn numbers(&self, task: &mut GroundTask) -> Vec<u32> {
        let numbers = &self.made.numbers;
        let mut places = vec![NO_VARIABLE; numbers.variables.len()];
        for old in self.kept.numeric.ones() {
            places[old] = task.numeric_variables.len() as u32;
            task.numeric_variables.push(numbers.variables[old].clone());
        }
        for old in self.kept.variables.ones() {
            if let VariableOrigin::Comparison(place) = self.encoding.variables[old] {
                let NumericCondition { comparison, sides } = &numbers.comparisons[place as usize];
                let sides = [renumbered(&sides[0], &places), renumbered(&sides[1], &places)];
                task.comparisons.push(NumericCondition { comparison: *comparison, sides });
            }
        }
        places
    }

    fn step(&self, instance: u32) -> Option<PlanStep> {
        let operator = &self.made.operators[instance as usize];
        let schema = &self.schemas[operator.schema as usize];
        let Head::Action(action) = schema.head else { return None };
        let tuple = self.reached.instances(operator.schema as usize, operator.branch as usize).tuple(operator.row);
        let arguments = tuple[..schema.parameters].iter().map(|&object| ObjectId(object)).collect();
        Some(PlanStep { action, arguments })
    }

    fn axioms(&self, task: &mut GroundTask, places: &FactMapping) -> Result<(), GroundError> {
        for place in self.kept.axioms.ones() {
            let (head, body) = &self.encoding.axioms[place];
            let Some(head) = places.of(*head) else { continue };
            let body = self.facts(body, places);
            // An axiom whose body contains its head derives nothing.
            if !body.contains(&head) {
                task.axioms.push(Axiom { body, head });
            }
        }
        stratify(&mut task.variables, &task.axioms)
            .ok_or_else(|| GroundError::Unsupported("a derived predicate depends on its own negation".into()))
    }

    fn mutexes(&self, task: &mut GroundTask, places: &FactMapping, groups: &[Vec<u32>]) {
        for group in groups {
            let facts = group.iter().filter_map(|&atom| places.of(self.encoding.propositions[atom as usize]));
            let facts: Vec<Fact> = facts.collect();
            if facts.iter().any(|fact| fact.variable != facts[0].variable) {
                task.mutexes.push(facts);
            }
        }
    }
}
