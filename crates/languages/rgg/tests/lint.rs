//! The lints: for each code, a game with the diagnostic and a similar game without it.

use std::path::Path;

use goalspec_rgg::{Dialect, check, codes};
use goalspec_syntax::diagnostic::Code;
use goalspec_syntax::{Severity, Sources};

const DOCUMENTED: Dialect = Dialect::DOCUMENTED;
const CAGE: Dialect = Dialect::CAGE;

const GAME: &str = "\
metadata: {id: demo}
teams: [red, blue]
board: {nodes: [a, b, c], vectors: [{from: a, to: b}, {from: b, to: c}]}
resourceSpace:
  a: {observable: 'set(red, blue)', own: true, gold: int(9), turn: int(0)}
  b: {observable: 'set(red, blue)', own: false}
  c: {observable: 'set(; red, blue)', own: false}
actionSpace:
  red: {take: {target: 'string.enum(b, c)'}, dig: }
  blue: {wait: }
actions:
  take:
    cost: {a.gold: -2, a.turn: 1}
    requires: {a.gold: {Gte: 0}}
    consequences:
      - odds: 0.5
        result: {WithRandomVector: {sourceFilter: {own: true}, targetFilter: {own: false}, result: {_target.own: true}}}
      - odds: 0.25
        independent: true
        result: {MakeNodeVisible: {team: red, targetFilter: {observable: {Not: {Contains: red}}}}}
  dig:
    cost: {a.turn: 1}
    requires: {}
    consequences:
      - result: {Resources: {add: {a.gold: 1}}}
  wait:
    cost: {a.turn: 1}
    requires: {}
rewards:
  red: {Calculate: '{a.gold} * 2'}
  blue: {Calculate: '{a.turn} / 2'}
completed: {Or: [{c.own: true}, {a.turn: {Gte: 20}}]}
metrics: [a.gold]
";

fn findings(text: &str, dialect: Dialect) -> Vec<(Severity, Code, String)> {
    let mut sources = Sources::new();
    let id = sources.add("test", text);
    let checked = check(sources.file(id), dialect, &["MyCustomResultFunction", "CheckCombination"]);
    assert!(checked.game.is_some(), "{:#?}", checked.diagnostics);
    let found = checked.diagnostics.iter().map(|found| {
        let span = found.span.expect("every finding has a place");
        let at = &text[span.start as usize..span.end as usize];
        // A closing brace at the end of the span is not compared.
        (found.severity, found.code, at.trim_end_matches('}').to_owned())
    });
    found.collect()
}

/// Returns the diagnostics of the game after edits; each edit replaces the first occurrence of its text.
fn edited(edits: &[(&str, &str)], dialect: Dialect) -> Vec<(Severity, Code, String)> {
    let mut text = GAME.to_owned();
    for (before, after) in edits {
        assert!(text.contains(before), "{before}");
        text = text.replacen(before, after, 1);
    }
    findings(&text, dialect)
}

#[track_caller]
fn expect(edits: &[(&str, &str)], dialect: Dialect, expected: &[(Severity, Code, &str)]) {
    let expected: Vec<_> =
        expected.iter().map(|&(severity, code, at)| (severity, code, at.trim_end_matches('}').to_owned())).collect();
    assert_eq!(edited(edits, dialect), expected, "{edits:?}");
}

#[track_caller]
fn fine(edits: &[(&str, &str)], dialect: Dialect) {
    expect(edits, dialect, &[]);
}

use Severity::{Note, Warning};

#[test]
fn the_game_itself_is_fine() {
    fine(&[], DOCUMENTED);
    fine(&[], CAGE);
}

#[test]
fn odds() {
    let dependent = ("independent: true", "independent: false");
    let both = [(Warning, codes::UNREACHABLE, "0.25"), (Note, codes::AMBIGUOUS_ODDS, "0.25")];
    expect(&[dependent], DOCUMENTED, &both);
    expect(&[dependent], CAGE, &both[1..]);
    expect(&[("odds: 0.5", "odds: 50")], DOCUMENTED, &[(Warning, codes::ODDS_RANGE, "50")]);
    fine(&[("odds: 0.5", "odds: 1")], DOCUMENTED);
    let discount = |discount| [("odds: 0.5", discount)];
    let negative = discount("odds: 0.5\n        odds.discount: -1");
    expect(&negative, DOCUMENTED, &[(Warning, codes::ODDS_RANGE, "-1")]);
    fine(&discount("odds: 0.5\n        odds.discount: 0.9"), DOCUMENTED);
    let sum = [dependent, ("0.25", "0.75")];
    expect(&sum, CAGE, &[(Note, codes::AMBIGUOUS_ODDS, "0.75"), (Warning, codes::ODDS_RANGE, "0.75")]);
    let certain = ("odds: 0.5", "odds: 1");
    let never_holds = (Warning, codes::NEVER_HOLDS, "c.own: true");
    expect(&[("odds: 0.5", "odds: 0")], DOCUMENTED, &[(Warning, codes::UNREACHABLE, "0"), never_holds]);
    for dialect in [DOCUMENTED, CAGE] {
        expect(&[certain, dependent], dialect, &[(Warning, codes::UNREACHABLE, "0.25")]);
        fine(&[("odds: 0.5", "odds: 1\n        odds.discount: 0.5"), dependent], dialect);
    }
}

