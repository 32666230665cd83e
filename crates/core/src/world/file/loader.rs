//! The common parts of all sections of a world file: names, kinds and values, and the order in which sections are
//! loaded.

use std::collections::BTreeMap;

use glam::DVec3;
use goalspec_syntax::suggest::did_you_mean;
use goalspec_syntax::{Code, Diagnostic, SourceFile, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use super::codes;
use super::document::{Entry, Keys, Node, NodeValue};
use crate::ids::{AttributeId, FunctionId, ObjectId, PredicateId, TypeId};
use crate::value::{Value, ValueKind};
use crate::world::operation::Setting;
use crate::world::{DeclarationRef, World, WorldBuilder, WorldError, WorldErrorKind};

/// A table of names. It also remembers names whose declaration was rejected, so that their uses are not reported as
/// further errors.
#[derive(Debug)]
pub(super) struct NameTable<T> {
    kind: &'static str,
    ids: FxHashMap<String, T>,
    refused: FxHashSet<String>,
}

impl<T: Copy> NameTable<T> {
    fn new(kind: &'static str) -> Self {
        Self { kind, ids: FxHashMap::default(), refused: FxHashSet::default() }
    }

    pub(super) fn insert(&mut self, name: &str, id: T) {
        self.ids.entry(name.to_owned()).or_insert(id);
    }

    /// Returns the noun for the named items, for messages.
    pub(super) fn kind(&self) -> &'static str {
        self.kind
    }

    pub(super) fn reject(&mut self, name: &str) {
        self.refused.insert(name.to_owned());
    }

    pub(super) fn get(&self, name: &str) -> Option<T> {
        self.ids.get(name).copied()
    }

    pub(super) fn knows(&self, name: &str) -> bool {
        self.ids.contains_key(name) || self.refused.contains(name)
    }

    pub(super) fn names(&self) -> Vec<&str> {
        // Sorted, because a suggestion among equally near names is the first.
        let mut names: Vec<&str> = self.ids.keys().map(String::as_str).collect();
        names.sort_unstable();
        names
    }

    pub(super) fn find(&self, name: &str, span: Span, diagnostics: &mut Vec<Diagnostic>) -> Option<T> {
        let found = self.get(name);
        if found.is_none() && !self.refused.contains(name) {
            diagnostics.push(unknown(self.kind, name, span, self.names()));
        }
        found
    }
}

/// Creates the diagnostic for a name that is not declared.
pub(super) fn unknown<'n>(kind: &str, name: &str, span: Span, known: impl IntoIterator<Item = &'n str>) -> Diagnostic {
    let diagnostic = Diagnostic::error(codes::UNKNOWN_NAME, span, format!("unknown {kind} `{name}`"));
    match did_you_mean(name, known) {
        Some(help) => diagnostic.with_help(help),
        None => diagnostic,
    }
}

/// The source spans of the declarations, in the order in which they were passed to the builder.
#[derive(Debug, Default)]
pub(super) struct Spans {
    pub(super) types: Vec<Span>,
    pub(super) objects: Vec<Span>,
    pub(super) aliases: Vec<Span>,
    pub(super) terms: Vec<Span>,
    pub(super) attributes: Vec<Span>,
    pub(super) predicates: Vec<Span>,
    pub(super) functions: Vec<Span>,
    pub(super) initial: Vec<Span>,
    pub(super) recording: Option<Span>,
    pub(super) world: Option<Span>,
}

impl Spans {
    fn of(&self, place: DeclarationRef) -> Option<Span> {
        match place {
            DeclarationRef::World => self.world,
            DeclarationRef::Type(id) => self.types.get(id.index()).copied(),
            DeclarationRef::Object(id) => self.objects.get(id.index()).copied(),
            DeclarationRef::Alias(at) => self.aliases.get(at).copied(),
            DeclarationRef::ProgramName(at) => self.terms.get(at).copied(),
            DeclarationRef::Attribute(id) => self.attributes.get(id.index()).copied(),
            DeclarationRef::Predicate(id) => self.predicates.get(id.index()).copied(),
            DeclarationRef::Function(id) => self.functions.get(id.index()).copied(),
            DeclarationRef::Initial(at) => self.initial.get(at).copied(),
            DeclarationRef::Recording => self.recording,
        }
    }
}

