//! The recorded translations of the LOT experiment, compared with the truth.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use goalspec_equivalence::goals::GoalInWorld;
use goalspec_equivalence::{
    GoalRelation, InitialState, LimitExceeded, ObjectMatching, compare_goals, compare_goals_within, compare_problems,
};
use goalspec_lot::translation::{ReadingRules, read};
use goalspec_lot::{Problem, Relation, View, equivalence, pddl};

use crate::brute_force::Random;
use crate::texts::{problem, source, task};

fn folder() -> Option<PathBuf> {
    let root = std::env::var_os("GOALSPEC_CONFORMANCE").map(PathBuf::from).or_else(|| {
        let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
        folders.find_map(|folder| Some(folder.join("../shared/conformance")).filter(|path| path.is_dir()))
    });
    let folder = root.map(|root| root.join("planning/lot")).filter(|path| path.is_dir());
    if folder.is_none() {
        eprintln!("skipped: no conformance data for planning/lot (set GOALSPEC_CONFORMANCE)");
    }
    folder
}

/// Returns the columns `translate_init_exact` and `translate_goal` of the published results, by problem and view.
fn results(folder: &Path) -> BTreeMap<(String, String), (bool, String)> {
    let text = std::fs::read_to_string(folder.join("results.csv")).unwrap();
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        ((cells[0].to_owned(), cells[1].to_owned()), (cells[6] == "1", cells[7].to_owned()))
    };
    text.lines().skip(1).map(row).collect()
}

#[test]
fn recorded_translations_agree_with_the_published_columns() {
    let Some(folder) = folder() else { return };
    let results = results(&folder);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for view in View::ALL {
        let file = std::fs::File::open(folder.join(format!("translate-{view}.jsonl.gz"))).unwrap();
        let mut text = String::new();
        flate2::read::GzDecoder::new(file).read_to_string(&mut text).unwrap();
        for line in text.lines() {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            let id = row["id"].as_str().unwrap();
            let path = folder.join(format!("problems/problem_{id}.json"));
            let of: Problem = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
            let truth = of.view(view);
            let files = ["init_res", "goal_res"].map(|part| source(row[part].as_str().unwrap()));
            let translation = read(&files[0], &files[1], &truth.objects(), ReadingRules::Default);
            let facts = [translation.initial.relations(), translation.goal.relations()];
            let expected = &results[&(id.to_owned(), view.to_string())];
            let found = compare(&truth, &facts);
            assert_eq!((found.0, found.1), (expected.0, &*expected.1), "{id} {view}");
            *counts.entry(found.1).or_default() += 1;
        }
    }
    assert_eq!(counts.values().sum::<usize>(), 300, "{counts:?}");
}

/// Returns whether the initial states are the same, by the names of objects, and the sign of the relation of the goals.
fn compare(truth: &goalspec_lot::StackingProblem, facts: &[Vec<Relation>; 2]) -> (bool, &'static str) {
    let stated = facts.iter().flatten().flat_map(|relation| relation.objects().map(pddl_name).collect::<Vec<_>>());
    let objects: BTreeSet<String> = truth.objects().pddl_names().map(str::to_owned).chain(stated).collect();
    let of = |initial: &[Relation], goal: &[Relation]| {
        let text = pddl::problem("p", objects.iter().map(String::as_str), initial, goal);
        task(pddl::DOMAIN, &text)
    };
    let tasks = [of(&facts[0], &facts[1]), of(&truth.initial.relations(), &truth.goal)];
    let [initial, of_truth] = tasks.each_ref().map(|task| InitialState::new(&task.world, &task.initial));
    let goals = tasks.each_ref().map(|task| GoalInWorld::new(&task.world, &task.goal));
    let sign = match compare_goals(goals[0], goals[1]).unwrap().relation {
        GoalRelation::Same => "=",
        GoalRelation::Stronger => ">",
        GoalRelation::Weaker => "<",
        GoalRelation::Different | GoalRelation::Unknown => "#",
    };
    let is_exact = initial == of_truth;
    if is_exact && sign == "=" {
        assert!(compare_problems(&problem(&tasks[0]), &problem(&tasks[1]), ObjectMatching::Any).unwrap().is_same());
    }
    (is_exact, sign)
}

