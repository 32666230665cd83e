//! Functions of `itertools`.

use std::sync::Arc;

use crate::machine::call::KeywordArguments;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::iterators::IteratorState;
use crate::machine::value::Value;
use crate::machine::{ELEMENTS_PER_UNIT, Machine};
use crate::operators::BinaryOperator;

/// The qualified names of the functions.
const FUNCTION_NAMES: [&str; 17] = [
    "itertools.accumulate",
    "itertools.chain",
    "itertools.chain.from_iterable",
    "itertools.combinations",
    "itertools.combinations_with_replacement",
    "itertools.compress",
    "itertools.count",
    "itertools.cycle",
    "itertools.dropwhile",
    "itertools.islice",
    "itertools.pairwise",
    "itertools.permutations",
    "itertools.product",
    "itertools.repeat",
    "itertools.starmap",
    "itertools.takewhile",
    "itertools.zip_longest",
];

pub(super) fn full_name(name: &str) -> Option<&'static str> {
    FUNCTION_NAMES.iter().find(|full| full.strip_prefix("itertools.") == Some(name)).copied()
}

/// An iterator over the products, permutations or combinations of pools of values.
#[derive(Debug, Clone)]
pub(crate) struct CombinatoricIterator {
    name: &'static str,
    /// The pool of each position; a single pool serves all positions.
    pools: Arc<[Arc<[Value]>]>,
    /// The indices of the current choice in their pools; `None` before the first one.
    indices: Option<Vec<usize>>,
    size: usize,
}

impl CombinatoricIterator {
    pub(in crate::machine) fn name(&self) -> &'static str {
        self.name
    }

    pub(in crate::machine) fn pool_values(&self) -> impl std::iter::Iterator<Item = Value> {
        self.pools.iter().flat_map(|pool| pool.iter().copied())
    }

    fn pool(&self, place: usize) -> &[Value] {
        if self.pools.len() == 1 { &self.pools[0] } else { &self.pools[place] }
    }

    /// Advances to the next choice and returns its values.
    pub(in crate::machine) fn next_selection(&mut self) -> Option<Vec<Value>> {
        let chosen = match self.indices.take() {
            None => self.first_indices()?,
            Some(chosen) => self.next_indices(chosen)?,
        };
        let values = chosen.iter().enumerate().map(|(place, &at)| self.pool(place)[at]).collect();
        self.indices = Some(chosen);
        Some(values)
    }

    fn first_indices(&self) -> Option<Vec<usize>> {
        let length = self.pools.first().map_or(0, |pool| pool.len());
        match self.name {
            "itertools.product" => (0..self.size).all(|place| !self.pool(place).is_empty()).then(|| vec![0; self.size]),
            "itertools.combinations_with_replacement" => (self.size == 0 || length > 0).then(|| vec![0; self.size]),
            _ => (self.size <= length).then(|| (0..self.size).collect()),
        }
    }

    fn next_indices(&self, mut chosen: Vec<usize>) -> Option<Vec<usize>> {
        let length = self.pools.first().map_or(0, |pool| pool.len());
        match self.name {
            "itertools.product" => {
                for place in (0..self.size).rev() {
                    chosen[place] += 1;
                    if chosen[place] < self.pool(place).len() {
                        return Some(chosen);
                    }
                    chosen[place] = 0;
                }
                None
            }
            "itertools.permutations" => {
                let mut taken = vec![false; length];
                for &at in &chosen {
                    taken[at] = true;
                }
                for place in (0..self.size).rev() {
                    taken[chosen[place]] = false;
                    let next = (chosen[place] + 1..length).find(|&at| !taken[at]);
                    if let Some(next) = next {
                        taken[next] = true;
                        chosen.truncate(place);
                        chosen.push(next);
                        let rest = (0..length).filter(|&at| !taken[at]).take(self.size - place - 1);
                        chosen.extend(rest);
                        return Some(chosen);
                    }
                }
                None
            }
            _ => {
                let again = self.name == "itertools.combinations_with_replacement";
                let last = |place: usize| if again { length - 1 } else { length - self.size + place };
                let place = (0..self.size).rev().find(|&place| chosen[place] < last(place))?;
                chosen[place] += 1;
                for behind in place + 1..self.size {
                    chosen[behind] = chosen[behind - 1] + usize::from(!again);
                }
                Some(chosen)
            }
        }
    }
}

