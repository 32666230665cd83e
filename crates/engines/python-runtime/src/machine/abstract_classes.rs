//! Checks of classes against the abstract base classes of `typing` and `collections.abc`, and against protocols of the program.

use super::abstract_bases::is_derived_abstract_base;
use super::exceptions::ExecResult;
use super::library_class::{DEQUE, ENUM_TYPE, FROZEN_SET};
use super::numpy::Dtype;
use super::value::{ClassKind, HeapRef, StaticName, Type, Value};
use super::{Machine, cost};
use crate::code::Symbol;

/// Attributes of a protocol class that are not members of the protocol.
const NON_MEMBERS: [&str; 5] = ["__annotations__", "__doc__", "__slots__", "__init__", "__new__"];

impl Machine {
    /// Returns whether a class satisfies a name of `typing` or `collections.abc`. `checked_by` is `isinstance` or `issubclass`, for the
    /// error if the name cannot be checked.
    pub(super) fn is_subclass_of_abc(&mut self, class: Value, name: StaticName, checked_by: &str) -> ExecResult<bool> {
        if let Some(kind) = super::typing::aliased_class(Type::Typing(name)) {
            return self.is_subclass(class, Value::Type(kind));
        }
        if matches!(*name, "typing.Generic" | "typing.Protocol") {
            return self.is_subclass(class, Value::Type(Type::Typing(name)));
        }
        if *name == "typing.Any" && checked_by == "issubclass" {
            return Ok(false);
        }
        if !is_checkable(name) {
            return Err(self.type_error(&format!("{name} cannot be used with {checked_by}()")));
        }
        if *name == "typing.Hashable" {
            return Ok(self.is_hashable_class(class));
        }
        let methods = abc_methods(name);
        if !methods.is_empty() && methods.iter().all(|method| self.defines_method(class, method)) {
            return Ok(true);
        }
        Ok(match class {
            Value::Type(kind) => built_in_satisfies_abc(kind, name),
            Value::Ref(at) => {
                let order = &self.class_cell(at).mro;
                order.iter().any(|&base| {
                    matches!(base, Value::Type(kind)
                        if built_in_satisfies_abc(kind, name) || is_derived_abstract_base(kind, name))
                })
            }
            _ => false,
        })
    }

    /// Returns whether a user-defined class or one of its bases defines a method.
    fn defines_method(&mut self, class: Value, method: &str) -> bool {
        let symbol = self.intern(method);
        let Value::Ref(at) = class else { return false };
        self.class_field(at, symbol).is_some_and(|field| !matches!(field, Value::None))
    }

    /// Returns whether the instances of a class are hashable.
    fn is_hashable_class(&mut self, class: Value) -> bool {
        let hash = self.intern("__hash__");
        let Value::Ref(at) = class else {
            let Value::Type(kind) = class else { return true };
            return match kind {
                Type::Screen(class) => self.is_hashable_screen(class),
                Type::List
                | Type::Dict
                | Type::Set
                | Type::Array
                | Type::Slice
                | Type::Iterator(&"dict_keys" | &"dict_items" | &"odict_keys" | &"odict_items") => false,
                Type::Library(class) => class.is_hashable,
                _ => true,
            };
        };
        let order = self.class_cell(at).mro.clone();
        let decides = order.into_iter().find_map(|base| match base {
            Value::Ref(at) => self.class_cell(at).attributes.get(&hash).map(|method| !matches!(method, Value::None)),
            Value::Type(kind) if super::classes::has_no_instance_value(kind) => None,
            _ => Some(self.is_hashable_class(base)),
        });
        decides.unwrap_or(true)
    }

    /// Returns the members of a protocol of the program, and whether all of them are methods.
    fn protocol_members(&mut self, class: HeapRef) -> ExecResult<(Vec<Symbol>, bool)> {
        let (mut members, mut only_methods) = (Vec::new(), true);
        for base in self.class_cell(class).mro.clone() {
            self.charge(cost::OPERATION)?;
            let Value::Ref(at) = base else { continue };
            if !matches!(self.class_cell(at).kind, ClassKind::Protocol { .. }) {
                continue;
            }
            let fields: Vec<(Symbol, Value)> =
                self.class_cell(at).attributes.iter().map(|(&name, &value)| (name, value)).collect();
            let annotated = self.annotated_names(at);
            self.charge((fields.len() + annotated.len()) as u64)?;
            for (name, value) in fields.into_iter().chain(annotated.into_iter().map(|name| (name, Value::None))) {
                if NON_MEMBERS.contains(&&*self.name(name)) {
                    continue;
                }
                only_methods &= self.is_callable(value);
                members.push(name);
            }
        }
        Ok((members, only_methods))
    }

