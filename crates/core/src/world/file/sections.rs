//! The sections with declarations: types, symbols, attributes, objects, predicates, functions, trackers.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use goalspec_syntax::{Diagnostic, Span};
use rustc_hash::FxHashMap;

use super::codes;
use super::definition;
use super::document::{Entry, Keys, Node, NodeValue};
use super::loader::{ALL, Loader, Section, Sections, kind_named, unknown};
use crate::condition::{Condition, Expression, Scope};
use crate::ids::{AttributeId, FunctionId, ObjectId, PredicateId, TypeId};
use crate::limits::{MAX_ATTRIBUTES, MAX_OBJECTS, MAX_TYPES};
use crate::value::{Value, ValueKind};
use crate::world::operation::{FunctionDefinition, Measure, Operation, PredicateDefinition, Settings, SettingsError};
use crate::world::{AttributeDecl, Dependencies, FunctionDecl, Parameter, PredicateDecl, Tracker, TypeDecl, World};

/// The values that a type assigns to the attributes of its objects.
pub(super) struct TypeValues<'n> {
    of: TypeId,
    entries: &'n [Entry],
}

/// Values of attributes, each with its source span.
type AttributeValues = BTreeMap<AttributeId, (Span, Value)>;

/// A predicate or function with its scope, whose first variables are the parameters, and its meaning.
pub(super) struct VocabularyEntry<'n, T> {
    id: T,
    scope: Scope,
    meaning: UnresolvedDefinition<'n>,
}

/// The meaning of a predicate or function as written, not yet resolved.
#[derive(Clone, Copy)]
enum UnresolvedDefinition<'n> {
    Stored,
    Attribute(&'n Node),
    Operation(&'n Node, Option<&'n Node>),
    Defined(&'n Node),
    Unavailable(&'n Node),
}

pub(super) struct Signatures<'n> {
    predicates: Vec<VocabularyEntry<'n, PredicateId>>,
    functions: Vec<VocabularyEntry<'n, FunctionId>>,
}

/// One entry of `[types]`.
struct TypeEntry<'n> {
    entry: &'n Entry,
    parents: &'n [Node],
    doc: &'n str,
    discover: bool,
    values: Option<&'n [Entry]>,
}

