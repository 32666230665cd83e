//! The state that a team infers from its observation.

use std::sync::Arc;

use goalspec_resource::board::NodeId;
use goalspec_resource::game::TeamId;
use goalspec_resource::value::Labels;

use crate::program::CompiledResourceGame;
use crate::program::observers::ObserverStorage;
use crate::state::State;

impl State {
    /// Implements [`Simulator::observed`](crate::Simulator::observed).
    pub(crate) fn observed_by(&self, c: &CompiledResourceGame, team: TeamId) -> Self {
        let mut observed = self.clone();
        self.observe_into(c, team, &mut observed);
        observed
    }

    /// Replaces `observed` by the state that a team infers, like [`observed_by`](Self::observed_by).
    pub(crate) fn observe_into(&self, c: &CompiledResourceGame, team: TeamId, observed: &mut Self) {
        observed.clone_from(self);
        let nodes = (0..c.game.board.nodes().len()).map(NodeId::from);
        let is_observed = |node: NodeId| self.sees(c, team, node);
        observed.reset_odds(c);
        observed.extra_resources.retain(|(node, ..)| is_observed(*node));
        for node in nodes {
            let is_observed = is_observed(node);
            observed.expect_labels(c, team, node, is_observed);
            if !is_observed {
                observed.reset_bare_node(c, node);
            }
        }
        for (index, info) in c.slots.iter() {
            let (expected, slot) = (c.initial.expected_slot(index), index as usize);
            if is_observed(info.node) || (self.words[slot], self.tags[slot]) == expected {
                continue;
            }
            (observed.words[slot], observed.tags[slot]) = expected;
            observed.written(c, info);
        }
    }

    fn reset_odds(&mut self, c: &CompiledResourceGame) {
        let odds = c.layout.all_odds();
        self.words[odds.clone()].copy_from_slice(&c.initial.words()[odds]);
    }

    fn reset_bare_node(&mut self, c: &CompiledResourceGame, node: NodeId) {
        if let Some((word, bit)) = c.layout.bare_node(node) {
            self.words[word] = self.words[word] & !bit | c.initial.words()[word] & bit;
        }
    }

    /// Resets the labels of a node to the initial ones, with that of the team if it sees the node.
    fn expect_labels(&mut self, c: &CompiledResourceGame, team: TeamId, node: NodeId, is_observed: bool) {
        match c.observers.storage() {
            ObserverStorage::Masks(_) => {
                let bit = c.observers.team_bit(team);
                let initial = match c.initial.expected_observers(node) {
                    Some(expected) => c.observers.mask_of(expected),
                    None => c.initial.words()[c.layout.observers(node)],
                };
                let mask = if is_observed { initial | bit } else { initial & !bit };
                if mask != self.observer_mask(c, node) {
                    self.set_observer_mask(c, node, mask);
                }
            }
            ObserverStorage::Sets(initial) => {
                let name = &c.game.teams[team.index()].name;
                let initial = c.initial.expected_observers(node).unwrap_or(&initial[node.index()]);
                let mut labels = Labels::clone(initial);
                if is_observed {
                    labels.insert(name.clone());
                } else {
                    labels.shift_remove(name);
                }
                if !self.observer_sets[node.index()].iter().eq(labels.iter()) {
                    self.replace_sets(c, node, Arc::new(labels));
                }
            }
        }
    }
}
