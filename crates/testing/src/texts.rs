//! Properties of parsers and formatters on any source text, and helpers to create such texts.

use goalspec_syntax::{Diagnostic, SourceFile, Sources};

/// Creates a source file with the given text.
pub fn source(name: &str, text: &str) -> SourceFile {
    let mut sources = Sources::new();
    let id = sources.add(name, text);
    sources.file(id).clone()
}

/// Applies edits to a text in order. Each edit removes a number of characters at a position and inserts others. `place` maps the
/// position of an edit to a character index less than the given limit.
pub fn apply_edits<P>(text: &str, changes: &[(P, usize, &str)], place: impl Fn(&P, usize) -> usize) -> String {
    let mut text: Vec<char> = text.chars().collect();
    for (position, removed, inserted) in changes {
        let position = place(position, text.len() + 1);
        let end = (position + removed).min(text.len());
        text.splice(position..end, inserted.chars());
    }
    text.into_iter().collect()
}

/// Returns deeply nested unbalanced lists, which overflow the stack of a recursive parser.
pub fn unbalanced() -> [String; 3] {
    ["(".repeat(100_000), ")".repeat(100_000), "(and ".repeat(5_000)]
}

/// Defines property tests of a function that takes any text: on valid texts with up to seven edits, on heaps of words of the language,
/// and on any text. `proptest` is the name of that crate where the macro is used.
///
/// `run` is the function, `texts` the valid texts, and `words` the words that are inserted and heaped.
#[macro_export]
macro_rules! robustness_tests {
    (proptest: $proptest:ident, run: $run:ident, texts: $texts:expr, words: $words:expr $(,)?) => {
        $proptest::proptest! {
            #![proptest_config($proptest::prelude::ProptestConfig {
                failure_persistence: None,
                ..$proptest::prelude::ProptestConfig::default()
            })]

            #[test]
            fn mutated_texts(
                text in $proptest::sample::select(&$texts[..]),
                edits in $proptest::collection::vec(
                    (
                        $proptest::prelude::any::<$proptest::sample::Index>(),
                        0_usize..40,
                        $proptest::sample::select(&$words[..]),
                    ),
                    0..8,
                ),
            ) {
                $run(&$crate::texts::apply_edits(text, &edits, $proptest::sample::Index::index));
            }

            #[test]
            fn heaps_of_words(
                words in $proptest::collection::vec($proptest::sample::select(&$words[..]), 0..80),
                blanks in $proptest::prelude::any::<bool>(),
            ) {
                $run(&words.join(if blanks { " " } else { "" }));
            }

            #[test]
            fn any_text(text in $proptest::prelude::any::<String>()) {
                $run(&text);
            }
        }
    };
}

/// Asserts that the spans of all findings and of their fixes lie in the text.
///
/// # Panics
/// Panics if a span is out of range.
pub fn assert_spans_in_text(text: &str, findings: &[Diagnostic]) {
    for finding in findings {
        let edits = finding.fixes.iter().flat_map(|fix| &fix.edits).map(|edit| edit.span);
        for span in finding.span.into_iter().chain(edits) {
            assert!(text.get(span.start as usize..span.end as usize).is_some(), "{finding:?}");
        }
    }
}

/// Asserts that formatting changes only white space and a byte order mark, and is idempotent. Returns the formatted text.
///
/// # Panics
/// Panics if formatting loses text or is not idempotent.
pub fn assert_layout(text: &SourceFile, format: impl Fn(&SourceFile) -> String) -> SourceFile {
    let formatted = format(text);
    let visible = |text: &str| {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        text.chars().filter(|letter| !letter.is_whitespace()).collect::<String>()
    };
    assert_eq!(visible(text.text()), visible(&formatted), "{}: nothing is lost", text.name());
    let reformatted = source(text.name(), &formatted);
    assert_eq!(format(&reformatted), formatted, "{}: layout is stable", text.name());
    reformatted
}

/// Parses a file of layout cases. A case consists of a line `=== TITLE`, a text, a line `---`, and the formatted text. Returns the
/// pairs of texts.
///
/// # Panics
/// Panics if a case is malformed or there are too few cases.
pub fn layout_cases(cases: &str) -> Vec<(&str, String)> {
    let case = |case| {
        let (_, rest) = str::split_once(case, '\n').expect("a case has a title");
        let (text, expected) = rest.split_once("\n---\n").expect("a case has a line ---");
        (text, format!("{}\n", expected.trim_end()))
    };
    let cases: Vec<_> = cases.split("\n=== ").skip(1).map(case).collect();
    assert!(cases.len() > 5);
    cases
}
