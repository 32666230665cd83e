//! The parser: YAML tree to AST.
//!
//! Parsing recovers from errors: a part with an error is reported and left out, and parsing continues with the next part, so one run
//! reports every error.
//!
//! | module | contents |
//! |---|---|
//! | `reader` | accessors of maps, lists, strings and numbers, with the common diagnostics |
//! | `game` | sections |
//! | `action` | costs, consequences, results |
//! | `filter` | filters of fields |
//! | `test` | tests of one value |
//! | `compute` | computations |
//! | `step` | steps of a chain |

mod action;
mod compute;
mod filter;
mod game;
mod reader;
mod step;
mod test;

use goalspec_syntax::{Diagnostic, SourceFile};

use crate::ast::Game;
use crate::dialect::Dialect;
use crate::yaml;
use reader::Reader;

/// The AST of a text, with diagnostics.
#[derive(Debug, Clone, Default)]
pub struct Parsed {
    /// The game, without the parts that have errors; `None` if the text is not a YAML map.
    pub game: Option<Game>,
    /// The diagnostics, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses a text without resolving names. `custom` lists the names of the custom results that are registered.
pub fn parse(source: &SourceFile, dialect: Dialect, custom: &[&str]) -> Parsed {
    let yaml = yaml::parse(source);
    let mut reader = Reader::new(source.id(), dialect, custom);
    let is_yaml = yaml.diagnostics.is_empty();
    yaml.diagnostics.into_iter().for_each(|found| reader.report(found));
    let game = yaml.tree.root().and_then(|root| reader.game(root));
    if is_yaml && yaml.tree.root().is_none() {
        reader.empty(source);
    }
    Parsed { game, diagnostics: reader.finish() }
}