#[test]
fn costs_and_requirements() {
    expect(&[("a.gold: -2", "a.gold: 2")], DOCUMENTED, &[(Warning, codes::COST_ADDS, "2")]);
    fine(&[("{a.gold: {Gte: 0}}", "{a.turn: {Lte: 5}}")], DOCUMENTED);
    expect(&[("{Gte: 0}", "{Gte: 2}")], DOCUMENTED, &[(Note, codes::THRESHOLD, "Gte: 2")]);
    fine(&[("{Gte: 0}", "{Gte: 3}")], DOCUMENTED);
    let shrinking = ("add: {a.gold: 1}", "add: {a.gold: -1}");
    let never = "a.gold: {Gte: 8}";
    let never_holds = (Warning, codes::NEVER_HOLDS, "c.own: true");
    expect(&[shrinking, ("{Gte: 0}", "{Gte: 8}")], DOCUMENTED, &[(Warning, codes::UNAFFORDABLE, never), never_holds]);
    fine(&[shrinking, ("{Gte: 0}", "{Gte: 7}")], DOCUMENTED);
}

#[test]
fn tests_that_never_hold() {
    let requires = |test| [("requires: {}", test)];
    let never = (Warning, codes::NEVER_HOLDS, "a.own: false");
    expect(&requires("requires: {a.own: false}"), DOCUMENTED, &[never]);
    fine(&requires("requires: {c.own: true}"), DOCUMENTED);
    expect(&requires("requires: {Or: [{a.own: false}, {b.own: true}]}"), DOCUMENTED, &[never]);
    fine(&requires("requires: {Or: [{a.own: true}, {b.own: true}]}"), DOCUMENTED);
    let reward = |reward_test| [("{Calculate: '{a.turn} / 2'}", reward_test)];
    let case = reward("{Condition: [{when: {a.own: false}, value: {Constant: 1}}]}");
    expect(&case, DOCUMENTED, &[(Warning, codes::NEVER_HOLDS, "false")]);
    fine(&reward("{Condition: [{when: {b.own: true}, value: {Constant: 1}}]}"), DOCUMENTED);
    let source = "{own: true}";
    let never_holds = (Warning, codes::NEVER_HOLDS, "c.own: true");
    let no_owner = ("own: true, gold", "own: false, gold");
    let found = edited(&[no_owner], DOCUMENTED);
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!((found[0].1, source.contains(&found[0].2)), (codes::NO_MATCHING_VECTOR, true), "{found:?}");
    assert_eq!(found[1], (never_holds.0, never_holds.1, never_holds.2.to_owned()));
    fine(&[no_owner, ("sourceFilter: {own: true}", "sourceFilter: {}")], DOCUMENTED);
}

#[test]
fn the_end() {
    let completed = |test| [("completed: {Or: [{c.own: true}, {a.turn: {Gte: 20}}]}", test)];
    let at = (Warning, codes::NEVER_ENDS, "a.turn: {Lt: 0}");
    expect(&completed("completed: {a.turn: {Lt: 0}}"), DOCUMENTED, &[at]);
    fine(&completed("completed: {a.gold: {Lt: 0}}"), DOCUMENTED);
    expect(&completed(""), DOCUMENTED, &[(Note, codes::NEVER_ENDS, "")]);
    let at = (Warning, codes::COMPLETED_AT_START, "a.turn: {Lt: 20}");
    expect(&completed("completed: {a.turn: {Lt: 20}}"), DOCUMENTED, &[at]);
    fine(&completed("completed: {a.turn: {Gt: 20}}"), DOCUMENTED);
}

