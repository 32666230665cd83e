//! The progress of every binding in every state of a run, recorded by an observer.
//!
//! The matchers of a run hold the attempts of all bindings, 64 to a word. A [`LaneRecorder`] compares these words after each state with
//! those after the state before, and stores what changed. Runs without a recorder do nothing for it.

use std::sync::Arc;

use goalspec_core::ids::ObjectId;
use goalspec_core::program::Game;
use rustc_hash::FxHashMap;

use crate::bits;
use crate::compiled_game::{CompiledGame, CompiledPattern};
use crate::run::GameRun;

/// Maximum number of events that one [`LaneRecorder`] stores. Beyond it, the recorder stops, and says in which state.
pub const MAX_LANE_EVENTS: usize = 1 << 23;

/// The history of one binding of a preference.
///
/// States are counted from 1. The *level* of a binding in a state is the number of the furthest position with an attempt after that state,
/// counted from 1; 0 without an attempt. An attempt that reaches the last position is complete, so that levels end before it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lane {
    /// The states in which the level changed, with the new level.
    pub levels: Vec<(u32, u16)>,
    /// The satisfactions of the binding by itself: their first and last states.
    pub satisfied: Vec<(u32, u32)>,
    /// The states in which the furthest attempt ended without a satisfaction, so that the level fell.
    pub broken: Vec<u32>,
}

impl Lane {
    fn level(&self) -> u16 {
        self.levels.last().map_or(0, |&(_, level)| level)
    }

    /// Returns the highest level.
    pub fn furthest(&self) -> u16 {
        self.levels.iter().map(|&(_, level)| level).max().unwrap_or(0)
    }

    /// Returns the first state in which the binding had an attempt or a satisfaction; 0 for an empty lane.
    pub fn first(&self) -> u32 {
        let starts = self.satisfied.first().map(|&(start, _)| start);
        self.levels.first().map(|&(state, _)| state).into_iter().chain(starts).min().unwrap_or(0)
    }

    /// Returns the stretches of states with the same level above 0, in a play of this many states: the first state, the last state and the
    /// level.
    pub fn stretches(&self, states: u64) -> Vec<(u64, u64, u64)> {
        let ends = self.levels.iter().skip(1).map(|&(state, _)| u64::from(state) - 1).chain([states]);
        let stretches = self.levels.iter().zip(ends).filter(|((_, level), _)| *level > 0);
        stretches.map(|(&(start, level), end)| (u64::from(start), end, u64::from(level))).collect()
    }

    /// Returns the number of events stored.
    fn len(&self) -> usize {
        self.levels.len() + self.satisfied.len() + self.broken.len()
    }

    /// Removes the events of the latest state.
    fn forget(&mut self, state: u32) {
        self.levels.pop_if(|&mut (at, _)| at == state);
        self.satisfied.pop_if(|&mut (_, end)| end == state);
        self.broken.pop_if(|&mut at| at == state);
    }

    /// Adds a state: the level after it, and the start of the satisfaction that ends in it.
    fn add(&mut self, state: u32, level: u16, satisfied: Option<u32>) {
        let before = self.level();
        if let Some(start) = satisfied {
            self.satisfied.push((start, state));
        } else if level < before {
            self.broken.push(state);
        }
        if level != before {
            self.levels.push((state, level));
        }
    }
}

/// The lanes of one preference, by the number of the binding. Bindings without an attempt or a satisfaction have none.
#[derive(Debug, Clone, Default)]
struct PreferenceLanes {
    lanes: FxHashMap<usize, Lane>,
    /// For each position, the bindings with an attempt there after the latest state.
    occupied: Vec<Vec<u64>>,
    /// The bindings whose lanes changed in the latest state.
    touched: Vec<usize>,
    /// The bindings that a satisfaction by the latest state alone leaves without an attempt, although the matcher has one that entered in
    /// that state: it contains the satisfaction, and a later attempt replaces it in the next state.
    outdone: Vec<usize>,
}

/// An observer of a [`GameRun`] that records the progress of every binding.
///
/// The run must [log its matches](GameRun::log_matches) from the first state, and the recorder must be called after every state, and after
/// the end of a run whose last state was not marked as the last.
#[derive(Debug, Clone)]
pub struct LaneRecorder {
    preferences: Vec<PreferenceLanes>,
    /// The number of the latest state.
    state: u32,
    /// The number of events stored; those of a state that was recorded twice count twice.
    events: usize,
    stopped: Option<u32>,
    max_events: usize,
}

impl LaneRecorder {
    /// Creates a recorder before the first state of a run of this game.
    pub fn new(game: &CompiledGame) -> Self {
        Self::with_max_events(game, MAX_LANE_EVENTS)
    }

    /// Creates a recorder that stores at most about `max_events` events.
    pub fn with_max_events(game: &CompiledGame, max_events: usize) -> Self {
        let preferences = vec![PreferenceLanes::default(); game.preferences.len()];
        Self { preferences, state: 0, events: 0, stopped: None, max_events }
    }

