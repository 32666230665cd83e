//! Values of the machine, and the heap cells that they refer to.

use std::sync::Arc;

use indexmap::IndexMap;
use num_bigint::BigInt;
use rustc_hash::{FxBuildHasher, FxHashSet};
use smallvec::SmallVec;

use super::dict::Dict;
use super::entities::{EntityInstance, StateObject};
use super::exceptions::{Exception, ExceptionKind};
use super::frame::SuspendedFrame;
use super::iterators::{EntryPart, IteratorState};
use super::library::{ContextManager, Dataclass, Deque, FieldSpec, GeneratedMethod, LibraryObject};
use super::library_class::LibraryClass;
use super::library_function::LibraryFunction;
use super::methods::Method;
use super::numpy::{Array, Dtype, PackedScalar, Scalar};
use super::screen::{ClassId, ScreenObject};
use super::typing::TypingMarker;
use super::wrappers::Wrapper;
use crate::code::{CodeId, Symbol};
use crate::library::Library;

/// The attributes of an object, in the order of their first assignment.
pub(crate) type AttributeMap = IndexMap<Symbol, Value, FxBuildHasher>;

/// The elements of a tuple. Pairs and triples, the most common ones, lie in the cell itself.
pub(crate) type TupleElements = SmallVec<[Value; 3]>;

/// A reference to a cell of the heap: its index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct HeapRef(pub(crate) u32);

/// A Python value: an immediate value or a reference to a cell of the heap. Except for numbers, values with the same content here are the
/// same object.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Value {
    None,
    Ellipsis,
    NotImplemented,
    Bool(bool),
    Int(i64),
    Float(f64),
    /// A scalar of numpy.
    Numpy(PackedScalar),
    /// A `dtype` of numpy.
    Dtype(Dtype),
    Type(Type),
    /// A function of a table.
    Builtin(&'static LibraryFunction),
    /// A method of the program with the object that it is called on, between `LoadMethod` and the call.
    Method {
        receiver: HeapRef,
        function: HeapRef,
    },
    /// A built-in method with the object that it is called on, between `LoadMethod` and the call, by its index among the known methods.
    BuiltinMethod {
        receiver: HeapRef,
        method: u32,
    },
    Ref(HeapRef),
}

// Values are copied by every instruction.
const _: () = assert!(size_of::<Value>() == 16);

impl Value {
    /// Writes a copy to a place.
    ///
    /// A processor delays a read that is wider than the writes before it. Values are written in two parts, and copied soon after; a plain
    /// copy is one wide read.
    #[allow(clippy::inline_always, reason = "the interpreter loop copies values in most instructions")]
    #[inline(always)]
    pub(crate) fn copy_to(&self, target: &mut Self) {
        // Three cases are compared one by one; a table of more would be an indirect jump for every copy.
        match *self {
            Self::Int(number) => *target = Self::Int(number),
            Self::Float(number) => *target = Self::Float(number),
            Self::Ref(at) => *target = Self::Ref(at),
            _ => *target = *self,
        }
    }

    /// Pushes a [copy](Self::copy_to) onto a stack.
    #[allow(clippy::inline_always, reason = "the interpreter loop copies values in most instructions")]
    #[inline(always)]
    pub(crate) fn push_to(&self, stack: &mut Vec<Self>) {
        stack.push(Self::None);
        if let Some(target) = stack.last_mut() {
            self.copy_to(target);
        }
    }

    /// Writes a [copy](Self::copy_to) to a variable.
    #[allow(clippy::inline_always, reason = "the interpreter loop copies values in most instructions")]
    #[inline(always)]
    pub(crate) fn store_in(&self, variable: &mut Option<Self>) {
        self.copy_to(variable.insert(Self::None));
    }
}

impl From<Scalar> for Value {
    fn from(scalar: Scalar) -> Self {
        Self::Numpy(scalar.into())
    }
}

/// A name of a class in static memory, by a thin reference.
pub(crate) type StaticName = &'static &'static str;

/// A class that the program does not define itself.
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
    Iterator(StaticName),
    Module,
    Property,
    StaticMethod,
    ClassMethod,
    Exception(ExceptionKind),
    /// A class of screen objects.
    Screen(ClassId),
    /// A class of the world whose objects have their own attributes.
    Entity(ClassId),
    /// The class of the object that holds the objects of a state, by its name.
    State(StaticName),
    /// A scalar class of numpy.
    Numpy(Dtype),
    Array,
    /// A class of Python's standard library or of numpy.
    Library(&'static LibraryClass),
    /// A name of `typing` that annotations use, by its qualified name.
    Typing(StaticName),
}

