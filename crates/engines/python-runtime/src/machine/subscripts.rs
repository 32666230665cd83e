//! Subscripts (`a[b]`) of lists, dicts and other containers: reading, assignment and deletion; set operators; `len`.

use num_bigint::Sign;
use rustc_hash::FxHashSet;

use super::dict::DictKind;
use super::exceptions::{ExceptionKind, ExecError, ExecResult};
use super::iterators::EntryPart;
use super::numbers::Number;
use super::numpy::Scalar;
use super::value::{HeapObject, HeapRef, Value};
use super::{ELEMENTS_PER_UNIT, Machine};

impl Machine {
    pub(super) fn get_item(&mut self, object: Value, index: Value) -> ExecResult {
        if let Some(method) = self.special_method(object, "__getitem__") {
            return self.call_value(method, &[index], &[]);
        }
        let (original, object) = (object, self.base_value(object));
        if let Value::Ref(at) = object {
            match self.heap.get(at) {
                HeapObject::List(_) | HeapObject::Tuple(_) | HeapObject::Text(_) | HeapObject::Bytes(_) => {
                    let index = self.evaluate_index(index)?;
                    return self.element_at(at, index);
                }
                HeapObject::Range { .. } => return self.range_item(at, index),
                HeapObject::Dict(_) => {
                    return match self.entry(at, index)? {
                        Some(value) => Ok(value),
                        None => self.missing_key_value(original, at, index),
                    };
                }
                HeapObject::Deque(_) => {
                    let index = self.evaluate_index(index)?;
                    return self.deque_item(at, index);
                }
                HeapObject::Class(_) if self.enum_members(at).is_some() => return self.member_by_name(at, index),
                HeapObject::Class(_) => return self.class_item(at, index),
                HeapObject::Array(_) => return self.array_item(object, index),
                HeapObject::Library(object) if object.is_match() => return self.match_item(at, index),
                HeapObject::Library(object) if object.is_mapping() => return self.chain_map_item(at, index),
                _ => {}
            }
        }
        if let Value::Type(kind) = object {
            return self.parameterized(kind, index);
        }
        if let Value::Ref(at) = object
            && matches!(self.heap.get(at), HeapObject::GenericAlias { .. })
        {
            return Ok(self.new_alias(object, index));
        }
        let message = match object {
            Value::Numpy(_) => "invalid index to scalar variable.".to_owned(),
            _ => format!("'{}' object is not subscriptable", self.class_name(original)),
        };
        if matches!(object, Value::Numpy(_)) {
            return Err(self.raise(ExceptionKind::IndexError, &message));
        }
        Err(self.type_error(&message))
    }

    /// Evaluates `__index__` of an index or of the parts of a slice, so that the access itself runs no code of the program
    /// that could change the sequence.
    fn evaluate_index(&mut self, index: Value) -> ExecResult {
        let Value::Ref(at) = index else { return Ok(index) };
        match self.heap.get(at) {
            HeapObject::Slice(parts) => {
                let mut parts = *parts;
                let is_plain = |part: &Value| !matches!(part, Value::Ref(_));
                if parts.iter().all(is_plain) {
                    return Ok(index);
                }
                for place in [2, 0, 1] {
                    parts[place] = self.slice_index(parts[place])?.map_or(Value::None, Value::Int);
                }
                Ok(Value::Ref(self.heap.add(HeapObject::Slice(parts))))
            }
            HeapObject::Instance { .. } | HeapObject::Exception(_) => match self.special_method(index, "__index__") {
                Some(_) => self.as_index(index).map(Value::Int),
                None => Ok(index),
            },
            _ => Ok(index),
        }
    }

    fn sequence_length(&self, at: HeapRef) -> usize {
        match self.heap.get(at) {
            HeapObject::List(values) => values.len(),
            HeapObject::Tuple(values) => values.len(),
            HeapObject::Text(text) => text.chars().count(),
            HeapObject::Bytes(bytes) => bytes.len(),
            _ => 0,
        }
    }

    /// Charges the budget for counting the characters of a text.
    fn charge_if_text(&mut self, at: HeapRef) -> ExecResult<()> {
        match self.heap.get(at) {
            HeapObject::Text(text) => self.charge_text(text.len()),
            _ => Ok(()),
        }
    }

