//! Common test utilities: the published programs, and cases in text files.

#![allow(dead_code, reason = "every test binary uses a part of it")]
#![allow(unreachable_pub, reason = "shared by several test binaries")]

pub mod play;
pub mod world;

use std::path::PathBuf;

use goalspec_syntax::{Diagnostic, Fix, Severity, SourceFile};
use goalspec_testing::texts;

/// Returns the folder of the game language's conformance data, or `None` with a printed note if it is absent.
pub fn conformance() -> Option<PathBuf> {
    goalspec_testing::conformance::folder("game")
}

/// Returns the published programs as pairs of path and text.
pub fn programs() -> Option<Vec<(PathBuf, String)>> {
    let folder = conformance()?;
    let mut paths: Vec<PathBuf> = ["corpora", "games"]
        .into_iter()
        .flat_map(|part| std::fs::read_dir(folder.join(part)).expect("the folder can be read"))
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "pddl" || extension == "txt"))
        .collect();
    paths.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("the program can be read");
        (path, text)
    };
    Some(paths.into_iter().map(read).collect())
}

/// Renders the errors with their places, one per line.
pub fn errors(source: &SourceFile, diagnostics: &[Diagnostic]) -> Vec<String> {
    diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.is_error())
        .map(|diagnostic| {
            let (line, column) = diagnostic.span.map_or((0, 0), |span| source.line_column(span.start));
            format!("{}:{line}:{column} {} {}", source.name(), diagnostic.code, diagnostic.message)
        })
        .collect()
}

/// A case of a case file.
#[derive(Debug)]
pub struct Case {
    /// The title of the case.
    pub title: String,
    /// The complete program.
    pub program: String,
    /// The expected findings, in the format of [`finding`].
    pub expected: Vec<String>,
}

/// Parses a case file. A case consists of a line `=== KIND: TITLE`, a text, a line `---`, and one line for each expected finding. The
/// kind determines how the text is completed to a program.
pub fn cases(text: &str) -> Vec<Case> {
    let mut cases = Vec::new();
    for block in text.split("\n=== ").skip(1) {
        let (head, rest) = block.split_once('\n').expect("a case has lines");
        let (kind, title) = head.split_once(": ").expect("a case has a kind and a title");
        let (input, expected) =
            rest.split_once("---\n").or_else(|| rest.split_once("---")).expect("a case has a line ---");
        let expected = expected.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect();
        cases.push(Case { title: title.to_owned(), program: program(kind, input.trim_end()), expected });
    }
    assert!(!cases.is_empty(), "the file has cases");
    cases
}

fn program(kind: &str, text: &str) -> String {
    let head = "(define (game demo) (:domain few-objects-room-v1)";
    let simple = "(:constraints (preference p (exists (?b - ball ?c - block) (at-end (on ?b ?c)))))";
    match kind {
        "game" => text.to_owned(),
        "sections" => format!("{head} {text})"),
        "setup" => format!("{head} (:setup {text}) {simple} (:scoring (count p)))"),
        "condition" => format!(
            "{head} (:constraints (preference p (exists (?b - ball ?c - block) (at-end {text})))) (:scoring (count p)))"
        ),
        "constraints" => format!("{head} (:constraints {text}) (:scoring (count p)))"),
        "terminal" => format!("{head} {simple} (:terminal {text}) (:scoring (count p)))"),
        "scoring" => format!("{head} {simple} (:scoring {text}))"),
        _ => panic!("unknown kind of case {kind}"),
    }
}

/// Renders a finding in one line: severity, code, the text at its span, and its first fix.
pub fn finding(source: &SourceFile, diagnostic: &Diagnostic) -> String {
    let severity = match diagnostic.severity {
        Severity::Note => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    };
    let place = diagnostic.span.map_or("", |span| source.slice(span)).split_whitespace().collect::<Vec<_>>().join(" ");
    let fix = diagnostic.fixes.first().map(|fix| format!(" fix: {}", fix.title)).unwrap_or_default();
    format!("{severity} {} `{place}`{fix}", diagnostic.code)
}

/// Returns the text with a fix applied.
pub fn apply(text: &str, fix: &Fix) -> String {
    let mut edits = fix.edits.clone();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.start));
    let mut text = text.to_owned();
    for edit in edits {
        text.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.replacement);
    }
    text
}

/// Runs all cases of a file and fails with every case that differs from its expectation. Every fix must remove the finding that it
/// belongs to.
pub fn check(text: &str, run: impl Fn(&SourceFile) -> Vec<Diagnostic>) {
    let mut mismatches = Vec::new();
    for case in cases(text) {
        let source = texts::source("case", &case.program);
        let diagnostics = run(&source);
        let found: Vec<_> = diagnostics.iter().map(|diagnostic| finding(&source, diagnostic)).collect();
        if found != case.expected {
            mismatches.push(format!("=== {}\n{}\nexpected:", case.title, case.program));
            mismatches.extend(case.expected);
            mismatches.push("found:".to_owned());
            let with_message = |(line, diagnostic): (&String, &Diagnostic)| format!("{line}  ({})", diagnostic.message);
            mismatches.extend(found.iter().zip(&diagnostics).map(with_message));
        }
        for (diagnostic, fix) in diagnostics.iter().flat_map(|one| one.fixes.iter().map(move |fix| (one, fix))) {
            let fixed = apply(&case.program, fix);
            let count =
                |diagnostics: &[Diagnostic]| diagnostics.iter().filter(|one| one.code == diagnostic.code).count();
            if count(&run(&texts::source("fixed", &fixed))) >= count(&diagnostics) {
                mismatches.push(format!("=== {}\nthe fix `{}` does not help: {fixed}", case.title, fix.title));
            }
        }
    }
    assert!(mismatches.is_empty(), "{}", mismatches.join("\n"));
}
