//! Lifted search: search without a ground task.
//!
//! A best-first width search (Lipovetzky and Geffner 2017) over the states of the reference interpreter, which supports all
//! features of tasks. It generates the applicable steps of a state by joins, so it also searches tasks whose steps are too many to be
//! grounded. It is slower per state than searches of ground tasks by orders of magnitude.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::hash_map::Entry;

use fixedbitset::FixedBitSet;
use goalspec_core::condition::Condition;
use goalspec_core::evaluate::{self, Bindings};
use goalspec_core::ids::{FunctionId, ObjectId, PredicateId};
use goalspec_core::planning::execute::Execution;
use goalspec_core::planning::plan::{Plan, PlanStep};
use goalspec_core::planning::task::Task;
use goalspec_core::state::{Delta, FactChange, FluentChange, ObjectArguments};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::control::{SearchControl, SearchStatistics, StopReason};
use crate::ground::{ApplicableSteps, GroundError};

/// The maximum number of joins for the steps of one action in one state.
const MAX_JOINS: u64 = 2_000_000;

/// The maximum number of pairs of facts that novelty records; later states are not compared by pairs.
const MAX_PAIRS: usize = 20_000_000;

/// The work of a join.
const JOIN_WORK: u64 = 12;

/// The work of a candidate step, apart from the facts of its state.
const STEP_WORK: u64 = 400;

/// The estimated bytes of a pair of facts, of a fact of a state, and of a state apart from its facts.
const PAIR_BYTES: usize = 24;
const FACT_BYTES: usize = 8;
const STATE_BYTES: usize = 160;

/// The end of a part of a lifted search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LiftedOutcome {
    /// A plan was found.
    Solved(Plan),
    /// All reachable states were expanded; there is no plan.
    Unsolvable,
    /// All states that the limits on joins allow were expanded.
    Incomplete,
    /// The limit on the work of this part was reached.
    OutOfWork,
    /// A limit of the caller was reached.
    Stopped(StopReason),
}

/// A state: interned facts and values of functions, each sorted.
type StateKey = (Box<[u32]>, Box<[(u32, u64)]>);

struct Node {
    state: StateKey,
    parent: u32,
    step: Option<PlanStep>,
}

/// A lifted search, which can be continued.
pub(crate) struct LiftedSearch<'a, 't> {
    steps: ApplicableSteps<'a, 't>,
    task: &'t Task,
    execution: Execution<'t>,
    initial: Execution<'t>,
    /// The interned facts.
    atoms: FxHashMap<(PredicateId, ObjectArguments), u32>,
    atom_list: Vec<(PredicateId, Vec<u32>)>,
    /// The interned function terms.
    functions: FxHashMap<(FunctionId, ObjectArguments), u32>,
    function_list: Vec<(FunctionId, ObjectArguments)>,
    is_changing: Vec<bool>,
    has_axioms: bool,
    goals: Vec<&'t Condition>,
    nodes: Vec<Node>,
    known: FxHashMap<StateKey, u32>,
    is_closed: FixedBitSet,
    /// The state of the execution.
    current: StateKey,
    by_novelty: BinaryHeap<Reverse<(u8, u32, u32)>>,
    by_goals: BinaryHeap<Reverse<(u32, u8, u32)>>,
    facts_seen: FxHashSet<(u32, u32)>,
    pairs_seen: FxHashSet<(u32, u32, u32)>,
    fact_count: usize,
    is_complete: bool,
    /// The applicable steps found so far, by action.
    pub(crate) found_steps: Vec<Vec<ObjectArguments>>,
    known_steps: FxHashSet<(u32, ObjectArguments)>,
    pub(crate) statistics: SearchStatistics,
}