    fn element_at(&mut self, at: HeapRef, index: Value) -> ExecResult {
        self.charge_if_text(at)?;
        let length = self.sequence_length(at);
        if let Value::Ref(slice) = index
            && let HeapObject::Slice(parts) = *self.heap.get(slice)
        {
            let places = self.slice_positions(parts, length)?;
            return Ok(self.copy_elements(at, &places));
        }
        let place = self.resolve_index(at, index, length, "")?;
        Ok(match self.heap.get(at) {
            HeapObject::List(values) => values[place],
            HeapObject::Tuple(values) => values[place],
            HeapObject::Text(text) => {
                let character = if text.is_ascii() {
                    text.as_bytes().get(place).copied().map(char::from)
                } else {
                    text.chars().nth(place)
                };
                self.heap.character(character.unwrap_or_default())
            }
            HeapObject::Bytes(bytes) => Value::Int(bytes[place].into()),
            _ => Value::None,
        })
    }

    /// Resolves an index to a position in a sequence; negative indices count from the end.
    fn resolve_index(&mut self, at: HeapRef, index: Value, length: usize, doing: &str) -> ExecResult<usize> {
        let kind = self.type_name(self.type_of(Value::Ref(at)));
        let number = match index {
            Value::Int(number) => number,
            Value::Numpy(scalar) if let Scalar::Int(number) | Scalar::Sized(_, number) = scalar.get() => number,
            Value::Bool(truth) => truth.into(),
            _ if matches!(self.base_value(index), Value::Int(_)) => self.as_index(index)?,
            _ if self.special_method(index, "__index__").is_some() => self.as_index(index)?,
            Value::Ref(big) if matches!(self.heap.get(big), HeapObject::BigInt(_)) => {
                let message = match &*kind {
                    "range" => "range object index out of range",
                    _ => "cannot fit 'int' into an index-sized integer",
                };
                return Err(self.raise(ExceptionKind::IndexError, message));
            }
            _ => {
                let other = self.class_name(index);
                let message = match &*kind {
                    "str" => format!("string indices must be integers, not '{other}'"),
                    "bytes" => format!("byte indices must be integers or slices, not {other}"),
                    kind => format!("{kind} indices must be integers or slices, not {other}"),
                };
                return Err(self.type_error(&message));
            }
        };
        let place = if number < 0 { number + length as i64 } else { number };
        if (0..length as i64).contains(&place) {
            return Ok(place as usize);
        }
        let message = match &*kind {
            "str" => "string index out of range".to_owned(),
            "bytes" => "index out of range".to_owned(),
            kind => format!("{kind} {doing}index out of range"),
        };
        Err(self.raise(ExceptionKind::IndexError, &message))
    }

    /// Returns the start, the end and the step of a slice, clamped to a sequence of `length` elements.
    pub(super) fn slice_bounds(
        &mut self,
        [lower, upper, step]: [Value; 3],
        length: usize,
    ) -> ExecResult<(i64, i64, i64)> {
        let step = self.slice_index(step)?.unwrap_or(1);
        if step == 0 {
            return Err(self.raise(ExceptionKind::ValueError, "slice step cannot be zero"));
        }
        let length = length as i64;
        let (first, last) = if step > 0 { (0, length) } else { (-1, length - 1) };
        let within = |part: i64| (if part < 0 { part.saturating_add(length) } else { part }).clamp(first, last);
        let start = self.slice_index(lower)?.map_or(if step > 0 { first } else { last }, within);
        let end = self.slice_index(upper)?.map_or(if step > 0 { last } else { first }, within);
        Ok((start, end, step))
    }

    /// Returns the positions that a slice selects.
    fn slice_positions(&mut self, slice: [Value; 3], length: usize) -> ExecResult<Vec<usize>> {
        let (start, end, step) = self.slice_bounds(slice, length)?;
        let span = if step > 0 { end - start } else { start - end };
        let count = if span > 0 { (span as u64 - 1) / step.unsigned_abs() + 1 } else { 0 };
        self.reserve_values(count as usize)?;
        let mut places = Vec::with_capacity(count as usize);
        let mut place = start;
        while if step > 0 { place < end } else { place > end } {
            places.push(place as usize);
            place = place.saturating_add(step);
        }
        Ok(places)
    }

