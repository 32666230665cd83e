//! The tests of nodes that select vectors. Their values are mirrored in bit masks of the state.

use goalspec_resource::board::NodeId;

use super::decisions::DecisionGraph;

/// A range of the dependents of a slot or of a node.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct TestRange {
    start: u32,
    end: u32,
}

impl TestRange {
    /// Creates a range of indices of dependents.
    pub(crate) fn new(start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32 }
    }

    /// Whether there are no dependents.
    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// A test of a node, whose value every bit in its range mirrors.
#[derive(Debug)]
pub(crate) struct NodeTest {
    /// The test. Its evaluation neither fails nor draws random numbers, and depends on the state only.
    pub(crate) graph: DecisionGraph,
    /// The nonempty range of its bits in [`NodeTests`].
    pub(crate) bits: [u32; 2],
}

/// The tests of nodes, the slots and nodes that they depend on, and the bits that mirror their values. Between turns, all bits of a
/// test are equal to its value: a write to a slot or to the observers of a node re-evaluates its dependents.
#[derive(Debug)]
pub(crate) struct NodeTests {
    tests: Vec<NodeTest>,
    /// The indices of tests; slots and nodes have ranges in this list.
    dependents: Vec<u32>,
    /// For each node, the tests that read its observers.
    by_node: Vec<TestRange>,
    /// Words of the state, with the bits in them that belong to one end of the vectors of a node.
    bits: Vec<(u32, u64)>,
}

impl NodeTests {
    /// Creates the table of these tests.
    pub(crate) fn new(
        tests: Vec<NodeTest>,
        dependents: Vec<u32>,
        by_node: Vec<TestRange>,
        bits: Vec<(u32, u64)>,
    ) -> Self {
        Self { tests, dependents, by_node, bits }
    }

    /// Returns an iterator over all tests.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &NodeTest> {
        self.tests.iter()
    }

    /// Returns the range of the tests that read the observers of a node.
    #[inline]
    pub(crate) fn of_node(&self, node: NodeId) -> TestRange {
        self.by_node[node.index()]
    }

    /// Returns an iterator over the tests in a range.
    #[inline]
    pub(crate) fn dependents(&self, range: TestRange) -> impl Iterator<Item = &NodeTest> {
        self.dependents[range.start as usize..range.end as usize].iter().map(|&test| &self.tests[test as usize])
    }

    /// Returns the words of the state, with the bits in them, that mirror the value of a test.
    #[inline]
    pub(crate) fn bits(&self, test: &NodeTest) -> &[(u32, u64)] {
        &self.bits[test.bits[0] as usize..test.bits[1] as usize]
    }
}
