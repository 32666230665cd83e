//! Trees of whole texts: losslessness, recovery, comments, limits.

use goalspec_syntax::limits::{MAX_DEPTH, MAX_SOURCE_BYTES, MAX_SYNTAX_DIAGNOSTICS, MAX_TOKENS};
use goalspec_syntax::render::line;
use goalspec_syntax::sexp::{
    AtomKind, Comment, List, Parse, Sexp, dangling_comments, leading_comments, parse, trailing_comment,
};
use goalspec_syntax::{Code, Sources, codes};
use proptest::prelude::*;

fn read(text: &str) -> Parse {
    let mut sources = Sources::new();
    let id = sources.add("test", text);
    parse(sources.file(id))
}

fn found(parse: &Parse) -> Vec<Code> {
    parse.diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
}

/// Returns a list without its layout; unclosed lists end with `!`.
fn shape(list: List<'_>) -> String {
    let items: Vec<String> = list
        .items()
        .map(|item| match item {
            Sexp::List(list) => shape(list),
            Sexp::Atom(atom) => atom.text().to_owned(),
        })
        .collect();
    format!("({}{}", items.join(" "), if list.is_closed() { ")" } else { "!" })
}

/// Checks the shapes of all lists, and all diagnostics as lines.
fn check(text: &str, shapes: &[&str], lines: &[&str]) {
    let mut sources = Sources::new();
    let id = sources.add("t", text);
    let parse = parse(sources.file(id));
    assert_eq!(parse.tree.text(), text);
    assert_eq!(parse.roots().map(shape).collect::<Vec<_>>(), shapes, "{text}");
    assert_eq!(line::render(&parse.diagnostics, &sources).lines().collect::<Vec<_>>(), lines, "{text}");
}

#[test]
fn lists_and_atoms_have_kinds_and_spans() {
    let parse = read("; games\n(once(-10 ?x :k \"s\")ball)\r\n()");
    assert_eq!(found(&parse), []);
    let roots: Vec<List> = parse.roots().collect();
    assert_eq!(roots.iter().copied().map(shape).collect::<Vec<_>>(), ["(once (-10 ?x :k \"s\") ball)", "()"]);
    assert_eq!((roots[0].span().start, roots[0].span().end), (8, 33));
    assert_eq!((roots[0].open_span().start, roots[0].open_span().end), (8, 9));
    assert_eq!(roots[0].head().map(|head| head.text().to_owned()).as_deref(), Some("once"));
    assert!(roots[1].head().is_none());
    let inner = roots[0].items().nth(1).and_then(Sexp::as_list).expect("a list");
    let atoms: Vec<_> = inner.items().filter_map(Sexp::as_atom).collect();
    let kinds: Vec<_> = atoms.iter().map(|atom| (atom.kind(), atom.text(), atom.span().start)).collect();
    let expected = [
        (AtomKind::Number, "-10", 14),
        (AtomKind::Variable, "?x", 18),
        (AtomKind::Keyword, ":k", 21),
        (AtomKind::String, "\"s\"", 24),
    ];
    assert_eq!(kinds, expected);
}

#[test]
fn trees_move_between_threads() {
    let parse = read("(a)");
    let count = std::thread::spawn(move || parse.roots().count()).join().expect("the other thread");
    assert_eq!(count, 1);
}

#[test]
fn intact_texts_need_no_recovery() {
    check("", &[], &[]);
    check("\u{feff}(a)\r\n\r\n(b) ; c", &["(a)", "(b)"], &[]);
    check("(define (a) (:b c)(:d))(define (e))", &["(define (a) (:b c) (:d))", "(define (e))"], &[]);
    check("(a\n(:b)\n(c (\n(:d))))", &["(a (:b) (c ((:d))))"], &[]);
    check("(define (a)\n(b (define c)))", &["(define (a) (b (define c)))"], &[]);
}

