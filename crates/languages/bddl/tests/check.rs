//! The checks of the releases, compared with recordings for all published activities, and one test case for each diagnostic.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::LazyLock;

use goalspec_bddl::check::{Check, CheckContext, CheckReport, CheckStatus, check};
use goalspec_bddl::codes;
use goalspec_bddl::dialect::{Dialect, Release};
use goalspec_bddl::knowledge::Knowledge;
use goalspec_bddl::parse;
use goalspec_bddl::wildcard;
use goalspec_syntax::{CodeDoc, Severity, SourceFile};
use proptest::prelude::*;

use crate::common;

fn knowledge(release: Release) -> Option<Knowledge> {
    let definitions = common::definitions(release)?;
    Some(Knowledge::open(definitions.parent()?).expect("the release is complete"))
}

/// Returns the recorded results of each check: the number of activities that fail it, and the first of them.
fn recorded() -> Option<BTreeMap<String, (usize, BTreeSet<String>)>> {
    let text = std::fs::read_to_string(common::conformance()?.join("verify-3.6.0.txt")).expect("it can be read");
    let mut checks = BTreeMap::new();
    let mut last = None;
    for line in text.lines() {
        if let Some((name, count)) = line.strip_suffix(" fail").and_then(|line| line.split_once(": ")) {
            checks.insert(name.to_owned(), (count.parse().expect("a count"), BTreeSet::new()));
            last = Some(name.to_owned());
        } else if let (Some(activity), Some(last)) = (line.trim_start().strip_prefix("('"), &last) {
            let activity = activity.split('\'').next().expect("a name").to_owned();
            checks.get_mut(last).expect("the check is listed").1.insert(activity);
        }
    }
    Some(checks)
}

/// Returns all published activities of a release with their check results.
fn checked(release: Release) -> Option<Vec<(common::Activity, CheckReport)>> {
    let (knowledge, activities) = (knowledge(release)?, common::activities(release)?);
    let run = |activity: common::Activity| {
        let source = goalspec_testing::texts::source(&format!("{}/problem0.bddl", activity.name), &activity.text);
        let checked = check(&source, CheckContext { knowledge: Some(&knowledge), ..CheckContext::default() });
        (activity, checked)
    };
    Some(activities.into_iter().map(run).collect())
}

#[test]
fn verdicts_are_as_recorded() {
    let (Some(recorded), Some(activities)) = (recorded(), checked(Release::V3_6)) else { return };
    assert_eq!(activities.len(), 1016);
    let mut failing: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (activity, checked) in &activities {
        assert_eq!(checked.statuses.len(), 1, "{}", activity.name);
        for (check, verdict) in checked.statuses[0].iter() {
            assert_ne!(verdict, CheckStatus::Skipped, "{}: {}", activity.name, check.name());
            let failing = failing.entry(check.name()).or_default();
            if verdict == CheckStatus::Failed {
                failing.insert(activity.name.clone());
            }
        }
    }
    let wildcards: BTreeSet<String> = activities
        .iter()
        .filter(|(activity, _)| activity.text.contains("_*"))
        .map(|(activity, _)| activity.name.clone())
        .collect();
    assert_eq!(failing.len(), 15);
    for (check, failing) in failing {
        let (count, first) = &recorded[check];
        assert!(failing.is_superset(first), "{check}: {failing:?}");
        assert_eq!(failing.len(), *count, "{check}: {failing:?}");
        if *count == 14 {
            assert_eq!(failing, wildcards, "{check}");
        }
    }
}

/// Returns the documentation of the codes that only the checks report.
fn codes_of_checks() -> impl Iterator<Item = &'static CodeDoc> {
    let all = codes::ALL.iter().skip_while(|doc| doc.code != codes::CATEGORY_FORM);
    all.take_while(|doc| doc.code != codes::KNOWLEDGE_UNREADABLE)
}

