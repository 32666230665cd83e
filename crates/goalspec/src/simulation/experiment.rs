//! Monte Carlo experiments on loaded games. The experiments themselves are those of [`goalspec_simulator::experiment`].

use goalspec_rgg::template::PatchError;
use goalspec_simulator::experiment::{
    Experiment, ExperimentError, ExperimentObservers, ExperimentOptions, ExperimentResult, GameVariants, PolicyFactory,
};

use super::LoadedGame;
use super::policies::TeamPolicies;
use super::variation::Variation;

/// A Monte Carlo experiment on a loaded game, with the names that its reports contain.
#[derive(Debug, Clone, Copy)]
pub struct LoadedExperiment<'r> {
    /// The game.
    pub game: &'r LoadedGame,
    /// The sets of policies, at least one: the first one, and those that are compared with it.
    pub policies: &'r [TeamPolicies],
    /// The varied values.
    pub variation: Option<&'r Variation>,
    /// The options.
    pub options: ExperimentOptions<'r>,
}

impl LoadedExperiment<'_> {
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
        let policies: Vec<&dyn PolicyFactory> = self.policies.iter().map(|policies| policies as _).collect();
        let variants = self.variation.map(|variation| variation as &dyn GameVariants<Error = Box<PatchError>>);
        let experiment = Experiment::new(&self.game.simulator, &policies).with_options(self.options);
        experiment.with_variants(variants).play(observers)
    }
}
