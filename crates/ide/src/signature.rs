//! The signature of the call around a place.

use std::ops::Range;

use crate::analysis::Analysis;

/// The notation of a predicate, function or action with its parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// The notation: `(on ?x - block ?y - block)`.
    pub label: String,
    /// The range of each parameter in the notation, in bytes.
    pub parameters: Vec<Range<usize>>,
    /// The parameter at the place.
    pub active: Option<usize>,
    /// One line of documentation; may be empty.
    pub doc: String,
}

impl Analysis {
    /// Returns the signatures of the innermost call around an offset: one, or several for a name of several kinds.
    pub fn signatures(&self, offset: u32) -> Vec<Signature> {
        let (Some(tree), Some(vocabulary)) = (self.tree(), self.vocabulary(offset)) else { return Vec::new() };
        let cursor = tree.tree.cursor(offset);
        let Some(head) = cursor.head() else { return Vec::new() };
        let operations = vocabulary.operations_named(head.text());
        let signature = |operation| {
            let (label, parameters) = vocabulary.signature(operation);
            let active = cursor.index.checked_sub(1).filter(|&index| index < parameters.len());
            Signature { label, parameters, active, doc: operation.doc.to_string() }
        };
        operations.map(signature).collect()
    }
}
