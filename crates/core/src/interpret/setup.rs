//! Evaluating the setup of a game, state by state.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use fixedbitset::FixedBitSet;

use super::bindings::product;
use super::holds_if_present;
use crate::condition::Origin;
use crate::evaluate::{self, Bindings, Context};
use crate::ids::{ObjectId, VarId};
use crate::limits::MAX_BINDINGS;
use crate::monitor::Refusal;
use crate::program::{Setup, SetupProgram};
use crate::world::{Argument, World};

/// A statement of the setup, by its place among all statements, with an assignment of its enclosing variables.
type Key = (usize, Vec<ObjectId>);

/// What a setup has settled on so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct SetupMemory {
    /// Optional statements that have held, with all their variables.
    latched: BTreeSet<Key>,
    /// For conserved statements under `Exists`, by what their `Forall` variables are bound to: what the `Exists` variables
    /// are kept bound to.
    kept: BTreeMap<Key, Vec<ObjectId>>,
    /// The objects that `Exists` variables were settled on, by index.
    settled: FixedBitSet,
}

/// An enclosing variable of a statement.
#[derive(Clone, Copy)]
struct Enclosing {
    variable: VarId,
    exists: bool,
}

/// Refuses a setup whose variables have too many assignments.
pub(super) fn check_size(world: &World, program: &SetupProgram) -> Result<(), Refusal> {
    check_part(world, program, &program.setup, &[])
}

fn check_part(world: &World, program: &SetupProgram, setup: &Setup, outer: &[Vec<ObjectId>]) -> Result<(), Refusal> {
    match setup {
        Setup::And(parts) | Setup::Or(parts) => {
            parts.iter().try_for_each(|part| check_part(world, program, part, outer))
        }
        Setup::Not(part) => check_part(world, program, part, outer),
        Setup::Exists(variables, body) | Setup::Forall(variables, body) => {
            let own = variables.iter().map(|&variable| world.domain(&program.scope.get(variable).types));
            let domains: Vec<_> = outer.iter().cloned().chain(own).collect();
            let bindings = product(&domains);
            if bindings > u128::from(MAX_BINDINGS) {
                let origin = variables.first().map_or(Origin::default(), |&id| program.scope.get(id).origin);
                return Err(Refusal::TooManyBindings { preference: None, bindings, origin });
            }
            check_part(world, program, body, &domains)
        }
        Setup::Conserved(..) | Setup::Optional(..) => Ok(()),
    }
}

impl SetupMemory {
    /// Whether the setup holds in this state. Conditions inside it see as settled what was so before the state.
    pub(crate) fn advance(&mut self, ctx: &Context<'_>, program: &SetupProgram) -> bool {
        let settled_before = self.settled.clone();
        let ctx = Context { setup: &settled_before, ..*ctx };
        let mut evaluation = Evaluation { ctx, memory: self, bindings: Bindings::new(&program.scope) };
        evaluation.holds(&program.setup, 0, &mut Vec::new())
    }

    /// The objects that the quantifiers have settled on, by index.
    pub(crate) fn settled(&self) -> &FixedBitSet {
        &self.settled
    }
}

struct Evaluation<'a> {
    ctx: Context<'a>,
    memory: &'a mut SetupMemory,
    bindings: Bindings<'a>,
}

impl Evaluation<'_> {
    /// Whether the setup holds; `first` is the number of the first statement in it. Looks at every part, decided or not,
    /// as statements remember.
    fn holds(&mut self, setup: &Setup, first: usize, enclosing: &mut Vec<Enclosing>) -> bool {
        match setup {
            Setup::And(parts) => !self.parts(parts, first, enclosing).contains(&false),
            Setup::Or(parts) => self.parts(parts, first, enclosing).contains(&true),
            Setup::Not(part) => !self.holds(part, first, enclosing),
            Setup::Exists(variables, body) => self.quantified(variables, true, body, first, enclosing).contains(&true),
            Setup::Forall(variables, body) => {
                !self.quantified(variables, false, body, first, enclosing).contains(&false)
            }
            Setup::Optional(condition, _) => {
                let key = (first, self.assignment(enclosing, |_| true));
                if holds_if_present(&self.ctx, condition, &condition.named_objects(), &mut self.bindings) {
                    self.settle(enclosing);
                    self.memory.latched.insert(key.clone());
                }
                self.memory.latched.contains(&key)
            }
            Setup::Conserved(condition, _) => {
                let key = (first, self.assignment(enclosing, |variable| !variable.exists));
                let own = self.assignment(enclosing, |variable| variable.exists);
                if !holds_if_present(&self.ctx, condition, &condition.named_objects(), &mut self.bindings) {
                    return false;
                }
                if !self.memory.kept.contains_key(&key) {
                    self.settle(enclosing);
                    self.memory.kept.insert(key.clone(), own.clone());
                }
                self.memory.kept.get(&key) == Some(&own)
            }
        }
    }

    fn parts(&mut self, parts: &[Setup], first: usize, enclosing: &mut Vec<Enclosing>) -> Vec<bool> {
        let mut next = first;
        let mut values = Vec::with_capacity(parts.len());
        for part in parts {
            values.push(self.holds(part, next, enclosing));
            next += statements(part);
        }
        values
    }

    fn quantified(
        &mut self,
        variables: &[VarId],
        exists: bool,
        body: &Setup,
        first: usize,
        enclosing: &mut Vec<Enclosing>,
    ) -> Vec<bool> {
        let outer = enclosing.len();
        enclosing.extend(variables.iter().map(|&variable| Enclosing { variable, exists }));
        let mut values = Vec::new();
        let ctx = self.ctx;
        let mut bindings = self.bindings.clone();
        let _ = evaluate::each_assignment(&ctx, variables, &mut bindings, |assigned| {
            for &variable in variables {
                if let Some(argument) = assigned.get(variable) {
                    self.bindings.bind(variable, argument);
                }
            }
            values.push(self.holds(body, first, enclosing));
            ControlFlow::<()>::Continue(())
        });
        for &variable in variables {
            self.bindings.unbind(variable);
        }
        enclosing.truncate(outer);
        values
    }

    /// What the enclosing variables of the wanted kind are bound to, outermost first.
    fn assignment(&self, enclosing: &[Enclosing], wanted: impl Fn(&Enclosing) -> bool) -> Vec<ObjectId> {
        let object = |variable: &Enclosing| match self.bindings.get(variable.variable) {
            Some(Argument::Object(object)) => Some(object),
            _ => None,
        };
        enclosing.iter().filter(|&variable| wanted(variable)).filter_map(object).collect()
    }

    /// Remembers the objects of the enclosing `Exists` variables as settled on.
    fn settle(&mut self, enclosing: &[Enclosing]) {
        for object in self.assignment(enclosing, |variable| variable.exists) {
            self.memory.settled.grow_and_insert(object.index());
        }
    }
}

/// How many statements there are in a setup.
fn statements(setup: &Setup) -> usize {
    match setup {
        Setup::And(parts) | Setup::Or(parts) => parts.iter().map(statements).sum(),
        Setup::Not(part) | Setup::Exists(_, part) | Setup::Forall(_, part) => statements(part),
        Setup::Conserved(..) | Setup::Optional(..) => 1,
    }
}
