//! The grammar of numeric expressions.

use goalspec_resource::expression::{FieldId, NodeId, Numeric};
use goalspec_resource::function::{Aggregate, Binary, Unary};

use super::lexer::Kind;
use super::yard::{Grammar, Level};

/// The grammar of numeric expressions.
pub(super) struct Numbers;

#[derive(Debug, Clone, Copy)]
pub(super) enum Function {
    Unary(Unary),
    Binary(Binary),
    Aggregate(Aggregate),
    Random,
    RandomBetween,
}

use Function::{Aggregate as A, Binary as B, Random, RandomBetween, Unary as U};

/// The functions by their lowercase names.
const FUNCTIONS: [(&str, Function); 63] = [
    ("abs", U(Unary::Absolute)),
    ("acos", U(Unary::Acos)),
    ("arccos", U(Unary::Acos)),
    ("arccosine", U(Unary::Acos)),
    ("asin", U(Unary::Asin)),
    ("arcsin", U(Unary::Asin)),
    ("arcsine", U(Unary::Asin)),
    ("atan", U(Unary::Atan)),
    ("arctan", U(Unary::Atan)),
    ("arctangent", U(Unary::Atan)),
    ("atan2", B(Binary::Atan2)),
    ("cbrt", U(Unary::CubeRoot)),
    ("ceil", U(Unary::Ceiling)),
    ("ceiling", U(Unary::Ceiling)),
    ("cos", U(Unary::Cos)),
    ("cosine", U(Unary::Cos)),
    ("cosh", U(Unary::Cosh)),
    ("exp", U(Unary::Exp)),
    ("expm1", U(Unary::ExpMinusOne)),
    ("floor", U(Unary::Floor)),
    ("hypot", B(Binary::Hypotenuse)),
    ("hypotenuse", B(Binary::Hypotenuse)),
    ("log", U(Unary::Ln)),
    ("ln", U(Unary::Ln)),
    ("log10", U(Unary::Log10)),
    ("log1p", U(Unary::LnOnePlus)),
    ("log2", U(Unary::Log2)),
    ("pow", B(Binary::Power)),
    ("random", Random),
    ("rand", Random),
    ("randbetween", RandomBetween),
    ("rint", U(Unary::Round)),
    ("round", U(Unary::Round)),
    ("signum", U(Unary::Sign)),
    ("sign", U(Unary::Sign)),
    ("sgn", U(Unary::Sign)),
    ("sin", U(Unary::Sin)),
    ("sine", U(Unary::Sin)),
    ("sinh", U(Unary::Sinh)),
    ("sqrt", U(Unary::SquareRoot)),
    ("tan", U(Unary::Tan)),
    ("tangent", U(Unary::Tan)),
    ("deg", U(Unary::Degrees)),
    ("rad", U(Unary::Radians)),
    ("ulp", U(Unary::Ulp)),
    ("add", A(Aggregate::Sum)),
    ("sum", A(Aggregate::Sum)),
    ("summation", A(Aggregate::Sum)),
    ("average", A(Aggregate::Average)),
    ("avg", A(Aggregate::Average)),
    ("max", A(Aggregate::Maximum)),
    ("maximum", A(Aggregate::Maximum)),
    ("min", A(Aggregate::Minimum)),
    ("minimum", A(Aggregate::Minimum)),
    ("multiply", A(Aggregate::Product)),
    ("prod", A(Aggregate::Product)),
    ("product", A(Aggregate::Product)),
    ("divide", B(Binary::Divide)),
    ("factorial", U(Unary::Factorial)),
    ("frac", U(Unary::Fraction)),
    ("modulus", B(Binary::Remainder)),
    ("negative", U(Unary::Negate)),
    ("subtract", B(Binary::Subtract)),
];

impl Grammar for Numbers {
    type Node = Numeric;
    /// A sign: whether it negates.
    type Prefix = bool;
    type Infix = Binary;
    type Function = Function;

    fn constant(&self, kind: Kind<'_>) -> Option<Numeric> {
        match kind {
            Kind::Number(number) => Some(Numeric::Number(number)),
            Kind::Name(name) if name.eq_ignore_ascii_case("pi") => Some(Numeric::Number(std::f64::consts::PI)),
            Kind::Name(name) if name.eq_ignore_ascii_case("e") => Some(Numeric::Number(std::f64::consts::E)),
            _ => None,
        }
    }

    fn field(&self, field: FieldId) -> Numeric {
        Numeric::Field(field)
    }

    fn function(&self, name: &str) -> Option<Function> {
        let name = name.to_ascii_lowercase();
        FUNCTIONS.iter().find(|(known, _)| *known == name).map(|(_, function)| *function)
    }

    fn names(&self) -> Vec<&'static str> {
        FUNCTIONS.iter().map(|(name, _)| *name).chain(["pi"]).collect()
    }

    fn prefix(&self, kind: Kind<'_>) -> Option<bool> {
        match kind {
            Kind::Operator("+") => Some(false),
            Kind::Operator("-") => Some(true),
            _ => None,
        }
    }

    fn infix(&self, kind: Kind<'_>) -> Option<(Binary, Level)> {
        match kind {
            Kind::Operator("+") => Some((Binary::Add, 2)),
            Kind::Operator("-") => Some((Binary::Subtract, 3)),
            Kind::Operator("*") => Some((Binary::Multiply, 5)),
            Kind::Operator("/") => Some((Binary::Divide, 6)),
            Kind::Operator("^") => Some((Binary::Power, 7)),
            Kind::Operator("%") => Some((Binary::Remainder, 8)),
            Kind::Operator(">") => Some((Binary::Greater, 1)),
            Kind::Operator(">=") => Some((Binary::GreaterOrEqual, 1)),
            Kind::Operator("<") => Some((Binary::Less, 1)),
            Kind::Operator("<=") => Some((Binary::LessOrEqual, 1)),
            Kind::Operator("==") => Some((Binary::Equal, 1)),
            Kind::Operator("!=") => Some((Binary::NotEqual, 1)),
            _ => None,
        }
    }

    fn adjacent(&self) -> (Binary, Level) {
        (Binary::Multiply, 4)
    }

    fn factorial(&self, operand: NodeId) -> Option<Numeric> {
        Some(Numeric::Unary(Unary::Factorial, operand))
    }

    fn is_comparison(&self, kind: Kind<'_>) -> bool {
        self.infix(kind).is_some_and(|(operator, _)| operator.is_comparison())
    }

    fn is_misspelt_function(&self, _: Kind<'_>) -> bool {
        false
    }

    fn apply_prefix(&self, negates: bool, operand: NodeId) -> Option<Numeric> {
        negates.then_some(Numeric::Unary(Unary::Negate, operand))
    }

    fn apply_infix(&self, operator: Binary, operands: [NodeId; 2]) -> Numeric {
        Numeric::Binary(operator, operands)
    }

    fn call(&self, function: Function, arguments: &[NodeId]) -> Result<Numeric, usize> {
        match (function, arguments) {
            (U(function), [operand]) => Ok(Numeric::Unary(function, *operand)),
            (B(function), [one, other]) => Ok(Numeric::Binary(function, [*one, *other])),
            (A(function), operands) => Ok(Numeric::Aggregate(function, operands.to_vec())),
            (Random, []) => Ok(Numeric::Random),
            (RandomBetween, [low, high]) => Ok(Numeric::RandomBetween([*low, *high])),
            (Random, _) => Err(0),
            (U(_), _) => Err(1),
            (B(_) | RandomBetween, _) => Err(2),
        }
    }
}
