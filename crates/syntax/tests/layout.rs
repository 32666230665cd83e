//! Canonical layout: formatting preserves the content of a text, even if its lists are broken.

use goalspec_syntax::layout::{ListLayout, Style, format_tree};
use goalspec_syntax::limits::MAX_SOURCE_BYTES;
use goalspec_syntax::sexp::{List, Sexp, parse};
use goalspec_syntax::{SourceFile, Sources};
use proptest::prelude::*;

const STYLE: Style = Style {
    width: 40,
    multiline: &["define", ":goal"],
    hugged: &["not"],
    flush: &[],
    grouped: &[":objects"],
    keyword_values: &[],
    header_items: ListLayout::leading_atom_count,
};

fn file(text: &str) -> SourceFile {
    let mut sources = Sources::new();
    let id = sources.add("test", text);
    sources.file(id).clone()
}

fn format(text: &str) -> String {
    let file = file(text);
    format_tree(&file, &parse(&file), &STYLE)
}

/// Returns a list without its layout.
fn shape(list: List<'_>) -> String {
    let items: Vec<String> = list
        .items()
        .map(|item| match item {
            Sexp::List(list) => shape(list),
            Sexp::Atom(atom) => atom.text().to_owned(),
        })
        .collect();
    format!("({})", items.join(" "))
}

fn shapes(text: &str) -> Vec<String> {
    parse(&file(text)).roots().map(shape).collect()
}

#[test]
fn a_section_keeps_its_line_where_a_line_of_its_own_would_end_lists_elsewhere() {
    // Counting alone finds `(:goal` inside `(:init`; the layout shows that `(:init` ends before it. On a line of its own, `(:goal` would
    // itself mark the end of `(:init`, and the layout before it would count for less.
    let text = "(define (p)\n  (:init\n ((define (p)\n))(:goal(";
    assert_eq!(shapes(text), ["(define (p) (:init ((define (p)))))", "(:goal ())"]);
    assert_eq!(format(text), text);
}

#[test]
fn a_text_that_is_too_large_to_be_read_keeps_its_layout() {
    let text = " (a)\n".repeat(MAX_SOURCE_BYTES / 4);
    assert!(format(&text) == text);
}

#[test]
fn lists_without_end_are_laid_out_item_by_item() {
    for item in [" b", " ?b", " \"b\"", " (c) ?d", " ?b (c)"] {
        let text = format!("(a{} - e)\n", item.repeat(100_000));
        let formatted = format(&text);
        assert!(formatted.lines().all(|line| line.len() <= STYLE.width), "{item}");
        assert!(shapes(&formatted) == shapes(&text), "{item}");
    }
    let text = format!("(?a{} - e)\n", " ?b".repeat(100_000));
    assert!(format(&text).lines().all(|line| line.len() <= STYLE.width));
}

#[test]
fn comments_among_names_leave_no_blanks_at_line_ends() {
    let formatted = format("(?a ?b - c ; of these\n ; and\n ?d - e)");
    assert_eq!(formatted, "(?a ?b - c  ; of these\n        ; and\n        ?d - e)\n");
}

/// Pieces for random programs with missing, misplaced and surplus parentheses.
const PIECES: &[&str] = &[
    "(",
    "(",
    ")",
    ")",
    ")",
    ") ",
    "\n",
    "\n ",
    "\n    ",
    "\n        ",
    "(define (p)",
    "(:a",
    " (:goal",
    "b",
    " c",
    "; d\n",
    "\"",
    "\0",
    "\n)",
    "\n    )",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2048))]

    #[test]
    fn broken_texts_say_the_same_afterwards(
        indent in prop::sample::select(vec!["", "\n  ", "\n    "]),
        pieces in prop::collection::vec(prop::sample::select(PIECES), 0..30),
    ) {
        let text = format!("(define (p){indent}(:a{}", pieces.concat());
        let formatted = format(&text);
        prop_assert_eq!(shapes(&text), shapes(&formatted), "{} became {}", text, formatted);
        prop_assert_eq!(format(&formatted), formatted);
    }
}
