//! The analysis of one document: its programs with the files that they depend on.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use goalspec::files::WORLD_EXTENSION;
use goalspec::languages::{Language, detect_language};
use goalspec::library::Library;
use goalspec::program::{Activity, Program, ProgramContent, ResourceProgram};
use goalspec::syntax::symbols::{Declaration, Occurrence, SymbolKind};
use goalspec::syntax::{SourceFile, SourceId, Span, sexp};
use rustc_hash::FxHashMap;

use crate::TextRange;
use crate::vocabulary::Vocabulary;

/// A document with its programs and the files that they depend on.
#[derive(Debug)]
pub struct Analysis {
    path: PathBuf,
    library: Library,
    /// The text of the document; `None` if it could not be read.
    source: Option<SourceId>,
    tree: OnceLock<sexp::Parse>,
    names: OnceLock<Names>,
    vocabularies: OnceLock<Vec<(Span, Arc<Vocabulary>)>>,
}

/// The occurrences of names in a document.
#[derive(Debug, Default)]
struct Names {
    /// The occurrences, in the order of the text.
    occurrences: Vec<Occurrence>,
    /// The declarations of resources on one node, by the spans of occurrences.
    declarations_of_node: FxHashMap<Span, Span>,
    /// The texts whose names have no occurrence.
    unlinked_texts: Vec<Arc<str>>,
}

impl Analysis {
    pub(crate) fn new(path: &Path, library: Library) -> Self {
        let source = library.sources().named(&path.display().to_string()).map(SourceFile::id);
        let (tree, names, vocabularies) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Self { path: path.to_owned(), library, source, tree, names, vocabularies }
    }

    /// Returns the path of the document.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the programs of the document with those that they depend on.
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// Returns the text of the document; `None` if it could not be read.
    pub fn file(&self) -> Option<&SourceFile> {
        self.source.map(|source| self.library.sources().file(source))
    }

    /// Returns the language of the document; `None` for worlds and documents that could not be read.
    pub fn language(&self) -> Option<Language> {
        self.file().filter(|_| !self.is_world()).map(|file| detect_language(file, false))
    }

    /// Whether the document is a world file.
    pub fn is_world(&self) -> bool {
        self.path.to_string_lossy().ends_with(WORLD_EXTENSION)
    }

    /// Whether the document consists of lists in parentheses.
    pub fn is_symbolic(&self) -> bool {
        matches!(self.language(), Some(Language::Game | Language::Bddl | Language::Pddl | Language::Plan))
    }

    /// Returns the tree of a document that consists of lists in parentheses; `None` for others.
    pub fn tree(&self) -> Option<&sexp::Parse> {
        let file = self.file().filter(|_| self.is_symbolic())?;
        Some(self.tree.get_or_init(|| sexp::parse(file)))
    }

    /// Iterates over the programs of the document.
    pub fn programs(&self) -> impl Iterator<Item = &Program> {
        self.library.programs().iter().filter(|program| Some(program.source) == self.source)
    }

    /// Returns the occurrences of names in the document, in the order of the text.
    pub fn occurrences(&self) -> &[Occurrence] {
        &self.names().occurrences
    }

    fn names(&self) -> &Names {
        self.names.get_or_init(|| self.collect_names())
    }

    /// Returns the declaration on one node of a resource that is one symbol on all nodes, if the occurrence names the node.
    pub(crate) fn declaration_of_node(&self, occurrence: &Occurrence) -> Option<Span> {
        self.names().declarations_of_node.get(&occurrence.span).copied()
    }

    /// Returns the texts whose names have no occurrence, such as folded texts and regular expressions.
    pub(crate) fn unlinked_texts(&self) -> &[Arc<str>] {
        &self.names().unlinked_texts
    }

    /// Returns the resource graph game of the document with the syntax tree, as far as it could be parsed.
    pub(crate) fn resource_game(&self) -> Option<(&ResourceProgram, &goalspec::rgg::ast::Game)> {
        self.programs().find_map(|program| match &program.content {
            ProgramContent::Resource(game) => Some((&**game, game.ast.as_ref()?)),
            _ => None,
        })
    }

