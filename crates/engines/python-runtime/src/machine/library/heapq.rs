//! Functions of `heapq`.

use crate::machine::Machine;
use crate::machine::call::KeywordArguments;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::library::ItertoolsState;
use crate::machine::library_function::Implementation::Values;
use crate::machine::library_function::LibraryFunction as Function;
use crate::machine::parameters::{BoundArguments, NamedParameters, Origin};
use crate::machine::value::{HeapObject, HeapRef, Value};

/// The functions of `heapq`, in the order of their names.
pub(in crate::machine) static FUNCTIONS: [Function; 8] = [
    Function::unary("heapq.heapify", |m, a, _| m.heapify(a[0])),
    Function::unary("heapq.heappop", |m, a, _| m.pop_from_heap(a[0])),
    Function::new("heapq.heappush", 2, 2, Values(|m, a, _| m.push_to_heap(a[0], a[1]))),
    Function::new("heapq.heappushpop", 2, 2, Values(|m, a, _| m.push_and_pop(a[0], a[1]))),
    Function::new("heapq.heapreplace", 2, 2, Values(|m, a, _| m.replace_in_heap(a[0], a[1]))),
    Function::custom("heapq.merge", Machine::merge_sorted),
    Function::named("heapq.nlargest", selection_parameters(), |m, b| m.select_extremes(b, true)),
    Function::named("heapq.nsmallest", selection_parameters(), |m, b| m.select_extremes(b, false)),
];

const fn selection_parameters() -> NamedParameters<'static> {
    NamedParameters::new(Origin::Python, &["n", "iterable", "key"]).with_required(2)
}

/// An input of `heapq.merge`: its iterator, and its next value with the key of that value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MergeInput {
    pub(in crate::machine) iterator: Value,
    pub(in crate::machine) item: Value,
    pub(in crate::machine) key: Value,
}

impl Machine {
    /// Returns the list that a heap is stored in.
    fn heap_list(&mut self, function: &str, heap: Value) -> ExecResult<HeapRef> {
        if let Value::Ref(at) = self.base_value(heap)
            && matches!(self.heap.get(at), HeapObject::List(_))
        {
            return Ok(at);
        }
        let argument = if function == "heapify" { "argument" } else { "argument 1" };
        let message = format!("{function}() {argument} must be list, not {}", self.class_name(heap));
        Err(self.type_error(&message))
    }

    fn heap_items(&mut self, at: HeapRef) -> &mut Vec<Value> {
        match self.heap.get_mut(at) {
            HeapObject::List(values) => values,
            _ => unreachable!("heaps are lists"),
        }
    }

    /// Compares two items of a heap of `length` items; raises an error if the comparison changes the length.
    fn is_less_in_heap(&mut self, at: HeapRef, one: usize, other: usize, length: usize) -> ExecResult<bool> {
        let items = self.heap_items(at);
        let (one, other) = (items[one], items[other]);
        let less = self.is_less(one, other)?;
        if self.heap_items(at).len() != length {
            return Err(self.raise(ExceptionKind::RuntimeError, "list changed size during iteration"));
        }
        Ok(less)
    }

    /// Moves an item towards the root, no further than `first`, until its parent is not greater.
    fn sift_to_root(&mut self, at: HeapRef, first: usize, mut place: usize) -> ExecResult<()> {
        let length = self.heap_items(at).len();
        while place > first {
            let parent = (place - 1) / 2;
            if !self.is_less_in_heap(at, place, parent, length)? {
                break;
            }
            self.heap_items(at).swap(place, parent);
            place = parent;
        }
        Ok(())
    }

    /// Moves an item to a leaf along the smaller children, and from there back towards its place.
    fn sift_to_leaf(&mut self, at: HeapRef, first: usize) -> ExecResult<()> {
        let length = self.heap_items(at).len();
        let mut place = first;
        while place < length / 2 {
            let mut child = 2 * place + 1;
            if child + 1 < length && !self.is_less_in_heap(at, child, child + 1, length)? {
                child += 1;
            }
            self.heap_items(at).swap(place, child);
            place = child;
        }
        self.sift_to_root(at, first, place)
    }

