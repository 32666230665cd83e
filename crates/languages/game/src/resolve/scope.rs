//! Variables: declaration, lookup, and distinctness.

use goalspec_core::condition::{Scope, Variable};
use goalspec_core::ids::{TypeId, VarId};
use goalspec_core::world::World;
use goalspec_syntax::Diagnostic;
use rustc_hash::FxHashSet;

use super::{Resolver, span_of};
use crate::ast::{Name, TypedVariables};
use crate::codes;

/// Maximum number of variables in scope at one place. Distinctness is checked for every pair of them.
pub(super) const MAX_VARIABLES: usize = 256;

/// The variables of one preference or of the setup, with those currently in scope.
#[derive(Debug, Default)]
pub(super) struct VariableScope {
    /// All variables.
    pub(super) scope: Scope,
    /// The variables in scope, innermost last.
    visible: Vec<VarId>,
    /// The pairs that occur in `same_object`, the smaller id first.
    same: FxHashSet<(VarId, VarId)>,
}

impl VariableScope {
    /// Returns the number of variables in scope, as a mark for [`end_scope`](Self::end_scope).
    pub(super) fn mark(&self) -> usize {
        self.visible.len()
    }

    /// Ends the scope of the variables declared since the mark.
    pub(super) fn end_scope(&mut self, mark: usize) {
        self.visible.truncate(mark);
    }

    /// Returns the innermost variable in scope with this name.
    pub(super) fn find(&self, name: &str) -> Option<VarId> {
        self.visible.iter().rev().copied().find(|&id| *self.scope.get(id).name == *name)
    }

    /// Iterates over the names in scope.
    pub(super) fn in_scope(&self) -> impl Iterator<Item = &str> {
        self.visible.iter().map(|&id| &*self.scope.get(id).name)
    }

    /// Records that the two variables may bind the same object.
    pub(super) fn permit_same_object(&mut self, one: VarId, other: VarId) {
        self.same.insert((one.min(other), one.max(other)));
    }

    /// Returns the pairs that must bind different objects: each variable of `new` with every variable of `old` and every other
    /// variable of `new`, except pairs that occur in `same_object` or have no object in common.
    pub(super) fn distinct_pairs(&self, world: &World, old: &[VarId], new: &[VarId]) -> Vec<(VarId, VarId)> {
        let mut pairs = Vec::new();
        for (index, &one) in new.iter().enumerate() {
            for &other in old.iter().chain(&new[..index]) {
                let pair = (other.min(one), other.max(one));
                let types = |id| self.scope.get(id).types.as_slice();
                if !self.same.contains(&pair) && overlap(world, types(one), types(other)) {
                    pairs.push(pair);
                }
            }
        }
        pairs
    }

    /// Returns the variables that were in scope at the mark.
    pub(super) fn visible_at(&self, mark: usize) -> &[VarId] {
        &self.visible[..mark]
    }
}

/// Returns whether some object can belong to a type of both lists.
pub(super) fn overlap(world: &World, one: &[TypeId], other: &[TypeId]) -> bool {
    let pair = |one: TypeId, other: TypeId| {
        world.is_subtype(one, other)
            || world.is_subtype(other, one)
            || world.members(one).iter().any(|&object| world.is_a(object, other))
            || is_extensible(world, one) && is_extensible(world, other)
    };
    one.iter().any(|&one| other.iter().any(|&other| pair(one, other)))
}

/// Returns whether a recording can introduce objects of the type.
pub(crate) fn is_extensible(world: &World, id: TypeId) -> bool {
    let mut all = (0..world.types().len()).map(TypeId::from);
    all.any(|sub| world.is_discoverable(sub) && world.is_subtype(sub, id))
}

impl Resolver<'_> {
    /// Declares the variables of a quantifier, in source order, and returns their ids.
    ///
    /// If more than [`MAX_VARIABLES`] would then be in scope, reports an error and declares none of them.
    pub(super) fn declare(&mut self, names: &mut VariableScope, groups: &[TypedVariables]) -> Vec<VarId> {
        let mark = names.mark();
        let mut declared = Vec::new();
        let own = TypedVariables::names_of(groups).count();
        if mark + own > MAX_VARIABLES {
            self.incomplete = true;
            self.dropped_variables = true;
            if let Some(first) = TypedVariables::names_of(groups).next() {
                let message = format!("{} variables in scope exceed the limit of {MAX_VARIABLES}", mark + own);
                self.report(Diagnostic::error(codes::TOO_MANY_VARIABLES, span_of(first.origin), message));
            }
            return declared;
        }
        for group in groups {
            let types = self.types(&group.types);
            self.incomplete |= group.types.is_empty();
            for name in &group.names {
                self.check_new(names, mark, name);
                let variable = Variable { name: name.text.clone(), types: types.clone(), origin: name.origin };
                let id = names.scope.declare(variable);
                names.visible.push(id);
                declared.push(id);
            }
        }
        declared
    }

    fn check_new(&mut self, names: &VariableScope, mark: usize, name: &Name) {
        let same_name = |&&id: &&VarId| names.scope.get(id).name == name.text;
        let (outer, own) = names.visible.split_at(mark);
        let diagnostic = if let Some(&id) = own.iter().rev().find(same_name) {
            let message = format!("`{}` is declared twice in the same quantifier", name.text);
            Diagnostic::error(codes::DUPLICATE_VARIABLE, span_of(name.origin), message)
                .with_related(span_of(names.scope.get(id).origin), "first declared here")
        } else if let Some(&id) = outer.iter().rev().find(same_name) {
            let message = format!("`{}` shadows a variable of the same name", name.text);
            Diagnostic::warning(codes::SHADOWED_VARIABLE, span_of(name.origin), message)
                .with_related(span_of(names.scope.get(id).origin), "the shadowed variable")
        } else {
            return;
        };
        self.report(diagnostic.with_help("rename one of the two"));
    }

    /// Returns the types with these names. Unknown types are reported and dropped.
    fn types(&mut self, names: &[Name]) -> Vec<TypeId> {
        let types: Vec<TypeId> = names.iter().filter_map(|name| self.named_type(name)).collect();
        let known = !types.is_empty() && types.len() == names.len();
        if known && types.iter().all(|&id| self.is_empty(id)) {
            let texts: Vec<_> = names.iter().map(|name| format!("`{}`", name.text)).collect();
            let span = span_of(names[0].origin).to(span_of(names[names.len() - 1].origin));
            self.report(Diagnostic::warning(
                codes::EMPTY_TYPE,
                span,
                format!("the world `{}` has no objects of type {}", self.world.name(), texts.join(" or ")),
            ));
        }
        types
    }

    /// Returns the type with this name. An unknown type is reported.
    pub(super) fn named_type(&mut self, name: &Name) -> Option<TypeId> {
        if let Some(id) = self.world.type_named(&name.text) {
            return Some(id);
        }
        let message = format!("unknown type `{}` in the world `{}`", name.text, self.world.name());
        let diagnostic = Diagnostic::error(codes::UNKNOWN_TYPE, span_of(name.origin), message);
        let world = self.world;
        let known = || world.types().iter().map(|decl| &*decl.name).collect();
        let diagnostic = self.with_nearest(diagnostic, name, known).0;
        self.report(diagnostic);
        None
    }

    /// Returns whether the type has no objects and no recording can introduce one.
    fn is_empty(&self, id: TypeId) -> bool {
        self.world.members(id).is_empty() && !is_extensible(self.world, id)
    }
}
