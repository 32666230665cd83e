//! Conversion of the parser's ranges and operators to those of instructions.

use goalspec_python_runtime::code::SourceRange;
use goalspec_python_runtime::operators::{BinaryOperator, ComparisonOperator, UnaryOperator};
use ruff_python_ast::{CmpOp, Operator, UnaryOp};
use ruff_text_size::Ranged;

/// Returns the source range of a node.
pub(crate) fn source_range(node: &impl Ranged) -> SourceRange {
    SourceRange { start: node.start().to_u32(), end: node.end().to_u32() }
}

pub(super) fn binary_operator(operator: Operator) -> BinaryOperator {
    match operator {
        Operator::Add => BinaryOperator::Add,
        Operator::Sub => BinaryOperator::Sub,
        Operator::Mult => BinaryOperator::Mult,
        Operator::MatMult => BinaryOperator::MatMult,
        Operator::Div => BinaryOperator::Div,
        Operator::Mod => BinaryOperator::Mod,
        Operator::Pow => BinaryOperator::Pow,
        Operator::LShift => BinaryOperator::LShift,
        Operator::RShift => BinaryOperator::RShift,
        Operator::BitOr => BinaryOperator::BitOr,
        Operator::BitXor => BinaryOperator::BitXor,
        Operator::BitAnd => BinaryOperator::BitAnd,
        Operator::FloorDiv => BinaryOperator::FloorDiv,
    }
}

pub(super) fn unary_operator(operator: UnaryOp) -> UnaryOperator {
    match operator {
        UnaryOp::Invert => UnaryOperator::Invert,
        UnaryOp::Not => UnaryOperator::Not,
        UnaryOp::UAdd => UnaryOperator::UAdd,
        UnaryOp::USub => UnaryOperator::USub,
    }
}

pub(super) fn comparison_operator(operator: CmpOp) -> ComparisonOperator {
    match operator {
        CmpOp::Eq => ComparisonOperator::Eq,
        CmpOp::NotEq => ComparisonOperator::NotEq,
        CmpOp::Lt => ComparisonOperator::Lt,
        CmpOp::LtE => ComparisonOperator::LtE,
        CmpOp::Gt => ComparisonOperator::Gt,
        CmpOp::GtE => ComparisonOperator::GtE,
        CmpOp::Is => ComparisonOperator::Is,
        CmpOp::IsNot => ComparisonOperator::IsNot,
        CmpOp::In => ComparisonOperator::In,
        CmpOp::NotIn => ComparisonOperator::NotIn,
    }
}
