//! The symbol at a place, its declaration and its references.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use goalspec::languages::Language;
use goalspec::syntax::Span;
use goalspec::syntax::symbols::{Declaration, Occurrence, OccurrenceRole, SymbolKind};

use crate::TextRange;
use crate::analysis::Analysis;
use crate::workspace::Snapshot;

/// A range of a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    /// The path of the file.
    pub path: PathBuf,
    /// The start of the range, in bytes.
    pub start: u32,
    /// The end of the range, in bytes.
    pub end: u32,
}

impl Location {
    /// Returns the range.
    pub fn range(&self) -> TextRange {
        self.start..self.end
    }
}

/// A declared name, the same in all files.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Symbol {
    /// A name with a declaration at this place.
    Declared(SymbolKind, Location),
    /// A name of a built-in domain or world.
    BuiltIn(SymbolKind, Arc<str>, String),
}

impl Symbol {
    /// Returns the kind of the symbol.
    pub fn kind(&self) -> SymbolKind {
        match self {
            Self::Declared(kind, _) | Self::BuiltIn(kind, ..) => *kind,
        }
    }

    /// Whether all its occurrences are in one document.
    pub(crate) fn is_local(&self) -> bool {
        matches!(self.kind(), SymbolKind::Variable | SymbolKind::Preference | SymbolKind::Game | SymbolKind::Problem)
    }
}

impl Analysis {
    /// Returns the location of a span.
    pub(crate) fn location(&self, span: Span) -> Option<Location> {
        let file = self.library().sources().find(span.source)?;
        Some(Location { path: file.name().into(), start: span.start, end: span.end })
    }

    /// Returns the symbol to which an occurrence refers; `None` if its declaration is unknown.
    pub fn symbol(&self, occurrence: &Occurrence) -> Option<Symbol> {
        Some(match &occurrence.declaration {
            Declaration::At(span) => Symbol::Declared(occurrence.kind, self.location(*span)?),
            Declaration::BuiltIn(owner) => {
                let name = self.file()?.slice(occurrence.span).trim_start_matches('?').to_lowercase();
                Symbol::BuiltIn(occurrence.kind, owner.clone(), name)
            }
            Declaration::Unknown => return None,
        })
    }

    /// Returns the occurrences of a symbol in the document.
    pub(crate) fn occurrences_of<'a>(&'a self, symbol: &'a Symbol) -> impl Iterator<Item = &'a Occurrence> {
        self.occurrences().iter().filter(move |occurrence| {
            occurrence.kind == symbol.kind() && self.symbol(occurrence).as_ref() == Some(symbol)
        })
    }
}

impl Snapshot {
    /// Returns the locations of the declarations of the name at an offset: one, or several for a resource of any node, as in `_target.x`.
    pub fn definitions(&self, path: &Path, offset: u32) -> Vec<Location> {
        let analysis = self.analysis(path);
        let Some(occurrence) = analysis.occurrence_at(offset) else { return Vec::new() };
        let Some(symbol @ Symbol::Declared(..)) = analysis.symbol(occurrence) else { return Vec::new() };
        if let Some(own) = analysis.declaration_of_node(occurrence) {
            return analysis.location(own).into_iter().collect();
        }
        if occurrence.kind == SymbolKind::Resource && occurrence.role == OccurrenceRole::Reference {
            let declarations = analysis.occurrences_of(&symbol).filter(|own| own.role != OccurrenceRole::Reference);
            return declarations.filter_map(|own| analysis.location(own.span)).collect();
        }
        match symbol {
            Symbol::Declared(_, location) => vec![location],
            Symbol::BuiltIn(..) => Vec::new(),
        }
    }

    /// Returns the location of the first declaration of the name at an offset.
    pub fn definition(&self, path: &Path, offset: u32) -> Option<Location> {
        self.definitions(path, offset).into_iter().next()
    }

    /// Returns the places in the document of the symbol at an offset, each with whether it is the declaration.
    pub fn highlights(&self, path: &Path, offset: u32) -> Vec<(TextRange, bool)> {
        let analysis = self.analysis(path);
        let Some(symbol) = analysis.occurrence_at(offset).and_then(|occurrence| analysis.symbol(occurrence)) else {
            return Vec::new();
        };
        let places = analysis.occurrences_of(&symbol);
        places.map(|own| (own.span.start..own.span.end, own.role != OccurrenceRole::Reference)).collect()
    }

    /// Returns all places in the workspace that refer to the symbol at an offset, with its declaration if `with_declaration` is set.
    pub fn references(&self, path: &Path, offset: u32, with_declaration: bool) -> Vec<Location> {
        let analysis = self.analysis(path);
        let Some(symbol) = analysis.occurrence_at(offset).and_then(|occurrence| analysis.symbol(occurrence)) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for analysis in self.documents_with(&analysis, &symbol) {
            let places = analysis.occurrences_of(&symbol);
            let wanted = places.filter(|own| with_declaration || own.role == OccurrenceRole::Reference);
            found.extend(wanted.filter_map(|own| analysis.location(own.span)));
        }
        found.sort();
        found
    }

    /// Returns the analyses of the documents that may refer to a symbol: the given one, the one that declares the symbol, and those of the
    /// workspace in which its name occurs.
    pub(crate) fn documents_with(&self, analysis: &Arc<Analysis>, symbol: &Symbol) -> Vec<Arc<Analysis>> {
        let mut documents = vec![analysis.clone()];
        if symbol.is_local() || analysis.language() == Some(Language::Rgg) {
            return documents;
        }
        let name = match symbol {
            Symbol::BuiltIn(_, _, name) => name.clone(),
            Symbol::Declared(_, location) => {
                if location.path != analysis.path() {
                    documents.push(self.analysis(&location.path));
                }
                let Ok(text) = self.text(&location.path) else { return documents };
                let name = text.get(location.start as usize..location.end as usize).unwrap_or_default();
                name.trim_start_matches('?').to_lowercase()
            }
        };
        for path in self.files() {
            let is_known = documents.iter().any(|document| document.path() == path);
            if !is_known && self.text(&path).is_ok_and(|text| contains_ignoring_case(&text, &name)) {
                documents.push(self.analysis(&path));
            }
        }
        documents
    }
}

/// Whether a text contains a name in lower case, in any case.
fn contains_ignoring_case(text: &str, name: &str) -> bool {
    let Some(&first) = name.as_bytes().first() else { return false };
    if !name.is_ascii() {
        return text.to_lowercase().contains(name);
    }
    let matches = |part: &[u8]| part[0].eq_ignore_ascii_case(&first) && part.eq_ignore_ascii_case(name.as_bytes());
    text.as_bytes().windows(name.len()).any(matches)
}
