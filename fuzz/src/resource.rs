//! Resource graph games: reading any text in any dialect does not panic, layout keeps what the text means, and what can be played is
//! played alike by the simulator and the reference interpreter.

use goalspec::core::resource::custom::{Call, Registry};
use goalspec::core::resource::game::{ChoiceId, Game};
use goalspec::core::resource::interpret::play::Play;
use goalspec::core::resource::random::Stream;
use goalspec::core::resource::turn::{Move, Turn};
use goalspec::core::resource::value::Value;
use goalspec::syntax::{Diagnostic, Sources};
use goalspec_rgg::{Dialect, Read};
use goalspec_simulator::{Simulator, State};
use goalspec_testing::texts;

/// The name of the result that is registered.
const CUSTOM: &str = "Stir";

/// Most turns of a game.
const TURNS: usize = 30;

/// Tries one input.
pub fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for (name, dialect) in Dialect::NAMED {
        let (read, laid_out) = read(text, dialect);
        texts::assert_places(text, &read.diagnostics);
        let refused = read.diagnostics.iter().any(Diagnostic::is_error);
        assert_eq!(read.game.is_none(), refused, "a game is there exactly if there is no error: {name}");
        let Some(game) = read.game else { continue };
        if let Ok(laid_out) = laid_out {
            let (again, _) = self::read(&laid_out, dialect);
            // NaN is unequal to itself, but not the text of it.
            assert_eq!(format!("{:?}", again.game), format!("{:?}", Some(&game)), "layout keeps the game: {name}");
        }
        for seed in 0..2 {
            Both::play(&game, seed);
        }
    }
}

/// What a text holds, and its layout.
fn read(text: &str, dialect: Dialect) -> (Read, Result<String, Vec<Diagnostic>>) {
    let mut sources = Sources::new();
    let id = sources.add("fuzz.yaml", text);
    let source = sources.get(id);
    (goalspec_rgg::read(source, dialect, &[CUSTOM]), goalspec_rgg::format::format(source))
}

/// A result in code: reads what it is told to, draws, and writes.
fn stir(call: &mut Call<'_>) -> Result<(), String> {
    let (from, to) = (call.text_parameter("from")?, call.text_parameter("to")?);
    let drawn = Value::Real(call.ground.uniform());
    for (name, value) in call.ground.values(&from) {
        let value = if value.real().is_some() { Some(drawn.clone()) } else { call.ground.value(&to, &name) };
        call.ground.put(&to, &name, value)?;
    }
    call.ground.put(&to, "stirred", Some(drawn))
}

/// Both engines with one game.
struct Both<'g> {
    game: &'g Game,
    simulator: Simulator,
    registry: Registry,
    state: State,
    play: Play<'g>,
    stream: Stream,
}

impl<'g> Both<'g> {
    /// Plays a game on both, and panics where they differ. What is too large for the simulator is not played.
    fn play(game: &'g Game, seed: u64) {
        let registry = Registry::default().with(CUSTOM, stir);
        let Ok(simulator) = Simulator::new(game.clone(), registry.clone()) else { return };
        let state = simulator.start(seed, 0);
        let mut both = Self { game, simulator, registry, state, play: Play::new(game), stream: Stream::new(seed, 0) };
        let mut moves = Stream::new(seed, 1);
        both.compare();
        for _ in 0..TURNS {
            let chosen = both.drawn(&mut moves);
            if !both.turn(&chosen) {
                return;
            }
            both.compare();
        }
    }

    /// A move of the team whose turn it is.
    fn drawn(&self, moves: &mut Stream) -> Move {
        let choices = &self.game.teams[self.play.team().index()].choices;
        let choice = moves.below(choices.len() as u64 + 1) as usize;
        let Some(chosen) = choices.get(choice) else { return Move::Pass };
        let values = chosen.parameters.iter().map(|parameter| {
            // A parameter of unlimited values may have any.
            parameter.space.sample(moves).unwrap_or_else(|_| Value::Int(moves.below(5) as i32))
        });
        Move::Choose(ChoiceId::from(choice), values.collect())
    }

    /// Plays a turn; whether the game goes on.
    fn turn(&mut self, chosen: &Move) -> bool {
        let over = self.simulator.is_over(&mut self.state);
        let expected = self.play.completed(&mut self.stream);
        assert_eq!(format!("{over:?}"), format!("{expected:?}"), "whether the game is over");
        if over != Ok(false) {
            return false;
        }
        assert_eq!(self.simulator.team(&self.state), self.play.team());
        let mut turn = Turn::default();
        let found = self.simulator.step(&mut self.state, chosen, &mut turn).map(|()| turn);
        let expected = self.play.act(chosen, &mut self.stream, &self.registry);
        assert_eq!(format!("{found:?}"), format!("{expected:?}"), "what came of {chosen:?}");
        self.play.advance();
        found.is_ok()
    }

    /// Compares states, rewards, masks, metrics, and the random numbers to come.
    fn compare(&mut self) {
        assert_eq!(*self.state.stream(), self.stream, "numbers to come");
        for (node, info) in self.game.board.nodes() {
            let mut found = self.simulator.values(&self.state, node);
            let bag = self.play.state().bag(node);
            let mut expected: Vec<_> =
                bag.iter().flat_map(|bag| &bag.values).map(|(name, value)| (name.clone(), value.clone())).collect();
            found.sort_by(|one, other| one.0.cmp(&other.0));
            expected.sort_by(|one, other| one.0.cmp(&other.0));
            assert_eq!(format!("{found:?}"), format!("{expected:?}"), "values of {}", info.name);
            if let Some(bag) = bag {
                assert_eq!(*self.simulator.labels(&self.state, node), bag.seen_by, "who sees {}", info.name);
            }
        }
        for team in (0..self.game.teams.len()).map(Into::into) {
            let [one, other] = [self.simulator.reward(&mut self.state, team), self.play.reward(team, &self.stream)];
            assert_eq!(format!("{one:?}"), format!("{other:?}"), "reward of {team:?}");
            let mask = self.simulator.mask(&self.state, team);
            assert_eq!(mask, self.play.allowed(team, &self.stream), "mask of {team:?}");
        }
        for (metric, (name, expected)) in self.game.metrics.iter().zip(self.play.metrics()) {
            let found = self.simulator.field(&self.state, &metric.field);
            assert_eq!(format!("{found:?}"), format!("{expected:?}"), "metric {name}");
        }
    }
}
