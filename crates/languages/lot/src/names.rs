//! Names of objects in English and in PDDL, and tables of declared objects.
//!
//! A name consists of words in lower case. In English they are separated by spaces, in PDDL by hyphens; two names that differ only in
//! this are the same object.

use std::fmt;

use goalspec_syntax::suggest;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

/// The words of the controlled language that are not allowed in names: with them, a sentence could be read in two ways.
pub const RESERVED_WORDS: [&str; 7] = ["the", "is", "on", "rests", "nothing", "there", "onto"];

/// The name of the table, which is not an object.
pub const TABLE: &str = "table";

/// Returns a name in PDDL: each space becomes a hyphen.
pub fn pddl_name(name: &str) -> String {
    name.replace(' ', "-")
}

/// Returns a name in English: each hyphen becomes a space.
pub fn english_name(name: &str) -> String {
    name.replace('-', " ")
}

/// A rule that a name breaks. It is displayed as the end of a sentence that begins with the name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameError {
    /// The name is empty.
    Empty,
    /// The name contains a character that is not allowed.
    InvalidCharacter(char),
    /// The name does not begin with a letter.
    InvalidStart,
    /// The name begins or ends with a space or hyphen, or has two in a row.
    EmptyWord,
    /// The name contains one of the [`RESERVED_WORDS`].
    ReservedWord(&'static str),
    /// The name is [`TABLE`].
    Table,
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("is empty"),
            Self::InvalidCharacter(wrong) => {
                let rule = "names consist of lower-case letters a-z, digits, `-`, `_` and single spaces";
                write!(f, "contains `{}`; {rule}", wrong.escape_debug())
            }
            Self::InvalidStart => f.write_str("does not begin with a letter, as names in PDDL must"),
            Self::EmptyWord => f.write_str("has a space or hyphen at its end, or two in a row"),
            Self::ReservedWord(word) => write!(f, "contains the word `{word}`, which is part of the sentences"),
            Self::Table => f.write_str("is the table itself, which is not an object"),
        }
    }
}

impl std::error::Error for NameError {}

/// Checks that a name can be used in both languages.
///
/// # Errors
/// Returns the rule that the name breaks.
///
/// ```
/// use goalspec_lot::names::check_name;
///
/// assert!(check_name("tea pot").is_ok() && check_name("tea-pot").is_ok());
/// assert_eq!(check_name("lamp on wheels").unwrap_err().to_string(), "contains the word `on`, which is part of the sentences");
/// ```
pub fn check_name(name: &str) -> Result<(), NameError> {
    let is_allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, ' ' | '-' | '_');
    if name.is_empty() {
        return Err(NameError::Empty);
    }
    if let Some(wrong) = name.chars().find(|&c| !is_allowed(c)) {
        return Err(NameError::InvalidCharacter(wrong));
    }
    if !name.starts_with(|c: char| c.is_ascii_lowercase()) {
        return Err(NameError::InvalidStart);
    }
    let mut words = name.split([' ', '-']);
    if words.clone().any(str::is_empty) {
        return Err(NameError::EmptyWord);
    }
    if let Some(word) = words.find_map(|word| RESERVED_WORDS.into_iter().find(|reserved| *reserved == word)) {
        return Err(NameError::ReservedWord(word));
    }
    if name == TABLE {
        return Err(NameError::Table);
    }
    Ok(())
}

/// The declared objects of a problem, by their names in PDDL.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ObjectTable {
    names: IndexMap<String, String, FxBuildHasher>,
}

impl ObjectTable {
    /// Returns the index of an object, by its name in English or in PDDL.
    pub fn index_of(&self, name: &str) -> Option<usize> {
        self.names.get_index_of(&*pddl_name(name))
    }

    /// Returns the declared name of an object, by its name in English or in PDDL.
    pub fn declared(&self, name: &str) -> Option<&str> {
        self.names.get(&*pddl_name(name)).map(String::as_str)
    }

    /// Returns the declared name of the object with this index.
    ///
    /// # Panics
    /// If there is no such object.
    pub fn name(&self, index: usize) -> &str {
        &self.names[index]
    }

    /// Returns the number of objects.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are no objects.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Iterates over the names in PDDL, in the order of declaration.
    pub fn pddl_names(&self) -> impl Iterator<Item = &str> {
        self.names.keys().map(String::as_str)
    }

    /// Returns the name in PDDL that is most similar to an unknown one, if any is similar.
    pub fn nearest(&self, unknown: &str) -> Option<&str> {
        suggest::nearest(&pddl_name(unknown), self.pddl_names())
    }
}

impl<S: Into<String>> FromIterator<S> for ObjectTable {
    fn from_iter<T: IntoIterator<Item = S>>(names: T) -> Self {
        let names = names.into_iter().map(Into::into);
        Self { names: names.map(|name: String| (pddl_name(&name), name)).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_cannot_be_written_are_refused() {
        let cases = [
            ("", "is empty"),
            ("Cup", "contains `C`"),
            ("café", "contains `é`"),
            ("a\tb", "contains `\\t`"),
            ("2 cups", "does not begin with a letter"),
            ("tea  pot", "two in a row"),
            ("tea pot ", "at its end"),
            ("tea- pot", "two in a row"),
            ("nothing box", "the word `nothing`"),
            ("pick-the-lock", "the word `the`"),
            ("table", "is the table itself"),
        ];
        for (name, reason) in cases {
            let found = check_name(name).unwrap_err().to_string();
            assert!(found.contains(reason), "{name:?}: {found}");
        }
        for name in ["cup", "tea pot", "tea-pot", "side table", "mug_2", "no 4 screw"] {
            assert_eq!(check_name(name), Ok(()), "{name}");
        }
    }

    #[test]
    fn objects_are_found_by_both_spellings() {
        let objects: ObjectTable = ["tea-pot", "oil can"].into_iter().collect();
        assert_eq!((objects.declared("tea pot"), objects.index_of("oil-can")), (Some("tea-pot"), Some(1)));
        assert_eq!((objects.declared("can"), objects.nearest("teapot")), (None, Some("tea-pot")));
    }
}
