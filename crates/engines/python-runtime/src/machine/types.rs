//! Classes of values, and their names.

use std::sync::Arc;

use super::Machine;
use super::dict::DictKind;
use super::iterators::IteratorState;
use super::library::is_enum_class;
use super::library_class::{
    ABC, ABC_META, AUTO, COUNTER, DEFAULT_DICT, DEQUE, ENUM, ENUM_TYPE, FROZEN_SET, GENERIC_ALIAS, ORDERED_DICT,
    PARTIAL, SUPER, UNION_TYPE, dtype_class,
};
use super::value::{self, HeapObject, HeapRef, Type, Value};

impl Machine {
    /// Returns the name of a value's class.
    pub(super) fn class_name(&self, value: Value) -> Arc<str> {
        if let Value::Ref(at) = value {
            match self.heap.get(at) {
                HeapObject::Instance { class, .. } => return self.class_cell(*class).name.clone(),
                HeapObject::Exception(exception) => {
                    if let Some(class) = exception.class {
                        return self.class_cell(class).name.clone();
                    }
                }
                _ => {}
            }
        }
        self.type_name(self.type_of(value))
    }

    pub(super) fn class_cell(&self, at: HeapRef) -> &value::Class {
        match self.heap.get(at) {
            HeapObject::Class(class) => class,
            _ => unreachable!("classes are referred to as such"),
        }
    }

    pub(super) fn type_name(&self, kind: Type) -> Arc<str> {
        let name = match kind {
            Type::Object => "object",
            Type::Type => "type",
            Type::NoneType => "NoneType",
            Type::Ellipsis => "ellipsis",
            Type::NotImplementedType => "NotImplementedType",
            Type::Bool => "bool",
            Type::Int => "int",
            Type::Float => "float",
            Type::Str => "str",
            Type::Bytes => "bytes",
            Type::List => "list",
            Type::Tuple => "tuple",
            Type::Dict => "dict",
            Type::Set => "set",
            Type::Range => "range",
            Type::Slice => "slice",
            Type::Function => "function",
            Type::BuiltinFunction | Type::BuiltinMethod => "builtin_function_or_method",
            Type::Method => "method",
            Type::Generator => "generator",
            Type::Iterator(name) | Type::State(name) | Type::Typing(name) => name,
            Type::Library(class) => class.name,
            Type::Module => "module",
            Type::Property => "property",
            Type::StaticMethod => "staticmethod",
            Type::ClassMethod => "classmethod",
            Type::Exception(kind) => kind.name(),
            Type::Screen(class) => return self.class_of_screen(class).name.clone(),
            Type::Entity(class) => return self.world.entity_classes[class.0 as usize].name.clone(),
            Type::Numpy(kind) => return format!("numpy.{}", kind.name()).into(),
            Type::Array => "numpy.ndarray",
        };
        name.into()
    }

    /// Whether a value is an `OrderedDict`.
    pub(super) fn is_ordered(&self, value: Value) -> bool {
        matches!(value, Value::Ref(at) if matches!(self.heap.get(at), HeapObject::Dict(dict) if matches!(dict.kind, DictKind::Ordered)))
    }

