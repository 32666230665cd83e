//! Facts collected during the analysis, per position; they become diagnostics only after every path has been followed.

use indexmap::IndexMap;
use ruff_text_size::{TextRange, TextSize};
use rustc_hash::{FxHashMap, FxHashSet};

use super::numbers::{Compared, Reason};
use super::value::{Interval, Origin, Value};
use crate::typed::types::Kinds;

/// An operation on a value that fails for `None`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Use<'a> {
    Attribute(&'a str),
    /// Indexing of the value.
    Item,
    /// The value as an index of a list.
    Index,
    Operation(&'static str),
    /// Iteration over the value.
    Iterate,
    /// The value as an argument of a function that rejects `None`.
    Argument(&'a str),
    Unpack,
}

impl Use<'_> {
    /// Returns whether `None` raises an `AttributeError` there, rather than a `TypeError`.
    pub(super) fn is_attribute(self) -> bool {
        match self {
            Use::Attribute(_) => true,
            Use::Argument(name) => super::objects::METHODS.contains(&name),
            _ => false,
        }
    }
}

/// A use of a value that may be `None`.
#[derive(Debug, Clone, Copy)]
pub(super) struct NoneUse<'a> {
    /// The position of the value.
    pub(super) at: TextRange,
    pub(super) how: Use<'a>,
}

/// An access to an attribute.
#[derive(Debug, Clone)]
pub(super) struct Asked<'a> {
    pub(super) name: &'a str,
    /// The position of the object.
    pub(super) object: TextRange,
    pub(super) having: u64,
    pub(super) lacking: u64,
    /// Whether conditions that are not followed may exclude the objects without the attribute.
    pub(super) blurred: bool,
    /// The kind of value that never has the attribute, in words; `None` if the value is an object.
    pub(super) other: Option<&'static str>,
    /// Whether the value is unknown on some path.
    pub(super) unknown: bool,
}

/// A comparison, joined over all paths.
#[derive(Debug, Clone)]
pub(super) struct Seen {
    pub(super) compared: Compared,
    pub(super) sides: [Option<Interval>; 2],
}

/// The facts of an analysis.
#[derive(Debug, Default)]
pub(super) struct Facts<'a> {
    /// Uses of `None`, by the source text of the value and the origin of the `None`.
    pub(super) none: IndexMap<(&'a str, Origin), NoneUse<'a>>,
    /// The positions of values that are not `None` on some path.
    pub(super) some: FxHashSet<TextRange>,
    /// The positions of variables that are bound on some path.
    pub(super) bound: FxHashSet<TextRange>,
    /// Variables that are unbound on some path.
    pub(super) unbound: IndexMap<TextRange, &'a str>,
    pub(super) asked: IndexMap<TextRange, Asked<'a>>,
    /// Operations on operands of unsupported types; `None` if the types are supported on some path.
    pub(super) mismatches: IndexMap<TextRange, Option<(&'static str, [&'static str; 2])>>,
    /// Strings that are compared with the names of classes but name no class, with the position of the comparison.
    pub(super) no_classes: IndexMap<TextRange, (String, TextRange)>,
    /// Attributes that states lack, with the position of the state.
    pub(super) not_of_states: IndexMap<TextRange, (&'a str, TextRange)>,
    pub(super) comparisons: IndexMap<TextRange, Seen>,
    /// The observed outcomes of conditions.
    pub(super) tests: FxHashMap<TextRange, [bool; 2]>,
    /// The starts of the reachable statements.
    pub(super) reached: FxHashSet<TextSize>,
    /// The intervals of results, by the position of the `return`; `None` for results that are not numbers.
    pub(super) returned: IndexMap<TextRange, Option<Interval>>,
}

impl<'a> Facts<'a> {
    pub(super) fn none_used(&mut self, written: &'a str, origin: Origin, found: NoneUse<'a>) {
        let known = self.none.entry((written, origin)).or_insert(found);
        if found.at.start() < known.at.start() {
            *known = found;
        }
    }

    pub(super) fn asked(&mut self, at: TextRange, found: Asked<'a>) {
        let Some(known) = self.asked.get_mut(&at) else {
            self.asked.insert(at, found);
            return;
        };
        known.having |= found.having;
        known.lacking |= found.lacking;
        known.blurred |= found.blurred;
        known.unknown |= found.unknown || known.other != found.other;
    }

    pub(super) fn operation(&mut self, at: TextRange, found: Option<(&'static str, [&'static str; 2])>) {
        let known = self.mismatches.entry(at).or_insert(found);
        if *known != found {
            *known = None;
        }
    }

    pub(super) fn compared(&mut self, at: TextRange, compared: Compared, left: &Value<'_>, right: &Value<'_>) {
        let side = |value: &Value<'_>| value.within(Kinds::NUMBER).then_some(value.interval);
        let sides = [side(left), side(right)];
        let Some(known) = self.comparisons.get_mut(&at) else {
            self.comparisons.insert(at, Seen { compared, sides });
            return;
        };
        let both = |place: usize| known.compared.may_be[place] || compared.may_be[place];
        let may_be = [both(0), both(1)];
        let why = if known.compared.why == compared.why { compared.why } else { Reason::None };
        known.compared = Compared { may_be, why };
        for (known, side) in known.sides.iter_mut().zip(sides) {
            *known = match (*known, side) {
                (Some(one), Some(other)) => Some(one.join(other)),
                _ => None,
            };
        }
    }

    pub(super) fn test(&mut self, at: TextRange, ways: [bool; 2]) {
        let known = self.tests.entry(at).or_default();
        *known = [known[0] || ways[0], known[1] || ways[1]];
    }

    pub(super) fn returns(&mut self, at: TextRange, value: &Value<'_>) {
        let interval = value.within(Kinds::NUMBER).then_some(value.interval);
        self.returned
            .entry(at)
            .and_modify(|known| *known = known.zip(interval).map(|(one, other)| one.join(other)))
            .or_insert(interval);
    }
}
