//! The spellings of operators and functions, for programs that write games.

use goalspec_resource::compute::{ConversionKind, MathOperator};
use goalspec_resource::expression::Connective;
use goalspec_resource::function::{AggregateFunction, BinaryFunction, UnaryFunction};

use crate::{expression, keywords};

/// Returns the name of an operator of `MathOp`.
pub fn math_operator(operator: MathOperator) -> &'static str {
    keywords::OPERATORS.iter().find(|(_, own)| *own == operator).map_or("", |(name, _)| name)
}

/// Returns the name of a type that `As` converts to.
pub fn conversion(kind: ConversionKind) -> &'static str {
    keywords::KINDS.iter().find(|(_, own)| *own == kind).map_or("", |(name, _)| name)
}

/// Returns the name of a function of one operand in `Calculate`.
pub fn unary_function(function: UnaryFunction) -> &'static str {
    expression::function_name(expression::Function::Unary(function))
}

/// Returns the name of a function of any number of operands in `Calculate`.
pub fn aggregate_function(function: AggregateFunction) -> &'static str {
    expression::function_name(expression::Function::Aggregate(function))
}

/// Returns the spelling of a function of two operands in `Calculate`: an infix operator such as `+`, or else the name of a function.
pub fn binary_function(function: BinaryFunction) -> &'static str {
    match function {
        BinaryFunction::Add => "+",
        BinaryFunction::Subtract => "-",
        BinaryFunction::Multiply => "*",
        BinaryFunction::Divide => "/",
        BinaryFunction::Remainder => "%",
        BinaryFunction::Power => "^",
        BinaryFunction::Greater => ">",
        BinaryFunction::GreaterOrEqual => ">=",
        BinaryFunction::Less => "<",
        BinaryFunction::LessOrEqual => "<=",
        BinaryFunction::Equal => "==",
        BinaryFunction::NotEqual => "!=",
        BinaryFunction::Atan2 | BinaryFunction::Hypotenuse => {
            expression::function_name(expression::Function::Binary(function))
        }
    }
}

/// Returns the infix operator of a connective in `CalculateBoolean`.
pub fn connective(connective: Connective) -> &'static str {
    match connective {
        Connective::Equal => "==",
        Connective::NotEqual => "!=",
        Connective::Or => "or",
        Connective::And => "and",
        Connective::Xor => "xor",
    }
}

#[cfg(test)]
mod tests {
    use goalspec_resource::expression::{BooleanNode, NumericNode};

    use super::{binary_function, connective, unary_function};
    use crate::{Dialect, expression};

    #[test]
    fn spellings_are_read_as_their_operators() {
        for text in ["1 + 2", "1 - 2", "1 * 2", "1 / 2", "1 % 2", "1 ^ 2", "atan2(1, 2)", "hypot(1, 2)", "1 <= 2"] {
            let parsed = expression::numeric(text, Dialect::DOCUMENTED).value.expect("an expression");
            let Some(NumericNode::Binary(function, _)) = parsed.nodes().last() else { panic!("{text}") };
            assert!(text.contains(binary_function(*function)), "{text}");
        }
        for text in ["true == false", "true != false", "true or false", "true and false", "true xor false"] {
            let parsed = expression::boolean(text, Dialect::CAGE).value.expect("an expression");
            let Some(BooleanNode::Binary(own, _)) = parsed.nodes().last() else { panic!("{text}") };
            assert!(text.contains(connective(*own)), "{text}");
        }
        for name in ["abs", "factorial", "floor", "negative", "ulp"] {
            let parsed = expression::numeric(&format!("{name}(2)"), Dialect::CAGE).value.expect("an expression");
            let Some(NumericNode::Unary(function, _)) = parsed.nodes().last() else { panic!("{name}") };
            assert_eq!(unary_function(*function), name);
        }
    }
}
