//! Writes of consequences that are not register effects.

use goalspec_resource::board::NodeId;
use goalspec_resource::field::Endpoint;
use goalspec_resource::interpret::compute::ChainStepError;
use goalspec_resource::rules::FailedChainStepRule;
use goalspec_resource::turn::GameErrorKind;
use smallvec::SmallVec;

use crate::cell::Cell;
use crate::eval::EvalContext;
use crate::program::CompiledResourceGame;
use crate::program::effects::{CompiledWrite, Target};
use crate::program::expressions::{Expr, ValueSource};
use crate::state::{BoxedErrorKind, State};

/// Computed values before they are written; `None` for those that are skipped.
pub(crate) type PendingValues = SmallVec<[Option<Cell>; 8]>;

impl State {
    /// Returns the value to write; `None` if the write is skipped.
    #[inline]
    pub(crate) fn written_value(
        &mut self,
        c: &CompiledResourceGame,
        write: &CompiledWrite,
        frame: &EvalContext<'_>,
    ) -> Option<Cell> {
        if let Expr::Source(ValueSource::Constant(cell)) = write.value {
            return Some(cell);
        }
        match self.compute(c, &write.value, frame) {
            Ok(cell) => Some(cell),
            Err(ChainStepError) => match c.game.rules.failed_chain_steps {
                FailedChainStepRule::Missing => Some(Cell::Missing),
                FailedChainStepRule::Skip => None,
            },
        }
    }

    /// Computes the values of writes before any of them is written.
    pub(crate) fn pending_values(
        &mut self,
        c: &CompiledResourceGame,
        writes: &[CompiledWrite],
        frame: &EvalContext<'_>,
        pending: &mut PendingValues,
    ) {
        for write in writes {
            let value = self.written_value(c, write, frame);
            pending.push(value);
        }
    }

    /// Computes and adds each value in turn.
    pub(crate) fn add_each(
        &mut self,
        c: &CompiledResourceGame,
        writes: &[CompiledWrite],
        ends: Option<[NodeId; 2]>,
        frame: &EvalContext<'_>,
    ) -> Result<(), BoxedErrorKind> {
        for write in writes {
            if let Some(value) = self.written_value(c, write, frame) {
                self.add_at(c, write, ends, value)?;
            }
        }
        Ok(())
    }

    /// Computes and stores each value in turn.
    pub(crate) fn replace_each(
        &mut self,
        c: &CompiledResourceGame,
        writes: &[CompiledWrite],
        frame: &EvalContext<'_>,
    ) -> Result<(), BoxedErrorKind> {
        for write in writes {
            if let Some(value) = self.written_value(c, write, frame) {
                self.replace_at(c, write, value)?;
            }
        }
        Ok(())
    }

    /// Adds computed values.
    pub(crate) fn add_all(
        &mut self,
        c: &CompiledResourceGame,
        writes: &[CompiledWrite],
        ends: Option<[NodeId; 2]>,
        pending: &[Option<Cell>],
    ) -> Result<(), BoxedErrorKind> {
        for (write, value) in writes.iter().zip(pending) {
            if let Some(value) = *value {
                self.add_at(c, write, ends, value)?;
            }
        }
        Ok(())
    }

    #[inline]
    fn add_at(
        &mut self,
        c: &CompiledResourceGame,
        write: &CompiledWrite,
        ends: Option<[NodeId; 2]>,
        value: Cell,
    ) -> Result<(), BoxedErrorKind> {
        if value == Cell::Missing {
            return Err(Box::new(GameErrorKind::AddMissingValue { place: c.place_name(write.place) }));
        }
        match resolve_target(c, write.target, ends) {
            Some(ResolvedTarget::Slot(slot)) => {
                self.mark_not_bare(c, c.slots.get(slot).node);
                self.add(c, slot, value)
            }
            Some(ResolvedTarget::Observers(node)) => {
                self.mark_not_bare(c, node);
                self.add_labels(c, node, value);
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Stores computed values.
    pub(crate) fn replace_all(
        &mut self,
        c: &CompiledResourceGame,
        writes: &[CompiledWrite],
        pending: &[Option<Cell>],
    ) -> Result<(), BoxedErrorKind> {
        for (write, value) in writes.iter().zip(pending) {
            if let Some(value) = *value {
                self.replace_at(c, write, value)?;
            }
        }
        Ok(())
    }

    fn replace_at(
        &mut self,
        c: &CompiledResourceGame,
        write: &CompiledWrite,
        value: Cell,
    ) -> Result<(), BoxedErrorKind> {
        if value == Cell::Missing && !write.removes {
            return Err(Box::new(GameErrorKind::PutMissingValue { place: c.place_name(write.place) }));
        }
        match resolve_target(c, write.target, None) {
            Some(ResolvedTarget::Slot(slot)) => {
                self.mark_not_bare(c, c.slots.get(slot).node);
                self.put(c, slot, value)
            }
            Some(ResolvedTarget::Observers(node)) => {
                self.mark_not_bare(c, node);
                self.replace_labels(c, node, value);
                Ok(())
            }
            None => Ok(()),
        }
    }
}

/// A target resolved for a selected vector.
#[derive(Clone, Copy)]
pub(crate) enum ResolvedTarget {
    /// A slot.
    Slot(u32),
    /// The observers of a node.
    Observers(NodeId),
}

impl ResolvedTarget {
    /// Returns the node that a write affects.
    #[inline]
    pub(crate) fn node(self, c: &CompiledResourceGame) -> NodeId {
        match self {
            Self::Slot(slot) => c.slots.get(slot).node,
            Self::Observers(node) => node,
        }
    }
}

/// Resolves a target; returns `None` for an end of a vector if no vector is selected.
#[inline]
pub(crate) fn resolve_target(
    c: &CompiledResourceGame,
    target: Target,
    ends: Option<[NodeId; 2]>,
) -> Option<ResolvedTarget> {
    let node = |end| {
        ends.map(|[source, target]| match end {
            Endpoint::Source => source,
            Endpoint::Target => target,
        })
    };
    match target {
        Target::Slot(slot) => Some(ResolvedTarget::Slot(slot)),
        // Every end of a vector has a slot for every resource that is written at an end.
        Target::End(end, resource) => c.slots.at(resource, node(end)?).map(ResolvedTarget::Slot),
        Target::Observers(node) => Some(ResolvedTarget::Observers(node)),
        Target::EndObservers(end) => node(end).map(ResolvedTarget::Observers),
    }
}
