//! Lowered goals: evaluation in all recorded states, and in all states of small pairings, under both semantics.

use std::collections::BTreeSet;

use goalspec_bddl::ast::Problem;
use goalspec_bddl::dialect::{Counting, Pairing, Release};
use goalspec_bddl::lower::{LowerError, LoweredProblem, lower};
use goalspec_bddl::{Dialect, domains, parse};
use goalspec_core::goal::{GoalInterpreter, GoalMonitor};
use goalspec_core::ids::{ObjectId, PredicateId};
use goalspec_core::playback::Playback;
use goalspec_core::state::{Delta, FactChange};
use goalspec_monitor::goal::{CompiledGoal, GoalAtom};

use crate::common;

/// Parses a problem from a text without errors.
fn read(text: &str, dialect: Dialect) -> Problem {
    let mut parsed = parse::parse(&goalspec_testing::texts::source("test", text), dialect);
    assert!(parsed.diagnostics.iter().all(|diagnostic| !diagnostic.is_error()), "{:?}", parsed.diagnostics);
    parsed.problems.remove(0)
}

/// Parses a fact as the recordings write it: `inside a b` for `(inside a b)`.
fn fact(lowered: &LoweredProblem, text: &str, holds: bool) -> FactChange {
    let mut words = text.split(' ');
    let predicate = words.next().and_then(|name| lowered.world.predicate_named(name)).unwrap();
    let arguments = words.map(|name| lowered.world.object_named(name).unwrap()).collect();
    FactChange { predicate, arguments, holds }
}

#[test]
fn both_engines_have_the_recorded_verdicts_of_the_releases() {
    for (release, dialect) in [(Release::V1_0, Dialect::COMPAT_1_0), (Release::V3_6, Dialect::COMPAT_3_6)] {
        let (Some(activities), Some(rows)) = (common::activities(release), common::rows("eval", release)) else {
            return;
        };
        let mut states = 0;
        for row in &rows {
            let name = row["a"].as_str().unwrap();
            let activity = activities.iter().find(|activity| activity.name == name).unwrap();
            let lowered = lower(&read(&activity.text, dialect), None, dialect).unwrap();
            let compiled = CompiledGoal::new(lowered.world.clone(), &lowered.goal).unwrap();
            let mut single = compiled.single();
            let (mut engine, mut reference) =
                (compiled.start(), GoalInterpreter::new(lowered.world.clone(), lowered.goal.clone()));
            let mut playback = Playback::new(lowered.world.clone());
            let mut before = BTreeSet::new();
            for recorded in row["states"].as_array().unwrap() {
                let now: BTreeSet<&str> =
                    recorded["true"].as_array().unwrap().iter().map(|atom| atom.as_str().unwrap()).collect();
                let mut delta = Delta::default();
                delta.facts.extend(before.difference(&now).map(|atom| fact(&lowered, atom, false)));
                delta.facts.extend(now.iter().map(|atom| fact(&lowered, atom, true)));
                playback.advance(&delta);
                let step = playback.update(&delta, false);
                let expected: Vec<usize> = recorded["satisfied"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|place| usize::try_from(place.as_u64().unwrap()).unwrap())
                    .collect();
                let ok = recorded["ok"].as_bool().unwrap();
                for verdict in [reference.step(&step), engine.step(&step)] {
                    assert_eq!(verdict.conjuncts.ones().collect::<Vec<_>>(), expected, "{name}");
                    assert_eq!(verdict.satisfied, ok, "{name}");
                }
                let mut bits = vec![0_u64; compiled.state_words()];
                for fact in now.iter().map(|atom| fact(&lowered, atom, true)) {
                    if let Some(place) = compiled.fact_index(fact.predicate, &fact.arguments) {
                        bits[place / 64] |= 1 << (place % 64);
                    }
                }
                assert_eq!(single.evaluate(&bits), ok, "{name}");
                before = now;
                states += 1;
            }
        }
        println!("{release:?}: {} activities, {states} states", rows.len());
        assert!(rows.len() >= 100);
    }
}

