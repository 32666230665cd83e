//! Expressions: `"5 * {a.x} - floor({b.y} / 2)"` and `"{a.open} and not {b.open}"`.
//!
//! A field in braces is a value by name, blanks around the name aside. Operands next to each other are multiplied (`2 {a.x}`) or, of
//! truth values, both have to be true. Every operator binds from left to right, each tighter than those before it:
//!
//! * of numbers: `+`, `-`, side by side, `*`, `/`, `^`, `%`, signs, `!` (factorial). So `-2^2` is 4, `2^3^2` is 64, `2^7%4` is 8 and
//!   `7 + 2 - 1` is 7 + (2 - 1).
//! * of truth values: `==`, `equals`, `!=`, `||`, `or`, `&&` and side by side, `and`, `xor`, `!` and `not`.
//!
//! Where the dialects differ is in [`Dialect`]: what becomes of a text that cannot be read, and what may follow a
//! factorial.

mod boolean;
mod lexer;
mod numeric;
mod yard;

use goalspec_core::resource::expression::{Boolean, Expression, Numeric};

use crate::codes;
use crate::dialect::Dialect;
use crate::reading::{Fault, Reading};

/// Most bytes of an expression.
pub const MAX_BYTES: usize = 1 << 16;

/// Reads a numeric expression. Where there is neither a value nor an error, the expression stands for nothing in every state.
pub fn numeric(text: &str, dialect: Dialect) -> Reading<Expression<Numeric>> {
    yard::read(text, numeric::Numbers, dialect)
}

/// Reads a boolean expression. Where there is neither a value nor an error, the expression stands for nothing in every state.
pub fn boolean(text: &str, dialect: Dialect) -> Reading<Expression<Boolean>> {
    yard::read(text, boolean::Truths { any_case: dialect.words_in_any_case }, dialect)
}

fn too_long(text: &str) -> Option<Fault> {
    let message = format!("the expression has {} bytes, more than {MAX_BYTES}", text.len());
    (text.len() > MAX_BYTES).then(|| Fault::error(codes::EXPRESSION_SIZE, 0..text.len(), message))
}