impl Loader<'_> {
    /// Declares the types, supertypes first, and returns the values that they assign to their objects.
    pub(super) fn declare_types<'n>(&mut self, entries: &Section<'n>) -> Vec<TypeValues<'n>> {
        if entries.len() > MAX_TYPES {
            let span = entries[MAX_TYPES].key_span;
            self.error(codes::TOO_LARGE, span, format!("a world has at most {MAX_TYPES} types"));
            return Vec::new();
        }
        let decls: Vec<TypeEntry<'n>> = entries.iter().filter_map(|entry| self.type_entry(entry)).collect();
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        for (at, decl) in decls.iter().enumerate() {
            places.entry(&decl.entry.key).or_insert(at);
        }
        // For each type, the types that wait for it, and the number of types that it waits for.
        let mut followers: Vec<Vec<usize>> = vec![Vec::new(); decls.len()];
        let mut waits_for: Vec<usize> = vec![0; decls.len()];
        for (at, decl) in decls.iter().enumerate() {
            for parent in decl.parents {
                let Some(name) = self.ok(parent.text()) else { continue };
                if let Some(&place) = places.get(name) {
                    followers[place].push(at);
                    waits_for[at] += 1;
                } else if !self.types.knows(name) {
                    self.diagnostics.push(unknown("type", name, parent.span, places.keys().copied()));
                    self.types.reject(name);
                }
            }
        }
        let mut ready: BTreeSet<usize> = (0..decls.len()).filter(|&at| waits_for[at] == 0).collect();
        let mut values = Vec::new();
        while let Some(at) = ready.pop_first() {
            self.declare_type(&decls[at], &mut values);
            for &follower in &followers[at] {
                waits_for[follower] -= 1;
                if waits_for[follower] == 0 {
                    ready.insert(follower);
                }
            }
        }
        for (decl, _) in decls.iter().zip(&waits_for).filter(|&(_, &count)| count > 0) {
            let message = format!("type `{}`, or one of its supertypes, is its own supertype", decl.entry.key);
            self.error(codes::TYPE_CYCLE, decl.entry.key_span, message);
            self.types.reject(&decl.entry.key);
        }
        values
    }

    fn type_entry<'n>(&mut self, entry: &'n Entry) -> Option<TypeEntry<'n>> {
        let mut decl = TypeEntry { entry, parents: &[], doc: "", discover: false, values: None };
        if let NodeValue::Table(entries) = &entry.node.value {
            let mut keys = Keys::new(entries, entry.key_span);
            decl.parents = keys.optional("of").map_or(&[], Node::one_or_more);
            decl.doc = self.text_or_empty(keys.optional("doc"));
            decl.discover = keys.optional("discover").and_then(|node| self.ok(node.bool())).unwrap_or(false);
            decl.values = keys.optional("values").and_then(|node| self.ok(node.table()));
            keys.finish(self.diagnostics);
        } else {
            decl.parents = entry.node.one_or_more();
            if let Some(error) = decl.parents.iter().find_map(|parent| parent.text().err()) {
                self.diagnostics.push(*error);
                self.types.reject(&entry.key);
                return None;
            }
        }
        Some(decl)
    }

    /// Declares a type whose supertypes are already declared.
    fn declare_type<'n>(&mut self, decl: &TypeEntry<'n>, values: &mut Vec<TypeValues<'n>>) {
        let names = decl.parents.iter().filter_map(|parent| parent.text().ok());
        let parents = names.filter_map(|name| self.types.get(name)).collect();
        let (name, doc) = (Arc::from(decl.entry.key.as_str()), Arc::from(decl.doc));
        let id = self.builder.declare_type(TypeDecl { name, parents, doc });
        self.spans.types.push(decl.entry.key_span);
        self.types.insert(&decl.entry.key, id);
        if decl.discover {
            self.builder.allow_discovery(id);
        }
        values.extend(decl.values.map(|entries| TypeValues { of: id, entries }));
    }

    /// Declares symbols: for each name a type with one object, to which programs can refer. Returns the objects with
    /// their types.
    pub(super) fn declare_symbols(&mut self, entries: &[&Entry]) -> Vec<(ObjectId, TypeId)> {
        let mut declared = Vec::new();
        for entry in entries {
            let Some(parent) = self.types.find(&entry.key, entry.key_span, self.diagnostics) else { continue };
            for item in self.ok(entry.node.list()).unwrap_or_default() {
                let Some(name) = self.ok(item.text()) else { continue };
                if self.spans.types.len() == MAX_TYPES {
                    self.error(codes::TOO_LARGE, item.span, format!("a world has at most {MAX_TYPES} types"));
                    return declared;
                }
                let id = self.builder.add_type(name, &[parent]);
                self.spans.types.push(item.span);
                self.types.insert(name, id);
                let object = self.builder.add_symbol(name, &[id]);
                self.spans.objects.push(item.span);
                self.objects.insert(name, object);
                self.builder.add_program_name(name, object);
                self.spans.terms.push(item.span);
                declared.push((object, id));
            }
        }
        declared
    }

    pub(super) fn declare_attributes(&mut self, entries: &[&Entry]) {
        // Default values are parsed here, before objects are declared, so they can refer to symbols only.
        for (at, entry) in entries.iter().enumerate() {
            if at == MAX_ATTRIBUTES {
                self.error(
                    codes::TOO_LARGE,
                    entry.key_span,
                    format!("a world has at most {MAX_ATTRIBUTES} attributes"),
                );
            }
            let Some(decl) = (if at < MAX_ATTRIBUTES { self.attribute(entry) } else { None }) else {
                self.attributes.reject(&entry.key);
                continue;
            };
            self.kinds.push(decl.kind);
            let id = self.builder.add_attribute(decl);
            self.spans.attributes.push(entry.key_span);
            self.attributes.insert(&entry.key, id);
        }
    }

    fn attribute(&mut self, entry: &Entry) -> Option<AttributeDecl> {
        let table = self.ok(entry.node.table())?;
        let mut keys = Keys::new(table, entry.key_span);
        let kind = keys.required("kind", self.diagnostics).and_then(|node| {
            let name = self.ok(node.text())?;
            let kind = kind_named(name);
            if kind.is_none() {
                let names = ALL.map(ValueKind::name);
                let diagnostic = unknown("kind of attribute", name, node.span, names);
                self.diagnostics.push(diagnostic.with_help(format!("kinds: {}", names.join(", "))));
            }
            kind
        });
        let of = keys.required("of", self.diagnostics).and_then(|node| self.type_refs(node));
        let required = keys.optional("required").and_then(|node| self.ok(node.bool())).unwrap_or(false);
        let doc = self.text_or_empty(keys.optional("doc")).into();
        let default = match (kind, keys.optional("default")) {
            (Some(kind), Some(node)) => Some(self.value_of_kind(kind, node)?),
            _ => None,
        };
        keys.finish(self.diagnostics);
        Some(AttributeDecl { name: entry.key.as_str().into(), kind: kind?, types: of?, default, required, doc })
    }

    /// Declares the objects and returns them with their types and the values in their entries.
    pub(super) fn declare_objects<'n>(&mut self, entries: &Section<'n>) -> Vec<(ObjectId, TypeId, &'n [Entry])> {
        let mut declared = Vec::new();
        for entry in entries {
            if self.object(entry, &mut declared).is_none() {
                self.objects.reject(&entry.key);
            }
        }
        declared
    }

    fn object<'n>(&mut self, entry: &'n Entry, declared: &mut Vec<(ObjectId, TypeId, &'n [Entry])>) -> Option<()> {
        let NodeValue::Table(table) = &entry.node.value else {
            let own = self.type_ref(&entry.node)?;
            let object = self.add_object(&entry.key, entry.key_span, &[own]);
            declared.push((object, own, &[]));
            return Some(());
        };
        let mut keys = Keys::new(table, entry.key_span);
        let types = keys.required("type", self.diagnostics).and_then(|node| self.type_refs(node));
        let names = keys.optional("name").map_or(&[][..], Node::one_or_more);
        let aliases = keys.optional("aliases").map_or(&[][..], Node::one_or_more);
        let count = keys.optional("count");
        let values = keys.optional("values").and_then(|node| self.ok(node.table())).unwrap_or_default();
        keys.finish(self.diagnostics);
        if let Some(node) = count {
            let count = self.ok(node.int())?;
            return self.numbered_objects(entry, node.span, count, &types?, values, declared);
        }
        let types = types?;
        let object = self.add_object(&entry.key, entry.key_span, &types);
        declared.extend(types.iter().map(|&own| (object, own, values)));
        for node in names {
            if let Some(name) = self.ok(node.text()) {
                self.builder.add_program_name(name, object);
                self.spans.terms.push(node.span);
                self.objects.insert(name, object);
            }
        }
        for node in aliases {
            if let Some(name) = self.ok(node.text()) {
                self.builder.add_alias(name, object);
                self.spans.aliases.push(node.span);
                self.objects.insert(name, object);
            }
        }
        Some(())
    }

    /// Declares numbered objects: `{n}` in the id stands for the number, from 0.
    fn numbered_objects<'n>(
        &mut self,
        entry: &'n Entry,
        span: Span,
        count: i64,
        types: &[TypeId],
        values: &'n [Entry],
        declared: &mut Vec<(ObjectId, TypeId, &'n [Entry])>,
    ) -> Option<()> {
        if !entry.key.contains("{n}") {
            self.error(
                codes::WRONG_VALUE,
                entry.key_span,
                "the id must contain `{n}` for the number if `count` is given",
            );
            return None;
        }
        let room = MAX_OBJECTS.saturating_sub(self.spans.objects.len());
        let Some(count) = usize::try_from(count).ok().filter(|&count| count <= room) else {
            let message = format!("`count` must be at least 0, and a world has at most {MAX_OBJECTS} objects");
            self.error(codes::WRONG_VALUE, span, message);
            return None;
        };
        for number in 0..count {
            let id = entry.key.replace("{n}", &number.to_string());
            let object = self.add_object(&id, entry.key_span, types);
            declared.extend(types.iter().map(|&own| (object, own, values)));
        }
        Some(())
    }

    fn add_object(&mut self, id: &str, span: Span, types: &[TypeId]) -> ObjectId {
        let object = self.builder.add_object(id, types);
        self.spans.objects.push(span);
        self.objects.insert(id, object);
        object
    }
}

