//! The type hierarchy of a domain.

use std::sync::Arc;

use fixedbitset::FixedBitSet;
use goalspec_core::ids::TypeId;
use goalspec_core::limits::MAX_TYPES;
use goalspec_syntax::{Diagnostic, Span};
use rustc_hash::FxHashMap;

use crate::ast::{Name, TypeRef, TypedNames};
use crate::codes;
use crate::parse::excerpt;
use crate::resolve::MAX_SUGGESTIONS;
use crate::vocabulary::with_suggestion;

/// The root type `object`, a supertype of all others.
pub const OBJECT: TypeId = TypeId(0);

/// The name of the root type.
const ROOT_NAME: &str = "object";

/// A named type with its supertypes.
#[derive(Debug, Clone)]
pub struct Type {
    /// The name in lower case.
    pub name: Arc<str>,
    /// The name as written.
    pub written: Arc<str>,
    /// The direct supertypes, which have smaller ids.
    pub parents: Vec<TypeId>,
}

/// A type hierarchy, in topological order: supertypes precede their subtypes.
#[derive(Debug, Clone)]
pub struct TypeHierarchy {
    list: Vec<Type>,
    ids: FxHashMap<Arc<str>, TypeId>,
    /// For each type, itself and all its supertypes.
    above: Vec<FixedBitSet>,
}

/// A declared type with its direct supertypes, as indices of drafts with the spans of the references.
struct DeclaredType {
    name: Name,
    parents: Vec<(usize, Span)>,
}

/// The declared types in source order, without `object`.
struct TypeHierarchyBuilder<'d> {
    list: Vec<DeclaredType>,
    ids: FxHashMap<Arc<str>, usize>,
    diagnostics: &'d mut Vec<Diagnostic>,
}

impl TypeHierarchy {
    /// Builds the type hierarchy of a domain. Reports errors.
    pub(crate) fn new(groups: &[TypedNames], diagnostics: &mut Vec<Diagnostic>) -> Self {
        let mut builder = TypeHierarchyBuilder { list: Vec::new(), ids: FxHashMap::default(), diagnostics };
        builder.declare(groups);
        builder.parents(groups);
        let order = builder.order();
        let root = Type { name: ROOT_NAME.into(), written: ROOT_NAME.into(), parents: Vec::new() };
        let mut list = vec![root];
        let mut ids = FxHashMap::from_iter([(Arc::from(ROOT_NAME), OBJECT)]);
        let mut places = vec![OBJECT; builder.list.len()];
        for &index in &order {
            let draft = &builder.list[index];
            let mut parents: Vec<TypeId> = draft.parents.iter().map(|&(parent, _)| places[parent]).collect();
            parents.sort_unstable();
            parents.dedup();
            if parents.is_empty() {
                parents.push(OBJECT);
            }
            let id = TypeId::from(list.len());
            places[index] = id;
            ids.insert(draft.name.shared(), id);
            list.push(Type { name: draft.name.shared(), written: draft.name.written().into(), parents });
        }
        let ancestors = above(&list);
        Self { list, ids, above: ancestors }
    }

    /// Iterates over all types in the order of their ids.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Type> {
        self.list.iter()
    }

    /// Returns the type of a name.
    pub fn find(&self, name: &str) -> Option<TypeId> {
        self.ids.get(name).copied()
    }

    /// Whether `sub` equals `sup` or is a subtype of it.
    pub fn is_below(&self, sub: TypeId, supertype: TypeId) -> bool {
        self.above[sub.index()].contains(supertype.index())
    }

    /// Whether one of `subs` equals `sup` or is a subtype of it.
    pub fn is_any_below(&self, subtypes: &[TypeId], supertype: TypeId) -> bool {
        subtypes.iter().any(|&sub| self.is_below(sub, supertype))
    }

    /// Whether two types have a common subtype or one is a subtype of the other.
    pub fn overlap(&self, one: TypeId, other: TypeId) -> bool {
        self.above.iter().any(|ancestors| ancestors.contains(one.index()) && ancestors.contains(other.index()))
    }

    /// Returns types in PDDL notation: `block` or `(either block table)`.
    pub fn describe(&self, types: &[TypeId]) -> String {
        let names: Vec<&str> = types.iter().map(|&id| &*self.list[id.index()].written).collect();
        match &names[..] {
            [one] => (*one).to_owned(),
            _ => format!("(either {})", names.join(" ")),
        }
    }

    /// Resolves a type reference; `None` means `object`. Unknown types are reported and omitted, so the result can be empty, in
    /// which case the declared name is accepted everywhere.
    pub(crate) fn resolve(&self, type_ref: Option<&TypeRef>, diagnostics: &mut Vec<Diagnostic>) -> Vec<TypeId> {
        let Some(type_ref) = type_ref else { return vec![OBJECT] };
        let mut types: Vec<TypeId> = Vec::with_capacity(type_ref.names.len());
        for name in &type_ref.names {
            match self.find(name.text()) {
                Some(id) if types.contains(&id) => {}
                Some(id) => types.push(id),
                None => diagnostics.push(self.unknown(name)),
            }
        }
        types
    }

    fn unknown(&self, name: &Name) -> Diagnostic {
        let message = format!("unknown type `{}`", excerpt(name.written()));
        let diagnostic = Diagnostic::error(codes::UNKNOWN_TYPE, name.span, message);
        let names = self.list.iter().map(|known| &*known.written);
        let diagnostic = with_suggestion(diagnostic, name, names);
        if self.list.len() == 1 {
            diagnostic.with_help("declare it in `(:types ..)` of the domain")
        } else {
            diagnostic
        }
    }
}

