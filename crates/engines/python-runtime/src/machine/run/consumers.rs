//! Generators whose values are consumed in the run that contains them: by a `for` loop, or by a built-in function such as `sum`.
//!
//! The frame of the generator lies directly above that of its consumer, whose topmost operands are the accumulated value, if there is one,
//! and the generator. What the consumer cannot handle by itself suspends the generator and goes to the general code.

use super::shortcuts::Shortcut;
use crate::code::Instruction;
use crate::machine::exceptions::ExecResult;
use crate::machine::frame::ReturnTarget;
use crate::machine::library_function::BuiltinForm;
use crate::machine::quick_operators::{quick_binary, quick_compare};
use crate::machine::value::{HeapObject, HeapRef, Value};
use crate::machine::{Machine, cost};
use crate::operators::{BinaryOperator, ComparisonOperator};

/// The code that consumes the values of a generator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::machine) enum Consumer {
    /// The instruction `Next` before the next one of the frame below.
    Loop,
    /// `sum`
    Sum,
    /// `all` or `any`
    Quantifier { is_any: bool },
    /// `min` or `max`
    Extreme { is_max: bool },
}

impl Consumer {
    /// Returns the accumulated value before the first value of the generator; `None` for a built-in function without one.
    fn initial(self) -> Value {
        match self {
            Self::Sum => Value::Int(0),
            Self::Quantifier { is_any } => Value::Bool(!is_any),
            Self::Loop | Self::Extreme { .. } => Value::None,
        }
    }
}

impl Machine {
    /// Starts a call of a built-in function that consumes the generator above it on the stack; returns `false`, with no effect, for others.
    #[inline]
    pub(super) fn start_consumer(&mut self, form: BuiltinForm, place: usize, pc: usize) -> ExecResult<bool> {
        let &[Value::Ref(generator)] = &self.operands[place + 1..] else { return Ok(false) };
        let consumer = match form {
            BuiltinForm::Sum => Consumer::Sum,
            BuiltinForm::Quantifier { is_any } => Consumer::Quantifier { is_any },
            BuiltinForm::Extreme { is_max } => Consumer::Extreme { is_max },
            _ => return Ok(false),
        };
        if !self.can_resume_in_run(generator) {
            return Ok(false);
        }
        self.top_frame().pc = pc;
        self.charge(cost::BUILTIN)?;
        self.operands[place] = consumer.initial();
        self.resume_in_run(generator, consumer)?;
        Ok(true)
    }

    /// Returns whether a value is a suspended generator for whose frame there is room.
    #[inline]
    pub(super) fn can_resume_in_run(&self, generator: HeapRef) -> bool {
        matches!(self.heap.get(generator), HeapObject::Generator(Some(suspended)) if suspended.frame.is_some())
            && self.frames.len() < self.budget.call_depth
    }

    /// Makes the frame of a suspended generator, which lies on top of the stack, the innermost one.
    pub(super) fn resume_in_run(&mut self, generator: HeapRef, consumer: Consumer) -> ExecResult<()> {
        self.charge(cost::NEXT + cost::CALL)?;
        let HeapObject::Generator(Some(suspended)) = self.heap.get_mut(generator) else {
            unreachable!("the generator is suspended")
        };
        let Some(mut frame) = suspended.frame.take() else { unreachable!("the generator is suspended") };
        frame.first_local = self.locals.len();
        frame.first_operand = self.operands.len();
        frame.return_target = ReturnTarget::Consumer(generator, consumer);
        self.locals.append(&mut suspended.locals);
        self.operands.append(&mut suspended.operands);
        let (code, pc) = (frame.code, frame.pc);
        self.frames.push(frame);
        if pc > 0 && matches!(self.program.code(code).instructions[pc - 1], Instruction::YieldExpression) {
            self.operands.push(Value::None);
        }
        Ok(())
    }

    /// Suspends the innermost frame, which is that of a generator with a consumer.
    fn suspend_in_run(&mut self, generator: HeapRef, pc: usize) {
        let Some(mut frame) = self.frames.pop() else { unreachable!("the generator runs") };
        let HeapObject::Generator(Some(suspended)) = self.heap.get_mut(generator) else {
            unreachable!("a generator that runs keeps the memory for its variables")
        };
        suspended.locals.extend(self.locals.drain(frame.first_local..));
        suspended.operands.extend(self.operands.drain(frame.first_operand..));
        frame.return_target = ReturnTarget::Generator(generator);
        frame.pc = pc;
        suspended.frame = Some(frame);
    }

