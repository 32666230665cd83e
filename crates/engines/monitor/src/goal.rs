//! Compiled goals: the truth of a goal and of each of its conjuncts in one state, in a changing state, in many states.
//!
//! The quantifiers of a goal are expanded over the objects of the world into a circuit of gates over atoms, in which equal gates
//! are shared. There are three evaluators, which give the same results:
//!
//! | | input | method |
//! |---|---|---|
//! | [`SingleEvaluator`] | one state | one sweep over the gates, 64 inputs to a word |
//! | [`IncrementalEvaluator`] | a changing state | gates count their true inputs; a change propagates only as far as it has an effect |
//! | [`BatchEvaluator`] | many states | 64 states to a word |
//!
//! All three take the truth of the goal's [atoms](CompiledGoal::atoms) from the caller. [`GoalRun`] reads it from the
//! states of a world and implements [`GoalMonitor`](goalspec_core::goal::GoalMonitor).

mod batch;
mod bipartite;
mod circuit;
mod ground;
mod incremental;
mod run;
mod single;

use std::sync::Arc;

use goalspec_core::condition::Scope;
use goalspec_core::ids::{ObjectId, PredicateId};
use goalspec_core::monitor::MonitorError;
use goalspec_core::program::Goal;
use goalspec_core::state::ObjectArguments;
use goalspec_core::world::World;
use rustc_hash::FxHashMap;

use crate::bits;
use circuit::Circuit;
use incremental::{CircuitState, Fanout};
use single::Sweep;

pub use ground::GoalAtom;
pub use run::GoalRun;

/// A goal compiled for the objects of a world.
#[derive(Debug)]
pub struct CompiledGoal {
    world: Arc<World>,
    circuit: Circuit,
    sweep: Sweep,
    fanout: Fanout,
    atoms: Vec<GoalAtom>,
    facts: FxHashMap<(PredicateId, ObjectArguments), u32>,
    /// The goal's variables, for the atoms that are evaluated as conditions.
    scope: Scope,
}

impl CompiledGoal {
    /// Compiles a goal.
    ///
    /// # Errors
    /// If the goal expands into more than [`MAX_GOAL_PARTS`](goalspec_core::limits::MAX_GOAL_PARTS) parts.
    ///
    /// # Panics
    /// If the goal was not made for this world.
    pub fn new(world: impl Into<Arc<World>>, goal: &Goal) -> Result<Arc<Self>, MonitorError> {
        let world = world.into();
        let ground::Grounding { circuit, atoms, facts } = ground::ground(&world, goal)?;
        let (sweep, fanout) = (Sweep::new(&circuit), Fanout::new(&circuit));
        Ok(Arc::new(Self { world, circuit, sweep, fanout, atoms, facts, scope: goal.scope.clone() }))
    }

    /// Returns the atoms of the goal: the questions about a state that determine its truth.
    pub fn atoms(&self) -> &[GoalAtom] {
        &self.atoms
    }

    /// Returns the index of a stored fact among the atoms; `None` if the goal does not depend on the fact.
    pub fn fact_index(&self, predicate: PredicateId, arguments: &[ObjectId]) -> Option<usize> {
        self.facts.get(&(predicate, ObjectArguments::from_slice(arguments))).map(|&atom| atom as usize)
    }

    /// Returns the number of conjuncts.
    pub fn conjunct_count(&self) -> usize {
        self.circuit.outputs.len() - 1
    }

    /// Returns the number of gates and the number of connections into them.
    pub fn gate_and_connection_counts(&self) -> (usize, usize) {
        (self.circuit.gates.len(), self.circuit.connections())
    }

    /// Returns the number of words, with one bit per atom, that represent a state.
    pub fn state_words(&self) -> usize {
        bits::words(self.atoms.len())
    }

    /// Creates an evaluator of one state at a time.
    pub fn single(self: &Arc<Self>) -> SingleEvaluator {
        SingleEvaluator { goal: Arc::clone(self), values: vec![0; bits::words(self.circuit.nodes())] }
    }

    /// Creates an evaluator of a changing state, in which no atom holds at first.
    pub fn incremental(self: &Arc<Self>) -> IncrementalEvaluator {
        IncrementalEvaluator { goal: Arc::clone(self), live: self.live() }
    }

    /// Creates an evaluator of many states, 64 at a time.
    pub fn batch(self: &Arc<Self>) -> BatchEvaluator {
        BatchEvaluator { goal: Arc::clone(self), values: vec![0; self.circuit.nodes()] }
    }

    /// Starts a run over the states of the world.
    pub fn start(self: &Arc<Self>) -> GoalRun {
        GoalRun::new(Arc::clone(self))
    }

    fn live(&self) -> CircuitState {
        let mut values = vec![0; bits::words(self.circuit.nodes())];
        self.sweep.run(&self.circuit, &mut values);
        CircuitState::new(&self.circuit, values)
    }