    /// Returns the occurrence that contains or touches an offset.
    pub fn occurrence_at(&self, offset: u32) -> Option<&Occurrence> {
        let occurrences = self.occurrences();
        let next = occurrences.partition_point(|occurrence| occurrence.span.end < offset);
        let touching = occurrences[next..].iter().take_while(|occurrence| occurrence.span.start <= offset);
        // Of two that touch the offset, the one that contains the character behind it.
        touching.last()
    }

    /// Returns the vocabulary of the program at an offset, or of the only program.
    pub(crate) fn vocabulary(&self, offset: u32) -> Option<Arc<Vocabulary>> {
        let all = self.vocabularies.get_or_init(|| crate::vocabulary::of_document(self));
        let around = all.iter().find(|(span, _)| span.start <= offset && offset <= span.end);
        around.or(all.first()).map(|(_, vocabulary)| vocabulary.clone())
    }

    /// Returns the text of a place, if it lies in this document.
    pub(crate) fn range(&self, span: Span) -> Option<TextRange> {
        (Some(span.source) == self.source).then_some(span.start..span.end)
    }

    fn collect_names(&self) -> Names {
        if let Some((game, _)) = self.resource_game()
            && let Some(file) = self.file()
        {
            let found = goalspec::rgg::occurrences::occurrences(file, game.dialect);
            return Names {
                occurrences: found.list,
                declarations_of_node: found.declarations_of_node,
                unlinked_texts: found.unlinked_texts,
            };
        }
        let mut occurrences = match self.file().filter(|_| self.is_world()) {
            Some(file) => goalspec::core::world::file::occurrences::occurrences(file),
            None => self.collect_occurrences(),
        };
        crate::worlds::link(self, &mut occurrences);
        Names { occurrences, ..Names::default() }
    }

    fn collect_occurrences(&self) -> Vec<Occurrence> {
        let mut all: Vec<Occurrence> = self.programs().flat_map(|program| self.occurrences_in(program)).collect();
        for domain in self.library.planning_domains().iter().filter(|domain| Some(domain.source) == self.source) {
            all.extend(goalspec::pddl::occurrences::domain(&domain.domain));
        }
        for domain in self.library.bddl_domains() {
            if Some(domain.origin.0.source) == self.source {
                all.extend(goalspec::bddl::occurrences::domain(domain));
            }
        }
        all.sort_by_key(|occurrence| (occurrence.span.start, occurrence.span.end));
        all
    }

    fn occurrences_in(&self, program: &Program) -> Vec<Occurrence> {
        match &program.content {
            ProgramContent::Game(game) => goalspec::game::occurrences::occurrences(&game.ast, program.world.as_deref()),
            ProgramContent::Planning(problem) => {
                let domain = problem.domain.as_deref().map(|domain| &*domain.domain);
                goalspec::pddl::occurrences::problem(&problem.problem, domain)
            }
            ProgramContent::Activity(activity) => {
                goalspec::bddl::occurrences::problem(&activity.problem, &|kind, name| {
                    self.declaration_in_domain(activity, kind, name)
                })
            }
            ProgramContent::Resource(_) | ProgramContent::Reward(_) => Vec::new(),
        }
    }

    /// Returns the declaration of a name in the domain of an activity.
    fn declaration_in_domain(&self, activity: &Activity, kind: SymbolKind, name: &str) -> Declaration {
        let Some(domain) = self.library.bddl_domain(activity) else { return Declaration::Unknown };
        let declared = match kind {
            SymbolKind::Domain => Some(&domain.name),
            SymbolKind::Predicate => {
                domain.predicates.iter().map(|predicate| &predicate.name).find(|own| *own.text == *name)
            }
            _ => domain.types.iter().flat_map(|group| &group.instances).find(|own| *own.text == *name),
        };
        let Some(declared) = declared else { return Declaration::Unknown };
        // A built-in domain has spans of a text that is not loaded.
        let is_loaded = self.library.bddl_domains().iter().any(|loaded| std::ptr::eq(loaded, domain));
        let span = declared.origin.0;
        let text = self.library.sources().find(span.source).map_or("", |file| file.slice(span));
        if is_loaded && text.eq_ignore_ascii_case(name) {
            Declaration::At(span)
        } else {
            Declaration::BuiltIn(domain.name.text.clone())
        }
    }
}
