//! Checks of the diagnostics of a language: case files, and the documentation and coverage of codes.

use std::collections::BTreeSet;

use goalspec_syntax::diagnostic::{Applicability, Code, CodeDoc};
use goalspec_syntax::{Diagnostic, SourceFile, fix};

use crate::texts;

/// Renders a finding in one line: severity, code, the text at its span, and its first fix.
fn line(source: &SourceFile, found: &Diagnostic) -> String {
    let place = found.span.map_or("", |span| source.slice(span)).split_whitespace().collect::<Vec<_>>().join(" ");
    let fix = found.fixes.first().map(|fix| format!(" fix: {}", fix.title)).unwrap_or_default();
    format!("{} {} `{place}`{fix}", found.severity, found.code)
}

fn count(found: &[Diagnostic], code: Code) -> usize {
    found.iter().filter(|diagnostic| diagnostic.code == code).count()
}

/// Asserts that the findings equal those in a case file. A case consists of a line `=== KIND`, a text or a part of one, a line `---`,
/// and a line for each finding. Each fix must remove its finding, and may cause others. `whole` completes a part of a kind to a text;
/// `lint` returns all findings in a text of a kind.
///
/// # Panics
/// Panics if a case is malformed or has other findings.
pub fn assert_cases(
    cases: &str,
    whole: impl Fn(&str, &str) -> String,
    lint: impl Fn(&str, &SourceFile) -> Vec<Diagnostic>,
) {
    let mut wrong = Vec::new();
    for block in cases.split("\n=== ").skip(1) {
        let (kind, rest) = block.split_once('\n').expect("a case has lines");
        let (part, expected) = rest.split_once("---").expect("a case has a line ---");
        let expected: Vec<&str> = expected.lines().filter(|line| !line.is_empty()).collect();
        let source = texts::source("case", &whole(kind, part.trim_end()));
        let found = lint(kind, &source);
        let lines: Vec<String> = found.iter().map(|diagnostic| line(&source, diagnostic)).collect();
        if lines != expected {
            let messages: Vec<&str> = found.iter().map(|diagnostic| diagnostic.message.as_str()).collect();
            let (text, expected, lines) = (source.text(), expected.join("\n"), lines.join("\n"));
            wrong.push(format!("{text}\nexpected:\n{expected}\nfound:\n{lines}\n{messages:?}"));
        }
        for diagnostic in found.iter().filter(|diagnostic| !diagnostic.fixes.is_empty()) {
            let fixed = fix::apply(&source, std::slice::from_ref(diagnostic), Applicability::Unsafe);
            let after = lint(kind, &texts::source("fixed", &fixed.text));
            if fixed.applied != 1 || count(&after, diagnostic.code) >= count(&found, diagnostic.code) {
                wrong.push(format!("the fix `{}` does not help: {}", diagnostic.fixes[0].title, fixed.text));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Asserts that every code belongs to the language, is documented once, and has a case. Codes in `excluded`, which do not occur in a
/// text alone, need no case.
///
/// # Panics
/// Panics if a code does not meet the requirements.
pub fn assert_documented<'d>(
    language: &str,
    docs: impl IntoIterator<Item = &'d CodeDoc>,
    cases: &str,
    excluded: &[Code],
) {
    let mut seen = BTreeSet::new();
    for doc in docs {
        let code = doc.code.0;
        assert!(code.starts_with(&format!("{language}/")) && seen.insert(code), "{code}");
        assert!(doc.summary.ends_with('.') && doc.explanation.len() > doc.summary.len(), "{code}");
        assert!(excluded.contains(&doc.code) || cases.contains(&format!("{code} `")), "no case for {code}");
    }
}