    /// Returns the output of a conjunct.
    fn conjunct(&self, place: usize) -> circuit::Edge {
        self.circuit.outputs[..self.conjunct_count()][place]
    }

    /// Returns the output of the whole goal, which is the last one.
    fn whole(&self) -> circuit::Edge {
        self.circuit.outputs[self.conjunct_count()]
    }
}

/// An evaluator of a goal in one state at a time.
#[derive(Debug, Clone)]
pub struct SingleEvaluator {
    goal: Arc<CompiledGoal>,
    values: Vec<u64>,
}

impl SingleEvaluator {
    /// Evaluates a state, given as one bit per atom: atom `i` is bit `i % 64` of word `i / 64`. Returns whether the goal holds.
    ///
    /// # Panics
    /// If `state` has fewer words than [`CompiledGoal::state_words`].
    pub fn evaluate(&mut self, state: &[u64]) -> bool {
        let words = self.goal.state_words();
        self.values[..words].copy_from_slice(&state[..words]);
        self.goal.sweep.run(&self.goal.circuit, &mut self.values);
        circuit::read(&self.values, self.goal.whole())
    }

    /// Whether a conjunct holds in the state that was evaluated last.
    ///
    /// # Panics
    /// If there is no conjunct with this index.
    pub fn conjunct(&self, place: usize) -> bool {
        circuit::read(&self.values, self.goal.conjunct(place))
    }
}

/// An evaluator of a goal in a changing state.
#[derive(Debug, Clone)]
pub struct IncrementalEvaluator {
    goal: Arc<CompiledGoal>,
    live: CircuitState,
}

impl IncrementalEvaluator {
    /// Sets the value of an atom. Returns whether the goal now holds.
    ///
    /// # Panics
    /// If there is no atom with this index.
    pub fn set(&mut self, atom: usize, value: bool) -> bool {
        self.set_all([(atom, value)])
    }

    /// Sets the values of several atoms, as in one step from a state to the next. Returns whether the goal now holds.
    ///
    /// # Panics
    /// If there is no atom with one of the indices.
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
    /// If there is no atom with this index.
    pub fn atom(&self, atom: usize) -> bool {
        self.assert_atom(atom);
        self.live.atom(atom)
    }

    /// Panics unless `atom` is an atom: the nodes after the atoms are gates, which must not be set.
    fn assert_atom(&self, atom: usize) {
        assert!(
            atom < self.goal.atoms.len(),
            "atom {atom} is out of range: the goal has {} atoms",
            self.goal.atoms.len()
        );
    }

    /// Whether the goal holds.
    pub fn satisfied(&self) -> bool {
        self.live.read(self.goal.whole())
    }

    /// Whether a conjunct holds.
    ///
    /// # Panics
    /// If there is no conjunct with this index.
    pub fn conjunct(&self, place: usize) -> bool {
        self.live.read(self.goal.conjunct(place))
    }
}

/// An evaluator of a goal in many states, 64 at a time.
#[derive(Debug, Clone)]
pub struct BatchEvaluator {
    goal: Arc<CompiledGoal>,
    values: Vec<u64>,
}

impl BatchEvaluator {
    /// Evaluates up to 64 states, given as one word per atom with one bit per state. Returns the states in which the goal holds, one bit
    /// each.
    ///
    /// # Panics
    /// If `atoms` has fewer words than there are atoms.
    pub fn evaluate(&mut self, atoms: &[u64]) -> u64 {
        let count = self.goal.atoms.len();
        self.values[..count].copy_from_slice(&atoms[..count]);
        self.run()
    }

    /// Evaluates any number of states, each given as [`CompiledGoal::state_words`] words as for [`SingleEvaluator::evaluate`]. Calls `visit` after
    /// each block of 64 states with the index of its first state and the evaluator, which holds the results. Bits beyond the last state are
    /// meaningless. The states of a goal without atoms have no words, so their number is unknown and none of them is visited.
    ///
    /// # Panics
    /// If the number of words is not a multiple of [`CompiledGoal::state_words`].
    pub fn evaluate_all(&mut self, states: &[u64], mut visit: impl FnMut(usize, &Self)) {
        let (words, count) = (self.goal.state_words(), self.goal.atoms.len());
        assert!(
            states.len().is_multiple_of(words),
            "{} words are not a multiple of the {words} words of a state",
            states.len()
        );
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

    /// Returns in which of the states evaluated last the goal holds, one bit each.
    pub fn satisfied(&self) -> u64 {
        batch::read(&self.values, self.goal.whole())
    }

    /// Returns in which of the states evaluated last a conjunct holds, one bit each.
    ///
    /// # Panics
    /// If there is no conjunct with this index.
    pub fn conjunct(&self, place: usize) -> u64 {
        batch::read(&self.values, self.goal.conjunct(place))
    }
}
