//! The order of goals by difficulty.

use std::path::{Path, PathBuf};

use goalspec::grading::{Difficulty, GradedGoal, grade};
use goalspec::library::{Library, LibraryOptions};
use goalspec::playability::PlayabilityOptions;
use goalspec::trace::TraceInput;

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

fn graded(texts: &[(&str, &str)], plays: &[&str]) -> Vec<GradedGoal> {
    let library = Library::from_texts(texts.iter().copied(), LibraryOptions::default());
    let plays: Vec<TraceInput> = plays.iter().map(|name| TraceInput::File(example(name))).collect();
    grade(&library, &plays, &PlayabilityOptions::default(), &|_| {}).expect("games that are represented")
}

fn game(name: &str, preferences: &[&str]) -> String {
    let preferences: Vec<String> =
        preferences.iter().enumerate().map(|(place, body)| format!("(preference p{place} {body})")).collect();
    format!(
        "(define (game {name}) (:domain few-objects-room-v1) (:constraints (and {})) (:scoring (count p0)))",
        preferences.join(" ")
    )
}

/// One play achieves it, in which somebody throws dodgeballs into the bin.
const THROWN: &str = "(exists (?d - dodgeball ?h - hexagonal_bin) (then (once (agent_holds ?d))
    (hold (and (not (agent_holds ?d)) (in_motion ?d))) (once (and (not (in_motion ?d)) (in ?h ?d)))))";
/// The other play achieves it, in which somebody builds with blocks.
const CARRIED: &str = "(exists (?b - cube_block) (then (once (agent_holds ?b)) (once (not (agent_holds ?b)))))";
/// Neither play achieves it.
const ON_BED: &str = "(exists (?d - dodgeball) (at-end (on ?d bed)))";

#[test]
fn a_game_that_more_plays_achieve_is_easier() {
    let plays = ["game/play.jsonl", "game/build.jsonl"];
    let texts = [
        ("a-both.game", game("both", &[THROWN, CARRIED])),
        ("b-never.game", game("never", &[ON_BED])),
        ("c-held.game", game("held", &[THROWN])),
        ("d-half.game", game("half", &[THROWN, ON_BED])),
    ];
    let texts: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (*name, &**text)).collect();
    let goals = graded(&texts, &plays);
    let order: Vec<&str> = goals.iter().map(|goal| &*goal.program).collect();
    assert_eq!(order, ["a-both.game", "c-held.game", "d-half.game", "b-never.game"], "{goals:#?}");
    let values: Vec<Option<Difficulty>> = goals.iter().map(|goal| goal.difficulty).collect();
    let plays = |value| Some(Difficulty::Plays(value));
    assert_eq!(values, [plays(0.5), plays(0.5), plays(0.75), None]);
    // The first game has none before it, and the last one has the part of another that nobody achieved.
    assert_eq!(goals[0].nearest, None);
    let nearest = |place: usize| goals[place].nearest.as_ref().map(|nearest| (&*nearest.program, nearest.edits > 0));
    // Like the third game, the first one has two preferences, one of them the same.
    assert_eq!(nearest(2), Some(("a-both.game", true)));
    assert!(nearest(3).is_some());
}

#[test]
fn without_plays_nothing_is_shown_of_games() {
    let goals = graded(&[("held.game", &game("held", &[THROWN]))], &[]);
    assert_eq!(goals, [GradedGoal { program: "held.game".into(), difficulty: None, nearest: None }]);
}

#[test]
fn problems_are_graded_by_plans_and_resource_games_by_their_length() {
    let read = |name: &str| std::fs::read_to_string(example(name)).expect("an example");
    let texts = [
        ("domain.pddl", read("pddl/delivery/domain.pddl")),
        ("climb.yaml", read("rgg/climb.yaml")),
        ("two_vans.pddl", read("pddl/delivery/two_vans.pddl")),
        ("one_van.pddl", read("pddl/delivery/one_van.pddl")),
    ];
    let texts: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (*name, &**text)).collect();
    let goals = graded(&texts, &[]);
    let [first, second, last] = &goals[..] else { panic!("{goals:#?}") };
    let steps = |goal: &GradedGoal| match goal.difficulty {
        Some(Difficulty::Plan(steps)) => steps,
        other => panic!("{other:?}"),
    };
    assert!(steps(first) <= steps(second) && steps(first) > 0);
    assert_eq!(&*last.program, "climb.yaml");
    assert!(matches!(last.difficulty, Some(Difficulty::Simulation(turns)) if turns > 0), "{last:?}");
}
