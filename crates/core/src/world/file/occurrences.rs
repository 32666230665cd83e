//! The occurrences of names in a world file, for editors.
//!
//! Names are collected from the file as written, also with errors in it. A name that the file does not declare is one of the world that it
//! extends, if it extends one.

use goalspec_syntax::sexp::{self, AtomKind, List, Sexp};
use goalspec_syntax::symbols::{Declaration, Occurrence, Occurrences, SymbolKind};
use goalspec_syntax::{SourceFile, Sources, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use super::document::{self, Entry, Node, NodeValue};
use crate::world::operation::{Measure, Operation, OperationDoc};
use crate::world::tracker::Tracker;

/// Returns the occurrences of names in a world file, in the order of the text; none if it is not valid TOML.
///
/// ```
/// use goalspec_core::world::file::occurrences::occurrences;
///
/// let text = "name = 'w'\n[types]\nball = {}\n[predicates]\nred = { parameters = '?b - ball', stored = true }";
/// let mut sources = goalspec_syntax::Sources::new();
/// let id = sources.add("w.world.toml", text);
/// let file = sources.file(id);
/// let names: Vec<&str> = occurrences(file).iter().map(|own| file.slice(own.span)).collect();
/// assert_eq!(names, ["w", "ball", "red", "?b", "ball"]);
/// ```
pub fn occurrences(source: &SourceFile) -> Vec<Occurrence> {
    let Some(root) = document::read(source, &mut Vec::new()) else { return Vec::new() };
    let mut collector = Collector::new(source);
    collector.declare(&root);
    collector.file(&root);
    collector.occurrences.into_vec()
}

/// Returns the name of the world that a file extends.
pub fn extended(source: &SourceFile) -> Option<String> {
    let root = document::read(source, &mut Vec::new())?;
    child(&root, "extends")?.node.text().ok().map(str::to_owned)
}

struct Collector<'s> {
    source: &'s SourceFile,
    /// The world that the file extends; empty if none.
    base: String,
    /// The declarations by kind and name.
    declared: FxHashMap<(SymbolKind, String), Span>,
    /// The symbols, which are types and objects.
    symbols: FxHashSet<String>,
    /// The variables in scope, innermost last.
    variables: Vec<(String, Span)>,
    occurrences: Occurrences,
}

/// The text of a value with the offset in the file.
#[derive(Clone, Copy)]
struct Placed<'n> {
    text: &'n str,
    span: Span,
}

impl<'s> Collector<'s> {
    fn new(source: &'s SourceFile) -> Self {
        Self {
            source,
            base: String::new(),
            declared: FxHashMap::default(),
            symbols: FxHashSet::default(),
            variables: Vec::new(),
            occurrences: Occurrences::new(),
        }
    }

    /// Returns the span of a text without its quotes; `None` if it is written with escapes.
    fn verbatim(&self, text: &str, span: Span) -> Option<Span> {
        let written = self.source.slice(span);
        let offset = if written == text { 0 } else { written.find(text).filter(|_| !text.is_empty())? };
        let start = span.start + offset as u32;
        Some(Span::new(span.source, start, start + text.len() as u32))
    }

