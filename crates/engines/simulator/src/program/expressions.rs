//! Computations as register code.

use goalspec_resource::board::{NodeId, ResourceId};
use goalspec_resource::compute::Computation;
use goalspec_resource::field::{Endpoint, Field};
use goalspec_resource::function::{AggregateFunction, BinaryFunction, UnaryFunction};

use super::decisions::DecisionGraph;
use crate::cell::Cell;

/// The maximum number of registers of an expression that is evaluated without a heap allocation.
pub(crate) const REGISTERS: usize = 24;

/// The source of a value.
#[derive(Debug, Clone)]
pub(crate) enum ValueSource {
    /// A constant.
    Constant(Cell),
    /// A slot of integers.
    Int(u32),
    /// A slot of real numbers.
    Real(u32),
    /// A slot of integers or real numbers.
    Number(u32),
    /// A slot of Booleans.
    Bool(u32),
    /// A slot of any values.
    Tagged(u32),
    /// A resource of an end of the selected vector.
    End(Endpoint, ResourceId),
    /// An intermediate value.
    Computed(u32),
    /// A slot as a team observes it: `initial` unless the mask of the node has the bit of the team.
    Observed { slot: u32, node: NodeId, team_bit: u64, initial: Cell },
    /// Any other field.
    Field(Box<Field>),
}

/// A computation.
#[derive(Debug, Clone)]
pub(crate) enum Expr {
    /// The value of a source.
    Source(ValueSource),
    /// The value of a numeric expression.
    Calculate(Box<RegisterExpression>),
    /// The value of the first case that holds.
    Condition(Box<[(DecisionGraph, Self)]>),
    /// Any other computation.
    General(Box<Computation>),
}

/// A numeric expression over registers: first the fields, then the constants, then the results of the operations, of which the
/// last is the root.
#[derive(Debug, Clone)]
pub(crate) struct RegisterExpression {
    /// The fields.
    pub(crate) loads: Box<[ValueSource]>,
    /// The constants.
    pub(crate) constants: Box<[f64]>,
    /// The operations. Each reads registers before that of its result.
    pub(crate) operations: Box<[Operation]>,
    /// The number of registers.
    pub(crate) registers: usize,
    /// The register of the root.
    pub(crate) root: u16,
}

/// An operation on registers.
#[derive(Debug, Clone)]
pub(crate) enum Operation {
    Negate(u16),
    Add(u16, u16),
    Subtract(u16, u16),
    Multiply(u16, u16),
    Divide(u16, u16),
    Unary(UnaryFunction, u16),
    Binary(BinaryFunction, u16, u16),
    Aggregate(AggregateFunction, Box<[u16]>),
    Random,
    Between(u16, u16),
}
