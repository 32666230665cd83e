//! Goals, compiled: the truth of a goal and of each of its conjuncts in one state, in a state that changes, in many states.
//!
//! The quantifiers of a goal are taken apart over the objects of the world into a circuit of gates over atoms, equal ones
//! once. There are three ways to run it, and they say the same:
//!
//! | | for | how |
//! |---|---|---|
//! | [`Single`] | one state | one sweep over the gates, a word of inputs at a time |
//! | [`Incremental`] | a state that changes | gates count their true inputs; a change is followed as far as it matters |
//! | [`Batch`] | many states | 64 states to a word |
//!
//! All three take the truths of the goal's [atoms](CompiledGoal::atoms) from the caller. [`GoalEngine`] takes them from the
//! states of a world and is a [`GoalMonitor`](goalspec_core::goal::GoalMonitor).

mod batch;
mod circuit;
mod engine;
mod ground;
mod incremental;
mod pairs;
mod single;

use goalspec_core::condition::Scope;
use goalspec_core::ids::{ObjectId, PredicateId};
use goalspec_core::monitor::Refusal;
use goalspec_core::program::Goal;
use goalspec_core::state::Arguments;
use goalspec_core::world::World;
use rustc_hash::FxHashMap;

use crate::bits;
use circuit::Circuit;
use incremental::{Fanout, Live};
use single::Sweep;

pub use engine::GoalEngine;
pub use ground::GoalAtom;

/// A goal over the objects of a world, ready to run.
#[derive(Debug)]
pub struct CompiledGoal<'w> {
    world: &'w World,
    circuit: Circuit,
    sweep: Sweep,
    fanout: Fanout,
    atoms: Vec<GoalAtom>,
    facts: FxHashMap<(PredicateId, Arguments), u32>,
    /// The goal's variables, for what is evaluated as a whole.
    scope: Scope,
}

impl<'w> CompiledGoal<'w> {
    /// Takes a goal apart.
    ///
    /// # Errors
    /// If that gives more than [`MAX_GOAL_PARTS`](goalspec_core::limits::MAX_GOAL_PARTS) parts.
    ///
    /// # Panics
    /// If the goal is not one over this world.
    pub fn new(world: &'w World, goal: &Goal) -> Result<Self, Refusal> {
        let ground::Ground { circuit, atoms, facts } = ground::ground(world, goal)?;
        let (sweep, fanout) = (Sweep::new(&circuit), Fanout::new(&circuit));
        Ok(Self { world, circuit, sweep, fanout, atoms, facts, scope: goal.scope.clone() })
    }

    /// What the goal asks of a state.
    pub fn atoms(&self) -> &[GoalAtom] {
        &self.atoms
    }

    /// The place of a stored fact among the atoms; `None` if the goal does not depend on it.
    pub fn fact(&self, predicate: PredicateId, arguments: &[ObjectId]) -> Option<usize> {
        self.facts.get(&(predicate, Arguments::from_slice(arguments))).map(|&atom| atom as usize)
    }

    /// How many conjuncts the goal has.
    pub fn conjuncts(&self) -> usize {
        self.circuit.outputs.len() - 1
    }

    /// How many gates there are, and how many connections lead into them.
    pub fn size(&self) -> (usize, usize) {
        (self.circuit.gates.len(), self.circuit.connections())
    }

    /// Words of 64 atoms that a state takes.
    pub fn state_words(&self) -> usize {
        bits::words(self.atoms.len())
    }

    /// For one state at a time.
    pub fn single(&self) -> Single<'_> {
        Single { goal: self, values: vec![0; bits::words(self.circuit.nodes())] }
    }

    /// For a state that changes; at first no atom holds.
    pub fn incremental(&self) -> Incremental<'_> {
        Incremental { goal: self, live: self.live() }
    }

    /// For many states.
    pub fn batch(&self) -> Batch<'_> {
        Batch { goal: self, values: vec![0; self.circuit.nodes()] }
    }

    /// For the states of the world, before the first one.
    pub fn start(&self) -> GoalEngine<'_> {
        GoalEngine::new(self)
    }

    fn live(&self) -> Live {
        let mut values = vec![0; bits::words(self.circuit.nodes())];
        self.sweep.run(&self.circuit, &mut values);
        Live::new(&self.circuit, values)
    }

    /// The output of a conjunct.
    fn conjunct(&self, place: usize) -> circuit::Edge {
        self.circuit.outputs[..self.conjuncts()][place]
    }

    /// The output of all conjuncts together, the last one.
    fn whole(&self) -> circuit::Edge {
        self.circuit.outputs[self.conjuncts()]
    }
}

/// A goal in one state at a time.
#[derive(Debug, Clone)]
pub struct Single<'g> {
    goal: &'g CompiledGoal<'g>,
    values: Vec<u64>,
}

