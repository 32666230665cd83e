//! Sorting.

use std::cmp::Ordering;

use super::exceptions::ExecResult;
use super::operators::MAX_EXACT_FLOAT_INT;
use super::value::{HeapObject, Value};
use super::{ELEMENTS_PER_UNIT, Machine};
use crate::operators::ComparisonOperator;

/// The number of values from which on sorting merges rather than inserts.
const INSERTION_SORT_LIMIT: usize = 64;

/// The maximum number of elements of keys that are compared as plain tuples.
const MAX_PLAIN_WIDTH: usize = 8;

/// A key, or an element of a key that is a tuple, whose comparisons run no code of the program.
#[derive(Debug, Clone, Copy)]
enum PlainKey<'h> {
    Int(i64),
    /// A number that is not NaN.
    Float(f64),
    Text(&'h str),
}

impl PlainKey<'_> {
    /// Returns the order of two keys of a column.
    fn order(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Int(one), Self::Int(other)) => one.cmp(other),
            (Self::Text(one), Self::Text(other)) => one.cmp(other),
            (one, other) => one.number().partial_cmp(&other.number()).unwrap_or(Ordering::Equal),
        }
    }

    /// Returns the units of work of a comparison.
    fn work(&self) -> u64 {
        match self {
            Self::Text(text) => 1 + text.len() as u64 / ELEMENTS_PER_UNIT,
            Self::Int(_) | Self::Float(_) => 1,
        }
    }

    fn number(&self) -> f64 {
        match *self {
            Self::Int(number) => number as f64,
            Self::Float(number) => number,
            Self::Text(_) => 0.0,
        }
    }
}

/// Whether the keys of a column have a total order that is that of the language: texts, ints, or numbers all of which are floats exactly.
fn is_ordered_column<'h>(column: impl Iterator<Item = PlainKey<'h>>) -> bool {
    let (mut has_text, mut has_number, mut has_float, mut has_large) = (false, false, false, false);
    for key in column {
        match key {
            PlainKey::Text(_) => has_text = true,
            PlainKey::Float(_) => has_float = true,
            PlainKey::Int(number) => has_large |= number.unsigned_abs() > MAX_EXACT_FLOAT_INT,
        }
        has_number |= !matches!(key, PlainKey::Text(_));
    }
    !(has_text && has_number || has_float && has_large)
}

