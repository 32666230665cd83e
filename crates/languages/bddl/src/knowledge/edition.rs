//! Editions: the releases whose data files, checks or predicates differ.

use crate::dialect::Release;

/// An edition of a knowledge base: the release that its files belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Edition {
    /// 1.0.0 and 1.0.1, of BEHAVIOR-100: trees of synsets only.
    V1_0,
    /// 3.1.0, of BEHAVIOR-1K: a tree of synsets with abilities, and transition rules.
    V3_1,
    /// 3.5.0: additionally object models, scenes, and rules for cutting, cooking, melting and washing.
    V3_5,
    /// 3.6.0.
    V3_6,
}

impl Edition {
    /// Returns the version number in the package index.
    pub fn version(self) -> &'static str {
        match self {
            Self::V1_0 => "1.0.0",
            Self::V3_1 => "3.1.0",
            Self::V3_5 => "3.5.0",
            Self::V3_6 => "3.6.0",
        }
    }

    /// Returns the release of a [dialect](crate::Dialect) that corresponds to the edition.
    pub fn release(self) -> Release {
        match self {
            Self::V1_0 => Release::V1_0,
            Self::V3_1 | Self::V3_5 | Self::V3_6 => Release::V3_6,
        }
    }
}
