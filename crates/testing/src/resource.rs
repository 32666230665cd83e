//! A differential test of the simulator and the reference interpreter of resource graph games. Results are compared as text.

use goalspec_resource::board::NodeId;
use goalspec_resource::custom::ResultRegistry;
use goalspec_resource::game::{ChoiceId, Game, TeamId};
use goalspec_resource::interpret::play::Play;
use goalspec_resource::random::RandomStream;
use goalspec_resource::rules::Perspective;
use goalspec_resource::space::Space;
use goalspec_resource::turn::{Move, TurnResult};
use goalspec_resource::value::Value;
use goalspec_simulator::action_mask::{ActionMasks, MaskBuffer};
use goalspec_simulator::actions::{ActionSpace, Bins};
use goalspec_simulator::{GameCompileError, Simulator, State};

/// A game in which only nature sees a coin, and a team guesses the side that it shows. A correct guess earns a point.
pub const COIN: &str = "
metadata: {id: coin}
teams: [nature, red]
board: {nodes: [coin, r]}
resourceSpace:
  coin: {observable: set(nature), heads: false}
  r: {observable: 'set(nature, red)', score: int(0), turn: int(0)}
actionSpace:
  nature: {flip: }
  red: {heads: , tails: }
actions:
  flip:
    cost: {r.turn: 1}
    requires: {}
    consequences:
      - {odds: 0.5, result: {Resources: {put: {coin.heads: true}}}}
      - {odds: 1.0, result: {Resources: {put: {coin.heads: false}}}}
  heads: {cost: {}, requires: {coin.heads: true}, consequences: [{result: {Resources: {add: {r.score: 1}}}}]}
  tails: {cost: {}, requires: {coin.heads: false}, consequences: [{result: {Resources: {add: {r.score: 1}}}}]}
rewards: {nature: {Constant: 0}, red: {Field: r.score}}
completed: {r.turn: {Gte: 11}}
metrics: [r.score]
";

/// Plays random moves on both engines. Returns the number of turns of the game.
///
/// # Errors
/// Returns an error if the game exceeds a limit of the simulator.
///
/// # Panics
/// Panics if the engines differ in whether the game is over, the result of a move, the state, rewards, masks, metrics, or the state
/// of the random number generator, or if the compiled masks of actions differ from trials of the actions.
pub fn play(game: &Game, registry: &ResultRegistry, seed: u64, turns: usize) -> Result<usize, GameCompileError> {
    let mut pair = EnginePair::new(game, registry, seed)?;
    let mut moves = RandomStream::new(seed, 1);
    pair.compare();
    for turn in 0..turns {
        let chosen_move = pair.random_move(&mut moves);
        pair.context = format!("seed {seed}, turn {turn}, {chosen_move:?}");
        if !pair.turn(&chosen_move) {
            return Ok(turn);
        }
        pair.compare();
    }
    Ok(turns)
}

/// Both engines on the same game.
struct EnginePair<'g> {
    game: &'g Game,
    simulator: Simulator,
    registry: &'g ResultRegistry,
    state: State,
    play: Play,
    stream: RandomStream,
    masks: Option<MaskPair>,
    /// The current position in the game, for messages.
    context: String,
}

impl<'g> EnginePair<'g> {
    fn new(game: &'g Game, registry: &'g ResultRegistry, seed: u64) -> Result<Self, GameCompileError> {
        let simulator = Simulator::new(game.clone(), registry.clone())?;
        let state = simulator.initial_state(seed, 0);
        let (play, stream) = (Play::new(simulator.game().clone()), RandomStream::new(seed, 0));
        let masks = MaskPair::new(&simulator);
        Ok(Self { game, simulator, registry, state, play, stream, masks, context: format!("seed {seed}, beginning") })
    }

    /// Draws a move of the team whose turn it is, occasionally an illegal one.
    fn random_move(&self, moves: &mut RandomStream) -> Move {
        let choices = &self.game.teams[self.play.team().index()].choices;
        match moves.below(60) {
            1 => return Move::Choose(ChoiceId::from(choices.len() + 7), Vec::new()),
            2 => return Move::Choose(ChoiceId(0), vec![Value::Bool(true); 4]),
            _ => {}
        }
        let place = moves.below(choices.len() as u64 + 1) as usize;
        let Some(chosen_move) = choices.get(place) else { return Move::Pass };
        let values = chosen_move.parameters.iter().map(|parameter| match (&parameter.space, moves.below(30)) {
            (Space::TextEnum(_), 0) => Value::Int(1),
            // A parameter with an unlimited domain accepts any value.
            (space, _) => space.sample(moves).unwrap_or_else(|_| Value::Int(moves.below(5) as i32)),
        });
        Move::Choose(place.into(), values.collect())
    }

