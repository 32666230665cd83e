//! The compiler from games to flat tables.
//!
//! | module | contents |
//! |---|---|
//! | [`slots`] | the slots of a game |
//! | [`observers`] | the representation of observers as bit masks |
//! | [`decisions`] | filters as decision graphs |
//! | [`values`] | computations |
//! | [`register_effects`] | effects as arithmetic on registers |
//! | [`vectors`] | incremental bit masks of the vectors that pass filters |
//! | `depth` | the limit on nesting |

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use goalspec_resource::abstraction::ReachableValues;
use goalspec_resource::board::{NodeId, ResourceId, SlotId};
use goalspec_resource::compute::Computation;
use goalspec_resource::field::Place;
use goalspec_resource::game::{self, Choice, Game, IntermediateValue, NOTHING_ACTION, TeamId};
use goalspec_resource::kinds::KindSet;
use goalspec_resource::rules::{self, BareNodeRule, MissingPutRule, NothingAction, Perspective};
use goalspec_resource::space::Space;
use goalspec_resource::value::Value;
use rustc_hash::FxBuildHasher;

use self::decisions::FieldContext;
use self::slots::Slots;
use self::vectors::{EndMask, MirroredTest};
use crate::cell::Cell;
use crate::eval::EvalContext;
use crate::program::{
    ACCEPT, Action, Atom, Branch, ChoiceMeaning, CompiledChoice, CompiledEffect, CompiledResourceGame, CompiledWrite,
    Consequence, DecisionGraph, Dependency, ExpectedState, Expr, NO_SLOT, ObserverStorage, OrderingSet, REJECT, Role,
    Slot, SlotRange, SlotStorage, Target, ValueSource, VectorSet,
};
use crate::state::State;

mod decisions;
mod depth;
mod observers;
mod register_effects;
mod slots;
mod values;
mod vectors;

pub use self::depth::MAX_DEPTH;
pub use self::vectors::MAX_NODE_TESTS;

/// The error of a game that cannot be compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameCompileError {
    /// Filters or computations are nested deeper than [`MAX_DEPTH`].
    TooDeep,
    /// Filters of vectors and nodes make more than [`MAX_NODE_TESTS`] tests.
    TooManyTests,
    /// The turn order is empty.
    NoTurns,
}

impl fmt::Display for GameCompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooDeep => write!(f, "the nesting of filters or computations exceeds the limit of {MAX_DEPTH}"),
            Self::TooManyTests => {
                write!(f, "the number of tests of nodes by vector filters exceeds the limit of {MAX_NODE_TESTS}")
            }
            Self::NoTurns => write!(f, "the game has no teams"),
        }
    }
}

impl std::error::Error for GameCompileError {}

/// A game in compilation.
struct Compiler<'a> {
    game: &'a Game,
    slots: Slots,
    initial: Vec<Cell>,
    stores: Vec<SlotStorage>,
    sight: ObserverStorage,
    tables: Vec<Option<Box<[u32]>>>,
    pool: Vec<Value>,
    texts: HashMap<Arc<str>, u32, FxBuildHasher>,
    bounds: Vec<Value>,
    vectors: Vec<[NodeId; 2]>,
    at_node: Vec<[Box<[u32]>; 2]>,
    words: Vec<u64>,
    bare: Option<u32>,
    odds: Vec<f64>,
    tests: Vec<DecisionGraph>,
    bits: Vec<(u32, u64)>,
    followed: Vec<MirroredTest>,
    end_masks: Vec<EndMask<'a>>,
    vector_sets: Vec<VectorSet>,
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
    let mut compiler = Compiler::new(game);
    let expected = known.map(|known| compiler.expected(known));
    Ok(CompiledResourceGame { expected, ..with_matches(compiler.finish(game.clone())?) })
}

