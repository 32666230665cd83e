//! The `with` statement: the calls of `__enter__` and `__exit__`.

use super::Machine;
use super::exceptions::{ExecError, ExecResult};
use super::library::MANAGER_METHODS;
use super::methods::{find_method, find_row};
use super::value::{HeapObject, HeapRef, Value};

impl Machine {
    /// Executes [`Instruction::EnterContext`](crate::code::Instruction::EnterContext).
    pub(super) fn enter_context(&mut self) -> ExecResult<()> {
        let manager = self.pop();
        let (exit, value) = self.enter_manager(manager)?;
        self.push(exit);
        self.push(value);
        Ok(())
    }

    /// Calls `__enter__` of a context manager. Returns its method `__exit__`, and the result.
    pub(super) fn enter_manager(&mut self, manager: Value) -> ExecResult<(Value, Value)> {
        let (Some(enter), exit) = (self.manager_method(manager, "__enter__"), self.manager_method(manager, "__exit__"))
        else {
            return Err(self.no_manager_error(manager, ""));
        };
        let Some(exit) = exit else { return Err(self.no_manager_error(manager, " (missed __exit__ method)")) };
        let value = self.call_value(enter, &[], &[])?;
        Ok((exit, value))
    }

    fn no_manager_error(&mut self, manager: Value, missing: &str) -> ExecError {
        let class = self.class_name(manager);
        self.type_error(&format!("'{class}' object does not support the context manager protocol{missing}"))
    }

    /// Returns a method of the protocol of context managers.
    pub(super) fn manager_method(&mut self, manager: Value, name: &'static str) -> Option<Value> {
        if let Some(method) = self.special_method(manager, name) {
            // It may be kept in an object, as by `ExitStack`.
            return Some(self.materialized(method));
        }
        if let Some(class) = self.class_of_program(manager) {
            let inherits = self.inherits_manager(class) && name == "__enter__";
            let enter = find_row(&MANAGER_METHODS, name).filter(|_| inherits);
            return enter.map(|method| self.bound_method(manager, method));
        }
        find_method(self.type_of(manager), name).map(|method| self.bound_method(manager, method))
    }

    /// Executes [`Instruction::LeaveContext`](crate::code::Instruction::LeaveContext).
    pub(super) fn leave_context(&mut self) -> ExecResult<()> {
        let exit = self.pop();
        self.call_value(exit, &[Value::None; 3], &[]).map(|_| ())
    }

    /// Executes [`Instruction::LeaveContextOnException`](crate::code::Instruction::LeaveContextOnException).
    pub(super) fn leave_context_on_exception(&mut self) -> ExecResult<()> {
        let exit = self.pop();
        let handled = self.top_frame().handled_exceptions.last().copied();
        let exception = handled.unwrap_or_else(|| unreachable!("the exception is being handled"));
        let suppresses = self.exit_with_exception(exit, exception)?;
        self.push(Value::Bool(suppresses));
        Ok(())
    }

    /// Calls `__exit__` with an exception; returns whether it suppresses the exception.
    pub(super) fn exit_with_exception(&mut self, exit: Value, exception: HeapRef) -> ExecResult<bool> {
        let arguments = self.exit_arguments(exception);
        let result = self.call_value(exit, &arguments, &[])?;
        self.truth(result)
    }

    /// Returns the arguments of `__exit__` for an exception: its class, itself, and its traceback.
    pub(super) fn exit_arguments(&mut self, exception: HeapRef) -> [Value; 3] {
        let value = Value::Ref(exception);
        let traceback = self.heap.add(HeapObject::Traceback(exception));
        [self.class_of(value), value, Value::Ref(traceback)]
    }
}