    /// Plays a turn on both engines. Returns whether the game continues.
    fn turn(&mut self, chosen_move: &Move) -> bool {
        let context = &self.context;
        let is_over = self.simulator.is_over(&mut self.state);
        let expected = self.play.completed(&mut self.stream);
        assert_eq!(format!("{is_over:?}"), format!("{expected:?}"), "{context}: over");
        if is_over != Ok(false) {
            return false;
        }
        assert_eq!(self.simulator.team(&self.state), self.play.team(), "{context}: team");
        let mut turn = TurnResult::default();
        let found = self.simulator.step(&mut self.state, chosen_move, &mut turn).map(|()| turn);
        let expected = self.play.act(chosen_move, &mut self.stream, self.registry);
        assert_eq!(format!("{found:?}"), format!("{expected:?}"), "{context}: result");
        self.play.advance();
        found.is_ok()
    }

    /// Compares states, rewards, masks, metrics, and the states of the random number generators.
    fn compare(&mut self) {
        let at = &self.context;
        assert_eq!(*self.state.stream(), self.stream, "{at}: numbers to come");
        for (node, _) in self.game.board.nodes() {
            self.compare_node(node);
        }
        for team in (0..self.game.teams.len()).map(Into::into) {
            let [one, other] = [self.simulator.reward(&mut self.state, team), self.play.reward(team, &self.stream)];
            assert_eq!(format!("{one:?}"), format!("{other:?}"), "{at}: reward of {team:?}");
            for view in [Perspective::Observation, Perspective::TrueState] {
                let mask = self.simulator.mask(&self.state, team, view);
                assert_eq!(mask, self.play.mask(team, view, &self.stream), "{at}: mask of {team:?} by {view:?}");
            }
            if let Some(masks) = &mut self.masks {
                masks.compare(&self.simulator, &self.state, team, at);
            }
        }
        for (metric, (name, expected)) in self.game.metrics.iter().zip(self.play.metrics()) {
            let found = self.simulator.field(&self.state, &metric.field);
            assert_eq!(format!("{found:?}"), format!("{expected:?}"), "{at}: metric {name}");
        }
    }

    fn compare_node(&self, node: NodeId) {
        let location = format!("{}, node {}", self.context, self.game.board.node(node).name);
        let resources = self.play.state().node(node);
        let mut found = self.simulator.values(&self.state, node);
        let values = resources.iter().flat_map(|resources| &resources.values);
        let mut expected: Vec<_> = values.map(|(name, value)| (name.clone(), value.clone())).collect();
        // The order of resources is not observable in a game.
        found.sort_by(|left, right| left.0.cmp(&right.0));
        expected.sort_by(|left, right| left.0.cmp(&right.0));
        assert_eq!(format!("{found:?}"), format!("{expected:?}"), "{location}: values");
        if let Some(resources) = resources {
            // Labels are compared as sets: the simulator does not keep their order where a game cannot observe it.
            assert_eq!(*self.simulator.observers(&self.state, node), resources.observers, "{location}: labels");
        }
    }
}

/// The masks of actions compiled for observations, and by trials in a state that is observed beforehand.
struct MaskPair {
    actions: ActionSpace,
    compiled: ActionMasks,
    trials: ActionMasks,
    buffer: MaskBuffer,
}

impl MaskPair {
    /// Returns the masks of a game, unless its moves are infinitely or too many.
    fn new(simulator: &Simulator) -> Option<Self> {
        let actions = ActionSpace::new(simulator.game(), &Bins::new()).ok()?;
        Some(Self {
            compiled: ActionMasks::new(simulator, &actions, Perspective::Observation),
            trials: ActionMasks::new(simulator, &actions, Perspective::TrueState),
            buffer: MaskBuffer::new(simulator),
            actions,
        })
    }

    fn compare(&mut self, simulator: &Simulator, state: &State, team: TeamId, at: &str) {
        let mut mask = |masks, state| {
            let mut mask = vec![-1; self.actions.of_team(team).len()];
            simulator.write_mask(masks, &self.actions, state, team, &mut self.buffer, &mut mask);
            mask
        };
        let compiled = mask(&self.compiled, state);
        let trials = mask(&self.trials, &simulator.observed(state, team));
        assert_eq!(compiled, trials, "{at}: mask of the actions of {team:?}");
    }
}
