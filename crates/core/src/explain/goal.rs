//! The atoms that make a goal hold, or prevent it from holding.

use std::ops::ControlFlow;

use super::{EvidenceSearch, Notation};
use crate::condition::{Cardinality, Condition, Origin};
use crate::evaluate::{self, Bindings, Context};
use crate::ids::VarId;
use crate::monitor::Evidence;
use crate::program::Goal;

/// Explains for each conjunct of the goal why it holds in this state, or why it does not.
///
/// For a conjunct that does not hold, returns the atoms that prevent it from holding; if it can become true in several ways, the one with
/// the fewest such atoms. For a conjunct that holds, returns atoms that together imply it. [`Evidence::value`] is the value of the atom and
/// [`Evidence::phase`] the index of the conjunct. Conditions are written in `notation`.
///
/// # Panics
/// If the goal contains ids that are not in the world.
pub fn explain_goal(ctx: &Context<'_>, goal: &Goal, notation: &dyn Notation) -> Vec<Vec<Evidence>> {
    let mut bindings = Bindings::new(&goal.scope);
    let explain = |(place, conjunct): (usize, &crate::program::Conjunct)| {
        let mut search = EvidenceSearch::new(ctx, notation, place, conjunct.origin);
        search.named(&conjunct.condition, conjunct.origin);
        if evaluate::condition(ctx, &conjunct.condition, &mut bindings) {
            if search.found.is_empty() {
                search.support(&conjunct.condition, true, &mut bindings);
            }
        } else {
            search.condition(&conjunct.condition, true, &mut bindings);
        }
        search.found
    };
    goal.conjuncts.iter().enumerate().map(explain).collect()
}

/// Returns the atoms that prevent the condition from holding under the bindings; none if it holds. If it can become true in several ways,
/// the one with the fewest such atoms is returned. Parts without a source location are reported at `origin`.
///
/// # Panics
/// If the condition uses variables that the bindings lack, or ids that are not in the world.
pub fn explain_unmet(
    ctx: &Context<'_>,
    condition: &Condition,
    origin: Origin,
    bindings: &mut Bindings<'_>,
    notation: &dyn Notation,
) -> Vec<Evidence> {
    let mut search = EvidenceSearch::new(ctx, notation, 0, origin);
    search.condition(condition, true, bindings);
    search.found
}

impl EvidenceSearch<'_> {
    /// Adds atoms that imply that the condition has the value that it has.
    fn support(&mut self, condition: &Condition, value: bool, bindings: &mut Bindings<'_>) {
        match condition {
            Condition::Not(part) => self.support(part, !value, bindings),
            Condition::And(parts) if value => parts.iter().for_each(|part| self.support(part, true, bindings)),
            Condition::Or(parts) if !value => parts.iter().for_each(|part| self.support(part, false, bindings)),
            Condition::And(parts) | Condition::Or(parts) => {
                let decisive = parts.iter().find(|part| evaluate::condition(self.ctx, part, bindings) == value);
                if let Some(part) = decisive {
                    self.support(part, value, bindings);
                }
            }
            Condition::Imply(parts) if !value => {
                self.support(&parts[0], true, bindings);
                self.support(&parts[1], false, bindings);
            }
            Condition::Imply(parts) => {
                if evaluate::condition(self.ctx, &parts[1], bindings) {
                    self.support(&parts[1], true, bindings);
                } else {
                    self.support(&parts[0], false, bindings);
                }
            }
            Condition::Exists(variables, body) => {
                let limit = if value { 1 } else { usize::MAX };
                self.support_each(variables, body, value, limit, bindings);
            }
            Condition::Forall(variables, body) => {
                let limit = if value { usize::MAX } else { 1 };
                self.support_each(variables, body, value, limit, bindings);
            }
            Condition::Count(Cardinality::AtLeast(amount), variables, body) if value => {
                self.support_each(variables, body, true, *amount as usize, bindings);
            }
            Condition::Count(Cardinality::Exactly(_), variables, body) if value => {
                self.support_each(variables, body, true, usize::MAX, bindings);
                self.support_each(variables, body, false, usize::MAX, bindings);
            }
            // All pairs for which the body holds.
            Condition::Pairing { left, right, body, .. } if value => {
                let ctx = self.ctx;
                let _ = evaluate::for_each_assignment(ctx, &[*left, *right], bindings, |bindings| {
                    if bindings.get(*left) != bindings.get(*right) && evaluate::condition(ctx, body, bindings) {
                        self.support(body, true, bindings);
                    }
                    ControlFlow::<()>::Continue(())
                });
            }
            _ => self.literal(condition, value, bindings),
        }
    }

    /// Adds atoms that imply that the body has the value `value`, for the first assignments under which it has it, at most `limit`.
    fn support_each(
        &mut self,
        variables: &[VarId],
        body: &Condition,
        value: bool,
        limit: usize,
        bindings: &mut Bindings<'_>,
    ) {
        let (ctx, mut left) = (self.ctx, limit);
        let _ = evaluate::for_each_assignment(ctx, variables, bindings, |bindings| {
            if left == 0 {
                return ControlFlow::Break(());
            }
            if evaluate::condition(ctx, body, bindings) == value {
                left -= 1;
                self.support(body, value, bindings);
            }
            ControlFlow::Continue(())
        });
    }
}
