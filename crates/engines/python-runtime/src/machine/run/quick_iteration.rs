//! Shortcuts of iteration.
//!
//! Functions that advance an iterator return nothing if it has no quick form, and otherwise the next item, which is `None` at the end.

#![allow(clippy::option_option, reason = "the end of an iterator is one of its answers")]

use super::super::dict::DictKind;
use super::super::exceptions::ExecResult;
use super::super::iterators::{EntryPart, IteratorState};
use super::super::value::{HeapObject, HeapRef, Value};
use super::super::{Machine, cost};
use super::Consumer;
use super::quick_code::QuickInstruction;
use super::shortcuts::{RunningFrame, Shortcut};

impl Machine {
    /// Replaces a collection on top of the stack by its iterator.
    #[inline]
    pub(super) fn quick_iterate(&mut self) -> Shortcut {
        let Some(&value @ Value::Ref(at)) = self.operands.last() else { return Shortcut::Unavailable };
        let state = match self.heap.get(at) {
            HeapObject::List(_) => IteratorState::List(value, 0),
            HeapObject::Tuple(_) => IteratorState::Tuple(value, 0),
            HeapObject::Iterator(_) | HeapObject::Generator(_) => return Shortcut::Taken,
            HeapObject::Dict(dict) if matches!(dict.kind, DictKind::Plain) => {
                IteratorState::Dict { dict: value, position: 0, part: EntryPart::Keys, initial_len: dict.len() }
            }
            HeapObject::DictView(dict @ Value::Ref(of), part) => match self.heap.get(*of) {
                HeapObject::Dict(entries) if matches!(entries.kind, DictKind::Plain) => {
                    IteratorState::Dict { dict: *dict, position: 0, part: *part, initial_len: entries.len() }
                }
                _ => return Shortcut::Unavailable,
            },
            _ => return Shortcut::Unavailable,
        };
        let iterator = self.new_iterator(state);
        *self.operands.last_mut().expect("the value was there") = iterator;
        Shortcut::Taken
    }

    /// Advances an iterator over a collection: leaves the iterator and its next item, or jumps.
    #[inline]
    pub(super) fn quick_next(&mut self, target: u32, frame: &mut RunningFrame<'_>) -> ExecResult<Shortcut> {
        if self.resume_loop_generator(frame.pc)? {
            return Ok(Shortcut::FrameChanged);
        }
        let Some(item) = self.quick_advance()? else { return Ok(Shortcut::Unavailable) };
        if let Some(item) = item {
            self.operands.push(item);
        } else {
            self.operands.pop();
            frame.jump(target);
        }
        Ok(Shortcut::Taken)
    }

    /// Resumes the generator on top of the stack, if there is one; returns whether it did.
    #[inline]
    fn resume_loop_generator(&mut self, pc: usize) -> ExecResult<bool> {
        let Some(&Value::Ref(generator)) = self.operands.last() else { return Ok(false) };
        if !self.can_resume_in_run(generator) {
            return Ok(false);
        }
        self.top_frame().pc = pc;
        self.resume_in_run(generator, Consumer::Loop)?;
        Ok(true)
    }

    /// Advances an iterator and stores its item in a variable.
    #[inline]
    pub(super) fn quick_next_local(
        &mut self,
        local: u16,
        target: u32,
        frame: &mut RunningFrame<'_>,
    ) -> ExecResult<Shortcut> {
        if self.resume_loop_generator(frame.pc)? {
            return Ok(Shortcut::FrameChanged);
        }
        let Some(item) = self.quick_advance()? else { return Ok(Shortcut::Unavailable) };
        match item {
            Some(item) if self.take_work(1) => {
                self.locals[frame.first_local + local as usize] = Some(item);
                frame.pc += 1;
            }
            Some(item) => self.operands.push(item),
            None => {
                self.operands.pop();
                frame.jump(target);
            }
        }
        Ok(Shortcut::Taken)
    }

