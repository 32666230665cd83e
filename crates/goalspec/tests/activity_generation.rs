//! New household activities: each passes all checks, has an option, and is about its scene.

use std::collections::BTreeSet;
use std::path::Path;

use goalspec::activity_generation::{ActivityGeneration, GeneratedActivity};
use goalspec::bddl::check::CheckStatus;
use goalspec::bddl::options::OptionCount;
use goalspec::generation::activity::{ActivityGenerationError, GoalChange};
use goalspec::goal_options;
use goalspec::library::{Library, LibraryOptions};
use goalspec::syntax::Severity;

const EXAMPLES: [&str; 3] = ["game_night.bddl", "lost_umbrellas.bddl", "watering_the_garden.bddl"];

fn texts() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/bddl");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("an example");
    EXAMPLES.iter().map(|name| ((*name).to_owned(), read(name))).collect()
}

fn generation() -> ActivityGeneration {
    let library = Library::from_texts(texts(), LibraryOptions::default());
    ActivityGeneration::new(&library, LibraryOptions::default()).expect("a generator")
}

/// Checks an activity by itself.
fn assert_sound(made: &GeneratedActivity) {
    let library = Library::from_texts([("made.bddl", &*made.text)], LibraryOptions::default());
    let findings = library.diagnostics().iter().filter(|diagnostic| diagnostic.severity >= Severity::Warning);
    assert_eq!(findings.count(), 0, "{:?}\n{}", library.diagnostics(), made.text);
    let activity = library.programs()[0].as_activity().expect("an activity");
    let failed: Vec<_> = activity.check_statuses.iter().filter(|(_, status)| *status == CheckStatus::Failed).collect();
    assert!(failed.is_empty(), "{failed:?}\n{}", made.text);
    let options = goal_options::list(activity, 0).expect("options");
    assert_ne!(options.count, OptionCount::Exactly(0), "{}", made.text);
    assert_ne!(options.min_missing, Some(0), "the goal must not hold at once\n{}", made.text);
    assert_eq!(&*activity.problem.name.text, format!("{}-0", made.name));
}

#[test]
fn activities_pass_all_checks() {
    let generation = generation();
    let mut goals = BTreeSet::new();
    for index in 0..60 {
        let made = generation.sample(5, index).expect("an activity");
        assert_sound(&made);
        assert_eq!(generation.sample(5, index).as_ref(), Some(&made), "the seed and the index determine an activity");
        goals.insert(made.text.split("(:goal").nth(1).expect("a goal").to_owned());
    }
    assert!(goals.len() >= 20, "{}", goals.len());
    let originals: Vec<String> = texts().into_iter().map(|(_, text)| text).collect();
    assert!(originals.iter().all(|text| !goals.contains(text.split("(:goal").nth(1).expect("a goal"))));
}

#[test]
fn variations_change_one_thing() {
    let generation = generation();
    for change in GoalChange::ALL {
        let mut made = 0;
        for example in 0..generation.example_count() {
            for index in 0..6 {
                let Some(activity) = generation.vary(example, &[change], (2, index)) else { continue };
                assert_sound(&activity);
                assert_eq!(activity.change, Some(change));
                made += 1;
            }
        }
        // Things can be exchanged only for things that play the same roles, of which few examples have few.
        assert!(made > 0 || change == GoalChange::Exchange, "{}", change.name());
    }
}

#[test]
fn things_are_exchanged_for_things_in_the_same_roles() {
    let activity = |name: &str, thing: &str| {
        format!(
            "(define (problem {name}-0) (:domain omnigibson)
              (:objects {thing}_1 {thing}_2 - {thing} shelf.n.01_1 - shelf.n.01 table.n.02_1 - table.n.02 floor.n.01_1 - floor.n.01 agent.n.01_1 - agent.n.01)
              (:init (ontop {thing}_1 table.n.02_1) (ontop {thing}_2 table.n.02_1) (inroom table.n.02_1 kitchen) (inroom shelf.n.01_1 kitchen)
                (inroom floor.n.01_1 kitchen) (ontop agent.n.01_1 floor.n.01_1))
              (:goal (and (forall (?{thing} - {thing}) (ontop ?{thing} ?shelf.n.01_1)))))"
        )
    };
    let texts = [("a.bddl", activity("a", "book.n.02")), ("b.bddl", activity("b", "magazine.n.02"))];
    let library = Library::from_texts(texts, LibraryOptions::default());
    let generation = ActivityGeneration::new(&library, LibraryOptions::default()).expect("a generator");
    let made = generation.vary(0, &[GoalChange::Exchange], (1, 0)).expect("an activity");
    assert_sound(&made);
    assert!(made.text.contains("magazine.n.02_2") && !made.text.contains("book.n.02"), "{}", made.text);
    // Furniture stays where it is: no example puts it anywhere.
    for index in 0..40 {
        let made = generation.sample(9, index).expect("an activity");
        assert_sound(&made);
        assert!(!made.text.contains("(ontop ?shelf") && !made.text.contains("(ontop ?table"), "{}", made.text);
    }
}

#[test]
fn examples_that_cannot_be_recombined_are_refused() {
    let refused = |texts: &[(&str, &str)]| {
        let library = Library::from_texts(texts.iter().copied(), LibraryOptions::default());
        ActivityGeneration::new(&library, LibraryOptions::default()).map(|_| ()).expect_err("an error")
    };
    assert_eq!(refused(&[]), ActivityGenerationError::NoExample);
    let other = "(define (problem other-0) (:domain igibson)
        (:objects book.n.02_1 - book.n.02 table.n.02_1 - table.n.02 floor.n.01_1 - floor.n.01 agent.n.01_1 - agent.n.01)
        (:init (ontop book.n.02_1 table.n.02_1) (inroom table.n.02_1 kitchen) (inroom floor.n.01_1 kitchen) (onfloor agent.n.01_1 floor.n.01_1))
        (:goal (and (onfloor ?book.n.02_1 ?floor.n.01_1))))";
    let error = refused(&[("garden.bddl", &texts()[2].1), ("other.bddl", other)]);
    assert_eq!(
        error.to_string(),
        "the examples have several domains: `igibson`, `omnigibson`; pass those of one domain"
    );
}
