//! The satisfactions of a preference in a run, and their counts.

use std::sync::Arc;

use glam::DVec3;
use goalspec_core::ids::ObjectId;
use goalspec_core::limits::MAX_LISTED_SATISFACTIONS;
use goalspec_core::monitor::{PreferenceReport, Satisfaction};
use goalspec_core::movement::LocationHistory;

use crate::compiled_game::{CompiledGame, CompiledPreference};
use crate::preference_matcher::CompletedSatisfaction;
use crate::satisfaction_counter::{CountedSatisfaction, RequiredCounts, SatisfactionCounter};

/// The satisfactions of one preference in a run.
#[derive(Debug, Clone)]
pub(crate) struct PreferenceTally {
    pub(crate) counter: SatisfactionCounter,
    records: SatisfactionLog,
}

/// The satisfactions of a preference, ordered by end, then start, then binding.
#[derive(Debug, Clone, Default)]
struct SatisfactionLog {
    list: Vec<SatisfactionEntry>,
    measures: Vec<f64>,
    /// For each record, the end of its measures; empty for preferences without measures.
    ends: Vec<usize>,
    /// The number of satisfactions found before the present state beyond those kept.
    dropped: u64,
    /// The number of records before the present state.
    old: usize,
}

/// Memory per satisfaction during a run, without its measures, in bytes.
pub(crate) const SATISFACTION_BYTES: u64 = size_of::<SatisfactionEntry>() as u64;

#[derive(Debug, Clone, Copy)]
struct SatisfactionEntry {
    holder: u32,
    start: u32,
    end: u32,
}

impl SatisfactionLog {
    /// Prepares for a new state: drops the records beyond those that are reported.
    fn begin(&mut self) {
        if let Some(excess) = self.list.len().checked_sub(MAX_LISTED_SATISFACTIONS) {
            self.dropped += excess as u64;
            self.truncate(MAX_LISTED_SATISFACTIONS);
        }
        self.old = self.list.len();
    }

    fn truncate(&mut self, len: usize) {
        self.list.truncate(len);
        self.ends.truncate(len);
        self.measures.truncate(self.ends.last().map_or(0, |&end| end));
    }

    fn push(&mut self, compiled: &CompiledPreference, record: SatisfactionEntry, measures: &[f64]) {
        self.list.push(record);
        if !compiled.labels.is_empty() {
            self.measures.extend(measures);
            self.ends.push(self.measures.len());
        }
    }

    fn measures(&self, index: usize) -> &[f64] {
        let Some(&end) = self.ends.get(index) else { return &[] };
        let from = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.measures[from..end]
    }

    /// Returns the number of satisfactions that are reported.
    fn kept(&self) -> usize {
        self.list.len().min(MAX_LISTED_SATISFACTIONS)
    }

    /// Returns the number of satisfactions that are not reported.
    fn dropped(&self) -> u64 {
        self.dropped + (self.list.len() - self.kept()) as u64
    }
}

impl PreferenceTally {
    /// Returns those of the preferences of a game before the first state.
    pub(crate) fn all(game: &CompiledGame) -> Vec<Self> {
        let tally = |(compiled, required)| Self {
            counter: SatisfactionCounter::new(compiled, required),
            records: SatisfactionLog::default(),
        };
        game.preferences.iter().zip(&game.counters.required).map(tally).collect()
    }

    /// Forgets all satisfactions.
    pub(crate) fn reset(&mut self, compiled: &CompiledPreference, required: &RequiredCounts) {
        if self.counter.any() {
            self.counter = SatisfactionCounter::new(compiled, required);
            self.records = SatisfactionLog::default();
        }
    }

    /// Prepares for a new state. `undoable` is whether the state may have to be undone.
    pub(crate) fn begin(&mut self, undoable: bool) {
        self.counter.checkpoint(undoable);
        self.records.begin();
    }

    /// Undoes the present state.
    pub(crate) fn undo(&mut self, game: &CompiledGame, compiled: &CompiledPreference) {
        self.counter.undo(game, compiled);
        self.records.truncate(self.records.old);
    }

