//! Large, nested and broken texts.

use crate::common::game;
use goalspec_rgg::{Dialect, codes};
use proptest::prelude::{Just, ProptestConfig, Strategy, any, prop_oneof, proptest};

#[test]
fn three_hundred_thousand_vectors() {
    let nodes: Vec<String> = (0..10_000).map(|node| format!("n{node}")).collect();
    let vectors: String = (0..300_000_u64)
        .map(|at| format!("    - {{from: n{}, to: n{}, id: v{at}}}\n", at % 10_000, (at * 7919) % 10_000))
        .collect();
    let resources: String = nodes.iter().map(|node| format!("  {node}: {{gold: int(1)}}\n")).collect();
    let text = format!(
        "teams: [s]\nboard:\n  nodes: [{}]\n  vectors:\n{vectors}resourceSpace:\n{resources}actionSpace: {{s: {{act: }}}}\n\
        actions:\n  act: {{cost: {{}}, requires: {{}}, consequences: [{{result: {{WithAllVectors: {{result: {{gold: 1}}}}}}}}]}}\n\
        rewards: {{s: {{Field: n1.gold}}}}\n",
        nodes.join(", ")
    );
    let read = game(&text, Dialect::DOCUMENTED);
    let board = &read.game.expect("a game").board;
    assert_eq!((board.nodes().len(), board.vectors().len()), (10_000, 300_000));
}

#[test]
fn unknown_names_by_the_thousand_are_read_in_no_time() {
    let nodes: Vec<String> = (0..10_000).map(|node| format!("node{node}")).collect();
    let vectors: String = (0..20_000).map(|at| format!("    - {{from: nod{at}, to: node1}}\n")).collect();
    let text = format!("teams: [s]\nboard:\n  nodes: [{}]\n  vectors:\n{vectors}", nodes.join(", "));
    let read = game(&text, Dialect::DOCUMENTED);
    let unknown = read.diagnostics.iter().filter(|found| found.code == codes::UNKNOWN_NODE).count();
    assert!((490..=500).contains(&unknown), "{unknown}");
    assert!(read.diagnostics.iter().any(|found| found.code == codes::TOO_MANY_DIAGNOSTICS && found.is_error()));
}

#[test]
fn aliases_of_aliases_are_limited_by_their_size() {
    let line = |level: u32| format!("  a{level}: &a{level} {{x: *a{0}, y: *a{0}, z: *a{0}}}\n", level - 1);
    let lines: String = (1..40).map(line).collect();
    let read = game(&format!("actions:\n  a0: &a0 x\n{lines}"), Dialect::CAGE);
    assert_eq!(read.diagnostics[0].code, codes::YAML_SIZE);
}

#[test]
fn long_texts_multiply_by_aliases_as_well() {
    let long = format!("\"{}\"", "{a.x} + ".repeat(8_000));
    let aliases = vec!["{Calculate: *l}"; 10_000].join(", ");
    let text = format!("metadata: {{id: &l {long}}}\nteams: [s]\nrewards: [{aliases}]\n");
    assert_eq!(game(&text, Dialect::CAGE).diagnostics[0].code, codes::YAML_SIZE);
}

#[test]
fn names_by_the_thousand_in_one_result() {
    let computed: String = (0..20_000).map(|at| format!("k{at}: {{Field: a.x}}, ")).collect();
    let added: String = (0..20_000).map(|at| format!("n.r{at}: {{Field: k{at}}}, ")).collect();
    let text = format!(
        "teams: [s]\nboard: {{nodes: [a, n]}}\nresourceSpace: {{a: {{x: int(1)}}}}\nactionSpace: {{s: {{act: }}}}\n\
        rewards: {{s: {{Field: a.x}}}}\nactions:\n  act: {{cost: {{}}, requires: {{}}, consequences: [{{result: {{Resources: \
        {{compute: {{{computed}}}, add: {{{added}}}}}}}}}]}}\n"
    );
    let read = game(&text, Dialect::DOCUMENTED);
    assert!(read.game.is_some(), "{:?}", read.diagnostics.first());
}

