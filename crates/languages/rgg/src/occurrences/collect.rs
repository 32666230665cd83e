//! The names of a text with their roles and the context that their resolution needs.

use std::sync::Arc;

use goalspec_syntax::{SourceFile, Span};

use super::{MAX_NODES, OBSERVABLE};
use crate::place::{self, NameRole};
use crate::yaml::{Entry, Node, Scalar};

/// A name with its role.
#[derive(Debug, Clone)]
pub(super) struct RoleName {
    pub(super) role: NameRole,
    pub(super) text: Arc<str>,
    /// The span of the text, without quotes.
    pub(super) span: Span,
    /// The span of the declaration, if the role is one.
    pub(super) whole: Span,
    pub(super) context: Context,
}

/// The surroundings of a name.
#[derive(Debug, Clone, Default)]
pub(super) struct Context {
    /// The node in whose resource space the name stands.
    pub(super) node: Option<Arc<str>>,
    /// The action in whose definition or parameter space the name stands.
    pub(super) action: Option<Arc<str>>,
    /// The start of the result whose intermediate values are visible.
    pub(super) result: Option<u32>,
    /// Whether the name stands within these intermediate values.
    pub(super) in_intermediate: bool,
    /// Whether `_source` and `_target` are the ends of a vector.
    pub(super) has_vector: bool,
    /// Whether fields are those of a tested node.
    pub(super) in_node_filter: bool,
    /// The role of the arguments of a test: nodes, or teams.
    pub(super) tested: Option<NameRole>,
}

/// A collector of names.
pub(super) struct Collector<'t> {
    source: &'t SourceFile,
    names: CollectedNames,
    visits: usize,
}

/// The names of a text.
#[derive(Debug, Default)]
pub(super) struct CollectedNames {
    /// The names that are written as they are.
    pub(super) verbatim: Vec<RoleName>,
    /// The names in texts that are folded or escaped; their spans do not hold.
    pub(super) unmapped: Vec<RoleName>,
    /// The texts of unmapped names, and the regular expressions that names are matched with.
    pub(super) unlinked_texts: Vec<Arc<str>>,
}

impl<'t> Collector<'t> {
    pub(super) fn new(source: &'t SourceFile) -> Self {
        Self { source, names: CollectedNames::default(), visits: 0 }
    }

    /// Returns the names in a tree.
    pub(super) fn collect(mut self, root: Node<'_>) -> CollectedNames {
        self.visit(root, place::GAME, &Context::default());
        if self.visits > MAX_NODES { CollectedNames::default() } else { self.names }
    }

    /// Visits a node in a place. The recursion is bounded by the depth of the tree.
    fn visit(&mut self, node: Node<'_>, place: &'static str, context: &Context) {
        self.visits += 1;
        if self.visits > MAX_NODES {
            return;
        }
        let shape = place::shape(place);
        if let Some(scalar) = node.scalar() {
            if let Some(role) = shape.scalar.filter(|_| !node.is_null()) {
                self.scalar(scalar, role, context);
            }
        } else if let (Some(items), Some(place)) = (node.items(), shape.items) {
            items.for_each(|item| self.visit(item, place, context));
        } else if let Some(entries) = node.entries() {
            for entry in entries {
                if let Some(keyword) = shape.keyword(&entry.key.text) {
                    let value_place = place::value_place(place, keyword);
                    let inner = inner_context(place, value_place, node, context);
                    if matches!(keyword.name, "Matches" | "ContainsMatch") && inner.tested.is_some() {
                        self.names.unlinked_texts.extend(entry.value.scalar().map(|own| Arc::clone(&own.text)));
                    }
                    self.visit(entry.value, value_place, &inner);
                } else if let Some((role, values)) = shape.keys {
                    self.entry(entry, role, values, context);
                }
            }
        }
    }

