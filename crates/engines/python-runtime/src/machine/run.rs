//! The interpreter loop: runs frames instruction by instruction, and unwinds them when an exception is raised.

mod bound_calls;
mod consumers;
mod dispatch;
mod general;
mod quick_attributes;
mod quick_calls;
mod quick_code;
mod quick_entries;
mod quick_iteration;
mod shortcuts;
mod unpacked_calls;

use std::sync::Arc;

use smallvec::SmallVec;

use super::exceptions::{ExecError, ExecResult};
use super::frame::{Frame, ReturnTarget};
use super::value::{HeapObject, HeapRef, Type, Value};
use super::{LimitedResource, Machine, cost};
use crate::code::{CodeId, CodeKind, Instruction};

pub(in crate::machine) use consumers::Consumer;
pub(in crate::machine) use quick_attributes::AttributeCache;
pub(crate) use quick_code::QuickProgram;

/// Operands that an instruction takes from the stack.
pub(super) type Operands = SmallVec<[Value; 6]>;

/// The effect of one instruction on the frame that the loop runs.
enum InstructionEffect {
    /// The frame continues with its next instruction.
    Continue,
    /// The frame has returned to the frame below it, which continues.
    Returned,
    /// The frame that the loop was started for returned (`false`) or yielded (`true`) this value; a frame that yields remains.
    Finished(Value, bool),
}

impl Machine {
    /// Creates a frame for a code object, with fresh cells and unset locals on top of the stack of variables.
    pub(super) fn new_frame(
        &mut self,
        code: CodeId,
        closure: &[HeapRef],
        purpose: ReturnTarget,
        function: Option<HeapRef>,
    ) -> Frame {
        let found = self.program.code(code);
        let (locals, cells) = (found.locals.len(), found.cells.len());
        let names = (found.kind == CodeKind::Class).then(|| self.heap.add(HeapObject::Dict(Box::default())));
        let mut all: SmallVec<[HeapRef; 2]> =
            (0..cells).map(|_| self.heap.add(HeapObject::ClosureCell(None))).collect();
        all.extend_from_slice(closure);
        let first_local = self.locals.len();
        self.locals.resize(first_local + locals, None);
        Frame {
            code,
            pc: 0,
            first_local,
            first_operand: self.operands.len(),
            cells: all,
            handled_exceptions: Vec::new(),
            namespace: names,
            return_target: purpose,
            function,
        }
    }

    pub(super) fn push_frame(&mut self, mut frame: Frame) -> ExecResult<()> {
        frame.first_operand = self.operands.len();
        if self.frames.len() >= self.budget.call_depth {
            return Err(ExecError::Exhausted(LimitedResource::Calls));
        }
        self.charge(cost::CALL)?;
        self.frames.push(frame);
        Ok(())
    }

    /// Runs a frame until it returns, and returns its value.
    pub(super) fn run_frame(&mut self, frame: Frame) -> ExecResult {
        self.push_frame(frame)?;
        self.run().map(|(value, _)| value)
    }

    /// Removes all frames, with their variables and operands.
    pub(super) fn clear_frames(&mut self) {
        self.frames.clear();
        self.locals.clear();
        self.operands.clear();
    }

    /// Removes the innermost frame, with its variables and operands.
    pub(super) fn pop_frame(&mut self) -> Frame {
        let frame = self.frames.pop().expect("instructions run in frames");
        self.locals.truncate(frame.first_local);
        self.operands.truncate(frame.first_operand);
        frame
    }

    /// Runs the innermost frame, with all calls that it makes, until it returns or yields. Returns the value and whether the frame yielded.
    pub(super) fn run(&mut self) -> ExecResult<(Value, bool)> {
        let base = self.frames.len() - 1;
        let program = self.idle_programs.pop().unwrap_or_else(|| Arc::clone(&self.program));
        let outcome = loop {
            let outcome = if self.observer.is_some() {
                self.run_observed_frames(&program, base)
            } else {
                self.run_frames(&program, base)
            };
            match outcome {
                Err(ExecError::Raised(at)) => {
                    if let Err(fault) = self.unwind(base, at) {
                        break Err(fault);
                    }
                }
                outcome => break outcome,
            }
        };
        self.idle_programs.push(program);
        outcome
    }

