//! Evaluation of the setup of a game, state by state.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use fixedbitset::FixedBitSet;

use super::bindings::product;
use super::holds_if_present;
use crate::condition::{Condition, Origin};
use crate::evaluate::{self, Bindings, Context};
use crate::ids::{ObjectId, VarId};
use crate::monitor::MonitorError;
use crate::program::{ScopedSetup, Setup};
use crate::world::{Argument, World};

/// A part of the setup, by its number in preorder, with an assignment of the enclosing variables.
type Key = (usize, Vec<ObjectId>);

/// The state of a setup, carried over between states: locks, and optional statements that have held.
#[derive(Debug, Clone, Default)]
pub(crate) struct SetupProgress {
    /// The optional statements that have held.
    held: BTreeMap<Key, SatisfiedOptional>,
    /// The assignments to which quantifiers are locked.
    locks: BTreeMap<Key, Vec<ObjectId>>,
    /// The objects of the setup (see [`Setup`]), by index.
    settled: FixedBitSet,
}

/// The consequences of an optional statement that has held.
#[derive(Debug, Clone, Default)]
struct SatisfiedOptional {
    /// The objects of the enclosing `Exists` variables, which are candidates for objects of the setup.
    found: Vec<ObjectId>,
    /// The locks that the enclosing quantifiers must have for the candidates to be objects of the setup.
    under: Vec<(Key, Vec<ObjectId>)>,
}

/// An enclosing quantifier.
#[derive(Clone, Copy)]
struct EnclosingQuantifier<'a> {
    variables: &'a [VarId],
    kind: QuantifierKind,
}

#[derive(Clone, Copy)]
enum QuantifierKind {
    Forall,
    Exists,
    /// An `Exists` with a conserved part, with its number.
    Locking(usize),
}

/// Rejects a setup whose variables have too many assignments.
pub(super) fn check_size(world: &World, program: &ScopedSetup, limit: u64) -> Result<(), MonitorError> {
    check_part(world, program, &program.setup, &[], limit)
}

fn check_part(
    world: &World,
    program: &ScopedSetup,
    setup: &Setup,
    outer: &[Vec<ObjectId>],
    limit: u64,
) -> Result<(), MonitorError> {
    match setup {
        Setup::And(parts) | Setup::Or(parts) => {
            parts.iter().try_for_each(|part| check_part(world, program, part, outer, limit))
        }
        Setup::Not(part) => check_part(world, program, part, outer, limit),
        Setup::Exists(variables, body) | Setup::Forall(variables, body) => {
            let used = if matches!(setup, Setup::Forall(..)) {
                body.split_idle_variables(variables).0
            } else {
                variables.clone()
            };
            let own = used.iter().map(|&variable| world.domain(&program.scope.get(variable).types));
            let domains: Vec<_> = outer.iter().cloned().chain(own).collect();
            let bindings = product(&domains);
            if bindings > u128::from(limit) {
                let origin = variables.first().map_or(Origin::default(), |&id| program.scope.get(id).origin);
                return Err(MonitorError::TooManyBindings { preference: None, bindings, limit, origin });
            }
            check_part(world, program, body, &domains, limit)
        }
        Setup::Conserved(..) | Setup::Optional(..) => Ok(()),
    }
}

impl SetupProgress {
    /// Evaluates the setup in the next state. Its conditions see the objects of the setup as they were before that state.
    pub(crate) fn advance(&mut self, ctx: &Context<'_>, program: &ScopedSetup) -> bool {
        let settled_before = self.settled.clone();
        let ctx = Context { setup_objects: &settled_before, ..*ctx };
        let bindings = Bindings::new(&program.scope);
        let mut evaluation = Evaluation { ctx, memory: self, bindings, around: Vec::new() };
        let holds = evaluation.value(&program.setup, 0, true);
        self.update_setup_objects();
        holds
    }

    /// Returns the objects of the setup, by index.
    pub(crate) fn setup_objects(&self) -> &FixedBitSet {
        &self.settled
    }

