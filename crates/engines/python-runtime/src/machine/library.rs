//! Python library modules available to programs.
//!
//! | module | contents |
//! |---|---|
//! | `bisect`, `heapq` | searches in sorted lists, and heaps |
//! | `collections` | dict subclasses: `defaultdict`, `OrderedDict`, `Counter` |
//! | `named_tuples` | named tuples, and `TypedDict` classes made by a call |
//! | `deque` | deques |
//! | `itertools` | iterators of `itertools` |
//! | `functools` | `partial`, `reduce`, `wraps`, caches, descriptors, `singledispatch` |
//! | `contextlib` | context managers |
//! | `dataclasses` | dataclasses |
//! | `total_ordering` | the comparisons of `functools.total_ordering` |
//! | `enums` | enumerations |
//! | `attribute_dict` | `object.__dict__` |
//! | `chain_map` | `ChainMap` |
//! | `copy` | copies of objects |
//! | `logging` | messages of `logging` and `warnings` |
//! | `object` | instances of library classes |
//! | `operator` | operators as functions |
//! | `random` | random numbers |
//! | `regex` | regular expressions |
//! | `statistics` | means, medians, variances |
//! | `string` | constants and templates |

mod attribute_dict;
mod bisect;
mod chain_map;
mod collections;
mod contextlib;
mod copy;
mod dataclasses;
mod deque;
mod enums;
mod functools;
mod heapq;
mod itertools;
mod json;
mod logging;
mod named_tuples;
mod object;
mod operator;
mod random;
mod regex;
pub(in crate::machine) mod statistics;
mod string;
mod total_ordering;

pub(super) use chain_map::METHODS as CHAIN_MAP_METHODS;
pub(super) use collections::{COUNTER_METHODS, ORDERED_DICT_METHODS};
pub(crate) use contextlib::ContextManager;
pub(super) use contextlib::{EXIT_STACK_METHODS, MANAGER_METHODS};
pub(crate) use dataclasses::{Dataclass, FieldSpec, GeneratedMethod};
pub(crate) use deque::Deque;
pub(super) use deque::METHODS as DEQUE_METHODS;
pub(super) use enums::{EnumBody, is_enum_class};
pub(super) use itertools::CHAIN_FROM_ITERABLE;
pub(crate) use itertools::ItertoolsState;
pub(super) use named_tuples::METHODS as NAMED_TUPLE_METHODS;
pub(crate) use object::LibraryObject;
pub(super) use object::{
    ATTRIBUTE_DICT, CHAIN_MAP, FLOAT_LIMITS, INTEGER_LIMITS, LOGGER, MATCH, PATTERN, RANDOM, TEMPLATE,
};
pub(crate) use random::{Generator, MersenneTwister};
pub(crate) use regex::Regex;

use super::exceptions::ExceptionKind;
use super::library_class::{
    ABC, ABC_META, ABSTRACT_CONTEXT_MANAGER, AUTO, CLOSING, CONTEXT_DECORATOR, COUNTER, DEFAULT_DICT, DEQUE, ENUM,
    EXIT_STACK, INT_ENUM, LibraryClass, NULL_CONTEXT, ORDERED_DICT, PARTIAL, STR_ENUM, SUPPRESS,
};
use super::library_function::LibraryFunction;
use super::parameters::{NamedParameters, Origin};
use super::value::{Type, Value};
use crate::library::Library;

/// The functions of `abc`.
static ABC_FUNCTIONS: [LibraryFunction; 1] =
    [LibraryFunction::named("abc.abstractmethod", NamedParameters::new(Origin::Python, &["funcobj"]), |m, b| {
        m.mark_abstract(b.required(0));
        Ok(b.required(0))
    })];

/// The function that registers a class with an abstract base class, the first argument.
pub(super) static REGISTER: LibraryFunction = LibraryFunction::custom("abc.register", |m, arguments, _| {
    let &[base, class] = arguments else { return Err(m.type_error("register() requires one class")) };
    m.register(base, class)?;
    Ok(class)
});

