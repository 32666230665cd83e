//! Grammars: matching, sampling, notations, and the rules of exported grammars.

use goalspec_grammar::expression::{choice, form, literal, name, one_of, optional, repeat, sequence};
use goalspec_grammar::pattern::{self, Pattern};
use goalspec_grammar::{Definition, Expression, Grammar, MismatchKind, SampleOptions, gbnf, lark};
use proptest::prelude::*;

fn grammar(rules: &[(&str, Expression)]) -> Grammar {
    let rules = rules.iter().map(|(name, body)| (*name, Definition::Rule(body.clone())));
    Grammar::new(["demo"], rules).unwrap()
}

fn conditions() -> Grammar {
    let condition = choice([
        form([literal("and"), name("condition"), name("condition")]),
        form([literal("not"), name("condition")]),
        form([literal("on"), name("block"), name("block")]),
    ]);
    let number = pattern::repeat(pattern::one_of("0-9"), 1, None);
    Grammar::new(
        ["conditions"],
        [
            ("root", Definition::Rule(name("condition"))),
            ("condition", Definition::Rule(condition)),
            ("block", Definition::Rule(choice([one_of(["table", "tab", "a"]), name("number")]))),
            ("number", Definition::Pattern(number)),
        ],
    )
    .unwrap()
}

#[test]
fn texts_of_a_grammar_match() {
    let matcher = conditions().matcher();
    for text in ["(on a table)", "(not (on tab 17))", "(and (not (on a a)) (on 0 1))"] {
        assert_eq!(matcher.check(text), Ok(()), "{text}");
    }
}

#[test]
fn a_mismatch_names_the_word_and_the_expectation() {
    let matcher = conditions().matcher();
    let mismatch = matcher.check("(and (on a tabel) (on a a))").unwrap_err();
    assert_eq!((mismatch.kind, mismatch.offset, &*mismatch.found), (MismatchKind::Unexpected, 11, "tabel"));
    assert_eq!(mismatch.to_string(), "expected `a`, `tab`, `table` or a text of `number`, found `tabel`");
    let mismatch = matcher.check("(on a a))").unwrap_err();
    assert_eq!((mismatch.offset, mismatch.expected), (8, vec!["end of text".to_owned()]));
}

#[test]
fn a_cut_text_is_incomplete() {
    let text = "(and (not (on a a)) (on 0 1))";
    let matcher = conditions().matcher();
    for end in 0..text.len() {
        let mismatch = matcher.check(&text[..end]).unwrap_err();
        assert_eq!((mismatch.kind, mismatch.offset), (MismatchKind::Incomplete, end), "{}", &text[..end]);
    }
}

#[test]
fn repetitions_are_counted() {
    let grammar = grammar(&[(
        "root",
        sequence([literal("("), repeat(sequence([literal(" "), literal("a")]), 2, Some(3)), literal(")")]),
    )]);
    let matcher = grammar.matcher();
    let accepts = |count| matcher.check(&format!("({})", " a".repeat(count))).is_ok();
    assert_eq!([1, 2, 3, 4].map(accepts), [false, true, true, false]);
}

#[test]
fn rules_that_derive_the_empty_text_match() {
    let grammar = grammar(&[
        ("root", sequence([name("maybe"), name("maybe"), literal("!")])),
        ("maybe", optional(name("inner"))),
        ("inner", optional(literal("a"))),
    ]);
    let matcher = grammar.matcher();
    assert_eq!(["!", "a!", "aa!", "aaa!"].map(|text| matcher.check(text).is_ok()), [true, true, true, false]);
}

#[test]
fn violations_of_the_rules_are_reported() {
    let rejected = [
        ("two words", vec![("root", literal("(and"))], "is not one word"),
        (
            "left recursion",
            vec![("root", choice([sequence([name("root"), literal("a")]), literal("b")]))],
            "left recursive",
        ),
        (
            "hidden left recursion",
            vec![("root", sequence([optional(literal("a")), name("b")])), ("b", choice([name("root"), literal("c")]))],
            "left recursive",
        ),
        (
            "empty repetition",
            vec![("root", repeat(optional(literal("a")), 0, None))],
            "repeats a part that can be empty",
        ),
        ("no text", vec![("root", sequence([literal("a"), name("root")]))], "derives no text"),
        ("unknown name", vec![("root", name("other"))], "`other` is not defined"),
        ("upper case", vec![("root", name("Other")), ("Other", literal("a"))], "is no name of a rule"),
        ("too many", vec![("root", repeat(literal("a"), 0, Some(2001)))], "limit of 2000 repetitions"),
        ("confusion", vec![("root", choice([sequence([literal("for"), literal("all")]), literal("forn")]))], ""),
        (
            "longest match",
            vec![("root", choice([sequence([literal("for"), literal("n"), literal("b")]), literal("forna")]))],
            "a longest match",
        ),
    ];
    for (case, rules, message) in rejected {
        let definitions = rules.into_iter().map(|(name, body)| (name, Definition::Rule(body)));
        let result = Grammar::new(["demo"], definitions);
        if message.is_empty() {
            assert!(result.is_ok(), "{case}: {result:?}");
        } else {
            let error = result.unwrap_err().to_string();
            assert!(error.contains(message), "{case}: {error}");
        }
    }
}

