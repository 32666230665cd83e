//! Ground tasks compared with the generated tasks they come from and with a naive reachability analysis.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use goalspec_core::ids::PredicateId;
use goalspec_core::planning::task::{Effect, Task};
use goalspec_core::program::Goal;
use goalspec_core::state::{ChangeSet, Delta, FactChange};
use goalspec_planner::ground::{GroundLimits, RelaxedReachability, relaxed_reachability};
use goalspec_testing::choices::Choices;
use goalspec_testing::planning::executor::Executor;
use goalspec_testing::planning::grounding::{check_equivalence, grounded, text};
use goalspec_testing::planning::{self, Features};
use proptest::prelude::*;

/// Computes the facts reachable in the delete relaxation by applying every step until a fixpoint is reached.
fn naively_reached(task: &Task) -> (usize, BTreeSet<String>) {
    let executor = Executor::new(task);
    let mut state = executor.initial();
    let mut taken = BTreeSet::new();
    loop {
        let mut changes = ChangeSet::default();
        for step in executor.steps() {
            if executor.apply(&state, &step).is_none() {
                continue;
            }
            taken.insert(step.text(task));
            let added = executor.added(&state, &step).into_iter();
            let facts = added.map(|(predicate, arguments)| FactChange { predicate, arguments, holds: true }).collect();
            state.apply(&task.world, &Delta { facts, ..Delta::default() }, &mut changes);
        }
        if changes.facts.is_empty() {
            break;
        }
    }
    let fixed = |name: &str| task.world.predicate_named(name).expect("it is declared");
    let fixed = [fixed("heavy"), fixed("road")];
    (state.facts().filter(|(predicate, _)| !fixed.contains(predicate)).count(), taken)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, max_shrink_iters: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn ground_tasks_behave_as_their_tasks(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let task = planning::task(&mut Choices::new(&bytes), Features::ALL);
        check_equivalence(&task).map_err(|error| TestCaseError::fail(format!("{error}\n{}", text(&task))))?;
    }

    #[test]
    fn ground_tasks_without_numbers_behave_as_their_tasks(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let features = Features { numbers: false, counting: false, ..Features::ALL };
        let task = planning::task(&mut Choices::new(&bytes), features);
        check_equivalence(&task).map_err(|error| TestCaseError::fail(format!("{error}\n{}", text(&task))))?;
    }

    #[test]
    fn reported_unreachability_is_sound(bytes in prop::collection::vec(any::<u8>(), 0..1000)) {
        let task = planning::any_task(&mut Choices::new(&bytes));
        let relaxed = relaxation(&task)?;
        let executor = Executor::new(&task);
        let steps = executor.steps();
        let mut states = vec![executor.initial()];
        let mut at = 0;
        while let Some(state) = states.get(at).cloned() {
            at += 1;
            for (conjunct, reached) in task.goal.conjuncts.iter().zip(&relaxed.goal) {
                let own = Goal { conjuncts: vec![conjunct.clone()], ..task.goal.clone() };
                let own = Task { goal: own, ..task.clone() };
                prop_assert!(*reached || !Executor::new(&own).is_goal(&state), "{}", text(&task));
            }
            for step in &steps {
                let Some(after) = executor.apply(&state, step) else { continue };
                prop_assert!(relaxed.actions[step.action.index()], "{}\n{}", step.text(&task), text(&task));
                if states.len() < 20 {
                    states.push(after);
                }
            }
        }
    }

    #[test]
    fn positive_tasks_reach_the_atoms_of_a_naive_evaluation(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let task = planning::task(&mut Choices::new(&bytes), Features::POSITIVE);
        let (atoms, steps) = naively_reached(&task);
        let result = grounded(&task).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let fluents = ["on", "free", "at", "linked"].map(|name| task.world.predicate_named(name).expect("declared"));
        // Predicates that no action changes are static and not counted as reached.
        let mut changed = BTreeSet::new();
        for action in &task.actions {
            note(&action.effect, &mut changed);
        }
        let executor = Executor::new(&task);
        let first = executor.initial();
        let constant = first.facts().filter(|(predicate, _)| fluents.contains(predicate) && !changed.contains(predicate));
        prop_assert_eq!(result.atom_count, atoms - constant.count(), "{}", text(&task));
        prop_assert_eq!(result.step_count, steps.len(), "{:?}\n{}", steps, text(&task));
        let actions: Vec<bool> = task
            .actions
            .iter()
            .map(|action| steps.iter().any(|step| step.starts_with(&format!("({}", action.name))))
            .collect();
        prop_assert_eq!(relaxation(&task)?.actions, actions, "{:?}\n{}", steps, text(&task));
        check_equivalence(&task).map_err(TestCaseError::fail)?;
    }
}

fn relaxation(task: &Task) -> Result<RelaxedReachability, TestCaseError> {
    let found = relaxed_reachability(task, &GroundLimits::default(), &mut |_| ControlFlow::Continue(()));
    found.map_err(|error| TestCaseError::fail(error.to_string()))
}

/// Collects the predicates that an effect changes.
fn note(effect: &Effect, changed: &mut BTreeSet<PredicateId>) {
    match effect {
        Effect::And(parts) => parts.iter().for_each(|part| note(part, changed)),
        Effect::Forall(_, part) | Effect::When(_, part) => note(part, changed),
        Effect::Add(atom) | Effect::Delete(atom) => {
            changed.insert(atom.predicate);
        }
        Effect::Assign { .. } => {}
    }
}
