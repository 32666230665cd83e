//! The diagnostics of erroneous games, with their spans.

use crate::common::game;
use goalspec_rgg::{Dialect, codes};
use goalspec_syntax::diagnostic::Code;
use goalspec_syntax::{Diagnostic, Severity};

const GAME: &str = "\
metadata: {id: demo, description: two nodes}
teams: [red, blue]
board:
  nodes: [a, b]
  vectors: [{from: a, to: b}]
resourceSpace:
  a: {observable: set(red), gold: int(5), open: true}
  b: {gold: 'int.range(0; 0,10)'}
actionSpace:
  red: {dig: {source: 'string.enum(a, b)'}, nothing: }
  blue: {nothing: }
actions:
  dig:
    cost: {a.gold: -1}
    requires: {a.gold: {Gte: 0}}
    consequences:
      - odds: 0.5
        result:
          WithRandomVector:
            sourceFilter: {open: true}
            result: {_target.gold: 1}
rewards:
  red: {Calculate: '{a.gold} - 1'}
  blue: {Field: b.gold}
completed: {b.gold: {Gte: 3}}
metrics: [a.gold]
";

/// Returns the diagnostics of the game after an edit, with its text.
fn found(edit: (&str, &str), dialect: Dialect) -> (String, Vec<Diagnostic>) {
    assert!(GAME.contains(edit.0), "{edit:?}");
    let text = GAME.replacen(edit.0, edit.1, 1);
    let diagnostics = game(&text, dialect).diagnostics;
    (text, diagnostics)
}

/// Checks that each edit of the game causes exactly one diagnostic, with the given code and text at its span.
fn expect(dialect: Dialect, severity: Severity, cases: &[(&str, &str, Code, &str)]) {
    for &(before, after, code, at) in cases {
        let (text, diagnostics) = found((before, after), dialect);
        let [one] = diagnostics.as_slice() else { panic!("{before} -> {after}: {diagnostics:#?}") };
        let span = one.span.expect("a place");
        let place = &text[span.start as usize..span.end as usize];
        assert_eq!((one.severity, one.code, place), (severity, code, at), "{before} -> {after}: {one:?}");
    }
}

#[test]
fn the_game_itself_is_sound() {
    for (name, dialect) in Dialect::NAMED {
        assert_eq!(game(GAME, dialect).diagnostics, [], "{name}");
    }
}

