//! Shortcuts of the interpreter loop: the results of instructions on their most common operands, without the dispatch of the general code.
//!
//! A shortcut has the effect, the exceptions and the cost of the general code; whatever it does not cover, it leaves untouched to that code.

use super::quick_code::{QuickCode, QuickInstruction};
use super::quick_entries::QuickEntry;
use super::{CodeObject, ExecError, ExecResult, HeapObject, LimitedResource, Machine, ReturnTarget, Value, cost};
use crate::code::{Constant, Instruction, Symbol};
use crate::machine::ELEMENTS_PER_UNIT;
use crate::machine::compare::{quick_compare, quick_compare_of};
use crate::machine::operators::quick_binary_of;
use crate::machine::screen::{ClassId, ScreenObject};
use crate::operators::ComparisonOperator;
use crate::scene::World;

/// The effect of a shortcut.
pub(super) enum Shortcut {
    /// The instruction is done; the frame continues.
    Taken,
    /// The instruction is done, and another frame continues.
    FrameChanged,
    /// There is no shortcut; nothing has happened yet.
    Unavailable,
}

/// The frame that the loop runs.
pub(super) struct RunningFrame<'p> {
    pub(super) code: &'p CodeObject,
    pub(super) quick: &'p QuickCode,
    /// The index of its first variable.
    pub(super) first_local: usize,
    /// The index of the next instruction.
    pub(super) pc: usize,
}

impl RunningFrame<'_> {
    /// Returns the quick instruction a number of places after the current one.
    #[inline]
    pub(super) fn following(&self, offset: usize) -> QuickInstruction {
        self.quick.instructions[self.pc + offset - 1]
    }

    /// Returns the name that an instruction on an attribute or a global has, a number of places after the current one.
    #[inline]
    fn symbol(&self, offset: usize) -> Symbol {
        match self.code.instructions[self.pc + offset - 1] {
            Instruction::LoadAttribute(symbol)
            | Instruction::LoadMethod(symbol)
            | Instruction::StoreAttribute(symbol) => symbol,
            _ => unreachable!("quick instructions on attributes stand for such instructions"),
        }
    }

    #[inline]
    pub(super) fn jump(&mut self, target: u32) {
        self.pc = target as usize;
    }
}

impl Machine {
    /// Runs a quick instruction, if the operands are those that it covers. One unit of work was deducted for it.
    #[allow(clippy::inline_always, reason = "the loop dispatches once")]
    #[inline(always)]
    pub(super) fn shortcut(
        &mut self,
        instruction: QuickInstruction,
        frame: &mut RunningFrame<'_>,
    ) -> ExecResult<Shortcut> {
        use QuickInstruction as Quick;
        match instruction {
            Quick::LoadLocal(place) => return Ok(self.quick_load(frame, place)),
            Quick::StoreLocal(place) => {
                let value = self.operands.last().expect("a value is stored");
                value.store_in(&mut self.locals[frame.first_local + place as usize]);
                self.drop_top();
            }
            Quick::LoadTwoLocals(one, other) => {
                let Some(one) = &self.locals[frame.first_local + one as usize] else {
                    return Ok(Shortcut::Unavailable);
                };
                one.push_to(&mut self.operands);
                if self.remaining_work > 0
                    && let Some(other) = &self.locals[frame.first_local + other as usize]
                {
                    other.push_to(&mut self.operands);
                    self.remaining_work -= 1;
                    frame.pc += 1;
                }
            }
            Quick::StoreAndLoad(stored, loaded) => {
                let value = self.operands.last().expect("a value is stored");
                value.store_in(&mut self.locals[frame.first_local + stored as usize]);
                self.drop_top();
                if self.remaining_work > 0
                    && let Some(value) = &self.locals[frame.first_local + loaded as usize]
                {
                    value.push_to(&mut self.operands);
                    self.remaining_work -= 1;
                    frame.pc += 1;
                }
            }
            Quick::Constant(place) => self.operands.push(frame.quick.constants[place as usize]),
            Quick::Text(symbol) => {
                let Some(text) = self.name_texts[symbol.0 as usize] else { return Ok(Shortcut::Unavailable) };
                self.operands.push(Value::Ref(text));
            }
            Quick::LoadGlobal(symbol) => {
                let symbol = symbol.0 as usize;
                let own = self.globals.slot(symbol);
                let value = own.or_else(|| self.builtins.get(symbol).and_then(Option::as_ref));
                let Some(value) = value else { return Ok(Shortcut::Unavailable) };
                value.push_to(&mut self.operands);
            }
            Quick::StoreGlobal(symbol) => {
                let value = self.pop();
                self.set_global(symbol, value);
            }
            Quick::IsInstance(function) => return Ok(self.quick_isinstance_call(function, frame)),
            Quick::LocalAttribute(slot, local) => {
                let Some(object) = &self.locals[frame.first_local + local as usize] else {
                    return Ok(Shortcut::Unavailable);
                };
                match self.immediate_screen_attribute(object, slot) {
                    Some(value) if self.remaining_work > slot.work() => {
                        self.operands.push(value);
                        self.remaining_work -= 1 + slot.work();
                        frame.pc += 1;
                    }
                    _ => object.push_to(&mut self.operands),
                }
            }
            Quick::BinaryAttribute(operator, slot, local) => {
                let Some(object) = &self.locals[frame.first_local + local as usize] else {
                    return Ok(Shortcut::Unavailable);
                };
                let value = self.immediate_screen_attribute(object, slot);
                let left = self.operands.last_mut().expect("the operator has two operands");
                match value.and_then(|right| quick_binary_of(operator, left, &right)) {
                    Some(value) if self.remaining_work >= 2 + slot.work() + cost::OPERATION => {
                        *left = value;
                        self.remaining_work -= 2 + slot.work() + cost::OPERATION;
                        frame.pc += 2;
                    }
                    _ => object.push_to(&mut self.operands),
                }
            }
            other => return self.operator_shortcut(other, frame),
        }
        Ok(Shortcut::Taken)
    }

