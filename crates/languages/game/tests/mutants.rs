//! Diagnostics of programs with mistakes: each mistake is reported, and reported once.

use std::collections::{BTreeMap, BTreeSet};

use goalspec_game::codes::EXTRA_PART;
use goalspec_game::{CheckResult, Dialect, check};
use goalspec_syntax::sexp::{self, Sexp};
use goalspec_syntax::{SourceFile, Span};
use goalspec_testing::texts;

use crate::common;

/// Valid programs that together use most of the language.
pub(crate) const PROGRAMS: [&str; 3] = [
    include_str!("../../../../examples/game/throw-to-bin.game"),
    include_str!("../../../../examples/game/tower.game"),
    "(define (game demo) (:domain few-objects-room-v1)
(:setup (exists (?d - drawer) (and (game-conserved (not (open ?d))) (game-optional (< (distance ?d bed) 3)))))
(:constraints (and
    (forall (?b - (either ball block)) (preference throw (exists (?d ?e - drawer)
        (then (once (agent_holds ?b))
            (hold-while (and (in_motion ?b) (not (agent_holds ?b))) (touch ?b desk))
            (once-measure (forall (?x - color) (same_color ?b ?x)) (distance ?b bed))
            (hold (or (< (distance ?b ?d) 0.5) (on ?e ?b)))))))
    (preference onBed (forall (?b - ball) (at-end (on bed ?b))))))
(:terminal (or (>= (total-time) 10) (not (= (count onBed) (count-once throw:ball)))))
(:scoring (+ (external-forall-maximize (count-measure throw)) (-10 (count onBed)) (- 3) (/ (count throw) 2))))
",
];

/// Returns the spans of the atoms and parentheses of a text, in order.
fn tokens(source: &SourceFile) -> Vec<Span> {
    let tree = sexp::parse(source);
    let mut spans = Vec::new();
    let mut open: Vec<Sexp<'_>> = tree.roots().map(Sexp::from).collect();
    while let Some(next) = open.pop() {
        match next {
            Sexp::Atom(atom) => spans.push(atom.span()),
            Sexp::List(list) => {
                let span = list.span();
                spans.extend([list.open_span(), Span { start: span.end - 1, ..span }]);
                open.extend(list.items());
            }
        }
    }
    spans.sort_unstable();
    spans
}

/// Returns the text with the tokens at these indices changed: deleted, repeated, misspelt, or replaced with another token.
fn mutant(source: &SourceFile, tokens: &[Span], changes: &[(usize, usize)]) -> String {
    let mut text = source.text().to_owned();
    let changes: BTreeSet<_> = changes.iter().copied().collect();
    for &(index, change) in changes.iter().rev() {
        let span = tokens[index];
        let token = source.slice(span);
        let replacement = match change {
            0 => String::new(),
            1 => format!("{token} {token}"),
            2 => format!("{token}x"),
            3 => "(".to_owned(),
            4 => ")".to_owned(),
            _ => source.slice(tokens[(index * 31 + 17) % tokens.len()]).to_owned(),
        };
        text.replace_range(span.start as usize..span.end as usize, &replacement);
    }
    text
}

const CHANGES: usize = 6;

/// Checks a text and the properties of its diagnostics that hold for every text.
fn checked(text: &str) -> Vec<String> {
    let source = texts::source("mutant", text);
    let CheckResult { games, diagnostics } = check(&source, Dialect::FORMAL, |_| None);
    texts::assert_spans_in_text(text, &diagnostics);
    let errors: Vec<_> = diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).collect();
    let is_running = games.iter().any(|game| game.program.is_some());
    assert!(
        games.len() > 1 || is_running == errors.is_empty(),
        "a game comes with its errors, or without any:\n{text}"
    );
    let mut places = BTreeMap::new();
    for error in &errors {
        // What a game lacks as a whole is reported at its beginning, and unmatched parentheses by the s-expression layer.
        let is_start = error.span.is_some_and(|span| source.slice(span) == "define");
        // A part in excess may have an error of its own.
        if is_start || error.code == EXTRA_PART || !error.code.0.starts_with("game/") {
            continue;
        }
        let other = places.insert(error.span, error.code);
        assert_eq!(other, None, "{} has the same span:\n{text}", error.code);
    }
    common::errors(&source, &diagnostics)
}

#[test]
fn every_mistake_is_reported_and_no_two_errors_have_the_same_span() {
    for program in PROGRAMS {
        assert_eq!(checked(program), Vec::<String>::new());
        let source = texts::source("program", program);
        let tokens = tokens(&source);
        for index in 0..tokens.len() {
            for change in 0..CHANGES {
                checked(&mutant(&source, &tokens, &[(index, change)]));
            }
            let other = ((index * 13 + 5) % tokens.len(), (index / 2) % CHANGES);
            checked(&mutant(&source, &tokens, &[(index, index % CHANGES), other]));
        }
    }
}

#[test]
fn a_misspelt_operator_is_one_error() {
    // With a misspelt `define` or keyword of a section, the whole game or section is missing.
    let is_operator = |word: &str| word.starts_with(|first: char| first.is_ascii_alphabetic()) && word != "define";
    for program in PROGRAMS {
        let source = texts::source("program", program);
        let tokens = tokens(&source);
        for (index, pair) in tokens.windows(2).enumerate() {
            let word = source.slice(pair[1]);
            if source.slice(pair[0]) != "(" || !is_operator(word) {
                continue;
            }
            let errors = checked(&mutant(&source, &tokens, &[(index + 1, 2)]));
            assert_eq!(errors.len(), 1, "{word} at {}: {errors:?}", pair[1].start);
        }
    }
}
