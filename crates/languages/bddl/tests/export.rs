//! PDDL export: the derived predicates have the same truth values as the goal.

use std::collections::{BTreeMap, BTreeSet};

use goalspec_bddl::ast::Problem;
use goalspec_bddl::dialect::{Counting, Pairing, Release};
use goalspec_bddl::export::{
    ExportError, ExportOptions, MAX_DERIVED, MAX_MATCHING_SIDE, PddlExport, pddl, pddl_with_actions,
};
use goalspec_bddl::ground::GroundGoal;
use goalspec_bddl::knowledge::Knowledge;
use goalspec_bddl::planning::PlacementScope;
use goalspec_bddl::{Dialect, evaluate, parse};
use goalspec_syntax::sexp::{self, List};

use crate::common;

fn problem(text: &str, dialect: Dialect) -> Problem {
    parse::parse(&goalspec_testing::texts::source("test", text), dialect).problems.remove(0)
}

/// A PDDL list, parsed as an s-expression.
#[derive(Debug, Clone)]
enum Form {
    Word(String),
    List(Vec<Form>),
}

impl Form {
    fn read(list: List<'_>) -> Self {
        let item = |item: sexp::Sexp<'_>| match item.as_list() {
            Some(list) => Self::read(list),
            None => Self::Word(item.as_atom().map_or_else(String::new, |atom| atom.text().to_owned())),
        };
        Self::List(list.items().map(item).collect())
    }

    fn parts(&self) -> &[Form] {
        match self {
            Self::List(parts) => parts,
            Self::Word(word) => panic!("`{word}` is not a list"),
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Word(word) => word.clone(),
            Self::List(parts) => format!("({})", parts.iter().map(Self::text).collect::<Vec<_>>().join(" ")),
        }
    }
}

/// The contents of a PDDL text: derived predicates in order, and the goal.
struct Pddl {
    derived: Vec<(String, Form)>,
    goal: Form,
    init: BTreeSet<String>,
}

impl Pddl {
    fn new(exported: &PddlExport) -> Self {
        let read = |text: &str| {
            let tree = sexp::parse(&goalspec_testing::texts::source("pddl", text));
            assert!(tree.diagnostics.is_empty(), "{text}\n{:?}", tree.diagnostics);
            Form::read(tree.roots().next().unwrap())
        };
        let (domain, problem) = (read(&exported.domain), read(&exported.problem));
        let section = |form: &Form, head: &str| -> Vec<Form> {
            form.parts().iter().filter(|part| part.text().starts_with(head)).cloned().collect()
        };
        let derived =
            section(&domain, "(:derived").into_iter().map(|sexp| (sexp.parts()[1].text(), sexp.parts()[2].clone()));
        Self {
            derived: derived.collect(),
            goal: section(&problem, "(:goal")[0].parts()[1].clone(),
            init: section(&problem, "(:init")[0].parts()[1..].iter().map(Form::text).collect(),
        }
    }

    /// Returns, for each conjunct, whether it holds of the facts. Derived predicates come after those that they use.
    fn conjuncts(&self, facts: &BTreeSet<String>) -> Vec<bool> {
        let mut derived = BTreeMap::new();
        for (name, body) in &self.derived {
            let holds = holds(body, facts, &derived);
            derived.insert(name.clone(), holds);
        }
        self.goal.parts()[1..].iter().map(|part| holds(part, facts, &derived)).collect()
    }
}

fn holds(form: &Form, facts: &BTreeSet<String>, derived: &BTreeMap<String, bool>) -> bool {
    let parts = form.parts();
    let mut rest = parts[1..].iter();
    match &*parts[0].text() {
        "and" => rest.all(|part| holds(part, facts, derived)),
        "or" => rest.any(|part| holds(part, facts, derived)),
        "not" => !holds(&parts[1], facts, derived),
        _ => derived.get(&form.text()).copied().unwrap_or_else(|| facts.contains(&form.text())),
    }
}

