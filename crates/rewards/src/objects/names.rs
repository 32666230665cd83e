//! Python names of types and attributes.

use std::sync::Arc;

use rustc_hash::FxHashSet;

/// The keywords of Python.
const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
    "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
    "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

/// Returns the class name of a type: its words in CamelCase.
///
/// ```
/// use goalspec_rewards::objects::names::class_name;
///
/// assert_eq!(class_name("tea_bag"), "TeaBag");
/// assert_eq!(class_name("hinged-door"), "HingedDoor");
/// assert_eq!(class_name("pot_plant.n.01"), "PotPlantN01");
/// assert_eq!(class_name("3d block"), "_3dBlock");
/// ```
pub fn class_name(name: &str) -> String {
    let words = name.split(|letter: char| !letter.is_alphanumeric());
    let written = words.flat_map(|word| {
        let mut letters = word.chars();
        letters.next().into_iter().flat_map(char::to_uppercase).chain(letters)
    });
    to_identifier(written.collect())
}

/// Returns the Python name of an attribute, with underscores for all characters but letters, digits and underscores.
///
/// ```
/// use goalspec_rewards::objects::names::attribute_name;
///
/// assert_eq!(attribute_name("half-extents"), "half_extents");
/// assert_eq!(attribute_name("in"), "in_");
/// ```
pub fn attribute_name(name: &str) -> String {
    to_identifier(name.chars().map(|letter| if letter.is_alphanumeric() { letter } else { '_' }).collect())
}

/// Makes a name a valid Python identifier that is not a keyword.
fn to_identifier(name: String) -> String {
    if KEYWORDS.contains(&&*name) {
        return format!("{name}_");
    }
    match name.chars().next() {
        Some(first) if !first.is_numeric() => name,
        _ => format!("_{name}"),
    }
}

/// The names in use.
#[derive(Debug, Default)]
pub(super) struct UsedNames(FxHashSet<Arc<str>>);

impl UsedNames {
    /// Reserves a name; appends a number to it if it is in use already.
    pub(super) fn reserve(&mut self, name: &str) -> Arc<str> {
        let numbered = (2_u32..).map(|number| format!("{name}_{number}"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        let free: Arc<str> = names.find(|name| !self.contains(name)).unwrap_or_default().into();
        self.0.insert(free.clone());
        free
    }

    pub(super) fn contains(&self, name: &str) -> bool {
        self.0.contains(name)
    }
}
