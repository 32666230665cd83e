//! Recorded games played again, and two recordings compared.

use std::fmt;
use std::io::BufRead;
use std::sync::Arc;

use goalspec_core::resource::game::TeamId;
use goalspec_core::resource::turn::{Move, Turn};
use goalspec_core::resource::value::Value;
use serde_json::Value as Json;

use super::lines::{LineError, LineReader};
use super::{HEADING, Lines, MAX_DRAWN, last, told};
use crate::episode::{End, Tally};
use crate::json;
use crate::policy::{View, move_of};
use crate::simulator::Simulator;
use crate::state::State;

/// Where two recordings, or a recording and the game, first differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The line, from 1.
    pub line: usize,
    /// The turn that the line is of, from 1; `None` for the beginning and the end of a game.
    pub turn: Option<u64>,
    /// What differs in it, by its key; empty if it is the whole line.
    pub key: String,
    /// What one has there; empty if it is at its end.
    pub one: String,
    /// What the other has there.
    pub other: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, turn, key, one, other } = self;
        let key = if key.is_empty() { "the line" } else { key };
        let turn = turn.map_or_else(String::new, |turn| format!(", turn {turn}"));
        write!(f, "line {line}{turn}: {key} is {one} in one and {other} in the other")
    }
}

/// Why a recording is not what the game plays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplayError {
    /// A line is not what a recording has there.
    Malformed {
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        message: String,
    },
    /// A line cannot be read: the file ends early, its packing is damaged, or the line exceeds
    /// [`MAX_LINE_BYTES`](super::MAX_LINE_BYTES).
    Unreadable {
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        message: String,
    },
    /// The game went another way.
    Differs(Difference),
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
            Self::Differs(difference) => difference.fmt(f),
        }
    }
}

impl std::error::Error for ReplayError {}

/// Plays the recorded moves again, game by game, and checks that the same comes of them; how many turns these were. The recording is read
/// line by line, so that it may be of any length.
///
/// Of the last line of a game that failed, or in which a policy had no move, only the number of turns is checked.
///
/// # Errors
/// If the input cannot be read, is no recording or a cut one, or the game goes another way.
pub fn replay(simulator: &Simulator, input: &mut dyn BufRead) -> Result<u64, ReplayError> {
    replay_watched(simulator, input, &mut |_| {})
}

