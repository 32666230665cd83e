//! Shortcuts of the interpreter loop: the results of instructions on their most common operands, without the dispatch of the general code.
//!
//! A shortcut has the effect, the exceptions and the cost of the general code; whatever it does not cover, it leaves untouched to that code.

use super::quick_code::{QuickCode, QuickInstruction};
use super::quick_entries::QuickEntry;
use super::{ExecError, ExecResult, HeapObject, LimitedResource, Machine, ReturnTarget, Value, cost};
use crate::code::{CodeObject, Constant, Instruction, Symbol};
use crate::machine::ELEMENTS_PER_UNIT;
use crate::machine::quick_operators::quick_compare;
use crate::machine::screen::{ClassId, ScreenObject};
use crate::machine::value::TupleElements;
use crate::operators::ComparisonOperator;
use crate::scene::World;

/// The effect of a shortcut.
pub(super) enum Shortcut {
    /// The instruction is done; the frame continues.
    Taken,
    /// The instruction is done, and another frame continues.
    FrameChanged,
    /// The instruction is done, and the run ends: its frame returned (`false`) or yielded (`true`) this value.
    Finished(Value, bool),
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
            Instruction::LoadAttribute(symbol) => symbol,
            _ => unreachable!("quick instructions on attributes stand for such instructions"),
        }
    }

    #[inline]
    pub(super) fn jump(&mut self, target: u32) {
        self.pc = target as usize;
    }
}

impl Machine {
    /// Runs a quick instruction that the loop does not cover, if the operands are those that its shortcut covers. One unit of work was
    /// deducted for it.
    #[inline(never)]
    pub(super) fn shortcut(
        &mut self,
        instruction: QuickInstruction,
        frame: &mut RunningFrame<'_>,
    ) -> ExecResult<Shortcut> {
        use QuickInstruction as Quick;
        match instruction {
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
            Quick::CallKeywords(count, names) => {
                let Constant::Names(names) = &frame.code.constants[names as usize] else {
                    return Ok(Shortcut::Unavailable);
                };
                return self.quick_keyword_call(count as usize, names, frame.pc);
            }
            Quick::CallUnpacked(named) => return self.quick_unpacked_call(named, frame.pc),
            Quick::IsInstance(function) => return Ok(self.quick_isinstance_call(function, frame)),
            Quick::StoreAttribute(cache) => return self.quick_property_store(cache, frame.pc),
            Quick::Return => return self.quick_return(frame.pc),
            Quick::Yield => return self.quick_yield(frame),
            Quick::Next(target) => return self.quick_next(target, frame),
            Quick::NextLocal(local, target) => return self.quick_next_local(local, target, frame),
            Quick::NextPair(target) => return self.quick_next_pair(target, frame),
            Quick::Slice => return Ok(self.quick_slice(frame)),
            Quick::Iterate => return Ok(self.quick_iterate()),
            Quick::Compare(_) | Quick::CompareJump(..) => return Ok(self.compare_top_two(instruction, frame)),
            other => return self.stack_shortcut(other, frame),
        }
        Ok(Shortcut::Taken)
    }

    /// Runs a quick instruction that moves values between the stack, variables and collections.
    #[inline]
    fn stack_shortcut(&mut self, instruction: QuickInstruction, frame: &mut RunningFrame<'_>) -> ExecResult<Shortcut> {
        use QuickInstruction as Quick;
        match instruction {
            Quick::StoreGlobal(symbol) => {
                let value = self.pop();
                self.set_global(symbol, value);
            }
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
            Quick::Function(cell_count, code) => self.quick_function(code, cell_count as usize),
            Quick::Comprehension(code) => {
                self.spend(1)?;
                let function = match self.comprehensions[code.0 as usize] {
                    Some(function) => Value::Ref(function),
                    None => self.new_comprehension(code),
                };
                self.operands.push(function);
            }
            Quick::CellReference(place) => {
                let cell = self.top_frame().cells[place as usize];
                self.operands.push(Value::Ref(cell));
            }
            Quick::Append(between) => {
                let Some(value) = self.operands.pop() else { return Ok(Shortcut::Unavailable) };
                let list = self.collection_below(between);
                self.append(list, value);
            }
            Quick::CopyTwo => self.operands.extend_from_within(self.operands.len() - 2..),
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
            Quick::Unpack(count) => return self.quick_unpack(count as usize),
            Quick::TupleToLocals(first, second) => {
                let [.., one, other] = *self.operands.as_slice() else { return Ok(Shortcut::Unavailable) };
                // The cell of the tuple, the instruction that unpacks it, its elements and the stores.
                if !self.take_work(6) {
                    return self.display_shortcut(Quick::Tuple(2));
                }
                self.operands.truncate(self.operands.len() - 2);
                self.locals[frame.first_local + first as usize] = Some(one);
                self.locals[frame.first_local + second as usize] = Some(other);
                frame.pc += 3;
            }
            other => return self.display_shortcut(other),
        }
        Ok(Shortcut::Taken)
    }