    fn key<'n>(&self, entry: &'n Entry) -> Option<Placed<'n>> {
        self.verbatim(&entry.key, entry.key_span).map(|span| Placed { text: &entry.key, span })
    }

    fn value<'n>(&self, node: &'n Node) -> Option<Placed<'n>> {
        let text = node.text().ok()?;
        self.verbatim(text, node.span).map(|span| Placed { text, span })
    }

    /// Collects the declarations of the file.
    fn declare(&mut self, root: &Node) {
        let base = child(root, "extends").and_then(|entry| entry.node.text().ok());
        base.unwrap_or_default().clone_into(&mut self.base);
        for (section, kind) in SECTIONS {
            for entry in child_entries(root, section) {
                let place = self.key(entry);
                self.add_declaration(kind, place);
            }
        }
        for entry in child_entries(root, "symbols") {
            for item in entry.node.one_or_more() {
                let place = self.value(item);
                self.symbols.extend(place.map(|place| place.text.to_owned()));
                self.add_declaration(SymbolKind::Type, place);
            }
        }
        for entry in child_entries(root, "objects") {
            for key in ["name", "aliases"] {
                let items = child(&entry.node, key).map_or(&[][..], |entry| entry.node.one_or_more());
                for item in items {
                    let place = self.value(item);
                    self.add_declaration(SymbolKind::Object, place);
                }
            }
        }
    }

    fn add_declaration(&mut self, kind: SymbolKind, place: Option<Placed<'_>>) {
        if let Some(Placed { text, span }) = place {
            self.declared.entry((kind, text.to_owned())).or_insert(span);
        }
    }

    fn define(&mut self, kind: SymbolKind, place: Option<Placed<'_>>, whole: Span) {
        let Some(Placed { text, span }) = place else { return };
        match self.declared.get(&(kind, text.to_owned())) {
            Some(first) if *first != span => self.occurrences.refer(kind, span, Declaration::At(*first)),
            _ => self.occurrences.define(kind, span, whole),
        }
    }

    /// Adds a use of a name of one of several kinds, the first of which is assumed of an unknown name.
    fn refer(&mut self, kinds: &[SymbolKind], place: Option<Placed<'_>>) {
        let Some(Placed { text, span }) = place else { return };
        let found = kinds.iter().find_map(|&kind| Some((kind, *self.declared.get(&(kind, text.to_owned()))?)));
        let unknown =
            if self.base.is_empty() { Declaration::Unknown } else { Declaration::BuiltIn(self.base.as_str().into()) };
        match found {
            Some((kind, declared)) => self.occurrences.refer(kind, span, Declaration::At(declared)),
            None => self.occurrences.refer(kinds[0], span, unknown),
        }
    }

    fn refer_all(&mut self, kinds: &[SymbolKind], node: Option<&Node>) {
        for item in node.map_or(&[][..], Node::one_or_more) {
            let place = self.value(item);
            self.refer(kinds, place);
        }
    }

    fn file(&mut self, root: &Node) {
        if let Some(name) = child(root, "name") {
            let place = self.value(&name.node);
            if let Some(Placed { span, .. }) = place {
                self.occurrences.define(SymbolKind::Domain, span, root.span);
            }
        }
        if let Some(base) = child(root, "extends")
            && let Some(Placed { text, span }) = self.value(&base.node)
        {
            self.occurrences.refer(SymbolKind::Domain, span, Declaration::BuiltIn(text.into()));
        }
        for entry in child_entries(root, "settings") {
            let place = self.key(entry);
            self.define(SymbolKind::Setting, place, whole(entry));
        }
        for entry in child_entries(root, "types") {
            self.type_entry(entry);
        }
        for entry in child_entries(root, "symbols") {
            let place = self.key(entry);
            self.refer(&TYPES, place);
            for item in entry.node.one_or_more() {
                let place = self.value(item);
                self.define(SymbolKind::Type, place, item.span);
            }
        }
        for entry in child_entries(root, "attributes") {
            self.attribute(entry);
        }
        for entry in child_entries(root, "objects") {
            self.object(entry);
        }
        for (section, kind) in [("functions", SymbolKind::Function), ("predicates", SymbolKind::Predicate)] {
            for entry in child_entries(root, section) {
                self.operation(kind, entry);
            }
        }
        for tracker in child(root, "trackers").map_or(&[][..], |entry| entry.node.one_or_more()) {
            self.settings(tracker);
        }
        if let Some(recording) = child(root, "recording") {
            self.recording(&recording.node);
        }
    }

    fn type_entry(&mut self, entry: &Entry) {
        let place = self.key(entry);
        self.define(SymbolKind::Type, place, whole(entry));
        if let NodeValue::Table(_) = entry.node.value {
            self.refer_all(&TYPES, child(&entry.node, "of").map(|entry| &entry.node));
            self.values(&entry.node);
        } else {
            self.refer_all(&TYPES, Some(&entry.node));
        }
    }

    fn attribute(&mut self, entry: &Entry) {
        let place = self.key(entry);
        self.define(SymbolKind::Attribute, place, whole(entry));
        self.refer_all(&TYPES, child(&entry.node, "of").map(|entry| &entry.node));
        let kind = child(&entry.node, "kind").and_then(|kind| kind.node.text().ok());
        if matches!(kind, Some("object" | "set")) {
            self.refer_all(&OBJECTS, child(&entry.node, "default").map(|entry| &entry.node));
        }
    }

    fn object(&mut self, entry: &Entry) {
        let place = self.key(entry);
        self.define(SymbolKind::Object, place, whole(entry));
        if !matches!(entry.node.value, NodeValue::Table(_)) {
            return self.refer_all(&TYPES, Some(&entry.node));
        }
        self.refer_all(&TYPES, child(&entry.node, "type").map(|entry| &entry.node));
        for key in ["name", "aliases"] {
            for item in child(&entry.node, key).map_or(&[][..], |entry| entry.node.one_or_more()) {
                let place = self.value(item);
                self.define(SymbolKind::Object, place, whole(entry));
            }
        }
        self.values(&entry.node);
    }

    /// Adds the attributes and objects in the values of a type or object.
    fn values(&mut self, node: &Node) {
        for value in child_entries(node, "values") {
            let place = self.key(value);
            self.refer(&[SymbolKind::Attribute], place);
            // Texts may be values of their own.
            for item in value.node.one_or_more() {
                let place = self.value(item).filter(|place| self.is_object(place.text));
                self.refer(&OBJECTS, place);
            }
        }
    }

    fn is_object(&self, name: &str) -> bool {
        self.symbols.contains(name) || self.declared.contains_key(&(SymbolKind::Object, name.to_owned()))
    }

    fn operation(&mut self, kind: SymbolKind, entry: &Entry) {
        let place = self.key(entry);
        self.define(kind, place, whole(entry));
        self.variables.clear();
        if let Some(place) = child(&entry.node, "parameters").and_then(|entry| self.value(&entry.node)) {
            self.with_list(place, true, Self::typed_names);
        }
        for item in child(&entry.node, "type_names").map_or(&[][..], |entry| entry.node.one_or_more()) {
            if let Some(place) = self.value(item) {
                self.variable(place);
            }
        }
        for key in ["attribute", "flag"] {
            self.refer_all(&[SymbolKind::Attribute], child(&entry.node, key).map(|entry| &entry.node));
        }
        self.settings(&entry.node);
        for key in ["holds", "value"] {
            if let Some(place) = child(&entry.node, key).and_then(|entry| self.value(&entry.node)) {
                self.with_list(place, false, Self::list);
            }
        }
        self.variables.clear();
    }

    /// Adds the names in the settings of an operation, of the kinds that its documentation gives.
    fn settings(&mut self, node: &Node) {
        let name = child(node, "operation").and_then(|entry| entry.node.text().ok()).unwrap_or_default();
        let libraries: [&[OperationDoc]; 3] = [Operation::NAMES, Measure::NAMES, Tracker::DOCS];
        let Some(doc) = libraries.into_iter().flatten().find(|doc| doc.name == name) else { return };
        for setting in child_entries(node, "settings") {
            let text = doc.settings.iter().find(|(own, _)| *own == setting.key).map_or("", |(_, text)| *text);
            let kind = text.split(':').next().unwrap_or_default();
            let kinds: &[SymbolKind] = match kind {
                kind if kind.contains("attribute") => &[SymbolKind::Attribute],
                kind if kind.contains("predicate") => &[SymbolKind::Predicate],
                kind if kind.contains("function") => &[SymbolKind::Function],
                kind if kind.contains("types") => &TYPES,
                kind if kind.contains("object") => &OBJECTS,
                _ => &[],
            };
            for item in setting.node.one_or_more() {
                match self.value(item) {
                    Some(place) if place.text.starts_with('$') => self.setting(place),
                    place if !kinds.is_empty() => self.refer(kinds, place),
                    _ => {}
                }
            }
        }
    }

    /// Adds the use `$name` of a setting.
    fn setting(&mut self, Placed { text, span }: Placed<'_>) {
        let span = Span::new(span.source, span.start + 1, span.end);
        self.refer(&[SymbolKind::Setting], Some(Placed { text: &text[1..], span }));
    }

    fn recording(&mut self, node: &Node) {
        self.refer_all(&OBJECTS, child(node, "agent").map(|entry| &entry.node));
        for key in ["object_fields", "agent_fields"] {
            for field in child(node, key).map_or(&[][..], |entry| entry.node.one_or_more()) {
                let place = field.list().ok().and_then(|pair| pair.get(1)).and_then(|node| self.value(node));
                self.refer(&[SymbolKind::Attribute], place);
            }
        }
        for correction in child(node, "corrections").map_or(&[][..], |entry| entry.node.one_or_more()) {
            self.refer_all(&TYPES, child(correction, "objects").map(|entry| &entry.node));
            for key in ["replace", "shift"] {
                for entry in child_entries(correction, key) {
                    let place = self.key(entry);
                    self.refer(&[SymbolKind::Attribute], place);
                }
            }
            for key in ["center", "half_extents"] {
                let shrink = child(correction, "shrink_to_bottom").and_then(|entry| child(&entry.node, key));
                self.refer_all(&[SymbolKind::Attribute], shrink.map(|entry| &entry.node));
            }
        }
    }

    /// Calls `visit` with the list in a text, and the offset in the file of its first byte. With `encloses`, the text is what the list contains.
    fn with_list(&mut self, place: Placed<'_>, encloses: bool, visit: impl FnOnce(&mut Self, List<'_>, u32)) {
        let mut sources = Sources::new();
        let text = if encloses { format!("({})", place.text) } else { place.text.to_owned() };
        let id = sources.add("definition", text);
        let parsed = sexp::parse(sources.file(id));
        let start = place.span.start.saturating_sub(u32::from(encloses));
        if let Some(list) = parsed.roots().next() {
            visit(self, list, start);
        }
    }

    fn placed<'n>(&self, atom: sexp::Atom<'n>, start: u32) -> Placed<'n> {
        let span = atom.span();
        Placed { text: atom.text(), span: Span::new(self.source.id(), start + span.start, start + span.end) }
    }

    /// Adds variables with their types.
    fn typed_names(&mut self, list: List<'_>, start: u32) {
        let mut is_type = false;
        for item in list.items() {
            match item {
                Sexp::Atom(atom) if atom.text() == "-" => is_type = true,
                Sexp::Atom(atom) if atom.kind() == AtomKind::Variable => {
                    let place = self.placed(atom, start);
                    self.variables.push((place.text.to_owned(), place.span));
                    self.occurrences.define(SymbolKind::Variable, place.span, place.span);
                    is_type = false;
                }
                Sexp::Atom(atom) if is_type => self.refer(&TYPES, Some(self.placed(atom, start))),
                Sexp::Atom(_) => {}
                Sexp::List(either) => {
                    for atom in either.items().skip(1).filter_map(Sexp::as_atom) {
                        self.refer(&TYPES, Some(self.placed(atom, start)));
                    }
                }
            }
        }
    }

    fn variable(&mut self, place: Placed<'_>) {
        let declared = self.variables.iter().rev().find(|(name, _)| name == place.text).map(|(_, span)| *span);
        self.occurrences.refer(
            SymbolKind::Variable,
            place.span,
            declared.map_or(Declaration::Unknown, Declaration::At),
        );
    }

    /// Adds the names in a condition or expression. The parser limits the nesting of lists, which bounds the recursion.
    fn list(&mut self, list: List<'_>, start: u32) {
        let Some(head) = list.head() else { return };
        let outside = self.variables.len();
        let mut parts = list.items().skip(1);
        if matches!(head.text(), "exists" | "forall") {
            if let Some(variables) = parts.next().and_then(Sexp::as_list) {
                self.typed_names(variables, start);
            }
        } else {
            let place = self.placed(head, start);
            let kinds = [SymbolKind::Predicate, SymbolKind::Function];
            if kinds.iter().any(|&kind| self.declared.contains_key(&(kind, place.text.to_owned()))) {
                self.refer(&kinds, Some(place));
            }
        }
        for part in parts {
            match part {
                Sexp::List(inner) => self.list(inner, start),
                Sexp::Atom(atom) => self.argument(self.placed(atom, start)),
            }
        }
        self.variables.truncate(outside);
    }

    fn argument(&mut self, place: Placed<'_>) {
        if place.text.starts_with('?') {
            self.variable(place);
        } else if place.text.starts_with('$') {
            self.setting(place);
        } else if OBJECTS.iter().any(|&kind| self.declared.contains_key(&(kind, place.text.to_owned()))) {
            self.refer(&OBJECTS, Some(place));
        }
    }
}

