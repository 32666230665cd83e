//! Abstract values.

use std::collections::BTreeSet;
use std::rc::Rc;

use ruff_python_ast::{ExprLambda, StmtFunctionDef};
use ruff_text_size::TextRange;

use crate::typed::types::Kinds;

/// The maximum number of strings that a value tracks.
const MAX_TEXTS: usize = 16;

/// The maximum nesting depth of lists and tuples that a value tracks.
const MAX_INSIDE: usize = 4;

/// The bound from which on floats no longer represent every integer.
const MAX_EXACT: f64 = 9_007_199_254_740_992.0;

/// A closed interval of numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Interval {
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Interval {
    pub(super) const ALL: Self = Self { low: f64::NEG_INFINITY, high: f64::INFINITY };
    pub(super) const TRUTH: Self = Self { low: 0.0, high: 1.0 };
    pub(super) const FROM_ZERO: Self = Self { low: 0.0, high: f64::INFINITY };

    pub(super) fn one(number: f64) -> Self {
        Self { low: number, high: number }
    }

    /// Returns the smallest interval that contains all numbers, or the full interval if one of them is `NaN`.
    pub(super) fn of(numbers: &[f64]) -> Self {
        if numbers.iter().any(|number| number.is_nan()) {
            return Self::ALL;
        }
        let low = numbers.iter().copied().fold(f64::INFINITY, f64::min);
        let high = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Self { low, high }
    }

    #[allow(clippy::float_cmp, reason = "it is one number only if both ends are it")]
    pub(super) fn is_one(self) -> bool {
        self.low == self.high
    }

    /// Returns whether the interval is a single number that is exact: large integers are rounded here, but not in Python.
    pub(super) fn is_exact(self) -> bool {
        self.is_one() && (self.low.is_infinite() || self.low.abs() < MAX_EXACT)
    }

    pub(super) fn has(self, number: f64) -> bool {
        self.low <= number && number <= self.high
    }

    pub(super) fn join(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }
}

/// The origin of a `None`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Origin {
    pub(super) range: TextRange,
    pub(super) why: Why,
}

/// The reason for a `None`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Why {
    /// `None` is written there.
    Written,
    /// A search had no result.
    NotFound,
    /// A function ends without `return`.
    NoReturn,
    /// The frame contains no such object.
    NotThere,
}