    /// Counts and records the satisfactions of the preference with this index that end in the state `now`, and empties their list.
    pub(crate) fn record(
        &mut self,
        game: &CompiledGame,
        index: usize,
        now: u32,
        movement: Option<&LocationHistory>,
        ended: &mut Vec<CompletedSatisfaction>,
    ) {
        let (compiled, required) = (&game.preferences[index], &game.counters.required[index]);
        ended.sort_by_key(|completed| (completed.start, completed.holder));
        let mut stationary: Vec<(ObjectId, DVec3)> = Vec::new();
        for CompletedSatisfaction { holder, start, measures } in ended.drain(..) {
            stationary.clear();
            if required.positions
                && let Some(movement) = movement
            {
                let objects = compiled.holder_objects(&game.graph.domains, holder).into_iter();
                let place = |object| Some((object, movement.stationary(object, u64::from(start), u64::from(now))?));
                stationary.extend(objects.filter_map(place));
            }
            let event = CountedSatisfaction { holder, start, end: now, measures: &measures, stationary: &stationary };
            self.counter.add(game, compiled, required, &event);
            let record = SatisfactionEntry { holder: holder as u32, start, end: now };
            self.records.push(compiled, record, &measures);
        }
    }

    /// Returns the satisfactions that end in the present state.
    pub(crate) fn new_satisfactions<'t>(
        &'t self,
        game: &'t CompiledGame,
        compiled: &'t CompiledPreference,
    ) -> impl Iterator<Item = Satisfaction> + 't {
        (self.records.old..self.records.list.len()).map(move |record| self.satisfaction(game, compiled, record))
    }

    /// Returns the number of satisfactions that are not reported.
    pub(crate) fn unlisted(&self) -> u64 {
        self.records.dropped()
    }

    /// Returns the report on the preference, without the best attempt.
    pub(crate) fn report(&self, game: &CompiledGame, compiled: &CompiledPreference) -> PreferenceReport {
        PreferenceReport {
            name: compiled.preference.name.clone(),
            satisfactions: (0..self.records.kept()).map(|record| self.satisfaction(game, compiled, record)).collect(),
            unlisted: self.unlisted(),
            count: self.counter.disjoint(),
            attempt: None,
        }
    }

    /// Returns a satisfaction in the form of reports.
    fn satisfaction(&self, game: &CompiledGame, compiled: &CompiledPreference, record: usize) -> Satisfaction {
        let SatisfactionEntry { holder, start, end } = self.records.list[record];
        let objects = compiled.holder_objects(&game.graph.domains, holder as usize);
        let name = |(&variable, object)| (compiled.preference.scope.get(variable).name.clone(), object);
        let labels = compiled.labels.iter().cycle().map(Arc::clone);
        Satisfaction {
            binding: compiled.variables.iter().zip(objects).map(name).collect(),
            start: u64::from(start),
            end: u64::from(end),
            measures: labels.zip(self.records.measures(record).iter().copied()).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn satisfactions_beyond_the_limit_are_counted_and_mentioned_once() {
        let record = SatisfactionEntry { holder: 0, start: 1, end: 1 };
        let list = vec![record; MAX_LISTED_SATISFACTIONS - 1];
        let mut records = SatisfactionLog { list, ..SatisfactionLog::default() };
        records.begin();
        records.list.extend([record; 3]);
        // During the state itself, all three are available to be reported.
        assert_eq!(records.list.len() - records.old, 3);
        assert_eq!((records.kept(), records.dropped()), (MAX_LISTED_SATISFACTIONS, 2));
        records.begin();
        assert_eq!((records.kept(), records.dropped()), (MAX_LISTED_SATISFACTIONS, 2));
        records.list.push(record);
        assert_eq!((records.kept(), records.dropped()), (MAX_LISTED_SATISFACTIONS, 3));
        // An undone state leaves no records.
        records.truncate(records.old);
        assert_eq!((records.kept(), records.dropped()), (MAX_LISTED_SATISFACTIONS, 2));
    }

    #[test]
    fn measures_go_with_their_records() {
        let record = SatisfactionEntry { holder: 0, start: 1, end: 1 };
        let mut records = SatisfactionLog::default();
        for measures in [&[1.0, 2.0][..], &[], &[3.0]] {
            records.list.push(record);
            records.measures.extend(measures);
            records.ends.push(records.measures.len());
        }
        let all = |records: &SatisfactionLog| {
            (0..records.list.len()).map(|at| records.measures(at).to_vec()).collect::<Vec<_>>()
        };
        assert_eq!(all(&records), [vec![1.0, 2.0], vec![], vec![3.0]]);
        records.truncate(2);
        assert_eq!((all(&records), &records.measures[..]), (vec![vec![1.0, 2.0], vec![]], &[1.0, 2.0][..]));
        records.truncate(0);
        assert_eq!((records.list.len(), records.measures.len()), (0, 0));
    }
}
