//! Functions of `itertools`.

mod combinatorics;
mod grouping;

use crate::machine::Machine;
use crate::machine::call::KeywordArguments;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::iterators::IteratorState;
use crate::machine::library_function::LibraryFunction as Function;
use crate::machine::parameters::{BoundArguments, NamedParameters, Origin};
use crate::machine::value::{StaticName, Value};
use crate::operators::BinaryOperator;

use super::heapq::MergeInput;
use combinatorics::{CombinatoricIterator, Selection};
use grouping::GroupState;

/// The functions of `itertools`, in the order of their names.
pub(in crate::machine) static FUNCTIONS: [Function; 20] = [
    Function::named("itertools.accumulate", parameters(1, &["iterable", "func", "initial"]), Machine::accumulate),
    Function::named("itertools.batched", positional(&["iterable", "n"]), Machine::batched),
    Function::custom("itertools.chain", Machine::chain),
    Function::named("itertools.combinations", parameters(2, &["iterable", "r"]), |m, b| {
        m.combine(Selection::Combinations, b)
    }),
    Function::named("itertools.combinations_with_replacement", parameters(2, &["iterable", "r"]), |m, b| {
        m.combine(Selection::CombinationsWithReplacement, b)
    }),
    Function::named("itertools.compress", parameters(2, &["data", "selectors"]), |m, b| {
        let (inner, selectors) = (m.iterator(b.required(0))?, m.iterator(b.required(1))?);
        Ok(m.new_library_iterator(ItertoolsState::Compress(inner, selectors)))
    }),
    Function::named("itertools.count", parameters(0, &["start", "step"]), Machine::count_up),
    Function::named("itertools.cycle", positional(&["iterable"]), |m, b| {
        let (inner, saved) = (Some(m.iterator(b.required(0))?), m.heap.list(Vec::new()));
        Ok(m.new_library_iterator(ItertoolsState::Cycle { inner, saved, position: 0 }))
    }),
    Function::named("itertools.dropwhile", positional(&["predicate", "iterable"]), |m, b| {
        let inner = m.iterator(b.required(1))?;
        Ok(m.new_library_iterator(ItertoolsState::Dropwhile(Some(b.required(0)), inner)))
    }),
    Function::named("itertools.filterfalse", positional(&["function", "iterable"]), |m, b| {
        let inner = m.iterator(b.required(1))?;
        Ok(m.new_library_iterator(ItertoolsState::FilterFalse(b.required(0), inner)))
    }),
    Function::named("itertools.groupby", parameters(1, &["iterable", "key"]), Machine::group_by),
    Function::named(
        "itertools.islice",
        positional(&["iterable", "start", "stop", "step"]).with_required(2),
        Machine::islice,
    ),
    Function::named("itertools.pairwise", positional(&["iterable"]), |m, b| {
        let inner = m.iterator(b.required(0))?;
        Ok(m.new_library_iterator(ItertoolsState::Pairwise(inner, None)))
    }),
    Function::named("itertools.permutations", parameters(1, &["iterable", "r"]), |m, b| {
        m.combine(Selection::Permutations, b)
    }),
    Function::custom("itertools.product", Machine::product_of_iterables),
    Function::named("itertools.repeat", parameters(1, &["object", "times"]), Machine::repeat),
    Function::named("itertools.starmap", positional(&["function", "iterable"]), |m, b| {
        let inner = m.iterator(b.required(1))?;
        Ok(m.new_library_iterator(ItertoolsState::Starmap(b.required(0), inner)))
    }),
    Function::named("itertools.takewhile", positional(&["predicate", "iterable"]), |m, b| {
        let inner = m.iterator(b.required(1))?;
        Ok(m.new_library_iterator(ItertoolsState::Takewhile(b.required(0), inner)))
    }),
    Function::named("itertools.tee", positional(&["iterable", "n"]).with_required(1), Machine::tee),
    Function::custom("itertools.zip_longest", Machine::zip_longest),
];

