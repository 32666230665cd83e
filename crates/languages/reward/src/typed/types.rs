//! What a value may be: kinds, classes of objects, and where lists were made.

use std::sync::Arc;

use indexmap::IndexSet;

use crate::code::{CodeId, Symbol};

/// Most parts of a tuple that the program makes, and of its parts.
const MAX_PARTS: usize = 1024;

/// Kinds of values, as a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Kinds(u16);

impl Kinds {
    /// No value at all: what is not reached.
    pub(crate) const NEVER: Self = Self(0);
    /// A variable that has no value yet.
    pub(crate) const UNBOUND: Self = Self(1);
    pub(crate) const NONE: Self = Self(2);
    pub(crate) const BOOL: Self = Self(4);
    pub(crate) const INT: Self = Self(8);
    pub(crate) const FLOAT: Self = Self(16);
    pub(crate) const TEXT: Self = Self(32);
    /// An object of the world.
    pub(crate) const OBJECT: Self = Self(64);
    pub(crate) const LIST: Self = Self(128);
    /// What is known without running: functions, classes; or is made of parts, as tuples and iterators are.
    pub(crate) const THING: Self = Self(256);
    /// Values that have nothing in common that is kept track of.
    pub(crate) const ANY: Self = Self(512);
    /// Kinds of numbers.
    pub(crate) const NUMBER: Self = Self(4 + 8 + 16);

    pub(crate) fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether all of these are among the others.
    pub(crate) fn within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    pub(crate) fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(crate) fn only(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Whether it is one kind and no more.
    pub(crate) fn is_one(self) -> bool {
        self.0.is_power_of_two()
    }
}

/// What a value may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Type {
    pub(crate) kinds: Kinds,
    /// The classes of objects, as bits.
    pub(crate) classes: u64,
    /// Where lists were made, by the place among [`Types`]' sites.
    pub(crate) site: u32,
    /// One more than the place among [`Types`]' things, of [`Kinds::THING`] and of constants; 0 if nothing is known.
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

    /// Objects of these classes.
    pub(crate) fn objects(classes: u64) -> Self {
        let kinds = if classes == 0 { Kinds::NEVER } else { Kinds::OBJECT };
        Self { classes, ..Self::of(kinds) }
    }

    pub(crate) fn is_never(&self) -> bool {
        self.kinds == Kinds::NEVER
    }

    /// What of it is of these kinds.
    pub(crate) fn only(mut self, kinds: Kinds) -> Self {
        self.kinds = self.kinds.only(kinds);
        if !self.kinds.has(Kinds::OBJECT) {
            self.classes = 0;
        }
        if !self.kinds.has(Kinds::LIST) {
            self.site = 0;
        }
        if !self.kinds.is_one() {
            self.detail = 0;
        }
        self
    }

    pub(crate) fn without(self, kinds: Kinds) -> Self {
        self.only(Kinds(u16::MAX).without(kinds))
    }

    /// Its objects narrowed to these classes; other kinds stay.
    pub(crate) fn narrowed(mut self, classes: u64) -> Self {
        self.classes &= classes;
        if self.classes == 0 { self.without(Kinds::OBJECT) } else { self }
    }
}

/// What is known of a value beside its kind.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Thing {
    Bool(bool),
    Int(i64),
    /// By its bits.
    Float(u64),
    /// By its place among [`Types`]' texts.
    Text(u32),
    Tuple(Vec<Type>),
    /// A function with the variables of functions around, and its defaults.
    Function(CodeId, Vec<Captured>, Vec<Type>),
    /// A generator that has not begun, with what it goes over.
    Generator(CodeId, Vec<Captured>, Type),
    Cell(Captured),
    Class(u16),
    Builtin(Arc<str>),
    Math(&'static str),
    Module(&'static str),
    /// A method with what it is called on.
    Method(Type, Symbol),
    /// What `type(object)` gives.
    ClassOf(Type),
    /// A range of this step.
    Range(i64),
    Iterator(Iterated),
}

/// What an iterator goes over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Iterated {
    /// A list, as its type has it.
    List(Type),
    /// A list with its places, from this one on.
    Enumerated(Type, i64),
    /// Numbers in this step.
    Range(i64),
}

