//! Minimum and maximum of lists, and sorting.

use super::conditions::{Condition, Int};
use super::values::{Place, Value};
use super::{Emitter, Laid, Op};
use crate::fast::op::{MAX_KEYS, Order, R};
use crate::typed::types::{Kinds, Type};

impl Emitter<'_> {
    /// Emits the search for the minimum or maximum of a list, by the elements or by a key function.
    pub(super) fn extreme_element(
        &mut self,
        pc: usize,
        greatest: bool,
        list: Value,
        key: Option<&Value>,
        holds: Type,
    ) -> Laid<Value> {
        let shape = self.element_shape(list.holds)?;
        let element = self.types.types.element(list.holds);
        let (best, worth) = (self.room(1)?, self.room(1)?);
        let iterator = self.iterator(list)?;
        let Place::Iterator(it) = iterator.at else { return Err("a value that is not a list".to_owned()) };
        // The index of the iterator is 1 after the first element, and at the end of an empty list.
        let first = Condition::Ints(Order::Eq, Int::Register(it + 1), Int::Known(1));
        let (again, over, taken) = (self.label(), self.label(), self.label());
        self.land(again);
        let (next, counted) = (self.code.ops.len(), self.counted);
        let item = self.item_of(&iterator, &shape, element, over)?;
        let found = match key {
            Some(key) => self.apply(pc, key, &item)?,
            None => item.clone(),
        };
        self.charge(next, counted)?;
        let kinds = found.kinds();
        if !kinds.is_one() {
            return Err("a `key` that returns numbers of several types".to_owned());
        }
        let found = self.register(&found)?;
        self.branch(&first, true, taken);
        let (one, two) = if greatest { (worth, found) } else { (found, worth) };
        self.branch(&less(kinds, one, two), false, again);
        self.land(taken);
        self.op(Op::Move { d: worth, a: found });
        self.load(best, &item)?;
        self.jump(again);
        self.land(over);
        let message = format!("{}() arg is an empty sequence", if greatest { "max" } else { "min" });
        let empty = self.raised("ValueError", &message);
        let empty = self.exit(empty);
        self.branch(&first, true, empty);
        self.value_in(&shape, best, holds)
    }

    /// Emits the creation of a sorted list, by the elements or by a key function.
    pub(super) fn sorted(&mut self, pc: usize, list: &Value, key: Option<&Value>, holds: Type) -> Laid<Value> {
        self.element_shape(list.holds)?;
        let element = self.types.types.element(list.holds);
        let l = self.register(list)?;
        let d = self.room(1)?;
        if element.is_never() {
            self.op(Op::NewList { d });
            return Ok(Value::one(holds, d));
        }
        let (keys, count, floats) = match key {
            Some(key) => self.keys(pc, Value::one(list.holds, l), key)?,
            None => (l, 1, element.kinds == Kinds::FLOAT),
        };
        self.op(Op::Sort { d, l, keys, count, floats });
        Ok(Value::one(holds, d))
    }

    /// Emits the lists of sort keys that a function computes from the elements of a list. Returns the first list's register, the number of
    /// lists, and whether the keys are floats.
    fn keys(&mut self, pc: usize, list: Value, key: &Value) -> Laid<(R, u8, bool)> {
        let shape = self.element_shape(list.holds)?;
        let element = self.types.types.element(list.holds);
        // The number of keys per element is known only after the function is translated.
        let keys = self.room(MAX_KEYS as R)?;
        let starts = self.code.ops.len();
        for place in 0..MAX_KEYS as R {
            self.op(Op::NewList { d: keys + place });
        }
        let iterator = self.iterator(list)?;
        let (again, over) = (self.label(), self.label());
        self.land(again);
        let (next, counted) = (self.code.ops.len(), self.counted);
        let item = self.item_of(&iterator, &shape, element, over)?;
        let found = self.apply(pc, key, &item)?;
        self.charge(next, counted)?;
        // Python sorts the list as it was before the first call of the function.
        if self.code.ops[next..].iter().any(|op| op.changes_list()) {
            return Err("a `key` that changes lists".to_owned());
        }
        let parts = match found.at {
            Place::Parts(parts) => parts,
            _ => vec![found],
        };
        let kinds = parts.iter().fold(Kinds::NEVER, |kinds, part| kinds.with(part.kinds()));
        if parts.len() > MAX_KEYS || !(kinds == Kinds::INT || kinds == Kinds::FLOAT) {
            return Err("a `key` of many numbers, or of several types".to_owned());
        }
        for (place, part) in (0..).zip(&parts) {
            let a = self.register(part)?;
            self.op(Op::Append { l: keys + place, a });
        }
        // Unused lists of keys are not created: the moves have no effect and are removed later.
        for place in parts.len()..MAX_KEYS {
            self.code.ops[starts + place] = Op::Move { d: keys, a: keys };
        }
        self.jump(again);
        self.land(over);
        Ok((keys, parts.len() as u8, kinds == Kinds::FLOAT))
    }

    /// Raises the cost of the loop start at `next` to the number of stack instructions translated since.
    fn charge(&mut self, next: usize, counted: u32) -> Laid<()> {
        let took =
            u16::try_from(self.counted - counted).map_err(|_| "a `key` with too many instructions".to_owned())?;
        if let Some(Op::Next { cost, .. }) = self.code.ops.get_mut(next) {
            *cost = took.max(*cost);
        }
        Ok(())
    }
}

/// Returns the condition that the first of two values of this kind is less than the second one.
fn less(kinds: Kinds, one: R, two: R) -> Condition {
    if kinds == Kinds::FLOAT {
        Condition::Floats(Order::Lt, one, two)
    } else {
        Condition::Ints(Order::Lt, Int::Register(one), Int::Register(two))
    }
}
