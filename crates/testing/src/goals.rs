//! A differential test of the evaluators of goals.

use std::sync::Arc;

use fixedbitset::FixedBitSet;
use goalspec_core::evaluate::{self, Bindings, Context};
use goalspec_core::explain;
use goalspec_core::goal::{GoalInterpreter, GoalMonitor, GoalVerdict};
use goalspec_core::playback::Playback;
use goalspec_core::program::Goal;
use goalspec_core::state::Delta;
use goalspec_core::world::World;
use goalspec_monitor::goal::{CompiledGoal, GoalAtom};

/// Compares the engine, as a monitor and on truth values of atoms, with the interpreter: all verdicts and the report, on a recording
/// and on a live stream.
///
/// # Errors
/// Returns a description of the first difference.
pub fn compare_engines(world: &World, goal: &Goal, deltas: &[Delta]) -> Result<(), String> {
    let (world, goal) = (&Arc::new(world.clone()), &Arc::new(goal.clone()));
    let compiled = CompiledGoal::new(world.clone(), goal).map_err(|error| error.to_string())?;
    for recorded in [true, false] {
        let mut reference = GoalInterpreter::new(world.clone(), goal.clone());
        let mut engine = compiled.start();
        let mut plain = AtomEvaluators::new(&compiled);
        let mut playback = Playback::new(world.clone());
        for (index, delta) in deltas.iter().enumerate() {
            playback.advance(delta);
            let last = recorded && index + 1 == deltas.len();
            let step = playback.update(delta, last);
            let expected = reference.step(&step);
            same(&format!("the engine in state {}", index + 1), expected, engine.step(&step))?;
            let nothing = FixedBitSet::new();
            let ctx =
                Context { world, state: step.state, first: index == 0, last, setup_objects: &nothing, work: None };
            plain.add(&ctx, goal, expected)?;
            reasons(&ctx, goal, expected)?;
        }
        plain.finish()?;
        let (expected, report) = (reference.finish(playback.state()), engine.finish(playback.state()));
        same("the report", &expected, &report)?;
        same("the report, asked for again", &expected, &engine.finish(playback.state()))?;
    }
    Ok(())
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, expected: &T, found: &T) -> Result<(), String> {
    if expected == found { Ok(()) } else { Err(format!("{what}: {expected:?} expected, but {found:?}")) }
}

/// The evaluators on truth values of atoms, with the states of a run.
struct AtomEvaluators {
    goal: Arc<CompiledGoal>,
    single: goalspec_monitor::goal::SingleEvaluator,
    incremental: goalspec_monitor::goal::IncrementalEvaluator,
    states: Vec<u64>,
    verdicts: Vec<GoalVerdict>,
}

impl AtomEvaluators {
    fn new(goal: &Arc<CompiledGoal>) -> Self {
        let (single, incremental) = (goal.single(), goal.incremental());
        Self { goal: Arc::clone(goal), single, incremental, states: Vec::new(), verdicts: Vec::new() }
    }

    /// Adds a state and compares its verdicts.
    fn add(&mut self, ctx: &Context<'_>, goal: &Goal, expected: &GoalVerdict) -> Result<(), String> {
        let mut state = vec![0_u64; self.goal.state_words()];
        for (place, atom) in self.goal.atoms().iter().enumerate() {
            let holds = match atom {
                GoalAtom::Fact(predicate, arguments) => ctx.state.fact(*predicate, arguments),
                GoalAtom::Present(object) => ctx.state.is_present(*object),
                GoalAtom::Condition(condition, binding) => {
                    let mut bindings = Bindings::new(&goal.scope);
                    binding.iter().for_each(|&(variable, object)| bindings.bind(variable, object));
                    evaluate::condition(ctx, condition, &mut bindings)
                }
            };
            state[place / 64] |= u64::from(holds) << (place % 64);
            self.incremental.set(place, holds);
        }
        let count = self.goal.conjunct_count();
        let satisfied = self.single.evaluate(&state);
        let single =
            GoalVerdict { satisfied, conjuncts: ones((0..count).map(|index| self.single.conjunct(index)), count) };
        same("one state by itself", expected, &single)?;
        let conjuncts = ones((0..count).map(|index| self.incremental.conjunct(index)), count);
        let changed = GoalVerdict { satisfied: self.incremental.satisfied(), conjuncts };
        same("a state that changes", expected, &changed)?;
        self.states.extend(state);
        self.verdicts.push(expected.clone());
        Ok(())
    }

    /// Compares the verdicts of all states evaluated as a batch.
    fn finish(self) -> Result<(), String> {
        let (count, expected) = (self.goal.conjunct_count(), self.verdicts);
        let mut found = Vec::new();
        self.goal.batch().evaluate_all(&self.states, |first, batch| {
            for state in 0..64.min(expected.len() - first) {
                let conjuncts = ones((0..count).map(|index| batch.conjunct(index) >> state & 1 == 1), count);
                found.push(GoalVerdict { satisfied: batch.satisfied() >> state & 1 == 1, conjuncts });
            }
        });
        // States without atoms occupy no words, so the batch has no states.
        if self.goal.state_words() == 0 { Ok(()) } else { same("many states", &expected, &found) }
    }
}

fn ones(values: impl Iterator<Item = bool>, count: usize) -> FixedBitSet {
    let mut set = FixedBitSet::with_capacity(count);
    for (place, truth) in values.enumerate() {
        set.set(place, truth);
    }
    set
}

/// Checks that every conjunct that does not hold has a reason.
fn reasons(ctx: &Context<'_>, goal: &Goal, verdict: &GoalVerdict) -> Result<(), String> {
    for (place, reasons) in explain::explain_goal(ctx, goal, &explain::CoreNotation).iter().enumerate() {
        // A conjunct that holds may have no reasons, such as an empty conjunction.
        if reasons.is_empty() && !verdict.conjuncts.contains(place) {
            return Err(format!("nothing keeps conjunct {place} from holding"));
        }
    }
    Ok(())
}
