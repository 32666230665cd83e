//! BDDL: the goals of all published activities.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use goalspec_bddl::ast::Problem;
use goalspec_bddl::dialect::Release;
use goalspec_bddl::{Dialect, codes, domains};
use goalspec_constraints::bddl::{BddlVocabulary, constraint};
use goalspec_constraints::layout::section;
use goalspec_constraints::{OutputConstraint, Part};

use crate::common::{
    Engine, Engines, count_errors, count_rejected, data, mutations, on_threads, rows, samples, source, sum_counts,
};

/// The codes of properties that the grammar leaves to the checker: whether variables are bound.
const LEFT_TO_CHECKER: [&str; 1] = [codes::UNDECLARED.0];

struct Activity {
    name: String,
    text: String,
    problem: Problem,
}

/// Returns the published activities of a release that have recorded results.
fn activities(version: &str) -> Option<Vec<Activity>> {
    let folder = data(&format!("bddl-{version}"))?.join("bddl/activity_definitions");
    let recorded = goalspec_testing::conformance::folder("bddl")?.join(format!("parse-{version}.jsonl.gz"));
    let names: BTreeSet<String> = rows(&recorded).iter().map(|row| row["a"].as_str().unwrap().to_owned()).collect();
    let read = |name: String| {
        let path: PathBuf = folder.join(&name).join("problem0.bddl");
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let problem = goalspec_bddl::parse::parse(&source(&name, &text), Dialect::STRICT).problems.remove(0);
        Activity { name, text, problem }
    };
    Some(names.into_iter().map(read).collect())
}

fn export(activity: &Activity, release: Release, part: Part) -> OutputConstraint {
    let vocabulary = BddlVocabulary::new(domains::of_release(release), Some(&activity.problem));
    constraint(&vocabulary, part).unwrap_or_else(|error| panic!("{}: {error}", activity.name))
}

/// Returns the goal of an activity in canonical layout. Of several conditions, which one activity has by mistake, only the first counts.
fn goal(constraint: &OutputConstraint, activity: &Activity) -> String {
    let goal = section(&constraint.canonical(&activity.text), ":goal").expect("a goal");
    let (head, condition) = goal.split_at("(:goal ".len());
    let mut depth = 0;
    let end = condition.find(|letter| {
        depth += i32::from(letter == '(') - i32::from(letter == ')');
        depth == 0
    });
    format!("{head}{})", &condition[..=end.expect("a condition")])
}

/// Returns the errors of an activity with another goal, by their codes.
fn errors(activity: &Activity, goal: &str, left_to_checker: &[&str]) -> BTreeMap<&'static str, usize> {
    let canonical = goalspec_constraints::layout::lower_case_forms(&activity.text);
    let own = section(&canonical, ":goal").expect("a goal");
    let parsed = goalspec_bddl::parse::parse(&source("activity", &canonical.replace(&own, goal)), Dialect::STRICT);
    let mut counts = BTreeMap::new();
    count_errors(&mut counts, &parsed.diagnostics, left_to_checker);
    counts
}

/// The numbers of published goals of the releases 1.0.0 and 3.6.0.
pub(crate) const ACCEPTED: [usize; 2] = [100, 797];

#[test]
fn published_goals_are_accepted_and_convert_to_json() {
    for (release, version, count) in [(Release::V1_0, "1.0.0", ACCEPTED[0]), (Release::V3_6, "3.6.0", ACCEPTED[1])] {
        let Some(activities) = activities(version) else { continue };
        on_threads(&activities, |activity| {
            let constraint = export(activity, release, Part::Goal);
            let text = goal(&constraint, activity);
            let engines = Engines::of(&constraint);
            engines.assert_accepts(&activity.name, &text);
            let value = constraint.value(&text).unwrap_or_else(|| panic!("{}: no value of {text}", activity.name));
            let program = constraint.program(&value).unwrap_or_else(|error| panic!("{}: {error}", activity.name));
            engines.assert_accepts(&activity.name, &program);
            let unrolled = constraint.unrolled_schema(goalspec_constraints::constraint::UNROLLED_DEPTH).unwrap();
            assert_eq!(unrolled.validate(&value), [], "{}", activity.name);
        });
        assert_eq!(activities.len(), count);
    }
}

#[test]
fn published_initial_states_are_accepted() {
    for (release, version) in [(Release::V1_0, "1.0.0"), (Release::V3_6, "3.6.0")] {
        let Some(activities) = activities(version) else { continue };
        on_threads(&activities, |activity| {
            let constraint = export(activity, release, Part::Init);
            let text = section(&constraint.canonical(&activity.text), ":init").expect("an initial state");
            let found = constraint.grammar().unwrap().matcher().check(&text);
            assert!(found.is_ok(), "{}: {found:?}", activity.name);
        });
    }
}

#[test]
fn mutations_that_the_parser_rejects_are_rejected() {
    let Some(activities) = activities("1.0.0") else { return };
    let counts = on_threads(&activities, |activity| {
        let constraint = export(activity, Release::V1_0, Part::Goal);
        let matcher = constraint.grammar().unwrap().matcher();
        let errors = |text: &str| errors(activity, text, &[]);
        count_rejected(mutations(&goal(&constraint, activity)), errors, &[], |text| matcher.check(text).is_err())
    });
    let [all, rejected] = sum_counts(counts);
    println!("{rejected} mutations of goals are rejected");
    assert!(rejected == all && rejected > 3_000, "{rejected} of {all}");
}

#[test]
fn random_goals_are_parsed_without_errors() {
    let Some(activities) = activities("1.0.0") else { return };
    on_threads(&activities, |activity| {
        for text in samples(&export(activity, Release::V1_0, Part::Goal), 20) {
            let found = errors(activity, &text, &LEFT_TO_CHECKER);
            assert!(found.is_empty(), "{}: {found:?}: {text}", activity.name);
        }
    });
}

#[test]
fn schemas_compile_and_complete_activities_are_derived() {
    let text = include_str!("../../../examples/bddl/watering_the_garden.bddl");
    let problem = goalspec_bddl::parse::parse(&source("example", text), Dialect::STRICT).problems.remove(0);
    let activity = Activity { name: "example".to_owned(), text: text.to_owned(), problem };
    let domain = domains::of_problem(&activity.problem, Dialect::STRICT, &[]).expect("a domain");
    let vocabulary = BddlVocabulary::new(domain, Some(&activity.problem));
    let of_goal = constraint(&vocabulary, Part::Goal).unwrap();
    let value = of_goal.value(&goal(&of_goal, &activity)).unwrap();
    assert!(Engine::of_schema(of_goal.schema().value()).accepts(&value.to_string()));
    for open in [false, true] {
        let vocabulary = BddlVocabulary::new(domain, (!open).then_some(&activity.problem));
        let constraint = constraint(&vocabulary, Part::Program).unwrap();
        for text in samples(&constraint, 20) {
            let parsed = goalspec_bddl::parse::parse(&source("sample", &text), Dialect::STRICT);
            let mut counts = BTreeMap::new();
            let left = [LEFT_TO_CHECKER[0], codes::DUPLICATE_INSTANCE.0];
            count_errors(&mut counts, &parsed.diagnostics, &left);
            assert!(parsed.problems.len() == 1 && (open || counts.is_empty()), "{counts:?}: {text}");
        }
    }
}
