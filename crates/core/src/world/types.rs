//! The type hierarchy.

use std::sync::Arc;

use fixedbitset::FixedBitSet;

use crate::ids::TypeId;

/// A type of objects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypeDecl {
    /// The name.
    pub name: Arc<str>,
    /// The direct supertypes, which are declared before the type.
    pub parents: Vec<TypeId>,
    /// One line of documentation, for help and completion.
    pub doc: Arc<str>,
}

/// Returns for each type the set of itself and its direct and indirect supertypes. Supertypes must precede their
/// subtypes.
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