    /// Runs a quick instruction that applies an operator, or one of those below.
    #[allow(clippy::inline_always, reason = "the loop dispatches once")]
    #[inline(always)]
    fn operator_shortcut(
        &mut self,
        instruction: QuickInstruction,
        frame: &mut RunningFrame<'_>,
    ) -> ExecResult<Shortcut> {
        use QuickInstruction as Quick;
        match instruction {
            Quick::BinaryLocal(operator, local) => {
                let Some(right) = &self.locals[frame.first_local + local as usize] else {
                    return Ok(Shortcut::Unavailable);
                };
                let left = self.operands.last_mut().expect("the operator has two operands");
                match quick_binary_of(operator, left, right) {
                    Some(value) if self.remaining_work > cost::OPERATION => {
                        *left = value;
                        self.remaining_work -= 1 + cost::OPERATION;
                        frame.pc += 1;
                    }
                    _ => right.push_to(&mut self.operands),
                }
            }
            Quick::BinaryConstant(operator, place) => {
                let right = &frame.quick.constants[place as usize];
                let left = self.operands.last_mut().expect("the operator has two operands");
                match quick_binary_of(operator, left, right) {
                    Some(value) if self.remaining_work > cost::OPERATION => {
                        *left = value;
                        self.remaining_work -= 1 + cost::OPERATION;
                        frame.pc += 1;
                    }
                    _ => self.operands.push(*right),
                }
            }
            Quick::CompareLocalJump(operator, local) => {
                let Some(right) = &self.locals[frame.first_local + local as usize] else {
                    return Ok(Shortcut::Unavailable);
                };
                let left = self.operands.last().expect("the operator has two operands");
                if let Some(truth) = quick_compare_of(operator, left, right) {
                    return Ok(self.jump_by_comparison(truth, *right, frame));
                }
                let right = *right;
                return Ok(self.quick_compare_with(operator, right, frame));
            }
            Quick::CompareConstantJump(operator, place) => {
                let right = &frame.quick.constants[place as usize];
                let left = self.operands.last().expect("the operator has two operands");
                if let Some(truth) = quick_compare_of(operator, left, right) {
                    return Ok(self.jump_by_comparison(truth, *right, frame));
                }
                let right = *right;
                return Ok(self.quick_compare_with(operator, right, frame));
            }
            Quick::CompareJump(operator, if_true, target) => {
                let Some(truth) = self.compare_top_two(operator) else { return Ok(Shortcut::Unavailable) };
                if !self.take_work(1 + cost::OPERATION) {
                    return Ok(Shortcut::Unavailable);
                }
                self.operands.truncate(self.operands.len() - 2);
                frame.pc += 1;
                if truth == if_true {
                    frame.jump(target);
                }
            }
            Quick::Binary(operator) => {
                let [.., left, right] = self.operands.as_mut_slice() else { return Ok(Shortcut::Unavailable) };
                let Some(value) = quick_binary_of(operator, left, right) else { return Ok(Shortcut::Unavailable) };
                *left = value;
                self.operands.truncate(self.operands.len() - 1);
                self.spend(cost::OPERATION)?;
            }
            Quick::Compare(operator) => {
                let Some(truth) = self.compare_top_two(operator) else { return Ok(Shortcut::Unavailable) };
                self.spend(cost::OPERATION)?;
                self.operands.truncate(self.operands.len() - 1);
                *self.operands.last_mut().expect("the operator has two operands") = Value::Bool(truth);
            }
            other => return self.control_shortcut(other, frame),
        }
        Ok(Shortcut::Taken)
    }

