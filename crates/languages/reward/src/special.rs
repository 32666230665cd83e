//! Special names, with two underscores on both sides: the supported ones, and the reasons for refusing the others.
//!
//! CPython gives such names predefined meanings. The supported ones have the same effect here; every other one is an error at its
//! position, so that no special method is defined but silently never called.

/// The treatment of a special name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Special {
    /// It has the effect that it has in CPython.
    Run,
    /// It has no effect on the run, neither here nor in CPython.
    Plain,
    /// It is refused, for this reason.
    Refused(&'static str),
}

/// The supported special names in the body of a class.
const RUN: [&str; 91] = [
    "__abs__",
    "__add__",
    "__and__",
    "__bool__",
    "__bytes__",
    "__call__",
    "__ceil__",
    "__class_getitem__",
    "__contains__",
    "__delattr__",
    "__delete__",
    "__delitem__",
    "__divmod__",
    "__eq__",
    "__float__",
    "__floor__",
    "__floordiv__",
    "__format__",
    "__ge__",
    "__get__",
    "__getattr__",
    "__getitem__",
    "__gt__",
    "__hash__",
    "__iadd__",
    "__iand__",
    "__ifloordiv__",
    "__ilshift__",
    "__imatmul__",
    "__imod__",
    "__imul__",
    "__index__",
    "__init__",
    "__init_subclass__",
    "__int__",
    "__invert__",
    "__ior__",
    "__ipow__",
    "__irshift__",
    "__isub__",
    "__iter__",
    "__itruediv__",
    "__ixor__",
    "__le__",
    "__len__",
    "__lshift__",
    "__lt__",
    "__matmul__",
    "__missing__",
    "__mod__",
    "__mul__",
    "__ne__",
    "__neg__",
    "__new__",
    "__next__",
    "__or__",
    "__pos__",
    "__post_init__",
    "__pow__",
    "__radd__",
    "__rand__",
    "__rdivmod__",
    "__repr__",
    "__reversed__",
    "__rfloordiv__",
    "__rlshift__",
    "__rmatmul__",
    "__rmod__",
    "__rmul__",
    "__ror__",
    "__round__",
    "__rpow__",
    "__rrshift__",
    "__rshift__",
    "__rsub__",
    "__rtruediv__",
    "__rxor__",
    "__set__",
    "__set_name__",
    "__setattr__",
    "__setitem__",
    "__slots__",
    "__str__",
    "__sub__",
    "__truediv__",
    "__trunc__",
    "__xor__",
    // Names with a merely descriptive role, which the run ignores.
    "__doc__",
    "__match_args__",
    "__all__",
    "__version__",
];

/// The supported names that do not affect the run.
const PLAIN: [&str; 4] = ["__doc__", "__match_args__", "__all__", "__version__"];

const ACCESS: &str = "it would intercept every attribute access; define `__getattr__`, a property or a descriptor";
const COPY: &str = "copying and pickling objects is not supported";
const WITH: &str = "`with` is not supported; call methods explicitly";
const ASYNC: &str = "`async` is not supported";
const META: &str = "metaclasses other than `ABCMeta` are not supported; use `__init_subclass__` or a decorator";
const BUFFER: &str = "buffers are not supported; define `__bytes__`";
const INTERPRETER: &str = "it gives access to the interpreter";
const NUMPY: &str =
    "numpy's protocols are not supported for classes of a program; convert with `float(..)` or `np.array([..])`";
const LIFETIME: &str = "the time at which an object is freed is not defined; clear its attributes when they are no \
    longer needed";
const HINT: &str = "length hints are not used; define `__len__`";
const DIRECTORY: &str = "`dir` is not supported";
const ORIGIN: &str = "the name and the module of a class or function cannot be changed";
const MODULE: &str = "a program is one module, without special names";
const TYPES: &str = "annotations are not evaluated";