#[test]
fn findings_in_published_activities_are_the_known_defects() {
    let Some(activities) = checked(Release::V3_6) else { return };
    let with = |code: goalspec_syntax::Code| -> Vec<&str> {
        let has = |checked: &CheckReport| checked.diagnostics.iter().any(|diagnostic| diagnostic.code == code);
        activities.iter().filter(|(_, checked)| has(checked)).map(|(activity, _)| &*activity.name).collect()
    };
    assert_eq!(with(codes::INAPPLICABLE), ["boxing_books_up_for_storage", "loading_the_car"]);
    assert_eq!(with(codes::WILDCARD).len(), 14);
    assert_eq!(with(codes::NO_MODELS), ["clean_suede_gloves"]);
    assert_eq!(with(codes::PLACED_TWICE), ["buy_meat_from_a_butcher"]);
    let machines = ["cook_potatoes", "make_chocolate_syrup", "make_oatmeal", "prepare_sea_salt_soak"];
    assert_eq!(with(codes::MISSING_MACHINE), machines);
    let scenes = [
        "carrying_in_groceries",
        "cleaning_up_plates_and_food",
        "hanging_pictures",
        "putting_on_license_plates",
        "putting_up_Christmas_decorations_inside",
        "setting_mousetraps",
        "sorting_clothes",
        "store_batteries",
    ];
    assert_eq!(with(codes::NO_SCENE), scenes);
    for code in [codes::UNREACHABLE, codes::UNKNOWN_SYNSET, codes::NO_AGENT] {
        assert!(with(code).is_empty(), "{code}");
    }
    let Some(old) = checked(Release::V1_0) else { return };
    let documented: BTreeSet<&str> = codes_of_checks().map(|doc| doc.code.0).collect();
    for (activity, checked) in &old {
        let diagnostics = checked.diagnostics.iter().filter(|diagnostic| documented.contains(diagnostic.code.0));
        for diagnostic in diagnostics {
            assert_eq!(diagnostic.code, codes::PLACED_TWICE, "{}: {diagnostic:?}", activity.name);
        }
    }
}

/// Counts the scenes that fit, over all activities and scenes.
#[test]
fn scenes_fit_activities() {
    let (Some(knowledge), Some(activities)) = (knowledge(Release::V3_6), checked(Release::V3_6)) else { return };
    let matching_scenes = |checked: &CheckReport| {
        let scenes = knowledge.unmet_by_scene(&checked.problems[0]);
        let matching_scenes = scenes.iter().filter(|(_, unmet_requirements)| unmet_requirements.is_empty()).count();
        assert_eq!(matching_scenes > 0, knowledge.has_scene(&checked.problems[0]));
        matching_scenes
    };
    assert_eq!(activities.iter().map(|(_, checked)| matching_scenes(checked)).sum::<usize>(), 11_591);
}

/// Returns the small knowledge base of the tests.
fn small() -> Knowledge {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/small");
    let knowledge = Knowledge::open(&folder).expect("the knowledge base is complete");
    assert_eq!(knowledge.inconsistencies(), []);
    knowledge
}

/// An activity without defects.
const GOOD: &str = "(define (problem slicing_fruit-0)
    (:domain omnigibson)
    (:objects
        apple.n.01_1 apple.n.01_2 - apple.n.01
        half__apple.n.01_1 - half__apple.n.01
        tea__mug.n.01_1 - tea__mug.n.01
        tea.n.01_1 - tea.n.01
        dust.n.01_1 - dust.n.01
        towel.n.01_1 - towel.n.01
        carton.n.02_1 - carton.n.02
        picture_frame.n.01_1 - picture_frame.n.01
        wall_nail.n.01_1 - wall_nail.n.01
        table.n.02_1 - table.n.02
        floor.n.01_1 - floor.n.01
        agent.n.01_1 - agent.n.01)
    (:init
        (ontop apple.n.01_1 table.n.02_1)
        (ontop apple.n.01_2 table.n.02_1)
        (ontop tea__mug.n.01_1 table.n.02_1)
        (filled tea__mug.n.01_1 tea.n.01_1)
        (covered table.n.02_1 dust.n.01_1)
        (draped towel.n.01_1 table.n.02_1)
        (ontop carton.n.02_1 floor.n.01_1)
        (inside picture_frame.n.01_1 carton.n.02_1)
        (ontop wall_nail.n.01_1 floor.n.01_1)
        (not (cooked apple.n.01_1))
        (inroom table.n.02_1 kitchen)
        (inroom floor.n.01_1 kitchen)
        (future half__apple.n.01_1)
        (ontop agent.n.01_1 floor.n.01_1))
    (:goal (and
        (real ?half__apple.n.01_1)
        (attached ?picture_frame.n.01_1 ?wall_nail.n.01_1)
        (forall (?apple.n.01 - apple.n.01) (not (covered ?apple.n.01 ?dust.n.01_1))))))
