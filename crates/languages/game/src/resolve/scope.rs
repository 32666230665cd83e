//! Variables: declaration, lookup, and distinctness.

use goalspec_core::condition::{Scope, Variable};
use goalspec_core::ids::{TypeId, VarId};
use goalspec_core::world::World;
use goalspec_syntax::{Diagnostic, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Resolver;
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

    /// Declares a variable and returns its id.
    fn declare(&mut self, variable: Variable) -> VarId {
        let id = self.scope.declare(variable);
        self.visible.push(id);
        id
    }

    /// Ends the scope of the variables declared since the mark.
    pub(super) fn end_scope(&mut self, mark: usize) {
        self.visible.truncate(mark);
    }

    /// Returns the innermost variable in scope with this name.
    pub(super) fn find(&self, name: &str) -> Option<VarId> {
        self.visible.iter().rev().copied().find(|&id| *self.scope.get(id).name == *name)
    }

    /// Returns whether variables with unknown names are in scope.
    pub(super) fn has_unknown_variables(&self) -> bool {
        self.in_scope().any(str::is_empty)
    }

    /// Iterates over the names in scope. The name of an unknown variable is empty.
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
pub fn overlap(world: &World, one: &[TypeId], other: &[TypeId]) -> bool {
    let pair = |one: TypeId, other: TypeId| {
        world.is_subtype(one, other)
            || world.is_subtype(other, one)
            || world.members(one).iter().any(|&object| world.is_a(object, other))
            || is_extensible(world, one) && is_extensible(world, other)
    };
    one.iter().any(|&one| other.iter().any(|&other| pair(one, other)))
}

/// Returns whether a recording can introduce objects of the type.
pub fn is_extensible(world: &World, id: TypeId) -> bool {
    let mut all = (0..world.types().len()).map(TypeId::from);
    all.any(|sub| world.is_discoverable(sub) && world.is_subtype(sub, id))
}

impl Resolver<'_> {
    /// Declares the variables of a quantifier, in source order, and returns their ids.
    ///
    /// If more than [`MAX_VARIABLES`] would then be in scope, reports an error and declares a variable with an unknown name instead.
    pub(super) fn declare(&mut self, names: &mut VariableScope, groups: &mut [TypedVariables]) -> Vec<VarId> {
        let mark = names.mark();
        let own = TypedVariables::names_of(groups).count();
        if mark + own > MAX_VARIABLES {
            return self.reject_variables(names, groups, mark + own);
        }
        let mut declared = Vec::new();
        for group in groups {
            let types = self.types(&mut group.types);
            for name in &mut group.names {
                self.check_new(names, mark, name);
                let variable = Variable { name: name.text.clone(), types: types.clone(), origin: name.span.into() };
                declared.push(names.declare(variable));
            }
        }
        declared
    }

    /// Reports that `count` variables would be in scope, and declares a variable with an unknown name.
    fn reject_variables(
        &mut self,
        names: &mut VariableScope,
        groups: &mut [TypedVariables],
        count: usize,
    ) -> Vec<VarId> {
        let mut rejected = groups.iter_mut().flat_map(|group| &mut group.names).peekable();
        let Some(span) = rejected.peek().map(|first| first.span()) else { return Vec::new() };
        rejected.for_each(Name::mark_erroneous);
        let message = format!("{count} variables in scope exceed the limit of {MAX_VARIABLES}");
        self.report(Diagnostic::error(codes::TOO_MANY_VARIABLES, span, message));
        let unknown = Variable { name: Name::missing(span).text, types: Vec::new(), origin: span.into() };
        vec![names.declare(unknown)]
    }

    fn check_new(&mut self, names: &VariableScope, mark: usize, name: &mut Name) {
        if name.is_erroneous() {
            return;
        }
        let same_name = |&&id: &&VarId| names.scope.get(id).name == name.text;
        let related = |diagnostic: Diagnostic, id, message| match names.scope.get(id).origin.0 {
            Some(span) => diagnostic.with_related(span, message),
            None => diagnostic,
        };
        let (outer, own) = names.visible.split_at(mark);
        let diagnostic = if let Some(&id) = own.iter().rev().find(same_name) {
            let message = format!("`{}` is declared twice in the same quantifier", name.text);
            name.mark_erroneous();
            related(Diagnostic::error(codes::DUPLICATE_VARIABLE, name.span(), message), id, "first declared here")
        } else if let Some(&id) = outer.iter().rev().find(same_name) {
            let message = format!("`{}` shadows a variable of the same name", name.text);
            related(Diagnostic::warning(codes::SHADOWED_VARIABLE, name.span(), message), id, "the shadowed variable")
        } else {
            return;
        };
        self.report(diagnostic.with_help("rename one of the two"));
    }

    /// Returns the types with these names, each once. Unknown types are reported and dropped.
    fn types(&mut self, names: &mut [Name]) -> Vec<TypeId> {
        let mut types: Vec<TypeId> = names.iter_mut().filter_map(|name| self.named_type(name)).collect();
        let known = !types.is_empty() && types.len() == names.len();
        let mut distinct = FxHashSet::default();
        types.retain(|&id| distinct.insert(id));
        if known && types.len() < names.len() {
            self.report_repeated_type(names);
        }
        if known && types.iter().all(|&id| self.is_empty(id)) {
            let texts: Vec<_> = names.iter().map(|name| format!("`{}`", name.text)).collect();
            let span = names[0].span().to(names[names.len() - 1].span());
            self.report(Diagnostic::warning(
                codes::EMPTY_TYPE,
                span,
                format!("the world `{}` has no objects of type {}", self.world.name(), texts.join(" or ")),
            ));
        }
        types
    }

    /// Reports the first name that is repeated.
    fn report_repeated_type(&mut self, names: &[Name]) {
        let mut firsts: FxHashMap<&str, Span> = FxHashMap::default();
        for name in names {
            let Some(first) = firsts.insert(&name.text, name.span()) else { continue };
            let message = format!("the type `{}` is repeated", name.text);
            let warning = Diagnostic::warning(codes::REPEATED_TYPE, name.span(), message);
            let warning = warning.with_related(first, "first mentioned here");
            return self.report(warning.with_help("remove it, or name the type that was meant"));
        }
    }

    /// Returns the type with this name. An unknown type is reported and marked.
    pub(super) fn named_type(&mut self, name: &mut Name) -> Option<TypeId> {
        if name.is_erroneous() {
            return None;
        }
        if let Some(id) = self.world.type_named(&name.text) {
            return Some(id);
        }
        let message = format!("unknown type `{}` in the world `{}`", name.text, self.world.name());
        let diagnostic = Diagnostic::error(codes::UNKNOWN_TYPE, name.span(), message);
        let world = self.world;
        let known = || world.types().iter().map(|decl| &*decl.name).collect();
        let diagnostic = self.with_nearest(diagnostic, name, known).0;
        name.mark_erroneous();
        self.report(diagnostic);
        None
    }

    /// Returns whether the type has no objects and no recording can introduce one.
    fn is_empty(&self, id: TypeId) -> bool {
        self.world.members(id).is_empty() && !is_extensible(self.world, id)
    }
}