    fn heapify(&mut self, heap: Value) -> ExecResult {
        let at = self.heap_list("heapify", heap)?;
        for place in (0..self.heap_items(at).len() / 2).rev() {
            self.sift_to_leaf(at, place)?;
        }
        Ok(Value::None)
    }

    fn push_to_heap(&mut self, heap: Value, item: Value) -> ExecResult {
        let at = self.heap_list("heappush", heap)?;
        self.append(at, item);
        let last = self.heap_items(at).len() - 1;
        self.sift_to_root(at, 0, last)?;
        Ok(Value::None)
    }

    fn pop_from_heap(&mut self, heap: Value) -> ExecResult {
        let at = self.heap_list("heappop", heap)?;
        let Some(last) = self.heap_items(at).pop() else { return Err(self.empty_heap()) };
        let items = self.heap_items(at);
        let Some(root) = items.first_mut() else { return Ok(last) };
        let popped = std::mem::replace(root, last);
        self.sift_to_leaf(at, 0)?;
        Ok(popped)
    }

    fn replace_in_heap(&mut self, heap: Value, item: Value) -> ExecResult {
        let at = self.heap_list("heapreplace", heap)?;
        let Some(root) = self.heap_items(at).first_mut() else { return Err(self.empty_heap()) };
        let least = std::mem::replace(root, item);
        self.sift_to_leaf(at, 0)?;
        Ok(least)
    }

    fn push_and_pop(&mut self, heap: Value, item: Value) -> ExecResult {
        let at = self.heap_list("heappushpop", heap)?;
        let Some(&root) = self.heap_items(at).first() else { return Ok(item) };
        if !self.is_less(root, item)? {
            return Ok(item);
        }
        self.replace_in_heap(heap, item)
    }

    fn empty_heap(&mut self) -> crate::machine::exceptions::ExecError {
        self.raise(ExceptionKind::IndexError, "index out of range")
    }

    /// Returns the `n` smallest or largest items, sorted.
    fn select_extremes(&mut self, bound: &BoundArguments<'_>, is_largest: bool) -> ExecResult {
        let count = self.as_index(bound.required(0))?;
        let items = self.collect_values(bound.required(1))?;
        let mut sorted = self.sort_values(items, bound.get(2), is_largest.then_some(Value::Bool(true)))?;
        sorted.truncate(usize::try_from(count).unwrap_or(0));
        Ok(self.heap.list(sorted))
    }

    /// Implements `heapq.merge`.
    fn merge_sorted(&mut self, arguments: &[Value], named: KeywordArguments<'_>) -> ExecResult {
        let [key, reverse] = self.bind_keywords("merge", named, ["key", "reverse"])?;
        let is_descending = reverse.map_or(Ok(false), |reverse| self.truth(reverse))?;
        let mut waiting = Vec::with_capacity(arguments.len());
        for &argument in arguments {
            waiting.push(self.iterator(argument)?);
        }
        let key = key.unwrap_or(Value::None);
        Ok(self.new_library_iterator(ItertoolsState::Merge { waiting, inputs: Vec::new(), key, is_descending }))
    }

    /// Returns the next value of `heapq.merge`; `waiting` has the iterators that were not advanced yet.
    pub(in crate::machine) fn advance_merge(
        &mut self,
        waiting: &mut Vec<Value>,
        inputs: &mut Vec<MergeInput>,
        key: Value,
        is_descending: bool,
    ) -> ExecResult<Option<Value>> {
        for iterator in std::mem::take(waiting) {
            if let Some(item) = self.advance(iterator)? {
                inputs.push(MergeInput { iterator, item, key: self.key_of(Some(key), item)? });
            }
        }
        let mut best = 0;
        for place in 1..inputs.len() {
            let (one, two) = (inputs[place].key, inputs[best].key);
            if if is_descending { self.is_less(two, one)? } else { self.is_less(one, two)? } {
                best = place;
            }
        }
        let Some(&MergeInput { iterator, item: found, .. }) = inputs.get(best) else { return Ok(None) };
        match self.advance(iterator)? {
            Some(item) => inputs[best] = MergeInput { iterator, item, key: self.key_of(Some(key), item)? },
            None => drop(inputs.remove(best)),
        }
        Ok(Some(found))
    }
}
