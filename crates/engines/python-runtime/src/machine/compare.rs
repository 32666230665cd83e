//! Comparisons, equality and membership.

use std::cmp::Ordering;

use super::dict::DictKind;
use super::exceptions::{ExecError, ExecResult};
use super::iterators::EntryPart;
use super::numbers::Number;
use super::quick_operators::quick_compare;
use super::value::{HeapObject, HeapRef, Value};
use super::{ELEMENTS_PER_UNIT, Machine, cost};
use crate::operators::ComparisonOperator;

impl Machine {
    pub(super) fn compare(&mut self, operator: ComparisonOperator, left: Value, right: Value) -> ExecResult {
        self.charge(cost::OPERATION)?;
        if let Some(truth) = quick_compare(operator, left, right) {
            return Ok(Value::Bool(truth));
        }
        if let Some((truth, work)) = self.plain_comparison(operator, left, right) {
            return self.charge(work).map(|()| Value::Bool(truth));
        }
        match operator {
            ComparisonOperator::Is => Ok(Value::Bool(is_identical(left, right))),
            ComparisonOperator::IsNot => Ok(Value::Bool(!is_identical(left, right))),
            ComparisonOperator::In => self.contains(right, left).map(Value::Bool),
            ComparisonOperator::NotIn => self.contains(right, left).map(|found| Value::Bool(!found)),
            ComparisonOperator::Eq | ComparisonOperator::NotEq => self.equality(operator, left, right),
            ComparisonOperator::Lt | ComparisonOperator::LtE | ComparisonOperator::Gt | ComparisonOperator::GtE => {
                self.compare_order(operator, left, right)
            }
        }
    }

    fn equality(&mut self, operator: ComparisonOperator, left: Value, right: Value) -> ExecResult {
        if (self.is_numpy(left) || self.is_numpy(right))
            && let Some(value) = self.numpy_compare(operator, left, right)?
        {
            return Ok(value);
        }
        if let Some(value) = self.compare_with_methods(operator, left, right)? {
            return Ok(value);
        }
        let equal = self.values_equal(left, right)?;
        Ok(Value::Bool(equal == (operator == ComparisonOperator::Eq)))
    }

    /// Returns the result of the program's comparison methods; `None` if the built-in comparison applies.
    ///
    /// The operand of a derived class comes first. An operand whose class inherits the comparison of a built-in class uses that comparison.
    fn compare_with_methods(
        &mut self,
        operator: ComparisonOperator,
        left: Value,
        right: Value,
    ) -> ExecResult<Option<Value>> {
        if self.class_of_program(left).is_none() && self.class_of_program(right).is_none() {
            return Ok(None);
        }
        let (name, mirrored) = comparison_methods(operator);
        let mut sides = [(left, right, name), (right, left, mirrored)];
        if self.is_of_derived_class(right, left)? {
            sides.reverse();
        }
        for (one, other, name) in sides {
            let value = match self.special_method(one, name) {
                Some(method) => self.call_value(method, &[other], &[])?,
                None if self.compares_natively(operator, one, other) => return Ok(None),
                None if operator == ComparisonOperator::NotEq && !self.has_built_in_comparison(one) => {
                    self.not_equal_by_method(one, other)?
                }
                None => Value::NotImplemented,
            };
            if !matches!(value, Value::NotImplemented) {
                return Ok(Some(value));
            }
        }
        match operator {
            ComparisonOperator::Eq => Ok(Some(Value::Bool(is_identical(left, right)))),
            ComparisonOperator::NotEq => Ok(Some(Value::Bool(!is_identical(left, right)))),
            _ => Err(self.not_comparable_error(operator, left, right)),
        }
    }

    /// Returns the negated result of `__eq__`, for a class without `__ne__`.
    fn not_equal_by_method(&mut self, one: Value, other: Value) -> ExecResult {
        let Some(method) = self.special_method(one, "__eq__") else { return Ok(Value::NotImplemented) };
        match self.call_value(method, &[other], &[])? {
            Value::NotImplemented => Ok(Value::NotImplemented),
            equal => Ok(Value::Bool(!self.truth(equal)?)),
        }
    }

