//! The LOT experiment: facts, sentences and plans.

use goalspec_constraints::lot::{LotVocabulary, english, facts, plan};
use goalspec_lot::{Problem, View, english as sentences, pddl};

use crate::common::{Engine, Engines, mutations, rows, samples, source};

fn vocabulary(objects: &[&str], facts: Option<u32>) -> LotVocabulary {
    LotVocabulary { objects: objects.iter().map(|&name| name.to_owned()).collect(), facts }
}

/// Returns the problems of the published set, with their names.
fn problems() -> Option<Vec<(String, Problem)>> {
    let folder = goalspec_testing::conformance::folder("planning/lot")?.join("problems");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let read = |path: std::path::PathBuf| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        (name, serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap())
    };
    Some(paths.into_iter().map(read).collect())
}

/// The number of true states and goals of the published set.
pub(crate) const ACCEPTED: usize = 618;

#[test]
fn true_states_and_goals_are_accepted_and_convert_to_json() {
    let Some(problems) = problems() else { return };
    let mut accepted = 0;
    for (name, problem) in &problems {
        for view in View::ALL {
            let view = problem.view(view);
            let objects: Vec<String> = view.objects().pddl_names().map(str::to_owned).collect();
            let vocabulary = LotVocabulary { objects, facts: None };
            let [of_facts, of_english] = [facts(&vocabulary).unwrap(), english(&vocabulary).unwrap()];
            let engines = [Engines::of(&of_facts), Engines::of(&of_english)];
            for relations in [view.initial.relations(), view.goal.clone()] {
                let text = of_facts.canonical(&pddl::facts(&relations));
                engines[0].assert_accepts(name, &text);
                engines[1].assert_accepts(name, &sentences::text(&relations));
                let value = of_facts.value(&text).unwrap();
                assert_eq!(of_facts.program(&value).unwrap(), text);
                let counted = LotVocabulary { facts: Some(relations.len() as u32), ..vocabulary.clone() };
                assert!(Engines::of(&facts(&counted).unwrap()).accepts(&text));
                accepted += 1;
            }
        }
    }
    assert_eq!(accepted, ACCEPTED);
}

#[test]
fn mutations_of_facts_are_rejected() {
    let constraint = facts(&vocabulary(&["tea-pot", "tray", "cup"], None)).unwrap();
    let engines = Engines::of(&constraint);
    let schema = Engine::of_schema(constraint.schema().value());
    let text = "(on tea-pot tray)";
    assert!(engines.accepts(&format!("{text}\n")));
    let value = constraint.value(text).unwrap();
    assert!(schema.accepts(&value.to_string()), "{value}");
    for mutation in mutations(text) {
        let mutation = format!("{mutation}\n");
        assert!(!engines.accepts(&mutation), "{mutation}");
        if let Some(value) = constraint.value(&mutation) {
            assert!(constraint.program(&value).is_err(), "{mutation}");
        }
    }
    let two = Engines::of(&facts(&vocabulary(&["tray", "cup"], Some(2))).unwrap());
    assert!(two.accepts("(clear cup)\n(on cup tray)\n"));
    assert!(!two.accepts("(clear cup)\n") && !two.accepts("(clear cup)\n(clear cup)\n(clear cup)\n"));
}

#[test]
fn random_facts_sentences_and_plans_are_read_without_errors() {
    let vocabulary = vocabulary(&["tea-pot", "tray", "cup", "tea-cup"], None);
    let objects: goalspec_lot::names::ObjectTable = vocabulary.objects.iter().map(String::as_str).collect();
    for text in samples(&facts(&vocabulary).unwrap(), 200) {
        let (file, empty) = (source("facts", &text), source("facts", ""));
        let rules = goalspec_lot::translation::ReadingRules::Default;
        let read = goalspec_lot::translation::read(&file, &empty, &objects, rules);
        let unread: Vec<_> =
            read.diagnostics.iter().filter(|found| found.span.is_some_and(|span| span.source == file.id())).collect();
        assert!(unread.iter().all(|found| !found.is_error()), "{text}: {unread:?}");
        assert_eq!(read.initial.facts.len(), text.lines().count());
    }
    for text in samples(&english(&vocabulary).unwrap(), 200) {
        let parsed = sentences::parse(&source("text", &text), Some(&objects));
        let unread: Vec<_> = parsed.diagnostics.iter().filter(|found| found.is_error()).collect();
        assert!(unread.is_empty(), "{text}: {unread:?}");
    }
    for text in samples(&plan(&vocabulary).unwrap(), 200) {
        let lines = goalspec_lot::plan::read(&source("plan", &text));
        assert!(lines.iter().all(|line| line.action.is_some()), "{text}");
        assert_eq!(lines.len(), text.lines().count());
    }
}

/// Recorded translations that fail because of undeclared objects are rejected, and none that states the true facts.
#[test]
fn recorded_translations_with_undeclared_objects_are_rejected() {
    let Some(problems) = problems() else { return };
    let folder = goalspec_testing::conformance::folder("planning/lot").unwrap();
    let (mut translations, mut failing, mut rejected_failing) = (0, 0, 0);
    for view in View::ALL {
        for row in rows(&folder.join(format!("translate-{view}.jsonl.gz"))) {
            let id = row["id"].as_str().unwrap();
            let (_, problem) = problems.iter().find(|(name, _)| name.ends_with(id)).unwrap();
            let problem = problem.view(view);
            let objects: Vec<String> = problem.objects().pddl_names().map(str::to_owned).collect();
            let constraint = facts(&LotVocabulary { objects, facts: None }).unwrap();
            let engines = Engines::of(&constraint);
            let replies = ["init_res", "goal_res"].map(|part| constraint.canonical(row[part].as_str().unwrap()));
            let is_accepted = replies.iter().all(|text| engines.accepts(text));
            let truth =
                [problem.initial.relations(), problem.goal].map(|facts| constraint.canonical(&pddl::facts(&facts)));
            assert!(is_accepted || replies != truth, "{id} {view}");
            translations += 1;
            if row["succeed"] == false {
                failing += 1;
                rejected_failing += usize::from(!is_accepted);
            }
        }
    }
    assert_eq!((translations, failing, rejected_failing), (300, 37, 15));
}
