//! The evaluation of a goal over the states of a world: only the atoms that a change affects are evaluated again.

use std::sync::Arc;

use fixedbitset::FixedBitSet;
use goalspec_core::condition::Condition;
use goalspec_core::evaluate::{self, Bindings, Context};
use goalspec_core::goal::{GoalMonitor, GoalReport, GoalReportBuilder, GoalVerdict};
use goalspec_core::ids::{AttributeMask, ObjectId};
use goalspec_core::monitor::StateUpdate;
use goalspec_core::state::{ChangeSet, State};
use goalspec_core::work::WorkBudget;

use super::ground::Binding;
use super::incremental::CircuitState;
use super::{CompiledGoal, GoalAtom};
use crate::reads::ReadCollector;

/// The atoms to evaluate again, by number, for each kind of change.
#[derive(Debug, Clone, Default)]
struct Readers {
    /// By object, with the attributes that the atom reads.
    attributes: Vec<Vec<(AttributeMask, u32)>>,
    /// By object.
    presence: Vec<Vec<u32>>,
    /// By predicate.
    facts: Vec<Vec<u32>>,
    /// By function.
    fluents: Vec<Vec<u32>>,
    /// By attributes of any object.
    anywhere: Vec<(AttributeMask, u32)>,
    /// The atoms that depend on which objects are present.
    any_presence: Vec<u32>,
    /// The atoms that depend on the state being the first or the last.
    play: Vec<u32>,
}

impl Readers {
    fn new(goal: &CompiledGoal) -> Self {
        let world = &goal.world;
        let objects = world.objects().len();
        let mut readers = Self {
            attributes: vec![Vec::new(); objects],
            presence: vec![Vec::new(); objects],
            facts: vec![Vec::new(); world.predicates().len()],
            fluents: vec![Vec::new(); world.functions().len()],
            ..Self::default()
        };
        for (atom, kind) in goal.atoms.iter().enumerate() {
            match kind {
                GoalAtom::Fact(..) => {}
                GoalAtom::Present(object) => readers.presence[object.index()].push(atom as u32),
                GoalAtom::Condition(condition, binding) => readers.question(goal, atom as u32, condition, binding),
            }
        }
        readers
    }

    fn question(&mut self, goal: &CompiledGoal, atom: u32, condition: &Condition, binding: &Binding) {
        let variables: Vec<_> = binding.iter().map(|&(variable, _)| variable).collect();
        let mut reads = ReadCollector::new(&goal.world, &variables);
        reads.condition(condition);
        let reads = reads.finish();
        let bound = binding.iter().map(|&(_, object)| object).zip(reads.dims.iter().copied());
        for (object, mask) in bound.chain(reads.others.iter().copied()).filter(|(_, mask)| !mask.is_empty()) {
            self.attributes[object.index()].push((mask, atom));
        }
        reads.facts.iter().for_each(|predicate| self.facts[predicate.index()].push(atom));
        reads.fluents.iter().for_each(|function| self.fluents[function.index()].push(atom));
        if !reads.anywhere.is_empty() {
            self.anywhere.push((reads.anywhere, atom));
        }
        if reads.presence {
            self.any_presence.push(atom);
        }
        if reads.play || reads.last {
            self.play.push(atom);
        }
    }

    /// Visits the atoms that a change affects, some of them more than once.
    fn each(&self, changes: &ChangeSet, mut visit: impl FnMut(u32)) {
        for &(object, changed) in &changes.objects {
            let own = self.attributes[object.index()].iter();
            for (_, atom) in own.chain(&self.anywhere).filter(|(mask, _)| mask.intersects(changed)) {
                visit(*atom);
            }
        }
        let removed = |object: &ObjectId| self.presence[object.index()].iter();
        changes.presence.iter().flat_map(removed).for_each(|&atom| visit(atom));
        if !changes.presence.is_empty() {
            self.any_presence.iter().for_each(|&atom| visit(atom));
        }
        for (predicate, _) in &changes.facts {
            self.facts[predicate.index()].iter().for_each(|&atom| visit(atom));
        }
        for (function, _) in &changes.fluents {
            self.fluents[function.index()].iter().for_each(|&atom| visit(atom));
        }
    }
}

