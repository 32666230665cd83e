//! Functions that decorators of the standard library make from functions of the program, and that bind to objects as those do.

use indexmap::IndexMap;

use super::Machine;
use super::call::KeywordArguments;
use super::exceptions::ExecResult;
use super::value::{HeapObject, HeapRef, Value};
use crate::code::Symbol;

/// A function that wraps another one.
#[derive(Debug, Clone)]
pub(crate) struct Wrapper {
    pub(crate) function: Value,
    pub(crate) kind: WrapperKind,
    /// The attributes that the program set.
    pub(crate) attributes: IndexMap<Symbol, Value>,
}

/// The effect of a [`Wrapper`].
#[derive(Debug, Clone, Copy)]
pub(crate) enum WrapperKind {
    /// `contextmanager`: a call makes a context manager.
    ManagerFactory,
    /// A context manager as a decorator: a call runs within its context.
    InContext(Value),
    /// `singledispatch`, with the dict of the functions by class: a call selects the function by the class of the argument with this index.
    Dispatch { functions: HeapRef, position: usize },
}

impl Wrapper {
    /// Calls `visit` with each value that the wrapper refers to.
    pub(super) fn visit_references(&self, visit: &mut dyn FnMut(Value)) {
        visit(self.function);
        self.attributes.values().for_each(|&value| visit(value));
        match self.kind {
            WrapperKind::ManagerFactory => {}
            WrapperKind::InContext(manager) => visit(manager),
            WrapperKind::Dispatch { functions, .. } => visit(Value::Ref(functions)),
        }
    }
}

impl Machine {
    pub(super) fn new_wrapper(&mut self, function: Value, kind: WrapperKind) -> Value {
        let wrapper = Wrapper { function, kind, attributes: IndexMap::new() };
        Value::Ref(self.heap.add(HeapObject::Wrapper(Box::new(wrapper))))
    }

    pub(super) fn call_wrapper(&mut self, at: HeapRef, arguments: &[Value], named: KeywordArguments<'_>) -> ExecResult {
        let HeapObject::Wrapper(wrapper) = self.heap.get(at) else { return Ok(Value::None) };
        let (function, kind) = (wrapper.function, wrapper.kind);
        match kind {
            WrapperKind::ManagerFactory => self.new_generator_manager(function, arguments, named),
            WrapperKind::InContext(manager) => self.call_in_context(manager, function, arguments, named),
            WrapperKind::Dispatch { functions, position } => {
                let Some(&first) = arguments.get(position) else {
                    let name = self.callable_name(function)?;
                    return Err(self.type_error(&format!("{name} requires at least 1 positional argument")));
                };
                let class = self.class_of(first);
                let selected = self.dispatched_function(functions, class)?;
                self.call_value(selected, arguments, named)
            }
        }
    }

    /// Returns the `__name__` of a callable value, or an empty text.
    fn callable_name(&mut self, function: Value) -> ExecResult<String> {
        let symbol = self.intern("__name__");
        match self.try_attribute(function, symbol)? {
            Some(name) => self.str(name),
            None => Ok(String::new()),
        }
    }

    /// Returns an attribute of a wrapper: its own, or that of the wrapped function.
    pub(super) fn attribute_of_wrapper(&mut self, at: HeapRef, symbol: Symbol) -> ExecResult<Option<Value>> {
        let HeapObject::Wrapper(wrapper) = self.heap.get(at) else { return Ok(None) };
        if let Some(&value) = wrapper.attributes.get(&symbol) {
            return Ok(Some(value));
        }
        let (function, kind) = (wrapper.function, wrapper.kind);
        let name = self.name(symbol);
        if &*name == "__wrapped__" {
            return Ok(Some(function));
        }
        if let WrapperKind::Dispatch { functions, .. } = kind
            && let Some(value) = self.attribute_of_dispatcher(at, functions, &name)
        {
            return Ok(Some(value));
        }
        self.nested(|machine| machine.find_attribute(function, symbol))
    }
}