#[test]
fn every_activity_is_lowered() {
    for (release, dialect, domain) in
        [(Release::V1_0, Dialect::COMPAT_1_0, "igibson"), (Release::V3_6, Dialect::COMPAT_3_6, "omnigibson")]
    {
        let Some(activities) = common::activities(release) else { return };
        let mut gates = 0;
        for activity in &activities {
            let problem = read(&activity.text, dialect);
            let lowered = lower(&problem, domains::builtin(domain), dialect).unwrap();
            let compiled = CompiledGoal::new(lowered.world.clone(), &lowered.goal).unwrap();
            assert_eq!(compiled.conjunct_count(), problem.goal.len(), "{}", activity.name);
            assert_eq!(lowered.initial.len(), problem.init.len(), "{}", activity.name);
            gates += compiled.gate_and_connection_counts().0;
        }
        println!("{release:?}: {} activities, {gates} gates", activities.len());
    }
}

/// The rows and columns of `(fits ?a ?b)`, with a cell for each pair of distinct objects.
type Matrix = Vec<Vec<Option<bool>>>;

/// Returns the maximum number of disjoint pairs, by exhaustive search over the first row.
fn pairs(rows: &[Vec<Option<bool>>], used: &BTreeSet<usize>) -> usize {
    let Some((first, rest)) = rows.split_first() else { return 0 };
    let mut best = pairs(rest, used);
    for (column, cell) in first.iter().enumerate() {
        if *cell == Some(true) && !used.contains(&column) {
            let mut used = used.clone();
            used.insert(column);
            best = best.max(1 + pairs(rest, &used));
        }
    }
    best
}

/// An independent implementation of both pairing semantics.
fn expected(matrix: &Matrix, amount: Option<usize>, pairing: Pairing) -> bool {
    let cells: Vec<Vec<bool>> = matrix.iter().map(|row| row.iter().flatten().copied().collect()).collect();
    let required = amount.unwrap_or_else(|| cells.len().min(cells[0].len()));
    match pairing {
        Pairing::Matching => pairs(matrix, &BTreeSet::new()) >= required,
        Pairing::Covering => {
            let rows = cells.iter().filter(|row| row.contains(&true)).count();
            let columns = (0..cells[0].len()).filter(|&column| cells.iter().any(|row| row[column])).count();
            rows >= required && columns >= required
        }
    }
}

/// Lowers a goal over instances `a.n.01_1..` and `b.n.01_1..`.
fn small(lefts: usize, rights: usize, goal: &str, dialect: Dialect) -> LoweredProblem {
    let list =
        |letter: &str, count: usize| -> String { (1..=count).map(|at| format!("{letter}.n.01_{at} ")).collect() };
    let text = format!(
        "(define (problem small_0) (:domain tiny) (:objects {}- a.n.01 {}- b.n.01) (:init) (:goal {goal}))
         (define (domain tiny) (:predicates (fits ?a ?b) (good ?a)))",
        list("a", lefts),
        list("b", rights),
    );
    lower(&read(&text, dialect), None, dialect).unwrap()
}

/// Compares both engines with `expected` in every state of the facts `(fits x y)` of the given pairs.
fn check_all(lowered: &LoweredProblem, cells: &[(ObjectId, ObjectId)], expected: impl Fn(usize) -> bool) {
    let fits = lowered.world.predicate_named("fits").unwrap();
    let compiled = CompiledGoal::new(lowered.world.clone(), &lowered.goal).unwrap();
    let places: Vec<_> = cells.iter().map(|&(left, right)| compiled.fact_index(fits, &[left, right])).collect();
    let (mut single, mut incremental, mut batch) = (compiled.single(), compiled.incremental(), compiled.batch());
    let mut reference = GoalInterpreter::new(lowered.world.clone(), lowered.goal.clone());
    let mut playback = Playback::new(lowered.world.clone());
    let mut holds_count = 0;
    for state in 0..1_usize << cells.len() {
        let truth = expected(state);
        holds_count += usize::from(truth);
        let mut bits = vec![0_u64; compiled.state_words()];
        let mut changes = Vec::new();
        let mut delta = Delta::default();
        for (cell, (&(left, right), place)) in cells.iter().zip(&places).enumerate() {
            let holds = state >> cell & 1 == 1;
            delta.facts.push(FactChange { predicate: fits, arguments: [left, right].into_iter().collect(), holds });
            if let Some(place) = *place {
                bits[place / 64] |= u64::from(holds) << (place % 64);
                changes.push((place, holds));
            }
        }
        playback.advance(&delta);
        assert_eq!(reference.step(&playback.update(&delta, false)).satisfied, truth, "{state:b}");
        assert_eq!(single.evaluate(&bits), truth, "{state:b}");
        assert_eq!(incremental.set_all(changes), truth, "{state:b}");
        batch.evaluate_all(&bits, |_, batch| assert_eq!(batch.satisfied() & 1 == 1, truth, "{state:b}"));
    }
    assert!(holds_count > 0, "{:?}", lowered.goal);
}

