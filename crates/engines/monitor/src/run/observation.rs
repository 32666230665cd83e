//! The matchers of a run, for observers of its states.

use super::GameRun;
use crate::preference_matcher::PreferenceMatcher;
use crate::sequence::SequenceMatcher;

impl GameRun {
    /// Returns the number of states so far.
    pub fn states(&self) -> u32 {
        self.run.states
    }

    /// Whether the setup holds in the latest state.
    pub fn setup_holds(&self) -> bool {
        self.run.memory.setup_holds
    }

    /// Logs the satisfactions of single bindings from now on, for [`matches`](Self::matches).
    pub fn log_matches(&mut self) {
        self.run.matchers.iter_mut().for_each(PreferenceMatcher::log_matches);
    }

    /// Returns the satisfactions of single bindings of a preference that end in the latest state: the number of the binding and the first
    /// state. Under [`Quantifier::Forall`](goalspec_core::program::Quantifier::Forall) these are the satisfactions of each assignment by
    /// itself. Empty unless they are [logged](Self::log_matches).
    ///
    /// # Panics
    /// If the game has no such preference.
    pub fn matches(&self, preference: usize) -> &[(usize, u32)] {
        self.run.matchers[preference].matches()
    }

    /// Returns the matcher of a preference whose pattern is a sequence.
    ///
    /// # Panics
    /// If the game has no such preference.
    pub fn sequence(&self, preference: usize) -> Option<&SequenceMatcher> {
        self.run.matchers[preference].sequence()
    }
}