impl<'a, 't> LiftedSearch<'a, 't> {
    /// Prepares a search.
    ///
    /// # Errors
    /// Returns an error if a derived predicate depends negatively on itself.
    pub(crate) fn new(steps: ApplicableSteps<'a, 't>, task: &'t Task) -> Result<Self, GroundError> {
        let execution = Execution::new(task).map_err(|predicate| {
            let name = &task.world.predicate(predicate).name;
            GroundError::Unsupported(format!("`{name}` depends negatively on itself"))
        })?;
        let mut is_changing = vec![false; task.world.predicates().len()];
        for predicate in steps.changing.iter().filter(|&&predicate| !task.is_derived(predicate)) {
            is_changing[predicate.index()] = true;
        }
        let mut goals = Vec::new();
        for conjunct in &task.goal.conjuncts {
            flatten(&conjunct.condition, &mut goals);
        }
        let mut search = Self {
            steps,
            task,
            initial: execution.clone(),
            execution,
            atoms: FxHashMap::default(),
            atom_list: Vec::new(),
            functions: FxHashMap::default(),
            function_list: Vec::new(),
            is_changing,
            has_axioms: !task.axioms.is_empty(),
            goals,
            nodes: Vec::new(),
            known: FxHashMap::default(),
            is_closed: FixedBitSet::new(),
            current: StateKey::default(),
            by_novelty: BinaryHeap::new(),
            by_goals: BinaryHeap::new(),
            facts_seen: FxHashSet::default(),
            pairs_seen: FxHashSet::default(),
            fact_count: 0,
            is_complete: true,
            found_steps: vec![Vec::new(); task.actions.len()],
            known_steps: FxHashSet::default(),
            statistics: SearchStatistics::default(),
        };
        search.begin();
        Ok(search)
    }

    fn begin(&mut self) {
        let is_changing = |predicate: PredicateId| self.is_changing[predicate.index()];
        let mut facts: Vec<(PredicateId, ObjectArguments)> = self
            .execution
            .state()
            .facts()
            .filter(|&(predicate, _)| is_changing(predicate))
            .map(|(predicate, arguments)| (predicate, ObjectArguments::from_slice(arguments)))
            .collect();
        facts.sort_unstable();
        let mut state: Vec<u32> = facts.into_iter().map(|fact| self.intern(fact)).collect();
        state.sort_unstable();
        let fluents = self.task.initial.fluents.iter();
        let needed = |function: FunctionId| self.steps.needed_functions[function.index()];
        let fluents: Vec<FluentChange> = fluents.filter(|fluent| needed(fluent.function)).cloned().collect();
        let mut numbers: Vec<(u32, u64)> = fluents.iter().map(|fluent| self.value(fluent)).collect();
        numbers.sort_unstable();
        self.current = (state.into(), numbers.into());
        let added = self.current.0.to_vec();
        self.insert(self.current.clone(), u32::MAX, None, &added);
    }