    /// Evaluates a bound or the step of a slice; `None` if it is omitted.
    pub(super) fn slice_index(&mut self, part: Value) -> ExecResult<Option<i64>> {
        if matches!(part, Value::None) {
            return Ok(None);
        }
        match self.as_integer(part)? {
            Some(Number::Int(number)) => Ok(Some(number)),
            // Bounds beyond the range of `i64` saturate.
            Some(Number::Big(number)) if number.sign() == Sign::Minus => Ok(Some(i64::MIN)),
            Some(_) => Ok(Some(i64::MAX)),
            None => Err(self.type_error("slice indices must be integers or None or have an __index__ method")),
        }
    }

    fn copy_elements(&mut self, at: HeapRef, places: &[usize]) -> Value {
        match self.heap.get(at) {
            HeapObject::List(values) => {
                let values = places.iter().map(|&place| values[place]).collect();
                self.heap.list(values)
            }
            HeapObject::Tuple(values) => {
                let values: Vec<Value> = places.iter().map(|&place| values[place]).collect();
                self.heap.tuple(values)
            }
            HeapObject::Text(text) => {
                let text = if text.is_ascii() {
                    let bytes = text.as_bytes();
                    places.iter().map(|&place| char::from(bytes[place])).collect::<String>()
                } else {
                    let characters: Vec<char> = text.chars().collect();
                    places.iter().map(|&place| characters[place]).collect()
                };
                self.heap.text(&text)
            }
            HeapObject::Bytes(bytes) => {
                let bytes: Vec<u8> = places.iter().map(|&place| bytes[place]).collect();
                self.new_bytes(bytes)
            }
            _ => Value::None,
        }
    }

    pub(super) fn set_item(&mut self, object: Value, index: Value, value: Value) -> ExecResult<()> {
        if let Some(method) = self.special_method(object, "__setitem__") {
            return self.call_value(method, &[index, value], &[]).map(|_| ());
        }
        let (original, object) = (object, self.base_value(object));
        if let Value::Ref(at) = object {
            match self.heap.get(at) {
                HeapObject::List(_) => {
                    let index = self.evaluate_index(index)?;
                    if let Value::Ref(slice) = index
                        && let HeapObject::Slice(parts) = *self.heap.get(slice)
                    {
                        return self.set_slice(at, parts, value);
                    }
                    let length = self.sequence_length(at);
                    let place = self.resolve_index(at, index, length, "assignment ")?;
                    if let HeapObject::List(values) = self.heap.get_mut(at) {
                        values[place] = value;
                    }
                    return Ok(());
                }
                HeapObject::Library(object) if object.is_mapping() => {
                    return self.change_chain_map(at, index, Some(value));
                }
                HeapObject::Dict(_) => return self.set_entry(at, index, value),
                HeapObject::Deque(_) => {
                    let index = self.evaluate_index(index)?;
                    return self.set_deque_item(at, index, value);
                }
                HeapObject::Array(_) => return self.set_array_item(object, index, value),
                _ => {}
            }
        }
        self.check_index_size(object, index)?;
        let message = format!("'{}' object does not support item assignment", self.class_name(original));
        Err(self.type_error(&message))
    }

    /// Raises `IndexError` for an index beyond the range of `i64`: CPython checks this before it rejects the operation.
    fn check_index_size(&mut self, object: Value, index: Value) -> ExecResult<()> {
        let (Value::Ref(object), Value::Ref(index)) = (object, index) else { return Ok(()) };
        let is_sequence = matches!(
            self.heap.get(object),
            HeapObject::Tuple(_)
                | HeapObject::Text(_)
                | HeapObject::Bytes(_)
                | HeapObject::Range { .. }
                | HeapObject::Set(_)
        );
        if is_sequence && matches!(self.heap.get(index), HeapObject::BigInt(_)) {
            return Err(self.raise(ExceptionKind::IndexError, "cannot fit 'int' into an index-sized integer"));
        }
        Ok(())
    }

