//! Facts collected during the analysis, per position; they become diagnostics only after every path has been followed.

use goalspec_python_runtime::inference::Kinds;
use indexmap::IndexMap;
use ruff_text_size::{TextRange, TextSize};
use rustc_hash::{FxHashMap, FxHashSet};

use super::numbers::{ComparisonResult, ConstantReason};
use super::value::{AbstractValue, Interval, NoneOrigin};

/// An operation on a value that fails for `None`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum NoneSensitiveUse<'a> {
    Attribute(&'a str),
    /// Indexing of the value.
    Subscript,
    /// The value as an index of a list.
    Index,
    Operator(&'static str),
    /// Iteration over the value.
    Iterate,
    /// The value as an argument of a function that rejects `None`.
    Argument(&'a str),
    Unpack,
}

impl NoneSensitiveUse<'_> {
    /// Returns whether `None` raises an `AttributeError` there, rather than a `TypeError`.
    pub(super) fn raises_attribute_error(self) -> bool {
        match self {
            NoneSensitiveUse::Attribute(_) => true,
            NoneSensitiveUse::Argument(name) => super::class_table::object_method(name).is_some(),
            _ => false,
        }
    }
}

/// A use of a value that may be `None`.
#[derive(Debug, Clone, Copy)]
pub(super) struct NoneUse<'a> {
    /// The position of the value.
    pub(super) range: TextRange,
    pub(super) operation: NoneSensitiveUse<'a>,
}

/// An access to an attribute.
#[derive(Debug, Clone)]
pub(super) struct AttributeAccess<'a> {
    pub(super) name: &'a str,
    /// The position of the object.
    pub(super) object: TextRange,
    pub(super) classes_with: u64,
    pub(super) classes_without: u64,
    /// Whether conditions that are not followed may exclude the objects without the attribute.
    pub(super) maybe_narrowed: bool,
    /// The kind of value that never has the attribute, in words; `None` if the value is an object.
    pub(super) non_object_kind: Option<&'static str>,
    /// Whether the value is unknown on some path.
    pub(super) unknown: bool,
}

/// A comparison, joined over all paths.
#[derive(Debug, Clone)]
pub(super) struct ComparisonFact {
    pub(super) result: ComparisonResult,
    pub(super) intervals: [Option<Interval>; 2],
}

/// The facts of an analysis.
#[derive(Debug, Default)]
pub(super) struct Facts<'a> {
    /// Uses of `None`, by the source text of the value and the origin of the `None`.
    pub(super) none_uses: IndexMap<(&'a str, NoneOrigin), NoneUse<'a>>,
    /// The positions of values that are not `None` on some path.
    pub(super) non_none_values: FxHashSet<TextRange>,
    /// The positions of variables that are bound on some path.
    pub(super) bound_variables: FxHashSet<TextRange>,
    /// Variables that are unbound on some path.
    pub(super) unbound_variables: IndexMap<TextRange, &'a str>,
    pub(super) attribute_accesses: IndexMap<TextRange, AttributeAccess<'a>>,
    /// Operations on operands of unsupported types; `None` if the types are supported on some path.
    pub(super) operand_mismatches: IndexMap<TextRange, Option<(&'static str, [&'static str; 2])>>,
    /// Strings that are compared with the names of classes but name no class, with the position of the comparison.
    pub(super) unknown_class_names: IndexMap<TextRange, (String, TextRange)>,
    /// Attributes that states lack, with the position of the state.
    pub(super) missing_state_attributes: IndexMap<TextRange, (&'a str, TextRange)>,
    pub(super) comparisons: IndexMap<TextRange, ComparisonFact>,
    /// The observed outcomes of conditions.
    pub(super) condition_outcomes: FxHashMap<TextRange, [bool; 2]>,
    /// The starts of the reachable statements.
    pub(super) reachable_statements: FxHashSet<TextSize>,
    /// The intervals of results, by the position of the `return`; `None` for results that are not numbers.
    pub(super) return_intervals: IndexMap<TextRange, Option<Interval>>,
}

impl<'a> Facts<'a> {
    pub(super) fn record_none_use(&mut self, written: &'a str, origin: NoneOrigin, found: NoneUse<'a>) {
        let known = self.none_uses.entry((written, origin)).or_insert(found);
        if found.range.start() < known.range.start() {
            *known = found;
        }
    }

    pub(super) fn record_attribute_access(&mut self, at: TextRange, found: AttributeAccess<'a>) {
        let Some(known) = self.attribute_accesses.get_mut(&at) else {
            self.attribute_accesses.insert(at, found);
            return;
        };
        known.classes_with |= found.classes_with;
        known.classes_without |= found.classes_without;
        known.maybe_narrowed |= found.maybe_narrowed;
        known.unknown |= found.unknown || known.non_object_kind != found.non_object_kind;
    }

    pub(super) fn record_operation(&mut self, at: TextRange, found: Option<(&'static str, [&'static str; 2])>) {
        let known = self.operand_mismatches.entry(at).or_insert(found);
        if *known != found {
            *known = None;
        }
    }

    pub(super) fn record_comparison(
        &mut self,
        at: TextRange,
        compared: ComparisonResult,
        left: &AbstractValue<'_>,
        right: &AbstractValue<'_>,
    ) {
        let side = |value: &AbstractValue<'_>| value.is_within(Kinds::NUMBER).then_some(value.interval);
        let sides = [side(left), side(right)];
        let Some(known) = self.comparisons.get_mut(&at) else {
            self.comparisons.insert(at, ComparisonFact { result: compared, intervals: sides });
            return;
        };
        let both = |place: usize| known.result.possible_outcomes[place] || compared.possible_outcomes[place];
        let may_be = [both(0), both(1)];
        let reason = if known.result.reason == compared.reason { compared.reason } else { ConstantReason::NotConstant };
        known.result = ComparisonResult { possible_outcomes: may_be, reason };
        for (known, side) in known.intervals.iter_mut().zip(sides) {
            *known = match (*known, side) {
                (Some(one), Some(other)) => Some(one.join(other)),
                _ => None,
            };
        }
    }

    pub(super) fn record_outcomes(&mut self, at: TextRange, ways: [bool; 2]) {
        let known = self.condition_outcomes.entry(at).or_default();
        *known = [known[0] || ways[0], known[1] || ways[1]];
    }

    pub(super) fn record_return(&mut self, at: TextRange, value: &AbstractValue<'_>) {
        let interval = value.is_within(Kinds::NUMBER).then_some(value.interval);
        self.return_intervals
            .entry(at)
            .and_modify(|known| *known = known.zip(interval).map(|(one, other)| one.join(other)))
            .or_insert(interval);
    }
}
