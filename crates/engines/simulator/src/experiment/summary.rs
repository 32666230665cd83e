//! Statistics of the games by one set of policies.

use goalspec_resource::game::Game;

use super::quantity::EpisodeQuantity;
use crate::episode::Episode;
use crate::statistics::summary::MetricSummary;
use crate::statistics::totals::EpisodeStatistics;

/// The summary of many games by the same policies.
#[derive(Debug, Clone)]
pub struct PolicySummary {
    /// The ends of the games, and the statistics of each of their numbers.
    pub totals: EpisodeStatistics,
    /// The first game in which an error occurred, with a description of the error.
    pub first_error: Option<(u64, String)>,
}

impl PolicySummary {
    /// Creates a summary of no games.
    pub fn new(game: &Game) -> Self {
        Self { totals: EpisodeStatistics::new(game), first_error: None }
    }

    /// Adds a game.
    pub fn add(&mut self, game: &Game, episode: &Episode) {
        self.totals.add(episode);
        if self.first_error.as_ref().is_none_or(|(first, _)| episode.index < *first)
            && let Some(error) = episode.end.error_message(game)
        {
            self.first_error = Some((episode.index, error));
        }
    }

    /// Adds the summary of other games by the same policies.
    pub fn merge(&mut self, other: &Self) {
        self.totals.merge(&other.totals);
        if let Some((index, error)) = &other.first_error
            && self.first_error.as_ref().is_none_or(|(first, _)| index < first)
        {
            self.first_error = Some((*index, error.clone()));
        }
    }

    /// Returns the number of games.
    pub fn games(&self) -> u64 {
        self.totals.games()
    }

    /// Returns the number of games that were truncated at the maximum number of turns.
    pub fn truncated(&self) -> u64 {
        self.totals.ends.truncated
    }

    /// Returns the number of games that failed or ended because a policy had no move.
    pub fn failed(&self) -> u64 {
        self.totals.ends.failed + self.totals.ends.policy_failed
    }

    /// Returns the number of values that left their declared spaces.
    #[expect(clippy::cast_sign_loss, reason = "it is a sum of counts")]
    pub fn out_of_space(&self) -> u64 {
        self.totals.out_of_bounds.moments().sum() as u64
    }

    /// Returns the number of integers that exceeded 32 bits and wrapped around.
    #[expect(clippy::cast_sign_loss, reason = "it is a sum of counts")]
    pub fn overflows(&self) -> u64 {
        self.totals.overflows.moments().sum() as u64
    }

    /// Returns the summary of every number, with its title.
    pub fn rows(&self, game: &Game) -> Vec<(String, &MetricSummary)> {
        let numbers = EpisodeQuantity::all_discounted(game).map(|number| (number, number.summary(&self.totals)));
        let numbers =
            numbers.filter(|(number, summary)| !matches!(number, EpisodeQuantity::Return(_)) || summary.games() > 0);
        let mut rows: Vec<_> = numbers.map(|(number, summary)| (number.title(game), summary)).collect();
        rows.insert(1, ("invalid turns".to_owned(), &self.totals.invalid_turns));
        rows
    }
}
