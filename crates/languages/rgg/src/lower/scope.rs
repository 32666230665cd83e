//! Resolution of fields and places.

use std::sync::Arc;

use goalspec_resource::board::SlotId;
use goalspec_resource::field::{Endpoint, Field, Place};
use goalspec_syntax::{Code, Diagnostic, Span};
use rustc_hash::FxHashMap;

use super::Lowering;
use crate::ast::SpannedText;
use crate::codes;

/// The name of the set of observers of a node.
pub(super) const OBSERVABLE: &str = "observable";

/// The intermediate values of a result by name: the index, and the span of the name.
pub(super) type IntermediateIndex = FxHashMap<Arc<str>, (usize, Span)>;

/// The maximum number of dots in a name that are tried as the separator between node and resource.
const MAX_DOTS: usize = 16;

/// The names that are in scope.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scope<'a> {
    /// Whether names refer to the node under test by a filter.
    pub(super) in_node_filter: bool,
    /// Whether `_source` and `_target` refer to the ends of a vector.
    pub(super) has_vector: bool,
    /// The intermediate values of the result.
    pub(super) computed: Option<&'a IntermediateIndex>,
    /// Whether the scope is within the intermediate values themselves.
    pub(super) in_intermediate: bool,
    /// The readable parameters of the action.
    pub(super) parameters: &'a [Arc<str>],
}

impl Scope<'_> {
    /// The scope of the state alone.
    pub(super) const STATE: Self =
        Self { in_node_filter: false, has_vector: false, computed: None, in_intermediate: false, parameters: &[] };
}

impl Lowering {
    /// Resolves a field. A leading `/` is ignored; further slashes lead into map values.
    pub(super) fn field(&mut self, name: &SpannedText, scope: &Scope<'_>) -> Field {
        let pointer = name.text.strip_prefix('/').map(|text| text.split('/'));
        let mut path = pointer.into_iter().flatten();
        let key = path.next().unwrap_or(&name.text);
        let field = match self.known_field(key, scope) {
            Some(field) => field,
            None if self.is_sibling_value(name, key, scope) => Field::Unresolved(key.into()),
            None => {
                let message = format!("unknown field `{key}`");
                self.unknown_field(codes::UNKNOWN_FIELD, name, message, scope);
                Field::Unresolved(key.into())
            }
        };
        let path: Vec<Arc<str>> = path.map(Arc::from).collect();
        if path.is_empty() { field } else { Field::Member(Box::new(field), path) }
    }

    fn known_field(&mut self, key: &str, scope: &Scope<'_>) -> Option<Field> {
        if scope.in_node_filter {
            return self.tested_node_field(key).or_else(|| parameter(key, scope));
        }
        if !scope.in_intermediate
            && let Some((index, _)) = scope.computed.and_then(|computed| computed.get(key))
        {
            return Some(Field::Computed(*index));
        }
        if scope.has_vector
            && let Some(field) = self.endpoint_field(key)
        {
            return Some(field);
        }
        self.state_field(key).or_else(|| parameter(key, scope))
    }

    fn tested_node_field(&self, key: &str) -> Option<Field> {
        match key {
            "_node" => Some(Field::TestedNodeName),
            OBSERVABLE => Some(Field::TestedNodeObservers),
            _ => self.board.resource_named(key).map(Field::TestedNodeResource),
        }
    }

    fn endpoint_field(&self, key: &str) -> Option<Field> {
        let (end, resource) = match key.split_once('.') {
            Some(("_source", resource)) => (Endpoint::Source, resource),
            Some(("_target", resource)) => (Endpoint::Target, resource),
            None if self.dialect.implicit_target => (Endpoint::Target, key),
            _ => return None,
        };
        if resource == OBSERVABLE {
            return Some(Field::EndpointObservers(end));
        }
        self.board.resource_named(resource).map(|resource| Field::EndpointResource(end, resource))
    }

    /// Resolves a field of the state. Names may contain dots: each is tried as the separator between node and resource.
    pub(super) fn state_field(&mut self, key: &str) -> Option<Field> {
        key.match_indices('.').take(MAX_DOTS).find_map(|(dot, _)| {
            let node = self.board.node_named(&key[..dot])?;
            let resource = &key[dot + 1..];
            if resource == OBSERVABLE {
                return Some(Field::Observers(node));
            }
            let resource = self.board.resource_named(resource)?;
            if self.endpoint_resources.contains(&resource) {
                return Some(Field::Resource(self.board.add_slot(node, resource)));
            }
            self.board.slot_of(node, resource).map(Field::Resource)
        })
    }

    /// Whether a name is that of an intermediate value of the same result, which is reported.
    fn is_sibling_value(&mut self, name: &SpannedText, key: &str, scope: &Scope<'_>) -> bool {
        let sibling = scope.computed.filter(|_| scope.in_intermediate).and_then(|computed| computed.get(key));
        let Some((_, span)) = sibling else { return false };
        let message = format!("`{key}` is an intermediate value of the same result and cannot be read here");
        let found = self.name_diagnostic(codes::SIBLING_VALUE, name, message, None);
        self.report(found.with_related(*span, "computed here"));
        true
    }

