//! Descriptions of names: their declaration, types and documentation.

mod resource_game;

use std::path::Path;

use goalspec::core::world::file::keys::documentation_at;
use goalspec::files::WORLD_EXTENSION;
use goalspec::languages::Language;
use goalspec::syntax::sexp;
use goalspec::syntax::symbols::{Declaration, OccurrenceRole, SymbolKind};
use goalspec::syntax::{SourceFile, Span};

use crate::TextRange;
use crate::analysis::Analysis;
use crate::vocabulary::Vocabulary;
use crate::workspace::Snapshot;

/// Maximum number of lines of a declaration that are shown.
const MAX_LINES: usize = 12;

/// Maximum number of supertypes that are shown.
const MAX_SUPERTYPES: usize = 16;

/// A description of the name at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hover {
    /// The range of the name.
    pub range: TextRange,
    /// The description, as Markdown.
    pub markdown: String,
}

impl Snapshot {
    /// Returns the description of the name at an offset.
    pub fn hover(&self, path: &Path, offset: u32) -> Option<Hover> {
        let analysis = self.analysis(path);
        if analysis.language() == Some(Language::Rgg) {
            return resource_game::hover(&analysis, offset);
        }
        let file = analysis.file()?;
        let Some(occurrence) = analysis.occurrence_at(offset) else {
            let found = documentation_at(file, offset).filter(|_| analysis.is_world());
            return found.map(|(span, markdown)| Hover { range: span.start..span.end, markdown });
        };
        let name = file.slice(occurrence.span);
        let vocabulary = analysis.vocabulary(offset).unwrap_or_default();
        let mut parts = vec![format!("{} `{name}`", occurrence.kind.noun())];
        if let Declaration::At(span) = occurrence.declaration
            && let Some(source) = analysis.library().sources().find(span.source)
        {
            let whole = self.whole_declaration(&analysis, span);
            if source.name().ends_with(WORLD_EXTENSION) {
                parts.extend(comments_above(source, whole));
                parts.extend((source.id() != file.id()).then(|| format!("declared in `{}`", source.name())));
                parts.extend((occurrence.kind != SymbolKind::Domain).then(|| fenced("toml", &excerpt(source, whole))));
            } else {
                parts.extend(comments(source, whole));
                parts.push(fenced("lisp", &excerpt(source, whole)));
            }
        }
        parts.extend(facts(&vocabulary, occurrence.kind, name));
        if let Declaration::BuiltIn(owner) = &occurrence.declaration
            && occurrence.kind != SymbolKind::Domain
        {
            parts.push(origin(owner));
        }
        let range = occurrence.span.start..occurrence.span.end;
        Some(Hover { range, markdown: parts.join("\n\n") })
    }

    /// Returns the span of the declaration whose name has this span.
    fn whole_declaration(&self, analysis: &Analysis, name: Span) -> Span {
        let whole = |analysis: &Analysis, start: u32| {
            let own = analysis.occurrences().iter().find(|own| own.span.start == start)?;
            match own.role {
                OccurrenceRole::Definition(whole) => Some(whole),
                OccurrenceRole::Reference => None,
            }
        };
        if analysis.range(name).is_some() {
            return whole(analysis, name.start).unwrap_or(name);
        }
        let Some(location) = analysis.location(name) else { return name };
        let declaring = self.analysis(&location.path);
        // The other analysis has other ids of texts.
        whole(&declaring, name.start).map_or(name, |whole| Span { source: name.source, ..whole })
    }
}

