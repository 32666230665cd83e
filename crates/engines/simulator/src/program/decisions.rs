//! Tests as decision graphs.

use std::cmp::Ordering;

use goalspec_resource::board::NodeId;
use goalspec_resource::compare::{ComparisonOperator, SignedZero};
use goalspec_resource::filter::{Filter, ValueFilter};

use super::expressions::ValueSource;

/// A test as a decision graph: each branch has a successor for a true and for a false atom. Successors are branches of the graph,
/// [`ACCEPT`] or [`REJECT`]; the graph has no cycles.
#[derive(Debug, Clone)]
pub(crate) struct DecisionGraph {
    branches: Box<[Branch]>,
    entry: u32,
}

/// The successor at which a test that holds ends.
pub(crate) const ACCEPT: u32 = u32::MAX;
/// The successor at which a test that does not hold ends.
pub(crate) const REJECT: u32 = u32::MAX - 1;

impl DecisionGraph {
    /// Creates a graph that begins at `entry`.
    pub(crate) fn new(branches: Vec<Branch>, entry: u32) -> Self {
        Self { branches: branches.into(), entry }
    }

    /// Returns the first branch, or the result of a test without branches.
    #[inline]
    pub(crate) fn entry(&self) -> u32 {
        self.entry
    }

    /// Returns a branch; `None` for [`ACCEPT`] and [`REJECT`].
    #[inline]
    pub(crate) fn branch(&self, at: u32) -> Option<&Branch> {
        self.branches.get(at as usize)
    }

    /// Returns all branches.
    pub(crate) fn branches(&self) -> &[Branch] {
        &self.branches
    }

    /// Returns the value of a test without branches.
    pub(crate) fn constant(&self) -> Option<bool> {
        (self.entry >= REJECT).then_some(self.entry == ACCEPT)
    }
}

/// A branch of a decision graph.
#[derive(Debug, Clone)]
pub(crate) struct Branch {
    /// The test.
    pub(crate) atom: Atom,
    /// The successor if it holds.
    pub(crate) if_true: u32,
    /// The successor if it does not hold.
    pub(crate) if_false: u32,
}

/// A set of orderings, one bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OrderingSet(u8);

impl OrderingSet {
    /// Returns the orderings for which a comparison holds.
    pub(crate) fn of(comparison: ComparisonOperator) -> Self {
        Self(match comparison {
            ComparisonOperator::Less => 0b001,
            ComparisonOperator::Equal => 0b010,
            ComparisonOperator::LessOrEqual => 0b011,
            ComparisonOperator::Greater => 0b100,
            ComparisonOperator::NotEqual => 0b101,
            ComparisonOperator::GreaterOrEqual => 0b110,
        })
    }

    /// Returns the integers with one of these orderings relative to `bound`: a range, and whether they are inside or outside it.
    pub(crate) fn range(self, bound: i32) -> (i32, i32, bool) {
        match self.0 {
            0b001 => (bound, i32::MAX, false),
            0b010 => (bound, bound, true),
            0b011 => (i32::MIN, bound, true),
            0b100 => (i32::MIN, bound, false),
            0b101 => (bound, bound, false),
            _ => (bound, i32::MAX, true),
        }
    }

    /// Whether the set contains an ordering.
    #[inline]
    pub(crate) fn has(self, order: Ordering) -> bool {
        self.0 >> (order as i8 + 1) & 1 != 0
    }
}

/// Returns the order of two real numbers under [`goalspec_resource::compare::compare`].
#[inline]
pub(crate) fn order(one: f64, other: f64, zeros: SignedZero) -> Ordering {
    match one.partial_cmp(&other) {
        Some(Ordering::Equal) if zeros == SignedZero::Ordered => other.is_sign_negative().cmp(&one.is_sign_negative()),
        Some(order) => order,
        None => one.is_nan().cmp(&other.is_nan()),
    }
}

/// An atomic test.
#[derive(Debug, Clone)]
pub(crate) enum Atom {
    /// Whether an integer slot is inside a range, or outside if `inside` is `false`.
    Int { slot: u32, min: i32, max: i32, inside: bool },
    /// A comparison of an integer slot with a real constant.
    IntReal { slot: u32, orders: OrderingSet, bound: f64 },
    /// A comparison of a real or numeric slot with a constant.
    Real { slot: u32, orders: OrderingSet, bound: f64 },
    /// A test of a Boolean slot.
    Bool { slot: u32, truth: bool },
    /// A comparison of any value with a [bound](super::constants::Constants::bound).
    Compare { source: ValueSource, comparison: ComparisonOperator, bound: u32 },
    /// Whether the mask of the observers of a node has one of these bits.
    HasObserver { node: NodeId, bits: u64 },
    /// Any other test of a value.
    Value { source: ValueSource, filter: Box<ValueFilter> },
    /// A computation that yields a Boolean.
    Truth(Box<Filter>),
}

#[cfg(test)]
mod tests {
    use super::{ComparisonOperator, OrderingSet};

    #[test]
    fn orders_are_ranges() {
        use ComparisonOperator::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
        let numbers = [i32::MIN, i32::MIN + 1, -1, 0, 1, i32::MAX - 1, i32::MAX];
        for orders in [Less, Equal, LessOrEqual, Greater, NotEqual, GreaterOrEqual].map(OrderingSet::of) {
            for bound in numbers {
                let (min, max, inside) = orders.range(bound);
                for number in numbers {
                    let expected = orders.has(number.cmp(&bound));
                    assert_eq!((min <= number && number <= max) == inside, expected, "{orders:?}: {number}, {bound}");
                }
            }
        }
    }
}