    /// Charges for the cells that were allocated, and frees unreachable ones if memory runs short and no library function holds references.
    fn collect_if_near_limit(&mut self, base: usize) -> ExecResult<()> {
        self.charge(0)?;
        if base == 0 && self.can_collect && self.heap.is_near_limit(self.budget.memory) {
            self.collect_garbage();
            self.charge(self.heap.cell_count() as u64 / 4)?;
        }
        Ok(())
    }

    /// Raises an exception at the current instruction of the innermost frame, and runs the frame until it returns or yields.
    pub(super) fn run_raising(&mut self, exception: HeapRef) -> ExecResult<(Value, bool)> {
        self.unwind(self.frames.len() - 1, exception)?;
        self.run()
    }

    /// Pops frames down to the nearest handler of an exception and continues there.
    ///
    /// # Errors
    /// The exception itself, if no frame from `base` on handles it.
    fn unwind(&mut self, base: usize, mut at: HeapRef) -> ExecResult<()> {
        let mut first = true;
        while self.frames.len() > base {
            self.charge(cost::UNWIND)?;
            // A re-raised exception already has the traceback entry of this frame.
            let again = self.frames.last().is_some_and(|frame| {
                let code = self.program.code(frame.code);
                let instruction = frame.pc.checked_sub(1).and_then(|place| code.instructions.get(place));
                matches!(instruction, Some(Instruction::Reraise | Instruction::Raise(0)))
            });
            let again = std::mem::replace(&mut first, false) && again && self.has_traceback(at);
            let place = self.frames.last().filter(|_| !again).map(|frame| self.frame_location(frame));
            if let (HeapObject::Exception(exception), Some(place)) = (self.heap.get_mut(at), place) {
                exception.traceback.push(place);
            }
            let Some(frame) = self.frames.last_mut() else { break };
            let faulty = (frame.pc - 1) as u32;
            let handlers = &self.program.code(frame.code).handlers;
            if let Some(handler) = handlers.iter().find(|handler| (handler.start..handler.end).contains(&faulty)) {
                frame.handled_exceptions.truncate(handler.handled_count as usize);
                frame.pc = handler.target as usize;
                self.operands.truncate(frame.first_operand + handler.depth as usize);
                self.operands.push(Value::Ref(at));
                return Ok(());
            }
            if let ReturnTarget::Consumer(generator, _) = self.pop_frame().return_target {
                *self.heap.get_mut(generator) = HeapObject::Generator(None);
                at = self.exception_of_generator(at)?;
            }
        }
        Err(ExecError::Raised(at))
    }

    /// Whether an exception already has a traceback entry, that is, has left a frame before.
    fn has_traceback(&self, at: HeapRef) -> bool {
        matches!(self.heap.get(at), HeapObject::Exception(exception) if !exception.traceback.is_empty())
    }

    pub(super) fn top_frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("instructions run in frames")
    }

    #[inline]
    pub(super) fn push(&mut self, value: Value) {
        self.operands.push(value);
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Value {
        self.operands.pop().expect("instructions find what they take")
    }

    /// Removes the topmost operand.
    #[inline]
    fn drop_top(&mut self) {
        self.operands.truncate(self.operands.len() - 1);
    }

    /// Takes a number of operands from the stack, in the order in which they were pushed.
    pub(super) fn pop_many(&mut self, count: u32) -> Operands {
        let first = self.operands.len() - count as usize;
        let taken = SmallVec::from_slice(&self.operands[first..]);
        self.operands.truncate(first);
        taken
    }

    fn jump(&mut self, target: u32) {
        self.top_frame().pc = target as usize;
    }
}
