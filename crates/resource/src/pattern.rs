//! Regular expressions over the text forms of values.

use std::fmt;
use std::sync::Arc;

use regex_lite::{Regex, RegexBuilder};

/// The maximum size in bytes of a compiled regular expression; nested repetitions multiply.
pub const MAX_COMPILED_BYTES: usize = 1 << 18;

/// The extent of a text that a pattern has to match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Extent {
    /// The whole text.
    Whole,
    /// Any substring.
    Part,
}

/// A regular expression, matched in time linear in the length of the text. Look-around and backreferences are not supported.
#[derive(Clone)]
pub struct Pattern {
    text: Arc<str>,
    extent: Extent,
    regex: Regex,
}

impl Pattern {
    /// Compiles a regular expression.
    ///
    /// # Errors
    /// If the expression is malformed, uses an unsupported construct, or exceeds [`MAX_COMPILED_BYTES`]; the message names the
    /// cause.
    pub fn new(text: &str, extent: Extent) -> Result<Self, String> {
        // The bare expression is compiled first: the anchors around it must not make `a)|(b` well formed.
        let compiled = |text: &str| {
            let regex = RegexBuilder::new(text).size_limit(MAX_COMPILED_BYTES).build();
            regex.map_err(|error| error.to_string())
        };
        let alone = compiled(text)?;
        let regex = match extent {
            Extent::Part => alone,
            Extent::Whole => compiled(&format!("^(?:{text})$"))?,
        };
        Ok(Self { text: text.into(), extent, regex })
    }

    /// Returns the expression as written.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// Returns the extent of a text that has to match.
    pub fn extent(&self) -> Extent {
        self.extent
    }

    /// Whether a text matches.
    pub fn matches(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }

    /// Returns the groups of the first match, beginning with the whole match; a group that did not participate is `None`.
    pub fn captures<'t>(&self, text: &'t str) -> Option<Vec<Option<&'t str>>> {
        let captures = self.regex.captures(text)?;
        Some(captures.iter().map(|group| group.map(|group| group.as_str())).collect())
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text && self.extent == other.extent
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} of {:?}", self.extent, self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::{Extent, Pattern};

    #[test]
    fn whole_and_part() {
        let whole = Pattern::new("r.d|blue", Extent::Whole).unwrap();
        assert!(whole.matches("red") && whole.matches("blue") && !whole.matches("reds") && !whole.matches("xblue"));
        assert!(Pattern::new("r.d", Extent::Part).unwrap().matches("[red, blue]"));
    }

    #[test]
    fn faults_are_not_hidden_by_what_is_put_around() {
        assert!(Pattern::new("a)|(b", Extent::Whole).is_err());
        assert!(Pattern::new("[", Extent::Part).is_err());
    }

    #[test]
    fn repetitions_of_repetitions_are_refused() {
        assert!(Pattern::new("(a{100}){10}", Extent::Part).is_ok());
        assert!(Pattern::new("((a{100}){100}){100}", Extent::Part).is_err());
    }

    #[test]
    fn groups() {
        let pattern = Pattern::new("(.)(x)?(.*)", Extent::Whole).unwrap();
        assert_eq!(pattern.captures("str"), Some(vec![Some("str"), Some("s"), None, Some("tr")]));
    }
}
