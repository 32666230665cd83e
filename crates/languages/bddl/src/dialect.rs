//! How a text is read and which reading its quantifiers have: one value, decided at the edge.

/// A dialect of BDDL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Dialect {
    /// Who reads the text.
    pub reader: Reader,
    /// What `forn` counts.
    pub counting: Counting,
    /// What `forpairs` and `fornpairs` ask for.
    pub pairing: Pairing,
    /// How ground options are listed.
    pub solver: Solver,
}

/// Who reads a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reader {
    /// Reports every defect, with its place.
    Strict,
    /// As strict, with the sections and the case-insensitive predicates of LIBERO.
    Libero,
    /// Accepts and refuses what a Python release does, with the same errors.
    Release(Release),
}

/// A release of the Python package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Release {
    /// 1.0.0, of BEHAVIOR-100.
    V1_0,
    /// 3.6.0, of BEHAVIOR-1K.
    V3_6,
}

/// What `(forn (N) ..)` counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Counting {
    /// Exactly N, as the releases evaluate it.
    Exactly,
    /// At least N, as their documentation says.
    AtLeast,
}

/// What `forpairs` and `fornpairs` ask of the matrix of truths, a row for each left object and a column for each right one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pairing {
    /// So many rows and so many columns with a true cell, as the releases evaluate it.
    Covering,
    /// So many pairs, no object twice on its side, as their documentation says.
    Matching,
}

/// How ground options are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Solver {
    /// All that there are, each once, no contradictory ones; they imply the goal as it is evaluated.
    Exact,
    /// In the order of a release, with its truncations and its faults.
    Release(Release),
}

impl Dialect {
    /// The default: every defect is reported; quantifiers as the simulators evaluate them.
    pub const STRICT: Self =
        Self { reader: Reader::Strict, counting: Counting::Exactly, pairing: Pairing::Covering, solver: Solver::Exact };
    /// LIBERO's files.
    pub const LIBERO: Self = Self { reader: Reader::Libero, ..Self::STRICT };
    /// As release 1.0.0 behaves.
    pub const COMPAT_1_0: Self = Self::of_release(Release::V1_0);
    /// As release 3.6.0 behaves.
    pub const COMPAT_3_6: Self = Self::of_release(Release::V3_6);

    const fn of_release(release: Release) -> Self {
        Self { reader: Reader::Release(release), solver: Solver::Release(release), ..Self::STRICT }
    }

    /// The dialects by the names that users give.
    pub const NAMED: [(&'static str, Self); 4] = [
        ("strict", Self::STRICT),
        ("libero", Self::LIBERO),
        ("compat-1.0", Self::COMPAT_1_0),
        ("compat-3.6", Self::COMPAT_3_6),
    ];

    /// The dialect of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMED.iter().find(|(known, _)| *known == name).map(|&(_, dialect)| dialect)
    }

    /// The same dialect with quantifiers read as the documentation of the language says: `forn` at least N, pairs one to one.
    #[must_use]
    pub const fn documented(self) -> Self {
        Self { counting: Counting::AtLeast, pairing: Pairing::Matching, ..self }
    }

    /// The release that this dialect follows, if it does.
    pub const fn release(self) -> Option<Release> {
        match self.reader {
            Reader::Release(release) => Some(release),
            Reader::Strict | Reader::Libero => None,
        }
    }
}

impl Default for Dialect {
    fn default() -> Self {
        Self::STRICT
    }
}
