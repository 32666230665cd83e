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
pub(crate) use itertools::CombinatoricIterator;

use super::Machine;
use super::builtins::Builtin;
use super::call::KeywordArguments;
use super::dict::DictKind;
use super::exceptions::{ExceptionKind, ExecResult};
use super::value::{Type, Value};
use crate::library::Library;

/// Returns the value that a library module exports under `name`, if any.
pub(super) fn library_member(library: Library, name: &str) -> Option<Value> {
    let function = |full: &'static str| Some(Value::Builtin(Builtin::Library(full)));
    let class = |full: &'static str| Some(Value::Type(Type::Library(full)));
    match (library, name) {
        (Library::Collections, "deque") => class("collections.deque"),
        (Library::Collections, "defaultdict") => class("collections.defaultdict"),
        (Library::Collections, "Counter") => class("Counter"),
        (Library::Collections, "OrderedDict") => class("collections.OrderedDict"),
        (Library::Collections, "namedtuple") => function("collections.namedtuple"),
        (Library::Itertools, _) => function(itertools::full_name(name)?),
        (Library::Functools, "partial") => class("functools.partial"),
        (Library::Functools, "reduce") => function("functools.reduce"),
        (Library::Functools, "cache") => function("functools.cache"),
        (Library::Functools, "lru_cache") => function("functools.lru_cache"),
        (Library::Functools, "total_ordering") => function("functools.total_ordering"),
        (Library::Functools, "wraps") => function("functools.wraps"),
        (Library::Dataclasses, "FrozenInstanceError") => {
            Some(Value::Type(Type::Exception(ExceptionKind::FrozenInstanceError)))
        }
        (Library::Dataclasses, "dataclass") => function("dataclasses.dataclass"),
        (Library::Dataclasses, "field") => function("dataclasses.field"),
        (Library::Dataclasses, "asdict") => function("dataclasses.asdict"),
        (Library::Dataclasses, "astuple") => function("dataclasses.astuple"),
        (Library::Dataclasses, "replace") => function("dataclasses.replace"),
        (Library::Enum, "Enum") => class("Enum"),
        (Library::Enum, "IntEnum") => class("IntEnum"),
        (Library::Enum, "StrEnum") => class("StrEnum"),
        (Library::Enum, "auto") => class("auto"),
        (Library::Enum, "unique") => function("enum.unique"),
        (Library::Abc, "ABC") => class("ABC"),
        (Library::Abc, "ABCMeta") => class("ABCMeta"),
        (Library::Abc, "abstractmethod") => function("abc.abstractmethod"),
        // `collections.abc.Set` is the abstract class, while `typing.Set` is `set`.
        (Library::CollectionsAbc, "Set") => super::typing::value("AbstractSet"),
        (Library::Typing | Library::CollectionsAbc, _) => super::typing::value(name),
        _ => None,
    }
}

impl Machine {
    pub(super) fn call_library(
        &mut self,
        name: &'static str,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        if name.starts_with("typing.") {
            return self.call_typing(name, arguments, named);
        }
        if let Some(short) = name.strip_prefix("itertools.") {
            return self.call_itertools(short, arguments, named);
        }
        match name {
            "collections.namedtuple" => self.namedtuple(arguments, named),
            "dataclasses.dataclass" => self.dataclass(arguments, named),
            "dataclasses.field" => self.dataclass_field(arguments, named),
            "dataclasses.asdict" | "dataclasses.astuple" => {
                let object = self.single_argument(short_name(name), arguments, named)?;
                self.asdict_or_astuple(object, name == "dataclasses.asdict")
            }
            "dict.fromkeys" | "defaultdict.fromkeys" | "OrderedDict.fromkeys" | "Counter.fromkeys" => {
                self.reject_keywords(name, named)?;
                let flavor = match name {
                    "defaultdict.fromkeys" => DictKind::Default(Value::None),
                    "OrderedDict.fromkeys" => DictKind::Ordered,
                    "Counter.fromkeys" => DictKind::Counter,
                    _ => DictKind::Plain,
                };
                self.dict_fromkeys(flavor, arguments)
            }
            "bytes.fromhex" => self.bytes_from_hex(arguments, named),
            "bytes.maketrans" => self.bytes_table(arguments, named),
            "str.maketrans" => self.text_table(arguments, named),
            "int.from_bytes" => self.number_from_bytes(arguments, named),
            "bool.from_bytes" => {
                let number = self.number_from_bytes(arguments, named)?;
                self.truth(number).map(Value::Bool)
            }
            "dataclasses.replace" => self.replace_dataclass_fields(arguments, named),
            "enum.unique" => {
                let class = self.single_argument("unique", arguments, named)?;
                self.unique(class)
            }
            "object.__init__" => {
                let [object, rest @ ..] = arguments else {
                    return Err(self.type_error("unbound method object.__init__() needs an argument"));
                };
                self.base_method(*object, "__init__", rest, named)
            }
            "abc.register" => {
                let &[base, class] = arguments else {
                    return Err(self.type_error("register() requires one class"));
                };
                self.register(base, class)?;
                Ok(class)
            }
            "abc.abstractmethod" => {
                let function = self.single_argument("abstractmethod", arguments, named)?;
                self.mark_abstract(function);
                Ok(function)
            }
            _ => self.call_functools(name, arguments, named),
        }
    }

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
