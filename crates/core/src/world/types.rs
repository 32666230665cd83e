//! The type hierarchy.

use std::sync::Arc;

use fixedbitset::FixedBitSet;

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

/// Per type, itself and all its supertypes, direct and indirect. Parents precede their children.
pub(super) fn ancestors(types: &[TypeDecl]) -> Vec<FixedBitSet> {
    let mut all: Vec<FixedBitSet> = Vec::with_capacity(types.len());
    for (index, decl) in types.iter().enumerate() {
        let mut own = FixedBitSet::with_capacity(types.len());
        own.insert(index);
        for parent in &decl.parents {
            own.union_with(&all[parent.index()]);
        }
        all.push(own);
    }
    all
}
