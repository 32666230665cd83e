//! The declarations to which names refer.

use goalspec_resource::game::NOTHING_ACTION;
use goalspec_syntax::Span;
use goalspec_syntax::symbols::{Declaration, Occurrences, SymbolKind};
use rustc_hash::{FxHashMap, FxHashSet};

use super::collect::{CollectedNames, Context, RoleName};
use super::{GameOccurrences, LANGUAGE, OBSERVABLE};
use crate::dialect::Dialect;
use crate::place::NameRole;

/// The maximum number of dots in a name that are tried as the separator between node and resource.
const MAX_DOTS: usize = 16;

/// Returns the occurrences of collected names.
pub(super) fn resolve(names: &CollectedNames, dialect: Dialect) -> GameOccurrences {
    let mut resolver = Resolver::new(dialect);
    for name in &names.verbatim {
        resolver.declare(name);
    }
    for name in &names.verbatim {
        resolver.name(name);
    }
    resolver.is_unmapped = true;
    for name in &names.unmapped {
        resolver.name(name);
    }
    resolver.is_unmapped = false;
    GameOccurrences { unlinked_texts: names.unlinked_texts.clone(), ..resolver.finish() }
}

/// An occurrence of a resource, with its node if that is named.
struct ResourceUse<'n> {
    node: Option<&'n str>,
    name: &'n str,
    span: Span,
    /// The span of the declaration, if this is one.
    whole: Option<Span>,
}

struct Resolver<'n> {
    dialect: Dialect,
    teams: FxHashMap<&'n str, Span>,
    nodes: FxHashMap<&'n str, Span>,
    actions: FxHashMap<&'n str, Span>,
    /// Parameters by action and name.
    parameters: FxHashMap<(&'n str, &'n str), Span>,
    /// Intermediate values by result and name.
    values: FxHashMap<(u32, &'n str), Span>,
    /// Declared resources by node and name.
    resources: FxHashMap<(&'n str, &'n str), Span>,
    /// The first declaration of a resource on any node.
    first_resources: FxHashMap<&'n str, Span>,
    uses: Vec<ResourceUse<'n>>,
    /// The resources that are used without their node.
    shared: FxHashSet<&'n str>,
    occurrences: Occurrences,
    /// Whether the present names have no place in the text; they only tell which resources are shared.
    is_unmapped: bool,
}

impl<'n> Resolver<'n> {
    fn new(dialect: Dialect) -> Self {
        Self {
            dialect,
            teams: FxHashMap::default(),
            nodes: FxHashMap::default(),
            actions: FxHashMap::default(),
            parameters: FxHashMap::default(),
            values: FxHashMap::default(),
            resources: FxHashMap::default(),
            first_resources: FxHashMap::default(),
            uses: Vec::new(),
            shared: FxHashSet::default(),
            is_unmapped: false,
            occurrences: Occurrences::new(),
        }
    }

    fn declare(&mut self, RoleName { role, text, span, context, .. }: &'n RoleName) {
        match role {
            NameRole::NewTeam => _ = self.teams.entry(text).or_insert(*span),
            NameRole::NewNode => _ = self.nodes.entry(text).or_insert(*span),
            NameRole::NewAction => _ = self.actions.entry(text).or_insert(*span),
            NameRole::NewParameter => {
                let action = context.action.as_deref().unwrap_or_default();
                self.parameters.entry((action, text)).or_insert(*span);
            }
            NameRole::NewValue => {
                self.values.entry((context.result.unwrap_or_default(), text)).or_insert(*span);
            }
            NameRole::NewResource if **text != *OBSERVABLE => {
                let node = context.node.as_deref().unwrap_or_default();
                self.resources.entry((node, text)).or_insert(*span);
                self.first_resources.entry(text).or_insert(*span);
            }
            _ => {}
        }
    }