    fn intern(&mut self, fact: (PredicateId, ObjectArguments)) -> u32 {
        let next = self.atom_list.len() as u32;
        match self.atoms.entry(fact) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                let (predicate, arguments) = entry.key();
                self.atom_list.push((*predicate, arguments.iter().map(|object| object.0).collect()));
                *entry.insert(next)
            }
        }
    }

    fn value(&mut self, fluent: &FluentChange) -> (u32, u64) {
        let next = self.function_list.len() as u32;
        let key = (fluent.function, fluent.arguments.clone());
        let id = *self.functions.entry(key.clone()).or_insert(next);
        if id == next {
            self.function_list.push(key);
        }
        (id, (fluent.value + 0.0).to_bits())
    }

    /// Adds a state, if it is new. `added` are its facts that its parent lacks. The execution must be in this state.
    fn insert(&mut self, state: StateKey, parent: u32, step: Option<PlanStep>, added: &[u32]) {
        let id = self.nodes.len() as u32;
        let goals = self.unmet_goals();
        let novelty = self.novelty(goals, &state.0, added);
        self.fact_count += state.0.len();
        self.known.insert(state.clone(), id);
        self.nodes.push(Node { state, parent, step });
        self.by_novelty.push(Reverse((novelty, goals, id)));
        self.by_goals.push(Reverse((goals, novelty, id)));
        self.statistics.registered += 1;
        self.statistics.evaluated += 1;
    }

    fn unmet_goals(&self) -> u32 {
        let no_objects = FixedBitSet::new();
        let context = self.execution.context(&no_objects);
        let mut bindings = Bindings::new(&self.task.goal.scope);
        self.goals.iter().filter(|goal| !evaluate::condition(&context, goal, &mut bindings)).count() as u32
    }

    fn novelty(&mut self, goals: u32, facts: &[u32], added: &[u32]) -> u8 {
        let mut novelty = 2;
        for &fact in added {
            if self.facts_seen.insert((goals, fact)) {
                novelty = 0;
            }
            if self.pairs_seen.len() < MAX_PAIRS {
                for &other in facts {
                    if self.pairs_seen.insert((goals, fact.min(other), fact.max(other))) {
                        novelty = novelty.min(1);
                    }
                }
            }
        }
        self.statistics.work += added.len() as u64 * facts.len() as u64 * 4;
        novelty
    }

    /// Searches until a plan is found or an amount of work is done.
    pub(crate) fn run(&mut self, work: u64, control: &SearchControl<'_>) -> LiftedOutcome {
        let end = self.statistics.work + work;
        let mut takes_novelty = false;
        while self.statistics.work < end {
            if let Some(stop) = control.stop_reason().or_else(|| self.memory_stop(control)) {
                return LiftedOutcome::Stopped(stop);
            }
            takes_novelty = !takes_novelty;
            let next = if takes_novelty {
                self.by_novelty.pop().map(|Reverse((_, goals, id))| (goals, id))
            } else {
                self.by_goals.pop().map(|Reverse((goals, _, id))| (goals, id))
            };
            let Some((goals, id)) = next else {
                let exhausted = if self.is_complete { LiftedOutcome::Unsolvable } else { LiftedOutcome::Incomplete };
                return exhausted;
            };
            if goals == 0 {
                return LiftedOutcome::Solved(self.plan(id));
            }
            self.is_closed.grow(self.nodes.len());
            if !self.is_closed.put(id as usize) {
                self.expand(id);
            }
        }
        LiftedOutcome::OutOfWork
    }

    fn memory_stop(&mut self, control: &SearchControl<'_>) -> Option<StopReason> {
        let states = self.fact_count * FACT_BYTES + self.nodes.len() * STATE_BYTES;
        let bytes = states + self.pairs_seen.len() * PAIR_BYTES + self.known_steps.len() * STATE_BYTES;
        self.statistics.peak_memory = self.statistics.peak_memory.max(bytes);
        let limits = control.limits();
        if limits.states.is_some_and(|limit| self.nodes.len() >= limit) {
            return Some(StopReason::States);
        }
        limits.memory.is_some_and(|limit| bytes > limit).then_some(StopReason::Memory)
    }

    fn plan(&self, id: u32) -> Plan {
        let mut steps = Vec::new();
        let mut node = &self.nodes[id as usize];
        while let Some(step) = &node.step {
            steps.push(step.clone());
            node = &self.nodes[node.parent as usize];
        }
        steps.reverse();
        Plan { steps }
    }

    fn expand(&mut self, id: u32) {
        self.statistics.expanded += 1;
        let state = self.nodes[id as usize].state.clone();
        self.enter(&state);
        self.load(&state.0);
        let (execution, mut successors) = (&self.execution, Vec::new());
        let enumeration = self.steps.for_each(MAX_JOINS, &mut |step| {
            let effects = execution.step_effects(&step);
            let is_applicable = effects.is_some();
            successors.extend(effects.map(|effects| (step, effects)));
            is_applicable
        });
        self.is_complete &= enumeration.is_complete;
        let candidates = successors.len() as u64;
        self.statistics.work += enumeration.joins * JOIN_WORK + candidates * (STEP_WORK + state.0.len() as u64);
        self.statistics.generated += candidates;
        for (step, effects) in successors {
            let arguments = ObjectArguments::from_slice(&step.arguments);
            if self.known_steps.insert((step.action.index() as u32, arguments.clone())) {
                self.found_steps[step.action.index()].push(arguments);
            }
            self.generate(id, &state, step, &effects);
        }
    }

    fn generate(&mut self, parent: u32, state: &StateKey, step: PlanStep, effects: &Delta) {
        let mut facts: Vec<u32> = state.0.to_vec();
        let mut added = Vec::new();
        for change in &effects.facts {
            let fact = self.intern((change.predicate, change.arguments.clone()));
            match (facts.binary_search(&fact), change.holds) {
                (Err(place), true) => {
                    facts.insert(place, fact);
                    added.push(fact);
                }
                (Ok(place), false) => drop(facts.remove(place)),
                _ => {}
            }
        }
        let mut numbers = state.1.to_vec();
        for change in &effects.fluents {
            if self.steps.needed_functions[change.function.index()] {
                let (function, value) = self.value(change);
                match numbers.binary_search_by_key(&function, |&(function, _)| function) {
                    Ok(place) => numbers[place].1 = value,
                    Err(place) => numbers.insert(place, (function, value)),
                }
            }
        }
        let successor: StateKey = (facts.into(), numbers.into());
        if !self.known.contains_key(&successor) {
            self.enter(&successor);
            self.insert(successor, parent, Some(step), &added);
        }
    }

    /// Brings the execution into a state.
    fn enter(&mut self, state: &StateKey) {
        let missing = |(function, _): &(u32, u64)| state.1.binary_search_by_key(function, |&(id, _)| id).is_err();
        if self.current.1.iter().any(missing) {
            // A value cannot be taken back.
            self.execution = self.initial.clone();
            self.current = self.nodes[0].state.clone();
        }
        let mut delta = Delta::default();
        for (from, to, holds) in [(&self.current.0, &state.0, false), (&state.0, &self.current.0, true)] {
            for &fact in from.iter().filter(|fact| to.binary_search(fact).is_err()) {
                let (predicate, arguments) = &self.atom_list[fact as usize];
                let arguments = arguments.iter().map(|&object| ObjectId(object)).collect();
                delta.facts.push(FactChange { predicate: *predicate, arguments, holds });
            }
        }
        for (id, bits) in state.1.iter().filter(|value| self.current.1.binary_search(value).is_err()) {
            let (function, arguments) = self.function_list[*id as usize].clone();
            delta.fluents.push(FluentChange { function, arguments, value: f64::from_bits(*bits) });
        }
        self.statistics.work += (delta.facts.len() + delta.fluents.len()) as u64 * 20 + state.0.len() as u64;
        self.execution.restore(&delta);
        self.current = state.clone();
    }

    /// Passes the facts of the current state to the enumeration of steps.
    fn load(&mut self, facts: &[u32]) {
        let mut by_predicate: Vec<Vec<&[u32]>> = vec![Vec::new(); self.is_changing.len()];
        for &fact in facts {
            let (predicate, tuple) = &self.atom_list[fact as usize];
            by_predicate[predicate.index()].push(tuple);
        }
        let mut derived: Vec<(PredicateId, Vec<u32>)> = Vec::new();
        if self.has_axioms {
            let facts = self.execution.state().facts().filter(|&(predicate, _)| self.task.is_derived(predicate));
            let facts = facts.map(|(predicate, arguments)| (predicate, arguments.iter().map(|o| o.0).collect()));
            derived = facts.collect();
            derived.sort_unstable();
        }
        for (predicate, tuple) in &derived {
            by_predicate[predicate.index()].push(tuple);
        }
        for place in 0..self.steps.changing.len() {
            let predicate = self.steps.changing[place];
            self.steps.load(predicate, by_predicate[predicate.index()].iter().copied());
        }
    }
}

/// Collects the conjuncts of a condition.
fn flatten<'t>(condition: &'t Condition, goals: &mut Vec<&'t Condition>) {
    match condition {
        Condition::And(parts) => parts.iter().for_each(|part| flatten(part, goals)),
        _ => goals.push(condition),
    }
}
