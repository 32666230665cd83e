//! `collections.deque`.

use std::collections::VecDeque;

use crate::machine::call::KeywordArguments;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::value::{HeapObject, HeapRef, Value};
use crate::machine::{ELEMENTS_PER_UNIT, Machine};

/// A double-ended queue.
#[derive(Debug, Clone, Default)]
pub(crate) struct Deque {
    pub(crate) values: VecDeque<Value>,
    /// The maximum length (`maxlen`).
    pub(crate) max_length: Option<usize>,
    /// The number of changes so far, by which iterators detect mutation.
    pub(crate) mutation_count: u64,
}

impl Deque {
    pub(in crate::machine) fn push(&mut self, value: Value, left: bool) {
        if left {
            self.values.push_front(value);
        } else {
            self.values.push_back(value);
        }
        if self.max_length.is_some_and(|max_length| self.values.len() > max_length) {
            if left {
                self.values.pop_back()
            } else {
                self.values.pop_front()
            };
        }
    }
}

impl Deque {
    /// Returns the values repeated `count` times.
    pub(in crate::machine) fn repeat(&self, count: usize) -> Self {
        let mut repeated = Self { max_length: self.max_length, ..Self::default() };
        for _ in 0..count {
            self.values.iter().for_each(|&value| repeated.push(value, false));
        }
        repeated
    }
}

/// The names of the methods of `deque`.
pub(in crate::machine) const DEQUE_METHODS: [&str; 14] = [
    "append",
    "appendleft",
    "clear",
    "copy",
    "count",
    "extend",
    "extendleft",
    "index",
    "insert",
    "pop",
    "popleft",
    "remove",
    "reverse",
    "rotate",
];

impl Machine {
    pub(in crate::machine) fn new_deque(&mut self, arguments: &[Value], named: KeywordArguments<'_>) -> ExecResult {
        let [values, max_length] = self.bind_library_arguments("deque", ["iterable", "maxlen"], 0, arguments, named)?;
        let max_length = match max_length.filter(|max_length| !matches!(max_length, Value::None)) {
            Some(max_length) => {
                let Ok(max_length) = usize::try_from(self.as_index(max_length)?) else {
                    return Err(self.raise(ExceptionKind::ValueError, "maxlen must be non-negative"));
                };
                Some(max_length)
            }
            None => None,
        };
        let mut deque = Deque { max_length, ..Deque::default() };
        if let Some(values) = values {
            for value in self.collect_values(values)? {
                deque.push(value, false);
            }
        }
        self.reserve_values(deque.values.len())?;
        Ok(Value::Ref(self.heap.add(HeapObject::Deque(Box::new(deque)))))
    }

    pub(in crate::machine) fn deque(&self, at: HeapRef) -> &Deque {
        match self.heap.get(at) {
            HeapObject::Deque(deque) => deque,
            _ => unreachable!("called with deques"),
        }
    }

    fn deque_mut(&mut self, at: HeapRef) -> &mut Deque {
        match self.heap.get_mut(at) {
            HeapObject::Deque(deque) => deque,
            _ => unreachable!("called with deques"),
        }
    }

    /// Resolves an index to a position; negative indices count from the end.
    fn resolve_deque_index(&mut self, at: HeapRef, index: Value) -> ExecResult<usize> {
        if matches!(index, Value::Ref(big) if matches!(self.heap.get(big), HeapObject::BigInt(_))) {
            let message = "cannot fit 'int' into an index-sized integer";
            return Err(self.raise(ExceptionKind::IndexError, message));
        }
        let is_whole = matches!(self.base_value(index), Value::Int(_) | Value::Bool(_) | Value::Numpy(_));
        if !is_whole && self.special_method(index, "__index__").is_none() {
            let message = format!("sequence index must be integer, not '{}'", self.class_name(index));
            return Err(self.type_error(&message));
        }
        let number = self.as_index(index)?;
        let length = self.deque(at).values.len() as i64;
        let place = if number < 0 { number.saturating_add(length) } else { number };
        if (0..length).contains(&place) {
            return Ok(place as usize);
        }
        Err(self.raise(ExceptionKind::IndexError, "deque index out of range"))
    }

    pub(in crate::machine) fn deque_item(&mut self, at: HeapRef, index: Value) -> ExecResult {
        let place = self.resolve_deque_index(at, index)?;
        Ok(self.deque(at).values[place])
    }

    pub(in crate::machine) fn set_deque_item(&mut self, at: HeapRef, index: Value, value: Value) -> ExecResult<()> {
        let place = self.resolve_deque_index(at, index)?;
        self.deque_mut(at).values[place] = value;
        Ok(())
    }