/// Compares the text with the goal in the given number of states.
fn check(problem: &Problem, dialect: Dialect, states: usize) -> usize {
    let exported = pddl(problem, None, dialect, ExportOptions::default(), None).unwrap();
    let text = Pddl::new(&exported);
    assert_eq!(exported.derived_count, text.derived.len());
    let goal = GroundGoal::new(problem).unwrap();
    let phrase = |atom: &goalspec_bddl::ground::GroundAtom| {
        let arguments: String = atom.arguments.iter().map(|name| format!(" {}", exported.instances[&**name])).collect();
        format!("({}{arguments})", atom.predicate)
    };
    let atoms: Vec<String> = goal.atoms.iter().map(phrase).collect();
    let mut seed = 7_u64;
    let mut random = |bound: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % bound
    };
    for _ in 0..states {
        let density = random(101);
        let state: Vec<bool> = atoms.iter().map(|_| random(100) < density).collect();
        let facts = atoms.iter().zip(&state).filter(|(_, holds)| **holds).map(|(atom, _)| atom.clone()).collect();
        let expected = evaluate::conjuncts(&goal, dialect, &state);
        assert_eq!(text.conjuncts(&facts), expected, "{}\n{}\n{facts:?}", exported.domain, exported.problem);
    }
    exported.derived_count
}

fn small(goal: &str) -> String {
    format!(
        "(define (problem small-0) (:domain tiny)
            (:objects a.n.01_1 a.n.01_2 a.n.01_3 a.n.01_4 - a.n.01 b.n.01_1 b.n.01_2 b.n.01_3 - b.n.01)
            (:init) (:goal {goal}))
         (define (domain tiny) (:predicates (fits ?a ?b) (good ?a)))"
    )
}

#[test]
fn all_forms_keep_their_meaning_in_pddl() {
    let forms = [
        "(good a.n.01_1)",
        "(and (not (good a.n.01_1)) (or (good a.n.01_2) (not (or (good a.n.01_3) (good a.n.01_4)))))",
        "(imply (good a.n.01_1) (not (imply (good a.n.01_2) (good a.n.01_3))))",
        "(forall (?x - a.n.01) (exists (?y - b.n.01) (fits ?x ?y)))",
        "(not (forall (?x - a.n.01) (not (exists (?y - b.n.01) (fits ?x ?y)))))",
        "(forn (0) (?x - a.n.01) (good ?x))",
        "(forn (2) (?x - a.n.01) (good ?x))",
        "(forn (4) (?x - a.n.01) (good ?x))",
        "(forn (5) (?x - a.n.01) (good ?x))",
        "(not (forn (0) (?x - a.n.01) (good ?x)))",
        "(not (forn (3) (?x - a.n.01) (good ?x)))",
        "(not (forn (6) (?x - a.n.01) (good ?x)))",
        "(forn (2) (?x - a.n.01) (forn (1) (?y - b.n.01) (fits ?x ?y)))",
        "(not (forn (1) (?x - a.n.01) (not (forn (2) (?y - b.n.01) (and (fits ?x ?y) (good ?x))))))",
        "(forpairs (?x - a.n.01) (?y - b.n.01) (fits ?x ?y))",
        "(not (forpairs (?x - a.n.01) (?y - b.n.01) (and (fits ?x ?y) (good ?x))))",
        "(fornpairs (2) (?x - b.n.01) (?y - a.n.01) (fits ?y ?x))",
        "(not (fornpairs (2) (?x - a.n.01) (?y - a.n.01) (fits ?y ?x)))",
        "(fornpairs (5) (?x - a.n.01) (?y - a.n.01) (fits ?y ?x))",
        "(not (fornpairs (0) (?x - a.n.01) (?y - a.n.01) (fits ?y ?x)))",
        "(forpairs (?x - a.n.01) (?y - a.n.01) (or (fits ?x ?y) (good ?y)))",
        "(forn (1) (?z - a.n.01) (forpairs (?x - a.n.01) (?y - b.n.01) (or (fits ?x ?y) (good ?z))))",
    ];
    for counting in [Counting::Exactly, Counting::AtLeast] {
        for pairing in [Pairing::Covering, Pairing::Matching] {
            let dialect = Dialect { counting, pairing, ..Dialect::STRICT };
            for form in forms {
                check(&problem(&small(form), dialect), dialect, 300);
            }
        }
    }
}

