//! The strict parser on all published activities.

use std::collections::BTreeMap;

use goalspec_bddl::dialect::Release;
use goalspec_bddl::parse::release::{ProblemRequest, compile_problem};
use goalspec_bddl::parse::{ParseOutput, parse};
use goalspec_bddl::{Dialect, ast, codes, domains, lint};
use goalspec_syntax::Severity;

use crate::common;

fn read(release: Release) -> Option<Vec<(String, ParseOutput)>> {
    let activities = common::activities(release)?;
    let read = |activity: common::Activity| {
        let parsed = parse(&goalspec_testing::texts::source(&activity.name, &activity.text), Dialect::STRICT);
        (activity.name, parsed)
    };
    Some(activities.into_iter().map(read).collect())
}

#[test]
fn only_the_known_defects_are_errors_or_warnings() {
    let known = [
        ("clean_snap_peas", codes::SHADOWED_VARIABLE),
        ("loading_the_car", codes::SECOND_GOAL),
        ("passing_out_drinks", codes::DUPLICATE_INSTANCE),
        ("passing_out_drinks", codes::DUPLICATE_INSTANCE),
        ("wash_a_baseball_cap", codes::STRAY_TOKEN),
    ];
    for (release, count, defects) in [(Release::V1_0, 100, &[][..]), (Release::V3_6, 1016, &known[..])] {
        let Some(read) = read(release) else { continue };
        assert_eq!(read.len(), count);
        let mut found = Vec::new();
        for (name, parsed) in &read {
            assert_eq!((parsed.problems.len(), parsed.domains.len()), (1, 0), "{name}");
            assert!(parsed.diagnostics.iter().all(|found| !found.is_error()), "{name} can be used");
            for diagnostic in parsed.diagnostics.iter().filter(|diagnostic| diagnostic.severity > Severity::Note) {
                found.push((name.as_str(), diagnostic.code));
            }
        }
        assert_eq!(found, defects, "{release:?}");
    }
}

#[test]
fn harmless_peculiarities_are_counted() {
    // The number of files with a one-argument `and`, and the number of names in goals without a question mark.
    for (release, files, plain) in [(Release::V1_0, 17, 13), (Release::V3_6, 372, 63)] {
        let Some(read) = read(release) else { continue };
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        let mut plain_names = 0;
        for (_, parsed) in &read {
            let mut codes: Vec<&str> = parsed.diagnostics.iter().map(|diagnostic| diagnostic.code.0).collect();
            codes.sort_unstable();
            codes.dedup();
            for code in codes {
                *counts.entry(code).or_default() += 1;
            }
            let notes = parsed.diagnostics.iter().filter(|diagnostic| diagnostic.code == codes::MISSING_QUESTION_MARK);
            plain_names += notes.map(|note| note.fixes[0].edits.len()).sum::<usize>();
        }
        assert_eq!((counts["bddl/single-part"], plain_names), (files, plain), "{release:?}");
    }
}

/// Returns the distinct instances with their categories.
fn declared(problem: &ast::Problem) -> Vec<(String, String)> {
    let mut declared: Vec<_> = Vec::new();
    for (instance, category) in problem.instances() {
        let entry = (instance.text.to_string(), category.to_owned());
        if !declared.contains(&entry) {
            declared.push(entry);
        }
    }
    declared
}

/// The release parser and the strict parser return different results only for defective texts.
#[test]
fn both_readers_agree() {
    for (release, domain) in [(Release::V1_0, "igibson"), (Release::V3_6, "omnigibson")] {
        let (Some(read), Some(activities)) = (read(release), common::activities(release)) else { continue };
        let vocabulary = domains::builtin(domain).expect("it is built in");
        for ((name, parsed), activity) in read.iter().zip(activities) {
            let request = ProblemRequest::new(name, domain);
            let source = goalspec_testing::texts::source(name, &activity.text);
            let compiled = compile_problem(&source, release, &request, vocabulary).expect(name);
            let (ours, theirs) = (&parsed.problems[0], &compiled.problem);
            assert_eq!((&ours.name, &ours.domain, &ours.init), (&theirs.name, &theirs.domain, &theirs.init), "{name}");
            assert_eq!(declared(ours), declared(theirs), "{name}");
            assert_eq!(ours.goal, theirs.goal, "{name}");
            assert_eq!(compiled.printed_lines.is_empty(), name != "wash_a_baseball_cap", "{name}");
        }
    }
}

/// The number of findings of each lint. The expected numbers were computed independently, from the nested lists of the
/// activities.
#[test]
fn lints_find_the_expected_defects() {
    let expected: [(Release, &[(&str, usize)]); 2] = [
        (
            Release::V1_0,
            &[
                ("bddl/ambiguous-forn", 6),
                ("bddl/ambiguous-pairs", 9),
                ("bddl/instance-for-variable", 1),
                ("bddl/self-relation", 6),
            ],
        ),
        (
            Release::V3_6,
            &[
                ("bddl/ambiguous-forn", 21),
                ("bddl/ambiguous-pairs", 33),
                ("bddl/instance-for-variable", 25),
                ("bddl/self-relation", 16),
                ("bddl/unused-variable", 1),
            ],
        ),
    ];
    for (release, expected) in expected {
        let Some(read) = read(release) else { continue };
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for (_, parsed) in &read {
            for finding in parsed.problems.iter().flat_map(lint::lint) {
                *counts.entry(finding.code.0).or_default() += 1;
            }
        }
        assert_eq!(counts.into_iter().collect::<Vec<_>>(), expected, "{release:?}");
    }
}
