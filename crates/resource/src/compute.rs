//! Computations: values derived from the values of named fields.

use std::sync::Arc;

use crate::expression::{BooleanNode, Expression, NumericNode};
use crate::field::Field;
use crate::filter::ValueFilter;
use crate::pattern::TextPattern;
use crate::value::Value;

/// An expression with its fields resolved, in the order of [`Expression::fields`].
#[derive(Debug, Clone, PartialEq)]
pub struct ResolvedExpression<N> {
    /// The expression.
    pub expression: Expression<N>,
    /// The fields it reads.
    pub fields: Vec<Field>,
}

/// A computation of a value from fields; the result may be missing.
#[derive(Debug, Clone, PartialEq)]
pub enum Computation {
    /// A constant.
    Constant(Option<Value>),
    /// The unchanged value of a field.
    Field(Field),
    /// A numeric expression; its value is a real number.
    Calculate(ResolvedExpression<NumericNode>),
    /// A Boolean expression.
    CalculateBoolean(ResolvedExpression<BooleanNode>),
    /// A conditional: the value of the first case that holds; missing if none does.
    Cases(Vec<ComputationCase>),
    /// An arithmetic operator applied to several fields.
    Math(MathOperation),
    /// A string assembled from literal parts and the text forms of fields.
    Template(Vec<TemplatePart>),
    /// The text form of the first field that has a value.
    FirstOf(Vec<Field>),
    /// The values of several fields, as a list.
    List(Vec<Field>),
    /// A computation whose value passes through a sequence of steps.
    Chain(Box<Self>, Vec<ChainStep>),
}

/// A case of [`Computation::Cases`]: its value applies if every field passes its test.
#[derive(Debug, Clone, PartialEq)]
pub struct ComputationCase {
    /// The tests.
    pub when: Vec<(Field, ValueFilter)>,
    /// The value.
    pub value: Computation,
}

/// Literal text, or the text form of a field, in a template.
#[derive(Debug, Clone, PartialEq)]
pub enum TemplatePart {
    /// Literal text.
    Text(Arc<str>),
    /// The text form of a field; `null` for one without a value.
    Field(Field),
}

/// An arithmetic operator applied to several fields.
#[derive(Debug, Clone, PartialEq)]
pub struct MathOperation {
    /// The operator.
    pub operator: MathOperator,
    /// The operands.
    pub fields: Vec<Field>,
    /// The value if an operand is missing or the result is undefined.
    pub fallback: Option<Value>,
}

/// An operator of [`MathOperation`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MathOperator {
    /// The sum.
    Add,
    /// The first operand minus all others.
    Subtract,
    /// The product.
    Multiply,
    /// The first operand divided by all others.
    Divide,
    /// The negation of the first operand.
    Negate,
    /// The minimum.
    Min,
    /// The maximum.
    Max,
    /// The arithmetic mean; always real.
    Average,
    /// The population standard deviation; always real.
    StdDev,
    /// Whether the first equals the others.
    Equal,
    /// Whether the first differs from the others.
    NotEqual,
    /// Whether the first is greater than each of the others.
    Greater,
    /// Whether the first is greater than or equal to each of the others.
    GreaterOrEqual,
    /// Whether the first is less than each of the others.
    Less,
    /// Whether the first is less than or equal to each of the others.
    LessOrEqual,
}

/// A step of a chain, applied to the value so far.
#[derive(Debug, Clone, PartialEq)]
pub enum ChainStep {
    /// Replaces the value by whether it passes a test.
    Filter(ValueFilter),
    /// Replaces the value by one computed from it.
    Value(ValueTransform),
}

/// A computation on one value.
#[derive(Debug, Clone, PartialEq)]
pub enum ValueTransform {
    /// A constant, whatever the value.
    Constant(Option<Value>),
    /// The unchanged value.
    Identity,
    /// The unchanged value; the step fails if it is missing.
    Required,
    /// An entry of a table, looked up by the value's text form.
    Lookup {
        /// The table from texts to values.
        table: Vec<(Arc<str>, Option<Value>)>,
        /// The value for texts that are not in the table.
        default: Option<Value>,
    },
    /// Arithmetic with a constant.
    Arithmetic(ArithmeticOperator, Value),
    /// The linear function that maps the interval `domain` to `range`.
    Linear {
        /// Two input values.
        domain: [f64; 2],
        /// The outputs for these two inputs.
        range: [f64; 2],
    },
    /// Conversion to another kind.
    Convert(ConversionKind),
    /// The groups of a regular expression, as a map with these names as keys.
    RegexCapture(TextPattern, Vec<Arc<str>>),
    /// A one-hot encoding: a list with 1 for each member of this list that equals the value, and 0 for the others.
    OneHot(Vec<Option<Value>>),
    /// A list of lists flattened by one level.
    Flatten,
    /// The 32-bit number of an IPv4 address.
    IpToInt,
    /// The IPv4 address of a number.
    IpFromInt,
}

/// The arithmetic operators of a chain step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ArithmeticOperator {
    /// The value plus the constant.
    Add,
    /// The value minus the constant.
    Subtract,
    /// The product.
    Multiply,
    /// The value divided by the constant.
    Divide,
}

/// A kind that a value can be converted to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ConversionKind {
    /// Integers.
    Int,
    /// Real numbers.
    Real,
    /// Booleans.
    Bool,
    /// Strings.
    Text,
}