    /// Runs a quick instruction that jumps, accesses an attribute, calls or iterates, or one of those below.
    #[allow(clippy::inline_always, reason = "the loop dispatches once")]
    #[inline(always)]
    fn control_shortcut(
        &mut self,
        instruction: QuickInstruction,
        frame: &mut RunningFrame<'_>,
    ) -> ExecResult<Shortcut> {
        use QuickInstruction as Quick;
        match instruction {
            Quick::Jump(target) => frame.jump(target),
            Quick::JumpIf(if_true, target) => {
                let Some(truth) = self.operands.last().and_then(|&value| self.quick_truth(value)) else {
                    return Ok(Shortcut::Unavailable);
                };
                self.operands.truncate(self.operands.len() - 1);
                if truth == if_true {
                    frame.jump(target);
                }
            }
            Quick::JumpIfOrPop(if_true, target) => {
                let Some(truth) = self.operands.last().and_then(|&value| self.quick_truth(value)) else {
                    return Ok(Shortcut::Unavailable);
                };
                if truth == if_true {
                    frame.jump(target);
                } else {
                    self.operands.pop();
                }
            }
            Quick::Attribute(slot, cache) => return self.quick_attribute(slot, cache, frame.symbol(0), frame.pc),
            Quick::PairItem(slot, is_second, cache) => {
                if let Some((value, work)) = self.quick_pair_item(slot, is_second)
                    && self.take_work(2 + work)
                {
                    *self.operands.last_mut().expect("the object was there") = value;
                    frame.pc += 2;
                } else {
                    return self.quick_attribute(Some(slot), cache, frame.symbol(0), frame.pc);
                }
            }
            Quick::LoadMethod(cache) => return self.quick_method(cache, frame.symbol(0), frame.pc),
            Quick::StoreAttribute(cache) => return Ok(self.quick_attribute_store(cache, frame.symbol(0))),
            Quick::Call(count) => return self.quick_call(count as usize, frame.pc),
            Quick::Return => return self.quick_return(),
            Quick::Next(target) => return self.quick_next(target, frame),
            Quick::NextLocal(local, target) => return self.quick_next_local(local, target, frame),
            Quick::NextPair(target) => return self.quick_next_pair(target, frame),
            other => return self.less_common_shortcut(other, frame),
        }
        Ok(Shortcut::Taken)
    }

