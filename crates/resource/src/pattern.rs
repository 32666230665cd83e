//! Regular expressions over the text forms of values.

use std::fmt;
use std::sync::Arc;

use regex_lite::{Regex, RegexBuilder};

/// The maximum size in bytes of a compiled regular expression; nested repetitions multiply.
pub const MAX_COMPILED_BYTES: usize = 1 << 18;

/// The extent of a text that a pattern has to match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MatchMode {
    /// The whole text.
    Full,
    /// Any substring.
    Search,
}

/// The error that a regular expression is malformed, uses an unsupported construct, or exceeds [`MAX_COMPILED_BYTES`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextPatternError {
    message: String,
}

impl fmt::Display for TextPatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for TextPatternError {}

/// A regular expression, matched in time linear in the length of the text. Look-around and backreferences are not supported.
#[derive(Clone)]
pub struct TextPattern {
    text: Arc<str>,
    extent: MatchMode,
    regex: Regex,
}

impl TextPattern {
    /// Compiles a regular expression.
    ///
    /// # Errors
    /// If the expression is malformed, uses an unsupported construct, or exceeds [`MAX_COMPILED_BYTES`].
    pub fn new(text: &str, extent: MatchMode) -> Result<Self, TextPatternError> {
        // The bare expression is compiled first: the anchors around it must not make `a)|(b` well formed.
        let compiled = |text: &str| {
            let regex = RegexBuilder::new(text).size_limit(MAX_COMPILED_BYTES).build();
            regex.map_err(|error| TextPatternError { message: error.to_string() })
        };
        let alone = compiled(text)?;
        let regex = match extent {
            MatchMode::Search => alone,
            MatchMode::Full => compiled(&format!("^(?:{text})$"))?,
        };
        Ok(Self { text: text.into(), extent, regex })
    }

    /// Returns the expression as written.
    pub fn as_str(&self) -> &Arc<str> {
        &self.text
    }

    /// Returns the extent of a text that has to match.
    pub fn match_mode(&self) -> MatchMode {
        self.extent
    }

    /// Whether a text matches.
    pub fn is_match(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }

    /// Returns the groups of the first match, beginning with the whole match; a group that did not participate is `None`.
    pub fn captures<'t>(&self, text: &'t str) -> Option<Vec<Option<&'t str>>> {
        let captures = self.regex.captures(text)?;
        Some(captures.iter().map(|group| group.map(|group| group.as_str())).collect())
    }
}

impl PartialEq for TextPattern {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text && self.extent == other.extent
    }
}

impl fmt::Debug for TextPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} of {:?}", self.extent, self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::{MatchMode, TextPattern};

    #[test]
    fn whole_and_part() {
        let whole = TextPattern::new("r.d|blue", MatchMode::Full).unwrap();
        assert!(whole.is_match("red") && whole.is_match("blue") && !whole.is_match("reds") && !whole.is_match("xblue"));
        assert!(TextPattern::new("r.d", MatchMode::Search).unwrap().is_match("[red, blue]"));
    }

    #[test]
    fn surrounding_groups_do_not_hide_syntax_errors() {
        assert!(TextPattern::new("a)|(b", MatchMode::Full).is_err());
        assert!(TextPattern::new("[", MatchMode::Search).is_err());
    }

    #[test]
    fn repetitions_of_repetitions_exceed_the_limit() {
        assert!(TextPattern::new("(a{100}){10}", MatchMode::Search).is_ok());
        assert!(TextPattern::new("((a{100}){100}){100}", MatchMode::Search).is_err());
    }

    #[test]
    fn groups() {
        let pattern = TextPattern::new("(.)(x)?(.*)", MatchMode::Full).unwrap();
        assert_eq!(pattern.captures("str"), Some(vec![Some("str"), Some("s"), None, Some("tr")]));
    }
}
