//! The parser: YAML tree to AST.
//!
//! Parsing recovers from errors: a part with an error is reported and left out, and parsing continues with the next part, so one run
//! reports every error.
//!
//! | module | contents |
//! |---|---|
//! | `parser` | accessors of maps, lists, strings and numbers, with the common diagnostics |
//! | `game` | sections |
//! | `action` | costs, consequences, results |
//! | `filter` | filters of fields |
//! | `test` | tests of one value |
//! | `computation` | computations |
//! | `step` | steps of a chain |

mod action;
mod computation;
mod filter;
mod game;
mod parser;
mod step;
mod test;

use goalspec_syntax::{Diagnostic, SourceFile};

use crate::ast::Game;
use crate::dialect::Dialect;
use crate::yaml;
use parser::Parser;

/// The AST of a text, with diagnostics.
#[derive(Debug, Clone, Default)]
pub struct ParseResult {
    /// The game, without the parts that have errors; `None` if the text is not a YAML map.
    pub game: Option<Game>,
    /// The diagnostics, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses a text without resolving names. `custom` lists the names of the custom results that are registered.
pub fn parse(source: &SourceFile, dialect: Dialect, custom: &[&str]) -> ParseResult {
    let yaml = yaml::parse(source);
    let mut reader = Parser::new(source.id(), dialect, custom);
    let is_yaml = yaml.diagnostics.is_empty();
    yaml.diagnostics.into_iter().for_each(|found| reader.report(found));
    let game = yaml.tree.root().and_then(|root| reader.game(root));
    if is_yaml && yaml.tree.root().is_none() {
        reader.report_empty(source);
    }
    ParseResult { game, diagnostics: reader.finish() }
}