/// `chain.from_iterable`, an attribute of `chain`.
pub(in crate::machine) static CHAIN_FROM_ITERABLE: Function = Function::unary("chain.from_iterable", |m, a, _| {
    let outer = m.iterator(a[0])?;
    Ok(m.new_library_iterator(ItertoolsState::Chain(outer, None)))
});

/// Returns parameters of which the first `required` ones have no defaults.
const fn parameters(required: usize, names: &'static [&'static str]) -> NamedParameters<'static> {
    NamedParameters::new(Origin::C, names).with_required(required)
}

/// Returns parameters that are passed by position.
const fn positional(names: &'static [&'static str]) -> NamedParameters<'static> {
    NamedParameters::new(Origin::PositionalC, names)
}

/// An iterator of `itertools` with its current position.
#[derive(Debug, Clone)]
pub(crate) enum ItertoolsState {
    Accumulate {
        inner: Value,
        function: Option<Value>,
        initial: Option<Value>,
        total: Option<Value>,
    },
    /// The iterator over the iterables, and the current iterator.
    Chain(Value, Option<Value>),
    /// The iterator, and the length of the batches.
    Batched(Value, usize),
    Combinatoric(CombinatoricIterator),
    Compress(Value, Value),
    Count(Value, Value),
    Cycle {
        inner: Option<Value>,
        saved: Value,
        position: usize,
    },
    Dropwhile(Option<Value>, Value),
    FilterFalse(Value, Value),
    /// `groupby`, with its state in a heap cell that the groups share.
    Groups(Value),
    /// A group of `groupby`: the shared state, and the number of the group.
    Group(Value, u64),
    /// The state of `groupby`.
    GroupState(Box<GroupState>),
    Islice {
        inner: Value,
        next: u64,
        end: Option<u64>,
        step: u64,
        position: u64,
    },
    /// `heapq.merge`
    Merge {
        waiting: Vec<Value>,
        inputs: Vec<MergeInput>,
        key: Value,
        is_descending: bool,
    },
    Pairwise(Value, Option<Value>),
    /// The value, and the number of repetitions left (`None` if unlimited).
    Repeat(Value, Option<u64>),
    Starmap(Value, Value),
    Takewhile(Value, Value),
    /// An iterator of `tee`: the shared iterator, the list of its values so far, and the position in that list.
    Tee {
        inner: Value,
        values: Value,
        position: usize,
    },
    ZipLongest(Vec<Option<Value>>, Value),
}

impl ItertoolsState {
    /// Returns the qualified name of the class.
    pub(in crate::machine) fn name(&self) -> StaticName {
        match self {
            Self::Accumulate { .. } => &"itertools.accumulate",
            Self::Chain(..) => &"itertools.chain",
            Self::Batched(..) => &"itertools.batched",
            Self::Combinatoric(combined) => combined.name(),
            Self::Compress(..) => &"itertools.compress",
            Self::Count(..) => &"itertools.count",
            Self::Cycle { .. } => &"itertools.cycle",
            Self::Dropwhile(..) => &"itertools.dropwhile",
            Self::FilterFalse(..) => &"itertools.filterfalse",
            Self::Groups(_) | Self::GroupState(_) => &"itertools.groupby",
            Self::Group(..) => &"itertools._grouper",
            Self::Islice { .. } => &"itertools.islice",
            Self::Merge { .. } => &"generator",
            Self::Pairwise(..) => &"itertools.pairwise",
            Self::Repeat(..) => &"itertools.repeat",
            Self::Starmap(..) => &"itertools.starmap",
            Self::Takewhile(..) => &"itertools.takewhile",
            Self::Tee { .. } => &"itertools._tee",
            Self::ZipLongest(..) => &"itertools.zip_longest",
        }
    }