#[test]
fn missing_parentheses_are_supplied_where_the_layout_shows_the_end() {
    check("(a (b c)", &["(a (b c)!"], &["t:1:1: error[syntax/unclosed-list]: the list `(a` is never closed"]);
    check("(", &["(!"], &["t:1:1: error[syntax/unclosed-list]: the list `(` is never closed"]);
    check("((a)", &["((a)!"], &["t:1:1: error[syntax/unclosed-list]: the list `(` is never closed"]);
    check(
        "(define (a)\n(:b (c\n    (d\n        (e\n        (f)\n    )\n    (g)\n))\n(:h))\n",
        &["(define (a) (:b (c (d (e! (f)) (g))) (:h))"],
        &["t:4:9: error[syntax/unclosed-list]: the list `(e` is never closed"],
    );
    check(
        "(define (a)\n(:b\n    (c\n        (d (e)\n    )\n)\n(:h))\n",
        &["(define (a) (:b (c (d (e)!)) (:h))"],
        &["t:4:9: error[syntax/unclosed-list]: the list `(d` is never closed"],
    );
    check(
        "(define (a)\n(:b (c\n(:h d)\n(:i (e)))\n",
        &["(define (a) (:b (c!! (:h d) (:i (e)))"],
        &["t:2:1: error[syntax/unclosed-list]: 2 missing closing parentheses in the list `(:b`"],
    );
    check(
        "(define (a)\n  (:b c)\n\n; the next one\n(define (d)\n  (:e f))\n(define (g))",
        &["(define (a) (:b c)!", "(define (d) (:e f))", "(define (g))"],
        &["t:1:1: error[syntax/unclosed-list]: the list `(define` is never closed"],
    );
}

#[test]
fn two_slips_are_two_errors() {
    check(
        "(define (a)\n(:b\n    (c (d)\n    (e)\n)\n(:f\n    (g (h)\n    (i)\n))\n",
        &["(define (a) (:b (c (d)! (e)) (:f (g (h)! (i)))"],
        &[
            "t:3:5: error[syntax/unclosed-list]: the list `(c` is never closed",
            "t:7:5: error[syntax/unclosed-list]: the list `(g` is never closed",
        ],
    );
}

#[test]
fn superfluous_parentheses_are_left_out() {
    check(
        "(a))) ) ; b\n) (c)",
        &["(a)", "(c)"],
        &[
            "t:1:4: error[syntax/stray-parenthesis]: 3 unmatched closing parentheses",
            "t:2:1: error[syntax/stray-parenthesis]: unmatched `)`",
        ],
    );
    check(
        "(define (a)) (:b c)\n(:d e))\n",
        &["(define (a) (:b c) (:d e))"],
        &["t:1:12: error[syntax/stray-parenthesis]: unexpected `)`: it would close the list `(define`"],
    );
}

/// As in the regions of LIBERO's problems.
#[test]
fn parts_of_a_section_may_start_with_a_keyword() {
    let expected = &["(define (a) (:b (c (:d e) (:f g))) (:h i))"];
    check("(define (a)\n  (:b\n    (c\n      (:d e)\n      (:f g)\n    )\n  )\n  (:h i)\n)\n", expected, &[]);
    // An unclosed list still ends before the next section.
    check(
        "(define (a)\n  (:b\n    (c\n      (:d e)\n      (:f g)\n  )\n  (:h i)\n)\n",
        &["(define (a) (:b (c (:d e) (:f g)!) (:h i))"],
        &["t:3:5: error[syntax/unclosed-list]: the list `(c` is never closed"],
    );
}

/// Matching parentheses take precedence over the layout.
#[test]
fn matching_parentheses_count_for_more_than_the_layout() {
    let expected = "(define (a) (:b (c (:d e) (:f g))) (:h i))";
    let flat = "(define (a)\n(:b\n(c\n(:d e)\n(:f g)\n)\n)\n(:h i)\n)\n";
    check(flat, &[expected], &[]);
    check(&format!("{flat}; the next one\n{flat}"), &[expected, expected], &[]);
    // An error in one program does not affect another one.
    let short = "(define (a)\n(:b (c\n(:h d))\n";
    let unclosed = "(define (a) (:b (c!! (:h d))";
    let line = "error[syntax/unclosed-list]: 2 missing closing parentheses in the list `(:b`";
    check(&format!("{short}{flat}"), &[unclosed, expected], &[&format!("t:2:1: {line}")]);
    check(&format!("{flat}{short}"), &[expected, unclosed], &[&format!("t:11:1: {line}")]);
}

