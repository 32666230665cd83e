//! Classes of Python's standard library and of numpy. Each is one row.

use super::Machine;
use super::call::KeywordArguments;
use super::dict::DictKind;
use super::exceptions::ExecResult;
use super::library::{COUNTER_METHODS, DEQUE_METHODS, EXIT_STACK_METHODS, MANAGER_METHODS, ORDERED_DICT_METHODS};
use super::methods::{DICT, FROZEN_SET as FROZEN_SET_METHODS, MethodRow};
use super::numpy::Dtype;
use super::value::{HeapObject, Type, Value};

/// A class of Python's standard library or of numpy.
#[allow(clippy::struct_excessive_bools, reason = "they are independent properties")]
#[derive(Debug)]
pub(crate) struct LibraryClass {
    /// The name that messages use.
    pub(super) name: &'static str,
    /// The module in its representation, if the name does not contain it.
    pub(super) module: &'static str,
    /// The classes after it in its method resolution order, without `object`.
    pub(super) bases: &'static [Type],
    /// Whether programs may derive classes from it.
    pub(super) can_be_base: bool,
    /// Whether instances of derived classes hold a value besides their attributes.
    pub(super) has_value: bool,
    /// Whether instances of derived classes have attributes that `__slots__` does not list.
    pub(super) has_open_attributes: bool,
    /// Whether `[..]` parameterizes the class.
    pub(super) is_subscriptable: bool,
    /// Whether `[..]` parameterizes derived classes.
    pub(super) is_generic: bool,
    pub(super) is_hashable: bool,
    /// Whether the instances are callable.
    pub(super) is_callable: bool,
    /// The tables of its methods: its own one, then those of its bases.
    pub(super) methods: &'static [&'static [MethodRow]],
    /// Creates an instance.
    pub(super) construct: fn(&mut Machine, &[Value], KeywordArguments<'_>) -> ExecResult,
}

// Each row is a static with a name of its own. The hash is that of the name, because addresses differ between runs.
impl PartialEq for LibraryClass {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for LibraryClass {}

impl std::hash::Hash for LibraryClass {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl LibraryClass {
    /// A class that programs neither derive from nor construct.
    pub(super) const DEFAULT: Self = Self {
        name: "",
        module: "",
        bases: &[],
        can_be_base: false,
        has_value: true,
        has_open_attributes: false,
        is_subscriptable: false,
        is_generic: false,
        is_hashable: true,
        is_callable: false,
        methods: &[],
        construct: |m, _, _| Err(m.type_error("the class cannot be instantiated in a reward function")),
    };

    /// The classes with methods of their own.
    pub(super) const WITH_METHODS: [&'static Self; 15] = [
        &super::numpy::GENERATOR,
        &super::numpy::RANDOM_STATE,
        &super::library::ATTRIBUTE_DICT,
        &CLOSING,
        &COUNTER,
        &DEQUE,
        &EXIT_STACK,
        &FROZEN_SET,
        &ORDERED_DICT,
        &super::library::CHAIN_MAP,
        &super::library::LOGGER,
        &super::library::MATCH,
        &super::library::PATTERN,
        &super::library::RANDOM,
        &super::library::TEMPLATE,
    ];

    /// An abstract class.
    const ABSTRACT: Self = Self { module: "abc.", has_value: false, ..Self::DEFAULT };

    /// A subclass of `dict`.
    const DICT: Self =
        Self { bases: &[Type::Dict], can_be_base: true, is_subscriptable: true, is_hashable: false, ..Self::DEFAULT };

    /// A context manager.
    const CONTEXT_MANAGER: Self = Self { module: "contextlib.", methods: &[&MANAGER_METHODS], ..Self::DEFAULT };