#[test]
fn every_activity_keeps_its_meaning_in_pddl() {
    for (release, dialect) in [(Release::V1_0, Dialect::COMPAT_1_0), (Release::V3_6, Dialect::COMPAT_3_6)] {
        let Some(activities) = common::activities(release) else { return };
        let (mut derived, mut most) = (0, 0);
        for activity in &activities {
            let count = check(&problem(&activity.text, dialect), dialect, 5);
            derived += count;
            most = most.max(count);
        }
        println!("{release:?}: {} activities, {derived} derived predicates, at most {most}", activities.len());
    }
}

#[test]
fn exported_names_are_valid_in_pddl() {
    let text = "(define (problem bake-a-pie_0) (:domain igibson)
        (:objects agent.n.01_1 - agent.n.01 jack-o'-lantern.n.01_1 jack-o.-lantern.n.01_1 - jack-o'-lantern.n.01
            3d.n.01_1 and - pie.n.01)
        (:init (onfloor agent.n.01_1 3d.n.01_1) (inroom 3d.n.01_1 kitchen) (inside and 3d.n.01_1) (open and)
            (not (open and)))
        (:goal (or (open and) (inside jack-o'-lantern.n.01_1 3d.n.01_1))))";
    let dialect = Dialect::STRICT;
    let problem = problem(text, dialect);
    let exported = pddl(&problem, None, dialect, ExportOptions::default(), None).unwrap();
    let names: Vec<&str> = exported.instances.values().map(|name| &**name).collect();
    assert_eq!(names, ["jack-o_-lantern_n_01_1", "jack-o_-lantern_n_01_1_2", "x_3d_n_01_1", "x_and"]);
    // The agent and the rooms are omitted, and the last of two literals with the same atom applies.
    assert_eq!(Pddl::new(&exported).init, BTreeSet::from(["(inside x_and x_3d_n_01_1)".to_owned()]));
    assert!(exported.domain.starts_with("(define (domain bake-a-pie_0)\n"), "{}", exported.domain);
    assert!(!exported.domain.contains("inroom") && !exported.domain.contains("agent"), "{}", exported.domain);
    let whole = pddl(&problem, None, dialect, ExportOptions { rooms: true, agent: true }, None).unwrap();
    let init = Pddl::new(&whole).init;
    let expected = ["(onfloor agent_n_01_1 x_3d_n_01_1)", "(inroom x_3d_n_01_1 kitchen)", "(inside x_and x_3d_n_01_1)"];
    assert_eq!(init, expected.map(str::to_owned).into());
    assert_eq!(pddl(&problem, None, dialect, ExportOptions { rooms: true, agent: true }, None).unwrap(), whole);
}

#[test]
fn counts_and_pairs_grow_slowly_and_matchings_have_a_limit() {
    let goal = |count: usize, goal: &str| {
        let objects: String = (1..=count).map(|number| format!("a.n.01_{number} ")).collect();
        let text = format!(
            "(define (problem p) (:domain tiny) (:objects {objects}- a.n.01 {} - b.n.01) (:init) (:goal {goal}))
             (define (domain tiny) (:predicates (fits ?a ?b) (good ?a)))",
            objects.replace("a.n", "b.n")
        );
        problem(&text, Dialect::STRICT)
    };
    let counted = |count| {
        let problem = goal(count, "(forn (10) (?x - a.n.01) (good ?x))");
        pddl(&problem, None, Dialect::STRICT, ExportOptions::default(), None).unwrap().derived_count
    };
    // At most two predicates for each count and object, for both bounds.
    assert!(counted(20) <= 4 * 20 * 11 && counted(40) <= 80 * 11 + 80 * 31, "{} {}", counted(20), counted(40));
    let pairs = "(forpairs (?x - a.n.01) (?y - b.n.01) (fits ?x ?y))";
    let documented = Dialect::STRICT.with_documented_quantifiers();
    let export = |count| pddl(&goal(count, pairs), None, documented, ExportOptions::default(), None);
    assert!(export(6).is_ok());
    assert_eq!(export(MAX_MATCHING_SIDE + 1), Err(ExportError::TooManyPairs(MAX_MATCHING_SIDE + 1)));
    // Each comparator of the sorting network takes two predicates.
    const { assert!(MAX_DERIVED < 9000 * 14 * 14 / 4) };
    let hostile = goal(9000, "(forn (4500) (?x - a.n.01) (good ?x))");
    assert_eq!(pddl(&hostile, None, Dialect::STRICT, ExportOptions::default(), None), Err(ExportError::TooLarge));
    let covering = pddl(&goal(30, pairs), None, Dialect::STRICT, ExportOptions::default(), None).unwrap();
    assert_eq!(covering.derived_count, 60);
}

/// With actions, the text states the abilities of objects, their admissible placements, and the initial state.
#[test]
fn actions_respect_the_abilities_of_objects() {
    let node = |name: &str, abilities: &str| format!(r#"{{"name": "{name}", "abilities": {{{abilities}}}}}"#);
    let nodes = [
        node("floor.n.01", ""),
        node("table.n.02", ""),
        node("agent.n.01", ""),
        node("apple.n.01", r#""cookable": {}, "sliceable": {}"#),
        node("cupboard.n.01", r#""openable": {}"#),
        node("oven.n.01", r#""openable": {}, "toggleable": {}, "heatSource": {}"#),
        node("rag.n.01", r#""soakable": {}, "cleaningTool": {}"#),
    ];
    let tree = format!(r#"{{"name": "entity.n.01", "children": [{}]}}"#, nodes.join(", "));
    let knowledge =
        Knowledge::from_texts(&[("hierarchy_owned.json".into(), tree)].into()).expect("the knowledge base is complete");
    let text = "(define (problem tidy_0) (:domain igibson)
        (:objects agent.n.01_1 - agent.n.01 floor.n.01_1 - floor.n.01 table.n.02_1 - table.n.02 rag.n.01_1 - rag.n.01
            apple.n.01_1 - apple.n.01 cupboard.n.01_1 - cupboard.n.01 oven.n.01_1 - oven.n.01)
        (:init (onfloor agent.n.01_1 floor.n.01_1) (inroom floor.n.01_1 kitchen) (inroom table.n.02_1 kitchen)
            (inroom cupboard.n.01_1 kitchen) (inroom oven.n.01_1 kitchen) (inside apple.n.01_1 cupboard.n.01_1)
            (onfloor rag.n.01_1 floor.n.01_1) (open oven.n.01_1) (dusty table.n.02_1))
        (:goal (and (cooked apple.n.01_1) (not (dusty table.n.02_1)) (nextto rag.n.01_1 table.n.02_1))))";
    let dialect = Dialect::STRICT;
    let problem = problem(text, dialect);
    let exported = pddl(&problem, None, dialect, ExportOptions::default(), Some(&knowledge)).unwrap();
    let facts = "(inside apple_n_01_1 cupboard_n_01_1) (onfloor rag_n_01_1 floor_n_01_1) (open oven_n_01_1)
        (dusty table_n_02_1) (hand-empty) (at floor_n_01_1) (ground floor_n_01_1)
        (cooks oven_n_01_1 apple_n_01_1) (openable cupboard_n_01_1) (openable oven_n_01_1)
        (toggleable oven_n_01_1) (heat-source oven_n_01_1) (soakable rag_n_01_1) (cleaning-tool rag_n_01_1)
        (movable apple_n_01_1) (movable rag_n_01_1) (exposed rag_n_01_1)
        (open-air floor_n_01_1) (open-air table_n_02_1) (open-air rag_n_01_1) (open-air cupboard_n_01_1)
        (open-air oven_n_01_1) (container cupboard_n_01_1) (container oven_n_01_1)
        (arranged rag_n_01_1) (arranged table_n_02_1) (arranged floor_n_01_1)
        (has-beside table_n_02_1) (base floor_n_01_1) (base table_n_02_1) (base cupboard_n_01_1) (base oven_n_01_1)
        (in-room-of floor_n_01_1 floor_n_01_1) (in-room-of table_n_02_1 floor_n_01_1)
        (in-room-of cupboard_n_01_1 floor_n_01_1) (in-room-of oven_n_01_1 floor_n_01_1)
        (accessible floor_n_01_1) (accessible table_n_02_1) (accessible rag_n_01_1) (accessible apple_n_01_1)
        (accessible oven_n_01_1)
        (running floor_n_01_1) (running table_n_02_1) (running rag_n_01_1) (running apple_n_01_1)
        (running cupboard_n_01_1)
        (goes-inside apple_n_01_1 cupboard_n_01_1) (goes-inside apple_n_01_1 oven_n_01_1)
        (goes-ontop apple_n_01_1 oven_n_01_1) (goes-nextto rag_n_01_1 table_n_02_1)";
    let expected: BTreeSet<String> =
        facts.split_inclusive(')').map(|fact| fact.trim().to_owned()).filter(|fact| !fact.is_empty()).collect();
    assert_eq!(Pddl::new(&exported).init, expected);
    // Every predicate of an action is declared.
    let domain =
        Form::read(sexp::parse(&goalspec_testing::texts::source("d", &exported.domain)).roots().next().unwrap());
    let actions: Vec<&Form> = domain.parts().iter().filter(|part| part.text().starts_with("(:action")).collect();
    assert_eq!(actions.len(), 14);
    let section = domain.parts().iter().find(|part| part.text().starts_with("(:predicates")).unwrap();
    let declared: BTreeSet<String> = section.parts()[1..].iter().map(|form| form.parts()[0].text()).collect();
    let text: String = actions.iter().map(|action| action.text()).collect();
    let words = text.split('(').filter_map(|piece| piece.split([' ', ')']).next()).filter(|word| !word.is_empty());
    let operators = ["and", "or", "not", "forall", "exists", "when", ":action"];
    for word in words.filter(|word| !operators.contains(word) && !word.starts_with('?')) {
        assert!(declared.contains(word), "`{word}` is not declared");
    }
}

/// Generates declarations and initial literals for the given number of objects.
type Growing<'g> = &'g dyn Fn(usize) -> (String, String);

/// The facts that an action model adds grow linearly with the activity, not with the number of pairs of objects.
#[test]
fn models_grow_as_activities_do() {
    let each = |count: usize, item: &dyn Fn(usize) -> String| (1..=count).map(item).collect::<String>();
    let rooms = |count: usize| {
        let init = each(count, &|n| format!("(inroom shelf.n.01_{n} hall) (ontop box.n.01_{n} floor.n.01_1)"));
        (init, each(count, &|n| format!("(nextto ?box.n.01_{n} ?shelf.n.01_{n})")))
    };
    let chain = |count: usize| {
        let around = |n: usize| format!("(inside box.n.01_{n} box.n.01_{})", n + 1);
        let init = each(count - 1, &around) + &each(count, &|n| format!("(inside plate.n.04_1 box.n.01_{n})"));
        (init, "(ontop ?plate.n.04_1 ?table.n.02_1)".to_owned())
    };
    let inside = |count: usize| {
        let init = each(count, &|n| format!("(ontop box.n.01_{n} floor.n.01_1)"));
        (init, each(count - 1, &|n| format!("(inside ?box.n.01_{n} ?box.n.01_{})", n + 1)))
    };
    let kinds: [(&str, Growing<'_>); 3] = [("rooms", &rooms), ("chain", &chain), ("inside", &inside)];
    for (name, kind) in kinds {
        let size = |count: usize| {
            let (init, goal) = kind(count);
            let names = each(count, &|n| format!("box.n.01_{n} "));
            let shelves = each(count, &|n| format!("shelf.n.01_{n} "));
            let text = format!(
                "(define (problem p) (:domain omnigibson) (:objects {names}- box.n.01 {shelves}- shelf.n.01
                    plate.n.04_1 - plate.n.04 floor.n.01_1 - floor.n.01 table.n.02_1 - table.n.02)
                    (:init (inroom floor.n.01_1 hall) (inroom table.n.02_1 hall) {init}) (:goal (and {goal})))"
            );
            let (problem, choices) = (problem(&text, Dialect::STRICT), ExportOptions::default());
            let exported =
                pddl_with_actions(&problem, None, Dialect::STRICT, choices, None, PlacementScope::Named).unwrap();
            exported.problem.matches('\n').count()
        };
        let sizes = [40, 80, 160].map(size);
        assert!(sizes.windows(2).all(|pair| pair[1] * 10 <= pair[0] * 22), "{name}: {sizes:?}");
    }
}

/// Returns an activity with `count` cups, `wanted` of which must be clean.
fn cups(count: usize, required: usize) -> Problem {
    let names: String = (1..=count).map(|number| format!("cup.n.01_{number} ")).collect();
    let text = format!(
        "(define (problem p) (:domain omnigibson) (:objects {names}- cup.n.01) (:init (open cup.n.01_1))
            (:goal (and (forn ({required}) (?cup.n.01 - cup.n.01) (not (open ?cup.n.01))))))"
    );
    problem(&text, Dialect::STRICT)
}

/// Returns the nesting depth of lists.
fn depth(text: &str) -> usize {
    let deeper = |(depth, most): (usize, usize), byte: u8| match byte {
        b'(' => (depth + 1, most.max(depth + 1)),
        b')' => (depth - 1, most),
        _ => (depth, most),
    };
    text.bytes().fold((0, 0), deeper).1
}

/// The size of counts grows little faster than the number of operands, for any N, and formulas do not nest.
#[test]
fn counts_are_flat_and_small() {
    for part in [1, 2, 3, 10] {
        for dialect in [Dialect::STRICT, Dialect::STRICT.with_documented_quantifiers()] {
            let size = |count: usize| {
                let exported = pddl(&cups(count, count / part), None, dialect, ExportOptions::default(), None).unwrap();
                assert!(depth(&exported.domain) <= 6, "{}", exported.domain);
                assert!(depth(&exported.problem) <= 6, "{}", exported.problem);
                exported.domain.len() + exported.problem.len()
            };
            let sizes: Vec<usize> = [128, 256, 512, 1024].into_iter().map(size).collect();
            let slow = sizes.windows(2).all(|pair| pair[1] * 10 < pair[0] * 29);
            assert!(slow, "one of {part}: {sizes:?}");
        }
    }
    for (count, required) in [(24, 12), (24, 23), (24, 2), (33, 11), (7, 0)] {
        for dialect in [Dialect::STRICT, Dialect::STRICT.with_documented_quantifiers()] {
            check(&cups(count, required), dialect, 100);
        }
    }
}

/// Nested conjunctions of the maximum depth are flattened.
#[test]
fn nested_conjunctions_are_flat() {
    let levels = goalspec_syntax::limits::MAX_DEPTH - 8;
    let (before, after) = ("(and (open ?a_1) ".repeat(levels), ")".repeat(levels));
    let text = format!(
        "(define (problem p) (:domain omnigibson) (:objects a_1 - a) (:init (open a_1)) (:goal {before}(hot ?a_1){after}))"
    );
    let exported =
        pddl(&problem(&text, Dialect::STRICT), None, Dialect::STRICT, ExportOptions::default(), None).unwrap();
    assert!(depth(&exported.problem) <= 6, "{}", exported.problem);
}
