//! Minimum and maximum of lists, and sorting.

use super::values::{Layout, Location, Value};
use super::{EmitResult, Emitter, Label, Op};
use crate::fast::op::{CompareOp, MAX_KEYS, Reg};
use crate::inference::types::{Kinds, Type, TypeDetail};

impl Emitter<'_> {
    /// Emits the search for the minimum or maximum of an iterable, by the values or by a key function. `otherwise` is the result without
    /// values, which raises an exception without it.
    pub(super) fn extreme_element(
        &mut self,
        pc: usize,
        is_max: bool,
        iterable: Value,
        key: Option<&Value>,
        otherwise: Option<&Value>,
    ) -> EmitResult<Value> {
        let holds = self.result_type();
        let entry_key = self.inference.key_of_items(iterable.ty);
        let list = self.list_of(pc, 1, iterable)?;
        let element = self.inference.types.element(list.ty);
        let result_shape = self.layout(holds);
        if result_shape.is_unsupported() {
            return Err("a minimum or maximum of several types".to_owned());
        }
        let best = self.allocate(result_shape.width())?;
        if element.is_never() {
            let otherwise = otherwise.ok_or_else(|| "a minimum or maximum of an empty list".to_owned())?;
            self.store_value(&result_shape, best, otherwise)?;
            return self.value_in(&result_shape, best, holds);
        }
        let worth_shape = self.key_shape(key, entry_key.unwrap_or(element))?;
        let worth = self.allocate(worth_shape.width())?;
        let is_first = self.allocate(1)?;
        self.load_bits(is_first, 1);
        let iterator = self.iterator(list)?;
        let (again, end, taken) = (self.label(), self.label(), self.label());
        self.place_label(again);
        let (next, counted) = (self.code.ops.len(), self.instruction_count);
        let item = self.next_value(&iterator, end.0)?;
        let found = match key {
            Some(key) => self.call_with(key, &item)?,
            None if entry_key.is_some() => first_part(item.clone()),
            None => item.clone(),
        };
        self.charge_loop(next, counted)?;
        let found = self.materialize(found)?;
        self.push_op(Op::IfEqualK { a: is_first, k: 1, t: taken.0 });
        let best_worth = self.value_in(&worth_shape, worth, found.ty)?;
        let (one, two) = if is_max { (&best_worth, &found) } else { (&found, &best_worth) };
        self.branch_less(one, two, taken, again)?;
        self.place_label(taken);
        self.load_bits(is_first, 0);
        self.store_value(&worth_shape, worth, &found)?;
        self.store_value(&result_shape, best, &item)?;
        self.jump(again);
        self.place_label(end);
        let done = self.label();
        self.push_op(Op::IfEqualK { a: is_first, k: 0, t: done.0 });
        if let Some(value) = otherwise {
            self.store_value(&result_shape, best, value)?;
        } else {
            let message = format!("{}() arg is an empty sequence", if is_max { "max" } else { "min" });
            let op = self.raise("ValueError", &message);
            self.push_op(op);
        }
        self.place_label(done);
        self.value_in(&result_shape, best, holds)
    }

    /// Returns the layout of the values of a key function, or of the elements without one.
    fn key_shape(&mut self, key: Option<&Value>, element: Type) -> EmitResult<Layout> {
        let ty = match key.and_then(|key| self.inference.types.detail(key.ty)) {
            Some(TypeDetail::Function(code, ..)) => {
                let child = self.callee(*code).ok_or_else(|| "an unsupported call".to_owned())?;
                self.inference.instance_at(child).return_type
            }
            _ => match key {
                Some(key) => self.inference.applied_library_type(key.ty, element).unwrap_or(element),
                None => element,
            },
        };
        let shape = self.stored_layout(ty);
        if shape.is_unsupported() { Err("a `key` with values of several types".to_owned()) } else { Ok(shape) }
    }

    /// Jumps to `less` if one number or tuple of numbers is less than another one, and to `other` otherwise.
    pub(super) fn branch_less(&mut self, one: &Value, two: &Value, less: Label, other: Label) -> EmitResult<()> {
        if let (Location::Tuple(one), Location::Tuple(two)) = (&one.location, &two.location) {
            for (one, two) in one.iter().zip(two) {
                let next = self.label();
                let equal = self.number_comparison(CompareOp::Eq, one, two)?;
                self.branch(&equal, true, next);
                let condition = self.number_comparison(CompareOp::Lt, one, two)?;
                self.branch(&condition, true, less);
                self.jump(other);
                self.place_label(next);
            }
            if one.len() < two.len() {
                self.jump(less);
            } else {
                self.jump(other);
            }
            return Ok(());
        }
        let condition = self.number_comparison(CompareOp::Lt, one, two)?;
        self.branch(&condition, true, less);
        self.jump(other);
        Ok(())
    }

    /// Emits the creation of a sorted list, by the elements, by their first parts or by a key function.
    pub(super) fn sorted(
        &mut self,
        pc: usize,
        list: &Value,
        (key, by_first_part): (Option<&Value>, bool),
        is_reversed: bool,
    ) -> EmitResult<Value> {
        let element = self.inference.types.element(list.ty);
        let shape = self.element_layout(list.ty)?;
        let (sorted, d, _) = self.new_numbered_list(pc, 0)?;
        if element.is_never() {
            return Ok(sorted);
        }
        self.require_same_layout(list.ty, sorted.ty)?;
        let l = self.register(list)?;
        if key.is_none() && !is_reversed && matches!(element.kinds, Kinds::INT | Kinds::FLOAT) {
            let floats = element.kinds == Kinds::FLOAT;
            self.push_op(Op::Sort { d, l, keys: l, count: 1, floats });
            return Ok(sorted);
        }
        let list = Value::in_register(list.ty, l);
        let (keys, count, floats, places) = self.sort_keys(&list, (key, by_first_part), is_reversed)?;
        let order = self.allocate(1)?;
        self.push_op(Op::Sort { d: order, l: places, keys, count, floats });
        let width = shape.width();
        let ints = self.inference.int_list();
        let places = self.iterator(Value::in_register(ints, order))?;
        let nowhere = self.fallback("nothing");
        let t = self.exit_label(nowhere).0;
        self.for_each(&places, |emitter, place| {
            let at = emitter.register(&place)?;
            let word = emitter.allocate(1)?;
            for offset in 0..width {
                let next = if offset == 0 { at } else { emitter.allocate(1)? };
                if offset > 0 {
                    emitter.push_op(Op::AddK { d: next, a: at, k: offset.into() });
                }
                emitter.push_op(Op::Index { d: word, l, a: next, t });
                emitter.push_op(Op::Append { l: d, a: word });
            }
            Ok(())
        })?;
        Ok(sorted)
    }

    /// Emits the lists of sort keys of the elements of a list, and that of the indices of the elements' first words. Returns the first
    /// list's register, the number of lists, whether the keys are floats, and the register of the indices.
    fn sort_keys(
        &mut self,
        list: &Value,
        (key, by_first_part): (Option<&Value>, bool),
        is_reversed: bool,
    ) -> EmitResult<(Reg, u8, bool, Reg)> {
        let width = self.element_layout(list.ty)?.width();
        // The number of keys per element is known only after the function is translated.
        let keys = self.allocate(MAX_KEYS as Reg)?;
        let (places, word) = (self.allocate(1)?, self.allocate(1)?);
        let starts = self.code.ops.len();
        for place in 0..MAX_KEYS as Reg {
            self.push_op(Op::NewList { d: keys + place });
        }
        self.push_op(Op::NewList { d: places });
        let iterator = self.iterator(list.clone())?;
        let Location::Iterator(it) = iterator.location else { return Err("a value that is not a list".to_owned()) };
        let (again, end) = (self.label(), self.label());
        self.place_label(again);
        let (next, counted) = (self.code.ops.len(), self.instruction_count);
        let item = self.next_value(&iterator, end.0)?;
        let found = match key {
            Some(key) => self.call_with(key, &item)?,
            None if by_first_part => first_part(item),
            None => item,
        };
        self.charge_loop(next, counted)?;
        // Python sorts the list as it was before the first call of the function.
        if self.code.ops[next..].iter().any(|op| op.mutates_list()) {
            return Err("a `key` that changes lists".to_owned());
        }
        self.push_op(Op::AddK { d: word, a: it + 1, k: -i16::from(width) });
        self.push_op(Op::Append { l: places, a: word });
        let parts = match found.location {
            Location::Tuple(parts) => parts,
            _ => vec![found],
        };
        let kinds = parts.iter().fold(Kinds::NEVER, |kinds, part| kinds.union(part.kinds()));
        if parts.len() > MAX_KEYS || parts.is_empty() || !kinds.is_subset(Kinds::NUMBER.union(Kinds::TEXT)) {
            return Err("a `key` of many numbers, or of several types".to_owned());
        }
        let floats = kinds.intersects(Kinds::FLOAT);
        for (place, part) in (0..).zip(&parts) {
            let part = &self.ordinal(part)?;
            let mut a = if floats { self.float(part)? } else { self.register(part)? };
            if is_reversed {
                let d = self.allocate(1)?;
                self.push_op(if floats { Op::NegF { d, a } } else { Op::Neg { d, a } });
                a = d;
            }
            self.push_op(Op::Append { l: keys + place, a });
        }
        // Unused lists of keys are not created: the moves have no effect and are removed later.
        for place in parts.len()..MAX_KEYS {
            self.code.ops[starts + place] = Op::Move { d: keys, a: keys };
        }
        self.jump(again);
        self.place_label(end);
        Ok((keys, parts.len() as u8, floats, places))
    }

    /// Raises the cost of the loop start at `next` to the number of stack instructions translated since.
    pub(super) fn charge_loop(&mut self, next: usize, counted: u32) -> EmitResult<()> {
        let took = u16::try_from(self.instruction_count - counted)
            .map_err(|_| "a `key` with too many instructions".to_owned())?;
        if let Some(Op::Next { cost, .. }) = self.code.ops.get_mut(next) {
            *cost = took.max(*cost);
        }
        Ok(())
    }
}

/// Returns the first part of a tuple.
fn first_part(tuple: Value) -> Value {
    match tuple.location {
        Location::Tuple(parts) if !parts.is_empty() => parts[0].clone(),
        location => Value { ty: tuple.ty, location },
    }
}
