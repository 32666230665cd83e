//! The `goalspec play` command.

use std::io::{BufRead, Write};
use std::time::{SystemTime, UNIX_EPOCH};

use goalspec::resource::game::{Game, TeamId};
use goalspec::resource::rules::Perspective;
use goalspec::resource::turn::{Move, TurnResult};
use goalspec::resource::world::describe;
use goalspec::resource_games::read_policy_file;
use goalspec::simulation::episode_json;
use goalspec::simulation::metadata::ReportMetadata;
use goalspec::simulation::policies::TeamPolicies;
use goalspec::simulator::episode::{Episode, EpisodeObserver, EpisodeRunner};
use goalspec::simulator::policy::{Console, ConsolePolicy};
use goalspec::simulator::trace::GameRecorder;
use goalspec::simulator::{Simulator, State};

use super::simulate::load;
use crate::args::PlayArgs;
use crate::output::{CommandError, CommandResult, Output, TurnRecordingFile, ensure_not_input, is_standard};

pub(crate) fn run(args: &PlayArgs, output: &mut Output) -> CommandResult {
    if let Some(trace) = &args.trace {
        ensure_not_input(trace, std::iter::once(&args.game))?;
        if is_standard(trace) {
            let message = "the game is shown on standard output: --trace requires the name of a file";
            return Err(CommandError::Usage(message.to_owned()));
        }
    }
    let Some(loaded_game) = load(&args.game, &args.resource, output)? else { return Ok(false) };
    let game = loaded_game.simulator.game().clone();
    let own = own_team(&game, args.team.as_deref()).map_err(CommandError::Usage)?;
    let view: Perspective = args.policy_view.into();
    let players = TeamPolicies::with_files(&game, &args.policies, &read_policy_file)
        .map_err(CommandError::invalid_argument)?
        .with_view(view);
    let mut policies = players.policies();
    policies[own.index()] = Box::new(ConsolePolicy::new(ConsoleTerminal).with_view(view));
    let seed = args.seed.unwrap_or_else(new_seed);
    let heading = ReportMetadata::new(&loaded_game, &players.with_label(own, "human"), Some(seed));
    let mut reporter = PlayReporter { game: &game, own, view, last: None, trace: None };
    if let Some(path) = &args.trace {
        reporter.trace = Some(GameRecorder::new(TurnRecordingFile::create(path)?).with_heading(heading.json()));
    }
    writeln!(output, "{}: {}; you play {}", game.name, heading.text(), game.teams[own.index()].name)?;
    output.flush()?;
    let episode =
        EpisodeRunner::new(&loaded_game.simulator, args.max_turns).play_observed(seed, 0, &mut policies, &mut reporter);
    if let (Some(trace), Some(path)) = (reporter.trace, &args.trace) {
        let result = trace.finish().and_then(|mut file| file.finish());
        result.map_err(|error| CommandError::File(path.clone(), error))?;
    }
    end(&game, &episode, output)?;
    Ok(episode.end.error_message(&game).is_none())
}

fn own_team(game: &Game, name: Option<&str>) -> Result<TeamId, String> {
    let Some(name) = name else { return Ok(TeamId(0)) };
    let place = game.teams.iter().position(|team| *team.name == *name);
    place.map(TeamId::from).ok_or_else(|| {
        let names: Vec<&str> = game.teams.iter().map(|team| &*team.name).collect();
        format!("unknown team `{name}`; expected one of {}", names.join(", "))
    })
}

/// Returns a new seed from the clock, small enough to type.
fn new_seed() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::from(since.subsec_nanos()) ^ since.as_secs() & 0xFFFF_FFFF
}

fn end(game: &Game, episode: &Episode, output: &mut Output) -> std::io::Result<()> {
    writeln!(output, "{} after {} turns", episode_json::end_name(&episode.end), episode.turns)?;
    if let Some(message) = episode.end.error_message(game) {
        writeln!(output, "  {message}")?;
    }
    for (team, reward) in game.teams.iter().zip(&episode.rewards) {
        match reward {
            Some(reward) => writeln!(output, "  reward of {}: {reward}", team.name)?,
            None => writeln!(output, "  reward of {}: none", team.name)?,
        }
    }
    for (metric, value) in game.metrics.iter().zip(&episode.metrics) {
        match value {
            Some(value) => writeln!(output, "  {}: {value}", metric.name)?,
            None => writeln!(output, "  {}: none", metric.name)?,
        }
    }
    Ok(())
}

/// The person at the terminal.
struct ConsoleTerminal;

impl Console for ConsoleTerminal {
    fn show(&mut self, text: &str) {
        anstream::println!("{text}");
    }

    fn ask(&mut self, prompt: &str) -> Option<String> {
        let mut out = std::io::stdout().lock();
        // An error here cannot be reported; the end of the input follows.
        let _ = out.write_all(prompt.as_bytes()).and_then(|()| out.flush());
        let mut line = String::new();
        let read = std::io::stdin().lock().read_line(&mut line).ok()?;
        (read > 0).then_some(line)
    }
}

/// Prints the moves of the other teams and the effects of the player's own moves, as far as the player's team observes them. The values
/// of parameters of other teams and the validity of moves are printed only with the true state.
struct PlayReporter<'g> {
    game: &'g Game,
    own: TeamId,
    view: Perspective,
    last: Option<(TeamId, Move)>,
    trace: Option<GameRecorder<TurnRecordingFile>>,
}

impl EpisodeObserver for PlayReporter<'_> {
    fn on_start(&mut self, simulator: &Simulator, state: &State, seed: u64, index: u64) {
        if let Some(trace) = &mut self.trace {
            trace.on_start(simulator, state, seed, index);
        }
    }

    fn on_move(&mut self, previous: &State, state: &State, team: TeamId, player_move: &Move) {
        self.last = Some((team, player_move.clone()));
        if let Some(trace) = &mut self.trace {
            trace.on_move(previous, state, team, player_move);
        }
    }

    fn on_turn(&mut self, simulator: &Simulator, state: &State, turn: &TurnResult) {
        if let Some((team, player_move)) = self.last.take() {
            let is_own = team == self.own;
            match (self.view, player_move) {
                (Perspective::TrueState, player_move) if !turn.valid => {
                    anstream::println!("{} (invalid)", describe(self.game, team, &player_move));
                }
                (Perspective::TrueState, player_move) if !is_own => {
                    anstream::println!("{}", describe(self.game, team, &player_move));
                }
                (Perspective::Observation, Move::Choose(choice, _)) if !is_own => {
                    anstream::println!("{}", describe(self.game, team, &Move::Choose(choice, Vec::new())));
                }
                (Perspective::Observation, Move::Pass) if !is_own => {
                    anstream::println!("{}", describe(self.game, team, &Move::Pass));
                }
                _ => {}
            }
        }
        if let Some(trace) = &mut self.trace {
            trace.on_turn(simulator, state, turn);
        }
    }

    fn on_end(&mut self, simulator: &Simulator, episode: &Episode) {
        if let Some(trace) = &mut self.trace {
            trace.on_end(simulator, episode);
        }
    }
}
