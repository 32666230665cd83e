//! Replay of recorded games, and comparison of two recordings.

use std::fmt;
use std::io::BufRead;
use std::sync::Arc;

use goalspec_resource::game::TeamId;
use goalspec_resource::turn::{Move, TurnResult};
use goalspec_resource::value::Value;
use serde_json::Value as Json;

use super::line_reader::{LineError, LineReader};
use super::{HEADING_KEYS, LineBuilder, MAX_POLICY_DRAWS, end_line, recorded};
use crate::episode::{EpisodeCounts, EpisodeEnd};
use crate::json;
use crate::policy::{TeamView, move_by_name};
use crate::simulator::Simulator;
use crate::state::State;

/// A difference between two recordings, or between a recording and its replay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The line number, from 1.
    pub line: usize,
    /// The number of the turn, from 1; `None` at the beginning and the end of a game.
    pub turn: Option<u64>,
    /// The key that differs; empty if the whole line differs.
    pub key: String,
    /// The value in the first recording; empty if it has ended or lacks the key.
    pub left: String,
    /// The value in the second recording or in the replay.
    pub right: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, turn, key, left: one, right: other } = self;
        let key = if key.is_empty() { "the line" } else { key };
        let turn = turn.map_or_else(String::new, |turn| format!(", turn {turn}"));
        write!(f, "line {line}{turn}: {key} is {one} in the first and {other} in the second")
    }
}

/// An error in recorded games, or a deviation of the replay from them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplayError {
    /// A line is not in the format of recordings.
    Malformed {
        /// The line number, from 1.
        line: usize,
        /// The cause.
        message: String,
    },
    /// A line cannot be read: the file is truncated, its compression is damaged, or the line exceeds
    /// [`MAX_LINE_BYTES`](super::MAX_LINE_BYTES).
    Unreadable {
        /// The line number, from 1.
        line: usize,
        /// The cause.
        message: String,
    },
    /// The replay differs from the recording.
    Mismatch(Difference),
}

impl From<LineError> for ReplayError {
    fn from(LineError { line, message }: LineError) -> Self {
        Self::Unreadable { line, message }
    }
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed { line, message } | Self::Unreadable { line, message } => {
                write!(f, "line {line}: {message}")
            }
            Self::Mismatch(difference) => difference.fmt(f),
        }
    }
}

impl std::error::Error for ReplayError {}

/// Replays the recorded moves game by game and compares the results with the recording; returns the number of turns. The
/// recording is read line by line, so it may have any length.
///
/// For a game that failed or in which a policy had no move, only the number of turns in the last line is compared.
///
/// # Errors
/// If the input cannot be read, is not a complete recording, or differs from the replay.
pub fn replay(simulator: &Simulator, input: &mut dyn BufRead) -> Result<u64, ReplayError> {
    replay_observed(simulator, input, &mut |_| {})
}