#[test]
fn text_outside_of_lists_is_left_out() {
    check(
        "```pddl\n(a)\n```\nHere you are, \"x\"\n(b) c",
        &["(a)", "(b)"],
        &[
            "t:1:1: error[syntax/loose-text]: unexpected text outside of lists; it is ignored",
            "t:3:1: error[syntax/loose-text]: unexpected text outside of lists; it is ignored",
            "t:5:5: error[syntax/loose-text]: unexpected text outside of lists; it is ignored",
        ],
    );
}

#[test]
fn stray_characters_and_open_strings_are_left_out() {
    check(
        "(a \0\u{200b}b \"c)\n)",
        &["(a b)"],
        &[
            "t:1:4: error[syntax/stray-character]: unexpected character U+0000",
            "t:1:8: error[syntax/unclosed-string]: unclosed string: missing `\"` at the end of the line",
        ],
    );
}

fn texts(comments: Vec<Comment<'_>>) -> Vec<&str> {
    comments.into_iter().map(Comment::text).collect()
}

const COMMENTED: &str = "\
; 1
; 2
(a ; 3
  ; 4

  ; 5
  b (c) ; 6
  ( ; 7
    ; 8
  ) d; 9
  ; 10
) ; 11
; 12
(e) ; 13
; 14
";

#[test]
fn every_comment_belongs_to_one_place() {
    let parse = read(COMMENTED);
    assert_eq!(found(&parse), []);
    let mut places = Vec::new();
    let mut note = |place: &str, comments: &[Comment]| {
        places.extend(comments.iter().map(|comment| format!("{} {place}", comment.text())));
    };
    for root in parse.roots() {
        let root = Sexp::from(root);
        note("before list", &leading_comments(root));
        for item in root.as_list().into_iter().flat_map(List::items) {
            note("before item", &leading_comments(item));
            item.as_list().into_iter().for_each(|list| note("inside item", &dangling_comments(list)));
            note("behind item", trailing_comment(item).as_slice());
        }
        root.as_list().into_iter().for_each(|list| note("inside list", &dangling_comments(list)));
        note("behind list", trailing_comment(root).as_slice());
    }
    note("at the end", &parse.tree.dangling_comments());
    let expected = [
        "; 1 before list",
        "; 2 before list",
        "; 3 behind item",
        "; 4 before item",
        "; 5 before item",
        "; 6 behind item",
        "; 7 inside item",
        "; 8 inside item",
        "; 9 behind item",
        "; 10 inside list",
        "; 11 behind list",
        "; 12 before list",
        "; 13 behind list",
        "; 14 at the end",
    ];
    assert_eq!(places, expected);
}

#[test]
fn comments_of_a_text_without_lists_are_at_its_end() {
    let parse = read("; a\r\n; b");
    assert_eq!(texts(parse.tree.dangling_comments()), ["; a", "; b"]);
    assert_eq!(read("(a) ; b").tree.dangling_comments(), []);
}

/// Returns the maximum nesting depth in the tree.
fn depth(parse: &Parse) -> usize {
    fn below(list: List<'_>) -> usize {
        1 + list.items().filter_map(|item| item.as_list().map(below)).max().unwrap_or(0)
    }
    parse.roots().map(below).max().unwrap_or(0)
}

#[test]
fn the_deepest_allowed_list_is_kept() {
    let text = format!("{}{}", "(".repeat(MAX_DEPTH), ")".repeat(MAX_DEPTH));
    let parse = read(&text);
    assert_eq!((found(&parse), depth(&parse)), (vec![], MAX_DEPTH));
}

#[test]
fn deeper_lists_are_reported_once_and_left_out() {
    let deep = |levels: usize| format!("{}{}", "(".repeat(levels), ")".repeat(levels));
    for text in [deep(MAX_DEPTH + 1), deep(1_000_000), format!("{} (a)\n{}", deep(1_000_000), deep(1_000_000))] {
        let parse = read(&text);
        assert_eq!((found(&parse), depth(&parse)), (vec![codes::TOO_DEEP], MAX_DEPTH));
        assert!(parse.tree.text() == text);
    }
    let open = read(&"(".repeat(1_000_000));
    assert_eq!((found(&open), depth(&open)), (vec![codes::UNCLOSED_LIST, codes::TOO_DEEP], MAX_DEPTH));
}

