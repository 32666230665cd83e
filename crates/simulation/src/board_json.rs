//! Boards, and games played on them turn by turn, as JSON.

use std::io::{self, Write};

use goalspec_draw::layout::positions;
use goalspec_draw::svg::{MAX_NODES, MAX_VECTORS};
use goalspec_resource::board::{NodeId, SlotId};
use goalspec_resource::game::{Game, TeamId};
use goalspec_resource::space::Space;
use goalspec_resource::turn::{Move, TurnResult};
use goalspec_resource::value::Value;
use goalspec_simulator::episode::{Episode, EpisodeObserver};
use goalspec_simulator::trace::GameRecorder;
use goalspec_simulator::{Simulator, State, json};
use serde_json::{Map, Value as Json, json};

use crate::episode_json;

/// Maximum size of the turns of a recorded game, in bytes of JSON. Later turns are left out, and counted.
pub const MAX_RECORDED_BYTES: usize = 16 << 20;

/// Returns the board of a game as JSON.
///
/// | key | value |
/// |---|---|
/// | `teams` | the names of the teams, in the order of the game |
/// | `nodes` | for each node `name`, `position` (x and y from 0 to 1, as in [pictures](crate::charts::board); `null` if the board is too large for one), `observable` (the key of its observers in states) and `resources` |
/// | `resources` of a node | for each declared or written resource `name`, `key` (its key in states) and `range` (the minimum and the maximum, `null` if its space is no range) |
/// | `vectors` | for each vector the indices of its source and its target, and its id |
pub fn board(game: &Game) -> Json {
    let board = &game.board;
    let vectors = board.vectors().map(|(_, vector)| (vector.source.index(), vector.target.index()));
    let vectors: Vec<(usize, usize)> = vectors.collect();
    let is_drawable = board.nodes().len() <= MAX_NODES && vectors.len() <= MAX_VECTORS;
    let positions = if is_drawable { positions(board.nodes().len(), &vectors) } else { Vec::new() };
    let mut resources: Vec<Vec<Json>> = vec![Vec::new(); board.nodes().len()];
    for (id, slot) in board.slots() {
        let range = slot.declaration.as_ref().and_then(|declared| range(&declared.space));
        let name = &**board.resource(slot.resource);
        resources[slot.node.index()].push(json!({"name": name, "key": board.slot_name(id), "range": range}));
    }
    let nodes = board.nodes().zip(resources).map(|((id, node), resources)| {
        json!({
            "name": &*node.name,
            "position": positions.get(id.index()),
            "observable": observers_key(game, id),
            "resources": resources,
        })
    });
    let vector_ids = board.vectors().map(|(_, vector)| (vector.source.index(), vector.target.index(), &*vector.name));
    json!({
        "teams": game.teams.iter().map(|team| &*team.name).collect::<Vec<_>>(),
        "nodes": nodes.collect::<Vec<_>>(),
        "vectors": vector_ids.collect::<Vec<_>>(),
    })
}

/// Returns the ends of a range.
fn range(space: &Space) -> Option<[f64; 2]> {
    match space {
        Space::IntRange { min, max } => Some([f64::from(*min), f64::from(*max)]),
        Space::RealRange { min, max } => Some([*min, *max]),
        _ => None,
    }
}

/// Returns the key under which recorded turns state the observers of a node.
fn observers_key(game: &Game, node: NodeId) -> String {
    format!("{}.observable", game.board.node(node).name)
}

/// A recorder of one game: its initial state, its turns as [`GameRecorder`] writes them, and the rewards after each turn.
#[derive(Debug)]
pub struct BoardRecorder {
    turns: GameRecorder<LimitedBuffer>,
    initial: Map<String, Json>,
    /// The reward of each team in each state, in the order of the game.
    rewards: Vec<Vec<Option<f64>>>,
    record: Json,
    seed: u64,
}

impl Default for BoardRecorder {
    fn default() -> Self {
        Self::with_limit(MAX_RECORDED_BYTES)
    }
}

