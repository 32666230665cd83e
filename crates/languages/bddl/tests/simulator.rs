//! The simulator interface, with a simulator in memory.

use std::collections::BTreeSet;

use goalspec_bddl::simulator::{GoalStatus, Simulator, SimulatorTask};
use goalspec_bddl::{Dialect, parse};

/// A simulator with a set of facts and a set of supported predicates.
#[derive(Default)]
struct Scene {
    facts: BTreeSet<String>,
    asked: Vec<String>,
}

impl Simulator for Scene {
    fn holds(&mut self, predicate: &str, things: &[&str]) -> Option<bool> {
        let atom = format!("{predicate} {}", things.join(" "));
        self.asked.push(atom.clone());
        (predicate != "hot").then(|| self.facts.contains(&atom))
    }
}

const TEXT: &str = "(define (problem soup_0) (:domain omnigibson)
    (:objects pot.n.01_1 - pot.n.01 soup.n.01_1 - soup.n.01 sink.n.01_1 - sink.n.01 water.n.06_1 - water.n.06)
    (:init (inroom pot.n.01_1 kitchen) (inroom sink.n.01_1 kitchen) (future soup.n.01_1) (open pot.n.01_1)
        (not (cooked water.n.06_1)))
    (:goal (and
        (real ?soup.n.01_1)
        (not (open ?pot.n.01_1))
        (exists (?pot.n.01 - pot.n.01) (filled ?pot.n.01 soup.n.01_1))
        (insource sink.n.01_1 water.n.06_1)
        (not (hot ?pot.n.01_1))
        (not (future soup.n.01_1))
        (or (open ?pot.n.01_1) (cooked soup.n.01_1)))))";

fn task() -> SimulatorTask {
    let parsed = parse::parse(&goalspec_testing::texts::source("soup", TEXT), Dialect::STRICT);
    assert!(parsed.diagnostics.iter().all(|diagnostic| !diagnostic.is_error()), "{:?}", parsed.diagnostics);
    SimulatorTask::new(&parsed.problems[0], Dialect::STRICT).unwrap()
}

#[test]
fn setup_conditions_exclude_rooms() {
    let task = task();
    let literals: Vec<_> = task.initial_conditions().map(|it| (&*it.atom.predicate.text, it.positive)).collect();
    assert_eq!(literals, [("future", true), ("open", true), ("cooked", false)]);
    assert_eq!(task.rooms().collect::<Vec<_>>(), [("pot.n.01_1", "kitchen"), ("sink.n.01_1", "kitchen")]);
    assert!(task.bindings().all(|(_, handle)| handle.is_none()) && task.bindings().count() == 4);
}

#[test]
fn objects_exist_exactly_if_they_are_in_scope() {
    let mut task = task();
    let mut scene = Scene::default();
    for (instance, handle) in [("pot.n.01_1", "pot_7"), ("sink.n.01_1", "sink_0"), ("water.n.06_1", "water")] {
        assert!(task.bind(instance, Some(handle)));
    }
    assert!(!task.bind("pan.n.01_1", Some("pan")));
    scene.facts.insert("open pot_7".into());
    let check = task.step(&mut scene);
    // The soup does not exist yet: only `future` holds of it, and the simulator is not queried about it.
    assert_eq!(check, GoalStatus { success: false, satisfied: vec![3, 4, 6], unsatisfied: vec![0, 1, 2, 5] });
    assert_eq!(scene.asked, ["open pot_7", "hot pot_7"]);
    let unanswered: Vec<_> = task.unevaluated_atoms().map(|atom| &*atom.predicate).collect();
    assert_eq!(unanswered, ["hot"]);

    assert!(task.bind("soup.n.01_1", Some("soup")));
    scene.facts = ["filled pot_7 soup", "cooked soup"].map(str::to_owned).into();
    let check = task.step(&mut scene);
    assert_eq!(check, GoalStatus { success: true, satisfied: (0..7).collect(), unsatisfied: vec![] });
    assert_eq!(task.atom_values().iter().filter(|holds| **holds).count(), 4);
    assert_eq!(task.atom_values().len(), task.goal().atoms.len());

    // `real` no longer holds of an unbound instance.
    assert!(task.bind("soup.n.01_1", None));
    assert_eq!(task.step(&mut scene).unsatisfied, [0, 2, 5, 6]);
}
