//! Counts over a plain list of satisfactions.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;

use super::{CountQuery, SatisfactionCounts};
use crate::ids::{ObjectId, PreferenceId, TypeId};
use crate::movement::same_position;
use crate::program::{CountOperator, Game, Preference};
use crate::work::WorkBudget;
use crate::world::World;

/// One satisfaction, reduced to the data that counting needs.
#[derive(Debug, Clone, PartialEq)]
pub struct SatisfactionRecord {
    /// The objects bound to the external variables and, under `Exists`, to the inner variables.
    pub binding: Vec<ObjectId>,
    /// The first state, counted from 1.
    pub start: u64,
    /// The last state, counted from 1.
    pub end: u64,
    /// The recorded measures, in order of the phases.
    pub measures: Vec<f64>,
    /// The bound objects that are stationary in the interval, with their positions; empty if no counting operator needs
    /// them.
    pub stationary: Vec<(ObjectId, DVec3)>,
}

/// A tally that recomputes every count from the list of satisfactions.
#[derive(Debug, Clone, Copy)]
pub struct SatisfactionList<'a> {
    /// The world.
    pub world: &'a World,
    /// The game.
    pub game: &'a Game,
    /// The satisfactions of each preference, ordered by end, then start, then binding.
    pub satisfactions: &'a [Vec<SatisfactionRecord>],
    /// The value of [`ScoreExpression::TotalTime`](crate::program::ScoreExpression::TotalTime).
    pub total_time: f64,
    /// The counter of work: one unit per satisfaction visited.
    pub work: &'a WorkBudget,
}

impl SatisfactionList<'_> {
    /// Returns the satisfactions of a preference.
    fn of(&self, preference: PreferenceId) -> std::slice::Iter<'_, SatisfactionRecord> {
        let records = &self.satisfactions[preference.index()];
        self.work.spend(records.len() as u64);
        records.iter()
    }
}

impl SatisfactionCounts for SatisfactionList<'_> {
    fn count(&self, query: &CountQuery<'_>) -> f64 {
        let preference = self.game.preference(query.preference);
        let records = self.of(query.preference);
        let selected: Vec<&SatisfactionRecord> =
            records.filter(|record| matches_query(self.world, preference, query, &record.binding)).collect();
        match query.kind {
            CountOperator::Disjoint => disjoint(&selected).count() as f64,
            CountOperator::Overlapping => selected.len() as f64,
            CountOperator::Once => f64::from(!selected.is_empty()),
            CountOperator::OncePerObjects => distinct(selected.iter().map(|record| &record.binding[..])),
            CountOperator::OncePerExternalObjects => {
                distinct(selected.iter().map(|record| &record.binding[..preference.external.len()]))
            }
            CountOperator::Measure => disjoint(&selected).map(|record| record.measures.iter().sum::<f64>()).sum(),
            CountOperator::UniquePositions => unique_positions(selected.iter().map(|record| &record.stationary[..])),
            CountOperator::SamePositions => same_positions(selected.iter().map(|record| &record.stationary[..])),
        }
    }

    fn satisfied_external_bindings(&self, preference: PreferenceId) -> Cow<'_, BTreeSet<Vec<ObjectId>>> {
        let external = self.game.preference(preference).external.len();
        let records = self.of(preference);
        Cow::Owned(records.map(|record| record.binding[..external].to_vec()).collect())
    }

    fn total_time(&self) -> f64 {
        self.total_time
    }

    fn work(&self) -> &WorkBudget {
        self.work
    }
}

/// Whether the query counts satisfactions with this binding, which starts with the external variables.
pub fn matches_query(world: &World, preference: &Preference, query: &CountQuery<'_>, binding: &[ObjectId]) -> bool {
    let is_a = |(&object, &id): (&ObjectId, &TypeId)| world.is_a(object, id);
    let external = &binding[..preference.external.len()];
    external.iter().zip(query.types).all(is_a)
        && query.external.is_none_or(|external_filter| external_filter == external)
}

/// Selects pairwise disjoint satisfactions of each binding, greedily by end: those that [`CountOperator::Disjoint`] counts.
pub fn disjoint<'a>(records: &[&'a SatisfactionRecord]) -> impl Iterator<Item = &'a SatisfactionRecord> {
    let mut last_end: BTreeMap<&[ObjectId], u64> = BTreeMap::new();
    records.iter().copied().filter(move |record| {
        let free = last_end.get(&record.binding[..]).is_none_or(|&end| record.start > end);
        if free {
            last_end.insert(&record.binding, record.end);
        }
        free
    })
}

fn distinct<'a>(bindings: impl Iterator<Item = &'a [ObjectId]>) -> f64 {
    bindings.collect::<BTreeSet<_>>().len() as f64
}

/// Computes [`CountOperator::UniquePositions`] over satisfactions in time order, each represented by its stationary
/// objects.
pub fn unique_positions<'a>(satisfactions: impl Iterator<Item = &'a [(ObjectId, DVec3)]>) -> f64 {
    let mut used: BTreeMap<ObjectId, Vec<DVec3>> = BTreeMap::new();
    let mut count = 0.0;
    for stationary in satisfactions {
        let is_new = |&(object, place): &(ObjectId, DVec3)| {
            used.get(&object).is_none_or(|places| places.iter().all(|&other| !same_position(place, other)))
        };
        if !stationary.is_empty() && stationary.iter().all(is_new) {
            count += 1.0;
            for &(object, place) in stationary {
                used.entry(object).or_default().push(place);
            }
        }
    }
    count
}

/// Computes [`CountOperator::SamePositions`] over satisfactions in time order, each represented by its stationary objects.
pub fn same_positions<'a>(satisfactions: impl Iterator<Item = &'a [(ObjectId, DVec3)]>) -> f64 {
    let mut groups: Vec<(&[(ObjectId, DVec3)], f64)> = Vec::new();
    for stationary in satisfactions.filter(|stationary| !stationary.is_empty()) {
        let agrees = |(first, _): &&mut (&[(ObjectId, DVec3)], f64)| {
            first.len() == stationary.len()
                && first.iter().zip(stationary).all(|(a, b)| a.0 == b.0 && same_position(a.1, b.1))
        };
        match groups.iter_mut().find(agrees) {
            Some((_, members)) => *members += 1.0,
            None => groups.push((stationary, 1.0)),
        }
    }
    groups.iter().map(|&(_, members)| members).fold(0.0, f64::max)
}
