//! Generators: their resumption with values and exceptions, `send`, `throw`, `close` and `yield from`.

use super::Machine;
use super::exceptions::{ExceptionKind, ExecError, ExecResult};
use super::frame::{Frame, ReturnTarget, SuspendedFrame};
use super::value::{HeapObject, HeapRef, Value};
use crate::code::Instruction;

/// The outcome of the resumption of an iterator.
#[derive(Debug, Clone, Copy)]
pub(super) enum Resumed {
    /// The iterator gave its next value.
    Yielded(Value),
    /// The iterator ended; a generator with this result.
    Returned(Value),
}

impl Machine {
    /// Resumes a generator with the value of its `yield` expression; a `StopIteration` raised in its body becomes a `RuntimeError`
    /// (PEP 479).
    ///
    /// # Errors
    /// `ValueError` if the generator is already running, and whatever its code raises.
    pub(super) fn resume(&mut self, at: HeapRef, sent: Value) -> ExecResult<Resumed> {
        let Some(suspended) = self.take_suspended(at)? else { return Ok(Resumed::Returned(Value::None)) };
        let position = suspended.frame.as_ref().map_or(0, |frame| frame.pc);
        if position == 0 && !matches!(sent, Value::None) {
            *self.heap.get_mut(at) = HeapObject::Generator(Some(suspended));
            return Err(self.type_error("can't send non-None value to a just-started generator"));
        }
        let suspended = self.restore(suspended)?;
        self.push_sent(sent);
        let ran = self.run();
        self.generator_outcome(at, suspended, ran)
    }

    /// Makes a value the result of the `yield` expression at which the innermost frame was suspended, if it was at one.
    fn push_sent(&mut self, sent: Value) {
        let frame = self.top_frame();
        let (code, position) = (frame.code, frame.pc);
        if position > 0 && matches!(self.program.code(code).instructions[position - 1], Instruction::YieldExpression) {
            self.push(sent);
        }
    }

    /// Passes the items of a generator to a function that runs no code of the program, as [`Self::for_each_item`] does. The variables of the
    /// generator stay on the stack from one item to the next.
    pub(super) fn for_each_yielded(
        &mut self,
        at: HeapRef,
        each: &mut dyn FnMut(&mut Self, Value) -> ExecResult<Option<bool>>,
    ) -> ExecResult<Option<Value>> {
        self.charge(super::cost::NEXT)?;
        let Some(suspended) = self.take_suspended(at)? else { return Ok(None) };
        let mut suspended = self.restore(suspended)?;
        loop {
            self.push_sent(Value::None);
            let value = match self.run() {
                Ok((value, true)) => value,
                ran => return self.generator_outcome(at, suspended, ran).map(|_| None),
            };
            // Resuming the generator costs as much as calling it.
            let handled = match each(self, value) {
                Ok(Some(true)) => self.charge(super::cost::NEXT + super::cost::CALL).map(|()| Some(true)),
                handled => handled,
            };
            if let Ok(Some(true)) = handled {
                continue;
            }
            let frame = self.frames.pop().expect("a frame that yields is not removed");
            self.suspend(frame, &mut suspended);
            *self.heap.get_mut(at) = HeapObject::Generator(Some(suspended));
            return Ok(if handled?.is_none() { Some(value) } else { None });
        }
    }

    /// Creates a generator that runs a frame.
    pub(super) fn new_generator(&mut self, mut frame: Frame) -> Value {
        let generator = self.heap.add(HeapObject::Generator(None));
        frame.return_target = ReturnTarget::Generator(generator);
        let mut suspended = self.idle_suspensions.pop().unwrap_or_default();
        self.suspend(frame, &mut suspended);
        *self.heap.get_mut(generator) = HeapObject::Generator(Some(suspended));
        Value::Ref(generator)
    }

    /// Keeps the memory for the variables of a generator that has ended, for the next one.
    pub(super) fn recycle_suspension(&mut self, suspended: Box<SuspendedFrame>) {
        const MAX_IDLE: usize = 8;
        if self.idle_suspensions.len() < MAX_IDLE {
            self.idle_suspensions.push(suspended);
        }
    }

