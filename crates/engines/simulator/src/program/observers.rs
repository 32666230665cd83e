//! The representation of the observers of nodes.

use std::sync::Arc;

use goalspec_resource::game::{Game, TeamId};
use goalspec_resource::value::Labels;

/// The observers of nodes, in the representation that a game permits. With masks, each team has its own bit.
#[derive(Debug)]
pub(crate) struct Observers {
    storage: ObserverStorage,
    /// For each team, the bit of its label; 0 if observers are not masks.
    team_bits: Vec<u64>,
}

/// The representation of the observers of nodes.
#[derive(Debug)]
pub(crate) enum ObserverStorage {
    /// Bit masks over these labels, which are all that can occur; nothing depends on their order.
    Masks(Labels),
    /// Sets in each state; these are the initial ones.
    Sets(Vec<Arc<Labels>>),
}

impl Observers {
    /// Creates the representation of the observers of a game.
    pub(crate) fn new(game: &Game, storage: ObserverStorage) -> Self {
        let mut observers = Self { storage, team_bits: Vec::new() };
        observers.team_bits = game.teams.iter().map(|team| observers.label_bit(&team.name)).collect();
        observers
    }

    /// Returns the representation.
    #[inline]
    pub(crate) fn storage(&self) -> &ObserverStorage {
        &self.storage
    }

    /// Returns the initial sets, if observers are sets.
    pub(crate) fn initial_sets(&self) -> &[Arc<Labels>] {
        match &self.storage {
            ObserverStorage::Masks(_) => &[],
            ObserverStorage::Sets(sets) => sets,
        }
    }

    /// Returns the bit of a label in masks; 0 if observers are not masks.
    pub(crate) fn label_bit(&self, label: &str) -> u64 {
        match &self.storage {
            ObserverStorage::Masks(known) => known.get_index_of(label).map_or(0, |bit| 1 << bit),
            ObserverStorage::Sets(_) => 0,
        }
    }

    /// Returns the mask of a set of labels; 0 if observers are not masks.
    pub(crate) fn mask_of(&self, labels: &Labels) -> u64 {
        labels.iter().fold(0, |mask, label| mask | self.label_bit(label))
    }

    /// Returns the bit of the label of a team in masks.
    #[inline]
    pub(crate) fn team_bit(&self, team: TeamId) -> u64 {
        self.team_bits[team.index()]
    }
}