/// The refused special names, with the reasons.
const REFUSED: [(&str, &str); 118] = [
    ("__aenter__", ASYNC),
    ("__aexit__", ASYNC),
    ("__aiter__", ASYNC),
    ("__anext__", ASYNC),
    ("__await__", ASYNC),
    ("__annotations__", TYPES),
    ("__abstractmethods__", "use the decorator `abstractmethod`"),
    ("__alloc__", BUFFER),
    ("__array__", NUMPY),
    ("__array_finalize__", NUMPY),
    ("__array_function__", NUMPY),
    ("__array_interface__", NUMPY),
    ("__array_prepare__", NUMPY),
    ("__array_priority__", NUMPY),
    ("__array_struct__", NUMPY),
    ("__array_ufunc__", NUMPY),
    ("__array_wrap__", NUMPY),
    ("__args__", TYPES),
    ("__base__", INTERPRETER),
    ("__bases__", INTERPRETER),
    ("__basicsize__", INTERPRETER),
    ("__bound__", TYPES),
    ("__buffer__", BUFFER),
    ("__build_class__", INTERPRETER),
    ("__builtins__", INTERPRETER),
    ("__cached__", MODULE),
    ("__cause__", "use `raise .. from ..`"),
    ("__class__", "use `type(..)`; the class of an object cannot be changed"),
    ("__classcell__", INTERPRETER),
    ("__closure__", INTERPRETER),
    ("__code__", INTERPRETER),
    ("__complex__", "complex numbers are not supported"),
    ("__constraints__", TYPES),
    ("__context__", "use `raise .. from ..`"),
    ("__contravariant__", TYPES),
    ("__copy__", COPY),
    ("__covariant__", TYPES),
    ("__dataclass_fields__", "use the decorator `dataclass`"),
    ("__dataclass_params__", "use the decorator `dataclass`"),
    ("__debug__", "it is always true: remove it"),
    ("__deepcopy__", COPY),
    ("__default_factory__", "use `defaultdict`"),
    ("__defaults__", INTERPRETER),
    ("__del__", LIFETIME),
    ("__dict__", "use `getattr` and `setattr`, or a dict"),
    ("__dictoffset__", INTERPRETER),
    ("__dir__", DIRECTORY),
    ("__enter__", WITH),
    ("__exit__", WITH),
    ("__file__", MODULE),
    ("__flags__", INTERPRETER),
    ("__fspath__", "files are not available"),
    ("__func__", INTERPRETER),
    ("__getattribute__", ACCESS),
    ("__getformat__", INTERPRETER),
    ("__getinitargs__", COPY),
    ("__getnewargs__", COPY),
    ("__getnewargs_ex__", COPY),
    ("__getstate__", COPY),
    ("__globals__", INTERPRETER),
    ("__import__", INTERPRETER),
    ("__instancecheck__", META),
    ("__isabstractmethod__", "use the decorator `abstractmethod`"),
    ("__itemsize__", INTERPRETER),
    ("__kwdefaults__", INTERPRETER),
    ("__length_hint__", HINT),
    ("__loader__", MODULE),
    ("__members__", "iterate over the class itself: `for member in Color`"),
    ("__metaclass__", META),
    ("__module__", ORIGIN),
    ("__mro__", INTERPRETER),
    ("__mro_entries__", META),
    ("__name__", ORIGIN),
    ("__notes__", "include it in the message"),
    ("__objclass__", INTERPRETER),
    ("__optional_keys__", TYPES),
    ("__orig_bases__", TYPES),
    ("__orig_class__", TYPES),
    ("__origin__", TYPES),
    ("__package__", MODULE),
    ("__parameters__", TYPES),
    ("__path__", MODULE),
    ("__prepare__", META),
    ("__qualname__", ORIGIN),
    ("__reduce__", COPY),
    ("__reduce_ex__", COPY),
    ("__release_buffer__", BUFFER),
    ("__required_keys__", TYPES),
    ("__self__", INTERPRETER),
    ("__set_format__", INTERPRETER),
    ("__setformat__", INTERPRETER),
    ("__setstate__", COPY),
    ("__sizeof__", "the memory size of an object is not available"),
    ("__slotnames__", INTERPRETER),
    ("__spec__", MODULE),
    ("__subclasscheck__", META),
    ("__subclasses__", "keep a list: `__init_subclass__` is called for each subclass"),
    ("__subclasshook__", META),
    ("__supertype__", TYPES),
    ("__suppress_context__", "use `raise .. from None`"),
    ("__text_signature__", INTERPRETER),
    ("__total__", TYPES),
    ("__traceback__", INTERPRETER),
    ("__type_params__", TYPES),
    ("__typing_is_unpacked_typevartuple__", TYPES),
    ("__typing_subst__", TYPES),
    ("__typing_prepare_subst__", TYPES),
    ("__typing_unpacked_tuple_args__", TYPES),
    ("__unpacked__", TYPES),
    ("__vectorcalloffset__", INTERPRETER),
    ("__weakref__", "weak references are not supported"),
    ("__weakrefoffset__", INTERPRETER),
    ("__wrapped__", INTERPRETER),
    ("__coerce__", "it is a Python 2 method; define `__add__` and similar methods"),
    ("__cmp__", "it is a Python 2 method; define `__lt__` and `__eq__`"),
    ("__div__", "it is a Python 2 method; define `__truediv__`"),
    ("__nonzero__", "it is a Python 2 method; define `__bool__`"),
    ("__unicode__", "it is a Python 2 method; define `__str__`"),
];

/// The special names that are readable as attributes of any object.
pub(crate) const ATTRIBUTES: [&str; 6] =
    ["__class__", "__init__", "__members__", "__name__", "__new__", "__qualname__"];

/// The special names that are readable as attributes of `super()`: built-in classes or classes of the program may define them.
pub(crate) const OF_SUPER: [&str; 21] = [
    "__call__",
    "__contains__",
    "__delattr__",
    "__delitem__",
    "__eq__",
    "__format__",
    "__getattr__",
    "__getitem__",
    "__hash__",
    "__init__",
    "__init_subclass__",
    "__iter__",
    "__len__",
    "__missing__",
    "__new__",
    "__post_init__",
    "__repr__",
    "__set_name__",
    "__setattr__",
    "__setitem__",
    "__str__",
];

/// The special names of the module that are readable.
pub(crate) const GLOBALS: [&str; 1] = ["__name__"];

/// Names with one underscore on both sides that only `enum.Flag` uses.
const OF_FLAGS: [&str; 4] = ["_numeric_repr_", "_iter_member_", "_iter_member_by_value_", "_iter_member_by_def_"];

/// Returns the reason for refusing a name with one underscore on both sides in the body of a class.
pub(crate) fn sunder_refusal(name: &str) -> Option<&'static str> {
    OF_FLAGS.contains(&name).then_some("enumerations of flags are not supported")
}

/// Returns whether a name has two underscores on both sides.
pub(crate) fn is_special(name: &str) -> bool {
    name.len() > 4 && name.starts_with("__") && name.ends_with("__")
}

/// Returns the treatment of a special name that the body of a class binds; `None` if Python has no such name.
pub(crate) fn of_class(name: &str) -> Option<Special> {
    if PLAIN.contains(&name) {
        return Some(Special::Plain);
    }
    if RUN.contains(&name) {
        return Some(Special::Run);
    }
    refusal(name).map(Special::Refused)
}

/// Returns the reason for refusing a special name.
pub(crate) fn refusal(name: &str) -> Option<&'static str> {
    REFUSED.iter().find(|(other, _)| *other == name).map(|&(_, why)| why)
}

/// Iterates over the supported special names, for suggestions.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    RUN.into_iter()
}