    fn set_slice(&mut self, at: HeapRef, parts: [Value; 3], value: Value) -> ExecResult<()> {
        self.slice_bounds(parts, 0)?;
        let step = self.slice_index(parts[2])?.unwrap_or(1);
        if self.try_iterator(value)?.is_none() {
            let message =
                if step == 1 { "can only assign an iterable" } else { "must assign iterable to extended slice" };
            return Err(self.type_error(message));
        }
        let values = self.collect_values(value)?;
        // Evaluating the assigned values may have changed the list.
        let length = self.sequence_length(at);
        let places = self.slice_positions(parts, length)?;
        if step != 1 {
            if places.len() != values.len() {
                let (count, expected) = (values.len(), places.len());
                let message =
                    format!("attempt to assign sequence of size {count} to extended slice of size {expected}");
                return Err(self.raise(ExceptionKind::ValueError, &message));
            }
            if let HeapObject::List(list) = self.heap.get_mut(at) {
                places.into_iter().zip(values).for_each(|(place, value)| list[place] = value);
            }
            return Ok(());
        }
        let start = if let Some(&start) = places.first() {
            start
        } else {
            let start = self.slice_index(parts[0])?.unwrap_or(0);
            let length = length as i64;
            (if start < 0 { start.saturating_add(length) } else { start }).clamp(0, length) as usize
        };
        self.reserve_bulk_values(length + values.len())?;
        self.heap.record_growth(values.len().saturating_sub(places.len()));
        if let HeapObject::List(list) = self.heap.get_mut(at) {
            list.splice(start..start + places.len(), values);
        }
        Ok(())
    }

    /// Deletes the elements of a list at an index or a slice.
    fn delete_list_items(&mut self, at: HeapRef, index: Value) -> ExecResult<()> {
        let index = self.evaluate_index(index)?;
        let length = self.sequence_length(at);
        self.charge(length as u64 / ELEMENTS_PER_UNIT)?;
        let places = match index {
            Value::Ref(slice) if matches!(self.heap.get(slice), HeapObject::Slice(_)) => {
                let HeapObject::Slice(parts) = *self.heap.get(slice) else { return Ok(()) };
                self.slice_positions(parts, length)?
            }
            _ => vec![self.resolve_index(at, index, length, "assignment ")?],
        };
        if let HeapObject::List(values) = self.heap.get_mut(at) {
            if let [place] = *places {
                values.remove(place);
                return Ok(());
            }
            let gone: FxHashSet<usize> = places.into_iter().collect();
            let mut place = 0;
            values.retain(|_| {
                place += 1;
                !gone.contains(&(place - 1))
            });
        }
        Ok(())
    }

    pub(super) fn delete_item(&mut self, object: Value, index: Value) -> ExecResult<()> {
        if let Some(method) = self.special_method(object, "__delitem__") {
            return self.call_value(method, &[index], &[]).map(|_| ());
        }
        let (original, object) = (object, self.base_value(object));
        if let Value::Ref(at) = object {
            match self.heap.get(at) {
                HeapObject::Library(object) if object.is_mapping() => return self.change_chain_map(at, index, None),
                HeapObject::List(_) => return self.delete_list_items(at, index),
                HeapObject::Dict(_) => {
                    return match self.remove_entry(at, index)? {
                        Some(_) => Ok(()),
                        // Deleting a missing key of a counter is no error.
                        None if matches!(self.dict(at).kind, DictKind::Counter) => Ok(()),
                        None => Err(self.raise_with(ExceptionKind::KeyError, vec![index])),
                    };
                }
                _ => {}
            }
        }
        self.check_index_size(object, index)?;
        // CPython words the message differently for integer indices of sequences.
        let is_sequence = match object {
            Value::Ref(at) => {
                matches!(
                    self.heap.get(at),
                    HeapObject::Tuple(_)
                        | HeapObject::Text(_)
                        | HeapObject::Bytes(_)
                        | HeapObject::Range { .. }
                        | HeapObject::Set(_)
                )
            }
            _ => false,
        };
        let is_place = matches!(self.base_value(index), Value::Int(_) | Value::Bool(_));
        let does = if is_sequence && is_place { "doesn't" } else { "does not" };
        let message = format!("'{}' object {does} support item deletion", self.class_name(original));
        Err(self.type_error(&message))
    }

    pub(super) fn append(&mut self, list: HeapRef, value: Value) {
        if let HeapObject::List(values) = self.heap.get_mut_to_store(list, value) {
            values.push(value);
        }
        self.heap.record_growth_of(list, 1);
    }