    /// Calls `visit` with each value that the iterator refers to.
    pub(in crate::machine) fn visit_references(&self, visit: &mut dyn FnMut(Value)) {
        match self {
            Self::Repeat(value, _)
            | Self::Islice { inner: value, .. }
            | Self::Batched(value, _)
            | Self::Groups(value)
            | Self::Group(value, _) => visit(*value),
            Self::GroupState(state) => state.visit_references(visit),
            Self::Merge { waiting, inputs, key, .. } => {
                visit(*key);
                let parts = inputs.iter().flat_map(|input| [input.iterator, input.item, input.key]);
                for value in waiting.iter().copied().chain(parts) {
                    visit(value);
                }
            }
            Self::Tee { inner: one, values: two, .. }
            | Self::FilterFalse(one, two)
            | Self::Count(one, two)
            | Self::Starmap(one, two)
            | Self::Takewhile(one, two)
            | Self::Compress(one, two) => {
                visit(*one);
                visit(*two);
            }
            Self::Chain(one, two) | Self::Pairwise(one, two) | Self::Dropwhile(two, one) => {
                visit(*one);
                two.iter().copied().for_each(visit);
            }
            Self::Cycle { inner, saved, .. } => {
                visit(*saved);
                inner.iter().copied().for_each(visit);
            }
            Self::ZipLongest(inner, fill) => {
                visit(*fill);
                inner.iter().flatten().for_each(|&value| visit(value));
            }
            Self::Accumulate { inner, function, initial, total } => {
                visit(*inner);
                function.iter().chain(initial).chain(total).for_each(|&value| visit(value));
            }
            Self::Combinatoric(combined) => combined.pool_values().for_each(visit),
        }
    }
}

impl Machine {
    pub(in crate::machine) fn new_library_iterator(&mut self, iterator: ItertoolsState) -> Value {
        self.new_iterator(IteratorState::Itertools(Box::new(iterator)))
    }

    fn accumulate(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let inner = self.iterator(bound.required(0))?;
        let (function, initial) = (bound.given(1), bound.given(2));
        Ok(self.new_library_iterator(ItertoolsState::Accumulate { inner, function, initial, total: None }))
    }

    fn chain(&mut self, arguments: &[Value], named: KeywordArguments<'_>) -> ExecResult {
        self.reject_keywords("chain", named)?;
        let all = self.heap.tuple(arguments);
        let outer = self.iterator(all)?;
        Ok(self.new_library_iterator(ItertoolsState::Chain(outer, None)))
    }

    /// Implements `itertools.count`.
    fn count_up(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let number = bound.get(0).unwrap_or(Value::Int(0));
        if self.as_number(number).is_none() {
            return Err(self.type_error("a number is required"));
        }
        Ok(self.new_library_iterator(ItertoolsState::Count(number, bound.get(1).unwrap_or(Value::Int(1)))))
    }

    fn repeat(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let left = bound.get(1).map(|times| self.as_index(times)).transpose()?;
        let left = left.map(|left| left.max(0) as u64);
        Ok(self.new_library_iterator(ItertoolsState::Repeat(bound.required(0), left)))
    }

    fn zip_longest(&mut self, arguments: &[Value], named: KeywordArguments<'_>) -> ExecResult {
        let fill = match named {
            [] => Value::None,
            [(symbol, value)] if &*self.name(*symbol) == "fillvalue" => *value,
            _ => return Err(self.type_error("zip_longest() got an unexpected keyword argument")),
        };
        let mut inner = Vec::with_capacity(arguments.len());
        for &argument in arguments {
            inner.push(Some(self.iterator(argument)?));
        }
        Ok(self.new_library_iterator(ItertoolsState::ZipLongest(inner, fill)))
    }