#[test]
fn errors_of_form() {
    expect(
        Dialect::DOCUMENTED,
        Severity::Error,
        &[
            ("teams:", "team:", codes::UNKNOWN_KEY, "team"),
            ("description: two nodes", "author: me", codes::UNKNOWN_KEY, "author"),
            ("[red, blue]", "red", codes::WRONG_KIND, "red"),
            ("to: b}", "to: b, weight: 2}", codes::UNKNOWN_KEY, "weight"),
            ("nodes: [a, b]", "nodes: [a, b, 3]", codes::UNQUOTED_NAME, "3"),
            ("  a: {observable: set(red), gold", "  - {gold", codes::YAML_SYNTAX, "b"),
            ("gold: int(5)", "gold: 5", codes::CONSTRAINT_TYPE, "5"),
            ("gold: int(5)", "gold: int(five)", codes::CONSTRAINT_VALUE, "five"),
            ("int.range(0; 0,10)", "int.range(0; 0,10,11)", codes::CONSTRAINT_ARGUMENTS, "0,10,11"),
            ("gold: int(5)", "gold: [5]", codes::WRONG_KIND, "[5]"),
            ("set(red)", "set(red, blue)", codes::UNQUOTED_COMMA, "set(red, blue)"),
            ("int.range(0; 0,10)", "int.range(0; 0,10, 11)", codes::CONSTRAINT_ARGUMENTS, "0,10, 11"),
            ("gold: int(5), open: true", "gold: int(5), gold: int(6), open: true", codes::YAML_DUPLICATE_KEY, "gold"),
            ("{a.gold: -1}", "", codes::MISSING_VALUE, ""),
            ("cost: {a.gold: -1}\n    requires", "requires", codes::MISSING_KEY, "requires"),
            ("odds: 0.5", "odds: {Field: a.gold}", codes::WRONG_KIND, "{Field: a.gold}"),
            ("odds: 0.5", "odds: half", codes::INVALID_ODDS, "half"),
            ("odds: 0.5", "oddsDiscount: 0.5", codes::UNKNOWN_KEY, "oddsDiscount"),
            ("odds: 0.5", "independent: maybe", codes::WRONG_KIND, "maybe"),
            ("WithRandomVector", "WithRandomVectors", codes::UNKNOWN_RESULT, "WithRandomVectors"),
            ("sourceFilter", "sourcefilter", codes::UNKNOWN_KEY, "sourcefilter"),
            ("            result: {_target.gold: 1}\n", "", codes::MISSING_KEY, "sourceFilter"),
            ("{Gte: 0}", "{gte: 0}", codes::UNKNOWN_FILTER, "gte"),
            ("{Gte: 0}", "{}", codes::FILTER_FORM, "{}"),
            ("{Gte: 0}", "{Gte: [1, 2]}", codes::WRONG_KIND, "[1, 2]"),
            ("{Gte: 0}", "{Contains: 1}", codes::FILTER_ARGUMENT, "1"),
            ("{Gte: 0}", "{Range: [1]}", codes::FILTER_ARGUMENT, "[1]"),
            ("{Gte: 0}", "{Range: [1, 2, 3]}", codes::SURPLUS_ENTRY, "3"),
            ("{Gte: 0}", "{Matches: '('}", codes::FILTER_ARGUMENT, "'('"),
            ("{Gte: 0}", "{IsDate: {}}", codes::UNSUPPORTED, "IsDate"),
            ("{a.gold: {Gte: 0}}", "[{a.gold: 1}]", codes::FILTER_FORM, "[{a.gold: 1}]"),
            ("{a.gold: {Gte: 0}}", "{Or: {a.gold: 1, a.open: true}}", codes::OR_OVER_MAP, "{a.gold: 1, a.open: true}"),
            ("{b.gold: {Gte: 3}}", "true", codes::FILTER_FORM, "true"),
            ("{Field: b.gold}", "5", codes::COMPUTATION_FORM, "5"),
            ("{Field: b.gold}", "{field: b.gold}", codes::UNKNOWN_COMPUTATION, "field"),
            ("{Field: b.gold}", "{Field: b.gold, Add: 1}", codes::SURPLUS_ENTRY, "Add"),
            ("{Field: b.gold}", "{Calculate: 5}", codes::COMPUTATION_ARGUMENT, "5"),
            ("{Field: b.gold}", "{MathOp: {operator: POW, fields: [b.gold]}}", codes::COMPUTATION_ARGUMENT, "POW"),
            ("{Field: b.gold}", "{Condition: [{when: {Or: []}, value: {Constant: 1}}]}", codes::FILTER_FORM, "Or"),
            ("{_target.gold: 1}", "{_target.gold: [1, 2]}", codes::COMPUTATION_FORM, "[1, 2]"),
            ("{_target.gold: 1}", "{_target.gold: {Field: a.gold, Sub: 1}}", codes::UNKNOWN_STEP, "Sub"),
        ],
    );
}

#[test]
fn errors_of_names() {
    expect(
        Dialect::DOCUMENTED,
        Severity::Error,
        &[
            ("to: b}", "to: c}", codes::UNKNOWN_NODE, "c"),
            ("  b: {gold", "  bb: {gold: int(0)}\n  b: {gold", codes::UNKNOWN_NODE, "bb"),
            ("blue: {nothing: }", "blue: {nothing: }\n  green: {nothing: }", codes::UNKNOWN_TEAM, "green"),
            ("blue: {nothing: }", "blue: {wait: }", codes::UNKNOWN_ACTION, "wait"),
            ("blue: {Field", "blue: {Constant: 1}\n  bleu: {Field", codes::UNKNOWN_TEAM, "bleu"),
            ("{a.gold: {Gte: 0}}", "{a.glod: {Gte: 0}}", codes::UNKNOWN_FIELD, "a.glod"),
            ("{a.gold: {Gte: 0}}", "{gold: {Gte: 0}}", codes::UNKNOWN_FIELD, "gold"),
            ("{a.gold} - 1", "1 - { a.golf } - {a.gold}", codes::UNKNOWN_FIELD, "a.golf"),
            ("{a.gold} - 1", "{a.gold} - flor(1)", codes::EXPRESSION_NAME, "flor"),
            ("{open: true}", "{a.open: true}", codes::UNKNOWN_FIELD, "a.open"),
            ("{open: true}", "{_node: x}", codes::UNKNOWN_NODE, "x"),
            ("{_target.gold: 1}", "{c.gold: 1}", codes::UNKNOWN_NODE, "c.gold"),
            ("{a.gold: -1}", "{gold: -1}", codes::UNKNOWN_TARGET, "gold"),
            ("{_target.gold: 1}", "{_target.gold: null}", codes::NULL_WRITE, "null"),
            ("{_target.gold: 1}", "{_target.gold: {Field: _target.glod}}", codes::UNKNOWN_FIELD, "_target.glod"),
            ("[a.gold]", "[gold]", codes::UNKNOWN_METRIC, "gold"),
            ("set(red)", "string(red)", codes::INVALID_OBSERVERS, "string(red)"),
            (
                "            result: {_",
                "            compute: {k: 1, m: {Field: k}}\n            result: {_",
                codes::SIBLING_VALUE,
                "k",
            ),
        ],
    );
}