/// As [`replay`], and `seen` is told of every state.
///
/// # Errors
/// As [`replay`]; what came before has been told.
pub fn replay_watched(
    simulator: &Simulator,
    input: &mut dyn BufRead,
    seen: &mut dyn FnMut(Seen<'_>),
) -> Result<u64, ReplayError> {
    all(simulator, input, false, seen)
}

/// What a game that is played again comes by.
#[derive(Debug)]
pub enum Seen<'a> {
    /// The first line of a game was read, of which nothing is checked yet.
    Heading(&'a Json),
    /// A game begins.
    Begin {
        /// Its seed.
        seed: u64,
        /// Its index.
        index: u64,
        /// Its first state.
        state: &'a State,
    },
    /// A turn is over.
    Turn {
        /// Whose turn it was.
        team: TeamId,
        /// The move.
        chosen: &'a Move,
        /// What came of it.
        turn: &'a Turn,
        /// The state after it.
        state: &'a State,
    },
}

/// As [`replay`], and `seen` is told of every state.
///
/// Where the game has custom results that the simulator was not given, nothing is played: the states are those that the recorded changes
/// make, which consequences occurred is not told, and of the last line the metrics are checked.
///
/// # Errors
/// As [`replay`]; what came before has been told.
pub fn replay_seen(
    simulator: &Simulator,
    input: &mut dyn BufRead,
    seen: &mut dyn FnMut(Seen<'_>),
) -> Result<u64, ReplayError> {
    let telling = told::results(simulator.game()).iter().any(|name| simulator.registry().get(name).is_none());
    all(simulator, input, telling, seen)
}

fn all(
    simulator: &Simulator,
    input: &mut dyn BufRead,
    telling: bool,
    seen: &mut dyn FnMut(Seen<'_>),
) -> Result<u64, ReplayError> {
    let (mut turns, mut games) = (0, 0_u64);
    let mut game: Option<Replayed> = None;
    let mut lines = LineReader::new(input);
    while let Some((number, line)) = lines.next()? {
        let malformed = |message: String| ReplayError::Malformed { line: number, message };
        let mut line: Json = serde_json::from_str(line).map_err(|error| malformed(error.to_string()))?;
        if begins(&line) {
            seen(Seen::Heading(&line));
            if let Some(line) = line.as_object_mut() {
                line.retain(|key, _| !HEADING.contains(&&**key));
            }
        }
        let differs = |found: Json| match difference(number, &line, &found) {
            Some(difference) => Err(ReplayError::Differs(difference)),
            None => Ok(()),
        };
        if line.get("turn").is_some() {
            let game = game.as_mut().ok_or_else(|| malformed("a turn before the beginning of a game".into()))?;
            differs(game.turn(simulator, &line, seen).map_err(malformed)?)?;
            turns += 1;
        } else if line.get("end").is_some() {
            let game = game.take().ok_or_else(|| malformed("the end of no game".into()))?;
            differs(game.last(simulator, &line))?;
        } else {
            if game.is_some() {
                return Err(malformed("a game begins before the end of the one before".into()));
            }
            let number = |key: &str| {
                line.get(key)
                    .and_then(Json::as_u64)
                    .ok_or_else(|| malformed(format!("`{key}` is missing, or no number")))
            };
            let mut begun = Replayed::new(simulator, number("seed")?, number("index")?, telling);
            differs(begun.first(simulator))?;
            seen(Seen::Begin { seed: begun.seed, index: begun.index, state: &begun.state });
            game = Some(begun);
            games += 1;
        }
    }
    let line = lines.count();
    match game {
        Some(_) => Err(ReplayError::Malformed { line, message: "the recording ends in the middle of a game".into() }),
        None if games == 0 => Err(ReplayError::Malformed { line, message: "no game is recorded here".into() }),
        None => Ok(turns),
    }
}

/// A game that is played again.
struct Replayed {
    seed: u64,
    index: u64,
    state: State,
    lines: Lines,
    tally: Tally,
    /// Whether the recording is believed, not played.
    telling: bool,
}

impl Replayed {
    fn new(simulator: &Simulator, seed: u64, index: u64, telling: bool) -> Self {
        let (state, lines, tally) = (simulator.start(seed, index), Lines::default(), Tally::default());
        Self { seed, index, state, lines, tally, telling }
    }

    /// The last line, if the game ended as the recorded one says it did. What a turn that failed had done by then is not recorded, so
    /// only the number of turns is known of a game that did not end by itself.
    fn last(mut self, simulator: &Simulator, line: &Json) -> Json {
        let ended = line.get("end").and_then(Json::as_str);
        let mut found = line.clone();
        if self.telling {
            let episode = self.tally.episode(simulator, &mut self.state, self.index, End::Over);
            found["metrics"] = last(simulator, &episode)["metrics"].take();
        } else if matches!(ended, Some("over" | "truncated")) {
            let end = match simulator.is_over(&mut self.state) {
                Ok(true) => End::Over,
                Ok(false) => End::Truncated,
                Err(failure) => End::Failed(failure),
            };
            found = last(simulator, &self.tally.episode(simulator, &mut self.state, self.index, end));
        }
        found["turns"] = self.state.turns().into();
        found
    }

    fn first(&mut self, simulator: &Simulator) -> Json {
        self.lines.begin(simulator, &self.state, self.seed, self.index)
    }

    /// Plays the move of a line; the line that comes of it.
    fn turn(&mut self, simulator: &Simulator, line: &Json, seen: &mut dyn FnMut(Seen<'_>)) -> Result<Json, String> {
        if self.telling {
            self.tally.add(&told::turn(simulator, &mut self.state, line, seen)?);
            let mut found = line.clone();
            found["turn"] = self.state.turns().into();
            return Ok(found);
        }
        let before = self.state.clone();
        let drawn = line.get("drawn").and_then(Json::as_u64).ok_or("`drawn` is missing, or no number of draws")?;
        if drawn >= MAX_DRAWN {
            return Err(format!("the policy drew {drawn} random numbers in a turn; below {MAX_DRAWN} are drawn again"));
        }
        for _ in 0..drawn {
            self.state.stream.bits();
        }
        let view = View::new(simulator, &mut self.state);
        let (team, chosen) = (view.team(), recorded(&view, line)?);
        self.lines.chosen(&before, &self.state, team, &chosen);
        let mut turn = Turn::default();
        simulator
            .step(&mut self.state, &chosen, &mut turn)
            .map_err(|failure| format!("the turn fails: {}", failure.describe(simulator.game())))?;
        self.tally.add(&turn);
        seen(Seen::Turn { team, chosen: &chosen, turn: &turn, state: &self.state });
        Ok(self.lines.turn(simulator, &self.state, &turn))
    }
}

/// The move of a line.
pub(super) fn recorded(view: &View<'_>, line: &Json) -> Result<Move, String> {
    let name = match line.get("choose") {
        None => return Err("`choose` is missing".into()),
        Some(Json::Null) => return Ok(Move::Pass),
        Some(name) => name.as_str().ok_or("`choose` is no name")?,
    };
    let mut values: Vec<(Arc<str>, Value)> = Vec::new();
    if let Some(with) = line.get("with") {
        for (name, value) in with.as_object().ok_or("`with` is no object")? {
            let value = json::read(value)?.ok_or_else(|| format!("`{name}` has no value"))?;
            values.push((name.as_str().into(), value));
        }
    }
    move_of(view.choices(), name, &values, &view.simulator().game().rules).map_err(|error| error.to_string())
}

/// Where two recordings differ: every key in which the beginnings of games do, such as their seeds, but for the version that wrote them, up to the first turn or end of a game
/// that differs, and that. Nothing if they are the same.
///
/// # Errors
/// If a line of either cannot be read or is no JSON, or one of them is no recording.
pub fn diff(one: &mut dyn BufRead, other: &mut dyn BufRead) -> Result<Vec<Difference>, ReplayError> {
    let mut found = Vec::new();
    let [mut one, mut other] = [LineReader::new(one), LineReader::new(other)];
    for number in 1.. {
        let malformed = |message: String| ReplayError::Malformed { line: number, message };
        let read = |line: &str| serde_json::from_str::<Json>(line).map_err(|error| malformed(error.to_string()));
        let no_game = || malformed("no game is recorded here".to_owned());
        let (one, other) = match (one.next()?.map(|(_, text)| text), other.next()?.map(|(_, text)| text)) {
            (None | Some(_), None) | (None, Some(_)) if number == 1 => return Err(no_game()),
            (None, None) => break,
            (Some(one), Some(other)) => (one, other),
            (one, other) => {
                let [one, other] = [one, other].map(|line| line.unwrap_or_default().to_owned());
                found.push(Difference { line: number, turn: None, key: String::new(), one, other });
                break;
            }
        };
        let same = one == other;
        let one = read(one)?;
        let other = if same { one.clone() } else { read(other)? };
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

/// Whether a game begins with a line.
fn begins(line: &Json) -> bool {
    line.get("format").is_none()
        && line.get("seed").is_some()
        && line.get("turn").is_none()
        && line.get("end").is_none()
}

/// Where two lines differ: the first key that they do not share with its value.
fn difference(line: usize, one: &Json, other: &Json) -> Option<Difference> {
    differences(line, one, other).into_iter().next()
}

/// Every key that two lines do not share with its value.
fn differences(line: usize, one: &Json, other: &Json) -> Vec<Difference> {
    if one == other {
        return Vec::new();
    }
    let turn = one.get("turn").or(other.get("turn")).and_then(Json::as_u64);
    let (Some(first), Some(second)) = (one.as_object(), other.as_object()) else {
        return vec![Difference { line, turn, key: String::new(), one: one.to_string(), other: other.to_string() }];
    };
    let shown = |value: Option<&Json>| value.map(ToString::to_string).unwrap_or_default();
    let missing = second.keys().filter(|key| !first.contains_key(*key));
    let keys = first.keys().chain(missing).filter(|key| first.get(*key) != second.get(*key));
    let of = |key: &String| Difference {
        line,
        turn,
        key: key.clone(),
        one: shown(first.get(key)),
        other: shown(second.get(key)),
    };
    keys.map(of).collect()
}
