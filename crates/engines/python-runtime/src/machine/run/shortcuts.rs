//! Shortcuts of the interpreter loop: the results of instructions on their most common operands, without the dispatch of the general code.
//!
//! A shortcut has the effect, the exceptions and the cost of the general code; whatever it does not cover, it leaves untouched to that code.

use super::{CodeObject, ExecError, ExecResult, HeapObject, LimitedResource, Machine, ReturnTarget, Value, cost};
use crate::code::{Instruction, Variable};
use crate::machine::compare::quick_compare;
use crate::machine::operators::quick_binary;
use crate::machine::screen::ClassId;
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

impl Machine {
    /// Runs an instruction if there is a shortcut for it. `pc` is the index of the next instruction of the innermost frame, whose variables
    /// start at `first_local`.
    #[inline]
    pub(super) fn shortcut(
        &mut self,
        instruction: Instruction,
        code: &CodeObject,
        first_local: usize,
        pc: &mut usize,
    ) -> ExecResult<Shortcut> {
        match instruction {
            Instruction::Load(Variable::Local(place)) => {
                let Some(value) = self.locals[first_local + place as usize] else { return Ok(Shortcut::Unavailable) };
                self.operands.push(value);
            }
            Instruction::Store(Variable::Local(place)) => {
                let value = self.pop();
                self.locals[first_local + place as usize] = Some(value);
            }
            Instruction::Constant(place) => {
                let Some(value) = self.immediate_constant(&code.constants[place as usize]) else {
                    return Ok(Shortcut::Unavailable);
                };
                self.operands.push(value);
            }
            Instruction::LoadGlobal(symbol) => {
                let Some(value) = self.find_global(symbol) else { return Ok(Shortcut::Unavailable) };
                self.operands.push(value);
            }
            Instruction::Jump(target) if target as usize >= *pc => *pc = target as usize,
            Instruction::Jump(target) => {
                self.charge(0)?;
                if self.heap.is_near_limit(self.budget.memory) {
                    return Ok(Shortcut::Unavailable);
                }
                *pc = target as usize;
            }
            Instruction::JumpIfFalse(target) | Instruction::JumpIfTrue(target) => {
                let Some(truth) = self.operands.last().and_then(|&value| self.quick_truth(value)) else {
                    return Ok(Shortcut::Unavailable);
                };
                self.operands.pop();
                if truth == matches!(instruction, Instruction::JumpIfTrue(_)) {
                    *pc = target as usize;
                }
            }
            Instruction::JumpIfFalseOrPop(target) | Instruction::JumpIfTrueOrPop(target) => {
                let Some(truth) = self.operands.last().and_then(|&value| self.quick_truth(value)) else {
                    return Ok(Shortcut::Unavailable);
                };
                if truth == matches!(instruction, Instruction::JumpIfTrueOrPop(_)) {
                    *pc = target as usize;
                } else {
                    self.operands.pop();
                }
            }
            Instruction::Binary(operator) | Instruction::InPlace(operator) => {
                let value = self.top_two().and_then(|(left, right)| quick_binary(operator, left, right));
                return self.replace_two(value);
            }
            Instruction::Compare(operator) => {
                let value = self.top_two().and_then(|(left, right)| quick_compare(operator, left, right));
                return self.replace_two(value.map(Value::Bool));
            }
            Instruction::LoadItem => {
                let Some(value) = self.top_two().and_then(|(object, index)| self.quick_item(object, index)) else {
                    return Ok(Shortcut::Unavailable);
                };
                self.operands.pop();
                *self.operands.last_mut().expect("the object lies below the index") = value;
            }
            Instruction::LoadAttribute(symbol) => {
                let Some(&object) = self.operands.last() else { return Ok(Shortcut::Unavailable) };
                let Some(value) = self.quick_attribute(object, symbol)? else { return Ok(Shortcut::Unavailable) };
                *self.operands.last_mut().expect("the object was there") = value;
            }
            Instruction::StoreAttribute(symbol) => {
                if !self.top_two().is_some_and(|(value, object)| self.quick_attribute_store(object, symbol, value)) {
                    return Ok(Shortcut::Unavailable);
                }
                self.operands.truncate(self.operands.len() - 2);
            }
            Instruction::Next(target) => return self.quick_next(target, pc),
            Instruction::Append(between) => {
                let Some(value) = self.operands.pop() else { return Ok(Shortcut::Unavailable) };
                let list = self.collection_below(between);
                self.append(list, value);
            }
            Instruction::Pop => {
                self.operands.pop();
            }
            Instruction::Copy => self.operands.extend_from_within(self.operands.len() - 1..),
            Instruction::Swap => {
                let top = self.operands.len() - 1;
                self.operands.swap(top - 1, top);
            }
            Instruction::Call(count) => return self.quick_call(count as usize, *pc),
            Instruction::Return => return self.quick_return(),
            _ => return Ok(Shortcut::Unavailable),
        }
        Ok(Shortcut::Taken)
    }

