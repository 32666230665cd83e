//! The layout of the features of monitors.

use goalspec_core::pattern::Pattern;
use goalspec_core::program::{Game, Goal};
use goalspec_core::world::World;
use goalspec_monitor::GameFeatures;

/// The features of the monitors of a program, by kind of program and engine.
#[derive(Debug)]
pub(super) enum ProgramFeatures {
    /// A game in the fast engine.
    Game(GameFeatures),
    /// A game in another engine: the setup and the attempts at these preferences.
    Attempts { names: Vec<String>, preferences: Vec<usize> },
    /// A goal: the progress and the conjuncts.
    Goal { names: Vec<String>, is_exact: bool },
}

impl ProgramFeatures {
    /// Returns the features of an engine that tells the progress of attempts only; `game` is `None` under reference semantics.
    pub(super) fn attempts(game: Option<&Game>) -> Self {
        let preferences = game.iter().flat_map(|game| game.preferences.iter().enumerate());
        let sequences: Vec<_> =
            preferences.filter(|(_, preference)| matches!(preference.pattern, Pattern::Sequence(_))).collect();
        let attempts = sequences.iter().map(|(_, preference)| format!("{}.attempt", preference.name));
        Self::Attempts {
            names: std::iter::once("setup".to_owned()).chain(attempts).collect(),
            preferences: sequences.iter().map(|(index, _)| *index).collect(),
        }
    }

    /// Returns the features of a goal.
    pub(super) fn goal(goal: &Goal, world: &World) -> Self {
        let conjuncts = (0..goal.conjuncts.len()).map(|index| format!("conjunct.{index}"));
        let names = std::iter::once("progress".to_owned()).chain(conjuncts).collect();
        Self::Goal { names, is_exact: world.trackers().is_empty() }
    }

    /// Returns the names of the features, in order.
    pub(super) fn names(&self) -> &[String] {
        match self {
            Self::Game(features) => features.names(),
            Self::Attempts { names, .. } | Self::Goal { names, .. } => names,
        }
    }

    /// Returns the preferences whose attempts are features.
    pub(super) fn preferences(&self) -> &[usize] {
        match self {
            Self::Attempts { preferences, .. } => preferences,
            Self::Game(_) | Self::Goal { .. } => &[],
        }
    }

    /// Whether the features and the state of the world determine all future rewards.
    pub(super) fn is_exact(&self) -> bool {
        match self {
            Self::Game(features) => features.is_exact(),
            Self::Attempts { .. } => false,
            Self::Goal { is_exact, .. } => *is_exact,
        }
    }
}
