//! Special names, with two underscores on both sides: the supported ones, and the reasons for refusing the others.
//!
//! CPython gives such names predefined meanings. The supported ones have the same effect here; every other one is an error at its
//! position, so that no special method is defined but silently never called.

/// The treatment of a special name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SpecialNameSupport {
    /// It has the effect that it has in CPython.
    Supported,
    /// It has no effect on the run, neither here nor in CPython.
    Ignored,
    /// It is refused, for this reason.
    Unsupported(&'static str),
}

/// The supported special names in the body of a class.
const SUPPORTED: [&str; 95] = [
    "__abs__",
    "__add__",
    "__and__",
    "__bool__",
    "__bytes__",
    "__call__",
    "__ceil__",
    "__class_getitem__",
    "__contains__",
    "__copy__",
    "__deepcopy__",
    "__delattr__",
    "__delete__",
    "__delitem__",
    "__divmod__",
    "__enter__",
    "__eq__",
    "__exit__",
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
    "__match_args__",
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
    "__all__",
    "__version__",
];

/// The supported names that do not affect the run.
const IGNORED: [&str; 3] = ["__doc__", "__all__", "__version__"];

const ATTRIBUTE_INTERCEPTION: &str =
    "it would intercept every attribute access; define `__getattr__`, a property or a descriptor";
const COPY: &str = "copying and pickling objects is not supported";
const ASYNC: &str = "`async` is not supported";
const METACLASS: &str = "metaclasses other than `ABCMeta` are not supported; use `__init_subclass__` or a decorator";
const BUFFER: &str = "buffers are not supported; define `__bytes__`";
const INTERPRETER: &str = "it gives access to the interpreter";
const NUMPY: &str =
    "numpy's protocols are not supported for classes of a program; convert with `float(..)` or `np.array([..])`";
const FINALIZER: &str = "the time at which an object is freed is not defined; clear its attributes when they are no \
    longer needed";
const LENGTH_HINT: &str = "length hints are not used; define `__len__`";
const DIR: &str = "`dir` is not supported";
const DEFINITION_NAME: &str = "the name and the module of a class or function cannot be changed";
const MODULE_NAME: &str = "a program is one module, without special names";
const ANNOTATION: &str = "annotations are not evaluated";

/// The refused special names, with the reasons.
const UNSUPPORTED: [(&str, &str); 114] = [
    ("__aenter__", ASYNC),
    ("__aexit__", ASYNC),
    ("__aiter__", ASYNC),
    ("__anext__", ASYNC),
    ("__await__", ASYNC),
    ("__annotations__", ANNOTATION),
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
    ("__args__", ANNOTATION),
    ("__base__", INTERPRETER),
    ("__bases__", INTERPRETER),
    ("__basicsize__", INTERPRETER),
    ("__bound__", ANNOTATION),
    ("__buffer__", BUFFER),
    ("__build_class__", INTERPRETER),
    ("__builtins__", INTERPRETER),
    ("__cached__", MODULE_NAME),
    ("__cause__", "use `raise .. from ..`"),
    ("__class__", "use `type(..)`; the class of an object cannot be changed"),
    ("__classcell__", INTERPRETER),
    ("__closure__", INTERPRETER),
    ("__code__", INTERPRETER),
    ("__complex__", "complex numbers are not supported"),
    ("__constraints__", ANNOTATION),
    ("__context__", "use `raise .. from ..`"),
    ("__contravariant__", ANNOTATION),
    ("__covariant__", ANNOTATION),
    ("__dataclass_fields__", "use the decorator `dataclass`"),
    ("__dataclass_params__", "use the decorator `dataclass`"),
    ("__debug__", "it is always true: remove it"),
    ("__default_factory__", "use `defaultdict`"),
    ("__defaults__", INTERPRETER),
    ("__del__", FINALIZER),
    ("__dict__", "use `getattr` and `setattr`, or a dict"),
    ("__dictoffset__", INTERPRETER),
    ("__dir__", DIR),
    ("__file__", MODULE_NAME),
    ("__flags__", INTERPRETER),
    ("__fspath__", "files are not available"),
    ("__func__", INTERPRETER),
    ("__getattribute__", ATTRIBUTE_INTERCEPTION),
    ("__getformat__", INTERPRETER),
    ("__getinitargs__", COPY),
    ("__getnewargs__", COPY),
    ("__getnewargs_ex__", COPY),
    ("__getstate__", COPY),
    ("__globals__", INTERPRETER),
    ("__import__", INTERPRETER),
    ("__instancecheck__", METACLASS),
    ("__isabstractmethod__", "use the decorator `abstractmethod`"),
    ("__itemsize__", INTERPRETER),
    ("__kwdefaults__", INTERPRETER),
    ("__length_hint__", LENGTH_HINT),
    ("__loader__", MODULE_NAME),
    ("__members__", "iterate over the class itself: `for member in Color`"),
    ("__metaclass__", METACLASS),
    ("__module__", DEFINITION_NAME),
    ("__mro__", INTERPRETER),
    ("__mro_entries__", METACLASS),
    ("__name__", DEFINITION_NAME),
    ("__notes__", "include it in the message"),
    ("__objclass__", INTERPRETER),
    ("__optional_keys__", ANNOTATION),
    ("__orig_bases__", ANNOTATION),
    ("__orig_class__", ANNOTATION),
    ("__origin__", ANNOTATION),
    ("__package__", MODULE_NAME),
    ("__parameters__", ANNOTATION),
    ("__path__", MODULE_NAME),
    ("__prepare__", METACLASS),
    ("__qualname__", DEFINITION_NAME),
    ("__reduce__", COPY),
    ("__reduce_ex__", COPY),
    ("__release_buffer__", BUFFER),
    ("__required_keys__", ANNOTATION),
    ("__self__", INTERPRETER),
    ("__set_format__", INTERPRETER),
    ("__setformat__", INTERPRETER),
    ("__setstate__", COPY),
    ("__sizeof__", "the memory size of an object is not available"),
    ("__slotnames__", INTERPRETER),
    ("__spec__", MODULE_NAME),
    ("__subclasscheck__", METACLASS),
    ("__subclasses__", "keep a list: `__init_subclass__` is called for each subclass"),
    ("__subclasshook__", METACLASS),
    ("__supertype__", ANNOTATION),
    ("__suppress_context__", "use `raise .. from None`"),
    ("__text_signature__", INTERPRETER),
    ("__total__", ANNOTATION),
    ("__traceback__", INTERPRETER),
    ("__type_params__", ANNOTATION),
    ("__typing_is_unpacked_typevartuple__", ANNOTATION),
    ("__typing_subst__", ANNOTATION),
    ("__typing_prepare_subst__", ANNOTATION),
    ("__typing_unpacked_tuple_args__", ANNOTATION),
    ("__unpacked__", ANNOTATION),
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

/// The special names that are readable as attributes of `super()`: built-in classes or classes of the program may define them.
pub(crate) const SUPER_ATTRIBUTES: [&str; 23] = [
    "__call__",
    "__contains__",
    "__delattr__",
    "__delitem__",
    "__enter__",
    "__eq__",
    "__exit__",
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
pub(crate) const READABLE_GLOBALS: [&str; 1] = ["__name__"];

/// Names with one underscore on both sides that only `enum.Flag` uses.
const FLAG_ENUM_NAMES: [&str; 4] =
    ["_numeric_repr_", "_iter_member_", "_iter_member_by_value_", "_iter_member_by_def_"];

/// Returns the reason for refusing a name with one underscore on both sides in the body of a class.
pub(crate) fn unsupported_sunder_reason(name: &str) -> Option<&'static str> {
    FLAG_ENUM_NAMES.contains(&name).then_some("enumerations of flags are not supported")
}

/// Returns whether a name has two underscores on both sides.
pub(crate) fn is_special(name: &str) -> bool {
    name.len() > 4 && name.starts_with("__") && name.ends_with("__")
}

/// Returns the treatment of a special name that the body of a class binds; `None` if Python has no such name.
pub(crate) fn class_name_support(name: &str) -> Option<SpecialNameSupport> {
    if IGNORED.contains(&name) {
        return Some(SpecialNameSupport::Ignored);
    }
    if SUPPORTED.contains(&name) {
        return Some(SpecialNameSupport::Supported);
    }
    unsupported_reason(name).map(SpecialNameSupport::Unsupported)
}

/// Returns the reason for refusing a special name.
pub(crate) fn unsupported_reason(name: &str) -> Option<&'static str> {
    UNSUPPORTED.iter().find(|(other, _)| *other == name).map(|&(_, reason)| reason)
}