impl Single<'_> {
    /// Takes a state: a bit for each atom, atom `i` being bit `i % 64` of word `i / 64`. Says whether the goal holds.
    ///
    /// # Panics
    /// If there are fewer words than [`CompiledGoal::state_words`].
    pub fn evaluate(&mut self, state: &[u64]) -> bool {
        let words = self.goal.state_words();
        self.values[..words].copy_from_slice(&state[..words]);
        self.goal.sweep.run(&self.goal.circuit, &mut self.values);
        circuit::read(&self.values, self.goal.whole())
    }

    /// Whether a conjunct holds in the state taken last.
    ///
    /// # Panics
    /// If there is none at this place.
    pub fn conjunct(&self, place: usize) -> bool {
        circuit::read(&self.values, self.goal.conjunct(place))
    }
}

/// A goal in a state that changes.
#[derive(Debug, Clone)]
pub struct Incremental<'g> {
    goal: &'g CompiledGoal<'g>,
    live: Live,
}

impl Incremental<'_> {
    /// Gives an atom a value. Says whether the goal holds now.
    ///
    /// # Panics
    /// If there is no atom at this place.
    pub fn set(&mut self, atom: usize, value: bool) -> bool {
        self.set_all([(atom, value)])
    }

    /// Gives several atoms values, as in one step from a state to the next. Says whether the goal holds now.
    ///
    /// # Panics
    /// If there is no atom at one of the places.
    pub fn set_all(&mut self, values: impl IntoIterator<Item = (usize, bool)>) -> bool {
        for (atom, value) in values {
            self.assert_atom(atom);
            self.live.set(&self.goal.fanout, atom, value);
        }
        self.live.settle(&self.goal.circuit, &self.goal.fanout);
        self.satisfied()
    }

    /// Whether an atom holds.
    ///
    /// # Panics
    /// If there is no atom at this place.
    pub fn atom(&self, atom: usize) -> bool {
        self.assert_atom(atom);
        self.live.atom(atom)
    }

    /// Beyond the atoms there are gates, which nobody may set.
    fn assert_atom(&self, atom: usize) {
        assert!(atom < self.goal.atoms.len(), "atom {atom} of {}", self.goal.atoms.len());
    }

    /// Whether the goal holds.
    pub fn satisfied(&self) -> bool {
        self.live.read(self.goal.whole())
    }

    /// Whether a conjunct holds.
    ///
    /// # Panics
    /// If there is none at this place.
    pub fn conjunct(&self, place: usize) -> bool {
        self.live.read(self.goal.conjunct(place))
    }
}

/// A goal in many states.
#[derive(Debug, Clone)]
pub struct Batch<'g> {
    goal: &'g CompiledGoal<'g>,
    values: Vec<u64>,
}

impl Batch<'_> {
    /// Takes up to 64 states: a word for each atom, with a bit for each state. Says in which of them the goal holds.
    ///
    /// # Panics
    /// If there are fewer words than atoms.
    pub fn evaluate(&mut self, atoms: &[u64]) -> u64 {
        let count = self.goal.atoms.len();
        self.values[..count].copy_from_slice(&atoms[..count]);
        self.run()
    }

    /// Takes any number of states, each of [`CompiledGoal::state_words`] words as for [`Single::evaluate`]; calls `visit` for
    /// each 64 of them with the first one's number and what holds. Bits beyond the last state mean nothing. States of a goal
    /// without atoms take no words: there is no telling how many they are, and none of them is visited.
    ///
    /// # Panics
    /// If the words are not those of whole states.
    pub fn each(&mut self, states: &[u64], mut visit: impl FnMut(usize, &Self)) {
        let (words, count) = (self.goal.state_words(), self.goal.atoms.len());
        assert!(states.len().is_multiple_of(words), "{} words for states of {words}", states.len());
        for (block, rows) in states.chunks(words.max(1) * 64).enumerate() {
            for word in 0..words {
                let mut square = [0; 64];
                for (slot, row) in square.iter_mut().zip(rows.chunks_exact(words)) {
                    *slot = row[word];
                }
                batch::transpose(&mut square);
                let to = (word * 64 + 64).min(count);
                self.values[word * 64..to].copy_from_slice(&square[..to - word * 64]);
            }
            self.run();
            visit(block * 64, self);
        }
    }

    fn run(&mut self) -> u64 {
        batch::run(&self.goal.circuit, &mut self.values);
        self.satisfied()
    }

    /// In which of the states taken last the goal holds.
    pub fn satisfied(&self) -> u64 {
        batch::read(&self.values, self.goal.whole())
    }

    /// In which of the states taken last a conjunct holds.
    ///
    /// # Panics
    /// If there is none at this place.
    pub fn conjunct(&self, place: usize) -> u64 {
        batch::read(&self.values, self.goal.conjunct(place))
    }
}
