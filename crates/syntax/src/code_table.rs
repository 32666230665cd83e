//! The documentation of diagnostic codes, looked up by code and printed by `goalspec explain CODE`.

use std::fmt::{self, Display};

use crate::diagnostic::CodeDoc;
use crate::suggest;

/// The documented codes of several crates.
#[derive(Debug, Clone, Default)]
pub struct CodeTable {
    docs: Vec<CodeDoc>,
}

impl CodeTable {
    /// Creates a table of all codes in `lists`, such as `CodeTable::new([goalspec_syntax::codes::ALL, ..])`. A code that occurs twice is
    /// kept once.
    pub fn new<'a>(lists: impl IntoIterator<Item = &'a [CodeDoc]>) -> Self {
        let mut docs: Vec<CodeDoc> = lists.into_iter().flatten().copied().collect();
        docs.sort_by_key(|doc| doc.code);
        docs.dedup_by_key(|doc| doc.code);
        Self { docs }
    }

    /// Iterates over all codes in alphabetical order.
    pub fn iter(&self) -> impl Iterator<Item = &CodeDoc> {
        self.docs.iter()
    }

    /// Returns the documentation of a code: `game/unbound-variable`, or `unbound-variable` if only one language has such a code.
    ///
    /// # Errors
    /// [`UnknownCode`] if no code, or more than one, has this name.
    pub fn find(&self, name: &str) -> Result<&CodeDoc, UnknownCode> {
        if let Some(doc) = self.docs.iter().find(|doc| doc.code.0 == name) {
            return Ok(doc);
        }
        let mut matching = self.docs.iter().filter(|doc| short(doc) == name);
        match (matching.next(), matching.next()) {
            (Some(doc), None) => Ok(doc),
            (Some(doc), Some(_)) => Err(UnknownCode { name: name.to_owned(), nearest: Some(doc.code.0) }),
            _ => Err(UnknownCode { name: name.to_owned(), nearest: self.nearest(name) }),
        }
    }

    /// Returns the explanation of a code as Markdown.
    ///
    /// # Errors
    /// As [`CodeTable::find`].
    pub fn explain(&self, name: &str) -> Result<String, UnknownCode> {
        self.find(name).map(CodeDoc::to_markdown)
    }

    fn nearest(&self, name: &str) -> Option<&'static str> {
        suggest::nearest(name, self.docs.iter().map(|doc| doc.code.0)).or_else(|| {
            let near = suggest::nearest(name, self.docs.iter().map(short))?;
            self.docs.iter().find(|doc| short(doc) == near).map(|doc| doc.code.0)
        })
    }
}

/// Returns a code without the prefix of its language.
fn short(doc: &CodeDoc) -> &'static str {
    doc.code.0.rsplit('/').next().unwrap_or(doc.code.0)
}

impl CodeDoc {
    /// Returns the documentation as Markdown: a heading, the summary, the explanation.
    pub fn to_markdown(&self) -> String {
        format!("# {} ({})\n\n{}\n\n{}\n", self.code, self.severity, self.summary, self.explanation.trim())
    }
}

/// The error for a name that is not the name of exactly one code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownCode {
    /// The name that was looked up.
    pub name: String,
    /// The nearest code; for an ambiguous short name, the first code that has it.
    pub nearest: Option<&'static str>,
}

impl Display for UnknownCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown diagnostic code `{}`", self.name)?;
        match self.nearest {
            Some(nearest) => write!(f, "; did you mean `{nearest}`?"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for UnknownCode {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes;

    #[expect(unreachable_pub, reason = "the macro writes public items")]
    mod other {
        crate::codes! {
            /// A list of some other kind.
            UNCLOSED_LIST = "other/unclosed-list", Error, "Close it.";
            /// A remark.
            REMARK = "other/remark", Note, "Nothing to do.";
        }
    }

    #[test]
    fn codes_are_found_by_full_and_by_short_name() {
        let table = CodeTable::new([codes::ALL, other::ALL]);
        let find = |name: &str| table.find(name).map(|doc| doc.code.0).map_err(|unknown| unknown.to_string());
        assert_eq!(find("syntax/unclosed-list"), Ok("syntax/unclosed-list"));
        assert_eq!(find("remark"), Ok("other/remark"));
        let cases = [
            ("unclosed-list", "; did you mean `other/unclosed-list`?"),
            ("sintax/too-deep", "; did you mean `syntax/too-deep`?"),
            ("to-deep", "; did you mean `syntax/too-deep`?"),
            ("nothing/like/it", ""),
        ];
        for (name, hint) in cases {
            assert_eq!(find(name), Err(format!("unknown diagnostic code `{name}`{hint}")));
        }
    }

    #[test]
    fn explanations_are_markdown() {
        let text = CodeTable::new([other::ALL]).explain("other/remark");
        assert_eq!(text.as_deref(), Ok("# other/remark (note)\n\nA remark.\n\nNothing to do.\n"));
    }

    #[test]
    fn every_code_of_the_syntax_is_explained() {
        for doc in codes::ALL {
            let is_of_syntax = doc.code.0.starts_with("syntax/") || doc.code == codes::INVALID_ARGUMENT;
            assert!(is_of_syntax, "{}", doc.code);
            assert!(doc.explanation.len() > 80, "{}", doc.code);
            assert!(!doc.explanation.contains('\t') && !doc.explanation.contains("  \n"), "{}", doc.code);
        }
    }
}