    /// Moves a frame that is not among the running ones, with its variables and operands, from the stacks.
    fn suspend(&mut self, frame: Frame, suspended: &mut SuspendedFrame) {
        suspended.locals.extend(self.locals.drain(frame.first_local..));
        suspended.operands.extend(self.operands.drain(frame.first_operand..));
        suspended.frame = Some(frame);
    }

    /// Moves the variables and operands of a suspended frame to the stacks, and makes it the innermost one.
    fn restore(&mut self, mut suspended: Box<SuspendedFrame>) -> ExecResult<Box<SuspendedFrame>> {
        let Some(mut frame) = suspended.frame.take() else { unreachable!("the generator is suspended") };
        frame.first_local = self.locals.len();
        self.locals.append(&mut suspended.locals);
        self.push_frame(frame)?;
        self.operands.append(&mut suspended.operands);
        Ok(suspended)
    }

    /// Suspends the innermost frame, which is that of a generator.
    fn suspend_generator(&mut self, at: HeapRef, mut suspended: Box<SuspendedFrame>) {
        let frame = self.frames.pop().expect("a frame that yields is not removed");
        self.suspend(frame, &mut suspended);
        *self.heap.get_mut(at) = HeapObject::Generator(Some(suspended));
    }

    /// Raises an exception at the `yield` expression at which a generator is suspended, or in the iterator to which it delegates.
    pub(super) fn throw_into_generator(&mut self, at: HeapRef, exception: HeapRef) -> ExecResult<Resumed> {
        let Some(suspended) = self.take_suspended(at)? else { return Err(ExecError::Raised(exception)) };
        if suspended.frame.as_ref().is_none_or(|frame| frame.pc == 0) {
            return Err(ExecError::Raised(exception));
        }
        let delegate = self.delegation_of(&suspended);
        let suspended = self.restore(suspended)?;
        let mut raised = exception;
        if let Some((iterator, end)) = delegate {
            match self.throw_into_delegate(iterator, exception) {
                Ok(Some(Resumed::Yielded(value))) => {
                    self.suspend_generator(at, suspended);
                    return Ok(Resumed::Yielded(value));
                }
                Ok(Some(Resumed::Returned(value))) => {
                    self.pop();
                    self.push(value);
                    self.top_frame().pc = end as usize;
                    let ran = self.run();
                    return self.generator_outcome(at, suspended, ran);
                }
                Ok(None) => {}
                Err(ExecError::Raised(other)) => raised = other,
                Err(fault) => return Err(fault),
            }
        }
        let ran = self.run_raising(raised);
        self.generator_outcome(at, suspended, ran)
    }

    /// Takes the frame of a suspended generator to run it; `None` if the generator has ended.
    fn take_suspended(&mut self, at: HeapRef) -> ExecResult<Option<Box<SuspendedFrame>>> {
        let HeapObject::Generator(frame) = self.heap.get_mut(at) else { unreachable!("called with generators") };
        let frame = frame.take_if(|suspended| suspended.frame.is_some());
        let runs = |frame: &Frame| matches!(frame.return_target, ReturnTarget::Generator(other) | ReturnTarget::Consumer(other, _) if other == at);
        if frame.is_none() && self.frames.iter().any(runs) {
            return Err(self.raise(ExceptionKind::ValueError, "generator already executing"));
        }
        Ok(frame)
    }

    /// Converts the outcome of a generator's run; a generator that yielded is suspended again.
    fn generator_outcome(
        &mut self,
        at: HeapRef,
        suspended: Box<SuspendedFrame>,
        ran: ExecResult<(Value, bool)>,
    ) -> ExecResult<Resumed> {
        match ran {
            Ok((value, true)) => {
                self.suspend_generator(at, suspended);
                Ok(Resumed::Yielded(value))
            }
            Ok((value, false)) => {
                self.recycle_suspension(suspended);
                Ok(Resumed::Returned(value))
            }
            Err(ExecError::Raised(raised)) => Err(ExecError::Raised(self.exception_of_generator(raised)?)),
            Err(fault) => Err(fault),
        }
    }

    /// Returns the exception that leaves a generator whose code raised one: a `RuntimeError` for a `StopIteration`.
    pub(super) fn exception_of_generator(&mut self, raised: HeapRef) -> ExecResult<HeapRef> {
        if !self.is_exception_of_kind(raised, ExceptionKind::StopIteration) {
            return Ok(raised);
        }
        match self.raise(ExceptionKind::RuntimeError, "generator raised StopIteration") {
            ExecError::Raised(at) => {
                if let HeapObject::Exception(exception) = self.heap.get_mut(at) {
                    exception.cause = Some(Value::Ref(raised));
                }
                Ok(at)
            }
            fault @ ExecError::Exhausted(_) => Err(fault),
        }
    }