#[test]
fn dots_and_patterns_by_the_thousand() {
    let dots = ".".repeat(1 << 20);
    let patterns: String = (0..3_000).map(|at| format!("{{a.x: {{Matches: 'x{at}(a{{1000}})'}}}}, ")).collect();
    let text = format!(
        "teams: [s]\nboard: {{nodes: [a]}}\nresourceSpace: {{a: {{x: int(1)}}}}\nactionSpace: {{s: {{nothing: }}}}\n\
        rewards: {{s: {{Field: {dots}}}}}\ncompleted: {{Or: [{patterns}]}}\n"
    );
    let found = game(&text, Dialect::DOCUMENTED).diagnostics;
    assert!(
        found
            .iter()
            .any(|found| found.message.starts_with("the number of regular expressions exceeds the limit of 1000"))
    );
}

#[test]
fn filters_and_computations_as_deep_as_lists_can_be() {
    for depth in [20, 40, 60] {
        let filter = format!("{}{{a.x: 1}}{}", "{Not: ".repeat(depth), "}".repeat(depth));
        let chain =
            format!("{}{{Field: a.x}}{}", "{Chain: {from: ".repeat(depth), ", process: [{Add: 1}]}}".repeat(depth));
        let text = format!(
            "teams: [s]\nboard: {{nodes: [a]}}\nresourceSpace: {{a: {{x: int(1)}}}}\nactionSpace: {{s: {{nothing: }}}}\n\
            rewards: {{s: {chain}}}\ncompleted: {filter}\n"
        );
        let read = game(&text, Dialect::DOCUMENTED);
        let too_deep = read.diagnostics.first().is_some_and(|found| found.code == codes::YAML_DEPTH);
        assert_eq!(too_deep, depth == 60, "{:?}", read.diagnostics);
    }
}

#[test]
fn faults_under_aliases_are_reported_once() {
    let cases = vec!["{when: {a.x: {gte: 1}}, value: *v}"; 1_000].join(", ");
    let text = format!(
        "teams: [s]\nboard: {{nodes: [a]}}\nresourceSpace: {{a: {{x: int(1)}}}}\nactionSpace: {{s: {{nothing: }}}}\n\
        metadata: {{id: x, description: &v {{}}}}\nrewards: {{s: {{Condition: [{cases}]}}}}\n"
    );
    let diagnostics = game(&text, Dialect::DOCUMENTED).diagnostics;
    let aliased = diagnostics.iter().filter(|found| found.code == codes::COMPUTATION_FORM).count();
    assert_eq!(aliased, 1);
}

const GAME: &str = "metadata: {id: demo}
teams: [red, blue]
board: {nodes: [a, b], vectors: [{from: a, to: b, id: v}]}
resourceSpace:
  a: &a {observable: set(red), gold: 'int.range(5; 0,9)', open: true}
  b: *a
actionSpace: {red: {dig: {source: 'string.enum(a,b)'}}, blue: {nothing: }}
actions:
  dig:
    cost: {a.gold: -1}
    requires: {Or: [{a.gold: {Gte: 0}}, {Not: {a.open: true}}]}
    consequences:
      - {odds: 0.5, odds.discount: 0.9, result: {MakeNodeVisible: {team: red, sourceFilter: {_node: a}}}}
      - independent: true
        result:
          Resources:
            compute: {k: {Calculate: '{a.gold} * 2 - rand()'}}
            add: {b.gold: {Field: k, Add: 1}}
            put: {a.open: {CalculateBoolean: 'not {a.open}'}}
      - result: {WithRandomVector: {targetFilter: {gold: [1, 2]}, result: {_target.gold: {Template: 'x{a.gold}'}}}}
rewards:
  red: {Condition: [{when: {a.open: true}, value: {MathOp: {fields: [a.gold]}}}]}
  blue: {Chain: {from: {Field: b.gold}, process: [{Linear: {domain: [0, 1], range: [1, 2]}}]}}
completed: {a.gold: {And: [{Gte: 1}, {Range: [1, 2]}]}}
metrics: [a.gold]
";

