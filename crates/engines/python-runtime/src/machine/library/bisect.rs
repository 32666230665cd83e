//! Functions of `bisect`.

use crate::machine::Machine;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::library_function::LibraryFunction as Function;
use crate::machine::parameters::{BoundArguments, NamedParameters, Origin};
use crate::machine::value::{HeapObject, Value};

/// The functions of `bisect`, in the order of their names.
pub(in crate::machine) static FUNCTIONS: [Function; 6] = [
    Function::named("bisect.bisect", PARAMETERS, |m, b| m.bisect(b, true)),
    Function::named("bisect.bisect_left", PARAMETERS, |m, b| m.bisect(b, false)),
    Function::named("bisect.bisect_right", PARAMETERS, |m, b| m.bisect(b, true)),
    Function::named("bisect.insort", PARAMETERS, |m, b| m.insert_sorted(b, true)),
    Function::named("bisect.insort_left", PARAMETERS, |m, b| m.insert_sorted(b, false)),
    Function::named("bisect.insort_right", PARAMETERS, |m, b| m.insert_sorted(b, true)),
];

const PARAMETERS: NamedParameters<'static> =
    NamedParameters::new(Origin::C, &["a", "x", "lo", "hi", "key"]).with_required(2).with_keyword_only(1);

impl Machine {
    fn bisect(&mut self, bound: &BoundArguments<'_>, is_right: bool) -> ExecResult {
        self.find_insertion_point(bound, bound.required(1), is_right).map(Value::Int)
    }

    fn insert_sorted(&mut self, bound: &BoundArguments<'_>, is_right: bool) -> ExecResult {
        let (list, item) = (bound.required(0), bound.required(1));
        let searched = self.key_of(bound.get(4), item)?;
        let place = self.find_insertion_point(bound, searched, is_right)?;
        let insert = self.intern("insert");
        let method = self.attribute(list, insert)?;
        self.call_value(method, &[Value::Int(place), item], &[])?;
        Ok(Value::None)
    }

    /// Returns the place before (or after, if `is_right`) the items of a sorted sequence that equal a value.
    fn find_insertion_point(&mut self, bound: &BoundArguments<'_>, value: Value, is_right: bool) -> ExecResult<i64> {
        let sequence = bound.required(0);
        let key = bound.given(4);
        let mut low = bound.get(2).map_or(Ok(0), |low| self.as_index(low))?;
        if low < 0 {
            return Err(self.raise(ExceptionKind::ValueError, "lo must be non-negative"));
        }
        let mut high = match bound.given(3) {
            Some(high) => self.as_index(high)?,
            None => self.length(sequence)? as i64,
        };
        let list = match sequence {
            Value::Ref(at) if matches!(self.heap.get(at), HeapObject::List(_)) => Some(at),
            _ => None,
        };
        while low < high {
            let middle = low.midpoint(high);
            let item = list.and_then(|at| self.current_element(at, middle as usize));
            let item = item.map_or_else(|| self.get_item(sequence, Value::Int(middle)), Ok)?;
            let item = self.key_of(key, item)?;
            let goes_left = if is_right { self.is_less(value, item)? } else { !self.is_less(item, value)? };
            if goes_left {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        Ok(low)
    }
}