/// A run of a compiled goal over the states of its world.
#[derive(Debug, Clone)]
pub struct GoalRun {
    goal: Arc<CompiledGoal>,
    readers: Arc<Readers>,
    live: CircuitState,
    /// The numbers of the atoms to evaluate in this step, without repetitions.
    asked: Vec<u32>,
    listed: FixedBitSet,
    nothing: FixedBitSet,
    verdict: GoalVerdict,
    log: GoalReportBuilder,
    work: WorkBudget,
}

impl GoalRun {
    pub(super) fn new(goal: Arc<CompiledGoal>) -> Self {
        Self {
            readers: Arc::new(Readers::new(&goal)),
            live: goal.live(),
            asked: Vec::new(),
            listed: FixedBitSet::with_capacity(goal.atoms.len()),
            nothing: FixedBitSet::new(),
            verdict: GoalVerdict::new(goal.conjunct_count()),
            log: GoalReportBuilder::new(goal.conjunct_count()),
            work: WorkBudget::new(),
            goal,
        }
    }

    fn set(&mut self, atom: usize, value: bool) {
        self.live.set(&self.goal.fanout, atom, value);
    }

    fn list(&mut self, changes: &ChangeSet, all: bool) {
        let Self { readers, asked, listed, .. } = self;
        let mut list = |atom: u32| {
            if !listed.put(atom as usize) {
                asked.push(atom);
            }
        };
        readers.play.iter().copied().for_each(&mut list);
        if all {
            (0..self.goal.atoms.len() as u32).for_each(list);
        } else {
            readers.each(changes, list);
        }
    }

    /// Evaluates the listed atoms, and updates the verdict.
    fn ask(&mut self, state: &State, first: bool, last: bool) {
        let goal = Arc::clone(&self.goal);
        let mut atoms = std::mem::take(&mut self.asked);
        self.work.spend(atoms.len() as u64);
        for &atom in &atoms {
            let value = match &goal.atoms[atom as usize] {
                GoalAtom::Fact(predicate, arguments) => state.fact(*predicate, arguments),
                GoalAtom::Present(object) => state.is_present(*object),
                GoalAtom::Condition(condition, binding) => {
                    let ctx = Context {
                        world: &goal.world,
                        state,
                        first,
                        last,
                        setup_objects: &self.nothing,
                        work: Some(&self.work),
                    };
                    let mut bindings = Bindings::new(&goal.scope);
                    binding.iter().for_each(|&(variable, object)| bindings.bind(variable, object));
                    evaluate::condition(&ctx, condition, &mut bindings)
                }
            };
            self.set(atom as usize, value);
            self.listed.set(atom as usize, false);
        }
        atoms.clear();
        self.asked = atoms;
        self.live.settle(&goal.circuit, &goal.fanout);
        let (live, count) = (&self.live, goal.conjunct_count());
        self.verdict.update((0..count).map(|place| live.read(goal.conjunct(place))));
    }
}

impl GoalMonitor for GoalRun {
    fn work(&self) -> &WorkBudget {
        &self.work
    }

    fn step(&mut self, step: &StateUpdate<'_>) -> &GoalVerdict {
        let first = self.log.states() == 0;
        // A run may start in the middle of a recording, so the first step evaluates everything.
        let all = first || step.changes.all;
        self.list(step.changes, all);
        if !all {
            for key @ (predicate, arguments) in &step.changes.facts {
                if let Some(&atom) = self.goal.facts.get(key) {
                    self.set(atom as usize, step.state.fact(*predicate, arguments));
                }
            }
        }
        self.ask(step.state, first, step.last);
        self.log.push(&self.verdict);
        &self.verdict
    }

    fn finish(&mut self, state: &State) -> GoalReport {
        self.asked.extend(&self.readers.play);
        self.ask(state, self.log.states() == 1, true);
        self.log.replace_last(&self.verdict);
        self.log.report()
    }
}
