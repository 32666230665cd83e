//! The compiler from games to flat tables.
//!
//! | module | contents |
//! |---|---|
//! | [`slots`] | the slots of a game |
//! | [`words`] | the words of the state |
//! | [`constants`] | values that do not fit into words |
//! | [`observers`] | the representation of observers as bit masks |
//! | [`decisions`] | filters as decision graphs |
//! | [`values`] | computations |
//! | [`register_effects`] | effects as arithmetic on registers |
//! | [`vectors`] | incremental bit masks of the vectors that pass filters |
//! | [`node_tests`] | the tests that these bit masks depend on |
//! | `depth` | the limit on nesting |

use std::fmt;
use std::sync::Arc;

use goalspec_resource::board::SlotId;
use goalspec_resource::compute::Computation;
use goalspec_resource::field::Place;
use goalspec_resource::game::{self, Choice, Game, IntermediateValue, NOTHING_ACTION, TeamId};
use goalspec_resource::rules::{MissingPutRule, NothingAction, Perspective};
use goalspec_resource::value::Value;

use self::constants::ConstantsBuilder;
use self::decisions::FieldContext;
use self::node_tests::NodeTestsBuilder;
use self::slots::SlotTableBuilder;
use self::vectors::EndMask;
use self::words::WordsBuilder;
use crate::cell::Cell;
use crate::draws::computation_draws;
use crate::eval::EvalContext;
use crate::program::choices::{ChoiceMeaning, Choices, CompiledChoice, Role};
use crate::program::decisions::{ACCEPT, Atom, Branch, DecisionGraph, OrderingSet, REJECT};
use crate::program::effects::{Action, CompiledEffect, CompiledWrite, Consequence, Target};
use crate::program::expressions::{Expr, ValueSource};
use crate::program::observers::Observers;
use crate::program::rewards::{Rewards, TeamReward};
use crate::program::slots::SlotStorage;
use crate::program::vectors::Vectors;
use crate::program::words::{ExpectedState, InitialState};
use crate::program::{CompiledResourceGame, NumberRules};
use crate::state::State;

mod constants;
mod decisions;
mod depth;
mod node_tests;
mod observers;
mod register_effects;
mod slots;
mod values;
mod vectors;
mod words;

pub use self::depth::MAX_DEPTH;
pub use self::node_tests::MAX_NODE_TESTS;

/// The error of a game that cannot be compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameCompileError {
    /// Filters or computations are nested deeper than [`MAX_DEPTH`].
    TooDeep,
    /// Filters of vectors and nodes make more than [`MAX_NODE_TESTS`] tests.
    TooManyTests,
    /// The turn order of the game is empty.
    NoTurns,
}

impl fmt::Display for GameCompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooDeep => write!(f, "the nesting of filters or computations exceeds the limit of {MAX_DEPTH}"),
            Self::TooManyTests => {
                write!(f, "the number of tests of nodes by vector filters exceeds the limit of {MAX_NODE_TESTS}")
            }
            Self::NoTurns => write!(f, "the turn order of the game is empty"),
        }
    }
}

impl std::error::Error for GameCompileError {}

/// A game in compilation: a builder for each table, which the compilation of actions, tests and rewards fills.
struct Compiler<'a> {
    game: &'a Game,
    slots: SlotTableBuilder,
    constants: ConstantsBuilder,
    /// The initial values of the slots.
    initial: Vec<Cell>,
    observers: Observers,
    words: WordsBuilder,
    vectors: Vectors,
    node_tests: NodeTestsBuilder,
    end_masks: Vec<EndMask<'a>>,
}

/// Compiles a game. Teams expect unobserved nodes to have the initial values of `known`, if that is given: another game with the
/// same nodes and resources.
///
/// # Errors
/// If the game exceeds a limit or has no turns.
pub(crate) fn compile(game: &Arc<Game>, known: Option<&Game>) -> Result<CompiledResourceGame, GameCompileError> {
    if game.turns.is_empty() {
        return Err(GameCompileError::NoTurns);
    }
    depth::check(game)?;
    let (compiler, tags, expected) = Compiler::new(game, known);
    Ok(with_test_values(compiler.finish(game.clone(), tags, expected)?))
}