";

fn run(text: &str) -> (SourceFile, CheckReport) {
    let source = goalspec_testing::texts::source("slicing_fruit/problem0.bddl", text);
    let checked = check(&source, CheckContext { knowledge: Some(&small()), ..CheckContext::default() });
    (source, checked)
}

#[test]
fn correct_activities_have_no_diagnostics() {
    let (_, checked) = run(GOOD);
    assert_eq!(checked.diagnostics, []);
    assert!(checked.statuses[0].iter().all(|(_, verdict)| verdict == CheckStatus::Passed), "{:?}", checked.statuses);
}

/// A replacement in [`GOOD`], the code and the source text of the expected diagnostic, and the checks that fail.
type Case = (&'static str, &'static str, &'static str, &'static str, &'static [Check]);

const CASES: &[Case] = &[
    (
        "(inroom table.n.02_1 kitchen)",
        "(inroom table.n.02_1 kitchn)",
        "bddl/unknown-room",
        "kitchn",
        &[Check::SameObjects, Check::AllPlaced, Check::FutureReal, Check::KnownSynsets],
    ),
    (
        "(future half__apple.n.01_1)",
        "",
        "bddl/not-in-init",
        "half__apple.n.01_1",
        &[Check::SameObjects, Check::FutureReal],
    ),
    (
        "(ontop carton.n.02_1 floor.n.01_1)",
        "(nextto carton.n.02_1 floor.n.01_1)",
        "bddl/not-placed",
        "carton.n.02_1",
        &[Check::AllPlaced],
    ),
    (
        "(not (cooked apple.n.01_1))",
        "(inside apple.n.01_1 carton.n.02_1)",
        "bddl/placed-twice",
        "(inside apple.n.01_1 carton.n.02_1)",
        &[],
    ),
    (
        "(not (cooked apple.n.01_1))",
        "(not (nextto apple.n.01_1 apple.n.01_2))",
        "bddl/negative-placement",
        "(nextto apple.n.01_1 apple.n.01_2)",
        &[Check::AllPlaced],
    ),
    (
        "(not (cooked apple.n.01_1))",
        "(cooked apple.n.01_1) (not (cooked apple.n.01_1))",
        "bddl/contradictory-init",
        "(cooked apple.n.01_1)",
        &[Check::NoContradictoryInit],
    ),
    ("(real ?half__apple.n.01_1)", "", "bddl/future-not-real", "(future half__apple.n.01_1)", &[Check::FutureReal]),
    (
        "(real ?half__apple.n.01_1)",
        "(not (real ?half__apple.n.01_1))",
        "bddl/future-not-real",
        "(future half__apple.n.01_1)",
        &[Check::FutureReal],
    ),
    (
        "(future half__apple.n.01_1)",
        "",
        "bddl/real-not-in-init",
        "(real ?half__apple.n.01_1)",
        &[Check::SameObjects, Check::FutureReal],
    ),
    (
        "- dust.n.01",
        "- dust",
        "bddl/category-form",
        "dust",
        &[Check::ObjectForm, Check::KnownSynsets, Check::Applicable, Check::ContainersUsed, Check::SingleSubstances],
    ),
    (
        "dust.n.01_1 - dust.n.01",
        "dust.n.01_1 - dust.n.01 lamp.n.02_1 - lamp.n.02",
        "bddl/unknown-synset",
        "lamp.n.02",
        &[Check::SameObjects, Check::KnownSynsets, Check::Applicable, Check::ContainersUsed, Check::SingleSubstances],
    ),
    (
        "(?apple.n.01 - apple.n.01) (not (covered ?apple.n.01 ",
        "(?a - apple.n.01) (not (covered ?a ",
        "bddl/variable-name",
        "?a",
        &[Check::SameObjects, Check::KnownSynsets, Check::Applicable],
    ),
    (
        "(ontop carton.n.02_1",
        "(cooked carton.n.02_1) (ontop carton.n.02_1",
        "bddl/inapplicable",
        "(cooked carton.n.02_1)",
        &[Check::Applicable],
    ),
    (
        "(covered table.n.02_1 dust",
        "(covered towel.n.01_1 tea.n.01_1) (covered table.n.02_1 dust",
        "bddl/inapplicable",
        "(covered towel.n.01_1 tea.n.01_1)",
        &[Check::Applicable],
    ),
    (
        "?picture_frame.n.01_1 ?wall_nail.n.01_1",
        "?wall_nail.n.01_1 ?picture_frame.n.01_1",
        "bddl/not-attachable",
        "(attached ?wall_nail.n.01_1 ?picture_frame.n.01_1)",
        &[Check::Applicable],
    ),
    (
        "(filled tea__mug.n.01_1 tea.n.01_1)",
        "(covered table.n.02_1 tea.n.01_1)",
        "bddl/specific-container",
        "tea__mug.n.01",
        &[Check::ContainersUsed],
    ),
    (
        "dust.n.01_1 - dust",
        "dust.n.01_1 dust.n.01_2 - dust",
        "bddl/substance-instances",
        "dust.n.01_1 dust.n.01_2 - dust.n.01",
        &[Check::SameObjects, Check::SingleSubstances],
    ),
    ("(ontop agent.n.01_1", "(under agent.n.01_1", "bddl/no-agent", "slicing_fruit-0", &[Check::AgentPresent]),
    ("slicing_fruit-0", "slicing_fruit_0", "bddl/problem-name", "slicing_fruit_0", &[Check::ProblemName]),
    (
        "(ontop apple.n.01_2",
        "(ontop ?apple.n.01_2",
        "bddl/extra-question-mark",
        "?apple.n.01_2",
        &[Check::NoMarksInInit],
    ),
    (
        "dust.n.01_1 - dust.n.01",
        "dust.n.01_1 - dust.n.01 relic.n.01_1 - relic.n.01",
        "bddl/no-models",
        "relic.n.01",
        &[Check::SameObjects],
    ),
    (
        "(inroom floor.n.01_1 kitchen)",
        "(inroom floor.n.01_1 bedroom) (inroom apple.n.01_1 bedroom)",
        "bddl/no-scene",
        "slicing_fruit-0",
        &[Check::AllPlaced, Check::Applicable],
    ),
    (
        "table.n.02_1 - table.n.02",
        "table.n.02_1 table.n.02_* - table.n.02",
        "bddl/wildcard",
        "table.n.02_*",
        &[Check::ObjectForm, Check::SameObjects],
    ),
    (
        "(real ?half__apple.n.01_1)",
        "(opne ?apple.n.01_1) (real ?half__apple.n.01_1)",
        "bddl/unknown-predicate",
        "opne",
        &[Check::KnownPredicates, Check::Compiles, Check::Applicable],
    ),
    (
        "?dust.n.01_1)",
        "?dust.n.01_2)",
        "bddl/undeclared",
        "?dust.n.01_2",
        &[Check::SameObjects, Check::KnownSynsets, Check::Compiles, Check::Applicable],
    ),
    (
        "(?apple.n.01 - apple.n.01)",
        "(?tea.n.01 - tea.n.02)",
        "bddl/unknown-category",
        "tea.n.02",
        &[Check::SameObjects, Check::KnownSynsets, Check::Compiles, Check::Applicable],
    ),
    (
        "towel.n.01_1 - towel.n.01",
        "towel.n.01_1 - towel.n.01 apple.n.01_3 - apple.n.01",
        "bddl/duplicate-category",
        "apple.n.01",
        &[Check::SameObjects, Check::NoRepeatedCategory],
    ),
];

#[test]
fn each_defect_is_found_where_it_is() {
    for (from, to, code, place, failing) in CASES {
        let text = GOOD.replacen(from, to, 1);
        assert_ne!(text, GOOD, "{from}");
        let (source, checked) = run(&text);
        let diagnostics = checked.diagnostics.iter().find(|diagnostic| diagnostic.code.0 == *code);
        let diagnostics = diagnostics.unwrap_or_else(|| panic!("{to}: no {code} in {:?}", checked.diagnostics));
        assert_eq!(source.slice(diagnostics.span.expect("a place")), *place, "{to}");
        assert!(
            !diagnostics.help.is_empty() || !diagnostics.fixes.is_empty() || !diagnostics.related.is_empty(),
            "{to}: no help"
        );
        let failed: Vec<Check> = checked.statuses[0]
            .iter()
            .filter(|(_, verdict)| *verdict == CheckStatus::Failed)
            .map(|(check, _)| check)
            .collect();
        assert_eq!(failed, *failing, "{to}: {:?}", checked.diagnostics);
    }
}

/// Whether `future` objects can be made, with and without an oven in place of the table, and the expected diagnostics.
#[test]
fn future_objects_can_be_produced() {
    let with = |synset: &str, oven: bool| {
        let text = GOOD.replace("half__apple.n.01", synset);
        let text = if oven { text.replace("table.n.02", "oven.n.01") } else { text };
        let (_, checked) = run(&text);
        let codes: Vec<&str> = checked.diagnostics.iter().map(|diagnostic| diagnostic.code.0).collect();
        let known = ["bddl/unreachable", "bddl/missing-machine", "bddl/non-leaf-future"];
        codes.into_iter().filter(|code| known.contains(code)).collect::<Vec<_>>()
    };
    assert_eq!(with("half__apple.n.01", false), [""; 0]);
    assert_eq!(with("apple_pie.n.01", true), [""; 0]);
    assert_eq!(with("apple_pie.n.01", false), ["bddl/missing-machine"]);
    assert_eq!(with("strudel.n.01", true), [""; 0]);
    assert_eq!(with("frame.n.10", true), ["bddl/unreachable"]);
    assert_eq!(with("pastry.n.02", true), [""; 0]);
    assert_eq!(with("pastry.n.02", false), ["bddl/non-leaf-future"]);
    assert_eq!(with("mug.n.04", true), ["bddl/non-leaf-future"], "that there is one does not make another");
}

#[test]
fn without_a_knowledge_base_a_note_lists_skipped_checks() {
    let source = goalspec_testing::texts::source("demo", GOOD);
    let checked = check(&source, CheckContext::default());
    let codes: Vec<&str> = checked.diagnostics.iter().map(|diagnostic| diagnostic.code.0).collect();
    assert_eq!(codes, ["bddl/no-knowledge"]);
    assert_eq!(checked.diagnostics[0].severity, Severity::Note);
    let skipped =
        [Check::KnownSynsets, Check::Applicable, Check::ContainersUsed, Check::SingleSubstances, Check::ProblemName];
    for (check, verdict) in checked.statuses[0].iter() {
        assert_eq!(verdict == CheckStatus::Skipped, skipped.contains(&check), "{check:?}");
    }
}

#[test]
fn objects_of_domains_without_rooms_need_no_place() {
    let problem = "(define (problem own) (:domain shelf) (:objects book.n.02_1 book.n.02_2 - book.n.02)
        (:init (shut book.n.02_1)) (:goal (and (shut book.n.02_2))))";
    let domain = |predicates: &str| {
        let text = format!("(define (domain shelf) (:predicates {predicates}))");
        parse::parse(&goalspec_testing::texts::source("domain", &text), Dialect::STRICT).domains
    };
    let source = goalspec_testing::texts::source("own", problem);
    let run = |domains: &[_]| check(&source, CheckContext { domains, ..CheckContext::default() });
    let codes = |checked: &CheckReport| -> Vec<&str> {
        let known = [codes::NO_AGENT, codes::NOT_PLACED, codes::NOT_IN_INIT];
        checked
            .diagnostics
            .iter()
            .map(|found| found.code)
            .filter(|code| known.contains(code))
            .map(|code| code.0)
            .collect()
    };
    let checked = run(&domain("(shut ?x)"));
    assert_eq!(codes(&checked), [""; 0], "{:?}", checked.diagnostics);
    for check in [Check::AllPlaced, Check::AgentPresent] {
        assert_eq!(checked.statuses[0].of(check), CheckStatus::Skipped);
    }
    let mut with_rooms = codes(&run(&domain("(shut ?x) (inroom ?x ?room)")));
    with_rooms.sort_unstable();
    assert_eq!(with_rooms, ["bddl/no-agent", "bddl/not-in-init", "bddl/not-placed"]);
}

