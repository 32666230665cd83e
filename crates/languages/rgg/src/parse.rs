//! YAML tree to AST.
//!
//! What can be read is read; what cannot is left out and reported, and reading goes on with the next part, so one run reports
//! every defect.
//!
//! | module | what lives there |
//! |---|---|
//! | `reader` | maps and lists taken apart, texts, numbers, the common diagnostics |
//! | `game` | the sections |
//! | `action` | costs, consequences, results |
//! | `filter` | tests of fields |
//! | `test` | tests of one value |
//! | `compute` | computations |
//! | `step` | what becomes of a value in a chain |

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

/// What was read of a text.
#[derive(Debug, Clone, Default)]
pub struct Parsed {
    /// The game, as far as it could be read; `None` where the text is not YAML or no map.
    pub game: Option<Game>,
    /// What is wrong, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a text without looking names up. `custom` are the names of the results that are registered besides those of the language.
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