/// Sets the bits of the node tests that hold in the initial state.
fn with_test_values(c: CompiledResourceGame) -> CompiledResourceGame {
    let mut state = State::new(&c, 0, 0);
    for test in c.node_tests.iter() {
        if state.holds(&c, &test.graph, &EvalContext::default()).unwrap_or(false) {
            for &(word, bits) in c.node_tests.bits(test) {
                state.words[word as usize] |= bits;
            }
        }
    }
    CompiledResourceGame { initial: c.initial.with_words(state.words), ..c }
}

/// Resolves a choice.
fn compile_choice(game: &Game, choice: &Choice) -> CompiledChoice {
    let is_nothing = &*choice.name == NOTHING_ACTION;
    let meaning = match choice.action {
        Some(_) if is_nothing && game.rules.nothing == NothingAction::Pass => ChoiceMeaning::Pass,
        Some(action) => ChoiceMeaning::Action(action),
        None if is_nothing => ChoiceMeaning::Pass,
        None => ChoiceMeaning::Undefined,
    };
    let roles = choice.parameters.iter().map(|parameter| match &*parameter.name {
        "source" => Role::Source,
        "target" => Role::Target,
        _ => Role::None,
    });
    CompiledChoice::new(meaning, roles.collect())
}

/// Returns the cells of the initial values of the first `slots` slots of a game.
fn initial_cells(game: &Game, slots: usize, constants: &mut ConstantsBuilder) -> Vec<Cell> {
    let cell = |slot: usize| {
        let is_on_board = slot < game.board.slots().len();
        let declaration = if is_on_board { game.board.slot(SlotId(slot as u32)).declaration.as_ref() } else { None };
        constants.cell(declaration.map(|declaration| &declaration.initial))
    };
    (0..slots).map(cell).collect()
}

/// Returns the tags and words of cells in the storage of their slots.
fn encode(cells: &[Cell], slots: &SlotTableBuilder) -> (Vec<u8>, Vec<u64>) {
    (0..).zip(cells).map(|(slot, cell)| cell.parts(slots.storage(slot))).unzip()
}

/// Returns the initial state of another game in the representation of this one, generalizing the storage of slots that could not
/// hold its values.
fn expected_state(known: &Game, slots: &mut SlotTableBuilder, constants: &mut ConstantsBuilder) -> ExpectedState {
    let shared = slots.len().min(known.board.slots().len());
    let mut cells = initial_cells(known, shared, constants);
    for (slot, cell) in (0..).zip(&cells) {
        if !slots.storage(slot).holds(*cell) {
            slots.generalize(slot);
        }
    }
    cells.resize(slots.len(), Cell::Missing);
    let (tags, words) = encode(&cells, slots);
    let labels = known.board.nodes().map(|(_, node)| Arc::new(node.observers.clone())).collect();
    ExpectedState { words: words.into(), tags: tags.into(), labels }
}

impl<'a> Compiler<'a> {
    /// Begins a compilation; returns also the tags of the initial state, and the state that teams expect.
    fn new(game: &'a Game, known: Option<&Game>) -> (Self, Vec<u8>, Option<ExpectedState>) {
        let (mut slots, mut constants) = (SlotTableBuilder::new(game), ConstantsBuilder::default());
        let initial = initial_cells(game, slots.len(), &mut constants);
        let expected = known.map(|known| expected_state(known, &mut slots, &mut constants));
        let (tags, slot_words) = encode(&initial, &slots);
        let observers = Observers::new(game, observers::choose(game));
        let words = WordsBuilder::new(game, slot_words, &observers);
        let ends = game.board.vectors().map(|(_, vector)| [vector.source, vector.target]).collect();
        let compiler = Self {
            game,
            slots,
            constants,
            initial,
            observers,
            words,
            vectors: Vectors::new(ends, game.board.nodes().len()),
            node_tests: NodeTestsBuilder::default(),
            end_masks: Vec::new(),
        };
        (compiler, tags, expected)
    }