    /// Returns the iterator to which a suspended generator delegates, and the instruction after the delegation.
    fn delegation_of(&self, suspended: &SuspendedFrame) -> Option<(Value, u32)> {
        let frame = suspended.frame.as_ref()?;
        let instructions = &self.program.code(frame.code).instructions;
        match (instructions.get(frame.pc.checked_sub(2)?)?, instructions[frame.pc - 1]) {
            (&Instruction::Delegate(end), Instruction::YieldExpression) => Some((*suspended.operands.last()?, end)),
            _ => None,
        }
    }

    /// Raises an exception in the iterator of a `yield from`; `None` if the iterator has no method for that, so that it is raised at the
    /// `yield from` itself.
    fn throw_into_delegate(&mut self, iterator: Value, exception: HeapRef) -> ExecResult<Option<Resumed>> {
        let exits = self.is_exception_of_kind(exception, ExceptionKind::GeneratorExit);
        if let Value::Ref(at) = iterator
            && matches!(self.heap.get(at), HeapObject::Generator(_))
        {
            return if exits {
                self.close_generator(at).map(|()| None)
            } else {
                self.nested(|machine| machine.throw_into_generator(at, exception)).map(Some)
            };
        }
        let symbol = self.intern(if exits { "close" } else { "throw" });
        let Some(method) = self.try_attribute(iterator, symbol)? else { return Ok(None) };
        if exits {
            return self.call_value(method, &[], &[]).map(|_| None);
        }
        let thrown = self.call_value(method, &[Value::Ref(exception)], &[]);
        self.iteration_outcome(thrown).map(Some)
    }

    /// Converts the outcome of a call that raises `StopIteration` at the end of an iterator.
    fn iteration_outcome(&mut self, called: ExecResult) -> ExecResult<Resumed> {
        match called {
            Ok(value) => Ok(Resumed::Yielded(value)),
            Err(ExecError::Raised(raised)) if self.is_exception_of_kind(raised, ExceptionKind::StopIteration) => {
                Ok(Resumed::Returned(self.stop_iteration_value(raised)))
            }
            Err(fault) => Err(fault),
        }
    }

    /// Returns the attribute `value` of a `StopIteration`: its first argument.
    pub(super) fn stop_iteration_value(&self, exception: HeapRef) -> Value {
        match self.heap.get(exception) {
            HeapObject::Exception(exception) => exception.arguments.first().copied().unwrap_or(Value::None),
            _ => Value::None,
        }
    }

    /// Requests the next value of an iterator, with the result of a generator that ends.
    pub(super) fn request_next(&mut self, iterator: Value, sent: Value) -> ExecResult<Resumed> {
        if let Value::Ref(at) = iterator
            && matches!(self.heap.get(at), HeapObject::Generator(_))
        {
            return self.resume(at, sent);
        }
        if !matches!(sent, Value::None) {
            let symbol = self.intern("send");
            let method = self.attribute(iterator, symbol)?;
            let called = self.call_value(method, &[sent], &[]);
            return self.iteration_outcome(called);
        }
        if let Some(method) = self.special_method(iterator, "__next__") {
            let called = self.call_value(method, &[], &[]);
            return self.iteration_outcome(called);
        }
        Ok(match self.advance(iterator)? {
            Some(value) => Resumed::Yielded(value),
            None => Resumed::Returned(Value::None),
        })
    }

    /// Executes [`Instruction::Delegate`].
    pub(super) fn delegate(&mut self, end: u32) -> ExecResult<()> {
        let (sent, iterator) = (self.pop(), self.pop());
        self.charge(super::cost::NEXT)?;
        match self.request_next(iterator, sent)? {
            Resumed::Yielded(value) => {
                self.push(iterator);
                self.push(value);
            }
            Resumed::Returned(value) => {
                self.push(value);
                self.top_frame().pc = end as usize;
            }
        }
        Ok(())
    }

