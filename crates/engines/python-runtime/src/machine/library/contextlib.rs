//! `contextlib`.

use crate::code::Symbol;
use crate::machine::Machine;
use crate::machine::call::KeywordArguments;
use crate::machine::exceptions::{ExceptionKind, ExecError, ExecResult};
use crate::machine::generators::Resumed;
use crate::machine::library_class::{
    ABSTRACT_CONTEXT_MANAGER, CLOSING, CONTEXT_DECORATOR, EXIT_STACK, GENERATOR_CONTEXT_MANAGER, LibraryClass,
    NULL_CONTEXT, SUPPRESS,
};
use crate::machine::library_function::LibraryFunction as Function;
use crate::machine::library_function::ResultType;
use crate::machine::methods::MethodParameters::{None as NoParameters, One, Slot, Unpacked};
use crate::machine::methods::{MethodEffect, MethodRow as Row, bound_receiver};
use crate::machine::parameters::{NamedParameters, Origin};
use crate::machine::value::{HeapObject, HeapRef, Type, Value};
use crate::machine::wrappers::WrapperKind;

/// The functions of `contextlib`.
pub(super) static FUNCTIONS: [Function; 1] =
    [Function::named("contextlib.contextmanager", NamedParameters::new(Origin::Python, &["func"]), |m, b| {
        Ok(m.new_wrapper(b.required(0), WrapperKind::ManagerFactory))
    })];

/// A context manager of `contextlib`.
#[derive(Debug, Clone)]
pub(crate) enum ContextManager {
    /// The manager of a generator, with the call that made it.
    Generator { generator: Value, function: Value, arguments: Box<[Value]>, named: Box<[(Symbol, Value)]> },
    /// `suppress(..)`, with the exceptions.
    Suppress(Box<[Value]>),
    /// `nullcontext(..)`, with its result.
    Null(Value),
    /// `closing(..)`, with the object to close.
    Closing(Value),
    /// `ExitStack()`, with its callbacks, the next one last.
    ExitStack(Vec<ExitCallback>),
}

/// A callback of an `ExitStack`.
#[derive(Debug, Clone)]
pub(crate) enum ExitCallback {
    /// A method `__exit__`, or a function with its parameters.
    Exit(Value),
    /// A function with its arguments.
    Call(Value, Box<[Value]>, Box<[(Symbol, Value)]>),
}

impl ContextManager {
    /// Returns the class.
    pub(in crate::machine) fn class(&self) -> &'static LibraryClass {
        match self {
            Self::Generator { .. } => &GENERATOR_CONTEXT_MANAGER,
            Self::Suppress(_) => &SUPPRESS,
            Self::Null(_) => &NULL_CONTEXT,
            Self::Closing(_) => &CLOSING,
            Self::ExitStack(_) => &EXIT_STACK,
        }
    }

    /// Calls `visit` with each value that the manager refers to.
    pub(in crate::machine) fn visit_references(&self, visit: &mut dyn FnMut(Value)) {
        match self {
            Self::Generator { generator, function, arguments, named } => {
                visit(*generator);
                visit(*function);
                arguments.iter().for_each(|&value| visit(value));
                named.iter().for_each(|&(_, value)| visit(value));
            }
            Self::Suppress(values) => values.iter().for_each(|&value| visit(value)),
            Self::Null(value) | Self::Closing(value) => visit(*value),
            Self::ExitStack(callbacks) => {
                for callback in callbacks {
                    match callback {
                        ExitCallback::Exit(exit) => visit(*exit),
                        ExitCallback::Call(function, arguments, named) => {
                            visit(*function);
                            arguments.iter().for_each(|&value| visit(value));
                            named.iter().for_each(|&(_, value)| visit(value));
                        }
                    }
                }
            }
        }
    }

    /// Returns the number of values that the manager refers to.
    pub(in crate::machine) fn value_count(&self) -> usize {
        let mut count = 0;
        self.visit_references(&mut |_| count += 1);
        count
    }
}

