//! Recordings of games as JSON Lines: writing, replay and comparison.
//!
//! | line | keys |
//! |---|---|
//! | first | `game`; `version`, `dialect`, `policies` and `policy_view` if the [heading](GameRecorder::with_heading) contains them; `seed`, `index`, `teams`, `rules` (settings by option name), `results` (the names of custom results, if the game has any) |
//! | one per turn | `turn` (from 1), `team`, `choose` (`null` for a pass), `with` (parameter values), `drawn` (the number of random numbers that the policy drew), `valid`, `occurred` (`consequence` by its index, `vector` as source, target and id), `changes` (resources by `node.resource`, observers of a node by `node.observable`), `rewards` (the [step reward](crate::returns::Returns) of each team), `outside` (the resources of values outside their declared spaces), `overflows` (the locations of integer overflows) |
//! | last | `end` (`completed`, `truncated`, `failed`, `no-move`), `message` for the latter two, `turns`, `invalid`, `outside`, `overflows`, `rewards`, `metrics` |
//!
//! Values follow [`json`](mod@json): integers have no decimal point and real numbers have one. Values that JSON cannot
//! represent are objects with one key: `{"real": "NaN"}`, `{"set": ["red"]}`, `{"map": {}}`.

use std::io::{self, Write};

use goalspec_resource::board::NodeId;
use goalspec_resource::game::TeamId;
use goalspec_resource::turn::{Move, TurnResult};
use goalspec_resource::value::Value;
use serde_json::{Map, Value as Json, json};

use crate::episode::{Episode, EpisodeEnd, EpisodeObserver};
use crate::json;
use crate::returns::{levels, step};
use crate::simulator::Simulator;
use crate::state::State;

mod line_reader;
mod recorded;
mod replay;

pub use replay::{Difference, ReplayError, ReplayEvent, diff, replay, replay_observed, replay_or_apply};

/// The exclusive upper limit of the random numbers that a policy may draw in a turn for the game to be replayable.
pub const MAX_POLICY_DRAWS: u64 = 1 << 20;

/// The maximum length of a line of a recording in bytes; longer lines are neither written nor read.
pub const MAX_LINE_BYTES: usize = 1 << 28;

/// The keys of the first line of a game that describe its origin. They are ignored in a replay.
const HEADING_KEYS: [&str; 4] = ["version", "dialect", "policies", "policy_view"];

/// A writer of games as JSON Lines.
#[derive(Debug)]
pub struct GameRecorder<W> {
    out: W,
    heading: Map<String, Json>,
    lines: LineBuilder,
    error: Option<io::Error>,
}

impl<W: Write> GameRecorder<W> {
    /// Creates a writer to `writer`.
    pub fn new(writer: W) -> Self {
        Self { out: writer, heading: Map::new(), lines: LineBuilder::default(), error: None }
    }

    /// Returns the writer with a heading for the first line of each game: its keys `version`, `dialect`, `policies` and
    /// `policy_view`. Other keys are dropped.
    #[must_use]
    pub fn with_heading(self, heading: Map<String, Json>) -> Self {
        let heading = heading.into_iter().filter(|(key, _)| HEADING_KEYS.contains(&&**key)).collect();
        Self { heading, ..self }
    }

    /// Flushes and returns the underlying writer.
    ///
    /// # Errors
    /// The first error that occurred while writing.
    pub fn finish(mut self) -> io::Result<W> {
        match self.error {
            Some(error) => Err(error),
            None => self.out.flush().map(|()| self.out),
        }
    }

    fn line(&mut self, line: &Json) {
        if self.error.is_none() {
            self.error = self.write(&line.to_string()).err();
        }
    }

    /// Writes a line unless it exceeds [`MAX_LINE_BYTES`].
    fn write(&mut self, line: &str) -> io::Result<()> {
        if line.len() > MAX_LINE_BYTES {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, line_reader::too_long(MAX_LINE_BYTES)));
        }
        self.out.write_all(line.as_bytes())?;
        self.out.write_all(b"\n")
    }
}

