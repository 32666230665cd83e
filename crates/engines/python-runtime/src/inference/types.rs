//! Types: the kinds of a value, the classes of objects, and the allocation sites of lists.

use std::sync::Arc;

use indexmap::IndexSet;

use crate::code::CodeId;
use crate::library::{LibraryFunction, MethodRow};
use crate::machine::BuiltinConstant;

/// The maximum number of elements of a tuple, including nested ones.
const MAX_TUPLE_ELEMENTS: usize = 1024;

/// A set of kinds of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Kinds(u16);

impl Kinds {
    /// The empty set: the type of unreachable values.
    pub const NEVER: Self = Self(0);
    /// An unbound variable.
    pub const UNBOUND: Self = Self(1);
    /// The value `None`.
    pub const NONE: Self = Self(2);
    /// Booleans.
    pub const BOOL: Self = Self(4);
    /// Integers.
    pub const INT: Self = Self(8);
    /// Floating-point numbers of 64 bits.
    pub const FLOAT: Self = Self(16);
    /// Strings.
    pub const TEXT: Self = Self(32);
    /// An object of the world.
    pub const OBJECT: Self = Self(64);
    /// Lists of values.
    pub const LIST: Self = Self(128);
    /// Values known at compile time, such as functions and classes, and composite values, such as tuples and iterators.
    pub const DETAILED: Self = Self(256);
    /// Values of which nothing is known.
    pub const ANY: Self = Self(512);
    /// The kinds of numbers.
    pub const NUMBER: Self = Self(4 + 8 + 16);

    /// Whether the sets have a kind in common.
    pub fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether the kinds are a subset of the others.
    pub fn is_subset(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// Returns the kinds of either set.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the kinds of this set that the other one lacks.
    #[must_use]
    pub fn difference(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Returns the kinds of both sets.
    #[must_use]
    pub fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Whether the set contains exactly one kind.
    pub fn is_single(self) -> bool {
        self.0.is_power_of_two()
    }
}

/// The type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Type {
    pub(crate) kinds: Kinds,
    /// The bit set of the classes of objects.
    pub(crate) classes: u64,
    /// The allocation site of lists, by its index in [`Types`].
    pub(crate) site: u32,
    /// The index of the details in [`Types`] plus one, for [`Kinds::DETAILED`] and for constants; 0 if there are none.
    detail: u32,
}

impl Type {
    pub(crate) const NEVER: Self = Self::of(Kinds::NEVER);
    pub(crate) const ANY: Self = Self::of(Kinds::ANY);
    pub(crate) const UNBOUND: Self = Self::of(Kinds::UNBOUND);
    pub(crate) const NONE: Self = Self::of(Kinds::NONE);
    pub(crate) const BOOL: Self = Self::of(Kinds::BOOL);
    pub(crate) const INT: Self = Self::of(Kinds::INT);
    pub(crate) const FLOAT: Self = Self::of(Kinds::FLOAT);
    pub(crate) const TEXT: Self = Self::of(Kinds::TEXT);

    pub(crate) const fn of(kinds: Kinds) -> Self {
        Self { kinds, classes: 0, site: 0, detail: 0 }
    }

    /// Returns the type of objects of these classes.
    pub(crate) fn objects(classes: u64) -> Self {
        let kinds = if classes == 0 { Kinds::NEVER } else { Kinds::OBJECT };
        Self { classes, ..Self::of(kinds) }
    }

    pub(crate) fn is_never(&self) -> bool {
        self.kinds == Kinds::NEVER
    }

    /// Restricts the type to these kinds.
    pub(crate) fn restrict(mut self, kinds: Kinds) -> Self {
        self.kinds = self.kinds.intersection(kinds);
        if !self.kinds.intersects(Kinds::OBJECT) {
            self.classes = 0;
        }
        if !self.kinds.intersects(Kinds::LIST) {
            self.site = 0;
        }
        if !self.kinds.is_single() {
            self.detail = 0;
        }
        self
    }

    pub(crate) fn exclude(self, kinds: Kinds) -> Self {
        self.restrict(Kinds(u16::MAX).difference(kinds))
    }

