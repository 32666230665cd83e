//! Edge cases of goals, compared with recordings of the releases. Skipped if the conformance data does not exist.

use goalspec_bddl::dialect::Release;
use goalspec_bddl::evaluate::{self, ReleaseEvaluationError};
use goalspec_bddl::exception::Exception;
use goalspec_bddl::ground::{GroundError, GroundErrorKind, GroundGoal};
use goalspec_bddl::options::product::{self, EmptyFactorError};
use goalspec_bddl::options::release::{of_conjuncts, of_goal};
use goalspec_bddl::options::{OptionCount, OptionSolver, ReleaseOptions};
use goalspec_bddl::progress::{Fraction, challenge_score, progress};
use serde_json::{Value, json};

use crate::lists;

use crate::common;

const RELEASES: [(&str, Release); 2] = [("1.0.0", Release::V1_0), ("3.6.0", Release::V3_6)];

/// Returns the recorded line with the given prefix, converted from Python's notation to JSON.
fn recorded(version: &str, key: &str) -> Option<Value> {
    let text = std::fs::read_to_string(common::conformance()?.join(format!("quirks-{version}.txt"))).unwrap();
    let start = format!("- {key}: ");
    let line = text.lines().find_map(|line| line.strip_prefix(&start)).unwrap_or_else(|| panic!("no line `{key}`"));
    if let Some(error) = line.strip_prefix("!! ") {
        return Some(json!(error.split("   [stdout").next().unwrap()));
    }
    let mut line = line.split("   [stdout").next().unwrap().to_owned();
    for (python, json) in [
        ("np.", ""),
        ("False_", "False"),
        ("(", "["),
        (")", "]"),
        (",]", "]"),
        ("'", "\""),
        ("True", "true"),
        ("False", "false"),
        ("None", "null"),
    ] {
        line = line.replace(python, json);
    }
    Some(serde_json::from_str(&line).unwrap_or_else(|error| panic!("{key}: {error} in {line}")))
}

/// Grounds a goal over `a_1 ..`, `b_1 ..` and so on, with the given number of instances of each category.
fn ground(objects: &[(&str, usize)], goal: &Value) -> Result<GroundGoal, GroundError> {
    let names = |&(category, count): &(&str, usize)| {
        (category.to_owned(), (1..=count).map(|n| json!(format!("{category}_{n}"))).collect::<Value>())
    };
    let objects: serde_json::Map<String, Value> = objects.iter().map(names).collect();
    GroundGoal::new(&lists::problem(&json!({"problem": "p", "objects": objects, "init": [], "goal": goal})))
}

/// Returns the number of options and the options, or the exception.
fn listed(objects: &[(&str, usize)], goal: &Value, release: Release) -> Value {
    let goal = ground(objects, goal).unwrap();
    match of_goal(&goal, release) {
        Ok(options) => {
            json!([options.len(), serde_json::from_str::<Value>(&lists::json(&goal, &options)).unwrap()])
        }
        Err(error) => json!(error.exception().expect("the release raises an exception").to_string()),
    }
}

/// Creates a quantified goal `(QUANTIFIER (AMOUNT)? (?x - a) (?y - b)? BODY)`.
fn over(quantifier: &str, amount: Option<u32>, categories: &[&str], body: &Value) -> Value {
    let mut parts = vec![json!(quantifier)];
    parts.extend(amount.map(|amount| json!([amount.to_string()])));
    parts.extend(categories.iter().zip(["?x", "?y"]).map(|(category, variable)| json!([variable, "-", category])));
    parts.push(body.clone());
    Value::Array(parts)
}

#[test]
fn options_at_the_edges() {
    let open = json!(["open", "?x"]);
    let on = json!(["ontop", "?x", "?y"]);
    let pairs = |amount: Option<u32>| {
        let name = if amount.is_some() { "fornpairs" } else { "forpairs" };
        json!([over(name, amount, &["a", "b"], &on)])
    };
    let forn = |amount| json!([over("forn", Some(amount), &["a"], &open)]);
    let a = |n: usize| json!(["open", format!("a_{n}")]);
    let cooked = json!(["cooked", "a_1"]);
    let cases = [
        ("forn ground (2 of 3)", 3, 0, forn(2)),
        ("forn 0 ground", 3, 0, forn(0)),
        ("forn > count ground", 3, 0, forn(4)),
        ("forpairs 2x2 ground", 2, 2, pairs(None)),
        ("forpairs 2x3 ground", 2, 3, pairs(None)),
        ("fornpairs (2) 2x2 ground", 2, 2, pairs(Some(2))),
        ("fornpairs (1) 2x2 ground", 2, 2, pairs(Some(1))),
        ("fornpairs (3) 2x2 ground", 2, 2, pairs(Some(3))),
        ("imply ground", 2, 0, json!([["imply", ["and", a(1), cooked], a(2)]])),
        ("contradiction removed", 2, 0, json!([["or", a(1), a(2)], ["not", a(1)]])),
        ("unsatisfiable", 2, 0, json!([a(1), ["not", a(1)]])),
        (
            "double negation contradiction not seen? (and p (not (not (not p))))",
            1,
            0,
            json!([a(1), ["not", ["not", ["not", a(1)]]]]),
        ),
    ];
    for (version, release) in RELEASES {
        for (key, a, b, goal) in &cases {
            let Some(recorded) = recorded(version, key) else { return };
            assert_eq!(listed(&[("a", *a), ("b", *b)], goal, release), recorded, "{version}: {key}");
        }
        let key = "not and / not or / not not ground";
        let negations =
            [json!(["not", ["and", a(1), a(2)]]), json!(["not", ["or", a(1), a(2)]]), json!(["not", ["not", a(1)]])];
        let lists: Vec<Value> =
            negations.iter().map(|goal| json!([listed(&[("a", 2)], &json!([goal]), release)[1]])).collect();
        assert_eq!(json!(lists), recorded(version, key).unwrap(), "{version}: {key}");
    }
}

