//! The releases whose data files, checks or predicates differ.

use crate::dialect::Release;

/// An edition of a knowledge base: the release that its files came with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Edition {
    /// 1.0.0 and 1.0.1, of BEHAVIOR-100: trees of synsets.
    V1_0,
    /// 3.1.0, of BEHAVIOR-1K: a tree with what synsets can do, and transition rules.
    V3_1,
    /// 3.5.0: object models and scenes besides, and rules for cutting, cooking, melting and washing.
    V3_5,
    /// 3.6.0.
    V3_6,
}

impl Edition {
    /// Its version, as the package index has it.
    pub fn version(self) -> &'static str {
        match self {
            Self::V1_0 => "1.0.0",
            Self::V3_1 => "3.1.0",
            Self::V3_5 => "3.5.0",
            Self::V3_6 => "3.6.0",
        }
    }

    /// The release of a [dialect](crate::Dialect) that reads activities as this one does.
    pub fn release(self) -> Release {
        match self {
            Self::V1_0 => Release::V1_0,
            Self::V3_1 | Self::V3_5 | Self::V3_6 => Release::V3_6,
        }
    }
}
