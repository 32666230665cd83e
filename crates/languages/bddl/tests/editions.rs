//! Every published version: its knowledge base is loaded, and its activities are checked against it and described.

use goalspec_bddl::check::{Check, CheckContext, CheckStatus, check};
use goalspec_bddl::knowledge::{Edition, Knowledge};
use goalspec_bddl::{Dialect, codes, describe};

use crate::common;

/// The versions on the package index with their numbers of activities.
const VERSIONS: [(&str, Edition, usize); 5] = [
    ("1.0.0", Edition::V1_0, 100),
    ("1.0.1", Edition::V1_0, 100),
    ("3.1.0", Edition::V3_1, 1022),
    ("3.5.0", Edition::V3_5, 1016),
    ("3.6.0", Edition::V3_6, 1016),
];

fn knowledge(version: &str) -> Option<Knowledge> {
    let folder = common::definitions_of(version)?;
    Some(Knowledge::open(folder.parent()?).unwrap_or_else(|error| panic!("{version}: {}", error.message)))
}

#[test]
fn every_version_knows_its_own_activities() {
    for (version, edition, count) in VERSIONS {
        let (Some(knowledge), Some(activities)) = (knowledge(version), common::activities_of(version)) else {
            continue;
        };
        assert_eq!(knowledge.edition(), edition, "{version}");
        assert_eq!(activities.len(), count, "{version}");
        let compat = if edition == Edition::V1_0 { Dialect::COMPAT_1_0 } else { Dialect::COMPAT_3_6 };
        let (mut unreadable, mut assembled) = (Vec::new(), 0);
        for activity in &activities {
            let source = goalspec_testing::texts::source(&activity.name, &activity.text);
            for dialect in [Dialect::STRICT, compat] {
                let checked =
                    check(&source, CheckContext { dialect, knowledge: Some(&knowledge), ..CheckContext::default() });
                let errors: Vec<_> = checked.diagnostics.iter().filter(|found| found.is_error()).collect();
                assert!(errors.is_empty(), "{version} {}: {errors:?}", activity.name);
                let [problem] = &checked.problems[..] else { panic!("{version} {}: one problem", activity.name) };
                let text = describe::in_dialect(&source, problem, dialect);
                assert!(text.is_ok_and(|text| !text.is_empty()), "{version} {}", activity.name);
                assembled += usize::from(dialect == compat && activity.text.contains("(assembled"));
                if checked.statuses[0].of(Check::Applicable) == CheckStatus::Failed {
                    unreadable.push(activity.name.clone());
                }
            }
        }
        unreadable.dedup();
        // The activities that each version's own check of predicates rejects.
        let expected: &[&str] = match edition {
            Edition::V3_6 => &["boxing_books_up_for_storage", "loading_the_car"],
            _ => &[],
        };
        assert_eq!(unreadable, expected, "{version}");
        assert_eq!(assembled, if edition == Edition::V3_1 { 5 } else { 0 }, "{version}");
    }
}

#[test]
fn an_activity_of_another_version_is_reported() {
    let Some(knowledge) = knowledge("3.6.0") else { return };
    let text = "(define (problem p-0) (:domain omnigibson)
        (:objects shelf.n.01_1 - shelf.n.01 floor.n.01_1 - floor.n.01 zorp.n.01_1 appel.n.01_1 - appel.n.01)
        (:init (not (assembled shelf.n.01_1)) (ontop appel.n.01_1 floor.n.01_1)) (:goal (assembled ?shelf.n.01_1)))";
    let source = goalspec_testing::texts::source("other", text);
    let checked = check(&source, CheckContext { knowledge: Some(&knowledge), ..CheckContext::default() });
    let code = |code| checked.diagnostics.iter().find(|found| found.code == code).expect("it is reported");
    assert!(code(codes::OTHER_RELEASE).message.contains("3.6.0"));
    let unknown = code(codes::UNKNOWN_SYNSET);
    assert!(unknown.is_error() && unknown.help[0].contains("`apple.n.01`"), "{unknown:?}");
    // Without a knowledge base, neither diagnostic is reported.
    let checked = check(&source, CheckContext::default());
    assert!(
        checked.diagnostics.iter().all(|found| !found.code.0.contains("release") && !found.code.0.contains("synset"))
    );
}

/// The diagnostic is reported in both directions, and once for all predicates.
#[test]
fn an_unsupported_domain_of_an_activity_is_reported_at_the_domain() {
    let found_in = |version: &str, text: &str| {
        let knowledge = knowledge(version)?;
        let source = goalspec_testing::texts::source("other", text);
        let checked = check(&source, CheckContext { knowledge: Some(&knowledge), ..CheckContext::default() });
        let code = codes::OTHER_RELEASE;
        Some(checked.diagnostics.iter().filter(|found| found.code == code).map(|found| found.message.clone()).collect())
    };
    let old = "(define (problem p_0) (:domain igibson)
        (:objects plate.n.04_1 - plate.n.04 floor.n.01_1 - floor.n.01)
        (:init (stained plate.n.04_1) (dusty plate.n.04_1) (onfloor plate.n.04_1 floor.n.01_1))
        (:goal (not (stained ?plate.n.04_1))))";
    let new = "(define (problem p-0) (:domain omnigibson)
        (:objects plate.n.04_1 - plate.n.04 floor.n.01_1 - floor.n.01)
        (:init (ontop plate.n.04_1 floor.n.01_1)) (:goal (not (ontop ?plate.n.04_1 ?floor.n.01_1))))";
    for (version, text, words) in [
        ("3.6.0", old, &["`igibson`", "3.6.0", "`stained`", "`dusty`"][..]),
        ("1.0.0", new, &["`omnigibson`", "1.0.0"]),
        ("1.0.0", old, &[]),
        ("3.6.0", new, &[]),
    ] {
        let Some(found): Option<Vec<String>> = found_in(version, text) else { continue };
        assert_eq!(found.len(), usize::from(!words.is_empty()), "{version}: {found:?}");
        assert!(words.iter().all(|word| found[0].contains(word)), "{version}: {found:?}");
    }
}

