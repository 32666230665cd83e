//! Import instructions, and the names that modules export.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::Machine;
use super::exceptions::{ExceptionKind, ExecResult};
use super::library::Regex;
use super::value::{HeapObject, HeapRef, Value};
use crate::code::{Instruction, Symbol};
use crate::library::Library;

/// The modules that were imported, and the members that were read, since the last reset.
#[allow(clippy::struct_field_names, reason = "one field has the modules themselves")]
#[derive(Debug, Default)]
pub(super) struct Modules {
    /// The modules by their dotted names.
    modules: FxHashMap<Symbol, Value>,
    /// The members by module and name.
    members: FxHashMap<(HeapRef, Symbol), Value>,
    /// The loggers by their names.
    loggers: FxHashMap<Symbol, Value>,
    /// The compiled regular expressions by their patterns and flags.
    regexes: FxHashMap<(Arc<str>, i64), Arc<Regex>>,
}

impl Modules {
    /// Returns a member that was read before.
    #[inline]
    pub(super) fn member(&self, module: HeapRef, name: Symbol) -> Option<Value> {
        self.members.get(&(module, name)).copied()
    }

    /// Returns the modules and the members.
    pub(super) fn values(&self) -> impl Iterator<Item = Value> {
        self.modules.values().chain(self.members.values()).chain(self.loggers.values()).copied()
    }

    /// Returns the logger with a name.
    pub(super) fn logger(&self, name: Symbol) -> Option<Value> {
        self.loggers.get(&name).copied()
    }

    pub(super) fn regexes(&mut self) -> &mut FxHashMap<(Arc<str>, i64), Arc<Regex>> {
        &mut self.regexes
    }

    pub(super) fn add_logger(&mut self, name: Symbol, logger: Value) {
        self.loggers.insert(name, logger);
    }
}

impl Machine {
    pub(super) fn execute_import_instruction(&mut self, instruction: Instruction) -> ExecResult<()> {
        match instruction {
            Instruction::Import(symbol) => {
                let name = self.name(symbol);
                let Some(module) = Library::from_name(&name) else {
                    let message = format!("No module named '{name}'");
                    return Err(self.raise(ExceptionKind::ModuleNotFoundError, &message));
                };
                let module = self.module(module, symbol);
                self.push(module);
            }
            Instruction::ImportFrom(symbol) => {
                let value = self.pop();
                self.push(value);
                let Some(found) = self.find_attribute(value, symbol)? else {
                    let (name, (_, path)) = (self.name(symbol), self.module_of(value));
                    let message = format!("cannot import name '{name}' from '{}'", self.name(path));
                    return Err(self.raise(ExceptionKind::ImportError, &message));
                };
                self.push(found);
            }
            _ => {
                let value = self.pop();
                let (module, path) = self.module_of(value);
                let names = match module {
                    Library::World => self.world_members(),
                    module => module
                        .names()
                        .into_iter()
                        .filter_map(|name| Some((Arc::from(name), self.module_member(module, path, name)?)))
                        .collect(),
                };
                for (name, value) in names {
                    let symbol = self.intern(&name);
                    self.set_global(symbol, value);
                }
            }
        }
        Ok(())
    }

    /// Returns the library of a module value and the dotted name under which it was imported.
    fn module_of(&self, value: Value) -> (Library, Symbol) {
        match value {
            Value::Ref(at) => match self.heap.get(at) {
                HeapObject::Module(module, path) => (*module, *path),
                _ => unreachable!("names are imported from modules"),
            },
            _ => unreachable!("names are imported from modules"),
        }
    }

    /// Returns the module with a dotted name, the same one until the next reset.
    fn module(&mut self, library: Library, path: Symbol) -> Value {
        let heap = &mut self.heap;
        heap.keep_young();
        *self.modules.modules.entry(path).or_insert_with(|| Value::Ref(heap.add(HeapObject::Module(library, path))))
    }

    /// Returns an attribute of a module.
    pub(super) fn module_attribute(&mut self, at: HeapRef, symbol: Symbol) -> Option<Value> {
        if let Some(&value) = self.modules.members.get(&(at, symbol)) {
            return Some(value);
        }
        let (module, path) = self.module_of(Value::Ref(at));
        let value = self.module_member(module, path, &self.name(symbol))?;
        if module != Library::World {
            self.heap.keep(value);
            self.modules.members.insert((at, symbol), value);
        }
        Some(value)
    }

    fn module_member(&mut self, module: Library, path: Symbol, name: &str) -> Option<Value> {
        let inner = format!("{}.{name}", self.name(path));
        if let Some(inner_module) = Library::submodule(module, &inner) {
            let symbol = self.intern(&inner);
            return Some(self.module(inner_module, symbol));
        }
        match module {
            Library::World => self.world_member(name),
            Library::String if let Some(text) = super::library::string_constant(name) => Some(self.heap.text(text)),
            _ => super::library::library_member(module, name),
        }
    }
}
