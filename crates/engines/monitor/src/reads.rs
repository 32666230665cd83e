//! The parts of a state that conditions read.

use goalspec_core::condition::{Condition, Expression, Term};
use goalspec_core::ids::{AttributeMask, VarId};
use goalspec_core::world::{Dependencies, World};
use smallvec::SmallVec;

use crate::graph::LeafReads;

/// A collector of the parts of a state that a condition over some dimensions reads.
pub(crate) struct ReadCollector<'a> {
    world: &'a World,
    dims: &'a [VarId],
    reads: LeafReads,
}

impl<'a> ReadCollector<'a> {
    pub(crate) fn new(world: &'a World, dims: &'a [VarId]) -> Self {
        let reads = LeafReads { dims: SmallVec::from_elem(AttributeMask::NONE, dims.len()), ..LeafReads::default() };
        Self { world, dims, reads }
    }

    pub(crate) fn finish(self) -> LeafReads {
        self.reads
    }

    pub(crate) fn call(&mut self, reads: &Dependencies, arguments: &[Term]) {
        for (term, &mask) in arguments.iter().zip(&reads.arguments) {
            match term {
                Term::Object(object) => self.reads.others.push((*object, mask)),
                Term::Type(_) => {}
                Term::Variable(variable) => match self.dims.iter().position(|dim| dim == variable) {
                    Some(dim) => self.reads.dims[dim] |= mask,
                    // Bound by an inner quantifier: any object.
                    None => self.reads.anywhere |= mask,
                },
            }
        }
        self.reads.others.extend(reads.fixed_objects.iter().filter(|(_, mask)| !mask.is_empty()));
        self.reads.facts.extend(&reads.facts);
        self.reads.fluents.extend(&reads.fluents);
        self.reads.anywhere |= reads.any_object;
        self.reads.presence |= reads.presence;
        self.reads.play |= reads.run;
        self.reads.last |= reads.run;
    }

    pub(crate) fn condition(&mut self, condition: &Condition) {
        condition.visit(&mut |part| {
            match part {
                Condition::Atom(atom) => self.call(&self.world.predicate(atom.predicate).dependencies, &atom.arguments),
                Condition::FirstState | Condition::InSetup(..) => self.reads.play = true,
                Condition::LastState => {
                    self.reads.play = true;
                    self.reads.last = true;
                }
                _ => {}
            }
            self.reads.presence |= !part.quantified().is_empty();
            part.expressions().iter().for_each(|expression| self.expression(expression));
        });
    }

    pub(crate) fn expression(&mut self, expression: &Expression) {
        expression.visit(&mut |part| {
            if let Expression::Call { function, arguments, .. } = part {
                self.call(&self.world.function(*function).reads, arguments);
            }
        });
    }
}