fn piece() -> impl Strategy<Value = String> {
    let pieces = [
        "",
        " ",
        "\n",
        ":",
        ": ",
        "{",
        "}",
        "[",
        "]",
        "{}",
        "[]",
        ",",
        "- ",
        "'",
        "\"",
        "*a",
        "&a ",
        "!!str ",
        "null",
        "~",
        "1",
        "true",
        "x",
        "a.gold",
        "Or",
        "Not",
        "And",
        "All",
        "Equal",
        "Constant",
        "Field",
        "Calculate",
        "result",
        "é",
        "#",
        "...",
        "---",
        "a.b.c",
        "_node",
        "_source.gold",
        "/a/b",
        "%",
        "\t",
        "|\n",
        "010",
        "1e999",
        ".inf",
        "team",
    ];
    prop_oneof![proptest::sample::select(pieces.to_vec()).prop_map(str::to_owned), any::<char>().prop_map(String::from)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn broken_games_are_reported(edits in proptest::collection::vec((0..GAME.len(), 0..12_usize, piece()), 1..6),
        dialect in prop_oneof![Just(Dialect::DOCUMENTED), Just(Dialect::CAGE)]) {
        let mut text = GAME.to_owned();
        for (at, length, piece) in edits {
            let start = text.floor_char_boundary(at.min(text.len()));
            let end = text.ceil_char_boundary((start + length).min(text.len()));
            text.replace_range(start..end, &piece);
        }
        game(&text, dialect);
    }

    #[test]
    fn no_text_is_too_much(text in any::<String>()) {
        game(&text, Dialect::DOCUMENTED);
    }
}

/// The limit on the length of an expression, given the number of its aliases.
#[test]
fn the_size_of_expressions_multiplies_by_aliases_up_to_its_limit() {
    let text = |bytes: usize, aliases: usize| {
        let expression = format!("{{a.x}}{}", "+{a.x}".repeat(bytes / 6));
        let cases = ", {when: {a.x: 1}, value: {Calculate: *l}}".repeat(aliases);
        format!(
            "metadata: {{id: g, description: &l '{expression}'}}\nteams: [s]\nboard: {{nodes: [a]}}\nresourceSpace: {{a: {{x: int(1)}}}}\n\
             actionSpace: {{s: {{act: }}}}\nactions: {{act: {{cost: {{}}, requires: {{}}, consequences: []}}}}\n\
             rewards: {{s: {{Condition: [{{when: {{a.x: 1}}, value: {{Calculate: *l}}}}{cases}]}}}}\n"
        )
    };
    // 60,000 bytes count as about 7,500 values; the limit is 8,388,608.
    assert!(game(&text(60_000, 200), Dialect::DOCUMENTED).game.is_some());
    assert_eq!(game(&text(60_000, 1_200), Dialect::DOCUMENTED).diagnostics[0].code, codes::YAML_SIZE);
}

/// Nested, self-referential and long texts are parsed in time linear in their length.
#[test]
fn deep_and_long_texts_are_read_in_bounded_time() {
    let laughs: String =
        (1..60).map(|at| format!("l{at}: &l{at} [{}]\n", format!("*l{},", at - 1).repeat(9))).collect();
    let merged: String = (0..3_000).map(|at| format!("  d{at}: {{<<: *b}}\n")).collect();
    let keys: String = (0..3_000).map(|at| format!("k{at}: 1, ")).collect();
    let cases: [(&str, String, Option<goalspec_syntax::Code>); 12] = [
        ("lists", "[".repeat(1 << 20), Some(codes::YAML_DEPTH)),
        ("maps", "{a: ".repeat(1 << 20), Some(codes::YAML_DEPTH)),
        ("items", "- ".repeat(1 << 20), Some(codes::YAML_DEPTH)),
        ("keys that are maps", "? ".repeat(1 << 20), Some(codes::YAML_DEPTH)),
        ("closed lists", format!("a: {}{}", "[".repeat(100_000), "]".repeat(100_000)), Some(codes::YAML_DEPTH)),
        ("laughs", format!("l0: &l0 [x]\n{laughs}"), Some(codes::YAML_SIZE)),
        ("an alias of itself", "a: &a [*a]".to_owned(), Some(codes::YAML_ALIAS)),
        ("merges", format!("b: &b {{{keys}}}\nc:\n{merged}"), Some(codes::YAML_SIZE)),
        ("a plain scalar", format!("teams: {}", "word ".repeat(1 << 20)), None),
        ("a quoted scalar", format!("teams: \"{}\"", "\\n".repeat(1 << 20)), None),
        ("a folded scalar", format!("teams: >\n{}", "  word\n".repeat(1 << 19)), None),
        ("documents", "---\n".repeat(1 << 18), Some(codes::YAML_DOCUMENTS)),
    ];
    for (name, text, code) in cases {
        let read = game(&text, Dialect::DOCUMENTED);
        assert!(read.game.is_none(), "{name}");
        let found = |code| read.diagnostics.iter().any(|found| found.code == code);
        assert!(code.is_none_or(found), "{name}: {:?}", read.diagnostics.first());
    }
}
