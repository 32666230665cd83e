//! The interpreter loop.
//!
//! The most common instructions run in the loop itself, which keeps the index of the next instruction and the remaining work in registers.
//! Whatever it does not cover goes to the [shortcuts](super::shortcuts), and what these do not cover to the general code.

use super::InstructionEffect;
use super::quick_code::QuickInstruction;
use super::shortcuts::{RunningFrame, Shortcut};
use crate::code::{CodeObject, Instruction, Program, Symbol};
use crate::machine::exceptions::{ExecError, ExecResult};
use crate::machine::frame::ReturnTarget;
use crate::machine::iterators::IteratorState;
use crate::machine::quick_operators::{quick_binary_of, quick_compare_of};
use crate::machine::screen::ScreenObject;
use crate::machine::value::{HeapObject, HeapRef, Value};
use crate::machine::{LimitedResource, Machine, cost};
use crate::operators::ComparisonOperator;

impl Machine {
    /// Runs frames until that at `base` returns or yields, or one raises an exception, and reports every instruction to the observer.
    pub(super) fn run_observed_frames(&mut self, program: &Program, base: usize) -> ExecResult<(Value, bool)> {
        loop {
            let frame = self.top_frame();
            let (code, place) = (program.code(frame.code), frame.pc);
            self.report_instruction();
            if self.remaining_work == 0 {
                return Err(ExecError::Exhausted(LimitedResource::Work));
            }
            self.remaining_work -= 1;
            self.top_frame().pc = place + 1;
            self.collect_if_near_limit(base)?;
            if let InstructionEffect::Finished(value, yielded) =
                self.execute_instruction(code.instructions[place], code, base)?
            {
                return Ok((value, yielded));
            }
        }
    }