    fn finish(
        mut self,
        game: Arc<Game>,
        tags: Vec<u8>,
        expected: Option<ExpectedState>,
    ) -> Result<CompiledResourceGame, GameCompileError> {
        let source: &'a Game = self.game;
        let actions = source.actions.iter().map(|action| self.action(action)).collect::<Result<_, _>>()?;
        let completed = self.test(&source.completed, FieldContext::State);
        let rewards = (0..source.teams.len()).map(|team| self.reward(team.into())).collect();
        let choices = source.teams.iter().map(|team| team.choices.iter());
        let choices = choices.map(|choices| choices.map(|choice| compile_choice(source, choice)).collect());
        let (layout, words) = self.words.finish();
        let (node_tests, dependents) = self.node_tests.finish(self.slots.len(), source.board.nodes().len());
        Ok(CompiledResourceGame {
            numbers: NumberRules::of(source),
            layout,
            initial: InitialState::new(words, tags.into(), expected),
            slots: self.slots.finish(source, dependents),
            constants: self.constants.finish(),
            observers: self.observers,
            node_tests,
            vectors: self.vectors,
            choices: Choices::new(choices.collect()),
            actions,
            rewards: Rewards::new(rewards),
            completed,
            game,
        })
    }

    fn action(&mut self, action: &'a game::Action) -> Result<Action, GameCompileError> {
        let cost = action.cost.iter().map(|(place, value)| {
            let value = Expr::Source(ValueSource::Constant(self.constants.cell(Some(value))));
            CompiledWrite { target: self.target(*place), value, removes: false, place: *place }
        });
        let cost: Box<[CompiledWrite]> = cost.collect();
        let register_cost = self.register_effects(&[], &cost, &[], false);
        let mut consequences = Vec::with_capacity(action.consequences.len());
        for (place, consequence) in action.consequences.iter().enumerate() {
            consequences.push(Consequence {
                odds: consequence.odds,
                discount: consequence.discount.map(|discount| (self.words.add_odds(consequence.odds), discount)),
                begins_group: place == 0 || consequence.independent,
                effect: self.effect(&consequence.outcome)?,
            });
        }
        let requires = self.test(&action.requires, FieldContext::State);
        Ok(Action { cost, register_cost, requires, consequences: consequences.into() })
    }

    fn effect(&mut self, effect: &'a game::ConsequenceEffect) -> Result<CompiledEffect, GameCompileError> {
        Ok(match effect {
            game::ConsequenceEffect::Resources { compute, add, replace } => {
                let (compute, add, replace) = (self.intermediate(compute), self.writes(add), self.writes(replace));
                let direct = self.is_direct(add.iter().chain(&replace));
                let registers = self.register_effects(&compute, &add, &replace, false);
                CompiledEffect::Resources { compute, add, replace, direct, registers }
            }
            game::ConsequenceEffect::MakeNodeVisible { label, vectors } => {
                let bit = self.observers.label_bit(label);
                CompiledEffect::MakeVisible { label: label.clone(), bit, set: self.vector_set(vectors)? }
            }
            game::ConsequenceEffect::WithVectors { pick, vectors, compute, add } => {
                let set = self.vector_set(vectors)?;
                let (compute, add) = (self.intermediate(compute), self.writes(add));
                let direct = self.is_direct(add.iter());
                let registers = self.register_effects(&compute, &add, &[], true);
                CompiledEffect::Vectors { selection: *pick, set, compute, add, direct, registers }
            }
            game::ConsequenceEffect::Custom { name, parameters } => {
                CompiledEffect::Custom { name: name.clone(), arguments: parameters.clone().into() }
            }
        })
    }

    fn intermediate(&mut self, computed: &[IntermediateValue]) -> Box<[Expr]> {
        computed.iter().map(|computed| self.value(&computed.value, FieldContext::State)).collect()
    }

