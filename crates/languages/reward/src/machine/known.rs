//! Values of module-level names after a program's top level has run, for the compiler of the typed fast path.

use std::sync::Arc;

use super::Machine;
use super::builtins::Builtin;
use super::screen::ClassId;
use super::value::{HeapObject, Type, Value};
use crate::code::CodeId;

/// The value of a name, as far as the compiler may treat it as a constant.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Known {
    None,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(Arc<str>),
    Tuple(Vec<Known>),
    /// A function of the module, with the defaults of its last parameters.
    Function(CodeId, Vec<Known>),
    /// A class of the world, by its id.
    Class(u16),
    /// A built-in function or class, by its name.
    Builtin(Arc<str>),
    /// A function of `math`.
    Math(&'static str),
    /// An importable module, by its name.
    Module(&'static str),
    /// Any other value, such as a list, a dict or a class of the program.
    Other,
}

/// Maximum nesting depth of the values examined.
const MAX_NESTED: usize = 16;

/// Maximum number of tuple elements and defaults examined for one name; values beyond it are [`Known::Other`].
const MAX_PARTS: usize = 4096;

impl Machine<'_> {
    /// Returns the value of a module-level or built-in name; `None` if the name is not defined.
    pub(crate) fn known(&self, name: &str) -> Option<Known> {
        let global = self.names.get_index_of(name).and_then(|place| {
            let symbol = crate::code::Symbol(place as u32);
            self.globals.get(&symbol).copied()
        });
        global.or_else(|| Self::builtin(name)).map(|value| self.all_known(value))
    }

    /// Returns the value of a name of `math`; `None` if the module does not export it.
    pub(crate) fn known_of_math(&self, name: &str) -> Option<Known> {
        super::math::math(name).map(|value| self.all_known(value))
    }

    fn all_known(&self, value: Value) -> Known {
        let mut left = MAX_PARTS;
        self.known_value(value, MAX_NESTED, &mut left)
    }

    fn known_value(&self, value: Value, depth: usize, left: &mut usize) -> Known {
        if depth == 0 || *left == 0 {
            return Known::Other;
        }
        *left -= 1;
        match value {
            Value::None => Known::None,
            Value::Bool(truth) => Known::Bool(truth),
            Value::Int(number) => Known::Int(number),
            Value::Float(number) => Known::Float(number),
            Value::Type(Type::Screen(ClassId(class))) => Known::Class(class),
            // Library functions may share their names with built-ins.
            Value::Type(Type::Entity(_)) | Value::Builtin(Builtin::Numpy(_) | Builtin::Library(_)) => Known::Other,
            Value::Type(kind) => Known::Builtin(self.type_name(kind)),
            Value::Builtin(Builtin::Math(function)) => Known::Math(function.name()),
            Value::Builtin(builtin) => Known::Builtin(builtin.name().into()),
            Value::Ref(at) => match self.heap.get(at) {
                HeapObject::Text(text) => Known::Text(text.clone()),
                HeapObject::Tuple(values) => Known::Tuple(self.known_values(values, depth, left)),
                HeapObject::Function(function)
                    if function.closure.is_empty()
                        && function.keyword_defaults.is_empty()
                        && function.defining_class.is_none() =>
                {
                    Known::Function(function.code, self.known_values(&function.defaults, depth, left))
                }
                HeapObject::Module(module, _) => Known::Module(module.name()),
                _ => Known::Other,
            },
            _ => Known::Other,
        }
    }

    fn known_values(&self, values: &[Value], depth: usize, left: &mut usize) -> Vec<Known> {
        values.iter().map(|&value| self.known_value(value, depth - 1, left)).collect()
    }
}
