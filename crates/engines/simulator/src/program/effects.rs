//! Actions and their consequences.

use std::sync::Arc;

use goalspec_resource::board::{NodeId, ResourceId};
use goalspec_resource::field::{Endpoint, Place};
use goalspec_resource::game::VectorSelection;
use goalspec_resource::value::Value;

use super::decisions::DecisionGraph;
use super::expressions::{Expr, Operation};
use crate::cell::Cell;

/// A write to a place.
#[derive(Debug, Clone)]
pub(crate) struct CompiledWrite {
    /// The place in the state.
    pub(crate) target: Target,
    /// The value to add or to store.
    pub(crate) value: Expr,
    /// Whether a missing value removes the resource.
    pub(crate) removes: bool,
    /// The place in the game, for messages.
    pub(crate) place: Place,
}

/// The target of a write.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Target {
    /// A slot.
    Slot(u32),
    /// A resource of an end of the selected vector.
    End(Endpoint, ResourceId),
    /// The observers of a node.
    Observers(NodeId),
    /// The observers of an end of the selected vector.
    EndObservers(Endpoint),
}

/// An action.
#[derive(Debug)]
pub(crate) struct Action {
    /// The additions that an execution costs, whether it is valid or not.
    pub(crate) cost: Box<[CompiledWrite]>,
    /// The cost as register effects, if it has this form.
    pub(crate) register_cost: Option<RegisterEffects>,
    /// The condition under which an execution is valid, tested after the cost is paid.
    pub(crate) requires: DecisionGraph,
    /// The consequences, in the order of the game; the first one begins a group.
    pub(crate) consequences: Box<[Consequence]>,
}

/// A consequence.
#[derive(Debug)]
pub(crate) struct Consequence {
    /// The initial odds.
    pub(crate) odds: f64,
    /// The index of its current odds among those with a discount, and the discount.
    pub(crate) discount: Option<(u32, f64)>,
    /// Whether it begins a group, for which a random number is drawn.
    pub(crate) begins_group: bool,
    /// Its effect.
    pub(crate) effect: CompiledEffect,
}

/// The effect of a consequence. It is `direct` if no value reads a place written before it, so that each value can be written as
/// soon as it is computed; `registers` is the same effect as register effects, if it has this form.
#[derive(Debug)]
pub(crate) enum CompiledEffect {
    /// Writes to resources and observers.
    Resources {
        compute: Box<[Expr]>,
        add: Box<[CompiledWrite]>,
        replace: Box<[CompiledWrite]>,
        direct: bool,
        registers: Option<RegisterEffects>,
    },
    /// A label added to the observers of the target of a vector picked from a set; `bit` is its bit in masks.
    MakeVisible { label: Arc<str>, bit: u64, set: u32 },
    /// Writes at the ends of one or all vectors of a set.
    Vectors {
        selection: VectorSelection,
        set: u32,
        compute: Box<[Expr]>,
        add: Box<[CompiledWrite]>,
        direct: bool,
        registers: Option<RegisterEffects>,
    },
    /// A custom result with its arguments.
    Custom { name: Arc<str>, arguments: Box<[(Arc<str>, Option<Value>)]> },
}

impl CompiledEffect {
    /// Returns the set from which the effect picks a vector at random, if it does.
    #[inline]
    pub(crate) fn picked_set(&self) -> Option<u32> {
        match self {
            Self::MakeVisible { set, .. } | Self::Vectors { selection: VectorSelection::Random, set, .. } => Some(*set),
            Self::Vectors { .. } | Self::Resources { .. } | Self::Custom { .. } => None,
        }
    }
}

/// Effects that write numbers or constants to slots that are certain to exist: all values are computed in registers and then
/// written. The registers contain first the loaded numbers and then the results of the operations.
#[derive(Debug)]
pub(crate) struct RegisterEffects {
    /// The numbers loaded into the first registers.
    pub(crate) loads: Box<[Load]>,
    /// The operations, whose results follow in the next registers.
    pub(crate) operations: Box<[Operation]>,
    /// The writes, in the order of the game. They refer to registers below [`EFFECT_REGISTERS`].
    pub(crate) writes: Box<[Write]>,
}

/// The maximum number of registers of register effects.
pub(crate) const EFFECT_REGISTERS: usize = 32;

/// An operand of register effects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Load {
    /// The number with these bits.
    Constant(u64),
    /// An integer slot.
    Int(u32),
    /// A real or numeric slot.
    Real(u32),
    /// A resource of an end of the selected vector that is an integer slot at every end.
    EndInt(Endpoint, ResourceId),
    /// A resource of an end of the selected vector that is a real or numeric slot at every end.
    EndReal(Endpoint, ResourceId),
}

/// A write of register effects.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Write {
    /// Adds a constant to an integer slot; a sum outside the range is counted at most.
    AddInt { slot: u32, added: i32, min: i32, max: i32 },
    /// Adds a register to a real or numeric slot.
    AddReal { slot: u32, added: u16 },
    /// Any other addition.
    Add { target: Target, value: WriteOperand },
    /// Replaces a value.
    Replace { target: Target, value: WriteOperand },
}

/// A value written by register effects.
#[derive(Debug, Clone, Copy)]
pub(crate) enum WriteOperand {
    /// A constant, which is not missing.
    Constant(Cell),
    /// The integer in a register.
    Int(u16),
    /// The real number in a register.
    Real(u16),
}
