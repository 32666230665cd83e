//! How the names of a world are spelt.

use goalspec_core::world::World;

/// How the names of a world are spelt: its types, predicates, functions and objects. Worlds that other languages describe may have
/// names that the language itself would not make up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Spelling {
    /// A letter, then letters, digits and underscores, as the language has it.
    #[default]
    Plain,
    /// Letters, digits, underscores and dashes, but for a dash in front. Variables have no dashes, so `?b-ball` is still a variable of
    /// the type `ball`.
    Dashed,
}

impl Spelling {
    /// How the names of a world have to be read that is not known: all that any world may have pass.
    pub const UNKNOWN: Self = Self::Dashed;

    /// How the names of a world have to be read: with dashes only if it has such names.
    pub fn of(world: &World) -> Self {
        let types = world.types().iter().map(|one| &*one.name);
        let predicates = world.predicates().iter().map(|one| &*one.name);
        let functions = world.functions().iter().map(|one| &*one.name);
        let objects = world.term_names().map(|(name, _)| name);
        let mut names = types.chain(predicates).chain(functions).chain(objects);
        if names.any(|name| !Self::Plain.allows(name) && Self::Dashed.allows(name)) {
            Self::Dashed
        } else {
            Self::Plain
        }
    }

    /// Whether a name can be spelt so.
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
        }
    }

    /// What names are made of, in words.
    pub(crate) fn rule(self) -> &'static str {
        match self {
            Self::Plain => "a letter, then letters, digits and underscores",
            Self::Dashed => "letters, digits, underscores and dashes",
        }
    }
}