/// The constants and classes of the libraries, by their names.
static ABC_VALUES: [(&str, Value); 2] = [("ABC", class(&ABC)), ("ABCMeta", class(&ABC_META))];
static COLLECTIONS_VALUES: [(&str, Value); 5] = [
    ("ChainMap", class(&object::CHAIN_MAP)),
    ("Counter", class(&COUNTER)),
    ("OrderedDict", class(&ORDERED_DICT)),
    ("defaultdict", class(&DEFAULT_DICT)),
    ("deque", class(&DEQUE)),
];
static CONTEXTLIB_VALUES: [(&str, Value); 6] = [
    ("AbstractContextManager", class(&ABSTRACT_CONTEXT_MANAGER)),
    ("ContextDecorator", class(&CONTEXT_DECORATOR)),
    ("ExitStack", class(&EXIT_STACK)),
    ("closing", class(&CLOSING)),
    ("nullcontext", class(&NULL_CONTEXT)),
    ("suppress", class(&SUPPRESS)),
];
static DATACLASSES_VALUES: [(&str, Value); 2] = [
    ("FrozenInstanceError", Value::Type(Type::Exception(ExceptionKind::FrozenInstanceError))),
    ("MISSING", dataclasses::MISSING),
];
static ENUM_VALUES: [(&str, Value); 4] =
    [("Enum", class(&ENUM)), ("IntEnum", class(&INT_ENUM)), ("StrEnum", class(&STR_ENUM)), ("auto", class(&AUTO))];
static LINALG_VALUES: [(&str, Value); 1] = [("LinAlgError", Value::Type(Type::Exception(ExceptionKind::LinAlgError)))];
static NUMBERS_VALUES: [(&str, Value); 5] = [
    ("Complex", Value::Type(Type::Typing(&"numbers.Complex"))),
    ("Integral", Value::Type(Type::Typing(&"numbers.Integral"))),
    ("Number", Value::Type(Type::Typing(&"numbers.Number"))),
    ("Rational", Value::Type(Type::Typing(&"numbers.Rational"))),
    ("Real", Value::Type(Type::Typing(&"numbers.Real"))),
];
static JSON_VALUES: [(&str, Value); 1] =
    [("JSONDecodeError", Value::Type(Type::Exception(ExceptionKind::JSONDecodeError)))];
static SYS_VALUES: [(&str, Value); 1] = [("maxsize", Value::Int(i64::MAX))];
static FLOAT_INFO_VALUES: [(&str, Value); 11] = [
    ("dig", Value::Int(f64::DIGITS as i64)),
    ("epsilon", Value::Float(f64::EPSILON)),
    ("mant_dig", Value::Int(f64::MANTISSA_DIGITS as i64)),
    ("max", Value::Float(f64::MAX)),
    ("max_10_exp", Value::Int(f64::MAX_10_EXP as i64)),
    ("max_exp", Value::Int(f64::MAX_EXP as i64)),
    ("min", Value::Float(f64::MIN_POSITIVE)),
    ("min_10_exp", Value::Int(f64::MIN_10_EXP as i64)),
    ("min_exp", Value::Int(f64::MIN_EXP as i64)),
    ("radix", Value::Int(f64::RADIX as i64)),
    ("rounds", Value::Int(1)),
];
static OPERATOR_VALUES: [(&str, Value); 3] = [
    ("attrgetter", class(&object::ATTRIBUTE_GETTER)),
    ("itemgetter", class(&object::ITEM_GETTER)),
    ("methodcaller", class(&object::METHOD_CALLER)),
];
static RANDOM_VALUES: [(&str, Value); 1] = [("Random", class(&object::RANDOM))];
static STATISTICS_VALUES: [(&str, Value); 1] =
    [("StatisticsError", Value::Type(Type::Exception(ExceptionKind::StatisticsError)))];
static STRING_VALUES: [(&str, Value); 1] = [("Template", class(&object::TEMPLATE))];
static TYPES_VALUES: [(&str, Value); 11] = [
    ("BuiltinFunctionType", Value::Type(Type::BuiltinFunction)),
    ("BuiltinMethodType", Value::Type(Type::BuiltinFunction)),
    ("EllipsisType", Value::Type(Type::Ellipsis)),
    ("FunctionType", Value::Type(Type::Function)),
    ("GeneratorType", Value::Type(Type::Generator)),
    ("LambdaType", Value::Type(Type::Function)),
    ("MethodType", Value::Type(Type::Method)),
    ("ModuleType", Value::Type(Type::Module)),
    ("NoneType", Value::Type(Type::NoneType)),
    ("NotImplementedType", Value::Type(Type::NotImplementedType)),
    ("SimpleNamespace", class(&object::NAMESPACE)),
];
static FUNCTOOLS_VALUES: [(&str, Value); 1] = [("partial", class(&PARTIAL))];

const fn class(class: &'static LibraryClass) -> Value {
    Value::Type(Type::Library(class))
}