/// A variable of a function that is running, which functions inside see.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Captured {
    pub(crate) instance: super::InstanceId,
    /// By its place among the instance's variables.
    pub(crate) variable: u32,
}

/// Where a list is made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Site {
    /// What its elements may be.
    pub(crate) element: Type,
    /// Whether its elements change after it was made.
    pub(crate) changes: bool,
}

/// What types refer to.
#[derive(Debug, Default)]
pub(crate) struct Types {
    things: IndexSet<Thing>,
    /// Lists that may be the same one share a site: each tells which it has become.
    merged: Vec<u32>,
    sites: Vec<Site>,
    /// Texts that are known, the names of the program first.
    pub(crate) texts: IndexSet<Arc<str>>,
    /// Whether anything has grown.
    pub(crate) changed: bool,
}

impl Types {
    pub(crate) fn thing(&mut self, thing: Thing) -> Type {
        let kinds = match thing {
            Thing::Bool(_) => Kinds::BOOL,
            Thing::Int(_) => Kinds::INT,
            Thing::Float(_) => Kinds::FLOAT,
            Thing::Text(_) => Kinds::TEXT,
            _ => Kinds::THING,
        };
        let (place, _) = self.things.insert_full(thing);
        Type { detail: place as u32 + 1, ..Type::of(kinds) }
    }

    pub(crate) fn bool(&mut self, truth: Option<bool>) -> Type {
        truth.map_or(Type::BOOL, |truth| self.thing(Thing::Bool(truth)))
    }

    pub(crate) fn text(&mut self, text: &str) -> Type {
        let place = self.texts.get_index_of(text).unwrap_or_else(|| self.texts.insert_full(text.into()).0);
        self.thing(Thing::Text(place as u32))
    }

    /// What is known of a value beside its kind.
    pub(crate) fn detail(&self, of: Type) -> Option<&Thing> {
        self.things.get_index(of.detail.checked_sub(1)? as usize)
    }

    /// Whether the value is one that is known: a number or a text.
    pub(crate) fn constant(&self, of: Type) -> Option<&Thing> {
        if of.kinds.within(Kinds::NUMBER.with(Kinds::TEXT)) { self.detail(of) } else { None }
    }

    pub(crate) fn int(&self, of: Type) -> Option<i64> {
        match self.constant(of)? {
            Thing::Int(number) => Some(*number),
            Thing::Bool(truth) => Some((*truth).into()),
            _ => None,
        }
    }

    /// Whether the value counts as true, as far as that is known.
    pub(crate) fn truth(&self, of: Type) -> Option<bool> {
        if of.kinds == Kinds::NONE {
            return Some(false);
        }
        match self.detail(of)? {
            Thing::Bool(truth) => Some(*truth),
            Thing::Int(number) => Some(*number != 0),
            Thing::Float(bits) => Some(f64::from_bits(*bits) != 0.0),
            Thing::Text(place) => Some(!self.texts[*place as usize].is_empty()),
            Thing::Tuple(parts) => Some(!parts.is_empty()),
            Thing::Range(_) => None,
            _ => Some(true),
        }
    }

    /// A tuple, unless it has too many parts, and parts of those, for each to be followed.
    pub(crate) fn tuple(&mut self, parts: Vec<Type>) -> Option<Type> {
        let mut left = MAX_PARTS;
        parts.iter().all(|&part| self.takes(part, &mut left)).then(|| self.thing(Thing::Tuple(parts)))
    }

    /// Takes a value with all its parts from what is left. Whether there was as much.
    fn takes(&self, value: Type, left: &mut usize) -> bool {
        let Some(rest) = left.checked_sub(1) else { return false };
        *left = rest;
        match self.detail(value) {
            Some(Thing::Tuple(parts)) => parts.iter().all(|&part| self.takes(part, left)),
            _ => true,
        }
    }

