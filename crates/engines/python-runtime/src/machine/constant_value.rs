//! Values of module-level names after a program's top level has run, for the compiler of the typed fast path.

use std::sync::Arc;

use super::Machine;
use super::library_function::{BuiltinForm, LibraryFunction};
use super::screen::ClassId;
use super::value::{HeapObject, Type, Value};
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
    /// A function of the module, with the defaults of its last parameters.
    Function(CodeId, Vec<ConstantValue>),
    /// A class of the world, by its id.
    Class(u16),
    /// A built-in function or class.
    Builtin(BuiltinConstant),
    /// A function of a library.
    LibraryFunction(&'static LibraryFunction),
    /// An importable module, by its name.
    Module(&'static str),
    /// Any other value, such as a list, a dict or a class of the program.
    Other,
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

    /// Returns the value of a name of `math`; `None` if the module does not export it.
    pub(crate) fn math_constant(&self, name: &str) -> Option<ConstantValue> {
        super::library::library_member(Library::Math, name).map(|value| self.constant_value(value))
    }

    fn constant_value(&self, value: Value) -> ConstantValue {
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
                Some("math") => ConstantValue::LibraryFunction(function),
                Some(_) => ConstantValue::Other,
            },
            Value::Ref(at) => match self.heap.get(at) {
                HeapObject::Text(text) => ConstantValue::Text(text.clone()),
                HeapObject::Tuple(values) => ConstantValue::Tuple(self.limited_constant_values(values, depth, left)),
                HeapObject::Function(function)
                    if function.closure.is_empty()
                        && function.keyword_defaults.is_empty()
                        && function.defining_class.is_none() =>
                {
                    ConstantValue::Function(
                        function.code,
                        self.limited_constant_values(&function.defaults, depth, left),
                    )
                }
                HeapObject::Module(module, _) => ConstantValue::Module(module.name()),
                _ => ConstantValue::Other,
            },
            _ => ConstantValue::Other,
        }
    }

    fn limited_constant_values(&self, values: &[Value], depth: usize, left: &mut usize) -> Vec<ConstantValue> {
        values.iter().map(|&value| self.limited_constant_value(value, depth - 1, left)).collect()
    }
}
