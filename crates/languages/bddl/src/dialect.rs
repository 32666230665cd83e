//! Dialects: the parser of a text, and the semantics of its counting and pairing quantifiers, as one value.

/// A dialect of BDDL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Dialect {
    /// The parser.
    pub parser: ParserKind,
    /// The semantics of `forn`.
    pub counting: Counting,
    /// The semantics of `forpairs` and `fornpairs`.
    pub pairing: Pairing,
    /// The enumeration of ground options.
    pub option_algorithm: OptionAlgorithm,
}

/// The parser of a dialect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ParserKind {
    /// Reports every defect, with its source location.
    Strict,
    /// Strict, with LIBERO's sections and case-insensitive predicates.
    Libero,
    /// Accepts and rejects the same texts as a Python release, with the same errors.
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

/// The semantics of `(forn (N) ..)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Counting {
    /// Exactly N instances, as the releases evaluate it.
    Exactly,
    /// At least N instances, as the documentation of the releases says.
    AtLeast,
}

/// The semantics of `forpairs` and `fornpairs` over the truth matrix, which has a row for each left object and a column for
/// each right object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pairing {
    /// At least N rows and at least N columns contain a true cell, as the releases evaluate it.
    Covering,
    /// At least N disjoint pairs, as the documentation of the releases says: no object is in two pairs on its side.
    Matching,
}

/// The enumeration of ground options.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OptionAlgorithm {
    /// All consistent options, each once. Each implies the goal as it is evaluated.
    Exact,
    /// The order of a release, including its truncations and bugs.
    Release(Release),
}

impl Dialect {
    /// The default: the parser reports every defect, and quantifiers have the semantics of the simulators.
    pub const STRICT: Self = Self {
        parser: ParserKind::Strict,
        counting: Counting::Exactly,
        pairing: Pairing::Covering,
        option_algorithm: OptionAlgorithm::Exact,
    };
    /// The dialect of LIBERO's files.
    pub const LIBERO: Self = Self { parser: ParserKind::Libero, ..Self::STRICT };
    /// The behaviour of release 1.0.0.
    pub const COMPAT_1_0: Self = Self::of_release(Release::V1_0);
    /// The behaviour of release 3.6.0.
    pub const COMPAT_3_6: Self = Self::of_release(Release::V3_6);

    const fn of_release(release: Release) -> Self {
        Self {
            parser: ParserKind::Release(release),
            option_algorithm: OptionAlgorithm::Release(release),
            ..Self::STRICT
        }
    }

    /// The dialects with their names in the command line and in the API.
    pub const NAMED: [(&'static str, Self); 4] = [
        ("strict", Self::STRICT),
        ("libero", Self::LIBERO),
        ("compat-1.0", Self::COMPAT_1_0),
        ("compat-3.6", Self::COMPAT_3_6),
    ];

    /// Returns the dialect with the given name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::NAMED.iter().find(|(known, _)| *known == name).map(|&(_, dialect)| dialect)
    }

    /// Returns this dialect with the documented semantics of quantifiers: `forn` as at least N, pairs one to one.
    #[must_use]
    pub const fn with_documented_quantifiers(self) -> Self {
        Self { counting: Counting::AtLeast, pairing: Pairing::Matching, ..self }
    }

    /// Returns the release that this dialect reproduces, if any.
    pub const fn release(self) -> Option<Release> {
        match self.parser {
            ParserKind::Release(release) => Some(release),
            ParserKind::Strict | ParserKind::Libero => None,
        }
    }
}

impl Default for Dialect {
    fn default() -> Self {
        Self::STRICT
    }
}