fn members(lowered: &LoweredProblem, category: &str) -> Vec<ObjectId> {
    lowered.world.members(lowered.world.type_named(category).unwrap()).to_vec()
}

#[test]
fn pairs_in_all_states_up_to_four_by_four() {
    for pairing in [Pairing::Covering, Pairing::Matching] {
        let dialect = Dialect { pairing, ..Dialect::STRICT };
        for (lefts, rights) in [(1, 1), (2, 3), (3, 2), (3, 3), (4, 2), (4, 4)] {
            for amount in
                [None, Some(1), Some(2), Some(3)].into_iter().filter(|&amount| amount < Some(lefts.min(rights)))
            {
                let head = amount.map_or("forpairs".to_owned(), |amount| format!("fornpairs ({amount})"));
                let goal = format!("({head} (?x - a.n.01) (?y - b.n.01) (fits ?x ?y))");
                let lowered = small(lefts, rights, &goal, dialect);
                let (left, right) = (members(&lowered, "a.n.01"), members(&lowered, "b.n.01"));
                let cells: Vec<_> = left.iter().flat_map(|&x| right.iter().map(move |&y| (x, y))).collect();
                check_all(&lowered, &cells, |state| {
                    let cell = |row: usize, column: usize| Some(state >> (row * rights + column) & 1 == 1);
                    let matrix = (0..lefts).map(|row| (0..rights).map(|column| cell(row, column)).collect()).collect();
                    expected(&matrix, amount, pairing)
                });
            }
        }
    }
}

#[test]
fn pairs_of_one_category_in_all_states() {
    for pairing in [Pairing::Covering, Pairing::Matching] {
        let dialect = Dialect { pairing, ..Dialect::STRICT };
        for (count, amount) in [(2, None), (3, None), (4, None), (4, Some(2)), (3, Some(3))] {
            let head = amount.map_or("forpairs".to_owned(), |amount| format!("fornpairs ({amount})"));
            let goal = format!("(not ({head} (?x - a.n.01) (?y - a.n.01) (fits ?x ?y)))");
            let lowered = small(count, 1, &goal, dialect);
            let members = members(&lowered, "a.n.01");
            let cells: Vec<_> =
                (0..count).flat_map(|x| (0..count).map(move |y| (x, y))).filter(|(x, y)| x != y).collect();
            let ids: Vec<_> = cells.iter().map(|&(x, y)| (members[x], members[y])).collect();
            check_all(&lowered, &ids, |state| {
                let mut matrix = vec![vec![None; count]; count];
                for (at, &(x, y)) in cells.iter().enumerate() {
                    matrix[x][y] = Some(state >> at & 1 == 1);
                }
                !expected(&matrix, amount, pairing)
            });
        }
    }
}

#[test]
fn counts_and_nested_forms_in_all_states() {
    let rows = |state: usize| (0..3).map(move |row| state >> (row * 3) & 0b111);
    let forms: [(&str, &dyn Fn(usize) -> bool); 6] = [
        ("(forn (2) (?y - b.n.01) (fits a.n.01_1 ?y))", &|state| (state & 0b111).count_ones() == 2),
        ("(forn (0) (?x - a.n.01) (exists (?y - b.n.01) (fits ?x ?y)))", &|state| state == 0),
        ("(forall (?x - a.n.01) (forn (1) (?y - b.n.01) (fits ?x ?y)))", &|state| {
            rows(state).all(usize::is_power_of_two)
        }),
        ("(forn (1) (?x - a.n.01) (forn (2) (?y - b.n.01) (fits ?x ?y)))", &|state| {
            rows(state).filter(|row| row.count_ones() == 2).count() == 1
        }),
        // The inner variable shadows the outer one with the same name.
        ("(exists (?x - a.n.01) (and (fits ?x b.n.01_1) (forall (?x - b.n.01) (fits a.n.01_3 ?x))))", &|state| {
            rows(state).any(|row| row & 1 == 1) && state >> 6 == 0b111
        }),
        ("(imply (fits a.n.01_1 b.n.01_1) (or (fits a.n.01_2 b.n.01_2) (not (fits a.n.01_3 b.n.01_3))))", &|state| {
            state & 1 == 0 || state >> 4 & 1 == 1 || state >> 8 & 1 == 0
        }),
    ];
    for (goal, expected) in forms {
        let lowered = small(3, 3, goal, Dialect::STRICT);
        let (left, right) = (members(&lowered, "a.n.01"), members(&lowered, "b.n.01"));
        let cells: Vec<_> = left.iter().flat_map(|&x| right.iter().map(move |&y| (x, y))).collect();
        check_all(&lowered, &cells, expected);
    }
    let at_least = Dialect { counting: Counting::AtLeast, ..Dialect::STRICT };
    let lowered = small(1, 3, "(forn (2) (?y - b.n.01) (fits a.n.01_1 ?y))", at_least);
    let (left, right) = (members(&lowered, "a.n.01"), members(&lowered, "b.n.01"));
    let cells: Vec<_> = right.iter().map(|&y| (left[0], y)).collect();
    check_all(&lowered, &cells, |state| state.count_ones() >= 2);
}

