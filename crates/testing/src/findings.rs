//! What a language reports of texts: cases in files, and codes that have documentation and cases.

use std::collections::BTreeSet;

use goalspec_syntax::diagnostic::{Applicability, Code, CodeDoc};
use goalspec_syntax::{Diagnostic, SourceFile, fix};

use crate::texts;

/// A finding in one line: severity, code, the text of its place, its first fix.
fn line(source: &SourceFile, found: &Diagnostic) -> String {
    let place = found.span.map_or("", |span| source.slice(span)).split_whitespace().collect::<Vec<_>>().join(" ");
    let fix = found.fixes.first().map(|fix| format!(" fix: {}", fix.title)).unwrap_or_default();
    format!("{} {} `{place}`{fix}", found.severity, found.code)
}

fn count(found: &[Diagnostic], code: Code) -> usize {
    found.iter().filter(|one| one.code == code).count()
}

/// Compares what is found with a file of cases: a line `=== KIND`, a text or a part of one, a line `---`, and a line for each finding.
/// Each fix must take its finding away; it may bring others to light. `whole` makes the text of a case of its kind and part, `find`
/// everything that is found in a text of a kind.
///
/// # Panics
/// If a case is not written so, or differs.
pub fn assert_cases(
    cases: &str,
    whole: impl Fn(&str, &str) -> String,
    find: impl Fn(&str, &SourceFile) -> Vec<Diagnostic>,
) {
    let mut wrong = Vec::new();
    for block in cases.split("\n=== ").skip(1) {
        let (kind, rest) = block.split_once('\n').expect("a case has lines");
        let (part, expected) = rest.split_once("---").expect("a case has a line ---");
        let expected: Vec<&str> = expected.lines().filter(|line| !line.is_empty()).collect();
        let source = texts::source("case", &whole(kind, part.trim_end()));
        let found = find(kind, &source);
        let lines: Vec<String> = found.iter().map(|one| line(&source, one)).collect();
        if lines != expected {
            let messages: Vec<&str> = found.iter().map(|one| one.message.as_str()).collect();
            let (text, expected, lines) = (source.text(), expected.join("\n"), lines.join("\n"));
            wrong.push(format!("{text}\nexpected:\n{expected}\nfound:\n{lines}\n{messages:?}"));
        }
        for one in found.iter().filter(|one| !one.fixes.is_empty()) {
            let fixed = fix::apply(&source, std::slice::from_ref(one), Applicability::Unsafe);
            let after = find(kind, &texts::source("fixed", &fixed.text));
            if fixed.applied != 1 || count(&after, one.code) >= count(&found, one.code) {
                wrong.push(format!("the fix `{}` does not help: {}", one.fixes[0].title, fixed.text));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Every code is of the language, documented once, and, unless it comes up `elsewhere` than in texts by themselves, has a case.
///
/// # Panics
/// If one is not, or has none.
pub fn assert_documented<'d>(
    language: &str,
    docs: impl IntoIterator<Item = &'d CodeDoc>,
    cases: &str,
    elsewhere: &[Code],
) {
    let mut seen = BTreeSet::new();
    for doc in docs {
        let code = doc.code.0;
        assert!(code.starts_with(&format!("{language}/")) && seen.insert(code), "{code}");
        assert!(doc.summary.ends_with('.') && doc.explanation.len() > doc.summary.len(), "{code}");
        assert!(elsewhere.contains(&doc.code) || cases.contains(&format!("{code} `")), "no case for {code}");
    }
}