    /// Runs quick instructions that are less common.
    #[inline]
    fn less_common_shortcut(
        &mut self,
        instruction: QuickInstruction,
        frame: &mut RunningFrame<'_>,
    ) -> ExecResult<Shortcut> {
        use QuickInstruction as Quick;
        match instruction {
            Quick::LoadCell(place) => {
                let cell = self.top_frame().cells[place as usize];
                let HeapObject::ClosureCell(Some(value)) = *self.heap.get(cell) else {
                    return Ok(Shortcut::Unavailable);
                };
                self.operands.push(value);
            }
            Quick::StoreCell(place) => {
                let (cell, value) = (self.top_frame().cells[place as usize], self.pop());
                *self.heap.get_mut_to_store(cell, value) = HeapObject::ClosureCell(Some(value));
            }
            Quick::JumpBack(target) => {
                self.charge(0)?;
                if self.heap.is_near_limit(self.budget.memory) {
                    return Ok(Shortcut::Unavailable);
                }
                frame.jump(target);
            }
            Quick::Negate => match self.operands.last_mut() {
                Some(Value::Float(number)) => *number = -*number,
                Some(Value::Int(number)) if *number != i64::MIN => *number = -*number,
                _ => return Ok(Shortcut::Unavailable),
            },
            Quick::Not => {
                let Some(truth) = self.operands.last().and_then(|&value| self.quick_truth(value)) else {
                    return Ok(Shortcut::Unavailable);
                };
                *self.operands.last_mut().expect("the operand was there") = Value::Bool(!truth);
            }
            Quick::CallKeywords(count, names) => {
                let Constant::Names(names) = &frame.code.constants[names as usize] else {
                    return Ok(Shortcut::Unavailable);
                };
                return self.quick_keyword_call(count as usize, names, frame.pc);
            }
            Quick::Function(cell_count, code) => self.quick_function(code, cell_count as usize),
            Quick::CellReference(place) => {
                let cell = self.top_frame().cells[place as usize];
                self.operands.push(Value::Ref(cell));
            }
            Quick::LoadItem => return self.quick_load_item(),
            Quick::StoreItem => return self.quick_store_item(),
            Quick::Iterate => return Ok(self.quick_iterate()),
            Quick::Append(between) => {
                let Some(value) = self.operands.pop() else { return Ok(Shortcut::Unavailable) };
                let list = self.collection_below(between);
                self.append(list, value);
            }
            Quick::Pop => {
                self.operands.pop();
            }
            Quick::Copy => self.operands.extend_from_within(self.operands.len() - 1..),
            Quick::Swap => {
                let top = self.operands.len() - 1;
                self.operands.swap(top - 1, top);
            }
            Quick::Tuple(count) => {
                let first = self.operands.len() - count as usize;
                let tuple = self.heap.tuple(&self.operands[first..]);
                self.operands.truncate(first);
                self.operands.push(tuple);
            }
            Quick::List(count) => {
                let first = self.operands.len() - count as usize;
                let list = self.heap.list(self.operands[first..].to_vec());
                self.operands.truncate(first);
                self.operands.push(list);
            }
            Quick::UnpackPair => {
                let Some(([one, other], work)) = self.quick_pair() else { return Ok(Shortcut::Unavailable) };
                self.spend(work)?;
                self.operands.pop();
                self.operands.extend([other, one]);
            }
            Quick::UnpackPairToLocals(first, second) => {
                let Some(([one, other], work)) = self.quick_pair() else { return Ok(Shortcut::Unavailable) };
                if !self.take_work(2 + work) {
                    return Ok(Shortcut::Unavailable);
                }
                self.operands.pop();
                self.locals[frame.first_local + first as usize] = Some(one);
                self.locals[frame.first_local + second as usize] = Some(other);
                frame.pc += 2;
            }
            _ => return Ok(Shortcut::Unavailable),
        }
        Ok(Shortcut::Taken)
    }

    #[inline]
    fn quick_load(&mut self, frame: &RunningFrame<'_>, place: u32) -> Shortcut {
        let Some(value) = &self.locals[frame.first_local + place as usize] else { return Shortcut::Unavailable };
        value.push_to(&mut self.operands);
        Shortcut::Taken
    }

    /// Deducts the work of the further instructions that a fused one covers. Returns `false`, with no effect, if too little is left: then
    /// the instructions run one by one.
    #[inline]
    pub(super) fn take_work(&mut self, work: u64) -> bool {
        match self.remaining_work.checked_sub(work) {
            Some(rest) => {
                self.remaining_work = rest;
                true
            }
            None => false,
        }
    }

    /// Compares the two values on top of the stack.
    #[inline]
    fn compare_top_two(&self, operator: ComparisonOperator) -> Option<bool> {
        let [.., left, right] = self.operands.as_slice() else { return None };
        quick_compare_of(operator, left, right).or_else(|| self.quick_comparison(operator, *left, *right))
    }