    fn islice(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let inner = self.iterator(bound.required(0))?;
        // A single bound is the end.
        let has_start = bound.positional_count > 2;
        let (first, last) = if has_start { (bound.get(1), bound.get(2)) } else { (None, bound.get(1)) };
        // A value that is not an index counts as -1.
        let index = |value: Option<Value>| match self.base_value(value.filter(|value| !matches!(value, Value::None))?) {
            Value::Int(number) => Some(number),
            Value::Bool(truth) => Some(truth.into()),
            _ => Some(-1),
        };
        let (first, last, step) = (index(first), index(last), index(bound.get(3)));
        let message = if last == Some(-1) {
            "Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize."
        } else if first.is_some_and(|first| first < 0) || last.is_some_and(|last| last < 0) {
            "Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize."
        } else if step.is_some_and(|step| step < 1) {
            "Step for islice() must be a positive integer or None."
        } else {
            let [next, step] = [first.unwrap_or(0), step.unwrap_or(1)].map(i64::unsigned_abs);
            let end = last.map(i64::unsigned_abs);
            return Ok(self.new_library_iterator(ItertoolsState::Islice { inner, next, end, step, position: 0 }));
        };
        Err(self.raise(ExceptionKind::ValueError, message))
    }

    /// Advances an iterator of `itertools`.
    pub(in crate::machine) fn advance_itertools(&mut self, iterator: &mut ItertoolsState) -> ExecResult<Option<Value>> {
        match iterator {
            ItertoolsState::Accumulate { inner, function, initial, total } => {
                self.advance_accumulate(*inner, *function, initial, total)
            }
            ItertoolsState::Chain(outer, current) => self.advance_chain(*outer, current),
            ItertoolsState::Batched(inner, length) => self.advance_batched(*inner, *length),
            ItertoolsState::Combinatoric(combined) => self.advance_combinatoric(combined),
            ItertoolsState::Compress(inner, selectors) => self.advance_compress(*inner, *selectors),
            ItertoolsState::Count(number, step) => {
                let item = *number;
                *number = self.binary(BinaryOperator::Add, item, *step)?;
                Ok(Some(item))
            }
            ItertoolsState::Cycle { inner, saved, position } => self.advance_cycle(inner, *saved, position),
            ItertoolsState::Dropwhile(function, inner) => self.advance_dropwhile(function, *inner),
            ItertoolsState::FilterFalse(function, inner) => self.advance_filter_false(*function, *inner),
            ItertoolsState::Groups(state) => self.next_group(*state),
            ItertoolsState::Group(state, number) => self.next_of_group(*state, *number),
            ItertoolsState::GroupState(_) => Ok(None),
            ItertoolsState::Merge { waiting, inputs, key, is_descending } => {
                self.advance_merge(waiting, inputs, *key, *is_descending)
            }
            ItertoolsState::Tee { inner, values, position } => self.advance_tee(*inner, *values, position),
            ItertoolsState::Islice { inner, next, end, step, position } => {
                self.advance_islice(*inner, next, *end, *step, position)
            }
            ItertoolsState::Pairwise(inner, before) => self.advance_pairwise(*inner, before),
            ItertoolsState::Repeat(object, left) => match left {
                Some(0) => Ok(None),
                Some(count) => {
                    *count -= 1;
                    Ok(Some(*object))
                }
                None => Ok(Some(*object)),
            },
            ItertoolsState::Starmap(function, inner) => {
                let Some(item) = self.advance(*inner)? else { return Ok(None) };
                let arguments = self.collect_values(item)?;
                self.call_value(*function, &arguments, &[]).map(Some)
            }
            ItertoolsState::Takewhile(function, inner) => {
                let Some(item) = self.advance(*inner)? else { return Ok(None) };
                let goes_on = self.call_value(*function, &[item], &[])?;
                Ok(self.truth(goes_on)?.then_some(item))
            }
            ItertoolsState::ZipLongest(inner, fill) => self.advance_zip_longest(inner, *fill),
        }
    }

