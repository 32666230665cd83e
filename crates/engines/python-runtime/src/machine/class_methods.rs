//! Class methods of built-in classes.

use super::Machine;
use super::dict::DictKind;
use super::library_class::{COUNTER, DEFAULT_DICT, ORDERED_DICT};
use super::library_function::Implementation::Values;
use super::library_function::LibraryFunction as Function;
use super::value::{Type, Value};

/// The class methods with their classes.
static CLASS_METHODS: [(Type, Function); 9] = [
    (
        Type::Bool,
        Function::custom("bool.from_bytes", |m, a, named| {
            let number = m.number_from_bytes(a, named)?;
            m.truth(number).map(Value::Bool)
        }),
    ),
    (Type::Bytes, Function::unary("bytes.fromhex", |m, a, _| m.bytes_from_hex(a[0]))),
    (Type::Bytes, Function::new("bytes.maketrans", 2, 2, Values(|m, a, _| m.bytes_table(a)))),
    (Type::Dict, Function::new("dict.fromkeys", 1, 2, Values(|m, a, _| m.dict_fromkeys(DictKind::Plain, a)))),
    (
        Type::Library(&COUNTER),
        Function::custom("Counter.fromkeys", |m, a, named| {
            m.reject_keywords("Counter.fromkeys", named)?;
            m.dict_fromkeys(DictKind::Counter, a)
        }),
    ),
    (
        Type::Library(&ORDERED_DICT),
        Function::new("OrderedDict.fromkeys", 1, 2, Values(|m, a, _| m.dict_fromkeys(DictKind::Ordered, a))),
    ),
    (
        Type::Library(&DEFAULT_DICT),
        Function::new(
            "defaultdict.fromkeys",
            1,
            2,
            Values(|m, a, _| m.dict_fromkeys(DictKind::Default(Value::None), a)),
        ),
    ),
    (Type::Int, Function::custom("int.from_bytes", Machine::number_from_bytes)),
    (Type::Str, Function::new("str.maketrans", 1, 3, Values(|m, a, _| m.text_table(a)))),
];

/// Returns all class methods.
#[cfg(test)]
pub(super) fn functions() -> impl Iterator<Item = &'static Function> {
    CLASS_METHODS.iter().map(|(_, function)| function)
}

/// Returns the class method of a built-in class with this name.
pub(super) fn class_method(class: Type, name: &str) -> Option<&'static Function> {
    let row = CLASS_METHODS.iter().find(|(other, function)| *other == class && function.short_name() == name);
    row.map(|(_, function)| function)
}

/// `object.__setattr__`, with the object as its first argument.
pub(super) static OBJECT_SETATTR: Function = Function::new(
    "object.__setattr__",
    3,
    3,
    Values(|m, a, _| {
        let name = m.str(a[1])?;
        let symbol = m.intern(&name);
        m.set_attribute_of_object(a[0], symbol, a[2]).map(|()| Value::None)
    }),
);

/// `object.__init__`, with the object as its first argument.
pub(super) static OBJECT_INIT: Function = Function::custom("object.__init__", |m, arguments, named| {
    let [object, rest @ ..] = arguments else {
        return Err(m.type_error("unbound method object.__init__() needs an argument"));
    };
    m.init_base(*object, rest, named)
});
