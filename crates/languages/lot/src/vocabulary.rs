//! Lists of names to draw from.

use goalspec_syntax::{Diagnostic, SourceFile, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::codes;
use crate::json_text;
use crate::names::{check_name, pddl_name};

/// The maximum number of names in a vocabulary: up to this number, numpy draws without replacement in the way that
/// [`random`](crate::random) implements.
pub const MAX_NAMES: usize = 10_000;

/// A list of distinct names, sorted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vocabulary {
    names: Vec<String>,
}

impl Vocabulary {
    /// Returns the bundled names of common objects of a household.
    pub fn simple() -> Self {
        Self::bundled(include_str!("../words/simple.txt"))
    }

    /// Returns the bundled names of unusual objects.
    pub fn complex() -> Self {
        Self::bundled(include_str!("../words/complex.txt"))
    }

    fn bundled(lines: &str) -> Self {
        let mut names: Vec<String> = lines.lines().map(str::to_owned).collect();
        names.sort();
        Self { names }
    }

    /// Returns the names, sorted by code point.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Reads a vocabulary file: a JSON list of names.
    ///
    /// # Errors
    /// The diagnostics of an invalid file.
    pub fn from_json(file: &SourceFile) -> Result<Self, Vec<Diagnostic>> {
        let mut names: Vec<String> = serde_json::from_str(file.text()).map_err(|error| {
            let span = json_text::error_span(file, &error);
            let message = format!("not a vocabulary: {}", json_text::message(&error));
            vec![Diagnostic::error(codes::VOCABULARY, span, message).with_help("a vocabulary is a JSON list of names")]
        })?;
        if names.is_empty() || names.len() > MAX_NAMES {
            let span = Span::new(file.id(), 0, file.text().len() as u32);
            let message = format!("the vocabulary has {} names; expected 1 to {MAX_NAMES}", names.len());
            return Err(vec![Diagnostic::error(codes::VOCABULARY, span, message)]);
        }
        let diagnostics = check_names(&names, &json_text::strings(file).collect::<Vec<_>>());
        if !diagnostics.is_empty() {
            return Err(diagnostics);
        }
        names.sort();
        Ok(Self { names })
    }
}

/// Reports names that cannot be used, and names that are equal in PDDL.
fn check_names(names: &[String], spans: &[Span]) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let mut known: FxHashMap<String, usize> = FxHashMap::default();
    for (index, (name, &span)) in names.iter().zip(spans).enumerate() {
        if let Err(reason) = check_name(name) {
            diagnostics.push(Diagnostic::error(codes::VOCABULARY, span, format!("the name `{name}` {reason}")));
        } else if let Some(first) = known.insert(pddl_name(name), index) {
            let message = format!("the name `{name}` is listed twice: both names are `{}` in PDDL", pddl_name(name));
            let error = Diagnostic::error(codes::VOCABULARY, span, message);
            diagnostics.push(error.with_related(spans[first], "the first one is here"));
        }
    }
    diagnostics
}

/// The two vocabularies of a problem set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vocabularies {
    simple: Vocabulary,
    complex: Vocabulary,
}

impl Vocabularies {
    /// Combines two vocabularies.
    ///
    /// # Errors
    /// If they have a name in common: two objects of a view could then have the same name.
    pub fn new(simple: Vocabulary, complex: Vocabulary) -> Result<Self, Box<Diagnostic>> {
        let known: FxHashSet<String> = simple.names.iter().map(|name| pddl_name(name)).collect();
        match complex.names.iter().find(|name| known.contains(&pddl_name(name))) {
            Some(name) => {
                let message = format!("the name `{name}` is in both vocabularies, so two objects could have it");
                Err(Box::new(Diagnostic::new(codes::VOCABULARY, goalspec_syntax::Severity::Error, message)))
            }
            None => Ok(Self { simple, complex }),
        }
    }

    /// Returns the names of common objects.
    pub fn simple(&self) -> &[String] {
        self.simple.names()
    }

    /// Returns the names that replace them in the views two and all.
    pub fn complex(&self) -> &[String] {
        self.complex.names()
    }
}

/// The bundled vocabularies.
impl Default for Vocabularies {
    fn default() -> Self {
        Self { simple: Vocabulary::simple(), complex: Vocabulary::complex() }
    }
}
