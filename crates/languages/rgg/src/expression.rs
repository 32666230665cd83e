//! The parser of expressions: `"5 * {a.x} - floor({b.y} / 2)"` and `"{a.open} and not {b.open}"`.
//!
//! A name in braces is a field; blanks around the name are ignored. Adjacent operands are multiplied (`2 {a.x}`) or, if Boolean,
//! joined by `&&`. The operators in order of increasing precedence; operators of equal precedence are left-associative:
//!
//! * numeric: comparisons, `+`, `-`, adjacency, `*`, `/`, `^`, `%`, signs, `!` (factorial). So `-2^2` is 4, `2^3^2` is 64, `2^7%4` is 8
//!   and `7 + 2 - 1` is 7 + (2 - 1).
//! * Boolean: `==`, `equals`, `!=`, `||`, `or`, `&&` and adjacency, `and`, `xor`, `!` and `not`.
//!
//! The dialects differ in the treatment of errors, in the operators after a factorial, and in further options of [`Dialect`].

mod boolean;
mod lexer;
mod numeric;
mod parser;

use goalspec_resource::expression::{BooleanNode, Expression, NumericNode};

pub(crate) use numeric::{Function, function_name};

use crate::codes;
use crate::dialect::Dialect;
use crate::fragment::{FragmentDiagnostic, FragmentResult};

/// The maximum length of an expression, in bytes.
pub const MAX_BYTES: usize = 1 << 16;

/// Parses a numeric expression. A reading with neither a value nor an error stands for an expression that is always missing.
pub fn numeric(text: &str, dialect: Dialect) -> FragmentResult<Expression<NumericNode>> {
    parser::parse(text, numeric::NumericGrammar, dialect)
}

/// Parses a Boolean expression. A reading with neither a value nor an error stands for an expression that is always missing.
pub fn boolean(text: &str, dialect: Dialect) -> FragmentResult<Expression<BooleanNode>> {
    parser::parse(text, boolean::BooleanGrammar { any_case: dialect.case_insensitive_operators }, dialect)
}

fn too_long(text: &str) -> Option<FragmentDiagnostic> {
    let message = format!("the size of the expression is {} bytes and exceeds the limit of {MAX_BYTES}", text.len());
    (text.len() > MAX_BYTES).then(|| FragmentDiagnostic::error(codes::EXPRESSION_SIZE, 0..text.len(), message))
}
