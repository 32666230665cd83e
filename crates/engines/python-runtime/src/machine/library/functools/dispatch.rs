//! `functools.singledispatch` and `singledispatchmethod`.

use crate::code::Symbol;
use crate::machine::Machine;
use crate::machine::exceptions::ExecResult;
use crate::machine::library_function::Implementation::Values;
use crate::machine::library_function::LibraryFunction as Function;
use crate::machine::value::{HeapObject, HeapRef, Type, Value};
use crate::machine::wrappers::WrapperKind;

/// The method `register` of a dispatching function, which is the first argument.
static REGISTER: Function = Function::new("functools.register", 2, 3, Values(|m, a, _| m.register_dispatched(a)));

/// The method `dispatch` of a dispatching function, which is the first argument.
static DISPATCH: Function = Function::new(
    "functools.dispatch",
    2,
    2,
    Values(|m, a, _| match a[0] {
        Value::Ref(at) if let HeapObject::Wrapper(wrapper) = m.heap.get(at) => match wrapper.kind {
            WrapperKind::Dispatch { functions, .. } => m.dispatched_function(functions, a[1]),
            _ => Ok(Value::None),
        },
        _ => Ok(Value::None),
    }),
);

impl Machine {
    /// Creates a function that dispatches on the class of the argument with an index.
    pub(in crate::machine) fn single_dispatch(&mut self, function: Value, position: usize) -> ExecResult {
        let functions = self.empty_dict();
        self.set_entry(functions, Value::Type(Type::Object), function)?;
        Ok(self.new_wrapper(function, WrapperKind::Dispatch { functions, position }))
    }

    /// Returns an attribute of a dispatching function of its own.
    pub(in crate::machine) fn attribute_of_dispatcher(
        &mut self,
        at: HeapRef,
        functions: HeapRef,
        name: &str,
    ) -> Option<Value> {
        let method = match name {
            "register" => &REGISTER,
            "dispatch" => &DISPATCH,
            "registry" => return Some(Value::Ref(functions)),
            _ => return None,
        };
        Some(self.new_partial(Value::Builtin(method), vec![Value::Ref(at)], Vec::new()))
    }

    /// Registers a function for a class: `register(class, function)`, the decorator `register(class)`, or `register(function)` with an
    /// annotated parameter.
    fn register_dispatched(&mut self, arguments: &[Value]) -> ExecResult {
        let (dispatcher, key) = (arguments[0], arguments[1]);
        if let &[_, _, function] = arguments {
            return self.add_dispatched(dispatcher, key, function);
        }
        if self.is_class(key) || matches!(key, Value::Ref(at) if matches!(self.heap.get(at), HeapObject::Union(_))) {
            return Ok(self.new_partial(Value::Builtin(&REGISTER), vec![dispatcher, key], Vec::new()));
        }
        let symbol = self.intern("__annotations__");
        let annotations = match key {
            Value::Ref(at) if let HeapObject::Function(function) = self.heap.get(at) => {
                function.attributes.get(&symbol).copied()
            }
            _ => None,
        };
        let first = annotations.map(|annotations| self.keyword_entries(annotations)).unwrap_or_default();
        let Some(&(_, class)) = first.first() else {
            let text = self.repr(key)?;
            let message = format!(
                "Invalid first argument to `register()`: {text}. Use either `@register(some_class)` or plain `@register` on an \
                 annotated function."
            );
            return Err(self.type_error(&message));
        };
        self.add_dispatched(dispatcher, class, key)
    }

    fn add_dispatched(&mut self, dispatcher: Value, class: Value, function: Value) -> ExecResult {
        let functions = match dispatcher {
            Value::Ref(at) if let HeapObject::Wrapper(wrapper) = self.heap.get(at) => match wrapper.kind {
                WrapperKind::Dispatch { functions, .. } => functions,
                _ => return Ok(function),
            },
            _ => return Ok(function),
        };
        let classes = match class {
            Value::Ref(at) if let HeapObject::Union(classes) = self.heap.get(at) => classes.to_vec(),
            Value::None => vec![Value::Type(Type::NoneType)],
            class => vec![class],
        };
        for class in classes {
            self.set_entry(functions, class, function)?;
        }
        Ok(function)
    }

    /// Returns the function for a class: the one of its nearest base that has one.
    pub(in crate::machine) fn dispatched_function(&mut self, functions: HeapRef, class: Value) -> ExecResult {
        let entries: Vec<(Value, Value)> = self.dict(functions).iter().collect();
        self.charge(entries.len() as u64)?;
        let order = match class {
            Value::Ref(at) => self.class_cell(at).mro.clone(),
            _ => vec![class],
        };
        for base in order.into_iter().filter(|base| !matches!(base, Value::Type(Type::Object))) {
            if let Some(&(_, function)) =
                entries.iter().find(|&&(key, _)| crate::machine::compare::is_identical(key, base))
            {
                return Ok(function);
            }
        }
        let mut best: Option<(Value, Value)> = None;
        for (key, function) in entries {
            if !self.issubclass(class, key)? {
                continue;
            }
            best = match best {
                Some((known, _)) if !self.issubclass(key, known)? => best,
                _ => Some((key, function)),
            };
        }
        Ok(best.map_or(Value::None, |(_, function)| function))
    }

    /// Records the annotation of a parameter on a function, which `register` reads.
    pub(in crate::machine) fn annotate_parameter(&mut self, name: Symbol) -> ExecResult<()> {
        let (annotation, function) = (self.pop(), self.pop());
        let symbol = self.intern("__annotations__");
        let annotations = self.empty_dict();
        let key = Value::Ref(self.heap.add(HeapObject::Text(self.name(name))));
        self.set_entry(annotations, key, annotation)?;
        if let Value::Ref(at) = function
            && let HeapObject::Function(cell) = self.heap.get_mut(at)
        {
            cell.attributes.insert(symbol, Value::Ref(annotations));
        }
        self.push(function);
        Ok(())
    }
}