    fn name(&mut self, name: &'n RoleName) {
        let RoleName { role, text, span, whole, context } = name;
        match role {
            NameRole::Game if self.is_unmapped => {}
            NameRole::Game => self.occurrences.define(SymbolKind::Game, *span, *whole),
            NameRole::NewTeam => self.define(SymbolKind::Team, self.teams.get(&**text).copied(), name),
            NameRole::NewNode => self.define(SymbolKind::Node, self.nodes.get(&**text).copied(), name),
            NameRole::NewAction => self.define(SymbolKind::Action, self.actions.get(&**text).copied(), name),
            NameRole::NewParameter => self.new_parameter(name),
            NameRole::NewValue => {
                let first = self.values.get(&(context.result.unwrap_or_default(), &**text)).copied();
                self.define(SymbolKind::Variable, first, name);
            }
            NameRole::NewResource if **text == *OBSERVABLE => self.built_in(SymbolKind::Resource, *span),
            NameRole::NewResource => {
                self.add_use(ResourceUse {
                    node: context.node.as_deref(),
                    name: text,
                    span: *span,
                    whole: Some(*whole),
                });
            }
            NameRole::Team => self.refer(SymbolKind::Team, self.teams.get(&**text).copied(), *span),
            NameRole::Node => self.refer(SymbolKind::Node, self.nodes.get(&**text).copied(), *span),
            NameRole::Action => match self.actions.get(&**text).copied() {
                None if **text == *NOTHING_ACTION => self.built_in(SymbolKind::Action, *span),
                declared => self.refer(SymbolKind::Action, declared, *span),
            },
            NameRole::Field | NameRole::StateField => self.field(text, *span, context),
            NameRole::Target => self.target(text, *span, context),
            NameRole::Argument => self.argument(text, *span, context),
            NameRole::Expression | NameRole::Template | NameRole::Constraint => {}
        }
    }

    /// Adds a declaration; one that repeats a name refers to the first one.
    fn define(&mut self, kind: SymbolKind, first: Option<Span>, name: &RoleName) {
        if first == Some(name.span) && !self.is_unmapped {
            self.occurrences.define(kind, name.span, name.whole);
        } else {
            self.refer(kind, first, name.span);
        }
    }

    /// Parameters that select an end of a vector are names of the language.
    fn new_parameter(&mut self, name: &'n RoleName) {
        if matches!(&*name.text, "source" | "target") {
            return self.built_in(SymbolKind::Parameter, name.span);
        }
        let action = name.context.action.as_deref().unwrap_or_default();
        let first = self.parameters.get(&(action, &*name.text)).copied();
        self.define(SymbolKind::Parameter, first, name);
    }

    fn refer(&mut self, kind: SymbolKind, declared: Option<Span>, span: Span) {
        if !self.is_unmapped {
            let declaration = declared.map_or(Declaration::Unknown, Declaration::At);
            self.occurrences.refer(kind, span, declaration);
        }
    }

    fn built_in(&mut self, kind: SymbolKind, span: Span) {
        if !self.is_unmapped {
            self.occurrences.refer(kind, span, Declaration::BuiltIn(LANGUAGE.into()));
        }
    }

    /// Adds a field that is read. A leading `/` is ignored; further slashes lead into map values.
    fn field(&mut self, text: &'n str, span: Span, context: &'n Context) {
        let skipped = usize::from(text.starts_with('/'));
        let length = if skipped == 1 { text[1..].find('/').unwrap_or(text.len() - 1) } else { text.len() };
        let (key, span) = (&text[skipped..skipped + length], part(span, skipped, length));
        if context.in_node_filter {
            if matches!(key, "_node" | OBSERVABLE) {
                return self.built_in(SymbolKind::Resource, span);
            }
            if self.first_resources.contains_key(key) {
                return self.resource(None, key, span);
            }
            return self.parameter(key, span, context);
        }
        let result = context.result.filter(|_| !context.in_intermediate);
        if let Some(value) = result.and_then(|result| self.values.get(&(result, key)).copied()) {
            return self.refer(SymbolKind::Variable, Some(value), span);
        }
        let is_end = context.has_vector && self.end_resource(key, span);
        if !is_end && !self.state_field(key, span) {
            self.parameter(key, span, context);
        }
    }

    /// Adds the resource of an end of a vector; `false` if the name is none.
    fn end_resource(&mut self, key: &'n str, span: Span) -> bool {
        let (start, resource) = match key.split_once('.') {
            Some((end @ ("_source" | "_target"), resource)) => (end.len() + 1, resource),
            None if self.dialect.implicit_target => (0, key),
            _ => return false,
        };
        let span = part(span, start, resource.len());
        if resource == OBSERVABLE {
            self.built_in(SymbolKind::Resource, span);
        } else {
            if !self.first_resources.contains_key(resource) {
                return false;
            }
            self.resource(None, resource, span);
        }
        true
    }

    /// Adds a field of the state; `false` if the name is none. Names may contain dots: each is tried as the separator.
    fn state_field(&mut self, key: &'n str, span: Span) -> bool {
        let is_known = |dot: &usize| {
            let (node, resource) = (&key[..*dot], &key[*dot + 1..]);
            let is_resource = resource == OBSERVABLE || self.first_resources.contains_key(resource);
            self.nodes.contains_key(node) && is_resource
        };
        let dots = key.match_indices('.').take(MAX_DOTS).map(|(dot, _)| dot);
        let Some(dot) = dots.into_iter().find(is_known) else { return false };
        self.node_and_resource(key, dot, span);
        true
    }

