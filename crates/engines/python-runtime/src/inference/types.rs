//! Types: the kinds of a value, the classes of objects, and the allocation sites of lists.

use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxHashMap;

use super::containers::{AllocationSite, Container, EntryPart};
use crate::code::CodeId;
use crate::library::{LibraryFunction, MethodRow};
use crate::machine::{BuiltinConstant, HeapRef};

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
    /// Instances of classes of the program, and dicts whose keys are known at compile time.
    pub const RECORD: Self = Self(1024);
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
    pub const fn union(self, other: Self) -> Self {
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

    /// Returns the kinds without that of `None`.
    #[must_use]
    pub(crate) fn exclude_none(self) -> Self {
        self.difference(Self::NONE)
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
    /// The allocation site of lists and records, by its index in [`Types`].
    pub(crate) site: u32,
    /// The index of the details in [`Types`] plus one, for [`Kinds::DETAILED`] and for constants; 0 if there are none.
    pub(super) detail: u32,
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
        if !self.kinds.intersects(Kinds::LIST.union(Kinds::RECORD)) {
            self.site = 0;
        }
        if !self.kinds.is_single() {
            self.detail = 0;
        }
        self
    }

    /// Returns the word that represents a [fixed](Types::is_fixed) value among others.
    pub(crate) fn fixed_word(self) -> u64 {
        self.detail.into()
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
    /// A function without effects whose results are cached, which makes no difference for arguments that are equal only to themselves.
    CachedFunction(CodeId),
    /// A generator that has not started, with its captured variables and the type of its iterable or, for a generator function, of the tuple
    /// of its arguments.
    Generator(CodeId, Vec<CapturedVariable>, Type),
    Cell(CapturedVariable),
    Class(u16),
    Builtin(BuiltinConstant),
    LibraryFunction(&'static LibraryFunction),
    Module(&'static str),
    /// A method with the type of its receiver.
    Method(Type, &'static MethodRow),
    /// A method of a class of the program, with the type of its receiver and those of its defaults.
    BoundFunction(Type, CodeId, Vec<Type>),
    /// A class of the program, by its cell.
    ProgramClass(HeapRef),
    /// An object of the module, by its cell: a list or a record.
    Object(HeapRef),
    /// One of several [fixed](Types::is_fixed) values.
    OneOf(Vec<Type>),
    /// The result of `bin`.
    BinaryDigits,
    /// The method `count` of the result of `bin`.
    CountDigits,
    /// The result of `type(object)`.
    ClassOf(Type),
    /// A range with this step.
    Range(i64),
    /// The keys, the values or the entries of a dict of this type.
    View(Type, EntryPart),
    /// A slice with its lower bound, upper bound and step.
    Slice(Vec<Type>),
    Iterator(IterationSource),
}

/// The source of an iterator's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum IterationSource {
    /// A list of this type.
    List(Type),
    /// The enumerated elements of a list, with indices from this number on.
    Enumerate(Type, i64),
    /// The keys, the values or the entries of a dict of this type.
    Entries(Type, EntryPart),
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

impl CapturedVariable {
    /// The number of no instance, for variables of functions that the top level called.
    const MODULE: super::InstanceId = super::InstanceId(u32::MAX);

    /// Returns the variable in a cell of the module, by the index of the cell among the objects of the module.
    pub(crate) fn of_module(cell: usize) -> Self {
        Self { instance: Self::MODULE, variable: cell as u32 }
    }

    /// Returns the index of the cell among the objects of the module, if the variable is in one.
    pub(crate) fn module_cell(self) -> Option<usize> {
        (self.instance == Self::MODULE).then_some(self.variable as usize)
    }
}

/// The class and the fields of the records of a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Record {
    /// The class of the instances; `None` for dicts.
    pub(crate) class: Option<HeapRef>,
    /// The types of the fields, by the constant types of their keys, in the order of their first assignment.
    pub(crate) fields: IndexMap<Type, Type>,
}

/// The tables that types refer to.
#[derive(Debug, Default)]
pub(crate) struct Types {
    details: IndexSet<TypeDetail>,
    /// A union-find forest of the sites: lists that may be the same one share a site.
    parents: Vec<u32>,
    sites: Vec<AllocationSite>,
    /// The records of the sites, by the representatives of the sites.
    records: FxHashMap<u32, Record>,
    /// The known texts, the names of the program first.
    pub(crate) texts: IndexSet<Arc<str>>,
    /// Whether functions make texts that are known only at run time.
    pub(crate) makes_texts: bool,
    /// Whether any type has grown.
    pub(crate) changed: bool,
    /// The sites of dicts with known keys that should be tables.
    pub(crate) wanted_tables: Vec<u32>,
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

    /// Returns the type of an object of the module, whose lists or records have this site.
    pub(crate) fn object(&mut self, site: u32, at: HeapRef) -> Type {
        let (place, _) = self.details.insert_full(TypeDetail::Object(at));
        Type { detail: place as u32 + 1, ..self.sited(site) }
    }

    /// Returns the object of the module that a value is, if it is known.
    pub(crate) fn known_object(&self, of: Type) -> Option<HeapRef> {
        match self.detail(of) {
            Some(&TypeDetail::Object(at)) => Some(at),
            _ => None,
        }
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
            TypeDetail::Range(_) | TypeDetail::Object(_) | TypeDetail::View(..) | TypeDetail::OneOf(_) => None,
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
        self.container_site(Container::List)
    }

    /// Creates an allocation site of lists that represent a container.
    pub(crate) fn container_site(&mut self, container: Container) -> u32 {
        self.parents.push(self.parents.len() as u32);
        self.sites.push(AllocationSite {
            element: Type::NEVER,
            is_mutated: false,
            is_persistent: false,
            loses_keys: false,
            container,
        });
        self.sites.len() as u32 - 1
    }

    /// Returns the container that lists of a type represent; `None` for other types.
    pub(crate) fn container(&self, of: Type) -> Option<Container> {
        (of.kinds == Kinds::LIST).then(|| self.site_of(of).container)
    }

    /// Whether a type is that of lists other than deques, sets and dicts.
    pub(crate) fn is_plain_list(&self, of: Type) -> bool {
        self.container(of) == Some(Container::List)
    }

    /// Whether a type is that of lists or deques.
    pub(crate) fn is_sequence(&self, of: Type) -> bool {
        matches!(self.container(of), Some(Container::List | Container::Deque(_)))
    }

    /// Whether a type is that of sets, or of dicts whose keys are known only at run time.
    pub(crate) fn is_table(&self, of: Type) -> bool {
        matches!(self.container(of), Some(Container::Set | Container::Dict(_)))
    }

    pub(crate) fn list(site: u32) -> Type {
        Type { site, ..Type::of(Kinds::LIST) }
    }

    /// Creates an allocation site of records, and returns their type.
    pub(crate) fn new_record(&mut self, class: Option<HeapRef>) -> Type {
        let site = self.site();
        self.records.insert(site, Record { class, fields: IndexMap::new() });
        Type { site, ..Type::of(Kinds::RECORD) }
    }

    /// Returns the type of the lists or records of a site.
    pub(crate) fn sited(&self, site: u32) -> Type {
        let site = self.root(site);
        let kinds = if self.records.contains_key(&site) { Kinds::RECORD } else { Kinds::LIST };
        Type { site, ..Type::of(kinds) }
    }

    /// Returns the class and the fields of the records of a type.
    pub(crate) fn record(&self, of: Type) -> Option<&Record> {
        if !of.kinds.intersects(Kinds::RECORD) {
            return None;
        }
        self.records.get(&self.root(of.site))
    }

    /// Adds a type to those of a field of records.
    pub(crate) fn add_field(&mut self, record: Type, key: Type, value: Type) {
        let of = |types: &Self| types.record(record).and_then(|found| found.fields.get(&key).copied());
        let joined = self.join(of(self).unwrap_or(Type::NEVER), value);
        if of(self) == Some(joined) {
            return;
        }
        let site = self.root(record.site);
        if let Some(found) = self.records.get_mut(&site) {
            found.fields.insert(key, joined);
            self.changed = true;
        }
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

    /// Marks a list or record as modified after its creation.
    pub(crate) fn mark_mutated(&mut self, list: Type) {
        let site = self.root(list.site) as usize;
        self.changed |= !std::mem::replace(&mut self.sites[site].is_mutated, true);
    }

    /// Marks dicts as losing keys.
    pub(crate) fn mark_losing_keys(&mut self, dict: Type) {
        let site = self.root(dict.site) as usize;
        self.changed |= !std::mem::replace(&mut self.sites[site].loses_keys, true);
    }

    /// Marks lists or records of a site as existing before the call or after it.
    pub(crate) fn mark_persistent(&mut self, list: Type) {
        let site = self.root(list.site) as usize;
        self.changed |= !std::mem::replace(&mut self.sites[site].is_persistent, true);
    }

    pub(super) fn merge(&mut self, one: u32, two: u32) -> u32 {
        let (one, two) = (self.root(one), self.root(two));
        if one == two {
            return one;
        }
        let (representative, gone) = (one.min(two), one.max(two));
        self.parents[gone as usize] = representative;
        self.changed = true;
        let gone_site = self.sites[gone as usize];
        let fields = self.records.remove(&gone).map(|record| record.fields);
        let joined = self.join(self.sites[representative as usize].element, gone_site.element);
        let root = self.root(representative);
        let kept = &mut self.sites[root as usize];
        kept.element = joined;
        kept.is_mutated |= gone_site.is_mutated;
        kept.is_persistent |= gone_site.is_persistent;
        kept.loses_keys |= gone_site.loses_keys;
        self.merge_fields(root, fields.unwrap_or_default());
        self.root(root)
    }

    /// Joins the fields of records into those of a site. Fields that only some of the records have may be absent.
    fn merge_fields(&mut self, site: u32, fields: IndexMap<Type, Type>) {
        let record = Type { site, ..Type::of(Kinds::RECORD) };
        let Some(own) = self.record(record) else { return };
        let missing: Vec<Type> = own.fields.keys().filter(|key| !fields.contains_key(*key)).copied().collect();
        for key in missing {
            self.add_field(record, key, Type::UNBOUND);
        }
        for (key, value) in fields {
            let is_known = self.record(record).is_some_and(|own| own.fields.contains_key(&key));
            if !is_known {
                self.add_field(record, key, Type::UNBOUND);
            }
            self.add_field(record, key, value);
        }
    }
}
