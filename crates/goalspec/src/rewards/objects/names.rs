//! What things of a world are called in Python.

use std::sync::Arc;

use rustc_hash::FxHashSet;

/// Words that Python keeps for itself.
const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
    "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
    "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

/// The class of a type: each of its words with a capital letter, without what is between them.
///
/// ```
/// use goalspec::rewards::objects::names::class;
///
/// assert_eq!(class("tea_bag"), "TeaBag");
/// assert_eq!(class("hinged-door"), "HingedDoor");
/// assert_eq!(class("pot_plant.n.01"), "PotPlantN01");
/// assert_eq!(class("3d block"), "_3dBlock");
/// ```
pub fn class(name: &str) -> String {
    let words = name.split(|letter: char| !letter.is_alphanumeric());
    let written = words.flat_map(|word| {
        let mut letters = word.chars();
        letters.next().into_iter().flat_map(char::to_uppercase).chain(letters)
    });
    right(written.collect())
}

/// An attribute: what is no letter, digit or underscore becomes an underscore.
///
/// ```
/// use goalspec::rewards::objects::names::attribute;
///
/// assert_eq!(attribute("half-extents"), "half_extents");
/// assert_eq!(attribute("in"), "in_");
/// ```
pub fn attribute(name: &str) -> String {
    right(name.chars().map(|letter| if letter.is_alphanumeric() { letter } else { '_' }).collect())
}

/// A name that Python takes for one.
fn right(name: String) -> String {
    if KEYWORDS.contains(&&*name) {
        return format!("{name}_");
    }
    match name.chars().next() {
        Some(first) if !first.is_numeric() => name,
        _ => format!("_{name}"),
    }
}

/// The names that were given.
#[derive(Debug, Default)]
pub(super) struct Taken(FxHashSet<Arc<str>>);

impl Taken {
    /// The name, or, if it was given already, the name with a number behind it.
    pub(super) fn take(&mut self, name: &str) -> Arc<str> {
        let numbered = (2_u32..).map(|number| format!("{name}_{number}"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        let free: Arc<str> = names.find(|name| !self.has(name)).unwrap_or_default().into();
        self.0.insert(free.clone());
        free
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.0.contains(name)
    }
}