impl TypeHierarchyBuilder<'_> {
    /// Registers each declared type once.
    fn declare(&mut self, groups: &[TypedNames]) {
        for name in groups.iter().flat_map(|group| &group.names) {
            if name.text() == ROOT_NAME {
                continue;
            }
            if self.list.len() + 1 >= MAX_TYPES {
                let message = format!("the domain exceeds the limit of {MAX_TYPES} types");
                return self.diagnostics.push(Diagnostic::error(codes::TOO_MANY, name.span, message));
            }
            if !self.ids.contains_key(name.text()) {
                self.add(name);
            }
        }
    }

    fn add(&mut self, name: &Name) -> usize {
        self.ids.insert(name.shared(), self.list.len());
        self.list.push(DeclaredType { name: name.clone(), parents: Vec::new() });
        self.list.len() - 1
    }

    /// Registers the supertypes of each type.
    fn parents(&mut self, groups: &[TypedNames]) {
        let mut stated: FxHashMap<usize, Span> = FxHashMap::default();
        for group in groups {
            let above: Vec<(usize, Span)> = group
                .type_ref
                .iter()
                .flat_map(|type_ref| &type_ref.names)
                .filter_map(|name| self.parent(name))
                .collect();
            for name in &group.names {
                if name.text() == ROOT_NAME {
                    if let Some(type_ref) = group
                        .type_ref
                        .as_ref()
                        .filter(|type_ref| type_ref.names.iter().any(|name| name.text() != ROOT_NAME))
                    {
                        let message = "`object` cannot have a supertype";
                        self.diagnostics.push(Diagnostic::error(codes::TYPE_CYCLE, type_ref.span, message));
                    }
                    continue;
                }
                let Some(&id) = self.ids.get(name.text()) else { continue };
                if let Some(&first) = stated.get(&id) {
                    let message = format!("type `{}` is declared twice", excerpt(name.written()));
                    let diagnostic = Diagnostic::warning(codes::DUPLICATE_TYPE, name.span, message);
                    self.diagnostics.push(diagnostic.with_related(first, "first declaration"));
                }
                stated.entry(id).or_insert(name.span);
                self.list[id].parents.extend(&above);
            }
        }
    }

    /// Returns the index of a supertype; `None` for `object`.
    fn parent(&mut self, name: &Name) -> Option<(usize, Span)> {
        if name.text() == ROOT_NAME {
            return None;
        }
        if let Some(&known) = self.ids.get(name.text()) {
            return Some((known, name.span));
        }
        let message = format!("supertype `{}` is not declared", excerpt(name.written()));
        let undeclared = Diagnostic::warning(codes::UNDECLARED_PARENT, name.span, message);
        let undeclared = if self.diagnostics.len() < MAX_SUGGESTIONS {
            let names = self.list.iter().map(|draft| draft.name.written());
            goalspec_syntax::suggest::with_nearest(undeclared, name.text(), name.span, names).0
        } else {
            undeclared
        };
        self.diagnostics.push(undeclared.with_help(format!("add `{} - object` to `(:types ..)`", name.written())));
        Some((self.add(name), name.span))
    }

    /// Returns a topological order, supertypes first. Cycles are reported and broken.
    fn order(&mut self) -> Vec<usize> {
        #[derive(Clone, Copy, PartialEq)]
        enum Mark {
            New,
            Open,
            Done,
        }
        let mut marks = vec![Mark::New; self.list.len()];
        let mut order = Vec::with_capacity(self.list.len());
        for start in 0..self.list.len() {
            if marks[start] != Mark::New {
                continue;
            }
            marks[start] = Mark::Open;
            // The search path, each type with the number of its supertypes processed.
            let mut open = vec![(start, 0)];
            while let Some((index, next)) = open.last_mut() {
                let index = *index;
                let Some(&(parent, span)) = self.list[index].parents.get(*next) else {
                    marks[index] = Mark::Done;
                    order.push(index);
                    open.pop();
                    continue;
                };
                match marks[parent] {
                    Mark::Done => *next += 1,
                    Mark::New => {
                        *next += 1;
                        marks[parent] = Mark::Open;
                        open.push((parent, 0));
                    }
                    Mark::Open => {
                        self.list[index].parents.remove(*next);
                        self.cycle(&open, parent, span);
                    }
                }
            }
        }
        order
    }

    /// Reports a cycle that starts at `parent`.
    fn cycle(&mut self, open: &[(usize, usize)], parent: usize, span: Span) {
        let from = open.iter().position(|&(index, _)| index == parent).unwrap_or(0);
        let names = open[from..].iter().map(|&(index, _)| index).chain([parent]);
        let names: Vec<String> = names.map(|index| format!("`{}`", excerpt(self.list[index].name.written()))).collect();
        let message = match &names[..] {
            [own, _] => format!("type {own} is a subtype of itself"),
            _ => format!("cycle in the type hierarchy: {}", names.join(", a subtype of ")),
        };
        self.diagnostics.push(Diagnostic::error(codes::TYPE_CYCLE, span, message));
    }
}

fn above(list: &[Type]) -> Vec<FixedBitSet> {
    let mut all: Vec<FixedBitSet> = Vec::with_capacity(list.len());
    for (index, own) in list.iter().enumerate() {
        let mut ancestors = FixedBitSet::with_capacity(list.len());
        ancestors.insert(index);
        for parent in &own.parents {
            ancestors.union_with(&all[parent.index()]);
        }
        all.push(ancestors);
    }
    all
}
