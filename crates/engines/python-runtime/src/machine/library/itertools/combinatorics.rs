//! Iterators over products, permutations and combinations.

use std::sync::Arc;

use super::ItertoolsState;
use crate::machine::call::KeywordArguments;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::parameters::BoundArguments;
use crate::machine::value::{StaticName, Value};
use crate::machine::{ELEMENTS_PER_UNIT, Machine};

/// The selections that an iterator yields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Selection {
    Product,
    Permutations,
    Combinations,
    CombinationsWithReplacement,
}

/// An iterator over the products, permutations or combinations of pools of values.
#[derive(Debug, Clone)]
pub(crate) struct CombinatoricIterator {
    selection: Selection,
    /// The pool of each position; a single pool serves all positions.
    pools: Arc<[Arc<[Value]>]>,
    /// The indices of the current choice in their pools; `None` before the first one.
    indices: Option<Vec<usize>>,
    size: usize,
}

impl CombinatoricIterator {
    pub(super) fn name(&self) -> StaticName {
        match self.selection {
            Selection::Product => &"itertools.product",
            Selection::Permutations => &"itertools.permutations",
            Selection::Combinations => &"itertools.combinations",
            Selection::CombinationsWithReplacement => &"itertools.combinations_with_replacement",
        }
    }

    pub(super) fn pool_values(&self) -> impl std::iter::Iterator<Item = Value> {
        self.pools.iter().flat_map(|pool| pool.iter().copied())
    }

    fn pool(&self, place: usize) -> &[Value] {
        if self.pools.len() == 1 { &self.pools[0] } else { &self.pools[place] }
    }

    /// Advances to the next choice and returns its values.
    pub(super) fn next_selection(&mut self) -> Option<Vec<Value>> {
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
        match self.selection {
            Selection::Product => (0..self.size).all(|place| !self.pool(place).is_empty()).then(|| vec![0; self.size]),
            Selection::CombinationsWithReplacement => (self.size == 0 || length > 0).then(|| vec![0; self.size]),
            Selection::Permutations | Selection::Combinations => {
                (self.size <= length).then(|| (0..self.size).collect())
            }
        }
    }

    fn next_indices(&self, mut chosen: Vec<usize>) -> Option<Vec<usize>> {
        let length = self.pools.first().map_or(0, |pool| pool.len());
        match self.selection {
            Selection::Product => {
                for place in (0..self.size).rev() {
                    chosen[place] += 1;
                    if chosen[place] < self.pool(place).len() {
                        return Some(chosen);
                    }
                    chosen[place] = 0;
                }
                None
            }
            Selection::Permutations => {
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
            Selection::Combinations | Selection::CombinationsWithReplacement => {
                let again = self.selection == Selection::CombinationsWithReplacement;
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
    /// Implements `itertools.product`.
    pub(super) fn product_of_iterables(&mut self, arguments: &[Value], named: KeywordArguments<'_>) -> ExecResult {
        let repeat = match named {
            [] => 1,
            [(symbol, value)] if &*self.name(*symbol) == "repeat" => self.as_index(*value)?,
            _ => return Err(self.type_error("product() got an unexpected keyword argument")),
        };
        let Ok(repeat) = usize::try_from(repeat) else {
            return Err(self.raise(ExceptionKind::ValueError, "repeat argument cannot be negative"));
        };
        // Without iterables there is one selection, the empty one, however often nothing is repeated.
        let repeat = if arguments.is_empty() { 0 } else { repeat };
        self.reserve_values(repeat.saturating_mul(arguments.len()))?;
        let mut pools: Vec<Arc<[Value]>> = Vec::with_capacity(arguments.len());
        for &argument in arguments {
            pools.push(self.collect_values(argument)?.into());
        }
        let size = pools.len() * repeat;
        let pools: Vec<_> = std::iter::repeat_n(pools, repeat).flatten().collect();
        Ok(self.new_combinatoric_iterator(Selection::Product, pools, size))
    }

    /// Implements `permutations`, `combinations` and `combinations_with_replacement`.
    pub(super) fn combine(&mut self, selection: Selection, bound: &BoundArguments<'_>) -> ExecResult {
        let size = match selection {
            Selection::Permutations => bound.given(1),
            _ => Some(bound.required(1)),
        };
        let size = size.map(|size| self.as_index(size)).transpose()?;
        if size.is_some_and(|size| size < 0) {
            return Err(self.raise(ExceptionKind::ValueError, "r must be non-negative"));
        }
        let pool: Arc<[Value]> = self.collect_values(bound.required(0))?.into();
        let size = size.map_or(pool.len(), |size| size as usize);
        self.reserve_values(size.min(pool.len()))?;
        if selection == Selection::CombinationsWithReplacement {
            self.reserve_values(size)?;
        }
        Ok(self.new_combinatoric_iterator(selection, vec![pool], size))
    }

    fn new_combinatoric_iterator(&mut self, selection: Selection, pools: Vec<Arc<[Value]>>, size: usize) -> Value {
        let combined = CombinatoricIterator { selection, pools: pools.into(), indices: None, size };
        self.new_library_iterator(ItertoolsState::Combinatoric(combined))
    }

    pub(super) fn advance_combinatoric(&mut self, combined: &mut CombinatoricIterator) -> ExecResult<Option<Value>> {
        let examined = combined.pools.first().map_or(0, |pool| pool.len()) as u64 / ELEMENTS_PER_UNIT;
        let values = combined.next_selection();
        self.charge(values.as_ref().map_or(1, Vec::len) as u64 + examined)?;
        Ok(values.map(|values| self.heap.tuple(values)))
    }
}
