//! Collection of the tests of nodes, and of the slots and nodes that they read.

use std::collections::BTreeMap;

use super::GameCompileError;
use crate::program::decisions::DecisionGraph;
use crate::program::node_tests::{NodeTest, NodeTests, TestRange};

/// The maximum number of tests of nodes in a game.
pub const MAX_NODE_TESTS: usize = 1 << 24;

/// The tests of nodes in compilation.
#[derive(Default)]
pub(super) struct NodeTestsBuilder {
    tests: Vec<NodeTest>,
    bits: Vec<(u32, u64)>,
}

impl NodeTestsBuilder {
    /// Adds a test whose value these bits mirror.
    pub(super) fn mirror(
        &mut self,
        graph: DecisionGraph,
        bits: impl IntoIterator<Item = (u32, u64)>,
    ) -> Result<(), GameCompileError> {
        if self.tests.len() >= MAX_NODE_TESTS {
            return Err(GameCompileError::TooManyTests);
        }
        let start = self.bits.len() as u32;
        self.bits.extend(bits);
        self.tests.push(NodeTest { graph, bits: [start, self.bits.len() as u32] });
        Ok(())
    }

    /// Returns the table, and for each slot the range of the tests that read it.
    pub(super) fn finish(self, slots: usize, nodes: usize) -> (NodeTests, Vec<TestRange>) {
        let [mut by_slot, mut by_node] = [BTreeMap::<u32, Vec<u32>>::new(), BTreeMap::new()];
        for (test, NodeTest { graph, .. }) in (0..).zip(&self.tests) {
            let (slots, nodes) = graph.reads();
            for slot in slots {
                by_slot.entry(slot).or_default().push(test);
            }
            for node in nodes {
                by_node.entry(node).or_default().push(test);
            }
        }
        let mut dependents = Vec::new();
        let mut ranges = |lists: BTreeMap<u32, Vec<u32>>, count: usize| {
            let mut ranges = vec![TestRange::default(); count];
            for (place, list) in lists {
                let start = dependents.len();
                dependents.extend(list);
                ranges[place as usize] = TestRange::new(start, dependents.len());
            }
            ranges
        };
        let by_slot = ranges(by_slot, slots);
        let by_node = ranges(by_node, nodes);
        (NodeTests::new(self.tests, dependents, by_node, self.bits), by_slot)
    }
}
