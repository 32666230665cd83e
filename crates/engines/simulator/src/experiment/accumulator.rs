//! Statistics accumulated over games: of each policy, of the varied values, and of the differences between policies.

use std::collections::BTreeMap;
use std::sync::Arc;

use goalspec_resource::game::Game;
use goalspec_resource::value::Value;

use super::quantity::EpisodeQuantity;
use super::summary::PolicySummary;
use super::variants::SampledValues;
use crate::episode::Episode;
use crate::frequencies::Frequencies;
use crate::statistics::summary::MetricSummary;
use crate::statistics::timeline::Timeline;
use goalspec_statistics::paired::PairedComparison;

/// The maximum number of different combinations of values with statistics of their own.
pub const MAX_GROUPS: usize = 32;

/// A game as played by each of the compared sets of policies.
#[derive(Debug, Clone)]
pub struct GameRecord {
    /// The index of the game under its seed.
    pub index: u64,
    /// The values that were drawn for it.
    pub sampled: SampledValues,
    /// The episode of each set of policies.
    pub episodes: Vec<Episode>,
}

/// The results of a number of games.
#[derive(Debug, Clone)]
pub struct PolicyResults {
    /// The summary of each set of policies.
    pub summaries: Vec<PolicySummary>,
    /// For each set of policies but the first, the paired differences between the first and this one, by number of the game.
    pub differences: Vec<Vec<(EpisodeQuantity, PairedComparison)>>,
}

/// Statistics accumulated over games. They do not depend on the order of the games, nor on their distribution among threads.
#[derive(Debug, Clone)]
pub struct SampleAccumulator {
    /// The results of all games.
    pub totals: PolicyResults,
    /// The summary of each varied value.
    pub sampled: Vec<MetricSummary>,
    /// The games grouped by their drawn values; `None` if no values vary, or if there are more than [`MAX_GROUPS`] different
    /// draws.
    pub groups: Option<BTreeMap<Arc<str>, SampleGroup>>,
    /// The distribution of the tracked resources over time.
    pub timeline: Timeline,
    /// The frequencies of choices and consequences, by set of policies.
    pub frequencies: Vec<Frequencies>,
    /// Whether the games are played with a discount, so that they have returns.
    is_discounted: bool,
}

/// The games with the same drawn values.
#[derive(Debug, Clone)]
pub struct SampleGroup {
    /// The drawn values.
    pub values: Arc<[Value]>,
    /// The results of the games.
    pub results: PolicyResults,
}

impl PolicyResults {
    fn new(game: &Game, policies: usize, is_discounted: bool) -> Self {
        let quantities: Vec<EpisodeQuantity> = if is_discounted {
            EpisodeQuantity::all_discounted(game).collect()
        } else {
            EpisodeQuantity::all(game).collect()
        };
        let differences = || quantities.iter().map(|&number| (number, PairedComparison::default())).collect();
        Self {
            summaries: (0..policies).map(|_| PolicySummary::new(game)).collect(),
            differences: (1..policies).map(|_| differences()).collect(),
        }
    }

    fn add(&mut self, game: &Game, episodes: &[Episode]) {
        for (policy_summary, episode) in self.summaries.iter_mut().zip(episodes) {
            policy_summary.add(game, episode);
        }
        let Some((first, others)) = episodes.split_first() else { return };
        for (differences, other) in self.differences.iter_mut().zip(others) {
            for (number, comparison) in differences {
                comparison.add(number.value_in(first), number.value_in(other));
            }
        }
    }

    fn merge(&mut self, other: &Self) {
        for (target, source) in self.summaries.iter_mut().zip(&other.summaries) {
            target.merge(source);
        }
        for (target, source) in self.differences.iter_mut().flatten().zip(other.differences.iter().flatten()) {
            target.1.merge(&source.1);
        }
    }
}

impl SampleAccumulator {
    /// Creates empty statistics for `policies` sets of policies and `variables` varied values.
    pub(super) fn new(game: &Game, policies: usize, variables: usize, is_discounted: bool, timeline: Timeline) -> Self {
        Self {
            totals: PolicyResults::new(game, policies, is_discounted),
            sampled: vec![MetricSummary::default(); variables],
            groups: (variables > 0).then(BTreeMap::new),
            timeline,
            frequencies: vec![Frequencies::new(game); policies],
            is_discounted,
        }
    }

    /// Returns the number of games.
    pub fn games(&self) -> u64 {
        self.totals.summaries.first().map_or(0, PolicySummary::games)
    }

    /// Adds a game.
    pub fn add(&mut self, game: &Game, played: &GameRecord) {
        self.totals.add(game, &played.episodes);
        for (summary, value) in self.sampled.iter_mut().zip(played.sampled.values.iter()) {
            summary.add(Some(value));
        }
        let Some(groups) = &mut self.groups else { return };
        let policies = self.totals.summaries.len();
        let group = groups.entry(played.sampled.key.clone()).or_insert_with(|| SampleGroup {
            values: played.sampled.values.clone(),
            results: PolicyResults::new(game, policies, self.is_discounted),
        });
        group.results.add(game, &played.episodes);
        self.drop_excess_groups();
    }

    /// Adds the statistics of other games of the same experiment.
    pub fn merge(&mut self, other: &Self) {
        self.totals.merge(&other.totals);
        for (target, source) in self.sampled.iter_mut().zip(&other.sampled) {
            target.merge(source);
        }
        self.timeline.merge(&other.timeline);
        for (target, source) in self.frequencies.iter_mut().zip(&other.frequencies) {
            target.merge(source);
        }
        match (&mut self.groups, &other.groups) {
            (Some(target), Some(source)) => {
                for (key, group) in source {
                    match target.get_mut(key) {
                        Some(existing) => existing.results.merge(&group.results),
                        None => drop(target.insert(key.clone(), group.clone())),
                    }
                }
                self.drop_excess_groups();
            }
            _ => self.groups = None,
        }
    }

    /// Returns the groups, sorted by their drawn values.
    pub fn sorted_groups(&self) -> Vec<&SampleGroup> {
        let mut groups: Vec<&SampleGroup> = self.groups.iter().flat_map(BTreeMap::values).collect();
        let order = |left: &Value, other: &Value| match (left.as_f64(), other.as_f64()) {
            (Some(left), Some(other)) => left.total_cmp(&other),
            _ => left.to_string().cmp(&other.to_string()),
        };
        groups.sort_by(|left, other| {
            let pairs = left.values.iter().zip(other.values.iter());
            pairs
                .map(|(left, other)| order(left, other))
                .find(|order| order.is_ne())
                .unwrap_or(std::cmp::Ordering::Equal)
        });
        groups
    }

    fn drop_excess_groups(&mut self) {
        if self.groups.as_ref().is_some_and(|groups| groups.len() > MAX_GROUPS) {
            self.groups = None;
        }
    }
}