    /// Records the latest state of the run. A second call for the same state replaces the first.
    pub fn record(&mut self, run: &GameRun) {
        let state = run.states();
        if state == 0 || self.stopped.is_some() {
            return;
        }
        // A state that is recorded again was begun within the limit.
        if state != self.state && self.events > self.max_events {
            self.stopped = Some(state);
            return;
        }
        let again = state == self.state;
        self.state = state;
        for (index, lanes) in self.preferences.iter_mut().enumerate() {
            self.events += lanes.record(run, index, again);
        }
    }

    /// Returns the state from which on nothing was recorded, because there were more than [`MAX_LANE_EVENTS`] events.
    pub fn stopped(&self) -> Option<u32> {
        self.stopped
    }

    /// Returns the lanes of a preference with the numbers of their bindings: satisfied ones first, then by the furthest level, the earliest
    /// beginning and the number of the binding.
    ///
    /// # Panics
    /// If the game has no such preference.
    pub fn lanes(&self, preference: usize) -> Vec<(usize, &Lane)> {
        let lanes = self.preferences[preference].lanes.iter().map(|(&binding, lane)| (binding, lane));
        let mut lanes: Vec<_> = lanes.filter(|(_, lane)| lane.len() > 0).collect();
        lanes.sort_by_cached_key(|&(binding, lane)| {
            (lane.satisfied.is_empty(), u16::MAX - lane.furthest(), lane.first(), binding)
        });
        lanes
    }
}

impl PreferenceLanes {
    /// Records the latest state of a preference; returns the number of new events. `again` is whether the state replaces the latest one.
    fn record(&mut self, run: &GameRun, preference: usize, again: bool) -> usize {
        let state = run.states();
        let mut changed = match (again, run.setup_holds()) {
            (true, _) => std::mem::take(&mut self.touched),
            (false, true) => std::mem::take(&mut self.outdone),
            // Attempts do not change in this state.
            (false, false) => Vec::new(),
        };
        if again {
            for &binding in &changed {
                self.lanes.entry(binding).or_default().forget(state);
            }
            self.outdone.clear();
        }
        let matches: FxHashMap<usize, u32> = run.matches(preference).iter().copied().collect();
        changed.extend(matches.keys());
        self.update_occupied(run, preference, &mut changed);
        changed.sort_unstable();
        changed.dedup();
        let mut added = 0;
        for &binding in &changed {
            let furthest = self.occupied.iter().rposition(|position| bits::get(position, binding));
            let mut level = furthest.map_or(0, |position| u16::try_from(position + 1).unwrap_or(u16::MAX));
            if matches.get(&binding) == Some(&state) {
                level = 0;
                self.outdone.push(binding);
            }
            let lane = self.lanes.entry(binding).or_default();
            let before = lane.len();
            lane.add(state, level, matches.get(&binding).copied());
            added += lane.len() - before;
        }
        self.touched = changed;
        added
    }

    /// Copies the bindings at each position, and appends those that differ from the state before.
    fn update_occupied(&mut self, run: &GameRun, preference: usize, changed: &mut Vec<usize>) {
        let Some(sequence) = run.sequence(preference) else { return };
        let words = bits::words(sequence.binding_count());
        self.occupied.resize(sequence.position_count(), vec![0; words]);
        for (position, known) in self.occupied.iter_mut().enumerate() {
            if !sequence.has_attempts_at(position) && !bits::any(known) {
                continue;
            }
            for (word, known) in known.iter_mut().enumerate() {
                let present = sequence.occupied_word(position, word);
                let differing = std::mem::replace(known, present) ^ present;
                changed.extend(bits::ones_of(differing).map(|bit| word * 64 + bit));
            }
        }
    }
}

impl CompiledGame {
    /// Returns the number of bindings of a preference, of which those are left out that could not begin.
    ///
    /// # Panics
    /// If the game has no such preference.
    pub fn binding_count(&self, preference: usize) -> u64 {
        let compiled = &self.preferences[preference];
        match (&compiled.pattern, &compiled.distinct_bindings) {
            (CompiledPattern::NoBinding, _) => 0,
            (_, Some(distinct)) => bits::count_in_range(distinct, 0, compiled.bindings()),
            (_, None) => compiled.bindings() as u64,
        }
    }

    /// Returns the game.
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// Returns the index of the phase of each level of a [`Lane`] of a preference, from level 1.
    ///
    /// # Panics
    /// If the game has no such preference.
    pub fn level_phases(&self, preference: usize) -> Vec<usize> {
        match &self.preferences[preference].pattern {
            CompiledPattern::Sequence { automaton, source, .. } => {
                let levels = automaton.positions().len().saturating_sub(1);
                source.positions()[..levels].iter().map(|position| position.phase).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the objects of a binding of a preference by its number: those of the external variables, then those of the inner ones.
    ///
    /// # Panics
    /// If the game has no such preference, or the preference no such binding.
    pub fn binding_objects(&self, preference: usize, binding: usize) -> Vec<ObjectId> {
        self.preferences[preference].objects(&self.graph.domains, binding)
    }
}
