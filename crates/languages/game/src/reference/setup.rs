//! Evaluation of the setup.

use rustc_hash::{FxHashMap, FxHashSet};

use goalspec_core::ids::ObjectId;

use super::assignments::Assignments;
use super::error::PlayError;
use super::evaluate::{Bindings, Evaluator, RoomState};
use super::program::{Domain, NameId, NodeId, Program, Setup};

/// The first state in which conditions of the setup are evaluated even if none of their objects was updated.
const FORCED_FROM: u64 = 101;

/// Work units of one assignment of a quantifier, and of each binding that a remembered condition sorts and hashes.
const ASSIGNMENT_WORK: u64 = 12;
const BINDING_WORK: u64 = 4;

/// The bindings made by the quantifiers of the setup.
type SetupBinding = Vec<(NameId, ObjectId)>;

/// Returns the bindings in canonical order, independent of the order of the quantifiers.
fn sorted(bound: &SetupBinding) -> SetupBinding {
    let mut bound = bound.clone();
    bound.sort_unstable();
    bound
}

/// The memory of the setup across states.
#[derive(Debug, Clone, Default)]
pub(super) struct SetupState {
    /// The optional conditions that have held, with their bindings.
    optional_held: FxHashMap<NodeId, FxHashSet<SetupBinding>>,
    /// The conserved conditions, with the first bindings for which they held.
    conserved_bindings: FxHashMap<NodeId, SetupBinding>,
}

/// An evaluation of the setup in one state.
pub(super) struct SetupEvaluation<'a> {
    /// The memory of the setup.
    pub(super) state: &'a mut SetupState,
    /// The compiled program.
    pub(super) program: &'a Program,
    /// The recorded state of the room.
    pub(super) memory: &'a mut RoomState,
    /// The evaluator.
    pub(super) evaluator: &'a mut Evaluator,
    /// The bindings of names.
    pub(super) bindings: &'a mut Bindings,
    /// The number of the state, starting at 1.
    pub(super) step: u64,
}

impl SetupEvaluation<'_> {
    /// Returns whether the setup holds in this state. Evaluation short-circuits, and conditions that are not evaluated do not update
    /// the memory.
    ///
    /// # Errors
    /// Returns an error if the authors' implementation stops.
    pub(super) fn holds(&mut self, setup: &Setup) -> Result<bool, PlayError> {
        self.statement(setup, &mut Vec::new(), false)
    }

    fn statement(&mut self, setup: &Setup, bound: &mut SetupBinding, in_forall: bool) -> Result<bool, PlayError> {
        match setup {
            Setup::And(parts) => {
                for part in parts {
                    if !self.statement(part, bound, in_forall)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Setup::Or(parts) => {
                for part in parts {
                    if self.statement(part, bound, in_forall)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Setup::Not(part) => Ok(!self.statement(part, bound, in_forall)?),
            Setup::Exists(domains, part) => {
                self.quantified(domains, bound, true, |walk, bound| walk.statement(part, bound, in_forall))
            }
            Setup::Forall(domains, part) => {
                Ok(!self.quantified(domains, bound, false, |walk, bound| walk.statement(part, bound, true))?)
            }
            Setup::Optional(condition) => {
                self.evaluator.spend(BINDING_WORK * bound.len() as u64)?;
                let satisfied = self.state.optional_held.get(condition);
                if satisfied.is_some_and(|satisfied| satisfied.contains(&sorted(bound))) {
                    return Ok(true);
                }
                let holds = self.condition(*condition)?;
                if holds {
                    self.state.optional_held.entry(*condition).or_default().insert(sorted(bound));
                }
                Ok(holds)
            }
            Setup::Conserved(condition) => {
                self.evaluator.spend(BINDING_WORK * bound.len() as u64)?;
                let holds = self.condition(*condition)?;
                if in_forall || !holds {
                    return Ok(holds);
                }
                let bound = sorted(bound);
                Ok(*self.state.conserved_bindings.entry(*condition).or_insert_with(|| bound.clone()) == bound)
            }
        }
    }

    fn condition(&mut self, condition: NodeId) -> Result<bool, PlayError> {
        self.evaluator.holds(self.program, self.memory, condition, self.bindings, self.step >= FORCED_FROM)
    }

    /// Returns whether some assignment gives the part the value `expected`. Names that are already bound keep their objects.
    fn quantified(
        &mut self,
        domains: &[Domain],
        bound: &mut SetupBinding,
        expected: bool,
        mut part: impl FnMut(&mut Self, &mut SetupBinding) -> Result<bool, PlayError>,
    ) -> Result<bool, PlayError> {
        let free: Vec<bool> = domains.iter().map(|domain| self.bindings.get(domain.name).is_none()).collect();
        let outer = bound.len();
        let mut found = Ok(false);
        let assignments = Assignments::new(domains, &[])?;
        self.evaluator.spend(assignments.setup_work())?;
        for assignment in assignments {
            if let Err(exhausted) = self.evaluator.spend(ASSIGNMENT_WORK) {
                found = Err(exhausted);
                break;
            }
            bound.truncate(outer);
            for ((domain, &object), _) in domains.iter().zip(&assignment).zip(&free).filter(|(_, free)| **free) {
                self.bindings.set(domain.name, Some(object));
                bound.push((domain.name, object));
            }
            found = part(self, bound).map(|value| value == expected);
            if !matches!(found, Ok(false)) {
                break;
            }
        }
        bound.truncate(outer);
        for (domain, _) in domains.iter().zip(&free).filter(|(_, free)| **free) {
            self.bindings.set(domain.name, None);
        }
        found
    }
}
