//! Construction of the ground task from the simplified encoding.

use goalspec_core::ids::{ObjectId, PredicateId};
use goalspec_core::planning::plan::Step;

use super::GroundError;
use super::encode::{Encoding, NOTHING, Stuff};
use super::instantiate::{Propositional, Span};
use super::layers::layers;
use super::numbers::renumbered;
use super::reach::Reached;
use super::schema::{Head, Schema};
use super::simplify::Kept;
use crate::ground_task::{
    Axiom, Effect, Fact, GroundTask, Meaning, NumericCondition, NumericEffect, Operator, Source, Variable,
};

/// Returns a minimal unsolvable task, whose goal is an auxiliary proposition that no axiom derives.
pub(super) fn unsolvable() -> GroundTask {
    let source = Source::Axioms { layer: 0, default: 0 };
    GroundTask {
        variables: vec![Variable { values: vec![Meaning::Part(false), Meaning::Part(true)], source }],
        initial: vec![0],
        goal: vec![Fact { variable: 0, value: 1 }],
        cost_unit: 1.0,
        ..GroundTask::default()
    }
}

/// The inputs of the construction.
pub(super) struct Finish<'a, 't> {
    /// The schemas.
    pub(super) schemas: &'a [Schema<'t>],
    /// The reachable atoms and instances.
    pub(super) reached: &'a Reached,
    /// The task over propositions.
    pub(super) made: &'a Propositional,
    /// The task over variables.
    pub(super) encoding: &'a Encoding,
    /// The part of the encoding that is kept.
    pub(super) kept: &'a Kept,
    /// The operator costs.
    pub(super) costs: &'a [u32],
}

/// The mapping from facts of the encoding to facts of the ground task.
struct Places {
    first: Vec<u32>,
    /// The new fact, by old fact; its variable is [`NOTHING`] if the fact was removed.
    facts: Vec<Fact>,
}

impl Places {
    fn of(&self, fact: Fact) -> Option<Fact> {
        let place = self.facts[(self.first[fact.variable as usize] + fact.value) as usize];
        (place.variable != NOTHING).then_some(place)
    }
}

impl Finish<'_, '_> {
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
                how: change.how,
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
    fn facts(&self, span: &Span, places: &Places) -> Vec<Fact> {
        self.encoding.span(span).iter().filter_map(|&fact| places.of(fact)).collect()
    }

    fn variables(&self, task: &mut GroundTask) -> Places {
        let mut places = Places { first: Vec::new(), facts: Vec::new() };
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
                    places.facts.push(Fact { variable: NOTHING, value: 0 });
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
                    Stuff::Group(_) | Stuff::Atom(_) => Source::Operators,
                    Stuff::Derived(_) | Stuff::Part => Source::Axioms { layer: 0, default: 0 },
                    Stuff::Comparison(_) => {
                        comparisons += 1;
                        Source::Comparison(comparisons - 1)
                    }
                };
                task.variables.push(Variable { values, source });
            }
        }
        places
    }

    /// Returns the meaning of a value, given the reachable values of its variable.
    fn meaning(&self, stuff: &Stuff, value: u32, reached: &[u32]) -> Meaning {
        match stuff {
            Stuff::Group(atoms) => match atoms.get(value as usize) {
                Some(&atom) => self.atom(atom, true),
                None => match reached {
                    [only, _] => self.atom(atoms[*only as usize], false),
                    _ => Meaning::NoneOfThose,
                },
            },
            Stuff::Atom(atom) => self.atom(*atom, value == 0),
            Stuff::Derived(atom) => self.atom(*atom, value == 1),
            Stuff::Part | Stuff::Comparison(_) => Meaning::Part(value == 1),
        }
    }

    fn atom(&self, atom: u32, holds: bool) -> Meaning {
        let predicate: PredicateId = self.reached.predicate(atom);
        let arguments = self.reached.arguments(predicate, atom);
        if holds { Meaning::Atom(predicate, arguments) } else { Meaning::NotAtom(predicate, arguments) }
    }

    /// Copies the relevant numeric variables and comparisons. Returns the new indices of numeric variables.
    fn numbers(&self, task: &mut GroundTask) -> Vec<u32> {
        let numbers = &self.made.numbers;
        let mut places = vec![NOTHING; numbers.variables.len()];
        for old in self.kept.numeric.ones() {
            places[old] = task.numeric.len() as u32;
            task.numeric.push(numbers.variables[old].clone());
        }
        for old in self.kept.variables.ones() {
            if let Stuff::Comparison(place) = self.encoding.variables[old] {
                let NumericCondition { comparison, sides } = &numbers.comparisons[place as usize];
                let sides = [renumbered(&sides[0], &places), renumbered(&sides[1], &places)];
                task.comparisons.push(NumericCondition { comparison: *comparison, sides });
            }
        }
        places
    }

    fn step(&self, instance: u32) -> Option<Step> {
        let operator = &self.made.operators[instance as usize];
        let schema = &self.schemas[operator.schema as usize];
        let Head::Action(action) = schema.head else { return None };
        let tuple = self.reached.instances(operator.schema as usize, operator.branch as usize).tuple(operator.row);
        let arguments = tuple[..schema.parameters].iter().map(|&object| ObjectId(object)).collect();
        Some(Step { action, arguments })
    }

    fn axioms(&self, task: &mut GroundTask, places: &Places) -> Result<(), GroundError> {
        for place in self.kept.axioms.ones() {
            let (head, body) = &self.encoding.axioms[place];
            let Some(head) = places.of(*head) else { continue };
            let body = self.facts(body, places);
            // An axiom whose body contains its head derives nothing.
            if !body.contains(&head) {
                task.axioms.push(Axiom { body, head });
            }
        }
        layers(&mut task.variables, &task.axioms)
            .ok_or_else(|| GroundError::Unsupported("a derived predicate depends on its own negation".into()))
    }

    fn mutexes(&self, task: &mut GroundTask, places: &Places, groups: &[Vec<u32>]) {
        for group in groups {
            let facts = group.iter().filter_map(|&atom| places.of(self.encoding.places[atom as usize]));
            let facts: Vec<Fact> = facts.collect();
            if facts.iter().any(|fact| fact.variable != facts[0].variable) {
                task.mutexes.push(facts);
            }
        }
    }
}
