//! Renaming of symbols across files. The new program is resolved again: a name is refused if any other name would change its meaning.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use goalspec::languages::Language;
use goalspec::syntax::Severity;
use goalspec::syntax::symbols::{Declaration, Occurrence, OccurrenceRole, SymbolKind};
use goalspec::syntax::text_edit::{TextEdit, apply};

use crate::TextRange;
use crate::actions::FileEdits;
use crate::analysis::Analysis;
use crate::navigation::Symbol;
use crate::workspace::Snapshot;

/// The reason for which a symbol cannot be renamed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RenameError {
    /// There is no name at the place, or nothing declares it.
    NoSymbol,
    /// The name belongs to a built-in domain or world.
    BuiltIn(Arc<str>),
    /// The new name is not a name of the language.
    InvalidName(String),
    /// The name is spelled in another way somewhere, so its spelling has a meaning of its own.
    OtherSpelling(String),
    /// The name may be used in this text, which cannot be edited: it is folded or escaped, or a regular expression.
    Unlinked(String),
    /// With the new name, other names would refer to other declarations.
    Captured(String),
    /// With the new name, a program would have an error, or a resource graph game a warning, with this message.
    Invalidates(String, String),
}

impl fmt::Display for RenameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSymbol => f.write_str("no name with a known declaration at this place"),
            Self::BuiltIn(owner) => write!(f, "the name is defined by `{owner}`, which is not a file of the workspace"),
            Self::InvalidName(name) => write!(f, "`{name}` is not a valid name"),
            Self::OtherSpelling(name) => write!(f, "the name is also written as `{name}`, which cannot be renamed"),
            Self::Unlinked(text) => {
                write!(
                    f,
                    "the name may be used in `{text}`, which is folded, escaped or a regular expression and cannot be edited"
                )
            }
            Self::Captured(name) => write!(f, "the name `{name}` is already in use where the renamed one is visible"),
            Self::Invalidates(name, error) => write!(f, "the name `{name}` would cause a diagnostic: {error}"),
        }
    }
}

impl std::error::Error for RenameError {}

impl Snapshot {
    /// Returns the range of the name at an offset that can be renamed, without the question mark of a variable.
    ///
    /// # Errors
    /// If there is no such name.
    pub fn prepare_rename(&self, path: &Path, offset: u32) -> Result<TextRange, RenameError> {
        let analysis = self.analysis(path);
        let occurrence = analysis.occurrence_at(offset).ok_or(RenameError::NoSymbol)?;
        match analysis.symbol(occurrence).ok_or(RenameError::NoSymbol)? {
            Symbol::BuiltIn(_, owner, _) => Err(RenameError::BuiltIn(owner)),
            Symbol::Declared(..) => {
                let (name, start) = bare_name(&analysis, occurrence);
                // A wildcard such as `cup.n.01_*` has a meaning beyond that of a name.
                if is_name(&analysis, occurrence.kind, name) {
                    Ok(start..start + name.len() as u32)
                } else {
                    Err(RenameError::InvalidName(name.into()))
                }
            }
        }
    }

    /// Returns the edits that rename the symbol at an offset in all files of the workspace.
    ///
    /// # Errors
    /// If the symbol cannot be renamed, or the new name would change the meaning of a program.
    pub fn rename(&self, path: &Path, offset: u32, new_name: &str) -> Result<Vec<FileEdits>, RenameError> {
        self.prepare_rename(path, offset)?;
        let analysis = self.analysis(path);
        let symbol = analysis.occurrence_at(offset).and_then(|occurrence| analysis.symbol(occurrence));
        let symbol = symbol.ok_or(RenameError::NoSymbol)?;
        let new_name = new_name.strip_prefix('?').unwrap_or(new_name);
        if !is_name(&analysis, symbol.kind(), new_name) {
            return Err(RenameError::InvalidName(new_name.to_owned()));
        }
        let documents = self.documents_with(&analysis, &symbol);
        let old_name = analysis.occurrence_at(offset).map_or("", |occurrence| bare_name(&analysis, occurrence).0);
        let is_used = |text: &&Arc<str>| text.contains(old_name) || text.contains(new_name);
        if let Some(text) = documents.iter().flat_map(|document| document.unlinked_texts()).find(is_used) {
            return Err(RenameError::Unlinked(text.to_string()));
        }
        let mut all = Vec::new();
        let mut renamed = self.clone();
        for document in &documents {
            let edits = edits_in(document, &symbol, new_name)?;
            let Some(file) = document.file().filter(|_| !edits.is_empty()) else { continue };
            let text = apply(file.text(), &edits).ok_or(RenameError::NoSymbol)?;
            renamed = renamed.with_text(document.path(), text);
            all.push(FileEdits { path: document.path().to_owned(), edits });
        }
        for document in &documents {
            let after = renamed.analysis(document.path());
            // A name that the language refuses hides occurrences.
            if document.occurrences().len() != after.occurrences().len() {
                return Err(RenameError::InvalidName(new_name.to_owned()));
            }
            if !has_same_bindings(document, &after, &all) {
                return Err(RenameError::Captured(new_name.to_owned()));
            }
            if let Some(error) = new_error(document, &after) {
                return Err(RenameError::Invalidates(new_name.to_owned(), error));
            }
        }
        Ok(all)
    }
}

