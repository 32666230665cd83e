//! Comparisons of numbers, texts, tuples and lists that run no code of the program.
//!
//! A function that returns `None` leaves the comparison to the general code. The work that the others return is that of the general code.

use super::compare::{is_identical, operator_holds};
use super::quick_operators::quick_compare;
use super::value::{HeapObject, Value};
use super::{ELEMENTS_PER_UNIT, Machine, cost};
use crate::operators::ComparisonOperator;

/// The maximum depth of nested sequences that are compared here.
const MAX_DEPTH: usize = 4;

/// The maximum work of a comparison here; the general code deducts work as it goes on.
const MAX_WORK: u64 = 4096;

impl Machine {
    /// Returns the result of a comparison of texts, tuples or lists, or of a membership test, and its work.
    pub(super) fn plain_comparison(
        &self,
        operator: ComparisonOperator,
        left: Value,
        right: Value,
    ) -> Option<(bool, u64)> {
        // The general code counts nested comparisons.
        if self.nesting + MAX_DEPTH >= self.budget.call_depth {
            return None;
        }
        let mut work = 0;
        let truth = match operator {
            ComparisonOperator::Is | ComparisonOperator::IsNot => return None,
            ComparisonOperator::In => self.plain_membership(right, left, &mut work)?,
            ComparisonOperator::NotIn => !self.plain_membership(right, left, &mut work)?,
            ComparisonOperator::Eq | ComparisonOperator::NotEq => {
                let (Value::Ref(_), Value::Ref(_)) = (left, right) else { return None };
                let is_plain = self.is_plain_sequence(left) && self.is_plain_sequence(right);
                let equal =
                    if is_plain { self.plain_equality(left, right, MAX_DEPTH, &mut work)? } else { return None };
                equal == (operator == ComparisonOperator::Eq)
            }
            _ => self.plain_order(operator, left, right, MAX_DEPTH, &mut work)?,
        };
        Some((truth, work))
    }

    /// Returns whether a value is a text, a tuple or a list.
    pub(super) fn is_plain_sequence(&self, value: Value) -> bool {
        let Value::Ref(at) = value else { return false };
        matches!(self.heap.get(at), HeapObject::Text(_) | HeapObject::Tuple(_) | HeapObject::List(_))
    }

    /// Returns whether two elements are identical or equal.
    pub(super) fn plain_equality(&self, left: Value, right: Value, depth: usize, work: &mut u64) -> Option<bool> {
        if is_identical(left, right) {
            return Some(true);
        }
        let (Value::Ref(one), Value::Ref(other)) = (left, right) else {
            return quick_compare(ComparisonOperator::Eq, number(left), number(right));
        };
        let (one, other): (&[Value], &[Value]) = match (self.heap.get(one), self.heap.get(other)) {
            (HeapObject::Text(one), HeapObject::Text(other)) => {
                *work += one.len() as u64 / ELEMENTS_PER_UNIT;
                return Some(one == other);
            }
            (HeapObject::Tuple(one), HeapObject::Tuple(other)) => (one, other),
            (HeapObject::List(one), HeapObject::List(other)) => (one, other),
            _ => return None,
        };
        if one.len() != other.len() {
            return Some(false);
        }
        let depth = depth.checked_sub(1)?;
        for (&left, &right) in one.iter().zip(other) {
            spend(work, 1)?;
            if !self.plain_equality(left, right, depth, work)? {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Returns whether an order holds between two values.
    fn plain_order(
        &self,
        operator: ComparisonOperator,
        left: Value,
        right: Value,
        depth: usize,
        work: &mut u64,
    ) -> Option<bool> {
        let (Value::Ref(one), Value::Ref(other)) = (left, right) else {
            return quick_compare(operator, number(left), number(right));
        };
        let (one, other): (&[Value], &[Value]) = match (self.heap.get(one), self.heap.get(other)) {
            (HeapObject::Text(one), HeapObject::Text(other)) => {
                *work += one.len().min(other.len()) as u64 / ELEMENTS_PER_UNIT;
                return Some(operator_holds(operator, one.cmp(other)));
            }
            (HeapObject::Tuple(one), HeapObject::Tuple(other)) => (one, other),
            (HeapObject::List(one), HeapObject::List(other)) => (one, other),
            _ => return None,
        };
        let depth = depth.checked_sub(1)?;
        for (&left, &right) in one.iter().zip(other) {
            spend(work, 1)?;
            if !self.plain_equality(left, right, depth, work)? {
                *work += cost::OPERATION;
                return self.plain_order(operator, left, right, depth, work);
            }
        }
        Some(operator_holds(operator, one.len().cmp(&other.len())))
    }

    /// Returns whether a value is an element of a list or a tuple, a key of a dict, or a member of a set.
    fn plain_membership(&self, container: Value, value: Value, work: &mut u64) -> Option<bool> {
        let Value::Ref(at) = container else { return None };
        let elements: &[Value] = match self.heap.get(at) {
            HeapObject::Tuple(elements) => elements,
            HeapObject::List(elements) => elements,
            HeapObject::Dict(_) | HeapObject::Set(_) => {
                let entry = self.find_quick_entry(at, value)?;
                *work += entry.work;
                return Some(entry.found.is_some());
            }
            _ => return None,
        };
        // The iteration costs as much as one over an iterator.
        *work += 1 + cost::NEXT;
        for &element in elements {
            if self.plain_equality(element, value, MAX_DEPTH, work)? {
                return Some(true);
            }
            spend(work, cost::NEXT)?;
        }
        Some(false)
    }
}

/// Returns the integer that a truth value equals, and any other value unchanged.
fn number(value: Value) -> Value {
    match value {
        Value::Bool(truth) => Value::Int(truth.into()),
        other => other,
    }
}

/// Adds to the work of a comparison; `None` if it exceeds the maximum.
fn spend(work: &mut u64, units: u64) -> Option<()> {
    *work += units;
    (*work <= MAX_WORK).then_some(())
}
