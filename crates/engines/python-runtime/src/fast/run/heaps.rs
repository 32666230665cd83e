//! Functions of `heapq`, with the order of elements that CPython's functions leave.

use super::uncommon::Number;
use super::{FallbackReason, OpResult};
use crate::fast::op::{ElementOrder, HeapFunction, OrderPart};

/// Rearranges the elements of a list as a function of `heapq` does, and returns the fuel for it.
pub(in crate::fast) fn arrange_heap(function: HeapFunction, words: &mut [u64], order: &ElementOrder) -> OpResult<i64> {
    let count = words.len() / order.stride;
    let mut elements = Elements { words, order, comparisons: 0 };
    match function {
        HeapFunction::Push => elements.sift_to_root(0, count.saturating_sub(1))?,
        HeapFunction::Pop => {
            let Some(last) = count.checked_sub(1) else { return Err(FallbackReason::FewValues) };
            elements.swap(0, last);
            elements.sift_to_leaf(0, last)?;
        }
        HeapFunction::Heapify => {
            for place in (0..count / 2).rev() {
                elements.sift_to_leaf(place, count)?;
            }
        }
    }
    Ok(1 + 2 * elements.comparisons)
}

/// The elements of a list, by their indices.
struct Elements<'w> {
    words: &'w mut [u64],
    order: &'w ElementOrder,
    comparisons: i64,
}

impl Elements<'_> {
    fn swap(&mut self, one: usize, two: usize) {
        let stride = self.order.stride;
        for place in 0..stride {
            self.words.swap(one * stride + place, two * stride + place);
        }
    }

    /// Moves an element towards the root, no further than `first`, until its parent is not greater.
    fn sift_to_root(&mut self, first: usize, mut place: usize) -> OpResult<()> {
        while place > first {
            let parent = (place - 1) / 2;
            if !self.is_less(place, parent)? {
                break;
            }
            self.swap(place, parent);
            place = parent;
        }
        Ok(())
    }

    /// Moves an element of the first `count` to a leaf along the smaller children, and from there back towards its place.
    fn sift_to_leaf(&mut self, first: usize, count: usize) -> OpResult<()> {
        let mut place = first;
        while place < count / 2 {
            let mut child = 2 * place + 1;
            if child + 1 < count && !self.is_less(child, child + 1)? {
                child += 1;
            }
            self.swap(place, child);
            place = child;
        }
        self.sift_to_root(first, place)
    }

    fn is_less(&mut self, one: usize, two: usize) -> OpResult<bool> {
        self.comparisons += 1;
        let stride = self.order.stride;
        let (one, two) = (&self.words[one * stride..][..stride], &self.words[two * stride..][..stride]);
        let mut place = 0;
        for part in &self.order.parts {
            let (number, other) = match *part {
                OrderPart::Int => (Number::Int(one[place].cast_signed()), Number::Int(two[place].cast_signed())),
                OrderPart::Float => {
                    (Number::Float(f64::from_bits(one[place])), Number::Float(f64::from_bits(two[place])))
                }
                OrderPart::Number => {
                    (Number::new(one[place], one[place + 1])?, Number::new(two[place], two[place + 1])?)
                }
                OrderPart::Unordered(_) => return Err(FallbackReason::Unordered),
            };
            let order = number.compare(other)?.ok_or(FallbackReason::Unordered)?;
            if order.is_ne() {
                return Ok(order.is_lt());
            }
            place += part.width();
        }
        Ok(false)
    }
}

impl OrderPart {
    /// The number of words.
    fn width(self) -> usize {
        match self {
            Self::Int | Self::Float => 1,
            Self::Number => 2,
            Self::Unordered(width) => width,
        }
    }
}
