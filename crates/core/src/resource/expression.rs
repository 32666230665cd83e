//! Numeric and boolean expressions over named values.
//!
//! An expression is a table of nodes in which operands come before what uses them; the last one is the whole. So neither building
//! nor evaluating nor dropping one recurses, however deep it is.
//!
//! Every field is looked up before anything is computed, and where one stands for nothing, neither does the expression: there
//! is no operand that another one makes unnecessary.

use std::sync::Arc;

use super::function::{Aggregate, Binary, Unary};
use super::value::Value;

/// A node of the expression that it was made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// The place of the node in the table.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A field that an expression reads: an index into its table of fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FieldId(u32);

impl FieldId {
    /// The place of the field in the table.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A node of a numeric expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Numeric {
    /// A number as written.
    Number(f64),
    /// The value of a field, as a number.
    Field(FieldId),
    /// A function of one number.
    Unary(Unary, NodeId),
    /// A function of two numbers.
    Binary(Binary, [NodeId; 2]),
    /// A function of any number of numbers.
    Aggregate(Aggregate, Vec<NodeId>),
    /// A number drawn anew at every evaluation, uniformly from 0 (included) to 1 (excluded).
    Random,
    /// A number drawn uniformly from the first (included) to the second (excluded); the first if they are equal.
    RandomBetween([NodeId; 2]),
}

/// A node of a boolean expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Boolean {
    /// A constant.
    Constant(bool),
    /// The value of a field, as a truth value.
    Field(FieldId),
    /// The opposite.
    Not(NodeId),
    /// A function of two truth values.
    Binary(Connective, [NodeId; 2]),
}

/// A function of two truth values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Connective {
    /// Both are the same.
    Equal,
    /// They differ, in an expression that says "not equal".
    NotEqual,
    /// At least one is true.
    Or,
    /// Both are true.
    And,
    /// Exactly one is true.
    Xor,
}

impl Connective {
    /// The value of the function.
    pub fn apply(self, one: bool, other: bool) -> bool {
        match self {
            Self::Equal => one == other,
            Self::NotEqual | Self::Xor => one != other,
            Self::Or => one | other,
            Self::And => one & other,
        }
    }
}

/// What may be a node: it names the nodes that it is made of.
pub trait Node {
    /// The nodes that this one is made of.
    fn operands(&self) -> &[NodeId];
}

impl Node for Numeric {
    fn operands(&self) -> &[NodeId] {
        match self {
            Self::Number(_) | Self::Field(_) | Self::Random => &[],
            Self::Unary(_, operand) => std::slice::from_ref(operand),
            Self::Binary(_, operands) | Self::RandomBetween(operands) => operands,
            Self::Aggregate(_, operands) => operands,
        }
    }
}

impl Node for Boolean {
    fn operands(&self) -> &[NodeId] {
        match self {
            Self::Constant(_) | Self::Field(_) => &[],
            Self::Not(operand) => std::slice::from_ref(operand),
            Self::Binary(_, operands) => operands,
        }
    }
}

/// An expression whose nodes are `N`: [`Numeric`] or [`Boolean`]. It has at least one node.
#[derive(Debug, Clone, PartialEq)]
pub struct Expression<N> {
    fields: Vec<Arc<str>>,
    nodes: Vec<N>,
}

/// An expression in the making.
#[derive(Debug, Clone)]
pub struct Builder<N> {
    fields: Vec<Arc<str>>,
    nodes: Vec<N>,
}

impl<N> Default for Builder<N> {
    fn default() -> Self {
        Self { fields: Vec::new(), nodes: Vec::new() }
    }
}

impl<N: Node> Builder<N> {
    /// Adds a field to look up. One name may be added several times.
    pub fn field(&mut self, name: &str) -> FieldId {
        self.fields.push(name.into());
        FieldId(self.fields.len() as u32 - 1)
    }

    /// Adds a node.
    ///
    /// # Panics
    /// If an operand is not a node of this builder.
    pub fn node(&mut self, node: N) -> NodeId {
        let own = node.operands().iter().all(|operand| operand.index() < self.nodes.len());
        assert!(own, "operands are nodes of the same expression");
        self.nodes.push(node);
        NodeId(self.nodes.len() as u32 - 1)
    }

    /// The expression whose whole is the node added last; `None` if there is none.
    pub fn finish(self) -> Option<Expression<N>> {
        (!self.nodes.is_empty()).then_some(Expression { fields: self.fields, nodes: self.nodes })
    }
}