    pub(in crate::machine) fn deque_method(&mut self, at: HeapRef, name: &str, arguments: &[Value]) -> ExecResult {
        let full = format!("deque.{name}");
        match name {
            "append" | "appendleft" => {
                let value = self.single_argument(&full, arguments, &[])?;
                let is_full = self.deque(at).max_length == Some(self.deque(at).values.len());
                self.heap.record_growth(usize::from(!is_full));
                self.deque_mut(at).push(value, name == "appendleft");
                self.deque_mut(at).mutation_count += 1;
            }
            "extend" | "extendleft" => {
                let values = self.single_argument(&full, arguments, &[])?;
                let values = self.collect_values(values)?;
                self.reserve_values(values.len())?;
                self.heap.record_growth(values.len());
                let deque = self.deque_mut(at);
                deque.mutation_count += u64::from(!values.is_empty());
                for value in values {
                    deque.push(value, name == "extendleft");
                }
            }
            "pop" | "popleft" => {
                self.check_arity(name, arguments.len(), 0, 0)?;
                let deque = self.deque_mut(at);
                deque.mutation_count += u64::from(!deque.values.is_empty());
                let value = if name == "pop" { deque.values.pop_back() } else { deque.values.pop_front() };
                return match value {
                    Some(value) => Ok(value),
                    None => Err(self.raise(ExceptionKind::IndexError, "pop from an empty deque")),
                };
            }
            "clear" => {
                let deque = self.deque_mut(at);
                deque.mutation_count += u64::from(!deque.values.is_empty());
                deque.values.clear();
            }
            "reverse" => {
                self.charge_deque_shift(at)?;
                self.deque_mut(at).values.make_contiguous().reverse();
            }
            "rotate" => {
                self.check_arity("rotate", arguments.len(), 0, 1)?;
                let steps = arguments.first().map_or(Ok(1), |&steps| self.as_index(steps))?;
                self.charge_deque_shift(at)?;
                let deque = self.deque_mut(at);
                if deque.values.len() > 1 {
                    deque.mutation_count += 1;
                    let steps = steps.rem_euclid(deque.values.len() as i64) as usize;
                    deque.values.rotate_right(steps);
                }
            }
            "copy" => {
                self.reserve_bulk_values(self.deque(at).values.len())?;
                let copy = self.deque(at).clone();
                return Ok(Value::Ref(self.heap.add(HeapObject::Deque(Box::new(copy)))));
            }
            "insert" => {
                self.check_arity("insert", arguments.len(), 2, 2)?;
                let place = self.as_index(arguments[0])?;
                self.charge_deque_shift(at)?;
                self.heap.record_growth(1);
                let deque = self.deque_mut(at);
                let length = deque.values.len() as i64;
                if deque.max_length.is_some_and(|max_length| deque.values.len() >= max_length) {
                    return Err(self.raise(ExceptionKind::IndexError, "deque already at its maximum size"));
                }
                let place = if place < 0 { place.saturating_add(length) } else { place }.clamp(0, length);
                deque.values.insert(place as usize, arguments[1]);
                deque.mutation_count += 1;
            }
            _ => return self.search_deque(at, name, arguments),
        }
        Ok(Value::None)
    }

    /// Charges the budget for moving the elements of a deque.
    fn charge_deque_shift(&mut self, at: HeapRef) -> ExecResult<()> {
        self.charge(self.deque(at).values.len() as u64 / ELEMENTS_PER_UNIT)
    }

    fn search_deque(&mut self, at: HeapRef, name: &str, arguments: &[Value]) -> ExecResult {
        let length = self.deque(at).values.len();
        let (value, start, end) = if name == "index" {
            self.check_arity("index", arguments.len(), 1, 3)?;
            let mut bounds = [0, length as i64];
            for (bound, &argument) in bounds.iter_mut().zip(&arguments[1..]) {
                *bound = self.slice_index(argument)?.unwrap_or(0);
                if *bound < 0 {
                    *bound = bound.saturating_add(length as i64).max(0);
                }
            }
            (arguments[0], bounds[0] as usize, bounds[1] as usize)
        } else {
            (self.single_argument(&format!("deque.{name}"), arguments, &[])?, 0, length)
        };
        let mut count = 0;
        let changes = self.deque(at).mutation_count;
        for place in start..end {
            let Some(other) = self.current_element(at, place) else { break };
            self.charge(1)?;
            let found = self.equal_or_same(other, value)?;
            if self.deque(at).mutation_count != changes {
                return Err(if name == "remove" {
                    self.raise(ExceptionKind::IndexError, "deque mutated during remove().")
                } else {
                    self.raise(ExceptionKind::RuntimeError, "deque mutated during iteration")
                });
            }
            if !found {
                continue;
            }
            match name {
                "count" => count += 1,
                "index" => return Ok(Value::Int(place as i64)),
                _ => {
                    self.charge_deque_shift(at)?;
                    let deque = self.deque_mut(at);
                    deque.values.remove(place);
                    deque.mutation_count += 1;
                    return Ok(Value::None);
                }
            }
        }
        if name == "count" {
            return Ok(Value::Int(count));
        }
        let message = format!("{} is not in deque", self.repr(value)?);
        Err(self.raise(ExceptionKind::ValueError, &message))
    }
}