    /// Returns whether the user-defined class of a value is derived from the class of another one.
    fn is_of_derived_class(&mut self, value: Value, base: Value) -> ExecResult<bool> {
        if self.class_of_program(value).is_none() || self.is_same_class(value, base) {
            return Ok(false);
        }
        let (class, base) = (self.class_of(value), self.class_of(base));
        self.is_derived_class(class, base)
    }

    /// Returns whether the built-in class of a value, or its built-in base, compares the value with another one.
    pub(super) fn compares_natively(&self, operator: ComparisonOperator, one: Value, other: Value) -> bool {
        let (one, other) = (self.base_value(one), self.base_value(other));
        if let (Some(one), Some(other)) = (self.as_number(one), self.as_number(other)) {
            return one.is_compatible_with(&other);
        }
        let (Value::Ref(one), Value::Ref(other)) = (one, other) else { return false };
        let (one, other) = (self.heap.get(one), self.heap.get(other));
        let is_set = |cell: &HeapObject| {
            matches!(cell, HeapObject::Set(_) | HeapObject::DictView(_, EntryPart::Keys | EntryPart::Items))
        };
        if is_set(one) && is_set(other) {
            return true;
        }
        let compares = match one {
            HeapObject::Text(_) | HeapObject::Bytes(_) | HeapObject::List(_) | HeapObject::Tuple(_) => true,
            HeapObject::Instance { .. } | HeapObject::Exception(_) => false,
            _ => matches!(operator, ComparisonOperator::Eq | ComparisonOperator::NotEq),
        };
        compares && std::mem::discriminant(one) == std::mem::discriminant(other)
    }

    /// Returns whether the class of a value is derived from a built-in class with comparisons of its own.
    fn has_built_in_comparison(&self, value: Value) -> bool {
        let base = self.base_value(value);
        !is_identical(base, value) && self.backing_screen_object(Some(base)).is_none()
    }

    /// Returns whether two values are equal (`==`).
    pub(super) fn equal(&mut self, left: Value, right: Value) -> ExecResult<bool> {
        if is_identical(left, right) && !matches!(left, Value::Float(_) | Value::Numpy(_)) {
            return Ok(true);
        }
        if let (Value::Ref(one), Value::Ref(two)) = (left, right)
            && let (HeapObject::Text(one), HeapObject::Text(two)) = (self.heap.get(one), self.heap.get(two))
        {
            let (equal, length) = (one == two, one.len());
            return self.charge(length as u64 / ELEMENTS_PER_UNIT).map(|()| equal);
        }
        if (self.array(left).is_some() || self.array(right).is_some())
            && let Some(value) = self.numpy_compare(ComparisonOperator::Eq, left, right)?
        {
            return self.truth(value);
        }
        match self.compare_with_methods(ComparisonOperator::Eq, left, right)? {
            Some(value) => self.truth(value),
            None => self.values_equal(left, right),
        }
    }