/// Returns whether programs may assign a special name to a function or an existing class. Others have an effect only while a class is created.
pub(crate) fn is_assignable(name: &str) -> bool {
    if ["__doc__", "__name__", "__qualname__", "__wrapped__"].contains(&name) {
        return true;
    }
    let of_creation =
        ["__class_getitem__", "__init_subclass__", "__new__", "__post_init__", "__set_name__", "__slots__"];
    SUPPORTED.contains(&name) && !IGNORED.contains(&name) && !of_creation.contains(&name)
}

/// Iterates over the supported special names, for suggestions.
pub(crate) fn supported_names() -> impl Iterator<Item = &'static str> {
    SUPPORTED.into_iter()
}

#[cfg(test)]
mod tests {
    use super::class_name_support;

    /// The special names that `dir` lists for built-in classes and those of `collections` in CPython 3.11.
    const NAMES: &str = "\
        __abs__ __abstractmethods__ __add__ __and__ __annotations__ __base__ __bases__ __basicsize__ __bool__ \
        __bytes__ __call__ __ceil__ __class__ __class_getitem__ __contains__ __copy__ __del__ __delattr__ __delete__ \
        __delitem__ __dict__ __dictoffset__ __dir__ __divmod__ __doc__ __eq__ __flags__ __float__ __floor__ \
        __floordiv__ __format__ __ge__ __get__ __getattribute__ __getformat__ __getitem__ __getnewargs__ __getstate__ \
        __gt__ __hash__ __iadd__ __iand__ __imul__ __index__ __init__ __init_subclass__ __instancecheck__ __int__ \
        __invert__ __ior__ __isabstractmethod__ __isub__ __itemsize__ __iter__ __ixor__ __le__ __len__ __lshift__ \
        __lt__ __missing__ __mod__ __module__ __mro__ __mul__ __name__ __ne__ __neg__ __new__ __next__ __or__ __pos__ \
        __pow__ __prepare__ __qualname__ __radd__ __rand__ __rdivmod__ __reduce__ __reduce_ex__ __repr__ __reversed__ \
        __rfloordiv__ __rlshift__ __rmod__ __rmul__ __ror__ __round__ __rpow__ __rrshift__ __rshift__ __rsub__ \
        __rtruediv__ __rxor__ __set__ __set_name__ __setattr__ __setitem__ __sizeof__ __str__ __sub__ \
        __subclasscheck__ __subclasses__ __subclasshook__ __text_signature__ __truediv__ __trunc__ __weakref__ \
        __weakrefoffset__ __xor__";

    #[test]
    fn every_special_name_of_a_built_in_class_is_supported_or_refused_with_a_reason() {
        for name in NAMES.split_whitespace() {
            assert!(class_name_support(name).is_some(), "{name}");
        }
    }
}