impl<N> Expression<N> {
    /// The names of the fields that are looked up, in the order of [`FieldId`].
    pub fn fields(&self) -> &[Arc<str>] {
        &self.fields
    }

    /// The nodes, operands first, the whole last.
    pub fn nodes(&self) -> &[N] {
        &self.nodes
    }
}

impl Expression<Numeric> {
    /// Whether the whole is a comparison: 1 if it holds, 0 if not.
    pub fn is_comparison(&self) -> bool {
        matches!(self.nodes.last(), Some(Numeric::Binary(function, _)) if function.is_comparison())
    }

    /// The value, given the values of the fields and a source of numbers drawn uniformly from 0 (included) to 1 (excluded);
    /// `None` if a field has no value or one that is no number (see [`Value::as_number`]).
    ///
    /// Fields are looked up in the order of [`Self::fields`], up to the first without a number.
    /// Random numbers are drawn from left to right as the expression is built.
    pub fn evaluate(
        &self,
        mut lookup: impl FnMut(&str) -> Option<Value>,
        mut uniform: impl FnMut() -> f64,
    ) -> Option<f64> {
        let fields: Option<Vec<f64>> = self.fields.iter().map(|field| lookup(field)?.as_number()).collect();
        let fields = fields?;
        let mut values: Vec<f64> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let of = |operand: &NodeId| values[operand.index()];
            let value = match node {
                Numeric::Number(number) => *number,
                Numeric::Field(field) => fields[field.index()],
                Numeric::Unary(function, operand) => function.apply(of(operand)),
                Numeric::Binary(function, [one, other]) => function.apply(of(one), of(other)),
                Numeric::Aggregate(function, operands) => function.apply(operands.iter().map(of)),
                Numeric::Random => uniform(),
                Numeric::RandomBetween([low, high]) => of(low) + uniform() * (of(high) - of(low)),
            };
            values.push(value);
        }
        values.last().copied()
    }
}

impl Expression<Boolean> {
    /// The value, given the values of the fields; `None` if a field has no value or one that is no truth value (see
    /// [`Value::as_truth`]). Fields are looked up in the order of [`Self::fields`], up to the first without a truth value.
    pub fn evaluate(&self, mut lookup: impl FnMut(&str) -> Option<Value>) -> Option<bool> {
        let fields: Option<Vec<bool>> = self.fields.iter().map(|field| lookup(field)?.as_truth()).collect();
        let fields = fields?;
        let mut values: Vec<bool> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let value = match node {
                Boolean::Constant(constant) => *constant,
                Boolean::Field(field) => fields[field.index()],
                Boolean::Not(operand) => !values[operand.index()],
                Boolean::Binary(connective, [one, other]) => {
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
    use super::{Aggregate, Binary, Boolean, Builder, Connective, Numeric, Value};

    #[test]
    fn a_missing_field_makes_the_whole_missing() {
        let mut builder = Builder::default();
        let constant = builder.node(Boolean::Constant(true));
        let field = builder.field("a.open");
        let field = builder.node(Boolean::Field(field));
        builder.node(Boolean::Binary(Connective::Or, [constant, field]));
        let expression = builder.finish().expect("it has nodes");
        assert_eq!(expression.evaluate(|_| None), None);
        assert_eq!(expression.evaluate(|name| Some(Value::Bool(name != "a.open"))), Some(true));
    }

    #[test]
    fn random_numbers_are_drawn_from_left_to_right() {
        let mut builder = Builder::default();
        let one = builder.node(Numeric::Random);
        let other = builder.node(Numeric::Random);
        builder.node(Numeric::Binary(Binary::Subtract, [one, other]));
        let expression = builder.finish().expect("it has nodes");
        let mut draws = [0.75, 0.5].into_iter();
        assert_eq!(expression.evaluate(|_| None, || draws.next().unwrap_or(0.0)), Some(0.25));
    }

    #[test]
    fn depth_is_no_matter() {
        let mut builder = Builder::default();
        let mut sum = builder.node(Numeric::Number(0.0));
        let one = builder.node(Numeric::Number(1.0));
        for _ in 0..200_000 {
            sum = builder.node(Numeric::Aggregate(Aggregate::Sum, vec![sum, one]));
        }
        let expression = builder.finish().expect("it has nodes");
        assert_eq!(expression.evaluate(|_| None, || 0.0), Some(200_000.0));
    }

    #[test]
    #[should_panic(expected = "operands are nodes of the same expression")]
    fn foreign_operands_are_refused() {
        let mut other = Builder::default();
        let foreign = other.node(Boolean::Constant(true));
        Builder::default().node(Boolean::Not(foreign));
    }
}
