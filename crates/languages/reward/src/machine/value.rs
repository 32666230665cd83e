//! Values, and what they refer to.

use std::sync::Arc;

use indexmap::IndexMap;
use num_bigint::BigInt;
use rustc_hash::FxHashSet;

use super::builtins::Builtin;
use super::dict::Dict;
use super::entities::{EntityObject, State};
use super::exceptions::{Exception, ExceptionKind};
use super::frame::Frame;
use super::iterators::{Entries, Iterator};
use super::library::{Dataclass, Deque, FieldSpec, Generated};
use super::methods::Method;
use super::numpy::{Array, Kind, Scalar};
use super::screen::{ClassId, ScreenObject};
use super::typing::Marker;
use crate::code::{CodeId, Symbol};
use crate::library::Library;

/// A cell of the heap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Ref(pub(crate) u32);

/// A value. Two of them are the same object if they are equal here, but for numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Value {
    None,
    Ellipsis,
    NotImplemented,
    Bool(bool),
    Int(i64),
    Float(f64),
    /// A number of numpy's.
    Numpy(Scalar),
    /// A `dtype` of numpy: a kind of numbers.
    Dtype(Kind),
    Type(Type),
    Builtin(Builtin),
    Ref(Ref),
}

/// A class that a program does not define itself.
#[allow(clippy::enum_variant_names, reason = "they are called so")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Type {
    Object,
    Type,
    NoneType,
    Ellipsis,
    NotImplementedType,
    Bool,
    Int,
    Float,
    Str,
    Bytes,
    List,
    Tuple,
    Dict,
    Set,
    Range,
    Slice,
    Function,
    BuiltinFunction,
    Method,
    BuiltinMethod,
    Generator,
    Iterator(&'static str),
    Module,
    Property,
    StaticMethod,
    ClassMethod,
    Exception(ExceptionKind),
    /// A class of objects of the world.
    Screen(ClassId),
    /// A class of the world whose objects have attributes of their own.
    Entity(ClassId),
    /// What holds the objects of a moment.
    State(&'static str),
    /// Of numpy's numbers.
    Numpy(Kind),
    Array,
    /// Of Python's own libraries, by what messages call it.
    Library(&'static str),
}

/// What a reference refers to.
#[derive(Debug, Clone)]
pub(crate) enum Cell {
    /// Nothing: the cell can be used again.
    Free,
    Text(Arc<str>),
    Bytes(Arc<[u8]>),
    Big(BigInt),
    List(Vec<Value>),
    Tuple(Box<[Value]>),
    Dict(Dict),
    Set(Dict),
    Range {
        start: i64,
        stop: i64,
        step: i64,
    },
    Slice([Value; 3]),
    Iterator(Iterator),
    /// A generator: its frame, unless it is running or over.
    Generator(Option<Box<Frame>>),
    Function(Box<Function>),
    /// A function of a class with the object that it is called on.
    Bound {
        receiver: Value,
        function: Value,
    },
    /// A method that is built in, with the object that it is called on.
    Method(Value, Method),
    /// A method that is built in, as its class has it.
    MethodOf(Type, Method),
    Class(Box<Class>),
    /// `int | str`: objects of any of these classes.
    Union(Box<[Value]>),
    /// `list[int]`: a class or a name of `typing` with what it is of.
    Alias {
        origin: Value,
        arguments: Value,
    },
    /// What `TypeVar`, `NewType` and the like give.
    Marker(Box<Marker>),
    Instance {
        class: Ref,
        fields: IndexMap<Symbol, Value>,
        /// The value that it is beside, if its class is derived from one that is built in.
        base: Option<Value>,
    },
    /// A variable that several functions see.
    Variable(Option<Value>),
    Exception(Box<Exception>),
    Screen(Box<ScreenObject>),
    Entity(Box<EntityObject>),
    State(State),
    /// The numbers that arrays are views of.
    Buffer(Vec<Scalar>),
    Array(Box<Array>),
    /// A module with the name that the program imports it by.
    Module(Library, Symbol),
    Property {
        get: Value,
        set: Option<Value>,
        delete: Option<Value>,
    },
    StaticMethod(Value),
    ClassMethod(Value),
    Deque(Box<Deque>),
    /// What `keys()`, `values()` and `items()` of a dict give.
    View(Value, Entries),
    /// `functools.partial`
    Partial {
        function: Value,
        arguments: Box<[Value]>,
        named: Box<[(Symbol, Value)]>,
    },
    /// A function that remembers what it gave, of so many calls.
    Cached {
        function: Value,
        memo: Ref,
        most: Option<i64>,
        /// Whether arguments of other classes are others.
        typed: bool,
        /// How often it knew, and how often it did not.
        asked: [i64; 2],
    },
    /// A method that a decorator made for a class.
    Generated(Ref, Generated),
    /// What `dataclasses.field` gives.
    Field(Box<FieldSpec>),
    /// A field of named tuples, by its place.
    TupleField(usize),
    /// What `enum.auto` gives.
    Auto,
    /// What `super` gives: the attributes of an object from behind a class on.
    Super {
        class: Ref,
        object: Value,
    },
}

/// A function of the program.
#[derive(Debug, Clone)]
pub(crate) struct Function {
    pub(crate) code: CodeId,
    /// Of the last positional parameters.
    pub(crate) defaults: Vec<Value>,
    pub(crate) keyword_defaults: Vec<(Symbol, Value)>,
    /// Cells.
    pub(crate) closure: Vec<Ref>,
    pub(crate) fields: IndexMap<Symbol, Value>,
    /// The class whose body it stands in.
    pub(crate) owner: Option<Ref>,
}

/// A class of the program.
#[derive(Debug, Clone)]
pub(crate) struct Class {
    pub(crate) name: Arc<str>,
    /// The name with those of what is around it.
    pub(crate) qualified: Arc<str>,
    pub(crate) fields: IndexMap<Symbol, Value>,
    pub(crate) kind: ClassKind,
    /// Abstract methods that it does not define.
    pub(crate) missing: Vec<Symbol>,
    /// The class, its bases, and theirs, in the order in which attributes are looked for.
    pub(crate) order: Vec<Value>,
    /// The attributes that its objects have, if it says so: others cannot be set, unless a base says nothing.
    pub(crate) slots: Option<FxHashSet<Symbol>>,
}

/// What kind of class.
#[derive(Debug, Clone)]
pub(crate) enum ClassKind {
    Plain,
    Dataclass(Box<Dataclass>),
    /// Its objects are tuples whose elements have names, the last ones with defaults.
    NamedTuple(Vec<(Symbol, Option<Value>)>),
    /// The members, without other names for the same ones.
    Enum(Vec<Ref>),
    /// Its objects are dicts.
    TypedDict,
    /// It names what other classes have; `checkable` if `isinstance` looks for that.
    Protocol {
        checkable: bool,
    },
}

impl ClassKind {
    /// Tells every value that it holds.
    pub(super) fn parts(&self, tell: &mut dyn FnMut(Value)) {
        match self {
            Self::Plain | Self::TypedDict | Self::Protocol { .. } => {}
            Self::Dataclass(dataclass) => dataclass.fields.iter().for_each(|field| field.parts(tell)),
            Self::NamedTuple(fields) => fields.iter().filter_map(|&(_, default)| default).for_each(tell),
            Self::Enum(members) => members.iter().for_each(|&member| tell(Value::Ref(member))),
        }
    }
}