#[test]
fn rewards_and_metrics() {
    let hidden = [("a: {observable: 'set(red, blue)'", "a: {observable: 'set(red)'")];
    let found = edited(&hidden, CAGE);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].0, found[0].1), (Warning, codes::REWARD_UNSEEN));
    assert!(found[0].2.contains("a.turn"), "{found:?}");
    fine(&hidden, DOCUMENTED);
    fine(&[("b: {observable: 'set(red, blue)'", "b: {observable: 'set(red)'")], CAGE);
    let changed = [("add: {a.gold: 1}", "put: {b.won: 1}"), ("metrics: [a.gold]", "metrics: [b.won]")];
    let codes_of =
        |edits: &[(&str, &str)]| edited(edits, DOCUMENTED).into_iter().map(|found| found.1).collect::<Vec<_>>();
    assert_eq!(codes_of(&changed), [codes::UNDECLARED_RESOURCE]);
    let unchosen = [changed[0], changed[1], (", dig: }", "}")];
    assert_eq!(
        codes_of(&unchosen),
        [codes::UNAVAILABLE_ACTION, codes::UNDECLARED_RESOURCE, codes::METRIC_WITHOUT_VALUE]
    );
}

#[test]
fn arithmetic() {
    let reward = |compute| [("{Calculate: '{a.gold} * 2'}", compute)];
    let divide = "{MathOp: {operator: DIVIDE, fields: [a.gold, a.turn]}}";
    expect(&reward(divide), DOCUMENTED, &[(Note, codes::MIXED_TYPES, divide)]);
    expect(&reward(divide), CAGE, &[(Warning, codes::MIXED_TYPES, divide)]);
    fine(&reward("{MathOp: {operator: ADD, fields: [a.gold, a.turn]}}"), DOCUMENTED);
    let truth = "{MathOp: {operator: ADD, fields: [a.gold, a.own]}}";
    expect(&reward(truth), DOCUMENTED, &[(Warning, codes::MIXED_TYPES, "a.own")]);
    let step = |step| [("add: {a.gold: 1}", step)];
    let found = edited(&step("add: {a.gold: {Field: a.turn, Subtract: 0.5}}"), CAGE);
    assert!(matches!(&found[..], [(Warning, codes::MIXED_TYPES, _)]), "{found:?}");
    fine(&step("add: {a.gold: {Field: a.turn, Subtract: 2}}"), CAGE);
}

#[test]
fn labels_that_are_part_of_others() {
    let found = findings(&GAME.replace("blue", "infrared"), DOCUMENTED);
    assert!(matches!(&found[..], [(Warning, codes::SUBSTRING_LABEL, _)]), "{found:?}");
    assert_eq!(findings(&GAME.replace("blue", "crimson"), DOCUMENTED), []);
}

#[test]
fn unused_declarations_are_reported() {
    expect(&[(", dig: }", "}")], DOCUMENTED, &[(Warning, codes::UNAVAILABLE_ACTION, "dig")]);
    fine(&[(", dig: }", "}"), ("{wait: }", "{wait: , dig: }")], DOCUMENTED);
    expect(&[("{target: ", "{node: ")], DOCUMENTED, &[(Warning, codes::UNUSED_PARAMETER, "node")]);
    fine(&[("{target: ", "{source: ")], DOCUMENTED);
    let color = ("own: false}", "own: false, color: string(x)}");
    expect(&[color], DOCUMENTED, &[(Note, codes::UNUSED_RESOURCE, "color")]);
    fine(&[color, ("[a.gold]", "[a.gold, b.color]")], DOCUMENTED);
}

#[test]
fn parameters() {
    let target = |space| [("'string.enum(b, c)'", space)];
    let space = "'string.enum(b, z, y)'";
    let missing = (Warning, codes::UNKNOWN_ENDPOINT, space);
    expect(&target(space), DOCUMENTED, &[missing, missing]);
    expect(&target("'int.range(1,2)'"), CAGE, &[(Warning, codes::UNKNOWN_ENDPOINT, "'int.range(1,2)'")]);
    expect(&target("string(b)"), DOCUMENTED, &[(Warning, codes::UNSAMPLEABLE_PARAMETER, "string(b)")]);
    let other = |space: &'static str| [("{wait: }", "{wait: {target: S}}"), ("{target: S}", space)];
    let unused = (Warning, codes::UNUSED_PARAMETER, "target");
    expect(&other("{target: 'string.enum(z)'}"), DOCUMENTED, &[unused]);
    expect(
        &other("{target: 'int.range(3,1)'}"),
        DOCUMENTED,
        &[unused, (Warning, codes::UNSAMPLEABLE_PARAMETER, "'int.range(3,1)'")],
    );
    expect(
        &other("{target: 'float.range(1,1)'}"),
        DOCUMENTED,
        &[unused, (Warning, codes::UNSAMPLEABLE_PARAMETER, "'float.range(1,1)'")],
    );
    expect(&other("{target: 'int.range(1,1)'}"), DOCUMENTED, &[unused]);
}