impl Machine {
    pub(super) fn call_itertools(
        &mut self,
        name: &str,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        let iterator = match name {
            "chain" => {
                self.reject_keywords("chain", named)?;
                let all = self.heap.tuple(arguments);
                IteratorState::Chain(self.iterator(all)?, None)
            }
            "chain.from_iterable" => {
                let all = self.single_argument("from_iterable", arguments, named)?;
                IteratorState::Chain(self.iterator(all)?, None)
            }
            "count" => {
                let [start, step] = self.bind_library_arguments("count", ["start", "step"], 0, arguments, named)?;
                let number = start.unwrap_or(Value::Int(0));
                if self.as_number(number).is_none() {
                    return Err(self.type_error("a number is required"));
                }
                IteratorState::Count(number, step.unwrap_or(Value::Int(1)))
            }
            "cycle" => {
                let inner = self.single_argument("cycle", arguments, named)?;
                let saved = self.heap.list(Vec::new());
                IteratorState::Cycle { inner: Some(self.iterator(inner)?), saved, position: 0 }
            }
            "repeat" => {
                let [object, times] =
                    self.bind_library_arguments("repeat", ["object", "times"], 1, arguments, named)?;
                let left = times.map(|times| self.as_index(times)).transpose()?;
                IteratorState::Repeat(object.unwrap_or(Value::None), left.map(|left| left.max(0) as u64))
            }
            "islice" => return self.islice(arguments, named),
            "pairwise" => {
                let inner = self.single_argument("pairwise", arguments, named)?;
                IteratorState::Pairwise(self.iterator(inner)?, None)
            }
            "zip_longest" => {
                let fill = match named {
                    [] => Value::None,
                    [(symbol, value)] if &*self.name(*symbol) == "fillvalue" => *value,
                    _ => return Err(self.type_error("zip_longest() got an unexpected keyword argument")),
                };
                let mut inner = Vec::with_capacity(arguments.len());
                for &argument in arguments {
                    inner.push(Some(self.iterator(argument)?));
                }
                IteratorState::ZipLongest(inner, fill)
            }
            "accumulate" => {
                let parameters = ["iterable", "func", "initial"];
                let [inner, function, initial] =
                    self.bind_library_arguments("accumulate", parameters, 1, arguments, named)?;
                let inner = self.iterator(inner.unwrap_or(Value::None))?;
                let given = |value: Option<Value>| value.filter(|value| !matches!(value, Value::None));
                IteratorState::Accumulate { inner, function: given(function), initial: given(initial), total: None }
            }
            "starmap" | "takewhile" | "dropwhile" | "compress" => {
                self.reject_keywords(name, named)?;
                self.check_arity(name, arguments.len(), 2, 2)?;
                match name {
                    "starmap" => IteratorState::Starmap(arguments[0], self.iterator(arguments[1])?),
                    "takewhile" => IteratorState::Takewhile(arguments[0], self.iterator(arguments[1])?),
                    "dropwhile" => IteratorState::Dropwhile(Some(arguments[0]), self.iterator(arguments[1])?),
                    _ => IteratorState::Compress(self.iterator(arguments[0])?, self.iterator(arguments[1])?),
                }
            }
            _ => return self.new_combinatoric_iterator(name, arguments, named),
        };
        Ok(self.new_iterator(iterator))
    }