/// The entries of one section in all files, the most general file first.
pub(super) type Section<'n> = Vec<&'n Entry>;

/// The sections of all files.
#[derive(Debug, Default)]
pub(super) struct Sections<'n> {
    pub(super) settings: Section<'n>,
    pub(super) types: Section<'n>,
    pub(super) symbols: Section<'n>,
    pub(super) attributes: Section<'n>,
    pub(super) objects: Section<'n>,
    pub(super) functions: Section<'n>,
    pub(super) predicates: Section<'n>,
    pub(super) trackers: Vec<&'n Node>,
    pub(super) recordings: Vec<&'n Node>,
}

/// A loader that builds a world from documents.
pub(super) struct Loader<'l> {
    pub(super) diagnostics: &'l mut Vec<Diagnostic>,
    files: &'l [SourceFile],
    pub(super) builder: WorldBuilder,
    pub(super) spans: Spans,
    pub(super) settings: BTreeMap<String, Setting>,
    pub(super) types: NameTable<TypeId>,
    pub(super) attributes: NameTable<AttributeId>,
    pub(super) kinds: Vec<ValueKind>,
    /// The objects by every name: ids, aliases, and names for programs.
    pub(super) objects: NameTable<ObjectId>,
    pub(super) predicates: NameTable<PredicateId>,
    pub(super) functions: NameTable<FunctionId>,
}

impl<'l> Loader<'l> {
    pub(super) fn new(files: &'l [SourceFile], diagnostics: &'l mut Vec<Diagnostic>) -> Self {
        Self {
            diagnostics,
            files,
            builder: WorldBuilder::new(""),
            spans: Spans::default(),
            settings: BTreeMap::new(),
            types: NameTable::new("type"),
            attributes: NameTable::new("attribute"),
            kinds: Vec::new(),
            objects: NameTable::new("object"),
            predicates: NameTable::new("predicate"),
            functions: NameTable::new("function"),
        }
    }

    /// Builds the world that the documents describe, the most general document first.
    pub(super) fn load(mut self, documents: &[Node]) -> Option<World> {
        let sections = self.sections(documents);
        self.declare_settings(&sections.settings);
        let type_values = self.declare_types(&sections.types);
        let symbols = self.declare_symbols(&sections.symbols);
        self.declare_attributes(&sections.attributes);
        let objects = self.declare_objects(&sections.objects);
        self.assign_values(&type_values, &symbols, &objects);
        let signatures = self.declare_vocabulary(&sections);
        self.declare_recording(&sections.recordings);

        // Operations are resolved against a world that is complete except for meanings.
        let draft = match self.builder.clone().finish() {
            Ok(draft) => draft,
            Err(problems) => return self.refuse(problems),
        };
        self.resolve_definitions(&signatures, &draft);
        self.declare_trackers(&sections.trackers, &draft);
        if self.diagnostics.iter().any(Diagnostic::is_error) {
            return None;
        }
        match self.builder.clone().finish() {
            Ok(world) => Some(world),
            Err(problems) => self.refuse(problems),
        }
    }

    fn refuse(&mut self, problems: Vec<WorldError>) -> Option<World> {
        for problem in problems {
            let code = code_of(&problem.kind);
            let mut diagnostic = Diagnostic::new(code, goalspec_syntax::Severity::Error, problem.kind.to_string());
            diagnostic.span = self.spans.of(problem.declaration);
            self.diagnostics.push(diagnostic);
        }
        None
    }

