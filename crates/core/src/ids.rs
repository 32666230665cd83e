//! Small ids: indices into the tables of one [`World`](crate::world::World) or one program.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The id as an index.
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

pub(crate) use ids;

ids! {
    /// A type of a world.
    TypeId;
    /// An object of a world: a thing, a symbol such as a colour, or a group such as a building.
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

/// A set of attributes, one bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct AttributeMask(pub u64);

impl AttributeMask {
    /// No attribute.
    pub const NONE: Self = Self(0);
    /// Every attribute.
    pub const ALL: Self = Self(u64::MAX);

    /// The set of one attribute.
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