/// The sections whose keys are declarations.
const SECTIONS: [(&str, SymbolKind); 6] = [
    ("settings", SymbolKind::Setting),
    ("types", SymbolKind::Type),
    ("attributes", SymbolKind::Attribute),
    ("objects", SymbolKind::Object),
    ("functions", SymbolKind::Function),
    ("predicates", SymbolKind::Predicate),
];

/// The kinds of a name of a type, or of an object where both are accepted.
const TYPES: [SymbolKind; 2] = [SymbolKind::Type, SymbolKind::Object];

/// The kinds of a name of an object, of a symbol, or of a type that stands for its objects.
const OBJECTS: [SymbolKind; 2] = [SymbolKind::Object, SymbolKind::Type];

fn child<'n>(node: &'n Node, key: &str) -> Option<&'n Entry> {
    node.table().ok()?.iter().find(|entry| entry.key == key)
}

/// Returns the entries of a table in a table; none if there is no such table.
fn child_entries<'n>(node: &'n Node, key: &str) -> &'n [Entry] {
    child(node, key).and_then(|entry| entry.node.table().ok()).unwrap_or_default()
}

fn whole(entry: &Entry) -> Span {
    if entry.node.span.start >= entry.key_span.end { entry.key_span.to(entry.node.span) } else { entry.key_span }
}