    fn update_setup_objects(&mut self) {
        let Self { held: satisfied, locks, settled } = self;
        let counts = |satisfied: &&SatisfiedOptional| {
            satisfied.under.iter().all(|(key, assignment)| locks.get(key) == Some(assignment))
        };
        let found = satisfied.values().filter(counts).flat_map(|satisfied| &satisfied.found);
        for object in locks.values().flatten().chain(found) {
            settled.grow_and_insert(object.index());
        }
    }
}

struct Evaluation<'a> {
    ctx: Context<'a>,
    memory: &'a mut SetupProgress,
    bindings: Bindings<'a>,
    /// The quantifiers around the current part, outermost first.
    around: Vec<EnclosingQuantifier<'a>>,
}

impl<'a> Evaluation<'a> {
    /// Whether the setup with this number holds. Visits every part, even when the result is already certain, because statements have
    /// memory. `active` says whether all locking quantifiers around it are locked to the current assignment; only then do the quantifiers
    /// inside lock.
    fn value(&mut self, setup: &'a Setup, number: usize, active: bool) -> bool {
        match setup {
            Setup::And(parts) => !self.values(parts, number, active).contains(&false),
            Setup::Or(parts) => self.values(parts, number, active).contains(&true),
            Setup::Not(part) => !self.value(part, number + 1, active),
            Setup::Exists(variables, body) if setup.has_conserved_part() => {
                self.locking(variables, body, number, active)
            }
            Setup::Exists(variables, body) => {
                let around = EnclosingQuantifier { variables, kind: QuantifierKind::Exists };
                self.values_for(around, None, body, number, active).contains(&true)
            }
            Setup::Forall(variables, body) => {
                let (used, idle) = body.split_idle_variables(variables);
                if !idle.is_empty() {
                    // A body with idle variables has no memory.
                    return self.has_empty_domain(&idle)
                        || self.find(&used, |inside| !inside.value(body, number + 1, active)).is_none();
                }
                let around = EnclosingQuantifier { variables, kind: QuantifierKind::Forall };
                !self.values_for(around, None, body, number, active).contains(&false)
            }
            Setup::Conserved(condition, _) => self.holds_now(condition),
            Setup::Optional(condition, _) => {
                let key = (number, self.assignment());
                if self.holds_now(condition) {
                    let satisfied = self.held();
                    self.memory.held.insert(key.clone(), satisfied);
                }
                self.memory.held.contains_key(&key)
            }
        }
    }

    fn values(&mut self, parts: &'a [Setup], number: usize, active: bool) -> Vec<bool> {
        let mut next = number + 1;
        let mut values = Vec::with_capacity(parts.len());
        for part in parts {
            values.push(self.value(part, next, active));
            next += size(part);
        }
        values
    }

    /// Evaluates an `Exists` with a conserved part.
    fn locking(&mut self, variables: &'a [VarId], body: &'a Setup, number: usize, active: bool) -> bool {
        let key = (number, self.assignment());
        if active
            && !self.memory.locks.contains_key(&key)
            && let Some(first) = self.find(variables, |inside| inside.conserved(body) == Some(true))
        {
            self.memory.locks.insert(key.clone(), first);
        }
        let locked = self.memory.locks.get(&key).cloned();
        let around = EnclosingQuantifier { variables, kind: QuantifierKind::Locking(number) };
        self.values_for(around, locked.as_deref(), body, number, active && locked.is_some()).contains(&true)
    }

    /// Evaluates the body of the quantifier with this number for each assignment of present objects, or only for the assignment `only`.
    fn values_for(
        &mut self,
        around: EnclosingQuantifier<'a>,
        only: Option<&[ObjectId]>,
        body: &'a Setup,
        number: usize,
        active: bool,
    ) -> Vec<bool> {
        self.around.push(around);
        let mut values = Vec::new();
        self.find(around.variables, |inside| {
            if only.is_none_or(|only| only == inside.objects(around.variables)) {
                values.push(inside.value(body, number + 1, active));
            }
            false
        });
        self.around.pop();
        values
    }