    /// Advances an iterator over pairs and stores the elements of the pair in two variables.
    #[inline]
    pub(super) fn quick_next_pair(&mut self, target: u32, frame: &mut RunningFrame<'_>) -> ExecResult<Shortcut> {
        let QuickInstruction::UnpackPairToLocals(first, second) = frame.following(1) else {
            return self.quick_next(target, frame);
        };
        let Some(&Value::Ref(iterator)) = self.operands.last() else { return Ok(Shortcut::Unavailable) };
        if self.heap.is_near_limit(self.budget.memory) {
            return Ok(Shortcut::Unavailable);
        }
        let Some(inner) = self.inner_sequences(iterator) else { return self.quick_next(target, frame) };
        let count = inner.iter().flatten().count() as u64;
        // The work of the iterators, of the tuple, of its unpacking and of the stores.
        if !self.take_work((1 + count) * cost::NEXT + 6) {
            return Ok(Shortcut::Unavailable);
        }
        let Some([one, other]) = self.next_pair(iterator, inner) else {
            self.remaining_work += 6;
            // `zip` asks no further iterator after one at its end.
            if let [Some(first), Some(_)] = inner
                && matches!(self.heap.get(first), HeapObject::Iterator(IteratorState::Exhausted))
            {
                self.remaining_work += cost::NEXT;
            }
            *self.heap.get_mut_to_store(iterator, Value::None) = HeapObject::Iterator(IteratorState::Exhausted);
            self.operands.pop();
            frame.jump(target);
            return Ok(Shortcut::Taken);
        };
        self.locals[frame.first_local + first as usize] = Some(one);
        self.locals[frame.first_local + second as usize] = Some(other);
        frame.pc += 3;
        Ok(Shortcut::Taken)
    }

    /// Returns the iterators that an iterator over pairs advances, all of which have quick forms; none for the items of a dict.
    #[inline]
    fn inner_sequences(&self, iterator: HeapRef) -> Option<[Option<HeapRef>; 2]> {
        let HeapObject::Iterator(state) = self.heap.get(iterator) else { return None };
        match *state {
            IteratorState::Enumerate(Value::Ref(inner), count) if i64::try_from(count).is_ok() => {
                self.is_sequence_iterator(inner).then_some([Some(inner), None])
            }
            IteratorState::Zip(ref inner, false) => match **inner {
                [Value::Ref(one), Value::Ref(other)]
                    if self.is_sequence_iterator(one) && self.is_sequence_iterator(other) =>
                {
                    Some([Some(one), Some(other)])
                }
                _ => None,
            },
            IteratorState::Dict { part: EntryPart::Items, .. } => self.dict_entry(state).map(|_| [None, None]),
            _ => None,
        }
    }

    /// Returns the next pair of an iterator over pairs.
    #[inline]
    fn next_pair(&mut self, iterator: HeapRef, inner: [Option<HeapRef>; 2]) -> Option<[Value; 2]> {
        match inner {
            [Some(one), Some(other)] => Some([self.next_of_sequence(one)??, self.next_of_sequence(other)??]),
            [Some(inner), None] => {
                let item = self.next_of_sequence(inner)??;
                let HeapObject::Iterator(IteratorState::Enumerate(_, count)) =
                    self.heap.get_mut_to_store(iterator, Value::None)
                else {
                    return None;
                };
                *count += 1;
                Some([Value::Int(*count as i64 - 1), item])
            }
            _ => {
                let HeapObject::Iterator(state) = self.heap.get(iterator) else { return None };
                let (place, key, value) = self.dict_entry(state)??;
                self.set_dict_position(iterator, place + 1);
                Some([key, value])
            }
        }
    }

    #[inline]
    fn is_sequence_iterator(&self, at: HeapRef) -> bool {
        matches!(
            self.heap.get(at),
            HeapObject::Iterator(
                IteratorState::List(..)
                    | IteratorState::Tuple(..)
                    | IteratorState::Range { .. }
                    | IteratorState::Exhausted
            )
        )
    }

