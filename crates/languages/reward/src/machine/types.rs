//! Classes of values, and their names.

use std::sync::Arc;

use super::dict::Flavor;
use super::iterators::Iterator;
use super::value::{self, Cell, Ref, Type, Value};
use super::{ENUM_TYPE, Machine, numpy};

impl Machine<'_> {
    /// Returns the name of a value's class.
    pub(super) fn class_name(&self, value: Value) -> Arc<str> {
        if let Value::Ref(at) = value {
            match self.heap.get(at) {
                Cell::Instance { class, .. } => return self.class_cell(*class).name.clone(),
                Cell::Exception(exception) => {
                    if let Some(class) = exception.class {
                        return self.class_cell(class).name.clone();
                    }
                }
                _ => {}
            }
        }
        self.type_name(self.type_of(value))
    }

    pub(super) fn class_cell(&self, at: Ref) -> &value::Class {
        match self.heap.get(at) {
            Cell::Class(class) => class,
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
            Type::Iterator(name) | Type::State(name) | Type::Library(name) => name,
            Type::Module => "module",
            Type::Property => "property",
            Type::StaticMethod => "staticmethod",
            Type::ClassMethod => "classmethod",
            Type::Exception(kind) => kind.name(),
            Type::Screen(class) => return self.class_of_screen(class).name.clone(),
            Type::Entity(class) => return self.world.objects[class.0 as usize].name.clone(),
            Type::Numpy(kind) => return format!("numpy.{}", kind.name()).into(),
            Type::Array => "numpy.ndarray",
        };
        name.into()
    }

    /// Whether a value is an `OrderedDict`.
    pub(super) fn is_ordered(&self, value: Value) -> bool {
        matches!(value, Value::Ref(at) if matches!(self.heap.get(at), Cell::Dict(dict) if matches!(dict.flavor, Flavor::Ordered)))
    }

    /// Returns the built-in class of a value; `Type::Object` for instances of the program's own classes.
    pub(super) fn type_of(&self, value: Value) -> Type {
        match value {
            Value::None => Type::NoneType,
            Value::Ellipsis => Type::Ellipsis,
            Value::NotImplemented => Type::NotImplementedType,
            Value::Bool(_) => Type::Bool,
            Value::Int(_) => Type::Int,
            Value::Float(_) => Type::Float,
            Value::Numpy(scalar) => Type::Numpy(scalar.kind()),
            Value::Dtype(kind) => Type::Library(numpy::dtype_class(kind)),
            Value::Type(Type::Library("Enum" | "IntEnum" | "StrEnum")) => Type::Library(ENUM_TYPE),
            Value::Type(Type::Library("ABC")) => Type::Library("ABCMeta"),
            Value::Type(_) => Type::Type,
            Value::Builtin(_) => Type::BuiltinFunction,
            Value::Ref(at) => match self.heap.get(at) {
                Cell::Free | Cell::Variable(_) | Cell::Buffer(_) | Cell::Instance { .. } => Type::Object,
                Cell::Text(_) => Type::Str,
                Cell::Bytes(_) => Type::Bytes,
                Cell::Big(_) => Type::Int,
                Cell::List(_) => Type::List,
                Cell::Tuple(_) => Type::Tuple,
                Cell::Dict(dict) => match dict.flavor {
                    Flavor::Default(_) => Type::Library("collections.defaultdict"),
                    Flavor::Counter => Type::Library("Counter"),
                    Flavor::Ordered => Type::Library("collections.OrderedDict"),
                    Flavor::Plain | Flavor::Frozen => Type::Dict,
                },
                Cell::Set(set) if matches!(set.flavor, Flavor::Frozen) => Type::Library("frozenset"),
                Cell::Set(_) => Type::Set,
                Cell::Deque(_) => Type::Library("collections.deque"),
                Cell::View(dict, what) => Type::Iterator(what.view_name(self.is_ordered(*dict))),
                Cell::Partial { .. } => Type::Library("functools.partial"),
                Cell::Cached { .. } => Type::Iterator("functools._lru_cache_wrapper"),
                Cell::Field(_) => Type::Iterator("Field"),
                Cell::TupleField(_) => Type::Iterator("_collections._tuplegetter"),
                Cell::MethodOf(..) => Type::Iterator("method_descriptor"),
                Cell::Auto => Type::Library("auto"),
                Cell::Super { .. } => Type::Library("super"),
                Cell::Range { .. } => Type::Range,
                Cell::Slice(_) => Type::Slice,
                Cell::Iterator(Iterator::Text(text, _)) if self.as_text(*text).is_some_and(|text| text.is_ascii()) => {
                    Type::Iterator("str_ascii_iterator")
                }
                Cell::Iterator(iterator) => Type::Iterator(iterator.name()),
                Cell::Generator(_) => Type::Generator,
                Cell::Function(_) | Cell::Generated(..) => Type::Function,
                Cell::Bound { .. } => Type::Method,
                Cell::Method(..) => Type::BuiltinMethod,
                Cell::Class(class) => class_of_class(class),
                Cell::Union(_) => Type::Library("types.UnionType"),
                Cell::Alias { .. } => Type::Library("types.GenericAlias"),
                Cell::Marker(marker) => Type::Library(marker.kind.class_name()),
                Cell::Exception(exception) => Type::Exception(exception.kind),
                Cell::Screen(object) => Type::Screen(object.class),
                Cell::Entity(object) => Type::Entity(object.class),
                Cell::State(state) => Type::State(state.name),
                Cell::Array(_) => Type::Array,
                Cell::Module(..) => Type::Module,
                Cell::Property { .. } => Type::Property,
                Cell::StaticMethod(_) => Type::StaticMethod,
                Cell::ClassMethod(_) => Type::ClassMethod,
            },
        }
    }
}

/// Returns the metaclass that messages name for a class of the program.
fn class_of_class(class: &value::Class) -> Type {
    let has =
        |name: &str| class.order.iter().any(|&base| matches!(base, Value::Type(Type::Library(other)) if other == name));
    if has("Enum") {
        Type::Library(ENUM_TYPE)
    } else if has("ABC") {
        Type::Library("ABCMeta")
    } else {
        Type::Type
    }
}
