//! The inputs and the size of definitions, computed from those of their parts.

use super::World;
use super::operation::{FunctionDefinition, PredicateDefinition};
use super::vocabulary::{Callee, Dependencies};
use crate::condition::{Condition, Expression, Term};
use crate::ids::AttributeMask;

/// A use of a predicate or function in a definition.
pub(super) struct Use<'a> {
    pub(super) callee: Callee,
    pub(super) arguments: &'a [Term],
}

/// The parts of a definition.
#[derive(Default)]
pub(super) struct DefinitionParts<'a> {
    pub(super) uses: Vec<Use<'a>>,
    /// Terms that are not arguments of predicates and functions.
    pub(super) terms: Vec<Term>,
    /// Variables bound by quantifiers.
    pub(super) quantified: Vec<crate::ids::VarId>,
    /// Whether the definition refers to the first or last state, or to the objects of the setup.
    pub(super) play: bool,
    /// The number of atoms, operators and terms.
    pub(super) size: u64,
    pub(super) depth: usize,
}

impl<'a> DefinitionParts<'a> {
    pub(super) fn of_condition(condition: &'a Condition) -> Self {
        let mut parts = Self::default();
        parts.condition(condition, 1);
        parts
    }

    pub(super) fn of_expression(expression: &'a Expression) -> Self {
        let mut parts = Self::default();
        parts.expression(expression, 1);
        parts
    }

    /// Creates the parts of a computed predicate or function, which chooses the arguments of its uses itself.
    fn of_uses(callees: Vec<Callee>) -> Self {
        let uses = callees.into_iter().map(|callee| Use { callee, arguments: &[] }).collect();
        Self { uses, size: 1, depth: 1, ..Self::default() }
    }

    fn enter(&mut self, depth: usize) {
        self.size += 1;
        self.depth = self.depth.max(depth);
    }

    fn condition(&mut self, condition: &'a Condition, depth: usize) {
        self.enter(depth);
        match condition {
            Condition::Atom(atom) => return self.call(Callee::Predicate(atom.predicate), &atom.arguments),
            Condition::FirstState | Condition::LastState | Condition::InSetup(..) => self.play = true,
            _ => {}
        }
        self.terms.extend(condition.terms());
        self.expressions(condition.expressions(), depth + 1);
        self.quantified.extend(condition.quantified());
        for part in condition.children() {
            self.condition(part, depth + 1);
        }
    }

    fn expression(&mut self, expression: &'a Expression, depth: usize) {
        self.enter(depth);
        if let Expression::Call { function, arguments, .. } = expression {
            self.call(Callee::Function(*function), arguments);
        }
        self.expressions(expression.children(), depth + 1);
    }

    fn expressions(&mut self, parts: &'a [Expression], depth: usize) {
        for part in parts {
            self.expression(part, depth);
        }
    }

    fn call(&mut self, callee: Callee, arguments: &'a [Term]) {
        self.size += arguments.len() as u64;
        self.uses.push(Use { callee, arguments });
    }
}

/// Returns the parts of a predicate or function; `None` if it uses no other.
pub(super) fn parts(world: &World, callee: Callee) -> Option<DefinitionParts<'_>> {
    match callee {
        Callee::Predicate(id) => match &world.predicate(id).definition {
            PredicateDefinition::Derived(definition) => Some(DefinitionParts::of_condition(&definition.1)),
            PredicateDefinition::Computed(operation) => Some(DefinitionParts::of_uses(operation.uses())),
            _ => None,
        },
        Callee::Function(id) => match &world.function(id).definition {
            FunctionDefinition::Derived(definition) => Some(DefinitionParts::of_expression(&definition.1)),
            FunctionDefinition::Computed(measure) => Some(DefinitionParts::of_uses(measure.uses())),
            _ => None,
        },
    }
}

/// Returns the inputs of a predicate or function. Those of all predicates and functions that it uses must be known.
pub(super) fn reads(world: &World, callee: Callee) -> Dependencies {
    let mut reads = Dependencies::default();
    let one = |attribute| AttributeMask::one(attribute);
    match callee {
        Callee::Predicate(id) => match &world.predicate(id).definition {
            PredicateDefinition::Stored => reads.facts.push(id),
            PredicateDefinition::Flag(attribute) => reads.arguments.push(one(*attribute)),
            PredicateDefinition::Derived(definition) => {
                let parameters = world.predicate(id).parameters.len();
                return of_parts(world, &DefinitionParts::of_condition(&definition.1), parameters);
            }
            PredicateDefinition::Computed(operation) => return operation.reads(world),
            PredicateDefinition::Unavailable(_) => {}
        },
        Callee::Function(id) => match &world.function(id).definition {
            FunctionDefinition::Stored => reads.fluents.push(id),
            FunctionDefinition::Attribute(attribute) => reads.arguments.push(one(*attribute)),
            FunctionDefinition::Derived(definition) => {
                let parameters = world.function(id).parameters.len();
                return of_parts(world, &DefinitionParts::of_expression(&definition.1), parameters);
            }
            FunctionDefinition::Computed(measure) => return measure.reads(world),
            FunctionDefinition::Unavailable(_) => {}
        },
    }
    reads
}

fn of_parts(world: &World, parts: &DefinitionParts<'_>, parameters: usize) -> Dependencies {
    let mut reads = Dependencies { run: parts.play, presence: !parts.quantified.is_empty(), ..Dependencies::default() };
    reads.arguments.resize(parameters, AttributeMask::NONE);
    for call in &parts.uses {
        let inner = match call.callee {
            Callee::Predicate(id) => &world.predicate(id).dependencies,
            Callee::Function(id) => &world.function(id).reads,
        };
        for (&term, &mask) in call.arguments.iter().zip(&inner.arguments) {
            match term {
                Term::Variable(variable) if variable.index() < parameters => reads.arguments[variable.index()] |= mask,
                Term::Variable(_) => reads.any_object |= mask,
                Term::Object(object) if !mask.is_empty() => reads.fixed_objects.push((object, mask)),
                Term::Object(_) | Term::Type(_) => {}
            }
        }
        reads.fixed_objects.extend_from_slice(&inner.fixed_objects);
        reads.facts.extend_from_slice(&inner.facts);
        reads.fluents.extend_from_slice(&inner.fluents);
        reads.any_object |= inner.any_object;
        reads.presence |= inner.presence;
        reads.run |= inner.run;
    }
    reads.fixed_objects.sort_unstable_by_key(|&(object, _)| object);
    reads.fixed_objects.dedup_by(|later, first| {
        let same = later.0 == first.0;
        if same {
            first.1 |= later.1;
        }
        same
    });
    reads.facts.sort_unstable();
    reads.facts.dedup();
    reads.fluents.sort_unstable();
    reads.fluents.dedup();
    reads
}