#[test]
fn rewards_that_are_no_numbers() {
    let reward = |compute| [("{Calculate: '{a.gold} * 2'}", compute)];
    for compute in ["{Field: a.own}", "{CalculateBoolean: '{a.own}'}", "{Constant: much}"] {
        expect(&reward(compute), DOCUMENTED, &[(Warning, codes::REWARD_KIND, compute)]);
    }
    fine(&reward("{Field: a.gold}"), DOCUMENTED);
    fine(&reward("{Condition: [{when: {c.own: true}, value: {Constant: 1}}]}"), DOCUMENTED);
}

#[test]
fn ranges_that_hold_nothing() {
    let reversed = [("{Gte: 0}", "{Range: [3, 1]}")];
    let found = edited(&reversed, DOCUMENTED);
    let codes_found: Vec<Code> = found.into_iter().map(|found| found.1).collect();
    assert_eq!(codes_found, [codes::NEVER_HOLDS, codes::FILTER_ARGUMENT, codes::NEVER_HOLDS]);
    fine(&[("{Gte: 0}", "{Range: [1, 3]}")], DOCUMENTED);
    expect(&[("int(9)", "'int.range(9; 10,8)'")], DOCUMENTED, &[(Warning, codes::OUTSIDE, "'int.range(9; 10,8)'")]);
}

#[test]
fn values_outside_of_their_spaces() {
    expect(&[("int(9)", "'int.range(9; 0,8)'")], DOCUMENTED, &[(Warning, codes::OUTSIDE, "'int.range(9; 0,8)'")]);
    let range = ("int(9)", "'int.range(9; 0,9)'");
    fine(&[range], DOCUMENTED);
    let put = |put| [range, ("add: {a.gold: 1}", put)];
    expect(&put("put: {a.gold: 11}"), DOCUMENTED, &[(Warning, codes::OUTSIDE, "11")]);
    fine(&put("put: {a.gold: 8}"), DOCUMENTED);
    let found = edited(&[("{_target.own: true}", "{_target.own: 5}")], DOCUMENTED);
    let codes_found: Vec<Code> = found.into_iter().map(|found| found.1).collect();
    assert_eq!(codes_found, [codes::OUTSIDE, codes::NEVER_HOLDS]);
}

#[test]
fn a_consequence_that_is_never_reached_and_the_end_that_hangs_on_it() {
    let text = "\
metadata: {id: lock}
teams: [player]
board: {nodes: [input, output], vectors: []}
resourceSpace: {input: {a: int(1)}, output: {unlock: boolean(false)}}
actionSpace: {player: {try: }}
actions:
  try:
    cost: {}
    requires: {}
    consequences:
      - odds: 1.0
        result: {Resources: {put: {input.a: 5}}}
      - odds: 1.0
        result: {CheckCombination: {input: input, output: output}}
rewards: {player: {Field: input.a}}
completed: {output.unlock: true}
";
    let codes_of = |text: &str| findings(text, CAGE).into_iter().map(|found| found.1).collect::<Vec<_>>();
    let expected = [codes::UNREACHABLE, codes::REWARD_UNSEEN, codes::NEVER_ENDS];
    assert_eq!(codes_of(text), expected);
    let independent = text.replace("result: {Check", "independent: true\n        result: {Check");
    assert_eq!(codes_of(&independent), []);
}

#[test]
fn the_sample_games_have_the_known_faults_only() {
    let Some(folder) = goalspec_testing::conformance::folder("rgg") else { return };
    for entry in std::fs::read_dir(folder.join("games")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "yaml") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        for dialect in [DOCUMENTED, CAGE] {
            let found = findings(&text, dialect);
            let warnings: Vec<_> = found.iter().filter(|found| found.0 != Note).collect();
            let unseen = path.ends_with("Covid19.yaml") && dialect == CAGE;
            let codes_found: Vec<Code> = warnings.iter().map(|found| found.1).collect();
            let expected = if unseen { vec![codes::REWARD_UNSEEN; 2] } else { Vec::new() };
            assert_eq!(codes_found, expected, "{}: {found:?}", path.display());
        }
    }
}

#[test]
fn the_examples_have_nothing_to_warn_of() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/rgg");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "yaml") {
            let found = findings(&std::fs::read_to_string(&path).unwrap(), DOCUMENTED);
            // The odds of the game are cumulative; the Cage engine would add them up.
            let cumulative = path.ends_with("climb.yaml");
            let codes_found: Vec<Code> = found.iter().map(|found| found.1).collect();
            assert_eq!(codes_found, if cumulative { vec![codes::AMBIGUOUS_ODDS] } else { Vec::new() }, "{found:?}");
        }
    }
}