    /// Returns the two values on top of the stack.
    #[inline]
    fn top_two(&self) -> Option<(Value, Value)> {
        match *self.operands.as_slice() {
            [.., left, right] => Some((left, right)),
            _ => None,
        }
    }

    /// Replaces the two values on top of the stack by the result of an operator, if there is one.
    #[inline]
    fn replace_two(&mut self, value: Option<Value>) -> ExecResult<Shortcut> {
        let Some(value) = value else { return Ok(Shortcut::Unavailable) };
        self.spend(cost::OPERATION)?;
        self.operands.pop();
        *self.operands.last_mut().expect("the operator has two operands") = value;
        Ok(Shortcut::Taken)
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
    fn quick_truth(&self, value: Value) -> Option<bool> {
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
                HeapObject::Screen(object) if object.class == ClassId(World::NO_OBJECT) => Some(false),
                HeapObject::Screen(object) if object.is_plain() => match object.visible {
                    Value::Bool(visible) if !self.screen_class_is(object.class, ClassId(World::NO_OBJECT)) => {
                        Some(visible)
                    }
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns an element of a list or a tuple.
    #[inline]
    fn quick_item(&self, object: Value, index: Value) -> Option<Value> {
        let (Value::Ref(at), Value::Int(index)) = (object, index) else { return None };
        let values: &[Value] = match self.heap.get(at) {
            HeapObject::List(values) => values,
            HeapObject::Tuple(values) => values,
            _ => return None,
        };
        let index = if index < 0 { index + values.len() as i64 } else { index };
        usize::try_from(index).ok().and_then(|index| values.get(index)).copied()
    }

    /// Advances an iterator over a list, a tuple or a range.
    #[inline]
    fn quick_next(&mut self, target: u32, pc: &mut usize) -> ExecResult<Shortcut> {
        let Some(&Value::Ref(iterator)) = self.operands.last() else { return Ok(Shortcut::Unavailable) };
        let HeapObject::Iterator(state) = self.heap.get(iterator) else { return Ok(Shortcut::Unavailable) };
        let Some((item, state)) = self.advance_sequence(state) else { return Ok(Shortcut::Unavailable) };
        if self.heap.is_near_limit(self.budget.memory) {
            return Ok(Shortcut::Unavailable);
        }
        self.charge(cost::NEXT)?;
        *self.heap.get_mut(iterator) = HeapObject::Iterator(state);
        if let Some(item) = item {
            self.operands.push(item);
        } else {
            self.operands.pop();
            *pc = target as usize;
        }
        Ok(Shortcut::Taken)
    }

    /// Returns from a function that a frame of the same run called.
    #[inline]
    fn quick_return(&mut self) -> ExecResult<Shortcut> {
        let [.., _, frame] = self.frames.as_slice() else { return Ok(Shortcut::Unavailable) };
        if frame.return_target != ReturnTarget::Stack {
            return Ok(Shortcut::Unavailable);
        }
        self.charge(0)?;
        let value = self.pop();
        self.pop_frame();
        self.operands.push(value);
        Ok(Shortcut::FrameChanged)
    }
}