/// Returns what the vocabulary says about a name.
fn facts(vocabulary: &Vocabulary, kind: SymbolKind, name: &str) -> Vec<String> {
    match kind {
        SymbolKind::Type => type_facts(vocabulary, name),
        SymbolKind::Object => {
            let types = vocabulary.object(name).map(|object| vocabulary.types_text(&object.types));
            types.filter(|types| !types.is_empty()).map(|types| format!("type `{types}`")).into_iter().collect()
        }
        SymbolKind::Predicate | SymbolKind::Function => {
            let Some(operation) = vocabulary.operation(kind, name) else { return Vec::new() };
            let mut parts = vec![fenced("lisp", &vocabulary.signature(operation).0)];
            parts.extend((!operation.doc.is_empty()).then(|| operation.doc.to_string()));
            parts.extend((!operation.phrase.is_empty()).then(|| format!("in words: {}", operation.phrase)));
            parts
        }
        _ => Vec::new(),
    }
}

fn type_facts(vocabulary: &Vocabulary, name: &str) -> Vec<String> {
    let Some(of) = vocabulary.type_named(name) else { return Vec::new() };
    let mut supertypes = Vec::new();
    let mut open = vocabulary.types[of].parents.clone();
    while let Some(parent) = open.pop() {
        let parent_name = format!("`{}`", vocabulary.types[parent].name);
        if !supertypes.contains(&parent_name) && supertypes.len() < MAX_SUPERTYPES {
            supertypes.push(parent_name);
            open.extend(&vocabulary.types[parent].parents);
        }
    }
    let count = vocabulary.object_count(of);
    let mut parts = vec![format!("{count} {}", if count == 1 { "object" } else { "objects" })];
    parts.extend((!supertypes.is_empty()).then(|| format!("supertypes: {}", supertypes.join(", "))));
    parts
}

/// Describes the owner of a name without a place: a domain or world that goalspec ships, or one that is not open.
fn origin(owner: &str) -> String {
    if goalspec::rewards::shipped_worlds::names().any(|shipped| shipped == owner) {
        format!("of `{owner}`, a world that goalspec ships, which cannot be edited")
    } else {
        format!("of `{owner}`")
    }
}

/// Returns the comments on the lines directly above a declaration in a world file.
fn comments_above(source: &SourceFile, whole: Span) -> Option<String> {
    let before = source.text().get(..whole.start as usize)?;
    let above = &before[..=before.rfind('\n')?];
    let lines: Vec<&str> =
        above.lines().rev().take(MAX_LINES).map_while(|line| line.trim().strip_prefix('#')).collect();
    let text = lines.into_iter().rev().map(str::trim).collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then_some(text)
}

/// Returns a block of code of a language.
fn fenced(language: &str, code: &str) -> String {
    // A fence is longer than any run of backticks in the code.
    let longest = code.split(|letter| letter != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}{language}\n{code}\n{fence}")
}

/// Returns the text of a declaration, shortened to its first lines, without the indentation that all its lines share.
fn excerpt(source: &SourceFile, whole: Span) -> String {
    let text = source.slice(whole);
    let lines: Vec<&str> = goalspec::syntax::source::lines(text).collect();
    let indentation = |line: &&str| line.len() - line.trim_start().len();
    let filled = lines.iter().skip(1).filter(|line| !line.trim().is_empty());
    let shared = filled.map(indentation).min().unwrap_or_default();
    let mut shown: Vec<&str> = Vec::with_capacity(lines.len().min(MAX_LINES) + 1);
    for (index, &line) in lines.iter().take(MAX_LINES).enumerate() {
        shown.push(if index == 0 { line } else { line.get(shared..).unwrap_or_default() });
    }
    if lines.len() > MAX_LINES {
        shown.push("..");
    }
    shown.join("\n")
}

/// Returns the comments directly before a declaration, or after it on its last line.
fn comments(source: &SourceFile, whole: Span) -> Option<String> {
    let tree = sexp::parse(source);
    let cursor = tree.tree.cursor(whole.start + 1);
    let list = cursor.lists.into_iter().rev().find(|list| list.span() == whole)?;
    let mut comments = sexp::leading_comments(list.into());
    comments.extend(sexp::trailing_comment(list.into()));
    let text = comments.iter().map(|comment| comment.text().trim_start_matches(';').trim()).collect::<Vec<_>>();
    Some(text.join(" ")).filter(|text| !text.is_empty())
}