#[test]
fn a_section_ends_a_list_that_is_too_deep() {
    let text = format!("(define (a)\n(:b {}\n(:c d))\n(define (e))", "(".repeat(1_000_000));
    let parse = read(&text);
    assert_eq!(found(&parse), [codes::UNCLOSED_LIST, codes::TOO_DEEP]);
    let sections: Vec<usize> = parse.roots().map(|root| root.items().count()).collect();
    assert_eq!(sections, [4, 2]);
}

#[test]
fn a_hundred_megabytes_of_parentheses_are_refused() {
    let text = "(".repeat(100 << 20);
    let parse = read(&text);
    assert_eq!(found(&parse), [codes::TOO_LARGE]);
    assert!(parse.tree.text() == text);
}

#[test]
fn the_largest_text_is_read() {
    let cases = [
        ("(", vec![codes::UNCLOSED_LIST, codes::TOO_DEEP]),
        (")", vec![codes::STRAY_PARENTHESIS]),
        ("x", vec![codes::LOOSE_TEXT]),
    ];
    for (piece, expected) in cases {
        let text = piece.repeat(MAX_SOURCE_BYTES);
        let parse = read(&text);
        assert_eq!(found(&parse), expected);
        assert!(parse.tree.text() == text);
    }
}

#[test]
fn tokens_past_the_limit_are_not_read() {
    let text = format!("(a {}", "()".repeat(MAX_TOKENS / 2));
    let parse = read(&text);
    assert_eq!(found(&parse), [codes::TOO_LARGE]);
    let roots: Vec<List> = parse.roots().collect();
    assert_eq!((roots.len(), roots[0].is_closed()), (1, false));
}

#[test]
fn endless_errors_are_cut_short() {
    let parse = read(&") a ".repeat(1_000_000));
    assert_eq!(parse.diagnostics.len(), MAX_SYNTAX_DIAGNOSTICS + 1);
    let last = parse.diagnostics.last().expect("diagnostics");
    assert_eq!(last.code, codes::TOO_MANY_ERRORS);
    assert_eq!(last.message, "1999500 further syntax errors are not shown");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_text_is_kept(text in any::<String>()) {
        let parse = read(&text);
        prop_assert_eq!(parse.tree.text(), text);
    }

    #[test]
    fn any_mix_of_pieces_is_kept(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..80)) {
        let text = pieces.concat();
        let parse = read(&text);
        prop_assert_eq!(parse.tree.text(), text);
        prop_assert!(parse.roots().all(List::is_closed) || !parse.diagnostics.is_empty());
    }

    /// A formatter that requests the comments of every item gets each comment once and in order.
    #[test]
    fn any_comment_is_given_once(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..80)) {
        let text = pieces.into_iter().filter(|&piece| piece != "\"").collect::<String>();
        let parse = read(&text);
        let mut comments = Vec::new();
        for root in parse.roots() {
            collect_comments(root.into(), &mut comments);
        }
        comments.extend(parse.tree.dangling_comments());
        let starts: Vec<u32> = comments.iter().map(|comment| comment.span().start).collect();
        prop_assert!(starts.is_sorted_by(|one, next| one < next), "{:?} in {}", starts, text);
        let lines = text.split('\n').filter(|line| line.contains(';')).count();
        prop_assert_eq!(comments.len(), lines, "{}", text);
    }
}

fn collect_comments<'t>(item: Sexp<'t>, comments: &mut Vec<Comment<'t>>) {
    comments.extend(leading_comments(item));
    if let Sexp::List(list) = item {
        list.items().for_each(|item| collect_comments(item, comments));
        comments.extend(dangling_comments(list));
    }
    comments.extend(trailing_comment(item));
}