    /// Restricts objects to these classes; other kinds stay.
    pub(crate) fn restrict_classes(mut self, classes: u64) -> Self {
        self.classes &= classes;
        if self.classes == 0 { self.exclude(Kinds::OBJECT) } else { self }
    }
}

/// The details of a value beside its kind.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum TypeDetail {
    Bool(bool),
    Int(i64),
    /// A float, by its bits.
    Float(u64),
    /// A text, by its index in [`Types`].
    Text(u32),
    Tuple(Vec<Type>),
    /// A function with its captured variables and the types of its defaults.
    Function(CodeId, Vec<CapturedVariable>, Vec<Type>),
    /// A generator that has not started, with its captured variables and the type of its iterable.
    Generator(CodeId, Vec<CapturedVariable>, Type),
    Cell(CapturedVariable),
    Class(u16),
    Builtin(BuiltinConstant),
    LibraryFunction(&'static LibraryFunction),
    Module(&'static str),
    /// A method with the type of its receiver.
    Method(Type, &'static MethodRow),
    /// The result of `type(object)`.
    ClassOf(Type),
    /// A range with this step.
    Range(i64),
    Iterator(IterationSource),
}

/// The source of an iterator's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum IterationSource {
    /// A list of this type.
    List(Type),
    /// The enumerated elements of a list, with indices from this number on.
    Enumerate(Type, i64),
    /// A range with this step.
    Range(i64),
}

/// A variable of a running function that inner functions capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct CapturedVariable {
    pub(crate) instance: super::InstanceId,
    /// The index among the instance's variables.
    pub(crate) variable: u32,
}

/// An allocation site of lists.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AllocationSite {
    /// The type of the elements.
    pub(crate) element: Type,
    /// Whether lists of the site are modified after their creation.
    pub(crate) is_mutated: bool,
}

/// The tables that types refer to.
#[derive(Debug, Default)]
pub(crate) struct Types {
    details: IndexSet<TypeDetail>,
    /// A union-find forest of the sites: lists that may be the same one share a site.
    parents: Vec<u32>,
    sites: Vec<AllocationSite>,
    /// The known texts, the names of the program first.
    pub(crate) texts: IndexSet<Arc<str>>,
    /// Whether any type has grown.
    pub(crate) changed: bool,
}

impl Types {
    pub(crate) fn detailed(&mut self, thing: TypeDetail) -> Type {
        let kinds = match thing {
            TypeDetail::Bool(_) => Kinds::BOOL,
            TypeDetail::Int(_) => Kinds::INT,
            TypeDetail::Float(_) => Kinds::FLOAT,
            TypeDetail::Text(_) => Kinds::TEXT,
            _ => Kinds::DETAILED,
        };
        let (place, _) = self.details.insert_full(thing);
        Type { detail: place as u32 + 1, ..Type::of(kinds) }
    }

    pub(crate) fn bool(&mut self, truth: Option<bool>) -> Type {
        truth.map_or(Type::BOOL, |truth| self.detailed(TypeDetail::Bool(truth)))
    }

    pub(crate) fn text(&mut self, text: &str) -> Type {
        let place = self.texts.get_index_of(text).unwrap_or_else(|| self.texts.insert_full(text.into()).0);
        self.detailed(TypeDetail::Text(place as u32))
    }

    /// Returns the details of a value beside its kind, if there are any.
    pub(crate) fn detail(&self, of: Type) -> Option<&TypeDetail> {
        self.details.get_index(of.detail.checked_sub(1)? as usize)
    }

    /// Returns the value if it is a known number or text.
    pub(crate) fn constant(&self, of: Type) -> Option<&TypeDetail> {
        if of.kinds.is_subset(Kinds::NUMBER.union(Kinds::TEXT)) { self.detail(of) } else { None }
    }

    pub(crate) fn int(&self, of: Type) -> Option<i64> {
        match self.constant(of)? {
            TypeDetail::Int(number) => Some(*number),
            TypeDetail::Bool(truth) => Some((*truth).into()),
            _ => None,
        }
    }

    /// Returns whether the value is truthy, if that is known.
    pub(crate) fn truth(&self, of: Type) -> Option<bool> {
        if of.kinds == Kinds::NONE {
            return Some(false);
        }
        match self.detail(of)? {
            TypeDetail::Bool(truth) => Some(*truth),
            TypeDetail::Int(number) => Some(*number != 0),
            TypeDetail::Float(bits) => Some(f64::from_bits(*bits) != 0.0),
            TypeDetail::Text(place) => Some(!self.texts[*place as usize].is_empty()),
            TypeDetail::Tuple(parts) => Some(!parts.is_empty()),
            TypeDetail::Range(_) => None,
            _ => Some(true),
        }
    }

    /// Returns the type of a tuple, unless it has too many elements, including nested ones.
    pub(crate) fn tuple(&mut self, parts: Vec<Type>) -> Option<Type> {
        let mut left = MAX_TUPLE_ELEMENTS;
        parts.iter().all(|&part| self.fits(part, &mut left)).then(|| self.detailed(TypeDetail::Tuple(parts)))
    }

