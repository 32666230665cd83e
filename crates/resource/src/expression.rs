//! Numeric and Boolean expressions over named values.
//!
//! An expression is a table of nodes in topological order: operands precede the nodes that use them, and the last node is the
//! root. Building, evaluating and dropping an expression therefore never recurse, whatever its depth.
//!
//! Evaluation is strict: every field is looked up before anything is computed, and a field without a usable value makes the whole
//! expression missing, even as an operand that would not affect the result.

use std::sync::Arc;

use crate::function::{AggregateFunction, BinaryFunction, UnaryFunction};
use crate::value::Value;

/// The index of a node in its expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ExpressionNodeId(u32);

impl ExpressionNodeId {
    /// Returns the index of the node in the table of nodes.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The index of a field in the field table of its expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FieldId(u32);

impl FieldId {
    /// Returns the index of the field in the table of fields.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A node of a numeric expression.
#[derive(Debug, Clone, PartialEq)]
pub enum NumericNode {
    /// A literal.
    Number(f64),
    /// The value of a field as a number.
    Field(FieldId),
    /// A unary function.
    Unary(UnaryFunction, ExpressionNodeId),
    /// A binary function.
    Binary(BinaryFunction, [ExpressionNodeId; 2]),
    /// A function of any number of operands.
    Aggregate(AggregateFunction, Vec<ExpressionNodeId>),
    /// A random number drawn at every evaluation, uniform from 0 (inclusive) to 1 (exclusive).
    Random,
    /// A random number uniform from the first operand (inclusive) to the second (exclusive); the first if they are equal.
    RandomBetween([ExpressionNodeId; 2]),
}

/// A node of a Boolean expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BooleanNode {
    /// A literal.
    Constant(bool),
    /// The value of a field as a Boolean.
    Field(FieldId),
    /// Negation.
    Not(ExpressionNodeId),
    /// A binary connective.
    Binary(Connective, [ExpressionNodeId; 2]),
}

/// A binary connective of Boolean expressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Connective {
    /// True if the operands are equal.
    Equal,
    /// True if the operands differ; written as an inequality, with the same value as [`Connective::Xor`].
    NotEqual,
    /// Disjunction.
    Or,
    /// Conjunction.
    And,
    /// Exclusive disjunction.
    Xor,
}

impl Connective {
    /// Applies the connective.
    pub fn apply(self, one: bool, other: bool) -> bool {
        match self {
            Self::Equal => one == other,
            Self::NotEqual | Self::Xor => one != other,
            Self::Or => one | other,
            Self::And => one & other,
        }
    }
}

/// A type of expression nodes.
pub trait ExpressionNode {
    /// Returns the operands of the node.
    fn operands(&self) -> &[ExpressionNodeId];
}

impl ExpressionNode for NumericNode {
    fn operands(&self) -> &[ExpressionNodeId] {
        match self {
            Self::Number(_) | Self::Field(_) | Self::Random => &[],
            Self::Unary(_, operand) => std::slice::from_ref(operand),
            Self::Binary(_, operands) | Self::RandomBetween(operands) => operands,
            Self::Aggregate(_, operands) => operands,
        }
    }
}

impl ExpressionNode for BooleanNode {
    fn operands(&self) -> &[ExpressionNodeId] {
        match self {
            Self::Constant(_) | Self::Field(_) => &[],
            Self::Not(operand) => std::slice::from_ref(operand),
            Self::Binary(_, operands) => operands,
        }
    }
}

/// An expression with nodes of type `N`, [`NumericNode`] or [`BooleanNode`]; it has at least one node.
#[derive(Debug, Clone, PartialEq)]
pub struct Expression<N> {
    fields: Vec<Arc<str>>,
    nodes: Vec<N>,
}

/// Constructs expressions bottom-up, with shared fields.
#[derive(Debug, Clone)]
pub struct ExpressionBuilder<N> {
    fields: Vec<Arc<str>>,
    nodes: Vec<N>,
}

impl<N> Default for ExpressionBuilder<N> {
    fn default() -> Self {
        Self { fields: Vec::new(), nodes: Vec::new() }
    }
}

impl<N: ExpressionNode> ExpressionBuilder<N> {
    /// Adds a field to look up; the same name may be added repeatedly.
    pub fn field(&mut self, name: &str) -> FieldId {
        self.fields.push(name.into());
        FieldId(self.fields.len() as u32 - 1)
    }

    /// Adds a node.
    ///
    /// # Panics
    /// If an operand is not a node of this builder.
    pub fn node(&mut self, node: N) -> ExpressionNodeId {
        let own = node.operands().iter().all(|operand| operand.index() < self.nodes.len());
        assert!(own, "operands are nodes of the same expression");
        self.nodes.push(node);
        ExpressionNodeId(self.nodes.len() as u32 - 1)
    }

    /// Returns the expression whose root is the node added last; `None` if there are no nodes.
    pub fn finish(self) -> Option<Expression<N>> {
        (!self.nodes.is_empty()).then_some(Expression { fields: self.fields, nodes: self.nodes })
    }
}