    fn advance_accumulate(
        &mut self,
        inner: Value,
        function: Option<Value>,
        initial: &mut Option<Value>,
        total: &mut Option<Value>,
    ) -> ExecResult<Option<Value>> {
        if let Some(first) = initial.take() {
            *total = Some(first);
            return Ok(Some(first));
        }
        let Some(item) = self.advance(inner)? else { return Ok(None) };
        let sum = match (*total, function) {
            (None, _) => item,
            (Some(total), None) => self.binary(BinaryOperator::Add, total, item)?,
            (Some(total), Some(function)) => self.call_value(function, &[total, item], &[])?,
        };
        *total = Some(sum);
        Ok(Some(sum))
    }

    fn advance_chain(&mut self, outer: Value, current: &mut Option<Value>) -> ExecResult<Option<Value>> {
        loop {
            if let Some(inner) = *current
                && let Some(item) = self.advance(inner)?
            {
                return Ok(Some(item));
            }
            match self.advance(outer)? {
                Some(next) => *current = Some(self.iterator(next)?),
                None => return Ok(None),
            }
        }
    }

    fn advance_compress(&mut self, inner: Value, selectors: Value) -> ExecResult<Option<Value>> {
        loop {
            let Some(item) = self.advance(inner)? else { return Ok(None) };
            let Some(selects) = self.advance(selectors)? else { return Ok(None) };
            if self.truth(selects)? {
                return Ok(Some(item));
            }
        }
    }

    fn advance_cycle(
        &mut self,
        inner: &mut Option<Value>,
        saved: Value,
        position: &mut usize,
    ) -> ExecResult<Option<Value>> {
        if let Some(iterator) = *inner {
            if let Some(item) = self.advance(iterator)? {
                if let Value::Ref(list) = saved {
                    self.append(list, item);
                }
                return Ok(Some(item));
            }
            *inner = None;
        }
        let length = self.length(saved)?;
        if length == 0 {
            return Ok(None);
        }
        *position += 1;
        self.get_item(saved, Value::Int(((*position - 1) % length) as i64)).map(Some)
    }

    fn advance_dropwhile(&mut self, function: &mut Option<Value>, inner: Value) -> ExecResult<Option<Value>> {
        while let Some(item) = self.advance(inner)? {
            let Some(test) = *function else { return Ok(Some(item)) };
            let is_dropped = self.call_value(test, &[item], &[])?;
            if !self.truth(is_dropped)? {
                *function = None;
                return Ok(Some(item));
            }
        }
        Ok(None)
    }

    fn advance_islice(
        &mut self,
        inner: Value,
        next: &mut u64,
        end: Option<u64>,
        step: u64,
        position: &mut u64,
    ) -> ExecResult<Option<Value>> {
        if end.is_some_and(|end| *next >= end) {
            // Items before the end are consumed even if no step selects them.
            while end.is_some_and(|end| *position < end) && self.advance(inner)?.is_some() {
                *position += 1;
            }
            return Ok(None);
        }
        while let Some(item) = self.advance(inner)? {
            *position += 1;
            if *position > *next {
                *next = next.saturating_add(step);
                return Ok(Some(item));
            }
        }
        Ok(None)
    }

    fn advance_pairwise(&mut self, inner: Value, before: &mut Option<Value>) -> ExecResult<Option<Value>> {
        let first = match *before {
            Some(first) => Some(first),
            None => self.advance(inner)?,
        };
        let Some(first) = first else { return Ok(None) };
        let Some(second) = self.advance(inner)? else { return Ok(None) };
        *before = Some(second);
        Ok(Some(self.heap.tuple([first, second])))
    }

    fn advance_zip_longest(&mut self, inner: &mut [Option<Value>], fill: Value) -> ExecResult<Option<Value>> {
        let mut items = Vec::with_capacity(inner.len());
        for slot in inner.iter_mut() {
            let item = match *slot {
                Some(iterator) => self.advance(iterator)?,
                None => None,
            };
            if item.is_none() {
                *slot = None;
            }
            items.push(item.unwrap_or(fill));
        }
        Ok(inner.iter().any(Option::is_some).then(|| self.heap.tuple(items)))
    }
}
