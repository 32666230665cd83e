//! Names and keywords that fit a place.
//!
//! Candidates come from the lists around the place, as they are written, and from the vocabulary of the program: variables in scope and objects
//! whose types fit the parameter, types after a dash, keywords and predicates at the head of a list. In short documents the first candidates
//! are tried: those with which the program has fewer errors come first.

mod keywords;
mod resource_game;
mod world;

use std::path::Path;

use goalspec::languages::Language;
use goalspec::syntax::sexp::{Atom, AtomKind, Cursor, List, Sexp};
use goalspec::syntax::symbols::{OccurrenceRole, SymbolKind};
use goalspec::syntax::text_edit::{TextEdit, apply};

use crate::TextRange;
use crate::analysis::Analysis;
use crate::typed_list::variables_in_scope;
use crate::vocabulary::{TypeIndex, Vocabulary};
use crate::workspace::Snapshot;
use keywords::Expected;

/// Maximum number of candidates that are tried.
const MAX_TRIED: usize = 24;

/// Maximum number of bytes of all texts that are read to try candidates.
const MAX_TRIED_BYTES: usize = 64 << 10;

/// A classification of the words that can be inserted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CompletionKind {
    /// A keyword of the language.
    Keyword,
    /// The name of a symbol.
    Name(SymbolKind),
}

/// A word that can be inserted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// The word.
    pub label: String,
    /// Its kind.
    pub kind: CompletionKind,
    /// The types of an object, or the signature of a predicate; may be empty.
    pub detail: String,
    /// One line of documentation; may be empty.
    pub doc: String,
    /// The distance from the words that the place expects; 0 fits best.
    rank: u32,
}

/// The completions at a place, best ones first.
#[derive(Debug, Clone, Default)]
pub struct Completions {
    /// The range of the word that they replace.
    pub range: TextRange,
    /// The words.
    pub items: Vec<Completion>,
}

impl Snapshot {
    /// Returns the completions at an offset of a document.
    pub fn completions(&self, path: &Path, offset: u32) -> Completions {
        let analysis = self.analysis(path);
        if analysis.language() == Some(Language::Rgg) {
            return self.resource_game_completions(&analysis, offset);
        }
        if analysis.is_world() {
            return world::completions(&analysis, offset);
        }
        let Some(mut completions) = candidates(&analysis, offset) else { return Completions::default() };
        self.try_first(&analysis, &mut completions);
        completions.items.sort_by_key(|item| item.rank);
        completions
    }

    /// Ranks the first candidates by the number of errors that the program has with each of them.
    fn try_first(&self, analysis: &Analysis, completions: &mut Completions) {
        let Some(file) = analysis.file() else { return };
        let tried = (MAX_TRIED_BYTES / file.text().len().max(1)).min(MAX_TRIED);
        let range = completions.range.start as usize..completions.range.end as usize;
        for item in completions.items.iter_mut().take(tried) {
            let Some(text) = apply(file.text(), &[TextEdit::new(range.clone(), &*item.label)]) else { continue };
            let with_item = self.with_text(analysis.path(), text).analysis(analysis.path());
            let errors = with_item.library().diagnostics().iter().filter(|found| found.is_error()).count() as u32;
            item.rank += errors.saturating_mul(8);
        }
        if tried > 0 {
            // What has not been tried follows what leads to the fewest errors.
            let best = completions.items.iter().take(tried).map(|item| item.rank / 8).min().unwrap_or_default();
            completions.items.iter_mut().skip(tried).for_each(|item| item.rank += best * 8 + 4);
        }
    }
}