    /// Visits an entry whose key is a name.
    fn entry(&mut self, Entry { key, value }: Entry<'_>, role: NameRole, values: &'static str, context: &Context) {
        let span = verbatim(self.source, &key.text, key.span);
        let whole = key.span.to(value.span());
        let (text, context_of_name) = (key.text.clone(), context.clone());
        if let Some(span) = span {
            self.names.verbatim.push(RoleName { role, text, span, whole, context: context_of_name });
        } else {
            self.names.unlinked_texts.push(text.clone());
            self.names.unmapped.push(RoleName { role, text, span: key.span, whole, context: context_of_name });
        }
        let mut inner = context.clone();
        let name = || Some(Arc::clone(&key.text));
        match role {
            NameRole::Node => inner.node = name(),
            NameRole::Action | NameRole::NewAction => inner.action = name(),
            NameRole::NewResource => inner.tested = (&*key.text == OBSERVABLE).then_some(NameRole::Team),
            NameRole::NewValue => inner.in_intermediate = true,
            NameRole::Field | NameRole::Target => inner.tested = tested_role(&key.text),
            _ => {}
        }
        self.visit(value, values, &inner);
    }

    fn scalar(&mut self, scalar: &Scalar, role: NameRole, context: &Context) {
        let unmapped = self.names.unmapped.len();
        let mut add = |role: NameRole, start: usize, text: &str| {
            let offset = text.len() - text.trim_start().len();
            let text = text.trim();
            let span = scalar.span_of(start + offset..start + offset + text.len());
            if text.is_empty() {
                return;
            }
            let is_verbatim = self.source.text().get(span.start as usize..span.end as usize) == Some(text);
            let names = if is_verbatim { &mut self.names.verbatim } else { &mut self.names.unmapped };
            names.push(RoleName { role, text: text.into(), span, whole: span, context: context.clone() });
        };

        let text = &*scalar.text;
        match role {
            NameRole::Expression => fields_in_braces(text, &mut |at, name| add(NameRole::Field, at, name)),
            NameRole::Template if text.starts_with('/') => {
                pieces(text, &[';'], &mut |at, name| add(NameRole::Field, at, name));
            }
            NameRole::Template => fields_in_braces(text, &mut |at, name| add(NameRole::Field, at, name)),
            NameRole::Constraint if context.tested.is_some() => {
                let separators = ['(', ')', ';', ',', '[', ']'];
                let mut is_type = true;
                pieces(text, &separators, &mut |at, name| {
                    if !std::mem::take(&mut is_type) {
                        add(NameRole::Argument, at, name);
                    }
                });
            }
            NameRole::Constraint => {}
            _ => add(role, 0, text),
        }
        if self.names.unmapped.len() > unmapped {
            self.names.unlinked_texts.push(Arc::clone(&scalar.text));
        }
    }
}

/// Returns the context of the value of a keyword.
fn inner_context(place: &str, value_place: &str, node: Node<'_>, context: &Context) -> Context {
    let mut inner = context.clone();
    if matches!(place, "resources" | "with_vectors") {
        inner.result = Some(node.span().start);
        inner.has_vector = place == "with_vectors" && !place::is_node_filter(value_place);
        inner.in_intermediate = value_place == "intermediates";
    }
    inner.in_node_filter |= place::is_node_filter(value_place);
    inner
}

/// Returns the role of the values of a field, if they are names.
fn tested_role(field: &str) -> Option<NameRole> {
    if field == "_node" {
        return Some(NameRole::Node);
    }
    let is_observers = field == OBSERVABLE || field.rsplit_once('.').is_some_and(|(_, last)| last == OBSERVABLE);
    is_observers.then_some(NameRole::Team)
}

/// Returns the span of a text without the quotes around it; `None` if it does not occur verbatim.
fn verbatim(source: &SourceFile, text: &str, span: Span) -> Option<Span> {
    let written = source.slice(span);
    let inner = [written, written.get(1..written.len().saturating_sub(1)).unwrap_or_default()];
    let quotes = inner.iter().position(|inner| *inner == text)? as u32;
    Some(Span::new(span.source, span.start + quotes, span.end - quotes))
}

/// Calls `add` with each name in braces, and its offset.
fn fields_in_braces(text: &str, add: &mut dyn FnMut(usize, &str)) {
    let mut at = 0;
    while let Some(open) = text[at..].find('{').map(|open| at + open + 1) {
        let Some(length) = text[open..].find('}') else { return };
        add(open, &text[open..open + length]);
        at = open + length + 1;
    }
}

/// Calls `add` with each piece between separators, and its offset.
fn pieces(text: &str, separators: &[char], add: &mut dyn FnMut(usize, &str)) {
    let mut at = 0;
    for piece in text.split(separators) {
        add(at, piece);
        at += piece.len() + 1;
    }
}