/// Evaluates every mirrored test of nodes once in the initial state.
fn with_matches(mut c: CompiledResourceGame) -> CompiledResourceGame {
    let mut state = State::new(&c, 0, 0);
    for dep in std::mem::take(&mut c.first) {
        if state.holds(&c, &c.tests[dep.test as usize], &EvalContext::default()).unwrap_or(false) {
            for &(word, bit) in &c.bits[dep.bits[0] as usize..dep.bits[1] as usize] {
                state.words[word as usize] |= bit;
            }
        }
    }
    c.words = state.words;
    c
}

/// Chooses the storage of the slots of a game.
fn slot_storages(game: &Game, slots: usize) -> Vec<SlotStorage> {
    let kinds = ReachableValues::kinds(game);
    if slots > kinds.len() || game.rules.bounds == rules::SpaceBoundsRule::Clamp {
        // Inferred kinds do not cover writes outside the slots of the board, nor the numbers that replace values outside a range.
        return vec![SlotStorage::Tagged; slots];
    }
    let store = |kinds| match kinds {
        KindSet::BOOL => SlotStorage::Bool,
        KindSet::INT => SlotStorage::Int,
        KindSet::REAL => SlotStorage::Real,
        KindSet::NUMBER => SlotStorage::Number,
        _ => SlotStorage::Tagged,
    };
    kinds.into_iter().map(store).collect()
}