    /// Compares the value on top of the stack with a value that the fused instruction loads, and jumps by the result.
    #[cold]
    fn quick_compare_with(
        &mut self,
        operator: ComparisonOperator,
        right: Value,
        frame: &mut RunningFrame<'_>,
    ) -> Shortcut {
        let left = *self.operands.last().expect("the operator has two operands");
        if let Some(truth) = self.quick_comparison(operator, left, right) {
            return self.jump_by_comparison(truth, right, frame);
        }
        self.operands.push(right);
        Shortcut::Taken
    }

    /// Takes the left operand of a comparison from the stack and jumps by the result; without enough work, only loads the right operand.
    #[inline]
    fn jump_by_comparison(&mut self, truth: bool, right: Value, frame: &mut RunningFrame<'_>) -> Shortcut {
        match frame.following(1) {
            QuickInstruction::CompareJump(_, if_true, target) if self.take_work(2 + cost::OPERATION) => {
                self.operands.truncate(self.operands.len() - 1);
                frame.pc += 2;
                if truth == if_true {
                    frame.jump(target);
                }
            }
            _ => self.operands.push(right),
        }
        Shortcut::Taken
    }

    /// Runs a call of `isinstance` with a variable and a name, and a jump by its result if one follows.
    #[inline]
    fn quick_isinstance_call(&mut self, function: Symbol, frame: &mut RunningFrame<'_>) -> Shortcut {
        if let (QuickInstruction::LoadLocal(object), QuickInstruction::LoadGlobal(class)) =
            (frame.following(1), frame.following(2))
            && let Some(object) = self.locals[frame.first_local + object as usize]
            && let Some((truth, work)) = self.quick_isinstance(function, object, class)
            && self.take_work(3 + work)
        {
            frame.pc += 3;
            match frame.following(1) {
                QuickInstruction::JumpIf(if_true, target) if self.take_work(1) => {
                    frame.pc += 1;
                    if truth == if_true {
                        frame.jump(target);
                    }
                }
                _ => self.operands.push(Value::Bool(truth)),
            }
            return Shortcut::Taken;
        }
        let Some(value) = self.find_global(function) else { return Shortcut::Unavailable };
        self.operands.push(value);
        Shortcut::Taken
    }

    /// Returns the result of a comparison of numbers, of texts or of identities.
    #[inline]
    fn quick_comparison(&self, operator: ComparisonOperator, left: Value, right: Value) -> Option<bool> {
        if let (Value::Ref(one), Value::Ref(other), ComparisonOperator::Eq | ComparisonOperator::NotEq) =
            (left, right, operator)
        {
            let (HeapObject::Text(text), HeapObject::Text(other_text)) = (self.heap.get(one), self.heap.get(other))
            else {
                return None;
            };
            // Longer texts cost more.
            if one != other && text.len() as u64 >= ELEMENTS_PER_UNIT {
                return None;
            }
            return Some((one == other || text == other_text) == (operator == ComparisonOperator::Eq));
        }
        quick_compare(operator, left, right)
    }

    /// Returns the elements of a tuple or a list of two on top of the stack, and the work of unpacking it.
    #[inline]
    fn quick_pair(&self) -> Option<([Value; 2], u64)> {
        let Some(&Value::Ref(at)) = self.operands.last() else { return None };
        match self.heap.get(at) {
            HeapObject::Tuple(values) => match **values {
                [one, other] => Some(([one, other], 2)),
                _ => None,
            },
            // A list is unpacked through an iterator.
            HeapObject::List(values) => match **values {
                [one, other] => Some(([one, other], 1 + 3 * cost::NEXT)),
                _ => None,
            },
            _ => None,
        }
    }

    #[inline]
    fn quick_load_item(&mut self) -> ExecResult<Shortcut> {
        if let [.., Value::Ref(at), Value::Int(index)] = *self.operands.as_slice()
            && let Some(element) = element_of(self.heap.get(at), index)
        {
            let place = self.operands.len() - 2;
            element.copy_to(&mut self.operands[place]);
            self.operands.truncate(place + 1);
            return Ok(Shortcut::Taken);
        }
        let Some((object, index)) = self.top_two() else { return Ok(Shortcut::Unavailable) };
        let Some(QuickEntry { found: Some(place), at, work, .. }) = self.quick_entry(object, index) else {
            return Ok(Shortcut::Unavailable);
        };
        self.spend(work)?;
        let value = self.dict(at).value(place).expect("the entry was found");
        self.operands.pop();
        *self.operands.last_mut().expect("the object lies below the index") = value;
        Ok(Shortcut::Taken)
    }