    fn node_and_resource(&mut self, key: &'n str, dot: usize, span: Span) {
        let (node, resource) = (&key[..dot], &key[dot + 1..]);
        self.refer(SymbolKind::Node, self.nodes.get(node).copied(), part(span, 0, dot));
        let span = part(span, dot + 1, resource.len());
        if resource == OBSERVABLE {
            self.built_in(SymbolKind::Resource, span);
        } else {
            self.resource(Some(node), resource, span);
        }
    }

    /// Adds a parameter of the action: `$name` or `param.name`.
    fn parameter(&mut self, key: &'n str, span: Span, context: &'n Context) {
        if !self.dialect.readable_parameters {
            return;
        }
        let Some(name) = key.strip_prefix('$').or_else(|| key.strip_prefix("param.")) else { return };
        let action = context.action.as_deref().unwrap_or_default();
        let Some(declared) = self.parameters.get(&(action, name)).copied() else { return };
        let span = part(span, key.len() - name.len(), name.len());
        if matches!(name, "source" | "target") {
            self.built_in(SymbolKind::Parameter, span);
        } else {
            self.refer(SymbolKind::Parameter, Some(declared), span);
        }
    }

    /// Adds a field that is written: its first two parts count.
    fn target(&mut self, text: &'n str, span: Span, context: &Context) {
        let skipped = usize::from(text.starts_with('/'));
        let (text, span) = (&text[skipped..], part(span, skipped, text.len() - skipped));
        let dots: Vec<usize> = text.match_indices('.').take(2).map(|(dot, _)| dot).collect();
        let text = &text[..dots.get(1).copied().unwrap_or(text.len())];
        match dots.first() {
            Some(&dot) if context.has_vector && matches!(&text[..dot], "_source" | "_target") => {
                let resource = &text[dot + 1..];
                self.written(None, resource, part(span, dot + 1, resource.len()));
            }
            Some(&dot) => self.node_and_resource(text, dot, part(span, 0, text.len())),
            None if context.has_vector => self.written(None, text, span),
            None => {}
        }
    }

    fn written(&mut self, node: Option<&'n str>, resource: &'n str, span: Span) {
        if resource == OBSERVABLE {
            self.built_in(SymbolKind::Resource, span);
        } else {
            self.resource(node, resource, span);
        }
    }

    fn resource(&mut self, node: Option<&'n str>, name: &'n str, span: Span) {
        self.add_use(ResourceUse { node, name, span, whole: None });
    }

    fn add_use(&mut self, used: ResourceUse<'n>) {
        if used.node.is_none() {
            self.shared.insert(used.name);
        }
        if !self.is_unmapped {
            self.uses.push(used);
        }
    }

    /// Adds an argument of a test of observers or of the name of a node, if there is such a team or node.
    fn argument(&mut self, text: &str, span: Span, context: &Context) {
        let (kind, known) = match context.tested {
            Some(NameRole::Team) => (SymbolKind::Team, &self.teams),
            Some(NameRole::Node) => (SymbolKind::Node, &self.nodes),
            _ => return,
        };
        if let Some(declared) = known.get(text).copied() {
            self.refer(kind, Some(declared), span);
        }
    }

    /// Adds the uses of resources, now that the resources that are one symbol on all nodes are known.
    fn finish(mut self) -> GameOccurrences {
        let shared = std::mem::take(&mut self.shared);
        let mut declarations_of_node = FxHashMap::default();
        for ResourceUse { node, name, span, whole } in std::mem::take(&mut self.uses) {
            let own = node.and_then(|node| self.resources.get(&(node, name)).copied());
            let first = self.first_resources.get(name).copied();
            let symbol = if shared.contains(name) { first } else { own };
            match whole {
                Some(whole) if symbol == Some(span) => self.occurrences.define(SymbolKind::Resource, span, whole),
                Some(whole) if own == Some(span) => {
                    self.occurrences.redefine(SymbolKind::Resource, span, whole, symbol.unwrap_or(span));
                }
                _ => self.refer(SymbolKind::Resource, symbol, span),
            }
            if let Some(own) = own.filter(|_| shared.contains(name)) {
                declarations_of_node.insert(span, own);
            }
        }
        GameOccurrences { list: self.occurrences.into_vec(), declarations_of_node, unlinked_texts: Vec::new() }
    }
}

/// Returns a part of a span of verbatim text.
fn part(span: Span, start: usize, length: usize) -> Span {
    let start = span.start + start as u32;
    Span::new(span.source, start, start + length as u32)
}