/// Returns the message of an error of a program, if it has more errors than before; of a resource graph game, also that of a warning, because
/// unknown names may be mere warnings there.
fn new_error(before: &Analysis, after: &Analysis) -> Option<String> {
    let least = if before.language() == Some(Language::Rgg) { Severity::Warning } else { Severity::Error };
    let messages = |analysis: &Analysis| -> Vec<String> {
        let found = analysis.library().diagnostics().iter().filter(|found| found.severity >= least);
        found.map(|found| found.message.clone()).collect()
    };
    let (old, new) = (messages(before), messages(after));
    if new.len() <= old.len() {
        return None;
    }
    new.iter().find(|message| !old.contains(message)).or(new.first()).cloned()
}

/// Whether a text is a name of the language of a document; of the languages of lists, one of all of them.
fn is_name(analysis: &Analysis, kind: SymbolKind, text: &str) -> bool {
    if analysis.language() == Some(Language::Rgg) {
        return goalspec::rgg::occurrences::is_valid_name(kind, text);
    }
    let is_first = |letter: char| letter.is_alphabetic() || letter == '_';
    text.starts_with(is_first) && text.chars().all(|letter| letter.is_alphanumeric() || "_-.".contains(letter))
}

/// Returns the text of an occurrence without a question mark, and where it starts.
fn bare_name<'a>(analysis: &'a Analysis, occurrence: &Occurrence) -> (&'a str, u32) {
    let text = analysis.file().map_or("", |file| file.slice(occurrence.span));
    let bare = text.strip_prefix('?').unwrap_or(text);
    (bare, occurrence.span.end - bare.len() as u32)
}

fn edits_in(analysis: &Analysis, symbol: &Symbol, new_name: &str) -> Result<Vec<TextEdit>, RenameError> {
    let mut edits = Vec::new();
    let mut spelling: Option<&str> = None;
    for occurrence in analysis.occurrences_of(symbol) {
        let (name, start) = bare_name(analysis, occurrence);
        if !spelling.get_or_insert(name).eq_ignore_ascii_case(name) {
            return Err(RenameError::OtherSpelling(name.to_owned()));
        }
        edits.push(TextEdit::new(start as usize..start as usize + name.len(), new_name));
    }
    Ok(edits)
}

/// Whether every name refers to the declaration to which it referred before the edits.
fn has_same_bindings(before: &Analysis, after: &Analysis, edits: &[FileEdits]) -> bool {
    let (old, new) = (before.occurrences(), after.occurrences());
    let is_same = |(old, new): (&Occurrence, &Occurrence)| {
        let role = |occurrence: &Occurrence| occurrence.role == OccurrenceRole::Reference;
        old.kind == new.kind && role(old) == role(new) && declared(before, old, edits) == declared(after, new, &[])
    };
    old.iter().zip(new).all(is_same)
}

/// The file and the place of a declaration, or the owner of a built-in name.
#[derive(PartialEq)]
enum Binding {
    At(PathBuf, usize),
    BuiltIn(Arc<str>),
    Unknown,
}

/// Returns the binding of an occurrence, its place moved by edits.
fn declared(analysis: &Analysis, occurrence: &Occurrence, edits: &[FileEdits]) -> Binding {
    match &occurrence.declaration {
        Declaration::BuiltIn(owner) => Binding::BuiltIn(owner.clone()),
        Declaration::Unknown => Binding::Unknown,
        Declaration::At(span) => {
            let Some(location) = analysis.location(*span) else { return Binding::Unknown };
            let own = edits.iter().find(|file| file.path == location.path);
            let edits = own.into_iter().flat_map(|file| &file.edits);
            let before = edits.take_while(|edit| edit.range.end <= span.start as usize);
            let (added, removed) = before
                .fold((0, 0), |(added, removed), edit| (added + edit.replacement.len(), removed + edit.range.len()));
            Binding::At(location.path, (span.start as usize + added).saturating_sub(removed))
        }
    }
}