    /// Returns the next item of the iterator on top of the stack, or `None` at its end; nothing if it has no quick form.
    #[inline]
    fn quick_advance(&mut self) -> ExecResult<Option<Option<Value>>> {
        let Some(&Value::Ref(iterator)) = self.operands.last() else { return Ok(None) };
        if self.heap.is_near_limit(self.budget.memory) {
            return Ok(None);
        }
        let Some(item) = self.next_of_sequence(iterator) else { return Ok(None) };
        self.charge(cost::NEXT)?;
        Ok(Some(item))
    }

    /// Returns the next item of an iterator over a collection, or `None` at its end; nothing if it has no quick form.
    #[inline]
    pub(in crate::machine) fn next_of_sequence(&mut self, iterator: HeapRef) -> Option<Option<Value>> {
        let HeapObject::Iterator(state) = self.heap.get(iterator) else { return None };
        let item = match *state {
            IteratorState::List(Value::Ref(at), next) => {
                let HeapObject::List(values) = self.heap.get(at) else { return None };
                values.get(next).copied()
            }
            IteratorState::Tuple(Value::Ref(at), next) => {
                let HeapObject::Tuple(values) = self.heap.get(at) else { return None };
                values.get(next).copied()
            }
            IteratorState::Range { next, remaining, .. } => (remaining > 0).then_some(Value::Int(next)),
            IteratorState::Text(Value::Ref(at), next) => return self.next_of_text(iterator, at, next),
            IteratorState::Dict { part, .. } => return self.next_of_dict(iterator, part),
            IteratorState::Exhausted => return Some(None),
            _ => return None,
        };
        // The iterator refers to the same sequence as before, or to none.
        let HeapObject::Iterator(state) = self.heap.get_mut_to_store(iterator, Value::None) else { return None };
        match state {
            _ if item.is_none() => *state = IteratorState::Exhausted,
            IteratorState::List(_, next) | IteratorState::Tuple(_, next) => *next += 1,
            IteratorState::Range { next, remaining, step } => {
                *next = next.wrapping_add(*step);
                *remaining -= 1;
            }
            _ => {}
        }
        Some(item)
    }

    /// Returns the character of a text at a position, and moves the iterator behind it.
    fn next_of_text(&mut self, iterator: HeapRef, at: HeapRef, position: usize) -> Option<Option<Value>> {
        let HeapObject::Text(text) = self.heap.get(at) else { return None };
        let character = text.get(position..)?.chars().next();
        let state = self.heap.get_mut_to_store(iterator, Value::None);
        let Some(character) = character else {
            *state = HeapObject::Iterator(IteratorState::Exhausted);
            return Some(None);
        };
        if let HeapObject::Iterator(IteratorState::Text(_, position)) = state {
            *position += character.len_utf8();
        }
        Some(Some(self.heap.character(character)))
    }

    /// Returns the next key, value or item of a dict whose size has not changed.
    fn next_of_dict(&mut self, iterator: HeapRef, part: EntryPart) -> Option<Option<Value>> {
        let HeapObject::Iterator(state) = self.heap.get(iterator) else { return None };
        let Some((place, key, value)) = self.dict_entry(state)? else {
            *self.heap.get_mut_to_store(iterator, Value::None) = HeapObject::Iterator(IteratorState::Exhausted);
            return Some(None);
        };
        self.set_dict_position(iterator, place + 1);
        Some(Some(match part {
            EntryPart::Keys | EntryPart::Members => key,
            EntryPart::Values => value,
            EntryPart::Items => self.heap.tuple([key, value]),
        }))
    }

    /// Returns the next entry of the dict of an iterator, with its index; nothing if the size of the dict has changed.
    #[inline]
    fn dict_entry(&self, state: &IteratorState) -> Option<Option<(usize, Value, Value)>> {
        let IteratorState::Dict { dict: Value::Ref(at), position, initial_len, .. } = *state else { return None };
        let (HeapObject::Dict(dict) | HeapObject::Set(dict)) = self.heap.get(at) else { return None };
        (dict.len() == initial_len).then(|| dict.next_from(position))
    }

    fn set_dict_position(&mut self, iterator: HeapRef, place: usize) {
        if let HeapObject::Iterator(IteratorState::Dict { position, .. }) =
            self.heap.get_mut_to_store(iterator, Value::None)
        {
            *position = place;
        }
    }
}
