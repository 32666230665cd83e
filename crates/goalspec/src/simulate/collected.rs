//! What is kept of many games: of the policies, of the values that varied, of the differences between policies.

use std::collections::BTreeMap;
use std::sync::Arc;

use goalspec_core::resource::game::Game;
use goalspec_core::resource::value::Value;
use goalspec_simulator::episode::Episode;
use goalspec_simulator::frequencies::Frequencies;
use goalspec_simulator::statistics::paired::Paired;
use goalspec_simulator::statistics::summary::Summary;
use goalspec_simulator::statistics::timeline::Timeline;

use super::number::Number;
use super::summary::Overview;
use super::variation::Drawn;

/// How many different draws are told apart in what is kept.
pub const MAX_GROUPS: usize = 32;

/// A game that was played, by all policies that are compared.
#[derive(Debug, Clone)]
pub struct Played {
    /// Which of the games of the seed it was.
    pub index: u64,
    /// What was drawn for it.
    pub drawn: Drawn,
    /// What became of it, policy by policy.
    pub episodes: Vec<Episode>,
}

/// What became of some games.
#[derive(Debug, Clone)]
pub struct Results {
    /// Policy by policy.
    pub overviews: Vec<Overview>,
    /// For every policy but the first: the first less it, by all numbers of the game.
    pub differences: Vec<Vec<(Number, Paired)>>,
}

/// What is kept of games. It does not depend on their order, nor on how they were split among threads.
#[derive(Debug, Clone)]
pub struct Collected {
    /// Of all games.
    pub all: Results,
    /// Of each value that was drawn.
    pub drawn: Vec<Summary>,
    /// The games by what was drawn for them; `None` if there are more than [`MAX_GROUPS`] different draws.
    pub groups: Option<BTreeMap<Arc<str>, Group>>,
    /// How resources went.
    pub timeline: Timeline,
    /// How often actions were chosen and consequences occurred, policy by policy.
    pub frequencies: Vec<Frequencies>,
}

/// The games for which the same was drawn.
#[derive(Debug, Clone)]
pub struct Group {
    /// What was drawn.
    pub values: Arc<[Value]>,
    /// What became of them.
    pub results: Results,
}

impl Results {
    fn new(game: &Game, policies: usize) -> Self {
        let differences = || Number::all(game).map(|number| (number, Paired::default())).collect();
        Self {
            overviews: (0..policies).map(|_| Overview::new(game)).collect(),
            differences: (1..policies).map(|_| differences()).collect(),
        }
    }

    fn add(&mut self, game: &Game, episodes: &[Episode]) {
        for (overview, episode) in self.overviews.iter_mut().zip(episodes) {
            overview.add(game, episode);
        }
        let Some((first, others)) = episodes.split_first() else { return };
        for (differences, other) in self.differences.iter_mut().zip(others) {
            for (number, paired) in differences {
                paired.add(number.of(first), number.of(other));
            }
        }
    }

    fn merge(&mut self, other: &Self) {
        for (mine, theirs) in self.overviews.iter_mut().zip(&other.overviews) {
            mine.merge(theirs);
        }
        for (mine, theirs) in self.differences.iter_mut().flatten().zip(other.differences.iter().flatten()) {
            mine.1.merge(&theirs.1);
        }
    }
}

impl Collected {
    /// Nothing yet, of so many policies and variables.
    pub fn new(game: &Game, policies: usize, variables: usize, timeline: Timeline) -> Self {
        Self {
            all: Results::new(game, policies),
            drawn: vec![Summary::default(); variables],
            groups: (variables > 0).then(BTreeMap::new),
            timeline,
            frequencies: vec![Frequencies::new(game); policies],
        }
    }

    /// Adds a game.
    pub fn add(&mut self, game: &Game, played: &Played) {
        self.all.add(game, &played.episodes);
        for (summary, value) in self.drawn.iter_mut().zip(played.drawn.values.iter()) {
            summary.add(Some(value));
        }
        let Some(groups) = &mut self.groups else { return };
        let policies = self.all.overviews.len();
        let group = groups
            .entry(played.drawn.key.clone())
            .or_insert_with(|| Group { values: played.drawn.values.clone(), results: Results::new(game, policies) });
        group.results.add(game, &played.episodes);
        self.check_groups();
    }

    /// Adds what others have kept of games of the same kind.
    pub fn merge(&mut self, other: &Self) {
        self.all.merge(&other.all);
        for (mine, theirs) in self.drawn.iter_mut().zip(&other.drawn) {
            mine.merge(theirs);
        }
        self.timeline.merge(&other.timeline);
        for (mine, theirs) in self.frequencies.iter_mut().zip(&other.frequencies) {
            mine.merge(theirs);
        }
        match (&mut self.groups, &other.groups) {
            (Some(mine), Some(theirs)) => {
                for (key, group) in theirs {
                    match mine.get_mut(key) {
                        Some(own) => own.results.merge(&group.results),
                        None => drop(mine.insert(key.clone(), group.clone())),
                    }
                }
                self.check_groups();
            }
            _ => self.groups = None,
        }
    }

    /// The games by what was drawn for them, in the order of the values.
    pub fn sorted_groups(&self) -> Vec<&Group> {
        let mut groups: Vec<&Group> = self.groups.iter().flat_map(BTreeMap::values).collect();
        let order = |one: &Value, other: &Value| match (one.real(), other.real()) {
            (Some(one), Some(other)) => one.total_cmp(&other),
            _ => one.to_string().cmp(&other.to_string()),
        };
        groups.sort_by(|one, other| {
            let pairs = one.values.iter().zip(other.values.iter());
            pairs.map(|(one, other)| order(one, other)).find(|order| order.is_ne()).unwrap_or(std::cmp::Ordering::Equal)
        });
        groups
    }

    fn check_groups(&mut self) {
        if self.groups.as_ref().is_some_and(|groups| groups.len() > MAX_GROUPS) {
            self.groups = None;
        }
    }
}
