//! The formatter, on test cases and on all published activities.

use goalspec_bddl::dialect::Release;
use goalspec_bddl::{Dialect, format, parse};
use goalspec_testing::texts;

use crate::common;

/// Checks the layout of a text: it must have the same meaning, and be idempotent.
fn check(text: &str, expected: &str) {
    let source = texts::source("case", text);
    let layout = texts::assert_layout(&source, format::format);
    let formatted = layout.text();
    assert_eq!(formatted, expected, "\nformatted:\n{formatted}\nexpected:\n{expected}");
    let (before, after) = (parse::parse(&source, Dialect::LIBERO), parse::parse(&layout, Dialect::LIBERO));
    assert_eq!((before.problems, before.domains), (after.problems, after.domains), "formatting keeps the meaning");
}

#[test]
fn layouts_are_as_expected() {
    for (text, expected) in texts::layout_cases(include_str!("cases/format.txt")) {
        check(text, &expected);
    }
}

#[test]
fn published_activities_keep_their_meaning() {
    for release in [Release::V1_0, Release::V3_6] {
        let Some(activities) = common::activities(release) else { continue };
        for activity in activities {
            let name = &activity.name;
            let source = texts::source(name, &activity.text);
            let layout = texts::assert_layout(&source, format::format);
            let formatted = layout.text();
            let (before, after) = (parse::parse(&source, Dialect::STRICT), parse::parse(&layout, Dialect::STRICT));
            assert_eq!(before.problems, after.problems, "{name}");
            assert_eq!(before.diagnostics.len(), after.diagnostics.len(), "{name}");
            let long = formatted.lines().find(|line| line.chars().count() > format::WIDTH);
            assert_eq!(long, None, "{name}: lines fit");
        }
    }
}