    fn sections<'n>(&mut self, documents: &'n [Node]) -> Sections<'n> {
        let mut sections = Sections::default();
        let last = documents.len().saturating_sub(1);
        for (at, document) in documents.iter().enumerate() {
            let Some(entries) = self.ok(document.table()) else { continue };
            let mut keys = Keys::new(entries, Span { end: document.span.start, ..document.span });
            keys.optional("extends");
            let name = if at == last { keys.required("name", self.diagnostics) } else { keys.optional("name") };
            if let Some(name) = name.and_then(|node| self.ok(node.text())) {
                self.builder.rename(name);
            }
            if at == last {
                self.spans.world = Some(Span { end: document.span.start, ..document.span });
            }
            for (key, section) in [
                ("settings", &mut sections.settings),
                ("types", &mut sections.types),
                ("symbols", &mut sections.symbols),
                ("attributes", &mut sections.attributes),
                ("objects", &mut sections.objects),
                ("functions", &mut sections.functions),
                ("predicates", &mut sections.predicates),
            ] {
                if let Some(entries) = keys.optional(key).and_then(|node| self.ok(node.table())) {
                    section.extend(entries);
                }
            }
            if let Some(items) = keys.optional("trackers").and_then(|node| self.ok(node.list())) {
                sections.trackers.extend(items);
            }
            sections.recordings.extend(keys.optional("recording"));
            keys.finish(self.diagnostics);
        }
        sections
    }

    fn declare_settings(&mut self, entries: &[&Entry]) {
        for entry in entries {
            if let Some(setting) = self.literal_setting(&entry.node) {
                self.settings.insert(entry.key.clone(), setting);
            }
        }
    }

    fn literal_setting(&mut self, node: &Node) -> Option<Setting> {
        Some(match &node.value {
            NodeValue::Text(text) => Setting::Text(text.clone()),
            NodeValue::Bool(flag) => Setting::Flag(*flag),
            NodeValue::Int(_) | NodeValue::Real(_) => Setting::Number(self.ok(node.number())?),
            NodeValue::List(items) => {
                let texts: Result<Vec<String>, _> = items.iter().map(|item| item.text().map(str::to_owned)).collect();
                Setting::List(self.ok(texts)?)
            }
            NodeValue::Table(_) => {
                self.diagnostics.push(*node.wrong("a number, a string, a boolean, or a list of strings"));
                return None;
            }
        })
    }

    /// Returns the setting's value: a literal, or the world's named setting if it is a text that begins with `$`.
    pub(super) fn setting(&mut self, node: &Node) -> Option<Setting> {
        match &node.value {
            NodeValue::Text(text) if text.starts_with('$') => self.named_setting(&text[1..], node.span),
            _ => self.literal_setting(node),
        }
    }

    pub(super) fn named_setting(&mut self, name: &str, span: Span) -> Option<Setting> {
        let found = self.settings.get(name).cloned();
        if found.is_none() {
            let diagnostic = unknown("setting", name, span, self.settings.keys().map(String::as_str));
            self.diagnostics.push(diagnostic);
        }
        found
    }

    /// Returns the value, or reports the diagnostic and returns `None`.
    pub(super) fn ok<T>(&mut self, result: Result<T, Box<Diagnostic>>) -> Option<T> {
        result.map_err(|diagnostic| self.diagnostics.push(*diagnostic)).ok()
    }

    pub(super) fn error(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(code, span, message));
    }

    /// Returns the offset of a text in its file; `None` if it is written with escapes, so that its parts have no source
    /// spans.
    pub(super) fn start_of_text(&self, span: Span, text: &str) -> Option<u32> {
        let file = self.files.iter().find(|file| file.id() == span.source)?;
        let offset = file.slice(span).find(text)?;
        Some(span.start + offset as u32)
    }

    /// Returns the text of a node; the empty text if there is no node.
    pub(super) fn text_or_empty<'n>(&mut self, node: Option<&'n Node>) -> &'n str {
        node.and_then(|node| self.ok(node.text())).unwrap_or_default()
    }

    pub(super) fn type_ref(&mut self, node: &Node) -> Option<TypeId> {
        let name = self.ok(node.text())?;
        self.types.find(name, node.span, self.diagnostics)
    }

    /// Returns one or several types; `None` if any of them is unknown or the list is empty.
    pub(super) fn type_refs(&mut self, node: &Node) -> Option<Vec<TypeId>> {
        let items = node.one_or_more();
        if items.is_empty() {
            self.diagnostics.push(Diagnostic::error(codes::WRONG_VALUE, node.span, "expected at least one type"));
            return None;
        }
        let found: Vec<Option<TypeId>> = items.iter().map(|item| self.type_ref(item)).collect();
        found.into_iter().collect()
    }

    pub(super) fn attribute_ref(&mut self, node: &Node) -> Option<AttributeId> {
        let name = self.ok(node.text())?;
        self.attributes.find(name, node.span, self.diagnostics)
    }

    pub(super) fn object_ref(&mut self, node: &Node) -> Option<ObjectId> {
        let name = self.ok(node.text())?;
        self.objects.find(name, node.span, self.diagnostics)
    }

    /// Parses a value of an attribute.
    pub(super) fn value(&mut self, attribute: AttributeId, node: &Node) -> Option<Value> {
        self.value_of_kind(self.kinds[attribute.index()], node)
    }

    pub(super) fn value_of_kind(&mut self, kind: ValueKind, node: &Node) -> Option<Value> {
        Some(match kind {
            ValueKind::Bool => Value::Bool(self.ok(node.bool())?),
            ValueKind::Int => Value::Int(self.ok(node.int())?),
            ValueKind::Real => Value::Real(self.ok(node.number())?),
            ValueKind::Vec3 | ValueKind::Orientation => Value::Vec3(self.vector(node)?),
            ValueKind::Object if self.ok(node.text())?.is_empty() => Value::Object(None),
            ValueKind::Object => Value::Object(Some(self.object_ref(node)?)),
            ValueKind::Set => {
                let items = self.ok(node.list())?;
                let found: Option<Vec<ObjectId>> = items.iter().map(|item| self.object_ref(item)).collect();
                Value::Set(found?.into())
            }
            ValueKind::Text => Value::Text(self.ok(node.text())?.into()),
        })
    }

    pub(super) fn vector(&mut self, node: &Node) -> Option<DVec3> {
        let numbers = match &node.value {
            NodeValue::List(items) if items.len() == 3 => items,
            _ => {
                self.diagnostics.push(*node.wrong("a list of three numbers"));
                return None;
            }
        };
        let mut vector = [0.0; 3];
        for (slot, item) in vector.iter_mut().zip(numbers) {
            *slot = self.ok(item.number())?;
        }
        Some(DVec3::from_array(vector))
    }
}

