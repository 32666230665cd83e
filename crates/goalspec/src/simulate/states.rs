//! The states of a game as a trace of the game's world.

use std::io::Write;

use goalspec_resource::board::{NodeId, SlotId};
use goalspec_resource::game::TeamId;
use goalspec_resource::turn::{Move, Turn};
use goalspec_resource::value::{Labels, Value};
use goalspec_resource::world::{Told, View};
use goalspec_simulator::episode::{Episode, Watch};
use goalspec_simulator::{Simulator, State};
use goalspec_trace::source::Compression;
use goalspec_trace::{Format, Header, LinesWriter, TraceError, TraceWriter};

use crate::program::Played;

/// A writer of the states of one game as JSON Lines, for programs about the game's world.
pub struct StateWriter<'p, W: Write> {
    played: &'p Played,
    writer: LinesWriter<'p, W>,
    told: Told,
    chosen: Option<(TeamId, Move)>,
    error: Option<TraceError>,
}

impl<'p, W: Write> StateWriter<'p, W> {
    /// Writes the header. `id` identifies the game in the trace.
    ///
    /// # Errors
    /// If the header cannot be written.
    pub fn new(played: &'p Played, output: W, id: String) -> Result<Self, TraceError> {
        let world = played.world.world();
        let header =
            Header { world: Some(world.name().into()), id: Some(id), ..Header::new(Format::Lines, Compression::None) };
        let writer = LinesWriter::new(output, world, &header)?;
        Ok(Self { played, writer, told: Told::default(), chosen: None, error: None })
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
    pub fn tell(&mut self, simulator: &Simulator, state: &State, turn: Option<(TeamId, &Move, bool)>) {
        let view = StateView { simulator, state };
        let delta = self.played.world.tell(&self.played.game, &view, turn, &mut self.told);
        if self.error.is_none() {
            self.error = self.writer.write(&delta).err();
        }
    }
}

impl<W: Write> Watch for StateWriter<'_, W> {
    fn begins(&mut self, simulator: &Simulator, state: &State, _: u64, _: u64) {
        self.tell(simulator, state, None);
    }

    fn chosen(&mut self, _: &State, _: &State, team: TeamId, chosen: &Move) {
        self.chosen = Some((team, chosen.clone()));
    }

    fn played(&mut self, simulator: &Simulator, state: &State, turn: &Turn) {
        let chosen = self.chosen.take();
        self.tell(simulator, state, chosen.as_ref().map(|(team, made)| (*team, made, turn.valid)));
    }

    fn ends(&mut self, _: &Simulator, _: &Episode) {}
}

/// A state of the simulator as a view for the game's world.
struct StateView<'s> {
    simulator: &'s Simulator,
    state: &'s State,
}

impl View for StateView<'_> {
    fn value(&self, slot: SlotId) -> Option<Value> {
        self.simulator.value(self.state, slot)
    }

    fn seen_by(&self, node: NodeId) -> Labels {
        Labels::clone(&self.simulator.labels(self.state, node))
    }
}
