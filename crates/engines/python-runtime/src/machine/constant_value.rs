//! Values of module-level names after a program's top level has run, for the compiler of the typed fast path.

use std::sync::Arc;

use super::Machine;
use super::library_function::{BuiltinForm, LibraryFunction};
use super::screen::ClassId;
use super::value::{Function, HeapObject, HeapRef, Type, Value};
use crate::code::CodeId;
use crate::library::Library;

/// The value of a name, as far as the compiler may treat it as a constant.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ConstantValue {
    None,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(Arc<str>),
    Tuple(Vec<ConstantValue>),
    /// A function of the module.
    Function(FunctionConstant),
    /// A function of the module whose results `functools` caches.
    CachedFunction(FunctionConstant),
    /// A class of the world, by its id.
    Class(u16),
    /// A built-in function or class.
    Builtin(BuiltinConstant),
    /// A function of a library.
    LibraryFunction(&'static LibraryFunction),
    /// An importable module, by its name.
    Module(&'static str),
    /// A list, a dict, a set or an instance of a class of the program.
    Object(HeapRef),
    /// A class of the program.
    ProgramClass(HeapRef),
    /// Any other value.
    Other,
}

impl ConstantValue {
    /// Whether a machine can be given the value: it is data, an object of the module, or one of the classes and functions that exist once.
    pub(crate) fn is_restorable(&self) -> bool {
        match self {
            Self::Tuple(parts) => parts.iter().all(Self::is_restorable),
            Self::Function(_) | Self::CachedFunction(_) | Self::Builtin(_) | Self::Module(_) | Self::Other => false,
            _ => true,
        }
    }
}

/// A function of the module.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FunctionConstant {
    pub(crate) code: CodeId,
    /// The defaults of the last positional parameters, and then those of the keyword-only parameters that have one, in order.
    pub(crate) defaults: Vec<ConstantValue>,
    /// The cells of the free variables.
    pub(crate) cells: Vec<HeapRef>,
}

/// A built-in function or class.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct BuiltinConstant {
    /// The name.
    pub(crate) name: Arc<str>,
    /// The form of its calls; `None` if the fast engine has none.
    pub(crate) form: Option<BuiltinForm>,
}

/// Maximum nesting depth of the values examined.
const MAX_CONSTANT_DEPTH: usize = 16;

/// Maximum number of tuple elements and defaults examined for one name; values beyond it are [`ConstantValue::Other`].
const MAX_CONSTANT_ELEMENTS: usize = 4096;

impl Machine {
    /// Returns the value of a module-level or built-in name; `None` if the name is not defined.
    pub(crate) fn global_constant(&self, name: &str) -> Option<ConstantValue> {
        let global = self.names.find(name).and_then(|symbol| self.globals.get(symbol));
        global.or_else(|| Self::builtin(name)).map(|value| self.constant_value(value))
    }

    /// Returns the value of a name of a library; `None` if the module does not export it.
    pub(crate) fn library_constant(&self, library: Library, name: &str) -> Option<ConstantValue> {
        super::library::library_member(library, name).map(|value| self.constant_value(value))
    }

    pub(super) fn constant_value(&self, value: Value) -> ConstantValue {
        let mut left = MAX_CONSTANT_ELEMENTS;
        self.limited_constant_value(value, MAX_CONSTANT_DEPTH, &mut left)
    }

    fn limited_constant_value(&self, value: Value, depth: usize, left: &mut usize) -> ConstantValue {
        if depth == 0 || *left == 0 {
            return ConstantValue::Other;
        }
        *left -= 1;
        match value {
            Value::None => ConstantValue::None,
            Value::Bool(truth) => ConstantValue::Bool(truth),
            Value::Int(number) => ConstantValue::Int(number),
            Value::Float(number) => ConstantValue::Float(number),
            Value::Type(Type::Screen(ClassId(class))) => ConstantValue::Class(class),
            Value::Type(Type::Entity(_)) => ConstantValue::Other,
            Value::Type(kind) => ConstantValue::Builtin(BuiltinConstant {
                name: self.type_name(kind),
                form: BuiltinForm::of_class(kind),
            }),
            // Functions of libraries may share their names with built-ins.
            Value::Builtin(function) => match function.module() {
                None => ConstantValue::Builtin(BuiltinConstant { name: function.name.into(), form: function.form }),
                Some("math" | "bisect" | "statistics" | "heapq") => ConstantValue::LibraryFunction(function),
                Some(_) => ConstantValue::Other,
            },
            Value::Ref(at) => match self.heap.get(at) {
                HeapObject::Text(text) => ConstantValue::Text(text.clone()),
                HeapObject::Tuple(values) => ConstantValue::Tuple(self.limited_constant_values(values, depth, left)),
                HeapObject::Function(function) if function.defining_class.is_none() => {
                    ConstantValue::Function(self.function_constant(function, depth, left))
                }
                HeapObject::LruCache { function, .. } => {
                    match self.limited_constant_value(*function, depth - 1, left) {
                        ConstantValue::Function(function) => ConstantValue::CachedFunction(function),
                        _ => ConstantValue::Other,
                    }
                }
                HeapObject::Module(module, _) => ConstantValue::Module(module.name()),
                HeapObject::List(_)
                | HeapObject::Deque(_)
                | HeapObject::Dict(_)
                | HeapObject::Set(_)
                | HeapObject::Instance { .. } => ConstantValue::Object(at),
                HeapObject::Class(_) => ConstantValue::ProgramClass(at),
                _ => ConstantValue::Other,
            },
            _ => ConstantValue::Other,
        }
    }

    fn function_constant(&self, function: &Function, depth: usize, left: &mut usize) -> FunctionConstant {
        let names = &self.program.code(function.code).signature.keyword_defaults;
        let keyword_defaults = names.iter().filter_map(|name| {
            function.keyword_defaults.iter().find(|(other, _)| other == name).map(|&(_, value)| value)
        });
        let values: Vec<Value> = function.defaults.iter().copied().chain(keyword_defaults).collect();
        FunctionConstant {
            code: function.code,
            defaults: self.limited_constant_values(&values, depth, left),
            cells: function.closure.clone(),
        }
    }

    /// Returns a function of the program as a constant.
    pub(super) fn plain_function(&self, value: Value) -> Option<FunctionConstant> {
        let Value::Ref(at) = value else { return None };
        match self.heap.get(at) {
            HeapObject::Function(function) => {
                let mut left = MAX_CONSTANT_ELEMENTS;
                Some(self.function_constant(function, MAX_CONSTANT_DEPTH, &mut left))
            }
            _ => None,
        }
    }

    fn limited_constant_values(&self, values: &[Value], depth: usize, left: &mut usize) -> Vec<ConstantValue> {
        values.iter().map(|&value| self.limited_constant_value(value, depth - 1, left)).collect()
    }
}
