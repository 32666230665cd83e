//! Minimum and maximum of lists, and sorting.

use super::conditions::{Condition, IntOperand};
use super::values::{Location, Value};
use super::{EmitResult, Emitter, Op};
use crate::fast::op::{CompareOp, MAX_KEYS, Reg};
use crate::inference::types::{Kinds, Type};

impl Emitter<'_> {
    /// Emits the search for the minimum or maximum of a list, by the elements or by a key function.
    pub(super) fn extreme_element(
        &mut self,
        pc: usize,
        is_max: bool,
        list: Value,
        key: Option<&Value>,
        holds: Type,
    ) -> EmitResult<Value> {
        let shape = self.element_layout(list.ty)?;
        let element = self.inference.types.element(list.ty);
        let (best, worth) = (self.allocate(1)?, self.allocate(1)?);
        let iterator = self.iterator(list)?;
        let Location::Iterator(it) = iterator.location else { return Err("a value that is not a list".to_owned()) };
        // The index of the iterator is 1 after the first element, and at the end of an empty list.
        let first = Condition::Ints(CompareOp::Eq, IntOperand::Register(it + 1), IntOperand::Constant(1));
        let (again, end, taken) = (self.label(), self.label(), self.label());
        self.place_label(again);
        let (next, counted) = (self.code.ops.len(), self.instruction_count);
        let item = self.next_element(&iterator, &shape, element, end)?;
        let found = match key {
            Some(key) => self.call_with(pc, key, &item)?,
            None => item.clone(),
        };
        self.charge_loop(next, counted)?;
        let kinds = found.kinds();
        if !kinds.is_single() {
            return Err("a `key` that returns numbers of several types".to_owned());
        }
        let found = self.register(&found)?;
        self.branch(&first, true, taken);
        let (one, two) = if is_max { (worth, found) } else { (found, worth) };
        self.branch(&less_condition(kinds, one, two), false, again);
        self.place_label(taken);
        self.push_op(Op::Move { d: worth, a: found });
        self.load(best, &item)?;
        self.jump(again);
        self.place_label(end);
        let message = format!("{}() arg is an empty sequence", if is_max { "max" } else { "min" });
        let empty = self.raise("ValueError", &message);
        let empty = self.exit_label(empty);
        self.branch(&first, true, empty);
        self.value_in(&shape, best, holds)
    }

    /// Emits the creation of a sorted list, by the elements or by a key function.
    pub(super) fn sorted(&mut self, pc: usize, list: &Value, key: Option<&Value>, holds: Type) -> EmitResult<Value> {
        self.element_layout(list.ty)?;
        let element = self.inference.types.element(list.ty);
        let l = self.register(list)?;
        let d = self.allocate(1)?;
        if element.is_never() {
            self.push_op(Op::NewList { d });
            return Ok(Value::in_register(holds, d));
        }
        let (keys, count, floats) = match key {
            Some(key) => self.sort_keys(pc, Value::in_register(list.ty, l), key)?,
            None => (l, 1, element.kinds == Kinds::FLOAT),
        };
        self.push_op(Op::Sort { d, l, keys, count, floats });
        Ok(Value::in_register(holds, d))
    }

    /// Emits the lists of sort keys that a function computes from the elements of a list. Returns the first list's register, the number of
    /// lists, and whether the keys are floats.
    fn sort_keys(&mut self, pc: usize, list: Value, key: &Value) -> EmitResult<(Reg, u8, bool)> {
        let shape = self.element_layout(list.ty)?;
        let element = self.inference.types.element(list.ty);
        // The number of keys per element is known only after the function is translated.
        let keys = self.allocate(MAX_KEYS as Reg)?;
        let starts = self.code.ops.len();
        for place in 0..MAX_KEYS as Reg {
            self.push_op(Op::NewList { d: keys + place });
        }
        let iterator = self.iterator(list)?;
        let (again, end) = (self.label(), self.label());
        self.place_label(again);
        let (next, counted) = (self.code.ops.len(), self.instruction_count);
        let item = self.next_element(&iterator, &shape, element, end)?;
        let found = self.call_with(pc, key, &item)?;
        self.charge_loop(next, counted)?;
        // Python sorts the list as it was before the first call of the function.
        if self.code.ops[next..].iter().any(|op| op.mutates_list()) {
            return Err("a `key` that changes lists".to_owned());
        }
        let parts = match found.location {
            Location::Tuple(parts) => parts,
            _ => vec![found],
        };
        let kinds = parts.iter().fold(Kinds::NEVER, |kinds, part| kinds.union(part.kinds()));
        if parts.len() > MAX_KEYS || !(kinds == Kinds::INT || kinds == Kinds::FLOAT) {
            return Err("a `key` of many numbers, or of several types".to_owned());
        }
        for (place, part) in (0..).zip(&parts) {
            let a = self.register(part)?;
            self.push_op(Op::Append { l: keys + place, a });
        }
        // Unused lists of keys are not created: the moves have no effect and are removed later.
        for place in parts.len()..MAX_KEYS {
            self.code.ops[starts + place] = Op::Move { d: keys, a: keys };
        }
        self.jump(again);
        self.place_label(end);
        Ok((keys, parts.len() as u8, kinds == Kinds::FLOAT))
    }

    /// Raises the cost of the loop start at `next` to the number of stack instructions translated since.
    fn charge_loop(&mut self, next: usize, counted: u32) -> EmitResult<()> {
        let took = u16::try_from(self.instruction_count - counted)
            .map_err(|_| "a `key` with too many instructions".to_owned())?;
        if let Some(Op::Next { cost, .. }) = self.code.ops.get_mut(next) {
            *cost = took.max(*cost);
        }
        Ok(())
    }
}

/// Returns the condition that the first of two values of this kind is less than the second one.
fn less_condition(kinds: Kinds, one: Reg, two: Reg) -> Condition {
    if kinds == Kinds::FLOAT {
        Condition::Floats(CompareOp::Lt, one, two)
    } else {
        Condition::Ints(CompareOp::Lt, IntOperand::Register(one), IntOperand::Register(two))
    }
}