    /// Reports an undefined field.
    pub(super) fn unknown_field(&mut self, code: Code, name: &SpannedText, message: String, scope: &Scope<'_>) {
        let help = self.field_help(&name.text, scope);
        self.report(self.name_diagnostic(code, name, message, help));
    }

    fn field_help(&mut self, key: &str, scope: &Scope<'_>) -> Option<String> {
        if scope.in_node_filter && key.contains('.') {
            return Some("write the name of the resource without the node in filters of nodes".to_owned());
        }
        let nearest = self.suggestion(key, |lowering| lowering.known_fields(scope));
        let form = || "write a field as `node.resource`".to_owned();
        nearest.or_else(|| (!scope.in_node_filter && !key.contains('.')).then(form))
    }

    /// Returns the names of the readable fields in a scope.
    fn known_fields(&self, scope: &Scope<'_>) -> Vec<String> {
        let resources = || self.board.slots().map(|(_, slot)| &**self.board.resource(slot.resource));
        if scope.in_node_filter {
            return resources().chain(["_node", OBSERVABLE]).map(str::to_owned).collect();
        }
        let mut known: Vec<String> = scope.computed.into_iter().flatten().map(|(name, _)| name.to_string()).collect();
        if scope.has_vector {
            known.extend(resources().flat_map(|name| [format!("_source.{name}"), format!("_target.{name}")]));
        }
        known.extend(self.board.slots().map(|(slot, _)| self.board.slot_name(slot)));
        known.extend(self.board.nodes().map(|(_, node)| format!("{}.{OBSERVABLE}", node.name)));
        known
    }

    /// Resolves a place to write to; reports it and returns `None` if there is no such place.
    pub(super) fn place(&mut self, name: &SpannedText, scope: &Scope<'_>) -> Option<Place> {
        let text = name.text.strip_prefix('/').unwrap_or(&name.text);
        if text.len() < name.text.len() && text.contains('/') {
            let message = format!("`{}` is part of a value, but only whole values can be written", name.text);
            self.error(codes::UNKNOWN_TARGET, name.span, message);
            return None;
        }
        let mut parts = text.split('.');
        let (first, second) = (parts.next().unwrap_or_default(), parts.next());
        if parts.next().is_some() {
            let message = format!("the text after the second dot of `{}` is ignored", name.text);
            self.report(self.name_diagnostic(codes::DOTTED_NAME, name, message, None));
        }
        let end = match (first, second) {
            ("_source", Some(resource)) if scope.has_vector => Some((Endpoint::Source, resource)),
            ("_target", Some(resource)) if scope.has_vector => Some((Endpoint::Target, resource)),
            (resource, None) if scope.has_vector => Some((Endpoint::Target, resource)),
            _ => None,
        };
        if let Some((end, resource)) = end {
            return Some(self.endpoint_place(name, end, resource));
        }
        let Some(resource) = second else {
            let message = format!("`{}` cannot be written: it is not `node.resource`", name.text);
            let help = self.field_help(&name.text, scope);
            let found = Diagnostic::error(codes::UNKNOWN_TARGET, name.span, message);
            self.report(Diagnostic { help: help.into_iter().collect(), ..found });
            return None;
        };
        let node = self.node(&SpannedText { text: first.into(), span: name.span })?;
        if resource == OBSERVABLE {
            return Some(Place::Observers(node));
        }
        let resource = self.board.add_resource(resource);
        let slot = self.board.add_slot(node, resource);
        self.check_declared(name, slot);
        Some(Place::Resource(slot))
    }

    fn endpoint_place(&mut self, name: &SpannedText, end: Endpoint, resource: &str) -> Place {
        if resource == OBSERVABLE {
            return Place::EndpointObservers(end);
        }
        let id = self.board.add_resource(resource);
        if !self.declared_resources.contains(&id) {
            self.report_undeclared(name, format!("no node declares the resource `{resource}`"), name.text.clone());
        }
        Place::EndpointResource(end, id)
    }

    /// Reports a resource that is written but not declared, once.
    fn check_declared(&mut self, name: &SpannedText, slot: SlotId) {
        if self.board.slot(slot).declaration.is_none() && !self.invalid_declarations.contains(&slot) {
            let slot = self.board.slot_name(slot);
            self.report_undeclared(name, format!("`{slot}` is not declared and has no initial value"), slot.into());
        }
    }

    fn report_undeclared(&mut self, name: &SpannedText, message: String, key: Arc<str>) {
        if self.reported_undeclared.insert(key) {
            let help = self.suggestion(&name.text, |lowering| {
                let slots = lowering.board.slots().filter(|(_, slot)| slot.declaration.is_some());
                slots.map(|(slot, _)| lowering.board.slot_name(slot)).collect()
            });
            let found = Diagnostic::warning(codes::UNDECLARED_RESOURCE, name.span, message);
            self.report(Diagnostic { help: help.into_iter().collect(), ..found });
        }
    }
}

/// Resolves a parameter of the action: `$name` or `param.name`.
fn parameter(key: &str, scope: &Scope<'_>) -> Option<Field> {
    let name = key.strip_prefix('$').or_else(|| key.strip_prefix("param."))?;
    scope.parameters.iter().find(|known| &***known == name).map(|name| Field::Parameter(Arc::clone(name)))
}