#[test]
fn every_code_is_documented_once() {
    let all: Vec<&str> = codes::ALL.iter().map(|doc| doc.code.0).collect();
    let unique: BTreeSet<&str> = all.iter().copied().collect();
    assert_eq!(unique.len(), all.len());
}

/// Returns the words and parentheses of [`GOOD`].
fn words() -> Vec<String> {
    let spaced = GOOD.replace('(', " ( ").replace(')', " ) ");
    spaced.split_whitespace().map(str::to_owned).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// No malformed text causes a panic, every failed check has a diagnostic, and all spans are within the text.
    #[test]
    fn failed_checks_are_explained(
        changes in prop::collection::vec((0..4, any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..6),
        dialect in prop::sample::select(Dialect::NAMED.map(|(_, dialect)| dialect).to_vec()),
    ) {
        static SMALL: LazyLock<Knowledge> = LazyLock::new(small);
        let mut words = words();
        for (change, one, other) in changes {
            let (one, other) = (one.index(words.len()), other.index(words.len()));
            match change {
                0 => drop(words.remove(one)),
                1 => words.swap(one, other),
                2 => words.insert(one, words[other].clone()),
                _ => words[one] = words[other].clone(),
            }
        }
        let source = goalspec_testing::texts::source("slicing_fruit/problem0.bddl", &words.join(" "));
        let checked = check(&source, CheckContext { dialect, knowledge: Some(&SMALL), ..CheckContext::default() });
        prop_assert_eq!(checked.statuses.len(), checked.problems.len());
        let failed = checked.statuses.iter().any(|verdicts| !verdicts.all_pass());
        prop_assert!(!failed || !checked.diagnostics.is_empty(), "{:?}", checked.statuses);
        for span in checked.diagnostics.iter().filter_map(|diagnostic| diagnostic.span) {
            prop_assert!(span.start <= span.end && span.end as usize <= source.text().len());
        }
    }
}

/// With a scene, wildcards are expanded first: the new instances are declared, lints count them, and no check encounters a
/// wildcard.
#[test]
fn scenes_replace_wildcards_before_checks() {
    let text = "(define (problem tables-0) (:domain omnigibson)
        (:objects table.n.02_1 table.n.02_* - table.n.02 floor.n.01_1 - floor.n.01 agent.n.01_1 - agent.n.01)
        (:init (inroom table.n.02_1 kitchen) (inroom table.n.02_* kitchen) (inroom floor.n.01_1 kitchen)
            (ontop agent.n.01_1 floor.n.01_1))
        (:goal (and (touching ?table.n.02_3 ?floor.n.01_1)
            (forn (4) (?table.n.02 - table.n.02) (touching ?table.n.02 ?floor.n.01_1)))))";
    let source = goalspec_testing::texts::source("tables/problem0.bddl", text);
    let knowledge = small();
    let diagnostics = |scene: Option<&str>| {
        let scene = scene.map(|json| wildcard::parse_layout(json).expect("a layout"));
        let context = CheckContext { knowledge: Some(&knowledge), scene: scene.as_ref(), ..CheckContext::default() };
        let checked = check(&source, context);
        let codes: Vec<_> = checked.diagnostics.iter().map(|diagnostic| diagnostic.code.0).collect();
        (codes, checked.statuses[0].of(Check::ObjectForm), checked.problems[0].instances().count())
    };
    // The undeclared table prevents the lints from running.
    assert_eq!(diagnostics(None), (vec!["bddl/wildcard", "bddl/undeclared"], CheckStatus::Failed, 4));
    let three = r#"{"kitchen": {"table": 3, "floors": 1}}"#;
    // No scene of the small release has this many tables, which is irrelevant if a scene is specified.
    assert_eq!(diagnostics(Some(three)), (vec!["bddl/unsatisfiable-count"], CheckStatus::Passed, 5));
    let four = r#"{"kitchen": {"table": 4, "floors": 1}}"#;
    assert_eq!(diagnostics(Some(four)), (vec![], CheckStatus::Passed, 6));
    let none = r#"{"kitchen": {"floors": 1}}"#;
    let (codes, form, instances) = diagnostics(Some(none));
    assert!(codes.contains(&"bddl/wildcard-scene"), "{codes:?}");
    assert_eq!((form, instances), (CheckStatus::Failed, 4));
}
