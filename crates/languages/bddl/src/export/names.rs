//! PDDL names: letters, digits, `_` and `-`, starting with a letter.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ast::Atom;
use crate::ground::GroundAtom;

/// The keywords of PDDL, which are not valid names.
const KEYWORDS: [&str; 9] = ["and", "or", "not", "imply", "exists", "forall", "when", "either", "object"];

/// Returns a valid PDDL name: invalid characters become `_`, and names that start with another character or are keywords get
/// the prefix `x_`.
pub fn pddl_name(name: &str) -> String {
    let mut valid: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || c == '-' { c.to_ascii_lowercase() } else { '_' })
        .collect();
    if !valid.starts_with(|c: char| c.is_ascii_alphabetic()) || KEYWORDS.contains(&&*valid) {
        valid.insert_str(0, "x_");
    }
    valid
}

/// The PDDL names in use. A duplicate name gets a number, in order of declaration.
#[derive(Debug, Default)]
pub(super) struct Names {
    taken: FxHashSet<String>,
    objects: FxHashMap<String, String>,
    categories: FxHashMap<String, String>,
    predicates: FxHashMap<(String, usize), String>,
}

impl Names {
    /// Reserves a unique name: `wish`, or `wish` with a number.
    pub(super) fn fresh(&mut self, wish: &str) -> String {
        let mut name = wish.to_owned();
        let mut number = 1;
        while !self.taken.insert(name.clone()) {
            number += 1;
            name = format!("{wish}_{number}");
        }
        name
    }

    /// Returns a prefix that no name in use has: `wish`, followed by dashes if necessary.
    pub(super) fn free_prefix(&self, wish: &str) -> String {
        let mut prefix = wish.to_owned();
        while self.taken.iter().any(|name| name.starts_with(&prefix)) {
            prefix.push('-');
        }
        prefix
    }

    pub(super) fn object(&mut self, name: &str) -> String {
        let exported = self.fresh(&pddl_name(name));
        self.objects.insert(name.to_owned(), exported.clone());
        exported
    }

    /// Returns the PDDL type of a category.
    pub(super) fn category(&mut self, name: &str) -> String {
        if let Some(exported) = self.categories.get(name) {
            return exported.clone();
        }
        let exported = self.fresh(&pddl_name(name));
        self.categories.insert(name.to_owned(), exported.clone());
        exported
    }

    pub(super) fn predicate(&mut self, name: &str, arity: usize) -> String {
        let exported = self.fresh(&pddl_name(name));
        self.predicates.insert((name.to_owned(), arity), exported.clone());
        exported
    }

    /// Formats an atom of the problem.
    pub(super) fn atom(&self, atom: &Atom) -> String {
        let arguments: Vec<&str> = atom.arguments.iter().map(|name| &*name.text).collect();
        self.application(&atom.predicate.text, &arguments)
    }

    /// Formats an atom of the ground goal.
    pub(super) fn ground_atom(&self, atom: &GroundAtom) -> String {
        let arguments: Vec<&str> = atom.arguments.iter().map(|name| &**name).collect();
        self.application(&atom.predicate, &arguments)
    }

    fn application(&self, predicate: &str, arguments: &[&str]) -> String {
        let key = (predicate.to_owned(), arguments.len());
        let mut text = format!("({}", self.predicates.get(&key).map_or(predicate, |name| name));
        for argument in arguments {
            text.push(' ');
            text.push_str(self.objects.get(*argument).map_or(argument, |name| name));
        }
        text.push(')');
        text
    }
}
