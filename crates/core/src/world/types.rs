//! The type hierarchy.

use std::sync::Arc;

use crate::ids::TypeId;

/// A type of objects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypeDecl {
    /// Its name.
    pub name: Arc<str>,
    /// Its direct supertypes; they are declared before it.
    pub parents: Vec<TypeId>,
    /// One line about it, for help and completion.
    pub doc: Arc<str>,
}

/// Whether every object of type `sub` is of type `sup`.
pub(super) fn is_subtype(types: &[TypeDecl], sub: TypeId, sup: TypeId) -> bool {
    sub == sup || types[sub.index()].parents.iter().any(|&parent| is_subtype(types, parent, sup))
}