#[test]
fn sizes_of_lists() {
    let atom = |predicate: &str, n: usize| json!([predicate, format!("a_{n}")]);
    let any = |predicate: &str, count: usize| {
        let parts: Vec<Value> = std::iter::once(json!("or")).chain((1..=count).map(|n| atom(predicate, n))).collect();
        Value::Array(parts)
    };
    let on = json!(["ontop", "?x", "?y"]);
    let nested = json!(["forall", ["?x", "-", "a"], ["exists", ["?y", "-", "b"], on]]);
    let cases = [
        ("forpairs 4x4 ground count", json!([over("forpairs", None, &["a", "b"], &on)])),
        ("or of 25 ground count", json!([any("open", 25)])),
        ("forall-exists 4x4 ground count", json!([nested])),
        ("and of 3 ors of 4 ground count", json!([["and", any("open", 4), any("cooked", 4), any("hot", 4)]])),
    ];
    for (version, release) in RELEASES {
        for (key, goal) in &cases {
            let Some(recorded) = recorded(version, key) else { return };
            let count = if key.starts_with("or of") { 25 } else { 4 };
            let goal = ground(&[("a", count), ("b", 4)], goal).unwrap();
            assert_eq!(json!(of_conjuncts(&goal, release).unwrap()[0].len()), recorded, "{version}: {key}");
        }
    }
}

/// The recorded line, the number of instances of each category, the required number of pairs, and the pairs that hold.
type PairsCase = (&'static str, (usize, usize), Option<u32>, &'static [[usize; 2]]);

#[test]
fn evaluation_at_the_edges() {
    let open = json!(["open", "?x"]);
    let on = json!(["ontop", "?x", "?y"]);
    let verdicts = |goal: &GroundGoal, state: &[bool]| {
        let verdicts = evaluate::release_conjuncts(goal, |atom| Some(evaluate::is_true(state, atom))).unwrap();
        let places = |wanted: bool| (0..verdicts.len()).filter(|&place| verdicts[place] == wanted).collect::<Vec<_>>();
        json!([verdicts.iter().all(|holds| *holds), {"satisfied": places(true), "unsatisfied": places(false)}])
    };
    let on_pairs = |objects: &[(&str, usize)], quantifier: &str, amount: Option<u32>, truths: &[[usize; 2]]| {
        let goal = ground(objects, &json!([over(quantifier, amount, &["a", "b"], &on)])).unwrap();
        let holds = |atom| truths.iter().any(|[a, b]| lists::phrase(atom) == format!("ontop a_{a} b_{b}"));
        verdicts(&goal, &goal.atoms.iter().map(holds).collect::<Vec<_>>())
    };
    for (version, _) in RELEASES {
        let Some(exactly) = recorded(version, "forn exactly") else { return };
        let goal = ground(&[("a", 3)], &json!([over("forn", Some(2), &["a"], &open)])).unwrap();
        let counts: Vec<Value> = (0..4).map(|count| verdicts(&goal, &[count > 0, count > 1, count > 2])).collect();
        assert_eq!(json!(counts), exactly);

        let cases: [PairsCase; 5] = [
            (
                "forpairs no perfect matching (r1,r2->c1; r3->c2,c3) evaluates",
                (3, 3),
                None,
                &[[1, 1], [2, 1], [3, 2], [3, 3]],
            ),
            ("forpairs 2x3 one column", (2, 3), None, &[[1, 1], [2, 1]]),
            ("fornpairs (1) 2x2 eval", (2, 2), Some(1), &[[1, 1]]),
            ("fornpairs (2) 3x3, all in one col", (3, 3), Some(2), &[[1, 1], [2, 1], [3, 1]]),
            (
                "fornpairs (2) 3x3, r1->c1,c2; r2->c1 (no 2-matching? there is)",
                (3, 3),
                Some(2),
                &[[1, 1], [1, 2], [2, 1]],
            ),
        ];
        for (key, (a, b), amount, truths) in cases {
            let quantifier = if amount.is_some() { "fornpairs" } else { "forpairs" };
            let verdict = on_pairs(&[("a", a), ("b", b)], quantifier, amount, truths);
            assert_eq!(verdict, recorded(version, key).unwrap(), "{version}: {key}");
        }
    }
}