    /// Returns whether two values are equal by the built-in comparison.
    pub(super) fn values_equal(&mut self, left: Value, right: Value) -> ExecResult<bool> {
        if is_identical(left, right) && !matches!(left, Value::Float(_) | Value::Numpy(_)) {
            return Ok(true);
        }
        let (left, right) = (self.base_value(left), self.base_value(right));
        if let (Some(left), Some(right)) = (self.as_number(left), self.as_number(right)) {
            self.charge_comparison(&left, &right)?;
            return Ok(compare_numbers(&left, &right) == Some(Ordering::Equal));
        }
        if matches!(left, Value::Dtype(_)) || matches!(right, Value::Dtype(_)) {
            return Ok(self.dtypes_equal(left, right));
        }
        let (Value::Ref(one), Value::Ref(two)) = (left, right) else { return Ok(false) };
        match (self.heap.get(one), self.heap.get(two)) {
            (HeapObject::Text(one), HeapObject::Text(two)) => {
                let (equal, length) = (one == two, one.len());
                self.charge(length as u64 / ELEMENTS_PER_UNIT)?;
                Ok(equal)
            }
            (HeapObject::Bytes(one), HeapObject::Bytes(two)) => {
                let (equal, length) = (one == two, one.len());
                self.charge(length as u64 / ELEMENTS_PER_UNIT)?;
                Ok(equal)
            }
            (HeapObject::List(_), HeapObject::List(_))
            | (HeapObject::Tuple(_), HeapObject::Tuple(_))
            | (HeapObject::Deque(_), HeapObject::Deque(_)) => {
                if self.element_count(one) != self.element_count(two) {
                    return Ok(false);
                }
                // Lists may change during the comparison.
                self.nested(|machine| machine.sequences_equal(one, two))
            }
            (HeapObject::Dict(a), HeapObject::Dict(b)) => {
                if a.len() != b.len() {
                    return Ok(false);
                }
                let entries: Vec<_> = a.iter().collect();
                let length = entries.len() as u64;
                // If both are ordered, the order is compared as well.
                let is_ordered = [a, b].iter().all(|dict| matches!(dict.kind, DictKind::Ordered));
                let keys: Vec<_> = if is_ordered {
                    a.iter().zip(b.iter()).map(|((one, _), (two, _))| (one, two)).collect()
                } else {
                    Vec::new()
                };
                self.charge(length / ELEMENTS_PER_UNIT)?;
                self.nested(|machine| Ok(machine.dicts_equal(&entries, two)? && machine.all_equal(&keys)?))
            }
            (HeapObject::Set(a), HeapObject::Set(b)) => {
                let same_length = a.len() == b.len();
                Ok(same_length && self.is_subset(one, two)?)
            }
            (HeapObject::DictView(..), HeapObject::DictView(..) | HeapObject::Set(_))
            | (HeapObject::Set(_), HeapObject::DictView(..)) => {
                let (one, two) = (self.view_as_set(left)?, self.view_as_set(right)?);
                let are_sets = [one, two].iter().all(|&side| self.is_set(side));
                if are_sets { self.equal(one, two) } else { Ok(false) }
            }
            (
                HeapObject::Union(_) | HeapObject::GenericAlias { .. },
                HeapObject::Union(_) | HeapObject::GenericAlias { .. },
            ) => self.nested(|machine| machine.annotations_equal(one, two)),
            (HeapObject::Range { .. }, HeapObject::Range { .. }) => Ok(self.range_key(one) == self.range_key(two)),
            (HeapObject::Library(_), HeapObject::Library(_)) => self.library_objects_equal(one, two),
            (HeapObject::Screen(_), HeapObject::Screen(_)) => Ok(self.screen_objects_equal(one, two)),
            (
                HeapObject::BoundMethod { receiver: a, function: f },
                HeapObject::BoundMethod { receiver: b, function: g },
            ) => Ok(is_identical(*a, *b) && is_identical(*f, *g)),
            _ => Ok(false),
        }
    }

    fn is_set(&self, value: Value) -> bool {
        matches!(value, Value::Ref(at) if matches!(self.heap.get(at), HeapObject::Set(_)))
    }

    fn charge_comparison(&mut self, left: &Number, right: &Number) -> ExecResult<()> {
        let mut is_mixed = false;
        for (number, other) in [(left, right), (right, left)] {
            if let Number::Big(number) = number {
                self.charge_big_int(number)?;
                is_mixed |= matches!(other, Number::Float(_));
            }
        }
        // The comparison writes the float as decimal digits.
        self.charge(if is_mixed { 32 * cost::FORMAT } else { 0 })
    }

    /// Returns whether a value is an element of a list or a tuple, which comparisons may change.
    fn sequence_contains(&mut self, at: HeapRef, value: Value) -> ExecResult<bool> {
        let mut place = 0;
        // The iteration costs as much as one over an iterator.
        self.charge(1 + cost::NEXT)?;
        while let Some(item) = self.current_element(at, place) {
            if self.equal_or_same(item, value)? {
                return Ok(true);
            }
            place += 1;
            self.charge(cost::NEXT)?;
        }
        Ok(false)
    }

    /// Returns whether two values are identical or equal, as collections compare their elements.
    pub(super) fn equal_or_same(&mut self, left: Value, right: Value) -> ExecResult<bool> {
        Ok(is_identical(left, right) || self.equal(left, right)?)
    }

    /// Returns the current number of elements of a list, tuple or deque.
    fn element_count(&self, at: HeapRef) -> usize {
        match self.heap.get(at) {
            HeapObject::List(values) => values.len(),
            HeapObject::Tuple(values) => values.len(),
            HeapObject::Deque(deque) => deque.values.len(),
            _ => 0,
        }
    }