    pub(super) fn extend(&mut self, list: HeapRef, other: Value) -> ExecResult<()> {
        let values = self.collect_values(other)?;
        self.reserve_values(values.len())?;
        self.heap.record_growth(values.len());
        if let HeapObject::List(list) = self.heap.get_mut(list) {
            list.extend(values);
        }
        Ok(())
    }

    /// Evaluates `&`, `|`, `-` or `^` of sets, or `|` of dicts; `None` for other operands.
    pub(super) fn set_operation(
        &mut self,
        operator: crate::operators::BinaryOperator,
        left: Value,
        right: Value,
    ) -> ExecResult<Option<Value>> {
        use crate::operators::BinaryOperator;
        if let Some(counter) = self.counter_operator(operator, left, right)? {
            return Ok(Some(counter));
        }
        let (left, right) = (self.view_as_set(left)?, self.view_as_set(right)?);
        let (Value::Ref(one), Value::Ref(two)) = (left, right) else { return Ok(None) };
        match (self.heap.get(one), self.heap.get(two)) {
            (HeapObject::Set(_), HeapObject::Set(_)) => {}
            (HeapObject::Dict(dict), HeapObject::Dict(other)) if operator == BinaryOperator::BitOr => {
                let length = dict.len() as u64;
                let mut joined = dict.clone();
                // The result takes the class of an `OrderedDict` or `defaultdict` operand, the left one first; otherwise it is a `dict`.
                joined.kind = match (dict.kind, other.kind) {
                    (own @ (DictKind::Ordered | DictKind::Default(_)), _) => own,
                    (_, others @ (DictKind::Ordered | DictKind::Default(_))) => others,
                    _ => DictKind::Plain,
                };
                let joined = self.heap.add(HeapObject::Dict(joined));
                self.charge(length)?;
                self.update_dict(joined, right)?;
                return Ok(Some(Value::Ref(joined)));
            }
            _ => return Ok(None),
        }
        self.set_operator_result(operator, one, two).map(Some)
    }

    /// Converts a view of dict keys or items to a set; returns other values unchanged.
    pub(super) fn view_as_set(&mut self, value: Value) -> ExecResult {
        match value {
            Value::Ref(at)
                if matches!(self.heap.get(at), HeapObject::DictView(_, EntryPart::Keys | EntryPart::Items)) =>
            {
                let values = self.collect_values(value)?;
                self.new_set(values)
            }
            _ => Ok(value),
        }
    }

    /// Returns the result of `len(value)`.
    pub(super) fn length(&mut self, value: Value) -> ExecResult<usize> {
        if let Some(method) = self.special_method(value, "__len__") {
            let length = self.call_value(method, &[], &[])?;
            let length = self.as_index(length)?;
            return usize::try_from(length).map_err(|_| self.negative_length_error());
        }
        let (original, value) = (value, self.base_value(value));
        if let Value::Ref(at) = value {
            match self.heap.get(at) {
                HeapObject::List(_) | HeapObject::Tuple(_) | HeapObject::Text(_) | HeapObject::Bytes(_) => {
                    self.charge_if_text(at)?;
                    return Ok(self.sequence_length(at));
                }
                HeapObject::Range { .. } => {
                    let length = self.range_length(at);
                    return i64::try_from(length).map(|length| length as usize).map_err(|_| {
                        let message = "Python int too large to convert to C ssize_t";
                        self.raise(ExceptionKind::OverflowError, message)
                    });
                }
                HeapObject::Dict(dict) | HeapObject::Set(dict) => return Ok(dict.len()),
                HeapObject::Library(object) if object.is_mapping() => {
                    let merged = self.merged_maps(at)?;
                    return Ok(merged.map_or(0, |merged| self.dict(merged).len()));
                }
                HeapObject::Deque(deque) => return Ok(deque.values.len()),
                HeapObject::DictView(dict, _) => {
                    let dict = *dict;
                    return self.length(dict);
                }
                HeapObject::Class(_) if let Some(members) = self.enum_members(at) => return Ok(members.len()),
                HeapObject::Array(array) => return Ok(array.axes.first().map_or(0, |&(length, _)| length)),
                _ => {}
            }
        }
        let message = format!("object of type '{}' has no len()", self.class_name(original));
        Err(self.type_error(&message))
    }

    fn negative_length_error(&mut self) -> ExecError {
        self.raise(ExceptionKind::ValueError, "__len__() should return >= 0")
    }
}
