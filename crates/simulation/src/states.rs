//! The states of a game as a trace of the game's world.

use std::io::Write;

use goalspec_resource::board::{NodeId, SlotId};
use goalspec_resource::game::TeamId;
use goalspec_resource::turn::{Move, TurnResult};
use goalspec_resource::value::{Labels, Value};
use goalspec_resource::world::{GameState, ReportedState};
use goalspec_simulator::episode::{Episode, EpisodeObserver};
use goalspec_simulator::{Simulator, State};
use goalspec_trace::source::Compression;
use goalspec_trace::{Format, Header, LinesWriter, TraceError, TraceWriter};

use crate::game::PlayableGame;

/// A writer of the states of one game as JSON Lines, for programs about the game's world.
pub struct StateWriter<'p, W: Write> {
    played: &'p PlayableGame,
    writer: LinesWriter<'p, W>,
    reported: ReportedState,
    pending_move: Option<(TeamId, Move)>,
    error: Option<TraceError>,
}

impl<'p, W: Write> StateWriter<'p, W> {
    /// Writes the header. `id` identifies the game in the trace.
    ///
    /// # Errors
    /// If the header cannot be written.
    pub fn new(playable: &'p PlayableGame, output: W, id: String) -> Result<Self, TraceError> {
        let world = playable.world.world();
        let header =
            Header { world: Some(world.name().into()), id: Some(id), ..Header::new(Format::Lines, Compression::None) };
        let writer = LinesWriter::new(output, world, &header)?;
        Ok(Self { played: playable, writer, reported: ReportedState::default(), pending_move: None, error: None })
    }

    /// Ends the trace and returns its output.
    ///
    /// # Errors
    /// The first error of writing the trace.
    pub fn finish(mut self) -> Result<W, TraceError> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        self.writer.finish()?;
        Ok(self.writer.into_output())
    }

    /// Writes a state, with the turn that led to it: the team, its move, and whether the move was valid.
    pub fn write_state(&mut self, simulator: &Simulator, state: &State, turn: Option<(TeamId, &Move, bool)>) {
        let view = StateView { simulator, state };
        let delta = self.played.world.delta(&self.played.game, &view, turn, &mut self.reported);
        if self.error.is_none() {
            self.error = self.writer.write(&delta).err();
        }
    }
}

impl<W: Write> EpisodeObserver for StateWriter<'_, W> {
    fn on_start(&mut self, simulator: &Simulator, state: &State, _: u64, _: u64) {
        self.write_state(simulator, state, None);
    }

    fn on_move(&mut self, _: &State, _: &State, team: TeamId, player_move: &Move) {
        self.pending_move = Some((team, player_move.clone()));
    }

    fn on_turn(&mut self, simulator: &Simulator, state: &State, turn: &TurnResult) {
        let pending_move = self.pending_move.take();
        self.write_state(
            simulator,
            state,
            pending_move.as_ref().map(|(team, team_move)| (*team, team_move, turn.valid)),
        );
    }

    fn on_end(&mut self, _: &Simulator, _: &Episode) {}
}

/// A state of the simulator as a view for the game's world.
struct StateView<'s> {
    simulator: &'s Simulator,
    state: &'s State,
}

impl GameState for StateView<'_> {
    fn value(&self, slot: SlotId) -> Option<Value> {
        self.simulator.value(self.state, slot)
    }

    fn observers(&self, node: NodeId) -> Labels {
        Labels::clone(&self.simulator.observers(self.state, node))
    }
}