/// Resolves a choice.
fn compile_choice(game: &Game, choice: &Choice) -> CompiledChoice {
    let is_nothing = &*choice.name == NOTHING_ACTION;
    let compiled = match choice.action {
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
    CompiledChoice { what: compiled, roles: roles.collect(), validity: OnceLock::new() }
}

impl<'a> Compiler<'a> {
    fn new(game: &'a Game) -> Self {
        let vectors: Vec<[NodeId; 2]> =
            game.board.vectors().map(|(_, vector)| [vector.source, vector.target]).collect();
        let mut at_node = vec![[Vec::new(), Vec::new()]; game.board.nodes().len()];
        for (place, ends) in vectors.iter().enumerate() {
            for (end, node) in ends.iter().enumerate() {
                at_node[node.index()][end].push(place as u32);
            }
        }
        let mut compiler = Self {
            game,
            slots: Slots::new(game),
            initial: Vec::new(),
            stores: Vec::new(),
            sight: observers::choose(game),
            tables: Vec::new(),
            pool: Vec::new(),
            texts: HashMap::default(),
            bounds: Vec::new(),
            vectors,
            at_node: at_node.into_iter().map(|lists| lists.map(Into::into)).collect(),
            words: Vec::new(),
            bare: None,
            odds: Vec::new(),
            tests: Vec::new(),
            bits: Vec::new(),
            followed: Vec::new(),
            end_masks: Vec::new(),
            vector_sets: Vec::new(),
        };
        for slot in 0..compiler.slots.all.len() {
            let declared = slot < game.board.slots().len();
            let declaration = if declared { game.board.slot(SlotId(slot as u32)).declaration.as_ref() } else { None };
            let cell = compiler.cell(declaration.map(|declaration| &declaration.initial));
            compiler.initial.push(cell);
        }
        compiler.stores = slot_storages(game, compiler.slots.all.len());
        compiler
    }

    /// Returns the initial state of another game in the representation of this one, generalizing the storage of slots that could
    /// not hold its values.
    fn expected(&mut self, known: &Game) -> ExpectedState {
        let slots = self.slots.all.len().min(known.board.slots().len());
        let mut cells = vec![Cell::Missing; self.slots.all.len()];
        for (slot, cell) in cells.iter_mut().enumerate().take(slots) {
            let declaration = known.board.slot(SlotId(slot as u32)).declaration.as_ref();
            *cell = self.cell(declaration.map(|declaration| &declaration.initial));
            if !self.stores[slot].holds(*cell) {
                self.stores[slot] = SlotStorage::Tagged;
            }
        }
        let (tags, words): (Vec<_>, Vec<_>) =
            cells.iter().zip(&self.stores).map(|(cell, store)| cell.parts(*store)).unzip();
        let labels = known.board.nodes().map(|(_, node)| Arc::new(node.observers.clone())).collect();
        ExpectedState { words: words.into(), tags: tags.into(), labels }
    }

    fn finish(mut self, game: Arc<Game>) -> Result<CompiledResourceGame, GameCompileError> {
        let (tags, words): (Vec<_>, _) =
            self.initial.iter().zip(&self.stores).map(|(cell, store)| cell.parts(*store)).unzip();
        self.words = words;
        let observer_words = self.words.len() as u32;
        self.seen_words();
        self.bare = self.bare_words();
        let source: &'a Game = self.game;
        let actions = source.actions.iter().map(|action| self.action(action)).collect::<Result<_, _>>()?;
        let completed = self.test(&source.completed, FieldContext::State);
        let rewards: Vec<_> = (0..source.teams.len()).map(|team| self.reward(team.into())).collect();
        let reward_checks =
            rewards.iter().map(|reward| reward.as_ref().is_some_and(|reward| !self.is_number(reward))).collect();
        let odds = self.words.len() as u32;
        self.words.extend(self.odds.iter().map(|odds| odds.to_bits()));
        let (deps, slot_deps, node_deps) = self.dependencies();
        let first = self.followed.iter().map(|followed| Dependency { test: followed.test, bits: followed.bits });
        Ok(CompiledResourceGame {
            expected: None,
            reward_checks,
            first: first.collect(),
            slots: slot_deps.into_iter().enumerate().map(|(slot, deps)| self.slot_info(slot, deps)).collect(),
            team_bits: (0..source.teams.len()).map(|team| self.team_bit(team.into())).collect(),
            words: self.words.into(),
            tags: tags.into(),
            zeros: source.rules.comparison.zeros,
            unbounded: source.rules.bounds == rules::SpaceBoundsRule::Ignore,
            game,
            tables: self.tables,
            index: self.slots.index,
            pool: self.pool,
            bounds: self.bounds,
            sight: self.sight,
            seen: observer_words,
            bare: self.bare,
            odds,
            tests: self.tests,
            deps,
            node_deps,
            bits: self.bits,
            vector_sets: self.vector_sets,
            vectors: self.vectors,
            at_node: self.at_node,
            choices: source
                .teams
                .iter()
                .map(|team| team.choices.iter().map(|choice| compile_choice(source, choice)).collect())
                .collect(),
            actions,
            rewards,
            completed,
        })
    }

    /// Adds the words of [`ObserverStorage::Masks`].
    fn seen_words(&mut self) {
        let ObserverStorage::Masks(known) = &self.sight else { return };
        for (_, node) in self.game.board.nodes() {
            let bits = node.observers.iter().filter_map(|label| known.get_index_of(label)).map(|bit| 1_u64 << bit);
            self.words.push(bits.fold(0, |all, bit| all | bit));
        }
    }

    /// Adds the words that mark bare nodes, where these are an error.
    fn bare_words(&mut self) -> Option<u32> {
        let board = &self.game.board;
        let any = board.nodes().any(|(_, node)| !node.declared);
        if self.game.rules.bare_nodes == BareNodeRule::Empty || !any {
            return None;
        }
        let base = self.words.len();
        self.words.resize(base + board.nodes().len().div_ceil(64), 0);
        for (id, _) in board.nodes().filter(|(_, node)| !node.declared) {
            self.words[base + id.index() / 64] |= 1 << (id.index() % 64);
        }
        Some(base as u32)
    }

    fn slot_info(&self, slot: usize, deps: [u32; 2]) -> Slot {
        let (node, resource) = self.slots.all[slot];
        let store = self.stores[slot];
        let bounds = match (self.slots.space(self.game, slot as u32), store) {
            (None, _)
            | (Some(Space::Bool), SlotStorage::Bool)
            | (Some(Space::FreeInt), SlotStorage::Int)
            | (Some(Space::FreeReal | Space::Normal { .. }), SlotStorage::Int | SlotStorage::Real) => SlotRange::Free,
            (Some(Space::IntRange { min, max }), _) => SlotRange::Range(*min, *max),
            (Some(Space::RealRange { min, max }), _) => SlotRange::Span(*min, *max),
            (Some(_), _) => SlotRange::Declared,
        };
        Slot { node, resource: resource.0, store, bounds, deps }
    }

    fn team_bit(&self, team: TeamId) -> u64 {
        match &self.sight {
            ObserverStorage::Masks(known) => {
                known.get_index_of(&self.game.teams[team.index()].name).map_or(0, |bit| 1 << bit)
            }
            ObserverStorage::Sets(_) => 0,
        }
    }

    /// Returns the cell of a constant.
    fn cell(&mut self, value: Option<&Value>) -> Cell {
        match (Cell::plain(value), value) {
            (Some(cell), _) => cell,
            (None, None) => Cell::Missing,
            (None, Some(value)) => {
                let next = self.pool.len() as u32;
                if let Value::Text(text) = value {
                    let place = *self.texts.entry(text.clone()).or_insert(next);
                    if place != next {
                        return Cell::Pooled(place);
                    }
                }
                self.pool.push(value.clone());
                Cell::Pooled(next)
            }
        }
    }

    /// Returns the value of the cell of a constant.
    fn constant(&self, cell: Cell) -> Option<Value> {
        Some(match cell {
            Cell::Missing => return None,
            Cell::Int(value) => Value::Int(value),
            Cell::Real(value) => Value::Real(value),
            Cell::Bool(value) => Value::Bool(value),
            Cell::Pooled(place) => self.pool[place as usize].clone(),
        })
    }

    fn bound(&mut self, value: &Value) -> u32 {
        self.bounds.push(value.clone());
        self.bounds.len() as u32 - 1
    }

    /// Creates the slot table of a resource that is accessed at ends of vectors.
    fn table(&mut self, resource: ResourceId) {
        if self.tables.len() <= resource.index() {
            self.tables.resize(resource.index() + 1, None);
        }
        if self.tables[resource.index()].is_none() {
            let nodes = (0..self.at_node.len()).map(NodeId::from);
            let slots = nodes.map(|node| self.slots.at(resource, node).unwrap_or(NO_SLOT));
            self.tables[resource.index()] = Some(slots.collect());
        }
    }

    fn action(&mut self, action: &'a game::Action) -> Result<Action, GameCompileError> {
        let cost = action.cost.iter().map(|(place, value)| {
            let value = Expr::Source(ValueSource::Constant(self.cell(Some(value))));
            CompiledWrite { target: self.target(*place), value, removes: false, place: *place }
        });
        let cost: Box<[CompiledWrite]> = cost.collect();
        let register_effects = self.plain(&[], &cost, &[], false);
        let mut consequences = Vec::with_capacity(action.consequences.len());
        for (place, consequence) in action.consequences.iter().enumerate() {
            consequences.push(Consequence {
                odds: consequence.odds,
                discount: consequence.discount.map(|discount| {
                    self.odds.push(consequence.odds);
                    (self.odds.len() as u32 - 1, discount)
                }),
                opens: place == 0 || consequence.independent,
                outcome: self.outcome(&consequence.outcome)?,
            });
        }
        let requires = self.test(&action.requires, FieldContext::State);
        Ok(Action { cost, plain: register_effects, requires, consequences: consequences.into() })
    }

    fn outcome(&mut self, outcome: &'a game::ConsequenceEffect) -> Result<CompiledEffect, GameCompileError> {
        Ok(match outcome {
            game::ConsequenceEffect::Resources { compute, add, replace: put } => {
                let (compute, add, put) = (self.intermediate(compute), self.effects(add), self.effects(put));
                let direct = self.is_direct(add.iter().chain(&put));
                let register_effects = self.plain(&compute, &add, &put, false);
                CompiledEffect::Resources { compute, add, put, direct, plain: register_effects }
            }
            game::ConsequenceEffect::MakeNodeVisible { label, vectors } => {
                let bit = match &self.sight {
                    ObserverStorage::Masks(known) => known.get_index_of(label).map_or(0, |bit| 1 << bit),
                    ObserverStorage::Sets(_) => 0,
                };
                CompiledEffect::Show { label: label.clone(), bit, set: self.vector_set(vectors)? }
            }
            game::ConsequenceEffect::WithVectors { pick, vectors, compute, add } => {
                let set = self.vector_set(vectors)?;
                let (compute, add) = (self.intermediate(compute), self.effects(add));
                let direct = self.is_direct(add.iter());
                let register_effects = self.plain(&compute, &add, &[], true);
                CompiledEffect::Vectors { pick: *pick, set, compute, add, direct, plain: register_effects }
            }
            game::ConsequenceEffect::Custom { name, parameters } => {
                CompiledEffect::Custom { name: name.clone(), parameters: parameters.clone().into() }
            }
        })
    }

    fn intermediate(&mut self, computed: &[IntermediateValue]) -> Box<[Expr]> {
        computed.iter().map(|computed| self.value(&computed.value, FieldContext::State)).collect()
    }

    fn effects(&mut self, effects: &[(Place, Computation)]) -> Box<[CompiledWrite]> {
        let effects = effects.iter().map(|(place, value)| {
            let literal = matches!(value, Computation::Constant(None));
            let removes = literal || self.game.rules.missing_put == MissingPutRule::Remove;
            let value = self.value(value, FieldContext::State);
            CompiledWrite { target: self.target(*place), value, removes, place: *place }
        });
        effects.collect()
    }

    fn target(&mut self, place: Place) -> Target {
        match place {
            Place::Resource(slot) => Target::Slot(slot.0),
            Place::Observers(node) => Target::Sight(node.0),
            Place::EndpointResource(end, resource) => {
                self.table(resource);
                Target::End(end, resource.0)
            }
            Place::EndpointObservers(end) => Target::EndSight(end),
        }
    }

    /// Whether the value of a computation is certain to be a number.
    fn is_number(&self, expr: &Expr) -> bool {
        let always_number = |source: &ValueSource| match source {
            ValueSource::Int(_)
            | ValueSource::Real(_)
            | ValueSource::Number(_)
            | ValueSource::Constant(Cell::Int(_) | Cell::Real(_)) => true,
            ValueSource::Seen { slot, .. } => {
                matches!(self.stores[*slot as usize], SlotStorage::Int | SlotStorage::Real | SlotStorage::Number)
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
        let (0, [Branch { atom, yes: ACCEPT, no: REJECT }]) = (test.entry, &*test.code) else { return None };
        match atom {
            Atom::Bool { slot, truth } => Some((*slot, [!truth, *truth])),
            Atom::Compare { source: ValueSource::Seen { slot, initial: Cell::Bool(_), .. }, comparison, bound }
                if self.stores[*slot as usize] == SlotStorage::Bool =>
            {
                let Value::Bool(bound) = self.bounds[*bound as usize] else { return None };
                Some((*slot, [false, true].map(|truth| OrderingSet::of(*comparison).has(truth.cmp(&bound)))))
            }
            _ => None,
        }
    }

    fn reward(&mut self, team: TeamId) -> Option<Expr> {
        let reward = self.game.teams[team.index()].reward.as_ref()?;
        let scope = match self.game.rules.reward_view {
            Perspective::TrueState => FieldContext::State,
            Perspective::Observation => FieldContext::Team(team),
        };
        Some(self.value(reward, scope))
    }
}
