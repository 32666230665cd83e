//! The names that the unparsed text of a game may declare.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::ast::visit::Visitor;
use crate::ast::{Game, Integrity, Name};

/// The names that the unparsed text of a game may declare. An undeclared name among them is no error.
#[derive(Debug, Default)]
pub(super) struct UnparsedDeclarations {
    /// Whether any name may be declared, because parentheses are missing or misplaced.
    includes_everything: bool,
    /// Whether any preference may be declared.
    includes_preferences: bool,
    /// Whether external variables of preferences may be declared.
    includes_externals: bool,
    names: FxHashSet<Arc<str>>,
}

impl UnparsedDeclarations {
    /// Collects the names from the erroneous nodes of a game.
    pub(super) fn of(game: &Game) -> Self {
        let mut declarations = Self {
            includes_everything: game.integrity == Integrity::Damaged,
            includes_externals: game.may_lack_externals(),
            ..Self::default()
        };
        declarations.game(game);
        declarations
    }

    /// Returns whether any name may be declared.
    pub(super) fn includes_everything(&self) -> bool {
        self.includes_everything
    }

    /// Returns whether external variables of preferences may be declared.
    pub(super) fn includes_externals(&self) -> bool {
        self.includes_everything || self.includes_externals
    }

    /// Returns whether a variable with this name may be declared.
    pub(super) fn includes_variable(&self, name: &str) -> bool {
        self.includes_everything || self.names.contains(name)
    }

    /// Returns whether a preference with this name may be declared.
    pub(super) fn includes_preference(&self, name: &str) -> bool {
        self.includes_everything || self.includes_preferences || self.names.contains(name)
    }
}

impl<'a> Visitor<'a> for UnparsedDeclarations {
    fn error(&mut self, declared: &'a [Name]) {
        self.includes_preferences |= declared.iter().any(Name::is_missing);
        self.names.extend(declared.iter().map(|name| name.text.clone()));
    }
}