/// Returns the candidates at an offset, those that fit best first; `None` in comments and other languages.
fn candidates(analysis: &Analysis, offset: u32) -> Option<Completions> {
    let language = analysis.language()?;
    let cursor = analysis.tree()?.tree.cursor(offset);
    if cursor.comment.is_some() || cursor.atom.is_some_and(|atom| atom.kind() == AtomKind::String) {
        return None;
    }
    let vocabulary = analysis.vocabulary(offset).unwrap_or_default();
    let typed = cursor.atom.map(Atom::span);
    let range = typed.map_or(offset..offset, |span| span.start..span.end);
    let mut candidates = Candidates { analysis, language, vocabulary: &vocabulary, items: Vec::new() };
    let inner = cursor.list();
    let heads: Vec<String> =
        cursor.lists.iter().map(|list| list.head().map_or("", Atom::text).to_lowercase()).collect();
    let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
    let previous = inner.and_then(|list| list.items().take(cursor.index).last());
    let follows_dash = previous.and_then(Sexp::as_atom).is_some_and(|atom| atom.text() == "-");
    if follows_dash {
        candidates.types();
        candidates.types_of_names(&cursor, &heads);
    } else if inner.is_some() && cursor.index == 0 {
        candidates.heads(&cursor, &heads);
    } else if let Some(head) = heads.last() {
        candidates.arguments(&cursor, &heads, head, range.start);
    }
    let mut items = candidates.items;
    items.sort_by_key(|item| item.rank);
    let mut seen = rustc_hash::FxHashSet::default();
    items.retain(|item| seen.insert(item.label.clone()));
    Some(Completions { range, items })
}

struct Candidates<'v> {
    analysis: &'v Analysis,
    language: Language,
    vocabulary: &'v Vocabulary,
    items: Vec<Completion>,
}

