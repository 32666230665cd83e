//! Lexical rules for the names of a world.

use goalspec_core::world::World;

/// The lexical rule for the names of a world: types, predicates, functions and objects. Worlds that come from other languages, such
/// as PDDL, may contain names that the game language itself does not allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NameSyntax {
    /// A letter, followed by letters, digits and underscores, as in the grammar of the language.
    #[default]
    Plain,
    /// Letters, digits, underscores and dashes, without a leading dash. Variable names contain no dashes, so `?b-ball` still declares
    /// a variable of type `ball`.
    Dashed,
    /// As [`Dashed`](Self::Dashed), and dots in names that begin with a letter, such as `mug.n.04`.
    Dotted,
}

impl NameSyntax {
    /// The rule for the names of an unknown world: it accepts every name that some world may have.
    pub const UNKNOWN: Self = Self::Dotted;

    /// Returns the rule for the names of a world: [`Dashed`](Self::Dashed) or [`Dotted`](Self::Dotted) only if the world has such names.
    pub fn of(world: &World) -> Self {
        let types = world.types().iter().map(|one| &*one.name);
        let predicates = world.predicates().iter().map(|one| &*one.name);
        let functions = world.functions().iter().map(|one| &*one.name);
        let objects = world.program_names().map(|(name, _)| name);
        let mut syntax = Self::Plain;
        for name in types.chain(predicates).chain(functions).chain(objects).filter(|name| !Self::Plain.allows(name)) {
            if Self::Dashed.allows(name) {
                if syntax == Self::Plain {
                    syntax = Self::Dashed;
                }
            } else if Self::Dotted.allows(name) {
                syntax = Self::Dotted;
            }
        }
        syntax
    }

    /// Returns whether `name` conforms to the rule.
    pub fn allows(self, name: &str) -> bool {
        let mut letters = name.chars();
        let Some(first) = letters.next() else { return false };
        match self {
            Self::Plain => {
                first.is_ascii_alphabetic() && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
            }
            Self::Dashed => {
                let is_proper = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
                first != '-' && is_proper(first) && letters.all(is_proper)
            }
            Self::Dotted => {
                let is_proper = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '.');
                Self::Dashed.allows(name) || (first.is_ascii_alphabetic() && letters.all(is_proper))
            }
        }
    }

    /// Returns a description of the rule in words.
    pub(crate) fn rule(self) -> &'static str {
        match self {
            Self::Plain => "a letter, then letters, digits and underscores",
            Self::Dashed => "letters, digits, underscores and dashes",
            Self::Dotted => "letters, digits, underscores, dashes and dots",
        }
    }
}