#[test]
fn objects_missing_from_the_simulator() {
    let unmapped = |goal: Value| evaluate::release_conjuncts(&ground(&[("a", 2)], &goal).unwrap(), |_| None);
    let on = json!(["ontop", "a_1", "a_2"]);
    for (version, _) in RELEASES {
        let Some(unary) = recorded(version, "unmapped unary") else { return };
        assert_eq!(json!(unmapped(json!([["open", "a_1"]])).unwrap()), json!([unary[0][0]]));
        let binary = recorded(version, "unmapped binary top level").unwrap();
        assert_eq!(json!(unmapped(json!([on])).unwrap()), json!([binary[0][0]]));
        let nested = unmapped(json!([["not", on]])).unwrap_err();
        assert_eq!(nested, ReleaseEvaluationError::MissingObject);
        assert_eq!(json!(Exception::from(nested).to_string()), recorded(version, "unmapped binary nested").unwrap());
    }
}

#[test]
fn options_without_literals_are_whole() {
    let goal = ground(&[("a", 2)], &json!([over("forn", Some(0), &["a"], &json!(["open", "?x"]))])).unwrap();
    for (_, release) in RELEASES {
        let options = ReleaseOptions::of(&goal, release).unwrap();
        assert_eq!(options.list().unwrap().collect::<Vec<_>>(), [[]]);
        assert_eq!(options.count(), OptionCount::Exactly(1));
        assert_eq!(progress(&options, &[true, true]), Fraction::ONE);
        assert_eq!(challenge_score(&options, &[true, true], &[true, true]), Some(Fraction::ONE));
    }
}

#[test]
fn unknown_names() {
    let unknown = ground(&[("a", 1)], &json!([["ontop", "a_1", "b_1"]])).unwrap_err();
    assert_eq!(unknown.kind, GroundErrorKind::UnknownObject("b_1".into()));
    let unknown = ground(&[("a", 1)], &json!([over("forall", None, &["b"], &json!(["open", "?x"]))])).unwrap_err();
    assert_eq!(unknown.kind, GroundErrorKind::UnknownCategory("b".into()));
}

#[test]
fn truncated_products_and_arrangements() {
    let product = |sizes: &[usize]| {
        let mut selections = Vec::new();
        let record = |places: &[usize]| {
            selections.push(places.to_vec());
            Ok(())
        };
        match product::truncated(sizes, record) {
            Ok(()) => json!(selections),
            Err(EmptyFactorError) => json!("IndexError: list index out of range"),
        }
    };
    for (version, _) in RELEASES {
        let cases: [(&str, &[usize]); 8] = [
            ("product([0..2],[0..2],[0..2])", &[3, 3, 3]),
            ("product([0],[0..9])", &[1, 10]),
            ("product([0,1],[0..9]) (budget lost to out-of-range attempts)", &[2, 10]),
            ("product([0..30])", &[31]),
            ("product()", &[]),
            ("product([],[1])", &[0, 1]),
            ("product([],[1,2,3])", &[0, 3]),
            ("product([0,1] x6)", &[2; 6]),
        ];
        for (key, sizes) in cases {
            let Some(recorded) = recorded(version, key) else { return };
            assert_eq!(product(sizes), recorded, "{version}: {key}");
        }
        assert_eq!(json!(product::permutations(4, 4)), recorded(version, "perms(range(4)) count").unwrap());
        assert_eq!(json!(product::permutations(2, 3)), recorded(version, "perms(range(2),3)").unwrap());
        assert_eq!(json!(product::permutations(0, 0)), recorded(version, "perms(range(0))").unwrap());
    }
}

#[test]
fn full_products_and_choices_are_lexicographic() {
    let mut selections = Vec::new();
    let end = product::full(&[2, 1, 2], |places| -> Result<(), ()> {
        selections.push(places.to_vec());
        Ok(())
    });
    assert_eq!(end, Ok(()));
    assert_eq!(selections, [[0, 0, 0], [0, 0, 1], [1, 0, 0], [1, 0, 1]]);
    let mut selections = Vec::new();
    let end = product::combinations(4, 2, |places| {
        selections.push(places.to_vec());
        if selections.len() == 5 { Err("enough") } else { Ok(()) }
    });
    assert_eq!(end, Err("enough"));
    assert_eq!(selections, [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3]]);
}