    /// Subtracts the number of a value's elements from `left`; returns `false` if there are more.
    fn fits(&self, value: Type, left: &mut usize) -> bool {
        let Some(rest) = left.checked_sub(1) else { return false };
        *left = rest;
        match self.detail(value) {
            Some(TypeDetail::Tuple(parts)) => parts.iter().all(|&part| self.fits(part, left)),
            _ => true,
        }
    }

    /// Creates an allocation site.
    pub(crate) fn site(&mut self) -> u32 {
        self.parents.push(self.parents.len() as u32);
        self.sites.push(AllocationSite { element: Type::NEVER, is_mutated: false });
        self.sites.len() as u32 - 1
    }

    pub(crate) fn list(site: u32) -> Type {
        Type { site, ..Type::of(Kinds::LIST) }
    }

    /// Returns the representative of a site.
    pub(crate) fn root(&self, mut site: u32) -> u32 {
        while self.parents[site as usize] != site {
            site = self.parents[site as usize];
        }
        site
    }

    pub(crate) fn site_of(&self, list: Type) -> AllocationSite {
        self.sites[self.root(list.site) as usize]
    }

    /// Returns the type of a list's elements.
    pub(crate) fn element(&self, list: Type) -> Type {
        self.site_of(list).element
    }

    /// Adds a type to the elements of a list.
    pub(crate) fn add_element(&mut self, list: Type, element: Type) {
        let site = self.root(list.site) as usize;
        let joined = self.join(self.sites[site].element, element);
        let site = self.root(list.site) as usize;
        if self.sites[site].element != joined {
            self.sites[site].element = joined;
            self.changed = true;
        }
    }

    /// Marks a list as modified after its creation.
    pub(crate) fn mark_mutated(&mut self, list: Type) {
        let site = self.root(list.site) as usize;
        self.changed |= !std::mem::replace(&mut self.sites[site].is_mutated, true);
    }

    fn merge(&mut self, one: u32, two: u32) -> u32 {
        let (one, two) = (self.root(one), self.root(two));
        if one == two {
            return one;
        }
        let (representative, gone) = (one.min(two), one.max(two));
        self.parents[gone as usize] = representative;
        self.changed = true;
        let AllocationSite { element, is_mutated: changes } = self.sites[gone as usize];
        let joined = self.join(self.sites[representative as usize].element, element);
        let representative = self.root(representative);
        let changes = self.sites[representative as usize].is_mutated || changes;
        self.sites[representative as usize] = AllocationSite { element: joined, is_mutated: changes };
        representative
    }

    /// Returns the join of two types.
    pub(crate) fn join(&mut self, one: Type, two: Type) -> Type {
        if one == two || two.is_never() {
            return one;
        }
        if one.is_never() {
            return two;
        }
        let kinds = one.kinds.union(two.kinds);
        if kinds.intersects(Kinds::ANY) {
            return Type::ANY;
        }
        if kinds.intersects(Kinds::DETAILED) {
            return self.join_details(one, two);
        }
        let site = match (one.kinds.intersects(Kinds::LIST), two.kinds.intersects(Kinds::LIST)) {
            (true, true) => self.merge(one.site, two.site),
            (true, false) => self.root(one.site),
            (false, true) => self.root(two.site),
            (false, false) => 0,
        };
        let detail = if one.detail == two.detail { one.detail } else { 0 };
        let detail = if kinds.is_single() { detail } else { 0 };
        Type { kinds, classes: one.classes | two.classes, site, detail }
    }

    /// Joins details: tuples element by element; other details that differ have no join.
    fn join_details(&mut self, one: Type, two: Type) -> Type {
        if one.kinds != two.kinds {
            return Type::ANY;
        }
        if one.detail == two.detail {
            return one;
        }
        match (self.detail(one).cloned(), self.detail(two).cloned()) {
            (Some(TypeDetail::Tuple(left)), Some(TypeDetail::Tuple(right))) if left.len() == right.len() => {
                let parts: Vec<Type> = left.iter().zip(&right).map(|(&left, &right)| self.join(left, right)).collect();
                if parts.iter().any(|part| part.kinds.intersects(Kinds::ANY)) {
                    return Type::ANY;
                }
                self.detailed(TypeDetail::Tuple(parts))
            }
            (
                Some(TypeDetail::Iterator(IterationSource::List(left))),
                Some(TypeDetail::Iterator(IterationSource::List(right))),
            ) => {
                let list = self.join(left, right);
                self.detailed(TypeDetail::Iterator(IterationSource::List(list)))
            }
            _ => Type::ANY,
        }
    }
}