const PIECES: &[&str] = &[
    "(",
    "(",
    "(",
    ")",
    ")",
    ")",
    " ",
    "\n",
    "\n    ",
    "\n        ",
    "\n\t",
    "\r\n",
    "\n(",
    "\n)",
    "(define",
    "\n(define",
    "(:goal",
    "\n(:goal",
    "a",
    "?x",
    ":k",
    "-1.5",
    "; c",
    "; c\n",
    "\"s\"",
    "\"",
    "\0",
    "\u{feff}",
    "\u{a0}",
    "ö",
    "```",
];

#[test]
fn a_byte_order_mark_is_no_indentation() {
    for mark in ["", "\u{feff}"] {
        let parse = read(&format!("{mark}(x (a b\n  (c d)"));
        assert_eq!(parse.roots().map(shape).collect::<Vec<_>>(), ["(x (a b (c d)!!"], "{mark:?}");
    }
}

const LINES: [&str; 4] = [
    "; a comment\n(define (game a) ; another\n  (:b \"open\n  c) ; last\n)\n",
    "(define (a)\n(:b (c\n    (d\n        (e\n        (f)\n    )\n    (g)\n))\n(:h))\n",
    "(a (b\n\n; c\n(d)\n",
    "here\n(define (a)\n(:b c)))\n(define (e))",
];

/// The kind of line end changes neither the lists nor the lines and columns of the diagnostics.
#[test]
fn every_kind_of_line_end_ends_a_line() {
    for text in LINES {
        let plain = read(text);
        let shapes = |parse: &Parse| parse.roots().map(shape).collect::<Vec<_>>();
        for end in ["\r", "\r\n"] {
            let other = read(&text.replace('\n', end));
            assert_eq!((shapes(&other), found(&other)), (shapes(&plain), found(&plain)), "{end:?} in {text}");
        }
    }
}

/// Brackets and braces form the same lists as parentheses, and one error reports them, wherever they occur.
#[test]
fn brackets_are_taken_for_parentheses() {
    let text = "(define (game a) (:b (c (d ?e) (f \"(\"))) ; (g)\n(:h i))";
    let plain = read(text);
    let places: Vec<usize> = text.match_indices(['(', ')']).map(|(at, _)| at).collect();
    let expected: Vec<usize> =
        places.iter().copied().filter(|at| !(35..38).contains(at) && !(43..49).contains(at)).collect();
    let shapes = |parse: &Parse| parse.roots().map(shape).collect::<Vec<_>>();
    assert_eq!(found(&plain), []);
    for (first, &start) in expected.iter().enumerate() {
        for step in 1..=expected.len() {
            let mut bytes = text.as_bytes().to_vec();
            for &at in expected[first..].iter().step_by(step) {
                bytes[at] = match (bytes[at], step % 2) {
                    (b'(', 0) => b'[',
                    (b'(', _) => b'{',
                    (_, 0) => b']',
                    (_, _) => b'}',
                };
            }
            let other = String::from_utf8(bytes).expect("ASCII");
            let parse = read(&other);
            assert_eq!(shapes(&parse), shapes(&plain), "{other}");
            let [report] = &parse.diagnostics[..] else { panic!("{other}: {:?}", found(&parse)) };
            assert_eq!(report.code, codes::WRONG_BRACKET, "{other}");
            assert_eq!(report.span.map(|span| span.start as usize), Some(start), "{other}");
            assert_eq!(report.fixes[0].edits.len(), expected[first..].iter().step_by(step).count(), "{other}");
        }
    }
}

#[test]
fn stray_parentheses_outside_of_lists_can_be_warnings() {
    let severities = |text: &str| {
        let parse = read(text);
        parse.diagnostics_with_stray_warnings().map(|found| (found.code, found.is_error())).collect::<Vec<_>>()
    };
    let stray = codes::STRAY_PARENTHESIS;
    assert_eq!(severities("(define (game a) (:domain d)\n(:scoring (count p))\n))"), [(stray, false)]);
    assert_eq!(severities(")\n(define (a))\n"), [(stray, false)]);
    assert_eq!(severities("(a) b"), [(codes::LOOSE_TEXT, true)]);
    let inside = "(define (a)\n  (b))\n  (c))\n";
    assert_eq!(severities(inside), [(stray, true)], "{:?}", read(inside).diagnostics);
}
