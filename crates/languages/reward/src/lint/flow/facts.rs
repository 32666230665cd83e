//! What was seen on the way, place by place: a finding is made of it only once every path has been followed.

use indexmap::IndexMap;
use ruff_text_size::{TextRange, TextSize};
use rustc_hash::{FxHashMap, FxHashSet};

use super::numbers::{Compared, Reason};
use super::value::{Interval, Origin, Value};
use crate::typed::types::Kinds;

/// What is done with a value that cannot be done with `None`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Use<'a> {
    Attribute(&'a str),
    /// It is asked for an item.
    Item,
    /// An item of a list is asked for by it.
    Index,
    Operation(&'static str),
    /// It is gone through.
    Iterate,
    /// It is handed to a function that needs something else.
    Argument(&'a str),
    Unpack,
}

impl Use<'_> {
    /// Whether `None` raises an `AttributeError` there, and not a `TypeError`.
    pub(super) fn is_attribute(self) -> bool {
        match self {
            Use::Attribute(_) => true,
            Use::Argument(name) => super::objects::METHODS.contains(&name),
            _ => false,
        }
    }
}

/// A use of what may be `None`.
#[derive(Debug, Clone, Copy)]
pub(super) struct NoneUse<'a> {
    /// What is used.
    pub(super) at: TextRange,
    pub(super) how: Use<'a>,
}

/// An attribute that is asked for.
#[derive(Debug, Clone)]
pub(super) struct Asked<'a> {
    pub(super) name: &'a str,
    /// What is asked.
    pub(super) object: TextRange,
    pub(super) having: u64,
    pub(super) lacking: u64,
    /// Whether conditions that are not followed may keep out what lacks it.
    pub(super) blurred: bool,
    /// What has it in no way, in words; none if objects have it.
    pub(super) other: Option<&'static str>,
    /// Whether nothing is known of the value on some path.
    pub(super) unknown: bool,
}

/// A comparison, over all paths.
#[derive(Debug, Clone)]
pub(super) struct Seen {
    pub(super) compared: Compared,
    pub(super) sides: [Option<Interval>; 2],
}

/// What was seen.
#[derive(Debug, Default)]
pub(super) struct Facts<'a> {
    /// By what is written and where `None` comes from.
    pub(super) none: IndexMap<(&'a str, Origin), NoneUse<'a>>,
    /// Uses of what is not `None` on some path.
    pub(super) some: FxHashSet<TextRange>,
    /// Where variables have a value on some path.
    pub(super) bound: FxHashSet<TextRange>,
    /// Variables without a value on some path.
    pub(super) unbound: IndexMap<TextRange, &'a str>,
    pub(super) asked: IndexMap<TextRange, Asked<'a>>,
    /// Operations on kinds of values that do not go together; `None` if they do on some path.
    pub(super) mismatches: IndexMap<TextRange, Option<(&'static str, [&'static str; 2])>>,
    /// Texts that are compared with the names of classes and are none, with where they are compared.
    pub(super) no_classes: IndexMap<TextRange, (String, TextRange)>,
    /// Attributes that states do not have, with what is asked for them.
    pub(super) not_of_states: IndexMap<TextRange, (&'a str, TextRange)>,
    pub(super) comparisons: IndexMap<TextRange, Seen>,
    /// Which ways conditions went.
    pub(super) tests: FxHashMap<TextRange, [bool; 2]>,
    /// Where statements begin that are reached.
    pub(super) reached: FxHashSet<TextSize>,
    /// What functions give from outside, where it is returned.
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