/// The methods of context managers.
pub(in crate::machine) static MANAGER_METHODS: [Row; 2] = [
    Row::of_object("AbstractContextManager.__enter__", Slot(0), |m, at, _| m.enter_context_manager(at)),
    Row::of_object("AbstractContextManager.__exit__", Unpacked { min: 3, max: 3 }, |m, at, a| {
        m.exit_context_manager(at, a)
    }),
];

/// The methods that `ExitStack` adds.
pub(in crate::machine) static EXIT_STACK_METHODS: [Row; 5] = [
    Row::custom("ExitStack.callback", |m, receiver, arguments, named| {
        let [function, arguments @ ..] = arguments else {
            return Err(m.type_error("callback() missing 1 required positional argument: 'callback'"));
        };
        m.push_callback(bound_receiver(receiver), ExitCallback::Call(*function, arguments.into(), named.into()));
        Ok(*function)
    })
    .with_effect(MethodEffect::Adds),
    Row::of_object("ExitStack.close", NoParameters, |m, at, _| m.run_exit_stack(at, None).map(|_| Value::None))
        .with_effect(MethodEffect::Clears)
        .with_result(ResultType::None),
    Row::of_object("ExitStack.enter_context", One, |m, at, a| {
        let (exit, value) = m.enter_manager(a[0])?;
        m.push_callback(at, ExitCallback::Exit(exit));
        Ok(value)
    })
    .with_effect(MethodEffect::Adds),
    Row::of_object("ExitStack.pop_all", NoParameters, |m, at, _| Ok(m.pop_all_callbacks(at)))
        .with_effect(MethodEffect::Clears),
    Row::of_object("ExitStack.push", One, |m, at, a| {
        let method = m.manager_method(a[0], "__exit__");
        m.push_callback(at, ExitCallback::Exit(method.unwrap_or(a[0])));
        Ok(a[0])
    })
    .with_effect(MethodEffect::Adds),
];

impl Machine {
    pub(in crate::machine) fn new_manager(&mut self, manager: ContextManager) -> Value {
        Value::Ref(self.heap.add(HeapObject::ContextManager(Box::new(manager))))
    }

    /// Returns whether a class inherits from `AbstractContextManager`, whose `__enter__` returns the object.
    pub(in crate::machine) fn inherits_manager(&self, class: HeapRef) -> bool {
        self.has_builtin_base(class, Type::Library(&ABSTRACT_CONTEXT_MANAGER))
    }

    /// Returns whether the instances of a class decorate functions, by inheritance from `ContextDecorator`.
    pub(in crate::machine) fn is_context_decorator(&self, class: HeapRef) -> bool {
        self.has_builtin_base(class, Type::Library(&CONTEXT_DECORATOR))
    }

    /// Creates `suppress(..)`.
    pub(in crate::machine) fn suppress(&mut self, arguments: &[Value], named: KeywordArguments<'_>) -> ExecResult {
        self.reject_keywords("suppress.__init__", named)?;
        Ok(self.new_manager(ContextManager::Suppress(arguments.into())))
    }

    /// Creates `nullcontext(..)`.
    pub(in crate::machine) fn null_context(&mut self, arguments: &[Value], named: KeywordArguments<'_>) -> ExecResult {
        let [result] = self.bind_library_arguments("nullcontext.__init__", ["enter_result"], 0, arguments, named)?;
        Ok(self.new_manager(ContextManager::Null(result.unwrap_or(Value::None))))
    }

    /// Creates `closing(..)`.
    pub(in crate::machine) fn closing(&mut self, arguments: &[Value], named: KeywordArguments<'_>) -> ExecResult {
        let [thing] = self.bind_library_arguments("closing.__init__", ["thing"], 1, arguments, named)?;
        Ok(self.new_manager(ContextManager::Closing(thing.unwrap_or(Value::None))))
    }

    /// Creates `ExitStack()`.
    pub(in crate::machine) fn exit_stack(&mut self, arguments: &[Value], named: KeywordArguments<'_>) -> ExecResult {
        self.bind_library_arguments::<0>("ExitStack.__init__", [], 0, arguments, named)?;
        Ok(self.new_manager(ContextManager::ExitStack(Vec::new())))
    }

