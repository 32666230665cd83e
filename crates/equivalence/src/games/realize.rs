//! States that satisfy given conditions, found by local search over the facts, values and attributes on which the conditions depend.
//!
//! The conditions of a world are computed by the reference evaluator, so that a state that is found has exactly the required letter. If none
//! is found, nothing is known.

use std::sync::Arc;

use fixedbitset::FixedBitSet;
use goalspec_core::condition::{Condition, Expression, Scope, Term, Terms};
use goalspec_core::evaluate::Context;
use goalspec_core::ids::{AttributeId, AttributeMask, ObjectId};
use goalspec_core::playback::Playback;
use goalspec_core::state::{AttributeChange, Delta, FactChange, FluentChange, ObjectArguments, State};
use goalspec_core::value::{ObjectSet, Value, ValueKind};
use goalspec_core::world::World;
use goalspec_core::world::operation::{FunctionDefinition, PredicateDefinition};
use goalspec_core::world::vocabulary::{Callee, Dependencies};

use super::letters::{Leaf, Letters};
use crate::diagram::Diagram;
use crate::limits::MAX_STATE_CHANGES;

/// Maximum number of definitions that a change follows.
const MAX_DEFINITIONS: usize = 16;

/// The number of changes after which another assignment of the leaves is tried.
const CHANGES_BEFORE_RESTART: usize = 300;

/// A generator of pseudo-random numbers, with the same sequence in every run.
#[derive(Debug, Clone)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(2).wrapping_add(1))
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound.max(1)
    }

    fn pick<'t, T>(&mut self, items: &'t [T]) -> Option<&'t T> {
        items.get(self.below(items.len()))
    }
}

/// A change of one part of a state.
enum Change {
    Fact(FactChange),
    Fluent(FluentChange),
    Attribute(AttributeChange),
    Absence(ObjectId),
}

/// A generator of changes of states.
pub(crate) struct Changes<'w> {
    world: &'w Arc<World>,
    pub(crate) random: Random,
}

/// A condition whose truth a change may alter, with the values of its variables.
struct Target<'t> {
    scope: &'t Scope,
    objects: Vec<Option<ObjectId>>,
}

impl<'w> Changes<'w> {
    pub(crate) fn new(world: &'w Arc<World>, seed: u64) -> Self {
        Self { world, random: Random::new(seed) }
    }

    /// Returns the first state of a trace in which all objects are present.
    pub(crate) fn first_state(&mut self) -> Delta {
        let mut delta = Delta::default();
        let initial = State::new(self.world);
        for object in self.world.object_ids() {
            delta.changes.extend(self.required_values(object, &initial));
        }
        delta
    }

    /// Returns values for the attributes without which an object is absent, as far as it has none.
    fn required_values(&mut self, object: ObjectId, state: &State) -> Vec<AttributeChange> {
        let required = self.world.required_attributes(object);
        let attributes = (0..self.world.attributes().len()).map(AttributeId::from);
        let missing = attributes.filter(|&attribute| {
            required.intersects(AttributeMask::one(attribute)) && !state.has_value(attribute, object)
        });
        let missing: Vec<AttributeId> = missing.collect();
        missing
            .into_iter()
            .map(|attribute| {
                let place = f64::from(object.0) * 2.0;
                let value = match self.world.attributes()[attribute.index()].kind {
                    ValueKind::Bool => Value::Bool(false),
                    ValueKind::Int => Value::Int(0),
                    ValueKind::Real => Value::Real(0.0),
                    ValueKind::Vec3 => Value::Vec3(glam::DVec3::new(place, 0.0, 0.0)),
                    ValueKind::Orientation => Value::Vec3(glam::DVec3::ZERO),
                    ValueKind::Object => Value::Object(None),
                    ValueKind::Set => Value::Set(ObjectSet::new()),
                    ValueKind::Text => Value::Text(Arc::from("")),
                };
                AttributeChange { object, attribute, value }
            })
            .collect()
    }

    /// Adds a change to a state that may alter the truth of a condition.
    pub(crate) fn alter(
        &mut self,
        scope: &Scope,
        bindings: &[Option<ObjectId>],
        condition: &Condition,
        state: &State,
        delta: &mut Delta,
    ) {
        let mut target = Target { scope, objects: bindings.to_vec() };
        if let Some(change) = self.of_condition(condition, &mut target, state, 0) {
            apply(change, delta);
        }
    }