#[test]
fn warnings() {
    expect(
        Dialect::DOCUMENTED,
        Severity::Warning,
        &[
            ("[red, blue]", "[red, blue, red]", codes::DUPLICATE, "red"),
            ("nodes: [a, b]", "nodes: [a, b, a]", codes::DUPLICATE, "a"),
            ("{from: a, to: b}]", "{from: a, to: b}, {from: a, to: b}]", codes::DUPLICATE, "{from: a, to: b}"),
            ("\n  blue: {nothing: }", "", codes::NO_ACTIONS, "blue"),
            ("  blue: {Field: b.gold}\n", "", codes::NO_REWARD, "blue"),
            ("{_target.gold: 1}", "{}", codes::EMPTY_ADD, "{}"),
            ("{_target.gold: 1}", "{_target.glod: 1}", codes::UNDECLARED_RESOURCE, "_target.glod"),
            ("sourceFilter", "team: red\n            sourceFilter", codes::NO_EFFECT, "team"),
            ("set(red)", "'set(red, green)'", codes::UNKNOWN_TEAM, "'set(red, green)'"),
            ("{a.gold: -1}", "{a.gold: 010}", codes::YAML_AMBIGUOUS, "010"),
            ("{a.gold: -1}", "{a.gold: {Field: b.gold}}", codes::NO_EFFECT, "{Field: b.gold}"),
        ],
    );
}

#[test]
fn constructs_of_the_documented_language_that_the_engine_lacks() {
    let cases = [
        ("metadata: {id: demo, description: two nodes}\n", ""),
        ("sourceFilter: {open: true}", "source: {open: true}\n            target: {_node: b}"),
        ("{_target.gold: 1}", "{gold: {Calculate: '{gold} + 1'}}"),
        ("{a.gold: {Gte: 0}}", "{Not: {a.gold: 7}, a.gold: {Gte: 1, Lte: 9}, Or: [{a.open: true}, {b.gold: 1}]}"),
        ("{b.gold: {Gte: 3}}", "{CalculateBoolean: '{a.open} AND not {a.open}'}"),
        ("{open: true}", "{observable: {Has: red}}"),
        ("int.range(0; 0,10)", "enum(x, y)"),
    ];
    for edit in cases {
        assert_eq!(found(edit, Dialect::DOCUMENTED).1, [], "{edit:?}");
        let engine = found(edit, Dialect::CAGE).1;
        assert!(!engine.is_empty(), "{edit:?}");
    }
    // The Cage engine requires the teams first.
    let moved = GAME.replacen("teams: [red, blue]\n", "", 1) + "teams: [red, blue]\n";
    assert_eq!(game(&moved, Dialect::DOCUMENTED).diagnostics, []);
    let engine = game(&moved, Dialect::CAGE).diagnostics;
    assert_eq!(engine.iter().map(|found| found.code).collect::<Vec<_>>(), [codes::SECTION_ORDER, codes::SECTION_ORDER]);
}

#[test]
fn entries_that_the_engine_ignores_are_warnings_in_its_dialect() {
    expect(
        Dialect::CAGE,
        Severity::Warning,
        &[
            ("{a.gold: {Gte: 0}}", "{a.gold: {Gte: 1, Lte: 9}}", codes::FILTER_IGNORED, "Lte"),
            ("{a.gold: {Gte: 0}}", "{And: [{a.gold: 1}], a.open: true}", codes::FILTER_IGNORED, "a.open"),
            ("{b.gold: {Gte: 3}}", "{CalculateBoolean: '{a.open}'}", codes::FILTER_IGNORED, "CalculateBoolean"),
            ("{Field: b.gold}", "{Field: b.gold, Add: 1}", codes::SURPLUS_ENTRY, "Add"),
            ("{a.gold} - 1", "{a.gold} -", codes::EXPRESSION_SYNTAX, ""),
            ("{a.gold} - 1", "{a.glod} - 1", codes::UNKNOWN_FIELD, "a.glod"),
            ("blue: {nothing: }", "blue: {wait: }", codes::UNKNOWN_ACTION, "wait"),
            ("[a.gold]", "[gold]", codes::UNKNOWN_METRIC, "gold"),
            ("{_target.gold: 1}", "{_target.gold: 1, _target.gold: 2}", codes::YAML_DUPLICATE_KEY, "_target.gold"),
        ],
    );
}

