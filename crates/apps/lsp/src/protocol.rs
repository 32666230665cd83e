//! The types of the protocol, named in this module only, and conversions from those of the analysis.

use std::path::Path;

use goalspec::syntax::source::PositionEncoding;
use goalspec::syntax::symbols::SymbolKind as Kind;
use goalspec::syntax::text_edit::TextEdit as Edit;
use goalspec::syntax::{Diagnostic as Finding, Severity, SourceFile, Sources, Span};
use goalspec_ide::{FileEdits, Location as Place, Snapshot, TextRange};

pub(crate) use gen_lsp_types::*;
use rustc_hash::FxHashMap;

use crate::uri;

/// Maximum number of locations in the result of a command.
const MAX_LOCATIONS: usize = 1000;

/// Converts places of one text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Converter<'t> {
    pub(crate) file: &'t SourceFile,
    pub(crate) encoding: PositionEncoding,
}

impl Converter<'_> {
    pub(crate) fn position(self, offset: u32) -> Position {
        let position = self.file.position(offset, self.encoding);
        Position { line: position.line, character: position.column }
    }

    pub(crate) fn offset(self, position: Position) -> u32 {
        let position = goalspec::syntax::source::Position::new(position.line, position.character);
        self.file.offset(position, self.encoding)
    }

    pub(crate) fn range(self, range: &TextRange) -> Range {
        Range { start: self.position(range.start), end: self.position(range.end) }
    }

    pub(crate) fn text_range(self, range: &Range) -> TextRange {
        let start = self.offset(range.start);
        start..self.offset(range.end).max(start)
    }

    pub(crate) fn edits(self, edits: &[Edit]) -> Vec<TextEdit> {
        let edit = |edit: &Edit| TextEdit {
            range: self.range(&(edit.range.start as u32..edit.range.end as u32)),
            new_text: edit.replacement.clone(),
        };
        edits.iter().map(edit).collect()
    }
}

/// Converts a place in any file of a snapshot; `None` if the file cannot be read.
pub(crate) fn location(snapshot: &Snapshot, encoding: PositionEncoding, place: &Place) -> Option<Location> {
    let text = snapshot.text(&place.path).ok()?;
    let mut sources = Sources::new();
    let id = sources.add("", text);
    let range = Converter { file: sources.file(id), encoding }.range(&place.range());
    Some(Location { uri: uri::from_path(&place.path), range })
}

/// Converts the first [`MAX_LOCATIONS`] places; those in files that cannot be read are left out.
pub(crate) fn locations(snapshot: &Snapshot, encoding: PositionEncoding, places: &[Place]) -> Vec<Location> {
    let mut sources = Sources::new();
    let mut files = FxHashMap::default();
    let mut location = |place: &Place| {
        let mut add = || snapshot.text(&place.path).ok().map(|text| sources.add("", text));
        let id = (*files.entry(place.path.clone()).or_insert_with(&mut add))?;
        let range = Converter { file: sources.file(id), encoding }.range(&place.range());
        Some(Location { uri: uri::from_path(&place.path), range })
    };
    places.iter().take(MAX_LOCATIONS).filter_map(&mut location).collect()
}

/// Converts edits of several files.
pub(crate) fn workspace_edit(snapshot: &Snapshot, encoding: PositionEncoding, files: &[FileEdits]) -> WorkspaceEdit {
    let mut changes = std::collections::HashMap::new();
    for file in files {
        let Ok(text) = snapshot.text(&file.path) else { continue };
        let mut sources = Sources::new();
        let id = sources.add("", text);
        let edits = Converter { file: sources.file(id), encoding }.edits(&file.edits);
        changes.insert(uri::from_path(&file.path), edits);
    }
    WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }
}

/// Converts a diagnostic of a document.
pub(crate) fn diagnostic(found: &Finding, converter: Converter<'_>, sources: &Sources) -> Diagnostic {
    let range = |span: Span| converter.range(&(span.start..span.end));
    let mut message = found.message.clone();
    for line in found.label.iter().chain(&found.help) {
        message.push('\n');
        message.push_str(line);
    }
    let related = found.related.iter().filter_map(|related| {
        let file = sources.find(related.span.source)?;
        let range = Converter { file, ..converter }.range(&(related.span.start..related.span.end));
        let location = Location { uri: uri::from_path(Path::new(file.name())), range };
        Some(DiagnosticRelatedInformation { location, message: related.message.clone() })
    });
    Diagnostic {
        range: found.span.map_or_else(Range::default, range),
        severity: Some(match found.severity {
            Severity::Error => DiagnosticSeverity::Error,
            Severity::Warning => DiagnosticSeverity::Warning,
            Severity::Note => DiagnosticSeverity::Information,
        }),
        code: Some(Code::String(found.code.0.to_owned())),
        code_description: Some(CodeDescription { href: Uri(found.code.page_url()) }),
        source: Some("goalspec".to_owned()),
        message: Message::String(message),
        tags: (found.code.0.contains("unused")).then(|| vec![DiagnosticTag::Unnecessary]),
        related_information: Some(related.collect::<Vec<_>>()).filter(|related| !related.is_empty()),
        data: None,
    }
}

pub(crate) fn symbol_kind(kind: Kind) -> SymbolKind {
    match kind {
        Kind::Domain | Kind::Section => SymbolKind::Module,
        Kind::Problem | Kind::Game => SymbolKind::Namespace,
        Kind::Preference => SymbolKind::Event,
        Kind::Type => SymbolKind::Class,
        Kind::Object | Kind::Setting => SymbolKind::Constant,
        Kind::Variable => SymbolKind::Variable,
        Kind::Predicate => SymbolKind::Boolean,
        Kind::Function => SymbolKind::Function,
        Kind::Action => SymbolKind::Method,
        Kind::Team => SymbolKind::Interface,
        Kind::Node => SymbolKind::Struct,
        Kind::Resource => SymbolKind::Field,
        Kind::Parameter => SymbolKind::TypeParameter,
        Kind::Attribute => SymbolKind::Property,
    }
}

pub(crate) fn completion_kind(kind: goalspec_ide::CompletionKind) -> CompletionItemKind {
    match kind {
        goalspec_ide::CompletionKind::Keyword => CompletionItemKind::Keyword,
        goalspec_ide::CompletionKind::Name(kind) => match kind {
            Kind::Domain | Kind::Problem | Kind::Game | Kind::Section => CompletionItemKind::Module,
            Kind::Preference => CompletionItemKind::Event,
            Kind::Type => CompletionItemKind::Class,
            Kind::Object | Kind::Setting => CompletionItemKind::Constant,
            Kind::Variable => CompletionItemKind::Variable,
            Kind::Predicate | Kind::Function => CompletionItemKind::Function,
            Kind::Action => CompletionItemKind::Method,
            Kind::Team => CompletionItemKind::Interface,
            Kind::Node => CompletionItemKind::Struct,
            Kind::Resource => CompletionItemKind::Field,
            Kind::Parameter => CompletionItemKind::TypeParameter,
            Kind::Attribute => CompletionItemKind::Property,
        },
    }
}

/// Returns Markdown.
pub(crate) fn markdown(value: String) -> MarkupContent {
    MarkupContent { kind: MarkupKind::Markdown, value }
}