#[test]
fn a_problem_is_a_world_with_a_beginning() {
    let text = "(define (problem tidy_0) (:domain igibson)
        (:objects box.n.01_1 box.n.01_2 - box.n.01 jack-o'-lantern.n.01_1 - jack-o'-lantern.n.01 thing)
        (:init (inside jack-o'-lantern.n.01_1 box.n.01_1) (not (open box.n.01_1)) (inroom box.n.01_1 hall))
        (:goal (and (open ?box.n.01_1) (forall (?box.n.01 - box.n.01) (not (inside jack-o'-lantern.n.01_1 ?box.n.01))))))";
    let parsed = parse::parse(&goalspec_testing::texts::source("test", text), Dialect::STRICT);
    let problem = &parsed.problems[0];
    let lowered = lower(problem, domains::builtin("igibson"), Dialect::STRICT).unwrap();
    let world = &lowered.world;
    let labels = |category: &str| -> Vec<&str> {
        world.members(world.type_named(category).unwrap()).iter().map(|&object| world.label(object)).collect()
    };
    assert_eq!(world.name(), "tidy_0");
    assert_eq!(labels("box.n.01"), ["box.n.01_1", "box.n.01_2"]);
    assert_eq!(labels("Untyped"), ["thing"]);
    assert_eq!(labels("Room"), ["hall"]);
    assert_eq!(labels("object").len(), 5);
    // The domain's predicates are declared whether used or not.
    assert!(world.predicate_named("perished").is_some());
    let initial: Vec<_> =
        lowered.initial.iter().map(|fact| (&*world.predicate(fact.predicate).name, fact.holds)).collect();
    assert_eq!(initial, [("inside", true), ("open", false), ("inroom", true)]);
    // Every conjunct has its source location.
    let places: Vec<_> = lowered.goal.conjuncts.iter().map(|conjunct| conjunct.origin.0.unwrap()).collect();
    let text_at = |at: usize| &text[places[at].start as usize..places[at].end as usize];
    assert_eq!(text_at(0), "(open ?box.n.01_1)");
    assert!(text_at(1).starts_with("(forall"));
    let compiled = CompiledGoal::new(world.clone(), &lowered.goal).unwrap();
    let atoms: Vec<PredicateId> = compiled
        .atoms()
        .iter()
        .map(|atom| match atom {
            GoalAtom::Fact(predicate, _) => *predicate,
            other => panic!("{other:?} is not a fact"),
        })
        .collect();
    assert_eq!(atoms.len(), 3);
}

#[test]
fn overloaded_predicates_are_resolved_by_arity_and_unknown_names_are_errors() {
    let problem = |goal: &str| {
        let text = format!("(define (problem p) (:objects a.n.01_1 - a.n.01) (:init) (:goal {goal}))");
        parse::parse(&goalspec_testing::texts::source("test", &text), Dialect::STRICT).problems.remove(0)
    };
    let lowered = lower(&problem("(and (on a.n.01_1) (on a.n.01_1 a.n.01_1))"), None, Dialect::STRICT).unwrap();
    assert!(lowered.world.predicate_named("on").is_some() && lowered.world.predicate_named("on/2").is_some());
    for (goal, message) in [
        ("(on b.n.01_1)", "`b.n.01_1` is neither an object nor a variable"),
        ("(exists (?x - b.n.01) (on ?x))", "no object of the category `b.n.01` is declared"),
    ] {
        let error = lower(&problem(goal), None, Dialect::STRICT).unwrap_err();
        assert!(matches!(error, LowerError::Ground(_)));
        assert_eq!(error.to_string(), message);
    }
}