/// If a region has itself as its target, the suggested names are those of possible targets.
#[test]
fn targets_of_regions_are_objects() {
    let source = goalspec_testing::texts::source(
        "libero",
        "(define (problem p) (:domain robosuite) (:language put it there)
            (:regions (bowl_region (:target kitchen_tabel) (:ranges ((0 0 1 1))))
                (kitchen_tabel_region (:target kitchen_tabl) (:ranges ((0 0 1 1)))))
            (:fixtures kitchen_table - kitchen_table) (:objects bowl_1 - bowl) (:obj_of_interest bowl_1)
            (:init (On bowl_1 kitchen_table)) (:goal (And (On bowl_1 kitchen_table))))",
    );
    let checked = check(&source, CheckContext { dialect: Dialect::LIBERO, ..CheckContext::default() });
    let help: Vec<_> = checked.diagnostics.iter().filter(|found| found.code == codes::UNDECLARED).collect();
    assert_eq!(help.len(), 2, "{help:?}");
    assert!(help.iter().all(|found| found.help[0].contains("`kitchen_table`")), "{help:?}");
}

/// The requirements are known for all predicates of the BEHAVIOR domains, and only for these.
#[test]
fn other_domains_need_nothing_that_is_known() {
    let needs = |text: &str, dialect| {
        let source = goalspec_testing::texts::source("needs", text);
        let problem = check(&source, CheckContext { dialect, ..CheckContext::default() }).problems.remove(0);
        goalspec_bddl::check::requirements::of_problem(&problem, None).properties.len()
    };
    let tail = "(:init (open box_1)) (:goal (and (open box_1))))";
    let libero = format!(
        "(define (problem p) (:domain robosuite) (:language open it) (:regions) (:fixtures box_1 - box) (:objects) (:obj_of_interest box_1) {tail}"
    );
    assert_eq!(needs(&libero, Dialect::LIBERO), 0);
    let behavior = |domain: &str| format!("(define (problem p-0) (:domain {domain}) (:objects box_1 - box) {tail}");
    assert_eq!(needs(&behavior("kitchens"), Dialect::STRICT), 0);
    for domain in ["igibson", "omnigibson", "behavior-1k"] {
        assert!(needs(&behavior(domain), Dialect::STRICT) > 0, "{domain}");
    }
}

#[test]
fn no_key_of_a_layout_stands_twice() {
    for invalid in [
        r#"{"kitchen": {"fridge": 3, "fridge": 1}}"#,
        r#"{"kitchen": {"fridge": 3}, "kitchen": {"sink": 1}}"#,
        r#"{"kitchen": {"fridge": 3}, "k\u0069tchen": {"sink": 1}}"#,
    ] {
        let errors = goalspec_bddl::wildcard::parse_layout(invalid).map_err(|error| error.to_string());
        assert!(errors.as_ref().is_err_and(|error| error.contains("duplicate key")), "{invalid}: {errors:?}");
    }
    let apart = r#"{"kitchen": {"fridge": 3}, "bar": {"fridge": 1}}"#;
    assert!(goalspec_bddl::wildcard::parse_layout(apart).is_ok_and(|layout| layout.len() == 2));
}

/// Unknown names are reported with the nearest known one, in layouts of scenes and as targets of LIBERO's regions.
#[test]
fn unknown_names_have_neighbours() {
    let source = goalspec_testing::texts::source(
        "libero",
        "(define (problem p) (:domain robosuite) (:language open it)
            (:regions (top (:target cabinet_11) (:ranges ((0 0 1 1)))))
            (:fixtures cabinet_1 - cabinet) (:objects bowl_1 - bowl) (:obj_of_interest bowl_1)
            (:init (On bowl_1 cabinet_1)) (:goal (And (Open cabinet_1))))",
    );
    let checked = check(&source, CheckContext { dialect: Dialect::LIBERO, ..CheckContext::default() });
    let errors: Vec<_> = checked.diagnostics.iter().filter(|found| found.code == codes::UNDECLARED).collect();
    let [target] = &errors[..] else { panic!("{errors:?}") };
    assert_eq!(target.code, codes::UNDECLARED);
    assert!(target.message.contains("`cabinet_11`") && target.help[0].contains("`cabinet_1`"), "{target:?}");

    let Some(knowledge) = knowledge("3.6.0") else { return };
    let layout = r#"{"kitchen": {"fridgee": 3, "fridge": 1}, "kichen": {"fridgee": 1}}"#;
    let layout = goalspec_bddl::wildcard::parse_layout(layout).expect("it is one");
    let found = goalspec_bddl::wildcard::unknown_names(&layout, &knowledge);
    let messages: Vec<(&str, &str)> = found.iter().map(|(_, found)| (&*found.message, &*found.help[0])).collect();
    let [(room, kitchen), (category, fridge)] = messages[..] else { panic!("{messages:?}") };
    assert!(room.contains("`kichen`") && kitchen.contains("`kitchen`"), "{room} {kitchen}");
    assert!(category.contains("`fridgee`") && fridge.contains("`fridge`"), "{category} {fridge}");
}