/// Stacks: each block is on the table or on one other, carries at most one, and is not above itself.
const ARRANGEMENTS: &str = "(define (domain d) (:requirements :adl :derived-predicates) (:predicates (on ?x ?y) (ontable ?x) (clear ?x) (above ?x ?y))
    (:derived (above ?x ?y) (or (on ?x ?y) (exists (?z) (and (on ?x ?z) (above ?z ?y))))))";

/// The condition of an arrangement.
const IS_ARRANGEMENT: &str = "(and (forall (?x) (not (above ?x ?x)))
    (forall (?x) (or (ontable ?x) (exists (?y) (on ?x ?y)))) (forall (?x ?y) (not (and (ontable ?x) (on ?x ?y))))
    (forall (?x ?y ?z) (or (= ?y ?z) (and (not (and (on ?x ?y) (on ?x ?z))) (not (and (on ?y ?x) (on ?z ?x))))))
    (forall (?x) (and (or (clear ?x) (exists (?y) (on ?y ?x))) (not (and (clear ?x) (exists (?y) (on ?y ?x)))))))";

/// Compares two goals on all arrangements of objects.
fn compare_on_arrangements(objects: &[&str], goals: [&[Relation]; 2]) -> Result<GoalRelation, LimitExceeded> {
    let of = |goal: &str| {
        let text = format!("(define (problem p) (:domain d) (:objects {}) (:init) (:goal {goal}))", objects.join(" "));
        task(ARRANGEMENTS, &text)
    };
    let text = |goal: &[Relation]| {
        let facts: Vec<String> = goal.iter().map(|relation| pddl::facts(std::slice::from_ref(relation))).collect();
        format!("(and {})", facts.join(" "))
    };
    let [one, other] = goals.map(|goal| of(&text(goal)));
    let states = of(IS_ARRANGEMENT);
    let [one, other, states] = [&one, &other, &states].map(GoalInWorld::of_task);
    Ok(compare_goals_within(one, other, states)?.relation)
}

/// The closure of goals over arrangements, which takes time linear in the goal for any number of objects, agrees with the comparison of
/// goals on the states that are arrangements, whose diagrams grow exponentially with the number of objects.
#[test]
fn the_closure_of_goals_agrees_with_the_comparison_on_all_arrangements() {
    let names = ["a", "b", "c", "d"];
    let objects: goalspec_lot::names::ObjectTable = names.into_iter().collect();
    let unary = names.iter().flat_map(|&x| [Relation::OnTable(x.into()), Relation::Clear(x.into())]);
    let binary = names.iter().flat_map(|&x| names.iter().map(move |&y| Relation::On(x.into(), y.into())));
    let relations: Vec<Relation> = unary.chain(binary).collect();
    let mut random = Random(4);
    let mut same = 0;
    for _ in 0..300 {
        let mut goal = || {
            let size = random.below(4);
            (0..size).map(|_| relations[random.below(relations.len())].clone()).collect::<Vec<Relation>>()
        };
        let (one, mut other): (Vec<Relation>, Vec<Relation>) = (goal(), goal());
        // A goal with more of what it implies.
        if random.below(2) == 0
            && let Some(closure) = equivalence::closure(&one, &objects)
        {
            other = closure.into_iter().collect();
        }
        let found = compare_on_arrangements(&names, [&one, &other]).unwrap();
        let expected = equivalence::are_equivalent(&one, &other, &objects);
        assert_eq!(found == GoalRelation::Same, expected, "{one:?} {other:?} {found:?}");
        same += usize::from(expected);
    }
    assert!((100..250).contains(&same), "{same}");
}

#[test]
fn arrangements_of_seven_objects_exceed_the_limit() {
    let names = ["a", "b", "c", "d", "e", "f", "g"];
    let goal = [Relation::On("a".into(), "b".into())];
    let top = [goal[0].clone(), Relation::Clear("a".into())];
    assert_eq!(compare_on_arrangements(&names[..6], [&top, &goal]), Ok(GoalRelation::Stronger));
    assert_eq!(compare_on_arrangements(&names, [&top, &goal]), Err(LimitExceeded::Nodes));
}

fn pddl_name(name: &str) -> String {
    goalspec_lot::names::pddl_name(name)
}