    /// Calls a function that `contextmanager` decorates, and creates the manager of the generator that it returns.
    pub(in crate::machine) fn new_generator_manager(
        &mut self,
        function: Value,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        let generator = self.call_value(function, arguments, named)?;
        let (arguments, named) = (arguments.into(), named.into());
        Ok(self.new_manager(ContextManager::Generator { generator, function, arguments, named }))
    }

    /// Calls a function within the context of the manager that decorates it.
    pub(in crate::machine) fn call_in_context(
        &mut self,
        manager: Value,
        function: Value,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        let manager = match manager {
            // Each call has a generator of its own.
            Value::Ref(at) if let HeapObject::ContextManager(of) = self.heap.get(at) => match (**of).clone() {
                ContextManager::Generator { function, arguments, named, .. } => {
                    self.new_generator_manager(function, &arguments, &named)?
                }
                _ => manager,
            },
            _ => manager,
        };
        let (exit, _) = self.enter_manager(manager)?;
        match self.call_value(function, arguments, named) {
            Ok(value) => self.call_value(exit, &[Value::None; 3], &[]).map(|_| value),
            Err(ExecError::Raised(raised)) => {
                if self.exit_with_exception(exit, raised)? {
                    Ok(Value::None)
                } else {
                    Err(ExecError::Raised(raised))
                }
            }
            Err(fault) => Err(fault),
        }
    }

    /// Implements `__enter__` of context managers.
    fn enter_context_manager(&mut self, at: HeapRef) -> ExecResult {
        // Instances of classes derived from `AbstractContextManager` inherit `__enter__` only.
        let HeapObject::ContextManager(manager) = self.heap.get(at) else { return Ok(Value::Ref(at)) };
        match **manager {
            ContextManager::Generator { generator, .. } => self.enter_generator(generator),
            ContextManager::Null(value) | ContextManager::Closing(value) => Ok(value),
            ContextManager::Suppress(_) => Ok(Value::None),
            ContextManager::ExitStack(_) => Ok(Value::Ref(at)),
        }
    }

    /// Implements `__exit__` of context managers.
    fn exit_context_manager(&mut self, at: HeapRef, arguments: &[Value]) -> ExecResult {
        let HeapObject::ContextManager(manager) = self.heap.get(at) else { return Ok(Value::None) };
        let manager = (**manager).clone();
        let exception = self.exit_exception(arguments)?;
        self.exit_manager(at, manager, exception)
    }

    /// Implements `ExitStack.pop_all()`.
    fn pop_all_callbacks(&mut self, at: HeapRef) -> Value {
        let HeapObject::ContextManager(manager) = self.heap.get_mut(at) else { return Value::None };
        let ContextManager::ExitStack(callbacks) = &mut **manager else { return Value::None };
        let callbacks = std::mem::take(callbacks);
        self.new_manager(ContextManager::ExitStack(callbacks))
    }

    /// Returns the exception that the arguments of `__exit__` describe.
    fn exit_exception(&mut self, arguments: &[Value]) -> ExecResult<Option<HeapRef>> {
        let value = match *arguments {
            [Value::None, ..] => return Ok(None),
            [class, Value::None, _] => self.call_value(class, &[], &[])?,
            [_, value, _] => value,
            _ => return Ok(None),
        };
        Ok(match value {
            Value::Ref(at) if matches!(self.heap.get(at), HeapObject::Exception(_)) => Some(at),
            _ => None,
        })
    }

    fn enter_generator(&mut self, generator: Value) -> ExecResult {
        match self.request_next(generator, Value::None)? {
            Resumed::Yielded(value) => Ok(value),
            Resumed::Returned(_) => Err(self.raise(ExceptionKind::RuntimeError, "generator didn't yield")),
        }
    }

