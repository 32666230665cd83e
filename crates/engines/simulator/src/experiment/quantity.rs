//! The numbers of a finished game, by name.

use goalspec_resource::game::Game;
use goalspec_resource::value::Value;

use crate::episode::Episode;
use crate::statistics::summary::MetricSummary;
use crate::statistics::totals::EpisodeStatistics;

/// A number of a finished game.
///
/// Teams and metrics are identified by their indices in the game. Methods panic for a game, episode or summary without this index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EpisodeQuantity {
    /// The number of turns.
    Turns,
    /// The reward of a team at the end, by the index of the team.
    Reward(usize),
    /// A metric, by its index.
    Metric(usize),
    /// The discounted return of a team, by the index of the team. It exists only in games that are played with a discount.
    Return(usize),
}

impl EpisodeQuantity {
    /// Returns all numbers of a game that is played without a discount.
    pub fn all(game: &Game) -> impl Iterator<Item = Self> + use<> {
        let rewards = (0..game.teams.len()).map(Self::Reward);
        std::iter::once(Self::Turns).chain(rewards).chain((0..game.metrics.len()).map(Self::Metric))
    }

    /// Returns all numbers of a game that is played with a discount: those of [`all`](Self::all) and the returns of all teams.
    pub fn all_discounted(game: &Game) -> impl Iterator<Item = Self> + use<> {
        Self::all(game).chain((0..game.teams.len()).map(Self::Return))
    }

    /// Returns the rewards of all teams.
    pub fn rewards(game: &Game) -> Vec<Self> {
        (0..game.teams.len()).map(Self::Reward).collect()
    }

    /// Returns its name: `turns`, `reward.TEAM`, `metric.NAME` or `return.TEAM`.
    pub fn name(self, game: &Game) -> String {
        match self {
            Self::Turns => "turns".to_owned(),
            Self::Reward(team) => format!("reward.{}", game.teams[team].name),
            Self::Metric(metric) => format!("metric.{}", game.metrics[metric].name),
            Self::Return(team) => format!("return.{}", game.teams[team].name),
        }
    }

    /// Returns its human-readable title.
    pub fn title(self, game: &Game) -> String {
        match self {
            Self::Turns => "turns".to_owned(),
            Self::Reward(team) => format!("reward {}", game.teams[team].name),
            Self::Metric(metric) => format!("metric {}", game.metrics[metric].name),
            Self::Return(team) => format!("return {}", game.teams[team].name),
        }
    }

    /// Returns its value in a finished game, 0 or 1 for a truth value; `None` if there is no value, or the value is not a number.
    pub fn value_in(self, episode: &Episode) -> Option<f64> {
        match self {
            Self::Turns => Some(f64::from(episode.turns)),
            Self::Reward(team) => episode.rewards[team],
            Self::Metric(metric) => number(episode.metrics[metric].as_ref()?),
            Self::Return(team) => *episode.returns.get(team)?,
        }
    }

    /// Returns its summary.
    pub fn summary(self, totals: &EpisodeStatistics) -> &MetricSummary {
        match self {
            Self::Turns => &totals.turns,
            Self::Reward(team) => &totals.rewards[team],
            Self::Metric(metric) => &totals.metrics[metric],
            Self::Return(team) => &totals.returns[team],
        }
    }
}

fn number(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.to_bool().map(f64::from))
}
