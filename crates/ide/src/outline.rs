//! The symbols of a document, nested as their definitions are, and of the workspace.

mod resource_game;

use std::path::Path;

use goalspec::languages::Language;
use goalspec::program::{Program, ProgramContent};
use goalspec::syntax::symbols::{OccurrenceRole, SymbolKind};
use goalspec::syntax::{SourceFile, Span};

use crate::TextRange;
use crate::analysis::Analysis;
use crate::navigation::Location;
use crate::workspace::Snapshot;

/// Maximum number of symbols of a workspace that one query returns.
const MAX_SYMBOLS: usize = 1000;

/// A definition in a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutlineItem {
    /// The name as written.
    pub name: String,
    /// The kind of the symbol.
    pub kind: SymbolKind,
    /// The range of the whole definition.
    pub range: TextRange,
    /// The range of the name.
    pub name_range: TextRange,
    /// The definitions inside.
    pub children: Vec<OutlineItem>,
}

/// A definition in a file of the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkspaceSymbol {
    /// The name as written.
    pub name: String,
    /// The kind of the symbol.
    pub kind: SymbolKind,
    /// The name of the definition around it.
    pub container: Option<String>,
    /// The place of the name.
    pub location: Location,
}

impl Analysis {
    /// Returns the definitions of the document other than variables, in the order of the text: of reward functions, the functions of the
    /// module; of resource graph games, the sections with their names.
    pub fn outline(&self) -> Vec<OutlineItem> {
        let Some(file) = self.file() else { return Vec::new() };
        if self.language() == Some(Language::Rgg) {
            return resource_game::outline(file);
        }
        if !self.is_symbolic() && !self.is_world() {
            return self.programs().flat_map(|program| reward_outline(program, file)).collect();
        }
        let mut definitions: Vec<(Span, OutlineItem)> = Vec::new();
        for occurrence in self.occurrences() {
            let OccurrenceRole::Definition(whole) = occurrence.role else { continue };
            if occurrence.kind == SymbolKind::Variable {
                continue;
            }
            let name_range = occurrence.span.start..occurrence.span.end;
            // Editors require that the name lies in the definition.
            let range = whole.start.min(name_range.start)..whole.end.max(name_range.end);
            let item = OutlineItem {
                name: file.slice(occurrence.span).to_owned(),
                kind: occurrence.kind,
                range,
                name_range,
                children: Vec::new(),
            };
            definitions.push((whole, item));
        }
        definitions.sort_by_key(|(whole, item)| (whole.start, std::cmp::Reverse(whole.end), item.name_range.start));
        nest(definitions.into_iter().map(|(_, item)| item))
    }
}

/// Returns the functions of a reward function's module, without nesting.
fn reward_outline(program: &Program, file: &SourceFile) -> Vec<OutlineItem> {
    let ProgramContent::Reward(reward) = &program.content else { return Vec::new() };
    let mut names: Vec<Span> = reward.outline.functions.iter().map(|function| function.name.span).collect();
    names.retain(|span| span.start < span.end);
    names.sort_by_key(|span| span.start);
    let item = |span: Span| OutlineItem {
        name: file.slice(span).to_owned(),
        kind: SymbolKind::Function,
        range: span.start..span.end,
        name_range: span.start..span.end,
        children: Vec::new(),
    };
    names.into_iter().map(item).collect()
}

/// Nests items that are sorted by their start, outer ones first.
fn nest(items: impl Iterator<Item = OutlineItem>) -> Vec<OutlineItem> {
    let mut roots = Vec::new();
    let mut open: Vec<OutlineItem> = Vec::new();
    for item in items {
        // Declarations of one group, as in `a b - block`, are siblings.
        while open
            .last()
            .is_some_and(|last| last.range.end < item.range.end || last.range == item.range || !holds(last))
        {
            close(&mut open, &mut roots);
        }
        open.push(item);
    }
    while !open.is_empty() {
        close(&mut open, &mut roots);
    }
    roots
}

/// Whether definitions of the kind contain others.
fn holds(item: &OutlineItem) -> bool {
    matches!(item.kind, SymbolKind::Domain | SymbolKind::Problem | SymbolKind::Game | SymbolKind::Action)
}

/// Moves the innermost open item to the one around it.
fn close(open: &mut Vec<OutlineItem>, roots: &mut Vec<OutlineItem>) {
    if let Some(item) = open.pop() {
        open.last_mut().map_or(roots, |outer| &mut outer.children).push(item);
    }
}

impl Snapshot {
    /// Returns the definitions in the workspace whose names contain the letters of `query` in their order, up to 1,000.
    pub fn workspace_symbols(&self, query: &str) -> Vec<WorkspaceSymbol> {
        let query = query.to_lowercase();
        let mut found = Vec::new();
        for path in self.files().into_iter().filter(|path| self.serves(path)) {
            let analysis = self.analysis(&path);
            collect(&path, &analysis.outline(), None, &query, &mut found);
            if found.len() >= MAX_SYMBOLS {
                break;
            }
        }
        found.truncate(MAX_SYMBOLS);
        found
    }
}

fn collect(path: &Path, items: &[OutlineItem], around: Option<&str>, query: &str, found: &mut Vec<WorkspaceSymbol>) {
    for item in items {
        if contains_in_order(&item.name.to_lowercase(), query) {
            let (start, end) = (item.name_range.start, item.name_range.end);
            found.push(WorkspaceSymbol {
                name: item.name.clone(),
                kind: item.kind,
                container: around.map(str::to_owned),
                location: Location { path: path.to_owned(), start, end },
            });
        }
        collect(path, &item.children, Some(&item.name), query, found);
    }
}

fn contains_in_order(name: &str, query: &str) -> bool {
    let mut letters = name.chars();
    query.chars().all(|wanted| letters.any(|letter| letter == wanted))
}