    /// Runs frames until that at `base` returns or yields, or one raises an exception.
    ///
    /// The frame's `pc` and the remaining work of the machine are up to date whenever code outside of the loop runs. A fused instruction that
    /// does not find the operands or the work that it needs does what its first part does; its other parts follow in their own forms.
    #[allow(clippy::too_many_lines, reason = "the loop dispatches once, and its state stays in registers")]
    pub(super) fn run_frames(&mut self, program: &Program, base: usize) -> ExecResult<(Value, bool)> {
        use QuickInstruction as Quick;
        let quick_program = program.quick();
        loop {
            let depth = self.frames.len();
            let top = self.top_frame();
            let (code, quick) = (program.code(top.code), quick_program.code(top.code));
            let (first_local, mut pc) = (top.first_local, top.pc);
            let mut work = self.remaining_work;
            'instructions: loop {
                let instruction = quick.instructions[pc];
                if work == 0 {
                    self.remaining_work = 0;
                    self.top_frame().pc = pc;
                    return Err(ExecError::Exhausted(LimitedResource::Work));
                }
                work -= 1;
                let place = pc;
                pc += 1;
                let mut next = pc;
                let outcome = 'outcome: {
                    'quick: {
                        match instruction {
                            Quick::LoadLocal(local) => {
                                let Some(value) = &self.locals[first_local + local as usize] else { break 'quick };
                                value.push_to(&mut self.operands);
                            }
                            Quick::StoreLocal(local) => self.store_top(first_local + local as usize),
                            Quick::LoadTwoLocals(one, other) => {
                                let Some(one) = &self.locals[first_local + one as usize] else { break 'quick };
                                one.push_to(&mut self.operands);
                                if work > 0
                                    && let Some(other) = &self.locals[first_local + other as usize]
                                {
                                    other.push_to(&mut self.operands);
                                    work -= 1;
                                    pc += 1;
                                }
                            }
                            Quick::StoreAndLoad(stored, loaded) => {
                                self.store_top(first_local + stored as usize);
                                if work > 0
                                    && let Some(value) = &self.locals[first_local + loaded as usize]
                                {
                                    value.push_to(&mut self.operands);
                                    work -= 1;
                                    pc += 1;
                                }
                            }
                            Quick::Constant(place) => quick.constants[place as usize].push_to(&mut self.operands),
                            Quick::Text(symbol) => {
                                let Some(text) = self.name_texts[symbol.0 as usize] else { break 'quick };
                                self.operands.push(Value::Ref(text));
                            }
                            Quick::LoadGlobal(symbol) => {
                                let symbol = symbol.0 as usize;
                                let own = self.globals.slot(symbol);
                                let value = own.or_else(|| self.builtins.get(symbol).and_then(Option::as_ref));
                                let Some(value) = value else { break 'quick };
                                value.push_to(&mut self.operands);
                            }
                            Quick::LocalAttribute(slot, local) => {
                                let Some(object) = &self.locals[first_local + local as usize] else { break 'quick };
                                match self.immediate_screen_attribute(object, slot) {
                                    Some(value) if work > slot.work() => {
                                        self.operands.push(value);
                                        work -= 1 + slot.work();
                                        pc += 1;
                                    }
                                    _ => object.push_to(&mut self.operands),
                                }
                            }
                            Quick::LocalCategory(local) => {
                                let Some(object) = &self.locals[first_local + local as usize] else { break 'quick };
                                match self.screen_category(object) {
                                    Some(text) if work > 0 => {
                                        self.operands.push(Value::Ref(text));
                                        work -= 1;
                                        pc += 1;
                                    }
                                    _ => object.push_to(&mut self.operands),
                                }
                            }
                            Quick::LocalField(local, cache) => {
                                let Some(object) = &self.locals[first_local + local as usize] else { break 'quick };
                                match self.cached_field(cache, attribute_name(code, pc), object) {
                                    Some(value) if work > 0 => {
                                        value.push_to(&mut self.operands);
                                        work -= 1;
                                        pc += 1;
                                    }
                                    _ => object.push_to(&mut self.operands),
                                }
                            }
                            Quick::BinaryAttribute(operator, slot, local) => {
                                let Some(object) = &self.locals[first_local + local as usize] else { break 'quick };
                                let value = self.immediate_screen_attribute(object, slot);
                                let left = self.operands.last_mut().expect("the operator has two operands");
                                match value.and_then(|right| quick_binary_of(operator, left, &right)) {
                                    Some(value) if work >= 2 + slot.work() + cost::OPERATION => {
                                        *left = value;
                                        work -= 2 + slot.work() + cost::OPERATION;
                                        pc += 2;
                                    }
                                    _ => object.push_to(&mut self.operands),
                                }
                            }
                            Quick::BinaryLocals(operator, one, other) => {
                                let Some(left) = &self.locals[first_local + one as usize] else { break 'quick };
                                let right = &self.locals[first_local + other as usize];
                                match right.as_ref().and_then(|right| quick_binary_of(operator, left, right)) {
                                    Some(value) if work >= 2 + cost::OPERATION => {
                                        self.operands.push(value);
                                        work -= 2 + cost::OPERATION;
                                        pc += 2;
                                    }
                                    _ => left.push_to(&mut self.operands),
                                }
                            }
                            Quick::BinaryLocalsStore(operator, one, other, target) => {
                                let Some(left) = &self.locals[first_local + one as usize] else { break 'quick };
                                let right = &self.locals[first_local + other as usize];
                                match right.as_ref().and_then(|right| quick_binary_of(operator, left, right)) {
                                    Some(value) if work >= 3 + cost::OPERATION => {
                                        self.locals[first_local + target as usize] = Some(value);
                                        work -= 3 + cost::OPERATION;
                                        pc += 3;
                                    }
                                    _ => left.push_to(&mut self.operands),
                                }
                            }
                            Quick::BinaryLocalConstant(operator, local, constant) => {
                                let Some(left) = &self.locals[first_local + local as usize] else { break 'quick };
                                match quick_binary_of(operator, left, &quick.constants[constant as usize]) {
                                    Some(value) if work >= 2 + cost::OPERATION => {
                                        self.operands.push(value);
                                        work -= 2 + cost::OPERATION;
                                        pc += 2;
                                    }
                                    _ => left.push_to(&mut self.operands),
                                }
                            }
                            Quick::BinaryLocalConstantStore(operator, local, constant, target) => {
                                let Some(left) = &self.locals[first_local + local as usize] else { break 'quick };
                                match quick_binary_of(operator, left, &quick.constants[constant as usize]) {
                                    Some(value) if work >= 3 + cost::OPERATION => {
                                        self.locals[first_local + target as usize] = Some(value);
                                        work -= 3 + cost::OPERATION;
                                        pc += 3;
                                    }
                                    _ => left.push_to(&mut self.operands),
                                }
                            }
                            Quick::BinaryLocal(operator, local) => {
                                let Some(right) = &self.locals[first_local + local as usize] else { break 'quick };
                                let left = self.operands.last_mut().expect("the operator has two operands");
                                match quick_binary_of(operator, left, right) {
                                    Some(value) if work > cost::OPERATION => {
                                        *left = value;
                                        work -= 1 + cost::OPERATION;
                                        pc += 1;
                                    }
                                    _ => right.push_to(&mut self.operands),
                                }
                            }
                            Quick::BinaryConstant(operator, place) => {
                                let right = &quick.constants[place as usize];
                                let left = self.operands.last_mut().expect("the operator has two operands");
                                match quick_binary_of(operator, left, right) {
                                    Some(value) if work > cost::OPERATION => {
                                        *left = value;
                                        work -= 1 + cost::OPERATION;
                                        pc += 1;
                                    }
                                    _ => right.push_to(&mut self.operands),
                                }
                            }
                            Quick::Binary(operator) => {
                                let [.., left, right] = self.operands.as_mut_slice() else { break 'quick };
                                match quick_binary_of(operator, left, right) {
                                    Some(value) if work >= cost::OPERATION => {
                                        *left = value;
                                        self.drop_top();
                                        work -= cost::OPERATION;
                                    }
                                    _ => break 'quick,
                                }
                            }
                            Quick::CompareLocalsJump(operator, one, other) => {
                                let Some(left) = &self.locals[first_local + one as usize] else { break 'quick };
                                let right = &self.locals[first_local + other as usize];
                                match right.as_ref().and_then(|right| quick_compare_of(operator, left, right)) {
                                    Some(truth) if work >= 3 + cost::OPERATION => {
                                        work -= 3 + cost::OPERATION;
                                        pc = jump_target(quick.instructions[pc + 1], truth, pc + 3);
                                    }
                                    _ => left.push_to(&mut self.operands),
                                }
                            }
                            Quick::CompareLocalConstantJump(operator, local, constant) => {
                                let Some(left) = &self.locals[first_local + local as usize] else { break 'quick };
                                match quick_compare_of(operator, left, &quick.constants[constant as usize]) {
                                    Some(truth) if work >= 3 + cost::OPERATION => {
                                        work -= 3 + cost::OPERATION;
                                        pc = jump_target(quick.instructions[pc + 1], truth, pc + 3);
                                    }
                                    _ => left.push_to(&mut self.operands),
                                }
                            }
                            Quick::CompareAttributeJump(operator, slot, local) => {
                                let Some(object) = &self.locals[first_local + local as usize] else { break 'quick };
                                let value = self.immediate_screen_attribute(object, slot);
                                let left = self.operands.last().expect("the operator has two operands");
                                match value.and_then(|right| quick_compare_of(operator, left, &right)) {
                                    Some(truth) if work >= 3 + slot.work() + cost::OPERATION => {
                                        self.drop_top();
                                        work -= 3 + slot.work() + cost::OPERATION;
                                        pc = jump_target(quick.instructions[pc + 1], truth, pc + 3);
                                    }
                                    _ => object.push_to(&mut self.operands),
                                }
                            }
                            Quick::CompareLocalJump(operator, local) => {
                                let Some(right) = &self.locals[first_local + local as usize] else { break 'quick };
                                let left = self.operands.last().expect("the operator has two operands");
                                match quick_compare_of(operator, left, right) {
                                    Some(truth) if work >= 2 + cost::OPERATION => {
                                        self.drop_top();
                                        work -= 2 + cost::OPERATION;
                                        pc = jump_target(quick.instructions[pc], truth, pc + 2);
                                    }
                                    _ => right.push_to(&mut self.operands),
                                }
                            }
                            Quick::CompareConstantJump(operator, place) => {
                                let right = &quick.constants[place as usize];
                                let left = self.operands.last().expect("the operator has two operands");
                                match quick_compare_of(operator, left, right) {
                                    Some(truth) if work >= 2 + cost::OPERATION => {
                                        self.drop_top();
                                        work -= 2 + cost::OPERATION;
                                        pc = jump_target(quick.instructions[pc], truth, pc + 2);
                                    }
                                    _ => right.push_to(&mut self.operands),
                                }
                            }
                            Quick::CompareTextJump(operator, symbol) => {
                                let Some(text) = self.name_texts[symbol.0 as usize] else { break 'quick };
                                let left = self.operands.last().expect("the operator has two operands");
                                match self.text_equality(operator, *left, text) {
                                    Some(truth) if work >= 2 + cost::OPERATION => {
                                        self.drop_top();
                                        work -= 2 + cost::OPERATION;
                                        pc = jump_target(quick.instructions[pc], truth, pc + 2);
                                    }
                                    _ => self.operands.push(Value::Ref(text)),
                                }
                            }
                            Quick::CompareJump(operator, if_true, target) => {
                                let [.., left, right] = self.operands.as_slice() else { break 'quick };
                                let truth = quick_compare_of(operator, left, right);
                                let truth = truth.or_else(|| self.quick_comparison(operator, *left, *right));
                                match truth {
                                    Some(truth) if work > cost::OPERATION => {
                                        work -= 1 + cost::OPERATION;
                                        self.operands.truncate(self.operands.len() - 2);
                                        pc = if truth == if_true { target as usize } else { pc + 1 };
                                    }
                                    _ => break 'quick,
                                }
                            }
                            Quick::CompareInChain(operator, target) => {
                                let [.., left, right] = self.operands.as_mut_slice() else { break 'quick };
                                match quick_compare_of(operator, left, right) {
                                    Some(truth) if work >= 3 + cost::OPERATION => {
                                        work -= 3 + cost::OPERATION;
                                        right.copy_to(left);
                                        pc += 3;
                                        if truth {
                                            self.drop_top();
                                        } else {
                                            *right = Value::Bool(false);
                                            pc = target as usize;
                                        }
                                    }
                                    _ => self.operands.extend_from_within(self.operands.len() - 1..),
                                }
                            }
                            Quick::Jump(target) => pc = target as usize,
                            Quick::JumpBack(target) => {
                                self.remaining_work = work;
                                let charged = self.charge(0);
                                work = self.remaining_work;
                                if let Err(fault) = charged {
                                    self.top_frame().pc = pc;
                                    return Err(fault);
                                }
                                if self.heap.is_near_limit(self.budget.memory) {
                                    break 'quick;
                                }
                                pc = target as usize;
                            }
                            Quick::JumpIf(if_true, target) => {
                                let Some(truth) = self.operands.last().and_then(|value| self.quick_truth(*value))
                                else {
                                    break 'quick;
                                };
                                self.drop_top();
                                if truth == if_true {
                                    pc = target as usize;
                                }
                            }
                            Quick::JumpIfLocal(if_true, local, target) => {
                                let Some(value) = &self.locals[first_local + local as usize] else { break 'quick };
                                match self.quick_truth(*value) {
                                    Some(truth) if work > 0 => {
                                        work -= 1;
                                        pc = if truth == if_true { target as usize } else { pc + 1 };
                                    }
                                    _ => value.push_to(&mut self.operands),
                                }
                            }
                            Quick::JumpIfOrPop(if_true, target) => {
                                let Some(truth) = self.operands.last().and_then(|value| self.quick_truth(*value))
                                else {
                                    break 'quick;
                                };
                                if truth == if_true {
                                    pc = target as usize;
                                } else {
                                    self.drop_top();
                                }
                            }
                            Quick::NextLocal(local, _) => {
                                // The iterator, its charge and the store.
                                if work <= cost::NEXT || !self.next_element_to_local(first_local + local as usize) {
                                    break 'quick;
                                }
                                self.remaining_work = work;
                                let charged = self.charge(cost::NEXT + 1);
                                work = self.remaining_work;
                                if let Err(fault) = charged {
                                    self.top_frame().pc = pc;
                                    return Err(fault);
                                }
                                pc += 1;
                            }
                            Quick::Attribute(slot, cache) => {
                                let object = self.operands.last().expect("the object was pushed");
                                let name = attribute_name(code, place);
                                let Some(value) = self.cached_field(cache, name, object) else {
                                    self.remaining_work = work;
                                    break 'outcome self.quick_attribute(slot, cache, name, pc);
                                };
                                *self.operands.last_mut().expect("the object was pushed") = value;
                            }
                            Quick::LoadMethod(cache) => {
                                self.remaining_work = work;
                                break 'outcome self.quick_method(cache, attribute_name(code, place), pc);
                            }
                            Quick::StoreAttribute(cache) => {
                                if !self.quick_attribute_store(cache, attribute_name(code, place)) {
                                    break 'quick;
                                }
                            }
                            Quick::StoreItem => {
                                self.remaining_work = work;
                                break 'outcome self.quick_store_item();
                            }
                            Quick::Call(count) => {
                                let called = self.operands.len() - count as usize - 1;
                                self.remaining_work = work;
                                break 'outcome match self.called_function(called) {
                                    Some((function, receiver)) => {
                                        self.quick_function_call(function, called, receiver, pc)
                                    }
                                    None => self.quick_call(count as usize, pc),
                                };
                            }
                            Quick::Return => {
                                self.remaining_work = work;
                                match self.return_to_caller() {
                                    Ok(true) => break 'instructions,
                                    Ok(false) => break 'quick,
                                    Err(fault) => {
                                        self.top_frame().pc = pc;
                                        return Err(fault);
                                    }
                                }
                            }
                            Quick::LoadItem => {
                                if !self.load_element() {
                                    self.remaining_work = work;
                                    break 'outcome self.quick_load_item();
                                }
                            }
                            Quick::Pop => self.drop_top(),
                            Quick::Copy => self.operands.extend_from_within(self.operands.len() - 1..),
                            Quick::Swap => {
                                let top = self.operands.len() - 1;
                                self.operands.swap(top - 1, top);
                            }
                            Quick::RotateThree => {
                                let first = self.operands.len() - 3;
                                self.operands[first..].rotate_right(1);
                            }
                            _ => break 'quick,
                        }
                        continue 'instructions;
                    }
                    self.remaining_work = work;
                    let mut frame = RunningFrame { code, quick, first_local, pc };
                    let outcome = self.shortcut(instruction, &mut frame);
                    next = frame.pc;
                    outcome
                };
                match outcome {
                    Ok(Shortcut::Taken) => {
                        (work, pc) = (self.remaining_work, next);
                        continue;
                    }
                    Ok(Shortcut::FrameChanged) => break,
                    Ok(Shortcut::Finished(value, yielded)) => return Ok((value, yielded)),
                    Ok(Shortcut::Unavailable) => {}
                    Err(fault) => {
                        // A generator that ends with an exception in its consumer has no frame any more.
                        if self.frames.len() == depth {
                            self.top_frame().pc = next;
                        }
                        return Err(fault);
                    }
                }
                self.top_frame().pc = pc;
                self.collect_if_near_limit(base)?;
                if let InstructionEffect::Finished(value, yielded) =
                    self.execute_instruction(code.instructions[place], code, base)?
                {
                    return Ok((value, yielded));
                }
                if self.frames.len() != depth {
                    break;
                }
                (work, pc) = (self.remaining_work, self.top_frame().pc);
            }
        }
    }

    /// Returns the function of the program at a place of the stack, with the receiver if it is a method.
    #[inline]
    fn called_function(&self, place: usize) -> Option<(HeapRef, Option<HeapRef>)> {
        match self.operands[place] {
            Value::Method { receiver, function } => Some((function, Some(receiver))),
            Value::Ref(at) => matches!(self.heap.get(at), HeapObject::Function(_)).then_some((at, None)),
            _ => None,
        }
    }

    /// Returns the value on top of the stack to a frame of the same run; returns `false`, with no effect, if the innermost frame has another
    /// target.
    #[inline]
    fn return_to_caller(&mut self) -> ExecResult<bool> {
        let Some(frame) = self.frames.last() else { return Ok(false) };
        let (first_local, first_operand) = (frame.first_local, frame.first_operand);
        if frame.return_target != ReturnTarget::Stack {
            return Ok(false);
        }
        self.charge(0)?;
        if let Some((returned, [target, ..])) = self.operands[first_operand..].split_last_mut() {
            returned.copy_to(target);
        }
        self.operands.truncate(first_operand + 1);
        self.locals.truncate(first_local);
        self.frames.truncate(self.frames.len() - 1);
        Ok(true)
    }

    /// Moves the value on top of the stack to a variable.
    #[allow(clippy::inline_always, reason = "the interpreter loop stores values in most instructions")]
    #[inline(always)]
    fn store_top(&mut self, variable: usize) {
        let value = self.operands.last().expect("a value is stored");
        value.store_in(&mut self.locals[variable]);
        self.drop_top();
    }

    /// Replaces a list or a tuple and an index on top of the stack by the element; returns whether it did.
    #[inline]
    fn load_element(&mut self) -> bool {
        if let [.., Value::Ref(at), Value::Int(index)] = *self.operands.as_slice()
            && let Some(element) = element_of(self.heap.get(at), index)
        {
            let place = self.operands.len() - 2;
            element.copy_to(&mut self.operands[place]);
            self.drop_top();
            return true;
        }
        false
    }

    /// Stores the next element of a list, a tuple or a range in a variable; returns `false`, with no effect, if there is none.
    #[inline]
    fn next_element_to_local(&mut self, variable: usize) -> bool {
        let Some(&Value::Ref(iterator)) = self.operands.last() else { return false };
        if self.heap.is_near_limit(self.budget.memory) {
            return false;
        }
        let variable = &mut self.locals[variable];
        match self.heap.get(iterator) {
            HeapObject::Iterator(IteratorState::List(Value::Ref(at), place)) => {
                let HeapObject::List(elements) = self.heap.get(*at) else { return false };
                let Some(element) = elements.get(*place) else { return false };
                element.store_in(variable);
            }
            HeapObject::Iterator(IteratorState::Tuple(Value::Ref(at), place)) => {
                let HeapObject::Tuple(elements) = self.heap.get(*at) else { return false };
                let Some(element) = elements.get(*place) else { return false };
                element.store_in(variable);
            }
            HeapObject::Iterator(IteratorState::Range { next, remaining, .. }) if *remaining > 0 => {
                *variable = Some(Value::Int(*next));
            }
            _ => return false,
        }
        match self.heap.get_mut_to_store(iterator, Value::None) {
            HeapObject::Iterator(IteratorState::List(_, place) | IteratorState::Tuple(_, place)) => *place += 1,
            HeapObject::Iterator(IteratorState::Range { next, remaining, step }) => {
                *next = next.wrapping_add(*step);
                *remaining -= 1;
            }
            _ => unreachable!("the iterator was one of these"),
        }
        true
    }

    /// Returns whether a value equals a short text.
    #[inline]
    fn text_equality(&self, operator: ComparisonOperator, value: Value, text: HeapRef) -> Option<bool> {
        match operator {
            ComparisonOperator::Eq | ComparisonOperator::NotEq => {
                self.quick_comparison(operator, value, Value::Ref(text))
            }
            _ => None,
        }
    }

    /// Returns the text of the class of a screen object, if the program names the class.
    #[inline]
    fn screen_category(&self, object: &Value) -> Option<HeapRef> {
        let Value::Ref(at) = object else { return None };
        let HeapObject::Screen(ScreenObject::Plain(object)) = self.heap.get(*at) else { return None };
        let symbol = self.class_symbols[object.class.0 as usize]?;
        self.name_texts[symbol.0 as usize]
    }

    /// Returns from the innermost frame to another target than the stack of the frame below.
    #[inline]
    pub(super) fn quick_return(&mut self, pc: usize) -> ExecResult<Shortcut> {
        let Some(frame) = self.frames.last() else { return Ok(Shortcut::Unavailable) };
        let (first_local, first_operand) = (frame.first_local, frame.first_operand);
        match (frame.return_target, self.operands.last()) {
            (ReturnTarget::Init(object), Some(Value::None)) => {
                self.charge(0)?;
                self.operands[first_operand] = Value::Ref(object);
                self.operands.truncate(first_operand + 1);
                self.locals.truncate(first_local);
                self.frames.truncate(self.frames.len() - 1);
                Ok(Shortcut::FrameChanged)
            }
            (ReturnTarget::Discard, _) => {
                self.charge(0)?;
                self.pop_frame();
                Ok(Shortcut::FrameChanged)
            }
            (ReturnTarget::Host | ReturnTarget::Generator(_), Some(_)) => self.finish_frame(pc),
            (ReturnTarget::Consumer(generator, consumer), _) => {
                self.top_frame().pc = pc;
                self.finish_generator(generator, consumer)
            }
            _ => Ok(Shortcut::Unavailable),
        }
    }

    /// Ends the frame that a run was started for.
    #[inline]
    fn finish_frame(&mut self, pc: usize) -> ExecResult<Shortcut> {
        self.charge(0)?;
        if self.heap.is_near_limit(self.budget.memory) {
            return Ok(Shortcut::Unavailable);
        }
        let value = self.pop();
        let frame = self.pop_frame();
        if self.frames.is_empty() {
            self.return_location = Some((frame.code, pc - 1));
        }
        Ok(Shortcut::Finished(value, false))
    }
}

/// Returns the instruction that follows a comparison and a jump by its result.
#[inline]
fn jump_target(jump: QuickInstruction, truth: bool, next: usize) -> usize {
    match jump {
        QuickInstruction::CompareJump(_, if_true, target) if truth == if_true => target as usize,
        _ => next,
    }
}

/// Returns the name that an instruction on an attribute has.
#[inline]
fn attribute_name(code: &CodeObject, place: usize) -> Symbol {
    match code.instructions[place] {
        Instruction::LoadAttribute(symbol) | Instruction::LoadMethod(symbol) | Instruction::StoreAttribute(symbol) => {
            symbol
        }
        _ => unreachable!("quick instructions on attributes stand for such instructions"),
    }
}

/// Returns an element of a list or a tuple.
#[inline]
fn element_of(sequence: &HeapObject, index: i64) -> Option<&Value> {
    let elements: &[Value] = match sequence {
        HeapObject::List(elements) => elements,
        HeapObject::Tuple(elements) => elements,
        _ => return None,
    };
    let index = if index < 0 { index + elements.len() as i64 } else { index };
    usize::try_from(index).ok().and_then(|index| elements.get(index))
}
