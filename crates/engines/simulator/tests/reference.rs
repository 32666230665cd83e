//! The simulator plays what the reference interpreter plays.

use goalspec_core::resource::board::NodeId;
use goalspec_core::resource::custom::{Call, Registry};
use goalspec_core::resource::game::{ChoiceId, Game};
use goalspec_core::resource::interpret::play::Play;
use goalspec_core::resource::random::Stream;
use goalspec_core::resource::space::Space;
use goalspec_core::resource::turn::{Move, Turn};
use goalspec_core::resource::value::Value;
use goalspec_simulator::{Simulator, State};

mod games;

/// Turns in a game.
const TURNS: usize = 40;

/// Both engines, with one game.
struct Both<'g> {
    game: &'g Game,
    simulator: Simulator,
    registry: Registry,
    state: State,
    play: Play<'g>,
    stream: Stream,
}

/// Equal, where NaN equals itself and sets have no order.
fn same(one: Option<&Value>, other: Option<&Value>) -> bool {
    match (one, other) {
        (Some(Value::Real(one)), Some(Value::Real(other))) => {
            one.to_bits() == other.to_bits() || (one.is_nan() && other.is_nan())
        }
        (Some(Value::List(one)), Some(Value::List(other))) => {
            one.len() == other.len()
                && one.iter().zip(other.iter()).all(|(one, other)| same(one.as_ref(), other.as_ref()))
        }
        (one, other) => one == other,
    }
}

impl<'g> Both<'g> {
    fn new(game: &'g Game, registry: Registry, seed: u64) -> Self {
        let simulator = Simulator::new(game.clone(), registry.clone()).unwrap();
        let state = simulator.start(seed, 3);
        Self { game, simulator, registry, state, play: Play::new(game), stream: Stream::new(seed, 3) }
    }

    /// Checks that the states, rewards, masks and metrics are the same, and that both will draw the same numbers.
    fn check(&mut self, at: &str) {
        for (node, info) in self.game.board.nodes() {
            self.check_node(node, &format!("{at}, node {}", info.name));
        }
        assert_eq!(*self.state.stream(), self.stream, "{at}: numbers to come");
        for team in (0..self.game.teams.len()).map(Into::into) {
            let [one, other] = [self.simulator.reward(&mut self.state, team), self.play.reward(team, &self.stream)];
            assert_eq!(format!("{one:?}"), format!("{other:?}"), "{at}: reward");
            let mask = self.simulator.mask(&self.state, team);
            assert_eq!(mask, self.play.allowed(team, &self.stream), "{at}: mask of {team:?}");
        }
        for (metric, (_, expected)) in self.game.metrics.iter().zip(self.play.metrics()) {
            let found = self.simulator.field(&self.state, &metric.field);
            assert!(same(found.as_ref(), expected.as_ref()), "{at}: {:?}: {found:?}, not {expected:?}", metric.field);
        }
    }

    fn check_node(&self, node: NodeId, at: &str) {
        let Some(bag) = self.play.state().bag(node) else {
            assert!(self.simulator.values(&self.state, node).is_empty(), "{at}");
            return;
        };
        assert_eq!(*self.simulator.labels(&self.state, node), bag.seen_by, "{at}: labels");
        let values = self.simulator.values(&self.state, node);
        assert_eq!(values.len(), bag.values.len(), "{at}: {values:?}, not {:?}", bag.values);
        for (name, value) in &values {
            assert!(
                same(Some(value), bag.values.get(name)),
                "{at}: {name} is {value:?}, not {:?}",
                bag.values.get(name)
            );
        }
    }

    /// Plays a turn on both; whether the game goes on.
    fn turn(&mut self, chosen: &Move, at: &str) -> bool {
        let over = self.simulator.is_over(&mut self.state);
        let expected = self.play.completed(&mut self.stream);
        assert_eq!(format!("{over:?}"), format!("{expected:?}"), "{at}: over");
        if over != Ok(false) {
            return false;
        }
        assert_eq!(self.simulator.team(&self.state), self.play.team());
        let mut turn = Turn::default();
        let found = self.simulator.step(&mut self.state, chosen, &mut turn).map(|()| turn);
        let expected = self.play.act(chosen, &mut self.stream, &self.registry);
        assert_eq!(format!("{found:?}"), format!("{expected:?}"), "{at}");
        self.play.advance();
        found.is_ok()
    }
}

/// A move of the team whose turn it is, now and then one that it does not have.
fn drawn(game: &Game, play: &Play<'_>, stream: &mut Stream) -> Move {
    let choices = &game.teams[play.team().index()].choices;
    match stream.below(60) {
        0 => return Move::Pass,
        1 => return Move::Choose(ChoiceId(17), Vec::new()),
        2 => return Move::Choose(ChoiceId(0), vec![Value::Bool(true); 4]),
        _ => {}
    }
    let place = stream.below(choices.len() as u64) as usize;
    let values = choices[place].parameters.iter().map(|parameter| match (&parameter.space, stream.below(30)) {
        (Space::TextEnum(_), 0) => Value::Int(1),
        (space, _) => space.sample(stream).unwrap(),
    });
    Move::Choose(place.into(), values.collect())
}

fn play(game: &Game, registry: &Registry, seed: u64) -> usize {
    let mut both = Both::new(game, registry.clone(), seed);
    let mut moves = Stream::new(seed, 4);
    both.check(&format!("game {seed}, beginning"));
    for turn in 0..TURNS {
        let chosen = drawn(game, &both.play, &mut moves);
        let at = format!("game {seed}, turn {turn}, {chosen:?}");
        if !both.turn(&chosen, &at) {
            return turn;
        }
        both.check(&at);
    }
    TURNS
}

#[test]
fn random_games() {
    let mut turns = 0;
    for seed in 0..1500 {
        turns += play(&games::game(seed), &Registry::default(), seed);
    }
    assert!(turns > 5000, "most games should go on for some turns: {turns}");
}

/// Moves gold about, here and there to where there was none.
fn shift(call: &mut Call<'_>) -> Result<(), String> {
    let from = call.text_parameter("from")?;
    let gold = call.ground.value(&from, "gold");
    let drawn = call.ground.uniform();
    call.ground.put("d", "stray", gold.clone())?;
    call.ground.put("c", "level", call.ground.value("d", "stray"))?;
    call.ground.put("b", "observable", Some(Value::set(["red"])))?;
    if drawn < 0.1 {
        return Err(format!("{} values", call.ground.values(&from).len() + call.action.len()));
    }
    call.ground.put("a", "gold", Some(Value::Real(drawn)))
}

#[test]
fn random_games_with_results_in_code() {
    let registry = Registry::default().with("shift", shift);
    let mut turns = 0;
    for seed in 0..400 {
        turns += play(&games::with_custom(seed), &registry, seed);
        play(&games::with_custom(seed), &Registry::default(), seed);
    }
    assert!(turns > 1000, "most games should go on for some turns: {turns}");
}
