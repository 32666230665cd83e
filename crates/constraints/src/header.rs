//! The comments at the head of exports.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

/// The number of bytes of a vocabulary hash that are printed.
const HASH_BYTES: usize = 8;

/// The description of an export, from which its comment is made.
pub(crate) struct Header<'h> {
    /// The language and the part of a program.
    pub(crate) language: &'h str,
    /// The dialect.
    pub(crate) dialect: &'h str,
    /// The names of the vocabulary, each after its kind.
    pub(crate) vocabulary: Vec<String>,
    /// The bounds that the export has and the language has not.
    pub(crate) bounds: &'h [&'h str],
    /// The properties that the export does not guarantee.
    pub(crate) open: &'h [&'h str],
}

impl Header<'_> {
    /// Returns the lines of the comment.
    pub(crate) fn lines(&self) -> Vec<String> {
        let mut lines = vec![
            format!("language: {}", self.language),
            format!("dialect: {}", self.dialect),
            format!("vocabulary: sha256 {}", hash(&self.vocabulary)),
        ];
        lines.extend(self.bounds.iter().map(|bound| format!("bound: {bound}")));
        lines.extend(self.open.iter().map(|property| format!("not guaranteed: {property}")));
        lines
    }
}

/// Returns the beginning of the SHA-256 hash of names, independent of their order.
fn hash(names: &[String]) -> String {
    let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
    names.sort_unstable();
    names.dedup();
    let digest = Sha256::digest(names.join("\n").as_bytes());
    digest.iter().take(HASH_BYTES).fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_names_does_not_change_the_hash() {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        assert_eq!(hash(&names(&["a", "b"])), hash(&names(&["b", "a", "a"])));
        assert_ne!(hash(&names(&["a"])), hash(&names(&["b"])));
    }
}
