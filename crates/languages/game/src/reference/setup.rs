//! Whether the room is set up.

use rustc_hash::{FxHashMap, FxHashSet};

use goalspec_core::ids::ObjectId;

use super::assignments::Assignments;
use super::evaluate::{Bindings, Evaluator, Memory};
use super::failure::Failure;
use super::program::{Domain, NameId, NodeId, Program, Setup};

/// From this state on, conditions of the setup are evaluated whether their objects were updated or not.
const FORCED_FROM: u64 = 101;

/// What the setup's quantifiers have bound.
type Bound = Vec<(NameId, ObjectId)>;

/// The same in an order that does not depend on the quantifiers'.
fn sorted(bound: &Bound) -> Bound {
    let mut bound = bound.clone();
    bound.sort_unstable();
    bound
}

/// What the setup remembers.
#[derive(Debug, Clone, Default)]
pub(super) struct SetupState {
    /// Optional conditions that held, with the bindings for which they did.
    reached: FxHashMap<NodeId, FxHashSet<Bound>>,
    /// Conserved conditions with the first bindings that made them hold.
    kept: FxHashMap<NodeId, Bound>,
}

/// One evaluation of the setup.
pub(super) struct SetupWalk<'a> {
    /// What the setup remembers.
    pub(super) state: &'a mut SetupState,
    /// The program.
    pub(super) program: &'a Program,
    /// What was seen.
    pub(super) memory: &'a mut Memory,
    /// The evaluator.
    pub(super) evaluator: &'a mut Evaluator,
    /// What names are bound to.
    pub(super) bindings: &'a mut Bindings,
    /// The number of the state, from 1.
    pub(super) step: u64,
}

impl SetupWalk<'_> {
    /// Whether the setup holds in this state. Parts after the first that decides are not evaluated, and do not remember.
    ///
    /// # Errors
    /// The authors' implementation stops.
    pub(super) fn holds(&mut self, setup: &Setup) -> Result<bool, Failure> {
        self.statement(setup, &mut Vec::new(), false)
    }

    fn statement(&mut self, setup: &Setup, bound: &mut Bound, in_forall: bool) -> Result<bool, Failure> {
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
                let reached = self.state.reached.get(condition);
                if reached.is_some_and(|reached| reached.contains(&sorted(bound))) {
                    return Ok(true);
                }
                let holds = self.condition(*condition)?;
                if holds {
                    self.state.reached.entry(*condition).or_default().insert(sorted(bound));
                }
                Ok(holds)
            }
            Setup::Conserved(condition) => {
                let holds = self.condition(*condition)?;
                if in_forall || !holds {
                    return Ok(holds);
                }
                let bound = sorted(bound);
                Ok(*self.state.kept.entry(*condition).or_insert_with(|| bound.clone()) == bound)
            }
        }
    }

    fn condition(&mut self, condition: NodeId) -> Result<bool, Failure> {
        self.evaluator.holds(self.program, self.memory, condition, self.bindings, self.step >= FORCED_FROM)
    }

    /// Whether some assignment gives the part the wanted value. Names that are bound outside stay as they are.
    fn quantified(
        &mut self,
        domains: &[Domain],
        bound: &mut Bound,
        wanted: bool,
        mut part: impl FnMut(&mut Self, &mut Bound) -> Result<bool, Failure>,
    ) -> Result<bool, Failure> {
        let free: Vec<bool> = domains.iter().map(|domain| self.bindings.get(domain.name).is_none()).collect();
        let outer = bound.len();
        let mut found = Ok(false);
        for assignment in Assignments::new(domains, &[])? {
            bound.truncate(outer);
            for ((domain, &object), _) in domains.iter().zip(&assignment).zip(&free).filter(|(_, free)| **free) {
                self.bindings.set(domain.name, Some(object));
                bound.push((domain.name, object));
            }
            found = part(self, bound).map(|value| value == wanted);
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
