//! The interpreter loop: runs frames instruction by instruction, and unwinds them when an exception is raised.

mod quick_attributes;
mod quick_calls;
mod quick_code;
mod quick_entries;
mod quick_iteration;
mod shortcuts;

use std::sync::Arc;

use smallvec::SmallVec;

use super::exceptions::{ExceptionKind, ExecError, ExecResult};
use super::frame::{Frame, ReturnTarget};
use super::value::{HeapObject, HeapRef, Type, Value};
use super::{LimitedResource, Machine, cost};
use crate::code::{CodeId, CodeKind, CodeObject, Constant, Conversion, Instruction, Program, Symbol};
use shortcuts::{RunningFrame, Shortcut};

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
                self.run_frames::<true>(&program, base)
            } else {
                self.run_frames::<false>(&program, base)
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

    /// Runs frames until that at `base` returns or yields, or one raises an exception.
    ///
    /// The frame's `pc` is up to date whenever code other than the shortcuts runs. An observed run takes no shortcuts.
    fn run_frames<const OBSERVED: bool>(&mut self, program: &Program, base: usize) -> ExecResult<(Value, bool)> {
        let quick_program = program.quick();
        loop {
            let depth = self.frames.len();
            let top = self.top_frame();
            let mut frame = RunningFrame {
                code: program.code(top.code),
                quick: quick_program.code(top.code),
                first_local: top.first_local,
                pc: top.pc,
            };
            loop {
                if OBSERVED {
                    self.report_instruction();
                }
                let quick = frame.quick.instructions[frame.pc];
                if self.remaining_work == 0 {
                    self.top_frame().pc = frame.pc;
                    return Err(ExecError::Exhausted(LimitedResource::Work));
                }
                self.remaining_work -= 1;
                let place = frame.pc;
                frame.pc += 1;
                if !OBSERVED {
                    match self.shortcut(quick, &mut frame) {
                        Ok(Shortcut::Taken) => continue,
                        Ok(Shortcut::FrameChanged) => break,
                        Ok(Shortcut::Unavailable) => {}
                        Err(fault) => {
                            self.top_frame().pc = frame.pc;
                            return Err(fault);
                        }
                    }
                }
                self.top_frame().pc = frame.pc;
                self.collect_if_near_limit(base)?;
                if let InstructionEffect::Finished(value, yielded) =
                    self.execute_instruction(frame.code.instructions[place], frame.code, base)?
                {
                    return Ok((value, yielded));
                }
                if self.frames.len() != depth {
                    break;
                }
                frame.pc = self.top_frame().pc;
            }
        }
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
    fn unwind(&mut self, base: usize, at: HeapRef) -> ExecResult<()> {
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
            self.pop_frame();
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

    fn execute_instruction(
        &mut self,
        instruction: Instruction,
        code: &CodeObject,
        base: usize,
    ) -> ExecResult<InstructionEffect> {
        match instruction {
            Instruction::Return => {
                self.report_top();
                return self.return_from_frame(base);
            }
            Instruction::Yield | Instruction::YieldExpression => {
                let value = self.pop();
                return Ok(InstructionEffect::Finished(value, true));
            }
            Instruction::Delegate(end) => self.delegate(end)?,
            Instruction::TryAttribute(symbol, target) => {
                let object = self.pop();
                match self.try_attribute(object, symbol)? {
                    Some(value) => self.push(value),
                    None => self.jump(target),
                }
            }
            Instruction::Call(count) => {
                let arguments = self.pop_many(count);
                let function = self.pop();
                self.begin_call(function, &arguments, &[])?;
            }
            Instruction::CallKeywords(count, names) => {
                let Constant::Names(names) = &code.constants[names as usize] else {
                    unreachable!("calls with names have a list of them")
                };
                let arguments = self.pop_many(count);
                let (arguments, last) = arguments.split_at(arguments.len() - names.len());
                let keywords: SmallVec<[(Symbol, Value); 4]> =
                    names.iter().copied().zip(last.iter().copied()).collect();
                let function = self.pop();
                self.begin_call(function, arguments, &keywords)?;
            }
            Instruction::CallUnpacked(named) => self.call_with_unpacking(named)?,
            Instruction::Jump(target) => self.jump(target),
            Instruction::JumpIfFalse(target) | Instruction::JumpIfTrue(target) => {
                let value = self.pop();
                let truth = self.truth(value)?;
                self.report_branch(truth);
                if truth == matches!(instruction, Instruction::JumpIfTrue(_)) {
                    self.jump(target);
                }
            }
            Instruction::JumpIfFalseOrPop(target) | Instruction::JumpIfTrueOrPop(target) => {
                let value = self.pop();
                let truth = self.truth(value)?;
                self.report_branch(truth);
                if truth == matches!(instruction, Instruction::JumpIfTrueOrPop(_)) {
                    self.push(value);
                    self.jump(target);
                }
            }
            Instruction::Next(target) => {
                let iterator = self.pop();
                match self.advance(iterator)? {
                    Some(item) => {
                        self.push(iterator);
                        self.push(item);
                    }
                    None => self.jump(target),
                }
            }
            Instruction::Raise(count) => {
                let parts = self.pop_many(count);
                return Err(self.raise_statement(&parts));
            }
            Instruction::Reraise => {
                let Value::Ref(at) = self.pop() else { unreachable!("exceptions are raised again") };
                return Err(ExecError::Raised(at));
            }
            Instruction::Constant(place) => {
                let value = self.constant(&code.constants[place as usize]);
                self.push(value);
            }
            _ => self.execute_variable_instruction(instruction)?,
        }
        Ok(InstructionEffect::Continue)
    }

    /// Ends the innermost frame and passes its value to whoever called it.
    fn return_from_frame(&mut self, base: usize) -> ExecResult<InstructionEffect> {
        let value = self.pop();
        let frame = self.pop_frame();
        if self.frames.is_empty() {
            self.return_location = Some((frame.code, frame.pc.saturating_sub(1)));
        }
        match frame.return_target {
            ReturnTarget::Host | ReturnTarget::Generator(_) => {
                debug_assert_eq!(self.frames.len(), base, "what was asked for last ends first");
                Ok(InstructionEffect::Finished(value, false))
            }
            ReturnTarget::Stack => {
                self.push(value);
                Ok(InstructionEffect::Returned)
            }
            ReturnTarget::Init(object) => {
                self.check_init_result(value)?;
                self.push(Value::Ref(object));
                Ok(InstructionEffect::Returned)
            }
        }
    }

    /// Executes instructions that only access the stack and variables.
    fn execute_variable_instruction(&mut self, instruction: Instruction) -> ExecResult<()> {
        match instruction {
            Instruction::Load(variable) => {
                let value = self.load_variable(variable)?;
                self.push(value);
            }
            Instruction::Store(variable) => {
                self.report_top();
                let value = self.pop();
                self.store_variable(variable, Some(value));
            }
            Instruction::Delete(variable) => {
                self.load_variable(variable)?;
                self.store_variable(variable, None);
            }
            Instruction::LoadGlobal(symbol) => {
                let value = self.load_global(symbol)?;
                self.push(value);
            }
            Instruction::StoreGlobal(symbol) => {
                self.report_top();
                let value = self.pop();
                self.set_global(symbol, value);
            }
            Instruction::DeleteGlobal(symbol) => {
                if self.globals.remove(symbol).is_none() {
                    return Err(self.name_error(symbol));
                }
            }
            Instruction::LoadName(symbol) => {
                let value = match self.class_body_name(symbol)? {
                    Some(value) => value,
                    None => self.load_global(symbol)?,
                };
                self.push(value);
            }
            Instruction::StoreName(symbol) => self.store_name(symbol)?,
            Instruction::DeleteName(symbol) => self.delete_name(symbol)?,
            Instruction::LoadCell(place) => {
                let cell = self.top_frame().cells[place as usize];
                self.push(Value::Ref(cell));
            }
            _ => self.execute_object_instruction(instruction)?,
        }
        Ok(())
    }

    /// Executes instructions on attributes, items, operators, functions and classes.
    fn execute_object_instruction(&mut self, instruction: Instruction) -> ExecResult<()> {
        match instruction {
            Instruction::LoadAttribute(symbol) | Instruction::LoadMethod(symbol) => {
                let object = self.pop();
                let value = self.attribute(object, symbol)?;
                self.push(value);
            }
            Instruction::StoreAttribute(symbol) => {
                let (object, value) = (self.pop(), self.pop());
                self.set_attribute(object, symbol, value)?;
            }
            Instruction::DeleteAttribute(symbol) => {
                let object = self.pop();
                self.delete_attribute(object, symbol)?;
            }
            Instruction::LoadItem => {
                let (index, object) = (self.pop(), self.pop());
                let value = self.get_item(object, index)?;
                self.push(value);
            }
            Instruction::StoreItem => {
                let (index, object, value) = (self.pop(), self.pop(), self.pop());
                self.set_item(object, index, value)?;
            }
            Instruction::DeleteItem => {
                let (index, object) = (self.pop(), self.pop());
                self.delete_item(object, index)?;
            }
            Instruction::Unary(operator) => {
                let value = self.pop();
                let value = self.unary(operator, value)?;
                self.push(value);
            }
            Instruction::Binary(operator) => {
                let (right, left) = (self.pop(), self.pop());
                let value = self.binary(operator, left, right)?;
                self.report_operation(left, right, value);
                self.push(value);
            }
            Instruction::InPlace(operator) => {
                let (right, left) = (self.pop(), self.pop());
                let value = self.operator_in_place(operator, left, right)?;
                self.report_operation(left, right, value);
                self.push(value);
            }
            Instruction::Compare(operator) => {
                let (right, left) = (self.pop(), self.pop());
                let value = self.compare(operator, left, right)?;
                self.report_comparison(operator, left, right, value);
                self.push(value);
            }
            Instruction::Iterate => {
                let value = self.pop();
                let iterator = self.iterator(value)?;
                self.push(iterator);
            }
            Instruction::Unpack(_) | Instruction::UnpackStarred(..) => self.execute_unpack_instruction(instruction)?,
            Instruction::Function(code, extras) => self.make_function(code, extras),
            Instruction::Class(bases) => {
                let bases = self.pop_many(bases);
                let body = self.pop();
                let class = self.make_class(body, &bases, &[])?;
                self.push(class);
            }
            Instruction::ClassKeywords(bases, names) => {
                let code = self.top_frame().code;
                let crate::code::Constant::Names(names) = &self.program.code(code).constants[names as usize] else {
                    unreachable!("classes with keywords have a list of them")
                };
                let names = Arc::clone(names);
                let values = self.pop_many(names.len() as u32);
                let keywords: Vec<(Symbol, Value)> = names.iter().copied().zip(values).collect();
                let bases = self.pop_many(bases);
                let body = self.pop();
                let class = self.make_class(body, &bases, &keywords)?;
                self.push(class);
            }
            _ => self.execute_exception_instruction(instruction)?,
        }
        Ok(())
    }

    /// Executes instructions on exceptions, texts and modules.
    fn execute_exception_instruction(&mut self, instruction: Instruction) -> ExecResult<()> {
        match instruction {
            Instruction::PushHandled => {
                if let Value::Ref(at) = self.pop() {
                    self.top_frame().handled_exceptions.push(at);
                }
            }
            Instruction::PopHandled => {
                self.top_frame().handled_exceptions.pop();
            }
            Instruction::LoadHandled => {
                let handled = self.top_frame().handled_exceptions.last().copied();
                self.push(handled.map_or(Value::None, Value::Ref));
            }
            Instruction::MatchException => {
                let (class, exception) = (self.pop(), self.pop());
                let matches = self.exception_matches(exception, class)?;
                self.push(Value::Bool(matches));
            }
            Instruction::EnterContext => self.enter_context()?,
            Instruction::LeaveContext => self.leave_context()?,
            Instruction::LeaveContextOnException => self.leave_context_on_exception()?,
            Instruction::AssertionError => self.push(Value::Type(Type::Exception(ExceptionKind::AssertionError))),
            Instruction::Format(conversion, with_spec) => self.format_instruction(conversion, with_spec)?,
            Instruction::Join(count) => {
                let mut joined = String::new();
                for piece in self.pop_many(count) {
                    if let Some(text) = self.as_text(piece) {
                        self.reserve_bulk_values((joined.len() + text.len()) / size_of::<Value>())?;
                        self.charge_text(text.len())?;
                        joined.push_str(&text);
                    }
                }
                let value = self.heap.text(&joined);
                self.push(value);
            }
            Instruction::Import(_) | Instruction::ImportFrom(_) | Instruction::ImportAll => {
                self.execute_import_instruction(instruction)?;
            }
            _ => self.execute_stack_instruction(instruction)?,
        }
        Ok(())
    }

    /// Executes instructions that reorder the stack or build collections from it.
    fn execute_stack_instruction(&mut self, instruction: Instruction) -> ExecResult<()> {
        match instruction {
            Instruction::Pop => {
                self.pop();
            }
            Instruction::Copy => {
                let value = self.pop();
                self.push(value);
                self.push(value);
            }
            Instruction::CopyBelow(between) => {
                let value = self.operands[self.operands.len() - 1 - between as usize];
                self.push(value);
            }
            Instruction::CopyTwo => {
                let pair = self.pop_many(2);
                self.operands.extend([pair[0], pair[1], pair[0], pair[1]]);
            }
            Instruction::Swap => {
                let pair = self.pop_many(2);
                self.operands.extend([pair[1], pair[0]]);
            }
            Instruction::RotateThree => {
                let three = self.pop_many(3);
                self.operands.extend([three[2], three[0], three[1]]);
            }
            Instruction::List(count) => {
                let values = self.pop_many(count);
                let list = self.heap.list(values.into_vec());
                self.push(list);
            }
            Instruction::Tuple(count) => {
                let values = self.pop_many(count);
                let tuple = self.heap.tuple(&values[..]);
                self.push(tuple);
            }
            Instruction::Set(count) => {
                let values = self.pop_many(count);
                let set = self.new_set(values.into_vec())?;
                self.push(set);
            }
            Instruction::Dict => {
                let dict = self.empty_dict();
                self.push(Value::Ref(dict));
            }
            Instruction::Annotate(symbol) => self.annotate(symbol)?,
            Instruction::AnnotateParameter(symbol) => self.annotate_parameter(symbol)?,
            Instruction::Slice => {
                let parts = self.pop_many(3);
                let slice = self.heap.add(HeapObject::Slice([parts[0], parts[1], parts[2]]));
                self.push(Value::Ref(slice));
            }
            Instruction::Append(between) => {
                let value = self.pop();
                let list = self.collection_below(between);
                self.append(list, value);
            }
            Instruction::AddToSet(between) => {
                let value = self.pop();
                let set = self.collection_below(between);
                self.add_to_set(set, value)?;
            }
            Instruction::AddToDict(between) => {
                let (value, key) = (self.pop(), self.pop());
                let dict = self.collection_below(between);
                self.set_entry(dict, key, value)?;
            }
            Instruction::Extend => {
                let values = self.pop();
                let list = self.collection_below(0);
                self.extend_display(list, values)?;
            }
            Instruction::UpdateSet => {
                let values = self.pop();
                let set = self.collection_below(0);
                self.update_set(set, values)?;
            }
            Instruction::UpdateDict => {
                let other = self.pop();
                let dict = self.collection_below(0);
                let Some(entries) = self.entries_of_mapping(other)? else {
                    let message = format!("'{}' object is not a mapping", self.class_name(other));
                    return Err(self.type_error(&message));
                };
                entries.into_iter().try_for_each(|(key, value)| self.set_entry(dict, key, value))?;
            }
            Instruction::MergeKeywords => {
                let other = self.pop();
                let dict = self.collection_below(0);
                self.merge_keywords(dict, other)?;
            }
            Instruction::ListToTuple => {
                let list = self.pop();
                let values = self.collect_values(list)?;
                let tuple = self.heap.tuple(values);
                self.push(tuple);
            }
            _ => self.execute_pattern_instruction(instruction)?,
        }
        Ok(())
    }

    /// Returns the collection that lies below `between` other values on the stack.
    pub(super) fn collection_below(&mut self, between: u32) -> HeapRef {
        match self.operands[self.operands.len() - 1 - between as usize] {
            Value::Ref(at) => at,
            _ => unreachable!("collections are built below what they are built of"),
        }
    }

    fn format_instruction(&mut self, conversion: Conversion, with_spec: bool) -> ExecResult<()> {
        let spec = if with_spec { self.pop() } else { Value::None };
        let spec = self.as_text(spec).unwrap_or_else(|| "".into());
        let mut value = self.pop();
        let converted = match conversion {
            Conversion::None => None,
            Conversion::Str => Some(self.str(value)?),
            Conversion::Repr => Some(self.repr(value)?),
            Conversion::Ascii => Some(super::text::ascii(&self.repr(value)?)),
        };
        if let Some(text) = converted {
            value = self.heap.text(&text);
        }
        let text = self.format(value, &spec)?;
        let text = self.heap.text(&text);
        self.push(text);
        Ok(())
    }
}
