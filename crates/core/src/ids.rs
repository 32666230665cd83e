//! Typed ids: indices into the tables of one [`World`](crate::world::World) or one program.

/// Declares typed ids: `u32` newtypes with `index` and conversion from `usize`.
#[macro_export]
macro_rules! typed_ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// Returns the id as an index.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl From<usize> for $name {
            fn from(index: usize) -> Self {
                Self(index as u32)
            }
        }
    )*};
}

typed_ids! {
    /// A type of a world.
    TypeId;
    /// An object of a world: a physical object, a symbol such as a colour, or a group such as a building.
    ObjectId;
    /// An attribute of a world.
    AttributeId;
    /// A predicate of a world.
    PredicateId;
    /// A numeric function of a world.
    FunctionId;
    /// A variable of one [`Scope`](crate::condition::Scope).
    VarId;
    /// A preference of one program.
    PreferenceId;
}

/// A set of attributes as a bit mask, with one bit for each of the 64 possible attribute ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct AttributeMask(pub u64);

impl AttributeMask {
    /// The empty set.
    pub const NONE: Self = Self(0);
    /// The set of all attributes.
    pub const ALL: Self = Self(u64::MAX);

    /// Returns the set that contains only `attribute`.
    pub fn one(attribute: AttributeId) -> Self {
        Self(1 << attribute.0)
    }

    /// Whether the two sets share an attribute.
    pub fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether the set is empty.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl std::ops::BitOr for AttributeMask {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl std::ops::BitOrAssign for AttributeMask {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}