    fn of_condition(
        &mut self,
        condition: &Condition,
        target: &mut Target<'_>,
        state: &State,
        depth: usize,
    ) -> Option<Change> {
        let mut condition = condition;
        loop {
            for variable in condition.quantified() {
                let domain = self.world.domain(&target.scope.get(variable).types);
                target.objects[variable.index()] = self.random.pick(&domain).copied();
            }
            let Some(child) = self.random.pick(condition.children()) else { break };
            condition = child;
        }
        if let Condition::Atom(atom) = condition {
            let callee = Callee::Predicate(atom.predicate);
            return self.of_call(callee, &atom.arguments, (target, &[]), state, depth);
        }
        let (mut calls, mut numbers) = (Vec::new(), vec![0.0, 1.0]);
        for expression in condition.expressions() {
            expression.visit(&mut |part| match part {
                Expression::Call { function, arguments, .. } => calls.push((*function, arguments.clone())),
                Expression::Number(number) => numbers.push(*number),
                _ => {}
            });
        }
        let (function, arguments) = self.random.pick(&calls)?.clone();
        self.of_call(Callee::Function(function), &arguments, (target, &numbers), state, depth)
    }

    /// Returns a change of an input of a predicate or function. `numbers` are those with which a function is compared.
    fn of_call(
        &mut self,
        callee: Callee,
        arguments: &Terms,
        (target, numbers): (&Target<'_>, &[f64]),
        state: &State,
        depth: usize,
    ) -> Option<Change> {
        if depth > MAX_DEFINITIONS {
            return None;
        }
        let object = |term: &Term| match *term {
            Term::Object(object) => Some(object),
            Term::Variable(variable) => target.objects[variable.index()],
            Term::Type(_) => None,
        };
        let objects: Vec<Option<ObjectId>> = arguments.iter().map(object).collect();
        let all = || objects.iter().copied().collect::<Option<ObjectArguments>>();
        let world = Arc::clone(self.world);
        match callee {
            Callee::Predicate(predicate) => match &world.predicate(predicate).definition {
                PredicateDefinition::Stored => {
                    let arguments = all()?;
                    let holds = !state.fact(predicate, &arguments);
                    Some(Change::Fact(FactChange { predicate, arguments, holds }))
                }
                PredicateDefinition::Flag(attribute) => {
                    self.attribute(*objects.first()?, *attribute, &objects, numbers, state)
                }
                PredicateDefinition::Derived(definition) => {
                    let (scope, body) = &**definition;
                    self.of_condition(body, &mut Target::new(scope, &objects), state, depth + 1)
                }
                PredicateDefinition::Computed(_) => {
                    self.input(&world.predicate(predicate).dependencies, &objects, numbers, state)
                }
                PredicateDefinition::Unavailable(_) => None,
            },
            Callee::Function(function) => match &world.function(function).definition {
                FunctionDefinition::Stored => {
                    let (arguments, value) = (all()?, self.number(numbers));
                    Some(Change::Fluent(FluentChange { function, arguments, value }))
                }
                FunctionDefinition::Attribute(attribute) => {
                    self.attribute(*objects.first()?, *attribute, &objects, numbers, state)
                }
                FunctionDefinition::Derived(definition) => {
                    let (scope, body) = &**definition;
                    let mut calls = Vec::new();
                    body.visit(&mut |part| {
                        if let Expression::Call { function, arguments, .. } = part {
                            calls.push((*function, arguments.clone()));
                        }
                    });
                    let (function, arguments) = self.random.pick(&calls)?.clone();
                    let inner = Target::new(scope, &objects);
                    self.of_call(Callee::Function(function), &arguments, (&inner, numbers), state, depth + 1)
                }
                FunctionDefinition::Computed(_) => {
                    self.input(&world.function(function).reads, &objects, numbers, state)
                }
                FunctionDefinition::Unavailable(_) => None,
            },
        }
    }

    /// Returns a change of an attribute that a computed predicate or function reads.
    fn input(
        &mut self,
        reads: &Dependencies,
        objects: &[Option<ObjectId>],
        numbers: &[f64],
        state: &State,
    ) -> Option<Change> {
        let own = objects.iter().zip(&reads.arguments).filter_map(|(object, mask)| Some(((*object)?, *mask)));
        let mut sources: Vec<(ObjectId, AttributeMask)> = own.chain(reads.fixed_objects.iter().copied()).collect();
        sources.retain(|(_, mask)| !mask.is_empty());
        let &(object, mask) = self.random.pick(&sources)?;
        let attributes = (0..self.world.attributes().len()).map(AttributeId::from);
        let attributes: Vec<AttributeId> = attributes
            .filter(|&id| mask.intersects(AttributeMask::one(id)) && self.world.has_attribute(object, id))
            .collect();
        let attribute = *self.random.pick(&attributes)?;
        self.attribute(Some(object), attribute, objects, numbers, state)
    }

    fn attribute(
        &mut self,
        object: Option<ObjectId>,
        attribute: AttributeId,
        objects: &[Option<ObjectId>],
        numbers: &[f64],
        state: &State,
    ) -> Option<Change> {
        let object = object?;
        let related: Vec<ObjectId> = objects.iter().flatten().copied().filter(|&other| other != object).collect();
        let value = match self.world.attributes()[attribute.index()].kind {
            ValueKind::Bool => Value::Bool(state.bool(attribute, object) != Some(true)),
            ValueKind::Int => Value::Int(self.number(numbers) as i64),
            ValueKind::Real => Value::Real(self.number(numbers)),
            ValueKind::Vec3 => Value::Vec3(self.vector(attribute, &related, state)),
            ValueKind::Orientation => {
                let mut angle = || 90.0 * self.random.below(4) as f64;
                Value::Vec3(glam::DVec3::new(angle(), angle(), angle()))
            }
            ValueKind::Object => {
                let mut choices: Vec<Option<ObjectId>> = objects.iter().flatten().copied().map(Some).collect();
                choices.push(None);
                Value::Object(*self.random.pick(&choices)?)
            }
            ValueKind::Set => {
                let count = self.random.below(related.len() + 1);
                let mut set: ObjectSet = related.into_iter().take(count).collect();
                set.sort_unstable();
                set.dedup();
                Value::Set(set)
            }
            ValueKind::Text => return None,
        };
        Some(Change::Attribute(AttributeChange { object, attribute, value }))
    }

    /// Returns a vector: that of a related object, or another near it.
    fn vector(&mut self, attribute: AttributeId, related: &[ObjectId], state: &State) -> glam::DVec3 {
        let other = self.random.pick(related).copied();
        let origin = match other.map(|object| state.value(attribute, object)) {
            Some(Some(Value::Vec3(vector))) if self.random.below(4) > 0 => vector,
            _ => glam::DVec3::ZERO,
        };
        let mut offset = || [0.0, 0.0, 0.0, 0.1, -0.1, 0.5, -0.5, 1.5][self.random.below(8)];
        origin + glam::DVec3::new(offset(), offset(), offset())
    }

    fn number(&mut self, numbers: &[f64]) -> f64 {
        let number = self.random.pick(numbers).copied().unwrap_or(0.0);
        [number, number + 1.0, number - 1.0, number + 0.5, number * 0.5, number * 0.75][self.random.below(6)]
    }
}

impl<'t> Target<'t> {
    /// Creates the target of a definition whose first variables are the parameters.
    fn new(scope: &'t Scope, parameters: &[Option<ObjectId>]) -> Self {
        let mut objects = vec![None; scope.variables.len()];
        for (slot, &object) in objects.iter_mut().zip(parameters) {
            *slot = object;
        }
        Self { scope, objects }
    }
}

/// Adds a change to a delta, in the place of an earlier one of the same part.
fn apply(change: Change, delta: &mut Delta) {
    match change {
        Change::Fact(fact) => {
            delta.facts.retain(|other| (other.predicate, &other.arguments) != (fact.predicate, &fact.arguments));
            delta.facts.push(fact);
        }
        Change::Fluent(fluent) => {
            delta.fluents.retain(|other| (other.function, &other.arguments) != (fluent.function, &fluent.arguments));
            delta.fluents.push(fluent);
        }
        Change::Attribute(value) => {
            delta.changes.retain(|other| (other.object, other.attribute) != (value.object, value.attribute));
            delta.changes.push(value);
        }
        Change::Absence(object) => {
            delta.changes.retain(|other| other.object != object);
            delta.removed.push(object);
        }
    }
}

/// Finds states with the letters, in order. `first` is the state to start from.
///
/// # Errors
/// The index of the first letter for which no state is found.
pub(crate) fn realize(
    letters: &Letters<'_>,
    world: &Arc<World>,
    path: &[Diagram],
    first: Option<&Delta>,
) -> Result<Vec<Delta>, usize> {
    let mut changes = Changes::new(world, 1);
    let mut playback = Playback::new(Arc::clone(world));
    let mut deltas: Vec<Delta> = Vec::new();
    for (index, &letter) in path.iter().enumerate() {
        let start = match (index, first) {
            (0, Some(first)) => first.clone(),
            (0, None) => changes.first_state(),
            _ => Delta::default(),
        };
        let is_edge = (index == 0, index + 1 == path.len());
        let mut search = StateSearch { letters, changes: &mut changes, before: &playback, is_edge };
        let mut delta = search.find(letter, &start).ok_or(index)?;
        (delta.index, delta.clock) = (index as u64, index as u64);
        playback.advance(&delta);
        deltas.push(delta);
    }
    Ok(deltas)
}

/// A search for a state with a letter.
struct StateSearch<'s, 'w> {
    letters: &'s Letters<'w>,
    changes: &'s mut Changes<'w>,
    before: &'s Playback,
    /// Whether the state is the first, and the last.
    is_edge: (bool, bool),
}

impl StateSearch<'_, '_> {
    fn find(&mut self, letter: Diagram, start: &Delta) -> Option<Delta> {
        let mut required = self.letters.diagrams.assignment(letter, || false);
        let mut delta = start.clone();
        let mut state = self.after(&delta);
        let mut unmet = self.unmet(&required, &state);
        for change in 0..MAX_STATE_CHANGES {
            let Some(&variable) = self.changes.random.pick(&unmet) else { return Some(delta) };
            if change % CHANGES_BEFORE_RESTART == CHANGES_BEFORE_RESTART - 1 {
                let random = &mut self.changes.random;
                required = self.letters.diagrams.assignment(letter, || random.below(2) == 0);
                delta = start.clone();
                state = self.after(&delta);
                unmet = self.unmet(&required, &state);
                continue;
            }
            let mut changed = delta.clone();
            self.change(variable, &state, &mut changed);
            let changed_state = self.after(&changed);
            let now_unmet = self.unmet(&required, &changed_state);
            if now_unmet.len() <= unmet.len() {
                (delta, state, unmet) = (changed, changed_state, now_unmet);
            }
        }
        None
    }