impl<W: Write> EpisodeObserver for GameRecorder<W> {
    fn on_start(&mut self, simulator: &Simulator, state: &State, seed: u64, index: u64) {
        let line = self.lines.begin(simulator, state, seed, index);
        // The key `game` comes first, which identifies recordings among other files.
        let mut headed = Map::from_iter([("game".to_owned(), line["game"].clone())]);
        headed.extend(self.heading.clone());
        if let Json::Object(line) = line {
            headed.extend(line);
        }
        self.line(&Json::Object(headed));
    }

    fn on_move(&mut self, before: &State, state: &State, team: TeamId, chosen: &Move) {
        self.lines.chosen(before, state, team, chosen);
    }

    fn on_turn(&mut self, simulator: &Simulator, state: &State, turn: &TurnResult) {
        let line = self.lines.turn(simulator, state, turn);
        self.line(&line);
    }

    fn on_end(&mut self, simulator: &Simulator, episode: &Episode) {
        let line = end_line(simulator, episode);
        self.line(&line);
    }
}

/// A builder of the lines of a game.
#[derive(Debug, Default)]
struct LineBuilder {
    before: Option<State>,
    levels: Vec<Option<f64>>,
    chosen: Option<(TeamId, Move)>,
    drawn: u64,
}

impl LineBuilder {
    fn begin(&mut self, simulator: &Simulator, state: &State, seed: u64, index: u64) -> Json {
        self.levels = levels(simulator, &mut state.clone());
        self.before = Some(state.clone());
        let game = simulator.game();
        let mut line = json!({
            "game": &*game.name,
            "seed": seed,
            "index": index,
            "teams": game.teams.iter().map(|team| &*team.name).collect::<Vec<_>>(),
            "rules": rules(simulator),
        });
        let results = recorded::results(game);
        if !results.is_empty() {
            line["results"] = json!(results);
        }
        line
    }

    fn chosen(&mut self, before: &State, state: &State, team: TeamId, chosen: &Move) {
        let mut stream = before.stream.clone();
        self.drawn = 0;
        while stream != state.stream && self.drawn < MAX_POLICY_DRAWS {
            stream.next_u64();
            self.drawn += 1;
        }
        self.chosen = Some((team, chosen.clone()));
    }

    fn turn(&mut self, simulator: &Simulator, state: &State, turn: &TurnResult) -> Json {
        let game = simulator.game();
        let Some((team, chosen)) = self.chosen.take() else { return Json::Null };
        let (choose, arguments) = match &chosen {
            Move::Pass => (Json::Null, Map::new()),
            Move::Choose(id, values) => {
                let choice = &game.teams[team.index()].choices[id.index()];
                let names = choice.parameters.iter().map(|parameter| parameter.name.to_string());
                let values = names.zip(values).map(|(name, value)| (name, json::write(Some(value))));
                (json!(&*choice.name), values.collect())
            }
        };
        let occurred = turn.occurrences.iter().map(|occurred| {
            let vector = occurred.vector.map(|vector| {
                let vector = game.board.vector(vector);
                json!([&*game.board.node(vector.source).name, &*game.board.node(vector.target).name, &*vector.name])
            });
            json!({ "consequence": occurred.consequence, "vector": vector })
        });
        let mut after = state.clone();
        let levels = levels(simulator, &mut after);
        let rewards = game.teams.iter().zip(self.levels.iter().zip(&levels)).map(|(team, (before, after))| {
            let reward = step(*before, *after).map(Value::Real);
            (team.name.to_string(), json::write(reward.as_ref()))
        });
        let rewards: Map<_, _> = rewards.collect();
        let line = json!({
            "turn": state.turns(),
            "team": &*game.teams[team.index()].name,
            "choose": choose,
            "with": arguments,
            "drawn": self.drawn,
            "valid": turn.valid,
            "occurred": occurred.collect::<Vec<_>>(),
            "changes": self.before.as_ref().map(|before| changes(simulator, before, state)),
            "rewards": rewards,
            "outside": turn.out_of_bounds.iter().map(|&slot| game.board.slot_name(slot)).collect::<Vec<_>>(),
            "overflows": turn.overflows.iter().map(|overflow| overflow.name(game)).collect::<Vec<_>>(),
        });
        (self.before, self.levels) = (Some(after), levels);
        line
    }
}