    /// Returns whether a value has all members of a protocol of the program.
    pub(super) fn satisfies_protocol(&mut self, value: Value, protocol: HeapRef) -> ExecResult<bool> {
        let class = self.class_of(value);
        for name in self.protocol_members(protocol)?.0 {
            if self.try_attribute(value, name)?.is_none() && !self.has_abc_method(class, name)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns whether a class has all methods of a protocol of the program.
    pub(super) fn class_satisfies_protocol(&mut self, class: Value, protocol: HeapRef) -> ExecResult<bool> {
        let (members, only_methods) = self.protocol_members(protocol)?;
        if !only_methods {
            return Err(self.type_error("Protocols with non-method members don't support issubclass()"));
        }
        for name in members {
            if self.try_attribute(class, name)?.is_none() && !self.has_abc_method(class, name)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns whether a class has a special method according to its abstract base class, such as `__len__` for lists.
    fn has_abc_method(&mut self, class: Value, name: Symbol) -> ExecResult<bool> {
        let name = self.name(name);
        match ABC_OF_METHOD.iter().find(|(method, _)| *method == &*name) {
            Some((_, form)) => self.is_subclass_of_abc(class, form, "isinstance"),
            None => Ok(false),
        }
    }
}

/// Special methods, each with the abstract base class whose classes have it.
const ABC_OF_METHOD: [(&str, &str); 12] = [
    ("__abs__", "typing.SupportsAbs"),
    ("__call__", "typing.Callable"),
    ("__contains__", "typing.Container"),
    ("__float__", "typing.SupportsFloat"),
    ("__hash__", "typing.Hashable"),
    ("__index__", "typing.SupportsIndex"),
    ("__int__", "typing.SupportsInt"),
    ("__iter__", "typing.Iterable"),
    ("__len__", "typing.Sized"),
    ("__next__", "typing.Iterator"),
    ("__reversed__", "typing.Reversible"),
    ("__round__", "typing.SupportsRound"),
];

/// Returns the methods that make a user-defined class satisfy an abstract base class; empty if the class must be derived from it.
fn abc_methods(name: &str) -> &'static [&'static str] {
    match name {
        "typing.Callable" => &["__call__"],
        "typing.Collection" => &["__len__", "__iter__", "__contains__"],
        "typing.Container" => &["__contains__"],
        "typing.Generator" => &["__iter__", "__next__", "send", "throw", "close"],
        "typing.Iterable" => &["__iter__"],
        "typing.Iterator" => &["__iter__", "__next__"],
        "typing.Reversible" => &["__reversed__", "__iter__"],
        "typing.Sized" => &["__len__"],
        "typing.SupportsAbs" => &["__abs__"],
        "typing.SupportsBytes" => &["__bytes__"],
        "typing.SupportsFloat" => &["__float__"],
        "typing.SupportsIndex" => &["__index__"],
        "typing.SupportsInt" => &["__int__"],
        "typing.SupportsRound" => &["__round__"],
        _ => &[],
    }
}

/// Returns whether `isinstance` and `issubclass` accept a name that does not stand for a built-in class.
fn is_checkable(name: &str) -> bool {
    let has_kinds = matches!(
        name,
        "typing.AbstractSet"
            | "typing.AsyncGenerator"
            | "typing.AsyncIterable"
            | "typing.AsyncIterator"
            | "typing.Awaitable"
            | "typing.ByteString"
            | "typing.ChainMap"
            | "typing.Coroutine"
            | "typing.Hashable"
            | "typing.ItemsView"
            | "typing.KeysView"
            | "typing.Mapping"
            | "typing.MappingView"
            | "typing.MutableMapping"
            | "typing.MutableSequence"
            | "typing.MutableSet"
            | "typing.Sequence"
            | "typing.SupportsComplex"
            | "typing.ValuesView"
            | "numbers.Complex"
            | "numbers.Integral"
            | "numbers.Number"
            | "numbers.Rational"
            | "numbers.Real"
    );
    has_kinds || !abc_methods(name).is_empty()
}

/// Returns whether a built-in class satisfies an abstract base class.
fn built_in_satisfies_abc(kind: Type, name: &str) -> bool {
    let view = match kind {
        Type::Iterator(&"dict_keys" | &"odict_keys") => Some("typing.KeysView"),
        Type::Iterator(&"dict_values" | &"odict_values") => Some("typing.ValuesView"),
        Type::Iterator(&"dict_items" | &"odict_items") => Some("typing.ItemsView"),
        _ => None,
    };
    let is_set_view = matches!(view, Some("typing.KeysView" | "typing.ItemsView"));
    let is_frozen = kind == Type::Library(&FROZEN_SET);
    let is_dict = kind == Type::Dict || matches!(kind, Type::Library(class) if class.bases.contains(&Type::Dict));
    let is_deque = kind == Type::Library(&DEQUE);
    let is_sequence = matches!(kind, Type::List | Type::Tuple | Type::Str | Type::Bytes | Type::Range) || is_deque;
    let is_set = kind == Type::Set || is_frozen;
    let is_collection = is_sequence || is_dict || is_set || view.is_some() || kind == Type::Array;
    let is_function = matches!(
        kind,
        Type::Iterator(
            &"functools._lru_cache_wrapper" | &"Field" | &"_collections._tuplegetter" | &"method_descriptor"
        )
    );
    let is_iterator = kind == Type::Generator || matches!(kind, Type::Iterator(_) if view.is_none() && !is_function);
    let is_enumeration = kind == Type::Library(&ENUM_TYPE);
    let is_number = matches!(kind, Type::Bool | Type::Int | Type::Float | Type::Numpy(_));
    match name {
        "typing.AbstractSet" => is_set || is_set_view,
        "typing.ByteString" | "typing.SupportsBytes" => kind == Type::Bytes,
        "typing.Callable" => is_callable_class(kind),
        "typing.Collection" | "typing.Container" | "typing.Sized" => is_collection || is_enumeration,
        "typing.Generator" => kind == Type::Generator,
        "typing.Iterable" => is_collection || is_iterator || is_enumeration,
        "typing.Iterator" => is_iterator,
        "typing.Mapping" | "typing.MutableMapping" => is_dict,
        "typing.MappingView" => view.is_some(),
        "typing.KeysView" | "typing.ValuesView" | "typing.ItemsView" => view == Some(name),
        "typing.MutableSequence" => kind == Type::List || is_deque,
        "typing.MutableSet" => kind == Type::Set,
        "typing.Reversible" => is_sequence || is_dict || view.is_some() || is_enumeration,
        "typing.Sequence" => is_sequence,
        "typing.SupportsAbs" | "typing.SupportsFloat" | "typing.SupportsInt" | "typing.SupportsRound" => is_number,
        "typing.SupportsComplex" => matches!(kind, Type::Numpy(_)),
        "numbers.Complex" | "numbers.Number" | "numbers.Real" => is_number && kind != Type::Numpy(Dtype::Bool),
        "numbers.Integral" | "numbers.Rational" => {
            matches!(kind, Type::Bool | Type::Int | Type::Numpy(Dtype::Int | Dtype::Sized(_)))
        }
        "typing.SupportsIndex" => {
            matches!(kind, Type::Bool | Type::Int | Type::Numpy(Dtype::Bool | Dtype::Int | Dtype::Sized(_)))
        }
        _ => false,
    }
}

/// Returns whether instances of a built-in class are callable.
fn is_callable_class(kind: Type) -> bool {
    match kind {
        Type::Type
        | Type::Function
        | Type::BuiltinFunction
        | Type::BuiltinMethod
        | Type::Method
        | Type::StaticMethod
        | Type::Iterator(&"functools._lru_cache_wrapper" | &"method_descriptor") => true,
        Type::Library(class) => class.is_callable,
        Type::Typing(name) => *name == "typing.NewType",
        _ => false,
    }
}