    fn after(&self, delta: &Delta) -> State {
        let mut playback = self.before.clone();
        playback.advance(delta);
        playback.state().clone()
    }

    /// Returns the leaves that do not have their required truth in a state.
    fn unmet(&self, required: &[(u32, bool)], state: &State) -> Vec<u32> {
        let setup_objects = FixedBitSet::new();
        let (first, last) = self.is_edge;
        let world = self.letters.world();
        let ctx = Context { world, state, first, last, setup_objects: &setup_objects, work: None };
        let is_met = |&&(variable, value): &&(u32, bool)| match self.letters.leaf(variable) {
            Leaf::Present(object) => state.is_present(*object) == value,
            Leaf::Condition(condition) => condition.holds(&ctx) == value,
            Leaf::First | Leaf::Last | Leaf::Opaque => true,
        };
        required.iter().filter(|required| !is_met(required)).map(|&(variable, _)| variable).collect()
    }

    fn change(&mut self, variable: u32, state: &State, delta: &mut Delta) {
        match self.letters.leaf(variable) {
            Leaf::Present(object) if state.is_present(*object) => apply(Change::Absence(*object), delta),
            Leaf::Present(object) => {
                delta.removed.retain(|removed| removed != object);
                for value in self.changes.required_values(*object, state) {
                    apply(Change::Attribute(value), delta);
                }
            }
            Leaf::Condition(bound) => {
                let mut objects = vec![None; bound.scope.variables.len()];
                for &(variable, object) in &bound.bindings {
                    objects[variable.index()] = Some(object);
                }
                self.changes.alter(&bound.scope, &objects, &bound.condition, state, delta);
            }
            Leaf::First | Leaf::Last | Leaf::Opaque => {}
        }
    }
}