    /// Stores an item of a list or of a plain dict.
    #[inline]
    fn quick_store_item(&mut self) -> ExecResult<Shortcut> {
        let [.., value, object, index] = *self.operands.as_slice() else { return Ok(Shortcut::Unavailable) };
        if let (Value::Ref(at), Value::Int(place)) = (object, index)
            && let HeapObject::List(values) = self.heap.get(at)
        {
            let place = if place < 0 { place + values.len() as i64 } else { place };
            if usize::try_from(place).is_ok_and(|place| place < values.len())
                && let HeapObject::List(values) = self.heap.get_mut_to_store(at, value)
            {
                values[place as usize] = value;
                self.operands.truncate(self.operands.len() - 3);
                return Ok(Shortcut::Taken);
            }
            return Ok(Shortcut::Unavailable);
        }
        let Some(entry) = self.quick_entry(object, index) else { return Ok(Shortcut::Unavailable) };
        self.spend(entry.work)?;
        self.store_quick_entry(entry, index, value);
        self.operands.truncate(self.operands.len() - 3);
        Ok(Shortcut::Taken)
    }

    /// Returns the two values on top of the stack.
    #[inline]
    pub(super) fn top_two(&self) -> Option<(Value, Value)> {
        match *self.operands.as_slice() {
            [.., left, right] => Some((left, right)),
            _ => None,
        }
    }

    /// Deducts units of work from the budget, but not those for allocated cells.
    #[inline]
    pub(super) fn spend(&mut self, work: u64) -> ExecResult<()> {
        let Some(rest) = self.remaining_work.checked_sub(work) else {
            self.remaining_work = 0;
            return Err(ExecError::Exhausted(LimitedResource::Work));
        };
        self.remaining_work = rest;
        Ok(())
    }

    /// Returns the truth of a value whose class is built in, other than objects of the screen that are not plain.
    #[inline]
    pub(in crate::machine) fn quick_truth(&self, value: Value) -> Option<bool> {
        match value {
            Value::Bool(truth) => Some(truth),
            Value::None => Some(false),
            Value::Int(number) => Some(number != 0),
            Value::Float(number) => Some(number != 0.0),
            Value::Ref(at) => match self.heap.get(at) {
                HeapObject::List(values) => Some(!values.is_empty()),
                HeapObject::Tuple(values) => Some(!values.is_empty()),
                HeapObject::Text(text) => Some(!text.is_empty()),
                HeapObject::Dict(dict) | HeapObject::Set(dict) => Some(dict.len() > 0),
                HeapObject::Deque(deque) => Some(!deque.values.is_empty()),
                HeapObject::Screen(ScreenObject::Plain(object)) => {
                    Some(object.visible && !self.screen_class_is(object.class, ClassId(World::NO_OBJECT)))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns from a function that a frame of the same run called.
    #[inline]
    fn quick_return(&mut self) -> ExecResult<Shortcut> {
        let [.., _, frame] = self.frames.as_slice() else { return Ok(Shortcut::Unavailable) };
        let (first_local, first_operand) = (frame.first_local, frame.first_operand);
        let new_object = match (frame.return_target, self.operands.last()) {
            (ReturnTarget::Stack, Some(_)) => None,
            (ReturnTarget::Init(object), Some(Value::None)) => Some(object),
            _ => return Ok(Shortcut::Unavailable),
        };
        self.charge(0)?;
        if let Some(object) = new_object {
            self.operands[first_operand] = Value::Ref(object);
        } else if let Some((returned, [target, ..])) = self.operands[first_operand..].split_last_mut() {
            returned.copy_to(target);
        }
        self.operands.truncate(first_operand + 1);
        self.locals.truncate(first_local);
        self.frames.truncate(self.frames.len() - 1);
        Ok(Shortcut::FrameChanged)
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