    /// Whether the conserved part holds; `None` if there is none. Locks are irrelevant here: this is called only inside quantifiers that
    /// are not locked, so none inside them is.
    fn conserved(&mut self, setup: &Setup) -> Option<bool> {
        if !setup.has_conserved_part() {
            return None;
        }
        Some(match setup {
            Setup::And(parts) => parts.iter().filter_map(|part| self.conserved(part)).all(|holds| holds),
            Setup::Or(parts) => parts.iter().filter_map(|part| self.conserved(part)).any(|holds| holds),
            Setup::Not(part) => self.conserved(part) == Some(false),
            Setup::Exists(variables, body) => {
                self.find(variables, |inside| inside.conserved(body) == Some(true)).is_some()
            }
            Setup::Forall(variables, body) => {
                let (used, idle) = body.split_idle_variables(variables);
                self.has_empty_domain(&idle)
                    || self.find(&used, |inside| inside.conserved(body) == Some(false)).is_none()
            }
            Setup::Conserved(condition, _) => self.holds_now(condition),
            Setup::Optional(..) => return None,
        })
    }

    /// Whether the domain of one of the variables is empty in this state.
    fn has_empty_domain(&self, variables: &[VarId]) -> bool {
        variables.iter().any(|&variable| self.ctx.domain(self.bindings.scope(), variable).is_empty())
    }

    /// Whether a statement's condition holds in this state.
    fn holds_now(&mut self, condition: &Condition) -> bool {
        holds_if_present(&self.ctx, condition, &condition.named_objects(), &mut self.bindings)
    }

    /// Binds the variables to each assignment of present objects in order, and returns the first for which `predicate` returns true.
    fn find(&mut self, variables: &[VarId], mut predicate: impl FnMut(&mut Self) -> bool) -> Option<Vec<ObjectId>> {
        let ctx = self.ctx;
        let mut bindings = self.bindings.take();
        let found = evaluate::for_each_assignment(&ctx, variables, &mut bindings, |assigned| {
            std::mem::swap(&mut self.bindings, assigned);
            let flow =
                if predicate(self) { ControlFlow::Break(self.objects(variables)) } else { ControlFlow::Continue(()) };
            std::mem::swap(&mut self.bindings, assigned);
            flow
        });
        self.bindings = bindings;
        found.break_value()
    }

    /// Returns the objects to which the variables are bound.
    fn objects(&self, variables: &[VarId]) -> Vec<ObjectId> {
        let object = |&variable: &VarId| match self.bindings.get(variable) {
            Some(Argument::Object(object)) => Some(object),
            _ => None,
        };
        variables.iter().filter_map(object).collect()
    }

    /// Returns the objects to which the enclosing variables are bound, outermost first.
    fn assignment(&self) -> Vec<ObjectId> {
        self.around.iter().flat_map(|around| self.objects(around.variables)).collect()
    }

    /// Returns the consequences of an optional statement that holds under the current assignment.
    fn held(&self) -> SatisfiedOptional {
        let mut satisfied = SatisfiedOptional::default();
        let mut outer = Vec::new();
        for around in &self.around {
            let own = self.objects(around.variables);
            match around.kind {
                QuantifierKind::Forall => {}
                QuantifierKind::Exists => satisfied.found.extend(&own),
                QuantifierKind::Locking(number) => satisfied.under.push(((number, outer.clone()), own.clone())),
            }
            outer.extend(own);
        }
        satisfied
    }
}

/// Returns the number of parts of a setup, including itself.
fn size(setup: &Setup) -> usize {
    1 + match setup {
        Setup::And(parts) | Setup::Or(parts) => parts.iter().map(size).sum(),
        Setup::Not(part) | Setup::Exists(_, part) | Setup::Forall(_, part) => size(part),
        Setup::Conserved(..) | Setup::Optional(..) => 0,
    }
}