fn code_of(kind: &WorldErrorKind) -> Code {
    match kind {
        WorldErrorKind::Duplicate { .. } => codes::DUPLICATE,
        WorldErrorKind::BadName(_) => codes::BAD_NAME,
        WorldErrorKind::UnknownId(_) | WorldErrorKind::NoType => codes::UNKNOWN_NAME,
        WorldErrorKind::NotFinite => codes::WRONG_VALUE,
        WorldErrorKind::OptionalNotLast
        | WorldErrorKind::WrongKind { .. }
        | WorldErrorKind::NotAnAttributeOf { .. }
        | WorldErrorKind::WrongParameters(_)
        | WorldErrorKind::WrongArity { .. }
        | WorldErrorKind::TypeNotAccepted(_)
        | WorldErrorKind::NotDiscoverable(_) => codes::MISMATCH,
        WorldErrorKind::Cycle(_) => codes::DEFINITION_CYCLE,
        WorldErrorKind::TooComplex | WorldErrorKind::TooMany { .. } => codes::TOO_LARGE,
    }
}

/// Returns the kind with this name.
pub(super) fn kind_named(name: &str) -> Option<ValueKind> {
    ALL.into_iter().find(|kind| kind.name() == name)
}

pub(super) const ALL: [ValueKind; 8] = [
    ValueKind::Bool,
    ValueKind::Int,
    ValueKind::Real,
    ValueKind::Vec3,
    ValueKind::Orientation,
    ValueKind::Object,
    ValueKind::Set,
    ValueKind::Text,
];
