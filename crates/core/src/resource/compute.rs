//! Computations: values made of the values of named fields.

use std::sync::Arc;

use super::expression::{Boolean, Expression, Numeric};
use super::field::Field;
use super::filter::ValueFilter;
use super::pattern::Pattern;
use super::value::Value;

/// An expression and what its fields are, in the order of [`Expression::fields`].
#[derive(Debug, Clone, PartialEq)]
pub struct Formula<N> {
    /// The expression.
    pub expression: Expression<N>,
    /// What it reads.
    pub fields: Vec<Field>,
}

/// A value computed from fields; it may be missing.
#[derive(Debug, Clone, PartialEq)]
pub enum Compute {
    /// A fixed value.
    Constant(Option<Value>),
    /// The value of a field as it is.
    Field(Field),
    /// A numeric expression; its value is a real number.
    Calculate(Formula<Numeric>),
    /// A boolean expression.
    CalculateBoolean(Formula<Boolean>),
    /// The value of the first case that holds; missing if none does.
    Condition(Vec<Case>),
    /// Arithmetic over several fields.
    Math(Math),
    /// Text with the text forms of fields in it.
    Template(Vec<Piece>),
    /// The first of these fields that has a value, as text.
    FirstOf(Vec<Field>),
    /// The values of several fields, as a list.
    List(Vec<Field>),
    /// A computation whose value goes through steps.
    Chain(Box<Self>, Vec<Step>),
}

/// A case of [`Compute::Condition`]: fields that all have to pass their tests, and the value then.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// The tests.
    pub when: Vec<(Field, ValueFilter)>,
    /// The value.
    pub value: Compute,
}

/// A piece of a template.
#[derive(Debug, Clone, PartialEq)]
pub enum Piece {
    /// Text as it stands.
    Text(Arc<str>),
    /// The text form of a field; `null` for one without a value.
    Field(Field),
}

/// Arithmetic over several fields.
#[derive(Debug, Clone, PartialEq)]
pub struct Math {
    /// What is computed.
    pub operator: Operator,
    /// The operands.
    pub fields: Vec<Field>,
    /// The value where an operand is missing or the result is not defined.
    pub if_invalid: Option<Value>,
}

/// What [`Math`] computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operator {
    /// The sum.
    Add,
    /// The first less all others.
    Subtract,
    /// The product.
    Multiply,
    /// The first divided by the others.
    Divide,
    /// The first with its sign changed.
    Negate,
    /// The least.
    Min,
    /// The greatest.
    Max,
    /// The mean; always real.
    Average,
    /// The standard deviation of the population; always real.
    StdDev,
    /// Whether the first equals the others.
    Equal,
    /// Whether the first differs from the others.
    NotEqual,
    /// Whether the first is greater than each of the others.
    Greater,
    /// Whether the first is not less than any of the others.
    GreaterOrEqual,
    /// Whether the first is less than each of the others.
    Less,
    /// Whether the first is not greater than any of the others.
    LessOrEqual,
}

/// A step of a chain: what becomes of the value so far.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Whether it passes a test.
    Filter(ValueFilter),
    /// A value computed from it.
    Value(ValueCompute),
}

/// A value computed from one value.
#[derive(Debug, Clone, PartialEq)]
pub enum ValueCompute {
    /// A fixed value instead.
    Constant(Option<Value>),
    /// The value itself.
    Identity,
    /// The value itself; one that is missing is none to work on.
    Present,
    /// What a table says of the value's text form.
    Lookup {
        /// From texts to values.
        table: Vec<(Arc<str>, Option<Value>)>,
        /// The value for texts that the table lacks.
        if_null: Option<Value>,
    },
    /// Arithmetic with a fixed number.
    Arithmetic(StepOperator, Value),
    /// The line through two points: `domain` to `range`.
    Linear {
        /// Two numbers, in the value's measure.
        domain: [f64; 2],
        /// What these two become.
        range: [f64; 2],
    },
    /// The value as another kind.
    As(Kind),
    /// The groups of a regular expression, as a map under these names.
    RegexCapture(Pattern, Vec<Arc<str>>),
    /// A list with 1 where this list of values has the value, and 0 elsewhere.
    OneHot(Vec<Option<Value>>),
    /// The members of the lists in a list.
    Flatten,
    /// The number of an IPv4 address.
    IpToInt,
    /// The IPv4 address of a number.
    IpFromInt,
}

/// Arithmetic with a fixed number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StepOperator {
    /// The value and the number.
    Add,
    /// The value less the number.
    Subtract,
    /// The product.
    Multiply,
    /// The value divided by the number.
    Divide,
}

/// A kind of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Whole numbers.
    Int,
    /// Real numbers.
    Real,
    /// Truth values.
    Bool,
    /// Texts.
    Text,
}