    fn writes(&mut self, writes: &[(Place, Computation)]) -> Box<[CompiledWrite]> {
        let writes = writes.iter().map(|(place, value)| {
            let literal = matches!(value, Computation::Constant(None));
            let removes = literal || self.game.rules.missing_put == MissingPutRule::Remove;
            let value = self.value(value, FieldContext::State);
            CompiledWrite { target: self.target(*place), value, removes, place: *place }
        });
        writes.collect()
    }

    fn target(&mut self, place: Place) -> Target {
        match place {
            Place::Resource(slot) => Target::Slot(slot.0),
            Place::Observers(node) => Target::Observers(node),
            Place::EndpointResource(end, resource) => {
                self.slots.access_at_ends(resource);
                Target::End(end, resource)
            }
            Place::EndpointObservers(end) => Target::EndObservers(end),
        }
    }

    /// Whether the value of a computation is certain to be a number.
    fn is_number(&self, expr: &Expr) -> bool {
        let always_number = |source: &ValueSource| match source {
            ValueSource::Int(_)
            | ValueSource::Real(_)
            | ValueSource::Number(_)
            | ValueSource::Constant(Cell::Int(_) | Cell::Real(_)) => true,
            ValueSource::Observed { slot, .. } => {
                matches!(self.slots.storage(*slot), SlotStorage::Int | SlotStorage::Real | SlotStorage::Number)
            }
            _ => false,
        };
        match expr {
            Expr::Source(source) => always_number(source),
            Expr::Calculate(numeric) => numeric.loads.iter().all(always_number),
            Expr::Condition(cases) => cases.iter().all(|(_, value)| self.is_number(value)) && self.is_exhaustive(cases),
            Expr::General(_) => false,
        }
    }

    /// Whether one of these cases is certain to hold, as far as tests of single Booleans show.
    fn is_exhaustive(&self, cases: &[(DecisionGraph, Expr)]) -> bool {
        let mut left: Vec<(u32, bool)> = Vec::new();
        cases.iter().any(|(test, _)| {
            let Some((slot, truths)) = self.boolean_slot(test) else { return test.constant() == Some(true) };
            for truth in [false, true] {
                if truths[usize::from(truth)] {
                    left.push((slot, truth));
                }
            }
            [false, true].into_iter().all(|truth| left.contains(&(slot, truth)))
        })
    }

    /// Returns the Boolean slot that a test depends on, and whether the test holds for false and for true.
    fn boolean_slot(&self, test: &DecisionGraph) -> Option<(u32, [bool; 2])> {
        let (0, [Branch { atom, if_true: ACCEPT, if_false: REJECT }]) = (test.entry(), test.branches()) else {
            return None;
        };
        match atom {
            Atom::Bool { slot, truth } => Some((*slot, [!truth, *truth])),
            Atom::Compare { source: ValueSource::Observed { slot, initial: Cell::Bool(_), .. }, comparison, bound }
                if self.slots.storage(*slot) == SlotStorage::Bool =>
            {
                let Value::Bool(bound) = self.constants.bound(*bound) else { return None };
                Some((*slot, [false, true].map(|truth| OrderingSet::of(*comparison).has(truth.cmp(bound)))))
            }
            _ => None,
        }
    }

    fn reward(&mut self, team: TeamId) -> TeamReward {
        let value = self.reward_value(team);
        let needs_check = value.as_ref().is_some_and(|value| !self.is_number(value));
        let draws = self.game.teams[team.index()].reward.as_ref().is_some_and(computation_draws);
        TeamReward { value, needs_check, draws }
    }

    fn reward_value(&mut self, team: TeamId) -> Option<Expr> {
        let reward = self.game.teams[team.index()].reward.as_ref()?;
        let scope = match self.game.rules.reward_view {
            Perspective::TrueState => FieldContext::State,
            Perspective::Observation => FieldContext::Team(team),
        };
        Some(self.value(reward, scope))
    }
}
