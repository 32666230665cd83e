//! Loads, stores and deletes variables of frames, of the module and of class bodies, and creates functions with their closures.

use super::Machine;
use super::exceptions::{ExceptionKind, ExecError, ExecResult};
use super::frame::Frame;
use super::value::{AttributeMap, Function, HeapObject, HeapRef, Value};
use crate::code::{CodeId, FunctionOperands, Symbol, Variable};

impl Machine {
    pub(super) fn load_variable(&mut self, variable: Variable) -> ExecResult {
        let frame = self.frames.last().expect("variables belong to frames");
        let (code, value) = match variable {
            Variable::Local(place) => (frame.code, self.locals[frame.first_local + place as usize]),
            Variable::Cell(place) => {
                let (code, cell) = (frame.code, frame.cells[place as usize]);
                let HeapObject::ClosureCell(value) = self.heap.get(cell) else { unreachable!("cells hold variables") };
                (code, *value)
            }
        };
        if let Some(value) = value {
            return Ok(value);
        }
        let code = self.program.code(code);
        let own = |symbol: Symbol| {
            let name = &self.program.names[symbol.0 as usize];
            (
                ExceptionKind::UnboundLocalError,
                format!("cannot access local variable '{name}' where it is not associated with a value"),
            )
        };
        let (kind, message) = match variable {
            Variable::Local(place) => own(code.locals[place as usize]),
            Variable::Cell(place) if (place as usize) < code.cells.len() => own(code.cells[place as usize]),
            Variable::Cell(place) => {
                let name = &self.program.names[code.free[place as usize - code.cells.len()].0 as usize];
                let message = format!(
                    "cannot access free variable '{name}' where it is not associated with a value in enclosing scope"
                );
                (ExceptionKind::NameError, message)
            }
        };
        Err(self.raise(kind, &message))
    }

    pub(super) fn store_variable(&mut self, variable: Variable, value: Option<Value>) {
        let frame = self.frames.last().expect("variables belong to frames");
        match variable {
            Variable::Local(place) => self.locals[frame.first_local + place as usize] = value,
            Variable::Cell(place) => self.set_cell(frame.cells[place as usize], value),
        }
    }

    fn set_cell(&mut self, cell: HeapRef, value: Option<Value>) {
        let stored = value.unwrap_or(Value::None);
        *self.heap.get_mut_to_store(cell, stored) = HeapObject::ClosureCell(value);
    }

    /// Sets a variable of a frame that is not running yet.
    pub(super) fn set_frame_variable(&mut self, frame: &Frame, variable: Variable, value: Option<Value>) {
        match variable {
            Variable::Local(place) => self.locals[frame.first_local + place as usize] = value,
            Variable::Cell(place) => self.set_cell(frame.cells[place as usize], value),
        }
    }

    pub(super) fn load_global(&mut self, symbol: Symbol) -> ExecResult {
        match self.find_global(symbol) {
            Some(value) => Ok(value),
            None => Err(self.name_error(symbol)),
        }
    }

    /// Returns the value of a global or built-in name.
    #[inline]
    pub(super) fn find_global(&self, symbol: Symbol) -> Option<Value> {
        self.globals.get(symbol).or_else(|| self.builtins.get(symbol.0 as usize).copied().flatten())
    }

    pub(super) fn set_global(&mut self, symbol: Symbol, value: Value) {
        self.heap.keep(value);
        self.globals.insert(symbol, value);
    }

    pub(super) fn name_error(&mut self, symbol: Symbol) -> ExecError {
        let message = format!("name '{}' is not defined", self.name(symbol));
        self.raise(ExceptionKind::NameError, &message)
    }

    /// Returns a name of the class body that is running; `None` outside class bodies or if the name is not set.
    pub(super) fn class_body_name(&mut self, symbol: Symbol) -> ExecResult<Option<Value>> {
        let Some(names) = self.top_frame().namespace else { return Ok(None) };
        let key = self.name_text(symbol);
        self.entry(names, key)
    }

    pub(super) fn store_name(&mut self, symbol: Symbol) -> ExecResult<()> {
        let value = self.pop();
        let Some(names) = self.top_frame().namespace else { unreachable!("class bodies have names") };
        let value = match self.enum_bodies.pop_if(|body| body.namespace == Some(names)) {
            Some(mut body) => {
                let stored = self.assign_in_enum_body(&mut body, names, symbol, value);
                self.enum_bodies.push(body);
                stored?
            }
            None => value,
        };
        let key = self.name_text(symbol);
        self.set_entry(names, key, value)
    }

    pub(super) fn delete_name(&mut self, symbol: Symbol) -> ExecResult<()> {
        let Some(names) = self.top_frame().namespace else { unreachable!("class bodies have names") };
        let key = self.name_text(symbol);
        match self.remove_entry(names, key)? {
            Some(_) => Ok(()),
            None => Err(self.name_error(symbol)),
        }
    }

    pub(super) fn make_function(&mut self, code: CodeId, extras: FunctionOperands) {
        let closure = self.pop_many(extras.cell_count);
        let closure = closure.into_iter().filter_map(|cell| if let Value::Ref(at) = cell { Some(at) } else { None });
        let closure = closure.collect();
        let keyword_defaults = if extras.keyword_defaults { self.pop() } else { Value::None };
        let defaults = if extras.defaults { self.pop() } else { Value::None };
        let keyword_defaults = self.keyword_entries(keyword_defaults);
        let defaults = match defaults {
            Value::Ref(at) => match self.heap.get(at) {
                HeapObject::Tuple(values) => values.to_vec(),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        let fields = AttributeMap::default();
        let function = Function { code, defaults, keyword_defaults, closure, attributes: fields, defining_class: None };
        let function = self.heap.add(HeapObject::Function(Box::new(function)));
        self.push(Value::Ref(function));
    }
}
