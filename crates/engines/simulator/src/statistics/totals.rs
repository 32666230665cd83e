//! The aggregated results of many games.

use std::sync::Arc;

use goalspec_resource::game::Game;

use super::summary::MetricSummary;
use crate::episode::{Episode, EpisodeEnd};

/// The aggregated results of many games: frequencies of their ends, and a summary of every number that an episode reports.
#[derive(Debug, Clone, Default)]
pub struct EpisodeStatistics {
    /// The frequencies of the ends.
    pub ends: EndCounts,
    /// The number of turns.
    pub turns: MetricSummary,
    /// The number of invalid turns.
    pub invalid_turns: MetricSummary,
    /// The number of writes of values outside their declared spaces.
    pub out_of_bounds: MetricSummary,
    /// The number of integer overflows.
    pub overflows: MetricSummary,
    /// The rewards of the teams, in the order of the teams.
    pub rewards: Vec<MetricSummary>,
    /// The metrics, in the order of the game.
    pub metrics: Vec<MetricSummary>,
    /// The discounted returns of the teams, in the order of the teams; without values if no discount is set.
    pub returns: Vec<MetricSummary>,
}

/// The frequencies of the ends of games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EndCounts {
    /// Games in which the termination condition held.
    pub completed: u64,
    /// Games that reached the maximum number of turns, or were cancelled.
    pub truncated: u64,
    /// Games that ended with an error.
    pub failed: u64,
    /// Games in which a policy failed to choose a move.
    pub policy_failed: u64,
}

/// The quantity of a row of a table of summaries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Quantity {
    /// The number of turns.
    Turns,
    /// The number of invalid turns.
    Invalid,
    /// The number of writes of values outside their declared spaces.
    OutOfBounds,
    /// The number of integer overflows.
    Overflows,
    /// The reward of a team.
    Reward(Arc<str>),
    /// A metric.
    Metric(Arc<str>),
}

impl EpisodeStatistics {
    /// Creates empty totals of a game.
    pub fn new(game: &Game) -> Self {
        let rewards = vec![MetricSummary::default(); game.teams.len()];
        let metrics = vec![MetricSummary::default(); game.metrics.len()];
        let returns = rewards.clone();
        Self { rewards, metrics, returns, ..Self::default() }
    }

    /// Adds a game. A game that ended with an error counts with its final values.
    pub fn add(&mut self, episode: &Episode) {
        match episode.end {
            EpisodeEnd::Completed => self.ends.completed += 1,
            EpisodeEnd::Truncated => self.ends.truncated += 1,
            EpisodeEnd::Failed(_) => self.ends.failed += 1,
            EpisodeEnd::PolicyFailed { .. } => self.ends.policy_failed += 1,
        }
        self.turns.add_number(f64::from(episode.turns));
        self.invalid_turns.add_number(f64::from(episode.invalid_turns));
        self.out_of_bounds.add_number(episode.out_of_bounds as f64);
        self.overflows.add_number(episode.overflows as f64);
        for (summary, reward) in self.rewards.iter_mut().zip(&episode.rewards) {
            match reward {
                Some(reward) => summary.add_number(*reward),
                None => summary.add(None),
            }
        }
        for (summary, of) in self.returns.iter_mut().zip(&episode.returns) {
            match of {
                Some(of) => summary.add_number(*of),
                None => summary.add(None),
            }
        }
        for (summary, value) in self.metrics.iter_mut().zip(&episode.metrics) {
            summary.add(value.as_ref());
        }
    }

    /// Adds the totals of other games of the same game.
    pub fn merge(&mut self, other: &Self) {
        self.ends.completed += other.ends.completed;
        self.ends.truncated += other.ends.truncated;
        self.ends.failed += other.ends.failed;
        self.ends.policy_failed += other.ends.policy_failed;
        self.turns.merge(&other.turns);
        self.invalid_turns.merge(&other.invalid_turns);
        self.out_of_bounds.merge(&other.out_of_bounds);
        self.overflows.merge(&other.overflows);
        let pairs = self.rewards.iter_mut().zip(&other.rewards).chain(self.metrics.iter_mut().zip(&other.metrics));
        for (own, others) in pairs.chain(self.returns.iter_mut().zip(&other.returns)) {
            own.merge(others);
        }
    }

    /// Returns the number of games.
    pub fn games(&self) -> u64 {
        self.turns.games()
    }

    /// Returns every summary except those of the returns, with its quantity, as the rows of a table.
    pub fn rows<'a>(&'a self, game: &'a Game) -> impl Iterator<Item = (Quantity, &'a MetricSummary)> {
        let fixed = [
            (Quantity::Turns, &self.turns),
            (Quantity::Invalid, &self.invalid_turns),
            (Quantity::OutOfBounds, &self.out_of_bounds),
            (Quantity::Overflows, &self.overflows),
        ];
        let rewards = game.teams.iter().map(|team| Quantity::Reward(Arc::clone(&team.name))).zip(&self.rewards);
        let metrics = game.metrics.iter().map(|metric| Quantity::Metric(Arc::clone(&metric.name))).zip(&self.metrics);
        fixed.into_iter().chain(rewards).chain(metrics)
    }
}