    /// Passes the value on top of the stack to the consumer of the innermost frame.
    #[inline]
    pub(super) fn consume(
        &mut self,
        generator: HeapRef,
        consumer: Consumer,
        sent: Option<Value>,
        pc: usize,
    ) -> ExecResult<Shortcut> {
        let first_operand = self.top_frame().first_operand;
        let item = self.pop();
        let is_done = match consumer {
            Consumer::Loop => {
                self.suspend_in_run(generator, pc);
                self.operands.push(item);
                return Ok(Shortcut::FrameChanged);
            }
            Consumer::Sum => {
                let number = if let Value::Bool(truth) = item { Value::Int(truth.into()) } else { item };
                let total = &mut self.operands[first_operand - 2];
                let Some(sum) = quick_binary(BinaryOperator::Add, *total, number) else {
                    return self.consume_generally(generator, consumer, item, pc);
                };
                *total = sum;
                self.spend(cost::OPERATION)?;
                false
            }
            Consumer::Quantifier { is_any } => match self.quick_truth(item) {
                Some(truth) => truth == is_any,
                None => return self.consume_generally(generator, consumer, item, pc),
            },
            Consumer::Extreme { is_max } => {
                let best = &mut self.operands[first_operand - 2];
                let is_better = match (item, *best) {
                    (Value::Int(_) | Value::Float(_), Value::None) => Some(true),
                    _ => quick_compare(extreme_operator(is_max), item, *best),
                };
                let Some(is_better) = is_better else {
                    return self.consume_generally(generator, consumer, item, pc);
                };
                let work = if matches!(best, Value::None) { 0 } else { cost::OPERATION };
                if is_better {
                    *best = item;
                }
                self.spend(work)?;
                false
            }
        };
        if is_done {
            self.suspend_in_run(generator, pc);
            self.finish_consumer(Value::Bool(matches!(consumer, Consumer::Quantifier { is_any: true })));
            return Ok(Shortcut::FrameChanged);
        }
        // Resuming the generator costs as much as calling it.
        self.charge(cost::NEXT + cost::CALL)?;
        self.operands.extend(sent);
        Ok(Shortcut::Taken)
    }

    /// Passes a value to a consumer that may run code of the program for it, and all further values of the generator.
    #[cold]
    fn consume_generally(
        &mut self,
        generator: HeapRef,
        consumer: Consumer,
        item: Value,
        pc: usize,
    ) -> ExecResult<Shortcut> {
        self.suspend_in_run(generator, pc);
        let (so_far, iterator) = (self.operands[self.operands.len() - 2], Value::Ref(generator));
        let result = match consumer {
            Consumer::Loop => unreachable!("loops handle all values"),
            Consumer::Sum => {
                let total = self.binary(BinaryOperator::Add, so_far, item)?;
                self.sum_of_items(total, iterator)?
            }
            Consumer::Quantifier { is_any } => {
                let is_done = self.truth(item)? == is_any;
                if is_done { Value::Bool(is_any) } else { self.all_or_any_of_items(iterator, !is_any)? }
            }
            Consumer::Extreme { is_max } => {
                let operator = extreme_operator(is_max);
                let mut best = (!matches!(so_far, Value::None)).then_some((so_far, so_far));
                self.keep_extreme(operator, None, item, &mut best)?;
                self.extreme_of_items(operator, None, iterator, &mut best)?;
                best.map_or(Value::None, |(item, _)| item)
            }
        };
        self.finish_consumer(result);
        Ok(Shortcut::FrameChanged)
    }

    /// Ends the innermost frame, which is that of a generator with a consumer.
    pub(super) fn finish_generator(&mut self, generator: HeapRef, consumer: Consumer) -> ExecResult<Shortcut> {
        self.charge(0)?;
        self.pop_frame();
        if let HeapObject::Generator(suspended) = self.heap.get_mut(generator)
            && let Some(suspended) = suspended.take()
        {
            self.recycle_suspension(suspended);
        }
        let below = self.operands.len().checked_sub(2);
        let so_far = below.map_or(Value::None, |place| self.operands[place]);
        match consumer {
            Consumer::Loop => {
                self.pop();
                let frame = self.top_frame();
                let (code, next) = (frame.code, frame.pc);
                let Instruction::Next(end) = self.program.code(code).instructions[next - 1] else {
                    unreachable!("the loop requested a value")
                };
                self.top_frame().pc = end as usize;
            }
            Consumer::Extreme { is_max } if matches!(so_far, Value::None) => return Err(self.empty_extreme(is_max)),
            _ => self.finish_consumer(so_far),
        }
        Ok(Shortcut::FrameChanged)
    }

    /// Replaces the accumulated value and the generator on the stack by the result of the function.
    fn finish_consumer(&mut self, result: Value) {
        self.pop();
        *self.operands.last_mut().expect("the function was below its argument") = result;
    }
}

/// Returns the comparison that holds if a value is better than the best one so far.
fn extreme_operator(is_max: bool) -> ComparisonOperator {
    if is_max { ComparisonOperator::Gt } else { ComparisonOperator::Lt }
}
