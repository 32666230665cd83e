//! Printing of core conditions in BDDL syntax.

use goalspec_core::condition::{Cardinality, PairingRule};
use goalspec_core::explain::Notation;

/// The BDDL syntax of counting and pairing quantifiers. The syntax is the same in every dialect; only the semantics differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BddlNotation;

impl Notation for BddlNotation {
    fn count(&self, amount: Cardinality, variables: &str, body: &str) -> String {
        let (Cardinality::AtLeast(amount) | Cardinality::Exactly(amount)) = amount;
        format!("(forn ({amount}) ({variables}) {body})")
    }

    fn pairing(&self, _: PairingRule, amount: Option<u32>, left: &str, right: &str, body: &str) -> String {
        match amount {
            Some(amount) => format!("(fornpairs ({amount}) ({left}) ({right}) {body})"),
            None => format!("(forpairs ({left}) ({right}) {body})"),
        }
    }
}