    /// Creates the `StopIteration` of a generator that ended with a result.
    fn stop_iteration(&mut self, value: Value) -> ExecError {
        let arguments = if matches!(value, Value::None) { Vec::new() } else { vec![value] };
        self.raise_with(ExceptionKind::StopIteration, arguments)
    }

    /// Returns the next value of an iterator, or raises its `StopIteration`, as `next` does without a default.
    pub(super) fn next_or_raise(&mut self, iterator: Value) -> ExecResult {
        if let Some(method) = self.special_method(iterator, "__next__") {
            self.charge(super::cost::NEXT)?;
            return self.call_value(method, &[], &[]);
        }
        self.charge(super::cost::NEXT)?;
        match self.request_next(iterator, Value::None)? {
            Resumed::Yielded(value) => Ok(value),
            Resumed::Returned(value) => Err(self.stop_iteration(value)),
        }
    }

    /// Raises `GeneratorExit` in a suspended generator, which must end.
    pub(super) fn close_generator(&mut self, at: HeapRef) -> ExecResult<()> {
        if matches!(self.heap.get(at), HeapObject::Generator(Some(suspended))
            if suspended.frame.as_ref().is_some_and(|frame| frame.pc == 0))
        {
            *self.heap.get_mut(at) = HeapObject::Generator(None);
            return Ok(());
        }
        let Value::Ref(exit) = self.new_exception(ExceptionKind::GeneratorExit, &[]) else { return Ok(()) };
        match self.nested(|machine| machine.throw_into_generator(at, exit)) {
            Ok(Resumed::Returned(_)) => Ok(()),
            Ok(Resumed::Yielded(_)) => Err(self.raise(ExceptionKind::RuntimeError, "generator ignored GeneratorExit")),
            Err(ExecError::Raised(raised)) if self.is_exception_of_kind(raised, ExceptionKind::GeneratorExit) => Ok(()),
            Err(fault) => Err(fault),
        }
    }

    /// Implements `generator.send(value)`.
    pub(super) fn send_to_generator(&mut self, at: HeapRef, sent: Value) -> ExecResult {
        let resumed = self.nested(|machine| machine.resume(at, sent))?;
        self.yielded_or_stopped(resumed)
    }

    /// Implements `generator.throw(..)`.
    pub(super) fn throw_by_arguments(&mut self, at: HeapRef, arguments: &[Value]) -> ExecResult {
        let exception = self.thrown_exception(arguments)?;
        let resumed = self.nested(|machine| machine.throw_into_generator(at, exception))?;
        self.yielded_or_stopped(resumed)
    }

    fn yielded_or_stopped(&mut self, resumed: Resumed) -> ExecResult {
        match resumed {
            Resumed::Yielded(value) => Ok(value),
            Resumed::Returned(value) => Err(self.stop_iteration(value)),
        }
    }

    /// Returns the exception that the arguments of `throw` denote: an exception, or a class with an optional argument.
    fn thrown_exception(&mut self, arguments: &[Value]) -> ExecResult<HeapRef> {
        let base = Value::Type(super::value::Type::Exception(ExceptionKind::BaseException));
        let value = arguments.get(1).copied().unwrap_or(Value::None);
        if self.is_class(arguments[0]) && self.is_derived_class(arguments[0], base)? {
            let is_instance = !matches!(value, Value::None) && self.is_instance(value, arguments[0])?;
            let given: Vec<Value> = match value {
                Value::None => Vec::new(),
                Value::Ref(at) if let HeapObject::Tuple(values) = self.heap.get(at) => values.to_vec(),
                value => vec![value],
            };
            let raised = if is_instance { value } else { self.call_value(arguments[0], &given, &[])? };
            return match raised {
                Value::Ref(at) if matches!(self.heap.get(at), HeapObject::Exception(_)) => Ok(at),
                _ => Err(self.type_error("exceptions must derive from BaseException")),
            };
        }
        match arguments[0] {
            Value::Ref(at) if matches!(self.heap.get(at), HeapObject::Exception(_)) => {
                if matches!(value, Value::None) {
                    Ok(at)
                } else {
                    Err(self.type_error("instance exception may not have a separate value"))
                }
            }
            other => {
                let message = format!(
                    "exceptions must be classes or instances deriving from BaseException, not {}",
                    self.class_name(other)
                );
                Err(self.type_error(&message))
            }
        }
    }
}
