//! What must hold of any text that a language reads, and how texts for such tests are made.

use goalspec_syntax::{Diagnostic, SourceFile, Sources};

/// A text as the only one of a run.
pub fn source(name: &str, text: &str) -> SourceFile {
    let mut sources = Sources::new();
    let id = sources.add(name, text);
    sources.get(id).clone()
}

/// The text with changes, one after the other: at a place, so many characters are taken out and others put in. `place` makes a
/// number below a limit of what says where.
pub fn edited<P>(text: &str, changes: &[(P, usize, &str)], place: impl Fn(&P, usize) -> usize) -> String {
    let mut text: Vec<char> = text.chars().collect();
    for (at, removed, inserted) in changes {
        let at = place(at, text.len() + 1);
        let end = (at + removed).min(text.len());
        text.splice(at..end, inserted.chars());
    }
    text.into_iter().collect()
}

/// Lists without an end and ends without a list, deep enough to overflow a stack that grows with them.
pub fn unbalanced() -> [String; 3] {
    ["(".repeat(100_000), ")".repeat(100_000), "(and ".repeat(5_000)]
}

/// Every place that a finding names, or that one of its fixes changes, lies in the text.
///
/// # Panics
/// If one does not.
pub fn assert_places(text: &str, findings: &[Diagnostic]) {
    for finding in findings {
        let edits = finding.fixes.iter().flat_map(|fix| &fix.edits).map(|edit| edit.span);
        for span in finding.span.into_iter().chain(edits) {
            assert!(text.get(span.start as usize..span.end as usize).is_some(), "{finding:?}");
        }
    }
}

/// A layout loses nothing but white space and a byte order mark, and is its own layout. Returns the text laid out.
///
/// # Panics
/// If it does, or is not.
pub fn assert_layout(text: &SourceFile, format: impl Fn(&SourceFile) -> String) -> SourceFile {
    let formatted = format(text);
    let visible = |text: &str| {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        text.chars().filter(|letter| !letter.is_whitespace()).collect::<String>()
    };
    assert_eq!(visible(text.text()), visible(&formatted), "{}: nothing is lost", text.name());
    let again = source(text.name(), &formatted);
    assert_eq!(format(&again), formatted, "{}: layout is stable", text.name());
    again
}

/// The cases of a file of layouts: a line `=== TITLE`, a text, a line `---`, and the text laid out. Returns the pairs.
///
/// # Panics
/// If a case is not written so, or there are hardly any.
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
