//! Descriptions of activities in English, by the releases and by goalspec.

use goalspec_bddl::describe::{self, release};
use goalspec_bddl::dialect::Release;
use goalspec_bddl::parse::release::{ProblemRequest, read_problem};
use goalspec_bddl::{Dialect, parse};
use serde_json::json;

use crate::common;

#[test]
fn releases_reproduce_the_recorded_results() {
    for (release, domain) in [(Release::V1_0, "igibson"), (Release::V3_6, "omnigibson")] {
        let (Some(rows), Some(activities)) = (common::rows("nl", release), common::activities(release)) else { return };
        for row in &rows {
            let name = row["a"].as_str().expect("a name");
            let activity =
                activities.iter().find(|activity| activity.name == name).expect("an activity of the release");
            let source = goalspec_testing::texts::source(name, &activity.text);
            let text = release::description(&source, release, &ProblemRequest::new(name, domain)).expect(name);
            assert_eq!(
                (json!(text.init.sentences), json!(text.goal.sentences)),
                (row["init"].clone(), row["goal"].clone()),
                "{name}"
            );
        }
        assert!(rows.len() >= 100);
    }
}

#[test]
fn releases_have_their_faults() {
    let text = |goal: &str, release| {
        let text = format!("(define (:goal (and {goal})))");
        let source = goalspec_testing::texts::source("case", &text);
        let problem = read_problem(&source, &ProblemRequest::new("p", "d")).expect("it is read");
        release::sentences(&problem.goal, release).map_err(|exception| exception.to_string())
    };
    let nested = "(exists (?a - a) (and (open ?a) (cooked ?a)))";
    let sentence = "for at least one a,\n        the a is open, and\n        the a is cooked";
    let old = text(nested, Release::V1_0).expect("the condition is described");
    let printed_lines: Vec<&str> = old.printed_lines.iter().map(|line| line.text.as_str()).collect();
    assert_eq!((&*old.sentences, &*printed_lines), (&[sentence.to_owned()][..], &["indent from and: 1"][..]));
    let new = text(nested, Release::V3_6).expect("the condition is described");
    assert_eq!((&*new.sentences, new.printed_lines.len()), (&[sentence.to_owned()][..], 0));
    let tail = text("(stained ?scrub_brush.n.01)", Release::V3_6).expect("the condition is described");
    assert_eq!(tail.sentences, ["scrub_brushbrush.n.01 is stained"]);
    assert_eq!(text("a", Release::V3_6), Err("ValueError: ('encountered non-list:', 'a')".to_owned()));
    assert_eq!(text("(not (p a b c))", Release::V3_6), Err("IndexError: list index out of range".to_owned()));
    assert_eq!(text("(p a b c)", Release::V3_6).expect("nothing is reported").sentences, [""]);
}

#[test]
fn printed_lines_survive_a_failure() {
    let described = |goal: &str| {
        let text =
            format!("(define (problem p) (:domain d) (:init (and (exists (?a - a) (open ?a)))) (:goal {goal}) \\ )");
        let source = goalspec_testing::texts::source("case", &text);
        release::description(&source, Release::V1_0, &ProblemRequest::new("p", "d"))
    };
    let error = described("(not (p a b c))").map(|_| ()).expect_err("there is no sentence for it");
    let printed_lines: Vec<&str> = error.printed_lines.iter().map(|line| line.text.as_str()).collect();
    assert_eq!(printed_lines, ["\\ is not recognized in problem", "indent from and: 0"]);
    let description = described("(open a)").expect("it is described");
    assert_eq!((description.printed_lines.len(), description.init.printed_lines.len()), (1, 1));
}

/// Returns goalspec's description of a goal over two socks, three shoes, a box and some water.
fn said(goal: &str, dialect: Dialect) -> String {
    let text = format!(
        "(define (problem p) (:domain omnigibson) (:objects sock.n.01_1 sock.n.01_2 - sock.n.01 knife.n.01_1 knife.n.01_2 \
         knife.n.01_3 - knife.n.01 box.n.01_1 - box.n.01 water.n.06_1 - water.n.06) (:init) (:goal (and {goal})))"
    );
    let parsed = parse::parse(&goalspec_testing::texts::source("case", &text), dialect);
    assert!(parsed.diagnostics.iter().all(|found| !found.is_error()), "{goal}: {:?}", parsed.diagnostics);
    parsed.problems[0].goal.iter().map(|part| describe::condition(part, &parsed.problems[0], dialect)).collect()
}