    fn new_combinatoric_iterator(
        &mut self,
        name: &str,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        let full = full_name(name).unwrap_or("itertools.product");
        let (values, size) = if name == "product" {
            let repeat = match named {
                [] => 1,
                [(symbol, value)] if &*self.name(*symbol) == "repeat" => self.as_index(*value)?,
                _ => return Err(self.type_error("product() got an unexpected keyword argument")),
            };
            let Ok(repeat) = usize::try_from(repeat) else {
                return Err(self.raise(ExceptionKind::ValueError, "repeat argument cannot be negative"));
            };
            self.reserve_values(repeat.saturating_mul(arguments.len()))?;
            // Without iterables there is one selection, the empty one, however often nothing is repeated.
            (arguments.to_vec(), if arguments.is_empty() { 0 } else { repeat })
        } else {
            let [values, size] = self.bind_library_arguments(name, ["iterable", "r"], 1, arguments, named)?;
            let size = size.filter(|size| !matches!(size, Value::None));
            if size.is_none() && name != "permutations" {
                let message = format!("{name}() missing required argument 'r' (pos 2)");
                return Err(self.type_error(&message));
            }
            let size = size.map(|size| self.as_index(size)).transpose()?;
            if size.is_some_and(|size| size < 0) {
                return Err(self.raise(ExceptionKind::ValueError, "r must be non-negative"));
            }
            (values.into_iter().collect(), size.map_or(usize::MAX, |size| size as usize))
        };
        let mut pools: Vec<Arc<[Value]>> = Vec::new();
        for value in values {
            pools.push(self.collect_values(value)?.into());
        }
        let size = match name {
            "product" => {
                let once = pools.len();
                pools = std::iter::repeat_n(pools, size).flatten().collect();
                once * size
            }
            _ if size == usize::MAX => pools[0].len(),
            _ => size,
        };
        if name != "product" {
            self.reserve_values(size.min(pools[0].len()))?;
        }
        let size = if name == "combinations_with_replacement" { self.reserve_selection(size)? } else { size };
        let combined = CombinatoricIterator { name: full, pools: pools.into(), indices: None, size };
        Ok(self.new_iterator(IteratorState::Combinatoric(combined)))
    }

    /// Returns `size` if the memory limit permits that number of values.
    fn reserve_selection(&mut self, size: usize) -> ExecResult<usize> {
        self.reserve_values(size).map(|()| size)
    }

    fn islice(&mut self, arguments: &[Value], named: KeywordArguments<'_>) -> ExecResult {
        self.reject_keywords("islice", named)?;
        self.check_arity("islice", arguments.len(), 2, 4)?;
        let inner = self.iterator(arguments[0])?;
        let (first, last) =
            if arguments.len() == 2 { (None, arguments[1]) } else { (Some(arguments[1]), arguments[2]) };
        let mut numbers = [None; 3];
        for (number, part) in numbers.iter_mut().zip([first, Some(last), arguments.get(3).copied()]) {
            let Some(part) = part.filter(|part| !matches!(part, Value::None)) else { continue };
            match self.base_value(part) {
                Value::Int(value) if value >= 0 => *number = Some(value as u64),
                _ => {
                    let message = if arguments.len() == 2 {
                        "Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize."
                    } else {
                        "Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize."
                    };
                    return Err(self.raise(ExceptionKind::ValueError, message));
                }
            }
        }
        let step = numbers[2].unwrap_or(1);
        if step == 0 {
            let message = "Step for islice() must be a positive integer or None.";
            return Err(self.raise(ExceptionKind::ValueError, message));
        }
        let iterator =
            IteratorState::Islice { inner, next: numbers[0].unwrap_or(0), end: numbers[1], step, position: 0 };
        Ok(self.new_iterator(iterator))
    }