    fn exit_manager(&mut self, at: HeapRef, manager: ContextManager, exception: Option<HeapRef>) -> ExecResult {
        match manager {
            ContextManager::Generator { generator, .. } => self.exit_generator(generator, exception),
            ContextManager::Suppress(classes) => match exception {
                Some(exception) => {
                    let classes = self.heap.tuple(classes);
                    self.exception_matches(Value::Ref(exception), classes).map(Value::Bool)
                }
                None => Ok(Value::None),
            },
            ContextManager::Null(_) => Ok(Value::None),
            ContextManager::Closing(thing) => {
                let symbol = self.intern("close");
                let close = self.attribute(thing, symbol)?;
                self.call_value(close, &[], &[]).map(|_| Value::None)
            }
            ContextManager::ExitStack(_) => self.run_exit_stack(at, exception).map(Value::Bool),
        }
    }

    /// Ends the generator of a manager, in which the exception is raised.
    fn exit_generator(&mut self, generator: Value, exception: Option<HeapRef>) -> ExecResult {
        let Some(exception) = exception else {
            return match self.request_next(generator, Value::None)? {
                Resumed::Returned(_) => Ok(Value::Bool(false)),
                Resumed::Yielded(_) => Err(self.raise(ExceptionKind::RuntimeError, "generator didn't stop")),
            };
        };
        let Value::Ref(at) = generator else { return Ok(Value::Bool(false)) };
        if !matches!(self.heap.get(at), HeapObject::Generator(_)) {
            let message = format!("'{}' object has no attribute 'throw'", self.class_name(generator));
            return Err(self.raise(ExceptionKind::AttributeError, &message));
        }
        match self.nested(|machine| machine.throw_into_generator(at, exception)) {
            Ok(Resumed::Returned(_)) => Ok(Value::Bool(true)),
            Ok(Resumed::Yielded(_)) => {
                Err(self.raise(ExceptionKind::RuntimeError, "generator didn't stop after throw()"))
            }
            Err(ExecError::Raised(raised)) => {
                // A `StopIteration` that leaves the generator became the cause of a `RuntimeError`.
                let is_wrapped = matches!(self.heap.get(raised), HeapObject::Exception(outer)
                    if matches!(outer.cause, Some(Value::Ref(cause)) if cause == exception))
                    && self.is_exception_of_kind(exception, ExceptionKind::StopIteration);
                if raised == exception || is_wrapped { Ok(Value::Bool(false)) } else { Err(ExecError::Raised(raised)) }
            }
            Err(fault) => Err(fault),
        }
    }

    fn push_callback(&mut self, at: HeapRef, callback: ExitCallback) {
        self.heap.record_growth(4);
        if let HeapObject::ContextManager(manager) = self.heap.get_mut(at)
            && let ContextManager::ExitStack(callbacks) = &mut **manager
        {
            callbacks.push(callback);
        }
    }

    /// Runs the callbacks of an `ExitStack`, the last one first; returns whether they suppress the exception.
    fn run_exit_stack(&mut self, at: HeapRef, exception: Option<HeapRef>) -> ExecResult<bool> {
        let mut pending = exception;
        loop {
            let callback = match self.heap.get_mut(at) {
                HeapObject::ContextManager(manager) => match &mut **manager {
                    ContextManager::ExitStack(callbacks) => callbacks.pop(),
                    _ => None,
                },
                _ => None,
            };
            let Some(callback) = callback else { break };
            let outcome = match callback {
                ExitCallback::Call(function, arguments, named) => {
                    self.call_value(function, &arguments, &named).map(|_| false)
                }
                ExitCallback::Exit(exit) => match pending {
                    Some(exception) => self.exit_with_exception(exit, exception),
                    None => self.call_value(exit, &[Value::None; 3], &[]).map(|_| false),
                },
            };
            match outcome {
                Ok(true) => pending = None,
                Ok(false) => {}
                Err(ExecError::Raised(raised)) => pending = Some(raised),
                Err(fault) => return Err(fault),
            }
        }
        match pending {
            Some(raised) if Some(raised) != exception => Err(ExecError::Raised(raised)),
            Some(_) => Ok(false),
            None => Ok(exception.is_some()),
        }
    }
}
