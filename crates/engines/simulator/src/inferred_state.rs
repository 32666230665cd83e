//! The state that a team infers from its observation.

use std::sync::Arc;

use goalspec_resource::board::NodeId;
use goalspec_resource::game::TeamId;
use goalspec_resource::value::Labels;

use crate::program::{CompiledResourceGame, ObserverStorage};
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
        let nodes = c.game.board.nodes().len();
        let is_observed = |node: NodeId| self.sees(c, team, node);
        observed.odds_as_begun(c);
        observed.extra_resources.retain(|(node, ..)| is_observed(*node));
        for node in 0..nodes {
            let is_observed = is_observed(node.into());
            observed.expect_labels(c, team, node.into(), is_observed);
            if !is_observed {
                observed.bare_as_begun(c, node);
            }
        }
        for (slot, info) in c.slots.iter().enumerate() {
            let expected = c.expected(slot);
            if is_observed(info.node) || (self.words[slot], self.tags[slot]) == expected {
                continue;
            }
            (observed.words[slot], observed.tags[slot]) = expected;
            observed.written(c, info);
        }
    }

    fn odds_as_begun(&mut self, c: &CompiledResourceGame) {
        let odds = c.odds as usize..c.words.len();
        self.words[odds.clone()].copy_from_slice(&c.words[odds]);
    }

    fn bare_as_begun(&mut self, c: &CompiledResourceGame, node: usize) {
        if let Some(bare) = c.bare {
            let (word, bit) = (bare as usize + node / 64, 1 << (node % 64));
            self.words[word] = self.words[word] & !bit | c.words[word] & bit;
        }
    }

    /// Resets the labels of a node to the initial ones, with that of the team if it sees the node.
    fn expect_labels(&mut self, c: &CompiledResourceGame, team: TeamId, node: NodeId, is_observed: bool) {
        match &c.sight {
            ObserverStorage::Masks(_) => {
                let bit = c.team_bits[team.index()];
                let initial = match &c.expected {
                    Some(expected) => c.bits_of(&expected.labels[node.index()]),
                    None => c.words[c.seen as usize + node.index()],
                };
                let bits = if is_observed { initial | bit } else { initial & !bit };
                if bits != self.seen_bits(c, node) {
                    self.set_seen_bits(c, node, bits);
                }
            }
            ObserverStorage::Sets(initial) => {
                let name = &c.game.teams[team.index()].name;
                let initial = c.expected.as_ref().map_or(initial, |expected| &expected.labels);
                let mut labels = Labels::clone(&initial[node.index()]);
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