/// Replays a recording as [`replay`] does, and passes every state to `on_event`.
///
/// # Errors
/// As [`replay`]; events before the error have been passed to `on_event`.
pub fn replay_observed(
    simulator: &Simulator,
    input: &mut dyn BufRead,
    on_event: &mut dyn FnMut(ReplayEvent<'_>),
) -> Result<u64, ReplayError> {
    replay_all(simulator, input, false, on_event)
}

/// A step in the replay of recorded games, reported to an observer.
#[derive(Debug)]
pub enum ReplayEvent<'a> {
    /// The first line of a game was read, but not yet checked.
    Heading(&'a Json),
    /// A game begins.
    Begin {
        /// The seed.
        seed: u64,
        /// The index of the game.
        index: u64,
        /// The initial state.
        state: &'a State,
    },
    /// A turn was replayed.
    Turn {
        /// The team that moved.
        team: TeamId,
        /// The move.
        chosen: &'a Move,
        /// The effects.
        turn: &'a TurnResult,
        /// The state after the turn.
        state: &'a State,
    },
}

/// Replays a recording as [`replay`] does, and passes every state to `on_event`.
///
/// If the simulator lacks a custom result of the game, the recorded changes are applied instead of playing: the turns then
/// contain no consequences, and of the last line only the metrics and the number of turns are compared.
///
/// # Errors
/// As [`replay`]; events before the error have been passed to `on_event`.
pub fn replay_or_apply(
    simulator: &Simulator,
    input: &mut dyn BufRead,
    on_event: &mut dyn FnMut(ReplayEvent<'_>),
) -> Result<u64, ReplayError> {
    let apply_recorded =
        recorded::results(simulator.game()).iter().any(|name| simulator.registry().get(name).is_none());
    replay_all(simulator, input, apply_recorded, on_event)
}

fn replay_all(
    simulator: &Simulator,
    input: &mut dyn BufRead,
    apply_recorded: bool,
    on_event: &mut dyn FnMut(ReplayEvent<'_>),
) -> Result<u64, ReplayError> {
    let (mut turns, mut games) = (0, 0_u64);
    let mut game: Option<ReplayedGame> = None;
    let mut lines = LineReader::new(input);
    while let Some((number, line)) = lines.next()? {
        let malformed = |message: String| ReplayError::Malformed { line: number, message };
        let mut line: Json = serde_json::from_str(line).map_err(|error| malformed(error.to_string()))?;
        if begins(&line) {
            on_event(ReplayEvent::Heading(&line));
            if let Some(line) = line.as_object_mut() {
                line.retain(|key, _| !HEADING_KEYS.contains(&&**key));
            }
        }
        let differs = |found: Json| match difference(number, &line, &found) {
            Some(difference) => Err(ReplayError::Mismatch(difference)),
            None => Ok(()),
        };
        if line.get("turn").is_some() {
            let game =
                game.as_mut().ok_or_else(|| malformed("unexpected turn before the first line of a game".into()))?;
            differs(game.turn(simulator, &line, on_event).map_err(malformed)?)?;
            turns += 1;
        } else if line.get("end").is_some() {
            let game = game.take().ok_or_else(|| malformed("unexpected end before the first line of a game".into()))?;
            differs(game.last(simulator, &line))?;
        } else {
            if game.is_some() {
                return Err(malformed("unexpected first line of a game before the end of the previous game".into()));
            }
            let number = |key: &str| {
                line.get(key).and_then(Json::as_u64).ok_or_else(|| malformed(format!("`{key}` must be a number")))
            };
            let mut replayed = ReplayedGame::new(simulator, number("seed")?, number("index")?, apply_recorded);
            differs(replayed.first(simulator))?;
            on_event(ReplayEvent::Begin { seed: replayed.seed, index: replayed.index, state: &replayed.state });
            game = Some(replayed);
            games += 1;
        }
    }
    let line = lines.count();
    match game {
        Some(_) => Err(ReplayError::Malformed { line, message: "the recording ends during a game".into() }),
        None if games == 0 => Err(ReplayError::Malformed { line, message: "no game in the recording".into() }),
        None => Ok(turns),
    }
}

/// A game in replay.
struct ReplayedGame {
    seed: u64,
    index: u64,
    state: State,
    lines: LineBuilder,
    tally: EpisodeCounts,
    /// Whether the recorded changes are applied instead of playing.
    applies_changes: bool,
}

impl ReplayedGame {
    fn new(simulator: &Simulator, seed: u64, index: u64, apply_recorded: bool) -> Self {
        let (state, lines, counts) =
            (simulator.initial_state(seed, index), LineBuilder::default(), EpisodeCounts::default());
        Self { seed, index, state, lines, tally: counts, applies_changes: apply_recorded }
    }

    /// Returns the last line of the replay. The effects of a turn that failed are not recorded, so for a game that ended with an
    /// error only the number of turns is known.
    fn last(mut self, simulator: &Simulator, line: &Json) -> Json {
        let end_text = line.get("end").and_then(Json::as_str);
        let mut found = line.clone();
        if self.applies_changes {
            let episode = self.tally.episode(simulator, &mut self.state, self.index, EpisodeEnd::Completed);
            found["metrics"] = end_line(simulator, &episode)["metrics"].take();
        } else if matches!(end_text, Some("completed" | "truncated")) {
            let end = match simulator.is_over(&mut self.state) {
                Ok(true) => EpisodeEnd::Completed,
                Ok(false) => EpisodeEnd::Truncated,
                Err(failure) => EpisodeEnd::Failed(failure),
            };
            found = end_line(simulator, &self.tally.episode(simulator, &mut self.state, self.index, end));
        }
        found["turns"] = self.state.turns().into();
        found
    }

    fn first(&mut self, simulator: &Simulator) -> Json {
        self.lines.begin(simulator, &self.state, self.seed, self.index)
    }

    /// Replays the move of a line; returns the resulting line.
    fn turn(
        &mut self,
        simulator: &Simulator,
        line: &Json,
        on_event: &mut dyn FnMut(ReplayEvent<'_>),
    ) -> Result<Json, String> {
        if self.applies_changes {
            self.tally.add(&recorded::apply_turn(simulator, &mut self.state, line, on_event)?);
            let mut found = line.clone();
            found["turn"] = self.state.turns().into();
            return Ok(found);
        }
        let before = self.state.clone();
        let draws = line.get("drawn").and_then(Json::as_u64).ok_or("`drawn` must be the number of draws")?;
        if draws >= MAX_POLICY_DRAWS {
            return Err(format!(
                "the policy drew {draws} random numbers in a turn; a replay draws fewer than {MAX_POLICY_DRAWS}"
            ));
        }
        for _ in 0..draws {
            self.state.stream.next_u64();
        }
        let view = TeamView::new(simulator, &mut self.state);
        let (team, chosen) = (view.team(), recorded_move(&view, line)?);
        self.lines.chosen(&before, &self.state, team, &chosen);
        let mut turn = TurnResult::default();
        simulator
            .step(&mut self.state, &chosen, &mut turn)
            .map_err(|failure| format!("the turn fails: {}", failure.describe(simulator.game())))?;
        self.tally.add(&turn);
        on_event(ReplayEvent::Turn { team, chosen: &chosen, turn: &turn, state: &self.state });
        Ok(self.lines.turn(simulator, &self.state, &turn))
    }
}

/// Returns the move of a line.
pub(super) fn recorded_move(view: &TeamView<'_>, line: &Json) -> Result<Move, String> {
    let name = match line.get("choose") {
        None => return Err("missing `choose`".into()),
        Some(Json::Null) => return Ok(Move::Pass),
        Some(name) => name.as_str().ok_or("`choose` must be a name")?,
    };
    let mut values: Vec<(Arc<str>, Value)> = Vec::new();
    if let Some(arguments) = line.get("with") {
        for (name, value) in arguments.as_object().ok_or("`with` must be an object")? {
            let value = json::read(value).map_err(|error| error.to_string())?;
            let value = value.ok_or_else(|| format!("missing value of `{name}`"))?;
            values.push((name.as_str().into(), value));
        }
    }
    move_by_name(view.choices(), name, &values, &view.simulator().game().rules).map_err(|error| error.to_string())
}

/// Compares two recordings. Returns every difference between the first lines of games, such as their seeds but not the version
/// that wrote them, up to and including the first difference in a turn or the end of a game. The result is empty if the
/// recordings are the same.
///
/// # Errors
/// If a line cannot be read or is not JSON, or if an input is not a recording.
pub fn diff(one: &mut dyn BufRead, other: &mut dyn BufRead) -> Result<Vec<Difference>, ReplayError> {
    let mut found = Vec::new();
    let [mut one, mut other] = [LineReader::new(one), LineReader::new(other)];
    for number in 1.. {
        let malformed = |message: String| ReplayError::Malformed { line: number, message };
        let read = |line: &str| serde_json::from_str::<Json>(line).map_err(|error| malformed(error.to_string()));
        let no_game = || malformed("no game in the recording".to_owned());
        let (one, other) = match (one.next()?.map(|(_, text)| text), other.next()?.map(|(_, text)| text)) {
            (None | Some(_), None) | (None, Some(_)) if number == 1 => return Err(no_game()),
            (None, None) => break,
            (Some(one), Some(other)) => (one, other),
            (one, other) => {
                let [one, other] = [one, other].map(|line| line.unwrap_or_default().to_owned());
                found.push(Difference { line: number, turn: None, key: String::new(), left: one, right: other });
                break;
            }
        };
        let equal = one == other;
        let one = read(one)?;
        let other = if equal { one.clone() } else { read(other)? };
        if number == 1 && !(begins(&one) && begins(&other)) {
            return Err(no_game());
        }
        if begins(&one) && begins(&other) {
            found.extend(differences(number, &one, &other).into_iter().filter(|found| found.key != "version"));
        } else if let Some(difference) = difference(number, &one, &other) {
            found.push(difference);
            break;
        }
    }
    Ok(found)
}

/// Whether a line is the first of a game.
fn begins(line: &Json) -> bool {
    line.get("format").is_none()
        && line.get("seed").is_some()
        && line.get("turn").is_none()
        && line.get("end").is_none()
}

/// Returns the first key in which two lines differ.
fn difference(line: usize, one: &Json, other: &Json) -> Option<Difference> {
    differences(line, one, other).into_iter().next()
}

/// Returns all keys in which two lines differ.
fn differences(line: usize, one: &Json, other: &Json) -> Vec<Difference> {
    if one == other {
        return Vec::new();
    }
    let turn = one.get("turn").or(other.get("turn")).and_then(Json::as_u64);
    let (Some(first), Some(second)) = (one.as_object(), other.as_object()) else {
        return vec![Difference { line, turn, key: String::new(), left: one.to_string(), right: other.to_string() }];
    };
    let text = |value: Option<&Json>| value.map(ToString::to_string).unwrap_or_default();
    let missing = second.keys().filter(|key| !first.contains_key(*key));
    let keys = first.keys().chain(missing).filter(|key| first.get(*key) != second.get(*key));
    let of = |key: &String| Difference {
        line,
        turn,
        key: key.clone(),
        left: text(first.get(key)),
        right: text(second.get(key)),
    };
    keys.map(of).collect()
}
