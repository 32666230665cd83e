//! The grammar of numeric expressions.

use goalspec_resource::expression::{ExpressionNodeId, FieldId, NumericNode};
use goalspec_resource::function::{AggregateFunction, BinaryFunction, UnaryFunction};

use super::lexer::TokenKind;
use super::parser::{Grammar, Precedence};

/// The grammar of numeric expressions.
pub(super) struct NumericGrammar;

/// A function by its number of operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Function {
    Unary(UnaryFunction),
    Binary(BinaryFunction),
    Aggregate(AggregateFunction),
    Random,
    RandomBetween,
}

use Function::{Aggregate as A, Binary as B, Random, RandomBetween, Unary as U};

/// The functions by their lowercase names.
const FUNCTIONS: [(&str, Function); 63] = [
    ("abs", U(UnaryFunction::Absolute)),
    ("acos", U(UnaryFunction::Acos)),
    ("arccos", U(UnaryFunction::Acos)),
    ("arccosine", U(UnaryFunction::Acos)),
    ("asin", U(UnaryFunction::Asin)),
    ("arcsin", U(UnaryFunction::Asin)),
    ("arcsine", U(UnaryFunction::Asin)),
    ("atan", U(UnaryFunction::Atan)),
    ("arctan", U(UnaryFunction::Atan)),
    ("arctangent", U(UnaryFunction::Atan)),
    ("atan2", B(BinaryFunction::Atan2)),
    ("cbrt", U(UnaryFunction::CubeRoot)),
    ("ceil", U(UnaryFunction::Ceiling)),
    ("ceiling", U(UnaryFunction::Ceiling)),
    ("cos", U(UnaryFunction::Cos)),
    ("cosine", U(UnaryFunction::Cos)),
    ("cosh", U(UnaryFunction::Cosh)),
    ("exp", U(UnaryFunction::Exp)),
    ("expm1", U(UnaryFunction::ExpMinusOne)),
    ("floor", U(UnaryFunction::Floor)),
    ("hypot", B(BinaryFunction::Hypotenuse)),
    ("hypotenuse", B(BinaryFunction::Hypotenuse)),
    ("log", U(UnaryFunction::Ln)),
    ("ln", U(UnaryFunction::Ln)),
    ("log10", U(UnaryFunction::Log10)),
    ("log1p", U(UnaryFunction::LnOnePlus)),
    ("log2", U(UnaryFunction::Log2)),
    ("pow", B(BinaryFunction::Power)),
    ("random", Random),
    ("rand", Random),
    ("randbetween", RandomBetween),
    ("rint", U(UnaryFunction::Round)),
    ("round", U(UnaryFunction::Round)),
    ("signum", U(UnaryFunction::Sign)),
    ("sign", U(UnaryFunction::Sign)),
    ("sgn", U(UnaryFunction::Sign)),
    ("sin", U(UnaryFunction::Sin)),
    ("sine", U(UnaryFunction::Sin)),
    ("sinh", U(UnaryFunction::Sinh)),
    ("sqrt", U(UnaryFunction::SquareRoot)),
    ("tan", U(UnaryFunction::Tan)),
    ("tangent", U(UnaryFunction::Tan)),
    ("deg", U(UnaryFunction::Degrees)),
    ("rad", U(UnaryFunction::Radians)),
    ("ulp", U(UnaryFunction::Ulp)),
    ("add", A(AggregateFunction::Sum)),
    ("sum", A(AggregateFunction::Sum)),
    ("summation", A(AggregateFunction::Sum)),
    ("average", A(AggregateFunction::Average)),
    ("avg", A(AggregateFunction::Average)),
    ("max", A(AggregateFunction::Maximum)),
    ("maximum", A(AggregateFunction::Maximum)),
    ("min", A(AggregateFunction::Minimum)),
    ("minimum", A(AggregateFunction::Minimum)),
    ("multiply", A(AggregateFunction::Product)),
    ("prod", A(AggregateFunction::Product)),
    ("product", A(AggregateFunction::Product)),
    ("divide", B(BinaryFunction::Divide)),
    ("factorial", U(UnaryFunction::Factorial)),
    ("frac", U(UnaryFunction::Fraction)),
    ("modulus", B(BinaryFunction::Remainder)),
    ("negative", U(UnaryFunction::Negate)),
    ("subtract", B(BinaryFunction::Subtract)),
];

