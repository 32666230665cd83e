//! What came of many games, altogether.

use std::sync::Arc;

use goalspec_core::resource::game::Game;

use super::summary::Summary;
use crate::episode::{End, Episode};

/// What came of many games: how they ended, and a summary of every number that a game has at its end.
#[derive(Debug, Clone, Default)]
pub struct Totals {
    /// How many ended in each way.
    pub ends: Ends,
    /// The turns of the games.
    pub turns: Summary,
    /// Their invalid turns.
    pub invalid: Summary,
    /// How many values left their declared spaces.
    pub outside: Summary,
    /// How many whole numbers left 32 bits.
    pub overflows: Summary,
    /// The rewards of the teams, in the order of the teams.
    pub rewards: Vec<Summary>,
    /// The metrics, in the order of the game.
    pub metrics: Vec<Summary>,
    /// The discounted returns of the teams, in the order of the teams; of no games where there was no discount.
    pub returns: Vec<Summary>,
}

/// How many games ended in each way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ends {
    /// They were over.
    pub over: u64,
    /// They had as many turns as they may.
    pub truncated: u64,
    /// Something in them failed.
    pub failed: u64,
    /// A policy had no move.
    pub no_move: u64,
}

/// What a row is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// How many turns.
    Turns,
    /// How many invalid turns.
    Invalid,
    /// How many values left their declared spaces.
    Outside,
    /// How many whole numbers left 32 bits.
    Overflows,
    /// The reward of a team.
    Reward(Arc<str>),
    /// A metric.
    Metric(Arc<str>),
}

impl Totals {
    /// Nothing yet, of this game.
    pub fn new(game: &Game) -> Self {
        let rewards = vec![Summary::default(); game.teams.len()];
        let metrics = vec![Summary::default(); game.metrics.len()];
        let returns = rewards.clone();
        Self { rewards, metrics, returns, ..Self::default() }
    }

    /// Adds a game. One that failed counts with what there was in the end.
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

    /// Adds what others have counted of the same game.
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

    /// How many games.
    pub fn games(&self) -> u64 {
        self.turns.games()
    }

    /// Every summary with what it is about: a row of a table each.
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