    /// A new place where lists are made.
    pub(crate) fn site(&mut self) -> u32 {
        self.merged.push(self.merged.len() as u32);
        self.sites.push(Site { element: Type::NEVER, changes: false });
        self.sites.len() as u32 - 1
    }

    pub(crate) fn list(site: u32) -> Type {
        Type { site, ..Type::of(Kinds::LIST) }
    }

    /// The site that this one has become.
    pub(crate) fn root(&self, mut site: u32) -> u32 {
        while self.merged[site as usize] != site {
            site = self.merged[site as usize];
        }
        site
    }

    pub(crate) fn site_of(&self, list: Type) -> Site {
        self.sites[self.root(list.site) as usize]
    }

    /// What a list's elements may be.
    pub(crate) fn element(&self, list: Type) -> Type {
        self.site_of(list).element
    }

    /// Notes that a list may hold this.
    pub(crate) fn holds(&mut self, list: Type, element: Type) {
        let site = self.root(list.site) as usize;
        let joined = self.join(self.sites[site].element, element);
        let site = self.root(list.site) as usize;
        if self.sites[site].element != joined {
            self.sites[site].element = joined;
            self.changed = true;
        }
    }

    /// Notes that a list changes after it was made.
    pub(crate) fn changes(&mut self, list: Type) {
        let site = self.root(list.site) as usize;
        self.changed |= !std::mem::replace(&mut self.sites[site].changes, true);
    }

    fn merge(&mut self, one: u32, two: u32) -> u32 {
        let (one, two) = (self.root(one), self.root(two));
        if one == two {
            return one;
        }
        let (kept, gone) = (one.min(two), one.max(two));
        self.merged[gone as usize] = kept;
        self.changed = true;
        let Site { element, changes } = self.sites[gone as usize];
        let joined = self.join(self.sites[kept as usize].element, element);
        let kept = self.root(kept);
        let changes = self.sites[kept as usize].changes || changes;
        self.sites[kept as usize] = Site { element: joined, changes };
        kept
    }

    /// What is either this or that.
    pub(crate) fn join(&mut self, one: Type, two: Type) -> Type {
        if one == two || two.is_never() {
            return one;
        }
        if one.is_never() {
            return two;
        }
        let kinds = one.kinds.with(two.kinds);
        if kinds.has(Kinds::ANY) {
            return Type::ANY;
        }
        if kinds.has(Kinds::THING) {
            return self.join_things(one, two);
        }
        let site = match (one.kinds.has(Kinds::LIST), two.kinds.has(Kinds::LIST)) {
            (true, true) => self.merge(one.site, two.site),
            (true, false) => self.root(one.site),
            (false, true) => self.root(two.site),
            (false, false) => 0,
        };
        let detail = if one.detail == two.detail { one.detail } else { 0 };
        let detail = if kinds.is_one() { detail } else { 0 };
        Type { kinds, classes: one.classes | two.classes, site, detail }
    }

    /// Tuples are joined part by part; what differs otherwise has nothing in common.
    fn join_things(&mut self, one: Type, two: Type) -> Type {
        if one.kinds != two.kinds {
            return Type::ANY;
        }
        if one.detail == two.detail {
            return one;
        }
        match (self.detail(one).cloned(), self.detail(two).cloned()) {
            (Some(Thing::Tuple(left)), Some(Thing::Tuple(right))) if left.len() == right.len() => {
                let parts: Vec<Type> = left.iter().zip(&right).map(|(&left, &right)| self.join(left, right)).collect();
                if parts.iter().any(|part| part.kinds.has(Kinds::ANY)) {
                    return Type::ANY;
                }
                self.thing(Thing::Tuple(parts))
            }
            (Some(Thing::Iterator(Iterated::List(left))), Some(Thing::Iterator(Iterated::List(right)))) => {
                let list = self.join(left, right);
                self.thing(Thing::Iterator(Iterated::List(list)))
            }
            _ => Type::ANY,
        }
    }
}