    /// Returns the built-in class of a value; `Type::Object` for instances of the program's own classes.
    pub(super) fn type_of(&self, value: Value) -> Type {
        match value {
            Value::Method { .. } => Type::Method,
            Value::BuiltinMethod { .. } => Type::BuiltinMethod,
            Value::None => Type::NoneType,
            Value::Ellipsis => Type::Ellipsis,
            Value::NotImplemented => Type::NotImplementedType,
            Value::Bool(_) => Type::Bool,
            Value::Int(_) => Type::Int,
            Value::Float(_) => Type::Float,
            Value::Numpy(scalar) => Type::Numpy(scalar.get().dtype()),
            Value::Dtype(kind) => dtype_class(kind),
            Value::Type(kind) if is_enum_class(kind) => Type::Library(&ENUM_TYPE),
            Value::Type(kind) if kind == Type::Library(&ABC) => Type::Library(&ABC_META),
            Value::Type(_) => Type::Type,
            Value::Builtin(_) => Type::BuiltinFunction,
            Value::Ref(at) => match self.heap.get(at) {
                HeapObject::Free | HeapObject::ClosureCell(_) | HeapObject::Buffer(_) | HeapObject::Instance { .. } => {
                    Type::Object
                }
                HeapObject::Text(_) => Type::Str,
                HeapObject::Bytes(_) => Type::Bytes,
                HeapObject::BigInt(_) => Type::Int,
                HeapObject::List(_) => Type::List,
                HeapObject::Tuple(_) => Type::Tuple,
                HeapObject::Dict(dict) => match dict.kind {
                    DictKind::Default(_) => Type::Library(&DEFAULT_DICT),
                    DictKind::Counter => Type::Library(&COUNTER),
                    DictKind::Ordered => Type::Library(&ORDERED_DICT),
                    DictKind::Plain | DictKind::Frozen => Type::Dict,
                },
                HeapObject::Set(set) if matches!(set.kind, DictKind::Frozen) => Type::Library(&FROZEN_SET),
                HeapObject::Set(_) => Type::Set,
                HeapObject::Library(object) => Type::Library(object.class()),
                HeapObject::Deque(_) => Type::Library(&DEQUE),
                HeapObject::DictView(dict, part) => Type::Iterator(part.view_name(self.is_ordered(*dict))),
                HeapObject::Partial { .. } => Type::Library(&PARTIAL),
                HeapObject::LruCache { .. } => Type::Iterator(&"functools._lru_cache_wrapper"),
                HeapObject::ContextManager(manager) => Type::Library(manager.class()),
                HeapObject::Traceback(_) => Type::Iterator(&"traceback"),
                HeapObject::CachedProperty { .. } => Type::Iterator(&"cached_property"),
                HeapObject::PartialMethod(_) => Type::Iterator(&"partialmethod"),
                HeapObject::ComparisonKey { .. } => Type::Iterator(&"functools.KeyWrapper"),
                HeapObject::DataclassField(_) => Type::Iterator(&"Field"),
                HeapObject::NamedTupleField(_) => Type::Iterator(&"_collections._tuplegetter"),
                HeapObject::UnboundMethod(..) => Type::Iterator(&"method_descriptor"),
                HeapObject::EnumAuto => Type::Library(&AUTO),
                HeapObject::Super { .. } => Type::Library(&SUPER),
                HeapObject::Range { .. } => Type::Range,
                HeapObject::Slice(_) => Type::Slice,
                HeapObject::Iterator(IteratorState::Text(text, _))
                    if self.as_text(*text).is_some_and(|text| text.is_ascii()) =>
                {
                    Type::Iterator(&"str_ascii_iterator")
                }
                HeapObject::Iterator(iterator) => Type::Iterator(iterator.name()),
                HeapObject::Generator(_) => Type::Generator,
                HeapObject::Function(_) | HeapObject::Wrapper(_) | HeapObject::GeneratedMethod(..) => Type::Function,
                HeapObject::BoundMethod { .. } => Type::Method,
                HeapObject::BuiltinMethod(..) => Type::BuiltinMethod,
                HeapObject::Class(class) => metaclass(class),
                HeapObject::Union(_) => Type::Library(&UNION_TYPE),
                HeapObject::GenericAlias { .. } => Type::Library(&GENERIC_ALIAS),
                HeapObject::TypingMarker(marker) => Type::Typing(marker.kind.class_name()),
                HeapObject::Exception(exception) => Type::Exception(exception.kind),
                HeapObject::Screen(object) => Type::Screen(object.class()),
                HeapObject::Entity(object) => Type::Entity(object.class),
                HeapObject::State(state) => Type::State(state.name),
                HeapObject::Array(_) => Type::Array,
                HeapObject::Module(..) => Type::Module,
                HeapObject::Property { .. } => Type::Property,
                HeapObject::StaticMethod(_) => Type::StaticMethod,
                HeapObject::ClassMethod(_) => Type::ClassMethod,
            },
        }
    }
}

/// Returns the metaclass that messages name for a class of the program.
fn metaclass(class: &value::Class) -> Type {
    let has = |kind: Type| class.mro.iter().any(|&base| matches!(base, Value::Type(other) if other == kind));
    if has(Type::Library(&ENUM)) {
        Type::Library(&ENUM_TYPE)
    } else if has(Type::Library(&ABC)) {
        Type::Library(&ABC_META)
    } else {
        Type::Type
    }
}