/// Returns the functions of a library.
pub(crate) fn functions(library: Library) -> &'static [LibraryFunction] {
    match library {
        Library::Math => &super::math::MATH_FUNCTIONS,
        Library::Numpy => &super::numpy::FUNCTIONS,
        Library::Linalg => &super::numpy::LINALG_FUNCTIONS,
        Library::Collections => &named_tuples::FUNCTIONS,
        Library::Itertools => &itertools::FUNCTIONS,
        Library::Functools => &functools::FUNCTIONS,
        Library::Dataclasses => &dataclasses::FUNCTIONS,
        Library::Enum => &enums::FUNCTIONS,
        Library::Abc => &ABC_FUNCTIONS,
        Library::Contextlib => &contextlib::FUNCTIONS,
        Library::Typing => &super::typing::FUNCTIONS,
        Library::Heapq => &heapq::FUNCTIONS,
        Library::Bisect => &bisect::FUNCTIONS,
        Library::Operator => &operator::FUNCTIONS,
        Library::Statistics => &statistics::FUNCTIONS,
        Library::Copy => &copy::FUNCTIONS,
        Library::Random => &random::FUNCTIONS,
        Library::Regex => &regex::FUNCTIONS,
        Library::String => &string::FUNCTIONS,
        Library::Logging => &logging::LOGGING_FUNCTIONS,
        Library::Warnings => &logging::WARNINGS_FUNCTIONS,
        Library::NumpyRandom => &super::numpy::RANDOM_FUNCTIONS,
        Library::Json => &json::FUNCTIONS,
        Library::Traceback => &logging::TRACEBACK_FUNCTIONS,
        Library::CollectionsAbc
        | Library::FloatInfo
        | Library::Numbers
        | Library::Sys
        | Library::Types
        | Library::World => &[],
    }
}

/// Returns the constants and classes of a library with their names; those of `typing`, `collections.abc` and the world are not included.
fn values(library: Library) -> &'static [(&'static str, Value)] {
    match library {
        Library::Math => &super::math::VALUES,
        Library::Numpy => &super::numpy::VALUES,
        Library::Collections => &COLLECTIONS_VALUES,
        Library::Functools => &FUNCTOOLS_VALUES,
        Library::Dataclasses => &DATACLASSES_VALUES,
        Library::Enum => &ENUM_VALUES,
        Library::Abc => &ABC_VALUES,
        Library::Contextlib => &CONTEXTLIB_VALUES,
        Library::Linalg => &LINALG_VALUES,
        Library::Operator => &OPERATOR_VALUES,
        Library::Random => &RANDOM_VALUES,
        Library::Regex => &regex::VALUES,
        Library::Statistics => &STATISTICS_VALUES,
        Library::String => &STRING_VALUES,
        Library::Logging => &logging::LOGGING_VALUES,
        Library::Types => &TYPES_VALUES,
        Library::Numbers => &NUMBERS_VALUES,
        Library::Json => &JSON_VALUES,
        Library::Sys => &SYS_VALUES,
        Library::FloatInfo => &FLOAT_INFO_VALUES,
        Library::NumpyRandom => &super::numpy::RANDOM_VALUES,
        _ => &[],
    }
}

/// Returns the names of a library; none for the world.
pub(crate) fn names(library: Library) -> Vec<&'static str> {
    match library {
        Library::Typing => super::typing::names(),
        Library::CollectionsAbc => super::typing::COLLECTIONS_ABC_NAMES.to_vec(),
        _ => {
            let values = values(library).iter().map(|&(name, _)| name);
            let functions = functions(library).iter().map(LibraryFunction::short_name);
            let texts: &[(&str, &str)] = if library == Library::String { &string::CONSTANTS } else { &[] };
            values.chain(functions).chain(texts.iter().map(|&(name, _)| name)).collect()
        }
    }
}

/// Returns the constant of `string` with this name.
pub(super) fn string_constant(name: &str) -> Option<&'static str> {
    string::CONSTANTS.iter().find(|(other, _)| *other == name).map(|&(_, text)| text)
}

/// Returns the value that a library other than the world exports under `name`, if any.
pub(super) fn library_member(library: Library, name: &str) -> Option<Value> {
    match library {
        // `collections.abc.Set` is the abstract class, while `typing.Set` is `set`.
        Library::CollectionsAbc if name == "Set" => super::typing::value("AbstractSet"),
        Library::Typing | Library::CollectionsAbc => super::typing::value(name),
        _ => {
            let value = values(library).iter().find(|(other, _)| *other == name).map(|&(_, value)| value);
            value.or_else(|| library.function(name).map(Value::Builtin))
        }
    }
}
