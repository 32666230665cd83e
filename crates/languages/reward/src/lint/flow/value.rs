//! Abstract values.

use std::collections::BTreeSet;
use std::rc::Rc;

use goalspec_python_runtime::inference::Kinds;
use goalspec_python_runtime::library::MethodRow;
use ruff_python_ast::{ExprLambda, StmtFunctionDef};
use ruff_text_size::TextRange;

/// The maximum number of strings that a value tracks.
const MAX_STRINGS: usize = 16;

/// The maximum nesting depth of lists and tuples that a value tracks.
const MAX_CONTENTS_DEPTH: usize = 4;

/// The bound from which on floats no longer represent every integer.
const MAX_EXACT_INTEGER: f64 = 9_007_199_254_740_992.0;

/// A closed interval of numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Interval {
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Interval {
    pub(super) const ALL: Self = Self { low: f64::NEG_INFINITY, high: f64::INFINITY };
    pub(super) const BOOLEAN: Self = Self { low: 0.0, high: 1.0 };
    pub(super) const NONNEGATIVE: Self = Self { low: 0.0, high: f64::INFINITY };

    pub(super) fn point(number: f64) -> Self {
        Self { low: number, high: number }
    }

    /// Returns the smallest interval that contains all numbers, or the full interval if one of them is `NaN`.
    pub(super) fn hull(numbers: &[f64]) -> Self {
        if numbers.iter().any(|number| number.is_nan()) {
            return Self::ALL;
        }
        let low = numbers.iter().copied().fold(f64::INFINITY, f64::min);
        let high = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Self { low, high }
    }

    #[allow(clippy::float_cmp, reason = "it is one number only if both ends are it")]
    pub(super) fn is_point(self) -> bool {
        self.low == self.high
    }

    /// Returns whether the interval is a single number that is exact: large integers are rounded here, but not in Python.
    pub(super) fn is_exact_point(self) -> bool {
        self.is_point() && (self.low.is_infinite() || self.low.abs() < MAX_EXACT_INTEGER)
    }

    pub(super) fn contains(self, number: f64) -> bool {
        self.low <= number && number <= self.high
    }

    pub(super) fn join(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }
}

/// The origin of a `None`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct NoneOrigin {
    pub(super) range: TextRange,
    pub(super) reason: NoneReason,
}

/// The reason for a `None`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum NoneReason {
    /// `None` is written there.
    Literal,
    /// A search had no result.
    NotFound,
    /// A function ends without `return`.
    MissingReturn,
    /// The frame contains no such object.
    AbsentObject,
}

/// A function of the program.
#[derive(Debug, Clone, Copy)]
pub(super) enum FunctionRef<'a> {
    Named(&'a StmtFunctionDef),
    Lambda(&'a ExprLambda),
}

impl PartialEq for FunctionRef<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Named(one), Self::Named(other)) => std::ptr::eq(*one, *other),
            (Self::Lambda(one), Self::Lambda(other)) => std::ptr::eq(*one, *other),
            _ => false,
        }
    }
}