/// Returns the first name of a function; every function has one.
pub(crate) fn function_name(function: Function) -> &'static str {
    FUNCTIONS.iter().find(|(_, own)| *own == function).map_or("", |(name, _)| name)
}

impl Grammar for NumericGrammar {
    type Node = NumericNode;
    /// A sign: whether it negates.
    type Prefix = bool;
    type Infix = BinaryFunction;
    type Function = Function;

    fn constant(&self, kind: TokenKind<'_>) -> Option<NumericNode> {
        match kind {
            TokenKind::Number(number) => Some(NumericNode::Number(number)),
            TokenKind::Name(name) if name.eq_ignore_ascii_case("pi") => Some(NumericNode::Number(std::f64::consts::PI)),
            TokenKind::Name(name) if name.eq_ignore_ascii_case("e") => Some(NumericNode::Number(std::f64::consts::E)),
            _ => None,
        }
    }

    fn field(&self, field: FieldId) -> NumericNode {
        NumericNode::Field(field)
    }

    fn function(&self, name: &str) -> Option<Function> {
        let name = name.to_ascii_lowercase();
        FUNCTIONS.iter().find(|(known, _)| *known == name).map(|(_, function)| *function)
    }

    fn names(&self) -> Vec<&'static str> {
        FUNCTIONS.iter().map(|(name, _)| *name).chain(["pi"]).collect()
    }

    fn prefix(&self, kind: TokenKind<'_>) -> Option<bool> {
        match kind {
            TokenKind::Operator("+") => Some(false),
            TokenKind::Operator("-") => Some(true),
            _ => None,
        }
    }

    fn infix(&self, kind: TokenKind<'_>) -> Option<(BinaryFunction, Precedence)> {
        match kind {
            TokenKind::Operator("+") => Some((BinaryFunction::Add, 2)),
            TokenKind::Operator("-") => Some((BinaryFunction::Subtract, 3)),
            TokenKind::Operator("*") => Some((BinaryFunction::Multiply, 5)),
            TokenKind::Operator("/") => Some((BinaryFunction::Divide, 6)),
            TokenKind::Operator("^") => Some((BinaryFunction::Power, 7)),
            TokenKind::Operator("%") => Some((BinaryFunction::Remainder, 8)),
            TokenKind::Operator(">") => Some((BinaryFunction::Greater, 1)),
            TokenKind::Operator(">=") => Some((BinaryFunction::GreaterOrEqual, 1)),
            TokenKind::Operator("<") => Some((BinaryFunction::Less, 1)),
            TokenKind::Operator("<=") => Some((BinaryFunction::LessOrEqual, 1)),
            TokenKind::Operator("==") => Some((BinaryFunction::Equal, 1)),
            TokenKind::Operator("!=") => Some((BinaryFunction::NotEqual, 1)),
            _ => None,
        }
    }

    fn implicit_operator(&self) -> (BinaryFunction, Precedence) {
        (BinaryFunction::Multiply, 4)
    }

    fn factorial(&self, operand: ExpressionNodeId) -> Option<NumericNode> {
        Some(NumericNode::Unary(UnaryFunction::Factorial, operand))
    }

    fn is_comparison(&self, kind: TokenKind<'_>) -> bool {
        self.infix(kind).is_some_and(|(operator, _)| operator.is_comparison())
    }

    fn is_miscased_function(&self, _: TokenKind<'_>) -> bool {
        false
    }

    fn apply_prefix(&self, negates: bool, operand: ExpressionNodeId) -> Option<NumericNode> {
        negates.then_some(NumericNode::Unary(UnaryFunction::Negate, operand))
    }

    fn apply_infix(&self, operator: BinaryFunction, operands: [ExpressionNodeId; 2]) -> NumericNode {
        NumericNode::Binary(operator, operands)
    }

    fn call(&self, function: Function, arguments: &[ExpressionNodeId]) -> Result<NumericNode, usize> {
        match (function, arguments) {
            (U(function), [operand]) => Ok(NumericNode::Unary(function, *operand)),
            (B(function), [one, other]) => Ok(NumericNode::Binary(function, [*one, *other])),
            (A(function), operands) => Ok(NumericNode::Aggregate(function, operands.to_vec())),
            (Random, []) => Ok(NumericNode::Random),
            (RandomBetween, [low, high]) => Ok(NumericNode::RandomBetween([*low, *high])),
            (Random, _) => Err(0),
            (U(_), _) => Err(1),
            (B(_) | RandomBetween, _) => Err(2),
        }
    }
}
