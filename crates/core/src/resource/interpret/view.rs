//! What teams see, and what they earn.

use std::sync::Arc;

use super::environment::Environment;
use super::play::Play;
use crate::resource::board::NodeId;
use crate::resource::game::TeamId;
use crate::resource::random::Stream;
use crate::resource::rules::{Precision, View};
use crate::resource::turn::{Failure, FailureKind};
use crate::resource::value::Value;

/// What is seen of a node.
#[derive(Debug, Clone, PartialEq)]
pub struct NodeView {
    /// The node.
    pub node: NodeId,
    /// To a team, whether it sees the node; in truth, the set of labels of those who see it.
    pub observable: Value,
    /// The values of its resources, by their names.
    pub values: Vec<(Arc<str>, Value)>,
}

impl Play<'_> {
    /// What a team observes: of a node that it does not see, the values that it began with. A resource that began without a value
    /// is there only on nodes that the team sees; a node without resources is not there until something is written to it.
    pub fn observe(&self, team: TeamId) -> Vec<NodeView> {
        self.views(Some(team))
    }

    /// The state as it is. A node without resources is not there until something is written to it.
    pub fn truth(&self) -> Vec<NodeView> {
        self.views(None)
    }

    fn views(&self, observer: Option<TeamId>) -> Vec<NodeView> {
        let environment = Environment { observer, ..Environment::truth(self.game(), &self.state) };
        let view = |node| {
            let observable = environment.observable(node)?;
            let values = if environment.sees(node) { self.current(node) } else { self.initial(node) };
            Some(NodeView { node, observable, values })
        };
        self.game().board.nodes().filter_map(|(node, _)| view(node)).collect()
    }

    fn current(&self, node: NodeId) -> Vec<(Arc<str>, Value)> {
        let values = self.state.bag(node).into_iter().flat_map(|bag| &bag.values);
        values.map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    fn initial(&self, node: NodeId) -> Vec<(Arc<str>, Value)> {
        let board = &self.game().board;
        let own = board.slots().filter(|(_, slot)| slot.node == node);
        let declared = own.filter_map(|(_, slot)| Some((slot.resource, slot.declaration.as_ref()?)));
        declared.map(|(resource, it)| (board.resource(resource).clone(), it.initial.clone())).collect()
    }

    /// What a team earns in this state.
    ///
    /// Random numbers come from a copy of the stream, so that the game goes on in the same way whether rewards are asked for or
    /// not.
    ///
    /// # Errors
    /// If the game does not say what the team earns, or if that is no number.
    pub fn reward(&self, team: TeamId, stream: &Stream) -> Result<f64, Failure> {
        let rules = &self.game().rules;
        let failure = |kind| Failure { action: None, consequence: None, kind };
        let reward = self.game().teams.get(team.index()).and_then(|team| team.reward.as_ref());
        let compute = reward.ok_or_else(|| failure(FailureKind::NoReward { team }))?;
        let observer = match rules.reward_view {
            View::Truth => None,
            View::Observation => Some(team),
        };
        let environment = Environment { observer, ..Environment::truth(self.game(), &self.state) };
        let value = compute.evaluate(&environment, &mut stream.clone(), rules).unwrap_or(None);
        let number = value.as_ref().and_then(Value::real);
        let number = number.ok_or_else(|| failure(FailureKind::Reward { team, value }))?;
        Ok(match rules.reward_precision {
            Precision::Double => number,
            Precision::Single => f64::from(number as f32),
        })
    }
}