impl BoardRecorder {
    /// Creates a recorder that keeps at most `max_bytes` of turns; later turns are left out, and counted.
    pub fn with_limit(max_bytes: usize) -> Self {
        let buffer = LimitedBuffer { bytes: Vec::new(), max_bytes, is_full: false };
        Self { turns: GameRecorder::new(buffer), initial: Map::new(), rewards: Vec::new(), record: Json::Null, seed: 0 }
    }

    /// Returns the game as JSON.
    ///
    /// | key | value |
    /// |---|---|
    /// | `seed` | the seed |
    /// | `record` | the [outcome](episode_json::episode) |
    /// | `initial` | the initial state: the value of each resource and the observers of each node, by the keys of [`board`] |
    /// | `turns` | the turns, as a recording has them; their `changes` have the same keys |
    /// | `omitted_turns` | the number of turns that were left out at the end, beyond the limit |
    /// | `rewards` | by team, the reward in the initial state and after each turn; `null` if it is not a number or not defined |
    pub fn finish(self, game: &Game) -> Json {
        let Self { turns, initial, mut rewards, record, seed } = self;
        // Writing to memory does not fail.
        let lines = turns.finish().map(|buffer| buffer.bytes).unwrap_or_default();
        let lines = lines.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice::<Json>(line).ok());
        let turns: Vec<Json> = lines.filter(|line| line.get("turn").is_some()).collect();
        let played = rewards.first().map_or(0, |states| states.len().saturating_sub(1));
        for states in &mut rewards {
            states.truncate(turns.len() + 1);
        }
        let rewards: Map<String, Json> =
            game.teams.iter().zip(rewards).map(|(team, states)| (team.name.to_string(), states.into())).collect();
        json!({
            "seed": seed,
            "record": record,
            "initial": initial,
            "omitted_turns": played - turns.len(),
            "turns": turns,
            "rewards": rewards,
        })
    }

    fn add_rewards(&mut self, simulator: &Simulator, state: &State) {
        let mut state = state.clone();
        for (team, states) in self.rewards.iter_mut().enumerate() {
            states.push(simulator.reward(&mut state, TeamId::from(team)).ok());
        }
    }
}

impl EpisodeObserver for BoardRecorder {
    fn on_start(&mut self, simulator: &Simulator, state: &State, seed: u64, index: u64) {
        let game = simulator.game();
        self.seed = seed;
        self.rewards = vec![Vec::new(); game.teams.len()];
        self.add_rewards(simulator, state);
        let value = |slot: SlotId| json::write(simulator.value(state, slot).as_ref());
        let values = game.board.slots().map(|(slot, _)| (game.board.slot_name(slot), value(slot)));
        let observers = |node| Value::Set(simulator.observers(state, node));
        let observers =
            game.board.nodes().map(|(node, _)| (observers_key(game, node), json::write(Some(&observers(node)))));
        self.initial = values.chain(observers).collect();
        self.turns.on_start(simulator, state, seed, index);
    }

    fn on_move(&mut self, before: &State, state: &State, team: TeamId, chosen: &Move) {
        self.turns.on_move(before, state, team, chosen);
    }

    fn on_turn(&mut self, simulator: &Simulator, state: &State, turn: &TurnResult) {
        self.add_rewards(simulator, state);
        self.turns.on_turn(simulator, state, turn);
    }

    fn on_end(&mut self, simulator: &Simulator, episode: &Episode) {
        self.record = episode_json::episode(simulator.game(), episode);
        self.turns.on_end(simulator, episode);
    }
}

/// A buffer that drops everything after the first write for which it has no room.
#[derive(Debug)]
struct LimitedBuffer {
    bytes: Vec<u8>,
    max_bytes: usize,
    is_full: bool,
}

impl Write for LimitedBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.is_full |= self.bytes.len() + bytes.len() > self.max_bytes;
        if !self.is_full {
            self.bytes.extend_from_slice(bytes);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
