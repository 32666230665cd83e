//! The layout of activities and domains.

mod common;

use goalspec_bddl::dialect::Release;
use goalspec_bddl::{Dialect, format, parse};

/// A text and its layout; both must mean the same, and the layout must be its own layout.
fn check(text: &str, expected: &str) {
    let source = common::source("case", text);
    let formatted = format::format(&source);
    assert_eq!(formatted, expected, "\nformatted:\n{formatted}\nexpected:\n{expected}");
    let again = common::source("formatted", &formatted);
    assert_eq!(format::format(&again), formatted, "formatting is stable");
    let (before, after) = (parse::parse(&source, Dialect::LIBERO), parse::parse(&again, Dialect::LIBERO));
    assert_eq!((before.problems, before.domains), (after.problems, after.domains), "formatting keeps the meaning");
}

#[test]
fn layouts_are_as_expected() {
    let cases = include_str!("cases/format.txt");
    let mut count = 0;
    for case in cases.split("\n=== ").skip(1) {
        let (_, rest) = case.split_once('\n').expect("a case has a title");
        let (text, expected) = rest.split_once("\n---\n").expect("a case has a line ---");
        check(text, &format!("{}\n", expected.trim_end()));
        count += 1;
    }
    assert!(count > 5);
}

#[test]
fn published_activities_keep_their_meaning() {
    for release in [Release::V1_0, Release::V3_6] {
        let Some(activities) = common::activities(release) else { continue };
        for activity in activities {
            let name = &activity.name;
            let source = common::source(name, &activity.text);
            let formatted = format::format(&source);
            let again = common::source(name, &formatted);
            assert_eq!(format::format(&again), formatted, "{name}: formatting is stable");
            let (before, after) = (parse::parse(&source, Dialect::STRICT), parse::parse(&again, Dialect::STRICT));
            assert_eq!(before.problems, after.problems, "{name}");
            assert_eq!(before.diagnostics.len(), after.diagnostics.len(), "{name}");
            let long = formatted.lines().find(|line| line.chars().count() > format::WIDTH);
            assert_eq!(long, None, "{name}: lines fit");
        }
    }
}