/// Returns the changes between two states of a game.
fn changes(simulator: &Simulator, before: &State, after: &State) -> Map<String, Json> {
    let (c, board) = (simulator.compiled(), &simulator.game().board);
    let mut changes = Map::new();
    for slot in 0..c.slots.len() as u32 {
        let [old, new] = [before, after].map(|state| state.value(c, state.cell(slot)));
        if !same(old.as_ref(), new.as_ref()) {
            changes.insert(c.slot_name(slot), json::write(new.as_ref()));
        }
    }
    for (node, info) in board.nodes() {
        let [old, new] = [before, after].map(|state| state.labels(c, node));
        if old != new {
            changes.insert(format!("{}.observable", info.name), json::write(Some(&Value::Set(new))));
        }
    }
    extra_resource_changes(simulator, before, after, &mut changes);
    changes
}

/// Adds the changes of resources that custom results created outside the slots of the game.
fn extra_resource_changes(simulator: &Simulator, before: &State, after: &State, changes: &mut Map<String, Json>) {
    let name = |node: NodeId, resource: &str| format!("{}.{resource}", simulator.game().board.node(node).name);
    for (node, resource, value) in &after.extra_resources {
        if !before.extra_resources.iter().any(|extra| (extra.0, &extra.1, &extra.2) == (*node, resource, value)) {
            changes.insert(name(*node, resource), json::write(Some(value)));
        }
    }
    for (node, resource, _) in &before.extra_resources {
        if !after.extra_resources.iter().any(|extra| (extra.0, &extra.1) == (*node, resource)) {
            changes.insert(name(*node, resource), Json::Null);
        }
    }
}

/// Whether two values are identical; NaN is identical to itself.
fn same(old: Option<&Value>, new: Option<&Value>) -> bool {
    match (old, new) {
        (Some(Value::Real(old)), Some(Value::Real(new))) => old.to_bits() == new.to_bits(),
        (old, new) => old == new,
    }
}

fn end_line(simulator: &Simulator, episode: &Episode) -> Json {
    let game = simulator.game();
    let (end, message) = match &episode.end {
        EpisodeEnd::Completed => ("completed", None),
        EpisodeEnd::Truncated => ("truncated", None),
        EpisodeEnd::Failed(failure) => ("failed", Some(failure.describe(game))),
        EpisodeEnd::PolicyFailed { error, .. } => ("no-move", Some(error.to_string())),
    };
    let rewards = game.teams.iter().zip(&episode.rewards).map(|(team, reward)| {
        let reward = reward.map(Value::Real);
        (team.name.to_string(), json::write(reward.as_ref()))
    });
    let metrics = game.metrics.iter().zip(&episode.metrics);
    let metrics = metrics.map(|(metric, value)| (metric.name.to_string(), json::write(value.as_ref())));
    let mut line = json!({
        "end": end,
        "turns": episode.turns,
        "invalid": episode.invalid_turns,
        "outside": episode.out_of_bounds,
        "overflows": episode.overflows,
        "rewards": rewards.collect::<Map<_, _>>(),
        "metrics": metrics.collect::<Map<_, _>>(),
    });
    if let (Some(message), Some(line)) = (message, line.as_object_mut()) {
        line.insert("message".into(), message.into());
    }
    line
}

/// Returns the rules of the game, by option name.
fn rules(simulator: &Simulator) -> Json {
    let words = simulator.game().rules.settings();
    Json::Object(words.into_iter().map(|(name, word)| (name.to_owned(), word.into())).collect())
}
