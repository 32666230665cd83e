//! Parsing, resolution and formatting of arbitrary texts: no panic, and formatting is idempotent.

use goalspec_game::{Dialect, format, parse, resolve};
use goalspec_testing::texts;

use crate::common;

/// Runs every operation on a text.
fn run(text: &str) {
    let source = texts::source("any", text);
    let parsed = parse::parse(&source);
    let world = common::world::small();
    for game in &parsed.games {
        let resolved = resolve::resolve(game, &world, Dialect::FORMAL);
        assert!(resolved.diagnostics.iter().all(|finding| finding.span.is_some()));
    }
    texts::assert_spans_in_text(text, &parsed.diagnostics);
    let formatted = texts::assert_layout(&source, format::format);
    if parsed.diagnostics.iter().all(|finding| !finding.is_error()) {
        assert_eq!(parse::parse(&formatted).games, parsed.games, "layout keeps the meaning");
    }
}

const PROGRAM: &str = "(define (game demo) (:domain few-objects-room-v1)  ; a comment
(:setup (exists (?d - drawer) (and (game-conserved (open ?d)) (game-optional (= (distance ?d bed) 1 2)))))
(:constraints (and
    (forall (?b - (either ball block)) (preference throw (exists (?d ?e - drawer)
        (then (once (agent_holds ?b)) ; held
            (hold-while (and (in_motion ?b) (not (agent_holds ?b))) (touch ?b desk))
            (once-measure (forall (?x - color) (same_color ?b ?x)) (distance ?b bed))
            (hold (< (distance ?b ?d) -.5))))))
    (preference onBed (forall (?b - ball) (at-end (on bed ?b))))))
(:terminal (or (>= (total-time) 10) (not (= (count onBed) (count-once throw:ball)))))
(:scoring (+ (external-forall-maximize (count-measure throw)) (-10 (count onBed)) (- 3) (/ (total-score) 2))))
";

/// Tokens, most of which belong to the language.
const WORDS: &[&str] = &[
    "(",
    ")",
    "((",
    "))",
    "()",
    " ",
    "\n",
    "\n\n",
    "\n    ",
    ";",
    "; c\n",
    "\"",
    "-",
    "?",
    ":",
    "::",
    "?b",
    "?c - ball",
    "-10",
    "3.",
    "1e9",
    "and",
    "not",
    "exists",
    "forall",
    "preference",
    "then",
    "once",
    "hold",
    "hold-while",
    "at-end",
    "define",
    "(define (game g)",
    "(:scoring",
    "(:domain d)",
    ":setup",
    "count",
    "count p:",
    "either",
    "=",
    ">=",
    "total-score",
    "ball",
    "on",
    "(on bed ?b)",
    "same_object",
    "\u{feff}",
    "\u{0}",
    "é",
    "𝄞",
    "\r\n",
    "\t",
];

goalspec_testing::robustness_tests! { proptest: proptest, run: run, texts: [PROGRAM], words: WORDS }

#[test]
fn deep_and_endless_lists() {
    for text in texts::unbalanced() {
        run(&text);
    }
    run(&format!("(define (game g) (:setup {}{}))", "(not ".repeat(300), ")".repeat(300)));
    run(&format!("{}{}", "(not (or ".repeat(100), "))".repeat(100)));
    run(&"(define (game g) (:scoring 1))".repeat(2_000));
}
