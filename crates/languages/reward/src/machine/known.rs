//! What names stand for once a program's top level has run, for who compiles programs against that.

use std::sync::Arc;

use super::Machine;
use super::builtins::Builtin;
use super::screen::ClassId;
use super::value::{Cell, Type, Value};
use crate::code::CodeId;

/// A value that nothing changes.
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
    /// A class of the world.
    Class(u16),
    /// A function or a class that is built in, by its name.
    Builtin(Arc<str>),
    /// A function of `math`.
    Math(&'static str),
    /// A module that can be imported.
    Module(&'static str),
    /// Whatever else there is: lists, dicts, classes of the program.
    Other,
}

/// Tuples within tuples that are looked into.
const MAX_NESTED: usize = 16;

/// Most parts of tuples and defaults that are looked at for one name; what is beyond is something else.
const MAX_PARTS: usize = 4096;

impl Machine<'_> {
    /// What a name of the module is, or one that is built in; `None` if there is no such.
    pub(crate) fn known(&self, name: &str) -> Option<Known> {
        let global = self.names.get_index_of(name).and_then(|place| {
            let symbol = crate::code::Symbol(place as u32);
            self.globals.get(&symbol).copied()
        });
        global.or_else(|| Self::builtin(name)).map(|value| self.all_known(value))
    }

    /// What a name of `math` is.
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
            // Those of libraries have names that others have, too.
            Value::Type(Type::Entity(_)) | Value::Builtin(Builtin::Numpy(_) | Builtin::Library(_)) => Known::Other,
            Value::Type(kind) => Known::Builtin(self.type_name(kind)),
            Value::Builtin(Builtin::Math(function)) => Known::Math(function.name()),
            Value::Builtin(builtin) => Known::Builtin(builtin.name().into()),
            Value::Ref(at) => match self.heap.get(at) {
                Cell::Text(text) => Known::Text(text.clone()),
                Cell::Tuple(values) => Known::Tuple(self.known_values(values, depth, left)),
                Cell::Function(function)
                    if function.closure.is_empty()
                        && function.keyword_defaults.is_empty()
                        && function.owner.is_none() =>
                {
                    Known::Function(function.code, self.known_values(&function.defaults, depth, left))
                }
                Cell::Module(module, _) => Known::Module(module.name()),
                _ => Known::Other,
            },
            _ => Known::Other,
        }
    }

    fn known_values(&self, values: &[Value], depth: usize, left: &mut usize) -> Vec<Known> {
        values.iter().map(|&value| self.known_value(value, depth - 1, left)).collect()
    }
}