/// The content of a cell of the heap.
#[derive(Debug, Clone)]
pub(crate) enum HeapObject {
    /// An unused cell that can be allocated again.
    Free,
    Text(Arc<str>),
    Bytes(Arc<[u8]>),
    BigInt(BigInt),
    List(Vec<Value>),
    Tuple(TupleElements),
    Dict(Box<Dict>),
    Set(Box<Dict>),
    Range {
        start: i64,
        stop: i64,
        step: i64,
    },
    Slice([Value; 3]),
    Iterator(IteratorState),
    /// A generator with its frame; `None` while it is running and after its end.
    Generator(Option<Box<SuspendedFrame>>),
    Function(Box<Function>),
    /// A bound method of the program: a function with the object that it is called on.
    BoundMethod {
        receiver: Value,
        function: Value,
    },
    /// A built-in method with the object that it is called on.
    BuiltinMethod(Value, Method),
    /// An unbound built-in method, such as `str.upper`.
    UnboundMethod(Type, Method),
    Class(Box<Class>),
    /// A union of classes, such as `int | str`.
    Union(Box<[Value]>),
    /// A parameterized class or name of `typing`, such as `list[int]`.
    GenericAlias {
        origin: Value,
        arguments: Value,
    },
    /// The result of `TypeVar`, `NewType` and similar calls.
    TypingMarker(Box<TypingMarker>),
    Instance {
        class: HeapRef,
        attributes: Box<AttributeMap>,
        /// The built-in value that the instance extends, if its class derives from a built-in one.
        base_value: Option<Value>,
    },
    /// A variable that several functions share.
    ClosureCell(Option<Value>),
    Exception(Box<Exception>),
    Screen(ScreenObject),
    Entity(Box<EntityInstance>),
    State(StateObject),
    /// The elements that arrays are views of.
    Buffer(Vec<Scalar>),
    Array(Box<Array>),
    /// A module, with the name that the program imports it by.
    Module(Library, Symbol),
    Property {
        get: Value,
        set: Option<Value>,
        delete: Option<Value>,
    },
    StaticMethod(Value),
    ClassMethod(Value),
    Deque(Box<Deque>),
    /// An instance of a library class without a form of its own.
    Library(Box<LibraryObject>),
    /// A dict view, as returned by `keys()`, `values()` or `items()`.
    DictView(Value, EntryPart),
    /// A `functools.partial` object.
    Partial {
        function: Value,
        arguments: Box<[Value]>,
        named: Box<[(Symbol, Value)]>,
    },
    /// A function with a cache of its results, as `functools.lru_cache` makes it; `max_size` is the maximum number of entries.
    LruCache {
        function: Value,
        memo: HeapRef,
        max_size: Option<i64>,
        /// Whether equal arguments of different types are cached separately.
        typed: bool,
        /// The cache hits and misses.
        hits_and_misses: [i64; 2],
    },
    /// A function that a decorator of the standard library made from another one.
    Wrapper(Box<Wrapper>),
    /// A context manager of `contextlib`.
    ContextManager(Box<ContextManager>),
    /// The traceback of an exception, an opaque value.
    Traceback(HeapRef),
    /// A `functools.cached_property`, with the name under which its class defines it.
    CachedProperty {
        function: Value,
        name: Option<Symbol>,
    },
    /// A `functools.partialmethod`, with the partial function that it binds.
    PartialMethod(Value),
    /// A key of `functools.cmp_to_key` with its value, or the function that makes the keys.
    ComparisonKey {
        function: Value,
        value: Option<Value>,
    },
    /// A method that a decorator generated for a class.
    GeneratedMethod(HeapRef, GeneratedMethod),
    /// The result of `dataclasses.field`.
    DataclassField(Box<FieldSpec>),
    /// A field of a named tuple, by its index.
    NamedTupleField(usize),
    /// The result of `enum.auto`.
    EnumAuto,
    /// The result of `super`: the attributes of an object, looked up in the classes after `class` in the method resolution order.
    Super {
        class: HeapRef,
        object: Value,
    },
}

// Every allocation writes a cell.
const _: () = assert!(size_of::<HeapObject>() <= 64);

/// A function that the program defines.
#[derive(Debug, Clone)]
pub(crate) struct Function {
    pub(crate) code: CodeId,
    /// The defaults of the last positional parameters.
    pub(crate) defaults: Vec<Value>,
    pub(crate) keyword_defaults: Vec<(Symbol, Value)>,
    /// The cells of the free variables.
    pub(crate) closure: Vec<HeapRef>,
    pub(crate) attributes: AttributeMap,
    /// The class in whose body the function is defined.
    pub(crate) defining_class: Option<HeapRef>,
}

/// A class that the program defines.
#[derive(Debug, Clone)]
pub(crate) struct Class {
    pub(crate) name: Arc<str>,
    /// The qualified name (`__qualname__`).
    pub(crate) qualified_name: Arc<str>,
    pub(crate) attributes: AttributeMap,
    pub(crate) kind: ClassKind,
    /// The abstract methods that the class does not implement.
    pub(crate) abstract_methods: Vec<Symbol>,
    /// The method resolution order: the class, its bases and theirs, in the order of attribute lookup.
    pub(crate) mro: Vec<Value>,
    /// The attributes that `__slots__` allows. They restrict the instances only if every base declares slots as well.
    pub(crate) slots: Option<FxHashSet<Symbol>>,
}

/// A field of a named tuple with its default, if it has one.
pub(crate) type FieldDefault = (Symbol, Option<Value>);

/// The kind of a class, with the data specific to it.
#[derive(Debug, Clone)]
pub(crate) enum ClassKind {
    Plain,
    Dataclass(Box<Dataclass>),
    /// A class of tuples with named elements, the last ones with defaults.
    NamedTuple(Vec<FieldDefault>),
    /// An enumeration with its members, without aliases.
    Enum(Vec<HeapRef>),
    /// A class of dicts.
    TypedDict,
    /// A protocol: names the members that other classes have. `checkable` says whether `isinstance` tests for them.
    Protocol {
        checkable: bool,
    },
}

impl ClassKind {
    /// Passes every value that it holds to `visit`.
    pub(super) fn for_each_value(&self, visit: &mut dyn FnMut(Value)) {
        match self {
            Self::Plain | Self::TypedDict | Self::Protocol { .. } => {}
            Self::Dataclass(dataclass) => dataclass.fields.iter().for_each(|field| field.visit_references(visit)),
            Self::NamedTuple(fields) => fields.iter().filter_map(|&(_, default)| default).for_each(visit),
            Self::Enum(members) => members.iter().for_each(|&member| visit(Value::Ref(member))),
        }
    }
}