    /// Advances an iterator of `itertools`.
    pub(in crate::machine) fn advance_itertools(&mut self, iterator: &mut IteratorState) -> ExecResult<Option<Value>> {
        match iterator {
            IteratorState::Chain(outer, current) => loop {
                if let Some(inner) = *current
                    && let Some(item) = self.advance(inner)?
                {
                    return Ok(Some(item));
                }
                match self.advance(*outer)? {
                    Some(next) => *current = Some(self.iterator(next)?),
                    None => return Ok(None),
                }
            },
            IteratorState::Count(number, step) => {
                let item = *number;
                *number = self.binary(BinaryOperator::Add, item, *step)?;
                Ok(Some(item))
            }
            IteratorState::Repeat(object, left) => match left {
                Some(0) => Ok(None),
                Some(count) => {
                    *count -= 1;
                    Ok(Some(*object))
                }
                None => Ok(Some(*object)),
            },
            IteratorState::Cycle { inner, saved, position: at } => {
                if let Some(iterator) = *inner {
                    if let Some(item) = self.advance(iterator)? {
                        if let Value::Ref(list) = *saved {
                            self.append(list, item);
                        }
                        return Ok(Some(item));
                    }
                    *inner = None;
                }
                let length = self.length(*saved)?;
                if length == 0 {
                    return Ok(None);
                }
                *at += 1;
                self.get_item(*saved, Value::Int(((*at - 1) % length) as i64)).map(Some)
            }
            IteratorState::Islice { inner, next, end, step, position: at } => {
                if end.is_some_and(|end| *next >= end) {
                    // Items before the end are consumed even if no step selects them.
                    while end.is_some_and(|end| *at < end) && self.advance(*inner)?.is_some() {
                        *at += 1;
                    }
                    return Ok(None);
                }
                while let Some(item) = self.advance(*inner)? {
                    *at += 1;
                    if *at > *next {
                        *next = next.saturating_add(*step);
                        return Ok(Some(item));
                    }
                }
                Ok(None)
            }
            IteratorState::Pairwise(inner, before) => {
                let first = match *before {
                    Some(first) => Some(first),
                    None => self.advance(*inner)?,
                };
                let Some(first) = first else { return Ok(None) };
                let Some(second) = self.advance(*inner)? else { return Ok(None) };
                *before = Some(second);
                Ok(Some(self.heap.tuple([first, second])))
            }
            _ => self.advance_functional_iterator(iterator),
        }
    }

    fn advance_functional_iterator(&mut self, iterator: &mut IteratorState) -> ExecResult<Option<Value>> {
        match iterator {
            IteratorState::ZipLongest(inner, fill) => {
                let mut items = Vec::with_capacity(inner.len());
                for slot in inner.iter_mut() {
                    let item = match *slot {
                        Some(iterator) => self.advance(iterator)?,
                        None => None,
                    };
                    if item.is_none() {
                        *slot = None;
                    }
                    items.push(item.unwrap_or(*fill));
                }
                Ok(inner.iter().any(Option::is_some).then(|| self.heap.tuple(items)))
            }
            IteratorState::Accumulate { inner, function, initial, total } => {
                if let Some(first) = initial.take() {
                    *total = Some(first);
                    return Ok(Some(first));
                }
                let Some(item) = self.advance(*inner)? else { return Ok(None) };
                let sum = match (*total, *function) {
                    (None, _) => item,
                    (Some(total), None) => self.binary(BinaryOperator::Add, total, item)?,
                    (Some(total), Some(function)) => self.call_value(function, &[total, item], &[])?,
                };
                *total = Some(sum);
                Ok(Some(sum))
            }
            IteratorState::Starmap(function, inner) => {
                let Some(item) = self.advance(*inner)? else { return Ok(None) };
                let arguments = self.collect_values(item)?;
                self.call_value(*function, &arguments, &[]).map(Some)
            }
            IteratorState::Takewhile(function, inner) => {
                let Some(item) = self.advance(*inner)? else { return Ok(None) };
                let goes_on = self.call_value(*function, &[item], &[])?;
                Ok(self.truth(goes_on)?.then_some(item))
            }
            IteratorState::Dropwhile(function, inner) => {
                while let Some(item) = self.advance(*inner)? {
                    let Some(test) = *function else { return Ok(Some(item)) };
                    let drops = self.call_value(test, &[item], &[])?;
                    if !self.truth(drops)? {
                        *function = None;
                        return Ok(Some(item));
                    }
                }
                Ok(None)
            }
            IteratorState::Compress(inner, selectors) => loop {
                let Some(item) = self.advance(*inner)? else { return Ok(None) };
                let Some(selects) = self.advance(*selectors)? else { return Ok(None) };
                if self.truth(selects)? {
                    return Ok(Some(item));
                }
            },
            IteratorState::Combinatoric(combined) => {
                let looked_at = combined.pools.first().map_or(0, |pool| pool.len()) as u64 / ELEMENTS_PER_UNIT;
                let values = combined.next_selection();
                self.charge(values.as_ref().map_or(1, Vec::len) as u64 + looked_at)?;
                Ok(values.map(|values| self.heap.tuple(values)))
            }
            _ => unreachable!("called with iterators of this library"),
        }
    }
}