impl<N> Expression<N> {
    /// Returns the names of the fields, indexed by [`FieldId`].
    pub fn fields(&self) -> &[Arc<str>] {
        &self.fields
    }

    /// Returns the nodes in topological order; the last is the root.
    pub fn nodes(&self) -> &[N] {
        &self.nodes
    }

    /// Returns the root.
    pub fn root(&self) -> ExpressionNodeId {
        ExpressionNodeId(self.nodes.len().saturating_sub(1) as u32)
    }
}

impl Expression<NumericNode> {
    /// Whether the root is a comparison, with value 1 or 0.
    pub fn is_comparison(&self) -> bool {
        matches!(self.nodes.last(), Some(NumericNode::Binary(function, _)) if function.is_comparison())
    }

    /// Evaluates the expression with the values of its fields and a source of random numbers uniform from 0 (inclusive) to 1
    /// (exclusive); returns `None` if a field is missing or not numeric (see [`Value::to_number`]).
    ///
    /// Fields are looked up in the order of [`Self::fields`], up to the first without a number. Random numbers are drawn in the
    /// order of the nodes, left to right.
    pub fn evaluate(
        &self,
        mut lookup: impl FnMut(&str) -> Option<Value>,
        mut uniform: impl FnMut() -> f64,
    ) -> Option<f64> {
        let fields: Option<Vec<f64>> = self.fields.iter().map(|field| lookup(field)?.to_number()).collect();
        let fields = fields?;
        let mut values: Vec<f64> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let of = |operand: &ExpressionNodeId| values[operand.index()];
            let value = match node {
                NumericNode::Number(number) => *number,
                NumericNode::Field(field) => fields[field.index()],
                NumericNode::Unary(function, operand) => function.apply(of(operand)),
                NumericNode::Binary(function, [one, other]) => function.apply(of(one), of(other)),
                NumericNode::Aggregate(function, operands) => function.apply(operands.iter().map(of)),
                NumericNode::Random => uniform(),
                NumericNode::RandomBetween([low, high]) => of(low) + uniform() * (of(high) - of(low)),
            };
            values.push(value);
        }
        values.last().copied()
    }
}

impl Expression<BooleanNode> {
    /// Evaluates the expression with the values of its fields; returns `None` if a field is missing or not Boolean (see
    /// [`Value::to_bool`]). Fields are looked up in the order of [`Self::fields`], up to the first without a Boolean.
    pub fn evaluate(&self, mut lookup: impl FnMut(&str) -> Option<Value>) -> Option<bool> {
        let fields: Option<Vec<bool>> = self.fields.iter().map(|field| lookup(field)?.to_bool()).collect();
        let fields = fields?;
        let mut values: Vec<bool> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let value = match node {
                BooleanNode::Constant(constant) => *constant,
                BooleanNode::Field(field) => fields[field.index()],
                BooleanNode::Not(operand) => !values[operand.index()],
                BooleanNode::Binary(connective, [one, other]) => {
                    connective.apply(values[one.index()], values[other.index()])
                }
            };
            values.push(value);
        }
        values.last().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::{AggregateFunction, BinaryFunction, BooleanNode, Connective, ExpressionBuilder, NumericNode, Value};

    #[test]
    fn a_missing_field_makes_the_whole_missing() {
        let mut builder = ExpressionBuilder::default();
        let constant = builder.node(BooleanNode::Constant(true));
        let field = builder.field("a.open");
        let field = builder.node(BooleanNode::Field(field));
        builder.node(BooleanNode::Binary(Connective::Or, [constant, field]));
        let expression = builder.finish().expect("it has nodes");
        assert_eq!(expression.evaluate(|_| None), None);
        assert_eq!(expression.evaluate(|name| Some(Value::Bool(name != "a.open"))), Some(true));
    }

    #[test]
    fn random_numbers_are_drawn_from_left_to_right() {
        let mut builder = ExpressionBuilder::default();
        let one = builder.node(NumericNode::Random);
        let other = builder.node(NumericNode::Random);
        builder.node(NumericNode::Binary(BinaryFunction::Subtract, [one, other]));
        let expression = builder.finish().expect("it has nodes");
        let mut draws = [0.75, 0.5].into_iter();
        assert_eq!(expression.evaluate(|_| None, || draws.next().unwrap_or(0.0)), Some(0.25));
    }

    #[test]
    fn depth_is_no_matter() {
        let mut builder = ExpressionBuilder::default();
        let mut sum = builder.node(NumericNode::Number(0.0));
        let one = builder.node(NumericNode::Number(1.0));
        for _ in 0..200_000 {
            sum = builder.node(NumericNode::Aggregate(AggregateFunction::Sum, vec![sum, one]));
        }
        let expression = builder.finish().expect("it has nodes");
        assert_eq!(expression.evaluate(|_| None, || 0.0), Some(200_000.0));
    }

    #[test]
    #[should_panic(expected = "operands are nodes of the same expression")]
    fn operands_of_other_kinds_are_errors() {
        let mut other = ExpressionBuilder::default();
        let foreign = other.node(BooleanNode::Constant(true));
        ExpressionBuilder::default().node(BooleanNode::Not(foreign));
    }
}
