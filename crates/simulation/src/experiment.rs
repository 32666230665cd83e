//! Monte Carlo experiments on loaded games. The experiments themselves are those of [`goalspec_simulator::experiment`].

use std::sync::Arc;

use goalspec_rgg::template::PatchError;
use goalspec_simulator::experiment::{
    Experiment, ExperimentError, ExperimentObservers, ExperimentOptions, ExperimentResult, GameVariants,
};

use crate::game::LoadedGame;
use crate::policies::TeamPolicies;
use crate::variation::Variation;

/// A Monte Carlo experiment on a loaded game, with the names that its reports contain.
#[derive(Debug, Clone)]
pub struct LoadedExperiment {
    /// The game.
    pub game: LoadedGame,
    /// The sets of policies, at least one: the first one, and those that are compared with it.
    pub policies: Vec<TeamPolicies>,
    /// The varied values.
    pub variation: Option<Arc<Variation>>,
    /// The options.
    pub options: ExperimentOptions,
}

impl LoadedExperiment {
    /// Plays the games. The result is the same on any number of threads.
    ///
    /// # Errors
    /// If a variant of the game cannot be played, or an observer fails.
    ///
    /// # Panics
    /// If there is no set of policies.
    pub fn play(
        &self,
        observers: ExperimentObservers<'_>,
    ) -> Result<ExperimentResult, ExperimentError<Box<PatchError>>> {
        let [first, others @ ..] = &self.policies[..] else { panic!("a set of policies") };
        let experiment = Experiment::new(&self.game.simulator, first.clone()).with_options(self.options.clone());
        let experiment = others.iter().fold(experiment, |experiment, other| experiment.compare(other.clone()));
        let variants = self.variation.clone().map(|variation| variation as Arc<dyn GameVariants<Error = _>>);
        experiment.with_variants(variants).play(observers)
    }
}