impl<'n> Loader<'_> {
    /// Assigns to each object the values of its types, general types first, and then its own.
    pub(super) fn assign_values(
        &mut self,
        by_type: &[TypeValues<'n>],
        symbols: &[(ObjectId, TypeId)],
        objects: &[(ObjectId, TypeId, &'n [Entry])],
    ) {
        let by_type: Vec<(TypeId, AttributeValues)> =
            by_type.iter().map(|values| (values.of, self.read_values(values.entries))).collect();
        let ancestors = self.builder.ancestors();
        let mut inherited: FxHashMap<TypeId, AttributeValues> = FxHashMap::default();
        // Numbered objects, and the types of one object, share an entry, which is parsed once.
        let mut latest: (&[Entry], AttributeValues) = (&[], AttributeValues::new());
        let symbols = symbols.iter().map(|&(object, own)| (object, own, &[][..]));
        for (object, own, entries) in symbols.chain(objects.iter().copied()) {
            let inherited = inherited.entry(own).or_insert_with(|| {
                // Supertypes are declared before their subtypes, so the order of types is from general to specific.
                let general = by_type.iter().filter(|(of, _)| ancestors[own.index()].contains(of.index()));
                general.flat_map(|(_, given)| given.clone()).collect()
            });
            let mut given = inherited.clone();
            if !std::ptr::eq(entries, latest.0) {
                latest = (entries, self.read_values(entries));
            }
            given.extend(latest.1.clone());
            for (attribute, (span, value)) in given {
                self.builder.set_initial(object, attribute, value);
                self.spans.initial.push(span);
            }
        }
    }

    fn read_values(&mut self, entries: &[Entry]) -> AttributeValues {
        let mut values = AttributeValues::new();
        for entry in entries {
            if let Some(attribute) = self.attributes.find(&entry.key, entry.key_span, self.diagnostics)
                && let Some(value) = self.value(attribute, &entry.node)
            {
                values.insert(attribute, (entry.key_span, value));
            }
        }
        values
    }

    /// Declares predicates and functions with placeholder meanings, so that meanings can refer to any of them.
    pub(super) fn declare_vocabulary(&mut self, sections: &Sections<'n>) -> Signatures<'n> {
        let mut signatures = Signatures { predicates: Vec::new(), functions: Vec::new() };
        for entry in last_of_each_name(&sections.functions) {
            let Some((head, scope, meaning)) = self.vocabulary_entry(entry, "attribute", "value") else {
                self.functions.reject(&entry.key);
                continue;
            };
            let placeholder = FunctionDefinition::Derived(Box::new((scope.clone(), Expression::Number(0.0))));
            let VocabularyHeader { name, parameters, doc, phrase } = head;
            let decl =
                FunctionDecl { name, parameters, definition: placeholder, reads: Dependencies::default(), doc, phrase };
            let id = self.builder.add_function(decl);
            self.spans.functions.push(entry.key_span);
            self.functions.insert(&entry.key, id);
            signatures.functions.push(VocabularyEntry { id, scope, meaning });
        }
        for entry in last_of_each_name(&sections.predicates) {
            let Some((head, scope, meaning)) = self.vocabulary_entry(entry, "flag", "holds") else {
                self.predicates.reject(&entry.key);
                continue;
            };
            let placeholder = PredicateDefinition::Derived(Box::new((scope.clone(), Condition::Constant(false))));
            let VocabularyHeader { name, parameters, doc, phrase } = head;
            let decl = PredicateDecl {
                name,
                parameters,
                definition: placeholder,
                dependencies: Dependencies::default(),
                doc,
                phrase,
            };
            let id = self.builder.add_predicate(decl);
            self.spans.predicates.push(entry.key_span);
            self.predicates.insert(&entry.key, id);
            signatures.predicates.push(VocabularyEntry { id, scope, meaning });
        }
        signatures
    }

    /// Parses the common parts of predicates and functions. `attribute_key` and `definition_key` are the keys of two of
    /// the meanings.
    fn vocabulary_entry(
        &mut self,
        entry: &'n Entry,
        attribute_key: &'static str,
        definition_key: &'static str,
    ) -> Option<(VocabularyHeader, Scope, UnresolvedDefinition<'n>)> {
        let table = self.ok(entry.node.table())?;
        let mut keys = Keys::new(table, entry.key_span);
        let scope = match keys.optional("parameters") {
            Some(node) => definition::parameters(self, node),
            None => Some(Scope::default()),
        };
        let optional = keys.optional("optional");
        let type_names = keys.optional("type_names").map_or(&[][..], Node::one_or_more);
        let doc = self.text_or_empty(keys.optional("doc")).into();
        let phrase = keys.optional("phrase");
        let stored = keys.optional("stored");
        let (attribute, operation) = (keys.optional(attribute_key), keys.optional("operation"));
        let (settings, defined) = (keys.optional("settings"), keys.optional(definition_key));
        let unavailable = keys.optional("unavailable");
        let meanings = format!("`stored`, `{attribute_key}`, `operation`, `{definition_key}` or `unavailable`");
        keys.finish(self.diagnostics);

        let stored = stored.filter(|node| self.ok(node.bool()) == Some(true)).map(|_| UnresolvedDefinition::Stored);
        let definitions = [
            stored,
            attribute.map(UnresolvedDefinition::Attribute),
            operation.map(|node| UnresolvedDefinition::Operation(node, settings)),
            defined.map(UnresolvedDefinition::Defined),
            unavailable.map(UnresolvedDefinition::Unavailable),
        ];
        let definitions: Vec<UnresolvedDefinition<'n>> = definitions.into_iter().flatten().collect();
        let [meaning] = definitions[..] else {
            let message = format!("`{}` has {} meanings, expected exactly one", entry.key, definitions.len());
            let help = format!("specify one of {meanings}");
            self.diagnostics.push(Diagnostic::error(codes::MISSING_KEY, entry.key_span, message).with_help(help));
            return None;
        };
        if let (Some(settings), false) = (settings, matches!(meaning, UnresolvedDefinition::Operation(..))) {
            self.error(codes::MISMATCH, settings.span, "`settings` requires `operation`");
        }
        let scope = scope?;
        let parameters = self.parameters(&scope, optional, type_names)?;
        let phrase = self.phrase(entry, phrase, parameters.len())?;
        Some((VocabularyHeader { name: entry.key.as_str().into(), parameters, doc, phrase }, scope, meaning))
    }

    fn parameters(&mut self, scope: &Scope, optional: Option<&Node>, type_names: &[Node]) -> Option<Vec<Parameter>> {
        let mut parameters: Vec<Parameter> = scope.variables.iter().map(|v| Parameter::of(&v.types)).collect();
        if let Some(node) = optional {
            let Some(count) = usize::try_from(self.ok(node.int())?).ok().filter(|&count| count <= parameters.len())
            else {
                let message =
                    format!("`optional` is the number of optional parameters at the end: 0 to {}", parameters.len());
                self.error(codes::WRONG_VALUE, node.span, message);
                return None;
            };
            let first = parameters.len() - count;
            parameters[first..].iter_mut().for_each(|parameter| parameter.optional = true);
        }
        for node in type_names {
            let name = self.ok(node.text())?;
            let Some(at) = scope.variables.iter().position(|variable| &*variable.name == name) else {
                let known: Vec<&str> = scope.variables.iter().map(|variable| &*variable.name).collect();
                self.diagnostics.push(unknown("parameter", name, node.span, known));
                return None;
            };
            parameters[at].accepts_type = true;
        }
        Some(parameters)
    }

    /// Returns the description template; by default, the name followed by the arguments.
    fn phrase(&mut self, entry: &Entry, node: Option<&Node>, arity: usize) -> Option<Arc<str>> {
        let Some(node) = node else {
            let arguments = (0..arity).map(|at| format!("{{{at}}}"));
            let words: Vec<String> = std::iter::once(entry.key.replace('_', " ")).chain(arguments).collect();
            return Some(words.join(" ").into());
        };
        let phrase = self.ok(node.text())?;
        for part in phrase.split('{').skip(1) {
            let inner = part.split_once('}').map(|(inner, _)| inner);
            if inner.and_then(|inner| inner.parse::<usize>().ok()).is_none_or(|at| at >= arity) {
                let message = "placeholders of a phrase are `{0}`, `{1}` and so on, up to the number of parameters";
                self.error(codes::WRONG_VALUE, node.span, message);
                return None;
            }
        }
        Some(phrase.into())
    }

    /// Replaces the placeholders by the meanings.
    pub(super) fn resolve_definitions(&mut self, signatures: &Signatures<'n>, draft: &World) {
        for VocabularyEntry { id, scope, meaning } in &signatures.functions {
            if let Some(meaning) = self.function_meaning(scope, *meaning, draft) {
                self.builder.define_function(*id, meaning);
            }
        }
        for VocabularyEntry { id, scope, meaning } in &signatures.predicates {
            if let Some(meaning) = self.predicate_meaning(scope, *meaning, draft) {
                self.builder.define_predicate(*id, meaning);
            }
        }
    }

    fn function_meaning(
        &mut self,
        scope: &Scope,
        meaning: UnresolvedDefinition<'n>,
        draft: &World,
    ) -> Option<FunctionDefinition> {
        Some(match meaning {
            UnresolvedDefinition::Stored => FunctionDefinition::Stored,
            UnresolvedDefinition::Attribute(node) => FunctionDefinition::Attribute(self.attribute_ref(node)?),
            UnresolvedDefinition::Operation(node, settings) => {
                FunctionDefinition::Computed(Box::new(self.operation(node, settings, draft, Measure::resolve)?))
            }
            UnresolvedDefinition::Defined(node) => {
                FunctionDefinition::Derived(Box::new(definition::expression(self, scope, node)?))
            }
            UnresolvedDefinition::Unavailable(node) => FunctionDefinition::Unavailable(self.ok(node.text())?.into()),
        })
    }

    fn predicate_meaning(
        &mut self,
        scope: &Scope,
        meaning: UnresolvedDefinition<'n>,
        draft: &World,
    ) -> Option<PredicateDefinition> {
        Some(match meaning {
            UnresolvedDefinition::Stored => PredicateDefinition::Stored,
            UnresolvedDefinition::Attribute(node) => PredicateDefinition::Flag(self.attribute_ref(node)?),
            UnresolvedDefinition::Operation(node, settings) => {
                PredicateDefinition::Computed(Box::new(self.operation(node, settings, draft, Operation::resolve)?))
            }
            UnresolvedDefinition::Defined(node) => {
                PredicateDefinition::Derived(Box::new(definition::condition(self, scope, node)?))
            }
            UnresolvedDefinition::Unavailable(node) => PredicateDefinition::Unavailable(self.ok(node.text())?.into()),
        })
    }

    pub(super) fn declare_trackers(&mut self, nodes: &[&Node], draft: &World) {
        for node in nodes {
            let Some(table) = self.ok(node.table()) else { continue };
            let mut keys = Keys::new(table, node.span);
            let operation = keys.required("operation", self.diagnostics);
            let settings = keys.optional("settings");
            keys.finish(self.diagnostics);
            if let Some(tracker) = operation.and_then(|node| self.operation(node, settings, draft, Tracker::resolve)) {
                self.builder.add_tracker(tracker);
            }
        }
    }

    /// Resolves an operation by name, with its settings.
    pub(super) fn operation<T>(
        &mut self,
        node: &Node,
        settings: Option<&Node>,
        draft: &World,
        resolve: impl Fn(&str, &mut Settings<'_>) -> Result<T, SettingsError>,
    ) -> Option<T> {
        let name = self.ok(node.text())?;
        let entries = settings.and_then(|node| self.ok(node.table())).unwrap_or_default();
        let mut given = BTreeMap::new();
        for entry in entries {
            given.insert(entry.key.clone(), self.setting(&entry.node)?);
        }
        let error = match resolve(name, &mut Settings::new(draft, given)) {
            Ok(operation) => return Some(operation),
            Err(error) => error,
        };
        for problem in error.problems {
            let entry = entries.iter().find(|entry| entry.key == problem.setting);
            let span = entry.map_or(node.span, |entry| entry.key_span.to(entry.node.span));
            let diagnostic = Diagnostic::error(codes::SETTING, span, problem.message);
            self.diagnostics.push(match problem.help {
                Some(help) => diagnostic.with_help(help),
                None => diagnostic,
            });
        }
        None
    }
}

/// The name, parameters and documentation of a predicate or function.
struct VocabularyHeader {
    name: Arc<str>,
    parameters: Vec<Parameter>,
    doc: Arc<str>,
    phrase: Arc<str>,
}

/// Returns the last entry for each name, in the order in which the names first occur.
fn last_of_each_name<'n>(entries: &Section<'n>) -> Vec<&'n Entry> {
    let mut places: FxHashMap<&str, usize> = FxHashMap::default();
    let mut last: Vec<&'n Entry> = Vec::new();
    for &entry in entries {
        if let Some(&at) = places.get(entry.key.as_str()) {
            last[at] = entry;
        } else {
            places.insert(&entry.key, last.len());
            last.push(entry);
        }
    }
    last
}