impl Candidates<'_> {
    fn add(&mut self, label: &str, kind: CompletionKind, detail: String, rank: u32) {
        self.items.push(Completion { label: label.to_owned(), kind, detail, doc: String::new(), rank });
    }

    fn keyword(&mut self, word: &str, rank: u32) {
        self.add(word, CompletionKind::Keyword, String::new(), rank);
    }

    fn types(&mut self) {
        for index in 0..self.vocabulary.types.len() {
            let entry = &self.vocabulary.types[index];
            let parents = self.vocabulary.types_text(&entry.parents);
            self.add(&entry.name.clone(), CompletionKind::Name(SymbolKind::Type), parents, 0);
        }
    }

    /// Adds the types that the names before a dash suggest: the category of an instance `cup.n.01_1` is `cup.n.01`.
    fn types_of_names(&mut self, cursor: &Cursor<'_>, heads: &[&str]) {
        if heads.contains(&":functions") {
            self.keyword("number", 0);
        }
        if self.language != Language::Bddl {
            return;
        }
        let names = cursor.list().into_iter().flat_map(List::items).take(cursor.index).filter_map(Sexp::as_atom);
        for name in names.collect::<Vec<_>>().into_iter().rev() {
            let name = name.text().trim_start_matches('?');
            let (category, number) = name.rsplit_once('_').unwrap_or((name, "*"));
            if number == "*" || number.bytes().all(|byte| byte.is_ascii_digit()) {
                self.add(category, CompletionKind::Name(SymbolKind::Type), String::new(), 0);
            }
        }
    }

    fn operations(&mut self, kind: SymbolKind, rank: u32) {
        let vocabulary = self.vocabulary;
        for operation in vocabulary.operations.iter().filter(|operation| operation.kind == kind) {
            let (signature, _) = vocabulary.signature(operation);
            self.add(&operation.name, CompletionKind::Name(kind), signature, rank);
            if let Some(item) = self.items.last_mut() {
                item.doc = operation.doc.to_string();
            }
        }
    }

    /// Adds what may start the innermost list.
    fn heads(&mut self, cursor: &Cursor<'_>, heads: &[&str]) {
        let language = self.language;
        let outer = &heads[..heads.len() - 1];
        let index = match &cursor.lists[..] {
            [.., around, inner] => around.items().take_while(|item| item.span().end <= inner.span().start).count(),
            _ => 0,
        };
        if language == Language::Plan {
            return self.operations(SymbolKind::Action, 0);
        }
        let (words, expected) = keywords::heads(language, outer, index);
        // Lists are operands of keywords, words those of predicates.
        let typed = cursor.atom.map(Atom::span);
        let mut items = cursor.list().into_iter().flat_map(List::items).filter(|item| Some(item.span()) != typed);
        let rank = u32::from(items.next().is_some_and(|item| item.as_list().is_some()));
        match expected {
            Expected::Condition => self.operations(SymbolKind::Predicate, rank),
            Expected::Number => self.operations(SymbolKind::Function, rank),
            Expected::Section | Expected::Nothing => {}
        }
        for word in words {
            self.keyword(word, 1 - rank);
        }
        if expected == Expected::Nothing {
            self.types();
        }
    }

    /// Adds what may stand in the innermost list after its head.
    fn arguments(&mut self, cursor: &Cursor<'_>, heads: &[&str], head: &str, offset: u32) {
        for word in keywords::arguments(self.language, head) {
            self.keyword(word, 1);
        }
        if head == ":domain" {
            return self.domains();
        }
        let is_score = heads.iter().any(|head| matches!(*head, ":scoring" | ":terminal"));
        if head == "is-violated" || is_score && self.language == Language::Game {
            return self.preferences();
        }
        let expected = self.expected_types(head, cursor.index);
        for variable in variables_in_scope(cursor, offset).into_iter().rev() {
            let types: Vec<TypeIndex> =
                variable.types.iter().filter_map(|name| self.vocabulary.type_named(name)).collect();
            let rank = u32::from(!self.vocabulary.may_fit(&types, &expected)) * 4;
            let kind = CompletionKind::Name(SymbolKind::Variable);
            self.add(variable.name.text(), kind, self.vocabulary.types_text(&types), rank);
        }
        let vocabulary = self.vocabulary;
        for object in &vocabulary.objects {
            let rank = if vocabulary.may_fit(&object.types, &expected) { 1 } else { 5 };
            let kind = CompletionKind::Name(SymbolKind::Object);
            self.add(&object.name, kind, vocabulary.types_text(&object.types), rank);
        }
        if heads.last().is_some_and(|head| matches!(*head, "either" | "")) {
            self.types();
        }
    }

    /// Returns the types that an argument may have; empty if every object fits.
    fn expected_types(&self, head: &str, index: usize) -> Vec<TypeIndex> {
        let parameters =
            self.vocabulary.operations_named(head).filter_map(|own| own.parameters.get(index.checked_sub(1)?));
        parameters.flat_map(|parameter| parameter.types.iter().copied()).collect()
    }

    fn preferences(&mut self) {
        let (analysis, kind) = (self.analysis, SymbolKind::Preference);
        let definitions =
            analysis.occurrences().iter().filter(|own| own.kind == kind && own.role != OccurrenceRole::Reference);
        for own in definitions {
            let name = analysis.file().map_or("", |file| file.slice(own.span));
            self.add(name, CompletionKind::Name(kind), String::new(), 0);
        }
    }

    fn domains(&mut self) {
        let library = self.analysis.library();
        let names: Vec<String> = match self.language {
            Language::Pddl => {
                library.planning_domains().iter().map(|domain| domain.domain.name.written().to_owned()).collect()
            }
            Language::Bddl => {
                let loaded = library.bddl_domains().iter().map(|domain| domain.name.text.to_string());
                loaded.chain(goalspec::bddl::domains::names().map(str::to_owned)).collect()
            }
            _ => {
                let loaded = library.all_worlds().into_iter().map(|world| world.name().to_owned());
                loaded.chain(goalspec::rewards::shipped_worlds::names().map(str::to_owned)).collect()
            }
        };
        let kind = CompletionKind::Name(SymbolKind::Domain);
        for name in &names {
            self.add(name, kind, String::new(), 0);
        }
    }
}
