//! Resource graph games: the choices that simulated games make with an effect, and their ends.

use std::sync::atomic::Ordering;

use goalspec_resource::game::{Game, TeamId};
use goalspec_resource::turn::{Move, TurnResult};
use goalspec_resource::value::Value;
use goalspec_simulation::LoadedGame;
use goalspec_simulation::policies::TeamPolicies;
use goalspec_simulator::episode::{Episode, EpisodeEnd, EpisodeObserver, EpisodeRunner};
use goalspec_simulator::{Simulator, State};
use goalspec_statistics::moments::MAX_MAGNITUDE;

use super::{PartVerdict, Playability, PlayabilityOptions, PlayablePart, ProgramPart, Witness};
use crate::library::Library;
use crate::program::Program;
use crate::resource_games::loaded_game;

/// The policy of all teams: uniform among the valid choices.
const POLICY: &str = "masked-random";

/// A turn of a simulated game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Turn {
    index: u64,
    turn: u32,
}

/// The first turn in which each choice of each team was valid, and the number of games with one.
struct ChoiceRecorder {
    index: u64,
    chosen: Option<(TeamId, Move)>,
    turns: Vec<Vec<Option<Turn>>>,
}

impl ChoiceRecorder {
    fn new(game: &Game) -> Self {
        let turns = game.teams.iter().map(|team| vec![None; team.choices.len()]).collect();
        Self { index: 0, chosen: None, turns }
    }

    fn is_complete(&self) -> bool {
        self.turns.iter().flatten().all(Option::is_some)
    }
}

impl EpisodeObserver for ChoiceRecorder {
    fn on_start(&mut self, _: &Simulator, _: &State, _: u64, index: u64) {
        self.index = index;
    }

    fn on_move(&mut self, _: &State, _: &State, team: TeamId, chosen: &Move) {
        self.chosen = Some((team, chosen.clone()));
    }

    fn on_turn(&mut self, _: &Simulator, state: &State, turn: &TurnResult) {
        if let (true, Some((team, Move::Choose(choice, _)))) = (turn.valid, &self.chosen) {
            let first = Turn { index: self.index, turn: state.turns() };
            self.turns[team.index()][choice.index()].get_or_insert(first);
        }
    }

    fn on_end(&mut self, _: &Simulator, _: &Episode) {}
}

/// Judges a resource graph game.
pub(super) fn judge(library: &Library, program: &Program, options: &PlayabilityOptions) -> Playability {
    let parts = match loaded_game(program, library.custom_results()) {
        Ok(Some(loaded)) => judged_parts(&loaded, options),
        Ok(None) => Vec::new(),
        Err(error) => {
            let verdict = PartVerdict::NotShown(vec![error.message]);
            vec![PlayablePart { part: ProgramPart::End, verdict, plays: 0 }]
        }
    };
    Playability::without_plays(program, parts)
}

/// Returns the mean number of turns of the simulated games that end; `None` if none does.
pub(crate) fn mean_turns(library: &Library, program: &Program, options: &PlayabilityOptions) -> Option<f64> {
    let loaded = loaded_game(program, library.custom_results()).ok()??;
    let game = loaded.simulator.game();
    let policies = TeamPolicies::new(game, &[POLICY.to_owned()]).ok()?;
    let mut runner = EpisodeRunner::new(&loaded.simulator, options.max_turns);
    let mut recorder = ChoiceRecorder::new(game);
    let (mut turns, mut ended) = (0.0, 0.0);
    for index in 0..options.simulations {
        if options.cancelled.load(Ordering::Relaxed) {
            break;
        }
        let episode = runner.play_observed(options.seed, index, &mut policies.policies(), &mut recorder);
        if episode.end == EpisodeEnd::Completed {
            turns += f64::from(episode.turns);
            ended += 1.0;
        }
    }
    (ended > 0.0).then(|| turns / ended)
}

/// Whether simulated games end without an exception, and with rewards and metrics of which statistics are made: no infinite or huge numbers.
pub(crate) fn have_usable_results(library: &Library, program: &Program, options: &PlayabilityOptions) -> bool {
    let Ok(Some(loaded)) = loaded_game(program, library.custom_results()) else { return false };
    let game = loaded.simulator.game();
    let Ok(policies) = TeamPolicies::new(game, &[POLICY.to_owned()]) else { return false };
    let mut runner = EpisodeRunner::new(&loaded.simulator, options.max_turns);
    let mut recorder = ChoiceRecorder::new(game);
    let is_usable = |number: f64| number.abs() <= MAX_MAGNITUDE;
    (0..options.simulations).all(|index| {
        let episode = runner.play_observed(options.seed, index, &mut policies.policies(), &mut recorder);
        let metrics = episode.metrics.iter().flatten().filter_map(Value::as_f64);
        episode.end.error_message(game).is_none()
            && episode.rewards.iter().all(|reward| reward.is_some_and(is_usable))
            && metrics.into_iter().all(is_usable)
    })
}

fn judged_parts(loaded: &LoadedGame, options: &PlayabilityOptions) -> Vec<PlayablePart> {
    let game = loaded.simulator.game();
    let Ok(policies) = TeamPolicies::new(game, &[POLICY.to_owned()]) else { return Vec::new() };
    let mut runner = EpisodeRunner::new(&loaded.simulator, options.max_turns);
    let mut recorder = ChoiceRecorder::new(game);
    let (mut end, mut failure) = (None, None);
    let mut played = 0;
    while played < options.simulations && !options.cancelled.load(Ordering::Relaxed) {
        let episode = runner.play_observed(options.seed, played, &mut policies.policies(), &mut recorder);
        if episode.end == EpisodeEnd::Completed {
            end.get_or_insert(Turn { index: played, turn: episode.turns });
        }
        failure = failure.or_else(|| episode.end.error_message(game));
        played += 1;
        if end.is_some() && recorder.is_complete() {
            break;
        }
    }
    // Every witness is simulated again, by itself.
    let replayed = |index| {
        let mut recorder = ChoiceRecorder::new(game);
        let mut runner = EpisodeRunner::new(&loaded.simulator, options.max_turns);
        let episode = runner.play_observed(options.seed, index, &mut policies.policies(), &mut recorder);
        (recorder, episode)
    };
    let reasons = || -> Vec<String> {
        let searched = format!("not in {played} simulated games of at most {} turns", options.max_turns);
        std::iter::once(searched).chain(failure.clone()).collect()
    };
    let judged = |part, is_replayed: Option<bool>, turn: Option<Turn>| {
        let verdict = match turn.filter(|_| is_replayed == Some(true)) {
            Some(Turn { index, turn }) => {
                let (policies, seed) = (policies.text(), options.seed);
                PartVerdict::Possible(Witness::Simulation { policies, seed, index, turn })
            }
            None => PartVerdict::NotShown(reasons()),
        };
        PlayablePart { part, verdict, plays: 0 }
    };
    let mut parts = Vec::new();
    for (team, turns) in recorder.turns.iter().enumerate() {
        for (choice, &turn) in turns.iter().enumerate() {
            let own = &game.teams[team];
            let part = ProgramPart::Choice(own.name.clone(), own.choices[choice].name.clone());
            let is_replayed = turn.map(|turn| replayed(turn.index).0.turns[team][choice] == Some(turn));
            parts.push(judged(part, is_replayed, turn));
        }
    }
    let is_replayed = end.map(|end| {
        let (_, episode) = replayed(end.index);
        episode.end == EpisodeEnd::Completed && episode.turns == end.turn
    });
    parts.push(judged(ProgramPart::End, is_replayed, end));
    parts
}