#[test]
fn conditions_are_described_in_plain_english() {
    let cases = [
        ("(cooked ?box.n.01_1)", "- the box is cooked\n"),
        ("(not (open ?sock.n.01_2))", "- sock 2 is not open\n"),
        ("(covered ?box.n.01_1 ?water.n.06_1)", "- the box is covered with water\n"),
        ("(not (contains ?box.n.01_1 ?water.n.06_1))", "- the box does not contain water\n"),
        ("(forall (?sock.n.01 - sock.n.01) (folded ?sock.n.01))", "- every sock is folded\n"),
        ("(forall (?sock.n.01 - sock.n.01) (not (folded ?sock.n.01)))", "- no sock is folded\n"),
        ("(exists (?x - knife.n.01) (ontop ?x ?box.n.01_1))", "- at least one knife is on top of the box\n"),
        ("(not (exists (?x - knife.n.01) (ontop ?x ?box.n.01_1)))", "- no knife is on top of the box\n"),
        ("(not (forall (?x - knife.n.01) (hot ?x)))", "- not every knife is hot\n"),
        ("(forn (2) (?x - knife.n.01) (inside ?x ?box.n.01_1))", "- exactly 2 knives are inside the box\n"),
        ("(forn (1) (?x - knife.n.01) (not (hot ?x)))", "- exactly 1 knife is not hot\n"),
        ("(imply (open ?box.n.01_1) (hot ?box.n.01_1))", "- if the box is open, then the box is hot\n"),
        // A variable that is named after its category is not described by the same noun twice.
        (
            "(forall (?sock.n.01 - sock.n.01) (forall (?sock.n.01 - sock.n.01) (not (folded ?sock.n.01))))",
            "- for every sock:\n  - no sock is folded\n",
        ),
        (
            "(forall (?sock.n.01 - sock.n.01) (exists (?other - sock.n.01) (nextto ?sock.n.01 ?other)))",
            "- for every sock:\n  - for at least one sock other:\n    - the sock is next to sock other\n",
        ),
        ("(or (open ?box.n.01_1) (hot ?box.n.01_1))", "- at least one of:\n  - the box is open\n  - the box is hot\n"),
        (
            "(forall (?x - sock.n.01) (exists (?y - sock.n.01) (nextto ?x ?y)))",
            "- for every sock x:\n  - for at least one sock y:\n    - sock x is next to sock y\n",
        ),
        (
            "(forpairs (?sock.n.01 - sock.n.01) (?knife.n.01 - knife.n.01) (touching ?sock.n.01 ?knife.n.01))",
            "- for each of at least 2 of the socks at least one of the knives, and for each of at least 2 of the knives at \
             least one of the socks:\n  - the sock is touching the knife\n",
        ),
    ];
    let mut wrong = Vec::new();
    for (goal, expected) in cases {
        let found = said(goal, Dialect::STRICT);
        if found != expected {
            wrong.push(format!("{goal}\nexpected:\n{expected}found:\n{found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let documented = Dialect::STRICT.with_documented_quantifiers();
    assert_eq!(
        said("(forn (2) (?x - knife.n.01) (inside ?x ?box.n.01_1))", documented),
        "- at least 2 knives are inside the box\n"
    );
    let pairs = "(fornpairs (1) (?sock.n.01 - sock.n.01) (?knife.n.01 - knife.n.01) (touching ?sock.n.01 ?knife.n.01))";
    assert_eq!(
        said(pairs, documented),
        "- for at least 1 disjoint pair of a sock and a knife:\n  - the sock is touching the knife\n"
    );
}

#[test]
fn every_published_activity_has_words() {
    for release in [Release::V1_0, Release::V3_6] {
        for activity in common::activities(release).unwrap_or_default() {
            let parsed =
                parse::parse(&goalspec_testing::texts::source(&activity.name, &activity.text), Dialect::STRICT);
            let text = describe::text(&parsed.problems[0], Dialect::STRICT);
            let sense = |word: &str| word.contains(".n.") || word.contains("__");
            let unexpected: Vec<&str> =
                text.split_whitespace().filter(|word| sense(word) || word.contains('?')).collect();
            assert!(unexpected.is_empty(), "{}: {unexpected:?}\n{text}", activity.name);
        }
    }
}

#[test]
fn domains_have_words() {
    let text = "(define (domain d) (:types cup plate - dish dish) (:predicates (wet ?a ?b - dish) (open ?a))
        (:action soak :parameters (?a ?b - dish ?c) :precondition (and (wet ?a ?b) (not (open ?c)))
            :effect (and (open ?c) (forall (?x - cup) (when (wet ?x ?a) (not (wet ?x ?b))))))
        (:action wait :parameters () :effect ()))";
    let parsed = parse::parse(&goalspec_testing::texts::source("domain", text), Dialect::STRICT);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    let expected = "the domain d

Types:
- cup and plate: subtypes of dish
- dish

Predicates:
- (wet ?a ?b - dish)
- (open ?a)

Actions:
- (soak ?a ?b - dish ?c)
  - precondition:
    - ?a is wet ?b
    - ?c is not open
  - effect:
    - ?c is open
    - for every cup:
      - if the cup is wet ?a, then the cup is not wet ?b
- (wait)
";
    assert_eq!(describe::domain(&parsed.domains[0], Dialect::STRICT), expected);
}