#[test]
fn parameters_can_be_read_where_a_dialect_says_so() {
    let edits = [
        ("{_target.gold: 1}", "{_target.gold: {Template: '{$source} {param.source}'}}"),
        ("{Gte: 0}", "1, $source: a"),
    ];
    for edit in edits {
        let undefined = found(edit, Dialect::DOCUMENTED).1;
        assert!(undefined.iter().all(|found| found.code == codes::UNKNOWN_FIELD) && !undefined.is_empty());
        let dialect = Dialect { readable_parameters: true, ..Dialect::DOCUMENTED };
        assert_eq!(found(edit, dialect).1, [], "{edit:?}");
    }
    let unknown = found(("{Gte: 0}", "1, $goal: a"), Dialect { readable_parameters: true, ..Dialect::DOCUMENTED }).1;
    assert_eq!(unknown[0].code, codes::UNKNOWN_FIELD);
}

#[test]
fn one_run_reports_everything() {
    let text = GAME
        .replace("to: b}", "to: c}")
        .replace("int(5)", "int(five)")
        .replace("odds: 0.5", "odds: half")
        .replace("Gte: 0", "gte: 0")
        .replace("{Field: b.gold}", "{Field: b.glod}");
    let diagnostics = game(&text, Dialect::DOCUMENTED).diagnostics;
    let found: Vec<_> = diagnostics.iter().map(|found| found.code).collect();
    let expected = [
        codes::UNKNOWN_NODE,
        codes::CONSTRAINT_VALUE,
        codes::UNKNOWN_FILTER,
        codes::INVALID_ODDS,
        codes::UNKNOWN_FIELD,
    ];
    assert_eq!(found, expected);
}

#[test]
fn help_suggests_the_intended_name() {
    let help = |before: &str, after: &str| found((before, after), Dialect::DOCUMENTED).1[0].help.join("; ");
    assert_eq!(help("teams:", "team:"), "did you mean `teams`?");
    assert_eq!(help("{Gte: 0}", "{gte: 0}"), "did you mean `Gte`?");
    assert_eq!(help("a.gold: {", "a.glod: {"), "did you mean `a.gold`?");
    assert_eq!(help("{open: true}", "{opne: true}"), "did you mean `open`?");
    assert_eq!(
        help("{open: true}", "{a.open: true}"),
        "write the name of the resource without the node in filters of nodes"
    );
    assert_eq!(help("{Field: b.gold}", "5"), "write a fixed value as `{Constant: 5}`");
    assert_eq!(help("{Gte: 0}", "{Contains: 1}"), "put it in quotes: \"1\"");
    let list = GAME.replace("resourceSpace:\n  a:", "resourceSpace:\n  - a:").replace("\n  b: {gold", "\n  - b: {gold");
    let diagnostics = game(&list, Dialect::CAGE).diagnostics;
    assert!(diagnostics.iter().any(|found| found.code == codes::RESOURCE_LIST));
    let [one, other] = [GAME, &list].map(|text| game(text, Dialect::DOCUMENTED));
    assert_eq!((one.game, one.diagnostics.len()), (other.game, other.diagnostics.len()));
}

#[test]
fn empty_and_foreign_texts() {
    let code = |text: &str| game(text, Dialect::DOCUMENTED).diagnostics[0].code;
    assert_eq!(code(""), codes::EMPTY);
    assert_eq!(code("# nothing\n"), codes::EMPTY);
    assert_eq!(code("just words"), codes::WRONG_KIND);
    assert_eq!(code("[1, 2]"), codes::WRONG_KIND);
    assert_eq!(code("{}"), codes::NO_TEAMS);
    let without_colon = game("metadata\n  id: \"x\"\nteams: [s]\n", Dialect::DOCUMENTED).diagnostics;
    assert_eq!(without_colon[0].code, codes::YAML_SYNTAX);
    assert_eq!(without_colon[0].help, ["add a colon after the key: `metadata:`"]);
}

#[test]
fn spans_in_quotes_with_escapes_are_the_whole_text() {
    let edit = ("'{a.gold} - 1'", "\"{a.gold} -\\t flor(1)\"");
    let (text, diagnostics) = found(edit, Dialect::DOCUMENTED);
    let span = diagnostics[0].span.expect("a place");
    assert_eq!(&text[span.start as usize..span.end as usize], "\"{a.gold} -\\t flor(1)\"");
}