    /// An enumeration without members.
    const ENUMERATION: Self = Self { can_be_base: true, has_value: false, ..Self::DEFAULT };
}

pub(super) static ABC: LibraryClass = LibraryClass {
    name: "ABC",
    can_be_base: true,
    construct: |m, _, _| Err(m.abstract_class_error("ABC")),
    ..LibraryClass::ABSTRACT
};
pub(super) static ABC_META: LibraryClass = LibraryClass {
    name: "ABCMeta",
    bases: &[Type::Type],
    can_be_base: true,
    has_value: true,
    is_callable: true,
    construct: |m, _, _| Err(m.abstract_class_error("ABCMeta")),
    ..LibraryClass::ABSTRACT
};
pub(super) static ABSTRACT_CONTEXT_MANAGER: LibraryClass = LibraryClass {
    name: "AbstractContextManager",
    module: "contextlib.",
    bases: &[Type::Library(&ABC)],
    can_be_base: true,
    has_value: false,
    is_subscriptable: true,
    is_generic: true,
    construct: |m, _, _| Err(m.abstract_class_error("AbstractContextManager")),
    ..LibraryClass::DEFAULT
};
pub(super) static AUTO: LibraryClass = LibraryClass {
    name: "auto",
    module: "enum.",
    construct: |m, _, _| Ok(Value::Ref(m.heap.add(HeapObject::EnumAuto))),
    ..LibraryClass::DEFAULT
};
pub(super) static CLOSING: LibraryClass =
    LibraryClass { name: "closing", construct: Machine::closing, ..LibraryClass::CONTEXT_MANAGER };
pub(super) static CONTEXT_DECORATOR: LibraryClass = LibraryClass {
    name: "ContextDecorator",
    module: "contextlib.",
    can_be_base: true,
    has_value: false,
    is_callable: true,
    ..LibraryClass::DEFAULT
};
pub(super) static COUNTER: LibraryClass = LibraryClass {
    name: "Counter",
    module: "collections.",
    has_open_attributes: true,
    methods: &[&COUNTER_METHODS, &DICT],
    construct: |m, a, named| m.new_dict_subclass(DictKind::Counter, a, named),
    ..LibraryClass::DICT
};
pub(super) static DEFAULT_DICT: LibraryClass = LibraryClass {
    name: "collections.defaultdict",
    is_generic: true,
    methods: &[&DICT],
    construct: Machine::new_default_dict,
    ..LibraryClass::DICT
};
pub(super) static DEQUE: LibraryClass = LibraryClass {
    name: "collections.deque",
    is_subscriptable: true,
    is_generic: true,
    is_hashable: false,
    methods: &[&DEQUE_METHODS],
    construct: Machine::new_deque,
    ..LibraryClass::DEFAULT
};
pub(super) static DTYPE: LibraryClass =
    LibraryClass { name: "numpy.dtype", construct: Machine::construct_dtype, ..LibraryClass::DEFAULT };
pub(super) static ENUM: LibraryClass = LibraryClass {
    name: "Enum",
    has_open_attributes: true,
    construct: |m, a, named| m.enum_from_names(&ENUM, a, named),
    ..LibraryClass::ENUMERATION
};
pub(super) static ENUM_TYPE: LibraryClass = LibraryClass {
    name: "EnumType",
    module: "enum.",
    bases: &[Type::Type],
    is_callable: true,
    ..LibraryClass::DEFAULT
};
pub(super) static EXIT_STACK: LibraryClass = LibraryClass {
    name: "ExitStack",
    methods: &[&EXIT_STACK_METHODS, &MANAGER_METHODS],
    construct: Machine::exit_stack,
    ..LibraryClass::CONTEXT_MANAGER
};
pub(super) static FROZEN_SET: LibraryClass = LibraryClass {
    name: "frozenset",
    is_subscriptable: true,
    methods: &[&FROZEN_SET_METHODS],
    construct: |m, a, named| {
        m.reject_keywords("frozenset", named)?;
        m.check_arity("frozenset", a.len(), 0, 1)?;
        m.set_of(a.first().copied(), true)
    },
    ..LibraryClass::DEFAULT
};
pub(super) static GENERATOR_CONTEXT_MANAGER: LibraryClass =
    LibraryClass { name: "_GeneratorContextManager", is_callable: true, ..LibraryClass::CONTEXT_MANAGER };
pub(super) static GENERIC_ALIAS: LibraryClass =
    LibraryClass { name: "types.GenericAlias", is_callable: true, ..LibraryClass::DEFAULT };
pub(super) static INT_ENUM: LibraryClass = LibraryClass {
    name: "IntEnum",
    bases: &[Type::Int, Type::Library(&ENUM)],
    construct: |m, a, named| m.enum_from_names(&INT_ENUM, a, named),
    ..LibraryClass::ENUMERATION
};
pub(super) static NAMED_TUPLE: LibraryClass = LibraryClass {
    name: "NamedTuple",
    can_be_base: true,
    construct: Machine::named_tuple_class_from_pairs,
    ..LibraryClass::DEFAULT
};
pub(super) static NULL_CONTEXT: LibraryClass =
    LibraryClass { name: "nullcontext", construct: Machine::null_context, ..LibraryClass::CONTEXT_MANAGER };
pub(super) static ORDERED_DICT: LibraryClass = LibraryClass {
    name: "collections.OrderedDict",
    has_open_attributes: true,
    methods: &[&ORDERED_DICT_METHODS, &DICT],
    construct: |m, a, named| m.new_dict_subclass(DictKind::Ordered, a, named),
    ..LibraryClass::DICT
};
pub(super) static PARTIAL: LibraryClass =
    LibraryClass { name: "functools.partial", is_callable: true, construct: Machine::partial, ..LibraryClass::DEFAULT };
pub(super) static STR_ENUM: LibraryClass = LibraryClass {
    name: "StrEnum",
    bases: &[Type::Str, Type::Library(&ENUM)],
    construct: |m, a, named| m.enum_from_names(&STR_ENUM, a, named),
    ..LibraryClass::ENUMERATION
};
pub(super) static SUPER: LibraryClass =
    LibraryClass { name: "super", construct: |m, a, _| m.new_super(a), ..LibraryClass::DEFAULT };
pub(super) static SUPPRESS: LibraryClass =
    LibraryClass { name: "suppress", construct: Machine::suppress, ..LibraryClass::CONTEXT_MANAGER };
pub(super) static UNION_TYPE: LibraryClass = LibraryClass { name: "types.UnionType", ..LibraryClass::DEFAULT };

static BOOL_DTYPE: LibraryClass = dtype_class_row("numpy.dtypes.BoolDType");
static SIZED_DTYPES: [LibraryClass; 7] = [
    dtype_class_row("numpy.dtypes.Int8DType"),
    dtype_class_row("numpy.dtypes.UInt8DType"),
    dtype_class_row("numpy.dtypes.Int16DType"),
    dtype_class_row("numpy.dtypes.UInt16DType"),
    dtype_class_row("numpy.dtypes.Int32DType"),
    dtype_class_row("numpy.dtypes.UInt32DType"),
    dtype_class_row("numpy.dtypes.UInt64DType"),
];
static INT_DTYPE: LibraryClass = dtype_class_row("numpy.dtypes.Int64DType");
static FLOAT32_DTYPE: LibraryClass = dtype_class_row("numpy.dtypes.Float32DType");
static FLOAT_DTYPE: LibraryClass = dtype_class_row("numpy.dtypes.Float64DType");

/// The base of the classes of `dtype` values.
static DTYPE_BASES: [Type; 1] = [Type::Library(&DTYPE)];

const fn dtype_class_row(name: &'static str) -> LibraryClass {
    LibraryClass { name, bases: &DTYPE_BASES, ..LibraryClass::DEFAULT }
}

/// Returns the class of a `dtype`.
pub(super) fn dtype_class(dtype: Dtype) -> Type {
    Type::Library(match dtype {
        Dtype::Bool => &BOOL_DTYPE,
        Dtype::Sized(kind) => &SIZED_DTYPES[kind as usize],
        Dtype::Int => &INT_DTYPE,
        Dtype::Float32 => &FLOAT32_DTYPE,
        Dtype::Float => &FLOAT_DTYPE,
    })
}
