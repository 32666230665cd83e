//! Python library modules available to programs: `collections`, `itertools`, `functools`, `dataclasses`, `enum` and `abc`.
//!
//! | module | contents |
//! |---|---|
//! | `collections` | dict subclasses: `defaultdict`, `OrderedDict`, `Counter` |
//! | `named_tuples` | named tuples, and `TypedDict` classes made by a call |
//! | `deque` | deques |
//! | `itertools` | iterators of `itertools` |
//! | `functools` | `partial`, `reduce`, `wraps`, caches |
//! | `dataclasses` | dataclasses, and the comparisons of `total_ordering` |
//! | `enums` | enumerations |

mod collections;
mod dataclasses;
mod deque;
mod enums;
mod functools;
mod itertools;
mod named_tuples;

pub(crate) use dataclasses::{Dataclass, FieldSpec, GeneratedMethod};
pub(super) use deque::DEQUE_METHODS;
pub(crate) use deque::Deque;
pub(super) use enums::EnumBody;
pub(super) use itertools::CHAIN_FROM_ITERABLE;
pub(crate) use itertools::ItertoolsState;

use super::Machine;
use super::call::KeywordArguments;
use super::exceptions::{ExceptionKind, ExecResult};
use super::library_function::LibraryFunction;
use super::parameters::{NamedParameters, Origin};
use super::value::{Type, Value};
use crate::library::Library;

/// The functions of `abc`.
static ABC_FUNCTIONS: [LibraryFunction; 1] =
    [LibraryFunction::named("abc.abstractmethod", NamedParameters::new(Origin::Python, &["funcobj"]), |m, b| {
        m.mark_abstract(b.required(0));
        Ok(b.required(0))
    })
    .as_decorator()];

/// The function that registers a class with an abstract base class, the first argument.
pub(super) static REGISTER: LibraryFunction = LibraryFunction::custom("abc.register", |m, arguments, _| {
    let &[base, class] = arguments else { return Err(m.type_error("register() requires one class")) };
    m.register(base, class)?;
    Ok(class)
});

/// The constants and classes of the libraries, by their names.
static ABC_VALUES: [(&str, Value); 2] = [("ABC", class("ABC")), ("ABCMeta", class("ABCMeta"))];
static COLLECTIONS_VALUES: [(&str, Value); 4] = [
    ("Counter", class("Counter")),
    ("OrderedDict", class("collections.OrderedDict")),
    ("defaultdict", class("collections.defaultdict")),
    ("deque", class("collections.deque")),
];
static DATACLASSES_VALUES: [(&str, Value); 1] =
    [("FrozenInstanceError", Value::Type(Type::Exception(ExceptionKind::FrozenInstanceError)))];
static ENUM_VALUES: [(&str, Value); 4] =
    [("Enum", class("Enum")), ("IntEnum", class("IntEnum")), ("StrEnum", class("StrEnum")), ("auto", class("auto"))];
static FUNCTOOLS_VALUES: [(&str, Value); 1] = [("partial", class("functools.partial"))];

const fn class(name: &'static str) -> Value {
    Value::Type(Type::Library(name))
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
        Library::Typing => &super::typing::FUNCTIONS,
        Library::CollectionsAbc | Library::World => &[],
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
        Library::Linalg | Library::Itertools | Library::Typing | Library::CollectionsAbc | Library::World => &[],
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
            values.chain(functions).collect()
        }
    }
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

impl Machine {
    pub(super) fn construct_library(
        &mut self,
        class: &'static str,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        match class {
            "numpy.dtype" => self.construct_dtype(arguments, named),
            "collections.deque" => self.new_deque(arguments, named),
            "collections.defaultdict" | "Counter" | "collections.OrderedDict" => {
                self.new_dict_subclass(class, arguments, named)
            }
            "frozenset" => self.set_of(arguments.first().copied(), true),
            "functools.partial" => self.partial(arguments, named),
            "NamedTuple" => self.named_tuple_class_from_pairs(arguments, named),
            "typing.TypedDict" => self.new_typed_dict_class(arguments, named),
            _ if class.starts_with("typing.") => {
                let message = match super::typing::aliased_class(Type::Library(class)) {
                    Some(kind) => {
                        let (short, kind) = (short_name(class), self.type_name(kind));
                        format!("Type {short} cannot be instantiated; use {}() instead", short_name(&kind))
                    }
                    None if matches!(class, "typing.Generic" | "typing.Protocol") => {
                        let short = short_name(class);
                        let plural = if short == "Protocol" { "Protocols" } else { "Type Generic" };
                        format!("{plural} cannot be instantiated")
                    }
                    None if class == "typing.Any" => "Any cannot be instantiated".to_owned(),
                    None => format!("Cannot instantiate {class}"),
                };
                Err(self.type_error(&message))
            }
            "Enum" | "IntEnum" | "StrEnum" => self.enum_from_names(class, arguments, named),
            "auto" => Ok(Value::Ref(self.heap.add(super::value::HeapObject::EnumAuto))),
            _ => {
                let message = format!("{class}() is an abstract base class; create objects of its subclasses");
                Err(self.type_error(&message))
            }
        }
    }
}

/// Returns the last segment of a dotted name.
pub(super) fn short_name(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}