    /// Returns the current element of a list, tuple or deque at an index.
    pub(super) fn current_element(&self, at: HeapRef, place: usize) -> Option<Value> {
        match self.heap.get(at) {
            HeapObject::List(values) => values.get(place).copied(),
            HeapObject::Tuple(values) => values.get(place).copied(),
            HeapObject::Deque(deque) => deque.values.get(place).copied(),
            _ => None,
        }
    }

    /// Returns the first pair of unequal elements of two sequences.
    fn first_difference(&mut self, one: HeapRef, two: HeapRef) -> ExecResult<Option<(Value, Value)>> {
        let mut place = 0;
        while let (Some(a), Some(b)) = (self.current_element(one, place), self.current_element(two, place)) {
            self.charge(1)?;
            if !self.equal_or_same(a, b)? {
                return Ok(Some((a, b)));
            }
            place += 1;
        }
        Ok(None)
    }

    fn sequences_equal(&mut self, one: HeapRef, two: HeapRef) -> ExecResult<bool> {
        let differs = self.first_difference(one, two)?.is_some();
        Ok(!differs && self.element_count(one) == self.element_count(two))
    }

    pub(super) fn all_equal(&mut self, pairs: &[(Value, Value)]) -> ExecResult<bool> {
        for &(one, two) in pairs {
            self.charge(1)?;
            if !self.equal_or_same(one, two)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn dicts_equal(&mut self, entries: &[(Value, Value)], other: HeapRef) -> ExecResult<bool> {
        for &(key, value) in entries {
            match self.entry(other, key)? {
                Some(found) if self.equal_or_same(value, found)? => {}
                _ => return Ok(false),
            }
        }
        Ok(true)
    }

    pub(super) fn is_subset(&mut self, one: HeapRef, two: HeapRef) -> ExecResult<bool> {
        let HeapObject::Set(members) = self.heap.get(one) else { return Ok(false) };
        let members: Vec<_> = members.iter().collect();
        self.charge(members.len() as u64 / ELEMENTS_PER_UNIT)?;
        for (member, _) in members {
            if self.entry(two, member)?.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn compare_order(&mut self, operator: ComparisonOperator, left: Value, right: Value) -> ExecResult {
        if (self.is_numpy(left) || self.is_numpy(right))
            && let Some(value) = self.numpy_compare(operator, left, right)?
        {
            return Ok(value);
        }
        if let Some(value) = self.compare_with_methods(operator, left, right)? {
            return Ok(value);
        }
        let originals = (left, right);
        let (mut left, mut right) = (self.base_value(left), self.base_value(right));
        let views = [self.view_as_set(left)?, self.view_as_set(right)?];
        if views.iter().all(|&side| self.is_set(side)) {
            [left, right] = views;
        }
        if let (Some(left), Some(right)) = (self.as_number(left), self.as_number(right)) {
            self.charge_comparison(&left, &right)?;
            return Ok(Value::Bool(
                compare_numbers(&left, &right).is_some_and(|order| operator_holds(operator, order)),
            ));
        }
        if (matches!(left, Value::Dtype(_)) || matches!(right, Value::Dtype(_)))
            && let Some(order) = self.compare_dtypes(operator, left, right)
        {
            return Ok(order);
        }
        if self.comparison_key(left).is_some() {
            return self.compare_keys(operator, left, right);
        }
        if let (Value::Ref(one), Value::Ref(two)) = (left, right) {
            match (self.heap.get(one), self.heap.get(two)) {
                (HeapObject::Text(one), HeapObject::Text(two)) => {
                    let (order, length) = (one.cmp(two), one.len().min(two.len()));
                    self.charge(length as u64 / ELEMENTS_PER_UNIT)?;
                    return Ok(Value::Bool(operator_holds(operator, order)));
                }
                (HeapObject::Bytes(one), HeapObject::Bytes(two)) => {
                    let (order, length) = (one.cmp(two), one.len().min(two.len()));
                    self.charge(length as u64 / ELEMENTS_PER_UNIT)?;
                    return Ok(Value::Bool(operator_holds(operator, order)));
                }
                (HeapObject::List(_), HeapObject::List(_)) | (HeapObject::Tuple(_), HeapObject::Tuple(_)) => {
                    return self.nested(|machine| machine.compare_lexicographically(operator, one, two));
                }
                (HeapObject::Set(a), HeapObject::Set(b)) => {
                    let (less, more) = if matches!(operator, ComparisonOperator::Lt | ComparisonOperator::LtE) {
                        (one, two)
                    } else {
                        (two, one)
                    };
                    let differs = a.len() != b.len();
                    let strictly = matches!(operator, ComparisonOperator::Lt | ComparisonOperator::Gt);
                    let within = self.is_subset(less, more)?;
                    return Ok(Value::Bool(within && (!strictly || differs)));
                }
                _ => {}
            }
        }
        Err(self.not_comparable_error(operator, originals.0, originals.1))
    }

    fn not_comparable_error(&mut self, operator: ComparisonOperator, left: Value, right: Value) -> ExecError {
        let (left, right) = (self.class_name(left), self.class_name(right));
        let message = format!("'{}' not supported between instances of '{left}' and '{right}'", operator.as_str());
        self.type_error(&message)
    }

    /// Orders two sequences lexicographically.
    fn compare_lexicographically(&mut self, operator: ComparisonOperator, one: HeapRef, two: HeapRef) -> ExecResult {
        match self.first_difference(one, two)? {
            Some((a, b)) => self.compare(operator, a, b),
            None => Ok(Value::Bool(operator_holds(operator, self.element_count(one).cmp(&self.element_count(two))))),
        }
    }

    pub(super) fn contains(&mut self, container: Value, value: Value) -> ExecResult<bool> {
        if let Some(method) = self.special_method(container, "__contains__") {
            if matches!(method, Value::None) {
                let message = format!("'{}' object is not a container", self.class_name(container));
                return Err(self.type_error(&message));
            }
            let found = self.call_value(method, &[value], &[])?;
            return self.truth(found);
        }
        if let Value::Ref(at) = container
            && let Some(merged) = self.merged_maps(at)?
        {
            return Ok(self.entry(merged, value)?.is_some());
        }
        let own_iteration = self.special_method(container, "__iter__").is_some();
        let container = if own_iteration { container } else { self.base_value(container) };
        if self.array(container).is_some()
            && let Some(equal) = self.numpy_compare(ComparisonOperator::Eq, container, value)?
        {
            return self.has_true_element(equal);
        }
        if let Value::Ref(at) = container {
            match self.heap.get(at) {
                HeapObject::Text(text) => {
                    let text = text.clone();
                    return if let Some(part) = self.as_text(value) {
                        self.charge_text(text.len() + part.len())?;
                        Ok(text.contains(&*part))
                    } else {
                        let name = self.class_name(value);
                        let message = format!("'in <string>' requires string as left operand, not {name}");
                        Err(self.type_error(&message))
                    };
                }
                HeapObject::Bytes(bytes) => {
                    let bytes = bytes.clone();
                    return self.bytes_contain(&bytes, value);
                }
                HeapObject::Dict(_) => return Ok(self.entry(at, value)?.is_some()),
                HeapObject::Set(_) => {
                    let member = self.as_set_key(value)?;
                    return Ok(self.entry(at, member)?.is_some());
                }
                HeapObject::Range { .. } if self.is_plain_int(value) => {
                    return Ok(self.index_in_range(at, value).is_some());
                }
                HeapObject::DictView(dict, EntryPart::Keys) => {
                    let dict = *dict;
                    return self.contains(dict, value);
                }
                HeapObject::Class(_) if let Some(members) = self.enum_members(at) => {
                    if let Value::Ref(value) = value
                        && let HeapObject::Instance { class, .. } = self.heap.get(value)
                        && self.is_enum(*class)
                    {
                        return Ok(members.contains(&value));
                    }
                    let name = self.class_name(value);
                    let message = format!("unsupported operand type(s) for 'in': '{name}' and 'EnumType'");
                    return Err(self.type_error(&message));
                }
                HeapObject::List(_) | HeapObject::Tuple(_) => return self.sequence_contains(at, value),
                _ => {}
            }
        }
        let Some(iterator) = self.try_iterator(container)? else {
            let message = format!("argument of type '{}' is not iterable", self.class_name(container));
            return Err(self.type_error(&message));
        };
        while let Some(item) = self.advance(iterator)? {
            if self.equal_or_same(item, value)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Returns whether two values are identical (`is`). Numbers stored in the value itself are identical if they have the same type and value
/// (for floats, the same bits); in CPython, their identity depends on the allocation.
#[inline]
pub(super) fn is_identical(left: Value, right: Value) -> bool {
    if let (Value::Ref(one), Value::Ref(two)) = (left, right) {
        return one == two;
    }
    is_identical_immediate(left, right)
}

/// Returns whether two values are identical, at least one of which is no reference.
fn is_identical_immediate(left: Value, right: Value) -> bool {
    match (left, right) {
        (Value::None, Value::None)
        | (Value::Ellipsis, Value::Ellipsis)
        | (Value::NotImplemented, Value::NotImplemented) => true,
        (Value::Bool(one), Value::Bool(two)) => one == two,
        (Value::Int(one), Value::Int(two)) => one == two,
        (Value::Float(one), Value::Float(two)) => one.to_bits() == two.to_bits(),
        (Value::Dtype(one), Value::Dtype(two)) => one == two,
        (Value::Numpy(one), Value::Numpy(two)) => {
            let (one, two) = (one.get(), two.get());
            one.dtype() == two.dtype() && one.to_f64().to_bits() == two.to_f64().to_bits()
        }
        (Value::Type(one), Value::Type(two)) => one == two,
        (Value::Builtin(one), Value::Builtin(two)) => one == two,
        (Value::Ref(one), Value::Ref(two)) => one == two,
        _ => false,
    }
}

pub(super) fn operator_holds(operator: ComparisonOperator, order: Ordering) -> bool {
    match operator {
        ComparisonOperator::Lt => order.is_lt(),
        ComparisonOperator::LtE => order.is_le(),
        ComparisonOperator::Gt => order.is_gt(),
        _ => order.is_ge(),
    }
}

/// Returns the comparison methods of the left and of the right operand.
fn comparison_methods(operator: ComparisonOperator) -> (&'static str, &'static str) {
    match operator {
        ComparisonOperator::Eq => ("__eq__", "__eq__"),
        ComparisonOperator::NotEq => ("__ne__", "__ne__"),
        ComparisonOperator::Lt => ("__lt__", "__gt__"),
        ComparisonOperator::LtE => ("__le__", "__ge__"),
        ComparisonOperator::Gt => ("__gt__", "__lt__"),
        _ => ("__ge__", "__le__"),
    }
}

/// Compares two numbers exactly, whatever their types; `None` for NaN.
pub(super) fn compare_numbers(left: &Number, right: &Number) -> Option<Ordering> {
    match (left, right) {
        (Number::Int(one), Number::Int(two)) => Some(one.cmp(two)),
        (Number::Float(one), Number::Float(two)) => one.partial_cmp(two),
        (Number::Float(one), two) => compare_int_with_float(*one, two).map(Ordering::reverse),
        (one, Number::Float(two)) => compare_int_with_float(*two, one),
        (one, two) => Some(one.to_big_int()?.cmp(&two.to_big_int()?)),
    }
}

/// 2⁶³: the integer part of a float of smaller magnitude fits in an `i64`.
const I64_LIMIT: f64 = 9_223_372_036_854_775_808.0;

/// Compares an integer with a float; `None` for NaN.
fn compare_int_with_float(float: f64, whole: &Number) -> Option<Ordering> {
    if float.is_nan() {
        return None;
    }
    if float.is_infinite() {
        return Some(if float > 0.0 { Ordering::Less } else { Ordering::Greater });
    }
    if let (Number::Int(whole), true) = (whole, float.abs() < I64_LIMIT) {
        let floor = float.floor();
        return Some(whole.cmp(&(floor as i64)).then(if float > floor { Ordering::Less } else { Ordering::Equal }));
    }
    let whole = whole.to_big_int()?;
    let floor = float.floor();
    let floor_big = num_bigint::BigInt::parse_bytes(format!("{floor:.0}").as_bytes(), 10)?;
    Some(match whole.cmp(&floor_big) {
        Ordering::Equal if float > floor => Ordering::Less,
        other => other,
    })
}