/// The contents of a value, or the entity that it refers to.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Contents<'a> {
    /// No tracked contents.
    Untracked,
    /// The elements of a list or an iterator.
    Elements(Rc<AbstractValue<'a>>),
    /// The elements of a tuple.
    Tuple(Rc<[AbstractValue<'a>]>),
    /// The values of a dict.
    Dict(Rc<AbstractValue<'a>>),
    Function(FunctionRef<'a>),
    /// Classes of the world, including their subclasses.
    Classes(u64),
    /// The result of `type(object)`.
    TypeOf(u64),
    Builtin(&'a str),
    Math,
    /// A state or an environment, which has the objects of a step.
    State,
    /// A method of objects of the world.
    Method(&'static MethodRow),
}

impl Contents<'_> {
    /// Returns whether the contents include a function.
    pub(super) fn has_function(&self) -> bool {
        match self {
            Self::Function(_) => true,
            Self::Elements(value) | Self::Dict(value) => value.contents.has_function(),
            Self::Tuple(parts) => parts.iter().any(|part| part.contents.has_function()),
            _ => false,
        }
    }
}

/// An abstract value: a superset of the values that an expression may have.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct AbstractValue<'a> {
    /// The possible kinds; [`Kinds::ANY`] for an unknown value.
    pub(super) kinds: Kinds,
    /// The origin of `None`; without one, uses of `None` are not reported.
    pub(super) none_origin: Option<NoneOrigin>,
    /// The possible classes of objects, as bits.
    pub(super) classes: u64,
    /// Whether conditions that are not followed may have narrowed the classes.
    pub(super) maybe_narrowed: bool,
    /// The interval of numbers and Booleans.
    pub(super) interval: Interval,
    /// The possible strings; `None` for any string.
    pub(super) strings: Option<Rc<BTreeSet<Rc<str>>>>,
    /// The position of the string literal.
    pub(super) literal_range: Option<TextRange>,
    /// Whether a list has elements, or an unknown value is truthy, if a condition tested it.
    pub(super) truthiness: Option<bool>,
    /// Whether it is the list of all objects of a screen, which is never empty.
    pub(super) is_all_objects: bool,
    /// Whether a condition has excluded `None` for an unknown value.
    pub(super) excludes_none: bool,
    pub(super) contents: Contents<'a>,
}

impl<'a> AbstractValue<'a> {
    pub(super) fn of_kinds(kinds: Kinds) -> Self {
        Self {
            kinds,
            none_origin: None,
            classes: 0,
            maybe_narrowed: false,
            interval: Interval::ALL,
            strings: None,
            literal_range: None,
            truthiness: None,
            is_all_objects: false,
            excludes_none: false,
            contents: Contents::Untracked,
        }
    }

    pub(super) fn any() -> Self {
        Self::of_kinds(Kinds::ANY)
    }

    pub(super) fn never() -> Self {
        Self::of_kinds(Kinds::NEVER)
    }

    pub(super) fn none(range: TextRange, reason: NoneReason) -> Self {
        Self { none_origin: Some(NoneOrigin { range, reason }), ..Self::of_kinds(Kinds::NONE) }
    }

    pub(super) fn number(kinds: Kinds, interval: Interval) -> Self {
        Self { interval, ..Self::of_kinds(kinds) }
    }

    pub(super) fn int() -> Self {
        Self::of_kinds(Kinds::INT)
    }

    pub(super) fn float() -> Self {
        Self::of_kinds(Kinds::FLOAT)
    }

    pub(super) fn boolean(truth: Option<bool>) -> Self {
        let interval = truth.map_or(Interval::BOOLEAN, |truth| Interval::point(f64::from(u8::from(truth))));
        Self::number(Kinds::BOOL, interval)
    }

    pub(super) fn strings(texts: impl IntoIterator<Item = Rc<str>>) -> Self {
        Self { strings: Some(Rc::new(texts.into_iter().collect())), ..Self::of_kinds(Kinds::TEXT) }
    }

    pub(super) fn objects(classes: u64) -> Self {
        Self { classes, ..Self::of_kinds(if classes == 0 { Kinds::NEVER } else { Kinds::OBJECT }) }
    }

    pub(super) fn list(element: Self) -> Self {
        let inside = if element.contents_depth() >= MAX_CONTENTS_DEPTH { Self::any() } else { element };
        Self { contents: Contents::Elements(Rc::new(inside)), ..Self::of_kinds(Kinds::LIST) }
    }

    pub(super) fn tuple(parts: Vec<Self>) -> Self {
        if parts.iter().any(|part| part.contents_depth() >= MAX_CONTENTS_DEPTH) {
            return Self::of_kinds(Kinds::DETAILED);
        }
        Self::from_contents(Contents::Tuple(parts.into()))
    }

    /// Creates a dict whose values are all abstracted by `value`; keys are not tracked.
    pub(super) fn dict(value: Self) -> Self {
        if value.contents_depth() >= MAX_CONTENTS_DEPTH || value.is_never() {
            return Self::of_kinds(Kinds::DETAILED);
        }
        Self::from_contents(Contents::Dict(Rc::new(Self { maybe_narrowed: true, ..value })))
    }

    pub(super) fn from_contents(inside: Contents<'a>) -> Self {
        Self { contents: inside, ..Self::of_kinds(Kinds::DETAILED) }
    }

    fn contents_depth(&self) -> usize {
        match &self.contents {
            Contents::Elements(element) | Contents::Dict(element) => 1 + element.contents_depth(),
            Contents::Tuple(parts) => 1 + parts.iter().map(Self::contents_depth).max().unwrap_or(0),
            _ => 0,
        }
    }

    pub(super) fn is_any(&self) -> bool {
        self.kinds.intersects(Kinds::ANY)
    }

    pub(super) fn is_never(&self) -> bool {
        self.kinds == Kinds::NEVER
    }

    pub(super) fn may_be_none(&self) -> bool {
        self.kinds.intersects(Kinds::NONE) || (self.is_any() && !self.excludes_none && self.truthiness != Some(true))
    }

    /// Returns whether all possible values have these kinds; `false` for unknown values.
    pub(super) fn is_within(&self, kinds: Kinds) -> bool {
        !self.is_any() && !self.is_never() && self.kinds.is_subset(kinds)
    }

    /// Removes these kinds.
    pub(super) fn without(mut self, kinds: Kinds) -> Self {
        self.kinds = self.kinds.difference(kinds);
        if kinds.intersects(Kinds::NONE) {
            self.none_origin = None;
        }
        if !self.kinds.intersects(Kinds::OBJECT) {
            self.classes = 0;
        }
        self
    }

    /// Restricts the value to these kinds; unknown values remain unknown.
    pub(super) fn restrict_to_kinds(self, kinds: Kinds) -> Self {
        if self.is_any() {
            return self;
        }
        let others = self.kinds.difference(kinds);
        let none = self.none_origin.filter(|_| kinds.intersects(Kinds::NONE));
        Self { none_origin: none, ..self.without(others) }
    }

    /// Restricts objects to these classes; other kinds remain.
    pub(super) fn restrict_to_classes(mut self, classes: u64) -> Self {
        self.classes &= classes;
        if self.classes == 0 { self.without(Kinds::OBJECT) } else { self }
    }

    /// Suppresses reports that depend on excluded values.
    pub(super) fn suppress_reports(&mut self) {
        self.none_origin = None;
        self.maybe_narrowed = true;
    }

    /// Suppresses reports that depend on the contents.
    pub(super) fn suppress_contents_reports(&mut self) {
        match &self.contents {
            Contents::Tuple(parts) if parts.iter().any(|part| part.kinds.intersects(Kinds::NONE)) => {
                let known = |part: &Self| Self { none_origin: None, ..part.clone() };
                self.contents = Contents::Tuple(parts.iter().map(known).collect());
            }
            Contents::Elements(element) if element.kinds.intersects(Kinds::NONE) => {
                self.contents = Contents::Elements(Rc::new(Self { none_origin: None, ..(**element).clone() }));
            }
            Contents::Dict(_) => self.contents = Contents::Untracked,
            _ => {}
        }
    }

    /// Returns the value that abstracts the values of a dict.
    pub(super) fn dict_value(&self) -> Option<&Self> {
        match &self.contents {
            Contents::Dict(value) if self.kinds == Kinds::DETAILED => Some(value),
            _ => None,
        }
    }

    pub(super) fn list_element(&self) -> Self {
        match &self.contents {
            Contents::Elements(element) if self.kinds == Kinds::LIST => (**element).clone(),
            _ => Self::any(),
        }
    }

    pub(super) fn tuple_elements(&self) -> Option<&[Self]> {
        match &self.contents {
            Contents::Tuple(parts) if self.kinds == Kinds::DETAILED => Some(parts),
            _ => None,
        }
    }

    /// Returns whether the value may be truthy, and whether it may be falsy; both for unreachable values, for which nothing is reported.
    pub(super) fn possible_truth_values(&self) -> [bool; 2] {
        if self.is_any() {
            return [self.truthiness != Some(false), self.truthiness != Some(true)];
        }
        if self.is_never() {
            return [true, true];
        }
        let (mut yes, mut no) = (false, self.may_be_none());
        if self.kinds.intersects(Kinds::NUMBER) {
            no |= self.interval.contains(0.0);
            yes |= self.interval != Interval::point(0.0);
        }
        if self.kinds.intersects(Kinds::TEXT) {
            no |= self.strings.as_ref().is_none_or(|texts| texts.contains(""));
            yes |= self.strings.as_ref().is_none_or(|texts| texts.iter().any(|text| !text.is_empty()));
        }
        if self.kinds.intersects(Kinds::OBJECT) {
            (yes, no) = (true, true);
        }
        if self.kinds.intersects(Kinds::LIST) {
            yes |= self.truthiness != Some(false);
            no |= self.truthiness != Some(true);
        }
        if self.kinds.intersects(Kinds::DETAILED) {
            let empty = match &self.contents {
                Contents::Tuple(parts) => Some(parts.is_empty()),
                Contents::Untracked | Contents::Elements(_) | Contents::Dict(_) => None,
                _ => Some(false),
            };
            yes |= empty != Some(true);
            no |= empty != Some(false);
        }
        [yes, no]
    }

    /// Returns the union of two values.
    pub(super) fn join(&self, other: &Self) -> Self {
        if self == other || other.is_never() {
            return self.clone();
        }
        if self.is_never() {
            return other.clone();
        }
        if self.is_any() || other.is_any() {
            let filled = self.truthiness.filter(|_| self.truthiness == other.truthiness && self.kinds == other.kinds);
            return Self {
                truthiness: filled,
                excludes_none: !self.may_be_none() && !other.may_be_none(),
                ..Self::any()
            };
        }
        // A `None` without an origin suppresses reports of the other one.
        let none = match (self.may_be_none(), other.may_be_none()) {
            (true, true) => self.none_origin.and(other.none_origin).and(self.none_origin),
            _ => self.none_origin.or(other.none_origin),
        };
        let numbers = [self, other].map(|side| side.kinds.intersects(Kinds::NUMBER).then_some(side.interval));
        let interval = match numbers {
            [Some(one), Some(other)] => one.join(other),
            [one, other] => one.or(other).unwrap_or(Interval::ALL),
        };
        let filled = if self.truthiness == other.truthiness { self.truthiness } else { None };
        Self {
            kinds: self.kinds.union(other.kinds),
            none_origin: none,
            classes: self.classes | other.classes,
            maybe_narrowed: self.maybe_narrowed || other.maybe_narrowed,
            interval,
            strings: self.join_strings(other),
            literal_range: if self.literal_range == other.literal_range { self.literal_range } else { None },
            truthiness: filled,
            is_all_objects: self.is_all_objects && other.is_all_objects,
            excludes_none: false,
            contents: self.join_contents(other),
        }
    }

    fn join_strings(&self, other: &Self) -> Option<Rc<BTreeSet<Rc<str>>>> {
        match (self.kinds.intersects(Kinds::TEXT), other.kinds.intersects(Kinds::TEXT)) {
            (true, true) => {
                let (one, other) = (self.strings.as_ref()?, other.strings.as_ref()?);
                let all: BTreeSet<Rc<str>> = one.union(other).cloned().collect();
                (all.len() <= MAX_STRINGS).then(|| Rc::new(all))
            }
            (true, false) => self.strings.clone(),
            _ => other.strings.clone(),
        }
    }

    fn join_contents(&self, other: &Self) -> Contents<'a> {
        let holds = |value: &Self| value.kinds.intersects(Kinds::LIST) || value.kinds.intersects(Kinds::DETAILED);
        match (holds(self), holds(other)) {
            (true, false) => return self.contents.clone(),
            (false, true) => return other.contents.clone(),
            _ => {}
        }
        match (&self.contents, &other.contents) {
            (one, other) if one == other => one.clone(),
            (Contents::Elements(one), Contents::Elements(other)) => Contents::Elements(Rc::new(one.join(other))),
            (Contents::Tuple(one), Contents::Tuple(other)) if one.len() == other.len() => {
                Contents::Tuple(one.iter().zip(other.iter()).map(|(one, other)| one.join(other)).collect())
            }
            (Contents::Dict(one), Contents::Dict(other)) => Contents::Dict(Rc::new(one.join(other))),
            (Contents::Classes(one), Contents::Classes(other)) => Contents::Classes(one | other),
            (Contents::TypeOf(one), Contents::TypeOf(other)) => Contents::TypeOf(one | other),
            _ => Contents::Untracked,
        }
    }

    /// Widens the numbers that have changed since `before` to infinity, so that loops reach a fixed point.
    pub(super) fn widen(&self, before: &Self) -> Self {
        let mut wide = self.clone();
        if before.kinds.intersects(Kinds::NUMBER) && self.interval != before.interval {
            let low = if self.interval.low < before.interval.low { f64::NEG_INFINITY } else { self.interval.low };
            let high = if self.interval.high > before.interval.high { f64::INFINITY } else { self.interval.high };
            wide.interval = Interval { low, high };
        }
        if let (Contents::Tuple(now), Contents::Tuple(before)) = (&self.contents, &before.contents)
            && now.len() == before.len()
        {
            wide.contents = Contents::Tuple(now.iter().zip(before.iter()).map(|(now, old)| now.widen(old)).collect());
        }
        if let (Contents::Elements(now), Contents::Elements(before)) = (&self.contents, &before.contents) {
            wide.contents = Contents::Elements(Rc::new(now.widen(before)));
        }
        wide
    }

    /// Returns the key that separates states: whether the value is `None` or unbound, its value if Boolean, and whether it has elements.
    pub(super) fn partition_key(&self) -> u8 {
        let none = match (self.may_be_none(), self.kinds) {
            (true, Kinds::NONE) => 1,
            (true, _) => 2,
            (false, Kinds::UNBOUND) => 3,
            (false, _) => 0,
        };
        let flag = match (self.kinds, self.interval.is_point()) {
            (Kinds::BOOL, true) => 1 + u8::from(self.interval.contains(1.0)),
            _ => 0,
        };
        let filled = self.truthiness.map_or(0, |filled| 1 + u8::from(filled));
        none + 4 * flag + 12 * filled
    }
}
