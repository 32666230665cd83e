//! The aggregated results of many games.

use std::sync::Arc;

use goalspec_resource::game::Game;

use super::summary::Summary;
use crate::episode::{End, Episode};

/// The aggregated results of many games: frequencies of their ends, and a summary of every number that an episode reports.
#[derive(Debug, Clone, Default)]
pub struct Totals {
    /// The frequencies of the ends.
    pub ends: Ends,
    /// The number of turns.
    pub turns: Summary,
    /// The number of invalid turns.
    pub invalid: Summary,
    /// The number of writes of values outside their declared spaces.
    pub outside: Summary,
    /// The number of integer overflows.
    pub overflows: Summary,
    /// The rewards of the teams, in the order of the teams.
    pub rewards: Vec<Summary>,
    /// The metrics, in the order of the game.
    pub metrics: Vec<Summary>,
    /// The discounted returns of the teams, in the order of the teams; without values if no discount is set.
    pub returns: Vec<Summary>,
}

/// The frequencies of the ends of games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ends {
    /// Games in which the termination condition held.
    pub over: u64,
    /// Games that reached the maximum number of turns, or were cancelled.
    pub truncated: u64,
    /// Games that ended with an error.
    pub failed: u64,
    /// Games in which a policy failed to choose a move.
    pub no_move: u64,
}

/// The quantity of a row of a table of summaries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// The number of turns.
    Turns,
    /// The number of invalid turns.
    Invalid,
    /// The number of writes of values outside their declared spaces.
    Outside,
    /// The number of integer overflows.
    Overflows,
    /// The reward of a team.
    Reward(Arc<str>),
    /// A metric.
    Metric(Arc<str>),
}

impl Totals {
    /// Creates empty totals of a game.
    pub fn new(game: &Game) -> Self {
        let rewards = vec![Summary::default(); game.teams.len()];
        let metrics = vec![Summary::default(); game.metrics.len()];
        let returns = rewards.clone();
        Self { rewards, metrics, returns, ..Self::default() }
    }

    /// Adds a game. A game that ended with an error counts with its final values.
    pub fn add(&mut self, episode: &Episode) {
        match episode.end {
            End::Over => self.ends.over += 1,
            End::Truncated => self.ends.truncated += 1,
            End::Failed(_) => self.ends.failed += 1,
            End::NoMove { .. } => self.ends.no_move += 1,
        }
        self.turns.add_number(f64::from(episode.turns));
        self.invalid.add_number(f64::from(episode.invalid));
        self.outside.add_number(episode.outside as f64);
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
        self.ends.over += other.ends.over;
        self.ends.truncated += other.ends.truncated;
        self.ends.failed += other.ends.failed;
        self.ends.no_move += other.ends.no_move;
        self.turns.merge(&other.turns);
        self.invalid.merge(&other.invalid);
        self.outside.merge(&other.outside);
        self.overflows.merge(&other.overflows);
        let pairs = self.rewards.iter_mut().zip(&other.rewards).chain(self.metrics.iter_mut().zip(&other.metrics));
        for (mine, theirs) in pairs.chain(self.returns.iter_mut().zip(&other.returns)) {
            mine.merge(theirs);
        }
    }

    /// Returns the number of games.
    pub fn games(&self) -> u64 {
        self.turns.games()
    }

    /// Returns every summary except those of the returns, with its quantity, as the rows of a table.
    pub fn rows<'a>(&'a self, game: &'a Game) -> impl Iterator<Item = (Subject, &'a Summary)> {
        let fixed = [
            (Subject::Turns, &self.turns),
            (Subject::Invalid, &self.invalid),
            (Subject::Outside, &self.outside),
            (Subject::Overflows, &self.overflows),
        ];
        let rewards = game.teams.iter().map(|team| Subject::Reward(Arc::clone(&team.name))).zip(&self.rewards);
        let metrics = game.metrics.iter().map(|metric| Subject::Metric(Arc::clone(&metric.name))).zip(&self.metrics);
        fixed.into_iter().chain(rewards).chain(metrics)
    }
}
