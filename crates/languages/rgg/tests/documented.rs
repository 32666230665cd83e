//! The documented dialect, and arbitrary texts.

use goalspec_resource::field::Field;
use goalspec_resource::game::ConsequenceEffect;
use goalspec_resource::random::RandomStream;
use goalspec_resource::space::Space;
use goalspec_resource::value::Value;
use goalspec_rgg::{Dialect, codes, constraint, expression};
use proptest::prelude::{ProptestConfig, any, prop_oneof, proptest};

use crate::common;

fn number(text: &str) -> Option<f64> {
    let parsed = expression::numeric(text, Dialect::DOCUMENTED);
    parsed.value?.evaluate(|_| Some(Value::Int(3)), || 0.5)
}

#[test]
fn factorials_are_ordinary_operands() {
    assert_eq!(number("3! + 1"), Some(7.0));
    assert_eq!(number("3! / 2"), Some(3.0));
    assert_eq!(number("-3!"), Some(-6.0));
}

#[test]
fn syntax_errors_have_a_position() {
    let cases = [
        ("1 +", codes::EXPRESSION_SYNTAX, 3..3),
        ("(1", codes::EXPRESSION_SYNTAX, 0..1),
        ("{x}{y}", codes::EXPRESSION_SYNTAX, 0..6),
        ("é", codes::EXPRESSION_SYNTAX, 0..2),
        ("1 + flor(2)", codes::EXPRESSION_NAME, 4..8),
        ("{x} + a0", codes::EXPRESSION_NAME, 6..8),
        ("({x} > 2) * 3", codes::EXPRESSION_COMPARISON, 5..6),
        ("max({x} > 2, 3)", codes::EXPRESSION_COMPARISON, 8..9),
        ("1 < {x} < 2", codes::EXPRESSION_COMPARISON, 8..9),
        ("log(8,2)", codes::EXPRESSION_ARITY, 0..8),
        ("1,2", codes::EXPRESSION_ARITY, 1..2),
    ];
    for (text, code, range) in cases {
        let parsed = expression::numeric(text, Dialect::DOCUMENTED);
        assert!(parsed.has_errors() && parsed.value.is_none(), "{text}");
        assert_eq!((parsed.diagnostics[0].code, parsed.diagnostics[0].range.clone()), (code, range), "{text}");
    }
}

#[test]
fn error_messages_contain_names() {
    let messages = |text| {
        let faults = expression::numeric(text, Dialect::DOCUMENTED).diagnostics;
        let [fault] = &faults[..] else { panic!("{text}: {faults:?}") };
        (text[fault.range.clone()].to_owned(), fault.message.clone(), fault.help.clone().unwrap_or_default())
    };
    let braces = |name| (format!("unknown name `{name}`"), format!("write names of resources in braces: `{{{name}}}`"));
    for (text, name) in [("1 + a.x * 2", "a.x"), ("_source.gold_2", "_source.gold_2"), ("2 * (gold)", "gold")] {
        let (message, help) = braces(name);
        assert_eq!(messages(text), (name.to_owned(), message, help));
    }
    let arity =
        |text, call: &str, message: &str| assert_eq!(messages(text), (call.into(), message.into(), String::new()));
    arity("1 + log(8, 2)", "log(8, 2)", "`log` takes 1 argument, found 2");
    arity("2 * POW ( {a.x} )", "POW ( {a.x} )", "`POW` takes 2 arguments, found 1");
}