impl Machine {
    /// Returns a key whose comparisons run no code of the program; `None` if it is another value.
    fn plain_key(&self, value: Value) -> Option<PlainKey<'_>> {
        Some(match value {
            Value::Int(number) => PlainKey::Int(number),
            Value::Bool(truth) => PlainKey::Int(truth.into()),
            Value::Float(number) if !number.is_nan() => PlainKey::Float(number),
            Value::Ref(at) => match self.heap.get(at) {
                HeapObject::Text(text) => PlainKey::Text(text),
                _ => return None,
            },
            _ => return None,
        })
    }

    /// Returns the elements of keys, key by key, and their number in each key: 1 for keys that are no tuples. `None` if the keys are not
    /// numbers or texts, or short tuples of such with the same kinds of elements.
    fn plain_columns(&self, keys: &[Value]) -> Option<(Vec<PlainKey<'_>>, usize)> {
        let tuple = |value: &Value| match value {
            Value::Ref(at) => match self.heap.get(*at) {
                HeapObject::Tuple(elements) => Some(&**elements),
                _ => None,
            },
            _ => None,
        };
        let tuple_width = tuple(keys.first()?).map(<[Value]>::len);
        let width = tuple_width.unwrap_or(1);
        if !(1..=MAX_PLAIN_WIDTH).contains(&width) {
            return None;
        }
        let mut columns: Vec<PlainKey<'_>> = Vec::with_capacity(keys.len() * width);
        for key in keys {
            match tuple(key) {
                None if tuple_width.is_none() => columns.push(self.plain_key(*key)?),
                Some(elements) if tuple_width == Some(elements.len()) => {
                    for element in elements {
                        columns.push(self.plain_key(*element)?);
                    }
                }
                _ => return None,
            }
        }
        let is_ordered = |column: usize| is_ordered_column(columns[column..].iter().step_by(width).copied());
        (0..width).all(is_ordered).then_some((columns, width))
    }

    /// Returns the places of keys in their stable order, and the work of sorting them, which is available. `None` if the general code has to
    /// compare the keys.
    fn plain_sorting_order(&self, keys: &[Value], is_descending: bool) -> Option<(Vec<usize>, u64)> {
        let (columns, width) = self.plain_columns(keys)?;
        let work = columns.iter().map(PlainKey::work).sum::<u64>() * u64::from(keys.len().ilog2() + 1);
        if work > self.remaining_work {
            return None;
        }
        let row = |place: &usize| &columns[place * width..][..width];
        let mut order: Vec<usize> = (0..keys.len()).collect();
        order.sort_by(|one, other| {
            let elements = row(one).iter().zip(row(other));
            let order = elements.map(|(one, other)| one.order(other)).find(|order| order.is_ne());
            let order = order.unwrap_or(Ordering::Equal);
            if is_descending { order.reverse() } else { order }
        });
        Some((order, work))
    }

    /// Sorts values stably, by a key and in reverse if requested.
    pub(super) fn sort_values(
        &mut self,
        values: Vec<Value>,
        key: Option<Value>,
        reverse: Option<Value>,
    ) -> ExecResult<Vec<Value>> {
        let reverse = match reverse {
            Some(reverse) => self.as_index(reverse)? != 0,
            None => false,
        };
        let mut keys = Vec::with_capacity(values.len());
        for &value in &values {
            keys.push(self.key_of(key, value)?);
        }
        self.sort_by_keys(keys, values, reverse)
    }

    /// Sorts values stably by their keys, in descending order if `is_descending`.
    pub(super) fn sort_by_keys(
        &mut self,
        keys: Vec<Value>,
        values: Vec<Value>,
        is_descending: bool,
    ) -> ExecResult<Vec<Value>> {
        if let Some((order, work)) = self.plain_sorting_order(&keys, is_descending) {
            self.charge(work)?;
            return Ok(order.into_iter().map(|place| values[place]).collect());
        }
        let mut keyed: Vec<(Value, Value)> = keys.into_iter().zip(values).collect();
        // Sorting the reversed values and reversing the result keeps equal values in their order.
        if is_descending {
            keyed.reverse();
        }
        let mut sorted =
            if keyed.len() < INSERTION_SORT_LIMIT { self.insertion_sort(keyed)? } else { self.merge_sort(keyed)? };
        if is_descending {
            sorted.reverse();
        }
        Ok(sorted.into_iter().map(|(_, value)| value).collect())
    }

    /// Sorts a few values by binary insertion with the comparisons of CPython, which are observable if the values have no consistent
    /// order: the initial run stays in place (reversed if descending), and every further value is inserted after those not greater than it.
    fn insertion_sort(&mut self, mut values: Vec<(Value, Value)>) -> ExecResult<Vec<(Value, Value)>> {
        let mut sorted = values.len().min(1);
        let mut is_descending = false;
        for place in 1..values.len() {
            let less = self.is_less(values[place].0, values[place - 1].0)?;
            if place == 1 {
                is_descending = less;
            } else if less != is_descending {
                break;
            }
            sorted = place + 1;
        }
        if is_descending {
            values[..sorted].reverse();
        }
        for place in sorted..values.len() {
            let (mut low, mut high) = (0, place);
            while low < high {
                let middle = usize::midpoint(low, high);
                if self.is_less(values[place].0, values[middle].0)? { high = middle } else { low = middle + 1 }
            }
            values[low..=place].rotate_right(1);
        }
        Ok(values)
    }

    /// Returns whether `one < two`.
    pub(super) fn is_less(&mut self, one: Value, two: Value) -> ExecResult<bool> {
        self.charge(1)?;
        let less = self.compare(ComparisonOperator::Lt, one, two)?;
        self.truth(less)
    }

    /// Sorts by a bottom-up merge sort. The standard library's sorts do not support comparisons that fault.
    fn merge_sort(&mut self, mut values: Vec<(Value, Value)>) -> ExecResult<Vec<(Value, Value)>> {
        let mut run = 1;
        while run < values.len() {
            let mut next = Vec::with_capacity(values.len());
            for pair in values.chunks(2 * run) {
                let (left, right) = pair.split_at(run.min(pair.len()));
                let (mut one, mut two) = (left.iter().peekable(), right.iter().peekable());
                while let (Some(&&a), Some(&&b)) = (one.peek(), two.peek()) {
                    if self.is_less(b.0, a.0)? {
                        next.push(b);
                        two.next();
                    } else {
                        next.push(a);
                        one.next();
                    }
                }
                next.extend(one.chain(two));
            }
            values = next;
            run *= 2;
        }
        Ok(values)
    }
}