#[test]
fn alternatives_without_words_are_omitted() {
    let unary = form([literal("unary"), one_of([])]);
    let grammar = grammar(&[("root", choice([unary, literal("x")])), ("unused", literal("y"))]);
    assert_eq!(gbnf::write(&grammar), "# demo\nroot ::= \"x\"\n");
}

#[test]
fn samples_match_and_depend_on_the_seed_alone() {
    let grammar = conditions();
    let matcher = grammar.matcher();
    let sample = |seed| grammar.sample(SampleOptions { seed, ..SampleOptions::default() });
    let texts: std::collections::BTreeSet<String> = (0..300).map(sample).collect();
    assert!(texts.len() > 100, "{}", texts.len());
    for text in &texts {
        assert_eq!(matcher.check(text), Ok(()), "{text}");
        assert!(text.len() < 100_000);
    }
    assert_eq!(sample(7), sample(7));
}

#[test]
fn written_grammars_are_read_back() {
    let odd = pattern::sequence([
        pattern::none_of("\"\\\n"),
        pattern::choice([pattern::text("a\"/"), pattern::one_of("-^]a-z")]),
        pattern::repeat(pattern::repeat(pattern::text("ab"), 1, Some(2)), 0, Some(3)),
    ]);
    let odd = Grammar::new(
        ["odd", "names: 2"],
        [
            (
                "root",
                Definition::Rule(sequence([
                    name("odd-one"),
                    literal("\n"),
                    repeat(repeat(literal("\\\"é"), 1, Some(2)), 2, Some(2)),
                ])),
            ),
            ("odd-one", Definition::Pattern(odd)),
        ],
    )
    .unwrap();
    for grammar in [conditions(), odd] {
        let text = gbnf::write(&grammar);
        let again = gbnf::read(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert_eq!(gbnf::write(&again), text);
        let lark_text = lark::write(&grammar);
        let again = lark::read(&lark_text).unwrap_or_else(|error| panic!("{error}: {lark_text}"));
        let matchers = [grammar.matcher(), again.matcher()];
        for seed in 0..50 {
            let text = grammar.sample(SampleOptions { seed, ..SampleOptions::default() });
            for matcher in &matchers {
                assert_eq!(matcher.check(&text), Ok(()), "{lark_text}: {text}");
            }
        }
    }
}

#[test]
fn syntax_errors_of_grammars_have_an_offset() {
    for (text, message) in [
        ("root ::= \"a", "expected `\"`"),
        ("root ::= (\"a\"", "expected `)`"),
        ("root ::= [z-a]", "ends before it begins"),
        ("root = \"a\"", "expected `::=`"),
        ("root ::= \"a\"{3,2}", "maximum is below"),
        ("root ::= \"a\" $", "unexpected character"),
        ("a ::= \"a\"", "`root`: is not defined"),
    ] {
        let error = gbnf::read(text).unwrap_err().to_string();
        assert!(error.contains(message), "{text}: {error}");
    }
    assert!(gbnf::read(&format!("root ::= {}", "(".repeat(100_000))).is_err());
}

#[test]
fn the_cost_of_a_match_is_bounded() {
    let ambiguous = grammar(&[
        ("root", name("e")),
        ("e", choice([form([name("e"), name("e")]), literal("a"), sequence([literal("a"), name("e")])])),
    ]);
    let text = "a".repeat(20_000);
    let result = ambiguous.matcher().check(&text);
    assert!(result.is_ok() || result.unwrap_err().kind == MismatchKind::LimitExceeded);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn readers_and_matchers_accept_any_text(text in any::<String>()) {
        let _ = gbnf::read(&text);
        let _ = lark::read(&text);
        let _ = gbnf::read(&format!("root ::= {text}"));
        let _ = conditions().matcher().check(&text);
    }

    #[test]
    fn patterns_match_as_their_enumeration(text in "[ab]{0,6}") {
        let pattern = pattern::choice([
            pattern::repeat(pattern::text("ab"), 1, None),
            pattern::sequence([pattern::optional(pattern::text("b")), pattern::repeat(pattern::one_of("a"), 2, Some(3))]),
        ]);
        let expected = (!text.is_empty() && text.len() % 2 == 0 && text.as_bytes().chunks(2).all(|pair| pair == b"ab"))
            || ["aa", "aaa", "baa", "baaa"].contains(&&*text);
        prop_assert_eq!(Pattern::is_match(&pattern, &text), expected);
    }
}
