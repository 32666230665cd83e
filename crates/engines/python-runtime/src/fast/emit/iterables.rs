//! Lists of the values of iterables: tuples, ranges, generator expressions and dicts.

use super::tables::Sink;
use super::values::{Layout, Location, Value};
use super::{EmitResult, Emitter, Op, Reg, YieldUse};
use crate::fast::op::Target;
use crate::inference::types::{IterationSource, Kinds, Type, TypeDetail};

/// The fuel that a loop of a library function uses for each value.
const LOOP_COST: u16 = 8;

impl Emitter<'_> {
    /// Returns a list of the values of an iterable; a list stays as it is. `place` tells the lists of one instruction apart.
    pub(super) fn list_of(&mut self, pc: usize, place: u32, iterable: Value) -> EmitResult<Value> {
        // The members of a set are requested only where their order does not matter.
        if iterable.kinds() == Kinds::LIST && self.inference.entries_of(iterable.ty).is_none() {
            return Ok(iterable);
        }
        let (list, l, shape) = self.new_numbered_list(pc, place)?;
        self.append_all(iterable, l, &shape)?;
        Ok(list)
    }

    /// Creates the list of an instruction, one of several; returns it with its register and the layout of its elements.
    pub(super) fn new_numbered_list(&mut self, pc: usize, place: u32) -> EmitResult<(Value, Reg, Layout)> {
        let (instance, _) = self.current_instruction();
        let ty = self.inference.created_numbered_list(instance, pc, place);
        let ty = ty.ok_or_else(|| "an unsupported list".to_owned())?;
        let shape = self.element_layout(ty)?;
        let d = self.allocate(1)?;
        self.push_op(Op::NewList { d });
        Ok((Value::in_register(ty, d), d, shape))
    }

    /// Appends the values of an iterable to a list.
    pub(super) fn append_all(&mut self, iterable: Value, l: Reg, shape: &Layout) -> EmitResult<()> {
        self.feed_all(iterable, &Sink::Append { l, shape: shape.clone() })
    }

    /// Passes the values of an iterable to a sink.
    pub(super) fn feed_all(&mut self, iterable: Value, sink: &Sink) -> EmitResult<()> {
        let iterable = match iterable.location {
            Location::Constant => self.constant_value(iterable.ty)?,
            _ => iterable,
        };
        match (&iterable.location, self.inference.types.detail(iterable.ty).cloned()) {
            (Location::Tuple(parts), _) => {
                for part in parts.clone() {
                    let saved = self.next_register;
                    self.feed(sink, &part)?;
                    self.next_register = saved;
                }
                Ok(())
            }
            (_, Some(TypeDetail::Generator(..))) => {
                let end = self.label();
                self.inline_generator(&iterable, YieldUse::Feed(sink.clone()), end)?;
                self.place_label(end);
                Ok(())
            }
            _ if iterable.kinds() == Kinds::RECORD => {
                let keys: Vec<Type> = match self.inference.dict_fields(iterable.ty) {
                    Ok(fields) => fields.into_iter().map(|(key, _)| key).collect(),
                    Err(_) => return Err("a loop over an object".to_owned()),
                };
                for key in keys {
                    let key = self.constant_value(key)?;
                    self.feed(sink, &key)?;
                }
                Ok(())
            }
            _ => {
                let iterator = self.iterator(iterable)?;
                self.for_each(&iterator, |emitter, item| emitter.feed(sink, &item))
            }
        }
    }

    /// Emits a loop over an iterator, with a body that receives each value.
    pub(super) fn for_each(
        &mut self,
        iterator: &Value,
        body: impl FnOnce(&mut Self, Value) -> EmitResult<()>,
    ) -> EmitResult<()> {
        let (again, end) = (self.label(), self.label());
        self.place_label(again);
        let (next, counted) = (self.code.ops.len(), self.instruction_count);
        let item = self.next_value(iterator, end.0)?;
        body(self, item)?;
        self.charge_loop(next, counted)?;
        self.jump(again);
        self.place_label(end);
        Ok(())
    }

    /// Emits the reading of an iterator's next value, or a jump at the end.
    pub(super) fn next_value(&mut self, iterator: &Value, t: Target) -> EmitResult<Value> {
        self.next_value_at_cost(iterator, t, LOOP_COST)
    }

    /// Emits the reading of an iterator's next value, which uses this fuel.
    pub(super) fn next_value_at_cost(&mut self, iterator: &Value, t: Target, cost: u16) -> EmitResult<Value> {
        let Location::Iterator(it) = iterator.location else {
            return Err("a value that is not an iterator".to_owned());
        };
        let Some(&TypeDetail::Iterator(source)) = self.inference.types.detail(iterator.ty) else {
            return Err("a value that is not an iterator".to_owned());
        };
        match source {
            IterationSource::Range(_) => {
                let d = self.allocate(1)?;
                self.push_op(Op::NextNumber { d, it, cost, t });
                Ok(Value::in_register(Type::INT, d))
            }
            IterationSource::List(list) => {
                let element = self.inference.types.element(list);
                let shape = self.element_layout(list)?;
                let width = shape.width();
                self.record_optional_loop(element);
                let d = self.allocate(width)?;
                self.push_op(Op::Next { d, it, cost, t });
                self.next_words(d, width, it, t);
                if element.is_never() { Ok(Value::constant(Type::NONE)) } else { self.value_in(&shape, d, element) }
            }
            IterationSource::Entries(dict, part) => self.next_entry((dict, part), it, cost, t),
            IterationSource::Enumerate(list, start) => {
                let index = self.allocate(1)?;
                let elements = self.inference.types.detailed(TypeDetail::Iterator(IterationSource::List(list)));
                let item = self.next_value(&Value { ty: elements, location: Location::Iterator(it) }, t)?;
                let width = self.element_layout(list)?.width();
                self.push_op(Op::AddK { d: index, a: it + 1, k: -i16::from(width) });
                let index = self.element_index(index, width, start)?;
                let ty = self.inference.types.detailed(TypeDetail::Tuple(vec![Type::INT, item.ty]));
                Ok(Value { ty, location: Location::Tuple(vec![index, item]) })
            }
        }
    }

    /// Returns the index of an element from that of its first word.
    fn element_index(&mut self, word: Reg, width: u8, start: i64) -> EmitResult<Value> {
        if width > 1 {
            let b = self.allocate(1)?;
            self.load_bits(b, width.into());
            self.push_op(Op::FloorDiv { d: word, a: word, b });
        }
        self.number_from(word, start)
    }

    /// Translates `zip` to a list of tuples.
    pub(super) fn zip(&mut self, pc: usize, iterables: Vec<Value>) -> EmitResult<Value> {
        let mut iterators = Vec::new();
        for (place, iterable) in (1..).zip(iterables) {
            let list = self.list_of(pc, place, iterable)?;
            iterators.push(self.iterator(list)?);
        }
        let (list, l, shape) = self.new_numbered_list(pc, 0)?;
        if self.inference.types.element(list.ty).is_never() {
            return Ok(list);
        }
        let (again, end) = (self.label(), self.label());
        self.place_label(again);
        let mut parts = Vec::new();
        for iterator in &iterators {
            parts.push(self.next_value(iterator, end.0)?);
        }
        let ty = self.inference.types.detailed(TypeDetail::Tuple(parts.iter().map(|part| part.ty).collect()));
        self.append(l, &shape, &Value { ty, location: Location::Tuple(parts) })?;
        self.jump(again);
        self.place_label(end);
        Ok(list)
    }

    /// Pushes the values of a list, of which there must be `count`.
    pub(super) fn unpack_list(&mut self, list: &Value, count: u32) -> EmitResult<()> {
        let elements = self.list_elements(list, count as usize)?;
        self.frame_mut().stack.extend(elements.into_iter().rev());
        Ok(())
    }

    /// Loads the values of a list, of which there must be `count`.
    pub(super) fn list_elements(&mut self, list: &Value, count: usize) -> EmitResult<Vec<Value>> {
        let length = self.length(list)?;
        let a = self.register(&length)?;
        let k = i16::try_from(count).map_err(|_| "a list of many values".to_owned())?;
        let op = self.fallback("a list of another length than is unpacked");
        let t = self.exit_label(op).0;
        self.push_op(Op::IfUnequalK { a, k, t });
        (0..i64::from(k)).map(|place| self.element_of(list, place, op)).collect()
    }

    /// Loads the element at an index that is known at compile time.
    fn element_of(&mut self, list: &Value, place: i64, beyond: Op) -> EmitResult<Value> {
        let index = self.inference.types.detailed(TypeDetail::Int(place));
        self.element_at(list, &Value::constant(index), beyond)
    }

    /// Translates the unpacking of an iterable into elements before and after a list of the others.
    pub(super) fn unpack_starred(&mut self, pc: usize, (before, after): (usize, usize)) -> EmitResult<()> {
        let value = self.pop();
        let value = if value.location == Location::Constant { self.constant_value(value.ty)? } else { value };
        let (rest, l, shape) = self.new_numbered_list(pc, 0)?;
        if let Location::Tuple(mut leading) = value.location {
            let trailing = leading.split_off(leading.len() - after);
            for part in leading.split_off(before) {
                self.append(l, &shape, &part)?;
            }
            self.push_unpacked(leading, rest, trailing);
            return Ok(());
        }
        self.require_same_layout(value.ty, rest.ty)?;
        let op = self.fallback("a list with too few values to unpack");
        let t = self.exit_label(op).0;
        let length = self.length(&value)?;
        let a = self.register(&length)?;
        let number = |count: usize| i16::try_from(count).map_err(|_| "a list of many values".to_owned());
        let (count, before, after) = (number(before + after)?, number(before)?, number(after)?);
        self.push_op(Op::IfLessK { a, k: count, t });
        let mut elements = Vec::new();
        for place in (0..before).chain(-after..0) {
            elements.push(self.element_of(&value, place.into(), op)?);
        }
        let trailing = elements.split_off(before.unsigned_abs().into());
        let (m, width) = (self.register(&value)?, i64::from(shape.width()));
        let bounds = self.allocate(2)?;
        self.load_bits(bounds, (i64::from(before) * width).cast_unsigned());
        let end = if after == 0 { i64::MAX } else { -i64::from(after) * width };
        self.load_bits(bounds + 1, end.cast_unsigned());
        self.push_op(Op::ExtendSlice { l, m, a: bounds });
        self.push_unpacked(elements, rest, trailing);
        Ok(())
    }

    /// Pushes unpacked values, the first one last.
    fn push_unpacked(&mut self, leading: Vec<Value>, rest: Value, trailing: Vec<Value>) {
        let values = trailing.into_iter().rev().chain([rest]).chain(leading.into_iter().rev());
        self.frame_mut().stack.extend(values);
    }

    /// Rejects lists whose elements have different layouts, of which one would be copied to the other word by word.
    pub(super) fn require_same_layout(&self, one: Type, other: Type) -> EmitResult<()> {
        if self.inference.types.element(one).is_never() || self.element_layout(one)? == self.element_layout(other)? {
            Ok(())
        } else {
            Err("a list of values of several types".to_owned())
        }
    }

    /// Returns a slice with its bounds.
    pub(super) fn slice_value(&mut self) -> Value {
        let ty = self.result_type();
        let open = self.frame_mut();
        let parts = open.stack.split_off(open.stack.len() - 3);
        Value { ty, location: Location::Tuple(parts) }
    }

    /// Loads the bounds of a slice of a list into two registers, as indices of words.
    pub(super) fn slice_bounds(&mut self, bounds: &[Value], width: u8) -> EmitResult<Reg> {
        let [lower, upper, _] = bounds else { return Err("slices".to_owned()) };
        let r = self.allocate(2)?;
        for (r, bound, missing) in [(r, lower, 0), (r + 1, upper, i64::MAX)] {
            if bound.kinds() == Kinds::NONE {
                self.load_bits(r, missing.cast_unsigned());
            } else {
                let a = self.word_index(bound, width)?;
                self.push_op(Op::Move { d: r, a });
            }
        }
        Ok(r)
    }

    /// Translates a slice of a list or of a tuple.
    pub(super) fn slice(&mut self, object: Value, slice: &Value) -> EmitResult<Value> {
        let Location::Tuple(bounds) = &slice.location else { return Err("slices".to_owned()) };
        let [lower, upper, _] = bounds.as_slice() else { return Err("slices".to_owned()) };
        if object.kinds() == Kinds::LIST {
            let (_, pc) = self.current_instruction();
            let width = self.element_layout(object.ty)?.width();
            let l = self.register(&object)?;
            let bounds = self.slice_bounds(bounds, width)?;
            let (list, d, _) = self.new_numbered_list(pc, 0)?;
            self.require_same_layout(object.ty, list.ty)?;
            self.push_op(Op::ExtendSlice { l: d, m: l, a: bounds });
            return Ok(list);
        }
        let object = if object.location == Location::Constant { self.constant_value(object.ty)? } else { object };
        let Location::Tuple(parts) = &object.location else { return Err("slices of this value".to_owned()) };
        let bounds = self.inference.constant_slice(parts.len(), lower.ty, upper.ty);
        let (start, end) = bounds.ok_or_else(|| "a slice of a tuple with variable bounds".to_owned())?;
        let parts = parts[start..end].to_vec();
        Ok(Value { ty: self.result_type(), location: Location::Tuple(parts) })
    }
}