#[test]
fn comparisons_make_truth_values() {
    let game = |completed: &str| {
        let text = format!(
            "teams: [s]\nboard: {{nodes: [a]}}\nresourceSpace: {{a: {{x: int(3), t: true}}}}\nactionSpace: {{s: {{go: }}}}\n\
            actions:\n  go:\n    cost: {{}}\n    requires: {{}}\n    consequences:\n      - result: {{Resources: {{put: {{a.t: {completed}}}}}}}\n\
            rewards: {{s: {{Field: a.x}}}}\n"
        );
        common::game(&text, Dialect::DOCUMENTED)
    };
    let compare = |text: &str| {
        let read = game(&format!("{{Calculate: '{text}'}}"));
        let game = read.game.unwrap_or_else(|| panic!("{text}: {:?}", read.diagnostics));
        let ConsequenceEffect::Resources { replace: put, .. } = &game.actions[0].consequences[0].outcome else {
            panic!("{text}")
        };
        let lookup = |_: &Field| Some(Value::Int(3));
        put[0].1.evaluate(&lookup, &mut RandomStream::new(0, 0), &game.rules).unwrap()
    };
    for (text, holds) in [
        ("{a.x} > 2", true),
        ("{a.x} > 3", false),
        ("{a.x} >= 3", true),
        ("{a.x} < 3", false),
        ("{a.x} <= 4 - 1", true),
        ("{a.x} + 1 == 2 * 2", true),
        ("{a.x} != 3", false),
    ] {
        assert_eq!(compare(text), Some(Value::Bool(holds)), "{text}");
    }
    let engine = expression::numeric("{x} > 2", Dialect::CAGE);
    assert!(engine.value.is_none() && !engine.has_errors(), "{:?}", engine.diagnostics);
    let truths = expression::boolean("{x} > 2", Dialect::DOCUMENTED);
    assert_eq!(truths.diagnostics[0].help.as_deref(), Some("compare numbers in `Calculate`"));
}

#[test]
fn words_are_read_in_any_case() {
    for text in ["{t} AND NOT {f}", "{t} XOR {f}", "NOT ({f} Or {f})"] {
        let parsed = expression::boolean(text, Dialect::DOCUMENTED);
        let value = parsed.value.and_then(|expression| expression.evaluate(|name| Some(Value::Bool(name == "t"))));
        assert_eq!(value, Some(true), "{text}: {:?}", parsed.diagnostics);
    }
}

#[test]
fn initial_values() {
    let cases = [
        ("int()", Value::Int(0)),
        ("float()", Value::Real(0.0)),
        ("enum(a, b)", Value::text("a")),
        ("string.enum(a, b)", Value::text("a")),
        ("enum(b; a, b)", Value::text("b")),
        ("set()", Value::set([])),
        ("set([]; red, blue)", Value::set([])),
        ("set(red, blue)", Value::set(["red", "blue"])),
        ("int.range(2, 5)", Value::Int(2)),
    ];
    for (text, initial) in cases {
        let parsed = constraint::parse(text, Dialect::DOCUMENTED);
        assert_eq!(parsed.value.map(|declaration| declaration.initial), Some(initial), "{text}");
    }
}

#[test]
fn entries_without_effect_are_warnings() {
    let parsed = constraint::parse("int.enum(1; 1, x, 3) or so", Dialect::DOCUMENTED);
    assert_eq!(parsed.value.map(|declaration| declaration.space), Some(Space::IntEnum(vec![1, 3])));
    let ranges: Vec<_> = parsed.diagnostics.iter().map(|fault| (fault.code, fault.range.clone())).collect();
    assert_eq!(ranges, [(codes::CONSTRAINT_IGNORED, 21..26), (codes::CONSTRAINT_IGNORED, 15..16)]);
}

#[test]
fn depth_and_size_are_bounded() {
    let deep = format!("{}1{}", "(".repeat(30_000), ")".repeat(30_000));
    assert_eq!(number(&deep), Some(1.0));
    let long = "1+".repeat(40_000);
    let parsed = expression::numeric(&long, Dialect::CAGE);
    assert!(parsed.has_errors() && parsed.diagnostics[0].code == codes::EXPRESSION_SIZE);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_text_is_too_much(text in prop_oneof![any::<String>(), "[-+*/^%!(),;{}xeé1.a&|=<> \\[\\]]{0,40}",
        "(max|and|not|AND|int|set|int.range|float.enum|string.enum|\\(|\\)|,|;|1|!|\\{x\\}| ){0,20}"]) {
        for (_, dialect) in Dialect::NAMED {
            let declaration = constraint::parse(&text, dialect);
            assert_ne!(declaration.value.is_some(), declaration.has_errors());
            let numeric = expression::numeric(&text, dialect);
            let boolean = expression::boolean(&text, dialect);
            for fault in declaration.diagnostics.iter().chain(&numeric.diagnostics).chain(&boolean.diagnostics) {
                assert!(text.get(fault.range.clone()).is_some(), "{fault:?}");
            }
            if let Some(expression) = numeric.value {
                expression.evaluate(|_| Some(Value::Int(3)), || 0.5);
            }
            if let Some(expression) = boolean.value {
                expression.evaluate(|_| Some(Value::Bool(true)));
            }
        }
    }
}
