//! Resource graph games, simulated: experiments, and single games of them turn by turn.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use goalspec::library::Library;
use goalspec::resource_games::loaded_game;
use goalspec::rgg::template::PatchError;
use goalspec::simulation::board_json::{self, BoardRecorder};
use goalspec::simulation::experiment::LoadedExperiment;
use goalspec::simulation::policies::TeamPolicies;
use goalspec::simulation::summary::SummaryOptions;
use goalspec::simulation::{episode_json, report};
use goalspec::simulator::episode::MAX_TURNS;
use goalspec::simulator::experiment::{ExperimentError, ExperimentObservers, ExperimentOptions};
use goalspec::syntax::Diagnostic;
use serde_json::{Value, json};

/// Maximum number of games of an experiment of the viewer.
pub const MAX_GAMES: u64 = 10_000;

/// The policies that the page offers for each team. Policies of files are those of `goalspec simulate` only: no request names a file.
const POLICIES: [&str; 4] = ["random", "masked-random", "nothing", "greedy"];

/// An experiment on a resource graph game, as the page or the command line requests it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SimulationRequest {
    /// The number of games, at most [`MAX_GAMES`].
    pub games: u64,
    /// The seed.
    pub seed: u64,
    /// The policies, each `POLICY` or `TEAM=POLICY`; none of them names a file.
    pub policies: Vec<String>,
}

impl Default for SimulationRequest {
    /// Returns the experiment that `goalspec simulate` plays without options.
    fn default() -> Self {
        Self { games: 1000, seed: 0, policies: Vec::new() }
    }
}

impl SimulationRequest {
    /// Checks the number of games.
    ///
    /// # Errors
    /// If there are none, or more than [`MAX_GAMES`].
    pub fn check_limit(&self) -> Result<(), Box<Diagnostic>> {
        if (1..=MAX_GAMES).contains(&self.games) {
            return Ok(());
        }
        let message = format!("an experiment of the viewer has 1 to {MAX_GAMES} games, found {}", self.games);
        Err(Diagnostic::invalid_argument(format!("{message}; use `goalspec simulate` for more")))
    }
}

/// An experiment that was played, whose games can be played again one by one.
#[derive(Debug)]
pub(crate) struct ResourceRun {
    /// The experiment as the page shows it.
    pub(crate) document: Value,
    /// The number of states of the first game: the initial one, and that after each turn.
    pub(crate) states: u64,
    experiment: LoadedExperiment,
}

impl ResourceRun {
    /// Plays the games of the only resource graph game of a library; `None` if there is none without errors.
    ///
    /// # Errors
    /// If the game is too large to be played, the number of games exceeds the limit, or a policy is invalid.
    pub(crate) fn new(
        library: &Library,
        request: &SimulationRequest,
        cancelled: Option<Arc<AtomicBool>>,
    ) -> Result<Option<Self>, Box<Diagnostic>> {
        let mut loaded = library.programs().iter().map(|program| loaded_game(program, library.custom_results()));
        let Some(game) = loaded.find_map(Result::transpose).transpose()? else { return Ok(None) };
        request.check_limit()?;
        let SimulationRequest { games, seed, ref policies } = *request;
        let policies = TeamPolicies::new(game.simulator.game(), policies)?;
        let options = ExperimentOptions {
            seed,
            max_games: games,
            max_turns: MAX_TURNS,
            cancelled,
            ..ExperimentOptions::default()
        };
        let mut run = Self {
            document: Value::Null,
            states: 1,
            experiment: LoadedExperiment { game, policies: vec![policies], variation: None, options },
        };
        run.play()?;
        Ok(Some(run))
    }

    fn play(&mut self) -> Result<(), Box<Diagnostic>> {
        let experiment = &self.experiment;
        let game = Arc::clone(experiment.game.simulator.game());
        let mut records = Vec::new();
        let result = experiment.play(ExperimentObservers {
            games: Some(&mut |record| {
                records.extend(record.episodes.iter().map(|episode| episode_json::episode(&game, episode)));
                Ok(())
            }),
            ..ExperimentObservers::default()
        });
        let result = result.map_err(|error| failed(&error))?;
        let is_cancelled = experiment.options.cancelled.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed));
        if is_cancelled {
            // Nobody waits for the document.
            return Ok(());
        }
        let first = self.game(experiment.options.first_index)?.unwrap_or_default();
        self.states = first["turns"].as_array().map_or(0, Vec::len) as u64 + 1;
        self.document = json!({
            "report": report::report(experiment, &result, &SummaryOptions::default()),
            "records": records,
            "board": board_json::board(&game),
            "policies": POLICIES,
            "max_games": MAX_GAMES,
            "game": first,
        });
        Ok(())
    }

    /// Plays the game with this index again, and returns it turn by turn; `None` if there is no such game.
    ///
    /// # Errors
    /// If it cannot be played, as the games of the experiment could.
    pub(crate) fn game(&self, index: u64) -> Result<Option<Value>, Box<Diagnostic>> {
        let mut experiment = self.experiment.clone();
        // A later run cancels this one, whose games can still be played.
        let options = ExperimentOptions { first_index: index, max_games: 1, cancelled: None, ..experiment.options };
        experiment.options = options;
        let mut recorder = BoardRecorder::default();
        let observers = ExperimentObservers { turns: Some(&mut recorder), ..ExperimentObservers::default() };
        experiment.play(observers).map_err(|error| failed(&error))?;
        let game = recorder.finish(experiment.game.simulator.game());
        Ok((!game["record"].is_null()).then_some(game))
    }

    /// Returns the games of the experiment turn by turn, from the first one on, as far as they take at most `max_bytes` of JSON.
    ///
    /// # Errors
    /// As [`game`](Self::game).
    pub(crate) fn games(&self, max_bytes: usize) -> Result<Vec<Value>, Box<Diagnostic>> {
        let (mut games, mut bytes) = (Vec::new(), 0);
        for index in 0..self.experiment.options.max_games {
            let Some(game) = self.game(index)? else { break };
            bytes += game.to_string().len();
            if bytes > max_bytes {
                break;
            }
            games.push(game);
        }
        Ok(games)
    }
}

/// Returns the error of an experiment without output and variants, which cannot fail.
fn failed(error: &ExperimentError<Box<PatchError>>) -> Box<Diagnostic> {
    Diagnostic::invalid_argument(format!("the game cannot be played: {error}"))
}
