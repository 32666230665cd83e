//! Observations, the true state, and rewards.

use std::sync::Arc;

use super::context::EvaluationContext;
use super::play::Play;
use crate::board::NodeId;
use crate::game::TeamId;
use crate::random::RandomStream;
use crate::rules::{Perspective, RewardPrecision};
use crate::turn::{GameError, GameErrorKind};
use crate::value::Value;

/// A node in an observation or in the true state.
#[derive(Debug, Clone, PartialEq)]
pub struct NodeView {
    /// The node.
    pub node: NodeId,
    /// In an observation, whether the team sees the node; in the true state, the set of labels of its observers.
    pub observers: Value,
    /// The values of its resources with their names.
    pub values: Vec<(Arc<str>, Value)>,
}

impl Play {
    /// Returns the observation of a team. Unseen nodes have their initial values, and resources without an initial value appear
    /// only on nodes that the team sees. Under [`NodesWithoutResourcesRule::Error`](crate::rules::NodesWithoutResourcesRule::Error), undeclared nodes
    /// are absent until something is written to them.
    pub fn observe(&self, team: TeamId) -> Vec<NodeView> {
        self.views(Some(team))
    }

    /// Returns the true state. Under [`NodesWithoutResourcesRule::Error`](crate::rules::NodesWithoutResourcesRule::Error), undeclared nodes are
    /// absent until something is written to them.
    pub fn true_state(&self) -> Vec<NodeView> {
        self.views(None)
    }

    fn views(&self, observer: Option<TeamId>) -> Vec<NodeView> {
        let environment = EvaluationContext { observer, ..EvaluationContext::true_state(self.game(), &self.state) };
        let view = |node| {
            let observable = environment.observable(node)?;
            let values = if environment.sees(node) { self.current(node) } else { self.initial(node) };
            Some(NodeView { node, observers: observable, values })
        };
        self.game().board.nodes().filter_map(|(node, _)| view(node)).collect()
    }

    fn current(&self, node: NodeId) -> Vec<(Arc<str>, Value)> {
        let values = self.state.node(node).into_iter().flat_map(|node_state| &node_state.values);
        values.map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    fn initial(&self, node: NodeId) -> Vec<(Arc<str>, Value)> {
        let board = &self.game().board;
        let own = board.slots().filter(|(_, slot)| slot.node == node);
        let declared = own.filter_map(|(_, slot)| Some((slot.resource, slot.declaration.as_ref()?)));
        declared
            .map(|(resource, declaration)| (board.resource(resource).clone(), declaration.initial.clone()))
            .collect()
    }

    /// Returns the reward of a team in the current state.
    ///
    /// Random numbers are drawn from a copy of the stream, so that requesting rewards does not affect the play.
    ///
    /// # Errors
    /// If the game defines no reward for the team, or if its value is not a number.
    pub fn reward(&self, team: TeamId, stream: &RandomStream) -> Result<f64, GameError> {
        let rules = &self.game().rules;
        let failure = |kind| GameError { action: None, consequence: None, kind };
        let reward = self.game().teams.get(team.index()).and_then(|team| team.reward.as_ref());
        let compute = reward.ok_or_else(|| failure(GameErrorKind::UndefinedReward { team }))?;
        let observer = match rules.reward_view {
            Perspective::TrueState => None,
            Perspective::Observation => Some(team),
        };
        let environment = EvaluationContext { observer, ..EvaluationContext::true_state(self.game(), &self.state) };
        let value = compute.evaluate(&environment, &mut stream.clone(), rules).unwrap_or(None);
        let number = value.as_ref().and_then(Value::as_f64);
        let number = number.ok_or_else(|| failure(GameErrorKind::NonNumericReward { team, value }))?;
        Ok(match rules.reward_precision {
            RewardPrecision::Double => number,
            RewardPrecision::Single => f64::from(number as f32),
        })
    }
}
