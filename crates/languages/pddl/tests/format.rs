//! The formatting of domains and problems.

use goalspec_pddl::format;
use goalspec_syntax::sexp;
use goalspec_testing::texts;

use crate::common;

#[test]
fn layouts_are_as_expected() {
    for (text, expected) in texts::layout_cases(include_str!("cases/format.txt")) {
        let formatted = texts::assert_layout(&texts::source("case", text), format::format);
        assert_eq!(formatted.text(), expected, "\nformatted:\n{}\nexpected:\n{expected}", formatted.text());
    }
}

/// Returns the comments of a text, in order.
fn comments(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| Some(line[line.find(';')?..].trim_end())).collect()
}

#[test]
fn competition_tasks_keep_their_comments() {
    for pair in common::competition().unwrap_or_default() {
        for text in [&pair.domain, &pair.problem] {
            let formatted = texts::assert_layout(&texts::source(&pair.name, text), format::format);
            assert_eq!(comments(formatted.text()), comments(text), "{}", pair.name);
            // A comment after every line, regardless of its position in a list.
            let everywhere = text.lines().enumerate().filter(|(number, line)| number < &400 && !line.contains(';'));
            let everywhere: String = everywhere.map(|(number, line)| format!("{line} ; {number}\n")).collect();
            let formatted = texts::assert_layout(&texts::source(&pair.name, &everywhere), format::format);
            assert_eq!(comments(formatted.text()), comments(&everywhere), "{}", pair.name);
        }
    }
}

#[test]
fn competition_tasks_keep_their_meaning() {
    for pair in common::competition().unwrap_or_default() {
        let [domain, problem] = [&pair.domain, &pair.problem].map(|text| {
            let source = texts::source(&pair.name, text);
            let formatted = texts::assert_layout(&source, format::format);
            assert!(sexp::parse(&source).tree.eq_ignoring_layout(&sexp::parse(&formatted).tree), "{}", pair.name);
            formatted
        });
        let before = common::read(&[&pair.domain, &pair.problem]).task.expect("a task");
        let after = common::read(&[domain.text(), problem.text()]).task.expect("a task");
        assert_eq!((before.actions, before.axioms), (after.actions, after.axioms), "{}", pair.name);
        assert_eq!((before.goal, before.initial), (after.goal, after.initial), "{}", pair.name);
    }
}