/// A function of the program.
#[derive(Debug, Clone, Copy)]
pub(super) enum Function<'a> {
    Named(&'a StmtFunctionDef),
    Lambda(&'a ExprLambda),
}

impl PartialEq for Function<'_> {
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
pub(super) enum Inside<'a> {
    /// No tracked contents.
    Nothing,
    /// The elements of a list or an iterator.
    Elements(Rc<Value<'a>>),
    /// The elements of a tuple.
    Parts(Rc<[Value<'a>]>),
    /// The values of a dict.
    Table(Rc<Value<'a>>),
    Function(Function<'a>),
    /// Classes of the world, including their subclasses.
    Classes(u64),
    /// The result of `type(object)`.
    ClassOf(u64),
    Builtin(&'a str),
    Math,
    /// A state or an environment, which has the objects of a step.
    State,
    /// A method of objects of the world, or of lists.
    Method(&'a str),
}

impl Inside<'_> {
    /// Returns whether the contents include a function.
    pub(super) fn has_function(&self) -> bool {
        match self {
            Self::Function(_) => true,
            Self::Elements(value) | Self::Table(value) => value.inside.has_function(),
            Self::Parts(parts) => parts.iter().any(|part| part.inside.has_function()),
            _ => false,
        }
    }
}

/// An abstract value: a superset of the values that an expression may have.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Value<'a> {
    /// The possible kinds; [`Kinds::ANY`] for an unknown value.
    pub(super) kinds: Kinds,
    /// The origin of `None`; without one, uses of `None` are not reported.
    pub(super) none: Option<Origin>,
    /// The possible classes of objects, as bits.
    pub(super) classes: u64,
    /// Whether conditions that are not followed may have narrowed the classes.
    pub(super) blurred: bool,
    /// The interval of numbers and Booleans.
    pub(super) interval: Interval,
    /// The possible strings; `None` for any string.
    pub(super) texts: Option<Rc<BTreeSet<Rc<str>>>>,
    /// The position of the string literal.
    pub(super) written: Option<TextRange>,
    /// Whether a list has elements, or an unknown value is truthy, if a condition tested it.
    pub(super) filled: Option<bool>,
    /// Whether it is the list of all objects of a screen, which is never empty.
    pub(super) whole: bool,
    /// Whether a condition has excluded `None` for an unknown value.
    pub(super) some: bool,
    pub(super) inside: Inside<'a>,
}

impl<'a> Value<'a> {
    pub(super) fn of(kinds: Kinds) -> Self {
        Self {
            kinds,
            none: None,
            classes: 0,
            blurred: false,
            interval: Interval::ALL,
            texts: None,
            written: None,
            filled: None,
            whole: false,
            some: false,
            inside: Inside::Nothing,
        }
    }

    pub(super) fn any() -> Self {
        Self::of(Kinds::ANY)
    }

    pub(super) fn never() -> Self {
        Self::of(Kinds::NEVER)
    }

    pub(super) fn none(range: TextRange, why: Why) -> Self {
        Self { none: Some(Origin { range, why }), ..Self::of(Kinds::NONE) }
    }

    pub(super) fn number(kinds: Kinds, interval: Interval) -> Self {
        Self { interval, ..Self::of(kinds) }
    }

    pub(super) fn int() -> Self {
        Self::of(Kinds::INT)
    }

    pub(super) fn float() -> Self {
        Self::of(Kinds::FLOAT)
    }

    pub(super) fn truth(truth: Option<bool>) -> Self {
        let interval = truth.map_or(Interval::TRUTH, |truth| Interval::one(f64::from(u8::from(truth))));
        Self::number(Kinds::BOOL, interval)
    }

    pub(super) fn text(texts: impl IntoIterator<Item = Rc<str>>) -> Self {
        Self { texts: Some(Rc::new(texts.into_iter().collect())), ..Self::of(Kinds::TEXT) }
    }

    pub(super) fn objects(classes: u64) -> Self {
        Self { classes, ..Self::of(if classes == 0 { Kinds::NEVER } else { Kinds::OBJECT }) }
    }

    pub(super) fn list(element: Self) -> Self {
        let inside = if element.depth() >= MAX_INSIDE { Self::any() } else { element };
        Self { inside: Inside::Elements(Rc::new(inside)), ..Self::of(Kinds::LIST) }
    }

    pub(super) fn tuple(parts: Vec<Self>) -> Self {
        if parts.iter().any(|part| part.depth() >= MAX_INSIDE) {
            return Self::of(Kinds::THING);
        }
        Self::thing(Inside::Parts(parts.into()))
    }

    /// Creates a dict whose values are all abstracted by `value`; keys are not tracked.
    pub(super) fn table(value: Self) -> Self {
        if value.depth() >= MAX_INSIDE || value.is_never() {
            return Self::of(Kinds::THING);
        }
        Self::thing(Inside::Table(Rc::new(Self { blurred: true, ..value })))
    }

    pub(super) fn thing(inside: Inside<'a>) -> Self {
        Self { inside, ..Self::of(Kinds::THING) }
    }

    fn depth(&self) -> usize {
        match &self.inside {
            Inside::Elements(element) | Inside::Table(element) => 1 + element.depth(),
            Inside::Parts(parts) => 1 + parts.iter().map(Self::depth).max().unwrap_or(0),
            _ => 0,
        }
    }

    pub(super) fn is_any(&self) -> bool {
        self.kinds.has(Kinds::ANY)
    }

    pub(super) fn is_never(&self) -> bool {
        self.kinds == Kinds::NEVER
    }

    pub(super) fn may_be_none(&self) -> bool {
        self.kinds.has(Kinds::NONE) || (self.is_any() && !self.some && self.filled != Some(true))
    }

    /// Returns whether all possible values have these kinds; `false` for unknown values.
    pub(super) fn within(&self, kinds: Kinds) -> bool {
        !self.is_any() && !self.is_never() && self.kinds.within(kinds)
    }

    /// Removes these kinds.
    pub(super) fn without(mut self, kinds: Kinds) -> Self {
        self.kinds = self.kinds.without(kinds);
        if kinds.has(Kinds::NONE) {
            self.none = None;
        }
        if !self.kinds.has(Kinds::OBJECT) {
            self.classes = 0;
        }
        self
    }

    /// Restricts the value to these kinds; unknown values remain unknown.
    pub(super) fn only(self, kinds: Kinds) -> Self {
        if self.is_any() {
            return self;
        }
        let others = self.kinds.without(kinds);
        let none = self.none.filter(|_| kinds.has(Kinds::NONE));
        Self { none, ..self.without(others) }
    }

    /// Restricts objects to these classes; other kinds remain.
    pub(super) fn narrowed(mut self, classes: u64) -> Self {
        self.classes &= classes;
        if self.classes == 0 { self.without(Kinds::OBJECT) } else { self }
    }

    /// Suppresses reports that depend on excluded values.
    pub(super) fn blur(&mut self) {
        self.none = None;
        self.blurred = true;
    }

    /// Suppresses reports that depend on the contents.
    pub(super) fn forget_inside(&mut self) {
        match &self.inside {
            Inside::Parts(parts) if parts.iter().any(|part| part.kinds.has(Kinds::NONE)) => {
                let known = |part: &Self| Self { none: None, ..part.clone() };
                self.inside = Inside::Parts(parts.iter().map(known).collect());
            }
            Inside::Elements(element) if element.kinds.has(Kinds::NONE) => {
                self.inside = Inside::Elements(Rc::new(Self { none: None, ..(**element).clone() }));
            }
            Inside::Table(_) => self.inside = Inside::Nothing,
            _ => {}
        }
    }

    /// Returns the value that abstracts the values of a dict.
    pub(super) fn table_value(&self) -> Option<&Self> {
        match &self.inside {
            Inside::Table(value) if self.kinds == Kinds::THING => Some(value),
            _ => None,
        }
    }

    pub(super) fn element(&self) -> Self {
        match &self.inside {
            Inside::Elements(element) if self.kinds == Kinds::LIST => (**element).clone(),
            _ => Self::any(),
        }
    }

    pub(super) fn parts(&self) -> Option<&[Self]> {
        match &self.inside {
            Inside::Parts(parts) if self.kinds == Kinds::THING => Some(parts),
            _ => None,
        }
    }

    /// Returns whether the value may be truthy, and whether it may be falsy; both for unreachable values, for which nothing is reported.
    pub(super) fn may_be(&self) -> [bool; 2] {
        if self.is_any() {
            return [self.filled != Some(false), self.filled != Some(true)];
        }
        if self.is_never() {
            return [true, true];
        }
        let (mut yes, mut no) = (false, self.may_be_none());
        if self.kinds.has(Kinds::NUMBER) {
            no |= self.interval.has(0.0);
            yes |= self.interval != Interval::one(0.0);
        }
        if self.kinds.has(Kinds::TEXT) {
            no |= self.texts.as_ref().is_none_or(|texts| texts.contains(""));
            yes |= self.texts.as_ref().is_none_or(|texts| texts.iter().any(|text| !text.is_empty()));
        }
        if self.kinds.has(Kinds::OBJECT) {
            (yes, no) = (true, true);
        }
        if self.kinds.has(Kinds::LIST) {
            yes |= self.filled != Some(false);
            no |= self.filled != Some(true);
        }
        if self.kinds.has(Kinds::THING) {
            let empty = match &self.inside {
                Inside::Parts(parts) => Some(parts.is_empty()),
                Inside::Nothing | Inside::Elements(_) | Inside::Table(_) => None,
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
            let filled = self.filled.filter(|_| self.filled == other.filled && self.kinds == other.kinds);
            return Self { filled, some: !self.may_be_none() && !other.may_be_none(), ..Self::any() };
        }
        // A `None` without an origin suppresses reports of the other one.
        let none = match (self.may_be_none(), other.may_be_none()) {
            (true, true) => self.none.and(other.none).and(self.none),
            _ => self.none.or(other.none),
        };
        let numbers = [self, other].map(|side| side.kinds.has(Kinds::NUMBER).then_some(side.interval));
        let interval = match numbers {
            [Some(one), Some(other)] => one.join(other),
            [one, other] => one.or(other).unwrap_or(Interval::ALL),
        };
        let filled = if self.filled == other.filled { self.filled } else { None };
        Self {
            kinds: self.kinds.with(other.kinds),
            none,
            classes: self.classes | other.classes,
            blurred: self.blurred || other.blurred,
            interval,
            texts: self.join_texts(other),
            written: if self.written == other.written { self.written } else { None },
            filled,
            whole: self.whole && other.whole,
            some: false,
            inside: self.join_inside(other),
        }
    }

    fn join_texts(&self, other: &Self) -> Option<Rc<BTreeSet<Rc<str>>>> {
        match (self.kinds.has(Kinds::TEXT), other.kinds.has(Kinds::TEXT)) {
            (true, true) => {
                let (one, other) = (self.texts.as_ref()?, other.texts.as_ref()?);
                let all: BTreeSet<Rc<str>> = one.union(other).cloned().collect();
                (all.len() <= MAX_TEXTS).then(|| Rc::new(all))
            }
            (true, false) => self.texts.clone(),
            _ => other.texts.clone(),
        }
    }

    fn join_inside(&self, other: &Self) -> Inside<'a> {
        let holds = |value: &Self| value.kinds.has(Kinds::LIST) || value.kinds.has(Kinds::THING);
        match (holds(self), holds(other)) {
            (true, false) => return self.inside.clone(),
            (false, true) => return other.inside.clone(),
            _ => {}
        }
        match (&self.inside, &other.inside) {
            (one, other) if one == other => one.clone(),
            (Inside::Elements(one), Inside::Elements(other)) => Inside::Elements(Rc::new(one.join(other))),
            (Inside::Parts(one), Inside::Parts(other)) if one.len() == other.len() => {
                Inside::Parts(one.iter().zip(other.iter()).map(|(one, other)| one.join(other)).collect())
            }
            (Inside::Table(one), Inside::Table(other)) => Inside::Table(Rc::new(one.join(other))),
            (Inside::Classes(one), Inside::Classes(other)) => Inside::Classes(one | other),
            (Inside::ClassOf(one), Inside::ClassOf(other)) => Inside::ClassOf(one | other),
            _ => Inside::Nothing,
        }
    }

    /// Widens the numbers that have changed since `before` to infinity, so that loops reach a fixed point.
    pub(super) fn widened(&self, before: &Self) -> Self {
        let mut wide = self.clone();
        if before.kinds.has(Kinds::NUMBER) && self.interval != before.interval {
            let low = if self.interval.low < before.interval.low { f64::NEG_INFINITY } else { self.interval.low };
            let high = if self.interval.high > before.interval.high { f64::INFINITY } else { self.interval.high };
            wide.interval = Interval { low, high };
        }
        if let (Inside::Parts(now), Inside::Parts(before)) = (&self.inside, &before.inside)
            && now.len() == before.len()
        {
            wide.inside = Inside::Parts(now.iter().zip(before.iter()).map(|(now, old)| now.widened(old)).collect());
        }
        if let (Inside::Elements(now), Inside::Elements(before)) = (&self.inside, &before.inside) {
            wide.inside = Inside::Elements(Rc::new(now.widened(before)));
        }
        wide
    }

    /// Returns the key that separates states: whether the value is `None` or unbound, its value if Boolean, and whether it has elements.
    pub(super) fn mark(&self) -> u8 {
        let none = match (self.may_be_none(), self.kinds) {
            (true, Kinds::NONE) => 1,
            (true, _) => 2,
            (false, Kinds::UNBOUND) => 3,
            (false, _) => 0,
        };
        let flag = match (self.kinds, self.interval.is_one()) {
            (Kinds::BOOL, true) => 1 + u8::from(self.interval.has(1.0)),
            _ => 0,
        };
        let filled = self.filled.map_or(0, |filled| 1 + u8::from(filled));
        none + 4 * flag + 12 * filled
    }
}
