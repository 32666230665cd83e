//! The general form of every instruction, which covers all operands.
//!
//! Each function runs a group of instructions and passes the others on. The groups are inlined, so that the compiler dispatches once.

use std::sync::Arc;

use smallvec::SmallVec;

use super::InstructionEffect;
use crate::code::{CodeObject, Constant, Conversion, Instruction, Symbol};
use crate::machine::exceptions::{ExceptionKind, ExecError, ExecResult};
use crate::machine::frame::ReturnTarget;
use crate::machine::value::{HeapObject, HeapRef, Type, Value};
use crate::machine::{Machine, cost};

impl Machine {
    /// Executes an instruction of the innermost frame.
    pub(super) fn execute_instruction(
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
            ReturnTarget::Discard => Ok(InstructionEffect::Returned),
            ReturnTarget::Consumer(..) => unreachable!("generators with a consumer yield and return in the loop"),
            ReturnTarget::Init(object) => {
                self.check_init_result(value)?;
                self.push(Value::Ref(object));
                Ok(InstructionEffect::Returned)
            }
        }
    }

    /// Executes instructions that only access the stack and variables.
    #[allow(clippy::inline_always, reason = "a group of instructions is no dispatch of its own")]
    #[inline(always)]
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
    #[allow(clippy::inline_always, reason = "a group of instructions is no dispatch of its own")]
    #[inline(always)]
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
    #[allow(clippy::inline_always, reason = "a group of instructions is no dispatch of its own")]
    #[inline(always)]
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
            Instruction::Join(count) => self.join_texts(count as usize)?,
            Instruction::Import(_) | Instruction::ImportFrom(_) | Instruction::ImportAll => {
                self.execute_import_instruction(instruction)?;
            }
            _ => self.execute_stack_instruction(instruction)?,
        }
        Ok(())
    }

    /// Executes instructions that reorder the stack or build collections from it.
    #[allow(clippy::inline_always, reason = "a group of instructions is no dispatch of its own")]
    #[inline(always)]
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
    pub(in crate::machine) fn collection_below(&mut self, between: u32) -> HeapRef {
        match self.operands[self.operands.len() - 1 - between as usize] {
            Value::Ref(at) => at,
            _ => unreachable!("collections are built below what they are built of"),
        }
    }

    /// Replaces texts on top of the stack by their concatenation.
    fn join_texts(&mut self, count: usize) -> ExecResult<()> {
        let first = self.operands.len() - count;
        let (mut bytes, mut work) = (0, 0);
        for &piece in &self.operands[first..] {
            let length = self.text_of(piece).len();
            bytes += length;
            work += length as u64 / cost::TEXT_BYTES_PER_UNIT;
        }
        self.reserve_bulk_values(bytes / size_of::<Value>())?;
        self.charge(work)?;
        let mut joined = String::with_capacity(bytes);
        self.operands[first..].iter().for_each(|&piece| joined.push_str(self.text_of(piece)));
        self.operands.truncate(first);
        let value = self.heap.text(&joined);
        self.push(value);
        Ok(())
    }

    /// Returns the characters of a text.
    fn text_of(&self, value: Value) -> &str {
        match value {
            Value::Ref(at) => match self.heap.get(at) {
                HeapObject::Text(text) => text,
                _ => unreachable!("the parts of a formatted text are texts"),
            },
            _ => unreachable!("the parts of a formatted text are texts"),
        }
    }

    fn format_instruction(&mut self, conversion: Conversion, with_spec: bool) -> ExecResult<()> {
        if let (Conversion::None | Conversion::Str, false, Some(&Value::Ref(at))) =
            (conversion, with_spec, self.operands.last())
            && let HeapObject::Text(text) = self.heap.get(at)
        {
            // A text is formatted as itself.
            let work = cost::FORMAT + text.len() as u64 / cost::TEXT_BYTES_PER_UNIT;
            return self.charge(work);
        }
        let spec = if with_spec { self.pop() } else { Value::None };
        let spec = self.as_text(spec);
        let spec = spec.as_deref().unwrap_or_default();
        let mut value = self.pop();
        let converted = match conversion {
            Conversion::None => None,
            Conversion::Str => Some(self.str(value)?),
            Conversion::Repr => Some(self.repr(value)?),
            Conversion::Ascii => Some(crate::machine::text::ascii(&self.repr(value)?)),
        };
        if let Some(text) = converted {
            value = self.heap.text(&text);
        }
        let text = self.format(value, spec)?;
        let text = self.heap.text(&text);
        self.push(text);
        Ok(())
    }
}