    /// Runs a quick instruction that builds a collection.
    #[inline]
    fn display_shortcut(&mut self, instruction: QuickInstruction) -> ExecResult<Shortcut> {
        use QuickInstruction as Quick;
        match instruction {
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
            Quick::Dict => {
                let dict = self.empty_dict();
                self.operands.push(Value::Ref(dict));
            }
            Quick::Extend => return self.quick_extend(),
            Quick::ListToTuple => return self.quick_list_to_tuple(),
            Quick::MergeKeywords => return self.quick_merge_keywords(),
            Quick::AddToDict(between) => {
                let [.., key, value] = *self.operands.as_slice() else { return Ok(Shortcut::Unavailable) };
                let dict = self.operands[self.operands.len() - 3 - between as usize];
                let Some(entry) = self.quick_entry(dict, key) else { return Ok(Shortcut::Unavailable) };
                self.spend(entry.work)?;
                self.store_quick_entry(entry, key, value);
                self.operands.truncate(self.operands.len() - 2);
            }
            _ => return Ok(Shortcut::Unavailable),
        }
        Ok(Shortcut::Taken)
    }

    /// Passes the value on top of the stack to whoever resumed the generator of the innermost frame.
    #[inline]
    fn quick_yield(&mut self, frame: &RunningFrame<'_>) -> ExecResult<Shortcut> {
        self.charge(0)?;
        if let ReturnTarget::Consumer(generator, consumer) = self.top_frame().return_target {
            let is_expression = matches!(frame.code.instructions[frame.pc - 1], Instruction::YieldExpression);
            return self.consume(generator, consumer, is_expression.then_some(Value::None), frame.pc);
        }
        if self.heap.is_near_limit(self.budget.memory) {
            return Ok(Shortcut::Unavailable);
        }
        self.top_frame().pc = frame.pc;
        Ok(Shortcut::Finished(self.pop(), true))
    }

    /// Replaces a tuple on top of the stack by its elements, the first one on top.
    #[inline]
    fn quick_unpack(&mut self, count: usize) -> ExecResult<Shortcut> {
        let Some(&Value::Ref(at)) = self.operands.last() else { return Ok(Shortcut::Unavailable) };
        match self.heap.get(at) {
            HeapObject::Tuple(values) if values.len() == count => {
                self.operands.truncate(self.operands.len() - 1);
                self.operands.extend(values.iter().rev());
            }
            _ => return Ok(Shortcut::Unavailable),
        }
        self.spend(count as u64)?;
        Ok(Shortcut::Taken)
    }

    /// Replaces a list or a tuple and the bounds of a slice, which `LoadItem` follows, by the selected elements.
    #[inline]
    fn quick_slice(&mut self, frame: &mut RunningFrame<'_>) -> Shortcut {
        let [.., Value::Ref(at), lower, upper, Value::None] = *self.operands.as_slice() else {
            return Shortcut::Unavailable;
        };
        let elements: &[Value] = match self.heap.get(at) {
            HeapObject::List(elements) => elements,
            HeapObject::Tuple(elements) => elements,
            _ => return Shortcut::Unavailable,
        };
        let length = elements.len() as i64;
        let bound = |bound: Value, omitted: i64| match bound {
            Value::None => Some(omitted),
            Value::Int(place) if place < 0 => Some(place.saturating_add(length).max(0)),
            Value::Int(place) => Some(place.min(length)),
            _ => None,
        };
        let (Some(start), Some(end), QuickInstruction::LoadItem) =
            (bound(lower, 0), bound(upper, length), frame.following(1))
        else {
            return Shortcut::Unavailable;
        };
        let selected = &elements[start as usize..end.max(start) as usize];
        // Those of the other instruction, of the cell of the slice, and of the values.
        let work = 2 + selected.len() as u64;
        if self.heap.bytes() + size_of_val(selected) > self.budget.memory || self.remaining_work < work {
            return Shortcut::Unavailable;
        }
        let slice = match self.heap.get(at) {
            HeapObject::List(_) => HeapObject::List(selected.to_vec()),
            _ => HeapObject::Tuple(TupleElements::from_slice(selected)),
        };
        self.remaining_work -= work;
        let slice = self.heap.add(slice);
        self.operands.truncate(self.operands.len() - 3);
        *self.operands.last_mut().expect("the object lies below the bounds") = Value::Ref(slice);
        frame.pc += 1;
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

    /// Runs a comparison of the two values on top of the stack that runs no code of the program, with the jump that is fused with it.
    #[inline]
    fn compare_top_two(&mut self, instruction: QuickInstruction, frame: &mut RunningFrame<'_>) -> Shortcut {
        let Some((left, right)) = self.top_two() else { return Shortcut::Unavailable };
        let (QuickInstruction::Compare(operator) | QuickInstruction::CompareJump(operator, ..)) = instruction else {
            return Shortcut::Unavailable;
        };
        let quick = self.quick_comparison(operator, left, right).map(|truth| (truth, 0));
        let Some((truth, work)) = quick.or_else(|| self.plain_comparison(operator, left, right)) else {
            return Shortcut::Unavailable;
        };
        let jump_work = u64::from(matches!(instruction, QuickInstruction::CompareJump(..)));
        if !self.take_work(jump_work + cost::OPERATION + work) {
            return Shortcut::Unavailable;
        }
        self.operands.truncate(self.operands.len() - 2);
        match instruction {
            QuickInstruction::CompareJump(_, if_true, target) => {
                frame.pc += 1;
                if truth == if_true {
                    frame.jump(target);
                }
            }
            _ => self.operands.push(Value::Bool(truth)),
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
    pub(super) fn quick_comparison(&self, operator: ComparisonOperator, left: Value, right: Value) -> Option<bool> {
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

    #[inline(never)]
    pub(super) fn quick_load_item(&mut self) -> ExecResult<Shortcut> {
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
    #[inline(never)]
    pub(super) fn quick_store_item(&mut self) -> ExecResult<Shortcut> {
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
}
